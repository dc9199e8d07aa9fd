#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/run, with stand-ins for the programs that it calls: that it goes on after a failure, and how it sums up."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
JUNIT = '<?xml version="1.0"?>\n<testsuite name="x"\n\ttests="{0}"\n\tfailures="{1}"\n\tdisabled="0"\n\tskipped="{2}"\n>\n</testsuite>\n'

STAND_IN = """#!/bin/bash
echo "$(basename "$0")${{*:+ $*}}" >> "$CALLS"
{body}
"""
# ctest writes the report that the test laid down for its preset; a preset without one passes nothing.
CTEST = """while (($#)); do
    case $1 in --test-dir) preset=$(basename "$2");; --output-junit) report=$2;; esac
    shift
done
[[ -f $RESULTS/$preset.xml ]] || exit 0
cp "$RESULTS/$preset.xml" "$report"
! grep -qE 'failures="[1-9]' "$report"
"""
BODIES = {
    "cmake": '[[ $* != *"$FAILING_BUILD"* || -z $FAILING_BUILD ]] || { echo "a.cpp:1: error: no"; exit 1; }',
    "ctest": CTEST,
    "ninja": '[[ "$* " != *" query benchmarks"* ]]',
    "dpkg-query": 'awk \'!/^#/ { print $1, "installed" }\' packaging/packages.txt',
    "apt-get": "",
    "clang-format": "",
    "clang-tidy": "",
}


class TestsRun(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.project = self.folder / "project"
        for name in ("tests/run", "packaging/install-packages.sh", "packaging/packages.txt"):
            (self.project / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, self.project / name)
        (self.project / "core").mkdir()
        (self.project / "core" / "a.cpp").write_text("")
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "first")
        (self.folder / "bin").mkdir()
        (self.folder / "results").mkdir()
        for name, body in BODIES.items():
            (self.folder / "bin" / name).write_text(STAND_IN.format(body=body))
            (self.folder / "bin" / name).chmod(0o755)

    def git(self, *arguments: str) -> None:
        subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@x.invalid", *arguments], cwd=self.project, check=True)

    def results(self, **presets: tuple[int, int, int]) -> None:
        for preset, (tests, failures, skipped) in presets.items():
            (self.folder / "results" / f"{preset}.xml").write_text(JUNIT.format(tests, failures, skipped))

    def run_it(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        (self.folder / "calls").write_text("")
        environment = {**os.environ, "PATH": f"{self.folder}/bin:/usr/bin:/bin", "CALLS": str(self.folder / "calls"),
                       "RESULTS": str(self.folder / "results"), "FAILING_BUILD": "", **variables}
        return subprocess.run([self.project / "tests" / "run", *arguments], env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=50)

    def calls(self, *names: str) -> list[str]:
        return [line for line in (self.folder / "calls").read_text().splitlines() if line.startswith(names)]

    def test_closes_with_what_all_runs_counted(self) -> None:
        self.results(asan=(10, 0, 1), release=(1, 0, 1), fuzz=(4, 0, 0), tsan=(3, 0, 0))
        answer = self.run_it()
        self.assertEqual(answer.stdout.splitlines()[-1], "16 passed, 0 failed, 2 skipped")
        self.assertEqual(answer.returncode, 0, answer.stdout)

    def test_goes_on_after_a_failed_stage_and_names_it(self) -> None:
        self.results(asan=(10, 2, 0), fuzz=(4, 0, 0))
        answer = self.run_it()
        self.assertEqual(answer.returncode, 1)
        self.assertRegex(answer.stdout, r"asan +FAILED(.*\n)*fuzz +ok")
        self.assertIn(f"Stage asan failed; its log is {self.project}/build/logs/asan.log", answer.stdout)
        self.assertEqual(answer.stdout.splitlines()[-1], "12 passed, 2 failed")

    def test_a_failed_build_counts_as_a_failure_and_is_shown(self) -> None:
        self.results(asan=(10, 0, 0), fuzz=(4, 0, 0))
        answer = self.run_it(FAILING_BUILD="--build --preset fuzz")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("a.cpp:1: error: no", answer.stdout)
        self.assertEqual(answer.stdout.splitlines()[-1], "10 passed, 1 failed")

    def test_counts_nothing_of_an_earlier_run(self) -> None:
        self.results(asan=(10, 0, 0))
        self.run_it()
        answer = self.run_it(FAILING_BUILD="--build --preset asan")
        self.assertEqual(answer.stdout.splitlines()[-1], "0 passed, 1 failed")

    def test_runs_only_the_stages_that_are_named(self) -> None:
        self.run_it("tsan", "format")
        self.assertEqual([call.split()[2] for call in self.calls("cmake --preset")], ["tsan"])
        self.assertEqual(len(self.calls("clang-format")), 1)

    def test_long_leaves_out_nothing(self) -> None:
        self.run_it("--long", "asan", "fuzz", "tidy")
        self.assertIn("-DTRIALDECK_FUZZ_SECONDS=300", self.calls("cmake --preset fuzz")[0])
        self.assertNotIn("long", self.calls("ctest")[0].partition("-LE")[2])
        self.assertEqual(len(self.calls("clang-tidy")), 1)

    def test_tidies_what_changed(self) -> None:
        (self.project / "core" / "b.cpp").write_text("")
        self.git("add", "-A")
        self.git("commit", "-qm", "second")
        self.run_it("tidy")
        self.assertEqual(self.calls("clang-tidy"), ["clang-tidy --quiet -p build/tidy core/b.cpp"])

    def test_refuses_a_stage_that_does_not_exist(self) -> None:
        answer = self.run_it("asn")
        self.assertEqual((answer.returncode, self.calls("")), (2, []))
        self.assertIn("there is no stage or option 'asn'", answer.stderr)


if __name__ == "__main__":
    unittest.main()
