"""The call graph of a part, as the library makes it: columns of nodes, arcs and cycles.

    graph = Graph(part.lines)
    graph.keys[graph.node_of[function]]     the node that a function of the part belongs to
    graph.self_costs, graph.inclusive       of nodes, one cost behind the other

`cg2p_graph` in cg2profile/graph.h says what a node is, and what inclusive costs are. A column is
copied when one asks for it.
"""

import ctypes
from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from cg2tools.profile.libcg2profile import (
    CALL,
    Error,
    LibraryPart,
    Limit,
    Table,
    library,
    numbers_at,
    raise_error,
    text_of,
)
from cg2tools.profile.terms import FunctionKey

_U32 = ctypes.c_uint32
_Pointer = ctypes.c_void_p


class _Graph(ctypes.Structure):
    _fields_ = [
        ("n_events", _U32),
        ("n_functions", _U32),
        ("n_nodes", _U32),
        ("node_of", _Pointer),
        ("outermost", _Pointer),
        ("self", _Pointer),
        ("inclusive", _Pointer),
        ("cycle", _Pointer),
        ("n_arcs", _U32),
        ("arcs", _Pointer),
        ("arc_costs", _Pointer),
        ("n_cycles", _U32),
        ("cycle_self", _Pointer),
        ("cycle_inclusive", _Pointer),
        ("n_entries", _U32),
        ("entries", _Pointer),
        ("entry_costs", _Pointer),
    ]


class Graph:
    """Nodes, the arcs between them, and cycles, each by number.

    With `keep_levels`, each recursion level is a node of its own: nodes are the functions.
    """

    def __init__(self, part: LibraryPart, keep_levels: bool = False) -> None:
        self.part = part  # has the names as long as the graph needs them
        self._handle: Any = None
        error = Error()
        address = library().cg2p_graph_new(
            part.profile.handle, part.handle, int(keep_levels), ctypes.byref(error)
        )
        if not address:
            raise_error(error, part.profile.path)
        self._handle = _Pointer(address)
        self._found = _Graph.from_address(address)
        self.width = part.width
        """The numbers of a cost."""
        self.cycle_count: int = self._found.n_cycles

    def __del__(self) -> None:
        library().cg2p_graph_free(self._handle)

    def add_up_calls(
        self,
        keys: int,
        function_as: Sequence[int] | None = None,
        file_as: Sequence[int] | None = None,
        limit: Limit | None = None,
    ) -> Table:
        """Calls as they are counted in arcs; functions are nodes, unless `function_as` says."""
        return self.part.add_up(
            CALL, keys, function_as, file_as=file_as, limit=limit, graph=self._handle
        )

    # ---- Nodes -------------------------------------------------------------

    @cached_property
    def node_of(self) -> "array[int]":
        """The node of each function of the part."""
        return numbers_at(self._found.node_of, self._found.n_functions, "I")

    @cached_property
    def keys(self) -> list[FunctionKey]:
        """The function that each node stands for, without a level."""
        functions, length = self.part.functions(), ctypes.c_size_t()
        outermost = numbers_at(self._found.outermost, self._found.n_nodes, "I")
        keys = [functions[function] for function in outermost]
        for node, key in enumerate(keys):
            if "'" in key.name:  # may be a level
                text = library().cg2p_graph_node_name(
                    self._handle, _U32(node), ctypes.byref(length)
                )
                keys[node] = key._replace(name=text_of(ctypes.string_at(text, length.value)))
        return keys

    @cached_property
    def self_costs(self) -> "array[int]":
        return self._costs(self._found.self, self._found.n_nodes)

    @cached_property
    def inclusive(self) -> "array[int]":
        return self._costs(self._found.inclusive, self._found.n_nodes)

    @cached_property
    def cycle(self) -> "array[int]":
        """The number of each node's cycle, from 1; 0: none."""
        return numbers_at(self._found.cycle, self._found.n_nodes, "I")

    # ---- Arcs, those of the first caller first -----------------------------

    @cached_property
    def callers(self) -> "array[int]":
        """The node that calls, of each arc."""
        return self._arcs("I")[0::4]

    @cached_property
    def callees(self) -> "array[int]":
        """The node that is called, of each arc."""
        return self._arcs("I")[1::4]

    @cached_property
    def counts(self) -> "array[int]":
        """How many calls each arc is."""
        return self._arcs("Q")[1::2]

    @cached_property
    def arc_costs(self) -> "array[int]":
        return self._costs(self._found.arc_costs, self._found.n_arcs)

    # ---- Cycles, and the calls into them -----------------------------------

    @cached_property
    def cycle_self(self) -> "array[int]":
        return self._costs(self._found.cycle_self, self._found.n_cycles)

    @cached_property
    def cycle_inclusive(self) -> "array[int]":
        return self._costs(self._found.cycle_inclusive, self._found.n_cycles)

    @cached_property
    def entries(self) -> list[tuple[int, int, int]]:
        """Who calls a cycle from outside: node, cycle, how many calls."""
        n = self._found.n_entries
        ends = numbers_at(self._found.entries, 4 * n, "I")
        return [*zip(ends[0::4], ends[1::4], numbers_at(self._found.entries, 2 * n)[1::2])]

    @cached_property
    def entry_costs(self) -> "array[int]":
        return self._costs(self._found.entry_costs, self._found.n_entries)

    def by_event(self, costs: "array[int]") -> "list[array[int]]":
        """A column for each event of costs that lie one behind the other."""
        return [costs[event :: self.width] for event in range(self.width)]

    # ---- Copies ------------------------------------------------------------

    def _costs(self, address: int | None, count: int) -> "array[int]":
        return numbers_at(address, count * self.width)

    def _arcs(self, code: str) -> "array[int]":
        """The numbers of all arcs: four of 32 bits, or two of 64."""
        return numbers_at(
            self._found.arcs, (4 if code == "I" else 2) * int(self._found.n_arcs), code
        )
