"""Curves of misses: events that are one thing for caches of several sizes.

A sweep of cg2's has an event for each size, such as D8Kmr, D16Kmr and D32Kmr,
which are the curve Dmr.  So may other events: D1m_8k, D1m_16k and D1m_32k.  Where there
are reads and writes in the same sizes, Dmr and Dmw, both together are a curve, too: Dm.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_SIZED = re.compile(r"(.+)_([0-9]{1,15})([kKmMgG]?)")
_SWEPT = re.compile(r"(I|D|IL|DL)([0-9]{1,15})([BKMG])((?:[sw][0-9]+)?(?:l[0-9]+)?m[rw])")
_UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


@dataclass(slots=True)
class Curve:
    """What the events count, and (bytes, indexes of the events) by rising size."""

    name: str
    points: list[tuple[int, list[int]]] = field(default_factory=list)
    of: list[str] = field(default_factory=list)
    """The curves that are added up in this one, if it is no single one."""


def curves(events: Sequence[str]) -> list[Curve]:
    """All curves of two sizes or more, in the order of their first events."""
    found: dict[str, Curve] = {}
    for index, event in enumerate(events):
        swept = _SWEPT.fullmatch(event)
        match = swept or _SIZED.fullmatch(event)
        if match:
            name, number, unit = match.groups()[:3]
            if swept:
                name += swept[4]
            found.setdefault(name, Curve(name)).points.append(
                (int(number) * _UNITS[unit.lower()], [index])
            )
    for curve in found.values():
        curve.points.sort()
    single = {name: curve for name, curve in found.items() if len(curve.points) > 1}
    return [curve for name in single for curve in _with_both(single, name)]


def _with_both(single: dict[str, Curve], name: str) -> list[Curve]:
    """A curve; in front of reads, reads and writes together if both have the same sizes."""
    stem, reads = name[:-1], single[name]
    writes = single.get(f"{stem}w") if name == f"{stem}r" else None
    if not writes or stem in single or _sizes(reads) != _sizes(writes):
        return [reads]
    points = [
        (size, events + others) for (size, events), (_, others) in zip(reads.points, writes.points)
    ]
    return [Curve(stem, points, [reads.name, writes.name]), reads]


def _sizes(curve: Curve) -> list[int]:
    return [size for size, _ in curve.points]
