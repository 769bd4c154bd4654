"""The call graph of a part: inclusive costs, callers and callees.

recursion level  Callgrind keeps activations of a function inside another
                 activation of it apart: "fib" is the outermost, "fib'2" what
                 runs inside it.  A Node is the function with all its levels,
                 unless levels are asked for.
cycle            functions that can reach each other by calls (a strongly
                 connected component of the graph)
inclusive cost   of a function: what is spent while it is on the stack, an
                 activation inside another of the same function counted once

The library finds all of it; graph.c says how.  What is here gives a name to each
figure, when somebody asks for it.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.libcg2profile import BY_FUNCTION, BY_TARGET, NONE
from cg2tools.profile.model import Cost, FunctionKey, Part, add_cost


@dataclass(slots=True)
class Arc:
    """Calls from one function to another: how many, and what they cost."""

    count: int
    inclusive: Cost
    is_estimated: bool = False
    """How many is estimated, as the function called was inlined."""

    def add(self, other: "Arc") -> None:
        """Add calls of the same function."""
        self.count += other.count
        self.is_estimated |= other.is_estimated
        add_cost(self.inclusive, other.inclusive)

    @property
    def times(self) -> str:
        """How many, as in "1,234x"; "~1,234x" is estimated."""
        return f"{'~' if self.is_estimated else ''}{self.count:,}x"


class _Figures:
    """What nodes have, by their numbers."""

    def __init__(self, part: Part, keep_levels: bool) -> None:
        self.part = part
        self.columns = Graph(part.lines, keep_levels)
        self.key = self.columns.names.key

    def cost(self, costs: "array[int]", number: int) -> Cost:
        """Cost `number` of those that lie one behind the other."""
        width = self.columns.width
        return costs[number * width : (number + 1) * width].tolist()

    def inclusive(self, node: int) -> Cost:
        return self.cost(self.columns.inclusive, node)

    @cached_property
    def functions(self) -> dict[FunctionKey, int]:
        """The numbers of the part's functions."""
        return {key: number for number, key in enumerate(self.part.keys)}

    # ---- Arcs --------------------------------------------------------------

    def callers(self, node: int) -> dict[FunctionKey, Arc]:
        by_callee, callers = self._by_callee, self.columns.callers
        callee_of = self.columns.callees.__getitem__
        first = bisect_left(by_callee, node, key=callee_of)
        arcs = by_callee[first : bisect_right(by_callee, node, first, key=callee_of)]
        return {self.key(callers[arc]): self._arc(arc) for arc in arcs}

    def callees(self, node: int) -> dict[FunctionKey, Arc]:
        callers, callees = self.columns.callers, self.columns.callees
        first = bisect_left(callers, node)
        arcs = range(first, bisect_right(callers, node, first))
        return {self.key(callees[arc]): self._arc(arc) for arc in arcs}

    def _arc(self, arc: int) -> Arc:
        callee = self.key(self.columns.callees[arc])
        cost = self.cost(self.columns.arc_costs, arc)
        return Arc(self.columns.counts[arc], cost, self.part.is_estimated(callee.name))

    @cached_property
    def _by_callee(self) -> list[int]:
        """The arcs, in the order of callees."""
        callees = self.columns.callees
        return sorted(range(len(callees)), key=callees.__getitem__)


class Node:
    """A function, and who calls whom."""

    __slots__ = ("key", "_figures", "_number")

    def __init__(self, figures: "_Figures", number: int) -> None:
        self.key = figures.key(number)
        self._figures = figures
        self._number = number

    @property
    def part(self) -> Part:
        return self._figures.part

    @property
    def self_cost(self) -> Cost:
        return self._figures.cost(self._figures.columns.self_costs, self._number)

    @property
    def inclusive(self) -> Cost:
        return self._figures.inclusive(self._number)

    @property
    def cycle(self) -> int:
        """The number of the cycle of several functions that it is in; 0: it is in none.

        Cycles are numbered from 1 in the order of the part.
        """
        return self._figures.columns.cycle[self._number]

    @property
    def callers(self) -> dict[FunctionKey, Arc]:
        return self._figures.callers(self._number)

    def calls(self, zero: Cost) -> Arc:
        """All calls of it; `zero` is a cost that they are added to."""
        calls = Arc(0, zero)
        for arc in self.callers.values():
            calls.add(arc)
        return calls

    @property
    def callees(self) -> dict[FunctionKey, Arc]:
        return self._figures.callees(self._number)


@dataclass(slots=True)
class Cycle:
    """Functions that reach each other by calls, as a whole.

    `callers` are the calls from outside.
    """

    number: int
    self_cost: Cost
    inclusive: Cost
    members: list[Node] = field(default_factory=list)
    callers: dict[FunctionKey, Arc] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"<cycle {self.number}>"


class CallGraph:
    """The nodes of a part, each under the key of the function it stands for.

    With `keep_levels`, each recursion level is a function of its own.
    """

    def __init__(self, part: Part, keep_levels: bool = False) -> None:
        self._figures = _Figures(part, keep_levels)
        self.columns = self._figures.columns
        """All of it by number; `nodes` are in the order of their numbers."""

    @cached_property
    def nodes(self) -> dict[FunctionKey, Node]:
        return dict(zip(self.columns.keys, self._nodes))

    @cached_property
    def _nodes(self) -> list[Node]:
        return list(map(self.node, range(len(self.columns.keys))))

    def node(self, number: int) -> Node:
        """The node at this place in `nodes`."""
        return Node(self._figures, number)

    def node_of(self, function: FunctionKey) -> Node:
        """The node that a function of the part belongs to."""
        number = self._figures.functions[function]
        return self._nodes[self.columns.node_of[number]]

    @property
    def nodes_by_function(self) -> Sequence[int]:
        """The place in `nodes` of what each function of the part belongs to."""
        return self.columns.node_of

    def functions_of(self, nodes: Iterable[Node]) -> list[int]:
        """A map for tables: the place in `nodes` of functions that belong to these, else NONE."""
        wanted = {node.key for node in nodes}
        numbers = [i if key in wanted else NONE for i, key in enumerate(self.nodes)]
        return [numbers[node] for node in self.nodes_by_function]

    def sites(
        self,
        keys: Sequence[int],
        function_as: Sequence[int] | None = None,
        file_as: Sequence[int] | None = None,
    ) -> dict[tuple[tuple[int, tuple[int, ...]], FunctionKey], Arc]:
        """Calls by place in `nodes` of the caller, where by `keys`, and the node called.

        Maps of functions and files leave out what they say is NONE.
        """
        found = self.columns.add_up_calls(BY_FUNCTION | BY_TARGET | sum(keys), function_as, file_as)
        sites = zip(found.column(BY_FUNCTION), zip(*map(found.column, keys)))
        callees = [self.columns.keys[node] for node in found.column(BY_TARGET)]
        is_estimated = self._figures.part.is_estimated
        arcs = [
            Arc(count, list(cost), is_estimated(callee.name))
            for callee, count, cost in zip(callees, found.counts, found.costs())
        ]
        return dict(zip(zip(sites, callees), arcs))

    @cached_property
    def cycles(self) -> list[Cycle]:
        """In the order of their numbers."""
        figures, columns = self._figures, self.columns
        cycles = [
            Cycle(
                number + 1,
                figures.cost(columns.cycle_self, number),
                figures.cost(columns.cycle_inclusive, number),
            )
            for number in range(columns.cycle_count)
        ]
        for node in self._nodes:
            if node.cycle:
                cycles[node.cycle - 1].members.append(node)
        for entry, (caller, cycle, count) in enumerate(columns.entries):
            cost = figures.cost(columns.entry_costs, entry)
            cycles[cycle - 1].callers[figures.key(caller)] = Arc(count, cost)
        return cycles
