"""Where cg2 differs from Callgrind on purpose, and by exactly how much.

A rule changes the graph of the stock profile into what cg2 must show. It predicts figures and does not
forgive them: after all rules the two graphs must be equal, so a wrong number still fails. README says why
each rule exists and what shows that cg2 is right.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from code_at import entry_of, is_jump_to
from graph import Arc, Graph, Link, Node, base_name

NO_OBJECT = "???"
PAGE = 4096
STUB_INSTRUCTIONS = 2
"""The longest stub: `endbr64` and `jmp *entry`."""
BINDING_INSTRUCTIONS = 5
"""What a stub passes in .plt before it is bound: `endbr64`, `push`, `jmp`, and `push`, `jmp` of the first
entry."""
IN_FLIGHT_INSTRUCTIONS = 8
"""The longest block that may end a thread; glibc's `_exit` has `mov` and `syscall`."""


@dataclass(frozen=True)
class Rule:
    """A difference on purpose: `apply` changes the graphs and says, line by line, what it changed."""

    name: str
    apply: Callable[[Graph, Graph], Iterator[str]]


# ------------------------------------------------------------ jumps to the own first instruction


def drop_self_jumps(stock: Graph, cg2: Graph) -> Iterator[str]:
    """A jump inside a function is no call, also not to its first instruction: loops may start there.

    Callgrind enters the next recursion level at each such jump. The arcs from jumps go; as the profile
    does not say what the levels would cost without them, the levels of that function are compared as one.
    """
    jumping: dict[Node, int] = {}
    for site in stock.self_sites:
        function = site.link[0].base()
        if is_jump_to(function.object, site.address, site.target):
            stock.take_arc(site.link, site.arc)
            jumping[function] = jumping.get(function, 0) + site.arc.count
    for function, count in sorted(jumping.items()):
        merge_levels(stock, cg2, function)
        yield f"{function}: {count} jumps to its first instruction are no calls; its levels compared as one"


def merge_levels(stock: Graph, cg2: Graph, function: Node) -> None:
    """Make one node of a function's recursion levels."""
    for graph in (stock, cg2):
        graph.rename(lambda node: function if node.base() == function else node)


# ------------------------------------------------------------ stubs


@dataclass(frozen=True)
class Stub:
    """A node that only goes on to `target`, once through `resolver` if it was bound during the run."""

    node: Node
    target: Node
    resolver: Node | None
    per_call: int  # instructions
    binding: int  # instructions of .plt on the way to the resolver


def fold_stubs(stock: Graph, cg2: Graph) -> Iterator[str]:
    """Stubs of `.plt.got` and `.plt.sec` are no functions: a call through one is a call of its target."""
    stubs = [stub for node in stock.nodes() if (stub := stub_of(stock, node))]
    callers = {stub: stock.into(stub.node) for stub in stubs}
    for stub in sorted(stubs, key=lambda stub: (len(callers[stub]), stub.node)):
        fold_stub(stock, cg2, stub, callers[stub])
        calls = sum(arc.count for arc in callers[stub].values())
        yield f"stub {stub.node}: {calls} calls of {stub.target} given to {len(callers[stub])} callers"


def stub_of(stock: Graph, node: Node) -> Stub | None:
    """The stub that `node` is: without symbol and object, a few instructions, and always the same target."""
    if node.object != NO_OBJECT or not node.name.startswith("0x"):
        return None
    calls = sum(arc.count for arc in stock.into(node).values())
    out = stock.out_of(node)
    resolvers = [callee for callee in out if is_resolver(callee)]
    targets = [callee for callee in out if not is_resolver(callee)]
    if not calls or len(targets) != 1 or len(resolvers) > 1 or out[targets[0]].count != calls:
        return None
    resolver = resolvers[0] if resolvers else None
    for per_call in range(STUB_INSTRUCTIONS, 0, -1):
        binding = stock.self_cost[node] - calls * per_call
        if (1 if resolver else 0) <= binding <= (BINDING_INSTRUCTIONS if resolver else 0):
            return Stub(node, targets[0], resolver, per_call, binding)
    return None


def is_resolver(node: Node) -> bool:
    """Whether a node is the dynamic linker's resolver."""
    return node.name.startswith("_dl_runtime_resolve")


def fold_stub(stock: Graph, cg2: Graph, stub: Stub, callers: dict[Node, Arc]) -> None:
    """Give each caller of a stub the stub's cost of its calls, and its calls of the target."""
    for caller, arc in callers.items():
        cost = arc.count * stub.per_call
        stock.add_self(caller, cost)
        stock.add_arc((caller, stub.target), Arc(arc.count, arc.inclusive - cost))
    if stub.resolver:
        caller = binder_of(stock, cg2, stub.resolver, callers)
        resolving = stock.arcs[stub.node, stub.resolver]
        stock.add_self(caller, stub.binding)
        stock.add_arc((caller, stub.resolver), resolving)
        stock.arcs[caller, stub.target].inclusive -= stub.binding + resolving.inclusive
    stock.remove(stub.node)


def binder_of(stock: Graph, cg2: Graph, resolver: Node, callers: dict[Node, Arc]) -> Node:
    """The caller whose call bound the stub. With several the stock profile cannot tell: then ask cg2's."""
    return max(
        sorted(callers),
        key=lambda caller: cg2.calls(caller, resolver) - stock.calls(caller, resolver),
    )


# ------------------------------------------------------------ sections without an object


def name_objects(stock: Graph, cg2: Graph) -> Iterator[str]:
    """For Callgrind code outside of .text is in no object; cg2 knows the object of .init and .fini.

    Two nodes are the same when they are called equally often, at the same cost, by the same functions and
    call the same, and when the object is where its other nodes say, which is at the beginning of a page.
    """
    named = sorted(cg2.nodes() - stock.nodes())
    same = {
        node: [other for other in named if may_be_same(stock, node, cg2, other)]
        for node in stock.nodes()
        if node.object == NO_OBJECT
    }
    loaded: dict[str, int | None] = {}
    for node, others in sorted(same.items(), key=lambda item: (len(item[1]), item[0])):
        for other in others:
            base = load_address(node, other)
            if other in named and loaded.setdefault(other.object, base) == base:
                named.remove(other)
                stock.rename(renaming(node, other))
                yield f"{node} is {other}"
                break


def load_address(unnamed: Node, named: Node) -> int | None:
    """Where the object is loaded if the two are the same place; None if they cannot be."""
    if not (unnamed.name.startswith("0x") and named.name.startswith("0x")):
        return None
    base = int(base_name(unnamed.name), 16) - int(base_name(named.name), 16)
    return base if base % PAGE == 0 else None


def renaming(old: Node, new: Node) -> Callable[[Node], Node]:
    """What gives the one node another name."""
    return lambda node: new if node == old else node


def may_be_same(stock: Graph, left: Node, cg2: Graph, right: Node) -> bool:
    """Whether two nodes have the same cost and arcs, and addresses that may be the same."""
    return (
        load_address(left, right) is not None
        and stock.self_cost.get(left, 0) == cg2.self_cost.get(right, 0)
        and stock.into(left) == cg2.into(right)
        and stock.out_of(left) == cg2.out_of(right)
    )


# ------------------------------------------------------------ where the process begins


def name_start(stock: Graph, cg2: Graph) -> Iterator[str]:
    """Callgrind knows the dynamic linker's entry point, which has no symbol, by its address; cg2 calls it
    _start."""
    named = {node.object for node in cg2.nodes() - stock.nodes() if parts_of(node)[0] == "_start"}
    for address in {f"0x{entry_of(object):016x}" for object in named}:
        stock.rename(
            lambda node: Node(
                node.object,
                "'".join("_start" if part == address else part for part in parts_of(node)),
            )
        )
        yield f"{address} is _start"


def parts_of(node: Node) -> list[str]:
    """A function's name, its callers' and its recursion level, as they stand in the name."""
    return node.name.split("'")


# ------------------------------------------------------------ cold halves

COLD = re.compile(r"\.cold(\.\d+)?$| \[clone \.cold(\.\d+)?\]$")


def fold_cold(stock: Graph, cg2: Graph) -> Iterator[str]:
    """A cold half is part of its function: a jump to it is no call.

    Its cost goes to the recursion level that entered it. Where several levels did, the profile does not
    say how much each of them spent there: the levels of that function are then compared as one.
    """
    levels: dict[Node, list[Node]] = defaultdict(list)
    for node in stock.nodes():
        if owner_of(node):
            levels[node.base()].append(node)
    for half, nodes in sorted(levels.items()):
        owner = owner_of(half)
        callers = [caller for node in nodes for caller in stock.into(node)]
        if owner is None or any(caller.base() != owner for caller in callers):
            continue
        if len(callers) > 1:
            merge_levels(stock, cg2, half)
            merge_levels(stock, cg2, owner)
        (caller,) = stock.into(half)
        fold_half(stock, half, caller)
        yield f"cold half {half} folded into its function" + (
            "; its levels compared as one" if len(callers) > 1 else ""
        )


def owner_of(node: Node) -> Node | None:
    """The function that a cold half belongs to: `f` for `f.cold` and for `f() [clone .cold]`."""
    name = base_name(node.name)
    owner = COLD.sub("", name)
    return None if owner == name else Node(node.object, owner)


def fold_half(stock: Graph, half: Node, owner: Node) -> None:
    """Give a cold half's cost and calls to the one node that enters it."""
    stock.add_self(owner, stock.self_cost[half])
    for callee, arc in stock.out_of(half).items():
        stock.add_arc((owner, callee), arc)
    stock.remove(half)


# ------------------------------------------------------------ functions of one name

TEMPLATE = re.compile(r"<[^<>]*>")


def merge_structors(stock: Graph, cg2: Graph) -> Iterator[str]:
    """A C++ constructor or destructor is several functions of one name: complete, base, deleting.

    Callgrind knows functions by name, and takes a call of one by the other for recursion. cg2 keeps them
    apart, and has an arc from a name to itself that is none.
    """
    for node in sorted(node for node, callee in cg2.arcs if node == callee == node.base()):
        if is_structor(node.name):
            merge_levels(stock, cg2, node)
            yield f"{node}: several functions; its levels compared as one"


def is_structor(name: str) -> bool:
    """Whether a name is a constructor's or destructor's: `a::b::b()`, `a::b<int>::~b()`."""
    plain = name
    while plain != (plain := TEMPLATE.sub("", plain)):
        pass
    scopes = plain.partition("(")[0].split("::")
    return len(scopes) > 1 and scopes[-1].removeprefix("~") == scopes[-2]


# ------------------------------------------------------------ costs that differ

MAP_READERS = ("/libsigsegv.so",)
MAP_READER_SHARE = 10
"""A reader's figures may differ by one part in this many: the lines of the file differ a little."""


def explain_costs(stock: Graph, cg2: Graph) -> Iterator[str]:
    """Two reasons why self costs differ; the calls that contain a cost differ as much, up to the roots.

    Callgrind does not count the last block that a thread executes, and cg2 does: a few instructions that
    make a system call which does not return. And a program that reads /proc/self/maps sees the tool's own
    mappings there, whose names and number are not the same.
    """
    lacking = lacking_self(stock, cg2)
    readers = {node: cost for node, cost in lacking.items() if reads_maps(stock, node, cost)}
    in_flight = {node: cost for node, cost in lacking.items() if node not in readers}
    if min(in_flight.values(), default=0) < 0 or sum(
        in_flight.values()
    ) > IN_FLIGHT_INSTRUCTIONS * threads(stock):
        in_flight = {}
    for node, cost in readers.items():
        yield f"{node} reads the tool's mappings: {cost:+} instructions"
    for node, cost in in_flight.items():
        yield f"{node}: {cost} instructions in flight"
    for (caller, callee), arc in stock.arcs.items():
        calls = cg2.calls(caller, callee)
        if callee in readers and caller.object == callee.object and is_near(arc.count, calls):
            arc.count = calls
    spread(stock, cg2, readers | in_flight)


def lacking_self(stock: Graph, cg2: Graph) -> dict[Node, int]:
    """How much the self cost of each node lacks."""
    lacking = {
        node: cg2.self_cost.get(node, 0) - stock.self_cost.get(node, 0) for node in stock.nodes()
    }
    return {node: cost for node, cost in lacking.items() if cost}


def reads_maps(stock: Graph, node: Node, cost: int) -> bool:
    """Whether a node is known to read the tool's mappings, and lacks no more than that may cost."""
    known = any(reader in node.object for reader in MAP_READERS)
    return known and is_near(stock.self_cost[node], stock.self_cost[node] + cost)


def is_near(stock: int, cg2: int) -> bool:
    """Whether a figure of a reader differs by no more than it may."""
    return abs(cg2 - stock) * MAP_READER_SHARE <= stock


def threads(graph: Graph) -> int:
    """How many threads ran."""
    return 1 + sum(
        arc.count for (_, callee), arc in graph.arcs.items() if callee.name == "start_thread"
    )


def spread(stock: Graph, cg2: Graph, lacking: dict[Node, int]) -> None:
    """Add what nodes lack to their self costs, and to the calls that contain it.

    At each node, callees first, what the arcs into it lack must add up to what it lacks itself and through
    its calls; else they are left as they are.
    """
    for node, cost in lacking.items():
        stock.add_self(node, cost)
    arcs = lacking_inclusive(stock, cg2)
    callees: dict[Node, set[Node]] = defaultdict(set)
    for caller, callee in arcs:
        callees[caller].add(callee)
    try:
        order = list(TopologicalSorter(callees).static_order())
    except CycleError:
        return
    owed = defaultdict(int, lacking)
    for node in order:
        into = [link for link in arcs if link[1] == node]
        if sum(arcs[link] for link in into) == owed[node]:
            for link in into:
                stock.arcs[link].inclusive += arcs[link]
                owed[link[0]] += arcs[link]


def lacking_inclusive(stock: Graph, cg2: Graph) -> dict[Link, int]:
    """How much the inclusive cost of each arc lacks."""
    both = [(link, arc, cg2.arcs[link]) for link, arc in stock.arcs.items() if link in cg2.arcs]
    return {
        link: other.inclusive - arc.inclusive
        for link, arc, other in both
        if other.inclusive != arc.inclusive
    }


# ------------------------------------------------------------ all of them

RULES = [
    Rule("jumps to the own first instruction", drop_self_jumps),
    Rule("stubs", fold_stubs),
    Rule("sections without an object", name_objects),
    Rule("where the process begins", name_start),
    Rule("cold halves", fold_cold),
    Rule("functions of one name", merge_structors),
    Rule("costs that differ", explain_costs),
]


def apply_rules(stock: Graph, cg2: Graph) -> list[str]:
    """Apply every rule in turn; what each of them changed."""
    return [note for rule in RULES for note in rule.apply(stock, cg2)]
