"""The functions of a page, each a row: those first that cost most with all that they call."""

from array import array
from collections.abc import Sequence
from functools import cached_property
from itertools import groupby

from cg2tools.profile.callgraph import CallGraph
from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.model import FunctionKey


class FunctionRows:
    """Which row each node of a call graph has, and what nodes have in the order of rows."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.nodes = graph.columns
        self._order = _order(self.nodes)
        self.keys = [self.nodes.keys[node] for node in self._order]
        self.row_of_node = array("I", self._order)
        for row, node in enumerate(self._order):
            self.row_of_node[node] = row
        self.row_of_function = array("I", map(self.row_of_node.__getitem__, self.nodes.node_of))
        """By the function's number in the part."""

    def row_of(self, function: FunctionKey) -> int:
        """The row of the function that a function of the part belongs to."""
        return self.row_of_key[self.graph.node_of(function).key]

    @cached_property
    def row_of_key(self) -> dict[FunctionKey, int]:
        return {key: row for row, key in enumerate(self.keys)}

    def by_row(self, column: Sequence[int]) -> list[int]:
        """What nodes have, by the rows of functions."""
        return list(map(column.__getitem__, self._order))

    def self_costs(self) -> list[list[int]]:
        """What functions cost themselves, a column for each event."""
        return list(map(self.by_row, self.nodes.by_event(self.nodes.self_costs)))

    def inclusive_costs(self) -> list[list[int]]:
        """What functions cost with all that they call, a column for each event."""
        return list(map(self.by_row, self.nodes.by_event(self.nodes.inclusive)))

    def called(self) -> list[int]:
        """How often each function was called."""
        called = [0] * len(self._order)
        for callee, times in zip(self.nodes.callees, self.nodes.counts):
            called[callee] += times
        return self.by_row(called)


def _order(nodes: Graph) -> list[int]:
    """The nodes in the order of rows."""
    columns = nodes.by_event(nodes.inclusive)
    keys = nodes.keys
    first = columns[0].__getitem__

    def place(node: int) -> tuple[list[int], FunctionKey, int]:
        return [-column[node] for column in columns], keys[node], node

    # Few nodes cost the same of the first event.
    order: list[int] = []
    for _, alike in groupby(sorted(range(len(keys)), key=first, reverse=True), first):
        some = list(alike)
        order += sorted(some, key=place) if len(some) > 1 else some
    return order
