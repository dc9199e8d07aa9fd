# SPDX-License-Identifier: Apache-2.0
"""The files that the rules look at, and what a rule says about them."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True, order=True)
class Violation:
    path: str
    line: int
    message: str
    # What an exception names: the file, or one function of it.
    subject: str = ''

    def __str__(self) -> str:
        return f'{self.path}:{self.line}: {self.message}'


class SourceTree:
    """A folder's files by relative path. Of a git work tree only what git tracks or would offer to add."""

    def __init__(self, root: Path, links: Path | None = None, qt_headers: Path | None = None):
        self.root = root
        self._links = links
        self.qt_headers = qt_headers

    @cached_property
    def paths(self) -> list[str]:
        if (self.root / '.git').exists():
            listed = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'],
                                    cwd=self.root, check=True, capture_output=True, text=True).stdout.split('\0')
            return sorted({path for path in listed if path and (self.root / path).is_file()})
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob('*') if path.is_file())

    def text(self, path: str) -> str:
        """The file's text; empty for what is no text."""
        content = (self.root / path).read_bytes()
        return '' if b'\0' in content else content.decode('utf-8', errors='replace')

    def under(self, *prefixes: str, suffixes: tuple[str, ...] = ('.cpp', '.h')) -> list[str]:
        return [path for path in self.paths if path.startswith(prefixes) and path.endswith(suffixes)]

    def is_script(self, path: str, *interpreters: str) -> bool:
        first = self.text(path).partition('\n')[0]
        return first.startswith('#!') and any(name in first for name in interpreters)

    @cached_property
    def links(self) -> dict[str, list[str]]:
        """What each CMake target links, as CMake wrote it down when it configured the build."""
        if self._links is None:
            return {}
        lines = [line.split() for line in self._links.read_text().splitlines()]
        return {words[0]: words[1:] for words in lines if words}
