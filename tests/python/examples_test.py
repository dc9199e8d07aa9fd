#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The example programs keep the contract that they are there to show."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"
WITHOUT_TRIAL = {name: value for name, value in os.environ.items() if not name.startswith("TRIALDECK_")}


class PlainPython(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def train(self, attempt: str, *arguments: str, **variables: str) -> list[dict]:
        rank = self.folder / attempt
        rank.mkdir()
        subprocess.run(
            [sys.executable, EXAMPLES / "plain-python" / "train.py", "--points", "400", *arguments], check=True,
            stdout=subprocess.DEVNULL, env={**WITHOUT_TRIAL, "TRIALDECK_REPORT": str(rank / "report.jsonl"),
                                            "TRIALDECK_CHECKPOINT_DIR": str(rank), **variables})
        return [json.loads(line) for line in (rank / "report.jsonl").read_text().splitlines()]

    def test_a_resumed_trial_ends_as_one_that_was_never_stopped(self) -> None:
        whole = self.train("whole", "--epochs", "6", TRIALDECK_CHECKPOINT_FREQUENCY="2")
        first = self.train("first", "--epochs", "4", TRIALDECK_CHECKPOINT_FREQUENCY="4")
        second = self.train("second", "--epochs", "6", TRIALDECK_CHECKPOINT_FREQUENCY="2",
                            TRIALDECK_RESUME_FROM=str(self.folder / "first" / first[-1]["checkpoint"]))
        self.assertEqual([row.get("checkpoint") for row in whole], [None, "epoch_2", None, "epoch_4", None, "epoch_6"])
        self.assertEqual(second, whole[4:])

    def test_saves_at_the_end_when_asked(self) -> None:
        rows = self.train("end", "--epochs", "3", TRIALDECK_CHECKPOINT_AT_END="1")
        self.assertEqual([row.get("checkpoint") for row in rows], [None, None, "epoch_3"])


class Bash(unittest.TestCase):
    def test_each_iteration_is_a_line_that_the_pattern_reads(self) -> None:
        pattern = re.search(r"stdout: '(.*)'", (EXAMPLES / "bash" / "experiment.yaml").read_text()).group(1)
        printed = subprocess.run([EXAMPLES / "bash" / "descend.sh", "0.001", "-1.2", "1.0"], check=True, capture_output=True,
                                 text=True).stdout
        rows = re.findall(pattern.replace("(?<", "(?P<"), printed)
        self.assertEqual([int(iteration) for iteration, _ in rows], list(range(1, 41)))
        losses = [float(loss) for _, loss in rows]
        self.assertLess(losses[-1], losses[0])


if __name__ == "__main__":
    unittest.main()
