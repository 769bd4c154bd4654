"""What programs are built against: the symbols that the library exports, and its binary interface."""

from __future__ import annotations

import sys
import unittest

from cg2test import SOURCE

sys.path.append(str(SOURCE / "tests" / "library"))

import abi  # noqa: E402  (found through the path just set)


class Exports(unittest.TestCase):
    def test_listed(self) -> None:
        """The linker's script lists the functions that the header declares."""
        self.assertEqual(abi.EXPORTS.read_text(), abi.exports(), "make abi lists them")

    def test_exported(self) -> None:
        """The library exports these, each with a version, and nothing else."""
        lines = abi.said("nm", "-D", "--defined-only", abi.LIBRARY).splitlines()
        exported = {line.split()[2] for line in lines if line.split()[1] != "A"}
        self.assertEqual(exported, {f"{name}@@CG2PROFILE_0" for name in abi.declared()})
        self.assertGreater(len(exported), 30)


class Binary(unittest.TestCase):
    """What is stored, in libcg2profile.abi, against what was built."""

    def setUp(self) -> None:
        missing = abi.what_is_missing()
        if missing:
            self.skipTest(missing)

    def test_nothing_broken(self) -> None:
        """No function or type that programs may use was removed or changed."""
        self.assertEqual(abi.differences(*abi.BROKEN_ONLY), "")

    def test_additions_are_stored(self) -> None:
        """What is new is stored, too, which `make abi` does."""
        self.assertEqual(abi.differences(), "", "make abi stores it")
