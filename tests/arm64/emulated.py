"""Programs of an emulated Debian for arm64, and their profiles."""

from __future__ import annotations

import functools
import subprocess
import unittest
from collections.abc import Sequence
from pathlib import Path

from cg2test import HANG, SOURCE, env, new_directory
from cg2tools.profile.model import Part
from cg2tools.profile.reader import read_profile
from emulation import Machine, make_machine, missing
from fetch import FetchError

# Programs, and what they are to do; a Path is a file of this machine.
SAMPLE = SOURCE / "tests" / "programs" / "exact.S"
CODE = SOURCE / "tests" / "programs" / "calls.c"
REAL: dict[str, list[str | Path]] = {
    "bash": ["usr/bin/bash", "-c", "for i in 1 2 3; do echo $((i * i)); done"],
    "perl": ["usr/bin/perl", "-e", 'print join ",", map { $_ * $_ } 1 .. 20'],
    "python3": ["usr/bin/python3.11", "-SsB", "-c", "print(sum(range(50)))"],
    "sqlite3": ["usr/bin/sqlite3", ":memory:", "select 1 + 2, upper('text')"],
    "xz": ["usr/bin/xz", "-0", "-c", SAMPLE],
}
MORE_REAL: dict[str, list[str | Path]] = {
    "bc": ["usr/bin/bc", "-q", "/dev/null"],
    "bzip2": ["usr/bin/bzip2", "-c", SAMPLE],
    "cc1": ["usr/lib/gcc/aarch64-linux-gnu/12/cc1", "-quiet", "-O1", CODE, "-o", "/dev/null"],
    "gzip": ["usr/bin/gzip", "-c", SAMPLE],
    "mawk": ["usr/bin/mawk", "{ n += NF } END { print n }", SAMPLE],
    "sed": ["usr/bin/sed", "-n", "s/mov/moved/p", SAMPLE],
    "sort": ["usr/bin/sort", SAMPLE],
}


@functools.cache
def machine() -> Machine:
    """The emulated machine; a test that needs it is skipped where there can be none."""
    reason = missing()
    if reason:
        raise unittest.SkipTest(reason)
    try:
        return make_machine()
    except FetchError as error:
        raise unittest.SkipTest(f"no packages of Debian for arm64: {error}") from error


def profile(tool: str, command: Sequence[str | Path], *options: str) -> Part:
    """The profile of a command that a tool of Valgrind runs there, and that succeeds."""
    here = machine()
    directory = new_directory()
    ended = subprocess.run(
        [
            *("setarch", "-R", here.valgrind, f"--tool={tool}"),
            *(f"--{tool}-out-file=profile", *options, *command),
        ],
        cwd=directory,
        env=env() | {"VALGRIND_LIB": str(here.tested / ".in_place")},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=HANG,
        check=False,
    )
    if ended.returncode != 0:
        raise AssertionError(f"{command}: exit status {ended.returncode}\n{ended.stderr}")
    (part,) = read_profile(str(directory / "profile")).parts
    return part


def real(name: str, tool: str, *options: str) -> Part:
    """The profile of a program of REAL or MORE_REAL."""
    program, *words = (REAL | MORE_REAL)[name]
    return profile(tool, [machine().system / program, *words], *options)
