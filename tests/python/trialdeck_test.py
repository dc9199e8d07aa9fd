#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python helper package: what it writes is what docs/trial-contract.md promises to read."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "resources" / "python"))
import trialdeck  # noqa: E402


class Tensor:
    """Stands for what NumPy and torch return."""

    def __init__(self, *values: float):
        self._values = values

    def item(self) -> float:
        if len(self._values) != 1:
            raise ValueError("more than one element")
        return self._values[0]

    def tolist(self) -> list[float]:
        return list(self._values)


class InATrial(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.report_file = self.folder / "report.jsonl"
        self.environment({"TRIALDECK_REPORT": str(self.report_file), "TRIALDECK_CHECKPOINT_DIR": str(self.folder)})

    def environment(self, variables: dict[str, str]) -> None:
        patch = mock.patch.dict(os.environ, variables)
        patch.start()
        self.addCleanup(patch.stop)

    def rows(self) -> list[dict]:
        return [json.loads(line) for line in self.report_file.read_text(encoding="utf-8").splitlines()]

    def test_each_report_is_one_line(self) -> None:
        trialdeck.report(loss=0.5)
        trialdeck.report({"val": {"loss": 0.25}}, accuracy=0.9)
        self.assertEqual(self.rows(), [{"loss": 0.5}, {"val": {"loss": 0.25}, "accuracy": 0.9}])

    def test_keeps_nan_infinities_and_large_integers(self) -> None:
        trialdeck.report(loss=math.nan, best=-math.inf, tokens=2**53 + 1)
        row = self.rows()[0]
        self.assertTrue(math.isnan(row["loss"]))
        self.assertEqual((row["best"], row["tokens"]), (-math.inf, 9007199254740993))

    def test_takes_numbers_of_other_libraries(self) -> None:
        trialdeck.report(loss=Tensor(0.5), each=Tensor(1.0, 2.0), where=Path("a/b"))
        self.assertEqual(self.rows(), [{"loss": 0.5, "each": [1.0, 2.0], "where": "a/b"}])

    def test_refuses_what_is_no_metric(self) -> None:
        with self.assertRaisesRegex(TypeError, "a metric cannot be a set"):
            trialdeck.report(loss={1})
        self.assertFalse(self.report_file.exists())

    def test_keeps_lines_whole_when_threads_report(self) -> None:
        def many(name: str) -> None:
            for step in range(200):
                trialdeck.report({name * 500: step})
        threads = [threading.Thread(target=many, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(self.rows()), 800)

    def test_names_a_checkpoint_relative_to_its_folder(self) -> None:
        folder = trialdeck.checkpoint_dir()
        self.assertEqual((folder.parent, list(folder.iterdir())), (self.folder, []))
        trialdeck.report(loss=1, checkpoint=folder)
        self.assertEqual(self.rows(), [{"loss": 1, "checkpoint": folder.name}])

    def test_makes_a_new_folder_for_each_checkpoint(self) -> None:
        self.assertNotEqual(trialdeck.checkpoint_dir(), trialdeck.checkpoint_dir())
        self.assertEqual(trialdeck.checkpoint_dir("epoch_3").name, "epoch_3")
        with self.assertRaises(FileExistsError):
            trialdeck.checkpoint_dir("epoch_3")
        with self.assertRaises(ValueError):
            trialdeck.checkpoint_dir("../elsewhere")

    def test_refuses_a_checkpoint_from_elsewhere(self) -> None:
        with tempfile.TemporaryDirectory() as elsewhere, self.assertRaisesRegex(ValueError, "does not lie in"):
            trialdeck.report(loss=1, checkpoint=elsewhere)

    def test_knows_parameters_and_where_to_go_on_from(self) -> None:
        (self.folder / "params.json").write_text('{"lr": 0.1, "opt": {"name": "sgd"}}')
        self.environment({"TRIALDECK_CONFIG": str(self.folder / "params.json"), "TRIALDECK_RESUME_FROM": ""})
        self.assertEqual(trialdeck.config(), {"lr": 0.1, "opt": {"name": "sgd"}})
        self.assertIsNone(trialdeck.resume_from())
        self.environment({"TRIALDECK_RESUME_FROM": str(self.folder)})
        self.assertEqual(trialdeck.resume_from(), self.folder)

    def test_follows_the_checkpoint_settings(self) -> None:
        for frequency, at_end, iteration, last, expected in [
                ("", "", 1, False, True), ("2", "", 1, False, False), ("2", "", 2, False, True),
                ("2", "1", 3, True, True), ("2", "0", 3, True, False), ("0", "1", 3, False, False), ("0", "true", 3, True, True)]:
            with self.subTest(frequency=frequency, at_end=at_end, iteration=iteration, last=last):
                self.environment({"TRIALDECK_CHECKPOINT_FREQUENCY": frequency, "TRIALDECK_CHECKPOINT_AT_END": at_end})
                self.assertEqual(trialdeck.wants_checkpoint(iteration, last=last), expected)


class StartedByHand(unittest.TestCase):
    def setUp(self) -> None:
        without = {name: value for name, value in os.environ.items() if not name.startswith("TRIALDECK_")}
        patch = mock.patch.dict(os.environ, without, clear=True)
        patch.start()
        self.addCleanup(patch.stop)

    def test_prints_its_reports(self) -> None:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            trialdeck.report(loss=0.5)
        self.assertEqual(printed.getvalue(), '{"loss": 0.5}\n')

    def test_has_no_parameters_and_begins_afresh(self) -> None:
        self.assertEqual((trialdeck.config(), trialdeck.resume_from()), ({}, None))


if __name__ == "__main__":
    unittest.main()
