"""A profile as a graph of functions, which is what two tools can be compared by.

A *node* is a function, known by (object, name). Costs of a function are summed over its source files,
because two tools may choose different `fl=` files for one function. An *arc* is all calls from one node to
another, summed over call sites. Only the first event (Ir) is looked at.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

import cg2test  # noqa: E402, F401  (found through the path just set; sets that of cg2tools)
from cg2tools.profile.model import (
    Part,
    ProfileError,
)  # noqa: E402  (found through the path just set)
from cg2tools.profile.reader import read_profile  # noqa: E402

__all__ = ["Arc", "Graph", "Link", "Node", "ProfileError", "base_name", "graph_of", "load"]


class Node(NamedTuple):
    """A function. The name is as written: `fn'2` is another node than `fn`."""

    object: str
    name: str

    def __str__(self) -> str:
        return f"{self.name} [{Path(self.object).name}]"

    def base(self) -> Node:
        """The node without its recursion level."""
        return Node(self.object, base_name(self.name))


Link = tuple[Node, Node]


def base_name(name: str) -> str:
    """A function's name without recursion level: `fn` for `fn'2`."""
    base, mark, level = name.rpartition("'")
    return base if mark and level.isdigit() else name


@dataclass
class Arc:
    """Calls from one node to another: how many, and what they cost with all they called."""

    count: int = 0
    inclusive: int = 0


@dataclass(frozen=True)
class SelfSite:
    """A place in a function that calls the function itself; `arc` is this place's share of the arc."""

    link: Link
    arc: Arc
    address: int  # of the call, in the object
    target: int  # the function's first instruction


class Graph:
    """Nodes with their self costs, and arcs; both only as far as they are not zero.

    `self_sites` is filled if the profile has addresses.
    """

    def __init__(self) -> None:
        self.self_cost: dict[Node, int] = defaultdict(int)
        self.arcs: dict[Link, Arc] = defaultdict(Arc)
        self.self_sites: list[SelfSite] = []

    def total(self) -> int:
        """The sum of all self costs."""
        return sum(self.self_cost.values())

    def nodes(self) -> set[Node]:
        """Every node with a cost or an arc."""
        return {node for link in self.arcs for node in link} | set(self.self_cost)

    def into(self, node: Node) -> dict[Node, Arc]:
        """The arcs into `node`, by caller."""
        return {caller: arc for (caller, callee), arc in self.arcs.items() if callee == node}

    def out_of(self, node: Node) -> dict[Node, Arc]:
        """The arcs out of `node`, by callee."""
        return {callee: arc for (caller, callee), arc in self.arcs.items() if caller == node}

    def calls(self, caller: Node, callee: Node) -> int:
        """How often `caller` calls `callee`."""
        return self.arcs[caller, callee].count if (caller, callee) in self.arcs else 0

    def add_self(self, node: Node, cost: int) -> None:
        """Add to a node's self cost."""
        if cost:
            self.self_cost[node] += cost

    def add_arc(self, link: Link, arc: Arc) -> None:
        """Add to an arc."""
        self.arcs[link].count += arc.count
        self.arcs[link].inclusive += arc.inclusive

    def take_arc(self, link: Link, arc: Arc) -> None:
        """Take from an arc, and the arc itself away when no call is left."""
        self.arcs[link].count -= arc.count
        self.arcs[link].inclusive -= arc.inclusive
        if self.arcs[link].count == 0:
            del self.arcs[link]

    def remove(self, node: Node) -> None:
        """Take a node out, with its cost and its arcs."""
        self.self_cost.pop(node, None)
        for link in [link for link in self.arcs if node in link]:
            del self.arcs[link]

    def rename(self, new_name: Callable[[Node], Node]) -> None:
        """Give nodes other names; nodes that get one name become one node."""
        costs, arcs = self.self_cost, self.arcs
        self.self_cost, self.arcs = defaultdict(int), defaultdict(Arc)
        for node, cost in costs.items():
            self.add_self(new_name(node), cost)
        for (caller, callee), arc in arcs.items():
            self.add_arc((new_name(caller), new_name(callee)), arc)


def graph_of(part: Part) -> Graph:
    """Sum one part of a profile by node."""
    graph = Graph()
    for key, function in part.functions.items():
        node = Node(key.object, key.name)
        if function.costs:
            graph.add_self(node, function.self_cost()[0])
        for call in function.calls:
            callee = Node(call.callee.object, call.callee.name)
            arc = Arc(call.count, call.inclusive[0])
            graph.add_arc((node, callee), arc)
            if call.source.instr and node.base() == callee.base():
                graph.self_sites.append(
                    SelfSite((node, callee), arc, call.source.instr, call.target.instr)
                )
    return graph


def load(path: str | Path) -> Graph:
    """Read a profile, which must have one part whose sums are right."""
    parts = read_profile(str(path)).parts
    if len(parts) != 1:
        raise ProfileError(str(path), 1, f"{len(parts)} parts, expected one")
    parts[0].check()
    return graph_of(parts[0])
