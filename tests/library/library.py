"""libcg2profile from Python, for its tests: profiles that it read, as the model that the Python reader makes.

    profile = read(path)            a Profile, or LibraryError
    with reading(path) as handle:   what the other functions take
        write(handle, other)
    class Name(Directory): ...      a test with files of its own
        graph(handle)               a part's call graph
"""

from __future__ import annotations

import ctypes
import os
import tempfile
import unittest
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cg2test import BUILD

from cg2tools.profile.model import (
    Call,
    CostLines,
    EventDefinition,
    FunctionKey,
    Jump,
    Part,
    Profile,
)
from cg2tools.profile.positions import Position

LIBRARY = BUILD / "libcg2profile.so.0"

FUNCTIONS, SUMS, LINES = range(3)  # how much of a file is kept
COST, CALL, JUMP = range(3)  # kinds of lines
MALFORMED, SYSTEM, MEMORY = 1, 2, 3  # kinds of errors
FULL_NAMES, FULL_POSITIONS = 1, 2
INSTR, LINE, BLOCK = 1, 2, 4  # columns of positions
NO_EVENT = (1 << 32) - 1

_U32 = ctypes.c_uint32
_U64 = ctypes.c_uint64
_Size = ctypes.c_size_t
_Text = ctypes.c_char_p
_Pointer = ctypes.c_void_p
Handle = _Pointer


class _Error(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int),
        ("code", ctypes.c_int),
        ("line", _U64),
        ("text", ctypes.c_char * (4096 + 1024)),
    ]


class _Place(ctypes.Structure):
    _fields_ = [("instr", _U64), ("line", _U64), ("block", _U64)]


class _Line(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int),
        ("file", _U32),
        ("at", _Place),
        ("target", _Place),
        ("function", _U32),
        ("target_file", _U32),
        ("is_conditional", _U32),
        ("count", _U64),
        ("executed", _U64),
        ("cost", ctypes.POINTER(_U64)),
    ]


class _Function(ctypes.Structure):
    _fields_ = [("object", _U32), ("file", _U32), ("name", _U32)]


class _Arc(ctypes.Structure):
    _fields_ = [("caller", _U32), ("callee", _U32), ("count", _U64)]


class _Definition(ctypes.Structure):
    _fields_ = [("name", _Text), ("long_name", _Text), ("n_terms", _U32)]


class _Side(ctypes.Structure):
    _fields_ = [
        ("n", _Size),
        ("keys", ctypes.POINTER(_U64) * 3),
        ("counts", ctypes.POINTER(_U64)),
        ("costs", ctypes.POINTER(_U64)),
    ]


class _Comparison(ctypes.Structure):
    _fields_ = [
        ("n_events", _U32),
        ("factors", ctypes.POINTER(ctypes.c_int64)),
        ("lines_move", ctypes.c_int),
    ]


class _Change(ctypes.Structure):
    _fields_ = [("old_row", _Size), ("new_row", _Size)]


class _Graph(ctypes.Structure):
    _fields_ = [
        ("n_events", _U32),
        ("n_functions", _U32),
        ("n_nodes", _U32),
        ("node_of", ctypes.POINTER(_U32)),
        ("outermost", ctypes.POINTER(_U32)),
        ("self", ctypes.POINTER(_U64)),
        ("inclusive", ctypes.POINTER(_U64)),
        ("cycle", ctypes.POINTER(_U32)),
        ("n_arcs", _U32),
        ("arcs", ctypes.POINTER(_Arc)),
        ("arc_costs", ctypes.POINTER(_U64)),
        ("n_cycles", _U32),
        ("cycle_self", ctypes.POINTER(_U64)),
        ("cycle_inclusive", ctypes.POINTER(_U64)),
        ("n_entries", _U32),
        ("entries", ctypes.POINTER(_Arc)),
        ("entry_costs", ctypes.POINTER(_U64)),
    ]


_Report = ctypes.CFUNCTYPE(None, _Pointer, _U64, _U64)


class _Progress(ctypes.Structure):
    _fields_ = [("report", _Report), ("data", _Pointer)]


class _Form(ctypes.Structure):
    _fields_ = [
        ("events", ctypes.POINTER(_Text)),
        ("n_events", _U32),
        ("columns", ctypes.c_uint),
        ("leaves_jumps", ctypes.c_int),
    ]


class _Mapping(ctypes.Structure):
    _fields_ = [
        ("texts", ctypes.POINTER(_Text)),
        ("functions", ctypes.POINTER(_Function)),
        ("files", ctypes.POINTER(_U32)),
        ("events", ctypes.POINTER(_U32)),
    ]


class LibraryError(Exception):
    """An operation of the library failed; `str()` is its message."""

    def __init__(self, error: _Error) -> None:
        super().__init__(error.text.decode("utf-8", "surrogateescape"))
        self.kind = int(error.kind)
        self.code = int(error.code)
        self.line = int(error.line)


def _load() -> ctypes.CDLL:
    library = ctypes.CDLL(str(LIBRARY))
    for name in (
        "read",
        "read_folded",
        "get_part",
        "open_lines",
        "merge_begin",
        "merge_end",
        "compare",
    ):
        getattr(library, f"cg2p_{name}").restype = _Pointer
    for name in ("creator", "command", "column", "event", "borrowed"):
        getattr(library, f"cg2p_{name}").restype = _Text
    for name in ("version", "events_line", "positions_line"):
        getattr(library, f"cg2p_{name}").restype = _U64
    for name in ("part_count", "name_count", "function_count", "arc_count", "change_count"):
        getattr(library, f"cg2p_{name}").restype = _Size
    for name in ("stated", "self_costs", "arc_costs"):
        getattr(library, f"cg2p_{name}").restype = ctypes.POINTER(_U64)
    library.cg2p_event_count.restype = _U32
    library.cg2p_graph_of.restype = ctypes.POINTER(_Graph)
    library.cg2p_node_name.restype = _Pointer
    library.cg2p_name.restype = _Pointer
    library.cg2p_functions.restype = ctypes.POINTER(_Function)
    library.cg2p_arcs.restype = ctypes.POINTER(_Arc)
    library.cg2p_changes.restype = ctypes.POINTER(_Change)
    library.cg2p_term.restype = ctypes.c_int64
    return library


_library = _load()


def _text(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", "surrogateescape")


class Directory(unittest.TestCase):
    """A test with a directory of its own."""

    def setUp(self) -> None:
        if not LIBRARY.exists():
            self.skipTest(f"{LIBRARY} is not built")
        holder = tempfile.TemporaryDirectory(prefix="cg2library-")
        self.addCleanup(holder.cleanup)
        self.directory = Path(holder.name)

    def file(self, name: str, content: bytes) -> Path:
        path = self.directory / name
        path.write_bytes(content)
        return path


# ------------------------------------------------------------ operations


@contextmanager
def reading(
    path: str | Path,
    detail: int = LINES,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[_Pointer]:
    """The library's profile of a file, freed at the end."""
    error = _Error()
    report = _Progress(_Report(lambda _, done, all: progress(done, all) if progress else None))
    handle = _library.cg2p_read(
        os.fsencode(path), detail, ctypes.byref(report) if progress else None, ctypes.byref(error)
    )
    yield from _until_freed(handle, error)


@contextmanager
def reading_folded(path: str | Path, event: str) -> Iterator[_Pointer]:
    """The library's profile of folded stacks, freed at the end."""
    error = _Error()
    handle = _library.cg2p_read_folded(os.fsencode(path), event.encode(), ctypes.byref(error))
    yield from _until_freed(handle, error)


def _until_freed(handle: int | None, error: _Error) -> Iterator[_Pointer]:
    if not handle:
        raise LibraryError(error)
    try:
        yield _Pointer(handle)
    finally:
        _library.cg2p_free(_Pointer(handle))


def read(path: str | Path) -> Profile:
    """A file as the library reads it."""
    with reading(path) as handle:
        return profile_of(handle, str(path))


def write(handle: _Pointer, path: str | Path, form: int = 0) -> None:
    error = _Error()
    if not _library.cg2p_write(handle, os.fsencode(path), form, ctypes.byref(error)):
        raise LibraryError(error)


def merge(paths: Sequence[Path], output: Path) -> None:
    """Write the sum of some files."""
    with Sum() as sums:
        for path in paths:
            with reading(path) as handle:
                sums.add(handle)
        with sums.result() as handle:
            write(handle, output)


class Sum:
    """A sum of profiles that is being made; freed at the end of `with`."""

    def __init__(self) -> None:
        self.merge: _Pointer | None = _Pointer(_library.cg2p_merge_begin())

    def __enter__(self) -> Sum:
        return self

    def __exit__(self, *exception: object) -> None:
        if self.merge:
            _library.cg2p_merge_free(self.merge)

    def _check(self, done: int, error: _Error) -> None:
        if not done:
            raise LibraryError(error)

    def add(self, handle: _Pointer) -> None:
        error = _Error()
        self._check(_library.cg2p_merge_add(self.merge, handle, ctypes.byref(error)), error)

    def begin_part(
        self,
        handle: _Pointer,
        like: int = 0,
        events: Sequence[str] = (),
        columns: int = 0,
        leaves_jumps: bool = False,
    ) -> None:
        error = _Error()
        form = _Form(_texts(events) if events else None, len(events), columns, leaves_jumps)
        begin = _library.cg2p_merge_begin_part
        self._check(
            begin(self.merge, handle, _Size(like), ctypes.byref(form), ctypes.byref(error)), error
        )

    def add_part(
        self,
        handle: _Pointer,
        number: int,
        file_of: Callable[[str], str] | None = None,
        key_of: Callable[[FunctionKey], FunctionKey] | None = None,
        events: Sequence[int] = (),
    ) -> None:
        """Add a part with other names of files and functions, and other events."""
        error = _Error()
        names = [_name(handle, i) for i in range(_library.cg2p_name_count(handle))]
        texts: dict[str, int] = {}
        mapping = _Mapping()
        if key_of:
            keys = _keys(_Pointer(_library.cg2p_get_part(handle, _Size(number))), names)
            functions = [
                _Function(*(texts.setdefault(text, len(texts)) for text in key_of(key)))
                for key in keys
            ]
            mapping.functions = (_Function * len(functions))(*functions)
        if file_of:
            files = [texts.setdefault(file_of(name), len(texts)) for name in names]
            mapping.files = (_U32 * len(files))(*files)
        if events:
            mapping.events = (_U32 * len(events))(*events)
        mapping.texts = _texts(list(texts))
        add = _library.cg2p_merge_add_part
        self._check(
            add(self.merge, handle, _Size(number), ctypes.byref(mapping), ctypes.byref(error)),
            error,
        )

    @contextmanager
    def result(self) -> Iterator[_Pointer]:
        """The sum, freed at the end."""
        error = _Error()
        merge, self.merge = self.merge, None
        handle = _Pointer(_library.cg2p_merge_end(merge, ctypes.byref(error)))
        self._check(bool(handle), error)
        try:
            yield handle
        finally:
            _library.cg2p_free(handle)


def _texts(texts: Sequence[str]) -> ctypes.Array[_Text]:
    return (_Text * len(texts))(*(text.encode("utf-8", "surrogateescape") for text in texts))


# ------------------------------------------------------------ differences

Keys = tuple[int, ...]
Side = dict[Keys, tuple[int, list[int]]]
"""Rows by their keys: count and cost."""


def compare(
    old: Side, new: Side, factors: list[int], lines_move: bool = False
) -> list[tuple[Keys | None, Keys | None]]:
    """The changes, each as the keys of its row in OLD and in NEW."""
    error = _Error()
    how = _Comparison(len(factors), (ctypes.c_int64 * len(factors))(*factors), lines_move)
    sides = [ctypes.byref(_side(side)) for side in (old, new)]
    handle = _library.cg2p_compare(*sides, ctypes.byref(how), ctypes.byref(error))
    if not handle:
        raise LibraryError(error)
    difference = _Pointer(handle)
    rows = [[*side, None] for side in (old, new)]
    none = _Size(-1).value
    found = [
        tuple(
            keys[-1 if row == none else row]
            for keys, row in zip(rows, (change.old_row, change.new_row))
        )
        for change in _library.cg2p_changes(difference)[: _library.cg2p_change_count(difference)]
    ]
    _library.cg2p_difference_free(difference)
    return [(old, new) for old, new in found]


def _side(rows: Side) -> _Side:
    made = _Side(len(rows))
    keys = list(rows)
    for i, column in enumerate(zip(*keys)):
        made.keys[i] = (_U64 * len(keys))(*column)
    counts = [rows[key][0] for key in keys]
    if any(counts):
        made.counts = (_U64 * len(keys))(*counts)
    costs = [number for key in keys for number in rows[key][1]]
    made.costs = (_U64 * len(costs))(*costs)
    return made


# ------------------------------------------------------------ the call graph


class Graph(NamedTuple):
    """All figures of a call graph; an arc is how many calls, and their inclusive cost."""

    self_costs: dict[FunctionKey, list[int]]
    inclusive: dict[FunctionKey, list[int]]
    cycle: dict[FunctionKey, int]
    node_of: dict[FunctionKey, FunctionKey]
    arcs: dict[tuple[FunctionKey, FunctionKey], tuple[int, list[int]]]
    cycles: list[tuple[list[int], list[int]]]  # self, inclusive
    entries: dict[tuple[FunctionKey, int], tuple[int, list[int]]]


def part_count(handle: _Pointer) -> int:
    return int(_library.cg2p_part_count(handle))


def graph(handle: _Pointer, keep_levels: bool = False, number: int = 0) -> Graph:
    """The call graph of part `number`, from 0."""
    error = _Error()
    part = _Pointer(_library.cg2p_get_part(handle, _Size(number)))
    found = _library.cg2p_graph_of(handle, part, int(keep_levels), ctypes.byref(error))
    if not found:
        raise LibraryError(error)
    try:
        names = [_name(handle, i) for i in range(_library.cg2p_name_count(handle))]
        return _graph(found, _keys(part, names))
    finally:
        _library.cg2p_graph_free(found)


def _graph(pointer: Any, keys: list[FunctionKey]) -> Graph:
    found = pointer.contents
    width = found.n_events

    def costs(numbers: Any, n: int) -> list[list[int]]:
        return [numbers[i * width : (i + 1) * width] for i in range(n)]

    def arcs(array: Any, numbers: Any, n: int) -> Iterator[tuple[int, int, int, list[int]]]:
        for arc, cost in zip(array[:n], costs(numbers, n)):
            yield arc.caller, arc.callee, arc.count, cost

    nodes = [
        keys[function]._replace(name=_node_name(pointer, node))
        for node, function in enumerate(found.outermost[: found.n_nodes])
    ]
    assert found.n_functions == len(keys)
    return Graph(
        dict(zip(nodes, costs(found.self, found.n_nodes))),
        dict(zip(nodes, costs(found.inclusive, found.n_nodes))),
        dict(zip(nodes, found.cycle[: found.n_nodes])),
        {key: nodes[node] for key, node in zip(keys, found.node_of[: len(keys)])},
        {
            (nodes[caller], nodes[callee]): (count, cost)
            for caller, callee, count, cost in arcs(found.arcs, found.arc_costs, found.n_arcs)
        },
        [
            *zip(
                costs(found.cycle_self, found.n_cycles),
                costs(found.cycle_inclusive, found.n_cycles),
            )
        ],
        {
            (nodes[caller], cycle): (count, cost)
            for caller, cycle, count, cost in arcs(
                found.entries, found.entry_costs, found.n_entries
            )
        },
    )


def _node_name(found: Any, node: int) -> str:
    length = _Size()
    text = _library.cg2p_node_name(found, _U32(node), ctypes.byref(length))
    return _text(ctypes.string_at(text, length.value))


# ------------------------------------------------------------ what was read


def profile_of(handle: _Pointer, path: str) -> Profile:
    """All that the library says of a profile."""
    profile = Profile(path, _library.cg2p_version(handle), _text(_library.cg2p_creator(handle)))
    names = [_name(handle, i) for i in range(_library.cg2p_name_count(handle))]
    for i in range(_library.cg2p_part_count(handle)):
        part = _Pointer(_library.cg2p_get_part(handle, _Size(i)))
        profile.parts.append(_part(part, path, names))
    return profile


def self_costs(handle: _Pointer) -> list[dict[FunctionKey, list[int]]]:
    """What the functions of each part cost, as the library added up while it read."""
    names = [_name(handle, i) for i in range(_library.cg2p_name_count(handle))]
    parts = []
    for i in range(_library.cg2p_part_count(handle)):
        part = _Pointer(_library.cg2p_get_part(handle, _Size(i)))
        width, costs = _width(part), _library.cg2p_self_costs(part)
        found = enumerate(_keys(part, names))
        parts.append({key: costs[n * width : (n + 1) * width] for n, key in found})
    return parts


def _keys(part: _Pointer, names: list[str]) -> list[FunctionKey]:
    functions = _library.cg2p_functions(part)[: _library.cg2p_function_count(part)]
    return [FunctionKey(names[f.object], names[f.file], names[f.name]) for f in functions]


def _name(handle: _Pointer, number: int) -> str:
    length = _Size()
    text = _library.cg2p_name(handle, _U32(number), ctypes.byref(length))
    return _text(ctypes.string_at(text, length.value))


def _part(part: _Pointer, path: str, names: list[str]) -> Part:
    made = Part(path)
    _read_header(part, made)
    width = len(made.events)
    keys = _keys(part, names)
    for number, key in enumerate(keys):
        _read_lines(part, made, number, key, keys, names)
    _check_sums(part, made, keys, width)
    return made


def _read_header(part: _Pointer, made: Part) -> None:
    number = _U64()
    for which, name in enumerate(("pid", "part", "thread")):
        if _library.cg2p_header(part, which, ctypes.byref(number)):
            setattr(made, name, number.value)
    made.cmd = _text(_library.cg2p_command(part))
    first, second, i = _Text(), _Text(), 0
    while _library.cg2p_description(part, _Size(i), ctypes.byref(first), ctypes.byref(second)):
        made.descriptions[_text(first.value)] = _text(second.value)
        i += 1
    i = 0
    while _library.cg2p_skipped(part, _Size(i), ctypes.byref(first), ctypes.byref(number)):
        made.skipped[_text(first.value)] = number.value
        i += 1
    made.positions = []
    while (column := _library.cg2p_column(part, _Size(len(made.positions)))) is not None:
        made.positions.append(_text(column))
    made.events = [_text(_library.cg2p_event(part, i)) for i in range(_width(part))]
    made.event_definitions = {definition.name: definition for definition in _definitions(part)}
    for which, name in enumerate(("summary", "totals")):
        cost = _library.cg2p_stated(part, which, ctypes.byref(number))
        if cost:
            setattr(made, name, cost[: _width(part)])
            made.line_of[name] = number.value
    borrowed = _library.cg2p_borrowed(part, ctypes.byref(number))
    made.borrowed = None if borrowed is None else (number.value, _text(borrowed))


def _width(part: _Pointer) -> int:
    return int(_library.cg2p_event_count(part))


def _definitions(part: _Pointer) -> Iterator[EventDefinition]:
    found, event, i = _Definition(), _Text(), 0
    while _library.cg2p_definition_at(part, _Size(i), ctypes.byref(found)):
        terms = []
        for term in range(found.n_terms):
            factor = _library.cg2p_term(part, _Size(i), _U32(term), ctypes.byref(event))
            terms.append((int(factor), _text(event.value)))
        yield EventDefinition(_text(found.name), terms, _text(found.long_name))
        i += 1


def _read_lines(
    part: _Pointer,
    made: Part,
    number: int,
    key: FunctionKey,
    keys: list[FunctionKey],
    names: list[str],
) -> None:
    function = made.function_of(key)
    cursor = _Pointer(_library.cg2p_open_lines(part, _U32(number)))
    line = _Line()
    while _library.cg2p_next_line(cursor, ctypes.byref(line)):
        at = Position(names[line.file], line.at.instr, line.at.line, line.at.block)
        cost = line.cost[: len(made.events)]
        if line.kind == COST:
            function.add_lines(CostLines(at.file, [[number] for number in at[1:]], [cost]))
            continue
        target = (line.target.instr, line.target.line, line.target.block)
        other = keys[line.function]
        if line.kind == CALL:
            function.calls.append(
                Call(key, other, line.count, at, Position(other.file, *target), cost)
            )
        else:
            to = Position(names[line.target_file], *target)
            function.jumps.append(
                Jump(key, other, at, to, line.count, line.executed, bool(line.is_conditional))
            )
    _library.cg2p_close_lines(cursor)


def _check_sums(part: _Pointer, made: Part, keys: list[FunctionKey], width: int) -> None:
    """What the library added up while it read is what its lines add up to."""
    costs = _library.cg2p_self_costs(part)
    for number, key in enumerate(keys):
        stated = costs[number * width : (number + 1) * width]
        assert made.functions[key].self_cost() == stated, key
    arcs: dict[tuple[FunctionKey, FunctionKey], list[int]] = {}
    for function in made.functions.values():
        for call in function.calls:
            sums = arcs.setdefault((call.caller, call.callee), [0] * (width + 1))
            for i, number in enumerate([call.count, *call.inclusive]):
                sums[i] += number
    found, costs = _library.cg2p_arcs(part), _library.cg2p_arc_costs(part)
    stated_arcs: dict[tuple[FunctionKey, FunctionKey], Any] = {
        (keys[found[i].caller], keys[found[i].callee]): [
            found[i].count,
            *costs[i * width : (i + 1) * width],
        ]
        for i in range(_library.cg2p_arc_count(part))
    }
    assert stated_arcs == arcs
