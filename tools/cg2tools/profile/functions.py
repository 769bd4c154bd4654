"""Functions of a profile, line by line: self costs by position, calls, jumps.

The lines of a part become objects when one asks a function for them. What adds lines up has
the library do it, see `Part.add_up`.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from typing import NamedTuple

from cg2tools.profile import libcg2profile
from cg2tools.profile.libcg2profile import LibraryPart, Table
from cg2tools.profile.positions import NUMBERS, Position
from cg2tools.profile.terms import Cost, FunctionKey, add_cost


@dataclass(slots=True)
class Call:
    """A call site: `count` calls from `source`, `inclusive` cost in all.

    `target` is the first position of the callee.  A count of 0 is a call that
    began before an earlier part was written and has not returned since.
    """

    caller: FunctionKey
    callee: FunctionKey
    count: int
    source: Position
    target: Position
    inclusive: Cost


@dataclass(slots=True)
class Jump:
    """A jump: at `source`, `taken` times out of `executed`, to `target`.

    An unconditional jump is taken each time it is executed.
    """

    function: FunctionKey
    target_function: FunctionKey
    source: Position
    target: Position
    taken: int
    executed: int
    conditional: bool


class CostLines(NamedTuple):
    """Self costs in one source file: columns of equal length.

    A position may occur more than once.  Costs may be shared.
    """

    file: str
    numbers: Sequence[Sequence[int]]
    """A column for each of the NUMBERS of a Position."""
    costs: Sequence[Sequence[int]]

    @property
    def instrs(self) -> Sequence[int]:
        return self.numbers[NUMBERS.index("instr")]

    @property
    def lines(self) -> Sequence[int]:
        return self.numbers[NUMBERS.index("line")]

    def positions(self) -> Iterator[Position]:
        """The position of each cost."""
        return map(Position, repeat(self.file), *self.numbers)


def lines_at(position: Position, cost: Sequence[int]) -> CostLines:
    """The self cost of one position."""
    file, *numbers = position
    return CostLines(file, [[number] for number in numbers], [cost])


class Function:
    """A function's own lines: self cost by position, calls and jumps.

    Code inlined into the function counts as the function's own, at the
    position (file included) that it comes from.
    """

    __slots__ = ("key", "width", "_calls", "_jumps", "_costs", "_unsorted", "_self_cost", "_later")

    def __init__(
        self,
        key: FunctionKey,
        width: int,
        self_cost: Cost | None = None,
        later: "FileLines | None" = None,
    ) -> None:
        """`self_cost` is what the lines add up to that `later` has."""
        self.key = key
        self.width = width  # the number of events
        self._calls: list[Call] = []
        self._jumps: list[Jump] = []
        self._costs: dict[Position, Cost] = {}
        self._unsorted: list[CostLines] = []  # self costs that are not in `_costs` yet
        self._self_cost = self_cost or [0] * width
        self._later = later

    def _complete(self) -> None:
        """Have all lines here."""
        if self._later:
            later, self._later = self._later, None
            self._self_cost = [0] * self.width
            later.fill(self)

    def add_lines(self, lines: CostLines) -> None:
        self._complete()
        self._unsorted.append(lines)
        add_cost(self._self_cost, list(map(sum, zip(*lines.costs))))

    @property
    def calls(self) -> list[Call]:
        self._complete()
        return self._calls

    @property
    def jumps(self) -> list[Jump]:
        self._complete()
        return self._jumps

    @property
    def costs(self) -> Mapping[Position, Cost]:
        """The self cost of each position."""
        self._complete()
        for lines in self._unsorted:
            self._sort_in(lines)
        self._unsorted = []
        return self._costs

    def _sort_in(self, lines: CostLines) -> None:
        costs = self._costs
        for position, cost in zip(lines.positions(), lines.costs):
            if position in costs:
                add_cost(costs[position], cost)
            else:
                costs[position] = list(cost)

    def line_costs(self) -> Iterator[tuple[str, int, Sequence[int]]]:
        """File, line and self cost, in pieces: a line may come several times.

        That is enough to add up lines, and needs a third of the time of
        `costs`.
        """
        for lines in self.cost_lines():
            if min(lines.lines) == max(lines.lines):
                yield lines.file, lines.lines[0], list(map(sum, zip(*lines.costs)))
            else:
                for line, cost in zip(lines.lines, lines.costs):
                    yield lines.file, line, cost

    def cost_lines(self) -> Iterator[CostLines]:
        """All self costs in pieces, a position maybe in several."""
        self._complete()
        yield from self._unsorted
        for position, cost in self._costs.items():
            yield lines_at(position, cost)

    def self_cost(self) -> Cost:
        """The sum over all positions."""
        return self._self_cost.copy()

    def add(self, other: "Function") -> None:
        """Add another part's costs, calls and jumps of the same function."""
        for lines in other.cost_lines():
            self.add_lines(lines)
        self.calls.extend(other.calls)
        self.jumps.extend(other.jumps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and (self.key, self.costs, self.calls, self.jumps) == (
            other.key,
            other.costs,
            other.calls,
            other.jumps,
        )

    __hash__ = None  # type: ignore[assignment]  # functions are told by their keys


_AT = (
    libcg2profile.BY_FUNCTION
    | libcg2profile.BY_FILE
    | libcg2profile.BY_LINE
    | libcg2profile.BY_INSTR
    | libcg2profile.BY_BLOCK
)
_CALLEE = (
    libcg2profile.BY_TARGET
    | libcg2profile.BY_TARGET_LINE
    | libcg2profile.BY_TARGET_INSTR
    | libcg2profile.BY_TARGET_BLOCK
)
_TARGET = _CALLEE | libcg2profile.BY_TARGET_FILE | libcg2profile.BY_CONDITION


class FileLines:
    """The lines of a part's functions: all are taken from the library at once."""

    def __init__(self, part: LibraryPart, keys: list[FunctionKey]) -> None:
        self.part = part
        self.keys = keys
        self.numbers = {key: number for number, key in enumerate(keys)}
        self._tables: list[Table] = []

    def fill(self, function: Function) -> None:
        if not self._tables:
            kinds = (
                (libcg2profile.COST, _AT),
                (libcg2profile.CALL, _AT | _CALLEE),
                (libcg2profile.JUMP, _AT | _TARGET),
            )
            self._tables = [self.part.add_up(*kind, each=True) for kind in kinds]
        number = self.numbers[function.key]
        costs, calls, jumps = self._tables
        self._add_costs(function, costs, *_rows(costs, number))
        self._add_calls(function, calls, *_rows(calls, number))
        self._add_jumps(function, jumps, *_rows(jumps, number))

    def _add_costs(self, function: Function, table: Table, first: int, end: int) -> None:
        files = table.column(libcg2profile.BY_FILE)[first:end]
        for file, rows in groupby(range(first, end), key=lambda row: files[row - first]):
            start = next(rows)
            stop = start + 1 + sum(1 for _ in rows)
            columns = [
                table.column(key)[start:stop]
                for key in (libcg2profile.BY_INSTR, libcg2profile.BY_LINE, libcg2profile.BY_BLOCK)
            ]
            function.add_lines(
                CostLines(self.part.profile.names[file], columns, table.costs(start, stop))
            )

    def _add_calls(self, function: Function, table: Table, first: int, end: int) -> None:
        costs = table.costs(first, end)
        for row in range(first, end):
            callee = self.keys[table.column(libcg2profile.BY_TARGET)[row]]
            function.calls.append(
                Call(
                    function.key,
                    callee,
                    table.counts[row],
                    self._source(table, row),
                    _target(table, row, callee.file),
                    list(costs[row - first]),
                )
            )

    def _add_jumps(self, function: Function, table: Table, first: int, end: int) -> None:
        for row in range(first, end):
            file = self.part.profile.names[table.column(libcg2profile.BY_TARGET_FILE)[row]]
            function.jumps.append(
                Jump(
                    function.key,
                    self.keys[table.column(libcg2profile.BY_TARGET)[row]],
                    self._source(table, row),
                    _target(table, row, file),
                    table.counts[row],
                    table.executed[row],
                    bool(table.column(libcg2profile.BY_CONDITION)[row]),
                )
            )

    def _source(self, table: Table, row: int) -> Position:
        return Position(
            self.part.profile.names[table.column(libcg2profile.BY_FILE)[row]],
            table.column(libcg2profile.BY_INSTR)[row],
            table.column(libcg2profile.BY_LINE)[row],
            table.column(libcg2profile.BY_BLOCK)[row],
        )


def _target(table: Table, row: int, file: str) -> Position:
    return Position(
        file,
        table.column(libcg2profile.BY_TARGET_INSTR)[row],
        table.column(libcg2profile.BY_TARGET_LINE)[row],
        table.column(libcg2profile.BY_TARGET_BLOCK)[row],
    )


def _rows(table: Table, function: int) -> tuple[int, int]:
    """The first row of a function, and behind the last."""
    functions = table.column(libcg2profile.BY_FUNCTION)
    first = bisect_left(functions, function)
    return first, bisect_right(functions, function, first)
