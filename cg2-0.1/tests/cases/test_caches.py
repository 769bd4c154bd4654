"""--cache-sim beside all else that a run can be told. Counts are compared in tests/compat/test_caches.py."""

from __future__ import annotations

import unittest

from case import Case
from cg2test import compile, run_cg2
from test_threads import STARTS

OPTIONS = (
    (),
    ("--separate-threads=yes", "--dump-instr=yes", "--collect-jumps=yes"),
    ("--separate-callers=2", "--simulate-wb=yes"),
    ("--toggle-collect=main", "--collect-systime=nsec", "--collect-bus=yes"),
    ("--skip-plt=no", "--simulate-hwpref=yes"),
    ("--fn-skip=leaf", "--dump-every-bb=20000"),
    ("--zero-before=pairs_on", "--LL=5242880,2,64"),
)


class Together(Case):
    def check(self, *options: str, flags: tuple[str, ...] = ()) -> None:
        program = compile("fibers.c", "-O1", "-pthread", *flags)
        run = run_cg2([program, "threads"], "--cache-sim=yes", "--check-cells=yes", *options)
        self.assertEqual(run.status, 0, run.stderr)
        for path in run.profile_paths:
            part = self.check_part(path, [*STARTS, "makecontext", "in_thread"]).part
            self.assertEqual(part.events[:9], "Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw".split())
            _, reads, writes, i1, d1r, d1w, il, dlr, dlw, *_ = [*part.self_total()]
            self.assertTrue(il <= i1 and dlr <= d1r <= reads and dlw <= d1w <= writes)

    def test_options(self) -> None:
        """Sums agree, and each block counts in its own cells."""
        for options in OPTIONS:
            with self.subTest(" ".join(options)):
                self.check(*options)

    def test_x86(self) -> None:
        """Likewise in 32-bit programs."""
        self.check(flags=("-m32",))


if __name__ == "__main__":
    unittest.main()
