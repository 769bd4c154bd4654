"""Positions: places in a program.  Whoever adds a number to cg2p_place adds it here."""

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
