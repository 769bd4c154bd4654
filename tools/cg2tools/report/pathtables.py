"""The paths on the page of cg2_report: those that have a share of some event's total, as a tree.

What a path calls and is not on the page is one node below it, "(smaller)", so that costs add up.
With an older run, functions of the two are told by their names, as they are where there are no paths.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cg2tools.diff.names import without_clones
from cg2tools.profile.libcg2profile import NONE
from cg2tools.profile.model import Cost, FunctionKey, Part, UNKNOWN
from cg2tools.profile.pathtree import PathTree
from cg2tools.report.jsontables import Table, costs_in_columns

SMALLER = FunctionKey(UNKNOWN, UNKNOWN, "(smaller)")


def tree_of_runs(new: Sequence[Part], old: Sequence[Part] = ()) -> PathTree:
    """The tree of a run, and of an older one if it has parts."""
    tree = PathTree(len(new[0].events), by_name=bool(old))
    for side, parts in enumerate((new, old)):
        for part in parts:
            tree.add(part, side, map(without_clones, part.names) if old else ())
    tree.end()
    return tree


@dataclass(slots=True)
class _Node:
    """A row: what a branch costs in each run, or what is left out below one."""

    function: FunctionKey
    parent: int  # row
    branches: int  # that are left out; 0 of a branch itself
    calls: list[int] = field(default_factory=list)  # by side
    inclusive: list[Cost] = field(default_factory=list)
    own: list[Cost] = field(default_factory=list)


class PathTables:
    """The columns of the table of stacks that paths make."""

    def __init__(self, tree: PathTree, smallest: float, is_compared: bool) -> None:
        """`smallest` is the share, from 0 to 1, of the branches on the page."""
        self._tree = tree
        self._sides = (0, 1) if is_compared else (0,)
        shown = sorted(tree.above(smallest), key=lambda one: (-tree.inclusive(one)[0], one))
        self._rows = {branch: row for row, branch in enumerate(shown)} | {NONE: -1}
        self._below: dict[int, list[int]] = {branch: [] for branch in self._rows}
        for branch in shown:
            self._below[tree.caller(branch)].append(branch)
        self._nodes = [*map(self._node, shown), *self._smaller()]
        self.left = tree.count - len(shown)
        """How many branches are not on the page one by one."""

    @property
    def functions(self) -> list[FunctionKey]:
        """The function of each row."""
        return [node.function for node in self._nodes]

    def table(self, events: int) -> Table:
        """Who calls each row's function on its path, how often, and what that costs."""
        nodes = self._nodes
        table: Table = {
            "parent": [node.parent for node in nodes],
            "paths": [node.branches for node in nodes],
        }
        names = ("calls", "inclusive", "self"), ("oldCalls", "old", "oldSelf")
        for side in self._sides:
            calls, inclusive, own = names[side]
            table[calls] = [node.calls[side] for node in nodes]
            for name, costs in (
                (inclusive, (node.inclusive[side] for node in nodes)),
                (own, (node.own[side] for node in nodes)),
            ):
                table[name] = costs_in_columns(costs, events)
        return table

    def _node(self, branch: int) -> _Node:
        tree = self._tree
        node = _Node(tree.function(branch), self._rows[tree.caller(branch)], 0)
        for side in self._sides:
            node.calls.append(tree.calls(branch, side))
            node.inclusive.append(tree.inclusive(branch, side))
            node.own.append(tree.self_cost(branch, side))
        return node

    def _smaller(self) -> Iterator[_Node]:
        """What is left out below each branch, and of those that nobody calls."""
        for branch, below in self._below.items():
            rests = [self._tree.rest(branch, below, side) for side in self._sides]
            if rests[0].branches:
                node = _Node(SMALLER, self._rows[branch], rests[0].branches)
                node.calls = [rest.calls for rest in rests]
                node.inclusive = node.own = [rest.cost for rest in rests]
                yield node
