# SPDX-License-Identifier: Apache-2.0
"""Rules about the window's texts: both languages complete, and nothing said that no translator saw."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from source_tree import SourceTree, Violation

LANGUAGES = ('en', 'zh_CN')
_LUPDATE_PLACES = ('lupdate', '/usr/lib/qt6/bin/lupdate')


def _messages(ts_file: Path) -> dict[tuple[str, str, str], ElementTree.Element]:
    """The messages in use, by context, source and comment."""
    messages = {}
    for context in ElementTree.parse(ts_file).getroot().iter('context'):
        for message in context.iter('message'):
            translation = message.find('translation')
            if translation is None or translation.get('type') not in ('vanished', 'obsolete'):
                key = (context.findtext('name', ''), message.findtext('source', ''), message.findtext('comment', ''))
                messages[key] = message
    return messages


def _is_finished(message: ElementTree.Element) -> bool:
    translation = message.find('translation')
    if translation is None or translation.get('type') == 'unfinished':
        return False
    forms = translation.findall('numerusform') or [translation]
    return all((form.text or '').strip() for form in forms)


def translations_are_finished(tree: SourceTree) -> list[Violation]:
    """Each entry of both languages has its translation."""
    if not tree.under('app/'):
        return []
    found = []
    for language in LANGUAGES:
        path = f'translations/trialdeck_{language}.ts'
        if path not in tree.paths:
            found.append(Violation(path, 1, 'is missing', path))
            continue
        found += [Violation(path, 1, f'{context}: "{source}" is not translated', path)
                  for (context, source, _), message in _messages(tree.root / path).items() if not _is_finished(message)]
    return found


def translations_are_current(tree: SourceTree) -> list[Violation]:
    """The files hold exactly what the code says: lupdate would neither add nor drop an entry."""
    if not tree.under('app/'):
        return []
    lupdate = next(filter(None, map(shutil.which, _LUPDATE_PLACES)), None)
    if lupdate is None:
        return [Violation('translations', 1, 'lupdate is not installed (package qt6-tools-dev-tools)', 'translations')]
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch) / 'said_zh_CN.ts'
        # The headers tell lupdate in which namespace a class lies, which is the context that Qt asks for.
        subprocess.run([lupdate, '-silent', '-locations', 'none', '-I', str(tree.root), str(tree.root / 'app'), '-ts', str(fresh)],
                       check=True, capture_output=True)
        said = _messages(fresh) if fresh.exists() else {}
    found = []
    for language in LANGUAGES:
        path = f'translations/trialdeck_{language}.ts'
        if path not in tree.paths:
            continue
        held = _messages(tree.root / path)
        # English needs entries only where the number decides the form.
        needed = {key for key, message in said.items() if language != 'en' or message.get('numerus') == 'yes'}
        found += [Violation(path, 1, f'{key[0]}: "{key[1]}" is missing', path) for key in sorted(needed - held.keys())]
        found += [Violation(path, 1, f'{key[0]}: "{key[1]}" is said nowhere', path) for key in sorted(held.keys() - said.keys())]
    return found
