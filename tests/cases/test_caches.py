"""--cache-sim beside all else that a run can be told. Counts are compared in tests/compat/test_caches.py."""

from __future__ import annotations

import unittest

import together
from case import Case
from cg2test import MACHINE, compile, run_cg2
from cg2tools.profile.model import Part


class Together(together.Together):
    COUNTED = ("--cache-sim=yes",)
    OTHERS = (
        (),
        ("--separate-threads=yes", "--dump-instr=yes", "--collect-jumps=yes"),
        ("--separate-callers=2", "--simulate-wb=yes"),
        ("--toggle-collect=main", "--collect-systime=nsec", "--collect-bus=yes"),
        ("--skip-plt=no", "--simulate-hwpref=yes"),
        ("--fn-skip=leaf", "--dump-every-bb=20000"),
        ("--zero-before=pairs_on", "--LL=5242880,2,64"),
    )

    def check_costs(self, part: Part) -> None:
        self.assertEqual(part.events[:9], "Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw".split())
        _, reads, writes, i1, d1r, d1w, il, dlr, dlw, *_ = [*part.self_total()]
        self.assertTrue(il <= i1 and dlr <= d1r <= reads and dlw <= d1w <= writes)

    def test_quantum(self) -> None:
        """Between two stops of a thread there is only so much time. Older Valgrinds do not know the
        option."""
        for option in ("--cache-sim=yes", "--branch-sim=yes", "--collect-bus=yes"):
            with self.subTest(option):
                run = run_cg2(["/bin/true"], "--scheduling-quantum=1000000000", option)
                self.assertNotEqual(run.status, 0)
                self.assertIn("--scheduling-quantum=1000000000", run.stderr)
                self.assertRegex(run.stderr, "expected at most|Unknown option")


class Rows(Case):
    """Accesses that are checked together, of which all misses are known."""

    ROUNDS = 100

    def misses(self, *options: str) -> dict[str, list[float]]:
        """D1mr and D1mw of each function, in each round."""
        program = compile("rows.S", "-nostdlib", "-static")
        part = self.graph_of(
            program, "--cache-sim=yes", "--I1=32768,8,64", "--LL=65536,4,64", *options
        ).part
        events = [part.events.index(event) for event in ("D1mr", "D1mw")]
        costs = {key.name: function.self_cost() for key, function in part.functions.items()}
        return {
            name: [cost[event] / self.ROUNDS for event in events] for name, cost in costs.items()
        }

    def test_rows(self) -> None:
        # The stack's line is read by the return in front, unless that is on another.
        known = {
            "near": [2, 0],
            "across": [1, 0],
            "wide": [3, 0],
            "between": [2, 0],
            "pushed": [0, 2],
            "mixed": [1, 1],
        }
        if MACHINE == "aarch64":
            known["pairs"] = [2, 0]
        else:
            known |= {"skipped": [1, 0], "copied": [2, 1]}
        for shape in (
            "1024,16,64",
            "1024,8,64",
            "1024,4,64",
            "1024,2,64",
            "4096,8,64",
            "1088,17,64",
        ):
            with self.subTest(shape):
                found = self.misses(f"--D1={shape}")
                self.assertEqual({name: found[name] for name in known}, known)

    def test_one_way(self) -> None:
        found = self.misses("--D1=2048,1,64")
        self.assertEqual(found["between"], [3, 0])

    def test_small_lines(self) -> None:
        found = self.misses("--D1=1024,4,32", "--LL=65536,4,32")
        self.assertEqual((found["near"], found["across"], found["mixed"]), ([2, 0], [1, 0], [1, 1]))


if __name__ == "__main__":
    unittest.main()
