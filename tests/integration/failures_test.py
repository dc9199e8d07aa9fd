#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""failures_test.py --bin DIR [--kills N] [--seed N]: workers are killed with SIGKILL at random moments.

A trial must come back from its newest checkpoint with at most one checkpoint interval to do again, and the trainer
must come to the weights of a run that nobody disturbed. Times are printed and not judged.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from datetime import datetime
from pathlib import Path

DATA = Path("/usr/share/datasets/fashion-mnist")
INTERVAL = 5
EPOCHS = 6
PAUSE = threading.Event()

PROGRAM = f"""
import json, os, sys, threading
resume = os.environ["TRIALDECK_RESUME_FROM"]
done = int(open(os.path.join(resume, "state")).read()) if resume else 0
report = open(os.environ["TRIALDECK_REPORT"], "a", buffering=1)
def pid(path, number):
    with open(path + ".new", "w") as out:
        out.write(str(number))
    os.rename(path + ".new", path)
pid(sys.argv[2], os.getpid())
for i in range(done + 1, int(sys.argv[1]) + 1):
    threading.Event().wait(0.02)
    row = {{"training_iteration": i, "loss": 1 / i}}
    if i % {INTERVAL} == 0:
        name = "at_%d" % i
        folder = os.path.join(os.environ["TRIALDECK_CHECKPOINT_DIR"], name)
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "state"), "w") as out:
            out.write(str(i))
        row["checkpoint"] = name
    report.write(json.dumps(row) + "\\n")
    if os.path.exists(sys.argv[2] + ".enough"):
        break
"""


def seconds(record: dict) -> float:
    return datetime.fromisoformat(record["t"].replace("Z", "+00:00")).timestamp()


class Failures(unittest.TestCase):
    bin: Path
    kills: int
    seed: int

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.addCleanup(self.trialdeckctl, "shutdown", "-y", "--stop-trials")
        self.random = random.Random(self.seed)
        print(f"seed {self.seed}", flush=True)

    def trialdeckctl(self, *arguments: str | Path) -> str:
        environment = {**os.environ, "TRIALDECK_HOME": str(self.folder / "home")}
        return subprocess.run([self.bin / "trialdeckctl", *arguments], env=environment, stdin=subprocess.DEVNULL, check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def start(self, name: str, command: list[str], more: str = "") -> None:
        file = self.folder / f"{name}.yaml"
        file.write_text(f"name: {name}\ntrial: {{command: {json.dumps(command)}}}\n"
                        f"failure_config: {{max_failures: -1}}\nstorage_path: {self.folder}/results\n{more}")
        self.trialdeckctl("run", "--detach", file)

    def records(self, name: str) -> list[dict]:
        lines = []
        for segment in sorted((self.folder / "results" / name / "journal").glob("*.jsonl")):
            # The newest line may be on its way.
            lines += segment.read_text().rpartition("\n")[0].splitlines()
        return [json.loads(re.sub(r":(NaN|-?Infinity)", ":null", line)) for line in lines]

    def wait_for(self, what, longest: float = 120):
        end = time.monotonic() + longest
        while time.monotonic() < end:
            if found := what():
                return found
            PAUSE.wait(0.005)
        self.fail("it did not happen in time")

    def wait_for_end(self, name: str) -> None:
        self.wait_for(lambda: any(record["kind"] == "experiment_state" and record["state"] != "RUNNING"
                                  for record in self.records(name)), 300)
        self.assertEqual([record["state"] for record in self.records(name) if record["kind"] == "experiment_state"][-1],
                         "COMPLETED")

    def test_a_killed_worker_is_back_from_its_checkpoint(self) -> None:
        program, pid_file = self.folder / "program.py", self.folder / "pid"
        program.write_text(PROGRAM)
        self.start("killed", [sys.executable, str(program), "1000000", str(pid_file)])
        before = 0
        for _ in range(self.kills):
            def another():
                pid = int(pid_file.read_text()) if pid_file.exists() else 0
                return pid if pid != before else 0
            before = self.wait_for(another)
            # Behind its first new checkpoint, so that the next retry is at once.
            PAUSE.wait(self.random.uniform(0.02 * INTERVAL + 0.1, 0.5))
            os.kill(before, signal.SIGKILL)
        self.wait_for(lambda: int(pid_file.read_text()) != before)
        Path(str(pid_file) + ".enough").touch()
        self.wait_for_end("killed")

        ended, back, again, last, ends = 0.0, [], [], 0, 0
        for record in self.records("killed"):
            if record["kind"] == "worker_end" and record.get("signal") == signal.SIGKILL:
                ended, ends = seconds(record), ends + 1
            elif record["kind"] == "report":
                last = record["iteration"]
            elif record["kind"] == "attempt" and record["attempt"] > 0:
                if record["node"]:
                    back.append(seconds(record) - ended)
                else:
                    again.append(last - record["first_iteration"])
        self.assertEqual(ends, self.kills)
        self.assertEqual(len(again), self.kills)
        self.assertLessEqual(max(again), INTERVAL)
        print(f"{self.kills} kills; running again after {statistics.median(back):.3f} s (median), {max(back):.3f} s (most); "
              f"iterations done again: {statistics.mean(again):.1f} (mean), {max(again)} (most) of {INTERVAL}", flush=True)

    def weights(self, name: str) -> dict[str, str]:
        newest = [record for record in self.records(name) if record["kind"] == "checkpoint"][-1]
        self.assertEqual(newest["iteration"], EPOCHS)
        return {entry["path"]: entry["sha256"] for entry in newest["files"]}

    @unittest.skipUnless(DATA.is_dir(), "the package dataset-fashion-mnist is not installed")
    def test_the_trainer_comes_to_the_same_weights(self) -> None:
        command = [str(self.bin / "trialdeck-train"), "--data", str(DATA), "--epochs", str(EPOCHS), "--hidden", "16", "--seed", "7"]
        more = "checkpoint_config: {checkpoint_frequency: 1, checkpoint_at_end: true}\n"
        self.start("undisturbed", command, more)
        self.wait_for_end("undisturbed")
        self.start("disturbed", command, more)
        for kill in range(2):
            start = self.wait_for(lambda: [record for record in self.records("disturbed") if record["kind"] == "attempt"
                                           and record["node"] and record["attempt"] == kill])[0]
            count = len([record for record in self.records("disturbed") if record["kind"] == "checkpoint"])
            self.wait_for(lambda: len([record for record in self.records("disturbed") if record["kind"] == "checkpoint"]) > count)
            PAUSE.wait(self.random.uniform(0, 0.3))
            if worker := self.worker(f"/{start['trial']}/{start['attempt']}"):
                os.kill(worker, signal.SIGKILL)
        self.wait_for_end("disturbed")
        attempts = {record["attempt"] for record in self.records("disturbed") if record["kind"] == "attempt"}
        print(f"{len(attempts)} attempts", flush=True)
        self.assertGreater(len(attempts), 1)
        self.assertEqual(self.weights("disturbed"), self.weights("undisturbed"))

    def worker(self, attempt: str) -> int:
        """The trainer of this test's home that carries the attempt's name; 0 where it has ended."""
        for process in Path("/proc").glob("[0-9]*"):
            try:
                environment = (process / "environ").read_bytes().split(b"\0")
                command = (process / "cmdline").read_bytes().split(b"\0")[0]
            except OSError:
                continue
            if (any(entry.startswith(b"TRIALDECK_ATTEMPT=") and entry.endswith(attempt.encode()) for entry in environment)
                    and any(str(self.folder).encode() in entry for entry in environment)
                    and command.endswith(b"trialdeck-train")):
                return int(process.name)
        return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    Failures.bin, Failures.kills, Failures.seed = options.bin.resolve(), options.kills, options.seed
    unittest.main(argv=sys.argv[:1])
