"""--check-cells=yes changes no figure: every other case counts under it, so what they assert holds without
it, too."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from case import Case
from cg2test import compile, run_cg2, text_of_any_run

# Each is a kind of control flow.
PROGRAMS = {
    "exact.S": ("-nostdlib", "-static"),
    "calls.c": ("-O0",),
    "recursion.c": ("-O2", "-static"),
    "tail.c": ("-O2", "-static"),
    "signals.c": ("-O1",),
    "longjmp.c": ("-O1", "-static"),
    "pointers.c": ("-O1", "-static"),
    "jumps.c": ("jumps.S", "-O1", "-static"),
}
# Each lets cells be found, or read, in another way.
OPTIONS = (
    ("--separate-callers=3", "--separate-recs=2"),
    (
        "--cache-sim=yes",
        "--branch-sim=yes",
        "--I1=32768,8,64",
        "--D1=32768,8,64",
        "--LL=1048576,16,64",
    ),
    ("--dump-every-bb=20000", "--collect-systime=no"),
    ("--instr-atstart=no", "--toggle-collect=main"),
)


class Checked(Case):
    def texts(self, program: Path, *options: str) -> list[str]:
        """All that a run leaves: each profile, and what it says at its end."""
        run = run_cg2([program], *options, out_file="profile")
        self.assertEqual(run.status, 0, run.stderr)
        self.assertGreater(len(run.profile_paths), 0)
        said = re.sub(r"^==\d+== ", "", run.stderr, flags=re.MULTILINE)
        said = said.replace(str(run.directory), "")
        return [text_of_any_run(path) for path in run.profile_paths] + [said]

    def check_same(self, source: str, *options: str) -> None:
        """The profile is the same to the letter, with the option and without it."""
        program = compile(source, *PROGRAMS[source])
        with self.subTest(source, options=options):
            without = self.texts(program, *options)
            self.assertEqual(self.texts(program, *options, "--check-cells=yes"), without)

    def test_programs(self) -> None:
        for source in PROGRAMS:
            self.check_same(source)
            self.check_same(source, "--dump-instr=yes", "--collect-jumps=yes")

    def test_options(self) -> None:
        for options in OPTIONS:
            self.check_same("calls.c", *options)
            self.check_same("signals.c", *options)


if __name__ == "__main__":
    unittest.main()
