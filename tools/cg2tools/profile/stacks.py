"""The stacks of a part, as the library finds them: which calls led to its costs.

    stacks = Stacks(part)
    stacks.functions, stacks.callers        of each stack
    stacks.cost(stack)                      with all that it calls
    stacks.names[function]                  without level and chain
    stacks.write("app.json.gz", SPEEDSCOPE, [0])

A stack is a function on top of its callers.  `cg2p_stacks` in cg2profile/stacks.h says which stacks
there are, and how cost is apportioned where a profile does not say which of them it was.
"""

import ctypes
import os
from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from cg2tools import VERSION
from cg2tools.profile.libcg2profile import Error, library, numbers_at, raise_error, text_of
from cg2tools.profile.model import Part, add_cost

_NO_CHAINS, _SHORT_CHAINS, _FULL_CHAINS = range(3)  # what names say of callers

FOLDED, SPEEDSCOPE, CHROME, PPROF, FIREFOX = range(5)
"""What stacks can be written as."""

_U32 = ctypes.c_uint32
_Size = ctypes.c_size_t
_Pointer = ctypes.c_void_p


class _Export(ctypes.Structure):
    _fields_ = [
        ("format", ctypes.c_int),
        ("n_events", _U32),
        ("events", ctypes.POINTER(_U32)),
        ("exporter", ctypes.c_char_p),
        ("full_names", ctypes.c_int),
    ]


class Stacks:
    """All stacks of a part by number, each behind its caller's, the most expensive first.

    `smallest` is the share of the total below which ways to reach a function are not shown one
    by one.  With `by_line`, costs and calls are kept apart by source line.
    """

    def __init__(self, part: Part, smallest: float = 0.0001, by_line: bool = False) -> None:
        self.part = part  # has the names, and lives as long
        self._handle: Any = None
        error = Error()
        address = library().cg2p_stacks_new(
            part.lines.profile.handle,
            part.lines.handle,
            ctypes.c_double(smallest),
            int(by_line),
            ctypes.byref(error),
        )
        if not address:
            raise_error(error, part.path)
        self._handle = _Pointer(address)
        self.count: int = library().cg2p_stacks_count(self._handle)
        self.small = part.lines.count
        """The function that stands for callers that are not shown one by one."""
        self.apportioned: int = library().cg2p_stacks_apportioned(self._handle)
        """How much of the first event is in functions whose costs in single stacks are not known
        for certain."""

    def guess(self) -> str:
        """How much of the cost is apportioned, and what would make it certain; "": nothing is."""
        share = self.apportioned / (self.part.self_total()[0] or 1)
        if not share:
            return ""
        chains = library().cg2p_stacks_chains(self._handle)
        callers = "several levels of a recursion" if chains == _FULL_CHAINS else "several places"
        said = (
            f"{share:.1%} of {self.part.events[0]} is in functions called from {callers}, "
            "and apportioned"
        )
        if chains == _NO_CHAINS:
            said += "; --separate-callers=100 when profiling makes stacks exact"
        elif chains == _SHORT_CHAINS:
            said += "; a higher --separate-callers when profiling makes more of them exact"
        return said

    def __del__(self) -> None:
        if self._handle:
            library().cg2p_stacks_free(self._handle)

    @cached_property
    def functions(self) -> "array[int]":
        """The function of each stack."""
        return self._records[0::6]

    @cached_property
    def callers(self) -> "array[int]":
        """The stack that each is on top of; NONE if there is none."""
        return self._records[1::6]

    @cached_property
    def _records(self) -> "array[int]":
        address = library().cg2p_stacks_array(self._handle)
        return numbers_at(address, 6 * self.count, "I")

    @cached_property
    def _inclusive(self) -> "array[int]":
        address = library().cg2p_stacks_inclusive_costs(self._handle)
        return numbers_at(address, self.count * self.part.lines.width)

    def cost(self, stack: int) -> Sequence[int]:
        """The inclusive cost of a stack."""
        width = self.part.lines.width
        return self._inclusive[stack * width : (stack + 1) * width]

    def self_cost(self, stack: int) -> Sequence[int]:
        """What a stack costs without what it calls, at all places of its function."""
        total = [0] * self.part.lines.width
        number = _U32(self.functions[stack])
        cost = (ctypes.c_uint64 * len(total))()
        for place in range(library().cg2p_stacks_place_count(self._handle, number)):
            library().cg2p_stacks_place_cost(self._handle, _U32(stack), _Size(place), cost)
            add_cost(total, list(cost))
        return total

    def above(self, smallest: float) -> "array[int]":
        """The stacks that have at least this share of an event's total, as their callers have."""
        found = array("I", bytes(4 * self.count_above(smallest)))
        library().cg2p_stacks_above(
            self._handle, ctypes.c_double(smallest), _Pointer(found.buffer_info()[0])
        )
        return found

    def count_above(self, smallest: float) -> int:
        """How many stacks `above` gives."""
        count: int = library().cg2p_stacks_above(self._handle, ctypes.c_double(smallest), None)
        return count

    @cached_property
    def names(self) -> list[str]:
        """The name of each function, without recursion level and call chain."""
        return [self.name(function) for function in range(self.small + 1)]

    def name(self, function: int) -> str:
        """The name of a function, as `names` has it."""
        length = _Size()
        number = _U32(function)
        address = library().cg2p_stacks_function_name(self._handle, number, ctypes.byref(length))
        return text_of(ctypes.string_at(address, length.value))

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
        error = Error()
        numbers = (_U32 * len(events))(*events)
        exporter = "; partial: ".join([f"cg2_convert {VERSION}", *partial])
        encoded = exporter.encode("utf-8", "surrogateescape")
        how = _Export(form, len(events), numbers, encoded, full_names)
        to = os.fsencode(path)
        asked = ctypes.byref(how), to, ctypes.byref(error)
        if not library().cg2p_stacks_write(self._handle, *asked):
            raise_error(error, "standard output" if path == "-" else os.fspath(path))
