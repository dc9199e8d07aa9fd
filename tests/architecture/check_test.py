#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_test.py RULE: the checker finds exactly what is wrong in the rule's bad tree, so the rule can fail."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import check
from bad_trees import BAD_TREES, BadTree
from source_tree import SourceTree


def lay_out(files: dict[str, str], root: Path) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)


def said_of(rule: str, bad: BadTree, scratch: Path) -> list[str]:
    root, links, qt_headers = scratch / 'tree', scratch / 'links.txt', scratch / 'qt'
    root.mkdir()
    lay_out(bad.files, root)
    lay_out(dict.fromkeys(bad.qt_headers, ''), qt_headers)
    links.write_text(bad.links)
    tree = SourceTree(root, links, qt_headers)
    return [str(violation) for violation in sorted(check.RULES[rule](tree))]


def stale_exceptions(scratch: Path) -> list[str]:
    lay_out({check.EXCEPTIONS: '# rule subject reason\nfile_sizes core/a.cpp is a table\nfile_sizes core/b.cpp is a table\n',
             'core/a.cpp': 'int x;\n' * 700}, scratch / 'tree')
    tree = SourceTree(scratch / 'tree')
    assert not list(check.broken('file_sizes', tree)), 'an exception does not excuse'
    return [str(violation) for violation in check.exceptions_are_needed(tree)]


def main() -> int:
    rule = sys.argv[1]
    with tempfile.TemporaryDirectory() as scratch:
        if rule == 'exceptions_are_needed':
            said = stale_exceptions(Path(scratch))
            expected = [f'{check.EXCEPTIONS}:3: file_sizes core/b.cpp excuses nothing any more']
        else:
            said = said_of(rule, BAD_TREES[rule], Path(scratch))
            expected = BAD_TREES[rule].expected
    for line in sorted({*said, *expected}):
        if (line in said) != (line in expected):
            print(f'{"said, not expected" if line in said else "expected, not said"}: {line}')
    return 0 if said == expected else 1


if __name__ == '__main__':
    sys.exit(main())
