"""Functions that another function calls now: two causes that cancel each other out, as one."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from cg2tools.diff.cause import Cause

_NEAR = 20
"""What is left of the two is less than such a part of either."""


def joined(causes: Sequence[Cause]) -> list[Cause]:
    """The causes, where those of a callee whose calls went from a caller to another are one of kind `calls`,
    with what called it in `was`; those that leave nothing are left out."""
    gone, come = _by_callee(causes, 0), _by_callee(causes, 1)
    pairs = {
        id(cause): pair
        for callee in gone.keys() & come.keys()
        for pair in _pairs(gone[callee], come[callee])
        for cause in pair
    }
    found = []
    for cause in causes:
        pair = pairs.get(id(cause))
        if not pair:
            found.append(cause)
        elif cause is pair[1] and any(
            costs := [sum(each) for each in zip(*(c.costs for c in pair))]
        ):
            found.append(_as_one(*pair, costs))
    return found


def _by_callee(causes: Sequence[Cause], side: int) -> dict[object, list[Cause]]:
    """The calls that only one side has, by what is called, dearest first."""
    found: dict[object, list[Cause]] = defaultdict(list)
    alone = [
        cause
        for cause in causes
        if cause.kind == "calls" and cause.calls[side] and not cause.calls[1 - side]
    ]
    for cause in sorted(alone, key=lambda cause: -abs(cause.costs[0])):
        if cause.function:
            found[cause.callee].append(cause)
    return found


def _pairs(gone: list[Cause], come: list[Cause]) -> Iterator[tuple[Cause, Cause]]:
    left = [*come]
    for was in gone:
        for now in left:
            both = was.costs[0] + now.costs[0]
            if abs(both) * _NEAR < min(abs(was.costs[0]), abs(now.costs[0])):
                left.remove(now)
                yield was, now
                break


def _as_one(was: Cause, now: Cause, costs: list[int]) -> Cause:
    return Cause(
        "calls",
        costs,
        now.function,
        now.callee,
        was.function,
        (was.calls[0], now.calls[1]),
        (was.callers[0], now.callers[1]),
    )
