"""The libraries as Python calls them: their functions, and what is copied out of them.

    profile_library().cg2p_profile_read(path, ..., reference(error))
    numbers_at(address, length)         an array
    text_of(value)                      a str
"""

from __future__ import annotations

import ctypes
import errno
import os
from array import array
from collections.abc import Sequence
from functools import cache
from typing import Any

from cg2tools.bindings.libpath import library_path
from cg2tools.bindings.structures import (
    ENUM,
    I64,
    ADDRESS,
    SIZE,
    TEXT,
    U32,
    U64,
    cg2d_local,
    cg2d_static,
    cg2d_taken,
    cg2d_type,
    place,
    width,
)

Results = tuple[tuple[Any, str], ...]

PROFILE_RESULTS: Results = (
    (
        ADDRESS,
        "cg2p_profile_read cg2p_profile_read_folded cg2p_profile_read_paths cg2p_profile_part"
        " cg2p_merge_new cg2p_merge_end cg2p_profile_name cg2p_part_functions cg2p_part_arcs"
        " cg2p_part_stated_cost cg2p_part_self_costs cg2p_part_arc_costs cg2p_table_new"
        " cg2p_table_new_of_calls cg2p_table_keys cg2p_table_counts cg2p_table_executed"
        " cg2p_table_costs cg2p_table_rest cg2p_graph_new cg2p_graph_node_name"
        " cg2p_difference_new cg2p_difference_new_of_lines cg2p_difference_changes"
        " cg2p_matching_new cg2p_matching_new_of_graphs cg2p_matching_functions"
        " cg2p_matching_sides cg2p_matching_nodes cg2p_matching_files cg2p_matching_name"
        " cg2p_stacks_new cg2p_stacks_array"
        " cg2p_stacks_inclusive_costs cg2p_stacks_function_name cg2p_cursor_new"
        " cg2p_display_new cg2p_inlining_new cg2p_inlining_addresses cg2p_inlining_end"
        " cg2p_part_paths cg2p_pathtree_new cg2p_pathtree_branches cg2p_pathtree_self_costs"
        " cg2p_pathtree_inclusive_costs cg2p_feedback_new cg2p_feedback_addresses"
        " cg2p_explanation_new cg2p_explanation_pieces cg2p_explanation_costs"
        " cg2p_explanation_calls cg2p_explanation_self_costs"
        " cg2p_causes_new cg2p_causes_all cg2p_causes_costs"
        " cg2p_core_open cg2p_cycles_new cg2p_cycles_addresses cg2p_cycles_end"
        " cg2p_cycles_bounds cg2p_listing_new cg2p_listing_addresses"
        " cg2p_listing_texts cg2p_listing_show cg2p_annotation_new cg2p_annotation_text"
        " cg2p_annotation_digits cg2p_annotation_costs",
    ),
    (
        TEXT,
        "cg2p_profile_creator cg2p_part_command cg2p_part_column cg2p_part_event"
        " cg2p_part_borrowed_id cg2p_display_name cg2p_profile_cut_off"
        " cg2p_core_name cg2p_core_machine cg2p_core_code cg2p_core_measured",
    ),
    (
        U64,
        "cg2p_profile_version cg2p_profile_version_line cg2p_part_events_line"
        " cg2p_part_positions_line cg2p_stacks_apportioned cg2p_explanation_uncounted",
    ),
    (
        SIZE,
        "cg2p_profile_part_count cg2p_profile_name_count cg2p_profile_copy_names"
        " cg2p_profile_find_names"
        " cg2p_part_function_count cg2p_part_arc_count cg2p_table_row_count"
        " cg2p_difference_change_count cg2p_matching_count cg2p_matching_copy_names"
        " cg2p_stacks_count cg2p_stacks_above"
        " cg2p_stacks_place_count cg2p_part_functions_with_lines cg2p_inlining_object_count"
        " cg2p_pathtree_branch_count cg2p_pathtree_above cg2p_explanation_piece_count"
        " cg2p_causes_count"
        " cg2p_cycles_object_count cg2p_listing_count cg2p_annotation_unlisted",
    ),
    (
        U32,
        "cg2p_part_event_count cg2p_graph_find_dearest cg2p_stacks_place cg2p_inlining_object_name"
        " cg2p_cycles_object_name",
    ),
    (
        I64,
        "cg2p_part_term",
    ),
    (ENUM, "cg2p_stacks_chains"),
)
"""What functions of libcg2profile give that give no int."""

DEBUG_RESULTS: Results = (
    (
        ADDRESS,
        "cg2d_object_open cg2d_object_open_code cg2d_object_open_inlines"
        " cg2d_object_inlines cg2d_object_operations cg2d_symbol_demangle",
    ),
    (ctypes.POINTER(cg2d_static), "cg2d_object_statics"),
    (ctypes.POINTER(cg2d_type), "cg2d_object_type"),
    (ctypes.POINTER(cg2d_taken), "cg2d_object_taken"),
    (ctypes.POINTER(cg2d_local), "cg2d_object_locals"),
    (U32, "cg2d_object_find_type"),
)
"""What functions of libcg2debug give that give no int."""

DEBUG_LIBRARY = "libcg2debug.so.0"


@cache
def profile_library() -> Any:
    """libcg2profile; FileNotFoundError if it was not built, or is of another version."""
    return _loaded(
        "libcg2profile.so.1",
        PROFILE_RESULTS,
        "the library of the commands, which ./bootstrap build makes",
    )


@cache
def debug_library() -> Any:
    """libcg2debug; FileNotFoundError if it was not built, or is of another version."""
    return _loaded(
        DEBUG_LIBRARY,
        DEBUG_RESULTS,
        "the library that reads debug information, which is built"
        " where libdw and capstone are (Debian: apt-get install libcapstone-dev libdw-dev)",
    )


def _loaded(name: str, results: Results, expected: str) -> Any:
    path = library_path(name)
    try:
        loaded = ctypes.CDLL(str(path))
        for result, names in results:
            for function in names.split():
                getattr(loaded, function).restype = result
    except (OSError, AttributeError) as error:
        said = f"cannot be used ({error})" if path.exists() else "was not built"
        raise FileNotFoundError(errno.ENOENT, f"{said}; expected {expected}", str(path)) from error
    return loaded


# ---- What goes in ----------------------------------------------------------------


def reference(value: Any) -> Any:
    """A structure or a number as a function takes it that reads it or fills it in."""
    return ctypes.byref(value)


def address_at(value: Any) -> int:
    """Where a structure or an array of the library's is."""
    return ctypes.addressof(value)


def paths_as_array(paths: Sequence[str | None]) -> Any:
    """An array of paths, None where there is none; it keeps them."""
    return (ctypes.c_char_p * len(paths))(
        *(None if path is None else os.fsencode(path) for path in paths)
    )


def pointer(value: Any) -> Any:
    """Where a structure lies, as a field of another."""
    return ctypes.pointer(value)


def row(kind: Any, numbers: Sequence[Any]) -> Any:
    """Structures or numbers of a kind, one behind the other."""
    return (kind * len(numbers))(*numbers)


def room_for(kind: Any, count: int) -> Any:
    """Room for so many structures or numbers of a kind, all 0."""
    return (kind * count)()


def zeros(length: int, code: str = "Q") -> "array[int]":
    """Room for so many numbers, all 0: "Q" of 64 bits, "I" of 32."""
    return array(code, bytes(length * array(code).itemsize))


def address_of(numbers: "array[int] | memoryview | None") -> int | None:
    """Where numbers lie, as long as nothing is added to them; None: nowhere."""
    if isinstance(numbers, memoryview):
        return ctypes.addressof(ctypes.c_char.from_buffer(numbers)) if numbers else None
    return None if numbers is None else numbers.buffer_info()[0]


def address_behind(letters: bytearray, start: int) -> int:
    """Where the bytes from `start` on lie, one at least, as long as none is added."""
    return ctypes.addressof(ctypes.c_char.from_buffer(letters, start))


def address_of_bytes(letters: bytes) -> int | None:
    """Where letters lie, as long as they are there."""
    return ctypes.cast(TEXT(letters), ADDRESS).value


# ---- What comes out --------------------------------------------------------------


def text_of(value: bytes | bytearray | None) -> str:
    """A text of a library's, as Python has it: bytes that are no UTF-8 are kept."""
    return (value or b"").decode("utf-8", "surrogateescape")


def text_at(address: int, length: int) -> str:
    """A text of a library's that may have a 0 in it, or none behind it."""
    return text_of(ctypes.string_at(address, length))


_LARGE = 1 << 16
"""Bytes that are not copied twice."""


def numbers_at(address: int | None, length: int, code: str = "Q") -> "array[int]":
    """A copy of `length` numbers of a library's: "Q" of 64 bits, "I" of 32."""
    if not address:
        return array(code)
    found = array(code)
    size = length * found.itemsize
    if size < _LARGE:  # a type for each size would take longer than a second copy
        found.frombytes(ctypes.string_at(address, size))
    else:
        found.frombytes((ctypes.c_char * size).from_address(address))
    return found


def column_at(
    structure: Any, field: str, address: int | None, length: int, code: str = ""
) -> "array[int]":
    """A copy of one field of `length` structures: numbers of 32 or 64 bits, "I" or "Q" if not said."""
    size = getattr(structure, field).size
    code = code or {4: "I", 8: "Q"}[size]
    numbers = numbers_at(address, length * width(structure, size), code)
    return numbers[place(structure, field) :: width(structure, size)]


def view_at(address: int | None, length: int, code: str = "Q", owner: object = None) -> memoryview:
    """The same numbers where they are, as long as the library has them; the view keeps `owner`."""
    size = length * array(code).itemsize
    if not size:
        return memoryview(array(code))
    numbers: Any = (ctypes.c_char * size).from_address(address or 0)
    numbers.owner = owner
    return memoryview(numbers).cast("B").cast(code)


def structure_at(structure: Any, address: int) -> Any:
    """A structure where it is, as long as the library has it."""
    return structure.from_address(address)
