"""Machine code with costs beside it, written in C; cg2profile/annotation.h has the rules."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cg2tools.bindings.interface import (
    address_of,
    numbers_at,
    profile_library,
    reference,
    text_at,
)
from cg2tools.bindings.structures import ADDRESS, SIZE, cg2p_annotated, cg2p_cells, cg2p_error
from cg2tools.profile.libcg2profile import LibraryProfile, Texts, raise_error
from cg2tools.program.code import Code

NO_COST = 0xFFFFFFFF
"""What a line has that has no cost."""


class Annotated(NamedTuple):
    """Instructions by their rising addresses, and jumps and calls from them, in columns.

    Costs are numbers of cells.
    """

    addresses: "array[int]"
    files: "array[int]"
    lines: "array[int]"
    costs: "array[int]"
    jumps: "tuple[array[int], ...]"  # addresses, whether they are conditional, taken, executed
    calls: "tuple[array[int], array[int]]"  # addresses, costs
    call_texts: Sequence[str]


class Written(NamedTuple):
    """Lines of machine code."""

    text: str
    costs: "array[int]"  # of each line
    digits: "array[int]"  # the longest number of each column
    unlisted: int  # instructions that objdump has not


@dataclass(frozen=True, slots=True)
class Cells:
    """What is shown of costs: of each for each column a number and what stands behind it; and of each
    what stands behind an instruction, and behind one that repeats itself."""

    texts: Sequence[str]
    remarks: Sequence[str]
    headings: Sequence[int]  # characters of the heading of each column
    behind: int  # characters that are kept behind a number


class Annotation:
    """Writes machine code with these cells."""

    def __init__(self, cells: Cells) -> None:
        self._library = profile_library()
        self._error = cg2p_error()
        self._texts, self._remarks = Texts(cells.texts), Texts(cells.remarks)
        self._headings = array("Q", cells.headings)
        self._cells = cg2p_cells(
            len(cells.remarks) // 2,
            len(cells.headings),
            self._texts.address,
            self._remarks.address,
            address_of(self._headings),
            cells.behind,
        )
        self._handle = ADDRESS(
            self._checked(
                self._library.cg2p_annotation_new(reference(self._cells), reference(self._error))
            )
        )

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            self._library.cg2p_annotation_free(self._handle)

    def written(
        self, profile: LibraryProfile, code: Code, annotated: Annotated, around: int
    ) -> Written:
        """Instructions, and so many around each."""
        library, handle, length = self._library, self._handle, SIZE()
        call_texts = Texts(annotated.call_texts)
        columns = annotated.addresses, annotated.files, annotated.lines, annotated.costs
        asked = cg2p_annotated(
            profile.handle,
            len(annotated.addresses),
            *map(address_of, columns),
            len(annotated.jumps[0]),
            *map(address_of, annotated.jumps),
            len(annotated.call_texts),
            *map(address_of, annotated.calls),
            call_texts.address,
        )
        said = reference(asked), SIZE(around), reference(self._error)
        self._checked(library.cg2p_annotation_write(handle, code.handle, *said))
        text = text_at(
            library.cg2p_annotation_text(handle, reference(length)), max(length.value - 1, 0)
        )
        costs = library.cg2p_annotation_costs(handle, reference(length))
        return Written(
            text,
            numbers_at(costs, length.value, "I"),
            numbers_at(library.cg2p_annotation_digits(handle), len(self._headings)),
            library.cg2p_annotation_unlisted(handle),
        )

    def _checked(self, result: int | None) -> int:
        if not result:
            raise_error(self._error, "code")
        return result
