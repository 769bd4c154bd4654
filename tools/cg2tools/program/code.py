"""Machine code as objdump writes it, read and listed in C; cg2profile/listing.h has the rules."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import chain

from cg2tools.bindings.interface import (
    address_at,
    address_of,
    address_of_bytes,
    numbers_at,
    profile_library,
    reference,
    room_for,
    text_at,
)
from cg2tools.bindings.structures import ADDRESS, SIZE, cg2p_error
from cg2tools.profile.libcg2profile import raise_error

_NO_LINE = 2**64 - 1

_BLOCK = 1 << 16  # instructions whose texts are made at once


class Code:
    """Instructions of an object in rising order; those in pieces of it, once objdump's text is read.

    A piece is the addresses of its first instruction and its last; pieces rise and do not overlap.
    `demangler` is that of symbols which objdump has left as they are.
    """

    def __init__(self, pieces: Sequence[tuple[int, int]], demangler: int | None = None) -> None:
        self._library = profile_library()
        self._error = cg2p_error()
        spans = array("Q", chain.from_iterable(pieces))
        self.handle = ADDRESS(
            self._checked(
                self._library.cg2p_listing_new(
                    ADDRESS(address_of(spans)), SIZE(len(pieces)), reference(self._error)
                )
            )
        )

        self._library.cg2p_listing_demangle(self.handle, ADDRESS(demangler))

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            self._library.cg2p_listing_free(self.handle)

    def read(self, lines: bytes) -> None:
        """Read some whole lines of objdump's text."""
        where = ADDRESS(address_of_bytes(lines))
        self._checked(
            self._library.cg2p_listing_add(
                self.handle, where, SIZE(len(lines)), reference(self._error)
            )
        )

    def end(self) -> None:
        """All is read."""
        self._checked(self._library.cg2p_listing_end(self.handle, reference(self._error)))

    def addresses(self) -> "array[int]":
        return numbers_at(self._library.cg2p_listing_addresses(self.handle), self._count())

    def texts(self) -> Iterator[str]:
        """The text of each instruction."""
        count, length = self._count(), SIZE()
        for start in range(0, count, _BLOCK):
            block = SIZE(start), SIZE(min(_BLOCK, count - start))
            text = self._library.cg2p_listing_texts(self.handle, *block, reference(length))
            yield from text_at(text, length.value - 1).split("\n")

    def listed(self, addresses: Sequence[int], around: int) -> tuple[list[str], list[int | None]]:
        """The lines of instructions and of so many around each, and where which is: None if none
        begins there. An empty line is where instructions are left out."""
        wanted = array("Q", addresses)
        places, length = room_for(SIZE, len(wanted)), SIZE()
        text = self._checked(
            self._library.cg2p_listing_show(
                self.handle,
                ADDRESS(address_of(wanted)),
                SIZE(len(wanted)),
                SIZE(around),
                places,
                reference(length),
                reference(self._error),
            )
        )
        lines = text_at(text, length.value - 1).split("\n") if length.value else []
        found = numbers_at(address_at(places), len(wanted))
        return lines, [None if place == _NO_LINE else place for place in found]

    def _checked(self, result: int | None) -> int:
        if not result:
            raise_error(self._error, "code")
        return result

    def _count(self) -> int:
        count: int = self._library.cg2p_listing_count(self.handle)
        return count
