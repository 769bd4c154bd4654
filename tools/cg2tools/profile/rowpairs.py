"""The pairs of rows of two tables that differ, as the library finds them."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from cg2tools.bindings.interface import column_at, profile_library, reference
from cg2tools.bindings.structures import (
    ADDRESS,
    cg2p_change,
    cg2p_comparison,
    cg2p_error,
    cg2p_side,
)
from cg2tools.profile.libcg2profile import raise_error


_LEAST_FACTOR, _MOST_FACTOR = -(1 << 63), (1 << 63) - 1


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one side of a comparison: columns of equal length."""

    keys: "Sequence[array[int]]"
    """What is the same thing has the same numbers in both sides."""
    costs: "array[int]"
    """The costs of the rows, one behind the other."""
    counts: "array[int] | None" = None


@dataclass(frozen=True, slots=True)
class Pairs:
    """Changes: columns of equal length, of row numbers; -1: there is no row."""

    old: "array[int]"
    new: "array[int]"


def differences(old: Rows, new: Rows, factors: Sequence[int], lines_move: bool = False) -> Pairs:
    """The rows that differ, what has most effect on the events first: each counts
    so often as its factor says.

    With `lines_move`, the last key is a line of source code, and lines that moved
    are compared where they are in NEW, as `cg2p_comparison` in cg2profile/difference.h says.
    """
    found, error = profile_library(), cg2p_error()
    limited = array("q", [min(max(factor, _LEAST_FACTOR), _MOST_FACTOR) for factor in factors])
    how = cg2p_comparison(len(factors), limited.buffer_info()[0], lines_move)
    sides = [reference(_side(rows)) for rows in (old, new)]
    address = found.cg2p_difference_new(*sides, reference(how), reference(error))
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


def _side(rows: Rows) -> cg2p_side:
    made = cg2p_side(len(rows.keys[0]))
    for i, column in enumerate(rows.keys):
        made.keys[i] = column.buffer_info()[0]
    made.costs = rows.costs.buffer_info()[0]
    if rows.counts is not None:
        made.counts = rows.counts.buffer_info()[0]
    return made
