"""The call graph of a part: inclusive costs, callers and callees.

recursion level  Callgrind keeps activations of a function inside another
                 activation of it apart: "fib" is the outermost, "fib'2" what
                 runs inside it.  A Node is the function with all its levels,
                 unless levels are asked for.
cycle            functions that can reach each other by calls (a strongly
                 connected component of the graph)
inclusive cost   of a function: what is spent while it is on the stack, an
                 activation inside another of the same function counted once

How inclusive cost is found.  Of one level it is

    self cost + arcs to other functions (to other levels too, not to itself)

An arc from a level to itself is left out because its cost is part of the
outer activation's.  In a cycle the same cost travels along several arcs, so
there the sum is an upper bound only; the cost of the whole cycle,

    self costs of its members + arcs that leave it

is another, and the lower one is taken.  Outside cycles the figure is exact.

All of "fib'2" is spent inside "fib".  So the inclusive cost of a function with
all its levels is that of its outermost level, and it is exact too: outermost
levels are in no cycle.  For the same reason the inclusive cost of an arc
between functions of one cycle counts the caller's outermost level alone (the
inner levels' calls happen inside), other arcs add up over all levels; and no
arc costs more than its callee.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from cg2tools.profile import Call, Cost, FunctionKey, Part, add_cost

_LEVEL = re.compile(r"(.+?)'([0-9]+)((?:'.+)?)")


class Place(NamedTuple):
    """A source line."""

    file: str
    line: int


@dataclass(slots=True)
class Arc:
    """Calls from one function to another: how many, and what they cost."""

    count: int
    inclusive: Cost

    def add(self, count: int, inclusive: Cost) -> None:
        self.count += count
        add_cost(self.inclusive, inclusive)


@dataclass(slots=True)
class Node:
    """A function; `sites` are its calls by source line and callee."""

    key: FunctionKey
    self_cost: Cost
    inclusive: Cost
    callers: dict[FunctionKey, Arc] = field(default_factory=dict)
    callees: dict[FunctionKey, Arc] = field(default_factory=dict)
    sites: dict[tuple[Place, FunctionKey], Arc] = field(default_factory=dict)


class CallGraph:
    """The nodes of a part, each under the key of the function it stands for.

    With `keep_levels`, each recursion level is a function of its own.
    """

    def __init__(self, part: Part, keep_levels: bool = False) -> None:
        self.keep_levels = keep_levels
        self.nodes: dict[FunctionKey, Node] = {}
        outermost = self._add_nodes(part)
        self._add_arcs(part, outermost)
        self._limit_arcs()

    def node_of(self, function: FunctionKey) -> Node:
        """The node that a function of the part belongs to."""
        return self.nodes[self._key(function)]

    def _key(self, function: FunctionKey) -> FunctionKey:
        return function if self.keep_levels else split_level(function)[0]

    def _add_nodes(self, part: Part) -> set[FunctionKey]:
        """Add the nodes; return the outermost level of each."""
        self_costs = {key: function.self_cost()
                      for key, function in part.functions.items()}
        inclusive = _inclusive_costs(part, self_costs)
        outermost = set()
        for function in sorted(self_costs, key=lambda key: split_level(key)[1]):
            key = self._key(function)
            if key in self.nodes:
                add_cost(self.nodes[key].self_cost, self_costs[function])
            else:
                outermost.add(function)
                self.nodes[key] = Node(key, self_costs[function].copy(),
                                       inclusive[function])
        return outermost

    def _add_arcs(self, part: Part, outermost: set[FunctionKey]) -> None:
        cycle_of = _cycles(part, self._key)
        for call in _calls(part):
            caller, callee = self.node_of(call.caller), self.node_of(call.callee)
            inclusive = call.inclusive
            if (cycle_of[caller.key] == cycle_of[callee.key]
                    and call.caller not in outermost):
                inclusive = [0] * len(inclusive)
            arc = caller.callees.get(callee.key)
            if arc is None:
                arc = Arc(0, [0] * len(inclusive))
                caller.callees[callee.key] = callee.callers[caller.key] = arc
            arc.add(call.count, inclusive)
            site = Place(call.source.file, call.source.line), callee.key
            if site not in caller.sites:
                caller.sites[site] = Arc(0, [0] * len(inclusive))
            caller.sites[site].add(call.count, inclusive)

    def _limit_arcs(self) -> None:
        for node in self.nodes.values():
            for callee, arc in node.callees.items():
                arc.inclusive = _lower(
                    arc.inclusive, self.nodes[callee].inclusive)
            for (_, callee), arc in node.sites.items():
                arc.inclusive = _lower(
                    arc.inclusive, self.nodes[callee].inclusive)


def split_level(key: FunctionKey) -> tuple[FunctionKey, int]:
    """A function without its recursion level, and the level.

    "fib" is level 1.  The level stands before the callers that
    --separate-callers appends: "fib'2'main" is level 2 of "fib'main".
    """
    match = _LEVEL.fullmatch(key.name)
    if match is None:
        return key, 1
    name, level, callers = match.groups()
    return key._replace(name=name + callers), int(level)


def _calls(part: Part) -> Iterator[Call]:
    for function in part.functions.values():
        yield from function.calls


def _lower(cost: Cost, limit: Cost) -> Cost:
    return [min(pair) for pair in zip(cost, limit)]


def _inclusive_costs(part: Part, self_costs: dict[FunctionKey, Cost],
                     ) -> dict[FunctionKey, Cost]:
    """The inclusive cost of each level, as the module's head defines it."""
    cycle_of = _cycles(part, lambda function: function)
    inclusive = {key: cost.copy() for key, cost in self_costs.items()}
    members: dict[int, int] = {}
    cycle_cost: dict[int, Cost] = {}
    for key, cost in self_costs.items():
        cycle = cycle_of[key]
        members[cycle] = members.get(cycle, 0) + 1
        add_cost(cycle_cost.setdefault(cycle, [0] * len(cost)), cost)
    for call in _calls(part):
        if call.caller != call.callee:
            add_cost(inclusive[call.caller], call.inclusive)
        if cycle_of[call.caller] != cycle_of[call.callee]:
            add_cost(cycle_cost[cycle_of[call.caller]], call.inclusive)
    for key, cycle in cycle_of.items():
        if members[cycle] > 1:
            inclusive[key] = _lower(inclusive[key], cycle_cost[cycle])
    return inclusive


def _cycles(part: Part, node: Callable[[FunctionKey], FunctionKey],
            ) -> dict[FunctionKey, int]:
    """The number of the cycle of each node; most are alone in theirs.

    `node` maps functions to nodes.  This is Tarjan's algorithm for strongly
    connected components with a stack of its own, as call chains are long.
    """
    callees: dict[FunctionKey, set[FunctionKey]] = {
        node(key): set() for key in part.functions}
    for call in _calls(part):
        callees[node(call.caller)].add(node(call.callee))
    order: dict[FunctionKey, int] = {}  # in which nodes are first reached
    lowest: dict[FunctionKey, int] = {}  # the lowest order reachable in a cycle
    pending: list[FunctionKey] = []  # nodes whose cycle is not complete
    cycle_of: dict[FunctionKey, int] = {}
    for root in callees:
        path = [] if root in order else [(root, iter(callees[root]))]
        while path:
            key, rest = path[-1]
            if key not in order:
                order[key] = lowest[key] = len(order)
                pending.append(key)
            for callee in rest:
                if callee not in order:
                    path.append((callee, iter(callees[callee])))
                    break
                if callee not in cycle_of:
                    lowest[key] = min(lowest[key], order[callee])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[key])
                if lowest[key] == order[key]:
                    member = None
                    while member != key:
                        member = pending.pop()
                        cycle_of[member] = order[key]
    return cycle_of
