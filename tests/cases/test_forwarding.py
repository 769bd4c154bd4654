"""--forwarding: which loads read what a store has just stored, by counts known by construction."""

from __future__ import annotations

import re
from collections import Counter

from case import STARTS, Case
from cg2test import MACHINE, compile, source_of
from facts import Graph

SOURCE = "forwarding.c"
FLAGS = ["-O1", "-g"]
OPTIONS = ("--forwarding=yes", "--cache-sim=yes")
N = 1000
WORD = re.compile(r"(\d+) (0x[0-9a-f]+) (0x[0-9a-f]+) (\d+)( partly)? (/.*)")

Said = Counter[tuple[int, int, int, bool]]
"""How often, by line of the load, line of the store, executions of it ago, and whether partly."""


def marked(source: str = SOURCE) -> dict[str, int]:
    """The lines of the program that have a mark."""
    lines = enumerate(source_of(source).read_text().splitlines(), start=1)
    return {mark[1]: n for n, line in lines if (mark := re.search(r"/\*= (.*) \*/", line))}


def lines_of(graph: Graph, source: str) -> dict[tuple[str, int], int]:
    """The line of each instruction of a source, by object and address."""
    return {
        (key.object, position.instr): position.line
        for key, function in graph.part.functions.items()
        for position in function.costs
        if position.file.endswith(source)
    }


def said(graph: Graph, source: str = SOURCE) -> Said:
    """What the header says of loads that have a mark."""
    line_of, found = lines_of(graph, source), Said()
    loads = set(marked(source).values())
    for word in filter(None, graph.part.descriptions.get("Forwarded", "").split("\t")):
        parts = WORD.fullmatch(word)
        assert parts, word
        load, store = ((parts[6], int(address, 16)) for address in (parts[2], parts[3]))
        if line_of.get(load) in loads:
            key = line_of[load], line_of.get(store, 0), int(parts[4]), bool(parts[5])
            found[key] += int(parts[1])
    return found


class Counts(Case):
    """Each load's count is known, and so is each load that is forwarded nothing."""

    def expected(self) -> Said:
        line = marked()
        prefix = line["prefix"]
        counter = line["counter"] if MACHINE != "aarch64" else 0  # a function of libgcc's there
        return Counter(
            {
                (prefix, prefix, 1, False): N - 1,
                (line["histogram load"], line["histogram store"], 4, False): N - 4,
                (line["parts load"], line["parts store"], 1, True): N,
                (line["inner load"], line["inner store"], 1, False): N,
                **({(counter, counter, 1, False): N - 1} if counter else {}),
            }
        )

    def test_counts(self) -> None:
        program = compile(SOURCE, *FLAGS)
        for options in (OPTIONS, ("--forwarding=yes", "--machine=skylake-sp")):
            with self.subTest(options=options):
                self.assertEqual(
                    dict(said(self.graph_of(program, *options))), dict(self.expected())
                )

    def test_nothing_else_changes(self) -> None:
        program = compile(SOURCE, *FLAGS)
        for options in (["--cache-sim=yes"], ["--machine=zen4"], ["--data=accesses"]):
            with self.subTest(options=options):
                plain = self.graph_of(program, *options, "--dump-instr=yes")
                told = self.graph_of(program, *options, "--forwarding=yes")
                self.assertEqual(plain.self_costs, told.self_costs)
                self.assertNotIn("Forwarded", plain.part.descriptions)

    def test_as_specified(self) -> None:
        """Lines as the specification has them say nothing of it."""
        graph = self.graph_of(compile(SOURCE, *FLAGS), *OPTIONS, "--format=spec")
        self.assertNotIn("Forwarded", graph.part.descriptions)

    def test_parts(self) -> None:
        """A part has what was counted in it."""
        parts = self.parts_of(compile(SOURCE, *FLAGS), *OPTIONS, "--dump-before=parts")
        counts = [said(part) for part in parts]
        line = marked()
        self.assertEqual(counts[0] + counts[1], self.expected())
        self.assertEqual(
            {load for load, _, _, _ in counts[0]}, {line["prefix"], line["histogram load"]}
        )

    def test_what_is_collected(self) -> None:
        found = said(self.graph_of(compile(SOURCE, *FLAGS), *OPTIONS, "--toggle-collect=histogram"))
        self.assertEqual({load for load, _, _, _ in found}, {marked()["histogram load"]})
        self.assertEqual(found.total(), N - 4)


class Threads(Case):
    """What another thread has stored is not forwarded."""

    def test_turns(self) -> None:
        source = "forwardingthreads.c"
        program = compile(source, "-O1", "-g", "-pthread")
        graph = self.graph_of(program, *OPTIONS, spontaneous=STARTS)
        taken = marked(source)["taken"]
        self.assertIn(taken, lines_of(graph, source).values())
        self.assertNotIn(taken, {load for load, _, _, _ in said(graph, source)})
