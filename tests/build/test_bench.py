"""What `make bench` counts: instructions of the host, exactly."""

from __future__ import annotations

import re
import shutil
import sys
import unittest

import cg2test
from cg2test import SOURCE

sys.path.append(str(SOURCE / "tests" / "bench"))

import benchtables  # noqa: E402  (found through the path just set)
import instructions  # noqa: E402
from benchmodes import CG2, NONE  # noqa: E402

DOCUMENTS = [SOURCE / "README", SOURCE / "docs" / "measured.md"]
# The tables that bench.py makes.
TABLES = {
    *("programs", "modes", "modes-memory", "modes-second", "modes-second-memory"),
    *("short", "growth", "instructions", "commands"),
}


class Tables(unittest.TestCase):
    """Tables in documents, which bench.py writes anew."""

    def test_names(self) -> None:
        """A document holds tables of bench.py, each below its machine, date, commit and command."""
        names = [name for path in DOCUMENTS for name in benchtables.named(path.read_text())]
        self.assertLessEqual(set(names), TABLES)
        self.assertGreater(len(names), 4)
        for path in DOCUMENTS:
            for name in benchtables.named(path.read_text()):
                found = benchtables.block(name).search(path.read_text())
                assert found is not None, f"{path.name}: {name} has no end"
                head, _, rows = found[0].partition("\n\n")
                head = " ".join(head.splitlines()[1:])
                parts = r"\*.+; \d{4}-\d\d-\d\d; [0-9a-f]{7,}\+?; `make bench.*`; .+\*"
                self.assertRegex(head, rf"\A{parts}\Z")
                self.assertEqual(rows[0], "|", name)

    def test_rewritten(self) -> None:
        """What was measured takes the place of the table of its name, and nothing else changes."""
        text = (
            "a\n<!-- bench modes -->\nold\n<!-- /bench -->\nb\n<!-- bench short -->\nkept\n<!-- /bench "
            "-->\n"
        )
        fresh = benchtables.rewritten(text, {"modes": "| 1 |\n", "growth": "| 2 |\n"}, "*head*")
        self.assertEqual(fresh, text.replace("old\n", "*head*\n\n| 1 |\n"))

    def test_heading(self) -> None:
        words = ["modes", "--only=xz", "--write=docs/measured.md"]
        head = " ".join(benchtables.heading(words, 3).splitlines())
        self.assertTrue(head.endswith('`make bench BENCH="modes --only=xz"`; 3 rounds*'), head)
        self.assertIsNotNone(re.search(r"; \d{4}-\d\d-\d\d; ", head))


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
