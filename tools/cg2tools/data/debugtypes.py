"""Types of ELF objects, from their debug information.

    objects = DebugObjects()
    debug = objects.of("/usr/bin/app")        a TypeSource, or None: objects.reasons says why
"""

from collections.abc import Iterable
from functools import cache, cached_property

from cg2tools.data.layout import Member, Type
from cg2tools.debug.libcg2debug import (
    ARRAY,
    COMPOUND,
    Access,
    DebugError,
    DebugMember,
    DebugObject,
    Static,
    Taken,
)

_DEPTH_MAX = 32


class TypeSource:
    """The types of one ELF object."""

    def __init__(self, debug: DebugObject) -> None:
        self._debug = debug
        self.type = cache(self._type)
        self.locals = cache(debug.locals)
        self._accesses: dict[int, tuple[Access, ...]] = {}

    def _type(self, number: int, depth: int = 0) -> Type:
        """A type by its number; 0: one that nothing is known of."""
        if not number:
            return Type("?", 0)
        found = self._debug.type(number)
        type = Type(found.name, found.size, found.file, found.line, count=found.count)
        if depth < _DEPTH_MAX and found.shape == ARRAY and found.element:
            type.element = self._type(found.element, depth + 1)
        if depth < _DEPTH_MAX and found.shape == COMPOUND:
            type.members = [self._member(member, depth + 1) for member in found.members]
        return type

    def _member(self, member: DebugMember, depth: int) -> Member:
        type = self._type(member.type, depth)
        bits = member.bit_size
        return Member(
            f"{member.name}:{bits}" if bits else member.name,
            member.offset,
            (member.bit_offset + bits + 7) // 8 if bits else type.size,
            *(member.bit_offset, bits, type, member.file, member.line),
        )

    def named(self, name: str) -> Type | None:
        """The type of a name."""
        number = self._debug.find_type(name)
        return self.type(number) if number else None

    def learn(self, addresses: Iterable[int]) -> None:
        """Find out what the instructions at these addresses touch."""
        wanted = sorted(set(addresses) - self._accesses.keys())
        self._accesses.update(zip(wanted, self._debug.accesses(wanted)))

    def accesses(self, address: int) -> tuple[Access, ...]:
        """What the instruction touches; it was learned before."""
        return self._accesses.get(address, ())

    def taken(self) -> list[Taken]:
        """What took the results of calls in functions that were learned of."""
        return self._debug.taken()

    @cached_property
    def statics(self) -> dict[str, list[Static]]:
        """Static variables by the names of their symbols, and by their own."""
        found: dict[str, list[Static]] = {}
        for one in self._debug.statics():
            for name in {one.symbol, one.name} - {""}:
                found.setdefault(name, []).append(one)
        return found


class DebugObjects:
    """ELF objects by their paths, each opened once; those that cannot be are missing."""

    def __init__(self) -> None:
        self.reasons: dict[str, str] = {}
        """Why a path is missing, in one line."""
        self.opened: list[str] = []
        """Paths that are not."""
        self.of = cache(self._open)

    def _open(self, path: str) -> TypeSource | None:
        try:
            found = TypeSource(DebugObject(path))
            self.opened.append(path)
            return found
        except DebugError as error:
            self.reasons[path] = str(error)
        except FileNotFoundError as error:
            self.reasons[path] = f"{error.filename}: {error.strerror}"
        return None
