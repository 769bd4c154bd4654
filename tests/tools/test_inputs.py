"""What each command says of a file that it cannot read to its end: one line, status 1, nothing written."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import tempfile
import threading
import unittest
from collections.abc import Callable, Sequence
from itertools import cycle
from pathlib import Path

from profiletexts import generated
from toolsupport import TOOLS

import starts
from cg2test import HANG

MEGABYTE = 1 << 20
REMEDY = "; --partial reads what there is"

# Each command with a file; "OUT" is what it is told to write.
COMMANDS: list[list[str]] = [
    ["cg2_annotate", "FILE"],
    ["cg2_annotate", "--json", "FILE"],
    ["cg2_annotate", "--check", "FILE"],
    ["cg2_diff", "GOOD", "FILE"],
    ["cg2_diff", "FILE", "GOOD"],
    ["cg2_merge", "-o", "OUT", "GOOD", "FILE"],
    ["cg2_merge", "--imbalance", "GOOD", "FILE"],
    ["cg2_convert", "FILE"],
    ["cg2_convert", "--to=pprof", "-o", "OUT", "FILE"],
    ["cg2_convert", "--to=callgrind", "-o", "OUT", "FILE"],
    ["cg2_convert", "--from=folded", "FILE"],
    ["cg2_report", "-o", "OUT", "FILE"],
    ["cg2_report", "--compare=GOOD", "-o", "OUT", "FILE"],
]


def repeat(
    change: Callable[[Path], None], path: Path, begun: threading.Event, ended: threading.Event
) -> None:
    while not ended.wait(0.001):
        change(path)
        begun.set()


def grow(path: Path) -> None:
    with open(path, "ab", buffering=0) as stream:
        stream.write(b"2 1\n")


def shrink(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 4)


def replace(path: Path, texts: Sequence[bytes], ended: threading.Event) -> None:
    other = path.with_name("other")
    for text in cycle(texts):
        other.write_bytes(text)
        os.replace(other, path)
        if ended.wait(0.001):
            break


class Inputs(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(holder.cleanup)
        self.directory = Path(holder.name)
        self.text = b"".join([b"# padding %d\n" % i for i in range(3000)]) + generated(3)
        (self.directory / "GOOD").write_text("events: Ir\nfn=f\n1 1\n")

    def run_command(
        self, command: list[str], memory: int | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command beside the files, with so many bytes of memory more than it has, if that is said."""
        words = [str(TOOLS / command[0]), *command[1:]]
        limit = starts.addresses(TOOLS) + memory if memory else None
        return starts.run(words, directory=self.directory, limit=HANG, memory=limit)

    def start(self, command: list[str], memory: int) -> subprocess.CompletedProcess[str]:
        """Start a command with so many bytes of memory in all."""
        ended = starts.start(
            [str(TOOLS / command[0]), *command[1:]],
            directory=self.directory,
            limit=HANG,
            memory=memory,
        )
        said = ended.stdout.decode(), ended.stderr.decode()
        return subprocess.CompletedProcess(ended.args, ended.returncode, *said)

    def check(
        self, command: list[str], message: str, memory: int | None = None, tries: int = 1
    ) -> None:
        """The command says the message alone, when it fails: at one of some tries."""
        before = sorted(os.listdir(self.directory))
        for _ in range(tries):
            ended = self.run_command(command, memory)
            if ended.returncode:
                break
            (self.directory / "OUT").unlink(missing_ok=True)
        self.assertRegex(ended.stderr, f"^({message})\n$", command)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""), command)
        self.assertEqual(sorted(os.listdir(self.directory)), before, command)

    def test_truncated(self) -> None:
        """The name of the file is said once, and at which byte of it the data end."""
        packed = {"gzip": gzip.compress(self.text)}
        if shutil.which("zstd"):
            zstd = ["zstd", "-q"]
            packed["zstd"] = subprocess.run(
                zstd, input=self.text, capture_output=True, check=True
            ).stdout
        for kind, data in packed.items():
            half = len(data) // 2
            (self.directory / "FILE").write_bytes(data[:half])
            for command in COMMANDS:
                self.check(
                    command,
                    f"FILE: the {kind} data end at byte {half}; expected the whole file{REMEDY}",
                )

    def test_cut_off(self) -> None:
        """What is wrong, and that the file has lost its end, and where: if cg2 or Callgrind made it."""
        text = (
            "# callgrind format\ncreator: callgrind-cg2-0.1\nevents: Ir\nsummary: 30\n"
            "fn=f\n1 10\ncfn=g\ncalls=1 1\n2 20\nfn=g\n1 20\ntotals: 30\n"
        )
        first, last = text.index("fn=f"), text.index("0\ntotals")
        for length in (*range(first, last, 3), len(text) - 8, len(text) - 2):
            (self.directory / "FILE").write_text(text[:length])
            lines = text[:length].count("\n")
            where = f"behind line {lines}" if text[length - 1] == "\n" else f"in line {lines + 1}"
            for command in COMMANDS if length in (first + 9, first + 18) else COMMANDS[:1]:
                if "--from=folded" in command:
                    continue
                self.check(
                    command, f"FILE:.*; the file is cut off {where}, at byte {length}{REMEDY}"
                )
        lost = text[: text.index("\nfn=g") + 1]
        for changed, said in (
            (lost.replace("creator", "# creator") + "x\n", "or a cost line"),
            (text.replace("totals: 30\n", "totals: 31\n"), "expected the same"),
            (text.replace("summary: 30\n", "summary: 31\n") + "\n\n", "expected the same"),
        ):
            (self.directory / "FILE").write_text(changed)
            self.check(COMMANDS[0], f"FILE:.*{said}")

    def test_callgrind_cut_off(self) -> None:
        """What there is of it is shown, as where its sums are off for other reasons."""
        (self.directory / "FILE").write_text(
            "creator: callgrind-3.19.0\nevents: Ir\nsummary: 30\nfn=f\n1 10\n"
        )
        ended = self.run_command(["cg2_annotate", "FILE"])
        self.assertEqual(
            (ended.returncode, ended.stderr),
            (
                0,
                "FILE:3: warning: summary: says 30 Ir, but the self costs add up to 10; expected "
                "the same; the file is cut off behind line 5, at byte 59; --partial reads what "
                "there is; the total shown is the sum of the self costs\n",
            ),
        )

    def test_damaged(self) -> None:
        data = bytearray(gzip.compress(self.text))
        data[-6] ^= 1  # of the checksum
        (self.directory / "FILE").write_bytes(data)
        for command in COMMANDS:
            self.check(
                command, r"FILE: the gzip data are damaged at byte \d+; expected the whole file"
            )

    def test_missing(self) -> None:
        for command in COMMANDS:
            self.check(command, "FILE: No such file or directory")

    def while_it_changes(self, change: Callable[[Path], None]) -> None:
        """Each command reads a file that is changed every millisecond, if a loaded machine lets it be: else
        the command is run again."""
        path = self.directory / "FILE"
        for command in COMMANDS:
            folded = "--from=folded" in command
            line = b"f 1\n" if folded else b"1 1\n"
            path.write_bytes(b"" if folded else b"events: Ir\nfn=f\n")
            with open(path, "ab") as stream:
                stream.write(line * 2_000_000)
            begun, ended = threading.Event(), threading.Event()
            changer = threading.Thread(target=repeat, args=[change, path, begun, ended])
            changer.start()
            begun.wait()
            try:
                self.check(
                    command,
                    "FILE: the file has changed while it was read; expected one that is written "
                    "completely",
                    tries=5,
                )
            finally:
                ended.set()
                changer.join()

    def test_grows_meanwhile(self) -> None:
        """A program that still runs writes its profile."""
        self.while_it_changes(grow)

    def test_shrinks_meanwhile(self) -> None:
        self.while_it_changes(shrink)

    def test_replaced_meanwhile(self) -> None:
        """What is read is one of the files, whole: what a command says of it is what it says of that one
        alone."""
        path = self.directory / "FILE"
        texts = [b"events: Ir\nfn=f\n" + b"%d 1\n" % i * 200_000 for i in (1, 2)]
        for command in COMMANDS:
            if "--from=folded" in command:
                continue
            expected = []
            for text in texts:
                path.write_bytes(text)
                expected.append(self.said(command))
            ended = threading.Event()
            replacer = threading.Thread(target=replace, args=[path, texts, ended])
            replacer.start()
            try:
                self.assertIn(self.said(command), expected, command)
            finally:
                ended.set()
                replacer.join()

    def said(self, command: list[str]) -> tuple[str, bytes]:
        """What a command that succeeds prints and writes."""
        ended = self.run_command(command)
        self.assertEqual(ended.returncode, 0, (command, ended.stderr))
        output = self.directory / "OUT"
        written = output.read_bytes() if output.exists() else b""
        output.unlink(missing_ok=True)
        return ended.stdout, written

    def test_little_memory(self) -> None:
        """Wherever memory ends between a start and an end: in Python, in the library, while something is
        written."""
        names = [f"function_{i:040}" for i in range(30_000)]
        profile = "".join(
            ["events: Ir\n"]
            + [f"fn={a}\n1 5\ncfn={b}\ncalls=1 1\n2 40\n" for a, b in zip(names, names[1:])]
        )
        stacks = "".join(f"{a};{b} 5\n" for a, b in zip(names, names[1:]))
        failed = 0
        for command in COMMANDS:
            (self.directory / "FILE").write_text(stacks if "--from=folded" in command else profile)
            for megabytes in (0, 6, 16):
                ended = (
                    self.run_command(command, megabytes * MEGABYTE)
                    if megabytes
                    else self.start(command, 44 * MEGABYTE)
                )
                (self.directory / "OUT").unlink(
                    missing_ok=ended.returncode > 0 or "OUT" not in command
                )
                failed += ended.returncode
                if ended.returncode:
                    self.assertRegex(
                        ended.stderr, r"\A(cg2_convert: .*\n)?.*there is no memory.*\n\Z", command
                    )
                    self.assertEqual(ended.returncode, 1, command)
        self.assertEqual(sorted(os.listdir(self.directory)), ["FILE", "GOOD"])
        self.assertGreater(failed, len(COMMANDS))

    def test_no_memory(self) -> None:
        """Where memory ends, in the library or in Python, one line says so, and of which file if one is read:
        in a bare Debian memory may end at the small one."""
        names = range(100_000)  # of 20 MB
        profile = "".join(["events: Ir\n", *(f"fn={i:0200}\n1 1\n" for i in names)])
        stacks = "".join(f"{i:0200} 1\n" for i in names)
        for command in COMMANDS:
            (self.directory / "FILE").write_text(stacks if "--from=folded" in command else profile)
            for megabytes in (4, 12):
                self.check(
                    command,
                    "(FILE|GOOD): there is no memory( for [0-9]+ bytes more)?"
                    "|there is no memory left; expected more, or less to read",
                    megabytes * MEGABYTE,
                )


if __name__ == "__main__":
    unittest.main()
