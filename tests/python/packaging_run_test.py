#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""packaging/run, with stand-ins for the programs that it calls: what it calls, in which order, and what it says."""

from __future__ import annotations

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
LISTED = [line.split(maxsplit=2) for line in (PROJECT / "packaging" / "packages.txt").read_text().splitlines()
          if line and not line.startswith("#")]

# Each stand-in writes down how it was called, then does what the test gave it to do.
STAND_IN = """#!/bin/bash
echo "$(basename "$0")${{*:+ $*}}" >> "$CALLS"
{body}
"""
BODIES = {
    "cmake": "",
    "apt-get": "",
    "sudo": 'exec "$@"',
    "dpkg-query": 'cat "$INSTALLED"',
    "Xvfb": 'echo 77; exec tail -f /dev/null >/dev/null',
    "trialdeck": 'echo "display=$DISPLAY" >> "$CALLS"; exit "${WINDOW_STATUS:-0}"',
    "trialdeckctl": 'case $1 in ls) cat "$EXPERIMENTS";; run) grep -E "^name|command" "$2" >> "$CALLS"; '
                    'echo "{\\"id\\": \\"e-1\\"}";; watch) exit "$WATCH_STATUS";; show) echo "trial 0 TERMINATED";; esac',
}


class PackagingRun(unittest.TestCase):
    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.programs = self.folder / "bin"
        self.programs.mkdir()
        for name, body in BODIES.items():
            (self.programs / name).write_text(STAND_IN.format(body=body))
            (self.programs / name).chmod(0o755)
        self.have_installed([package for package, _, _ in LISTED])
        (self.folder / "experiments").write_text("[]")
        (self.folder / "home").mkdir()

    def have_installed(self, packages: list[str]) -> None:
        (self.folder / "installed").write_text("".join(f"{package} installed\n" for package in packages))

    def run_it(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        (self.folder / "calls").write_text("")
        environment = {
            "PATH": f"{self.programs}:/usr/bin:/bin", "HOME": str(self.folder / "home"), "CALLS": str(self.folder / "calls"),
            "INSTALLED": str(self.folder / "installed"), "EXPERIMENTS": str(self.folder / "experiments"),
            "TRIALDECK_BUILD": str(self.folder / "build"), "WATCH_STATUS": "0", **variables}
        return subprocess.run([PROJECT / "packaging" / "run", *arguments], env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=50)

    def calls(self, *names: str) -> list[str]:
        return [line for line in (self.folder / "calls").read_text().splitlines() if line.startswith(names)]

    def test_help_tells_the_options_and_does_nothing(self) -> None:
        answer = self.run_it("--help")
        self.assertEqual(answer.returncode, 0)
        for option in ("--no-example", "--data DIR", "--screenshots DIR"):
            self.assertIn(option, answer.stdout)
        self.assertEqual(self.calls(""), [])

    def test_refuses_what_it_does_not_know(self) -> None:
        for arguments, message in [(["--exmple"], "there is no option '--exmple'"), (["--data"], "--data needs a folder"),
                                   (["--data", str(self.folder)], "has no train-images-idx3-ubyte.gz")]:
            with self.subTest(arguments=arguments):
                answer = self.run_it(*arguments)
                self.assertEqual(answer.returncode, 2)
                self.assertIn(message, answer.stderr)
                self.assertEqual(self.calls(""), [])

    def test_installs_what_running_needs_and_says_why(self) -> None:
        self.have_installed([package for package, _, _ in LISTED if package not in ("cmake", "xvfb", "clang")])
        answer = self.run_it("--no-example", DISPLAY=":5")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertRegex(answer.stdout, r"cmake +build\n +xvfb +a display where there is none")
        self.assertEqual([call.split()[-2:] for call in self.calls("apt-get") if " install " in call], [["cmake", "xvfb"]])

    def test_with_a_display_the_window_opens_on_the_example(self) -> None:
        answer = self.run_it(DISPLAY=":5")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(self.calls("trialdeck", "display", "Xvfb", "name"),
                         ["trialdeckctl ls --json", f"trialdeckctl run {self.folder}/build/fashion-mnist.yaml --detach --json",
                          "name: fashion-mnist", "trialdeck --open e-1", "display=:5"])

    def test_without_a_display_it_reports_here_and_takes_a_picture(self) -> None:
        answer = self.run_it()
        self.assertEqual(answer.returncode, 0, answer.stderr)
        picture = f"{self.folder}/build/trialdeck.png"
        self.assertEqual(self.calls("trialdeckctl watch", "trialdeckctl show"), ["trialdeckctl watch e-1", "trialdeckctl show e-1"])
        self.assertEqual(self.calls("trialdeck ", "display"),
                         [f"trialdeck --screenshot {picture} --open e-1 --exit-when-finished", "display=:77"])
        self.assertIn("trial 0 TERMINATED", answer.stdout)
        self.assertIn(picture, answer.stdout)

    def test_photographs_every_page_on_a_display_of_its_own(self) -> None:
        answer = self.run_it("--screenshots", str(self.folder / "pictures"), "--no-example", DISPLAY=":5")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertEqual(self.calls("trialdeck", "display"), [f"trialdeck --screenshots {self.folder}/pictures", "display=:77"])
        self.assertTrue((self.folder / "pictures").is_dir())

    def test_a_second_example_has_a_name_of_its_own(self) -> None:
        (self.folder / "experiments").write_text('[{"name": "fashion-mnist"}]')
        (self.folder / "home" / "trialdeck" / "fashion-mnist-2").mkdir(parents=True)
        self.run_it(DISPLAY=":5")
        self.assertEqual(self.calls("name"), ["name: fashion-mnist-3"])

    def test_reads_the_data_from_elsewhere(self) -> None:
        data = self.folder / "data"
        data.mkdir()
        (data / "train-images-idx3-ubyte.gz").touch()
        self.run_it("--data", str(data), DISPLAY=":5")
        self.assertIn(f"--data, {data},", self.calls("  command")[0])

    def test_says_how_a_build_failed(self) -> None:
        (self.programs / "cmake").write_text("#!/bin/bash\necho 'a.cpp:1: error: no'\nexit 1\n")
        answer = self.run_it(DISPLAY=":5")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("a.cpp:1: error: no", answer.stderr)
        self.assertEqual(self.calls("trialdeck"), [])

    def test_an_experiment_that_failed_makes_it_fail_after_the_picture(self) -> None:
        answer = self.run_it(WATCH_STATUS="6", WINDOW_STATUS="6")
        self.assertEqual(answer.returncode, 6)
        self.assertIn("trialdeck.png", answer.stdout)

    def test_without_its_picture_it_fails(self) -> None:
        answer = self.run_it(WINDOW_STATUS="1")
        self.assertEqual(answer.returncode, 1)
        self.assertNotIn("trialdeck.png", answer.stdout)


if __name__ == "__main__":
    unittest.main()
