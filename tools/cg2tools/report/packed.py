"""A table as it stands in the page: columns as bytes, compressed, in base64.

What is compressed (RFC 1950) is the bytes of all columns, then JSON in which

    {"column": [START, COUNT, WIDTH, LEAST]}

stands for each column, then the length of the JSON in four bytes, lowest first.

A column has the lowest byte of each of its COUNT numbers, then the second lowest
of each, and so on: WIDTH bytes for each, which is what the largest number needs.
LEAST is to be added to each, as is needed where some are below 0.  Bytes apart
become four fifths of what whole numbers become, in half the time, because most
high bytes are like their neighbours.

In a table, a list of whole numbers, an array and a memoryview are columns.  Numbers
from 2^64 on stand in the JSON.
"""

import base64
import json
import sys
import zlib
from array import array
from collections.abc import Generator, Iterator, Sequence
from typing import Any

from cg2tools.report.jsontables import Table

_SIGNED = "bhilq"
"""Formats of buffers whose numbers may be below 0."""


def packed(table: Table) -> Iterator[bytes]:
    """The letters of a table, in pieces."""
    letters = _Letters()
    for piece in _Columns().of_table(table):
        yield letters.of(piece)
    yield letters.rest()


class _Letters:
    """Bytes, compressed and made letters: three bytes are four of these."""

    def __init__(self) -> None:
        self._compressor = zlib.compressobj()
        self._waiting = b""

    def of(self, piece: bytes) -> bytes:
        data = self._waiting + self._compressor.compress(piece)
        whole = len(data) - len(data) % 3
        self._waiting = data[whole:]
        return base64.b64encode(data[:whole])

    def rest(self) -> bytes:
        return base64.b64encode(self._waiting + self._compressor.flush())


class _Columns:
    """The columns of one table, and where each begins."""

    def __init__(self) -> None:
        self._start = 0

    def of_table(self, table: Table) -> Iterator[bytes]:
        """The bytes of all columns, of what remains, and of its length."""
        remains = yield from self._of(table)
        text = json.dumps(remains, separators=(",", ":")).encode()
        yield text
        yield len(text).to_bytes(4, "little")

    def _of(self, value: Any) -> Generator[bytes, None, Any]:
        """Give the bytes of columns; return the value with marks in their places."""
        if isinstance(value, dict):
            members = {}
            for key, member in value.items():
                members[key] = yield from self._of(member)
            return members
        if isinstance(value, (array, memoryview)):
            return (yield from self._of_column(value))
        if isinstance(value, list) and value:
            if isinstance(value[0], int):
                return (yield from self._of_column(value))
            if not isinstance(value[0], str):
                rows = []
                for member in value:
                    rows.append((yield from self._of(member)))
                return rows
        return value

    def _of_column(self, column: Sequence[int]) -> Generator[bytes, None, Any]:
        numbers, least = _unsigned(column)
        if numbers is None:
            return column
        start = self._start
        planes = _planes(numbers)
        for plane in planes:
            yield plane
            self._start += len(plane)
        return {"column": [start, len(numbers), len(planes), least]}


def _unsigned(column: Sequence[int]) -> tuple[memoryview | None, int]:
    """The numbers above the least, and that; the numbers themselves if none is below 0.

    None if there is a number of more than 64 bits, or what is no whole number.
    """
    if isinstance(column, (array, memoryview)):
        view = memoryview(column)
        if view.format not in _SIGNED:
            return view, 0
    try:
        return memoryview(array("Q", column)), 0
    except TypeError:
        return None, 0
    except OverflowError:
        return _above_least(column)


def _above_least(column: Sequence[int]) -> tuple[memoryview | None, int]:
    least = min(column)
    try:
        return memoryview(array("Q", [number - least for number in column])), least
    except OverflowError:
        return None, 0


def _planes(numbers: memoryview) -> list[bytes]:
    """The lowest byte of each number, the second of each, up to the last that is not 0 in all."""
    size = numbers.itemsize
    data = numbers.tobytes()
    planes = [data[at::size] for at in range(size)]
    if sys.byteorder == "big":
        planes.reverse()
    nothing = bytes(len(numbers))
    while planes and planes[-1] == nothing:
        planes.pop()
    return planes
