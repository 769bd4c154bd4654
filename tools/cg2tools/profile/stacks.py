"""The stacks of a part, as the library finds them: which calls led to its costs.

    stacks = Stacks(part)
    stacks.functions, stacks.callers        of each stack
    stacks.cost(stack)                      with all that it calls
    stacks.names[function]                  without level and chain
    stacks.write("app.json.gz", SPEEDSCOPE, [0])

A stack is a function on top of its callers.  `cg2p_stacks` in cg2profile/stacks.h says which stacks
there are, and how cost is apportioned where a profile does not say which of them it was.
"""

import os
from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from cg2tools import VERSION
from cg2tools.bindings.interface import (
    column_at,
    numbers_at,
    profile_library,
    reference,
    room_for,
    row,
    text_at,
)
from cg2tools.bindings.structures import (
    DOUBLE,
    ADDRESS,
    SIZE,
    U32,
    U64,
    cg2p_error,
    cg2p_export,
    cg2p_stack,
)
from cg2tools.profile.libcg2profile import raise_error
from cg2tools.profile.model import Part, add_cost

_FULL_CHAINS = 2  # names say all callers

FOLDED, SPEEDSCOPE, CHROME, PPROF, FIREFOX = range(5)
"""What stacks can be written as."""


class Stacks:
    """All stacks of a part by number, each behind its caller's, the most expensive first.

    `smallest` is the share of the total below which ways to reach a function are not shown one
    by one.  With `by_line`, costs and calls are kept apart by source line.
    """

    def __init__(self, part: Part, smallest: float = 0.0001, by_line: bool = False) -> None:
        self.part = part  # has the names, and lives as long
        self._handle: Any = None
        error = cg2p_error()
        address = profile_library().cg2p_stacks_new(
            part.lines.profile.handle,
            part.lines.handle,
            DOUBLE(smallest),
            int(by_line),
            reference(error),
        )
        if not address:
            raise_error(error, part.path)
        self._handle = ADDRESS(address)
        self.count: int = profile_library().cg2p_stacks_count(self._handle)
        self.small = part.lines.count
        """The function that stands for callers that are not shown one by one."""
        self.apportioned: int = profile_library().cg2p_stacks_apportioned(self._handle)
        """How much of the first event is in functions whose costs in single stacks are not known
        for certain."""

    def guess(self) -> str:
        """How much of the cost is apportioned, and what would make it certain; "": nothing is."""
        share = self.apportioned / (self.part.self_total()[0] or 1)
        if not share:
            return ""
        chains = profile_library().cg2p_stacks_chains(self._handle)
        callers = "several levels of a recursion" if chains == _FULL_CHAINS else "several places"
        return (
            f"{share:.1%} of {self.part.events[0]} is in functions called from {callers}, "
            "and apportioned; --contexts=full when profiling writes exact stacks"
        )

    def __del__(self) -> None:
        if self._handle:
            profile_library().cg2p_stacks_free(self._handle)

    @cached_property
    def functions(self) -> "array[int]":
        """The function of each stack."""
        return self._column("function")

    @cached_property
    def callers(self) -> "array[int]":
        """The stack that each is on top of; NONE if there is none."""
        return self._column("caller")

    def _column(self, field: str) -> "array[int]":
        address = profile_library().cg2p_stacks_array(self._handle)
        return column_at(cg2p_stack, field, address, self.count)

    @cached_property
    def _inclusive(self) -> "array[int]":
        address = profile_library().cg2p_stacks_inclusive_costs(self._handle)
        return numbers_at(address, self.count * self.part.lines.width)

    def cost(self, stack: int) -> Sequence[int]:
        """The inclusive cost of a stack."""
        width = self.part.lines.width
        return self._inclusive[stack * width : (stack + 1) * width]

    def self_cost(self, stack: int) -> Sequence[int]:
        """What a stack costs without what it calls, at all places of its function."""
        total = [0] * self.part.lines.width
        number = U32(self.functions[stack])
        cost = room_for(U64, len(total))
        for place in range(profile_library().cg2p_stacks_place_count(self._handle, number)):
            profile_library().cg2p_stacks_place_cost(self._handle, U32(stack), SIZE(place), cost)
            add_cost(total, list(cost))
        return total

    def above(self, smallest: float) -> "array[int]":
        """The stacks that have at least this share of an event's total, as their callers have."""
        found = array("I", bytes(4 * self.count_above(smallest)))
        profile_library().cg2p_stacks_above(
            self._handle, DOUBLE(smallest), ADDRESS(found.buffer_info()[0])
        )
        return found

    def count_above(self, smallest: float) -> int:
        """How many stacks `above` gives."""
        count: int = profile_library().cg2p_stacks_above(self._handle, DOUBLE(smallest), None)
        return count

    @cached_property
    def names(self) -> list[str]:
        """The name of each function, without recursion level and call chain."""
        return [self.name(function) for function in range(self.small + 1)]

    def name(self, function: int) -> str:
        """The name of a function, as `names` has it."""
        length = SIZE()
        number = U32(function)
        address = profile_library().cg2p_stacks_function_name(
            self._handle, number, reference(length)
        )
        return text_at(address, length.value)

    def write(
        self,
        path: str | os.PathLike[str],
        form: int,
        events: Sequence[int],
        partial: Sequence[str] = (),
        full_names: bool = False,
    ) -> None:
        """Write the file, which appears when it is complete; "-" is standard output.

        `events` are numbers of the part's; of them a form with one number takes the first.
        `partial` is what the file says of parts that are missing, where it has room for that.
        Unless names are to be full, they are as people say them.
        """
        error = cg2p_error()
        numbers = row(U32, events)
        exporter = "; partial: ".join([f"cg2_convert {VERSION}", *partial])
        encoded = exporter.encode("utf-8", "surrogateescape")
        how = cg2p_export(form, len(events), numbers, encoded, full_names)
        to = os.fsencode(path)
        asked = reference(how), to, reference(error)
        if not profile_library().cg2p_stacks_write(self._handle, *asked):
            raise_error(error, "standard output" if path == "-" else os.fspath(path))
