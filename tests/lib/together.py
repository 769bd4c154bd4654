"""What is counted beside instructions, together with all else that a run can be told.

    class Together(together.Together):
        COUNTED = ("--cache-sim=yes",)
        OTHERS = (("--separate-threads=yes", "--dump-instr=yes"), ("--skip-plt=no",))

        def check_costs(self, part: Part) -> None: ...

Import the module, not the class: a test module runs each case that it has a name for.
"""

from __future__ import annotations

import unittest
from typing import ClassVar

from case import STARTS, Case
from cg2test import can_run_32_bits, compile, run_cg2
from cg2tools.profile.model import Part


class Together(Case):
    """Runs a program of threads, each with fibers."""

    COUNTED: ClassVar[tuple[str, ...]] = ()
    OTHERS: ClassVar[tuple[tuple[str, ...], ...]] = ()
    X86: ClassVar[tuple[str, ...]] = ()  # with a 32-bit program

    def check_costs(self, part: Part) -> None:
        """What is true of each part, beside what is true of all."""

    def check(self, *options: str, flags: tuple[str, ...] = ()) -> None:
        program = compile("fibers.c", "-O1", "-pthread", *flags, is_dynamic=True)
        run = run_cg2([program, "threads"], "--check-cells=yes", *self.COUNTED, *options)
        self.assertEqual(run.status, 0, run.stderr)
        for path in run.profile_paths:
            self.check_costs(self.check_part(path, [*STARTS, "makecontext", "in_thread"]).part)

    def test_options(self) -> None:
        """Sums agree, and each block counts in its own cells."""
        for options in self.OTHERS:
            with self.subTest(" ".join(options)):
                self.check(*options)

    @unittest.skipUnless(can_run_32_bits(), "no 32-bit programs here")
    def test_x86(self) -> None:
        """Counting together with all else, in 32-bit programs."""
        self.check(*self.X86, flags=("-m32",))
