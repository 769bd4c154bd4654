"""The call graph of libcg2profile: inclusive costs, arcs and cycles, as construction and the commands before
it have them."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import unittest
from array import array
from collections.abc import Iterator
from pathlib import Path

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "tools"))
sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

import library  # noqa: E402
from canonical import graph_text, hashed  # noqa: E402
from library import Directory, Graph  # noqa: E402
from stored import cases  # noqa: E402
from test_callgraph import Machine  # noqa: E402
from profiletexts import Chance  # noqa: E402
from toolsupport import key  # noqa: E402

from cg2tools.profile import graphcolumns as columns  # noqa: E402
from cg2tools.profile.libcg2profile import (  # noqa: E402
    BY_FUNCTION,
    BY_LINE,
    BY_TARGET,
    NONE,
    SUMS,
    read,
)
from cg2tools.profile.model import ProfileError  # noqa: E402

HERE = Path(__file__).resolve().parent
RANDOM = 600  # profiles
MOST = (1 << 64) - 1


def profile(lines: list[str], events: str = "Ir") -> bytes:
    """The profile of lines "f 5" (self cost) and "f > g 3 40" (calls, inclusive)."""
    body = [f"events: {events}"]
    for words in map(str.split, lines):
        if words[1] == ">":
            body += [f"fn={words[0]}", f"cfn={words[2]}", f"calls={words[3]} 1"]
            body += [f"2 {' '.join(words[4:])}"]
        else:
            body += [f"fn={words[0]}", f"1 {' '.join(words[1:])}"]
    return "\n".join([*body, ""]).encode()


class Graphs(Directory):
    def graph(self, content: bytes, keep_levels: bool = False) -> Graph:
        found = read(self.file("profile", content), detail=SUMS)
        return library.graph(found.parts[0], keep_levels)

    def graph_of(self, *lines: str, keep_levels: bool = False) -> Graph:
        return self.graph(profile([*lines]), keep_levels)


class Numbers(Graphs):
    def test_numbers_of_nodes(self) -> None:
        """Arcs and functions of the part, levels too, have the numbers that nodes are given."""
        lines = [
            "main 1",
            "main > f 1 100",
            "f 10",
            "f > f'2 3 90",
            "f'2 30",
            "f'2 > g 6 60",
            "g 60",
        ]
        part = read(self.file("profile", profile(lines)), detail=SUMS).parts[0]
        for keep_levels, functions in ((False, [70, 5, 5, 900]), (True, [70, 5, 6, 900])):
            graph = columns.Graph(part, keep_levels)
            names = {"main": 70, "f": 5, "f'2": 6, "g": 900}
            numbers = array("Q", [names[each.name] for each in graph.keys])
            callers, callees = columns.number_arcs(graph, numbers)
            self.assertEqual([*callers], [numbers[node] for node in graph.callers])
            self.assertEqual([*callees], [numbers[node] for node in graph.callees])
            self.assertEqual((callers[0], callees[0], callees[-1]), (70, 5, 900))
            self.assertEqual([*columns.number_functions(graph, numbers)], functions)

    def test_dearest(self) -> None:
        """Nodes that cost most, with all that cost as much as the last, and none that costs nothing."""
        chance = random.Random(44)
        for most in 1, 3, 20:
            costs = [(chance.choice([0, 5, chance.randrange(50)]), each) for each in range(40)]
            lines = [f"f{number} {ir} {dr}" for number, (ir, dr) in enumerate(costs)]
            part = read(self.file("profile", profile(lines, "Ir Dr")), detail=SUMS).parts[0]
            graph = columns.Graph(part)
            for event in 0, 1:
                for inclusive in False, True:
                    values = (graph.inclusive if inclusive else graph.self_costs)[event::2]
                    least = max(sorted(values)[-most], 1)
                    expected = [node for node, value in enumerate(values) if value >= least]
                    found, count = graph.dearest(event, inclusive, most)
                    self.assertEqual([*found], expected, (most, event, values))
                    self.assertEqual(count, sum(map(bool, values)))

    def test_nothing(self) -> None:
        part = read(self.file("profile", b"events: Ir\nsummary: 0\n"), detail=SUMS).parts[0]
        graph = columns.Graph(part)
        self.assertEqual(columns.number_arcs(graph, array("Q")), (array("Q"), array("Q")))
        self.assertEqual(columns.number_functions(graph, array("Q")), array("I"))
        self.assertEqual(graph.dearest(0, False, 3), (array("I"), 0))


# ------------------------------------------------------------ by construction


class Inclusive(Graphs):
    def inclusive(self, *lines: str, keep_levels: bool = False) -> dict[str, int]:
        found = self.graph_of(*lines, keep_levels=keep_levels).inclusive
        return {key.name: cost for key, [cost] in found.items()}

    def test_tree(self) -> None:
        found = self.graph_of("main 1", "main > f 2 70", "f 20", "f > g 5 50", "g 50")
        main, f, g = map(key, ("main", "f", "g"))
        self.assertEqual(found.self_costs, {main: [1], f: [20], g: [50]})
        self.assertEqual(found.inclusive, {main: [71], f: [70], g: [50]})
        self.assertEqual(found.arcs, {(main, f): (2, [70]), (f, g): (5, [50])})
        self.assertEqual((found.cycle, found.cycles), ({main: 0, f: 0, g: 0}, []))

    def test_recursion(self) -> None:
        """The inclusive cost of levels taken as one is the outermost one's; an arc to itself costs no
        more."""
        lines = ["main 1", "main > f 1 100", "f 10", "f > f'2 3 90", "f'2 30", "f'2 > f'2 4 500"]
        lines += ["f'2 > g 6 60", "g 60"]
        self.assertEqual(self.inclusive(*lines), {"main": 101, "f": 100, "g": 60})
        self.assertEqual(
            self.inclusive(*lines, keep_levels=True), {"main": 101, "f": 100, "f'2": 90, "g": 60}
        )
        found = self.graph_of(*lines)
        self.assertEqual(found.self_costs[key("f")], [40])
        self.assertEqual(found.node_of[key("f'2")], key("f"))
        self.assertEqual(found.arcs[key("f"), key("f")], (7, [90]))
        self.assertEqual(found.arcs[key("f"), key("g")], (6, [60]))

    def test_cycle(self) -> None:
        """a > b > c > a, and d that only c calls: 10 each, 40 in all; no cost comes in from the cycle
        itself."""
        found = self.graph_of(
            *("main 1", "main > a 1 40", "a 10", "a > b 3 90", "b 10", "b > c 3 60", "c 10"),
            *("c > a 2 50", "c > d 1 10", "d 10", "x 3", "x > c 1 7"),
        )
        self.assertEqual(
            {key.name: cost for key, [cost] in found.inclusive.items()},
            {"main": 41, "a": 40, "b": 40, "c": 40, "d": 10, "x": 10},
        )
        self.assertEqual(
            {key.name: cycle for key, cycle in found.cycle.items()},
            {"main": 0, "a": 1, "b": 1, "c": 1, "d": 0, "x": 0},
        )
        self.assertEqual(found.cycles, [([30], [40])])
        self.assertEqual(found.entries, {(key("main"), 1): (1, [40]), (key("x"), 1): (1, [7])})
        self.assertEqual(found.arcs[key("a"), key("b")], (3, [40]))

    def test_cycle_with_levels(self) -> None:
        """Outermost levels are in no cycle, so each figure is exact."""
        lines = ["main 1", "main > even 1 100", "even 10", "even > odd 1 90", "odd 10"]
        lines += ["odd > even'2 1 80", "even'2 50", "even'2 > odd'2 5 200", "odd'2 30"]
        lines += ["odd'2 > even'2 4 120"]
        self.assertEqual(self.inclusive(*lines), {"main": 101, "even": 100, "odd": 90})
        found = self.graph_of(*lines)
        self.assertEqual(found.arcs[key("even"), key("odd")], (6, [90]))
        self.assertEqual(found.cycles, [([100], [100])])
        self.assertEqual(
            self.inclusive(*lines, keep_levels=True),
            {"main": 101, "even": 100, "odd": 90, "even'2": 80, "odd'2": 80},
        )

    def test_every_event(self) -> None:
        """The limit of a cycle is taken event by event."""
        lines = ["a 10 1", "a > b 1 20 90", "b 10 50", "b > a 1 5 60"]
        found = self.graph(profile(lines, "Ir Dr"))
        self.assertEqual(found.inclusive, {key("a"): [20, 51], key("b"): [15, 51]})

    def test_only_inner_levels(self) -> None:
        """A part that begins within a recursion: the node has the name without a level."""
        self.assertEqual(self.inclusive("f'2 5", "f'2 > f'3 1 7", "f'3 7"), {"f": 12})
        self.assertEqual(
            self.inclusive("f'3 7", "f'2 5", "f'2 > f'3 1 7", "g 1"), {"g": 1, "f": 12}
        )

    def test_levels_of_names(self) -> None:
        for name, base in (
            ("fib", "fib"),
            ("fib'2", "fib"),
            ("fib'10", "fib"),
            ("fib'2'main", "fib'main"),
            ("fib'main'3", "fib'main"),
            ("fib'main'(below main)", "fib'main'(below main)"),
            ("fib'main2", "fib'main2"),
            ("fib'", "fib'"),
            ("fib''2", "fib'"),
            ("fib'2'", "fib'2'"),
            ("fib'123456789", "fib"),
            ("fib'1234567890", "fib'1234567890"),
            ('operator""\'x', 'operator""\'x'),
            ("'2", "'2"),
        ):
            with self.subTest(name):
                found = self.graph(f"events: Ir\nfn={name}\n1 1\n".encode())
                self.assertEqual(found.node_of, {key(name): key(base)})

    def test_one_name_in_two_files(self) -> None:
        """Levels are taken together only within file and object."""
        found = self.graph(b"events: Ir\nfl=a.c\nfn=f\n1 1\nfn=f'2\n1 2\nfl=b.c\nfn=f'2\n1 4\n")
        self.assertEqual(found.self_costs, {key("f", "a.c"): [3], key("f", "b.c"): [4]})

    def test_long_chain(self) -> None:
        """Far deeper than the stack of a thread."""
        depth = 100_000
        body = "".join(
            f"fn=f{i}\n1 1\ncfn=f{i + 1}\ncalls=1 1\n1 {depth - i}\n" for i in range(depth)
        )
        found = self.graph(f"events: Ir\n{body}fn=f{depth}\n1 1\n".encode())
        self.assertEqual(found.inclusive[key("f0")], [depth + 1])
        closed = self.graph(
            f"events: Ir\n{body}fn=f{depth}\n1 1\ncfn=f0\ncalls=1 1\n1 1\n".encode()
        )
        self.assertEqual(closed.cycles, [([depth + 1], [depth + 1])])

    def test_nothing(self) -> None:
        found = self.graph(b"events: Ir\n")
        self.assertEqual((found.self_costs, found.arcs, found.cycles), ({}, {}, []))

    def test_large_numbers(self) -> None:
        """Sums of more than 64 bits are refused, in one line that says what."""
        self.assertEqual(self.inclusive(f"f {MOST - 5}", "f > g 1 5"), {"f": MOST, "g": 0})
        path = self.directory / "profile"
        for lines, message in (
            ([f"f {MOST}", "f > g 1 1"], "costs of Ir"),
            ([f"f {MOST}", "f'2 1"], "costs of Ir"),
            ([f"f > g {MOST} 1", "f'2 > g 1 1"], "calls"),
        ):
            with self.subTest(lines), self.assertRaises(ProfileError) as caught:
                self.graph(profile(lines))
            self.assertEqual(
                str(caught.exception),
                f"{path}:1: the {message} add up to more than 64 bits; expected a sum of less than "
                "18446744073709551616",
            )

    def test_no_memory(self) -> None:
        """Where memory ends, the library says so; in a process of its own, which has no memory to spare."""
        path = self.file("large", profile([f"f{i} > f{i + 1} 1 1" for i in range(50_000)]))
        ended = subprocess.run(
            [sys.executable, "-c", SCARCE, str(path)],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertRegex(ended.stdout, f"^{path}: there is no memory for [0-9]+ bytes more\n$")


# Makes the graph of the file that is its argument with 1 MB more than the process has.
SCARCE = """\
import resource, sys
from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.libcg2profile import SUMS, read
[part] = read(sys.argv[1], detail=SUMS).parts
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 20),) * 2)
try:
    Graph(part)
except MemoryError as error:
    print(error)
"""


class BruteForce(Graphs):
    """Random programs, against what is on their full stacks."""

    def machines(self, levels: int, sparse: bool) -> Iterator[tuple[Machine, Graph]]:
        for seed in range(60):
            machine = Machine(random.Random(seed), 1 + seed % (12 if sparse else 6), levels, sparse)
            machine.call(0, 60)
            yield machine, self.graph(profile(machine.text().splitlines()))

    def test_functions(self) -> None:
        """With two levels each function is exact; with one it is never below the truth."""
        for levels, sparse in itertools.product((1, 2, 5), (False, True)):
            for machine, found in self.machines(levels, sparse):
                truth = {key(f"f{f}"): [cost] for f, cost in machine.truth.items()}
                whole = [sum(machine.self_cost.values())]
                if levels > 1:
                    self.assertEqual(found.inclusive, truth)
                for function, cost in found.inclusive.items():
                    self.assertTrue(truth[function] <= cost <= whole)

    def test_cycles(self) -> None:
        """What is spent while any member is on the stack, all of it called from outside or at the start."""
        seen = 0
        for levels, sparse in itertools.product((1, 2), (False, True)):
            for machine, found in self.machines(levels, sparse):
                for number, (_, inclusive) in enumerate(found.cycles, start=1):
                    members = {int(f.name[1:]) for f, c in found.cycle.items() if c == number}
                    truth = machine.truth_of_any(members)
                    called = [cost for (_, c), (_, [cost]) in found.entries.items() if c == number]
                    self.assertEqual(inclusive, [truth])
                    self.assertEqual(sum(called), 0 if 0 in members else truth)
                    seen += 1
        self.assertGreater(seen, 100)


# ------------------------------------------------------------ as the commands had them


def random_profile(number: int) -> bytes:
    """Any names, levels, arcs and costs, also such as no program has."""
    chance = Chance(number)
    names = [
        f"f{function}" + chance.choice(["", "", "'1", "'2", "'3", "'2'main", "'02"])
        for function in range(chance.randint(1, 12))
        for _ in range(chance.randint(1, 3))
    ]
    lines = [f"{name} {chance.randint(0, 99)} {chance.randint(0, 9)}" for name in names]
    lines += [
        f"{chance.choice(names)} > {chance.choice(names)} {chance.randint(0, 9)}"
        f" {chance.randint(0, 999)} {chance.randint(0, 99)}"
        for _ in range(chance.randint(0, 2 * len(names)))
    ]
    return profile(lines, "Ir Dr")


def profiles_with_graphs() -> Iterator[tuple[str, bytes]]:
    """The profiles whose graphs are stored, and what they are called there."""
    yield from cases("text", "file", "generated")
    yield from ((f"random {number}", random_profile(number)) for number in range(RANDOM))


class Stored(Graphs):
    """What the commands' graph in Python made of profiles is kept in graphs.txt."""

    def test_stored(self) -> None:
        lines = (HERE / "graphs.txt").read_text("ascii").splitlines()
        expected = dict(line.rsplit(": ", 1) for line in lines if not line.startswith("#"))
        self.assertGreater(len(expected), 2000)
        for name, data in profiles_with_graphs():
            if name not in expected:
                continue
            parts = read(self.file("profile", data), detail=SUMS).parts
            found = figures(
                [
                    library.graph(part, keep_levels)
                    for keep_levels in (False, True)
                    for part in parts
                ]
            )
            self.assertEqual(found, expected.pop(name), f"{name}: {data!r}")
        self.assertEqual(expected, {})


class Calls(Graphs):
    """Calls added up as arcs are."""

    def test_arcs(self) -> None:
        """By the nodes alone, they are the arcs; by line as well, they are as many calls."""
        seen = 0
        for name, data in profiles_with_graphs():
            if name.startswith("text"):
                continue
            for part in read(self.file("profile", data)).parts:
                graph = columns.Graph(part)
                found = graph.add_up_calls(BY_FUNCTION | BY_TARGET)
                arcs = sorted(zip(graph.callers, graph.callees, range(len(graph.counts))))
                self.assertEqual(
                    [*zip(found.column(BY_FUNCTION), found.column(BY_TARGET), found.counts)],
                    [(caller, callee, graph.counts[arc]) for caller, callee, arc in arcs],
                )
                width = part.width
                costs = [graph.arc_costs[arc * width : (arc + 1) * width] for *_, arc in arcs]
                self.assertEqual(found.costs(), [tuple(cost) for cost in costs])
                by_line = graph.add_up_calls(BY_FUNCTION | BY_TARGET | BY_LINE)
                self.assertEqual(sum(by_line.counts), sum(graph.counts))
                seen += len(arcs)
        self.assertGreater(seen, 5000)

    def test_inner_levels(self) -> None:
        """What inner levels call in a cycle is in the cost of the outermost one's calls already."""
        lines = ["f 10", "f > f'2 1 50", "f'2 50", "f'2 > f'2 4 100", "f'2 > g 2 20", "g 20"]
        [part] = read(self.file("profile", profile(lines))).parts
        graph = columns.Graph(part)
        found = graph.add_up_calls(BY_FUNCTION | BY_TARGET | BY_LINE)
        self.assertEqual([*found.column(BY_LINE)], [2, 2])
        self.assertEqual(([*found.counts], found.costs()), ([5, 2], [(50,), (20,)]))
        inner = [NONE, 7, NONE]  # functions f, f'2, g
        found = graph.add_up_calls(BY_FUNCTION | BY_TARGET, inner)
        self.assertEqual([*found.column(BY_FUNCTION)], [7, 7])
        self.assertEqual(([*found.counts], found.costs()), ([4, 2], [(0,), (20,)]))

    def test_limit(self) -> None:
        """No row costs more than the node that is called."""
        [part] = read(self.file("profile", profile(["f 1", "f > g 3 40", "g 5"]))).parts
        graph = columns.Graph(part)
        self.assertEqual(graph.add_up_calls(BY_FUNCTION | BY_TARGET).costs(), [(5,)])
        self.assertEqual(graph.add_up_calls(BY_FUNCTION | BY_LINE).costs(), [(40,)])


def figures(graphs: list[Graph]) -> str:
    """What graphs.txt says of a profile."""
    nodes, arcs, cycles = (
        sum(len(part) for part in parts)
        for parts in zip(*((graph.inclusive, graph.arcs, graph.cycles) for graph in graphs))
    )
    return f"{nodes} {arcs} {cycles} {hashed(chr(10).join(map(graph_text, graphs)))}"


if __name__ == "__main__":
    unittest.main()
