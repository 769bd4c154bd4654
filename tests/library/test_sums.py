"""Records that are added up late give the sums that they give at once, whatever order they come in: sums.c
adds them."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "unit"))

from hostbuild import LIBRARY_SANITIZED, build_on_library, can_build, run  # noqa: E402

HERE = Path(__file__).resolve().parent


class Sums(unittest.TestCase):
    def test_orders(self) -> None:
        reason = can_build(LIBRARY_SANITIZED)
        if reason:
            self.skipTest(reason)
        ended = run([build_on_library(LIBRARY_SANITIZED, HERE / "sums.c")])
        self.assertEqual((ended.returncode, ended.stderr[-4000:]), (0, ""), ended.stdout)
        self.assertEqual(ended.stdout.split(), ["same"] * 45)


if __name__ == "__main__":
    unittest.main()
