"""Data files of programs that were built anew since: each command that shows types says so in one line."""

from __future__ import annotations

import os
import subprocess
import sys
import unittest

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "debug"))

from test_types import PROGRAMS, Scratch  # noqa: E402
from tracing import traced  # noqa: E402

COMMANDS = (
    ("cg2_annotate", "--data", "data"),
    ("cg2_convert", "--types=yes", "-o", "typed", "data"),
    ("cg2_diff", "--sort=Dr", "data", "other"),
    ("cg2_report", "-o", "page.html", "data"),
)


class Outdated(Scratch):
    def setUp(self) -> None:
        super().setUp()
        self.build("types.c", "gcc", "-O2")
        text = traced(self.program, PROGRAMS / "types.c").text
        for name in ("data", "other"):
            (self.directory / name).write_text(text)

    def warnings(self, *command: str) -> list[str]:
        name, *rest = command
        ended = subprocess.run(
            [cg2test.TOOLS / name, *rest],
            cwd=self.directory,
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return [line for line in ended.stderr.splitlines() if "warning" in line]

    def test_commands(self) -> None:
        """A program that is older than the file is taken for the one that ran; a newer one is not."""
        changed = (self.directory / "data").stat().st_mtime
        said = f"warning: {self.program} is newer than the file; types may be wrong"
        for command in COMMANDS:
            with self.subTest(command[0]):
                os.utime(self.program, (changed - 1, changed - 1))
                self.assertEqual(self.warnings(*command), [])
                os.utime(self.program, (changed + 5, changed + 5))
                files = ("data", "other") if "other" in command else ("data",)
                self.assertEqual(self.warnings(*command), [f"{file}: {said}" for file in files])

    def test_no_types(self) -> None:
        """Where no type is read there is nothing to warn of."""
        subprocess.run(["strip", self.program], check=True)
        changed = (self.directory / "data").stat().st_mtime
        os.utime(self.program, (changed + 5, changed + 5))
        for command in COMMANDS:
            with self.subTest(command[0]):
                self.assertEqual(self.warnings(*command), [])


if __name__ == "__main__":
    unittest.main()
