"""Client requests whose pointers lead astray: each is refused in one line, the run goes on, and every call is
counted."""

from __future__ import annotations

import re
import unittest

from case import LEVELS, Case
from cg2test import Run, compile, run_cg2

UNREADABLE = "a client request's text at 0x cannot be read"
UNWRITABLE = "a client request's value cannot be written to 0x"
CUT = "a client request's text is cut to its first 65536 bytes"


class Astray(Case):
    def run_to(self, where: str, level: str = "-O0") -> Run:
        """Make all requests; each part is whole, and has the calls that were made in it."""
        run = run_cg2([compile("astray.c", level), where], "--check-cells=yes")
        self.assertEqual(run.status, 0, run.stderr)
        graphs = self.check_parts(run)
        self.assertEqual([graph.called("leaf") for graph in graphs], [1, 2, 7])
        self.notes = [graph.part.descriptions.get("Note") for graph in graphs]
        self.triggers = [graph.part.descriptions["Trigger"] for graph in graphs]
        return run

    def said(self, run: Run) -> list[str]:
        """The warnings, without addresses."""
        return [
            re.sub("0x[0-9a-f]+", "0x", line)
            for line in re.findall(r"^==\d+== warning: (.*)$", run.stderr, re.MULTILINE)
        ]

    def test_unreadable(self) -> None:
        """At address 0, where nothing is mapped any more, and in a mapped file behind its end."""
        for where in ("nowhere", "unmapped", "behind"):
            for level in LEVELS:
                with self.subTest(where, level=level):
                    run = self.run_to(where, level)
                    self.assertEqual(self.said(run), 5 * [UNREADABLE] + [UNWRITABLE])
                    self.assertEqual(run.stdout, "0 99 0\n")
                    self.assertEqual(self.notes, 3 * [None])

    def test_tool(self) -> None:
        """The tool's own memory is not the program's: nothing is read there, and nothing written."""
        run = self.run_to("tool")
        self.assertNotIn("at 0x0 ", run.stderr)
        self.assertEqual(self.said(run), 5 * [UNREADABLE] + [UNWRITABLE])
        self.assertEqual(run.stdout, "0 99 0\n")

    def test_edge(self) -> None:
        """A text that has no end before memory ends is what can be read of it; a value that has no room there
        is not written."""
        run = self.run_to("edge")
        self.assertEqual(self.said(run), [UNWRITABLE])
        self.assertEqual(run.stdout, "0 99 0\n")
        self.assertEqual(self.notes, [None, None, "xxxx"])
        self.assertEqual(self.triggers, ["Client Request: xxxx", "Client Request", "xxxx"])

    def test_constant(self) -> None:
        """A value is not written where the program itself could not write it."""
        run = self.run_to("constant")
        self.assertEqual(self.said(run), [UNWRITABLE])
        self.assertEqual(run.stdout, "0 99 0\n")

    def test_million(self) -> None:
        """A text of a million letters is cut; such a path is refused."""
        run = self.run_to("million")
        path = "a client request to skip an object with a path of over 4096 bytes is ignored"
        self.assertEqual(self.said(run), [CUT, CUT, CUT, path, CUT, CUT])
        self.assertEqual(run.stdout, "0 99 1\n")
        letters = 65536 * "m"
        self.assertEqual(self.notes, [None, None, letters])
        self.assertEqual(self.triggers, [f"Client Request: {letters}", "Client Request", letters])


if __name__ == "__main__":
    unittest.main()
