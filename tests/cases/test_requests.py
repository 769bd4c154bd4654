"""Client requests: what a program asks of the tool, by valgrind/callgrind.h or by cg2.h."""

from __future__ import annotations

import re
import unittest

from case import LEVELS, Case
from cg2test import Run, compile, part_of, run_alone, run_cg2
from disassembly import instructions
from facts import Graph

BOUND = "-Wl,-z,now"  # no first call is different
OWN = ["a", "b", "inside", "rest", "times"]


class Requests(Case):
    """The same by both headers; where Callgrind takes them, the same as by Callgrind."""

    def test_parts(self) -> None:
        """Dump, dump with a text, zero, and toggle, called in functions of their own."""
        for level in LEVELS:
            for header in ("callgrind", "cg2"):
                with self.subTest(level, header=header):
                    graphs = self.parts_of(compile("requests.c", level, "-static"), args=[header])
                    request = "Client Request"
                    self.assertTriggers(
                        graphs,
                        request,
                        f"{request}: second hint",
                        request,
                        request,
                        "Program termination",
                    )
                    self.assertEqual([graph.called("a") for graph in graphs], [1, 2, 4, 12, 0])
                    self.assertEqual([graph.called("b") for graph in graphs], [0, 0, 0, 0, 0])
                    self.assertEqual([graph.called("times") for graph in graphs], [1, 1, 1, 2, 0])
                    self.assertEqual([graph.called("dump") for graph in graphs], [1, 1, 1, 2, 1])
                    self.assertEqual([graph.called("dump_at") for graph in graphs], [0, 1, 0, 0, 0])
                    self.assertEqual([graph.called("zero") for graph in graphs], [0, 0, 1, 0, 0])
                    self.assertEqual([graph.called("toggle") for graph in graphs], [0, 0, 0, 2, 0])
                    self.assertEqual([graph.called("rest") for graph in graphs], [0, 0, 0, 0, 1])
                    self.assertEqual([graph.called("main") for graph in graphs], [1, 1, 1, 1, 1])

    def test_like_callgrind(self) -> None:
        """Part by part, the same cost of each function that asks for nothing itself."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("requests.c", level, "-static")
                ours = self.parts_of(program, args=["callgrind", "hint"])
                run = run_cg2([program, "callgrind", "hint"], tool="callgrind")
                theirs = callgrind_parts(run)
                self.assertEqual(len(ours), len(theirs))
                for our, their in zip(ours, theirs, strict=True):
                    self.assertEqual(
                        {name: our.self_costs[name] for name in OWN},
                        {name: their.self_costs[name] for name in OWN},
                    )

    def test_toggled_function(self) -> None:
        """A request flips what is collected inside a function, too, and outside it."""
        for level in LEVELS:
            for header in ("callgrind", "cg2"):
                with self.subTest(level, header=header):
                    program = compile("requests.c", level, "-static")
                    graphs = self.parts_of(program, "--toggle-collect=inside", args=[header])
                    self.assertEqual([graph.called("a") for graph in graphs], [0, 0, 0, 12, 0])
                    self.assertEqual([graph.called("b") for graph in graphs], 5 * [0])
                    self.assertEqual([graph.total for graph in graphs[:3]], [0, 0, 0])
                    self.assertEqual(graphs[4].total, 0)
                    self.assertEqual(graphs[3].called("inside"), 1)

    def test_off_at_start(self) -> None:
        """With --collect-atstart=no a request switches it on, and the next one off again."""
        for level in LEVELS:
            for header in ("callgrind", "cg2"):
                with self.subTest(level, header=header):
                    program = compile("requests.c", level, "-static")
                    graphs = self.parts_of(program, "--collect-atstart=no", args=[header])
                    self.assertEqual([graph.called("a") for graph in graphs], 5 * [0])
                    self.assertEqual([graph.called("b") for graph in graphs], [0, 0, 0, 6, 0])
                    self.assertEqual([graph.called("inside") for graph in graphs], [0, 0, 0, 1, 0])

    def test_unknown(self) -> None:
        """Said once, and answered as if there were no tool."""
        run = run_cg2([compile("unknown.c", "-O0", "-static")])
        self.assertEqual(run.status, 0)
        part_of(run.profile_paths[0])
        said = re.findall(r"^==\d+== (warning: client request .*)$", run.stderr, re.MULTILINE)
        self.assertEqual(
            said,
            [
                f"warning: client request 0x{request:x} is not known and is ignored"
                for request in (0x43540063, 0x43540064, 0x43320063)
            ],
        )


class Phases(Case):
    """What only cg2.h has."""

    def test_phases(self) -> None:
        """A phase is a part, and names it; what was before the first one is a part as well."""
        for level in LEVELS:
            with self.subTest(level):
                graphs = self.parts_of(compile("phases.c", level, "-static"))
                self.assertTriggers(graphs, "Client Request", "load", "work")
                self.assertEqual([graph.called("step") for graph in graphs], [2, 3, 4])
                self.assertChained(graphs)

    def test_read_event(self) -> None:
        """What a call costs: exactly its instructions more than the call of nothing."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("phases.c", level, "-static")
                run = run_cg2([program])
                exactly, nothing, known, value = map(int, run.stdout.split())
                lengths = [len(instructions(program, name)) for name in ("exactly", "nothing")]
                self.assertEqual(exactly - nothing, lengths[0] - lengths[1])
                self.assertGreater(nothing, lengths[1])
                self.assertEqual((known, value), (0, 99))

    def test_elsewhere(self) -> None:
        """Without a tool, or under another one, they do nothing."""
        program = compile("phases.c", "-O2", "-static")
        self.assertEqual(run_alone(program).stdout, "0 0 0 99\n")
        under = run_cg2([program], tool="none", out_file=None)
        self.assertEqual((under.status, under.stdout), (0, "0 0 0 99\n"))


def other_than(pattern: str) -> str:
    """A pattern that matches nothing. It has the same slashes: some C libraries look beyond the ends of
    strings for them."""
    return pattern[:-1] + "~"


class Skipped(Case):
    """Objects that the program has left out from some moment on.

    What no object matches is as long, as the C library looks at arguments when it starts.
    """

    def skipping(self, pattern: str, header: str, level: str = "-O0") -> Graph:
        return self.graph_of(compile("skipping.c", level, BOUND), args=[header, pattern])

    def test_library(self) -> None:
        """Functions that were known are called by their name before, and not after."""
        for level in LEVELS:
            for header in ("callgrind", "cg2"):
                with self.subTest(level, header=header):
                    plain = self.skipping(other_than("*/libc.so*"), header, level)
                    graph = self.skipping("*/libc.so*", header, level)
                    calls = plain.called("compare")
                    self.assertEqual(graph.called("compare"), calls)
                    self.assertEqual(graph.counts["sort", "compare"], calls // 2)
                    self.assertEqual(plain.counts["sort", "compare"], 0)
                    [name] = [callee for callee in plain.callees("sort") if callee != "compare"]
                    self.assertEqual(
                        (plain.counts["sort", name], graph.counts["sort", name]), (2, 1)
                    )
                    self.assertEqual(graph.total, plain.total)
                    self.assertEqual(graph.self_costs["compare"], plain.self_costs["compare"])

    def test_own_object(self) -> None:
        """Calls that are open go on as they are, and have what they call from then on."""
        for level in LEVELS:
            with self.subTest(level):
                program = compile("skipping.c", level, BOUND)
                plain = self.skipping(other_than(str(program)), "cg2", level)
                graph = self.skipping(str(program), "cg2", level)
                leaf = len(instructions(program, "leaf"))
                self.assertCallers(graph, "leaf", {"top": 2})
                self.assertEqual(graph.self_costs["leaf"], 2 * leaf)
                self.assertCallers(graph, "top", {"main": 1})
                self.assertCallers(graph, "sort", {"main": 1})
                self.assertEqual(graph.self_costs["sort"], plain.self_costs["sort"] // 2)
                gone = sum(
                    plain.self_costs[f] - graph.self_costs[f]
                    for f in ("skip", "sort", "top", "leaf")
                )
                self.assertEqual(graph.self_costs["main"], plain.self_costs["main"] + gone)
                self.assertEqual(graph.total, plain.total)

    def test_unmatched(self) -> None:
        """A pattern that matched nothing is told like the option's; one that did is not."""
        said = {}
        for pattern in ("nosuch", "*/libc.so*", ""):
            run = run_cg2([compile("skipping.c", "-O0", BOUND), "cg2", pattern], "-v")
            said[pattern] = re.findall(
                r"^==\d+== (.*(?:obj-skip|skip an object).*)$", run.stderr, re.MULTILINE
            )
        self.assertEqual(
            said,
            {
                "nosuch": ["--obj-skip=nosuch: no object file of this name was seen"],
                "*/libc.so*": [],
                "": ["warning: a client request to skip an object without a path is ignored"],
            },
        )


class Described(Case):
    """Lines that the program adds to the header."""

    def test_lines(self) -> None:
        """In each part that is written later; once each, on one line, with a type."""
        known = ["Timerange", "Trigger", "I1 cache", "D1 cache", "LL cache", "CPU", "Environment"]
        known += ["Started", "Objects", "Rounds of functions", "Rounds of lines"]
        for header in ("callgrind", "cg2"):
            with self.subTest(header=header):
                graphs = self.parts_of(compile("described.c", "-O0", "-static"), args=[header])
                added = [
                    {key: text for key, text in graph.part.descriptions.items() if key not in known}
                    for graph in graphs
                ]
                build, text = {"Build": "17"}, {"Input": r"two\nlines, one \\"}
                note = {"Note": "without a type"}
                self.assertEqual(added, [{}, build, build | text, build | text | note])

    def test_once(self) -> None:
        run = run_cg2([compile("described.c", "-O0", "-static"), "cg2"], out_file="profile")
        text = (run.directory / "profiles" / "profile").read_text()
        self.assertEqual(text.count("desc: Input: "), 1)
        self.assertIn(
            "\ndesc: Build: 17\ndesc: Input: two\\nlines, one \\\\\ndesc: Note: without a type\n",
            text,
        )


def callgrind_parts(run: Run) -> list[Graph]:
    """The parts that Callgrind wrote, in order; it numbers them as cg2 does."""
    base, *numbered = sorted(run.profile_paths, key=lambda path: len(path.name))
    numbered.sort(key=lambda path: int(path.suffix[1:]))
    return [Graph(part_of(path)) for path in [*numbered, base]]


if __name__ == "__main__":
    unittest.main()
