"""What the instructions of functions cost, and how often they jump and call: columns of rising addresses."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from cg2tools.profile.callgraph import CallGraph, Node
from cg2tools.profile.columns import Columns
from cg2tools.profile.libcg2profile import (
    BY_CONDITION,
    BY_FILE,
    BY_FUNCTION,
    BY_INSTR,
    BY_LINE,
    BY_TARGET,
    CALL,
    COST,
    JUMP,
    Table,
)
from cg2tools.profile.model import FunctionKey, Part

_Columns = tuple["array[int]", ...]


class _Numbers(dict[tuple[int, ...], int]):
    """Costs, each with a number, which is given when it is asked for."""

    def __missing__(self, cost: tuple[int, ...]) -> int:
        number = self[cost] = len(self)
        return number


@dataclass(frozen=True, slots=True)
class _ByFunction:
    """Columns whose rows are in the order of functions."""

    functions: "array[int]"
    columns: _Columns

    def of(self, function: int) -> _Columns:
        """The columns with the rows of one function."""
        first = bisect_left(self.functions, function)
        end = bisect_right(self.functions, function, first)
        return tuple(column[first:end] for column in self.columns)


class Instructions(NamedTuple):
    """Instructions of a function by their rising addresses, and jumps and calls from there.

    Costs are numbers.  Calls from one instruction are in the order of what they cost.
    """

    addresses: "array[int]"
    files: "array[int]"
    lines: "array[int]"
    costs: "array[int]"
    jumps: _Columns  # addresses, whether they are conditional, how often they were taken and executed
    calls: _Columns  # addresses, costs, functions called, how often


class InstructionCosts:
    """What the instructions of some functions of a part cost, which are `nodes`."""

    def __init__(
        self, part: Part, graph: CallGraph, columns: Columns, nodes: Sequence[Node]
    ) -> None:
        self.part = part
        self._graph = graph
        self._asked = graph.functions_of(nodes)
        self._numbers = _Numbers()
        self._number_of([tuple(columns.zero())])
        self._costs, self._jumps = self._costs_of(), self._jumps_of()
        self._calls = self._calls_of(columns)
        self._places = {key: place for place, key in enumerate(graph.columns.keys)}

    @property
    def costs(self) -> Sequence[tuple[int, ...]]:
        """Each cost once, by number; the first is nothing."""
        return list(self._numbers)

    def of(self, key: FunctionKey) -> Instructions:
        """The instructions of one of the functions."""
        function = self._places[key]
        costs, calls = self._costs.of(function), self._calls.of(function)
        *jumps, _, _ = self._jumps.of(function)
        others = {*jumps[0], *calls[0]}.difference(costs[0])
        if others:
            costs = self._with(function, costs, others)
        addresses, files, lines, numbers = costs
        return Instructions(addresses, files, lines, numbers, tuple(jumps), calls)

    def _with(self, function: int, costs: _Columns, others: set[int]) -> _Columns:
        """The columns of costs with addresses of others, which cost nothing themselves."""
        sources = dict(_sources(*self._call_lines.of(function)))
        jumps = self._jumps.of(function)
        sources |= _sources(jumps[0], *jumps[-2:])
        rows = [*zip(*costs), *((address, *sources[address], 0) for address in others)]
        return tuple(
            array(column.typecode, numbers) for column, numbers in zip(costs, zip(*sorted(rows)))
        )

    # ---- What the profile says --------------------------------------------

    def _add_up(self, kind: int) -> Table:
        """Lines of a kind by instruction, with what the first one of each says of the source and the jump."""
        of_first = BY_FILE | BY_LINE | BY_CONDITION
        return self.part.lines.add_up(kind, BY_FUNCTION | BY_INSTR, self._asked, of_first=of_first)

    def _number_of(self, costs: Sequence[tuple[int, ...]]) -> "array[int]":
        return array("I", map(self._numbers.__getitem__, costs))

    def _costs_of(self) -> _ByFunction:
        table = self._add_up(COST)
        columns = map(table.column, (BY_INSTR, BY_FILE, BY_LINE))
        return _ByFunction(table.column(BY_FUNCTION), (*columns, self._number_of(table.costs())))

    def _jumps_of(self) -> _ByFunction:
        table = self._add_up(JUMP)
        counts = table.column(BY_CONDITION), table.counts, table.executed
        columns = table.column(BY_INSTR), *counts, *map(table.column, (BY_FILE, BY_LINE))
        return _ByFunction(table.column(BY_FUNCTION), columns)

    def _calls_of(self, columns: Columns) -> _ByFunction:
        table = self._graph.columns.add_up_calls(BY_FUNCTION | BY_INSTR | BY_TARGET, self._asked)
        costs, keys = table.costs(), self._graph.columns.keys
        functions, addresses, callees = map(table.column, (BY_FUNCTION, BY_INSTR, BY_TARGET))
        rows: list[int] = []
        for _, group in groupby(zip(functions, addresses, range(len(table))), lambda row: row[:2]):
            alike = [row for _, _, row in group]
            if len(alike) > 1:
                alike.sort(key=lambda row: (columns.sort_key(list(costs[row])), keys[callees[row]]))
            rows += alike
        numbers = self._number_of([costs[row] for row in rows])
        called = (array("Q", map(column.__getitem__, rows)) for column in (callees, table.counts))
        return _ByFunction(functions, (addresses, numbers, *called))

    @cached_property
    def _call_lines(self) -> _ByFunction:
        """The source lines of calls."""
        table = self._add_up(CALL)
        columns = map(table.column, (BY_INSTR, BY_FILE, BY_LINE))
        return _ByFunction(table.column(BY_FUNCTION), tuple(columns))


def _sources(
    addresses: Sequence[int], files: Sequence[int], lines: Sequence[int]
) -> Iterator[tuple[int, tuple[int, int]]]:
    """The file and the line of each address."""
    return zip(addresses, zip(files, lines))
