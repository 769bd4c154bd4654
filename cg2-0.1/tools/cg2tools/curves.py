"""Curves of misses: events that are one thing for caches of several sizes.

A sweep has an event for each size, such as D1m_8k, D1m_16k and D1m_32k.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_SIZED = re.compile(r"(.+)_([0-9]{1,15})([kKmMgG]?)")
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


@dataclass(slots=True)
class Curve:
    """What the events count, and (bytes, index of the event) by rising size."""

    name: str
    points: list[tuple[int, int]] = field(default_factory=list)


def curves(events: Sequence[str]) -> list[Curve]:
    """All curves of two sizes or more, in the order of their first events."""
    found: dict[str, Curve] = {}
    for index, event in enumerate(events):
        match = _SIZED.fullmatch(event)
        if match:
            name, number, unit = match.groups()
            found.setdefault(name, Curve(name)).points.append(
                (int(number) * _UNITS[unit.lower()], index))
    for curve in found.values():
        curve.points.sort()
    return [curve for curve in found.values() if len(curve.points) > 1]
