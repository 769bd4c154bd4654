"""A command that is forked from a prepared process says, writes and ends as one that is started."""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path

import starts
from cg2test import HANG, TOOLS, compile
from cg2tools.door.commands import SCRIPTS
from datafiles import list_and_array
from profiletexts import generated
from toolsupport import PATHS

MEGABYTE = 1 << 20

# Each command at work, and what it says of a file that is none, or of an option that there is not.
LINES = [
    *(f"{name} --no-such" for name in SCRIPTS),
    "cg2_convert --help",
    "cg2_report --version",
    "cg2_annotate --command=top --help",
    "cg2_merge -o OUT none",
    "cg2_annotate OLD",
    "cg2_annotate",
    "cg2_annotate --json OLD",
    "cg2_annotate --asm=yes --auto=yes OLD",
    "cg2_annotate --callgrind OLD",
    "cg2_annotate --check OLD",
    "cg2_annotate --data DATA",
    "cg2_annotate --paths PATHS",
    "cg2_annotate --summary OLD NEW",
    "cg2_annotate -",
    "cg2_annotate /dev/null",
    "cg2_control -l",
    "cg2_convert OLD",
    "cg2_convert --to=callgrind -o OUT OLD",
    "cg2_convert --to=pprof OLD",
    "cg2_convert --from=folded -",
    "cg2_diff OLD NEW",
    "cg2_diff --markdown OLD NEW",
    "cg2_diff --fail-above=1% LESS MORE",
    "cg2_diff --trend=OUT OLD NEW OLD",
    "cg2_merge -o OUT OLD NEW",
    "cg2_merge -o - OLD -",
    "cg2_merge --imbalance OLD NEW",
    "cg2_report -o OUT OLD",
]

BOTH: list[Callable[..., subprocess.CompletedProcess[bytes]]] = [starts.start, starts.run_bytes]
REDIRECTED: list[starts.Streams] = [
    {0: None},
    {1: None},
    {2: None},
    {0: None, 1: None, 2: None},
    {1: "/dev/full"},
]


class Same(unittest.TestCase):
    """Output, messages, status, and the files that there are then."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        self.environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONHASHSEED": "1"}
        for name, text in (
            ("OLD", generated(1)),
            ("NEW", generated(2)),
            ("LESS", b"events: Ir\nfn=f\n1 100\n"),
            ("MORE", b"events: Ir\nfn=f\n1 200\n"),
            ("DATA", list_and_array().encode()),
            ("PATHS", PATHS.encode()),
        ):
            (self.directory / name).write_bytes(text)
        self.given = set(os.listdir(self.directory))

    def check(
        self,
        line: str,
        stdin: bytes = b"",
        memory: int | None = None,
        streams: starts.Streams = {},
        **more: str,
    ) -> subprocess.CompletedProcess[bytes]:
        """What both have done, if it is the same."""
        words = [word.replace("cg2_", f"{TOOLS}/cg2_") for word in line.split()]
        done = []
        for run in BOTH:
            ended = run(
                words,
                directory=self.directory,
                limit=HANG,
                environment=self.environment | more,
                stdin=stdin,
                memory=memory,
                streams=streams,
            )
            written = {}
            for name in set(os.listdir(self.directory)) - self.given:
                written[name] = (self.directory / name).read_bytes()
                (self.directory / name).unlink()
            # How many bytes more depends on what else there is.
            errors = re.sub(rb"\d+(?= bytes more)", b"N", ended.stderr)
            done.append(((ended.returncode, ended.stdout, errors), written))
        self.assertEqual(done[1], done[0], line)
        ended.stderr = errors
        return ended

    def test_commands(self) -> None:
        statuses = set()
        for line in LINES:
            with self.subTest(line):
                statuses.add(
                    self.check(line, b"f;g 7\n" if "folded" in line else generated(3)).returncode
                )
        self.assertEqual(statuses, {0, 1, 2, 3})

    def test_streams(self) -> None:
        """Streams that are closed, full, or lead to a file."""
        said = 0
        for streams in REDIRECTED:
            for line in (
                "cg2_annotate -",
                "cg2_merge -o OUT OLD NEW",
                "cg2_convert --to=pprof OLD",
            ):
                with self.subTest(line, streams=streams):
                    said += bool(self.check(line, generated(3), streams=streams).stderr)
        self.assertEqual(said, 6)

    def test_environment(self) -> None:
        """A run has the environment that it is given, its directory, and arguments that are no text."""
        code = f"positions: instr\nevents: Ir\nob={sys.executable}\nfn=f\n0x10 5\n"
        (self.directory / "OLD").write_text(code)
        line = "cg2_annotate --asm=yes --auto=no OLD"
        said = self.check(line, OBJDUMP="./none").stderr
        self.assertIn(b"./none", said)
        self.assertNotIn(b"./none", self.check(line, LC_ALL="C.UTF-8").stderr)
        self.check("cg2_annotate \udcff\u20ac")
        self.check("cg2_annotate \u20ac", LC_ALL="C.UTF-8", PYTHONUTF8="0")

    def test_nothing_left(self) -> None:
        """No run knows of the one before it."""
        before = self.check("cg2_annotate OLD").stdout
        self.check("cg2_merge -o - OLD -", generated(3))
        (self.directory / "OLD").write_bytes(generated(4))
        self.assertNotEqual(self.check("cg2_annotate OLD").stdout, before)

    def test_memory(self) -> None:
        """A limit of memory holds for one run."""
        with open(self.directory / "OLD", "r+b") as file:
            file.truncate(60 * MEGABYTE)
        little = self.check("cg2_annotate OLD", memory=90 * MEGABYTE)
        self.assertRegex(little.stderr, b"^OLD: there is no memory for N bytes more$")
        self.assertNotEqual(self.check("cg2_annotate OLD").stderr, little.stderr)

    def test_shell(self) -> None:
        """The programs for shells do what the commands do, side by side in a pipe, too."""
        programs = starts.Programs(TOOLS, compile("forked.c", "-O1"))
        self.addCleanup(programs.close)
        for line, status in (
            ("cg2_merge -o - OLD NEW | cg2_annotate - | head -n 5", 0),
            ("cg2_convert --to=callgrind OLD >OUT && cat OUT", 0),
            ("cg2_annotate - <none", 1),
            ("cg2_annotate - <OLD 2>OUT && cat OUT", 0),
            ("cg2_annotate none", 1),
            ("cg2_diff --fail-above=1% LESS MORE", 3),
        ):
            ended = [
                subprocess.run(
                    ["bash", "-c", line],
                    cwd=self.directory,
                    env=self.environment
                    | programs.environment
                    | {"PATH": f"{folder}:{self.environment['PATH']}"},
                    capture_output=True,
                    check=False,
                )
                for folder in (TOOLS, programs.folder)
            ]
            said = [(one.returncode, one.stdout, one.stderr) for one in ended]
            self.assertEqual(said[1], said[0], line)
            self.assertEqual(said[0][0], status, line)

    def test_counted(self) -> None:
        """What processors did for a run is counted once: by the account of children, or as it says."""
        words = [str(TOOLS / "cg2_merge"), "-o", "OUT", *["OLD"] * 200]
        seconds = []
        for run in BOTH:
            children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            forks = starts.cpu_seconds()
            self.assertEqual(run(words, directory=self.directory, limit=HANG).returncode, 0)
            children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - children
            seconds.append((children, starts.cpu_seconds() - forks))
        started, forked = seconds
        self.assertGreater(started[0], 0)
        self.assertEqual((started[1], forked[0]), (0, 0))
        self.assertGreater(forked[1], 0)


if __name__ == "__main__":
    unittest.main()
