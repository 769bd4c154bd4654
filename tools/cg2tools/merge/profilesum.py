"""Many profiles added up into one, each read once and forgotten.

    total = ProfileSum()
    for path in paths:
        total.add(read_profile(path))
    write_profile(total.result(), "app.out")

Processes and parts of one program execute much the same lines.  So a function
is kept as its shape - all positions, callees and targets it has in a file - and
as the numbers that belong there: the next file's numbers are added to those of
the same shape in one step.  A function that comes in more than _SHAPES_MAX
shapes is sorted by position into one that contains them all.  What is kept
grows with functions and positions, not with files.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain, groupby, islice, repeat
from operator import add
from typing import NamedTuple, TypeVar

from cg2tools.profile.checks import check_alike
from cg2tools.profile.model import (
    Call,
    Cost,
    CostLines,
    Function,
    FunctionKey,
    Jump,
    Part,
    Profile,
    ProfileError,
    add_cost,
)
from cg2tools.profile.positions import Position

_SHAPES_MAX = 8

_SEVERAL = "(several commands)"

_MERGED = "Merged profiles"
"""The description that says how many files a profile is made of."""


class _Lines(NamedTuple):
    """The positions of CostLines."""

    file: str
    numbers: tuple[tuple[int, ...], ...]

    def positions(self) -> Iterator[Position]:
        return map(Position, repeat(self.file), *self.numbers)


class _CallSite(NamedTuple):
    callee: FunctionKey
    source: Position
    target: Position


class _JumpSite(NamedTuple):
    target_function: FunctionKey
    source: Position
    target: Position
    conditional: bool


class _Shape(NamedTuple):
    """All of a function but its numbers.

    The numbers are the costs of `lines`; for each call its count and cost; for each
    jump how often it was taken and executed.
    """

    lines: tuple[_Lines, ...]
    calls: tuple[_CallSite, ...]
    jumps: tuple[_JumpSite, ...]


def _taken_apart(function: Function) -> tuple[_Shape, list[int]]:
    lines = list(function.cost_lines())
    shape = _Shape(
        tuple(_Lines(run.file, tuple(map(tuple, run.numbers))) for run in lines),
        tuple(_CallSite(call.callee, call.source, call.target) for call in function.calls),
        tuple(
            _JumpSite(jump.target_function, jump.source, jump.target, jump.conditional)
            for jump in function.jumps
        ),
    )
    numbers = list(chain.from_iterable(chain.from_iterable(run.costs for run in lines)))
    for call in function.calls:
        numbers.append(call.count)
        numbers += call.inclusive
    for jump in function.jumps:
        numbers += jump.taken, jump.executed
    return shape, numbers


Key = TypeVar("Key", Position, _CallSite, _JumpSite)


def _add_at(sums: dict[Key, list[int]], key: Key, numbers: list[int]) -> None:
    known = sums.get(key)
    if known is None:
        sums[key] = numbers
    else:
        add_cost(known, numbers)


def _in_columns(costs: dict[Position, Cost]) -> Iterator[CostLines]:
    """A run for each file: columns need a fifth of the memory."""
    for file, positions in groupby(sorted(costs), lambda place: place.file):
        _, *numbers = zip(*positions)
        lines = _Lines(file, tuple(numbers))
        yield CostLines(file, numbers, [costs[position] for position in lines.positions()])


@dataclass(slots=True)
class _FunctionSum:
    """The sum of one function over all files, by shape."""

    key: FunctionKey
    width: int  # the number of events
    sums: dict[_Shape, list[int]] = field(default_factory=dict)

    def add(self, function: Function) -> None:
        shape, numbers = _taken_apart(function)
        known = self.sums.get(shape)
        self.sums[shape] = numbers if known is None else list(map(add, known, numbers))
        if len(self.sums) > _SHAPES_MAX:
            self.sums = dict([_taken_apart(self.united())])

    def united(self) -> Function:
        """The function with each position, call and jump once."""
        costs: dict[Position, Cost] = {}
        calls: dict[_CallSite, list[int]] = {}
        jumps: dict[_JumpSite, list[int]] = {}
        for shape, numbers in self.sums.items():
            rest = iter(numbers)
            for lines in shape.lines:
                for position in lines.positions():
                    _add_at(costs, position, list(islice(rest, self.width)))
            for site in shape.calls:
                _add_at(calls, site, list(islice(rest, 1 + self.width)))
            for jump in shape.jumps:
                _add_at(jumps, jump, list(islice(rest, 2)))
        function = Function(self.key, self.width)
        for lines_of_file in _in_columns(costs):
            function.add_lines(lines_of_file)
        function.calls[:] = [
            Call(self.key, site.callee, count, site.source, site.target, cost)
            for site, (count, *cost) in calls.items()
        ]
        function.jumps[:] = [
            Jump(
                self.key,
                jump.target_function,
                jump.source,
                jump.target,
                taken,
                executed,
                jump.conditional,
            )
            for jump, (taken, executed) in jumps.items()
        ]
        return function


class ProfileSum:
    """The sum of the profiles that were added."""

    def __init__(self) -> None:
        self.first: Profile | None = None
        self.head = Part("")
        self.files = 0
        self.functions: dict[FunctionKey, _FunctionSum] = {}

    def add(self, profile: Profile) -> None:
        """ProfileError if it is not of the same form as the first one."""
        parts = profile.parts
        if self.first is None:
            head = parts[0]
            self.first = Profile(
                profile.path, profile.version, profile.creator, [_without_body(head)]
            )
            self.head = _without_body(head)
            self.head.skipped = {}
        check_alike(self.first, profile)
        self.files += _files_in(profile)
        for part in parts:
            self._add_head(part)
            for key, function in part.functions.items():
                known = self.functions.get(key)
                if known is None:
                    known = self.functions[key] = _FunctionSum(key, len(part.events))
                known.add(function)

    def _add_head(self, part: Part) -> None:
        """What all parts say is kept; what some of them define as well."""
        head = self.head
        if head.cmd != part.cmd:
            head.cmd = _SEVERAL
        head.descriptions = {
            kind: text
            for kind, text in head.descriptions.items()
            if part.descriptions.get(kind) == text
        }
        head.event_definitions = part.event_definitions | head.event_definitions
        head.add_skipped(part.skipped)

    def result(self) -> Profile:
        """The sum as one part, whose `totals:` and `summary:` are the sums of its costs."""
        assert self.first is not None
        part = self.head
        part.descriptions[_MERGED] = str(self.files)
        part.functions = {key: function.united() for key, function in self.functions.items()}
        part.summary = part.totals = part.self_total()
        self._check_numbers(part)
        return Profile(self.first.path, self.first.version, self.first.creator, [part])

    def _check_numbers(self, part: Part) -> None:
        """Raise ProfileError if readers could not read the sum."""
        largest = max(
            chain(
                part.self_total(),
                *(_taken_apart(function)[1] for function in part.functions.values()),
            )
        )
        if largest >> 64:
            raise ProfileError(
                part.path,
                1,
                "its sum with the other profiles does not fit "
                "into 64 bits; expected numbers that do",
            )


def _without_body(part: Part) -> Part:
    """What the header says, but for process, part and thread."""
    return Part(
        part.path,
        cmd=part.cmd,
        descriptions=part.descriptions.copy(),
        positions=part.positions,
        events=part.events,
        event_definitions=part.event_definitions.copy(),
    )


def _files_in(profile: Profile) -> int:
    """How many files it was merged of; 1 if it was not."""
    text = profile.parts[0].descriptions.get(_MERGED, "")
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else 1
