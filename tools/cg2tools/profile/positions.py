"""Positions: places in a program, and the columns that they are in a file.

A position is a source file and some numbers.  COLUMNS is the one list of these
numbers; reader and writer go through it, and whoever adds a number adds it there
and to Position.
"""

from typing import NamedTuple


class Position(NamedTuple):
    """A place in the program.  A number the profile does not give is 0."""

    file: str
    instr: int
    line: int
    block: int = 0
    """The first instruction of the basic block."""


NUMBERS = Position._fields[1:]
"""What a position has beside its file."""


class Column(NamedTuple):
    """A number of a position, as the header's `positions:` line names it."""

    name: str
    place: int
    """Which of a Position's NUMBERS the column is."""
    is_address: bool
    """Addresses are written in hexadecimal, lines in decimal."""


def _column(name: str, field: str, is_address: bool) -> Column:
    return Column(name, NUMBERS.index(field), is_address)


COLUMNS = (
    _column("instr", "instr", True),
    _column("addr", "instr", True),  # another name for "instr"
    _column("bb", "block", True),
    _column("line", "line", False),
)
"""All columns, in the order in which they stand in a line."""


def columns_named(names: list[str]) -> list[Column] | None:
    """The columns that a `positions:` line names, or None if there are no such lines.

    A line names at least one column, in the order of COLUMNS, and no number twice.
    """
    columns = [column for column in COLUMNS if column.name in names]
    is_proper = [column.name for column in columns] == names and names
    places = {column.place for column in columns}
    return columns if is_proper and len(places) == len(columns) else None
