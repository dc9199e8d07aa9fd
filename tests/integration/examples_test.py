#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""examples_test.py --bin DIR: trialdeckctl runs the example experiments as they are, but for their size and place.

plain-python is run by peers/peers_test.py, which reads what it leaves.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"
DATA = Path("/usr/share/datasets/fashion-mnist")


class Examples(unittest.TestCase):
    bin: Path

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.addCleanup(self.trialdeckctl, "shutdown", "-y", "--stop-trials")

    def trialdeckctl(self, *arguments: str | Path) -> str:
        environment = {**os.environ, "TRIALDECK_HOME": str(self.folder / "home")}
        return subprocess.run([self.bin / "trialdeckctl", *arguments], env=environment, stdin=subprocess.DEVNULL, check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def run_example(self, yaml: str) -> list[dict]:
        file = self.folder / "experiment.yaml"
        file.write_text(yaml + f"storage_path: {self.folder}/results\n")
        end = json.loads(self.trialdeckctl("run", "--json", file).splitlines()[-1])
        self.assertEqual(end["state"], "COMPLETED")
        return end["trials"]

    def test_bash(self) -> None:
        yaml = (EXAMPLES / "bash" / "experiment.yaml").read_text()
        trials = self.run_example(yaml.replace("descend.sh", str(EXAMPLES / "bash" / "descend.sh")))
        self.assertEqual([trial["iteration"] for trial in trials], [40] * 6)
        self.assertLess(min(trial["metrics"]["loss"] for trial in trials), 0.001)

    @unittest.skipUnless(DATA.is_dir(), "the package dataset-fashion-mnist is not installed")
    def test_fashion_mnist(self) -> None:
        yaml = (EXAMPLES / "fashion-mnist.yaml").read_text()
        for there, here in (('--epochs, "10"', '--epochs, "1", --hidden, "16"'), ("num_samples: 8", "num_samples: 2"), ("storage_path: ~/trialdeck\n", "")):
            self.assertIn(there, yaml)
            yaml = yaml.replace(there, here)
        trials = self.run_example(yaml)
        self.assertEqual([trial["iteration"] for trial in trials], [1, 1])
        self.assertGreater(max(trial["metrics"]["accuracy"] for trial in trials), 0.6)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True)
    Examples.bin = parser.parse_args().bin
    unittest.main(argv=sys.argv[:1])
