"""What the page of cg2_report is told of counted paths: which files it takes, and how much of them is on
it."""

from __future__ import annotations

import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import cg2test
from toolsupport import PATHS, Output, command

sys.path.append(str(cg2test.SOURCE / "tests" / "lib"))

from cg2tools.profile.reader import read_paths, read_profile  # noqa: E402
from cg2tools.report.contents import Contents  # noqa: E402
from cg2tools.report.options import PageOptions  # noqa: E402
from cg2tools.report.page import TEMPLATE  # noqa: E402
from cg2tools.report.pathtables import tree_of_runs  # noqa: E402

PROFILE = """\
# callgrind format
version: 1
creator: callgrind-cg2-0.1
pid: 4711
positions: line
events: Ir Dr
summary: 10000 60
ob=/bin/app
fl=a.c
fn=main
1 100 10
fn=parse
3 900
fn=token
9 6020 40
fn=put
11 2930 10
fn=print
4 50
totals: 10000 60
"""


def many(paths: int, width: int) -> str:
    """A root that calls so many functions, each of which calls `width` others that cost 1."""
    lines = [
        "# cg2 paths\ncreator: callgrind-cg2-0.1\nevents: Ir\nfl=(1) a.c\nfn=(1) main\n0 1 0 1\n"
    ]
    lines += [f"fn=({one + 2}) f{one}\n" for one in range(width)]
    for _ in range(paths // (width + 1)):
        lines.append(f"1 {_ % width + 2} {_} 1\n")
        lines += [f"2 {one + 2} 1 1 1\n" for one in range(width)]
    return "".join([*lines, f"totals: {paths // (width + 1) * width}\n"])


class Pages(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        self.write("cg2.out.4711", PROFILE)
        self.write("cg2.paths.4711", PATHS)

    def write(self, name: str, text: str) -> None:
        (self.directory / name).write_text(text)

    def said(self, *arguments: str, status: int = 0) -> str:
        """What the command says of which files it takes."""
        if not TEMPLATE.exists():
            self.skipTest("the page was not built, as there was no npm or no registry for it")
        ended: Output = command("cg2_report", *arguments, directory=self.directory)
        self.assertEqual(ended.status, status, ended.stderr)
        return ended.stderr.replace("cg2_report: wrote cg2_report.html; open it in a browser\n", "")

    def tables(self, smallest: float = 0, *files: str) -> dict[str, Any]:
        profile = read_profile(self.directory / "cg2.out.4711")
        runs = [read_paths(self.directory / file).parts for file in files or ("cg2.paths.4711",)]
        old = profile if len(runs) > 1 else None
        contents = Contents(profile, PageOptions(smallest=smallest), old, None, tree_of_runs(*runs))
        return dict(contents.each())

    def test_table(self) -> None:
        """A row for each path, behind its caller's, the most expensive first."""
        tables = self.tables()
        head, stacks = tables["profile"], tables["stacks"]
        self.assertEqual((head["paths"], head["guess"], head["left"]), (8, "", {}))
        names = [head["strings"][name] for name in stacks["name"]]
        self.assertEqual(
            list(
                zip(names, stacks["parent"], stacks["calls"], *stacks["inclusive"], *stacks["self"])
            ),
            [
                ("main", -1, 1, 10000, 60, 100, 10),
                ("parse", 0, 4, 6950, 40, 900, 0),
                ("token", 1, 420, 6000, 40, 6000, 40),
                ("print", 0, 1, 2550, 10, 50, 0),
                ("put", 3, 7, 2500, 10, 2500, 10),
                ("put", 0, 1, 400, 0, 400, 0),
                ("put", 1, 2, 50, 0, 30, 0),
                ("token", 6, 2, 20, 0, 20, 0),
            ],
        )
        rows = [head["strings"][head["functions"]["name"][row]] for row in stacks["function"]]
        self.assertEqual(rows, names)

    def test_smaller(self) -> None:
        """What is left out below a path is one row, so that costs and calls add up."""
        tables = self.tables(30)
        head, stacks = tables["profile"], tables["stacks"]
        self.assertEqual(head["left"], {"stacks": {"rows": 5, "cost": []}})
        names = [head["strings"][name] for name in stacks["name"]]
        self.assertEqual(
            list(
                zip(
                    names,
                    stacks["parent"],
                    stacks["paths"],
                    stacks["calls"],
                    stacks["inclusive"][0],
                )
            ),
            [
                ("main", -1, 0, 1, 10000),
                ("parse", 0, 0, 4, 6950),
                ("token", 1, 0, 420, 6000),
                ("(smaller)", 0, 3, 2, 2950),
                ("(smaller)", 1, 2, 2, 50),
            ],
        )
        self.assertEqual([sum(column) for column in stacks["self"]], head["total"])

    def test_two_runs(self) -> None:
        """A path costs something in each run, whatever directory or copy of a function it is."""
        older = PATHS.replace("/bin/app", "/home/me/app").replace(
            " token\n", " token.constprop.0\n"
        )
        self.write(
            "older",
            older.replace("2 4 21 7 2500", "2 4 22 9 2200")
            .replace("summary: 10000", "summary: 9700")
            .replace("totals: 10000", "totals: 9700"),
        )
        stacks = self.tables(0, "cg2.paths.4711", "older")["stacks"]
        self.assertEqual(stacks["old"][0], [9700, 6950, 6000, 2250, 2200, 400, 50, 20])
        self.assertEqual(stacks["oldSelf"][0], [100, 900, 6000, 50, 2200, 400, 30, 20])
        self.assertEqual(stacks["oldCalls"], [1, 4, 420, 1, 9, 1, 2, 2])

    def test_bounded(self) -> None:
        """A page has few of many paths."""
        self.write("many", many(60_000, 200))
        tables = self.tables(0.5, "many")
        self.assertEqual(tables["profile"]["paths"], 1 + 200 + 200 * 200)
        self.assertLess(len(tables["stacks"]["name"]), 450)

    def test_files(self) -> None:
        """A file of paths is one that is given, or stands beside the profile."""
        beside = "cg2_report: with cg2.paths.4711, the paths of that run\n"
        self.assertEqual(self.said("cg2.out.4711"), beside)
        self.assertEqual(self.said("cg2.out.4711", "cg2.paths.4711"), "")
        self.assertEqual(self.said("--inlines=no", "cg2.out.4711"), beside)
        self.write("profile", PROFILE)
        self.assertEqual(self.said("profile"), "")
        self.assertEqual(
            self.said("--compare=profile", "cg2.out.4711"),
            "cg2_report: without cg2.paths.4711, as there is no file of paths beside profile\n",
        )
        self.assertEqual(self.said("--compare=cg2.out.4711", "cg2.out.4711"), 2 * beside)

    def test_refused(self) -> None:
        """Paths with other costs than the profile are not shown, and paths alone are no profile."""
        self.write("cg2.paths.4711", PATHS.replace("2500 10", "2501 10").replace("10000", "10001"))
        self.assertEqual(
            self.said("cg2.out.4711"),
            "cg2_report: without cg2.paths.4711, which has other costs than cg2.out.4711\n",
        )
        self.assertEqual(
            self.said("cg2.paths.4711", status=1),
            "cg2.paths.4711:1: paths; expected the profile of the same run, too\n",
        )


if __name__ == "__main__":
    unittest.main()
