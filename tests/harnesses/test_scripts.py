"""rustc-perf, Nuitka, scripts of many projects, and KCachegrind's users run cg2 as Callgrind."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from cg2tools.profile.reader import read_profile
from launcher import ENDING, OURS, Harness, Launcher, names_of, profiles_in, program, scratch

# What scripts look for on stderr, and in a profile.
COLLECTED = re.compile(r"Collected\s*:\s*(\d+)")
REFERENCES = re.compile(r"refs:\s+([\d,]+)")
SUMMARY = re.compile(r"^summary:\s+(\d+)", re.MULTILINE)


def matched(pattern: re.Pattern[str], text: str) -> int:
    """The number that an expression finds."""
    found = pattern.search(text)
    assert found is not None, f"{pattern.pattern}: not in {text}"
    return int(found[1].replace(",", ""))


def collected(launcher: Launcher, *options: str) -> str:
    """The closing lines of a run that leaves no profile."""
    directory = scratch()
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *options]
    ended = launcher.run(*command, program(), directory=directory)
    assert not list(directory.iterdir())
    return ended.stderr


class RustcPerf(Harness):
    """rustc-perf, `collector/src/compile/execute/profiler.rs` and `collector/src/bin/collector.rs`."""

    def test_starts(self) -> None:
        """`valgrind` without arguments starts, which is how its presence is known."""

        def work(launcher: Launcher) -> list[object]:
            ended = launcher.run("valgrind", directory=scratch(), status=None)
            return [ended.returncode, ended.stderr]

        self.assertSame(work)

    def test_profile(self) -> None:
        """The run succeeds, and leaves the file that was named, and no other."""

        def work(launcher: Launcher) -> list[str]:
            directory = scratch()
            launcher.run(
                "valgrind",
                "--tool=callgrind",
                "--cache-sim=no",
                "--branch-sim=no",
                f"--callgrind-out-file={directory}/clgout-x",
                program(),
                directory=directory,
            )
            return names_of(sorted(directory.iterdir()))

        self.assertEqual(self.assertSame(work), ["clgout-x"])


class Nuitka(Harness):
    """Nuitka, `nuitka/tools/testing/Valgrind.py`: the ticks of a module's code."""

    ZEROED = ["init__main__()", "init__main__", "PyInit___main__", "PyInit___main__()"]

    def ticks(self, launcher: Launcher) -> int:
        directory = scratch()
        launcher.run(
            "valgrind",
            "-q",
            "--tool=callgrind",
            f"--callgrind-out-file={directory}/log",
            *(f"--zero-before={name}" for name in self.ZEROED),
            program(),
            directory=directory,
        )
        lines = (directory / "log").read_text().splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("summary:")))

    def test_ticks(self) -> None:
        """Patterns that match nothing are no error; the sum is of what runs from the module on, the last
        block too."""
        theirs, ours = self.with_both(self.ticks)
        self.assertEqual(ours, theirs + ENDING)
        self.assertLess(ours, matched(COLLECTED, collected(OURS)))


class Scripts(Harness):
    """Scripts in CI, as cachegrind.py of pythonspeed, scripts of SQLite, simdjson and others have them."""

    def test_stderr(self) -> None:
        """The closing lines say the total, where no profile is wanted (/dev/null); no file is left."""

        def work(launcher: Launcher) -> list[int]:
            said = collected(launcher)
            return [matched(COLLECTED, said), matched(REFERENCES, said)]

        theirs, ours = self.with_both(work)
        self.assertEqual(ours, [number + ENDING for number in theirs])

    def test_function(self) -> None:
        """What a function costs each time, in a part for each: the numbers and triggers are the same."""

        def work(launcher: Launcher) -> list[tuple[str, int]]:
            directory = scratch()
            launcher.run(
                "valgrind",
                "--tool=callgrind",
                f"--callgrind-out-file={directory}/out",
                "--collect-atstart=no",
                "--toggle-collect=bench_two",
                "--zero-before=bench_two",
                "--dump-after=bench_two",
                program(),
                directory=directory,
            )
            return [
                (path.name, matched(SUMMARY, path.read_text())) for path in profiles_in(directory)
            ]

        parts = self.assertSame(work)
        self.assertEqual([name for name, _ in parts], ["out", "out.1"])


class KCachegrind(Harness):
    """KCachegrind shows FILE, and takes all files whose names begin with that for parts of it."""

    def run_with(self, launcher: Launcher, *options: str) -> list[Path]:
        directory = scratch()
        launcher.run(
            "valgrind",
            "--tool=callgrind",
            "--dump-instr=yes",
            "--collect-jumps=yes",
            *options,
            program(),
            directory=directory,
        )
        return profiles_in(directory)

    def test_names(self) -> None:
        """A run and its parts have the names that it looks for; instructions and lines are the positions."""

        def work(launcher: Launcher) -> list[object]:
            paths = self.run_with(launcher, "--dump-before=bench_two")
            parts = [part for path in paths for part in read_profile(path).parts]
            self.assertTrue(all(path.name.startswith(paths[0].name) for path in paths))
            names = [re.sub(r"\d{3,}", "PID", name) for name in names_of(paths)]
            return [names, [(part.part, part.positions, part.events) for part in parts]]

        names, _ = self.assertSame(work)
        self.assertEqual(names, ["callgrind.out.PID", "callgrind.out.PID.1"])

    def test_jumps(self) -> None:
        """There are lines of jumps, in both forms that it reads."""

        def work(launcher: Launcher) -> list[int]:
            [path] = self.run_with(launcher)
            text = path.read_text()
            return [
                len(re.findall(rf"^{key}=", text, re.MULTILINE)) > 0 for key in ("jump", "jcnd")
            ]

        self.assertEqual(self.assertSame(work), [True, True])


if __name__ == "__main__":
    unittest.main()
