#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check.py RULE [--root DIR]: what in the tree breaks the rule, one line each. `check.py --list` names the rules."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import dependency_rules
import text_rules
import translation_rules
from source_tree import SourceTree, Violation

Rule = Callable[[SourceTree], list[Violation]]

RULES: dict[str, Rule] = {rule.__name__: rule for rule in (
    dependency_rules.layers_by_include,
    dependency_rules.layers_by_link,
    dependency_rules.core_without_qt,
    dependency_rules.widgets_only_in_views,
    dependency_rules.search_and_schedule_are_pure,
    dependency_rules.concrete_names_in_roots,
    text_rules.spdx_lines,
    text_rules.file_sizes,
    text_rules.function_sizes,
    text_rules.top_level,
    text_rules.machine_paths,
    text_rules.no_sleeps,
    text_rules.no_singletons,
    text_rules.translation_only_in_app,
    text_rules.plain_names,
    text_rules.nothing_unfinished,
    translation_rules.translations_are_finished,
    translation_rules.translations_are_current,
)}
EXCEPTIONS = 'tests/architecture/exceptions.txt'


def exceptions(tree: SourceTree) -> dict[tuple[str, str], int]:
    """(rule, subject) → its line in exceptions.txt."""
    found = {}
    if EXCEPTIONS in tree.paths:
        for number, line in enumerate(tree.text(EXCEPTIONS).splitlines(), 1):
            if line and not line.startswith('#'):
                rule, subject, reason = (line.split(maxsplit=2) + ['', ''])[:3]
                if rule not in RULES or not reason:
                    raise SystemExit(f'{EXCEPTIONS}:{number}: expected RULE SUBJECT REASON')
                found[rule, subject] = number
    return found


def broken(rule: str, tree: SourceTree) -> Iterable[Violation]:
    excused = exceptions(tree)
    return (violation for violation in sorted(RULES[rule](tree)) if (rule, violation.subject) not in excused)


def exceptions_are_needed(tree: SourceTree) -> list[Violation]:
    """The list of exceptions may only shrink: one that excuses nothing has to go."""
    listed = exceptions(tree)
    excused = {(rule, violation.subject) for rule in {rule for rule, _ in listed} for violation in RULES[rule](tree)}
    return [Violation(EXCEPTIONS, number, f'{rule} {subject} excuses nothing any more', subject)
            for (rule, subject), number in listed.items() if (rule, subject) not in excused]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('rule', nargs='?', choices=[*RULES, 'exceptions_are_needed', 'all'], default='all')
    parser.add_argument('--root', type=Path, default=Path(__file__).resolve().parents[2])
    parser.add_argument('--links', type=Path, help='what CMake links: BUILD/links.txt')
    parser.add_argument('--qt-headers', type=Path)
    parser.add_argument('--list', action='store_true')
    options = parser.parse_args()
    if options.list:
        print('\n'.join([*RULES, 'exceptions_are_needed']))
        return 0
    tree = SourceTree(options.root, options.links, options.qt_headers)
    count = 0
    for rule in [*RULES, 'exceptions_are_needed'] if options.rule == 'all' else [options.rule]:
        violations = exceptions_are_needed(tree) if rule == 'exceptions_are_needed' else broken(rule, tree)
        for violation in violations:
            print(f'{violation}  [{rule}]')
            count += 1
    return 1 if count else 0


if __name__ == '__main__':
    sys.exit(main())
