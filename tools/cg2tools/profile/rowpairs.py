"""The pairs of rows of two tables that differ, as the library finds them."""

import ctypes
from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from cg2tools.profile.libcg2profile import Error, library, numbers_at, raise_error

_Pointer = ctypes.c_void_p
_KEYS = 3  # the most that rows have

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


class _Side(ctypes.Structure):
    _fields_ = [
        ("n", ctypes.c_size_t),
        ("keys", _Pointer * _KEYS),
        ("counts", _Pointer),
        ("costs", _Pointer),
    ]


class _Comparison(ctypes.Structure):
    _fields_ = [
        ("n_events", ctypes.c_uint32),
        ("factors", _Pointer),
        ("lines_move", ctypes.c_int),
    ]


def differences(old: Rows, new: Rows, factors: Sequence[int], lines_move: bool = False) -> Pairs:
    """The rows that differ, what has most effect on the events first: each counts
    so often as its factor says.

    With `lines_move`, the last key is a line of source code, and lines that moved
    are compared where they are in NEW, as `cg2p_comparison` in cg2profile/difference.h says.
    """
    found, error = library(), Error()
    limited = array("q", [min(max(factor, _LEAST_FACTOR), _MOST_FACTOR) for factor in factors])
    how = _Comparison(len(factors), limited.buffer_info()[0], lines_move)
    sides = [ctypes.byref(_side(rows)) for rows in (old, new)]
    address = found.cg2p_difference_new(*sides, ctypes.byref(how), ctypes.byref(error))
    if not address:
        raise_error(error, "the difference")
    handle = _Pointer(address)
    try:
        count = 2 * found.cg2p_difference_change_count(handle)
        rows = numbers_at(
            found.cg2p_difference_changes(handle), count, "l"
        )  # size_t, -1 for the largest
    finally:
        found.cg2p_difference_free(handle)
    return Pairs(rows[0::2], rows[1::2])


def _side(rows: Rows) -> _Side:
    made = _Side(len(rows.keys[0]))
    for i, column in enumerate(rows.keys):
        made.keys[i] = column.buffer_info()[0]
    made.costs = rows.costs.buffer_info()[0]
    if rows.counts is not None:
        made.counts = rows.counts.buffer_info()[0]
    return made
