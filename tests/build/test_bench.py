"""What `make bench` counts: instructions of the host, exactly."""

from __future__ import annotations

import shutil
import sys
import unittest

import cg2test
from cg2test import SOURCE

sys.path.append(str(SOURCE / "tests" / "bench"))

import instructions  # noqa: E402  (found through the path just set)
from benchmodes import CG2, NONE  # noqa: E402


@unittest.skipUnless(shutil.which("qemu-x86_64"), "install qemu-user: it counts instructions")
class Instructions(unittest.TestCase):
    """Instructions of the host, which an emulator counts."""

    def setUp(self) -> None:
        """A program without libc, which counts the same in any environment."""
        self.program = str(cg2test.compile("harness.c", "-O2", "-nostdlib", "-static"))
        self.directory = cg2test.new_directory()

    def test_program(self) -> None:
        """A program alone takes as many instructions as cg2 counts in it."""
        blocks, _ = instructions.emulated([self.program], self.directory, {})
        alone = sum(block.instructions * block.runs for block in blocks)
        instructions.count(CG2, [self.program], self.directory)
        self.assertEqual(alone, instructions.program_instructions(self.directory))

    def test_tool(self) -> None:
        """Two runs of a tool generate the same; cg2 adds its own code, and little to what is generated."""
        none, ours, again = (
            instructions.count(mode, [self.program], self.directory) for mode in (NONE, CG2, CG2)
        )
        generated = ours.instructions[instructions.GENERATED]
        self.assertEqual(generated, again.instructions[instructions.GENERATED])
        self.assertEqual(ours.host_bytes, again.host_bytes)
        self.assertGreater(generated, none.instructions[instructions.GENERATED])
        self.assertGreater(ours.instructions[instructions.TOOL], 0)
        self.assertGreater(ours.expansion, none.expansion)
