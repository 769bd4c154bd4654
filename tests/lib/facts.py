"""The call graph of a part, by function name: what cases assert facts about.

Functions of one name in several objects or files are taken together. Costs are those of the first event, Ir.
"""

from __future__ import annotations

from collections import Counter

from cg2tools.profile.model import FunctionKey, Part

Arc = tuple[str, str]  # caller, callee


class Graph:
    """Calls, self costs and inclusive costs of one part."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.counts: Counter[Arc] = Counter()
        self.arc_costs: Counter[Arc] = Counter()
        self.self_costs: Counter[str] = Counter()
        for key, function in part.functions.items():
            self.self_costs[key.name] += sum(cost[0] for cost in function.costs.values())
            for call in function.calls:
                arc = (call.caller.name, call.callee.name)
                self.counts[arc] += call.count
                self.arc_costs[arc] += call.inclusive[0]

    @property
    def total(self) -> int:
        """Every instruction of the part."""
        return self.part.self_total()[0]

    def names(self) -> set[str]:
        """The names of all functions that the part mentions."""
        return set(self.self_costs)

    def callers(self, name: str) -> dict[str, int]:
        """Who calls `name`, and how often."""
        return {caller: count for (caller, callee), count in self.counts.items() if callee == name}

    def callers_of(self, key: FunctionKey) -> dict[str, int]:
        """Who calls this one function, of those with its name, and how often."""
        found: Counter[str] = Counter()
        for function in self.part.functions.values():
            for call in function.calls:
                if call.callee == key:
                    found[call.caller.name] += call.count
        return dict(found)

    def callees(self, name: str) -> dict[str, int]:
        """Whom `name` calls, and how often."""
        return {callee: count for (caller, callee), count in self.counts.items() if caller == name}

    def called(self, name: str) -> int:
        """How often `name` is called, at all recursion levels."""
        return sum(count for (_, callee), count in self.counts.items() if base(callee) == name)

    def call_sites(self, name: str) -> dict[tuple[int, str], int]:
        """The calls that `name` makes: from which line, whom, how often."""
        sites: Counter[tuple[int, str]] = Counter()
        for key, function in self.part.functions.items():
            if key.name == name:
                for call in function.calls:
                    sites[call.source.line, call.callee.name] += call.count
        return dict(sites)

    def keyed_arcs(self) -> set[tuple[FunctionKey, FunctionKey]]:
        """Who calls whom, with object and file."""
        return {
            (call.caller, call.callee) for f in self.part.functions.values() for call in f.calls
        }

    def calls_from(self, caller: str, name: str) -> int:
        """How often `caller` calls `name`, at whatever recursion level that puts `name`."""
        return sum(count for callee, count in self.callees(caller).items() if base(callee) == name)

    def inclusive(self, name: str) -> int:
        """Self cost and the cost of all calls of `name`, which is not recursive."""
        return self.self_costs[name] + sum(
            cost for (caller, _), cost in self.arc_costs.items() if caller == name
        )

    def roots(self) -> set[FunctionKey]:
        """The functions that nobody calls."""
        called = {
            call.callee for function in self.part.functions.values() for call in function.calls
        }
        return {key for key in self.part.functions if key not in called}


def base(name: str) -> str:
    """A name without its recursion level: fact'2 is fact."""
    stem, mark, level = name.rpartition("'")
    return stem if mark and level.isdigit() else name


# ------------------------------------------------------------ conservation of cost


Leak = tuple[
    str, int, int
]  # a name, the cost of the calls that enter it, the cost of what runs in it


def leaks(part: Part) -> list[Leak]:
    """Where cost is lost or invented: functions whose calls cost something else than what ran in them.

    The cost of all calls into a function is the cost of what it runs itself and of the calls it makes,
    provided that it has callers at all (a root has none) and never runs without having been called.
    Functions that call each other in a cycle are taken together: calls inside the cycle cancel out. A
    cycle is named by one of its functions.
    """
    found: list[Leak] = []
    cycle_of = _cycles(part)
    entering: Counter[FunctionKey] = Counter()
    running: Counter[FunctionKey] = Counter()
    called: set[FunctionKey] = set()
    for key, function in part.functions.items():
        here = cycle_of[key]
        running[here] += sum(cost[0] for cost in function.costs.values())
        for call in function.calls:
            there = cycle_of[call.callee]
            if here != there:
                running[here] += call.inclusive[0]
                entering[there] += call.inclusive[0]
                called.add(there)
    for cycle in sorted(called):
        if entering[cycle] != running[cycle]:
            found.append((cycle.name, entering[cycle], running[cycle]))
    return found


def _cycles(part: Part) -> dict[FunctionKey, FunctionKey]:
    """For each function one function of its cycle, the same for all of them (Tarjan, without recursion)."""
    callees: dict[FunctionKey, list[FunctionKey]] = {
        key: sorted({call.callee for call in function.calls})
        for key, function in part.functions.items()
    }
    order: dict[FunctionKey, int] = {}
    lowest: dict[FunctionKey, int] = {}
    open_functions: list[FunctionKey] = []
    cycle_of: dict[FunctionKey, FunctionKey] = {}
    for start in callees:
        if start in order:
            continue
        path = [(start, iter(callees[start]))]
        order[start] = lowest[start] = len(order)
        open_functions.append(start)
        while path:
            here, remaining = path[-1]
            child = next(remaining, None)
            if child is None:
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[here])
                if lowest[here] == order[here]:
                    _close(here, open_functions, cycle_of)
            elif child not in order:
                order[child] = lowest[child] = len(order)
                open_functions.append(child)
                path.append((child, iter(callees[child])))
            elif child not in cycle_of:
                lowest[here] = min(lowest[here], order[child])
    return cycle_of


def _close(
    head: FunctionKey, open_functions: list[FunctionKey], cycle_of: dict[FunctionKey, FunctionKey]
) -> None:
    """Everything opened since `head`, and head itself, is one cycle."""
    while True:
        member = open_functions.pop()
        cycle_of[member] = head
        if member == head:
            return
