"""The tool for arm64, under an emulator that runs programs of Linux for arm64.

A check runs some files of the cases; with --full, more of them. Tests that cannot be the same there are in
left_out.txt, each with the reason.
"""

from __future__ import annotations

import re
import sys
import unittest
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from building import run
from case import STARTS
from cg2test import BUILD, SOURCE
from cg2tools.profile.model import Part
from facts import leaks
from emulated import MORE_REAL, REAL, machine, profile, real

# What a check runs of the cases: the rules of calls, each once.
SOME = (
    "calls.Calls.test_counts",
    "code.Far",
    "endings.Endings.test_last_instruction",
    "exact",
    "fibers.Fibers.test_jumps",
    "growth.ManyBlocks",
    "jumps.Exact.test_counts",
    "linking.Lazy",
    "linkregister.Kinds.test_transfers",
    "linkregister.Outlined",
    "names.Odd",
    "odd.Odd.test_costs",
    "odd.Odd.test_return_to_another_range",
    "recursion.Recursion.test_costs",
    "signals.Signals.test_counts",
    "tails.Jumps",
    "tails.TailCalls.test_counts",
)
# Files of the cases that --full runs whole.
OTHERS = (
    *("branches", "caches", "calls", "code", "collect", "combined", "endings", "events", "exact"),
    *("exec", "fibers", "fork", "gcov", "growth", "instrumentation", "jumps", "linking"),
    *("linkregister", "names", "odd", "output", "parts", "paths", "perfmap", "recursion"),
    *("requests", "separation", "signals", "spec", "symbols", "tails", "threads", "unwinding"),
)
# Stand-ins for harnesses, which start Callgrind and then cg2 in its place. What compares figures is left out,
# as those of Callgrind are wrong there; what needs vgdb, too: test_booted.py has it.
HARNESSES = (
    *("files", "options", "qtcreator.QtCreator.test_header", "qtcreator.QtCreator.test_matched"),
    *("scripts.KCachegrind.test_names", "scripts.Nuitka", "scripts.RustcPerf"),
    "scripts.Scripts.test_stderr",
)
# Instructions of the block that ends in the last system call, which Callgrind does not count.
LAST_BLOCK = range(1, 9)
# Programs of the cases. Without a dynamic linker all their code is in one object, which Callgrind knows.
STATIC = (
    "calls.c",
    "exceptions.cc",
    "longjmp.c",
    "pointers.c",
    "recursion.c",
    "sorting.c",
    "tail.c",
)


class Cases(unittest.TestCase):
    """The cases of other processors."""

    def passes(self, *tests: str) -> None:
        """Run these tests there: all have to pass, or to be left out with a reason."""
        driver = SOURCE / "tests" / "run.py"
        ended = run(sys.executable, driver, *tests, directory=BUILD, **machine().environment())
        self.assertEqual(ended.status, 0, ended.stdout + ended.stderr)

    def test_some(self) -> None:
        self.passes(*(f"cases.test_{name}" for name in SOME))

    def test_others(self) -> None:
        self.passes(*(f"cases.test_{name}" for name in OTHERS))

    test_others.full = True  # type: ignore[attr-defined]

    def test_harnesses(self) -> None:
        self.passes(*(f"harnesses.test_{name}" for name in HARNESSES))

    test_harnesses.full = True  # type: ignore[attr-defined]

    def test_left_out(self) -> None:
        """Each test that is left out exists."""
        driver = SOURCE / "tests" / "run.py"
        text = Path(machine().environment()["CG2_LEFT_OUT"]).read_text()
        names = re.findall(r"^(cases\.\S+) \S", text, re.MULTILINE)
        ended = run(
            sys.executable, driver, "--full", *names, directory=BUILD, **machine().environment()
        )
        skipped = re.findall(r"^skip +\S+ s  (\S+)$", ended.stdout, re.MULTILINE)
        unused = [
            name for name in names if not any(f"{s}.".startswith(f"{name}.") for s in skipped)
        ]
        self.assertEqual((unused, ended.status), ([], 0), ended.stdout)


class Profiles(unittest.TestCase):
    """What profiles say of programs, and what is known of those without the tool."""

    def check_graphs(self, names: Iterable[str]) -> None:
        """Every call costs what ran in it, every block counts in its own cells, and Callgrind counts as
        much."""
        for name in names:
            with self.subTest(name):
                part = real(name, "cg2", "--check-cells=yes")
                part.check()
                found = [leak for leak in leaks(part) if leak[0] not in STARTS]
                self.assertEqual(found, [])
                theirs = real(name, "callgrind")
                self.assertIn(part.self_total()[0] - theirs.self_total()[0], LAST_BLOCK)

    def test_graph(self) -> None:
        self.check_graphs(["bc", "mawk"])

    def test_more_graphs(self) -> None:
        self.check_graphs([*REAL, *MORE_REAL])

    test_more_graphs.full = True  # type: ignore[attr-defined]

    def test_instructions(self) -> None:
        """Each instruction is executed as often as Callgrind says, but for the last block, which it
        misses."""
        for source in STATIC:
            with self.subTest(source):
                program = machine().compile(source, "-O1", "-static")
                ours = by_address(profile("cg2", [program], "--dump-instr=yes"))
                theirs = by_address(profile("callgrind", [program], "--dump-instr=yes"))
                self.assertGreater(len(ours), 1000)
                missed = not_counted(ours, theirs)
                self.assertIn(len(missed), LAST_BLOCK, missed)
                self.assertEqual(missed[-1] - missed[0], 4 * (len(missed) - 1), missed)
                self.assertEqual({ours[at] for at in missed}, {1})

    def check_events(self, name: str) -> None:
        """Caches and predictors find what Callgrind's find."""
        sizes = ("--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,16,64")
        options = ("--cache-sim=yes", "--branch-sim=yes", *sizes)
        ours = totals(real(name, "cg2", *options))
        theirs = totals(real(name, "callgrind", *options))
        self.assertEqual(ours.keys(), theirs.keys())
        self.assertIn(ours.pop("Ir") - theirs.pop("Ir"), LAST_BLOCK)
        for event, n in ours.items():
            self.assertLessEqual(abs(n - theirs[event]), 2, event)

    def test_events(self) -> None:
        self.check_events("bc")

    def test_more_events(self) -> None:
        self.check_events("sqlite3")

    test_more_events.full = True  # type: ignore[attr-defined]


def by_address(part: Part) -> Counter[int]:
    """How often each instruction was executed."""
    found: Counter[int] = Counter()
    for function in part.functions.values():
        for position, cost in function.costs.items():
            found[position.instr] += cost[0]
    return found


def not_counted(ours: Counter[int], theirs: Counter[int]) -> list[int]:
    """The instructions that Callgrind has not counted.

    In code without lines it may count those of a block at the first of them: what it has there in excess, it
    lacks at the next ones.
    """
    missed = []
    excess = 0
    for at in sorted(ours | theirs):
        n = ours[at] - theirs[at]
        if n > 0 and excess == 0:
            missed += [at] * n
        else:
            excess -= n
    return missed + [0] * abs(excess)


def totals(part: Part) -> dict[str, int]:
    return dict(zip(part.events, part.self_total(), strict=True))


if __name__ == "__main__":
    unittest.main()
