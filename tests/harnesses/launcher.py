"""What starts Callgrind for a harness: the command that comes with Valgrind, or the one that runs cg2 in its
place.

A harness finds the command `valgrind` by its path or by PATH. A stand-in for a harness is told which of the
two it gets, and must not ask: what it does, and what it reads, is the same for both.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import unittest
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from cg2test import BUILD, HANG, VALGRIND, compile, env, new_directory

T = TypeVar("T")

Ended = subprocess.CompletedProcess[str]

# A machine to simulate that is the same everywhere, as gungraun tells it.
CACHES = ["--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64"]
# The instructions of harness.c's last block, which Callgrind does not count.
ENDING = 3


@dataclass(frozen=True)
class Launcher:
    """A folder that has a command `valgrind`."""

    name: str
    folder: Path

    @property
    def valgrind(self) -> Path:
        return self.folder / "valgrind"

    def environment(self, **more: str) -> dict[str, str]:
        """A repeatable environment in which this is the `valgrind` that PATH finds."""
        fixed = env(**more)
        fixed.pop("VALGRIND_LIB", None)
        return fixed | {"PATH": f"{self.folder}:{STOCK.folder}:{fixed['PATH']}"}

    def large_environment(self, **more: str) -> dict[str, str]:
        """The same, as many bytes long for either command, where cg2's paths are not the shorter ones.

        A program's stack then lies in the same place, on which it depends what memcpy() does. cg2's command
        adds VALGRIND_LIB, and Valgrind LD_PRELOAD, which begins with it.
        """
        fixed = self.environment(**more)
        own = [STOCK.folder.parent / "libexec" / "valgrind", OURS.folder.parent]
        length = max(len(str(folder)) for folder in own)
        if self.folder == STOCK.folder:
            fixed["VALGRIND_LIB"] = str(own[0]).ljust(length, "/")
        folder = str(self.folder)
        longest = max(len(str(STOCK.folder)), len(str(OURS.folder)))
        fixed["PATH"] = folder.ljust(longest, "/") + fixed["PATH"].removeprefix(folder)
        return fixed

    def run(
        self,
        *command: str | Path,
        directory: Path,
        environment: Mapping[str, str] | None = None,
        status: int | None = 0,
    ) -> Ended:
        """Run a command to its end, with an exit status unless that is None."""
        ended = subprocess.run(
            ["/usr/bin/setarch", "-R", *map(str, command)],
            cwd=directory,
            env=self.environment() if environment is None else dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=HANG,
            check=False,
        )
        if status is not None and ended.returncode != status:
            words = " ".join(map(str, command))
            raise AssertionError(
                f"{self.name}: {words}: status {ended.returncode}, not {status}\n{ended.stderr}"
            )
        return ended


STOCK = Launcher("Callgrind", Path(shutil.which(VALGRIND) or VALGRIND).parent)
OURS = Launcher("cg2", BUILD / ".as_callgrind" / "bin")


@functools.cache
def program() -> Path:
    """harness.c, which counts the same in any environment."""
    return compile("harness.c", "-O2", "-nostdlib", "-static")


@functools.cache
def application() -> Path:
    """dropin.c, which has threads, children and client requests."""
    return compile("dropin.c", "-O0", "-pthread", "-static")


class Harness(unittest.TestCase):
    """A stand-in for a harness, which does its work with Callgrind and then with cg2."""

    maxDiff = None

    def with_both(self, work: Callable[[Launcher], T]) -> tuple[T, T]:
        """What a piece of work gives with Callgrind, and with cg2 in its place."""
        theirs = work(STOCK)
        if not OURS.valgrind.exists():
            self.skipTest(f"there is no {OURS.valgrind}; with Callgrind it is right")
        return theirs, work(OURS)

    def assertSame(self, work: Callable[[Launcher], T]) -> T:
        """A piece of work gives the same with both; what it gives."""
        theirs, ours = self.with_both(work)
        self.assertEqual(ours, theirs)
        return ours


def scratch(*files: str | Path) -> Path:
    """A fresh directory that holds copies of these files."""
    directory = new_directory()
    for file in files:
        shutil.copy(file, directory)
    return directory


def profiles_in(directory: Path, pattern: str = "*") -> list[Path]:
    """The files of a directory that are not empty, by name."""
    return sorted(path for path in directory.glob(pattern) if path.stat().st_size > 0)


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Wait until a program has made a file."""
    while not path.exists():
        if process.poll() is not None:
            raise AssertionError(f"{path.name}: the program has ended before it made that")
        os.sched_yield()


def names_of(paths: Sequence[Path]) -> list[str]:
    return [path.name for path in paths]
