# SPDX-License-Identifier: Apache-2.0
"""Which layer may know which: the table that DESIGN's arrows stand for."""

from __future__ import annotations

# Each layer's direct neighbours below it; what those know, it may know too.
_NEIGHBOURS = {
    'core/base': [],
    'core/protocol': ['core/base'],
    'core/transport': ['core/protocol'],
    'core/client': ['core/transport'],
    'core/ctl': ['core/client'],
    'core/provider': ['core/client'],
    # Ids, states and the findings of spec.check are words that both ends of the line share.
    'core/model': ['core/protocol'],
    'core/search': ['core/model'],
    'core/schedule': ['core/model'],
    # protocol/record.h defines the records that the journal holds.
    'core/storage': ['core/model'],
    'core/supervise': ['core/base'],
    'core/engine': ['core/supervise'],
    'core/tuner': ['core/search', 'core/schedule', 'core/storage', 'core/engine', 'core/protocol'],
    'core/head': ['core/tuner', 'core/provider', 'core/protocol'],
    'trainer': ['core/base'],
    'app/client': ['core/client'],
    'app/models': ['app/client', 'core/client'],
    'app/text': ['core/client'],
    'app/presenters': ['app/models', 'app/text', 'core/client'],
    'app/views': ['app/presenters', 'app/text', 'core/client'],
    'app': ['app/views'],
}


def _closure(layer: str) -> frozenset[str]:
    known: set[str] = set()
    waiting = [layer]
    while waiting:
        current = waiting.pop()
        if current not in known:
            known.add(current)
            waiting.extend(_NEIGHBOURS[current])
    return frozenset(known)


ALLOWED = {layer: _closure(layer) for layer in _NEIGHBOURS}
PURE = ('core/search/', 'core/schedule/')


def layer_of(path: str) -> str | None:
    """The layer that a file or an include belongs to; '' for a folder that the table does not know."""
    parts = path.split('/')
    if parts[0] == 'trainer':
        return 'trainer'
    if parts[0] == 'app' and len(parts) == 2:
        return 'app'
    if parts[0] in ('core', 'app'):
        name = '/'.join(parts[:2])
        return name if name in _NEIGHBOURS else ''
    return None


PROGRAMS = {'trialdeck': 'app', 'trialdeck-askpass': 'core/transport', 'trialdeck-head': 'core/head', 'trialdeckctl': 'core/ctl', 'trialdeck-train': 'trainer'}
_TARGETS = {layer.removeprefix('core/').replace('/', '_'): layer for layer in _NEIGHBOURS}


def layer_of_target(target: str) -> str | None:
    """The layer of a CMake target, by the name that trialdeck_layer() or trialdeck_program() gave it; None for others'.

    A layer may have parts: trialdeck_trainer_collective belongs to trainer.
    """
    if target in PROGRAMS:
        return PROGRAMS[target]
    name = target.replace('::', '_')
    if not name.startswith('trialdeck_'):
        return None
    words = name.removeprefix('trialdeck_').split('_')
    for count in range(len(words), 0, -1):
        layer = _TARGETS.get('_'.join(words[:count]))
        if layer:
            return layer
    return ''
