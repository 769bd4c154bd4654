"""The twin of a run: the same program once more under the tool, with more options, that must do the same.

CG2_TEST_TWIN says with which options. Then each run of the tests has a twin, in copies of its directories.
A test fails where the twin says something else or ends with another status. It also fails where a function
of which lines are known costs other instructions, or is called more or less often. Those are the program's
own: what functions of libraries cost depends on the environment and on the processor that they are told of.
A program without such functions may cost NEAR of its instructions more or less, and START of what libc does
before.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Protocol

from cg2tools.profile.model import Part
from cg2tools.profile.reader import read_profile
from cg2tools.profile.terms import ProfileError

OPTIONS = os.environ.get("CG2_TEST_TWIN", "").split()
NEAR, START = 0.05, 5000

Costs = Counter[tuple[str, str, str]]


class Ended(Protocol):
    """What is compared of a run."""

    @property
    def stdout(self) -> str:
        ...

    @property
    def stderr(self) -> str:
        ...

    @property
    def status(self) -> int:
        ...


class Copies:
    """Copies of directories, each of which is made where it is first named."""

    def __init__(self, scratch: Path) -> None:
        self.scratch = scratch
        self.copies: dict[str, str] = {}

    def named(self, text: str) -> str:
        """`text` with the copies in place of directories directly below `scratch`."""
        return re.sub(re.escape(f"{self.scratch}/") + r"[^/ ,:]+", lambda m: self._copy(m[0]), text)

    def _copy(self, path: str) -> str:
        if path not in self.copies:
            fresh = tempfile.mkdtemp(dir=self.scratch)
            self.copies[path] = fresh
            if Path(path).is_dir():
                shutil.copytree(path, fresh, symlinks=True, dirs_exist_ok=True)
        return self.copies[path]

    def meant(self, text: str) -> str:
        """`text` with the directories in place of their copies."""
        for path, copy in self.copies.items():
            text = text.replace(copy, path)
        return text


def differences(
    first: Ended,
    twin: Ended,
    copies: Copies,
    profiles: tuple[Sequence[Path], Sequence[Path]],
) -> list[str]:
    """How a twin differs from the first run, in a line each."""
    found = []
    if first.status != twin.status:
        found.append(f"status {first.status}, its twin {twin.status}: {twin.stderr}")
    for name in ("stdout", "stderr"):
        one, other = (_said(getattr(first, name)), _said(copies.meant(getattr(twin, name))))
        for number, (a, b) in enumerate(zip_longest(one, other), start=1):
            if a != b:
                found.append(f"{name}, line {number} of {len(one)} {a!r}, its twin {b!r}")
                break
    return found + _different_counts(*profiles)


def _said(text: str) -> list[str]:
    """The lines that the program has said, not Valgrind."""
    return [
        line for line in text.splitlines() if not re.match(r"(==|--|\*\*)\d+(==|--|\*\*)", line)
    ]


def _different_counts(first: Sequence[Path], twin: Sequence[Path]) -> list[str]:
    if len(first) != len(twin):
        return [f"{len(first)} profiles, its twin {len(twin)}"]
    one, other = _counts(first), _counts(twin)
    if None in (one, other):
        return []
    assert one and other
    own, others = one[0], other[0]
    keys = sorted(key for key in {*own, *others} if own[key] != others[key])
    if own or others:
        return [f"{' '.join(key)}: {own[key]}, its twin {others[key]}" for key in keys[:20]]
    if abs(one[1] - other[1]) > NEAR * one[1] + START:
        return [f"{one[1]} instructions, its twin {other[1]}"]
    return []


def _counts(paths: Sequence[Path]) -> tuple[Costs, int] | None:
    """What functions with lines cost and how often they are called, and all instructions; None: there is
    nothing to read, or no instructions are counted."""
    costs: Costs = Counter()
    total = 0
    for path in paths:
        try:
            parts = read_profile(str(path)).parts
        except (ProfileError, OSError):
            return None
        for part in parts:
            if "Ir" not in part.events:
                return None
            total += part.self_total()[part.events.index("Ir")]
            _add(costs, part)
    return (costs, total) if paths else None


def _is_own(file: str) -> bool:
    """Whether a file is one of a test's program: those of packages have no such path."""
    return file.startswith("/") and not file.startswith(("/build/", "/usr/"))


def _add(costs: Costs, part: Part) -> None:
    column = part.events.index("Ir")
    for key, function in part.functions.items():
        name = re.sub(r"'\d+$", "", key.name)
        if _is_own(key.file):
            costs[Path(key.file).name, name, "Ir"] += function.self_cost()[column]
        for call in function.calls:
            if _is_own(call.callee.file):
                callee = re.sub(r"'\d+$", "", call.callee.name)
                costs[Path(call.callee.file).name, callee, "called"] += call.count
