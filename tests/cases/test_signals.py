"""Signals: nobody calls a handler; what it costs is in the totals, and not in the call it interrupts."""

from __future__ import annotations

import unittest

from case import LEVELS, Case
from cg2test import compile
from disassembly import instructions

HANDLERS = ["on_usr1", "on_usr2", "on_term", "on_alternate", "on_hup"]
CALLED = [
    "handle",
    "send",
    "guarded",
    "deeper",
    "landed",
    "last",
    "in_handler",
    "in_nested",
    "in_alternate",
]
OWN = [*HANDLERS, *CALLED]

# Valgrind itself must keep all registers up to date, or the handler's return goes to the wrong place.
PRECISE = ["--px-default=allregs-at-mem-access", "--px-file-backed=allregs-at-mem-access"]


class Signals(Case):
    def test_counts(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("signals.c", level))
                for handler in HANDLERS:
                    self.assertCallers(graph, handler, {})
                self.assertCallers(graph, "in_handler", {"on_usr1": 8})
                self.assertCallers(graph, "in_nested", {"on_term": 3})
                self.assertCallers(graph, "in_alternate", {"on_alternate": 2})
                self.assertEqual(graph.calls_from("on_usr2", "send"), 3)
                self.assertEqual(graph.calls_from("main", "send"), 9)
                self.assertEqual(graph.calls_from("deeper'2", "send"), 5)
                self.assertEqual(graph.called("send"), 17)
                self.assertCallers(graph, "guarded", {"main": 5})
                self.assertCallers(graph, "deeper", {"guarded": 5})
                self.assertCallers(graph, "deeper'2", {"deeper": 5, "deeper'2": 5})
                self.assertCallers(graph, "landed", {"guarded": 5})
                self.assertCallers(graph, "last", {"main": 1})
                main_calls = {
                    name: count for name, count in graph.callees("main").items() if name in OWN
                }
                self.assertEqual(main_calls, {"handle": 5, "send": 9, "guarded": 5, "last": 1})
                self.assertEqual(graph.called("main"), 1)

    def test_costs(self) -> None:
        """A handler costs what it runs, and that is not part of the call during which it was entered."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("signals.c", level)
                graph = self.graph_of(program)
                self.assertEqual(
                    graph.self_costs["on_usr1"], 4 * len(instructions(program, "on_usr1"))
                )
                self.assertEqual(
                    graph.self_costs["on_usr2"], 3 * len(instructions(program, "on_usr2"))
                )
                self.assertEqual(
                    graph.self_costs["on_term"], 3 * len(instructions(program, "on_term"))
                )
                self.assertEqual(
                    graph.self_costs["on_alternate"], 2 * len(instructions(program, "on_alternate"))
                )
                send = graph.self_costs["send"] + sum(
                    cost for (caller, _), cost in graph.arc_costs.items() if caller == "send"
                )
                self.assertEqual(
                    sum(cost for (_, callee), cost in graph.arc_costs.items() if callee == "send"),
                    send,
                )

    def test_totals(self) -> None:
        """The roots, handlers included, cost the whole program."""
        graph = self.graph_of(compile("signals.c", "-O0"))
        roots = {key.name for key in graph.roots()}
        self.assertLessEqual(set(HANDLERS), roots)
        self.assertEqual(sum(map(graph.inclusive, roots)), graph.total)


class Moved(Case):
    def test_counts(self) -> None:
        """A handler sets where the program goes on; the interrupted function goes on there."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("moved.c", level), spontaneous=["handler"])
                self.assertCallers(graph, "victim", {"main": 6})
                self.assertCallers(graph, "work", {"victim": 6})
                self.assertEqual(graph.called("rescue"), 0)


class Faults(Case):
    def test_counts(self) -> None:
        """A signal in the middle of a block: what faults runs again, which is not another call."""
        for level in LEVELS:
            with self.subTest(level):
                graph = self.graph_of(compile("fault.c", level), *PRECISE)
                self.assertCallers(graph, "touch", {"main": 6})
                self.assertUnnamed(graph, "^touch'")
                self.assertCallers(graph, "on_segv", {})
                self.assertCallers(graph, "in_segv", {"on_segv": 6})
                self.assertCallers(graph, "on_ill", {})
                self.assertCallers(graph, "illegal", {"survive": 3})
                self.assertCallers(graph, "survive", {"main": 3})
                self.assertEqual(graph.called("main"), 1)

    def test_costs(self) -> None:
        """What ran before and after the fault counts; the block that faults may count once more."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("fault.c", level)
                graph = self.graph_of(program, *PRECISE)
                touch = len(instructions(program, "touch"))
                self.assertGreaterEqual(graph.self_costs["touch"], 6 * touch)
                self.assertLessEqual(graph.self_costs["touch"], 2 * 6 * touch)
                self.assertEqual(
                    graph.self_costs["on_segv"], 6 * len(instructions(program, "on_segv"))
                )

    def test_on_the_way(self) -> None:
        """A call faults, as nothing is there, and the handler makes another call by the same instruction:
        each later call is of what it leads to."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("faultedin.c", level)
                graph = self.graph_of(program)
                self.assertCallers(graph, "other", {"call": 24, "call'2": 3})
                self.assertCallers(graph, "call", {"main": 30})
                self.assertCallers(graph, "call'2", {"bring": 3})
                self.assertEqual(sum(graph.callees("call").values()), 30)
                self.assertEqual(graph.self_costs["call'2"] * 10, graph.self_costs["call"])


if __name__ == "__main__":
    unittest.main()
