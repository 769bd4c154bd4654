"""The tools on what Callgrind and cg2 write, checked against facts about the program.

`recursion.c` makes calls whose numbers follow from its text. How much is spent
while a function is on the stack, Callgrind itself can measure in another way:
as the total of a run that collects only there (--toggle-collect).
"""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

from toolsupport import annotate

import cg2test
from cg2tools.profile.callgraph import CallGraph
from cg2tools.profile.model import Call, Function, Jump, Part, Profile, ProfileError
from cg2tools.profile.reader import read_profile

HERE = Path(__file__).resolve().parent
FUNCTIONS = ("main", "fact", "even", "odd", "leaf")


class Recursion(unittest.TestCase):
    """Runs of recursion.c, which is compiled once for each class, and run once with the same options:
    every run executes the same instructions."""

    tool = "callgrind"
    paths: dict[tuple[str, ...], Path]
    directory: Path
    program: Path
    source: Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        cls.addClassCleanup(folder.cleanup)
        cls.directory = Path(folder.name)
        cls.paths = {}
        cls.source = cls.directory / "recursion.c"
        cls.source.write_bytes((HERE / "recursion.c").read_bytes())
        cls.program = cls.directory / "recursion"
        flags = ("-O1", "-fno-optimize-sibling-calls", "-static")
        cg2test.compile_to(cls.program, str(cls.source), *flags)

    def path(self, *options: str, tool: str = "") -> Path:
        """Where the profile of the run with some options is."""
        run_as = (tool or self.tool, *options)
        if run_as not in self.paths:
            run = cg2test.run_cg2(
                [self.program], *options, tool=run_as[0], environment=cg2test.lean_env()
            )
            self.assertEqual((run.status, len(run.profile_paths)), (0, 1), run.stderr)
            (self.paths[run_as],) = run.profile_paths
        return self.paths[run_as]

    def profile(self, *options: str) -> Profile:
        return read_profile(self.path(*options))

    def part(self, *options: str) -> Part:
        (part,) = self.profile(*options).parts
        return part

    def own(self, part: Part) -> dict[str, Function]:
        """The program's functions by name."""
        return {k.name: f for k, f in part.functions.items() if k.object == str(self.program)}

    def graph(self, part: Part) -> dict[str, list[int]]:
        graph = CallGraph(part)
        total = part.self_total()[0]
        for node in graph.nodes.values():
            self.assertLessEqual(node.inclusive[0], total, node.key)
            for arc in node.callees.values():
                self.assertLessEqual(arc.inclusive[0], total, node.key)
        return {
            key.name: node.inclusive
            for key, node in graph.nodes.items()
            if key.object == str(self.program)
        }


class Callgrind(Recursion):
    def test_call_counts(self) -> None:
        """By construction: 3 x fact(6), 3 x even(20), even(7), odd(5)."""
        counts: dict[tuple[str, str], int] = {}
        for name, function in self.own(self.part("--separate-recs=1")).items():
            for call in function.calls:
                arc = name, call.callee.name
                counts[arc] = counts.get(arc, 0) + call.count
        self.assertEqual(
            {arc: n for arc, n in counts.items() if set(arc) <= set(FUNCTIONS)},
            {
                ("main", "fact"): 3,
                ("fact", "fact"): 15,
                ("fact", "leaf"): 15,
                ("main", "even"): 4,
                ("main", "odd"): 1,
                ("even", "odd"): 3 * 10 + 4 + 2,
                ("odd", "even"): 3 * 10 + 3 + 3,
                ("even", "leaf"): 4,
            },
        )

    def test_annotated_source(self) -> None:
        """The annotated lines add up to the functions', call counts are right."""
        path = self.path()
        output = annotate(path, "--threshold=0", "recursion.c", "--show-percs=no")
        self.assertEqual(output.status, 0, output.stderr)
        rows = output.rows()
        (part,) = read_profile(path).parts
        own = self.own(part)
        total = sum(own[name].self_cost()[0] for name in (*FUNCTIONS, "fact'2", "even'2", "odd'2"))
        self.assertEqual(rows[-1], f"{total:,} events annotated")
        calls = [row.split("=> ")[1] for row in rows if "=> " in row]
        self.assertCountEqual(
            calls,
            [
                f"{self.source}:{call}"
                for call in (
                    "fact (3x)",
                    "even (3x)",
                    "even (1x)",
                    "odd (1x)",
                    "fact (15x)",
                    "leaf (15x)",
                    "odd (36x)",
                    "leaf (4x)",
                    "even (36x)",
                )
            ],
        )

    def test_header(self) -> None:
        profile = self.profile()
        (part,) = profile.parts
        self.assertEqual(profile.version, 1)
        self.assertTrue(profile.creator.startswith("callgrind-"))
        self.assertEqual(part.cmd, str(self.program))
        self.assertGreater(part.pid or 0, 0)
        self.assertEqual(part.descriptions["Trigger"], "Program termination")
        self.assertEqual((part.positions, part.events), (["line"], ["Ir"]))
        self.assertEqual(part.totals, part.self_total())

    def test_ways_to_write_the_same(self) -> None:
        """Names and positions compressed or not: the same costs and calls."""

        def content(part: Part) -> object:
            def call(c: Call) -> object:
                return c.callee, c.count, c.source, c.target, c.inclusive

            def jump(j: Jump) -> object:
                return (j.target_function, j.source, j.target, j.taken, j.executed, j.conditional)

            return {
                key: (
                    f.costs,
                    sorted(map(repr, map(call, f.calls))),
                    sorted(map(repr, map(jump, f.jumps))),
                )
                for key, f in part.functions.items()
            }

        common = "--dump-instr=yes", "--collect-jumps=yes", "--cache-sim=yes"
        expected = self.part(*common)
        self.assertGreater(sum(len(f.jumps) for f in expected.functions.values()), 99)
        for options in (
            ["--compress-strings=no"],
            ["--compress-pos=no"],
            ["--compress-strings=no", "--compress-pos=no"],
        ):
            with self.subTest(options):
                other = self.part(*common, *options)
                self.assertEqual(content(other), content(expected))
                self.assertEqual(other.totals, expected.totals)

    def test_jumps(self) -> None:
        """The loop inlined into leaf() jumps back after each round but the last.

        One instruction's counts can be in two lines: it is the end of the block
        that leaf() begins with, and of the one that the loop does.
        """
        leaf = self.own(self.part("--collect-jumps=yes", "--dump-instr=yes"))["leaf"]
        back = [j for j in leaf.jumps if j.conditional and j.target.instr < j.source.instr]
        rounds = 3 * (6 + 5 + 4 + 3 + 2) + 4 * 9
        calls = 15 + 4
        self.assertEqual(len({j.source for j in back}), 1)
        self.assertEqual(sum(j.executed for j in back), rounds)
        self.assertEqual(sum(j.taken for j in back), rounds - calls)

    def test_inclusive_cost(self) -> None:
        """What is spent while the function is on the stack, for any --separate-recs."""
        truth = {name: self.part(f"--toggle-collect={name}").self_total() for name in FUNCTIONS}
        for levels in (2, 3, 50):
            found = self.graph(self.part(f"--separate-recs={levels}"))
            self.assertEqual({n: found[n] for n in FUNCTIONS}, truth)
        # Levels not told apart: exact but for the cycle of even and odd, which
        # is at most what is spent in either.
        merged = self.graph(self.part("--separate-recs=1"))
        for name in ("main", "fact", "leaf"):
            self.assertEqual(merged[name], truth[name])
        for name in ("even", "odd"):
            self.assertGreaterEqual(merged[name], truth[name])
            self.assertEqual(merged[name], [truth["even"][0] + 9])

    def test_cycle(self) -> None:
        """even and odd as a whole: what is spent in either, for any --separate-recs."""
        (truth,) = self.part("--toggle-collect=even").self_total()
        for levels in (1, 2, 50):
            graph = CallGraph(self.part(f"--separate-recs={levels}"))
            (cycle,) = (
                cycle
                for cycle in graph.cycles
                if {n.key.name for n in cycle.members} == {"even", "odd"}
            )
            # odd is called once by main, and 9 is what it costs around even
            self.assertEqual(cycle.inclusive, [truth + 9])
            self.assertEqual(
                {key.name: arc.count for key, arc in cycle.callers.items()}, {"main": 5}
            )

    def test_separate_callers(self) -> None:
        own = self.own(self.part("--separate-callers=2"))
        self.assertIn("leaf'fact'main", own)
        part = self.part("--separate-callers=2", "--separate-recs=4")
        names = {key.name for key in CallGraph(part).nodes}
        self.assertIn("fact'main'(below main)", names)
        self.assertFalse([name for name in names if "'2" in name])

    def test_combined_parts(self) -> None:
        """--combine-dumps=yes: a part per dump, in one file."""
        profile = self.profile("--combine-dumps=yes", "--dump-before=even")
        # even() begins 4 times outside of itself, and within odd(5)
        self.assertEqual([p.part for p in profile.parts], [1, 2, 3, 4, 5, 6])
        self.assertEqual(
            [p.descriptions["Trigger"] for p in profile.parts],
            ["--dump-before=even"] * 5 + ["Program termination"],
        )
        merged = profile.merged()
        (whole,) = self.profile().parts
        costs = {k: f.self_cost() for k, f in merged.functions.items()}
        self.assertEqual(
            {
                k: c
                for k, c in costs.items()
                if k.object == str(self.program) and k.name in FUNCTIONS
            },
            {
                k: f.self_cost()
                for k, f in whole.functions.items()
                if k.object == str(self.program) and k.name in FUNCTIONS
            },
        )

    def test_hidden_options(self) -> None:
        """What only hidden options write is read, or refused by name."""
        self.assertEqual(self.part("--dump-bb=yes").positions, ["bb", "line"])
        self.assertIn("fact'2", self.own(self.part("--compress-mangled=yes")))
        with self.assertRaisesRegex(ProfileError, "written with --dump-bbs=yes only"):
            self.part("--dump-bbs=yes")
        # rec= lines, and ids that are nowhere defined
        with self.assertRaisesRegex(ProfileError, "mangle-names|before its definition"):
            self.part("--mangle-names=no")

    def test_cachegrind(self) -> None:
        """Cachegrind's file has the same costs per line, and no calls."""
        (part,) = read_profile(self.path(tool="cachegrind")).parts
        part.check()
        self.assertEqual(part.events[0], "Ir")
        mine = {
            k.name: f.self_cost()[0]
            for k, f in part.functions.items()
            if k.file == str(self.source)
        }
        stock = self.own(self.part("--separate-recs=1"))
        self.assertEqual(mine, {n: stock[n].self_cost()[0] for n in FUNCTIONS})


class Cg2(Recursion):
    """A tool without --toggle-collect is compared with Callgrind's figures."""

    tool = "cg2"

    def setUp(self) -> None:
        if not list(cg2test.IN_PLACE.glob("cg2-*")):
            self.skipTest(f"{cg2test.IN_PLACE} has no cg2")
        (self.stock,) = read_profile(self.path(tool="callgrind")).parts

    def test_same_functions_and_calls(self) -> None:
        profile = read_profile(self.path())
        self.assertIn("cg2", profile.creator)
        (part,) = profile.parts
        part.check()

        def content(part: Part) -> object:
            return {
                name: (f.costs, calls(f))
                for name, f in self.own(part).items()
                if name.split("'")[0] in FUNCTIONS
            }

        def calls(function: Function) -> object:
            """By line and callee; Callgrind has an entry for each block."""
            found: dict[object, list[int]] = {}
            for call in function.calls:
                arc = found.setdefault((call.source, call.callee), [0, 0])
                arc[0] += call.count
                arc[1] += call.inclusive[0]
            return found

        self.assertEqual(content(part), content(self.stock))

    def test_same_inclusive_cost(self) -> None:
        (part,) = read_profile(self.path()).parts
        mine, stock = self.graph(part), self.graph(self.stock)
        self.assertEqual({n: mine[n] for n in FUNCTIONS}, {n: stock[n] for n in FUNCTIONS})

    def test_inclusive_cost_of_full_stacks(self) -> None:
        """Names with all their callers are stacks: what runs below a function is what has it in its name."""
        stacks = self.part("--separate-callers=100", "--separate-recs=1")
        truth: dict[str, int] = {}
        for key, function in stacks.functions.items():
            for name in set(key.name.split("'")):
                truth[name] = truth.get(name, 0) + function.self_cost()[0]
        for levels in (2, 3, 50):
            found = self.graph(self.part(f"--separate-recs={levels}"))
            self.assertEqual({n: found[n][0] for n in FUNCTIONS}, {n: truth[n] for n in FUNCTIONS})
        either = sum(
            function.self_cost()[0]
            for key, function in stacks.functions.items()
            if {"even", "odd"} & set(key.name.split("'"))
        )
        for levels in (1, 2, 50):
            cycles = CallGraph(self.part(f"--separate-recs={levels}")).cycles
            self.assertIn([either], [cycle.inclusive for cycle in cycles])

    def test_annotate(self) -> None:
        output = annotate("--threshold=100", self.path())
        self.assertEqual((output.status, output.stderr), (0, ""))
        (part,) = read_profile(self.path()).parts
        self.assertIn(f"{part.self_total()[0]:,} (100.0%) PROGRAM TOTALS", output.rows())


if __name__ == "__main__":
    unittest.main()
