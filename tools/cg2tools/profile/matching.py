"""Functions and files of two call graphs by common numbers, as the library finds them."""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from cg2tools.bindings.interface import (
    address_at,
    address_of,
    numbers_at,
    profile_library,
    reference,
    room_for,
    row,
    text_at,
    text_of,
)
from cg2tools.bindings.structures import (
    ADDRESS,
    SIZE,
    TEXT,
    U32,
    cg2p_error,
    cg2p_function,
    cg2p_matched,
    width,
)
from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.libcg2profile import keys_of, raise_error
from cg2tools.profile.terms import FunctionKey

IN_OLD, IN_NEW = 1, 2
"""Which of the two a function is in."""


@dataclass(frozen=True, slots=True)
class Named:
    """A graph, and the names that are not those that its profile has."""

    graph: Graph
    files: Mapping[int, str] = field(default_factory=dict)
    """Names of files and objects, by the number of the name in the profile."""
    nodes: Mapping[int, str] = field(default_factory=dict)


class Matching:
    """The functions and files of OLD and NEW; numbers are in the order of names."""

    def __init__(self, *graphs: Named, old_count: int = 1) -> None:
        """The first `old_count` graphs are OLD's, one for each part; the others are NEW's."""
        found, error = profile_library(), cg2p_error()
        self.handle: ADDRESS | None = None
        kept = [_texts_of(each) for each in graphs]  # as long as the library reads them
        sides = row(cg2p_matched, [_matched(each, *texts) for each, texts in zip(graphs, kept)])
        where = bytes([IN_OLD] * old_count + [IN_NEW] * (len(graphs) - old_count))
        address = found.cg2p_matching_new_of_graphs(
            reference(sides), where, SIZE(len(graphs)), reference(error)
        )
        if not address:
            raise_error(error, "names")
        handle = self.handle = ADDRESS(address)
        self.count: int = found.cg2p_matching_count(handle)
        """The functions that are in either."""
        self.sides = numbers_at(found.cg2p_matching_sides(handle), self.count, "B").tobytes()
        """Where each function is: IN_OLD, IN_NEW or their sum."""
        self.nodes = [
            numbers_at(found.cg2p_matching_nodes(handle, side), len(each.graph.names))
            for side, each in enumerate(graphs)
        ]
        """The function of each node, of each graph."""
        self.files = [
            numbers_at(found.cg2p_matching_files(handle, side), _name_count(each), "I")
            for side, each in enumerate(graphs)
        ]
        """What each name of the profile is as a file's, of each graph."""

    def __del__(self) -> None:
        if self.handle:
            profile_library().cg2p_matching_free(self.handle)

    def count_of(self, side: int) -> int:
        """How many functions are in a side, IN_OLD or IN_NEW."""
        return self.sides.count(side) + self.sides.count(IN_OLD | IN_NEW)

    def key(self, function: int) -> FunctionKey:
        """A function by its number; others are not made."""
        object, file, name = self._functions[3 * function : 3 * function + 3]
        return FunctionKey(self.file(object), self.file(file), self.file(name))

    def file(self, number: int) -> str:
        """A file by its number."""
        made: list[str] | None = vars(self).get("texts")
        if made:
            return made[number]
        length = SIZE()
        text = profile_library().cg2p_matching_name(self.handle, U32(number), reference(length))
        return text_at(text, length.value)

    def objects(self) -> "array[int]":
        """The number of each function's object, as a name."""
        return self._functions[::3]

    def files_of_functions(self) -> "array[int]":
        """The number of each function's file, as a name."""
        return self._functions[1::3]

    def names(self) -> "array[int]":
        """The number of each function's own name."""
        return self._functions[2::3]

    @cached_property
    def keys(self) -> list[FunctionKey]:
        """All functions."""
        texts = map(self.texts.__getitem__, self._functions)
        return keys_of(texts, texts, texts)

    @cached_property
    def texts(self) -> list[str]:
        """All names, files' among them."""
        found = profile_library()
        letters = array("B", bytes(found.cg2p_matching_copy_names(self.handle, None)))
        found.cg2p_matching_copy_names(self.handle, ADDRESS(address_of(letters)))
        return text_of(letters.tobytes()).split("\0")[:-1]

    @cached_property
    def _functions(self) -> "array[int]":
        return numbers_at(
            profile_library().cg2p_matching_functions(self.handle),
            width(cg2p_function, 4) * self.count,
            "I",
        )


def _name_count(named: Named) -> int:
    count: int = profile_library().cg2p_profile_name_count(named.graph.part.profile.handle)
    return count


def _texts_of(named: Named) -> tuple[object, object]:
    """The other names as the library takes them, one for each name and node."""
    counts = _name_count(named), len(named.graph.names)
    return tuple(
        _as_array(texts, count) for texts, count in zip((named.files, named.nodes), counts)
    )  # type: ignore[return-value]


def _as_array(texts: Mapping[int, str], count: int) -> object:
    if not texts:
        return None
    made = room_for(TEXT, count)
    for number, text in texts.items():
        made[number] = text.encode("utf-8", "surrogateescape")
    return made


def _matched(named: Named, files: object, nodes: object) -> cg2p_matched:
    part = named.graph.part
    addresses = [None if texts is None else address_at(texts) for texts in (files, nodes)]
    return cg2p_matched(part.profile.handle, part.handle, named.graph.address, *addresses)
