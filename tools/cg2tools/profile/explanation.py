"""Why the totals of two sides differ: the library's pieces, which add up to the difference.

    found = Explanation([([graph], [[0, 1, 2]])] * 2, 3)
    found.pieces            each a Piece, whose costs are signed
    found.calls[True]       how often NEW calls each function
    found.causes(...)       what belongs together

cg2profile/explanation.h says what the pieces are, and cg2profile/causes.h what causes are.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from cg2tools.bindings.interface import (
    address_at,
    address_of,
    address_of_bytes,
    column_at,
    numbers_at,
    profile_library,
    reference,
    row,
)
from cg2tools.bindings.structures import (
    ADDRESS,
    SIZE,
    U32,
    cg2p_cause,
    cg2p_error,
    cg2p_explained,
    cg2p_hints,
    cg2p_inlined_call,
    cg2p_piece,
)
from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.libcg2profile import NONE, raise_error
from cg2tools.profile.matching import Matching
from cg2tools.profile.terms import Cost


class Side(NamedTuple):
    """The graphs of OLD or NEW, and for each the number of each node in both sides."""

    graphs: Sequence[Graph]
    functions: Sequence["array[int]"]


def likely_replacements(
    matching: Matching, old: Side, new: Side, known: Mapping[int, int]
) -> dict[int, int]:
    """More of what took the place of functions of OLD, as callers, callees, costs and names suggest.

    Functions of the sides are numbers of the matching.
    """
    counterparts = array("I", [NONE]) * matching.count
    for function, other in known.items():
        counterparts[function] = other
    sides, error = [_Explained(side) for side in (old, new)], cg2p_error()
    is_done = profile_library().cg2p_replacement_find(
        matching.handle,
        *(reference(side.structure) for side in sides),
        ADDRESS(address_of(counterparts)),
        reference(error),
    )
    if not is_done:
        raise_error(error, "the replacements")
    return {
        function: other
        for function, other in enumerate(counterparts)
        if other != NONE and function not in known
    }


class Piece(NamedTuple):
    """What a function's own cost, or its calls of another, add to the difference."""

    function: int  # -1: what begins
    callee: int  # -1: the function's own cost
    old_count: int
    new_count: int
    costs: Cost


INLINED, OUTLINED, REMOVED, SYSTEM, REPLACED, LAYOUT, CALLS, ADDED, OWN = range(9)
"""Kinds of causes."""

IS_PLAIN, IS_REPLACED, IS_SYSTEM = range(3)
"""What a function is told to be."""


class Inlined(NamedTuple):
    """A callee whose code stands in its caller in one side alone."""

    kind: int  # INLINED or OUTLINED
    caller: int
    callee: int
    outer: int = 0
    """The number, from 1, of the one that it stands within; 0: none."""


class Causes:
    """Pieces that belong together: columns of equal length. NONE is no function."""

    def __init__(self, handle: ADDRESS, width: int) -> None:
        found = profile_library()
        self.width = width
        self.count: int = found.cg2p_causes_count(handle)
        where = found.cg2p_causes_all(handle), self.count
        self.kinds, self.functions, self.callees, self.was = (
            column_at(cg2p_cause, name, *where) for name in ("kind", "function", "callee", "was")
        )
        self.old_counts, self.new_counts = (
            column_at(cg2p_cause, name, *where) for name in ("old_count", "new_count")
        )
        self.flat_costs = numbers_at(found.cg2p_causes_costs(handle), self.count * width, "q")
        """The costs, one behind the other."""

    def cost(self, place: int) -> Cost:
        return self.flat_costs[place * self.width : (place + 1) * self.width].tolist()


class Explanation:
    """The pieces of a difference, and what is known of each function."""

    def __init__(self, old: Side, new: Side, function_count: int) -> None:
        self.width = old.graphs[0].width
        self._count = function_count
        self._handle: ADDRESS | None = None
        error = cg2p_error()
        sides = [_Explained(side) for side in (old, new)]
        address = profile_library().cg2p_explanation_new(
            U32(function_count),
            U32(self.width),
            *(reference(side.structure) for side in sides),
            reference(error),
        )
        if not address:
            raise_error(error, "the explanation")
        handle = self._handle = ADDRESS(address)
        found = profile_library()
        self._all = found.cg2p_explanation_pieces(handle), found.cg2p_explanation_piece_count(
            handle
        )
        self.uncounted = [found.cg2p_explanation_uncounted(handle, side) for side in (0, 1)]
        """How many arcs of each side have no count."""

    def __del__(self) -> None:
        if self._handle:
            profile_library().cg2p_explanation_free(self._handle)

    @cached_property
    def calls(self) -> "list[array[int]]":
        """How often each function was called or began, in OLD and in NEW."""
        found = profile_library().cg2p_explanation_calls
        return [numbers_at(found(self._handle, side), self._count) for side in (0, 1)]

    @cached_property
    def self_costs(self) -> "list[array[int]]":
        """What each function costs itself, one behind the other, in OLD and in NEW."""
        found, count = profile_library().cg2p_explanation_self_costs, self._count * self.width
        return [numbers_at(found(self._handle, side), count) for side in (0, 1)]

    @property
    def pieces(self) -> list[Piece]:
        """All pieces."""
        costs, width = self._costs, self.width
        return [
            Piece(
                -1 if function == NONE else function,
                -1 if callee == NONE else callee,
                was,
                now,
                costs[i * width : (i + 1) * width].tolist(),
            )
            for i, (function, callee, was, now) in enumerate(zip(*self._columns))
        ]

    def own_pieces(self) -> Iterator[tuple[int, int]]:
        """Functions whose own costs are pieces, and what these cost in the first event."""
        functions, callees, _, _ = self._columns
        columns = zip(functions, callees, self._costs[:: self.width])
        return ((function, cost) for function, callee, cost in columns if callee == NONE)

    def size(self) -> int:
        """What all pieces cost in the first event, up and down."""
        return sum(abs(cost) for cost in self._costs[:: self.width])

    def calls_alone(self) -> list[Inlined]:
        """The calls that one side has alone, as those of inlined functions would be."""
        functions, callees, olds, news = self._columns
        alone = [i for i, (was, now) in enumerate(zip(olds, news)) if (not was) != (not now)]
        return [
            Inlined(OUTLINED if news[i] else INLINED, functions[i], callees[i])
            for i in alone
            if functions[i] != NONE
        ]

    @cached_property
    def _columns(self) -> "list[array[int]]":
        names = "function", "callee", "old_count", "new_count"
        return [column_at(cg2p_piece, name, *self._all) for name in names]

    @cached_property
    def _costs(self) -> "array[int]":
        address = profile_library().cg2p_explanation_costs(self._handle)
        return numbers_at(address, self._all[1] * self.width, "q")

    def causes(self, told: bytes, instructions: int, inlined: Sequence[Inlined]) -> Causes:
        """The pieces as causes, as `cg2p_causes_new` makes them.

        `told` has what each function is, `instructions` is the number of the event that counts them, or NONE.
        """
        found, error = profile_library(), cg2p_error()
        given = row(cg2p_inlined_call, inlined)
        hints = cg2p_hints(address_of_bytes(told), instructions, len(inlined), address_at(given))
        address = found.cg2p_causes_new(self._handle, reference(hints), reference(error))
        if not address:
            raise_error(error, "the causes")
        handle = ADDRESS(address)
        try:
            return Causes(handle, self.width)
        finally:
            found.cg2p_causes_free(handle)


class _Explained:
    """A side as the library takes it, and what it needs while it is asked."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._graphs = array("L", [graph.address for graph in side.graphs])
        self._functions = array("L", [address_of(each) or 0 for each in side.functions])
        self.structure = cg2p_explained(
            SIZE(len(side.graphs)), address_of(self._graphs), address_of(self._functions)
        )
