"""Miss curves: how often functions miss in caches of each size.

The columns of a sweep are found by what their `event:` lines say, as
"D sweep of 1 set, read misses, 8192 B, 64 B, 128-way associative".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from cg2tools.commandline.console import json_lines
from cg2tools.annotate.table import painted
from cg2tools.profile.callgraph import Node
from cg2tools.profile.columns import Columns
from cg2tools.profile.model import Cost, EventDefinition, Part, Profile, ProfileError

_COLUMN = re.compile(
    r"(?P<cache>I|D|LL) sweep of (?P<same>[0-9]{1,18} (?:set|way)s?), "
    r"(?P<kind>fetch|read|write) misses, (?P<size>[0-9]{1,18}) B, "
    r"(?P<line>[0-9]{1,18}) B, "
)

_ASKED = {"I": ["Ir"], "D": ["Dr", "Dw"], "LL": ["I1mr", "D1mr", "D1mw"]}
"""The events that ask a cache."""

_RULE = "-" * 80
_BAR_LEAST = 10  # characters


@dataclass(slots=True)
class Curve:
    """The columns of one cache, with the same sets or ways, and lines."""

    cache: str
    same: str  # "64 sets", "1 way"
    line: int  # bytes
    events: dict[int, dict[str, str]] = field(default_factory=dict)
    """The event of each kind of access, for each size."""

    def title(self) -> str:
        shape = "fully associative" if self.same == "1 set" else self.same
        return f"{self.cache}, {shape}, lines of {self.line} bytes"

    def kinds(self) -> str:
        """The kinds of accesses that miss."""
        kinds = dict.fromkeys(kind for events in self.events.values() for kind in events)
        return " and ".join("fetches" if kind == "fetch" else f"{kind}s" for kind in kinds)

    def sizes(self) -> list[int]:
        return sorted(self.events)

    def misses(self, size: int) -> EventDefinition:
        """The misses of all kinds of access together."""
        name = f"{self.cache} {self.same} {self.line} {size}"
        return EventDefinition(name, [(1, event) for event in self.events[size].values()], "")

    def asked(self, part: Part) -> EventDefinition:
        """How often the cache is asked; nothing, if that was not recorded."""
        events = [event for event in _ASKED[self.cache] if event in part.events]
        return EventDefinition(f"{self.cache} asked", [(1, event) for event in events], "")


def curves_of(part: Part) -> list[Curve]:
    """In the order of their first columns.  None is a ProfileError."""
    found = known_curves(part)
    if not found:
        raise ProfileError(
            part.path,
            part.line_of["events"],
            "no misses by cache size; expected a profile made with "
            "--cache-sweep, whose event: lines say 'D sweep of ...'",
        )
    return found


def known_curves(part: Part) -> list[Curve]:
    """In the order of their first columns; perhaps none."""
    found: dict[tuple[str, str, int], Curve] = {}
    for event in part.events:
        definition = part.event_definitions.get(event)
        said = _COLUMN.match(definition.long_name) if definition else None
        if said:
            key = said["cache"], said["same"], int(said["line"])
            kinds = found.setdefault(key, Curve(*key)).events
            kinds.setdefault(int(said["size"]), {})[said["kind"]] = event
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Row:
    """A size, how often it missed, and in how many percent of all cases."""

    size: int
    misses: int
    rate: float | None  # None: it is not known how often the cache was asked


class CurveColumns:
    """What a curve shows of costs."""

    def __init__(self, part: Part, curve: Curve, sort: list[str], colour: bool) -> None:
        self.curve = curve
        events = [curve.misses(size) for size in curve.sizes()]
        asked = curve.asked(part)
        self.knows_asked = bool(asked.terms)
        if self.knows_asked:
            events.append(asked)
        part = replace(
            part, event_definitions=part.event_definitions | {event.name: event for event in events}
        )
        self.columns = Columns(part, [event.name for event in events], sort, colour=colour)

    def asked(self, cost: Cost) -> int | None:
        return self.columns.values(cost)[-1] if self.knows_asked else None

    def rows(self, cost: Cost) -> list[Row]:
        asked = self.asked(cost)
        return [
            Row(size, misses, 100 * misses / asked if asked else None)
            for size, misses in zip(self.curve.sizes(), self.columns.values(cost))
        ]


ENOUGH = 1.1
"""In a cache that is large enough there are at most so many times the misses of the largest one."""
MATTERS = 1
"""The percentage of accesses that have to miss somewhere before a size is said to be wanted."""


def wanted(rows: list[Row]) -> Row | None:
    """The smallest size that is large enough, if that makes a difference to the smallest one; None: it makes
    none."""
    first, last = rows[0], rows[-1]
    enough = next(row for row in rows if row.misses <= ENOUGH * last.misses)
    matters = 2 * enough.misses <= first.misses and (first.rate is None or first.rate >= MATTERS)
    return enough if matters and enough is not last else None


# ---- As text ---------------------------------------------------------------


def draw(
    shown: CurveColumns,
    nodes: list[tuple[str, Cost]],
    width: int,
) -> Iterator[str]:
    """The curves of the program and of functions, each with its name."""
    yield ""
    yield _RULE
    yield f"Misses by size of cache: {shown.curve.title()}"
    share = " (percent of accesses)" if shown.knows_asked else ""
    yield f"size, misses of {shown.curve.kinds()}{share}"
    yield _RULE
    for name, cost in [("PROGRAM TOTALS", shown.columns.total), *nodes]:
        asked = shown.asked(cost)
        yield name + ("" if asked is None else f" ({asked:,} accesses)")
        yield from bars(shown.rows(cost), width, shown.columns.colour)
        yield ""


def bars(rows: list[Row], width: int, colour: bool) -> Iterator[str]:
    """A line for each size; the longest bar is the most misses."""
    most = max(row.misses for row in rows)
    sizes = [size_text(row.size) for row in rows]
    left = max(map(len, sizes))
    numbers = len(f"{most:,}")
    for row, size in zip(rows, sizes):
        rate = "" if row.rate is None else f" ({row.rate:5.2f}%)"
        head = f"  {size:>{left}}  {row.misses:>{numbers},}{rate:>10}  "
        space = max(width - len(head), _BAR_LEAST)
        bar = "#" * -(-space * row.misses // most) if most else ""
        line = (head + bar).rstrip()
        yield painted(line, row.rate or 0.0) if colour else line


def size_text(size: int) -> str:
    """A size as events name it: 8K, 1M, 1536."""
    for factor, letter in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")):
        if size % factor == 0:
            return f"{size // factor}{letter}"
    return str(size)


# ---- For programs ----------------------------------------------------------


def as_json(
    profile: Profile,
    part: Part,
    curves: list[tuple[CurveColumns, list[tuple[Node, Cost]]]],
) -> Iterator[str]:
    """A curve as one object; `misses` has a number for each of `sizes`."""
    described: dict[str, Any] = {
        "path": profile.path,
        "creator": profile.creator,
        "cmd": part.cmd,
        "curves": [
            {
                "cache": shown.curve.cache,
                "same": shown.curve.same,
                "line": shown.curve.line,
                "sizes": shown.curve.sizes(),
                "total": _described(shown, part, shown.columns.total),
                "functions": [
                    {**node.key._asdict(), **_described(shown, part, cost)} for node, cost in nodes
                ],
            }
            for shown, nodes in curves
        ],
    }
    yield from json_lines(described)


def _described(shown: CurveColumns, part: Part, cost: Cost) -> dict[str, Any]:
    """Misses of all kinds together, and of each."""
    rows = shown.rows(cost)
    by_kind: dict[str, list[int]] = {}
    for row in rows:
        for kind, event in shown.curve.events[row.size].items():
            by_kind.setdefault(kind, []).append(cost[part.events.index(event)])
    return {"accesses": shown.asked(cost), "misses": [row.misses for row in rows], **by_kind}
