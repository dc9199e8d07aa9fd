# SPDX-License-Identifier: Apache-2.0
"""What a training script says to Trialdeck, and what it may ask.

    import trialdeck

    settings = trialdeck.config()
    for epoch in range(first_epoch, 10):
        ...
        folder = trialdeck.checkpoint_dir()
        save(model, folder)
        trialdeck.report(loss=loss, accuracy=accuracy, checkpoint=folder)

The standard library is all it needs. A script that is started by hand, outside a trial, works the same: report()
then prints its line instead.
"""

from __future__ import annotations

import itertools
import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["checkpoint_dir", "config", "report", "resume_from", "wants_checkpoint"]
__version__ = "0.1.0"

_checkpoint_numbers = itertools.count()


def config() -> dict[str, Any]:
    """The trial's parameters, by name; nested ones as nested dictionaries. Empty outside a trial."""
    path = os.environ.get("TRIALDECK_CONFIG")
    if not path:
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def resume_from() -> Path | None:
    """The folder of the checkpoint to go on from; None when the trial begins afresh."""
    path = os.environ.get("TRIALDECK_RESUME_FROM")
    return Path(path) if path else None


def checkpoint_dir(name: str | None = None) -> Path:
    """A new, empty folder to write a checkpoint into. It counts only once report(checkpoint=folder) names it.

    After that the folder belongs to Trialdeck, which moves it: write no more to it and keep no path into it.

    :param name: one path component; a free one is chosen when it is not given.
    :raises FileExistsError: when a folder of that name is there already.
    """
    parent = os.environ.get("TRIALDECK_CHECKPOINT_DIR")
    if not parent:
        return Path(tempfile.mkdtemp(prefix="trialdeck-checkpoint-"))
    if name is not None:
        if name in ("", ".", "..") or "/" in name:
            raise ValueError(f"a checkpoint's name is one path component, not {name!r}")
        folder = Path(parent, name)
        folder.mkdir()
        return folder
    while True:
        folder = Path(parent, f"made_{next(_checkpoint_numbers):06}")
        try:
            folder.mkdir()
            return folder
        except FileExistsError:
            continue


def wants_checkpoint(training_iteration: int, *, last: bool = False) -> bool:
    """Whether the experiment's checkpoint_config asks for a checkpoint after this iteration, counted from 1.

    :param last: whether the script ends after it. True is answered always where nothing was configured.
    """
    frequency = int(os.environ.get("TRIALDECK_CHECKPOINT_FREQUENCY") or 0)
    at_end = os.environ.get("TRIALDECK_CHECKPOINT_AT_END", "").lower() in ("1", "true")
    if last and at_end:
        return True
    return training_iteration % frequency == 0 if frequency > 0 else not at_end


def report(metrics: Mapping[str, Any] | None = None, *, checkpoint: str | os.PathLike[str] | None = None,
           **named_metrics: Any) -> None:
    """Tells Trialdeck one row of metrics; the trial's training_iteration goes up by one unless the row has it.

    Numbers may be Python's, NumPy's or a tensor with one element; NaN and infinities are kept. A nested mapping
    becomes metrics named with a slash: {"val": {"loss": 1}} is val/loss.

    :param checkpoint: a folder that checkpoint_dir() made, complete by now.
    """
    row: dict[str, Any] = {**(metrics or {}), **named_metrics}
    path = os.environ.get("TRIALDECK_REPORT")
    if checkpoint is not None:
        folder = Path(checkpoint).resolve()
        parent = os.environ.get("TRIALDECK_CHECKPOINT_DIR")
        if parent and folder.parent != Path(parent).resolve():
            raise ValueError(f"the checkpoint {folder} does not lie in {parent}: make it with checkpoint_dir()")
        row["checkpoint"] = folder.name if parent else str(folder)
    line = json.dumps(row, default=_plain, ensure_ascii=False) + "\n"
    if not path:
        sys.stdout.write(line)
        sys.stdout.flush()
        return
    # One write, so that lines of several threads never mix.
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        remaining = line.encode("utf-8", errors="replace")
        while remaining:
            remaining = remaining[os.write(descriptor, remaining):]
    finally:
        os.close(descriptor)


def _plain(value: Any) -> Any:
    """A number or list that json can write, of what NumPy and tensor libraries have."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    for conversion in ("item", "tolist"):
        convert = getattr(value, conversion, None)
        if callable(convert):
            try:
                return convert()
            except (TypeError, ValueError, RuntimeError):
                continue
    raise TypeError(f"a metric cannot be a {type(value).__name__}")
