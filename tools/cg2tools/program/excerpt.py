"""An ELF file with some of its machine code, and zeros where the rest of it was.

objdump reads all relocations and all code each time it is started, and shows all code that it
was not told to leave out by one range. Zeros it skips: so one start has all pieces of an object.
"""

import os
import struct
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

Piece = tuple[int, int]
"""Addresses of machine code: where it begins, and where it ends."""

_NOPS = b"\x90" * 16
"""What stands in front of a piece: an instruction that begins in the zeros before ends in them."""

_NO_BITS, _PROGRAM = 8, 1  # types of sections
_EXECUTABLE = 4  # a flag of theirs

_BEGINNING = 24
"""Bytes of data and debug information that objdump looks at: whether they are compressed."""

_HEADER, _SECTION = "HHIQQQIHHHHHH", "IIQQQQIIQQ"  # of files of 64 bits
_HEADER_32, _SECTION_32 = "HHIIIIIHHHHHH", "IIIIIIIIII"


class _Section(NamedTuple):
    """A section's header, without what is of no use here."""

    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int

    @property
    def has_code(self) -> bool:
        return self.kind == _PROGRAM and bool(self.flags & _EXECUTABLE)


def write_excerpt(path: str, pieces: Sequence[Piece], target: BinaryIO) -> bool:
    """Write a file with these pieces, which rise and do not meet; False: it is no ELF file.

    Linkage tables are there whole, as names of what they lead to are made of them.
    """
    with open(path, "rb") as file:
        layout = _layout(file)
        if layout is None:
            return False
        target.truncate(layout.length)
        for offset, size in layout.tables:
            _copy(file, target, offset, size)
        for section in layout.sections:
            if section.has_code and not layout.is_linkage(section):
                for start, stop in _within(section, pieces):
                    _add_piece(file, target, section, start, stop)
            elif section.kind != _NO_BITS:
                is_read = section.kind != _PROGRAM or section.has_code
                size = section.size if is_read else min(section.size, _BEGINNING)
                _copy(file, target, section.offset, size)
    return True


class _Layout(NamedTuple):
    length: int  # of the file, in which all the others are
    tables: list[tuple[int, int]]  # the headers: where they are, and their sizes
    sections: list[_Section]
    names: bytes  # of sections

    def is_linkage(self, section: _Section) -> bool:
        return self.names.startswith(b".plt", section.name)


def _layout(file: BinaryIO) -> _Layout | None:
    length = os.fstat(file.fileno()).st_size
    head = file.read(64)
    if len(head) < 64 or head[:4] != b"\177ELF":
        return None
    order = "<" if head[5] == 1 else ">"
    is_64 = head[4] == 2
    fields = struct.unpack_from(order + (_HEADER if is_64 else _HEADER_32), head, 16)
    _, _, _, _, segments_at, at, _, head_size, segment_size, n_segments, size, count, names = fields
    form = struct.Struct(order + (_SECTION if is_64 else _SECTION_32))
    if not at or size != form.size or at + size > length:
        return None
    file.seek(at)
    if not count:  # there are more than the field can say
        count = _Section(*form.unpack(file.read(size))[:6]).size
        file.seek(at)
    if at + count * size > length or segments_at + n_segments * segment_size > length:
        return None
    table = file.read(count * size)
    sections = [_Section(*fields[:6]) for fields in form.iter_unpack(table)]
    tables = [(0, head_size), (segments_at, n_segments * segment_size), (at, len(table))]
    if names >= len(sections) or any(
        section.kind != _NO_BITS and section.offset + section.size > length for section in sections
    ):
        return None
    file.seek(sections[names].offset)
    return _Layout(length, tables, sections, file.read(sections[names].size))


def _within(section: _Section, pieces: Sequence[Piece]) -> Iterator[Piece]:
    """What of the pieces lies in a section."""
    end = section.address + section.size
    for start, stop in pieces:
        if start < end and stop > section.address:
            yield max(start, section.address), min(stop, end)


def _add_piece(file: BinaryIO, target: BinaryIO, section: _Section, start: int, stop: int) -> None:
    offset = section.offset + start - section.address
    nops = min(len(_NOPS), offset - section.offset)
    target.seek(offset - nops)
    target.write(_NOPS[:nops])
    _copy(file, target, offset, stop - start)


def _copy(source: BinaryIO, target: BinaryIO, offset: int, size: int) -> None:
    source.seek(offset)
    target.seek(offset)
    target.write(source.read(size))
