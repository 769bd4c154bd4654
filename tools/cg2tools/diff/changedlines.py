"""The lines that differ, by function: found for those functions alone that somebody asks for.

    lines = ChangedLines(old, new, sources)     each a LineSide
    lines.find(numbers)             each asked for, in one pass
    lines.of(number)                a list of Change[Line]

Lines of a file that an edit moved are aligned over all functions. Where the functions that are asked
for have the lines that they had, or are in one side alone, nothing is aligned, and only their lines
are added up.
"""

from array import array
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial

from cg2tools.diff.comparison import Change, Line
from cg2tools.diff.matches import Matched
from cg2tools.diff.names import numbers_of_files
from cg2tools.profile.libcg2profile import (
    BY_FILE,
    BY_FUNCTION,
    BY_LINE,
    BY_TARGET,
    CALL,
    COST,
    NONE,
    Table,
)
from cg2tools.profile.model import Cost, Part
from cg2tools.profile.rowpairs import LineFacts, Pairs, Rows, differences
from cg2tools.profile.twothreads import in_two_threads

_KEYS = BY_FUNCTION, BY_FILE, BY_LINE
_LINES = BY_FUNCTION | BY_FILE | BY_LINE


@dataclass(frozen=True, slots=True)
class LineSide:
    """The lines of OLD or NEW, and the numbers that its functions and names of files have in both."""

    part: Part
    functions: "array[int]"
    files: "array[int]"

    def files_of(self, wanted: Set[int]) -> "array[int]":
        """The files that are among these; others are NONE."""
        return array("I", [file if file in wanted else NONE for file in self.files])

    def files_but(self, left: Set[int]) -> "array[int]":
        """The files that are not among these; others are NONE."""
        return array("I", [NONE if file in left else file for file in self.files])

    def costs(self, functions: "array[int]", files: "array[int]") -> Table:
        """Lines of functions and files; those that are NONE are left out."""
        return self.part.lines.add_up(COST, _LINES, function_as=functions, file_as=files)

    def calls(self, files: "array[int]") -> "list[array[int]]":
        """Which functions the lines of some files call, and how often."""
        functions = self.functions
        table = self.part.lines.add_up(
            CALL, _LINES | BY_TARGET, function_as=functions, target_as=functions, file_as=files
        )
        return [*(table.column(key) for key in (*_KEYS, BY_TARGET)), table.counts]


_Row = tuple[int, ...]
"""A function's line of a file that costs another sum: function, file, line in OLD and in NEW, and the places
of both in the Rows that it is from; 0 and -1: it is not there."""


@dataclass(slots=True)
class _Moves:
    """How far lines of a file that are in both have moved."""

    lines: list[int]
    """In OLD, in their order."""
    by: list[int]

    def near(self, line: int) -> int:
        """How far a line of OLD would have moved: as the nearest one that did."""
        place = bisect(self.lines, line)
        first, end = max(place - 1, 0), min(place + 1, len(self.lines))
        _, by = min((abs(self.lines[each] - line), self.by[each]) for each in range(first, end))
        return by


_FindSources = Callable[[], Sequence[Mapping[str, str]]]
"""Paths of OLD's and of NEW's files whose sources are both there, by name."""


class ChangedLines:
    """Lines by function, as the two sides number it."""

    def __init__(self, matched: Matched, sides: Sequence[LineSide], sources: _FindSources) -> None:
        """`sources` is called if lines have moved."""
        self._matched = matched
        self._sources = sources
        self._files_as = _files_as(matched, sides)
        old, new = sides
        as_now = array("I", [self._files_as.get(file, file) for file in old.files])
        self._sides = replace(old, files=as_now), new
        self._rows: dict[int, list[_Row]] = {}
        """Rows of the functions that were asked for, what differs most first."""
        self._from: dict[int, Sequence[Rows]] = {}
        """OLD's and NEW's, which those rows are from."""
        self._moves: dict[int, _Moves] = {}
        """By file."""
        self._spans: dict[tuple[int, bool], tuple[int, int] | None] = {}
        self._files = matched.matching.files_of_functions()

    def find(self, functions: Iterable[int]) -> None:
        """Have lines of functions found together, which is faster than one by one."""
        wanted = {each for each in functions if each not in self._rows and each != NONE}
        if wanted:
            self._rows |= {number: [] for number in wanted}
            self._compare(wanted)

    def of(self, function: int) -> list[Change[Line]]:
        """What differs most first."""
        self.find([function])
        key = self._matched.key(function)
        assert key
        name, sides = self._matched.matching.file, self._from[function]
        width = self._sides[0].part.lines.width
        return [
            Change(
                Line(key, name(file), old or None, new or None),
                _cost(sides[0], was, width),
                _cost(sides[1], now, width),
            )
            for _, file, old, new, was, now in self._rows[function]
        ]

    # ---- Comparing ---------------------------------------------------------

    def _compare(self, wanted: Set[int]) -> None:
        own = array("I", [NONE]) * len(self._matched.functions)
        for number in wanted:
            own[number] = number
        sides = [(side, array("I", map(own.__getitem__, side.functions))) for side in self._sides]
        tables = [side.costs(functions, side.files) for side, functions in sides]
        moved = {file for function, file in _unlike(tables) if self._matched.is_in_both(function)}
        facts = [LineFacts(), LineFacts()]
        rows = [_rows([table]) for table in tables]
        if moved:
            known = [side.costs(functions, side.files_but(moved)) for side, functions in sides]
            aligned = in_two_threads(*(partial(_whole_files, side, moved) for side, _ in sides))
            rows = [_rows([table, whole]) for table, (whole, _) in zip(known, aligned)]
            paths = [self._by_number(sources) for sources in self._sources()]
            facts = [LineFacts(calls, each) for (_, calls), each in zip(aligned, paths)]
        self._keep(wanted, rows, facts)

    def _by_number(self, sources: Mapping[str, str]) -> list[str | None]:
        return list(map(sources.get, self._matched.matching.texts)) if sources else []

    def _keep(self, wanted: Set[int], rows: Sequence[Rows], facts: Sequence[LineFacts]) -> None:
        """Keep the rows of functions that differ, and where lines have moved to."""
        width = self._sides[0].part.lines.width
        factors = [1] + [0] * (width - 1)
        pairs = differences(rows[0], rows[1], factors, facts)
        moves: dict[int, dict[int, int]] = defaultdict(dict)
        for row in _joined(pairs, rows):
            function, file, old, new, _, _ = row
            if old and new:
                moves[file][old] = new - old
            if function in wanted:
                self._rows[function].append(row)
        self._from |= dict.fromkeys(wanted, rows)
        for file, by in moves.items():
            lines = sorted(by)
            self._moves[file] = _Moves(lines, [by[line] for line in lines])

    # ---- Lines of inlined functions ----------------------------------------

    def has_lines_of(self, caller: int, callee: int, is_now: bool) -> bool:
        """Whether a caller has lines now, or had them, that are between the callee's."""
        self.find([caller])
        span = self._span(callee, is_now)
        if not span:
            return False
        first, last = span
        file = self._file(callee)
        return any(
            row[1] == file and first <= self._now(row) <= last
            for row in self._rows[caller]
            if not (row[2] if is_now else row[3])
        )

    def _file(self, function: int) -> int:
        """The file that a function is in, as NEW has it."""
        file = self._files[self._matched.functions[function]]
        return self._files_as.get(file, file)

    def _span(self, function: int, is_now: bool) -> tuple[int, int] | None:
        """The first and the last line of a function in its own file, where they are in NEW."""
        if (function, is_now) not in self._spans:
            self.find([function])
            file = self._file(function)
            rows = [row for row in self._rows[function] if row[1] == file]
            lines = [self._now(row) if is_now else row[3] for row in rows if not is_now or row[2]]
            numbers = [line for line in lines if line]
            self._spans[function, is_now] = (min(numbers), max(numbers)) if numbers else None
        return self._spans[function, is_now]

    def _now(self, row: _Row) -> int:
        """Where a line is in NEW; of one that only OLD has, where it would be: its neighbours moved so."""
        _, file, old, new, _, _ = row
        moves = self._moves.get(file)
        if new or not old or not moves:
            return new or old
        return old + moves.near(old)


def _files_as(matched: Matched, sides: Sequence[LineSide]) -> Mapping[int, int]:
    """Files of OLD that have another name in NEW."""
    if not matched.pairs:
        return {}
    key = matched.matching.key
    moved = {key(was): key(now) for was, now in matched.pairs.items()}
    return numbers_of_files(matched.matching, moved, *(side.files for side in sides))


def _whole_files(side: LineSide, files: Set[int]) -> "tuple[Table, list[array[int]]]":
    """The lines of files, of all functions, and their calls."""
    left = side.files_of(files)
    return side.costs(side.functions, left), side.calls(left)


def _unlike(tables: Sequence[Table]) -> set[tuple[int, int]]:
    """Functions that have other lines in NEW than in OLD, and in which files."""
    old, new = (set(zip(*map(table.column, _KEYS))) for table in tables)
    return {(function, file) for function, file, _ in old ^ new}


def _rows(tables: Sequence[Table]) -> Rows:
    """The rows of tables that have none in common."""
    columns = [array("Q") for _ in _KEYS]
    costs = array("Q")
    for table in tables:
        for column, key in zip(columns, _KEYS):
            column += table.column(key)
        costs += table.flat_costs
    return Rows(columns, costs)


def _joined(pairs: Pairs, sides: Sequence[Rows]) -> Iterator[_Row]:
    """The pairs as rows."""
    places = pairs.old, pairs.new

    def column(side: int, key: int, missing: int) -> Iterator[int]:
        numbers = array("Q")
        numbers.frombytes(memoryview(sides[side].keys[key]).cast("B"))
        numbers.append(missing)  # which -1 is the place of
        return map(numbers.__getitem__, places[side])

    functions, files = (
        [
            old if new == NONE else new
            for old, new in zip(column(0, key, NONE), column(1, key, NONE))
        ]
        for key in (0, 1)
    )
    return zip(functions, files, column(0, 2, 0), column(1, 2, 0), *places)


def _cost(rows: Rows, place: int, width: int) -> Cost | None:
    return None if place < 0 else rows.costs[place * width : (place + 1) * width].tolist()
