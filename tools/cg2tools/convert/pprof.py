"""Stacks as pprof reads them: profile.proto in protobuf's encoding, compressed.

A message is a sequence of fields: number and kind in one varint, then a varint
or bytes with their length in front.  Fields that are 0 are left out.
"""

import gzip
from collections.abc import Iterable, Sequence

from cg2tools import VERSION
from cg2tools.profile.callgraph import Place
from cg2tools.profile.model import FunctionKey, UNKNOWN, readable
from cg2tools.profile.stacks import Stack, Stacks


def pprof(stacks: Stacks, events: Sequence[int]) -> bytes:
    """The file; its samples are by line if the stacks are."""
    message = _Profile(stacks)
    message.add_head([stacks.part.events[event] for event in events])
    for stack in stacks.ordered():
        for place, cost in sorted(stack.costs.items()):
            message.add_sample(stack, place, [cost[event] for event in events])
    return gzip.compress(message.encoded(), mtime=0)


class _Profile:
    """The message Profile.  Ids are numbers from 1, strings' from 0."""

    def __init__(self, stacks: Stacks) -> None:
        self.stacks = stacks
        self.data = bytearray()
        self.strings = {"": 0}
        self.mappings: dict[str, int] = {}
        self.functions: dict[tuple[int, int], int] = {}
        self.locations: dict[tuple[int, int, int], int] = {}

    def add_head(self, events: Iterable[str]) -> None:
        types = [
            _number(1, self.string(event)) + _number(2, self.string("count")) for event in events
        ]
        for value_type in types:
            self.data += _bytes(1, value_type)
        self.data += _bytes(11, types[0])  # period_type
        self.data += _number(12, 1)  # period
        for text in (self.stacks.part.cmd.strip(), f"cg2_convert {VERSION}"):
            if text:
                self.data += _number(13, self.string(text))  # comment

    def add_sample(self, stack: Stack, place: Place, values: list[int]) -> None:
        """Locations are innermost first; those of callers are their calls."""
        path = stack.from_outermost()[::-1]
        sites = [
            place,
            *(
                below.site or Place(path[index + 1].function.file, 0)
                for index, below in enumerate(path[:-1])
            ),
        ]
        locations = [self.location(below.function, site) for below, site in zip(path, sites)]
        self.data += _bytes(2, _numbers(1, locations) + _numbers(2, values))

    def string(self, text: str) -> int:
        return self.strings.setdefault(readable(text), len(self.strings))

    def file(self, name: str) -> int:
        return 0 if name == UNKNOWN else self.string(name)

    def mapping(self, name: str) -> int:
        if name not in self.mappings:
            self.mappings[name] = len(self.mappings) + 1
            self.data += _bytes(
                3,
                (
                    _number(1, self.mappings[name])
                    + _number(5, self.string(name))
                    + b"".join(_number(has, 1) for has in (7, 8, 9))
                ),
            )
        return self.mappings[name]

    def location(self, key: FunctionKey, place: Place) -> int:
        """A line of a function.  What is inlined has its own file there."""
        mapping = self.mapping(key.object)
        function = self.function(key, place.file)
        location = mapping, function, place.line
        if location not in self.locations:
            self.locations[location] = len(self.locations) + 1
            line = _number(1, function) + _number(2, place.line)
            self.data += _bytes(
                4, (_number(1, self.locations[location]) + _number(2, mapping) + _bytes(4, line))
            )
        return self.locations[location]

    def function(self, key: FunctionKey, file: str) -> int:
        name = self.string(self.stacks.names[key])
        function = name, self.file(file)
        if function not in self.functions:
            self.functions[function] = len(self.functions) + 1
            self.data += _bytes(
                5,
                (
                    _number(1, self.functions[function])
                    + _number(2, name)
                    + _number(3, name)
                    + _number(4, function[1])
                ),
            )
        return self.functions[function]

    def encoded(self) -> bytes:
        return bytes(self.data) + b"".join(_bytes(6, text.encode()) for text in self.strings)


# ---- Protobuf --------------------------------------------------------------


def _varint(number: int) -> bytes:
    data = bytearray()
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)
    return bytes(data)


def _number(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number) if number else b""


def _bytes(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _numbers(field: int, numbers: list[int]) -> bytes:
    """A repeated field, in one piece."""
    return _bytes(field, b"".join(map(_varint, numbers)))
