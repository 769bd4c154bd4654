"""Qt Creator runs cg2 as Callgrind, controls it, and its parser reads the same figures."""

from __future__ import annotations

import subprocess
import unittest
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import qtcreator
from cg2test import HANG, need_vgdb
from launcher import ENDING, Harness, Launcher, application, program, scratch, wait_for

# What a user can choose in the settings, beside what is always given.
SETTINGS = [
    (),
    ("--cache-sim=yes", "--branch-sim=yes"),
    ("--cache-sim=yes", "--branch-sim=yes", "--collect-bus=yes", "--toggle-collect=bench_*"),
]


def analysed(launcher: Launcher, directory: Path, *arguments: str | Path) -> list[str | Path]:
    """The command line that runs a program."""
    return [
        "valgrind",
        "--child-silent-after-fork=yes",
        "--tool=callgrind",
        *arguments[:-1],
        f"--callgrind-out-file={directory}/callgrind.out.f101",
        arguments[-1],
    ]


def profile(launcher: Launcher, settings: Sequence[str]) -> qtcreator.Profile:
    directory = scratch()
    launcher.run(*analysed(launcher, directory, *settings, program()), directory=directory)
    return qtcreator.Parser(directory / "callgrind.out.f101").profile


class QtCreator(Harness):
    def test_figures(self) -> None:
        """Under each setting the costs of all functions and calls are the same, but for the last block."""
        for settings in SETTINGS:
            with self.subTest(" ".join(settings)):
                theirs, ours = self.with_both(lambda launcher: profile(launcher, settings))
                self.assertEqual(ours.events(), theirs.events())
                ending = Counter({} if settings[2:] else {("(below main)", "Ir"): ENDING})
                self.assertEqual(ours.self_costs(), theirs.self_costs() + ending)
                self.assertEqual(ours.calls(), theirs.calls())
                self.assertEqual(ours.inclusive("bench_one"), theirs.inclusive("bench_one"))

    def test_matched(self) -> None:
        """Each callee is found by the ids of its name, object and file, also where code of other files is
        inlined."""

        def work(launcher: Launcher) -> list[int]:
            return [profile(launcher, settings).unmatched for settings in SETTINGS]

        self.assertEqual(self.assertSame(work), [0, 0, 0])

    def test_header(self) -> None:
        """The header has ended at no line before `events:` and `summary:`, and has all that is shown."""

        def work(launcher: Launcher) -> list[object]:
            found = profile(launcher, SETTINGS[1])
            return [list(found.header), found.header["positions"], found.descriptions[-2:]]

        keys, positions, _ = self.assertSame(work)
        self.assertEqual(
            keys,
            ["version", "creator", "pid", "cmd", "part", "positions", "events", "summary"],
        )
        self.assertEqual(positions, "line")

    def test_controlled(self) -> None:
        """The buttons that dump, reset and pause call callgrind_control with the process id; parts are the
        same."""
        need_vgdb()

        def work(launcher: Launcher) -> list[object]:
            directory = scratch()
            environment = launcher.environment(TMPDIR=str(directory))
            command = analysed(launcher, directory, "--instr-atstart=no", application())
            process = subprocess.Popen(
                [*map(str, command), "wait"],
                cwd=directory,
                env=environment,
                stderr=subprocess.DEVNULL,
                text=True,
            )

            def control(*words: str) -> None:
                launcher.run(
                    "callgrind_control",
                    *words,
                    str(process.pid),
                    directory=directory,
                    environment=environment,
                )
                (directory / "ready").unlink()

            for words in (["--instr=on"], ["--dump"], ["--zero"]):
                wait_for(directory / "ready", process)
                control(*words)
            process.wait(HANG)
            return [
                sorted(path.name for path in directory.glob("callgrind.out*")),
                [
                    qtcreator.Parser(path).profile.self_costs()["work", "Ir"]
                    for path in sorted(directory.glob("callgrind.out*"))
                ],
            ]

        names, costs = self.assertSame(work)
        self.assertEqual(names, ["callgrind.out.f101", "callgrind.out.f101.1"])


if __name__ == "__main__":
    unittest.main()
