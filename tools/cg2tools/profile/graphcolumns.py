"""The call graph of a part, as the library makes it: columns of nodes, arcs and cycles.

    graph = Graph(part.lines)
    graph.keys[graph.node_of[function]]     the node that a function of the part belongs to
    graph.self_costs, graph.inclusive       of nodes, one cost behind the other

`cg2p_graph` in cg2profile/graph.h says what a node is, and what inclusive costs are. A column is
copied when one asks for it.
"""

from array import array
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import compress
from typing import Any
from weakref import ref

from cg2tools.bindings.interface import (
    address_of,
    column_at,
    numbers_at,
    profile_library,
    reference,
    structure_at,
    text_at,
    zeros,
)
from cg2tools.bindings.structures import ADDRESS, SIZE, U32, cg2p_arc, cg2p_error, cg2p_graph
from cg2tools.profile.libcg2profile import CALL, LibraryPart, Limit, Table, raise_error
from cg2tools.profile.terms import FunctionKey


class NodeNames:
    """The functions that the nodes of a graph stand for, as long as there is the graph."""

    def __init__(self, part: LibraryPart, handle: Any, outermost: "array[int]") -> None:
        self._part = part
        self._handle = handle
        self._outermost = outermost  # level of each node: a function of the part

    def __len__(self) -> int:
        return len(self._outermost)

    @cached_property
    def keys(self) -> list[FunctionKey]:
        """All of them, without levels."""
        functions = self._part.functions()
        keys = [functions[function] for function in self._outermost]
        for node in [
            node for node, (_, _, name) in enumerate(keys) if "'" in name
        ]:  # may be a level
            keys[node] = keys[node]._replace(name=self.name(node))
        return keys

    def key(self, node: int) -> FunctionKey:
        """The function of one node; others are not made."""
        made: list[FunctionKey] | None = vars(self).get("keys")
        if made:
            return made[node]
        name, function = self._part.profile.name, 3 * self._outermost[node]
        object, file = self._names[function : function + 2]
        return FunctionKey(name(object), name(file), self.name(node))

    def that_begin(self, start: str) -> list[int]:
        """The nodes whose names begin so."""
        return self.of_names(self._part.profile.names_that_begin(start))

    def of_names(self, wanted: Collection[int]) -> list[int]:
        """The nodes whose outermost function has a name, by its number, that is among these."""
        if not wanted:
            return []
        names = map(self._names[2::3].__getitem__, self._outermost)
        return list(compress(range(len(self)), map(frozenset(wanted).__contains__, names)))

    @cached_property
    def _names(self) -> "array[int]":
        return self._part.function_names()

    def name(self, node: int) -> str:
        """The name of a node, without its level."""
        length = SIZE()
        text = profile_library().cg2p_graph_node_name(self._handle, U32(node), reference(length))
        return text_at(text, length.value)


class Graph:
    """Nodes, the arcs between them, and cycles, each by number.

    With `keep_levels`, each recursion level is a node of its own: nodes are the functions.
    """

    def __init__(self, part: LibraryPart, keep_levels: bool = False) -> None:
        self.part = part  # has the names as long as the graph needs them
        self._handle: Any = None
        error = cg2p_error()
        address = profile_library().cg2p_graph_new(
            part.profile.handle, part.handle, int(keep_levels), reference(error)
        )
        if not address:
            raise_error(error, part.profile.path)
        self._handle = ADDRESS(address)
        self.address = address
        """Where the library has it."""
        self._found = structure_at(cg2p_graph, address)
        outermost = numbers_at(self._found.outermost, self._found.n_nodes, "I")
        self.names = NodeNames(part, self._handle, outermost)
        self.width = part.width
        """The numbers of a cost."""
        self.cycle_count: int = self._found.n_cycles

    def __del__(self) -> None:
        profile_library().cg2p_graph_free(self._handle)

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

    @property
    def keys(self) -> list[FunctionKey]:
        """The function that each node stands for, without a level."""
        return self.names.keys

    @cached_property
    def self_costs(self) -> "array[int]":
        return self._costs(self._found.self, self._found.n_nodes)

    @cached_property
    def inclusive(self) -> "array[int]":
        return self._costs(self._found.inclusive, self._found.n_nodes)

    def dearest(self, event: int, inclusive: bool, most: int) -> "tuple[array[int], int]":
        """The nodes among which are the `most` that cost most; and how many cost something."""
        found = self._found
        nodes, count = zeros(found.n_nodes, "I"), U32()
        costs = ADDRESS(found.inclusive if inclusive else found.self)
        n = profile_library().cg2p_graph_find_dearest(
            self._handle, costs, U32(event), U32(most), *_addresses(nodes), reference(count)
        )
        return nodes[:n], count.value

    @cached_property
    def cycle(self) -> "array[int]":
        """The number of each node's cycle, from 1; 0: none."""
        return numbers_at(self._found.cycle, self._found.n_nodes, "I")

    # ---- Arcs, those of the first caller first -----------------------------

    @cached_property
    def callers(self) -> "array[int]":
        """The node that calls, of each arc."""
        return self._arcs("caller")

    @cached_property
    def callees(self) -> "array[int]":
        """The node that is called, of each arc."""
        return self._arcs("callee")

    @cached_property
    def counts(self) -> "array[int]":
        """How many calls each arc is."""
        return self._arcs("count")

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
        found = self._found.entries, self._found.n_entries
        callers = column_at(cg2p_arc, "caller", *found)
        callees = column_at(cg2p_arc, "callee", *found)
        return [*zip(callers, callees, column_at(cg2p_arc, "count", *found))]

    @cached_property
    def entry_costs(self) -> "array[int]":
        return self._costs(self._found.entry_costs, self._found.n_entries)

    def by_event(self, costs: "array[int]") -> "list[array[int]]":
        """A column for each event of costs that lie one behind the other."""
        return [costs[event :: self.width] for event in range(self.width)]

    # ---- Copies ------------------------------------------------------------

    def _costs(self, address: int | None, count: int) -> "array[int]":
        return numbers_at(address, count * self.width)

    def _arcs(self, field: str) -> "array[int]":
        return column_at(cg2p_arc, field, self._found.arcs, self._found.n_arcs)


# ---- Numbers that somebody else gives nodes --------------------------------


def number_arcs(graph: Graph, numbers: "array[int]") -> "tuple[array[int], array[int]]":
    """The numbers of each arc's caller and callee."""
    ends = zeros(graph._found.n_arcs), zeros(graph._found.n_arcs)
    profile_library().cg2p_graph_number_arcs(graph._handle, *_addresses(numbers, *ends))
    return ends


def number_functions(graph: Graph, numbers: "array[int]") -> "array[int]":
    """The number of the node of each function of the part."""
    made = zeros(graph._found.n_functions, "I")
    profile_library().cg2p_graph_number_functions(graph._handle, *_addresses(numbers, made))
    return made


def _addresses(*columns: "array[int]") -> list[ADDRESS]:
    return [ADDRESS(address_of(column)) for column in columns]


def graph_of(part: LibraryPart) -> Graph:
    """The graph of a part, without levels, which is made once as long as somebody needs it."""
    kept = part.kept_graph
    graph: Graph | None = kept() if kept else None
    if graph is None:
        graph = Graph(part)
        part.kept_graph = ref(graph)
    return graph
