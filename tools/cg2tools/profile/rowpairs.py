"""The pairs of rows of two tables that differ, as the library finds them."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from cg2tools.bindings.interface import (
    address_at,
    address_behind,
    address_of,
    column_at,
    paths_as_array,
    pointer,
    profile_library,
    reference,
)
from cg2tools.bindings.structures import (
    ADDRESS,
    cg2p_change,
    cg2p_comparison,
    cg2p_error,
    cg2p_line_calls,
    cg2p_lines,
    cg2p_side,
)
from cg2tools.profile.libcg2profile import raise_error


_LEAST_FACTOR, _MOST_FACTOR = -(1 << 63), (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one side of a comparison: columns of equal length."""

    keys: "Sequence[array[int] | memoryview]"
    """What is the same thing has the same numbers in both sides."""
    costs: "array[int] | memoryview"
    """The costs of the rows, one behind the other."""
    counts: "array[int] | None" = None


@dataclass(frozen=True, slots=True)
class LineFacts:
    """What is known of the lines of one side, besides what they cost."""

    calls: "Sequence[array[int]]" = ()
    """Columns of calls: functions that call, files, lines, functions called, how often."""
    sources: Sequence[str | None] = ()
    """Where the source of each file is, by the file's number; None where that is not known of both."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Changes: columns of equal length, of row numbers; -1: there is no row."""

    old: "array[int]"
    new: "array[int]"


def differences(
    old: Rows, new: Rows, factors: Sequence[int], facts: Sequence[LineFacts] = ()
) -> Pairs:
    """The rows that differ, what has most effect on the events first: each counts
    so often as its factor says.

    With facts of both sides, the last key is a line of source code, and lines that moved
    are compared where they are in NEW, as `cg2p_comparison` in cg2profile/difference.h says.
    """
    found, error = profile_library(), cg2p_error()
    limited = array("q", [min(max(factor, _LEAST_FACTOR), _MOST_FACTOR) for factor in factors])
    how = cg2p_comparison(len(factors), limited.buffer_info()[0], bool(facts))
    known = facts or (LineFacts(), LineFacts())
    sides = [_lines(rows, each) for rows, each in zip((old, new), known)]
    address = found.cg2p_difference_new_of_lines(
        *map(reference, sides), reference(how), reference(error)
    )
    if not address:
        raise_error(error, "the difference")
    handle = ADDRESS(address)
    try:
        changes = found.cg2p_difference_changes(handle), found.cg2p_difference_change_count(handle)
        # Signed: the largest number, which is no row, is -1.
        return Pairs(
            *(column_at(cg2p_change, side, *changes, "q") for side in ("old_row", "new_row"))
        )
    finally:
        found.cg2p_difference_free(handle)


def moved_files(old: Rows, new: Rows, count: int) -> bytearray:
    """1 for each of `count` files whose lines may have moved; rows of lines are in order."""
    moved = bytearray(count)
    sides = reference(_side(old)), reference(_side(new))
    marks = address_behind(moved, 0) if moved else None
    profile_library().cg2p_difference_mark_moved(*sides, ADDRESS(marks))
    return moved


def _side(rows: Rows) -> cg2p_side:
    made = cg2p_side(len(rows.keys[0]))
    for i, column in enumerate(rows.keys):
        made.keys[i] = address_of(column)
    made.costs = address_of(rows.costs)
    made.counts = address_of(rows.counts)
    return made


def _lines(rows: Rows, facts: LineFacts) -> cg2p_lines:
    """What the library is told of a side; it keeps the texts that it points to."""
    made = cg2p_lines(_side(rows), n_sources=len(facts.sources))
    if facts.calls:
        columns = [column.buffer_info()[0] for column in facts.calls]
        made.calls = pointer(cg2p_line_calls(len(facts.calls[0]), *columns))
    if facts.sources:
        made.paths = paths_as_array(facts.sources)
        made.sources = address_at(made.paths)
    return made
