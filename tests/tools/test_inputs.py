"""What each command says of a file that it cannot read to its end: one line, status 1, nothing written."""

from __future__ import annotations

import gzip
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from profiletexts import generated
from toolsupport import TOOLS

MEGABYTE = 1 << 20

# Each command with a file; "OUT" is what it is told to write.
COMMANDS: list[list[str]] = [
    ["cg2_annotate", "FILE"],
    ["cg2_annotate", "--json", "FILE"],
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


class Inputs(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(holder.cleanup)
        self.directory = Path(holder.name)
        self.text = b"".join([b"# padding %d\n" % i for i in range(3000)]) + generated(3)
        (self.directory / "GOOD").write_text("events: Ir\nfn=f\n1 1\n")

    def check(self, command: list[str], message: str, memory: int | None = None) -> None:
        """The command says the message alone."""

        def limit() -> None:
            if memory:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        before = sorted(os.listdir(self.directory))
        ended = subprocess.run(
            [sys.executable, str(TOOLS / command[0]), *command[1:]],
            cwd=self.directory,
            capture_output=True,
            text=True,
            preexec_fn=limit,
            check=False,
        )
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
                    f"FILE: the {kind} data end at byte {half}; expected the whole file",
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

    def test_changes_meanwhile(self) -> None:
        """A program that still runs writes its profile."""
        path = self.directory / "FILE"
        path.write_bytes(b"events: Ir\nfn=f\n" + b"1 1\n" * 5_000_000)
        ended = threading.Event()

        def grow() -> None:
            with open(path, "ab", buffering=0) as stream:
                while not ended.wait(0.001):
                    stream.write(b"2 1\n")

        writer = threading.Thread(target=grow)
        writer.start()
        self.addCleanup(writer.join)
        self.addCleanup(ended.set)
        for command in ["cg2_annotate", "FILE"], ["cg2_merge", "-o", "OUT", "GOOD", "FILE"]:
            self.check(
                command,
                "FILE: the file has changed while it was read; expected one that is written "
                "completely",
            )

    def test_no_memory(self) -> None:
        """Where memory ends, in the library or in Python, one line says so."""
        names = range(400_000)  # of 80 MB
        profile = "".join(["events: Ir\n", *(f"fn={i:0200}\n1 1\n" for i in names)])
        stacks = "".join(f"{i:0200} 1\n" for i in names)
        for command in COMMANDS:
            (self.directory / "FILE").write_text(stacks if "--from=folded" in command else profile)
            for megabytes in (64, 96):
                self.check(
                    command,
                    "FILE: there is no memory( for [0-9]+ bytes more)?"
                    "|there is no memory left; expected more, or less to read",
                    megabytes * MEGABYTE,
                )


if __name__ == "__main__":
    unittest.main()
