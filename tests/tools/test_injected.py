"""Each call by which a command writes a file fails once: the file is whole, or it is the older one and a line
says why. failing.c has them fail, as commands write in threads, too."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import unittest
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from toolsupport import TOOLS

from cg2test import HANG, compile, env, new_directory
from cg2tools.report.page import TEMPLATE

# Each kind of a file that a command writes.
WRITING = [
    ["cg2_merge", "-o", "OUT", "FILE", "FILE"],
    ["cg2_convert", "-o", "OUT", "FILE"],
    ["cg2_merge", "-o", "OUT.gz", "FILE", "FILE"],
    ["cg2_convert", "--to=pprof", "-o", "OUT", "FILE"],
    ["cg2_convert", "--to=callgrind", "-o", "OUT", "FILE"],
    ["cg2_report", "-o", "OUT", "FILE"],
]
FULL = os.environ.get("CG2_FULL") == "1"
ERRORS = [errno.EIO, errno.ENOSPC] if FULL else [errno.EIO]
SHORT = 0  # of a write: one byte
AGAIN = {"write": [errno.EINTR, SHORT]}  # what has a call made again
OLDER = "what was there before"

Ended = subprocess.CompletedProcess[str]


class Injected(unittest.TestCase):
    def setUp(self) -> None:
        self.made = new_directory() / "made"
        self.made.mkdir()
        self.profile = new_directory() / "FILE"
        calls = "".join(
            f"fn=f{n}\n{n} 1\ncfn=f{n + 1}\ncalls=1 {n}\n{n} {3000 - n}\n" for n in range(3000)
        )
        self.profile.write_text(f"events: Ir\n{calls}fn=f3000\n1 1\n")

    def run_command(self, words: list[str], **failing: str) -> tuple[Ended, Path]:
        """Run a command where there is an older file already; give the file, too."""
        [name] = [word for word in words if word.startswith("OUT")]
        path = self.made / name
        path.write_text(OLDER)
        places = {"FILE": str(self.profile), name: str(path)}
        library = compile("failing.c", "-O1", "-shared", "-fPIC", "-ldl")
        ended = subprocess.run(
            [sys.executable, "-I", TOOLS / words[0], *(places.get(w, w) for w in words[1:])],
            env=env(LD_PRELOAD=str(library), FAILING_IN=f"{self.made}/", **failing),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=HANG,
            check=False,
        )
        return ended, path

    def calls(self, words: list[str]) -> tuple[Counter[str], bytes]:
        """How often the command makes each call, and what it writes."""
        log = new_directory() / "log"
        ended, path = self.run_command(words, FAILING_LOG=str(log))
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        return Counter(log.read_text().split()), path.read_bytes()

    def failures(self, words: list[str], errors: list[int]) -> Iterator[tuple[Ended, Path, bytes]]:
        calls, whole = self.calls(words)
        self.assertGreater(calls["write"], 0)
        for call, n in calls.items():
            for number in range(1, n + 1) if FULL else sorted({1, n}):
                for error in errors or AGAIN.get(call, []):
                    with self.subTest(words=words, call=call, number=number, error=error):
                        ended, path = self.run_command(words, FAILING=f"{call} {number} {error}")
                        self.assertNotIn("Traceback", ended.stderr)
                        self.assertEqual(os.listdir(self.made), [path.name])
                        yield ended, path, whole
        path = self.made / next(word for word in words if word.startswith("OUT"))
        path.unlink()

    def commands(self) -> Iterator[list[str]]:
        for words in WRITING if FULL else WRITING[:3]:
            if words[0] != "cg2_report" or TEMPLATE.exists():
                yield words

    def test_fails(self) -> None:
        """A command that says nothing has written all; one that fails has left the older file, and says why
        in a line."""
        for words in self.commands():
            for ended, path, whole in self.failures(words, ERRORS):
                if ended.returncode == 0:
                    self.assertEqual(ended.stderr, "")
                    self.assertEqual(path.read_bytes(), whole)
                else:
                    self.assertEqual(len(ended.stderr.splitlines()), 1, ended.stderr)
                    self.assertIn(path.name, ended.stderr)
                    self.assertEqual(path.read_text(), OLDER)

    def test_again(self) -> None:
        """A write that a signal interrupted, or that wrote a byte only, goes on."""
        for words in self.commands():
            for ended, path, whole in self.failures(words, []):
                self.assertEqual((ended.returncode, ended.stderr), (0, ""))
                self.assertEqual(path.read_bytes(), whole)


if __name__ == "__main__":
    unittest.main()
