"""cg2_annotate --paths: the hottest paths of calls, and the smallest tree that holds most of the cost."""

from __future__ import annotations

import re
import json
import tempfile
import unittest
from pathlib import Path

from toolsupport import PATHS, Output, annotate

PROFILE = """\
# callgrind format
version: 1
creator: callgrind-cg2-0.1
pid: 4711
positions: line
events: Ir Dr
summary: 10000 60
fn=main
1 10000 60
totals: 10000 60
"""


class Paths(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        (self.directory / "cg2.paths.4711").write_text(PATHS)
        (self.directory / "cg2.out.4711").write_text(PROFILE)

    def said(self, *arguments: str, status: int = 0) -> Output:
        said = annotate(*arguments, directory=self.directory)
        self.assertEqual(said.status, status, said.stderr)
        return said

    def test_first_answer(self) -> None:
        """The paths that cost most themselves, then a tree with what stands below it, callers first."""
        self.assertEqual(
            self.said("cg2.paths.4711").stdout,
            """\
Program: ./app (PID 4711)
Paths: cg2.paths.4711
8 paths of calls

10,000 Ir: instructions executed
    60 Dr: reads of data

Ir              inclusive       Dr           calls  path

6,000 (60.00%)  6,000 (60.00%)  40 (66.67%)    420  main > parse > token
2,500 (25.00%)  2,500 (25.00%)  10 (16.67%)      7  main > print > put
  900 ( 9.00%)  6,950 (69.50%)   .               4  main > parse
  400 ( 4.00%)    400 ( 4.00%)   .               1  main > put
and 4 more paths, 2.00% together; --threshold=100 lists them

--------------------------------------------------------------------------------
The smallest tree that holds 95% of Ir: 5 paths
--------------------------------------------------------------------------------
Ir              inclusive        Dr           calls  function, and what it calls

  100 ( 1.00%)  10,000 (100.0%)  10 (16.67%)      1  main
  900 ( 9.00%)   6,950 (69.50%)   .               4   parse
6,000 (60.00%)   6,000 (60.00%)  40 (66.67%)    420    token
   50 ( 0.50%)   2,550 (25.50%)   .               1   print
2,500 (25.00%)   2,500 (25.00%)  10 (16.67%)      7    put
  400 ( 4.00%)     400 ( 4.00%)   .               1   (1 path, smaller)
and 3 more paths, 4.50% together; --threshold=100 lists them
""",
        )

    def test_default(self) -> None:
        """Without a file the newest is shown, and of a profile the one beside it."""
        shown = self.said("cg2.paths.4711").stdout
        newest = self.said("--paths")
        self.assertEqual(newest.stdout, shown)
        self.assertEqual(
            newest.stderr,
            "cg2_annotate: reading cg2.paths.4711, the newest file of paths here\n",
        )
        self.assertEqual(self.said("--paths", "cg2.out.4711").stdout, shown)
        self.assertEqual(self.said("--paths", "--threshold=95", "cg2.paths.4711").stdout, shown)

    def test_alike(self) -> None:
        """Two ways to one function, of 700 and 300, differ in a row where their innermost callers fill it."""
        (a, b), middle = ("lexed", "parsed"), [letter * 30 for letter in "xyz"]
        names = ["main", a, *middle, b]
        lines = (
            "0 1 0 1 0\n1 2 1 1 0\n2 3 1 1 0\n3 4 1 1 0\n4 5 1 1 700\n"
            "1 6 2 1 0\n2 3 1 1 0\n3 4 1 1 0\n4 5 1 1 300\n"
        )
        for number, name in enumerate(names, 1):
            lines = re.sub(
                rf"(?m)^(\d) {number} ", rf"fn=({number}) {name}\n\1 {number} ", lines, 1
            )
        (self.directory / "cg2.paths.5").write_text(
            "# cg2 paths\nversion: 1\ncreator: callgrind-cg2-0.1\npid: 5\ncmd: ./app\npart: 1\n"
            f"positions: line\nevents: Ir\nsummary: 1000\npaths: 9\nob=(1) /bin/app\nfl=(1) a.c\n{lines}"
            "totals: 1000\n"
        )
        rows = [
            row.split("1  ", 1)[1]
            for row in self.said("--threshold=100", "cg2.paths.5").stdout.splitlines()
            if "z" * 20 in row and " > " in row
        ]
        z = "z" * 30
        self.assertEqual(rows, [f".. > lexed > .. > {z}", f".. > parsed > .. > {z}"])

    def test_threshold(self) -> None:
        """The two lists end where they make up the threshold; the tree has the callers, and what is below
        them as one."""
        rows = self.said("--threshold=60", "--show=Ir", "cg2.paths.4711").rows()
        self.assertEqual(
            rows[6:],
            [
                "Ir inclusive calls path",
                "",
                "6,000 (60.00%) 6,000 (60.00%) 420 main > parse > token",
                "and 7 more paths, 40.00% together; --threshold=100 lists them",
                "",
                "--------------------------------------------------------------------------------",
                "The smallest tree that holds 60% of Ir: 3 paths",
                "--------------------------------------------------------------------------------",
                "Ir inclusive calls function, and what it calls",
                "",
                "100 ( 1.00%) 10,000 (100.0%) 1 main",
                "900 ( 9.00%) 6,950 (69.50%) 4 parse",
                "6,000 (60.00%) 6,000 (60.00%) 420 token",
                "2,950 (29.50%) 2,950 (29.50%) 2 (3 paths, smaller)",
                "and 5 more paths, 30.00% together; --threshold=100 lists them",
            ],
        )

    def test_other_event(self) -> None:
        """Paths are in the order of the event that is sorted by, which may be made of others."""
        rows = self.said("--paths", "--sort=Dr", "--threshold=50").rows()
        self.assertIn("40 (66.67%) 40 (66.67%) 6,000 (60.00%) 420 main > parse > token", rows)
        self.assertIn("The smallest tree that holds 50% of Dr: 3 paths", rows)
        made = self.said("--paths", "--event=X = Ir + 100 Dr", "--sort=X", "--show=X").rows()
        self.assertIn("10,000 (62.50%) 10,000 (62.50%) 420 main > parse > token", made)

    def test_several(self) -> None:
        """Files of several threads are added up."""
        rows = self.said("--paths", "cg2.paths.4711", "cg2.paths.4711").rows()
        self.assertIn("12,000 (60.00%) 12,000 (60.00%) 80 (66.67%) 840 main > parse > token", rows)
        self.assertIn("20,000 Ir: instructions executed", rows)

    def test_width(self) -> None:
        """No line is longer than 100 characters, however long names and paths are."""
        lines = [
            "# cg2 paths\ncreator: callgrind-cg2-0.1\npositions: line\nevents: Ir\nfl=(1) a.c\n"
        ]
        for depth in range(60):
            lines.append(f"fn=({depth + 1}) a_function_with_a_name_of_some_length_{depth}\n")
            lines.append(f"{depth} {depth + 1} 0 1 {1000 + depth}\n")
        (self.directory / "deep").write_text("".join([*lines, f"totals: {1000 * 60 + 59 * 30}\n"]))
        for said in self.said("deep"), self.said("deep", "--threshold=99"):
            self.assertLessEqual(max(map(len, said.stdout.splitlines())), 100)
        rows = said.rows()
        self.assertIn(
            "1,059 ( 1.71%) 1,059 ( 1.71%) 1 .. > a_function_with_a_name_of_some_length_59", rows
        )
        self.assertIn("1,040 ( 1.68%) 20,990 (33.98%) 1 40: a_function_with_a_name_of_som..", rows)

    def test_json(self) -> None:
        """For programs, the same with objects and files of functions."""
        found = json.loads(self.said("--json", "--threshold=85", "cg2.paths.4711").stdout)
        self.assertEqual((found["paths"], found["total"]), (8, [10000, 60]))
        token = {"object": "/bin/app", "file": "a.c", "name": "token"}
        first = found["hottest"][0]
        self.assertEqual([key["name"] for key in first["path"]], ["main", "parse", "token"])
        self.assertEqual(
            (first["path"][2], first["count"], first["self"]), (token, 420, [6000, 40])
        )
        self.assertEqual(
            [(row["caller"], row["name"], row["inclusive"][0]) for row in found["tree"]],
            [
                (None, "main", 10000),
                (0, "parse", 6950),
                (1, "token", 6000),
                (0, "print", 2550),
                (3, "put", 2500),
            ],
        )

    def test_refused(self) -> None:
        """Lists of functions and lines are not those of paths, and a profile without a file of paths has
        none."""
        said = self.said("--paths", "--auto=yes", "cg2.paths.4711", status=2)
        self.assertIn("an option about functions or lines; expected one of them", said.stderr)
        (self.directory / "cg2.paths.4711").unlink()
        said = self.said("--paths", "cg2.out.4711", status=1)
        self.assertEqual(
            said.stderr,
            "cg2.out.4711:1: '# callgrind format'; expected a file of paths, which begins with '# cg2 "
            "paths'\n",
        )
        said = self.said("--paths", status=1)
        self.assertEqual(
            said.stderr,
            "cg2_annotate: no cg2.paths.* in this directory; expected one, or the name of a file\n",
        )


if __name__ == "__main__":
    unittest.main()
