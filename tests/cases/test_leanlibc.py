"""Programs count the same with the libc of leanlibc.py and with this system's, whose lines are known."""

from __future__ import annotations

import unittest
from collections import Counter
from pathlib import Path

from case import FULL, LEVELS, STARTS, Case
from cg2test import compile
from cg2tools.profile.model import FunctionKey
from facts import Graph

PROGRAMS: list[tuple[str, str, list[str]]] = [
    ("calls.c", "gcc", []),
    ("sorting.c", "gcc", []),
    ("exceptions.cc", "g++", []),
    ("longjmp.c", "gcc", []),
    ("signals.c", "gcc", []),
]


def place(key: FunctionKey, program: Path) -> str | None:
    """Where a function is: in the program or in a library; not what the dynamic linker does, which looks for
    libraries in other places."""
    name = Path(key.object).name
    return (
        None if name.startswith("ld-linux") else "program" if key.object == str(program) else name
    )


def costs_by_name(graph: Graph, program: Path) -> Counter[tuple[str, str]]:
    """What each function costs itself."""
    found: Counter[tuple[str, str]] = Counter()
    for key, function in graph.part.functions.items():
        if where := place(key, program):
            found[where, key.name] += function.self_cost()[0]
    return found


def calls_by_name(graph: Graph, program: Path) -> Counter[tuple[str, str, str]]:
    """How often each function calls others."""
    found: Counter[tuple[str, str, str]] = Counter()
    for function in graph.part.functions.values():
        for call in function.calls:
            if place(call.callee, program) and (where := place(call.caller, program)):
                found[where, call.caller.name, call.callee.name] += call.count
    return found


class Same(Case):
    """What leanlibc.py leaves out changes no figure."""

    def test_costs_and_calls(self) -> None:
        """Each function of the program and of libc costs the same; each calls the same ones as often."""
        for source, compiler, flags in PROGRAMS:
            for level in LEVELS if FULL else LEVELS[:1]:  # of the program, whatever libc is
                with self.subTest(source=source, level=level):
                    programs = [
                        compile(
                            source,
                            level,
                            *flags,
                            compiler=compiler,
                            is_dynamic=True,
                            lines_of_libc=lines,
                        )
                        for lines in (True, False)
                    ]
                    graphs = [self.graph_of(program, spontaneous=STARTS) for program in programs]
                    whole, lean = map(costs_by_name, graphs, programs)
                    self.assertGreater(len(whole), 50)
                    self.assertEqual(lean, whole)
                    whole_calls, lean_calls = map(calls_by_name, graphs, programs)
                    self.assertGreater(len(whole_calls), 30)
                    self.assertEqual(lean_calls, whole_calls)

    def test_lines(self) -> None:
        """Most functions of this system's libc have files and lines; those of the other one have none."""
        for is_whole in (True, False):
            graph = self.graph_of(
                compile("sorting.c", "-O0", is_dynamic=True, lines_of_libc=is_whole)
            )
            functions = [
                (key.file != "???", any(position.line for position in function.costs))
                for key, function in graph.part.functions.items()
                if Path(key.object).name == "libc.so.6" and function.costs
            ]
            with self.subTest(is_whole=is_whole):
                self.assertGreater(len(functions), 50)
                known = functions.count((True, True))
                if is_whole:
                    self.assertGreater(known, len(functions) * 3 // 4)
                else:
                    self.assertEqual(functions.count((False, False)), len(functions))


if __name__ == "__main__":
    unittest.main()
