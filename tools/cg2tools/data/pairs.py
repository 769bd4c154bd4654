"""Places of data objects that meet: where threads take each other's cache lines.

    for pair in data.pairs: ...             what the data file says
    shared_places(object, data, place)      the same of an object, both ways together

In a data file a function stands for the pairs of an object and two threads; it calls the places
where the second thread misses what the first one wrote. docs/format.md has it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cg2tools.data.objects import DataFile, DataObject, Typed, is_object, is_pair, place_of
from cg2tools.profile.libcg2profile import (
    BY_FUNCTION,
    BY_INSTR,
    BY_TARGET,
    BY_TARGET_INSTR,
    CALL,
    NONE,
)
from cg2tools.profile.model import FunctionKey

_NAME = re.compile(
    r"(?P<kind>false sharing|sharing)::(?P<object>.*) "
    r"\(thread (?P<first>[0-9]{1,9}), then (?P<second>[0-9]{1,9})\)"
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a thread accesses an object."""

    object: DataObject
    offset: int  # -1: anywhere
    thread: int

    @property
    def member(self) -> str:
        """What lies there; "": that is not known."""
        object = self.object
        if self.offset < 0:
            return ""
        for variable in object.variables:
            # Offsets in a frame count down to the place of the return address.
            if variable.name and 0 <= variable.offset - self.offset < variable.size:
                return variable.name
        return _member(object.typed, self.offset) if object.typed else ""

    @property
    def text(self) -> str:
        """The place in the object, for a person."""
        return self.member or ("anywhere" if self.offset < 0 else f"offset {self.offset:,}")


@dataclass(frozen=True, slots=True)
class Pair:
    """What one thread writes takes the cache line from another one, which then misses it."""

    written: Place
    missed: Place
    is_false: bool
    """The two have no byte in common."""
    count: int


@dataclass(frozen=True, slots=True)
class SharedPlaces:
    """Two places that take each other's line, whichever was written: sharing as a person sees it."""

    first: str
    second: str
    is_false: bool
    threads: tuple[int, ...]
    count: int

    def __str__(self) -> str:
        two = f"{self.first} and {self.second}"
        if self.first == self.second:
            two = f"{self.first}, of several" if self.is_false else self.first
        return f"{two}, threads {_listed(self.threads)}"


def pairs_of(data: DataFile) -> list[Pair]:
    """All pairs of a file, most frequent first."""
    found = list(_pairs(data)) if any(map(is_pair, data.graph.keys)) else []
    return sorted(found, key=lambda pair: (-pair.count, _order(pair.written), _order(pair.missed)))


def _order(place: Place) -> tuple[FunctionKey, int, int]:
    return place.object.key, place.offset, place.thread


def _pairs(data: DataFile) -> Iterator[Pair]:
    keys, node_of = data.graph.keys, data.graph.node_of
    objects = {object.key: object for object in data.objects}
    by_name = {(object.elf, object.name): object for object in data.objects}
    meeting = [node if is_pair(keys[node]) else NONE for node in node_of]
    called = [node if is_object(keys[node]) else NONE for node in node_of]
    asked = BY_FUNCTION, BY_INSTR, BY_TARGET, BY_TARGET_INSTR
    table = data.part.lines.add_up(CALL, sum(asked), function_as=meeting, target_as=called)
    columns = [table.column(key) for key in asked]
    for row, (function, instr, target, target_instr) in enumerate(zip(*columns)):
        said = _NAME.fullmatch(keys[function].name)
        object = said and by_name.get((_elf(keys[function]), said["object"]))
        if said and object:
            written = Place(object, _offset(instr), int(said["first"]))
            missed = Place(objects[keys[target]], _offset(target_instr), int(said["second"]))
            yield Pair(written, missed, said["kind"] != "sharing", table.counts[row])


def _elf(key: FunctionKey) -> str:
    elf = key.object.partition(" ")[2]
    return "" if elf == "???" else elf


def _offset(address: int) -> int:
    offset, stride = place_of(address)
    return -1 if stride else offset


def shared_places(
    object: DataObject, pairs: list[Pair], name_of: Callable[[DataObject], str]
) -> list[SharedPlaces]:
    """The pairs in which an object is, both ways together, most frequent first.

    `name_of` names other objects.
    """

    def text(place: Place) -> str:
        is_own = place.object is object
        return place.text if is_own else f"{name_of(place.object)} at {place.text}"

    counts: dict[tuple[bool, str, str], int] = {}
    threads: dict[tuple[bool, str, str], set[int]] = {}
    for pair in pairs:
        places = pair.written, pair.missed
        if all(place.object is not object for place in places):
            continue
        first, second = map(
            text, sorted(places, key=lambda at: (at.object is not object, at.offset))
        )
        key = pair.is_false, first, second
        counts[key] = counts.get(key, 0) + pair.count
        threads.setdefault(key, set()).update(place.thread for place in places)
    found = [
        SharedPlaces(first, second, is_false, tuple(sorted(threads[key])), count)
        for key, count in counts.items()
        for is_false, first, second in [key]
    ]
    return sorted(found, key=lambda shared: (-shared.count, shared.first, shared.second))


def _listed(threads: tuple[int, ...]) -> str:
    """Numbers that ascend: 1 and 2, or 1, 3 and 4, or 2 to 9."""
    first, last = threads[0], threads[-1]
    if len(threads) > 2 and last - first + 1 == len(threads):
        return f"{first} to {last}"
    return " and ".join(filter(None, [", ".join(map(str, threads[:-1])), str(last)]))


def _member(typed: Typed, offset: int) -> str:
    """The innermost member that an offset is in."""
    if typed.is_array:
        offset %= typed.type.size
    found = [
        member.row
        for member in typed.members
        if member.row.path and member.row.offset <= offset < member.row.offset + member.row.size
    ]
    return found[-1].path if found else ""
