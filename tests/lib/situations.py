"""Runs a program in situations that differ in all that should not matter to it: what it says, and its
profiles.

`differences` runs it in the first situation and in each other one, and says which other ones did not give the
same bytes.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cg2test import HANG, IN_PLACE, lean_env, new_directory

NOBODY = 65534
# The variables of each run.
WITHIN = {key: value for key, value in lean_env().items() if key in ("PATH", "LD_LIBRARY_PATH")}


@dataclass(frozen=True)
class Situation:
    """What is special about a run."""

    name: str
    prefix: tuple[str, ...] = ()  # a command in front
    variables: dict[str, str] = field(default_factory=dict)  # beside PATH
    busy: int = 0  # so many processes compute meanwhile
    after: float = 0  # so many seconds after the first run, at least


def _others() -> dict[str, str]:
    """60 variables that nobody asks for, of more than a page, and those which libc asks for."""
    filling = {f"VARIABLE_{i}": "x" * (4 * i) for i in range(60)}
    return filling | {
        "TZ": "Asia/Tokyo",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "HOME": "/tmp",
        "USER": "somebody",
    }


FIRST = Situation("first")


def situations(is_full: bool) -> list[Situation]:
    """All situations but the first that this machine can have."""
    limit = 'ulimit -s 20000; exec "$@"'
    found = [
        Situation("again"),
        Situation("60 more variables, TZ, LANG", variables=_others()),
        Situation("one processor", ("taskset", "-c", str(min(os.sched_getaffinity(0))))),
        Situation("another limit of the stack", ("sh", "-c", limit, "sh")),
        Situation("a loaded machine", busy=2),
    ]
    if os.getuid() == 0 and shutil.which("setpriv"):
        ids = (f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        found.append(Situation("another user", ("setpriv", *ids)))
    if is_full:
        found.append(Situation("minutes later", after=130))
    return found


def at_once(found: Sequence[Situation]) -> Situation:
    """A situation that has all of some."""
    return Situation(
        ", ".join(each.name for each in found),
        tuple(word for each in found for word in each.prefix),
        {name: text for each in found for name, text in each.variables.items()},
        max(each.busy for each in found),
        max(each.after for each in found),
    )


# What computes beside a run: for a quarter of the time, as it begins more often then, and takes the processor
# from the run each time; at full size always.
_BURSTS = """
import time
while True:
    end = time.perf_counter() + 0.001
    while time.perf_counter() < end:
        pass
    time.sleep(0.003)
"""
_COMPUTES = "while True: pass" if os.environ.get("CG2_FULL") == "1" else _BURSTS


@contextlib.contextmanager
def _load(n: int) -> Iterator[None]:
    command = [sys.executable, "-I", "-S", "-c", _COMPUTES]
    loops = [subprocess.Popen(command) for _ in range(n)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


@dataclass(frozen=True)
class Outcome:
    """What a run has left."""

    status: int
    said: bytes
    profiles: list[bytes]  # sorted


def outcome(
    situation: Situation, argv: Sequence[str], *options: str, directory: Path | None = None
) -> Outcome:
    """Run `argv` by `cg2 --repeatable` in a situation, in `directory`, which is emptied."""
    where = directory or new_directory()
    shutil.rmtree(where, ignore_errors=True)
    where.mkdir()
    (where / "profiles").mkdir()
    for each in (where.parent, where, where / "profiles"):
        each.chmod(0o777)
    # Valgrind's pipes of a run that was killed stay: they stop another user's run with its number.
    variables = {**WITHIN, "TMPDIR": str(where.parent), **situation.variables}
    cg2 = [str(IN_PLACE / "bin" / "cg2"), "-q", "--repeatable", "--cg2-out-file=profiles/%p"]
    with _load(situation.busy):
        ended = subprocess.run(
            [*situation.prefix, *cg2, *options, *argv],
            cwd=where,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=HANG,
            check=False,
        )
    profiles = sorted(path.read_bytes() for path in (where / "profiles").iterdir())
    return Outcome(ended.returncode, ended.stdout, profiles)


def _first_difference(a: bytes, b: bytes) -> str:
    pairs = itertools.zip_longest(a.splitlines(), b.splitlines(), fillvalue=b"(nothing)")
    for number, (one, other) in enumerate(pairs, start=1):
        if one != other:
            return f"line {number}: {one!r}, {other!r}"
    return "ends of lines"


def compared(first: Outcome, other: Outcome) -> str:
    """How two outcomes differ, in a line; empty: not at all."""
    if first.status != other.status:
        return f"status {first.status}, {other.status}: {other.said[-500:]!r}"
    if first.said != other.said:
        return f"said, {_first_difference(first.said, other.said)}"
    if len(first.profiles) != len(other.profiles):
        return f"{len(first.profiles)}, {len(other.profiles)} profiles"
    for one, another in zip(first.profiles, other.profiles, strict=True):
        if one != another:
            return f"profile, {_first_difference(one, another)}"
    return ""


def differences(
    argv: Sequence[str], *options: str, is_full: bool, is_once: bool = False
) -> list[str]:
    """The situations in which a program that succeeds does not do the same, and what differs; or, for a
    program that takes long, what differs in one that has all at once."""
    where = new_directory()
    begin = time.monotonic()
    first = outcome(FIRST, argv, *options, directory=where)
    if first.status != 0 or not first.profiles:
        return [f"status {first.status}: {first.said!r}"]
    found = []
    others = situations(is_full)
    for situation in [at_once(others)] if is_once else others:
        time.sleep(max(0.0, begin + situation.after - time.monotonic()))
        other = outcome(situation, argv, *options, directory=where)
        if how := compared(first, other):
            found.append(f"{situation.name}: {how}")
    return found
