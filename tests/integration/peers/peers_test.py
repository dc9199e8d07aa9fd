#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""peers_test.py --bin DIR --venv DIR: runs experiments with trialdeckctl and lets the peers' own packages read the folders.

The packages come from PyPI into the virtual environment at --venv, which later runs use again. Exit status 77, which
ctest shows as skipped, only where no registry answers.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[2] / "resources" / "examples"
SKIPPED = 77
# What pip says where there is no network at all, as opposed to a package that does not install.
NO_REGISTRY = ("NewConnectionError", "Temporary failure in name resolution", "Name or service not known", "ConnectTimeoutError",
               "Connection refused", "Network is unreachable", "ProxyError")

# Reports whose values are awkward for every reader.
ODD_REPORTS = [
    {"training_iteration": 1, "loss": float("nan"), "val": {"loss": 0.5}, "tokens": 2**53 + 1, "note": 'a,"b"\nc'},
    {"training_iteration": 2, "loss": float("inf"), "val": {"loss": 0.25}, "tokens": 2**53 + 2, "note": "数据"},
    {"training_iteration": 3, "loss": 0.125, "val": {"loss": 1e-300}, "tokens": 3, "note": ""},
]
ODD_EXPERIMENT = """
name: odd
trial: {command: [python3, %s]}
param_space: {lr: {grid_search: [0.1, 1.0e-05]}, opt: {name: {choice: [sgd]}}}
search: {metric: loss, mode: min}
storage_path: %s
"""
ODD_EXPECTED = {
    "trials": 2,
    "rows": [{"training_iteration": row["training_iteration"], "loss": row["loss"], "val/loss": row["val"]["loss"],
              "tokens": row["tokens"]} for row in ODD_REPORTS],
    "checkpoint_files": [],
    "scalars": {"ray/tune/val/loss": 3, "ray/tune/tokens": 3},
}
PLAIN_EXPECTED = {
    "trials": 6,
    "rows": [{"training_iteration": epoch, "loss": None, "accuracy": None} for epoch in range(1, 21)],
    "checkpoint_files": ["state.json"],
    "scalars": {"ray/tune/loss": 20, "ray/tune/accuracy": 20},
}


def virtual_environment(place: Path) -> Path | None:
    """The Python of the peers' environment; None where no registry answers."""
    python, requirements, stamp = place / "bin" / "python", HERE / "requirements.txt", place / "installed.txt"
    if stamp.exists() and stamp.read_text() == requirements.read_text():
        return python
    subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
    pip = subprocess.run([python, "-m", "pip", "install", "--quiet", "--retries", "2", "--timeout", "20", "-r", requirements],
                         stderr=subprocess.PIPE, text=True)
    if pip.returncode:
        print(pip.stderr)
        if any(sign in pip.stderr for sign in NO_REGISTRY):
            return None
        raise SystemExit("pip could not install the peers' packages")
    stamp.write_text(requirements.read_text())
    return python


def odd_experiment(scratch: Path) -> Path:
    script = scratch / "odd.py"
    lines = "".join(json.dumps(row) + "\n" for row in ODD_REPORTS)
    script.write_text(f"import os\nopen(os.environ['TRIALDECK_REPORT'], 'a').write({lines!r})\n")
    file = scratch / "odd.yaml"
    file.write_text(ODD_EXPERIMENT % (script, scratch / "results"))
    return file


def plain_python(scratch: Path) -> Path:
    """The example as it is, but for where its results go."""
    example = EXAMPLES / "plain-python"
    file = scratch / "plain.yaml"
    file.write_text((example / "experiment.yaml").read_text().replace(" train.py", f" {example}/train.py")
                    + f"storage_path: {scratch}/results\n")
    return file


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--venv", type=Path, required=True)
    options = parser.parse_args()
    python = virtual_environment(options.venv)
    if python is None:
        print("skipped: no package registry answers, so Ray, pandas and TensorBoard cannot be installed")
        return SKIPPED
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        environment = {**os.environ, "TRIALDECK_HOME": str(scratch / "home")}
        trialdeckctl = options.bin / "trialdeckctl"
        try:
            for file, name, expected in ((odd_experiment(scratch), "odd", ODD_EXPECTED),
                                         (plain_python(scratch), "plain-python", PLAIN_EXPECTED)):
                subprocess.run([trialdeckctl, "run", file], check=True, env=environment, stdin=subprocess.DEVNULL)
                (scratch / "expected.json").write_text(json.dumps(expected))
                reading = subprocess.run([python, "-B", HERE / "read_experiment.py", scratch / "results" / name,
                                          scratch / "expected.json"], cwd=scratch)
                failed = failed or reading.returncode != 0
        finally:
            subprocess.run([trialdeckctl, "shutdown", "-y"], env=environment, stdin=subprocess.DEVNULL)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
