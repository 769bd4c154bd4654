"""Profiles that are no profiles, have no end, or were left by somebody who was killed."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import tempfile
import unittest
from collections.abc import Iterable
from pathlib import Path

from toolsupport import TOOLS

import cg2test
import starts

ROOM = 1 << 30
"""Bytes of memory that a command has."""

WHOLE = """\
# callgrind format
version: 1
creator: callgrind-cg2-0.1
pid: {pid}
part: 1
events: Ir
summary: 30

fl=a.c
fn=f
1 10
2 20

totals: 30
"""

COMMANDS = (
    ["cg2_annotate"], ["cg2_annotate", "--check"], ["cg2_annotate", "--summary"],
    ["cg2_annotate", "--callgrind"], ["cg2_diff", "whole"], ["cg2_merge", "-o", "sum"],
    ["cg2_convert"], ["cg2_report", "-o", "page.html"],
)  # fmt: skip


class Fixture(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        self.write("whole", WHOLE.format(pid=7))

    def write(self, name: str, text: str | bytes) -> None:
        (self.directory / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def run_command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return starts.run(
            [TOOLS / arguments[0], *arguments[1:]],
            directory=self.directory,
            limit=cg2test.HANG,
            memory=ROOM,
        )


class Cut(Fixture):
    """What cg2 writes ends with its totals: without them it is cut off, though its costs are all there."""

    CUT = WHOLE.replace("\ntotals: 30\n", "").format(pid=8)

    def test_refused(self) -> None:
        self.write("cut", self.CUT)
        for command in COMMANDS:
            with self.subTest(command):
                ended = self.run_command(*command, "cut")
                self.assertEqual(
                    (ended.returncode, ended.stderr),
                    (1, "cut: there is no totals: at the end; expected one; the file is "
                        f"cut off behind line 12, at byte {len(self.CUT)}; --partial reads what there is\n"),
                )  # fmt: skip

    def test_partial(self) -> None:
        self.write("cut", self.CUT)
        ended = self.run_command("cg2_annotate", "--partial", "cut")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("\n30 (100.0%)", ended.stdout)
        self.assertIn("cut: the file is cut off behind line 12", ended.stderr)

    def test_between(self) -> None:
        """A part in the middle has its totals, too: without them something between two parts is missing."""
        part = self.CUT[self.CUT.index("events:") :]
        second = f"part: 2\n{part}totals: 30\n"
        self.write("holed", self.CUT + second)
        line = self.CUT.count("\n") + 1
        for command in COMMANDS:
            with self.subTest(command):
                ended = self.run_command(*command, "holed")
                self.assertEqual(ended.returncode, 1)
                self.assertEqual(
                    ended.stderr,
                    f"holed:{line}: a part begins, but the one before it has no totals: line; "
                    "expected one at its end: some of the file is missing here\n",
                )
        self.write("whole", f"{self.CUT}totals: 30\n{second}")
        ended = self.run_command("cg2_annotate", "whole")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertIn("\n60 (100.0%)", ended.stdout)

    def test_whole(self) -> None:
        """A profile that is whole is read, and one that another program wrote without totals."""
        self.write("other", self.CUT.replace("callgrind-cg2-0.1", "xdebug 3"))
        for name in "whole", "other":
            ended = self.run_command("cg2_annotate", name)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))


class Newest(Fixture):
    def test_left(self) -> None:
        """What a writer that was killed has left is newer, and is no profile of a run."""
        self.write("cg2.out.7", WHOLE.format(pid=7))
        for at, name in enumerate(("cg2.out.8-0123abcd.part", "cg2.out.8.9-0123abcd.unfinished")):
            self.write(name, WHOLE.format(pid=8))
            later = 2_000_000_000 + at
            os.utime(self.directory / name, (later, later))
        ended = self.run_command("cg2_annotate")
        self.assertEqual(ended.stderr, "cg2_annotate: reading cg2.out.7, the newest profile here\n")
        self.write("cg2.out.9", WHOLE.format(pid=9))
        shown = self.run_command("cg2_diff", "--json", ".")
        self.assertNotIn("0123abcd", shown.stdout + shown.stderr)


class Endless(Fixture):
    """A line has at most 64 MiB: what has no end is refused, in a gigabyte of memory.

    By each command, as there is one reader: what is packed, in a check, by two that use it in other ways.
    """

    SAID = ": a line of more than 67108864 bytes; expected a profile, whose lines are shorter\n"

    SOME = (
        COMMANDS if os.environ.get("CG2_FULL") == "1" else (["cg2_annotate"], ["cg2_diff", "whole"])
    )

    def check(self, name: str, commands: Iterable[list[str]] = COMMANDS) -> None:
        for command in commands:
            if "--callgrind" in command or "--summary" in command:
                continue
            with self.subTest((name, command)):
                ended = self.run_command(*command, name)
                self.assertEqual((ended.returncode, ended.stderr), (1, f"{name}{self.SAID}"))

    def test_gzip(self) -> None:
        packer_path = self.directory / "bomb"
        packer_path.write_bytes(1200 * gzip.compress(bytes(1 << 20), 9))
        self.assertLess(packer_path.stat().st_size, 2 << 20)
        self.check("bomb", self.SOME)

    def test_zstd(self) -> None:
        if not shutil.which("zstd"):
            self.skipTest("zstd is not installed (Debian: apt-get install zstd)")
        piece = subprocess.run(
            ["zstd", "-q"], input=(1 << 20) * b"a", capture_output=True, check=True
        )
        self.write("bomb", 1200 * piece.stdout)
        self.check("bomb", self.SOME)

    def test_device(self) -> None:
        self.check("/dev/zero")

    def test_sparse(self) -> None:
        """A file of one line whose head is looked at."""
        with open(self.directory / "cg2.out.5", "wb") as file:
            file.truncate(8 << 30)
        ended = self.run_command("cg2_annotate")
        self.assertTrue(ended.stderr.endswith(f"cg2.out.5{self.SAID}"), ended.stderr)
