"""cg2 in Callgrind's place writes no file that Callgrind would not write."""

from __future__ import annotations

import re
import unittest
from collections.abc import Iterable, Sequence
from pathlib import Path

from cg2tools.profile.reader import read_profile
from launcher import Harness, Launcher, application, profiles_in, program, scratch

# Options, and what dropin.c does. What one process writes over another's is in the last run's file.
RUNS = [
    ("", "plain"),
    ("--callgrind-out-file=out", "plain"),
    ("--callgrind-out-file=out.%p", "plain"),
    ("--callgrind-out-file=out.%n", "plain"),
    ("--callgrind-out-file=out --separate-threads=yes", "threads"),
    ("--callgrind-out-file=out.%p --separate-threads=yes", "threads"),
    ("--callgrind-out-file=out --combine-dumps=yes", "threads"),
    ("--callgrind-out-file=out --separate-threads=yes --combine-dumps=yes", "threads"),
    ("--callgrind-out-file=out", "requests"),
    ("--callgrind-out-file=out --dump-before=work --dump-after=region", "plain"),
    ("", "fork"),
    ("--callgrind-out-file=out", "fork"),
    ("--callgrind-out-file=out.%p", "fork"),
    ("--callgrind-out-file=out.%p --separate-threads=yes", "fork"),
    ("", "exec"),
    ("--trace-children=yes", "exec"),
    ("--callgrind-out-file=out", "exec"),
    ("--callgrind-out-file=out --trace-children=yes", "exec"),
    ("--callgrind-out-file=out.%p --trace-children=yes", "exec"),
    ("--callgrind-out-file=out.%p --trace-children=yes --separate-threads=yes", "exec"),
    ("--callgrind-out-file=out --trace-children=no", "fork"),
    ("--instr-atstart=no --callgrind-out-file=out", "fork"),
]


def files(launcher: Launcher, options: Sequence[str], what: str) -> tuple[set[str], set[str]]:
    """The names of the profiles, and of all files, without process ids."""
    directory = scratch()
    program = [str(application()), what]
    launcher.run(
        "valgrind", "--tool=callgrind", *options, *program, directory=directory, status=None
    )
    for path in profiles_in(directory):
        read_profile(path)
    return anonymous(profiles_in(directory)), anonymous(directory.iterdir())


def anonymous(paths: Iterable[Path]) -> set[str]:
    return {re.sub(r"\d{3,}", "PID", path.name) for path in paths}


class Files(Harness):
    def test_names(self) -> None:
        """Threads, parts, forks and other programs leave the files that Callgrind leaves, none of them empty.

        A process that becomes another program leaves an empty file of Callgrind's; cg2's has its profile.
        """
        for options, what in RUNS:
            with self.subTest(f"{options} {what}"):
                theirs, ours = self.with_both(
                    lambda launcher: files(launcher, options.split(), what)
                )
                empty = theirs[1] - theirs[0] if what == "exec" else set()
                self.assertEqual(ours[0] - empty, theirs[0])
                self.assertEqual(ours[1], ours[0])

    def test_other_directory(self) -> None:
        """A program that is started in another directory: what is named by process is beside the first
        one's profile, and in that directory with Callgrind."""
        script = f"cd elsewhere; {program()}; {program()}"

        def work(launcher: Launcher, name: str) -> tuple[int, int]:
            directory = scratch()
            (directory / "elsewhere").mkdir()
            launcher.run(
                *("valgrind", "--tool=callgrind", "--trace-children=yes"),
                *(f"--callgrind-out-file={name}", "/bin/sh", "-c", script),
                directory=directory,
                status=None,
            )
            found = (directory, directory / "elsewhere")
            here, there = (len(list(place.glob("out*"))) for place in found)
            return here, there

        theirs, ours = self.with_both(lambda launcher: work(launcher, "out.%p"))
        self.assertGreaterEqual(theirs[1], 2)
        self.assertEqual(ours, (sum(theirs), 0))
        theirs, ours = self.with_both(lambda launcher: work(launcher, "out"))
        self.assertEqual(ours, theirs)


if __name__ == "__main__":
    unittest.main()
