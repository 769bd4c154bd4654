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

A cycle as a whole is a Cycle: what is spent while any of its members is on the
stack.  That is the second of the sums above, and exact, as nothing that it
calls outside comes back.
"""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from cg2tools.profile.model import Call, Cost, FunctionKey, Part, add_cost

_Site = TypeVar("_Site", bound=Hashable)

_LEVEL = re.compile(r"(?<=.)'([0-9]{1,9})(?='.|\Z)")


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
    """A function; `sites` are its calls by source line and callee.

    `cycle` is the number of the cycle of several functions that it is in, 0 if
    it is in none; cycles are numbered from 1 in the order of the part.
    """

    key: FunctionKey
    self_cost: Cost
    inclusive: Cost
    cycle: int = 0
    callers: dict[FunctionKey, Arc] = field(default_factory=dict)
    callees: dict[FunctionKey, Arc] = field(default_factory=dict)
    sites: dict[tuple[Place, FunctionKey], Arc] = field(default_factory=dict)


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

    `cycles` are in the order of their numbers.

    With `keep_levels`, each recursion level is a function of its own.  Without
    `with_calls`, which most of the work is for, nodes have self costs only.
    """

    def __init__(self, part: Part, keep_levels: bool = False, with_calls: bool = True) -> None:
        self.nodes: dict[FunctionKey, Node] = {}
        self.cycles: list[Cycle] = []
        self._node_of: dict[FunctionKey, Node] = {}
        self._outermost: set[FunctionKey] = set()
        self_costs = {key: function.self_cost() for key, function in part.functions.items()}
        self._add_nodes(self_costs, keep_levels)
        if with_calls:
            inclusive = _inclusive_costs(part, self_costs)
            for function in self._outermost:
                self._node_of[function].inclusive = inclusive[function]
            self._add_arcs(part)
            self._add_cycles()
            self._limit_arcs()

    def node_of(self, function: FunctionKey) -> Node:
        """The node that a function of the part belongs to."""
        return self._node_of[function]

    def arcs_by(
        self,
        site: Callable[[Call], _Site],
        calls: Iterable[Call],
    ) -> dict[tuple[_Site, FunctionKey], Arc]:
        """Calls by their site and the node called, as arcs are counted."""
        arcs: dict[tuple[_Site, FunctionKey], Arc] = {}
        for call in calls:
            callee = self._node_of[call.callee]
            cost = self._cost_in_arc(call, self._node_of[call.caller], callee)
            arc = arcs.setdefault((site(call), callee.key), Arc(0, [0] * len(cost)))
            arc.add(call.count, cost)
        self._limit(arcs)
        return arcs

    def _add_nodes(self, self_costs: dict[FunctionKey, Cost], keep_levels: bool) -> None:
        levels: dict[FunctionKey, tuple[FunctionKey, int]] = {
            key: (key, 1) if keep_levels else split_level(key) for key in self_costs
        }
        for function in sorted(self_costs, key=lambda key: levels[key][1]):
            key = levels[function][0]
            node = self.nodes.get(key)
            if node is None:
                self._outermost.add(function)
                cost = self_costs[function]
                node = self.nodes[key] = Node(key, cost.copy(), cost)
            else:
                add_cost(node.self_cost, self_costs[function])
            self._node_of[function] = node

    def _add_arcs(self, part: Part) -> None:
        self._number_cycles(components(part, lambda function: self._node_of[function].key))
        for function in part.functions.values():
            caller = self._node_of[function.key]
            for call in function.calls:
                callee = self._node_of[call.callee]
                inclusive = self._cost_in_arc(call, caller, callee)
                arc = caller.callees.get(callee.key)
                if arc is None:
                    arc = Arc(0, [0] * len(inclusive))
                    caller.callees[callee.key] = arc
                    callee.callers[caller.key] = arc
                arc.add(call.count, inclusive)
                site = (Place(call.source.file, call.source.line), callee.key)
                site_arc = caller.sites.get(site)
                if site_arc is None:
                    caller.sites[site] = Arc(call.count, inclusive.copy())
                else:
                    site_arc.add(call.count, inclusive)

    def _cost_in_arc(self, call: Call, caller: Node, callee: Node) -> Cost:
        """What a call adds to the cost of its arc: nothing if it is made in a
        cycle, by an inner level."""
        if (
            call.caller in self._outermost
            or caller is not callee
            and (not caller.cycle or caller.cycle != callee.cycle)
        ):
            return call.inclusive
        return [0] * len(call.inclusive)

    def _number_cycles(self, cycle_of: dict[FunctionKey, int]) -> None:
        members = Counter(cycle_of.values())
        numbers: dict[int, int] = {}
        for key, node in self.nodes.items():
            cycle = cycle_of[key]
            if members[cycle] > 1:
                node.cycle = numbers.setdefault(cycle, len(numbers) + 1)

    def _add_cycles(self) -> None:
        """Sum up the cycles, whose numbers are in the order of the nodes."""
        for node in self.nodes.values():
            if not node.cycle:
                continue
            width = len(node.self_cost)
            if node.cycle > len(self.cycles):
                self.cycles.append(Cycle(node.cycle, [0] * width, [0] * width))
            cycle = self.cycles[node.cycle - 1]
            cycle.members.append(node)
            add_cost(cycle.self_cost, node.self_cost)
            add_cost(cycle.inclusive, node.self_cost)
            for callee, arc in node.callees.items():
                if self.nodes[callee].cycle != node.cycle:
                    add_cost(cycle.inclusive, arc.inclusive)
            for caller, arc in node.callers.items():
                if self.nodes[caller].cycle != node.cycle:
                    cycle.callers.setdefault(caller, Arc(0, [0] * width)).add(
                        arc.count, arc.inclusive
                    )

    def _limit_arcs(self) -> None:
        for node in self.nodes.values():
            for callee, arc in node.callees.items():
                arc.inclusive = _lower(arc.inclusive, self.nodes[callee].inclusive)
            self._limit(node.sites)

    def _limit(self, arcs: dict[tuple[_Site, FunctionKey], Arc]) -> None:
        """No arc costs more than its callee."""
        for (_, callee), arc in arcs.items():
            arc.inclusive = _lower(arc.inclusive, self.nodes[callee].inclusive)


def split_level(key: FunctionKey) -> tuple[FunctionKey, int]:
    """A function without its recursion level, and the level.

    "fib" is level 1.  The level stands before the callers that
    --separate-callers appends: "fib'2'main" is level 2 of "fib'main".
    """
    name = key.name
    match = _LEVEL.search(name) if "'" in name else None
    if match is None:
        return key, 1
    name = name[: match.start()] + name[match.end() :]
    return FunctionKey(key.object, key.file, name), int(match[1])


def _calls(part: Part) -> Iterator[Call]:
    for function in part.functions.values():
        yield from function.calls


def _lower(cost: Cost, limit: Cost) -> Cost:
    return [min(pair) for pair in zip(cost, limit)]


def _inclusive_costs(
    part: Part,
    self_costs: dict[FunctionKey, Cost],
) -> dict[FunctionKey, Cost]:
    """The inclusive cost of each level, as the module's head defines it."""
    cycle_of = components(part, lambda function: function)
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


def components(
    part: Part,
    node: Callable[[FunctionKey], FunctionKey],
) -> dict[FunctionKey, int]:
    """The number of the cycle of each node; most are alone in theirs.

    `node` maps functions to nodes.
    """
    numbers: dict[FunctionKey, int] = {}
    callees: list[set[int]] = []
    for function in part.functions.values():
        caller = numbers.setdefault(node(function.key), len(callees))
        if caller == len(callees):
            callees.append(set())
    for function in part.functions.values():
        callees[numbers[node(function.key)]].update(
            numbers[node(call.callee)] for call in function.calls
        )
    cycle_of = _strongly_connected(callees)
    return {key: cycle_of[number] for key, number in numbers.items()}


def _strongly_connected(callees: list[set[int]]) -> list[int]:
    """The strongly connected component that each node is in.

    This is Tarjan's algorithm with a stack of its own, as call chains are long.
    """
    nowhere = len(callees)
    order = [nowhere] * nowhere  # in which nodes are first reached
    lowest = order.copy()  # the lowest order reachable in a cycle
    cycle_of = order.copy()
    pending: list[int] = []  # nodes whose cycle is not complete
    reached = 0
    for root in range(nowhere):
        path = [] if order[root] < nowhere else [(root, iter(callees[root]))]
        while path:
            node, rest = path[-1]
            if order[node] == nowhere:
                order[node] = lowest[node] = reached
                reached += 1
                pending.append(node)
            for callee in rest:
                if order[callee] == nowhere:
                    path.append((callee, iter(callees[callee])))
                    break
                if cycle_of[callee] == nowhere:
                    lowest[node] = min(lowest[node], order[callee])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    lowest[above] = min(lowest[above], lowest[node])
                if lowest[node] == order[node]:
                    member = nowhere
                    while member != node:
                        member = pending.pop()
                        cycle_of[member] = order[node]
    return cycle_of
