"""libcg2debug: variables and types of an ELF object, from its debug information.

    with DebugObject("/usr/bin/app") as debug:
        debug.statics()

The header cg2debug.h is the contract of each function that is called here.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, NoReturn

from cg2tools.bindings.interface import (
    address_at,
    debug_library,
    reference,
    room_for,
    row,
    text_of,
)
from cg2tools.bindings.structures import (
    ADDRESS,
    SIZE,
    TEXT,
    U8,
    U32,
    U64,
    cg2d_access,
    cg2p_bodies,
    cg2p_code,
    cg2p_error,
    cg2p_sources,
)

_MEMORY, _MOVED = 3, 4  # kinds of errors


class DebugError(Exception):
    """There is no debug information of an object; the text says of which and why, in one line."""


class MovedError(DebugError):
    """The debug information of an object is in other files, which are not there."""


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


def _raise(error: cg2p_error) -> NoReturn:
    said = text_of(error.text)
    if error.kind == _MEMORY:
        raise MemoryError(said)
    raise MovedError(said) if error.kind == _MOVED else DebugError(said)


class DebugObject:
    """An ELF object with debug information; DebugError if it has none.

    With `only_code` it needs none, and only its steps can be asked for; with `only_inlines`, only inlined
    functions and what it was compiled from.
    """

    def __init__(self, path: str, only_code: bool = False, only_inlines: bool = False):
        library = debug_library()
        open_it = library.cg2d_object_open
        if only_code:
            open_it = library.cg2d_object_open_code
        elif only_inlines:
            open_it = library.cg2d_object_open_inlines
        self._error = cg2p_error()
        self._code = cg2p_code()
        self._bodies = cg2p_bodies()
        self._sources = cg2p_sources()
        self._object = ADDRESS(open_it(path.encode("utf-8", "surrogateescape"), self._refer()))
        if not self._object:
            _raise(self._error)

    def _refer(self) -> Any:
        return reference(self._error)

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
        debug_library().cg2d_object_free(self._object)
        self._object = ADDRESS()

    def statics(self) -> list[Static]:
        """All static variables by rising address, thread-local ones behind the others."""
        count = SIZE()
        found = debug_library().cg2d_object_statics(self._object, reference(count), self._refer())
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
        found = debug_library().cg2d_object_type(self._object, U32(number), self._refer())
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
        return int(debug_library().cg2d_object_find_type(self._object, text, self._refer()))

    def accesses(self, addresses: Sequence[int]) -> list[tuple[Access, ...]]:
        """What the operands in memory are of the instructions at rising addresses."""
        count = len(addresses)
        found = room_for(cg2d_access, 2 * count)
        if debug_library().cg2d_object_accesses(
            self._object, row(U64, addresses), SIZE(count), found, self._refer()
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
        count = SIZE()
        found = debug_library().cg2d_object_taken(self._object, reference(count))
        return [
            Taken(
                *(one.call, text_of(one.function), text_of(one.file)),
                *(one.line, one.type),
            )
            for one in found[: count.value]
        ]

    def locals(self, address: int) -> list[Local]:
        """The variables in the frame of the function that has the instruction at an address."""
        count = SIZE()
        found = debug_library().cg2d_object_locals(
            self._object, U64(address), reference(count), self._refer()
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
        found = debug_library().cg2d_object_inlines(
            self._object, ADDRESS(addresses), SIZE(length), demangles, self._refer()
        )
        if not found:
            _raise(self._error)
        return int(found)

    def steps(self, addresses: int, length: int) -> int:
        """Where it lies what instructions at some addresses do with control: a cg2p_code.

        It stays until the object is closed, or asked again.
        """
        if debug_library().cg2d_object_steps(
            self._object,
            ADDRESS(addresses),
            SIZE(length),
            reference(self._code),
            self._refer(),
        ):
            _raise(self._error)
        return address_at(self._code)

    def operations(self, addresses: int, length: int) -> int:
        """Where it lies what instructions at some addresses do: as many cg2p_operations.

        They stay until the object is closed.
        """
        found = debug_library().cg2d_object_operations(
            self._object, ADDRESS(addresses), SIZE(length), self._refer()
        )
        if not found:
            _raise(self._error)
        return int(found)

    def bodies(self, addresses: int, length: int) -> int:
        """Where it lies whose code that is at some addresses: a cg2p_bodies, which stays as sources() do."""
        if debug_library().cg2d_object_bodies(
            self._object,
            ADDRESS(addresses),
            SIZE(length),
            reference(self._bodies),
            self._refer(),
        ):
            _raise(self._error)
        return address_at(self._bodies)

    def compiled_from(self, names: Sequence[str]) -> list[str]:
        """The files among `names`, whole paths without "." and "..", that the object was compiled from."""
        paths = sorted(set(map(os.fsencode, names)))
        found = room_for(U8, len(paths))
        if debug_library().cg2d_object_find_files(
            self._object, row(TEXT, paths), SIZE(len(paths)), found, self._refer()
        ):
            _raise(self._error)
        return [os.fsdecode(path) for path, is_found in zip(paths, found) if is_found]

    def sources(self) -> int:
        """Where the lines and functions lie: a cg2p_sources, which stays until the object is closed."""
        if debug_library().cg2d_object_sources(
            self._object, reference(self._sources), self._refer()
        ):
            _raise(self._error)
        return address_at(self._sources)
