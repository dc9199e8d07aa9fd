# SPDX-License-Identifier: Apache-2.0
"""Rules about what stands in the files: names, sizes, licences, things that never stand there."""

from __future__ import annotations

import ast
import re

import cpp_text
from source_tree import SourceTree, Violation

_FILE_LINES = 600
_FUNCTION_LINES = 80
_TOP_LEVEL = {
    'CMakeLists.txt', 'CMakePresets.json', 'README.md', 'README.zh_CN.md', 'ARCHITECTURE.md', 'HACKING.md', 'CHANGELOG.md',
    'LICENSE', '.ci', '.clang-format', '.clang-tidy', '.gitignore', '.gitattributes', 'app', 'core', 'docs', 'packaging',
    'resources', 'tests', 'trainer', 'translations'}
_SLEEP_CPP = re.compile(r'\b(sleep_for|sleep_until|usleep|nanosleep|clock_nanosleep|m?sleep|qSleep|qWait)\s*\(')
_SLEEP_PYTHON = re.compile(r'\bsleep\s*\(')
_SLEEP_SHELL = re.compile(r'(^|[;&|({]|\bdo|\bthen)\s*sleep\s+\S')
_SINGLETON = re.compile(r'\b(instance|getInstance|sharedInstance|theInstance)\s*\(|\bQ_GLOBAL_STATIC\b')
_SHARED_LOCAL = re.compile(r'\bstatic\s+(?!const\b|constexpr\b)[\w:<>, ]+\s+(\w+)\s*(?:\{[^{}]*\}|\([^()]*\))?\s*;\s*return\s+&?\1\s*;')
_TRANSLATED = re.compile(r'(?<![\w>.])tr\s*\(|\bQCoreApplication::translate\s*\(|\bQT_TR(ANSLATE)?_NOOP')
_VAGUE = re.compile(r'manager|helper|util', re.IGNORECASE)
_UNFINISHED = re.compile(r'\b(TO' r'DO|FIX' r'ME|XX' r'X)\b')
# Places of one developer's machine. Tests and documents may speak of a user's home.
_MACHINE = re.compile(r'(?<![\w.$})/~-])/(work|farm|Users)/\w')
_HOME = re.compile(r'(?<![\w.$})/~-])/(home/\w+|root)/\w')


def _lines(text: str, pattern: re.Pattern[str]) -> list[tuple[int, str]]:
    return [(number, match.group().strip()) for number, line in enumerate(text.splitlines(), 1)
            if (match := pattern.search(line))]


def _code_files(tree: SourceTree) -> list[str]:
    return tree.under('core/', 'app/', 'trainer/', 'tests/')


def _python_files(tree: SourceTree) -> list[str]:
    return [path for path in tree.paths if path.endswith('.py') or tree.is_script(path, 'python')]


def _shell_files(tree: SourceTree) -> list[str]:
    return [path for path in tree.paths if path.endswith('.sh') or tree.is_script(path, 'bash', '/bin/sh')]


def spdx_lines(tree: SourceTree) -> list[Violation]:
    """Every source, script and CMake file begins with its licence; an interpreter's line may come first."""
    sources = [path for path in tree.paths if path.endswith(('.cpp', '.h', '.cmake', 'CMakeLists.txt'))]
    found = []
    for path in sorted({*sources, *_python_files(tree), *_shell_files(tree)}):
        head = tree.text(path).splitlines()[:2]
        if head and head[0].startswith('#!'):
            head = head[1:]
        if not head or not re.fullmatch(r'(//|#) SPDX-License-Identifier: Apache-2\.0', head[0]):
            found.append(Violation(path, 1, 'does not begin with its SPDX line', path))
    return found


def file_sizes(tree: SourceTree) -> list[Violation]:
    """No source is longer than 600 lines."""
    found = []
    for path in sorted({*_code_files(tree), *_python_files(tree), *_shell_files(tree)}):
        count = len(tree.text(path).splitlines())
        if count > _FILE_LINES:
            found.append(Violation(path, count, f'has {count} lines, more than {_FILE_LINES}', path))
    return found


def function_sizes(tree: SourceTree) -> list[Violation]:
    """No function is longer than 80 lines."""
    functions = {path: cpp_text.functions(tree.text(path)) for path in _code_files(tree)}
    for path in _python_files(tree):
        functions[path] = [cpp_text.Function(node.name, node.lineno, node.end_lineno or node.lineno)
                           for node in ast.walk(ast.parse(tree.text(path)))
                           if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return [Violation(path, function.first_line, f'{function.name}() has {function.length} lines, more than {_FUNCTION_LINES}',
                      f'{path}:{function.name}')
            for path, of_file in functions.items() for function in of_file if function.length > _FUNCTION_LINES]


def top_level(tree: SourceTree) -> list[Violation]:
    """A newcomer sees only the entries that DESIGN names."""
    entries = sorted({path.partition('/')[0] for path in tree.paths} - _TOP_LEVEL)
    return [Violation(entry, 1, 'does not belong to the top level', entry) for entry in entries]


def machine_paths(tree: SourceTree) -> list[Violation]:
    """No file speaks of a place on one developer's machine."""
    found = []
    for path in tree.paths:
        free = path.startswith(('tests/', 'docs/'))
        for pattern in (_MACHINE,) if free else (_MACHINE, _HOME):
            found += [Violation(path, number, f'has the machine\'s path {text}', path)
                      for number, text in _lines(tree.text(path), pattern)]
    return found


def no_sleeps(tree: SourceTree) -> list[Violation]:
    """Code and tests wait for what they need, never for time to pass."""
    found = []
    for path in _code_files(tree):
        code = cpp_text.without_comments_and_strings(tree.text(path))
        found += [Violation(path, number, f'sleeps: {text}', path) for number, text in _lines(code, _SLEEP_CPP)]
    for files, pattern in ((_python_files(tree), _SLEEP_PYTHON), (_shell_files(tree), _SLEEP_SHELL)):
        for path in files:
            if path.startswith('tests/architecture/'):
                continue
            found += [Violation(path, number, f'sleeps: {text}', path)
                      for number, text in _lines(tree.text(path), pattern)]
    return found


def no_singletons(tree: SourceTree) -> list[Violation]:
    """Dependencies come by constructor."""
    found = []
    for path in _code_files(tree):
        code = cpp_text.without_comments_and_strings(tree.text(path))
        found += [Violation(path, number, f'reaches for a singleton: {text}', path)
                  for number, text in _lines(code, _SINGLETON)]
        found += [Violation(path, code.count('\n', 0, match.start()) + 1, f'shares the static {match.group(1)}', path)
                  for match in _SHARED_LOCAL.finditer(code)]
    return found


def translation_only_in_app(tree: SourceTree) -> list[Violation]:
    """Core and trainer speak English; only the window translates."""
    return [Violation(path, number, f'translates: {text}', path) for path in tree.under('core/', 'trainer/')
            for number, text in _lines(cpp_text.without_comments_and_strings(tree.text(path)), _TRANSLATED)]


def plain_names(tree: SourceTree) -> list[Violation]:
    """No file or type is called after nothing in particular: no manager, helper or util."""
    found = []
    declared = re.compile(r'^\s*(?:class|struct|enum class|namespace)\s+([\w:]+)')
    for path in [path for path in tree.paths if path.startswith(('core/', 'app/', 'trainer/', 'tests/'))]:
        if _VAGUE.search(path.rpartition('/')[2]):
            found.append(Violation(path, 1, 'has a name that says nothing', path))
    for path in _code_files(tree):
        for number, line in enumerate(cpp_text.without_comments_and_strings(tree.text(path)).splitlines(), 1):
            match = declared.match(line)
            if match and _VAGUE.search(match.group(1)):
                found.append(Violation(path, number, f'{match.group(1)} says nothing', path))
    return found


def nothing_unfinished(tree: SourceTree) -> list[Violation]:
    """What is not finished is in the issue, not in the code."""
    files = {*_code_files(tree), *_python_files(tree), *_shell_files(tree), *tree.under('', suffixes=('CMakeLists.txt', '.cmake'))}
    return [Violation(path, number, f'has a {text}', path) for path in sorted(files)
            if not path.startswith('tests/cases/') for number, text in _lines(tree.text(path), _UNFINISHED)]
