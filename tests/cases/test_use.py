"""--cacheuse: what lines cost those who load them. Counts are compared with Callgrind's in
tests/compat/test_caches.py."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import together
from case import Case
from cg2test import compile, run_cg2
from cg2tools.profile.model import Part

EVENTS = ["AcCost1", "SpLoss1", "AcCost2", "SpLoss2"]
CACHES = [
    "--I1=32768,8,64",
    "--D1=32768,8,64",
    "--LL=1048576,16,64",
]  # the last level has room for all

LINES, LINE, SECTION = 1000, 64, 2  # of lines.c; a section is a 32nd of a line

# What the loads of lines.c cost: lines that one access was to, of one byte, and lines that 8 were to.
ONE = [LINES * 1000, LINES * (LINE - SECTION)] * 2
ALL = [LINES * (1000 // 8), 0] * 2


def use_of(part: Part, name: str) -> list[int]:
    """What of EVENTS the one instruction that misses costs, or did when it ran; zeros if there is none."""
    first = part.events.index("AcCost1")
    costs = [
        cost for key, f in part.functions.items() if key.name == name for cost in f.costs.values()
    ]
    return max((cost[first : first + 4] for cost in costs), default=[0] * 4)


def added(*uses: list[int]) -> list[int]:
    return [sum(column) for column in zip(*uses)]


class Exact(Case):
    def setUp(self) -> None:
        self.program = compile("lines.c", "-O1", "-static")

    def part(
        self, *options: str, args: tuple[str, ...] = (), spontaneous: tuple[str, ...] = ()
    ) -> Part:
        options = ("--cacheuse=yes", *CACHES, *options)
        return self.graph_of(self.program, *options, args=args, spontaneous=spontaneous).part

    def test_use(self) -> None:
        """A line that is used once costs 1000, one that is used whole loses nothing; also those that are
        there at the end."""
        for options in ((), ("--collect-jumps=yes",), ("--D1=1048576,16,64",), ("--D1=64,1,64",)):
            part = self.part(*options)
            self.assertEqual(part.events[-4:], EVENTS)
            self.assertEqual(part.positions, ["instr", "line"])
            with self.subTest(" ".join(options)):
                self.assertEqual(use_of(part, "use_one"), ONE)
                self.assertEqual(use_of(part, "use_all"), ALL)

    def test_calls(self) -> None:
        """Calls do not cost any of it: who is charged does not run then."""
        part = self.part()
        calls = [call.inclusive for function in part.functions.values() for call in function.calls]
        self.assertEqual({tuple(cost[-4:]) for cost in calls}, {(0, 0, 0, 0)})

    def test_parts(self) -> None:
        """A line is charged for in the part in which it goes."""
        first, last = (
            graph.part
            for graph in self.parts_of(self.program, "--cacheuse=yes", *CACHES, args=["dump"])
        )
        self.assertEqual(added(use_of(first, "use_one"), use_of(last, "use_one")), ONE)
        self.assertEqual(use_of(first, "use_one")[2:], [0, 0])  # the last level has room
        self.assertGreaterEqual(use_of(first, "use_one")[0], (LINES - 512) * 1000)
        self.assertGreater(use_of(last, "use_one")[0], 0)
        self.assertEqual(use_of(last, "use_all"), ALL)

    def test_zero(self) -> None:
        part = self.part(args=("zero",))
        self.assertLess(use_of(part, "use_one")[0], ONE[0])
        self.assertEqual(use_of(part, "use_all"), ALL)

    def test_not_collected(self) -> None:
        """What was loaded while it was collected is charged for, whenever it goes; other lines never."""
        part = self.part(args=("toggle",))
        self.assertEqual(use_of(part, "use_one"), ONE)
        self.assertEqual(use_of(part, "use_all"), [0] * 4)

    def test_not_instrumented(self) -> None:
        """Lines that are there when instrumentation stops are forgotten."""
        part = self.part(args=("off",), spontaneous=("(below main)",))
        one = use_of(part, "use_one")
        self.assertTrue((LINES - 512) * 1000 <= one[0] < ONE[0], one)
        self.assertEqual(one[2:], [0, 0])
        self.assertEqual(use_of(part, "use_all"), ALL)

    def test_fork(self) -> None:
        """Each of the two processes evicts the lines that there were at the fork."""
        run = run_cg2([self.program, "fork"], "--cacheuse=yes", *CACHES, out_file="cg2.out.%p")
        self.assertEqual(run.status, 0, run.stderr)
        self.assertEqual(len(run.profile_paths), 2)
        parts = [self.check_part(path).part for path in run.profile_paths]
        child, parent = sorted(parts, key=lambda part: use_of(part, "use_one"))
        self.assertEqual(use_of(parent, "use_one"), ONE)
        self.assertEqual(use_of(child, "use_one")[2:], ONE[2:])
        self.assertEqual([use_of(part, "use_all") for part in (parent, child)], [ALL, ALL])

    def test_exec(self) -> None:
        """A program that is replaced ends, too."""
        run = run_cg2([self.program, "exec", "/bin/true"], "--cacheuse=yes", *CACHES)
        self.assertEqual(run.status, 0, run.stderr)
        part = self.check_part(run.profile_paths[0]).part
        self.assertEqual(use_of(part, "use_one"), ONE)
        self.assertEqual(use_of(part, "use_all"), [0] * 4)

    def test_failed_exec(self) -> None:
        """A program that was to be replaced, but is not, goes on with the lines that it has, which are
        charged for."""
        with tempfile.TemporaryDirectory() as directory:
            text = Path(directory) / "text"
            text.write_text("no program\n")
            text.chmod(0o755)
            part = self.part(args=("exec", str(text)))
        again = [*ONE[:2], 0, 0]  # the first level has no room for all of them
        self.assertEqual(use_of(part, "use_one"), added(ONE, again))
        self.assertEqual(use_of(part, "use_all"), ALL)


class Options(Case):
    def test_excluded(self) -> None:
        """Lines are neither written back nor prefetched, which is said."""
        run = run_cg2(
            ["/bin/true"],
            "--simulate-wb=yes",
            "--cacheuse=yes",
            "--simulate-hwpref=yes",
            "--branch-sim=yes",
        )
        part = self.check_whole(run, run.profile_paths[0]).part
        self.assertEqual(part.events[-8:], ["Bc", "Bcm", "Bi", "Bim", *EVENTS])
        self.assertNotIn("ILdmr", part.events)
        for model in ("write-back", "prefetch"):
            self.assertIn(
                f"warning: {model} simulation can not be used with cache usage\n", run.stderr
            )

    def test_off(self) -> None:
        """With --cacheuse=no caches are looked at, as by Callgrind; with --cache-sim=no nothing is."""
        for options, last in (
            (("--cacheuse=no",), "DLmw"),
            (("--cacheuse=yes", "--cache-sim=no"), "Ir"),
        ):
            run = run_cg2(["/bin/true"], *options)
            self.assertEqual(self.check_whole(run, run.profile_paths[0]).part.events[-1], last)

    def test_lines(self) -> None:
        """A later --dump-instr=no is heard."""
        run = run_cg2(["/bin/true"], "--cacheuse=yes", "--dump-instr=no")
        self.assertEqual(self.check_whole(run, run.profile_paths[0]).part.positions, ["line"])

    def test_bad(self) -> None:
        run = run_cg2(["/bin/echo", "ran"], "--cacheuse=maybe")
        self.assertEqual((run.status, run.stdout), (1, ""))
        self.assertIn("valgrind: Bad option: --cacheuse=maybe", run.stderr)


class Together(together.Together):
    COUNTED = ("--cacheuse=yes", "--I1=2048,2,64", "--D1=1024,2,32", "--LL=16384,4,64")
    OTHERS = (
        ("--separate-threads=yes", "--collect-jumps=yes"),
        ("--separate-callers=2", "--branch-sim=yes", "--dump-instr=no"),
        ("--toggle-collect=main", "--collect-systime=nsec", "--collect-bus=yes"),
        ("--skip-plt=no", "--dump-every-bb=30000"),
        ("--fn-skip=leaf", "--separate-threads=yes", "--dump-every-bb=30000"),
        ("--zero-before=pairs_on", "--LL=5242880,2,64"),
    )

    def check_costs(self, part: Part) -> None:
        self.assertGreater(part.self_total()[part.events.index("AcCost1")], 0)


if __name__ == "__main__":
    unittest.main()
