"""libcg2debug: variables and types of an ELF object, from its debug information.

    with DebugObject("/usr/bin/app") as debug:
        debug.statics()

The header cg2debug.h is the contract of each function that is called here.
"""

from __future__ import annotations

import ctypes
import errno
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from types import TracebackType
from typing import Any, NoReturn

from cg2tools.profile.libcg2profile import Error
from cg2tools.profile.libpath import library_path

NAME = "libcg2debug.so.0"

_MEMORY, _MOVED = 3, 4  # kinds of errors

_U32 = ctypes.c_uint32
_U64 = ctypes.c_uint64
_Size = ctypes.c_size_t
_Text = ctypes.c_char_p
_Pointer = ctypes.c_void_p


class DebugError(Exception):
    """There is no debug information of an object; the text says of which and why, in one line."""


class MovedError(DebugError):
    """The debug information of an object is in other files, which are not there."""


class _Static(ctypes.Structure):
    _fields_ = [
        ("name", _Text),
        ("symbol", _Text),
        ("file", _Text),
        ("address", _U64),
        ("size", _U64),
        ("line", _U32),
        ("type", _U32),
        ("is_thread_local", _U32),
    ]


class _Member(ctypes.Structure):
    _fields_ = [
        ("name", _Text),
        ("file", _Text),
        ("offset", _U64),
        ("line", _U32),
        ("type", _U32),
        ("bit_offset", _U32),
        ("bit_size", _U32),
    ]


class _Type(ctypes.Structure):
    _fields_ = [
        ("name", _Text),
        ("file", _Text),
        ("members", ctypes.POINTER(_Member)),
        ("size", _U64),
        ("count", _U64),
        ("n_members", _U32),
        ("line", _U32),
        ("element", _U32),
        ("shape", _U32),
    ]


class _Access(ctypes.Structure):
    _fields_ = [("offset", ctypes.c_int64), ("type", _U32), ("is_indexed", _U32)]


class _Taken(ctypes.Structure):
    _fields_ = [
        ("call", _U64),
        ("function", _Text),
        ("file", _Text),
        ("line", _U32),
        ("type", _U32),
    ]


class _Local(ctypes.Structure):
    _fields_ = [
        ("name", _Text),
        ("file", _Text),
        ("low", _U64),
        ("high", _U64),
        ("offset", ctypes.c_int64),
        ("size", _U64),
        ("line", _U32),
        ("type", _U32),
    ]


SCALAR, POINTER, COMPOUND, ARRAY = range(1, 5)
"""Shapes of types."""


@dataclass(frozen=True, slots=True)
class DebugMember:
    """A member of a type, or a base class."""

    name: str
    file: str
    line: int
    offset: int
    type: int
    """A number; 0: not known."""
    bit_offset: int
    bit_size: int


@dataclass(frozen=True, slots=True)
class DebugType:
    """A type as the library has it; other types are numbers."""

    name: str
    file: str
    line: int
    shape: int
    size: int
    count: int
    element: int
    members: tuple[DebugMember, ...]


@dataclass(frozen=True, slots=True)
class Access:
    """What an operand in memory is: a type, and the offset in it or in an array of it."""

    type: int
    offset: int
    is_indexed: bool
    """An index that nobody knows is added."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A call that gave an address, and what the pointer points to that takes it."""

    call: int
    function: str
    """The name of that which has the call, without what it is in."""
    file: str
    line: int
    type: int


@dataclass(frozen=True, slots=True)
class Local:
    """A variable in a frame, while the instructions from `low` to in front of `high` run."""

    name: str
    file: str
    line: int
    low: int
    high: int
    offset: int
    """From the canonical frame address."""
    size: int
    type: int


@dataclass(frozen=True, slots=True)
class Static:
    """A static variable."""

    name: str
    """With its namespaces and its function: shapes::count."""
    symbol: str
    """The name of its symbol in the ELF object; "": it has none."""
    file: str
    line: int
    """Where it is declared; "" and 0: not known."""
    address: int
    size: int
    """In bytes; 0: not known."""
    type: int
    """A number; 0: not known."""
    is_thread_local: bool


_RESULTS: tuple[tuple[Any, str], ...] = (
    (_Pointer, "object_open object_inlines"),
    (ctypes.POINTER(_Static), "object_statics"),
    (ctypes.POINTER(_Type), "object_type"),
    (ctypes.POINTER(_Taken), "object_taken"),
    (ctypes.POINTER(_Local), "object_locals"),
    (_U32, "object_find_type"),
)
"""What functions give that give no int."""


@cache
def library() -> Any:
    """The library; FileNotFoundError if it was not built, or is of another version."""
    path = library_path(NAME)
    try:
        loaded = ctypes.CDLL(str(path))
        for result, names in _RESULTS:
            for name in names.split():
                getattr(loaded, f"cg2d_{name}").restype = result
    except (OSError, AttributeError) as error:
        said = f"cannot be used ({error})" if path.exists() else "was not built"
        raise FileNotFoundError(
            errno.ENOENT,
            f"{said}; expected the library that reads debug information, which is built"
            " where libdw and capstone are (Debian: apt-get install libcapstone-dev libdw-dev)",
            str(path),
        ) from error
    return loaded


def text_of(value: bytes | None) -> str:
    """A text of the library's, as Python has it: bytes that are no UTF-8 are kept."""
    return (value or b"").decode("utf-8", "surrogateescape")


def _raise(error: Error) -> NoReturn:
    said = text_of(error.text)
    if error.kind == _MEMORY:
        raise MemoryError(said)
    raise MovedError(said) if error.kind == _MOVED else DebugError(said)


class DebugObject:
    """An ELF object with debug information; DebugError if it has none."""

    def __init__(self, path: str):
        self._error = Error()
        self._object = _Pointer(
            library().cg2d_object_open(path.encode("utf-8", "surrogateescape"), self._refer())
        )
        if not self._object:
            _raise(self._error)

    def _refer(self) -> Any:
        return ctypes.byref(self._error)

    def __enter__(self) -> DebugObject:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        library().cg2d_object_free(self._object)
        self._object = _Pointer()

    def statics(self) -> list[Static]:
        """All static variables by rising address, thread-local ones behind the others."""
        count = _Size()
        found = library().cg2d_object_statics(self._object, ctypes.byref(count), self._refer())
        if not found:
            _raise(self._error)
        return [
            Static(
                *(text_of(one.name), text_of(one.symbol), text_of(one.file), one.line),
                *(one.address, one.size, one.type, bool(one.is_thread_local)),
            )
            for one in found[: count.value]
        ]

    def type(self, number: int) -> DebugType:
        """A type with its members."""
        found = library().cg2d_object_type(self._object, _U32(number), self._refer())
        if not found:
            _raise(self._error)
        one = found[0]
        members = tuple(
            DebugMember(
                *(text_of(member.name), text_of(member.file), member.line, member.offset),
                *(member.type, member.bit_offset, member.bit_size),
            )
            for member in one.members[: one.n_members]
        )
        return DebugType(
            *(text_of(one.name), text_of(one.file), one.line, one.shape, one.size),
            *(one.count, one.element, members),
        )

    def find_type(self, name: str) -> int:
        """The number of the type of a name; 0: there is none."""
        text = name.encode("utf-8", "surrogateescape")
        return int(library().cg2d_object_find_type(self._object, text, self._refer()))

    def accesses(self, addresses: Sequence[int]) -> list[tuple[Access, ...]]:
        """What the operands in memory are of the instructions at rising addresses."""
        count = len(addresses)
        found = (_Access * (2 * count))()
        if library().cg2d_object_accesses(
            self._object, (_U64 * count)(*addresses), _Size(count), found, self._refer()
        ):
            _raise(self._error)
        return [
            tuple(
                Access(one.type, one.offset, bool(one.is_indexed))
                for one in found[2 * i : 2 * i + 2]
                if one.type
            )
            for i in range(count)
        ]

    def taken(self) -> list[Taken]:
        """Which types took what calls gave, in the functions that accesses() was asked of."""
        count = _Size()
        found = library().cg2d_object_taken(self._object, ctypes.byref(count))
        return [
            Taken(
                *(one.call, text_of(one.function), text_of(one.file)),
                *(one.line, one.type),
            )
            for one in found[: count.value]
        ]

    def locals(self, address: int) -> list[Local]:
        """The variables in the frame of the function that has the instruction at an address."""
        count = _Size()
        found = library().cg2d_object_locals(
            self._object, _U64(address), ctypes.byref(count), self._refer()
        )
        if not found:
            _raise(self._error)
        return [
            Local(
                *(text_of(one.name), text_of(one.file), one.line, one.low, one.high),
                *(one.offset, one.size, one.type),
            )
            for one in found[: count.value]
        ]

    def inlines(self, addresses: int, length: int, demangles: bool) -> int:
        """Where it lies whose instructions those at some addresses are: a cg2p_inlines.

        It stays until the object is closed, or asked again.
        """
        found = library().cg2d_object_inlines(
            self._object, _Pointer(addresses), _Size(length), demangles, self._refer()
        )
        if not found:
            _raise(self._error)
        return int(found)
