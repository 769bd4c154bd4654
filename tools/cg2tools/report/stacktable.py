"""The page's table of stacks: a tree, a caller in front of its callees, without what costs too little.

Function -1 is none: it stands for callers that are not shown one by one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from cg2tools.profile.libcg2profile import NONE
from cg2tools.profile.model import FunctionKey, Part, Profile, UNKNOWN, readable
from cg2tools.profile.morepaths import more_said
from cg2tools.profile.pathtree import PathTree
from cg2tools.profile.spoken import Spoken
from cg2tools.profile.stacks import Stacks
from cg2tools.report.functionrows import FunctionRows
from cg2tools.report.jsontables import Strings, Table, costs_in_columns
from cg2tools.report.pathtables import PathTables
from cg2tools.report.shares import Shares


@dataclass(frozen=True, slots=True)
class StackNotes:
    """What is said with the table."""

    bare: list[int]
    """Names without call chain, by row of function."""
    guess: str = ""
    """How much is apportioned, as a profile does not say by whom functions were called, or had no path."""
    paths: int = 0
    """How many paths were counted, if they were."""


@dataclass(frozen=True, slots=True)
class StackTables:
    """Makes the table: of stacks that the library finds, or of paths that were counted."""

    functions: FunctionRows
    strings: Strings
    names: Spoken
    shares: Shares
    smallest: float
    """The share, from 0 to 1, of the total that a stack on the page has."""

    def of_stacks(
        self, part: Part, stacks: Stacks, old: Profile | None
    ) -> tuple[Table, StackNotes]:
        """What is said of `old` is what stacks of the same names cost there."""
        shown = stacks.above(self.smallest)
        rows = {stack: row for row, stack in enumerate(shown)} | {NONE: -1}
        self.shares.leave("stacks", stacks.count_above(0) - len(shown))
        bare = self._bare_names(stacks)
        functions = [stacks.functions[stack] for stack in shown]
        row_of = [*self.functions.row_of_function, -1]
        width = len(part.events)
        older = self._older(old, stacks, shown) if old else {}
        table = {
            "function": [row_of[function] for function in functions],
            "name": [self.strings.number(stacks.name(function)) for function in functions],
            "said": self._said(part, stacks, functions),
            "parent": [rows[stacks.callers[stack]] for stack in shown],
            "inclusive": costs_in_columns(map(stacks.cost, shown), width),
            "self": costs_in_columns(map(stacks.self_cost, shown), width),
            **older,
        }
        return table, StackNotes(bare, readable(stacks.guess()))

    def of_paths(self, part: Part, tree: PathTree, is_compared: bool) -> tuple[Table, StackNotes]:
        """What is left out of the tree is a node "(smaller)" of each that calls some."""
        bare = [self.strings.number(key.name) for key in self.functions.keys]
        tables = PathTables(tree, self.smallest, is_compared)
        self.shares.leave("stacks", tables.left)
        rows, said = self.functions.row_of_key, self.names.names_of(tables.functions)
        table = {
            "function": [rows.get(key, -1) for key in tables.functions],
            "name": [self.strings.number(key.name) for key in tables.functions],
            "said": list(map(self.strings.number, said)),
            **tables.table(len(part.events)),
        }
        said = [more_said(part.events[0], side) for side in tree.sides if side]
        return table, StackNotes(bare, readable(next(filter(None, said), "")), tree.count)

    def _bare_names(self, stacks: Stacks) -> list[int]:
        function_of = dict(zip(self.functions.row_of_function, count()))
        return [
            self.strings.number(stacks.name(function_of[row]) if "'" in key.name else key.name)
            for row, key in enumerate(self.functions.keys)
        ]

    def _said(self, part: Part, stacks: Stacks, functions: Sequence[int]) -> list[int]:
        """What is shown for the names of functions of stacks."""
        objects = [*(key.object for key in part.keys), UNKNOWN]
        shown = list(set(functions))
        keys = [FunctionKey(objects[function], "", stacks.name(function)) for function in shown]
        names = dict(zip(shown, self.names.names_of(keys)))
        return [self.strings.number(names[function]) for function in functions]

    def _older(self, old: Profile, stacks: Stacks, shown: Sequence[int]) -> Table:
        from cg2tools.report.olderprofile import matched  # only here: it brings cg2_diff

        before = Stacks(old.merged(), self.smallest)
        width = len(stacks.part.events)
        inclusive, own = matched(shown, stacks, before)
        return {"old": costs_in_columns(inclusive, width), "oldSelf": costs_in_columns(own, width)}
