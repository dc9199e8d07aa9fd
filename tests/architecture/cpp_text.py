# SPDX-License-Identifier: Apache-2.0
"""Reads C++ text as far as the rules need it: without comments and strings, its includes, its functions."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r'//[^\n]*'
    r'|/\*.*?\*/'
    r'|R"(?P<delimiter>[^()\\ \n]{0,16})\(.*?\)(?P=delimiter)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'",
    re.DOTALL)
_DIRECTIVE = re.compile(r'^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.MULTILINE)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
_CONTAINER = re.compile(r'\b(namespace|class|struct|union|enum|extern)\b')
_LABEL = re.compile(r'\s*(?:(?:public|protected|private|signals|slots|Q_SIGNALS|Q_SLOTS)\s*)+:(?!:)')
_OPERATOR = re.compile(r'\boperator\s*[^\s\w(]+')


@dataclass(frozen=True)
class Include:
    name: str
    quoted: bool
    line: int


@dataclass(frozen=True)
class Function:
    name: str
    first_line: int
    last_line: int

    @property
    def length(self) -> int:
        return self.last_line - self.first_line + 1


def _blank(match: re.Match[str]) -> str:
    return re.sub(r'[^\n]', ' ', match.group())


def without_comments_and_strings(text: str) -> str:
    """The same text, line for line, with every comment and literal made of spaces."""
    return _TOKEN.sub(_blank, text)


def includes(text: str) -> list[Include]:
    """What the text includes; an include inside a comment does not count."""
    commented = re.sub(r'//[^\n]*|/\*.*?\*/', _blank, text, flags=re.DOTALL)
    return [Include(found.group(2), found.group(1) == '"', text.count('\n', 0, found.start()) + 1)
            for found in _INCLUDE.finditer(commented)]


def _closing(code: str, opening: int) -> int:
    """Where the brace at `opening` is closed; the end of the text when it never is."""
    depth = 0
    for place in re.finditer(r'[{}]', code[opening:]):
        depth += 1 if place.group() == '{' else -1
        if depth == 0:
            return opening + place.start()
    return len(code) - 1


def _outside_parentheses(head: str) -> str | None:
    """The head of a block without what stands in parentheses; None when they do not match."""
    kept, depth = [], 0
    for letter in head:
        if letter == '(':
            depth += 1
        elif letter == ')':
            depth -= 1
        elif depth == 0:
            kept.append(letter)
    return ''.join(kept) if depth == 0 else None


def _is_function(head: str) -> bool:
    bare = _outside_parentheses(_OPERATOR.sub('operator', head))
    return bare is not None and '(' in head and '=' not in bare


def _body_end(code: str, opening: int) -> int:
    """The end of a function whose first brace is at `opening`; braces of its initialiser list come before its body."""
    end = _closing(code, opening)
    while True:
        following = re.compile(r'\s*(,[^{};]*)?\{').match(code, end + 1)
        if not following:
            return end
        end = _closing(code, following.end() - 1)


def functions(text: str) -> list[Function]:
    """The functions with a body, in order; what is inside one belongs to it."""
    code = _DIRECTIVE.sub(_blank, without_comments_and_strings(text))
    found: list[Function] = []
    start = place = 0
    while place < len(code):
        letter = code[place]
        if letter in ';}':
            start = place + 1
        elif letter == '{':
            while label := _LABEL.match(code, start, place):
                start = label.end()
            head = code[start:place]
            if _is_function(head):
                end = _body_end(code, place)
                first = start + len(head) - len(head.lstrip())
                name = re.search(r'([~\w:]+)\s*\(', _OPERATOR.sub('operator', head))
                found.append(Function(name.group(1) if name else '?', code.count('\n', 0, first) + 1,
                                      code.count('\n', 0, end) + 1))
                place = end
            elif not _CONTAINER.search(head):
                place = _closing(code, place)
            start = place + 1
        place += 1
    return found
