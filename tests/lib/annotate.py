"""callgrind_annotate, which is parsed once for a process of tests, and run in a fork for each profile.

Half of what a run of it takes is that Perl parses it. Prepared.pm has it parsed, and has each run begin
behind that.
"""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import starts
from cg2test import env, new_directory

LIB = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Annotated:
    """A run of callgrind_annotate that has ended."""

    status: int  # of its exit; -N after signal N
    stdout: str
    stderr: str


class Annotate:
    """The program that `env()` finds, ready to run."""

    def __init__(self) -> None:
        program = shutil.which("callgrind_annotate", path=env()["PATH"])
        assert program is not None, "callgrind_annotate: not found"
        self.process = subprocess.Popen(
            ["perl", "-I", str(LIB), "-MPrepared", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=env(),
        )
        where = new_directory()
        self.out, self.err = where / "out", where / "err"

    def run(self, *words: str | Path, directory: Path = Path()) -> Annotated:
        """Run it with these arguments, none of which has a tab or a line's end."""
        assert self.process.stdin is not None and self.process.stdout is not None
        line = "\t".join(map(str, [self.out, self.err, directory.absolute(), *words]))
        assert line.count("\t") == len(words) + 2 and "\n" not in line, line
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        said = self.process.stdout.readline()
        assert said, "callgrind_annotate has ended"
        out, err = (path.read_text(errors="replace") for path in (self.out, self.err))
        status, seconds = said.split()
        starts.count_cpu(float(seconds))
        return Annotated(os.waitstatus_to_exitcode(int(status)), out, err)


def callgrind_annotate() -> Annotate:
    """The one of this process."""
    return _annotate(os.getpid())


@functools.cache
def _annotate(_process: int) -> Annotate:
    started = Annotate()
    atexit.register(started.process.communicate)
    return started
