"""Counted paths on the page of cg2_report: flame graph, sandwich, tables from the top down and from the
bottom up, a search over paths, and two runs compared path by path."""

from __future__ import annotations

import unittest

import test_report
from test_report import OnPage, report


def setUpModule() -> None:
    test_report.setUpModule()


PROFILE = """\
# callgrind format
version: 1
creator: callgrind-cg2-0.1
pid: 4711
cmd: ./app
positions: line
events: Ir
summary: {total}
ob=/bin/app
fl=a.c
fn=main
1 100
fn=parse
3 900
fn=token
9 {token}
fn=put
11 {put}
fn=print
4 50
{gone}totals: {total}
"""

PATHS = """\
# cg2 paths
version: 1
creator: callgrind-cg2-0.1
pid: 4711
cmd: ./app
positions: line
events: Ir
summary: 10000
paths: 9
ob=(1) /bin/app
fl=(1) a.c
fn=(1) main
0 1 0 1 100
fn=(2) parse
1 2 3 4 900
fn=(3) token
2 3 9 300+20 5000
2 3 10 100 1000
fn=(4) put
3 4 20 2 20
2 4 11 2 30
fn=(5) print
1 5 4 1 50
2 4 21 7 2500
1 4 5 1 400
totals: 10000
"""
"""token is called from two lines of parse; put on four paths."""

OLD = """\
# cg2 paths
creator: callgrind-cg2-0.1
pid: 4710
positions: line
events: Ir
summary: 8600
ob=(1) /bin/app
fl=(1) a.c
fn=(1) main
0 1 0 1 100
fn=(2) parse
1 2 3 4 900
fn=(3) token
2 3 9 420 4000
fn=(4) put
3 4 20 2 20
2 4 11 2 30
fn=(5) print
1 5 4 1 50
2 4 21 8 3000
fn=(6) gone
1 6 7 3 500
totals: 8600
"""


class Paths(OnPage):
    @classmethod
    def make_pages(cls) -> None:
        files = {
            "cg2.out.4711": PROFILE.format(total=10000, token=6000, put=2950, gone=""),
            "cg2.paths.4711": PATHS,
            "cg2.out.4710": PROFILE.format(
                total=8600, token=4000, put=3050, gone="fn=gone\n7 500\n"
            ),
            "cg2.paths.4710": OLD,
        }
        for name, text in files.items():
            (cls.folder / name).write_text(text)
        new, old = cls.folder / "cg2.out.4711", cls.folder / "cg2.out.4710"
        report("-o", cls.folder / "page.html", new)
        report("-o", cls.folder / "few.html", "--smallest=10", new)
        report("-o", cls.folder / "compared.html", "--compare", old, new)

    def frames(self, selector: str = "#view") -> dict[str, list[str]]:
        """What frames say, by their functions, from the left."""
        self.browser.wait("document.querySelector(`${arguments[0]} g.frame`)", selector)
        titles = self.browser.run(
            "return [...document.querySelectorAll(`${arguments[0]} g.frame`)].sort((a, b) => "
            "a.getBoundingClientRect().x - b.getBoundingClientRect().x)"
            ".map((frame) => frame.querySelector('title').textContent)",
            selector,
        )
        found: dict[str, list[str]] = {}
        for title in titles:
            name, _, said = title.partition(": ")
            found.setdefault(name, []).append(said)
        return found

    def test_flame_graph(self) -> None:
        """Each path has what it cost, and nothing is said to be apportioned."""
        self.open("flame")
        self.assertEqual(
            self.frames(),
            {
                "all": ["10,000 Ir, 100.0 %"],
                "main": ["10,000 Ir, 100.0 %"],
                "parse": ["6,950 Ir, 69.5 %"],
                "token": ["6,020 Ir, 60.2 %"],
                "put": [
                    "20 Ir, 0.20 %",
                    "30 Ir, 0.30 %",
                    "2,500 Ir, 25.0 %",
                    "400 Ir, 4.00 %",
                ],
                "print": ["2,550 Ir, 25.5 %"],
            },
        )
        self.assertIn("Exact: each of 8 paths of calls was counted.", self.browser.text(".bar"))
        self.assertNotIn("apportioned", self.browser.text(".bar"))
        self.search("parse;put")
        self.await_text("#status", "2 frames, 50 Ir, 0.50 %")

    def test_sandwich(self) -> None:
        """All paths into a function, and out of it."""
        self.open("flame/top-down")
        self.browser.press("/", *"print;put", "Enter", "Enter")
        self.await_text(".function h2", "put")
        self.browser.click(".function a[href*=sandwich]")
        self.await_text(".sandwich h2", "Callers of put")
        self.assertEqual(
            self.frames(".sandwich section:first-child"),
            {
                "put": ["2,950 Ir, 29.5 %"],
                "print": ["2,500 Ir, 25.0 %"],
                "main": ["2,500 Ir, 25.0 %", "400 Ir, 4.00 %", "30 Ir, 0.30 %", "20 Ir, 0.20 %"],
                "parse": ["30 Ir, 0.30 %", "20 Ir, 0.20 %"],
                "token": ["20 Ir, 0.20 %"],
            },
        )

    def test_top_down(self) -> None:
        """The way is open to where paths part; rows open and close, and have counted calls."""
        self.open("flame")
        self.browser.click("[data-name=top-down]")
        self.browser.wait("document.querySelector('[role=treegrid]')")
        self.assertEqual(
            self.rows(),
            [
                ["main", "10,000", "100", "1", "app"],
                ["parse", "6,950", "900", "4", "app"],
                ["token", "6,020", "6,000", "420", "app"],
                ["put", "20", "20", "2", "app"],
                ["put", "30", "30", "2", "app"],
                ["print", "2,550", "50", "1", "app"],
                ["put", "400", "400", "1", "app"],
            ],
        )
        self.browser.press("/", "Enter", "ArrowRight", "ArrowLeft")  # to parse, which closes
        self.assertEqual(self.column(0), ["main", "parse", "print", "put"])
        self.browser.press("ArrowDown", "ArrowRight")
        self.assertEqual(self.rows()[3][:4], ["put", "2,500", "2,500", "7"])

    def test_search(self) -> None:
        """A search finds paths by the functions on them, in their order; what is below a found one is not
        found again."""
        self.open("flame/top-down")
        self.search("put")
        self.await_text("#status", "4 paths, 2,950 Ir, 29.5 %")
        self.assertEqual(
            self.browser.texts(".rows-body .row > :first-child"),
            [
                "put ‹ print ‹ main",
                "put ‹ main",
                "put ‹ parse ‹ main",
                "put ‹ token ‹ parse ‹ main",
            ],
        )
        for words, said in (
            ("parse;put", "2 paths, 50 Ir, 0.50 %"),
            ("main;token;put", "1 path, 20 Ir, 0.20 %"),
            ("par", "1 path, 6,950 Ir, 69.5 %"),
            ("put;parse", "0 paths, 0 Ir"),
        ):
            self.browser.press("Escape")
            self.search(words)
            self.await_text("#status", said)
        self.browser.press("Escape")
        self.browser.wait("document.querySelectorAll('.rows-body > .row').length === 7")

    def test_bottom_up(self) -> None:
        self.open("flame/bottom-up")
        self.browser.press("/", "Enter", "ArrowDown", "ArrowRight")
        self.assertEqual(
            [row[:2] for row in self.rows()][:6],
            [
                ["token", "6,000"],
                ["put", "2,950"],
                ["print", "2,500"],
                ["main", "400"],
                ["parse", "30"],
                ["token", "20"],
            ],
        )

    def test_smaller(self) -> None:
        """What has less than the share is one row below its caller, which says how many paths that are."""
        self.open("flame/top-down", "few")
        self.assertEqual(
            [row[:4] for row in self.rows()],
            [
                ["main", "10,000", "100", "1"],
                ["parse", "6,950", "900", "4"],
                ["token", "6,020", "6,000", "420"],
                ["(smaller) 1 path", "20", "20", "2"],
                ["(smaller) 1 path", "30", "30", "2"],
                ["print", "2,550", "50", "1"],
                ["(smaller) 1 path", "400", "400", "1"],
            ],
        )
        self.assertIn(
            "3 paths of less than 10 % each are together (smaller)", self.browser.text(".bar")
        )

    def test_two_runs(self) -> None:
        """Each path has what it cost more or less than before; what is gone is there, too."""
        self.open("flame", "compared")
        found = self.frames()
        self.assertEqual(found["token"], ["6,020 Ir, 60.2 %, +2,000, own +2,000"])
        self.assertEqual(
            found["put"],
            [
                "20 Ir, 0.20 %, 0, own 0",
                "30 Ir, 0.30 %, 0, own 0",
                "2,500 Ir, 25.0 %, −500, own −500",
                "400 Ir, 4.00 %, +400, own +400",
            ],
        )
        self.assertNotIn("gone", found)
        self.browser.click("[data-name=top-down]")
        self.browser.wait("document.querySelector('[role=treegrid]')")
        rows = {(row[0], row[1]): row[4] for row in self.rows()}
        self.assertEqual(rows["main", "10,000"], "+1,400")
        self.assertEqual(rows["print", "2,550"], "−500")
        self.assertEqual(rows["gone", "0"], "−500")


if __name__ == "__main__":
    unittest.main()
