"""Inclusive costs, callers and callees, on graphs whose answers can be worked out by hand."""

from __future__ import annotations

import itertools
import random
import unittest
from collections import Counter
from collections.abc import Iterator

from toolsupport import key, part

from cg2tools.profile.callgraph import CallGraph
from cg2tools.profile.libcg2profile import BY_FILE, BY_INSTR, BY_LINE


def graph(text: str, keep_levels: bool = False) -> CallGraph:
    """The graph of lines "f 5" (self cost) and "f > g 3 40" (calls, inclusive)."""
    body = []
    for line in text.strip().splitlines():
        words = line.split()
        if words[1] == ">":
            body.append(f"fn={words[0]}\ncfn={words[2]}\ncalls={words[3]} 1\n2 {words[4]}\n")
        else:
            body.append(f"fn={words[0]}\n1 {words[1]}\n")
    return CallGraph(part("events: Ir\n" + "".join(body)), keep_levels)


def inclusive(found: CallGraph) -> dict[str, int]:
    return {k.name: node.inclusive[0] for k, node in found.nodes.items()}


class Inclusive(unittest.TestCase):
    def test_tree(self) -> None:
        found = graph("main 1\nmain > f 2 70\nf 20\nf > g 5 50\ng 50")
        self.assertEqual(inclusive(found), {"main": 71, "f": 70, "g": 50})
        f = found.nodes[key("f")]
        self.assertEqual(
            [(k.name, a.count, a.inclusive) for k, a in f.callers.items()], [("main", 2, [70])]
        )
        self.assertEqual(
            [(k.name, a.count, a.inclusive) for k, a in f.callees.items()], [("g", 5, [50])]
        )

    def test_shared_callee(self) -> None:
        found = graph("a 1\na > c 1 10\nb 2\nb > c 3 30\nc 40")
        self.assertEqual(inclusive(found), {"a": 11, "b": 32, "c": 40})
        callers = found.nodes[key("c")].callers
        self.assertEqual({k.name: a.count for k, a in callers.items()}, {"a": 1, "b": 3})

    def test_arcs_of_one_pair_add_up(self) -> None:
        found = graph("a 1\na > b 1 10\na > b 4 20\nb 30")
        arc = found.nodes[key("a")].callees[key("b")]
        self.assertEqual((arc.count, arc.inclusive), (5, [30]))

    def test_direct_recursion_without_levels(self) -> None:
        """fact(6), 10 per level: the loop's arcs add up to 150, 50 of it real."""
        found = graph("main 1\nmain > fact 1 60\nfact 60\nfact > fact 5 150")
        self.assertEqual(inclusive(found), {"main": 61, "fact": 60})
        loop = found.nodes[key("fact")].callees[key("fact")]
        self.assertEqual((loop.count, loop.inclusive), (5, [60]))

    LEVELS = (
        "main 1\nmain > fact 1 60\nfact 10\nfact > fact'2 1 50\nfact'2 50\nfact'2 > fact'2 4 100"
    )

    def test_levels_are_folded(self) -> None:
        found = graph(self.LEVELS)
        self.assertEqual(inclusive(found), {"main": 61, "fact": 60})
        fact = found.nodes[key("fact")]
        self.assertEqual(fact.self_cost, [60])
        loop = fact.callees[key("fact")]
        self.assertEqual((loop.count, loop.inclusive), (5, [50]))
        self.assertEqual({k.name: a.count for k, a in fact.callers.items()}, {"main": 1, "fact": 5})

    def test_levels_can_be_kept(self) -> None:
        found = graph(self.LEVELS, keep_levels=True)
        self.assertEqual(inclusive(found), {"main": 61, "fact": 60, "fact'2": 50})
        loop = found.nodes[key("fact'2")].callees[key("fact'2")]
        self.assertEqual((loop.count, loop.inclusive), (4, [50]))

    def test_callee_of_a_recursion(self) -> None:
        """Calls out of the recursion count at every level."""
        found = graph(
            "main 1\nmain > f 1 100\nf 10\nf > f'2 1 60\nf > leaf 1 30\n"
            "f'2 20\nf'2 > leaf 2 40\nleaf 70"
        )
        self.assertEqual(inclusive(found), {"main": 101, "f": 100, "leaf": 70})
        arc = found.nodes[key("f")].callees[key("leaf")]
        self.assertEqual((arc.count, arc.inclusive), (3, [70]))

    def test_mutual_recursion_without_levels(self) -> None:
        """even and odd call each other: no more than the whole cycle's cost."""
        found = graph(
            "main 1\nmain > even 1 107\neven 60\neven > odd 6 360\n"
            "odd 40\nodd > even 5 250\nodd > leaf 1 7\nleaf 7"
        )
        self.assertEqual(inclusive(found), {"main": 108, "even": 107, "odd": 107, "leaf": 7})
        even = found.nodes[key("even")]
        self.assertEqual(even.callees[key("odd")].inclusive, [107])

    def test_mutual_recursion_with_levels(self) -> None:
        """Level 1 is in no cycle, so each figure is exact."""
        found = graph(
            "main 1\nmain > even 1 100\neven 10\neven > odd 1 90\n"
            "odd 10\nodd > even'2 1 80\neven'2 50\neven'2 > odd'2 5 200\n"
            "odd'2 30\nodd'2 > even'2 4 120"
        )
        self.assertEqual(inclusive(found), {"main": 101, "even": 100, "odd": 90})
        arc = found.nodes[key("even")].callees[key("odd")]
        self.assertEqual((arc.count, arc.inclusive), (6, [90]))

    def test_cycle_of_three_with_a_tail(self) -> None:
        """a > b > c > a, and d that only c calls: 10 each, 40 in all."""
        found = graph(
            "main 1\nmain > a 1 40\na 10\na > b 3 90\nb 10\nb > c 3 60\n"
            "c 10\nc > a 2 50\nc > d 1 10\nd 10"
        )
        self.assertEqual(inclusive(found), {"main": 41, "a": 40, "b": 40, "c": 40, "d": 10})

    def test_cycles_are_those_that_reach_each_other(self) -> None:
        """On random graphs.  Arcs cost 1000, self costs are powers of two, so
        that the limit of a cycle shows which functions are in it."""
        chance = random.Random(5)
        for _ in range(300):
            count = chance.randint(1, 8)
            arcs = {
                (chance.randrange(count), chance.randrange(count))
                for _ in range(chance.randint(0, 12))
            }
            reach = {(i, i) for i in range(count)} | arcs
            for middle, start, end in itertools.product(range(count), repeat=3):
                if (start, middle) in reach and (middle, end) in reach:
                    reach.add((start, end))
            found = inclusive(
                graph(
                    "".join(
                        [f"f{i} {2 ** i}\n" for i in range(count)]
                        + [f"f{i} > f{j} 1 1000\n" for i, j in sorted(arcs)]
                    )
                )
            )
            for i in range(count):
                cycle = {j for j in range(count) if (i, j) in reach and (j, i) in reach}
                own = 2**i + 1000 * sum(a == i != b for a, b in arcs)
                limit = sum(2**j for j in cycle) + 1000 * sum(
                    a in cycle and b not in cycle for a, b in arcs
                )
                expected = min(own, limit) if len(cycle) > 1 else own
                self.assertEqual(found[f"f{i}"], expected, (arcs, i))

    def test_only_an_inner_level_is_known(self) -> None:
        """A part that begins within a recursion."""
        found = graph("f'2 5\nf'2 > f'3 1 7\nf'3 7")
        self.assertEqual(inclusive(found), {"f": 12})

    def test_long_chain(self) -> None:
        """Far deeper than Python's own stack."""
        depth = 20_000
        text = "".join(f"f{i} 1\nf{i} > f{i + 1} 1 {depth - i}\n" for i in range(depth))
        found = inclusive(graph(text + f"f{depth} 1"))
        self.assertEqual(found["f0"], depth + 1)
        self.assertEqual(found[f"f{depth}"], 1)

    def test_every_event(self) -> None:
        """The limit of a cycle is taken event by event."""
        found = CallGraph(
            part(
                "events: Ir Dr\nfn=a\n1 10 1\ncfn=b\ncalls=1 1\n1 20 90\n"
                "fn=b\n1 10 50\ncfn=a\ncalls=1 1\n1 5 60\n"
            )
        )
        self.assertEqual(found.nodes[key("a")].inclusive, [20, 51])
        self.assertEqual(found.nodes[key("b")].inclusive, [15, 51])


class Machine:
    """Runs random programs whose functions call each other, and profiles them in two ways.

    As cg2 does, by function and recursion level up to a limit: self costs, and the inclusive cost of each
    arc. And by brute force: each unit of cost counts for every function that is on the stack, once.
    """

    def __init__(
        self, chance: random.Random, functions: int, levels: int, sparse: bool = False
    ) -> None:
        """With `sparse`, a function calls two others, so that there are several cycles, or none."""
        self.chance = chance
        every = range(functions)
        self.callees = [chance.choices(every, k=2) if sparse else every for _ in every]
        self.levels = levels
        self.stack: list[tuple[int, int]] = []  # function and level
        self.self_cost: Counter[tuple[int, int]] = Counter()
        self.counts: Counter[tuple[tuple[int, int], tuple[int, int]]] = Counter()
        self.arcs: Counter[tuple[tuple[int, int], tuple[int, int]]] = Counter()
        self.truth: Counter[int] = Counter()
        self.stacks: Counter[frozenset[int]] = Counter()

    def call(self, function: int, budget: int) -> int:
        """Run a function; what it and its callees cost."""
        level = min(self.levels, 1 + sum(f == function for f, _ in self.stack))
        self.stack.append((function, level))
        cost = self.spend(self.chance.randint(1, 9))
        while budget and self.chance.random() < 0.8:
            share = self.chance.randrange(budget)
            budget -= share + 1
            callee = self.chance.choice(self.callees[self.stack[-1][0]])
            arc_level = min(self.levels, 1 + sum(f == callee for f, _ in self.stack))
            below = self.call(callee, share)
            arc = self.stack[-1], (callee, arc_level)
            self.counts[arc] += 1
            self.arcs[arc] += below
            cost += below
        self.stack.pop()
        return cost

    def spend(self, cost: int) -> int:
        self.self_cost[self.stack[-1]] += cost
        functions = frozenset(f for f, _ in self.stack)
        self.stacks[functions] += cost
        for function in functions:
            self.truth[function] += cost
        return cost

    def truth_of_any(self, functions: set[int]) -> int:
        """What is spent while one of them, or several, are on the stack."""
        return sum(cost for stack, cost in self.stacks.items() if stack & functions)

    def text(self) -> str:
        """The profile, as the lines that `graph` takes."""

        def name(key: tuple[int, int]) -> str:
            return f"f{key[0]}" + (f"'{key[1]}" if key[1] > 1 else "")

        return "\n".join(
            [f"{name(key)} {cost}" for key, cost in self.self_cost.items()]
            + [
                f"{name(a)} > {name(b)} {self.counts[a, b]} {cost}"
                for (a, b), cost in self.arcs.items()
            ]
        )


class BruteForce(unittest.TestCase):
    """Inclusive costs against full stacks: recursion, mutual recursion, cycles of many functions."""

    def machines(self, levels: int, sparse: bool = False) -> Iterator[tuple[Machine, CallGraph]]:
        for seed in range(200):
            machine = Machine(random.Random(seed), 1 + seed % (12 if sparse else 6), levels, sparse)
            machine.call(0, 60)
            yield machine, graph(machine.text())

    def test_with_levels(self) -> None:
        """Two levels are enough for each function to be exact."""
        for levels in (2, 3, 7):
            deepest = 0
            for machine, found in self.machines(levels):
                self.assertEqual(
                    inclusive(found), {f"f{f}": cost for f, cost in machine.truth.items()}
                )
                deepest = max(deepest, *(level for _, level in machine.self_cost))
            self.assertEqual(deepest, levels)

    def test_without_levels(self) -> None:
        """Never below the truth, never above what the cycle costs, and so never above 100 %."""
        exact = total = 0
        for machine, found in self.machines(1):
            whole = sum(machine.self_cost.values())
            for name, cost in inclusive(found).items():
                truth = machine.truth[int(name[1:])]
                self.assertGreaterEqual(cost, truth)
                self.assertLessEqual(cost, whole)
                exact += cost == truth
                total += 1
        self.assertGreater(exact / total, 0.4)

    def test_cycles(self) -> None:
        """What is spent while any member is on the stack, and all of it called from outside or at the
        start."""
        sizes: Counter[int] = Counter()
        for levels, sparse in itertools.product((1, 2, 5), (False, True)):
            for machine, found in self.machines(levels, sparse):
                for cycle in found.cycles:
                    members = {int(node.key.name[1:]) for node in cycle.members}
                    truth = machine.truth_of_any(members)
                    self.assertEqual(cycle.inclusive, [truth])
                    self.assertEqual(
                        cycle.self_cost,
                        [sum(cost for (f, _), cost in machine.self_cost.items() if f in members)],
                    )
                    called = sum(arc.inclusive[0] for arc in cycle.callers.values())
                    self.assertEqual(called, 0 if 0 in members else truth)
                    sizes[len(members)] += 1
        self.assertTrue(all(sizes[size] > 10 for size in range(2, 7)), sizes)

    def test_arcs(self) -> None:
        """An arc costs no more than its callee; each call is counted."""
        for levels in (1, 2, 5):
            for machine, found in self.machines(levels):
                for node in found.nodes.values():
                    for callee, arc in node.callees.items():
                        self.assertLessEqual(arc.inclusive[0], found.nodes[callee].inclusive[0])
                    count = sum(arc.count for arc in node.callees.values())
                    own = sum(
                        n for (a, _), n in machine.counts.items() if f"f{a[0]}" == node.key.name
                    )
                    self.assertEqual(count, own)


class Cycles(unittest.TestCase):
    def test_numbers(self) -> None:
        """Cycles of several functions have numbers, a function that calls itself is none."""
        found = graph(
            "m 1\nm > a 1 9\na 1\na > b 1 5\nb 1\nb > a 1 2\nm > r 1 5\nr 1\nr > r 1 3\n"
            "m > c 1 9\nc 1\nc > d 1 5\nd 1\nd > c 1 2"
        )
        self.assertEqual(
            {k.name: node.cycle for k, node in found.nodes.items()},
            {"m": 0, "a": 1, "b": 1, "r": 0, "c": 2, "d": 2},
        )
        self.assertEqual(
            [
                (
                    str(cycle),
                    [node.key.name for node in cycle.members],
                    cycle.self_cost,
                    cycle.inclusive,
                )
                for cycle in found.cycles
            ],
            [("<cycle 1>", ["a", "b"], [2], [2]), ("<cycle 2>", ["c", "d"], [2], [2])],
        )
        self.assertEqual(
            {
                caller.name: (arc.count, arc.inclusive)
                for caller, arc in found.cycles[0].callers.items()
            },
            {"m": (1, [9])},
        )


class Levels(unittest.TestCase):
    def test_names(self) -> None:
        for name, base in (
            ("fib", "fib"),
            ("fib'2", "fib"),
            ("fib'10", "fib"),
            ("fib'2'main", "fib'main"),
            ("fib'main'(below main)", "fib'main'(below main)"),
            ("fib'main2", "fib'main2"),
            ('operator""\'x', 'operator""\'x'),
            ("'2", "'2"),
        ):
            with self.subTest(name):
                found = CallGraph(part(f"events: Ir\nfn={name}\n1 1\n"))
                self.assertEqual(found.node_of(key(name)).key, key(base))


class Sites(unittest.TestCase):
    def test_calls_by_line(self) -> None:
        """By source line and callee, over all levels, inlined lines included."""
        found = part(
            "events: Ir\nfl=a.c\nfn=f\n1 1\ncfn=g\ncalls=1 1\n7 10\n"
            "cfn=g\ncalls=2 1\n7 20\ncfn=g\ncalls=3 1\n8 30\n"
            "fi=b.h\ncfi=a.c\ncfn=g\ncalls=4 1\n7 40\n"
            "fl=a.c\nfn=f'2\ncfn=g\ncalls=5 1\n7 50\nfn=g\n1 150\n"
        )
        sites = CallGraph(found).sites((BY_FILE, BY_LINE))
        self.assertEqual(
            {
                (node, found.names[file], line, callee): (arc.count, arc.inclusive[0])
                for ((node, (file, line)), callee), arc in sites.items()
            },
            {
                (0, "a.c", 7, key("g", "a.c")): (8, 80),
                (0, "a.c", 8, key("g", "a.c")): (3, 30),
                (0, "b.h", 7, key("g", "a.c")): (4, 40),
            },
        )

    def calls_by_address(self, body: str) -> dict[int, tuple[int, int]]:
        """How many calls to f there are, and what they cost."""
        found = part("positions: instr line\nevents: Ir\n" + body)
        arcs = CallGraph(found).sites((BY_INSTR,))
        self.assertEqual({callee for _, callee in arcs}, {key("f")})
        return {
            address: (arc.count, arc.inclusive[0]) for ((_, (address,)), _), arc in arcs.items()
        }

    def test_calls_by_address(self) -> None:
        """None costs more than the function called."""
        self.assertEqual(
            self.calls_by_address(
                "fn=f\n0x10 1 60\ncfn=f\ncalls=5 0x10 1\n0x20 2 150\n"
                "cfn=f\ncalls=3 0x10 1\n0x30 2 40\n"
            ),
            {0x20: (5, 60), 0x30: (3, 40)},
        )

    def test_levels_by_address(self) -> None:
        """What inner levels call is in the cost of the outermost one's calls."""
        self.assertEqual(
            self.calls_by_address(
                "fn=f\n0x10 1 10\ncfn=f'2\ncalls=1 0x10 1\n0x20 2 50\n"
                "fn=f'2\n0x10 1 50\ncfn=f'2\ncalls=4 0x10 1\n0x20 2 100\n"
            ),
            {0x20: (5, 50)},
        )


if __name__ == "__main__":
    unittest.main()
