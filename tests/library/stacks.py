"""The stacks of libcg2profile from Python, for its tests.

    with reading(path) as handle, making(handle, smallest, by_line) as stacks:
        told(handle, stacks)                    all that the library says of them
        write(stacks, FOLDED, [0], path)
    graph(number), choices(number)              profiles whose stacks are stored, and what is asked of each
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import library
from profiletexts import Chance

NONE = 0xFFFFFFFF
FOLDED, SPEEDSCOPE, CHROME, PPROF = FORMATS = range(4)
EXPORTER = "cg2_convert 0.1"

_U32 = ctypes.c_uint32
_U64 = ctypes.c_uint64
_Size = ctypes.c_size_t
_Pointer = ctypes.c_void_p


class _Stack(ctypes.Structure):
    _fields_ = [
        ("function", _U32),
        ("caller", _U32),
        ("site_file", _U32),
        ("depth", _U32),
        ("site_line", _U64),
    ]


class _Export(ctypes.Structure):
    _fields_ = [
        ("format", ctypes.c_int),
        ("n_events", _U32),
        ("events", ctypes.POINTER(_U32)),
        ("exporter", ctypes.c_char_p),
    ]


def _load() -> Any:
    loaded = library._library
    for name in ("stacks_make", "stack_function_name"):
        getattr(loaded, f"cg2p_{name}").restype = _Pointer
    for name in ("stack_count", "stack_place_count"):
        getattr(loaded, f"cg2p_{name}").restype = _Size
    for name in ("stack_self_costs", "stack_inclusive_costs"):
        getattr(loaded, f"cg2p_{name}").restype = ctypes.POINTER(_U64)
    loaded.cg2p_stack_array.restype = ctypes.POINTER(_Stack)
    loaded.cg2p_stacks_apportioned.restype = _U64
    loaded.cg2p_stack_place.restype = _U32
    return loaded


_library = _load()


class Stack(NamedTuple):
    """A stack: names from the outermost on, file and line of the call, and costs."""

    names: list[str]
    site: tuple[str, int] | None
    self_cost: list[int]
    inclusive: list[int]
    places: list[tuple[tuple[str, int], list[int]]]


@contextmanager
def making(handle: _Pointer, smallest: float, by_line: bool) -> Iterator[_Pointer]:
    """The stacks of a profile's first part, freed at the end."""
    error = library._Error()
    stacks = _Pointer(
        _library.cg2p_stacks_make(
            handle, _part(handle), ctypes.c_double(smallest), int(by_line), ctypes.byref(error)
        )
    )
    if not stacks:
        raise library.LibraryError(error)
    try:
        yield stacks
    finally:
        _library.cg2p_stacks_free(stacks)


def write(stacks: _Pointer, to: int, events: Sequence[int], path: Path) -> None:
    error = library._Error()
    how = _Export(to, len(events), (_U32 * len(events))(*events), EXPORTER.encode())
    if not _library.cg2p_stacks_write(
        stacks, ctypes.byref(how), str(path).encode(), ctypes.byref(error)
    ):
        raise library.LibraryError(error)


def apportioned(stacks: _Pointer) -> int:
    return int(_library.cg2p_stacks_apportioned(stacks))


def told(handle: _Pointer, stacks: _Pointer) -> list[Stack]:
    """All stacks, in the library's order."""
    width = _library.cg2p_event_count(_part(handle))
    names = [library._name(handle, i) for i in range(_library.cg2p_name_count(handle))]
    array = _library.cg2p_stack_array(stacks)
    own = _library.cg2p_stack_self_costs(stacks)
    inclusive = _library.cg2p_stack_inclusive_costs(stacks)
    found: list[Stack] = []
    for number in range(_library.cg2p_stack_count(stacks)):
        stack = array[number]
        callers = [] if stack.caller == NONE else found[stack.caller].names
        assert stack.depth == len(callers)
        site = None if stack.site_file == NONE else (names[stack.site_file], stack.site_line)
        span = slice(number * width, (number + 1) * width)
        places = _places(stacks, names, number, stack.function, width)
        path = [*callers, _function_name(stacks, stack.function)]
        found.append(Stack(path, site, own[span], inclusive[span], places))
    return found


def _part(handle: _Pointer) -> _Pointer:
    return _Pointer(_library.cg2p_get_part(handle, _Size(0)))


def _function_name(stacks: _Pointer, function: int) -> str:
    length = _Size()
    text = _library.cg2p_stack_function_name(stacks, _U32(function), ctypes.byref(length))
    return library._text(ctypes.string_at(text, length.value))


def _places(
    stacks: _Pointer, names: list[str], number: int, function: int, width: int
) -> list[tuple[tuple[str, int], list[int]]]:
    """What a stack costs at each place of its function, in the places' order."""
    found, cost, line = [], (_U64 * width)(), _U64()
    for place in range(_library.cg2p_stack_place_count(stacks, _U32(function))):
        if _library.cg2p_stack_cost(stacks, _U32(number), _Size(place), cost):
            file = _library.cg2p_stack_place(
                stacks, _U32(function), _Size(place), ctypes.byref(line)
            )
            found.append(((names[file], line.value), list(cost)))
    return found


# ------------------------------------------------------------ profiles

ENDS = [
    *("", "", "", ";x", " b", "+", '"\\q\x7f', "\u00e9", "\U0001f600"),
    *("\udcff", "\udce2\udc82", "\udced\udca0\udc80"),  # bytes that are no UTF-8
]


class Choices(NamedTuple):
    """What is asked of a profile."""

    smallest: float
    by_line: bool
    events: list[int]


def choices(number: int, width: int) -> Choices:
    chance = Chance(4_000_000 + number)
    events = [event for event in range(width) if chance.one_in(2)] or [width - 1]
    return Choices(chance.choice((0, 0.0001, 0.05, 0.3)), number % 2 == 1, events[::-1])


def graph(number: int) -> bytes:
    """A profile of functions that call each other in all ways, at several lines."""
    chance = Chance(3_000_000 + number)
    width, functions = chance.randint(1, 3), chance.randint(1, 12)
    names = []
    for i in range(functions):
        level = "" if chance.randrange(4) else "'2"
        chain = f"'f{chance.randrange(functions)}" if chance.one_in(3) else ""
        names.append(f"f{i}{chance.choice(ENDS)}{level}{chain}")
    lines = ["events: " + " ".join("ABC"[:width])]
    if chance.one_in(2):
        lines.append('cmd:  ./app "\u00e9"')
    for _ in range(chance.randint(1, 2 * functions)):
        lines += [f"ob=lib{chance.randrange(2)}.so"] * chance.one_in(4)
        lines += [f"fl=file{chance.randrange(2)}.c", f"fn={chance.choice(names)}"]
        for _ in range(chance.randrange(5)):
            lines.append(f"{chance.randint(1, 4)} {_cost(chance, width)}")
            lines += [f"fi=inl{chance.randrange(3)}.h"] * chance.one_in(5)
            if chance.randrange(5) < 3:
                lines += [f"cfi=file{chance.randrange(2)}.c"] * chance.one_in(2)
                lines += [f"cfn={chance.choice(names)}", "calls=1 1"]
                lines.append(f"{chance.randint(1, 3)} {_cost(chance, width)}")
    return "\n".join([*lines, ""]).encode("utf-8", "surrogateescape")


def _cost(chance: Chance, width: int) -> str:
    most = chance.choice((0, 3, 100, 10**9))
    scale = chance.choice((1, 1, 10**8))  # up to 57 bits
    return " ".join(str(chance.randint(0, most) * scale) for _ in range(width))
