# SPDX-License-Identifier: Apache-2.0
"""Rules about who may know whom, from the real includes and from what CMake links."""

from __future__ import annotations

import re

import cpp_text
from layers import ALLOWED, PURE, layer_of, layer_of_target
from source_tree import SourceTree, Violation

_FORBIDDEN_IN_PURE = re.compile(
    r'(fstream|iostream|filesystem|cstdio|stdio\.h|chrono|ctime|time\.h|thread|mutex|shared_mutex|condition_variable'
    r'|future|atomic|stop_token|semaphore|latch|barrier|csignal|signal\.h|unistd\.h|fcntl\.h|spawn\.h|poll\.h|random'
    r'|sys/.*|netinet/.*|arpa/.*|netdb\.h|asio.*|spdlog/.*|core/base/(clock|files|host|log|process|unique_fd)\.h)')
_QT_HEADER = re.compile(r'(Q[A-Z]\w*|Qt\w+|Qt\w+/.*|q[a-z0-9]+\.h)')
_INTERFACES = 'Engine|Provider|Transport'
_CONCRETE = re.compile(rf'\b(?:class|struct)\s+(\w+)[\s\w]*:[^{{;]*\bpublic\s+(?:\w+::)*(?:{_INTERFACES})\b')


def layers_by_include(tree: SourceTree) -> list[Violation]:
    """A layer includes only itself and what lies below it; project headers are included from the project's root."""
    found = []
    for path in tree.under('core/', 'app/', 'trainer/'):
        layer = layer_of(path)
        if not layer:
            found.append(Violation(path, 1, 'is in no layer of DESIGN', path))
            continue
        for include in cpp_text.includes(tree.text(path)):
            if not include.quoted:
                continue
            other = layer_of(include.name)
            generated = include.name.endswith('.moc') or include.name.startswith(('moc_', 'ui_'))
            if other is None and not generated:
                found.append(Violation(path, include.line, f'includes {include.name}, not from the project\'s root', path))
            elif other is not None and other not in ALLOWED[layer]:
                found.append(Violation(path, include.line, f'{layer} may not include {include.name}', path))
    return found


def layers_by_link(tree: SourceTree) -> list[Violation]:
    """What CMake links agrees with the same table."""
    found = []
    if not any(map(layer_of_target, tree.links)):
        found.append(Violation('CMakeLists.txt', 1, 'no list of links: configure a build and name its links.txt'))
    for target, linked in tree.links.items():
        layer = layer_of_target(target)
        if layer is None:
            continue
        if layer == '':
            found.append(Violation('CMakeLists.txt', 1, f'the target {target} belongs to no layer of DESIGN', target))
            continue
        for name in linked:
            other = layer_of_target(name)
            if other is not None and other not in ALLOWED[layer]:
                found.append(Violation('CMakeLists.txt', 1, f'{target} may not link {name}', target))
    return found


def core_without_qt(tree: SourceTree) -> list[Violation]:
    """Core and trainer neither include nor link Qt."""
    found = []
    for path in tree.under('core/', 'trainer/'):
        found += [Violation(path, include.line, f'includes {include.name} of Qt', path)
                  for include in cpp_text.includes(tree.text(path)) if _QT_HEADER.fullmatch(include.name)]
    for target, linked in tree.links.items():
        layer = layer_of_target(target)
        if layer and not layer.startswith('app'):
            found += [Violation('CMakeLists.txt', 1, f'{target} links {name}', target)
                      for name in linked if name.startswith('Qt6::')]
    return found


def _module_of(tree: SourceTree, header: str) -> str | None:
    """QtWidgets for QLabel, by where Qt's own headers lie."""
    if '/' in header:
        return header.partition('/')[0]
    if tree.qt_headers is None:
        return None
    for module in ('QtCore', 'QtGui', 'QtWidgets', 'QtCharts'):
        if (tree.qt_headers / module / header).is_file():
            return module
    return None


def widgets_only_in_views(tree: SourceTree) -> list[Violation]:
    """QtWidgets and QtCharts are known to app/views and app/main.cpp; app/models knows QtCore alone."""
    found = []
    for path in tree.under('app/'):
        if path.startswith('app/views/') or path == 'app/main.cpp':
            continue
        refused = {'QtWidgets', 'QtCharts'} | ({'QtGui'} if path.startswith('app/models/') else set())
        for include in cpp_text.includes(tree.text(path)):
            module = _module_of(tree, include.name)
            if module in refused:
                found.append(Violation(path, include.line, f'includes {include.name} of {module}', path))
    for target, linked in tree.links.items():
        layer = layer_of_target(target)
        if layer and layer.startswith('app/') and layer != 'app/views':
            found += [Violation('CMakeLists.txt', 1, f'{target} links {name}', target)
                      for name in linked if name in ('Qt6::Widgets', 'Qt6::Charts')]
    return found


def search_and_schedule_are_pure(tree: SourceTree) -> list[Violation]:
    """Searchers and Schedulers see no file, socket, clock, thread or process."""
    return [Violation(path, include.line, f'includes {include.name}', path)
            for path in tree.under(*PURE) for include in cpp_text.includes(tree.text(path))
            if _FORBIDDEN_IN_PURE.fullmatch(include.name)]


def concrete_names_in_roots(tree: SourceTree) -> list[Violation]:
    """Only a main.cpp, tests and its own folder name a concrete Engine, Provider or Transport."""
    homes: dict[str, str] = {}
    for path in tree.under('core/', 'app/'):
        for match in _CONCRETE.finditer(cpp_text.without_comments_and_strings(tree.text(path))):
            homes[match.group(1)] = path.rpartition('/')[0] + '/'
    if not homes:
        return []
    mention = re.compile(rf'\b({"|".join(homes)})\b')
    found = []
    for path in tree.under('core/', 'app/'):
        if path.endswith('/main.cpp'):
            continue
        code = cpp_text.without_comments_and_strings(tree.text(path))
        for number, line in enumerate(code.splitlines(), 1):
            for match in mention.finditer(line):
                if not path.startswith(homes[match.group(1)]):
                    found.append(Violation(path, number, f'names {match.group(1)}, which only a composition root may', path))
    return found
