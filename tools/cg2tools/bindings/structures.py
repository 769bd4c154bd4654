"""The structures of cg2profile.h and cg2debug.h, each under its name in C, with its fields in their order.

    error = cg2p_error()
    width(cg2p_arc, 4), place(cg2p_arc, "callee")       where columns lie in an array of them

The headers say what the fields mean.  tests/library/test_structures.py compares the two.
"""

from __future__ import annotations

import ctypes
from typing import Any

INT = ctypes.c_int
ENUM = ctypes.c_uint
UNSIGNED = ctypes.c_uint
U8 = ctypes.c_uint8
U32 = ctypes.c_uint32
U64 = ctypes.c_uint64
I64 = ctypes.c_int64
SIZE = ctypes.c_size_t
DOUBLE = ctypes.c_double
TEXT = ctypes.c_char_p
ADDRESS = ctypes.c_void_p

REPORT = ctypes.CFUNCTYPE(None, ADDRESS, U64, U64)
"""What is called now and then with how many bytes are read, and of how many."""


def width(structure: Any, size: int) -> int:
    """How many numbers of `size` bytes a structure is."""
    return ctypes.sizeof(structure) // size


def place(structure: Any, field: str) -> int:
    """Which of the numbers of a structure a field is, or the first of a field that is an array.

    They are counted in numbers of the size that the field has, or that the items of the array have.
    """
    kind = dict(structure._fields_)[field]
    item = kind._type_ if issubclass(kind, ctypes.Array) else kind
    return int(getattr(structure, field).offset // ctypes.sizeof(item))


# ---- libcg2profile ---------------------------------------------------------------


class cg2p_error(ctypes.Structure):
    _fields_ = [
        ("kind", ENUM),
        ("code", INT),
        ("line", U64),
        ("text", ctypes.c_char * (4096 + 1024)),
    ]


class cg2p_progress(ctypes.Structure):
    _fields_ = [("report", REPORT), ("data", ADDRESS)]


class cg2p_definition(ctypes.Structure):
    _fields_ = [("name", TEXT), ("long_name", TEXT), ("n_terms", U32)]


class cg2p_function(ctypes.Structure):
    _fields_ = [("object", U32), ("file", U32), ("name", U32)]


class cg2p_arc(ctypes.Structure):
    _fields_ = [("caller", U32), ("callee", U32), ("count", U64)]


class cg2p_graph(ctypes.Structure):
    _fields_ = [
        ("n_events", U32),
        ("n_functions", U32),
        ("n_nodes", U32),
        ("node_of", ADDRESS),
        ("outermost", ADDRESS),
        ("self", ADDRESS),
        ("inclusive", ADDRESS),
        ("cycle", ADDRESS),
        ("n_arcs", U32),
        ("arcs", ADDRESS),
        ("arc_costs", ADDRESS),
        ("n_cycles", U32),
        ("cycle_self", ADDRESS),
        ("cycle_inclusive", ADDRESS),
        ("n_entries", U32),
        ("entries", ADDRESS),
        ("entry_costs", ADDRESS),
    ]


class cg2p_named(ctypes.Structure):
    _fields_ = [("name", TEXT), ("object", TEXT)]


class cg2p_place(ctypes.Structure):
    _fields_ = [("instr", U64), ("line", U64), ("block", U64)]


class cg2p_path(ctypes.Structure):
    _fields_ = [("caller", U32), ("file", U32), ("at", cg2p_place), ("count", U64), ("again", U64)]


class cg2p_line(ctypes.Structure):
    _fields_ = [
        ("kind", ENUM),
        ("file", U32),
        ("at", cg2p_place),
        ("target", cg2p_place),
        ("function", U32),
        ("target_file", U32),
        ("is_conditional", U32),
        ("count", U64),
        ("executed", U64),
        ("cost", ctypes.POINTER(U64)),
    ]


class cg2p_limit(ctypes.Structure):
    _fields_ = [("least", ADDRESS), ("few", SIZE), ("rest", UNSIGNED)]


class cg2p_cells(ctypes.Structure):
    _fields_ = [
        ("n_costs", SIZE),
        ("n_columns", SIZE),
        ("texts", ADDRESS),
        ("remarks", ADDRESS),
        ("headings", ADDRESS),
        ("behind", SIZE),
    ]


class cg2p_annotated(ctypes.Structure):
    _fields_ = [
        ("profile", ADDRESS),
        ("n", SIZE),
        ("addresses", ADDRESS),
        ("files", ADDRESS),
        ("lines", ADDRESS),
        ("costs", ADDRESS),
        ("n_jumps", SIZE),
        ("jump_addresses", ADDRESS),
        ("are_conditional", ADDRESS),
        ("taken", ADDRESS),
        ("executed", ADDRESS),
        ("n_calls", SIZE),
        ("call_addresses", ADDRESS),
        ("call_costs", ADDRESS),
        ("call_texts", ADDRESS),
    ]


class cg2p_question(ctypes.Structure):
    _fields_ = [
        ("kind", ENUM),
        ("keys", UNSIGNED),
        ("function_as", ADDRESS),
        ("target_as", ADDRESS),
        ("file_as", ADDRESS),
        ("each", INT),
        ("of_first", UNSIGNED),
        ("limit", ctypes.POINTER(cg2p_limit)),
    ]


class cg2p_side(ctypes.Structure):
    _fields_ = [("n", SIZE), ("keys", ADDRESS * 3), ("counts", ADDRESS), ("costs", ADDRESS)]


class cg2p_comparison(ctypes.Structure):
    _fields_ = [("n_events", U32), ("factors", ADDRESS), ("lines_move", INT)]


class cg2p_line_calls(ctypes.Structure):
    _fields_ = [
        ("n", SIZE),
        ("functions", ADDRESS),
        ("files", ADDRESS),
        ("lines", ADDRESS),
        ("targets", ADDRESS),
        ("counts", ADDRESS),
    ]


class cg2p_lines(ctypes.Structure):
    _fields_ = [
        ("side", cg2p_side),
        ("calls", ctypes.POINTER(cg2p_line_calls)),
        ("sources", ADDRESS),
        ("n_sources", SIZE),
    ]


class cg2p_matched(ctypes.Structure):
    _fields_ = [
        ("profile", ADDRESS),
        ("part", ADDRESS),
        ("graph", ADDRESS),
        ("files", ADDRESS),
        ("nodes", ADDRESS),
    ]


class cg2p_change(ctypes.Structure):
    _fields_ = [("old_row", SIZE), ("new_row", SIZE)]


class cg2p_explained(ctypes.Structure):
    _fields_ = [("n_graphs", SIZE), ("graphs", ADDRESS), ("functions", ADDRESS)]


class cg2p_piece(ctypes.Structure):
    _fields_ = [("function", U32), ("callee", U32), ("old_count", U64), ("new_count", U64)]


class cg2p_cause(ctypes.Structure):
    _fields_ = [
        ("kind", U32),
        ("function", U32),
        ("callee", U32),
        ("was", U32),
        ("old_count", U64),
        ("new_count", U64),
    ]


class cg2p_inlined_call(ctypes.Structure):
    _fields_ = [("kind", U32), ("function", U32), ("callee", U32), ("outer", U32)]


class cg2p_hints(ctypes.Structure):
    _fields_ = [
        ("functions", ADDRESS),
        ("instructions", U32),
        ("n_inlined", U32),
        ("inlined", ADDRESS),
    ]


class cg2p_stack(ctypes.Structure):
    _fields_ = [
        ("function", U32),
        ("caller", U32),
        ("site_file", U32),
        ("depth", U32),
        ("site_line", U64),
    ]


class cg2p_export(ctypes.Structure):
    _fields_ = [
        ("format", ENUM),
        ("n_events", U32),
        ("events", ctypes.POINTER(U32)),
        ("exporter", TEXT),
        ("full_names", INT),
    ]


class cg2p_branch(ctypes.Structure):
    _fields_ = [
        ("caller", U32),
        ("part", U32),
        ("path", U32),
        ("n", U32),
        ("calls", U64 * 2),
        ("calls_below", U64 * 2),
    ]


class cg2p_form(ctypes.Structure):
    _fields_ = [
        ("events", ADDRESS),
        ("n_events", U32),
        ("columns", UNSIGNED),
        ("leaves_jumps", INT),
    ]


class cg2p_mapping(ctypes.Structure):
    _fields_ = [("texts", ADDRESS), ("functions", ADDRESS), ("files", ADDRESS), ("events", ADDRESS)]


class cg2p_inlined(ctypes.Structure):
    _fields_ = [("name", TEXT), ("file", TEXT), ("address", U64), ("line", U32)]


class cg2p_instance(ctypes.Structure):
    _fields_ = [
        ("outer", U32),
        ("function", U32),
        ("call_file", TEXT),
        ("call_line", U32),
        ("has_marks", U32),
        ("is_rest", U32),
    ]


class cg2p_instruction(ctypes.Structure):
    _fields_ = [
        ("instance", U32),
        ("line", U32),
        ("column", U32),
        ("is_foreign", U32),
        ("is_packed", U32),
    ]


class cg2p_mark(ctypes.Structure):
    _fields_ = [("address", U64), ("function", U32), ("instance", U32)]


class cg2p_inlines(ctypes.Structure):
    _fields_ = [
        ("n_functions", SIZE),
        ("n_instances", SIZE),
        ("n_marks", SIZE),
        ("functions", ctypes.POINTER(cg2p_inlined)),
        ("instances", ctypes.POINTER(cg2p_instance)),
        ("instructions", ctypes.POINTER(cg2p_instruction)),
        ("marks", ctypes.POINTER(cg2p_mark)),
    ]


class cg2p_step(ctypes.Structure):
    _fields_ = [("target", U64), ("length", U32), ("kind", U32)]


class cg2p_code(ctypes.Structure):
    _fields_ = [("steps", ctypes.POINTER(cg2p_step)), ("base", U64)]


class cg2p_span(ctypes.Structure):
    _fields_ = [("first", U64), ("last", U64)]


class cg2p_access(ctypes.Structure):
    _fields_ = [
        ("displacement", I64),
        ("base", U8),
        ("index", U8),
        ("scale", U8),
        ("size", U8),
        ("segment", U8),
        ("loads", U8),
        ("stores", U8),
    ]


class cg2p_operation(ctypes.Structure):
    _fields_ = [
        ("form", TEXT),
        ("step", cg2p_step),
        ("access", cg2p_access),
        ("access2", cg2p_access),
        ("rule_immediate", I64),
        ("rule", U8),
        ("rule_source", U8),
        ("rule_destination", U8),
        ("n_address", U8),
        ("address", U8 * 3),
        ("n_reads", U8),
        ("reads", U8 * 6),
        ("n_writes", U8),
        ("writes", U8 * 5),
        ("is_move", U8),
        ("fuses", U8),
        ("is_vector", U8),
        ("adds_floats", U8),
    ]


class cg2p_bound(ctypes.Structure):
    _fields_ = [
        ("object", U32),
        ("first", U64),
        ("last", U64),
        ("iterations", U64),
        ("cycles", DOUBLE),
        ("chain", DOUBLE),
        ("ports", DOUBLE),
        ("width", DOUBLE),
        ("n_links", SIZE),
        ("links", ADDRESS),
    ]


class cg2p_row(ctypes.Structure):
    _fields_ = [("address", U64), ("end", U64), ("file", U32), ("line", U32)]


class cg2p_routine(ctypes.Structure):
    _fields_ = [("name", TEXT), ("address", U64), ("file", U32), ("line", U32)]


class cg2p_sources(ctypes.Structure):
    _fields_ = [
        ("n_files", SIZE),
        ("n_rows", SIZE),
        ("n_routines", SIZE),
        ("files", ctypes.POINTER(TEXT)),
        ("rows", ctypes.POINTER(cg2p_row)),
        ("routines", ctypes.POINTER(cg2p_routine)),
    ]


class cg2p_body(ctypes.Structure):
    _fields_ = [
        ("name", TEXT),
        ("address", U64),
        ("outer", U32),
        ("line", U32),
        ("call_line", U32),
        ("call_discriminator", U32),
    ]


class cg2p_spot(ctypes.Structure):
    _fields_ = [("body", U32), ("line", U32), ("discriminator", U32), ("copies", U32)]


class cg2p_bodies(ctypes.Structure):
    _fields_ = [
        ("n_bodies", SIZE),
        ("bodies", ctypes.POINTER(cg2p_body)),
        ("spots", ctypes.POINTER(cg2p_spot)),
        ("n_idle", SIZE),
        ("idle", ctypes.POINTER(cg2p_spot)),
    ]


# ---- libcg2debug -----------------------------------------------------------------


class cg2d_member(ctypes.Structure):
    _fields_ = [
        ("name", TEXT),
        ("file", TEXT),
        ("offset", U64),
        ("line", U32),
        ("type", U32),
        ("bit_offset", U32),
        ("bit_size", U32),
    ]


class cg2d_type(ctypes.Structure):
    _fields_ = [
        ("name", TEXT),
        ("file", TEXT),
        ("members", ctypes.POINTER(cg2d_member)),
        ("size", U64),
        ("count", U64),
        ("n_members", U32),
        ("line", U32),
        ("element", U32),
        ("shape", U32),
    ]


class cg2d_static(ctypes.Structure):
    _fields_ = [
        ("name", TEXT),
        ("symbol", TEXT),
        ("file", TEXT),
        ("address", U64),
        ("size", U64),
        ("line", U32),
        ("type", U32),
        ("is_thread_local", U32),
    ]


class cg2d_access(ctypes.Structure):
    _fields_ = [("offset", I64), ("type", U32), ("is_indexed", U32)]


class cg2d_taken(ctypes.Structure):
    _fields_ = [("call", U64), ("function", TEXT), ("file", TEXT), ("line", U32), ("type", U32)]


class cg2d_local(ctypes.Structure):
    _fields_ = [
        ("name", TEXT),
        ("file", TEXT),
        ("low", U64),
        ("high", U64),
        ("offset", I64),
        ("size", U64),
        ("line", U32),
        ("type", U32),
    ]
