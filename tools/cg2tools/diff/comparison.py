"""What differs between two profiles: functions, lines and calls.

    names = Names(fold_templates=True)
    comparison = compare(old.merged(), new.merged(), names, "Ir")
    for change in comparison.functions:     by effect
        change.what, change.old, change.new

Functions are told by object, file and name, after `Names` made those of the two
builds alike.  Recursion levels are one function.

A function that stands further down in its file than before is compared line by
line nevertheless: in each function and file, OLD's lines are moved by as many
lines as make most of them cost what NEW's do, out of three candidates: none,
and what brings the first or the last lines together.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from cg2tools.diff.names import Names, program_of
from cg2tools.profile.callgraph import Arc, CallGraph
from cg2tools.profile.columns import Columns
from cg2tools.profile.model import Cost, FunctionKey, Part, add_cost


class Line(NamedTuple):
    """A line of a function: its numbers in OLD and NEW, or None in one."""

    function: FunctionKey
    file: str
    old: int | None
    new: int | None

    @property
    def number(self) -> int:
        """The one in NEW, if there is one."""
        return self.new or self.old or 0


class Pair(NamedTuple):
    """Calls from one function to another."""

    caller: FunctionKey
    callee: FunctionKey


What = TypeVar("What", FunctionKey, Line, Pair)


@dataclass(frozen=True, slots=True)
class Change(Generic[What]):
    """What something cost in OLD and NEW, None where it does not occur."""

    what: What
    old: Cost | None
    new: Cost | None
    old_calls: int = 0
    new_calls: int = 0

    @property
    def kind(self) -> str:
        if self.old is None:
            return "added"
        return "removed" if self.new is None else "changed"


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that changed, what has most effect on the event compared first."""

    columns: Columns
    event: str
    old_total: Cost
    new_total: Cost
    functions: list[Change[FunctionKey]]  # self costs
    inclusive: list[Change[FunctionKey]]
    lines: list[Change[Line]]
    calls: list[Change[Pair]]

    def value(self, cost: Cost | None) -> int:
        """The event that is compared."""
        return 0 if cost is None else self.columns.value(self.event, cost)

    def difference(self, change: Change[What]) -> int:
        return self.value(change.new) - self.value(change.old)


# ---- Comparing -------------------------------------------------------------


def compare(old: Part, new: Part, names: Names, event: str) -> Comparison:
    """What changed from OLD to NEW; ProfileError if there is no such event."""
    columns = Columns(new, [event], [event])
    program = program_of(new)
    sides = [_Side(names.apply(part, program)) for part in (old, new)]
    comparison = Comparison(
        columns,
        event,
        old.self_total(),
        new.self_total(),
        _changes(*(side.self_costs() for side in sides)),
        _changes(*(side.inclusive() for side in sides)),
        _line_changes(*(side.lines() for side in sides)),
        _call_changes(*(side.calls() for side in sides)),
    )
    for changes in (comparison.functions, comparison.inclusive):
        changes.sort(key=lambda change: (-abs(comparison.difference(change)), change.what))
    comparison.lines.sort(
        key=lambda change: (
            -abs(comparison.difference(change)),
            change.what[:2],
            change.what.number,
            change.kind,
        )
    )
    comparison.calls.sort(
        key=lambda change: (
            -abs(comparison.difference(change)),
            -abs(change.new_calls - change.old_calls),
            change.what,
        )
    )
    return comparison


class _Side:
    """OLD or NEW: costs by function, line and call."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.graph = CallGraph(part)

    def self_costs(self) -> dict[FunctionKey, Cost]:
        return {key: node.self_cost for key, node in self.graph.nodes.items()}

    def inclusive(self) -> dict[FunctionKey, Cost]:
        return {key: node.inclusive for key, node in self.graph.nodes.items()}

    def calls(self) -> dict[Pair, Arc]:
        return {
            Pair(caller, callee): arc
            for caller, node in self.graph.nodes.items()
            for callee, arc in node.callees.items()
        }

    def lines(self) -> dict[tuple[FunctionKey, str], dict[int, Cost]]:
        """By function and file; line 0, which is no line, is left out."""
        lines: dict[tuple[FunctionKey, str], dict[int, Cost]] = {}
        width = len(self.part.events)
        for key, function in self.part.functions.items():
            node = self.graph.node_of(key).key
            for file, line, cost in function.line_costs():
                if line:
                    own = lines.setdefault((node, file), {})
                    add_cost(own.setdefault(line, [0] * width), cost)
        return lines


Key = TypeVar("Key", FunctionKey, Pair)

Value = TypeVar("Value")


def _in_either(
    old: Mapping[Key, Value],
    new: Mapping[Key, Value],
) -> Iterable[tuple[Key, Value | None, Value | None]]:
    """What stands for each key in the two, if it is not the same."""
    for key in {**old, **new}:
        if old.get(key) != new.get(key):
            yield key, old.get(key), new.get(key)


def _changes(
    old: dict[FunctionKey, Cost],
    new: dict[FunctionKey, Cost],
) -> list[Change[FunctionKey]]:
    return [Change(*found) for found in _in_either(old, new)]


def _call_changes(
    old: dict[Pair, Arc],
    new: dict[Pair, Arc],
) -> list[Change[Pair]]:
    none = Arc(0, [])
    return [
        Change(
            pair,
            before.inclusive if before else None,
            after.inclusive if after else None,
            (before or none).count,
            (after or none).count,
        )
        for pair, before, after in _in_either(old, new)
    ]


_Lines = dict[int, Cost]

_LinesOf = dict[tuple[FunctionKey, str], _Lines]


def _line_changes(old: _LinesOf, new: _LinesOf) -> list[Change[Line]]:
    changes = []
    for function, file in {**old, **new}:
        before = old.get((function, file), {})
        after = new.get((function, file), {})
        shift = _shift(before, after)
        for line in {line + shift for line in before} | after.keys():
            costs = before.get(line - shift), after.get(line)
            if costs[0] != costs[1]:
                changes.append(
                    Change(
                        Line(
                            function,
                            file,
                            None if costs[0] is None else line - shift,
                            None if costs[1] is None else line,
                        ),
                        *costs,
                    )
                )
    return changes


def _shift(old: _Lines, new: _Lines) -> int:
    """By how many lines the code stands further down in NEW."""
    if not old or not new:
        return 0

    def fit(shift: int) -> tuple[int, int]:
        found = [(new[line + shift], cost) for line, cost in old.items() if line + shift in new]
        return sum(here == there for here, there in found), len(found)

    # the first of equals, which is not to move anything
    return max((0, min(new) - min(old), max(new) - max(old)), key=fit)
