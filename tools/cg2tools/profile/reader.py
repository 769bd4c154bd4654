"""Reads profiles in the Callgrind format: makes the model of what the library has read.

Each file is read whole, and what it says is checked; what is no proper profile is a
ProfileError. A function's lines become objects when one asks for them.
"""

import os
import re
from bisect import bisect_left, bisect_right
from itertools import groupby

from cg2tools.profile import library
from cg2tools.profile.library import LibraryPart, Progress, Table
from cg2tools.profile.model import Call, CostLines, Function, FunctionKey, Jump, Part, Profile
from cg2tools.profile.positions import Position

_AT = library.BY_FUNCTION | library.BY_FILE | library.BY_LINE | library.BY_INSTR | library.BY_BLOCK
_CALLEE = (
    library.BY_TARGET | library.BY_TARGET_LINE | library.BY_TARGET_INSTR | library.BY_TARGET_BLOCK
)
_TARGET = _CALLEE | library.BY_TARGET_FILE | library.BY_CONDITION


def read_profile(path: str | os.PathLike[str], progress: Progress | None = None) -> Profile:
    """Read a file, which gzip or zstd may have compressed, or a pipe.

    `progress` is called now and then, with how much is read and how much there is.
    """
    found = library.read(path, progress)
    return Profile(found.path, found.version, found.creator, list(map(_part, found.parts)))


def is_profile(path: str | os.PathLike[str]) -> bool:
    """Whether a file looks like a profile, as viewers decide it."""
    try:
        with open(path, "rb") as stream:
            start = stream.read(2047)
    except OSError:
        return False
    return (
        start.startswith(b"# callgrind format")
        or re.search(rb"^(events|creator):", start, re.MULTILINE) is not None
    )


def _part(found: LibraryPart) -> Part:
    part = found.header()
    keys = found.functions()
    lines = _Lines(found, keys)
    part.functions = {
        key: Function(key, found.width, cost, lines) for key, cost in zip(keys, found.self_costs())
    }
    return part


class _Lines:
    """The lines of a part's functions: all are taken from the library at once."""

    def __init__(self, part: LibraryPart, keys: list[FunctionKey]) -> None:
        self.part = part
        self.keys = keys
        self.numbers = {key: number for number, key in enumerate(keys)}
        self._tables: list[Table] = []

    def fill(self, function: Function) -> None:
        if not self._tables:
            kinds = (
                (library.COST, _AT),
                (library.CALL, _AT | _CALLEE),
                (library.JUMP, _AT | _TARGET),
            )
            self._tables = [self.part.add_up(*kind, each=True) for kind in kinds]
        number = self.numbers[function.key]
        costs, calls, jumps = self._tables
        self._add_costs(function, costs, *_rows(costs, number))
        self._add_calls(function, calls, *_rows(calls, number))
        self._add_jumps(function, jumps, *_rows(jumps, number))

    def _add_costs(self, function: Function, table: Table, first: int, end: int) -> None:
        files = table.column(library.BY_FILE)[first:end]
        for file, rows in groupby(range(first, end), key=lambda row: files[row - first]):
            start = next(rows)
            stop = start + 1 + sum(1 for _ in rows)
            columns = [
                table.column(key)[start:stop]
                for key in (library.BY_INSTR, library.BY_LINE, library.BY_BLOCK)
            ]
            function.add_lines(
                CostLines(self.part.profile.names[file], columns, table.costs(start, stop))
            )

    def _add_calls(self, function: Function, table: Table, first: int, end: int) -> None:
        costs = table.costs(first, end)
        for row in range(first, end):
            callee = self.keys[table.column(library.BY_TARGET)[row]]
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
            file = self.part.profile.names[table.column(library.BY_TARGET_FILE)[row]]
            function.jumps.append(
                Jump(
                    function.key,
                    self.keys[table.column(library.BY_TARGET)[row]],
                    self._source(table, row),
                    _target(table, row, file),
                    table.counts[row],
                    table.executed[row],
                    bool(table.column(library.BY_CONDITION)[row]),
                )
            )

    def _source(self, table: Table, row: int) -> Position:
        return Position(
            self.part.profile.names[table.column(library.BY_FILE)[row]],
            table.column(library.BY_INSTR)[row],
            table.column(library.BY_LINE)[row],
            table.column(library.BY_BLOCK)[row],
        )


def _target(table: Table, row: int, file: str) -> Position:
    return Position(
        file,
        table.column(library.BY_TARGET_INSTR)[row],
        table.column(library.BY_TARGET_LINE)[row],
        table.column(library.BY_TARGET_BLOCK)[row],
    )


def _rows(table: Table, function: int) -> tuple[int, int]:
    """The first row of a function, and behind the last."""
    functions = table.column(library.BY_FUNCTION)
    first = bisect_left(functions, function)
    return first, bisect_right(functions, function, first)
