"""What programs are built against: the symbols that the library exports, and its binary interface."""

from __future__ import annotations

import ctypes
import re
import sys
import unittest

from cg2test import SOURCE

sys.path.append(str(SOURCE / "tests" / "library"))

import abi  # noqa: E402  (found through the path just set)

from cg2tools.bindings.interface import profile_library  # noqa: E402

NUMBERS = {
    "int": ctypes.c_int,
    "cg2p_chains": ctypes.c_uint,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
}


class Exports(unittest.TestCase):
    def test_listed(self) -> None:
        """The linker's script lists the functions that the header declares."""
        self.assertEqual(abi.EXPORTS.read_text(), abi.exports(), "make abi lists them")

    def test_exported(self) -> None:
        """The library exports these, each with a version, and nothing else."""
        lines = abi.said("nm", "-D", "--defined-only", abi.LIBRARY).splitlines()
        exported = {line.split()[2] for line in lines if line.split()[1] != "A"}
        self.assertEqual(exported, {f"{name}@@CG2PROFILE_1" for name in abi.declared()})
        self.assertGreater(len(exported), 30)


class Binding(unittest.TestCase):
    def test_results(self) -> None:
        """What a function gives is for the commands what the header declares."""
        declared = re.findall(r"\bCG2P_API\s+([^;]*?)\b(cg2p_\w+)\(", abi.declarations())
        results = {name: result for result, name in declared}
        self.assertGreater(len(results), 60)
        for name, result in results.items():
            found = getattr(profile_library(), name).restype
            if "*" in result:
                self.assertIn(found, (ctypes.c_void_p, ctypes.c_char_p), name)
            elif result.strip() != "void":
                self.assertIs(found, NUMBERS[result.strip()], name)


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
