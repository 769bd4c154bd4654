"""Causes as the library finds them: columns by place. A Cause is made of what is shown alone.

    found = Summands(explanation.causes(...), matched, systems)
    found.take(found.of_kind(REPLACED))     what is below something else
    found.at_least(found.size())            the places of what is large
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from functools import cached_property

from cg2tools.diff.matches import Matched
from cg2tools.diff.systems import EXCLUDABLE, binders_of
from cg2tools.profile.explanation import (
    ADDED,
    CALLS,
    INLINED,
    OUTLINED,
    OWN,
    REMOVED,
    REPLACED,
    SYSTEM,
    Causes,
)
from cg2tools.profile.libcg2profile import NONE
from cg2tools.profile.model import Cost, FunctionKey

_NAMES = "inlined outlined removed system replaced layout calls added self".split()
"""The library's kinds, in its order."""

_OF_CODE = OWN, REPLACED, ADDED, REMOVED, INLINED, OUTLINED

_LEAST = 1000
"""What is less than such a part of all is small."""


class Summands:
    """The causes, and which of them are left: neither excluded nor below something."""

    def __init__(self, made: Causes, matched: Matched, systems: bytes) -> None:
        """`systems` has the system of each function."""
        self.made = made
        self._matched = matched
        self._systems = systems
        self._first = made.flat_costs[:: made.width]
        self.left: Sequence[int] = range(made.count)

    def name(self, place: int) -> str:
        """The name of its kind."""
        return self._system(place) or _NAMES[self.made.kinds[place]]

    def _system(self, place: int) -> str:
        """The allocator or the linker, if the cause is what happened there; else ""."""
        made, kind = self.made, self.made.kinds[place]
        if kind == SYSTEM:
            return EXCLUDABLE[self._systems[made.functions[place]] - 1]
        if kind not in (REMOVED, CALLS):
            return ""
        end = made.functions if kind == REMOVED else made.callees
        return "linker" if end[place] in self._binders else ""

    @cached_property
    def _binders(self) -> Set[int]:
        found = binders_of(self._matched.matching)
        numbers = enumerate(self._matched.functions) if found else ()
        return {number for number, function in numbers if function in found}

    def of_kind(self, kind: int) -> list[int]:
        kinds = self.made.kinds
        return [place for place in self.left if kinds[place] == kind]

    def of_system(self, name: str) -> list[int]:
        """What happened in the allocator or the linker."""
        return [place for place in self.left if self._system(place) == name]

    def in_object(self, name: str) -> list[int]:
        """What is in the code of an object, whose name has no directory."""
        left = set(self.left)
        return [place for place in self._by_object.get(name, ()) if place in left]

    @cached_property
    def _by_object(self) -> Mapping[str, list[int]]:
        matching, functions = self._matched.matching, self._matched.functions
        objects, kinds = matching.objects(), self.made.kinds
        found: dict[int, list[int]] = defaultdict(list)
        for place, function in enumerate(self.made.functions):
            if kinds[place] in _OF_CODE and function != NONE:
                found[objects[functions[function]]].append(place)
        by_name: dict[str, list[int]] = defaultdict(list)
        for object, places in found.items():
            by_name[matching.file(object).rpartition("/")[2]] += places
        return {name: sorted(places) for name, places in by_name.items()}

    def ends(self, place: int) -> tuple[FunctionKey | None, FunctionKey | None]:
        """What stood in a function's place, and the function."""
        function = self.made.functions[place]
        return self._matched.key_before(function), self._matched.key(function)

    def leave_out(self, systems: Sequence[str]) -> None:
        """What happened in these."""
        for system in systems:
            self.take(self.of_system(system))

    def take(self, places: Sequence[int]) -> None:
        """Have some be left no longer."""
        taken = set(places)
        if taken:
            self.left = [place for place in self.left if place not in taken]

    # ---- Costs -------------------------------------------------------------

    def size(self) -> int:
        """What those that are left cost in the first event, up and down."""
        return sum([abs(self._first[place]) for place in self.left])

    def at_least(self, every: int) -> list[int]:
        """The places of those that are left and are no small part of all."""
        return [place for place in self.left if is_large(self._first[place], every)]

    def sum(self, places: Sequence[int]) -> Cost:
        """What they cost together."""
        made = self.made
        if len(places) == made.count:
            return [sum(made.flat_costs[event :: made.width]) for event in range(made.width)]
        columns = (made.flat_costs[event :: made.width] for event in range(made.width))
        return [sum(map(column.__getitem__, places)) for column in columns]


def is_large(cost: int, every: int) -> bool:
    """Whether a cost in the first event is no small part of all; of nothing each is."""
    return not every or abs(cost) * _LEAST >= every
