"""Folded stacks, as of perf, read as a profile.

    main;f;g 12

is a stack, outermost function first, and how often it was seen.  Functions that
are inside another activation of themselves become a level of recursion (f'2),
which keeps inclusive costs exact.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from cg2tools import VERSION
from cg2tools.profile.model import (
    Call,
    lines_at,
    FunctionKey,
    Part,
    Profile,
    ProfileError,
    UNKNOWN,
    shortened,
)
from cg2tools.profile.positions import Position

_ID = re.compile(r"\(([0-9]+|0x[0-9a-fA-F]+)\)")
_NOWHERE = Position(UNKNOWN, 0, 0)


@dataclass(slots=True)
class _Sums:
    """What stacks add up to: functions' own costs, and those of calls."""

    own: Counter[str] = field(default_factory=Counter)
    calls: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, frames: list[str], cost: int) -> None:
        names = _with_levels(frames)
        self.own[names[-1]] += cost
        for call in zip(names, names[1:]):
            self.calls[call] += cost


def read_folded(lines: Iterable[bytes], path: str, event: str) -> Profile:
    """A profile of one event.  What is no folded stack is a ProfileError."""
    sums = _Sums()
    for number, line in enumerate(lines, start=1):
        text = line.decode("utf-8", "surrogateescape").strip()
        if text:
            sums.add(*_stack(text, path, number))
    if not sums.own:
        raise ProfileError(path, 1, "no stacks; expected lines as 'main;f 12'")
    part = Part(path, events=[event])
    for name, cost in sums.own.items():
        part.function_of(_key(name)).add_lines(lines_at(_NOWHERE, [cost]))
    for (caller, callee), cost in sums.calls.items():
        part.function_of(_key(caller)).calls.append(
            Call(_key(caller), _key(callee), 1, _NOWHERE, _NOWHERE, [cost])
        )
        part.function_of(_key(callee))
    part.summary = part.self_total()
    part.totals = part.self_total()
    return Profile(path, creator=f"callgrind-cg2_convert-{VERSION}", parts=[part])


def _key(name: str) -> FunctionKey:
    return FunctionKey(UNKNOWN, UNKNOWN, name)


def _stack(text: str, path: str, line: int) -> tuple[list[str], int]:
    words = text.rsplit(maxsplit=1)
    number = words[-1]
    if len(words) < 2 or not (number.isascii() and number.isdigit() and len(number) < 19):
        raise ProfileError(
            path, line, f"'{shortened(text)}'; expected names " "and a whole number, as 'main;f 12'"
        )
    frames = [_name(name.strip()) for name in words[0].split(";")]
    if not all(frames):
        raise ProfileError(
            path,
            line,
            f"'{shortened(text)}' has a frame " "without a name; expected names, as 'main;f 12'",
        )
    return frames, int(number)


def _name(frame: str) -> str:
    """A name that a profile can hold, as cg2 does it.

    A control character is ?, and what readers would take for an id is [12].
    """
    name = "".join("?" if ord(letter) < 32 or ord(letter) == 127 else letter for letter in frame)
    return _ID.sub(r"[\1]", name, count=1) if _ID.match(name) else name


def _with_levels(frames: list[str]) -> list[str]:
    """The second and deeper activations of a function as its level 2."""
    active: set[str] = set()
    names = []
    for name in frames:
        names.append(f"{name}'2" if name in active else name)
        active.add(name)
    return names
