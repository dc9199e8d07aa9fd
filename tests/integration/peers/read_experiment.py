# SPDX-License-Identifier: Apache-2.0
"""read_experiment.py FOLDER EXPECTED.json: Ray, pandas and TensorBoard read each trial's folder as we mean it.

EXPECTED.json: {"trials": N, "rows": [what each trial's reports have in common, one map a report; a value of null only has to be
there], "checkpoint_files": [names in the newest checkpoint], "scalars": {tag: number of values}}. Runs in the peers' virtual environment.
"""

from __future__ import annotations

import json
import math
import os
import sys
import unittest
from pathlib import Path

os.environ.setdefault("RAY_TRAIN_V2_ENABLED", "0")
import pandas  # noqa: E402
from ray.air.result import Result  # noqa: E402
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator  # noqa: E402

FOLDER = Path(sys.argv[1])
EXPECTED = json.loads(Path(sys.argv[2]).read_text())
TRIALS = sorted(path.parent for path in FOLDER.glob("*/params.json"))


def same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return one == other


class Peers(unittest.TestCase):
    def check_rows(self, frame: pandas.DataFrame, *, texts: bool = True) -> None:
        self.assertEqual(len(frame), len(EXPECTED["rows"]))
        for index, expected in enumerate(EXPECTED["rows"]):
            for name, value in expected.items():
                self.assertIn(name, frame.columns)
                read = frame[name].iloc[index]
                if value is not None and (texts or not isinstance(value, str)):
                    read = read.item() if hasattr(read, "item") else read
                    self.assertTrue(same(value, read), f"row {index}, {name}: {read!r}, not {value!r}")

    def test_there_is_a_folder_for_each_trial(self) -> None:
        self.assertEqual(len(TRIALS), EXPECTED["trials"])

    def test_ray_restores_the_result_of_a_trial(self) -> None:
        for trial in TRIALS:
            with self.subTest(trial=trial.name):
                result = Result.from_path(str(trial))
                self.check_rows(result.metrics_dataframe)
                self.assertEqual(result.config, json.loads((trial / "params.json").read_text()))
                self.assertIsNone(result.error)
                if EXPECTED["checkpoint_files"]:
                    with result.checkpoint.as_directory() as folder:
                        self.assertEqual(sorted(path.name for path in Path(folder).iterdir()), EXPECTED["checkpoint_files"])
                    for _, metrics in result.best_checkpoints:
                        self.assertIn("training_iteration", metrics)

    def test_pandas_reads_progress_and_results(self) -> None:
        for trial in TRIALS:
            with self.subTest(trial=trial.name):
                progress = pandas.read_csv(trial / "progress.csv")
                self.check_rows(progress)
                lines = [json.loads(line) for line in (trial / "result.json").read_text().splitlines()]
                self.check_rows(pandas.json_normalize(lines, sep="/"))
                self.assertEqual(len(pandas.read_json(trial / "result.json", lines=True)), len(progress))

    def test_tensorboard_reads_the_curves(self) -> None:
        for trial in TRIALS:
            with self.subTest(trial=trial.name):
                events = EventAccumulator(str(trial), size_guidance={"scalars": 0})
                events.Reload()
                results = [json.loads(line) for line in (trial / "result.json").read_text().splitlines()]
                steps = [row["training_iteration"] for row in results]
                for tag, count in EXPECTED["scalars"].items():
                    self.assertIn(tag, events.Tags()["scalars"])
                    scalars = events.Scalars(tag)
                    self.assertEqual(len(scalars), count, tag)
                    self.assertTrue({scalar.step for scalar in scalars} <= set(steps))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
