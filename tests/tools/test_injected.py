"""Each call by which a command writes a file fails once: the file is whole, or it is the older one and a line
says why. failing.c has them fail, as commands write in threads, too."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import unittest
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from toolsupport import TOOLS

from cg2test import HANG, compile, env, new_directory
from cg2tools.door.commands import DOOR, OF_THE_DOOR, SCRIPTS, found
from cg2tools.report.page import TEMPLATE

LIMIT = "--fail-above=1%"
# Each kind of a file that a command writes: the first four in a check, all at full size.
WRITING = [
    ["cg2_merge", "-o", "OUT", "FILE", "FILE"],
    ["cg2_convert", "-o", "OUT", "FILE"],
    ["cg2_merge", "-o", "OUT.gz", "FILE", "FILE"],
    ["cg2_diff", LIMIT, "--junit", "OUT", "FILE", "FILE"],
    ["gate", LIMIT, "--junit", "OUT", "FILE", "FILE"],
    ["cg2_diff", "--baselines", "FOLDER", "--save-baseline", "OUT", "FILE"],
    ["gate", "--baselines", "FOLDER", "--save-baseline", "OUT", "FILE"],
    ["cg2_diff", "--html", "OUT", "FILE", "FILE", "FILE"],
    ["trend", "--html", "OUT", "FILE", "FILE", "FILE"],
    ["cg2_convert", "--to=pprof", "-o", "OUT", "FILE"],
    ["cg2_convert", "--to=callgrind", "-o", "OUT", "FILE"],
    ["convert", "--to=speedscope", "-o", "OUT", "FILE"],
    ["rewrite", "-o", "OUT", "FILE"],
    ["unfold", "-o", "OUT", "FOLDED"],
    ["join-layouts", "-o", "OUT", "1.FILE", "2.FILE"],
    ["merge", "-o", "OUT", "FILE", "FILE"],
    ["report", "-o", "OUT", "FILE"],
    ["cg2_report", "-o", "OUT", "FILE"],
]
LIKE = {"cycles": "rewrite", "types": "rewrite"}
"""Commands that write by the same function as others, of what this profile has not."""
WRITES = "output", "html", "junit", "save_baseline"
FULL = os.environ.get("CG2_FULL") == "1"
ERRORS = [errno.EIO, errno.ENOSPC] if FULL else [errno.EIO]
SHORT = 0  # of a write: one byte
AGAIN = {"write": [errno.EINTR, SHORT]}  # what has a call made again
OLDER = "events: Ir\nfn=f\n1 1\n"  # what was there before

Ended = subprocess.CompletedProcess[str]


def told(ended: Ended) -> str:
    """What a command says, but for which file it wrote."""
    return re.sub("^[^:]*: wrote .*\n", "", ended.stderr)


class Injected(unittest.TestCase):
    def setUp(self) -> None:
        self.made = new_directory() / "made"
        self.made.mkdir()
        self.inputs = new_directory()
        calls = "".join(
            f"fn=f{n}\n{n} 1\ncfn=f{n + 1}\ncalls=1 {n}\n{n} {3000 - n}\n" for n in range(3000)
        )
        for name in "FILE", "1.FILE", "2.FILE":
            (self.inputs / name).write_text(f"events: Ir\n{calls}fn=f3000\n1 1\n")
        (self.inputs / "FOLDED").write_text("".join(f"main;f{n} {n}\n" for n in range(1, 3000)))

    def started(self, command: str) -> list[str]:
        """The script of a command, and how it is told which one of the door to run."""
        if command in SCRIPTS:
            return [str(TOOLS / command)]
        return [str(TOOLS / "cg2_annotate"), f"--command={command}"]

    def output(self, words: list[str]) -> tuple[str, Path]:
        """What a file is called on a command line, and its path."""
        [name] = [word for word in words if word.startswith("OUT")]
        return name, self.made / (f"{name}.out" if "FOLDER" in words else name)

    def run_command(self, words: list[str], **failing: str) -> tuple[Ended, Path]:
        """Run a command where there is an older file already; give the file, too."""
        name, path = self.output(words)
        path.write_text(OLDER)
        places = {word: str(self.inputs / word) for word in ("FILE", "FOLDED", "1.FILE", "2.FILE")}
        places |= {"FOLDER": str(self.made), name: name if "FOLDER" in words else str(path)}
        library = compile("failing.c", "-O1", "-shared", "-fPIC", "-ldl")
        ended = subprocess.run(
            [sys.executable, "-I", *self.started(words[0]), *(places.get(w, w) for w in words[1:])],
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
        self.assertEqual((ended.returncode, told(ended)), (0, ""))
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
        self.output(words)[1].unlink()

    def commands(self) -> Iterator[list[str]]:
        for words in WRITING if FULL else WRITING[:4]:
            if "report" not in words[0] or TEMPLATE.exists():
                yield words

    def test_table(self) -> None:
        """Each option of a command that names a file to write is in the table."""
        written = set()
        for name, place in {**SCRIPTS, **DOOR, **OF_THE_DOOR}.items():
            dests = {action.dest for action in found(place).parser()._actions}
            written |= {(LIKE.get(name, name), dest) for dest in dests.intersection(WRITES)}
        tested = {
            (words[0], "output" if word == "-o" else word[2:].replace("-", "_"))
            for words in WRITING
            for word in words
            if word == "-o" or word[2:].replace("-", "_") in WRITES
        }
        self.assertEqual(written, tested)

    def test_fails(self) -> None:
        """A command that says nothing has written all; one that fails has left the older file, and says why
        in a line."""
        for words in self.commands():
            for ended, path, whole in self.failures(words, ERRORS):
                if ended.returncode == 0:
                    self.assertEqual(told(ended), "")
                    self.assertEqual(path.read_bytes(), whole)
                else:
                    self.assertEqual(len(ended.stderr.splitlines()), 1, ended.stderr)
                    self.assertIn(path.name, ended.stderr)
                    self.assertEqual(path.read_text(), OLDER)

    def test_again(self) -> None:
        """A write that a signal interrupted, or that wrote a byte only, goes on."""
        for words in self.commands():
            for ended, path, whole in self.failures(words, []):
                self.assertEqual((ended.returncode, told(ended)), (0, ""))
                self.assertEqual(path.read_bytes(), whole)


if __name__ == "__main__":
    unittest.main()
