"""Places of data objects that meet: where threads take each other's cache lines, and what is accessed
together.

    pairs_of(data)                          which place took the line that another one missed
    shared_places(object, pairs, name_of)   the same of an object, both ways together
    visits_of(data)                         how often places of a block are accessed together
    company(object, visits)                 the same of an object, by members
    meetings_of(data)                       all of it, as it stands in the file

In a data file a function stands for the pairs of an object, and of two threads; it calls the places
that meet its own. docs/format.md has it.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cg2tools.data.objects import (
    WORD,
    DataFile,
    DataObject,
    Typed,
    element_size,
    is_object,
    is_pair,
    place_of,
)
from cg2tools.profile.libcg2profile import (
    BY_FUNCTION,
    BY_INSTR,
    BY_LINE,
    BY_TARGET,
    BY_TARGET_INSTR,
    BY_TARGET_LINE,
    CALL,
    NONE,
)
from cg2tools.profile.model import FunctionKey

_NAME = re.compile(
    r"(?P<kind>false sharing|sharing)::(?P<object>.*) "
    r"\(thread (?P<first>[0-9]{1,9}), then (?P<second>[0-9]{1,9})\)"
    r"|together::(?P<visited>.*)"
)


SHARING, FALSE_SHARING, TOGETHER = "sharing", "false sharing", "together"
"""Kinds of meetings."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a thread accesses an object."""

    object: DataObject
    offset: int  # or the line of the declaration, if the object has lines; -1: anywhere
    thread: int
    stride: int = 0  # from element to element, if it is in any element of an array

    @property
    def member(self) -> str:
        """What lies there; "": that is not known."""
        object = self.object
        if self.offset < 0 or not self.is_of_type:
            return ""
        for variable in object.variables:
            # Offsets in a frame count down to the place of the return address.
            if variable.name and 0 <= variable.offset - self.offset < variable.size:
                return variable.name
        return _member(object.typed, self.offset) if object.typed else ""

    @property
    def text(self) -> str:
        """The place in the object, for a person."""
        if self.offset < 0:
            return "anywhere"
        if self.object.has_lines:
            return f"line {self.offset}"
        every = f" every {self.stride:,}" if self.stride else ""
        return self.member or f"offset {self.offset:,}{every}"

    @property
    def is_of_type(self) -> bool:
        """Whether the elements are of the object's type, as far as that is known."""
        typed = self.object.typed
        return not (self.stride and typed and self.stride % (element_size(typed) or 1))


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
    return sorted(
        _pairs(data), key=lambda pair: (-pair.count, _order(pair.written), _order(pair.missed))
    )


def _order(place: Place) -> tuple[FunctionKey, int, int]:
    return place.object.key, place.offset, place.thread


def _pairs(data: DataFile) -> Iterator[Pair]:
    for meeting in meetings_of(data):
        if meeting.kind != TOGETHER:
            written, missed = meeting.threads
            yield Pair(
                Place(meeting.object, meeting.offset, written),
                Place(meeting.other, meeting.other_offset, missed),
                meeting.kind != SHARING,
                meeting.count,
            )


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two places that meet, as they stand in a data file."""

    kind: str
    threads: tuple[int, ...]  # of the two places, if they are accessed by two
    object: DataObject
    offset: int  # as that of a Place
    other: DataObject
    other_offset: int
    count: int
    stride: int = 0  # of both places, if they are accessed together in any element of an array


def meetings_of(data: DataFile) -> Iterator[Meeting]:
    """All places of a file that meet."""
    keys, node_of = data.graph.keys, data.graph.node_of
    if not any(map(is_pair, keys)):
        return
    objects = {object.key: object for object in data.objects}
    by_name = {(object.elf, object.name): object for object in data.objects}
    meeting = [node if is_pair(keys[node]) else NONE for node in node_of]
    called = [node if is_object(keys[node]) else NONE for node in node_of]
    has_offsets = "instr" in data.part.positions
    at = (BY_INSTR, BY_TARGET_INSTR) if has_offsets else (BY_LINE, BY_TARGET_LINE)
    asked = BY_FUNCTION, BY_TARGET, *at
    table = data.part.lines.add_up(CALL, sum(asked), function_as=meeting, target_as=called)
    for row, (function, target, first, second) in enumerate(zip(*map(table.column, asked))):
        said = _NAME.fullmatch(keys[function].name)
        name = said and (said["visited"] or said["object"])
        object = by_name.get((_elf(keys[function]), name or ""))
        if said and object:
            kind = said["kind"] or TOGETHER
            threads = () if kind == TOGETHER else (int(said["first"]), int(said["second"]))
            other = objects[keys[target]]
            (here, stride), (there, _) = (
                (_offset(first), _offset(second))
                if has_offsets
                else ((_line(object, first), 0), (_line(other, second), 0))
            )
            yield Meeting(kind, threads, object, here, other, there, table.counts[row], stride)


def _elf(key: FunctionKey) -> str:
    elf = key.object.partition(" ")[2]
    return "" if elf == "???" else elf


def _offset(address: int) -> tuple[int, int]:
    """The offset and the stride of a place."""
    offset, stride = place_of(address)
    return (-1, 0) if stride == 1 else (offset, stride)


def _line(object: DataObject, number: int) -> int:
    """The place of a line number, in a file without offsets."""
    if not number:
        return -1
    return number if object.has_lines else WORD * (number - 1)


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
    if typed.is_array and (size := element_size(typed)):
        offset %= size
    rows = [member.row for member in typed.members]
    found = [
        row.path
        for row in rows
        if (row.name or row.type_name) and row.offset <= offset < row.offset + row.size
    ]
    return found[-1] if found else ""


# ---- What is accessed together ---------------------------------------------


Visits = dict[FunctionKey, dict[tuple[int, int, int], int]]
"""How many visits of a block came to two offsets, by object, offsets and, in any element of an array, the
distance between elements, else 0; to one offset at all, where it stands twice."""

APART = 0.1
"""Members are apart if at most this share of the visits to the more visited one comes to the other, too."""


@dataclass(frozen=True, slots=True)
class Company:
    """Two members, or offsets, of an object: how many visits came to both, and to each."""

    first: str
    second: str
    both: int
    first_visits: int
    second_visits: int


def visits_of(data: DataFile) -> Visits:
    """All visits of a file that was recorded with --data=together."""
    found: Visits = {}
    for meeting in meetings_of(data):
        if meeting.kind == TOGETHER and min(meeting.offset, meeting.other_offset) >= 0:
            of = found.setdefault(meeting.object.key, {})
            places = meeting.offset, meeting.other_offset, meeting.stride
            of[places] = of.get(places, 0) + meeting.count
    return found


def company(object: DataObject, visits: Visits) -> list[Company]:
    """Which members are accessed together, most often first.

    Of a member that is accessed at several offsets, or of several elements of an array, what is said
    is that of the offsets with most.
    """
    both: dict[tuple[str, str], int] = {}
    for (first, second), count in _by_member(object, visits).items():
        two = (second, first) if (second, first) in both else (first, second)
        both[two] = max(both.get(two, 0), count)
    single = {first: count for (first, second), count in both.items() if first == second}
    found = [
        Company(first, second, count, single.get(first, 0), single.get(second, 0))
        for (first, second), count in both.items()
        if first != second
    ]
    return sorted(found, key=lambda pair: -pair.both)


def _by_member(object: DataObject, visits: Visits) -> dict[tuple[str, str], int]:
    """Visits by two members, in the order of offsets; of several offsets, the most."""
    found: dict[tuple[str, str], int] = {}
    for (offset, other, stride), count in sorted(visits.get(object.key, {}).items()):
        places = Place(object, offset, 0, stride), Place(object, other, 0, stride)
        two = places[0].text, places[1].text
        if places[0].is_of_type and (offset == other or two[0] != two[1]):
            found[two] = max(found.get(two, 0), count)
    return found


def groups_apart(object: DataObject, visits: Visits) -> list[list[str]]:
    """Members in groups that are hardly ever accessed together; the group of the most visited one first."""
    single = {
        first: count
        for (first, second), count in _by_member(object, visits).items()
        if first == second
    }
    group = {name: name for name in single}
    for pair in company(object, visits):
        if pair.both > APART * max(pair.first_visits, pair.second_visits):
            old, new = group[pair.second], group[pair.first]
            group = {name: new if of == old else of for name, of in group.items()}
    found = [[name for name in single if group[name] == of] for of in dict.fromkeys(group.values())]
    return sorted(found, key=lambda names: -max(single[name] for name in names))
