"""Why the totals of two sides differ: the library's pieces, which add up to the difference.

    found = Explanation([([graph], [[0, 1, 2]])] * 2, 3)
    found.pieces            each a Piece, whose costs are signed
    found.calls[True]       how often NEW calls each function

cg2profile/explanation.h says what the pieces are.
"""

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from cg2tools.bindings.interface import (
    address_of,
    column_at,
    numbers_at,
    profile_library,
    reference,
)
from cg2tools.bindings.structures import (
    ADDRESS,
    SIZE,
    U32,
    cg2p_error,
    cg2p_explained,
    cg2p_piece,
)
from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.libcg2profile import NONE, raise_error
from cg2tools.profile.terms import Cost


class Side(NamedTuple):
    """The graphs of OLD or NEW, and for each the number of each node in both sides."""

    graphs: Sequence[Graph]
    functions: Sequence["array[int]"]


class Piece(NamedTuple):
    """What a function's own cost, or its calls of another, add to the difference."""

    function: int  # -1: what begins
    callee: int  # -1: the function's own cost
    old_count: int
    new_count: int
    costs: Cost


class Explanation:
    """The pieces of a difference, and what is known of each function."""

    def __init__(self, old: Side, new: Side, function_count: int) -> None:
        self.width = old.graphs[0].width
        self._count = function_count
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
        handle = ADDRESS(address)
        try:
            self._copy(handle)
        finally:
            profile_library().cg2p_explanation_free(handle)

    def _copy(self, handle: ADDRESS) -> None:
        found = profile_library()
        count = found.cg2p_explanation_piece_count(handle)
        where = found.cg2p_explanation_pieces(handle), count
        fields = [
            column_at(cg2p_piece, name, *where)
            for name in ("function", "callee", "old_count", "new_count")
        ]
        width = self.width
        costs = numbers_at(found.cg2p_explanation_costs(handle), count * width, "q")
        self.pieces = [
            Piece(
                -1 if function == NONE else function,
                -1 if callee == NONE else callee,
                was,
                now,
                costs[i * width : (i + 1) * width].tolist(),
            )
            for i, (function, callee, was, now) in enumerate(zip(*fields))
        ]
        self.calls = [
            numbers_at(found.cg2p_explanation_calls(handle, side), self._count) for side in (0, 1)
        ]
        self.self_costs = [
            numbers_at(found.cg2p_explanation_self_costs(handle, side), self._count * width)
            for side in (0, 1)
        ]
        self.uncounted = [found.cg2p_explanation_uncounted(handle, side) for side in (0, 1)]
        """How many arcs of each side have no count."""


class _Explained:
    """A side as the library takes it, and what it needs while it is asked."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._graphs = array("L", [graph.address for graph in side.graphs])
        self._functions = array("L", [address_of(each) or 0 for each in side.functions])
        self.structure = cg2p_explained(
            SIZE(len(side.graphs)), address_of(self._graphs), address_of(self._functions)
        )
