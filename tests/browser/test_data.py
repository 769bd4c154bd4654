"""The Data view of the page of cg2_report: objects, what they look like in memory, from code to data and
back."""

from __future__ import annotations

import subprocess
import unittest
from pathlib import Path

import axe
import test_report
from cg2test import BUILD
from datafiles import MAIN, NODES, PROFILE, TABLE, DataText, list_and_array
from test_report import OnPage, report

# The pieces of cache lines that are drawn: where each begins and ends, in bytes, and what stands in it.
PIECES = """
return [...document.querySelectorAll(".memory .line")].map((line) => [line.dataset.line,
  ...[...line.querySelectorAll(".bytes span")].map((part) => [
    Math.round(0.64 * parseFloat(part.style.left)), Math.round(0.64 * parseFloat(part.style.width)),
    part.textContent])]);
"""


def setUpModule() -> None:
    test_report.setUpModule()


class Data(OnPage):
    """A profile with a data file beside it, and the data file alone."""

    @classmethod
    def make_pages(cls) -> None:
        (cls.folder / "cg2.out.4711").write_text(PROFILE)
        (cls.folder / "cg2.data.4711").write_text(list_and_array())
        cls.make_typed_page()
        cls.make_shared_page()
        report("-o", cls.folder / "page.html", cls.folder / "cg2.out.4711")
        report("-o", cls.folder / "data.html", cls.folder / "cg2.data.4711")

    @classmethod
    def make_typed_page(cls) -> None:
        """Make a page of nodes whose type is in debug information."""
        code = "struct node { long next; int kind; long key; } node; int main(void) { return node.kind; }"
        (cls.folder / "node.c").write_text(code)
        program = str(cls.folder / "node")
        subprocess.run(["gcc", "-g", "-o", program, cls.folder / "node.c"], check=True)
        made = DataText()
        nodes, walk = ("heap::node.c:3 (make)", program), (program, "node.c", "walk")
        made.allocate(nodes, 10, 24)
        made.touch(nodes, 0, walk, (1, 4), 10, Dr=10, D1mr=1)
        made.touch(nodes, 16, walk, (2, 5), 10, Dr=10, D1mr=3)
        made.touch(nodes, (0, 4), walk, (3, 6), 300, Dw=300, D1mw=6)
        (cls.folder / "typed").write_text(made.text())
        made = DataText()
        made.touch(nodes, 0, (program, "vector_of_trees.tcc", "walk"), (1, 1042), 10, Dr=10)
        (cls.folder / "lines").write_text(made.text())
        report("-o", cls.folder / "lines.html", cls.folder / "lines")
        options: list[str | Path] = ["--data-type=make=struct node", cls.folder / "typed"]
        report("-o", cls.folder / "typed.html", *options)

    @classmethod
    def make_shared_page(cls) -> None:
        """Make a page of an object that threads share, and of one that caches of two sizes miss."""
        made = DataText(["Dr", "D4Kmr", "D8Kmr"])
        made.touch(NODES, 0, MAIN, (1, 4), 200, Dr=200, D4Kmr=30, D8Kmr=10)
        made.touch(TABLE, 0, MAIN, (2, 5), 100, Dr=100, D4Kmr=10, D8Kmr=3)
        made.share((NODES, 0, 1), (NODES, 8, 2), 40)
        made.share((NODES, 8, 2), (NODES, 0, 1), 20)
        made.share((NODES, 0, 2), (NODES, 0, 1), 3, "sharing")
        for first, second, visits in ((0, 0, 40), (8, 8, 30), (0, 8, 30)):
            made.visit(TABLE, first, second, visits)
        (cls.folder / "shared").write_text(made.text())
        report("-o", cls.folder / "shared.html", cls.folder / "shared")

    def test_members(self) -> None:
        """Members lie where their type says; what is touched in all of them alike lies nowhere."""
        if not (BUILD / "libcg2debug.so.0").exists():
            self.skipTest("built without libdw")
        self.open("data/0", "typed")
        self.assertEqual(
            self.browser.run(PIECES),
            [
                [
                    "0",
                    [0, 8, "next"],
                    [8, 4, "kind"],
                    [12, 4, "(hole)"],
                    [16, 8, "key"],
                ]
            ],
        )
        self.assertEqual(
            sorted(row[1:4] for row in self.rows(".halves section:first-child")),
            [
                ["(hole)", "0", "0"],
                ["(several members)", "0", "6"],
                ["key long int", "0", "3"],
                ["kind int", "0", "0"],
                ["next long int", "0", "1"],
            ],
        )

    def test_lines(self) -> None:
        """The number of a line of code is seen, however long the name of its file is."""
        self.open("data/0", "lines")
        cut = """
        return [...document.querySelectorAll(".halves section:last-child .rows-body a[href^='#source']")].map(
          (link) => [link.textContent, link.parentNode.scrollWidth > link.parentNode.clientWidth]);
        """
        self.assertEqual(self.browser.run(cut), [["vector_of_trees.tcc:1042", False]])

    def test_sharing(self) -> None:
        """An object of which threads take each other's cache lines says which places."""
        self.open("data/0", "shared")
        self.assertEqual(
            self.rows(".data-object > section:nth-of-type(2)"),
            [
                ["offset 0 and offset 8, threads 1 and 2", "only the line", "60"],
                ["offset 0, threads 1 and 2", "the same bytes", "3"],
            ],
        )

    def test_together(self) -> None:
        """Members that are accessed together, and how often of the visits to each."""
        self.open("data/1", "shared")
        self.assertEqual(
            self.rows(".data-object > section:nth-of-type(2)"),
            [["offset 0", "offset 8", "30", "75.0 %", "100.0 %"]],
        )

    def test_sizes(self) -> None:
        """A curve of the program and the object; its sizes are no events to choose."""
        self.open("data/1", "shared")
        self.assertEqual(
            self.browser.run(
                "return [...document.querySelectorAll('.chart title')].map((title) => title.textContent)"
            ),
            [
                "the whole program: 40 at 4 KiB",
                "the whole program: 13 at 8 KiB",
                "static table: 10 at 4 KiB",
                "static table: 3 at 8 KiB",
            ],
        )
        self.assertEqual(self.browser.texts(".choice button, .bar [data-name]"), ["Dr"])

    def test_objects(self) -> None:
        """The figures are those of the data file; a click sorts, a search finds, an event is chosen."""
        self.open("data")
        self.assertEqual(
            self.rows(),
            [
                ["ast.c:120 (parse_expr)", "82,375", "1,800,000", "2,000", "1,000"],
                ["ast.c:200 (grow)", "12,500", "50,000", "50,000", "1"],
                ["table", "13", "1,000", "0", ""],
                ["tz (tz.c) [libc.so.6]", "1", "7", "0", ""],
                ["arguments and environment", "0", "3", "0", ""],
                ["walk", "0", "0", "1,000", ""],
            ],
        )
        self.assertIn("Attributed: Dr 99.31 % Dw 100.00 %", self.browser.text(".bar .note"))
        self.browser.click("[data-name=Dw]")
        self.browser.wait("document.querySelector('[aria-pressed=true]').dataset.name === 'Dw'")
        self.assertEqual(self.column(1)[:3], ["50,000", "2,000", "1,000"])
        self.search("heap::")
        self.assertEqual(self.column(1), ["50,000", "2,000"])
        self.assertEqual(self.browser.text(".found"), "2 of 6 objects")

    def test_treemap(self) -> None:
        """Objects are as large as their cost; keys walk through them and open one."""
        self.open("data")
        self.browser.wait("document.querySelector('.box.leaf')")
        area = dict(
            self.browser.run(
                "return [...document.querySelectorAll('.box.leaf')].map((box) => "
                "[box.textContent, box.clientWidth * box.clientHeight])"
            )
        )
        self.assertEqual(list(area), ["ast.c:120 (parse_expr)", "ast.c:200 (grow)"])
        share = area["ast.c:200 (grow)"] / sum(area.values())
        self.assertAlmostEqual(share, 12_500 / 94_875, delta=0.01)
        self.browser.run("document.querySelector('.treemap-map').focus()")
        self.browser.press("ArrowRight", "ArrowRight")
        self.assertIn("ast.c:200 (grow): 12,500 L1m, 13.2 %", self.browser.text(".details"))
        self.browser.press("Enter")
        self.await_text(".function h2", "ast.c:200 (grow)")

    def test_memory(self) -> None:
        """What is touched lies where its offset says; of an array, what is the same in each element."""
        self.open("data/0")
        self.assertEqual(self.browser.run(PIECES), [["0", [0, 8, "0"], [16, 8, "16"]]])
        self.assertIn("1,000 blocks, 24,000 bytes", self.browser.text(".function p"))
        self.open("data/1")
        self.assertEqual(
            self.browser.run(PIECES), [["0", [4, 4, "4 every 16"], [8, 8, "8 every 16"]]]
        )
        self.assertIn("one of many, 16 bytes apart", self.browser.text(".memory figcaption"))
        self.open("data/2")
        lines = self.browser.run(PIECES)
        self.assertEqual([line[0] for line in lines], [str(number) for number in range(13)])
        self.assertEqual([len(line) - 1 for line in lines], [8] * 12 + [4])
        costs = [text.split()[0] for text in self.browser.texts(".line-cost")]
        self.assertEqual(costs, ["1"] * 13)

    def test_places(self) -> None:
        self.open("data/0")
        self.assertEqual(
            self.rows(".halves section:first-child"),
            [
                ["0", "0", "1,375", "900,000", "901,000"],
                ["16", "0", "81,000", "900,000", "901,000"],
            ],
        )

    def test_from_code_to_data(self) -> None:
        """The code that touches an object leads to its function, which leads back; as do lines to sources."""
        self.open("data")
        self.browser.click(".rows-body .row a")
        self.await_text(".function h2", "ast.c:120 (parse_expr)")
        self.assertEqual(
            self.rows(".halves section:last-child"),
            [
                ["walk", "walk.c:34", "81,000", "900,000"],
                ["walk", "walk.c:33", "1,000", "900,000"],
                ["parse_expr", "ast.c:121", "375", "1,000"],
                ["parse_expr", "ast.c:122", "0", "1,000"],
            ],
        )
        self.browser.click(".halves section:last-child .rows-body .row a")
        self.await_view("calls")
        self.await_text(".function h2", "walk")
        self.await_text(".touched", "Data touched:")
        self.assertEqual(
            self.browser.texts(".touched a"), ["heap ast.c:120 (parse_expr)", "stack walk"]
        )
        self.browser.click(".touched a:last-child")
        self.await_view("data")
        self.await_text(".function h2", "walk")

    def test_data_alone(self) -> None:
        """A page of a data file begins with it; all of its functions are known."""
        self.open("data", "data")
        self.browser.run("location.hash = ''")
        self.await_view("data")
        self.open("data/0", "data")
        self.assertEqual(
            self.browser.run(
                "return [...document.querySelectorAll('.halves section:last-child .row a')]"
                ".filter((link) => link.hash.startsWith('#calls/')).length"
            ),
            4,
        )

    def test_accessibility(self) -> None:
        why = axe.why_not()
        if why:
            self.skipTest(why)
        self.addCleanup(self.browser.dark, False)
        for rules in None, axe.COLOURS:
            self.browser.dark(rules is not None)
            self.open()
            for view in "data", "data/0", "data/1", "data/2", "calls/1":
                self.turn_to(view)
                self.browser.wait("document.querySelector('#view > *')")
                with self.subTest(view=view, rules=rules):
                    self.assertEqual(axe.faults(self.browser, rules), [])


if __name__ == "__main__":
    unittest.main()
