"""Each system call by which the tool writes fails once.

What was counted is in whole files, or it is said that it is lost; never is there more than was counted, and
never half a file.
"""

from __future__ import annotations

import os
import re
import shutil
import unittest
from pathlib import Path

import textrules
from case import FULL
from cg2test import VALGRIND, compile, env, new_directory
from cg2tools.profile.reader import read_profile
from injected import Ended, Fault, faults, need_strace, traced
from test_parts import RECURSIVE

OPENS = ["open", "openat"]
LOOKS = ["stat", "newfstatat", "statx", "fstat", "lseek", "read", "readlink"]
ENDS = ["rename", "close"]
FAILURES = ["ENOSPC", "EIO"]

PARTS = ["--dump-after=region"]
MODES: dict[str, list[str]] = {
    "one": [],
    "parts": PARTS,
    "combined": [*PARTS, "--combine-dumps=yes"],
}


class Injected(unittest.TestCase):
    def setUp(self) -> None:
        need_strace()
        self.directory = new_directory()
        self.made = self.directory / "made"
        self.environment = env(TMPDIR=str(self.directory / "tmp"))
        self.clear()

    def clear(self) -> None:
        for folder in (self.made, self.directory / "tmp"):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()

    def command(self, *options: str) -> list[str]:
        tool = [str(shutil.which(VALGRIND)), "--tool=cg2", "--vgdb=no"]
        out = f"--cg2-out-file={self.made}/profile"
        program = compile("parts.c", "-O0", RECURSIVE, "-static")
        return ["setarch", "-R", *tool, out, *options, str(program)]

    def total(self) -> int:
        """What all files that are there have together. Each of them is whole."""
        folders = (self.made, self.directory / "tmp")
        paths = [path for folder in folders for path in folder.iterdir()]
        self.assertEqual([path.name for path in paths if path.name.endswith(".part")], [])
        return sum(
            self.total_of(path) for path in paths if path.name.startswith(("profile", "cg2"))
        )

    def total_of(self, path: Path) -> int:
        profile = read_profile(path)
        for part in profile.parts:
            part.check()
        if len(profile.parts) == 1:
            self.assertEqual(textrules.faults(path), [])
        return sum(part.self_total()[0] for part in profile.parts)

    def check(self, ended: Ended, whole: int) -> None:
        """All that was counted is there, or what is lost is said."""
        errors = re.findall(r"^==\d+== (error: .*)$", ended.stderr, re.MULTILINE)
        total = self.total()
        if "Collected" not in ended.stderr:
            self.assertEqual((ended.returncode, len(errors), total), (1, 1, 0), ended.stderr)
        elif total != whole:
            self.assertLess(total, whole)
            self.assertIn("is lost", ended.stderr)
            self.assertEqual(ended.returncode, 1)
        else:
            self.assertNotIn("is lost", ended.stderr)

    def check_faults(self, mode: str, calls: list[str], errors: list[str]) -> None:
        command = self.command(*MODES[mode])
        self.clear()
        ended = traced(command, self.environment, "-o", "/dev/null")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        whole = self.total()
        found = self.faults(command, calls, errors)
        self.assertGreater(len(found), 0)
        for fault in found:
            with self.subTest(str(fault)):
                self.clear()
                self.check(fault.run(), whole)

    def faults(self, command: list[str], calls: list[str], errors: list[str]) -> list[Fault]:
        self.clear()
        return list(faults(command, self.made, calls, errors, self.environment))

    def test_write(self) -> None:
        for mode in MODES:
            with self.subTest(mode):
                self.check_faults(mode, ["write"], FAILURES if FULL else ["ENOSPC"])

    def test_interrupted(self) -> None:
        """A write that a signal has interrupted is made again."""
        command = self.command(*MODES["combined"])
        found = self.faults(command, ["write"], ["EINTR"])
        for fault in found if FULL else found[:2]:
            with self.subTest(str(fault)):
                self.clear()
                ended = fault.run()
                self.assertEqual(ended.returncode, 0)
                self.assertNotIn("error: ", ended.stderr)
                self.assertEqual(os.listdir(self.made), ["profile"])

    def test_rest(self) -> None:
        """Opening, looking what is there, moving to its name."""
        calls = [*OPENS, *LOOKS, *ENDS]
        for mode in MODES if FULL else ["combined"]:
            with self.subTest(mode):
                self.check_faults(mode, calls, FAILURES if FULL else ["EIO"])


if __name__ == "__main__":
    unittest.main()
