"""The hash table keeps all numbers while it grows, whatever their hashes: hashes.c puts them in and finds
them."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "unit"))

from hostbuild import LIBRARY_SANITIZED, build_on_library, can_build, run  # noqa: E402

HERE = Path(__file__).resolve().parent


class Hashes(unittest.TestCase):
    def test_growth(self) -> None:
        """Numbers that find no room at the end of the table, too. It is two thirds full before it doubles."""
        reason = can_build(LIBRARY_SANITIZED)
        if reason:
            self.skipTest(reason)
        ended = run([build_on_library(LIBRARY_SANITIZED, HERE / "hashes.c")])
        self.assertEqual((ended.returncode, ended.stderr[-4000:]), (0, ""), ended.stdout)
        self.assertEqual(int(ended.stdout), 8192)


if __name__ == "__main__":
    unittest.main()
