"""--cache-sim beside all else that a run can be told. Counts are compared in tests/compat/test_caches.py."""

from __future__ import annotations

import unittest

import together
from cg2test import run_cg2
from cg2tools.profile import Part


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
        """Between two stops of a thread there is only so much time. Older Valgrinds do not know the option."""
        for option in ("--cache-sim=yes", "--branch-sim=yes", "--collect-bus=yes"):
            with self.subTest(option):
                run = run_cg2(["/bin/true"], "--scheduling-quantum=1000000000", option)
                self.assertNotEqual(run.status, 0)
                self.assertIn("--scheduling-quantum=1000000000", run.stderr)
                self.assertRegex(run.stderr, "expected at most|Unknown option")


if __name__ == "__main__":
    unittest.main()
