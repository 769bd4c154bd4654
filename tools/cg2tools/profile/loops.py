"""What bounds the loops of a profile whose cycles were estimated, in words.

    for said in bounds(profile.loops, part): said.text, said.share
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cg2tools.profile.cycles import CAUSES, Loop
from cg2tools.profile.libcg2profile import BY_FILE, BY_FUNCTION, BY_INSTR, BY_LINE, COST
from cg2tools.profile.model import UNKNOWN, FunctionKey, Part

_BOUND = 0.85
"""The part of an iteration's cycles that a chain, ports or the width has to have to be what bounds it."""

_LINKS_MAX = 4
"""Places of a chain that are named."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A loop and what is said of it."""

    loop: Loop
    function: FunctionKey
    where: str
    """The function and lines of the loop."""
    share: float
    """Percent of all cycles."""
    text: str


@dataclass(frozen=True, slots=True)
class _Place:
    """What an address belongs to."""

    function: FunctionKey
    file: str
    line: int

    def __str__(self) -> str:
        return f"{os.path.basename(self.file)}:{self.line}"


def bounds(loops: Sequence[Loop], part: Part, least: float = 1.0) -> list[Bound]:
    """What is said of the loops that take at least so many percent of all cycles, the dearest first."""
    total = sum(
        cost for event, cost in zip(part.events, part.self_total(), strict=True) if event in CAUSES
    )
    shares = [100 * loop.cycles * loop.iterations / total if total else 0 for loop in loops]
    chosen = [(share, loop) for share, loop in zip(shares, loops, strict=True) if share >= least]
    places = _places(part, [loop for _, loop in chosen])
    return [
        Bound(loop, key, where, share, _text(loop, places))
        for share, loop in sorted(chosen, key=lambda each: -each[0])
        for key, where in _where(loop, places)
    ]


def _places(part: Part, loops: Iterable[Loop]) -> dict[tuple[str, int], _Place]:
    """What the addresses in loops belong to, by object and address."""
    spans = [(loop.object, loop.first, loop.last) for loop in loops]
    found: dict[tuple[str, int], _Place] = {}
    if not spans:
        return found
    keys, names = part.keys, part.names
    table = part.lines.add_up(COST, BY_FUNCTION | BY_FILE | BY_LINE | BY_INSTR)
    columns = map(table.column, (BY_FUNCTION, BY_FILE, BY_LINE, BY_INSTR))
    for function, file, line, address in zip(*columns, strict=True):
        key = keys[function]
        if any(key.object == name and low <= address <= high for name, low, high in spans):
            found[key.object, address] = _Place(key, names[file], line)
    return found


def _where(loop: Loop, places: dict[tuple[str, int], _Place]) -> Iterator[tuple[FunctionKey, str]]:
    """The function and lines of a loop; none if it has no line with a cost."""
    place = places.get((loop.object, loop.first)) or places.get((loop.object, loop.last))
    if not place:
        return
    inside = [
        each
        for (name, address), each in places.items()
        if name == loop.object and loop.first <= address <= loop.last
    ]
    lines = [each.line for each in inside if each.file == place.file and each.line]
    if not lines or place.file == UNKNOWN:
        yield place.function, f"{place.function.name} at {loop.first:#x}"
        return
    first, last = min(lines), max(lines)
    span = f"{first}-{last}" if last > first else f"{first}"
    yield place.function, f"{place.function.name} at {os.path.basename(place.file)}:{span}"


def _text(loop: Loop, places: dict[tuple[str, int], _Place]) -> str:
    """What bounds a loop."""
    floor = max(loop.ports, loop.width)
    took = f"{_cycles(loop.cycles)} an iteration"
    floors = f"ports allow {loop.ports:.1f}, the width {loop.width:.1f}"
    if loop.chain >= _BOUND * loop.cycles and loop.chain > floor:
        through = _through(loop, places)
        half = max(loop.chain / 2, floor)
        advice = (
            f"; two such chains side by side could take {half:.1f}" if half < loop.cycles else ""
        )
        return f"{took}, bound by a chain of {_cycles(loop.chain)}{through}; {floors}{advice}"
    if floor >= _BOUND * loop.cycles:
        what = "ports" if loop.ports >= loop.width else "the width of the core"
        return f"{took}, bound by {what}; {floors}, its chain {loop.chain:.1f}"
    text = f"{took}, more than its chain ({loop.chain:.1f}) explains; {floors}"
    return f"{text}: mispredictions, misses or what is around it"


def _through(loop: Loop, places: dict[tuple[str, int], _Place]) -> str:
    """The places of a chain, each once."""
    said = dict.fromkeys(
        str(places[loop.object, address]) if (loop.object, address) in places else f"{address:#x}"
        for address in loop.links
    )
    names = list(said)
    more = f" and {len(names) - _LINKS_MAX} more" if len(names) > _LINKS_MAX else ""
    return f" through {', '.join(names[:_LINKS_MAX])}{more}" if names else ""


def _cycles(number: float) -> str:
    return f"{number:.1f} cycle{'' if f'{number:.1f}' == '1.0' else 's'}"
