#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that the kernels of one instruction set level share no inline function with the rest of the program.

The linker keeps one copy of each inline function. Were it one that was compiled for AVX, the program would die on a
processor without it. So every such symbol of the object file has to be in the namespace that only this level has.

usage: kernel_symbols.py NM OBJECT NAMESPACE
"""
import subprocess
import sys

nm, path, namespace = sys.argv[1:]
shared = []
for line in subprocess.run([nm, path], check=True, capture_output=True, text=True).stdout.splitlines():
    kind, name = line.split()[-2:]
    # Weak, unique or common: what linkers merge. References to C++ personality data carry no code.
    if kind in "WVuwC" and namespace not in name and not name.startswith("DW.ref."):
        shared.append(name)
for name in shared:
    print(f"{path}: {name} may be merged with the copy of another level")
sys.exit(1 if shared else 0)
