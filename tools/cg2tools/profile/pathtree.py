"""What paths of calls cost, as a tree: `cg2p_pathtree` in cg2profile/pathtree.h says what a branch of it is.

    tree = PathTree(events=1)
    tree.add(part)                      of a file of paths; as many as there are
    tree.add(part, side=1)              of an older run
    tree.end()
    tree.heaviest(factors)              numbers of branches
    tree.inclusive(number)
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from cg2tools.bindings.interface import profile_library, reference, row, view_at
from cg2tools.bindings.structures import (
    DOUBLE,
    I64,
    ADDRESS,
    SIZE,
    U32,
    cg2p_branch,
    cg2p_error,
    place,
    width,
)
from cg2tools.profile.libcg2profile import NONE, LibraryPart, raise_error
from cg2tools.profile.model import Part
from cg2tools.profile.terms import Cost, FunctionKey


_WORDS = width(cg2p_branch, 4)
_CALLER, _PART, _SIZE = (place(cg2p_branch, field) for field in ("caller", "part", "n"))
_LONGS, _CALLS = width(cg2p_branch, 8), place(cg2p_branch, "calls")

MORE = "(more)"
"""The function that stands for paths that had no room when the program ran."""


@dataclass(frozen=True, slots=True)
class Rest:
    """What is left out of a tree below one of its branches."""

    branches: int
    calls: int
    cost: Cost


class PathTree:
    """The branches of parts, by number, each behind its caller."""

    def __init__(self, events: int, by_name: bool = False) -> None:
        """Branches are of one function if names are alike, with `by_name`; else if objects and files are,
        too."""
        self._width = events
        self._by_name = by_name
        self._names: dict[str, int] = {}
        self._parts: list[LibraryPart] = []
        self.sides: tuple[list[LibraryPart], list[LibraryPart]] = ([], [])
        """The parts of each side."""
        self._functions: list["array[int]"] = []
        self._handle: Any = None
        error = cg2p_error()
        address = profile_library().cg2p_pathtree_new(U32(events), reference(error))
        if not address:
            raise_error(error, "paths")
        self._handle = ADDRESS(address)

    def __del__(self) -> None:
        if self._handle:
            profile_library().cg2p_pathtree_free(self._handle)

    def add(self, part: Part, side: int = 0, names: Iterable[str] = ()) -> None:
        """Add a part to a side.  With `by_name`, `names` are those of the profile as they count."""
        error = cg2p_error()
        found = part.lines
        numbers = array("I", map(self._number, names)) if self._by_name else None
        address = numbers.buffer_info()[0] if numbers is not None else None
        if not profile_library().cg2p_pathtree_add(
            self._handle,
            found.profile.handle,
            found.handle,
            ADDRESS(address),
            side,
            reference(error),
        ):
            raise_error(error, part.path)
        self._parts.append(found)
        self.sides[side].append(found)
        self._functions.append(found.function_names())

    def _number(self, name: str) -> int:
        return self._names.setdefault(name, len(self._names))

    def end(self) -> None:
        """Add up what branches cost with all below them; nothing can be added any more."""
        error = cg2p_error()
        if not profile_library().cg2p_pathtree_complete(self._handle, reference(error)):
            raise_error(error, "paths")
        found = profile_library()
        self.count: int = found.cg2p_pathtree_branch_count(self._handle)
        words = view_at(found.cg2p_pathtree_branches(self._handle), self.count * _WORDS, "I")
        self._words = words
        self._calls = words.cast("B").cast("Q")
        cells = self.count * self._width
        costs = found.cg2p_pathtree_self_costs, found.cg2p_pathtree_inclusive_costs
        self._self, self._inclusive = (
            [view_at(of(self._handle, side), cells, "Q") for side in (0, 1)] for of in costs
        )

    # ---- A branch

    def caller(self, branch: int) -> int:
        """The branch above; NONE if there is none."""
        return self._words[_WORDS * branch + _CALLER]

    def function(self, branch: int) -> FunctionKey:
        first = _WORDS * branch + _PART
        part, path = self._words[first : first + 2]
        numbers = self._functions[part][3 * path : 3 * path + 3]
        return FunctionKey(*map(self._parts[part].profile.names.__getitem__, numbers))

    def size(self, branch: int) -> int:
        """How many branches it and those below it are."""
        return self._words[_WORDS * branch + _SIZE]

    def calls(self, branch: int, side: int = 0) -> int:
        return self._calls[_LONGS * branch + _CALLS + side]

    def self_cost(self, branch: int, side: int = 0) -> Cost:
        return self._cost(self._self[side], branch)

    def inclusive(self, branch: int, side: int = 0) -> Cost:
        return self._cost(self._inclusive[side], branch)

    def _cost(self, costs: memoryview, branch: int) -> Cost:
        return costs[branch * self._width : (branch + 1) * self._width].tolist()

    def path(self, branch: int) -> list[FunctionKey]:
        """The functions of all branches above, outermost first, and its own."""
        found = []
        while branch != NONE:
            found.append(self.function(branch))
            branch = self.caller(branch)
        return found[::-1]

    def rest(self, branch: int, below: Sequence[int], side: int = 0) -> Rest:
        """What is below a branch but not in `below`, branches that it calls, nor below these.

        Below NONE are the branches that nobody calls.
        """
        whole = self._all_below(branch, side)
        cost = whole.cost
        for one in below:
            cost = [more - less for more, less in zip(cost, self.inclusive(one, side))]
        return Rest(
            whole.branches - sum(map(self.size, below)),
            whole.calls - sum(self.calls(one, side) for one in below),
            cost,
        )

    def _all_below(self, branch: int, side: int) -> Rest:
        if branch == NONE:
            roots = [one for one in range(self.count) if self.caller(one) == NONE]
            costs = (self.inclusive(one, side) for one in roots)
            cost = [sum(numbers) for numbers in zip(*costs)] or [0] * self._width
            return Rest(self.count, sum(self.calls(one, side) for one in roots), cost)
        pairs = zip(self.inclusive(branch, side), self.self_cost(branch, side))
        calls = self._calls[_WORDS // 2 * branch + 4 + side]
        return Rest(self.size(branch) - 1, calls, [whole - own for whole, own in pairs])

    # ---- Some of the branches

    def above(self, share: float) -> "array[int]":
        """The branches that have at least this share of an event's total, as their callers have."""
        numbers = self._room()
        found = profile_library().cg2p_pathtree_above(self._handle, DOUBLE(share), _at(numbers))
        return numbers[:found]

    def heaviest(self, factors: Sequence[int]) -> "array[int]":
        """All branches, those first that cost most themselves in an event that factors make."""
        numbers, error = self._room(), cg2p_error()
        asked = self._weights(factors), _at(numbers), reference(error)
        if not profile_library().cg2p_pathtree_heaviest(self._handle, *asked):
            raise_error(error, "paths")
        return numbers[: self.count]

    def holding(self, factors: Sequence[int], share: float) -> "array[int]":
        """A small tree whose branches themselves cost a share of an event that factors make."""
        numbers, error, found = self._room(), cg2p_error(), SIZE()
        asked = self._weights(factors), DOUBLE(share), _at(numbers)
        if not profile_library().cg2p_pathtree_densest(
            self._handle, *asked, reference(found), reference(error)
        ):
            raise_error(error, "paths")
        return numbers[: found.value]

    def _room(self) -> "array[int]":
        return array("I", bytes(4 * (self.count + 1)))

    def _weights(self, factors: Sequence[int]) -> Any:
        return row(I64, factors)


def _at(numbers: "array[int]") -> Any:
    return ADDRESS(numbers.buffer_info()[0])


def tree_of(parts: Sequence[Part]) -> PathTree:
    """The tree of parts with the same events."""
    tree = PathTree(len(parts[0].events))
    for part in parts:
        tree.add(part)
    tree.end()
    return tree
