"""The page of cg2_report in a real browser: every view is clicked through, and the figures it shows are the
profile's."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import unittest
from collections import Counter
from itertools import count
from pathlib import Path
from typing import ClassVar

import sample
import starts
from cg2test import HANG, TOOLS, compile, line_of, run_cg2
from cg2tools.profile.model import Part
from cg2tools.profile.reader import read_profile
from cg2tools.profile.transform import added_up
from cg2tools.report.page import TEMPLATE
from webdriver import Browser, missing, shared

ODD = '</script><i>odd & "quoted"'
FILES = [["cut.c", "9,290"], ["other.c", "710"]]  # of sample.CUT, whatever is left out
OPENED = count()  # numbers for addresses, as a browser loads no page anew for what is behind a #
LINES = 200_000  # of cost, which a page is to show within
SECONDS = 3

# The cells of the rows of a table that are on the page; of a number, without its share.
ROWS = """
const [selector] = arguments;
return [...document.querySelectorAll(`${selector} .rows-body > .row`)].map((row) =>
  [...row.children].map((cell) => (cell.querySelector(".count, a, .group-name") ?? cell).textContent.trim()));
"""

# Numbers that are wider than their column.
NARROW = """
const end = (node) => node.getBoundingClientRect().right;
return [...document.querySelectorAll(".rows-body .number:not(:empty)")]
  .filter((cell) => end(cell.lastElementChild) > end(cell) + 0.5).map((cell) => cell.textContent);
"""

# How far the colours of a text and of what is behind it are apart: WCAG 2.2, 1.4.3.
CONTRAST = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const rgb = (colour) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return canvas.getImageData(0, 0, 1, 1).data;
};
const light = (colour) => [...rgb(colour)].slice(0, 3).map((part) => part / 255)
  .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
const behind = (node) => {
  const colour = getComputedStyle(node).backgroundColor;
  return rgb(colour)[3] === 255 ? colour : behind(node.parentElement);
};
const node = document.querySelector(arguments[0]);
const [a, b] = [light(getComputedStyle(node).color), light(behind(node))].sort((x, y) => y - x);
return (a + 0.05) / (b + 0.05);
"""


def setUpModule() -> None:
    why = missing()
    if why:
        raise unittest.SkipTest(why)
    if not TEMPLATE.exists():
        raise unittest.SkipTest("the page was not built, as there was no npm or no registry for it")


def report(*arguments: str | Path, status: int = 0) -> None:
    """Run cg2_report, which has to end with a status."""
    ended = starts.run([TOOLS / "cg2_report", *arguments], directory=".", limit=HANG)
    assert ended.returncode == status, ended.stderr


class OnPage(unittest.TestCase):
    """A page in a browser, which nothing complains about."""

    browser: ClassVar[Browser]
    folder: ClassVar[Path]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(tempfile.mkdtemp(prefix="cg2report-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.make_pages()
        cls.browser = shared()

    @classmethod
    def make_pages(cls) -> None:
        raise NotImplementedError

    def tearDown(self) -> None:
        self.browser.count_cpu()
        self.assertEqual(self.browser.complaints(), [])

    def open(self, view: str = "summary", page: str = "page") -> None:
        """Open a page anew, and wait until the view is drawn."""
        self.browser.open(self.folder / f"{page}.html", f"?{next(OPENED)}#{view}")
        self.await_view(view.partition("/")[0])

    def turn_to(self, view: str) -> None:
        """Have the page that is open draw a view anew."""
        self.browser.run(
            "document.querySelector('#view').replaceChildren();"
            "document.querySelector('#view').className = '';"
            "history.replaceState(null, '', `#${arguments[0]}`);"
            "dispatchEvent(new HashChangeEvent('hashchange'));",
            view,
        )
        self.await_view(view.partition("/")[0])

    def rows(self, selector: str = "#view") -> list[list[str]]:
        found: list[list[str]] = self.browser.run(ROWS, selector)
        return found

    def column(self, index: int, selector: str = "#view") -> list[str]:
        return [row[index] for row in self.rows(selector)]

    def await_view(self, view: str) -> None:
        self.browser.wait("document.querySelector('#view').className === arguments[0]", view)

    def await_text(self, selector: str, text: str) -> None:
        self.browser.wait(
            "document.querySelector(arguments[0])?.textContent.includes(arguments[1])",
            selector,
            text,
        )

    def search(self, text: str) -> None:
        self.browser.press("/", *text)

    def group_by(self, what: str) -> None:
        self.browser.click(f"[data-name={what}]")
        self.browser.wait(
            "document.querySelector('[aria-pressed=true]').dataset.name === arguments[0]", what
        )
        self.assertEqual(self.browser.run("return location.hash"), f"#functions/{what}")

    def row_of(self, function: str) -> str:
        """The number of a function, by which addresses tell it."""
        return str(
            self.browser.run(
                "const head = [...document.querySelectorAll('[data-row]')]"
                ".find((row) => [...row.querySelectorAll('a')].some((link) => link.textContent === "
                "arguments[0]));"
                "return head.dataset.row",
                function,
            )
        )


class Sample(OnPage):
    """The profile of sample.py."""

    @classmethod
    def make_pages(cls) -> None:
        for name, text in (
            ("app.c", sample.SOURCE),
            ("profile", sample.PROFILE),
            ("old", sample.OLD),
        ):
            (cls.folder / name).write_text(text)
        options: list[str | Path] = ["-I", cls.folder, cls.folder / "profile"]
        report("-o", cls.folder / "page.html", *options)
        report("-o", cls.folder / "compared.html", "--compare", cls.folder / "old", *options)

    # ---- Summary

    def test_totals(self) -> None:
        """The figures are those of the profile's `summary:` lines, and of the formula."""
        self.open()
        totals = dict(zip(self.browser.texts(".card .label"), self.browser.texts(".card strong")))
        self.assertEqual(
            totals, {"Ir": "2,000", "Dr": "60", "D1m_8k": "24", "D1m_16k": "2", "Est": "2,600"}
        )
        self.assertEqual(self.browser.text("h1"), "./app 1")
        facts = self.browser.text(".facts")
        self.assertIn("3, in 2 threads", facts)
        self.assertIn("callgrind-cg2-0.1", facts)
        self.assertIn("all", facts)  # what all parts say, and not what each says
        self.assertNotIn("phase one", facts)

    def test_short_lists(self) -> None:
        self.open()
        self.browser.wait("document.querySelectorAll('.ranked').length === 3")
        lists = self.browser.texts(".ranked")
        self.assertEqual(lists[0].split()[:3], ["65.0", "%", "main"])
        self.assertEqual(lists[1].split()[:3], ["52.5", "%", "leaf"])
        self.assertEqual(lists[2].split()[:6], ["52.5", "%", "app.c:12", "30.0", "%", "app.c:8"])

    def test_tails(self) -> None:
        """Lines, functions and objects in lists have as much of their path as tells them from others."""
        text = (
            "positions: line\nevents: Ir\nob=/a/app\nfl=/crate/raw/mod.rs\nfn=one\n547 30\n"
            "fl=/crate/fmt/mod.rs\nfn=two\n547 20\nfl=/crate/main.rs\nfn=main\n3 50\n"
        )
        (self.folder / "alike").write_text(text)
        report("-o", self.folder / "alike.html", self.folder / "alike")
        self.open("summary", "alike")
        self.browser.wait("document.querySelectorAll('.ranked').length === 3")
        self.assertEqual(
            self.browser.texts(".ranked")[2].split()[2::3],
            ["main.rs:3", "raw/mod.rs:547", "fmt/mod.rs:547"],
        )

    def test_rounds_said(self) -> None:
        """Rounds that no event counts, but the header says, stand beside functions and lines, too."""
        text = (
            "desc: Rounds of functions: 499 main.c:clear /home/me/app\t10 main.c:main /home/me/app\n"
            "desc: Rounds of lines: 499 8 main.c\t10 1 main.c\n"
            "positions: line\nevents: Ir\nob=/home/me/app\nfl=main.c\nfn=clear\n8 500\n9 8\n"
            "fn=main\n1 492\n"
        )
        (self.folder / "said").write_text(text)
        report("-o", self.folder / "said.html", self.folder / "said")
        self.open("summary", "said")
        self.browser.wait("document.querySelectorAll('.ranked').length === 3")
        tags = [text for text in self.browser.texts(".ranked li") if "rounds" in text]
        self.assertEqual(
            [" ".join(text.split()) for text in tags],
            2 * ["50.8 % clear 98.2 % rounds of rep"] + ["50.0 % main.c:8 99.8 % rounds of rep"],
        )
        self.assertNotIn("Rounds", self.browser.text(".facts"))
        self.browser.run("location.hash = 'source'")
        self.await_view("source")
        self.browser.click(".grid a")
        self.browser.wait("document.querySelector('.text-rows .line')")
        lines = self.browser.texts(".text-rows .line code")
        self.assertEqual([text for text in lines if text], ["99.8 % rounds of rep"])

    def test_warnings(self) -> None:
        """What the first screen of text says: names that are missing, and where rounds of rep are most."""
        text = (
            "positions: line\nevents: Ir Rep\nob=/home/me/app\nfl=main.c\nfn=clear\n8 500 499\n9 8\n"
            "fn=main\n1 100 10\nfl=???\nfn=0x0000000000014cb0\n0 392\n"
        )
        (self.folder / "rounds").write_text(text)
        report("-o", self.folder / "rounds.html", self.folder / "rounds")
        self.open("summary", "rounds")
        said = self.browser.texts(".warnings li")
        self.assertEqual(
            said[0], "Names missing: 39.2% of Ir is in functions without names: app 39.2%"
        )
        self.assertIn("build with -g", said[1])
        self.assertIn("Of all Ir\n50.9 % rounds of rep", self.browser.text(".facts"))
        tags = [text for text in self.browser.texts(".ranked li") if "rounds" in text]
        self.assertEqual(
            [" ".join(text.split()) for text in tags],
            2 * ["50.8 % clear 98.2 % rounds of rep"] + ["50.0 % main.c:8 99.8 % rounds of rep"],
        )
        self.browser.run("location.hash = 'functions'")
        self.await_view("functions")
        tagged = [row for row in self.browser.texts(".rows-body .row") if "rounds" in row]
        self.assertEqual([row.split("\n")[0].split()[0] for row in tagged], ["clear"])
        self.assertIn("98.2 % rounds of rep", tagged[0])
        self.browser.run("location.hash = 'source'")
        self.await_view("source")
        self.browser.click(".grid a")
        self.browser.wait("document.querySelector('.text-rows .line')")
        lines = self.browser.texts(".text-rows .line code")
        self.assertEqual([text for text in lines if text], ["99.8 % rounds of rep"])

    def test_no_network(self) -> None:
        """The page asks for itself alone."""
        self.browser.requests()
        self.open()
        for view in ("functions", "flame", "treemap", "source", "timeline", "curves"):
            self.browser.run("location.hash = arguments[0]", view)
            self.await_view(view)
        self.assertEqual(
            [name.partition("?")[0] for name in self.browser.requests()],
            [(self.folder / "page.html").as_uri()],
        )

    # ---- Functions

    def test_functions(self) -> None:
        self.open("functions")
        self.assertEqual(
            self.rows(),
            [
                ["main", "1,300", "200", "0", "app.c", "app", "4", "5", "1"],
                ["leaf", "1,050", "1,050", "7", "app.c", "app", "17", "8", "0"],
                ["work", "900", "700", "2", "app.c", "app", "36", "10", "1"],
                [ODD, "50", "50", "1", "lib<b>.c", "app", "3", "1", "0"],
            ],
        )
        self.assertEqual(self.browser.text(".found"), "4 functions")
        self.browser.click("#all-events")
        self.assertEqual(self.rows()[0], ["main", "1,300", "200", "0", "app.c", "app"])

    def test_sorting(self) -> None:
        """A click sorts, another one turns the order round."""
        self.open("functions")
        self.browser.click("[role=columnheader]:nth-child(3) button")
        self.assertEqual(self.column(2), ["1,050", "700", "200", "50"])
        self.browser.click("[role=columnheader]:nth-child(3) button")
        self.assertEqual(self.column(2), ["50", "200", "700", "1,050"])
        sorted_by = (
            "document.querySelector('[role=columnheader]:nth-child(3)').getAttribute('aria-sort')"
        )
        self.assertEqual(self.browser.run(f"return {sorted_by}"), "ascending")
        self.browser.click("[role=columnheader]:nth-child(1) button")
        self.assertEqual(self.column(0), [ODD, "leaf", "main", "work"])

    def test_groups(self) -> None:
        """A group has the sums of its functions; keys open and close it, and lead from it to a function."""
        self.open("functions")
        self.group_by("file")
        app = ["app.c", "", "1,950", "9", "", "", "57", "23", "2"]
        lib = ["lib<b>.c", "", "50", "1", "", "", "3", "1", "0"]
        self.assertEqual(self.rows(), [app, lib])
        self.assertEqual(self.browser.text(".found"), "4 functions in 2 files")
        self.assertEqual(self.browser.texts(".tag"), ["3", "1"])
        self.assertEqual(self.expanded(), ["false", "false"])
        self.browser.press("/", "Enter", "ArrowRight")
        self.assertEqual(self.column(0), ["app.c", "main", "leaf", "work", "lib<b>.c"])
        self.assertEqual(self.expanded(), ["true", None, None, None, "false"])
        self.assertEqual(self.levels(), ["1", "2", "2", "2", "1"])
        self.browser.press("ArrowRight", "ArrowDown", "ArrowLeft")  # to main, to leaf, to its file
        self.assertEqual(self.walked(), "app.c")
        self.browser.press("ArrowLeft")
        self.assertEqual(self.rows(), [app, lib])
        self.browser.press("Enter", "ArrowDown", "ArrowDown", "Enter")
        self.await_text(".function h2", "leaf")
        self.browser.run("history.back()")
        self.await_view("functions")
        self.assertEqual(len(self.rows()), 5)  # what was open still is
        self.group_by("object")
        self.assertEqual(self.rows(), [["app", "", "2,000", "10", "", "", "60", "24", "2"]])
        self.browser.click(".rows-body .row")
        self.assertEqual(self.column(0), ["app", "main", "leaf", "work", ODD])
        self.search("lea")
        self.assertEqual(self.column(2), ["1,050", "1,050"])
        self.assertEqual(self.browser.text(".found"), "1 of 4 functions in 1 object")

    def expanded(self) -> list[str | None]:
        """Whether each row of a table is open; None: it cannot be."""
        return self.of_rows("aria-expanded")

    def levels(self) -> list[str | None]:
        return self.of_rows("aria-level")

    def of_rows(self, attribute: str) -> list[str | None]:
        found: list[str | None] = self.browser.run(
            "return [...document.querySelectorAll('#view .rows-body > .row')]"
            ".map((row) => row.getAttribute(arguments[0]))",
            attribute,
        )
        return found

    def walked(self) -> str:
        """The first cell of the row that keys have come to."""
        (row,) = self.browser.run(
            "return [...document.querySelectorAll('[aria-selected=true] .text')].slice(0, 1)"
            ".map((cell) => cell.querySelector('a, .group-name').textContent)"
        )
        return str(row)

    def test_names_stay(self) -> None:
        """Scrolled sideways, a table still says what its rows are; no figure is seen through the name."""
        self.browser.resize(700, 900)
        self.addCleanup(self.browser.resize, 1400, 900)
        self.open("functions")
        name = "document.querySelector('.rows-body .row > :first-child')"
        place = f"return {name}.getBoundingClientRect().x"
        self.assertEqual(self.browser.run(place), 0)
        self.browser.run("document.querySelector('.grid').scrollLeft = 300")
        self.assertEqual(self.browser.run("return document.querySelector('.grid').scrollLeft"), 300)
        self.assertEqual(self.browser.run(place), 0)
        behind = f"return getComputedStyle({name}).backgroundColor"
        self.assertIn(
            self.browser.run(behind), ("rgb(255, 255, 255)", "rgb(226, 238, 252)")
        )  # of paper, or of the row that keys have come to

    def test_search(self) -> None:
        self.open("functions")
        self.search("LEA")
        self.assertEqual(self.column(0), ["leaf"])
        self.assertEqual(self.browser.text(".found"), "1 of 4 functions")
        self.browser.press("Escape")
        self.assertEqual(len(self.rows()), 4)
        self.search("lib<b>")
        self.assertEqual(self.column(0), [ODD])
        self.browser.press("x")
        self.assertEqual(self.rows(), [])
        self.assertIn("No function", self.browser.text(".empty"))

    def test_search_elsewhere(self) -> None:
        """From a view that shows no list, a search leads to the functions."""
        self.open()
        self.search("wor")
        self.await_view("functions")
        self.assertEqual(self.column(0), ["work"])

    def test_event(self) -> None:
        """All figures are those of the event that is chosen, a formula's too."""
        self.open("functions")
        self.browser.run(
            "const list = document.querySelector('#event'); list.value = 4;"
            "list.dispatchEvent(new Event('change'))"
        )
        self.assertEqual(self.column(1), ["1,900", "1,360", "1,220", "80"])
        self.assertEqual(self.column(2), ["240", "1,060", "1,220", "80"])

    # ---- Keys

    def test_keys(self) -> None:
        """Without a mouse: to a view, down a table, into a function, and back."""
        self.open()
        self.browser.press("2")
        self.await_view("functions")
        self.browser.press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "Enter")
        self.await_view("calls")
        self.assertEqual(self.browser.text(".function h2"), "work")
        self.browser.press("Enter")  # the callers have the focus now, and the first is main
        self.await_text(".function h2", "main")
        self.browser.run("history.go(-2)")
        self.await_view("functions")
        self.browser.press(
            "/", "l", "e", "a", "Enter", "Enter"
        )  # from the search box into the table
        self.await_text(".function h2", "leaf")
        self.browser.press("?")
        self.assertIn("walk through a table", self.browser.text("#help"))
        self.browser.press("Escape")
        self.assertFalse(self.browser.run("return document.querySelector('#help').open"))
        self.browser.press("e")
        self.assertEqual(self.browser.run("return document.activeElement.id"), "event")

    def test_tabs(self) -> None:
        """Arrows go round the tabs."""
        self.open()
        self.browser.run("document.querySelector('[role=tab][aria-selected=true]').focus()")
        self.browser.press("ArrowRight", "ArrowRight")
        self.await_view("calls")
        self.browser.press("ArrowLeft", "ArrowLeft", "ArrowLeft")
        self.await_view("curves")

    # ---- Calls

    def test_calls(self) -> None:
        self.open("functions")
        self.browser.run("location.hash = `calls/${arguments[0]}`", self.row_of("leaf"))
        self.await_view("calls")
        callers, callees = self.rows(".halves section:first-child"), self.rows(
            ".halves section:last-child"
        )
        self.assertEqual(callers, [["work", "200", "6"], ["main", "150", "1"]])
        self.assertEqual(callees, [])
        self.assertEqual(self.browser.text("[data-figure='Self Dr']"), "17")
        self.assertEqual(self.browser.text("[data-figure='Inclusive Est']"), "1,220")
        self.browser.click(".halves .row:nth-child(2) a")
        self.await_text(".function h2", "main")
        self.assertEqual(
            self.rows(".halves section:last-child"),
            [["work", "900", "2"], ["leaf", "150", "1"], [ODD, "50", "1"]],
        )

    # ---- Flame graph

    def frames(self, within: str = "#view") -> dict[str, list[str]]:
        """What the frames of each name say, leftmost first."""
        titles = self.browser.run(
            "return [...document.querySelectorAll(`${arguments[0]} g.frame`)]"
            ".sort((a, b) => a.getBoundingClientRect().x - b.getBoundingClientRect().x)"
            ".map((frame) => [frame.getAttribute('name'), frame.querySelector('title').textContent])",
            within,
        )
        found: dict[str, list[str]] = {}
        for name, title in titles:
            found.setdefault(name, []).append(title.removeprefix(f"{name}: "))
        return found

    def test_flame_graph(self) -> None:
        self.open("flame")
        self.assertEqual(
            self.frames(),
            {
                "all": ["2,000 Ir, 100.0 %"],
                "main": ["1,300 Ir, 65.0 %"],
                "work": ["900 Ir, 45.0 %"],
                "leaf": ["200 Ir, 10.0 %", "150 Ir, 7.50 %", "700 Ir, 35.0 %"],
                ODD: ["50 Ir, 2.50 %"],
            },
        )

    def test_flame_keys(self) -> None:
        """Arrows walk: to a callee, beside it, to the caller; Enter zooms in, Escape out; f opens."""
        self.open("flame")
        self.browser.press("/", "Enter")
        self.browser.press("ArrowUp", "ArrowUp", "ArrowRight")
        self.assertIn("leaf: 150 Ir", self.browser.text(".said"))
        self.browser.press("ArrowLeft")
        self.assertIn("work: 900 Ir", self.browser.text(".said"))
        self.browser.press("Enter")
        wide = (
            "document.querySelector('g.frame[name=work] rect').getBoundingClientRect().width > "
            "0.95 * document.querySelector('.flame-chart').clientWidth"
        )
        self.browser.wait(wide)
        self.browser.press("Escape")
        self.browser.wait(f"!({wide})")
        self.browser.press("ArrowUp", "f")
        self.await_text(".function h2", "main")

    def test_flame_mouse(self) -> None:
        """A click zooms in; the order of callers can be turned round."""
        self.open("flame")
        self.browser.wait(
            "document.querySelector('g.frame[name=work] rect').getBoundingClientRect().width > 500"
        )
        self.browser.click("g.frame[name=work] rect")
        self.browser.wait(
            "document.querySelector('g.frame[name=work] rect').getBoundingClientRect().width > 1000"
        )
        self.browser.click(".reset")
        self.browser.wait(
            "document.querySelector('g.frame[name=work] rect').getBoundingClientRect().width < 1000"
        )
        top = "document.querySelector('g.frame[name=arg]').getBoundingClientRect().y"
        main, work = (f"{top.replace('arg', name)}" for name in ("main", "work"))
        self.assertTrue(self.browser.run(f"return {main} > {work}"))
        self.browser.click("[data-name=top]")
        self.browser.wait(f"{main} < {work}")

    def test_sandwich(self) -> None:
        """A function of all stacks together: its callers above it, its callees below, each as wide as its
        share."""
        self.open("flame")
        self.browser.press("ArrowUp", "s")  # the leftmost of the frames below `all`
        self.await_text(".sandwich h2", "Callers of main")
        self.browser.click("[data-view=functions]")
        self.await_view("functions")
        self.browser.run("location.hash = `calls/${arguments[0]}`", self.row_of("leaf"))
        self.await_text(".function h2", "leaf")
        self.browser.click(".function a[href*=sandwich]")
        self.await_text(".sandwich h2", "Callers of leaf")
        self.assertEqual(
            self.frames(".sandwich section:first-child"),
            {
                "leaf": ["1,050 Ir, 52.5 %"],
                "work": ["200 Ir, 10.0 %"],
                "main": ["200 Ir, 10.0 %", "150 Ir, 7.50 %"],
            },
        )
        self.assertEqual(
            self.frames(".sandwich section:last-child"), {"leaf": ["1,050 Ir, 52.5 %"]}
        )
        self.browser.press("/", "Enter", "ArrowUp", "ArrowUp")  # to work, and to what calls it
        self.assertIn("main: 200 Ir", self.browser.text(".said"))
        self.browser.press("ArrowDown", "s")
        self.await_text(".sandwich h2", "Callers of work")
        self.assertEqual(
            self.frames(".sandwich section:last-child"),
            {"work": ["900 Ir, 45.0 %"], "leaf": ["200 Ir, 10.0 %"]},
        )
        self.browser.press("ArrowDown", "ArrowDown")  # out of the callers, to what it calls
        self.assertIn("leaf: 200 Ir", self.browser.text(".said"))
        self.search("main")
        self.await_text("#status", "1 frame")
        self.browser.press("Escape")
        self.browser.click("[data-name='']")
        self.browser.wait("location.hash === '#flame'")

    def test_bottom_up(self) -> None:
        """Functions by what they cost themselves, and below each the ways by which they were called."""
        self.open("flame/bottom-up")
        self.assertEqual(
            [row[:2] for row in self.rows()],
            [["leaf", "1,050"], ["work", "700"], ["main", "200"], [ODD, "50"]],
        )
        self.browser.press("/", "Enter", "ArrowRight")
        leaf = [["leaf", "1,050"], ["work", "200"], ["main", "150"]]
        self.assertEqual([row[:2] for row in self.rows()][:3], leaf)
        self.browser.press("ArrowRight", "ArrowRight")  # to work, and its callers
        self.assertEqual([row[:2] for row in self.rows()][2], ["main", "200"])
        self.assertEqual(self.levels()[:5], ["1", "2", "3", "2", "1"])
        self.browser.press("ArrowLeft", "ArrowLeft", "ArrowLeft")  # closed, to leaf, closed
        self.assertEqual(self.walked(), "leaf")
        self.assertEqual(len(self.rows()), 4)
        self.search("wor")
        self.assertEqual([row[:2] for row in self.rows()], [["work", "700"]])
        self.browser.click(".rows-body a")
        self.await_text(".function h2", "work")

    def test_flame_search(self) -> None:
        self.open("flame")
        self.search("leaf")
        self.await_text("#status", "3 frames, 1,050 Ir, 52.5 %")
        found = self.browser.run(
            "return [...document.querySelectorAll('g.frame rect')].filter("
            "(rect) => rect.getAttribute('fill') === 'var(--found)').length"
        )
        self.assertEqual(found, 3)

    # ---- Treemap

    def test_treemap(self) -> None:
        self.open("treemap")
        self.browser.wait("document.querySelector('.box')")
        titles = self.browser.run(
            "return [...document.querySelectorAll('.box')].map((box) => box.title)"
        )
        self.assertEqual(
            titles,
            [
                "/bin/app: 2,000 Ir, 100.0 %",
                "app.c: 1,950 Ir, 97.5 %",
                "lib<b>.c: 50 Ir, 2.50 %",
                "leaf: 1,050 Ir, 52.5 %",
                "work: 700 Ir, 35.0 %",
                "main: 200 Ir, 10.0 %",
                f"{ODD}: 50 Ir, 2.50 %",
            ],
        )
        area = (
            "((box) => box.width * box.height)([...document.querySelectorAll('.box.leaf')]"
            ".find((box) => box.title.startsWith('arg')).getBoundingClientRect())"
        )
        leaf, work = (
            self.browser.run(f"return {area.replace('arg', name)}") for name in ("leaf", "work")
        )
        self.assertAlmostEqual(leaf / work, 1050 / 700, delta=0.05)

    def test_treemap_keys(self) -> None:
        self.open("treemap")
        self.browser.wait("document.querySelector('.box')")
        self.browser.press("/", "Enter")
        self.browser.press("ArrowRight", "Enter")
        self.assertEqual(self.browser.texts(".crumbs button"), ["All objects", "app", "app.c"])
        self.assertEqual(len(self.browser.texts(".box")), 3)
        self.browser.press("ArrowRight", "Enter")
        self.await_text(".function h2", "work")

    def test_treemap_search(self) -> None:
        self.open("treemap")
        self.browser.wait("document.querySelector('.box')")
        self.search("work")
        titles = self.browser.run(
            "return [...document.querySelectorAll('.box.dim')].map((box) => box.title)"
        )
        self.assertEqual(
            sorted(title.rpartition(": ")[0] for title in titles), sorted(["leaf", "main", ODD])
        )

    # ---- Source

    def test_source(self) -> None:
        """Each line with its cost, behind it what it calls; and a heat that grows with the cost."""
        self.open("source")
        self.assertEqual([row[:2] for row in self.rows()], [["app.c", "1,950"], ["lib<b>.c", "50"]])
        self.browser.click(".grid a")
        self.browser.wait("document.querySelector('.text-rows .line')")
        rows = [row for row in self.rows() if row[0] or row[2].startswith("→") or row[1] == "1"]
        self.assertEqual(rows[0][1:], ["1", '#include "app.h"'])
        text = sample.SOURCE.split("\n")
        self.assertEqual(
            [row[:2] for row in rows[1:]],
            [
                ["90", "3"],
                ["900", ""],
                ["110", "5"],
                ["150", ""],
                ["50", ""],
                ["600", "8"],
                ["100", "9"],
                ["200", ""],
                ["1,050", "12"],
            ],
        )
        self.assertEqual(
            [row[2] for row in rows[1:] if row[1]],
            [text[at - 1].strip() for at in (3, 5, 8, 9, 12)],
        )
        heat = self.browser.run(
            "return [3, 8, 12].map((line) => Number(document.querySelector("
            "`[data-line='${line}']`).style.getPropertyValue('--heat')))"
        )
        self.assertEqual(heat[2], 1)
        self.assertTrue(0 < heat[0] < heat[1] < heat[2], heat)

    def test_missing_source(self) -> None:
        self.open("source")
        self.browser.click(".rows-body .row:nth-child(2) a")
        self.await_text("#view h2", "lib<b>.c")
        self.assertIn("-I DIR", self.browser.text("#view"))
        self.assertEqual(self.rows(), [["50", "3", ""]])

    def test_source_search(self) -> None:
        self.open("source")
        self.browser.click(".grid a")
        self.browser.wait("document.querySelector('.text-rows .line')")
        self.search("int main")
        self.assertEqual(self.browser.text("#status"), "line 3")

    # ---- Parts

    def test_order_of_threads(self) -> None:
        """Lanes stand in the order of threads' numbers, whatever order their files are named in."""
        for number in (1, 11, 2):
            text = f"pid: 7\nthread: {number}\nevents: Ir\nfn=f\n1 {number}\n"
            (self.folder / f"many-{number}").write_text(text)
        files: list[str | Path] = [self.folder / f"many-{number}" for number in (1, 11, 2)]
        report("-o", self.folder / "many.html", *files)
        self.open("timeline", "many")
        lanes = [text.split("\n")[0] for text in self.browser.texts(".lane-name")]
        self.assertEqual(lanes[:3], ["thread 1", "thread 2", "thread 11"])

    def test_empty_part(self) -> None:
        """The view opens on a part that has a cost."""
        text = "".join(
            f"pid: 7\npart: {part}\ndesc: Trigger: t{part}\nevents: Ir\nfn=f\n1 {cost}\n\n"
            for part, cost in ((1, 0), (2, 30), (3, 10))
        )
        (self.folder / "empty").write_text(text)
        report("-o", self.folder / "empty.html", self.folder / "empty")
        self.open("timeline", "empty")
        self.assertIn("part 2, all threads: 30 Ir", self.browser.text(".part-detail h2"))

    def test_parts(self) -> None:
        """Two lanes; each part is as wide as what it cost."""
        self.open("timeline")
        labels = self.browser.run(
            "return [...document.querySelectorAll('.part')].map((part) => part.title)"
        )
        self.assertEqual(
            labels,
            [
                "part 1, thread 1: 1,000 Ir, 50.0 %; phase one, all",
                "part 2, thread 1: 300 Ir, 15.0 %; phase two, all",
                "part 1, thread 2 (loader): 700 Ir, 35.0 %; phase one, all",
            ],
        )
        widths = self.browser.run(
            "return [...document.querySelectorAll('.part')].map((part) => part.getBoundingClientRect().width)"
        )
        self.assertAlmostEqual(widths[0] / widths[2], 1000 / 700, delta=0.02)
        self.assertEqual(
            self.rows(".part-detail"), [["work", "700"], ["leaf", "200"], ["main", "100"]]
        )
        self.assertEqual(self.browser.texts(".slot small"), ["phase one", "phase two", "phase one"])
        self.assertEqual(
            self.browser.texts(".lane-name"),
            ["thread 1\n1,300 Ir", "thread 2 (loader)\n700 Ir", "Ir, one part after the other"],
        )
        self.assertEqual(self.browser.texts(".lane-axis span"), ["0", "500", "1,000"])
        self.browser.click(".part")
        self.browser.press("ArrowRight")
        self.assertIn("part 2, thread 1: 300 Ir", self.browser.text(".part-detail h2"))
        self.assertEqual(self.rows(".part-detail"), [["leaf", "150"], ["main", "100"], [ODD, "50"]])

    # ---- Curves

    def test_curves(self) -> None:
        self.open("curves")
        self.assertEqual(
            self.rows(),
            [["work", "10", "1"], ["leaf", "8", "0"], ["main", "5", "1"], [ODD, "1", "0"]],
        )
        titles = (
            "return [...document.querySelectorAll('.chart circle title')].map((title) => "
            "title.textContent)"
        )
        self.assertEqual(
            self.browser.run(titles)[:4],
            [
                "the whole program: 24 at 8 KiB",
                "the whole program: 2 at 16 KiB",
                "work: 10 at 8 KiB",
                "work: 1 at 16 KiB",
            ],
        )
        self.assertEqual(self.browser.texts("[role=columnheader]")[1:], ["8 KiB ▾", "16 KiB"])
        self.browser.click(".rows-body .row:nth-child(1) .number")
        self.assertNotIn("work: 10 at 8 KiB", self.browser.run(titles))

    # ---- What changed

    def test_no_comparison(self) -> None:
        """Views that have nothing to show are not there."""
        self.open()
        self.assertEqual(
            self.browser.texts("[role=tab]"),
            [
                "Summary",
                "Functions",
                "Calls",
                "Call graph",
                "Flame graph",
                "Treemap",
                "Source",
                "Parts",
                "Miss curves",
            ],
        )

    def test_comparison(self) -> None:
        self.open("comparison", "compared")
        self.assertEqual(self.browser.texts(".card strong"), ["1,805", "2,000", "+195"])
        self.assertIn("+10.80 %", self.browser.text(".cards"))
        self.assertEqual(
            self.rows(),
            [
                ["work", "+200", "500", "700", "changed", "app.c"],
                ["gone", "−5", "5", "0", "removed", "app.c"],
            ],
        )
        self.assertEqual(
            self.browser.texts(".rows-body .share"), ["+11.1 %", "−0.28 %"]
        )  # 200 and 5 of 1805
        self.assertEqual(
            self.browser.run(
                "return [...document.querySelectorAll('.rows-body :is(.worse, .better, .slight)')]"
                ".map((cell) => cell.className)"
            ),
            ["count worse", "count better"],
        )
        self.browser.click("[data-name=inclusive]")
        self.await_text("[data-name=inclusive][aria-pressed=true]", "inclusive")
        self.assertEqual(
            [row[1:4] for row in self.rows()],
            [["+200", "700", "900"], ["+195", "1,105", "1,300"], ["−5", "5", "0"]],
        )
        self.browser.click("[data-name=calls]")
        self.await_text("[data-name=calls][aria-pressed=true]", "Calls")
        self.assertEqual(
            self.rows(),
            [
                ["main → work", "+200", "700", "900", "2", "2"],
                ["main → gone", "−5", "5", "0", "1", "0"],
                ["work → leaf", "0", "200", "200", "4", "6"],
            ],
        )
        self.browser.click("[data-name=lines]")
        self.await_text("[data-name=lines][aria-pressed=true]", "Lines")
        self.assertEqual(
            self.rows(),
            [
                ["app.c:8", "+200", "400", "600", "work"],
                ["app.c:20 (before)", "−5", "5", "0", "gone"],
            ],
        )

    def test_causes(self) -> None:
        """Causes add up to the change; each leads to its line, or else to its function."""
        text = (
            "events: Ir\nfl=app.c\nfn=main\n3 90\ncfn=work\ncalls={calls} 8\n4 {inclusive}\n"
            "fn=work\n8 {own}\n9 10\n"
        )
        text += "fn=tail\n12 7\n"
        old = text.format(calls=1, inclusive=110, own=100)
        new = text.format(calls=2, inclusive=520, own=500).replace("fn=tail\n12 7\n", "")
        (self.folder / "before").write_text(old)
        (self.folder / "after").write_text(new)
        report(
            "-o",
            self.folder / "causes.html",
            "--compare",
            self.folder / "before",
            self.folder / "after",
        )
        self.open("comparison/causes", "causes")
        rows = self.rows()
        self.assertEqual(
            [(row[1], row[2]) for row in rows],
            [("+290", "self"), ("+110", "calls"), ("−7", "removed")],
        )
        self.assertIn("work costs 145 more a call by its own code, in app.c:8", rows[0][0])
        self.assertEqual(rows[1][0], "main calls work 2 instead of 1 times")
        links = "return [...document.querySelectorAll('.rows-body a')].map((a) => a.getAttribute('href'))"
        line, function = self.browser.run(links)
        self.assertRegex(line, "^#source/[0-9]+:8$")
        self.assertRegex(function, "^#calls/[0-9]+$")
        self.browser.click(".rows-body a")
        self.await_view("source")

    def test_what_is_compared(self) -> None:
        """A page with an older profile opens on the comparison; OLD and NEW stand above each view, and on no
        other page."""
        self.browser.open(self.folder / "compared.html", f"?{next(OPENED)}")
        self.await_view("comparison")
        said = f"OLD {self.folder / 'old'}, NEW {self.folder / 'profile'}"
        for view in "summary", "functions", "flame", "graph", "treemap", "source", "comparison":
            self.turn_to(view)
            self.assertEqual(self.browser.text("#compared"), said)
        self.open()
        self.assertTrue(self.browser.run("return document.getElementById('compared').hidden"))

    def test_apportioned_changes(self) -> None:
        """`shared` costs what it did, but a calls it less and b more: what it costs for each is known, and
        has a colour. What `below` costs for each is apportioned, and grey."""
        call = "cfn={}\ncalls={} 1\n{} {}\n"
        for name, of_a, of_b in ("few", 3, 1), ("many", 1, 3):
            text = f"events: Ir\nfn=main\n1 9\n{call.format('a', 1, 1, of_a * 110 + 5)}"
            text += f"{call.format('b', 1, 1, of_b * 110 + 5)}fn=a\n2 5\n"
            text += call.format("shared", of_a, 2, of_a * 110)
            text += f"fn=b\n3 5\n{call.format('shared', of_b, 3, of_b * 110)}"
            text += f"fn=shared\n4 40\n{call.format('below', 4, 4, 400)}fn=below\n5 400\n"
            (self.folder / name).write_text(text)
        files = "--compare", self.folder / "few", self.folder / "many"
        report("-o", self.folder / "shared.html", *files)
        self.open("flame", "shared")
        self.assertIn("apportioned", self.browser.text(".bar"))
        self.browser.click("[data-name=all]")
        self.await_text(".changes", "Ir with callees")
        self.assertIn("330 Ir, 71.9 %, +220, own +20", self.frames()["shared"])
        self.assertIn("300 Ir, 65.4 %, +200, own +200", self.frames()["below"])
        self.assertTrue(self.colour_of("shared").startswith(("hsl(8 ", "hsl(212 ")))
        self.assertEqual(self.colour_of("below"), "hsl(0 0% 82%)")

    def test_small_changes(self) -> None:
        """What differs by less than --smallest is grey: here 10 % of 1,805, so 5 is, and 200 is not."""
        page: list[str | Path] = [
            "-o",
            self.folder / "small.html",
            "--compare",
            self.folder / "old",
            self.folder / "profile",
        ]
        report("--smallest=10", *page)
        self.open("comparison", "small")
        self.assertEqual(
            self.browser.run(
                "return [...document.querySelectorAll('.rows-body :is(.worse, .better, .slight)')]"
                ".map((cell) => cell.className)"
            ),
            ["count worse", "count slight"],
        )
        report("--smallest=12", *page)
        self.open("treemap", "small")
        self.browser.wait("document.querySelector('.box')")
        colours = self.browser.run(
            "return [...new Set([...document.querySelectorAll('.box.leaf')]"
            ".map((box) => box.style.background))]"
        )
        self.assertEqual(colours, ["rgb(209, 209, 209)"])

    def test_flame_graph_of_changes(self) -> None:
        """Frames say by how much they changed; those that cost more themselves are red, as a legend says in
        numbers."""
        self.open("flame", "compared")
        frames = self.frames()
        self.assertEqual(frames["work"], ["900 Ir, 45.0 %, +200, own +200"])
        self.assertEqual(frames["main"], ["1,300 Ir, 65.0 %, +195, own 0"])
        self.assertEqual(frames["all"], ["2,000 Ir, 100.0 %, +195"])
        self.assertEqual(self.colour_of("work"), "hsl(8 90% 60%)")
        self.assertEqual(self.colour_of("main"), "hsl(0 0% 82%)")
        self.assertEqual(self.browser.texts(".changes li")[:5], ["−200", "−20", "0", "+20", "+200"])
        self.assertIn("Ir own; red costs more than before", self.browser.text(".changes"))
        self.browser.click("[data-name=all]")
        self.await_text(".changes", "Ir with callees")
        self.assertTrue(self.colour_of("main").startswith("hsl(8 "), self.colour_of("main"))

    def test_treemap_of_changes(self) -> None:
        """Functions that cost more themselves are red in the treemap, with the same legend."""
        self.open("treemap", "compared")
        self.browser.wait("document.querySelector('.box')")
        boxes = self.browser.run(
            "return [...document.querySelectorAll('.box.leaf')].map((box) => [box.title, "
            "box.style.background])"
        )
        self.assertEqual(
            boxes[:3],
            [
                ["leaf: 1,050 Ir, 52.5 %, 0", "rgb(209, 209, 209)"],
                ["work: 700 Ir, 35.0 %, +200", "rgb(245, 86, 61)"],
                ["main: 200 Ir, 10.0 %, 0", "rgb(209, 209, 209)"],
            ],
        )
        self.assertEqual(self.browser.texts(".changes li")[:5], ["−200", "−20", "0", "+20", "+200"])

    def colour_of(self, name: str) -> str:
        """The colour of the first frame of a function."""
        return str(
            self.browser.run(
                "return document.querySelector(`g.frame[name=${arguments[0]}] rect`).getAttribute('fill')",
                name,
            )
        )

    # ---- Colours

    def test_contrast(self) -> None:
        """Texts can be read, in light and in dark: at least 4.5 to 1."""
        for is_dark in (False, True):
            self.browser.dark(is_dark)
            self.addCleanup(self.browser.dark, False)
            self.open()
            for view, selectors in (
                (
                    "summary",
                    ("h1", ".card strong", ".card .label", ".ranked a", ".facts dt", "[role=tab]"),
                ),
                ("functions", (".head button", ".share", ".text a", ".found")),
                ("curves", (".note", ".legend li")),
            ):
                self.turn_to(view)
                for selector in selectors:
                    with self.subTest(view=view, selector=selector, dark=is_dark):
                        self.assertGreater(self.browser.run(CONTRAST, selector), 4.5)

    def test_dark(self) -> None:
        """The page is as the system is, unless its button says otherwise."""
        paper = (
            "return getComputedStyle(document.querySelector('body')).colorScheme && getComputedStyle("
            "document.documentElement).backgroundColor"
        )
        self.open()
        light = self.browser.run(paper)
        self.browser.dark(True)
        self.addCleanup(self.browser.dark, False)
        dark = self.browser.run(paper)
        self.assertEqual((light, dark), ("rgb(255, 255, 255)", "rgb(21, 24, 28)"))
        self.browser.press("t")
        self.assertEqual(self.browser.run(paper), light)

    def test_narrow(self) -> None:
        """In a narrow window nothing lies beside the page, and all tabs are in sight."""
        self.browser.resize(500, 900)
        self.addCleanup(self.browser.resize, 1400, 900)
        self.open()
        tabs = (
            "return [...document.querySelectorAll('[role=tab]')].map((tab) => "
            "tab.getBoundingClientRect().right)"
        )
        self.assertLessEqual(max(self.browser.run(tabs)), 500)
        for view in (
            "summary",
            "functions",
            "calls",
            "graph",
            "flame",
            "treemap",
            "source",
            "timeline",
            "curves",
        ):
            self.turn_to(view)
            with self.subTest(view):
                self.assertLessEqual(
                    *self.browser.run(
                        "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
                    )
                )


class Real(OnPage):
    """A run with threads and parts, caches, addresses and jumps."""

    part: ClassVar[Part]  # all of them
    parts: ClassVar[int]

    @classmethod
    def make_pages(cls) -> None:
        run = run_cg2(
            [compile("report.c", "-O1", "-pthread")],
            "--dump-instr=yes",
            "--collect-jumps=yes",
            "--cache-sim=yes",
            "--separate-threads=yes",
            "--dump-before=phase",
        )
        assert run.status == 0, run.stderr
        profiles = run.profile_paths
        cls.part = added_up([read_profile(str(path)) for path in profiles]).merged()
        cls.parts = len(profiles)
        report("-o", cls.folder / "page.html", "--threshold=100", *profiles)
        os.chmod(cls.folder / "page.html", 0o444)

    def number(self, text: str) -> int:
        return int(text.replace(",", ""))

    def test_totals(self) -> None:
        """The totals are those of all files; the functions' self costs add up to them."""
        self.open()
        events = self.part.events
        totals = dict(zip(self.browser.texts(".card .label"), self.browser.texts(".card strong")))
        self.assertEqual([self.number(totals[event]) for event in events], self.part.summary)
        self.open("functions")
        shown = self.browser.run(
            "return JSON.parse(document.querySelector('#profile')?.textContent ?? 'null')"
        )
        self.assertIsNone(shown)  # what was read is not kept twice
        self.assertEqual(
            self.number(self.browser.text(".found").split()[0]),
            len(
                {(key.object, key.file, key.name.partition("'")[0]) for key in self.part.functions}
            ),
        )

    def test_parts(self) -> None:
        self.open("timeline")
        parts = self.browser.run(
            "return [...document.querySelectorAll('.part')].map((part) => part.title)"
        )
        self.assertEqual(len(parts), self.parts)
        self.assertEqual(
            sum(self.number(text.split()[4]) for text in parts), (self.part.summary or [0])[0]
        )
        self.assertGreaterEqual(len(self.browser.texts(".lane")), 2)

    def open_code(self, function: str) -> None:
        self.open("functions")
        self.search(function)
        self.browser.run("location.hash = `code/${arguments[0]}`", self.row_of(function))
        self.await_view("code")
        self.browser.wait("document.querySelector('.text-rows .line')")

    def test_machine_code(self) -> None:
        """Each instruction that ran has its cost, its text, and jumps their counts."""
        self.open_code("chase")
        (chase,) = (
            function for key, function in self.part.functions.items() if key.name == "chase"
        )
        expected = {f"{position.instr:x}": cost[0] for position, cost in chase.costs.items()}
        shown = {row[1]: row for row in self.rows() if len(row) == 4 and row[1]}
        self.assertEqual(
            {address: self.number(shown[address][0]) for address in expected}, expected
        )
        self.assertEqual(sum(expected.values()), chase.self_cost()[0])
        texts = [shown[address][2] for address in expected]
        self.assertTrue(any(text.startswith("ret") for text in texts), texts)
        self.assertNotIn("", texts)
        (loop,) = (
            jump
            for jump in chase.jumps
            if jump.conditional and jump.target.instr < jump.source.instr
        )
        self.assertIn(
            f"taken {loop.taken:,} times of {loop.executed:,}", shown[f"{loop.source.instr:x}"][2]
        )
        self.assertEqual(loop.taken, 3 * 399)
        arrows = self.browser.run("return document.querySelectorAll('.gutter path.back').length")
        self.assertGreater(arrows, 2)

    def test_first_machine_code(self) -> None:
        """Before a function is chosen, that with most of its own cost is shown, whose instructions are
        there."""
        self.open("functions")
        self.browser.click("#tab-code")
        self.await_view("code")
        self.browser.wait("document.querySelector('.text-rows .line')")
        costs: Counter[str] = Counter()  # of all levels of a recursion
        for key, function in self.part.functions.items():
            costs[key.name.partition("'")[0]] += function.self_cost()[0]
        self.assertEqual(self.browser.text(".function h2"), costs.most_common(1)[0][0])
        self.assertNotIn("not on this page", self.browser.text("#view"))

    def test_jumps_of_recursion(self) -> None:
        """A branch was executed as often as its instruction, also where one level of a recursion never took
        it."""
        self.open_code("fibonacci")
        levels = [
            function
            for key, function in self.part.functions.items()
            if key.name.startswith("fibonacci")
        ]
        taken: Counter[int] = Counter()
        executed: Counter[int] = Counter()
        for function in levels:
            taken.update(
                {jump.source.instr: jump.taken for jump in function.jumps if jump.conditional}
            )
            for position, cost in function.costs.items():
                executed[position.instr] += cost[0]
        self.assertTrue(taken)
        shown = {row[1]: row[2] for row in self.rows() if len(row) == 4 and row[1]}
        for address, times in taken.items():
            self.assertIn(f"taken {times:,} times of {executed[address]:,}", shown[f"{address:x}"])

    def test_machine_code_calls(self) -> None:
        """fibonacci calls itself, and the page says where, and how often."""
        self.open_code("fibonacci")
        calls = [
            row[2]
            for row in self.rows()
            if row[2:] and row[2].startswith("→") or row[2:3] == ["fibonacci"]
        ]
        self.assertEqual(len(calls), 2)
        text = self.browser.text(".text-rows .call code")
        self.assertRegex(
            text, r"→ fibonacci 264×"
        )  # fibonacci(10): 177 calls, 88 of them by each, in three threads

    def test_source(self) -> None:
        """From a function to its source, at its lines."""
        self.open("functions")
        self.search("multiply")
        self.browser.click(".rows-body .row .text a")
        self.await_view("calls")
        self.browser.click(".function a.button")
        self.await_view("source")
        self.browser.wait("document.querySelector('.text-rows .line')")
        line = line_of("report.c", "int k = 0")
        inner = self.browser.run(
            "return document.querySelector(`[data-line='${arguments[0]}'] .count`).textContent",
            line,
        )
        cost = sum(
            cost[0]
            for function in self.part.functions.values()
            for file, number, cost in function.line_costs()
            if number == line and file.endswith("/report.c")
        )
        self.assertEqual(self.number(inner), cost)
        self.assertGreaterEqual(cost, 6 * 24**3)  # six products of matrices


class Cut(OnPage):
    """A page of what has at least a quarter of the cost."""

    @classmethod
    def make_pages(cls) -> None:
        (cls.folder / "profile").write_text(sample.CUT)
        report("-o", cls.folder / "all.html", cls.folder / "profile")
        report("-o", cls.folder / "page.html", "--share=25", cls.folder / "profile")

    LEFT = "5 lines of less than 25 % each, together 1,000 Ir (10.0 %), are left out"

    def test_summary(self) -> None:
        """The facts of the run say what is left out; where nothing is, they do not."""
        self.open()
        self.assertIn(
            "Left out\n5 lines of less than 25 % each\n"
            "5 instructions of less than 25 % each\n3 jumps of less than 25 % each",
            self.browser.text(".facts"),
        )
        self.open("summary", "all")
        self.assertNotIn("Left out", self.browser.text(".facts"))

    def test_partial(self) -> None:
        """Each view says at the top that the profile was cut off, and where; of one that was not, none
        does."""
        path = self.folder / "partial"
        path.write_text(sample.CUT[:-3])
        report("-o", self.folder / "partial.html", "--partial", path, status=1)
        self.open("summary", "partial")
        for view in "summary", "functions", "flame":
            self.turn_to(view)
            self.assertEqual(
                self.browser.text("#partial"),
                f"Only a part of the profile is shown: {path}: cut off in line "
                f"{sample.CUT.count(chr(10))}, at byte {len(sample.CUT) - 3}",
            )
            self.assertGreater(self.browser.run(CONTRAST, "#partial"), 4.5)
        self.open()
        self.assertTrue(self.browser.run("return document.querySelector('#partial').hidden"))

    def test_source(self) -> None:
        """Files have all that their lines cost, and one row the cost of lines that are left out."""
        self.open("source")
        self.assertEqual([row[:2] for row in self.rows()], FILES)
        self.assertIn(self.LEFT, self.browser.text(".left"))
        self.browser.click(".grid a")
        self.browser.wait("document.querySelector('.text-rows .line')")
        self.assertEqual(
            self.rows(),
            [
                ["9,000", "1", ""],
                ["", "4", ""],
                ["30", "", "cold"],
                ["290", "", "3 lines of less than 25 % each"],
            ],
        )
        self.assertIn("9,290 Ir, 92.9 %", self.browser.text(".figure"))
        self.open("source", "all")
        self.assertEqual([row[:2] for row in self.rows()], FILES)
        self.assertEqual(self.browser.texts(".left"), [])

    def test_code(self) -> None:
        """The machine code of a function says which instructions were left out."""
        self.open("code")
        self.browser.wait("document.querySelector('.text-rows .line')")
        shown = [row[:1] + row[2:3] for row in self.rows() if row[0]]
        self.assertEqual(
            shown[-1],
            ["260", "instructions of less than 25 % each"],
        )
        self.assertEqual(shown[0][0], "9,000")
        self.assertIn(
            "5 instructions of less than 25 % each, together 1,000 Ir (10.0 %), are left out, "
            "so are 3 jumps; cg2_report --share=0 has them.",
            self.browser.text(".left"),
        )


class Said(OnPage):
    """Names of C++ and Rust, of which the page shows what people say, and all where the mouse is."""

    @classmethod
    def make_pages(cls) -> None:
        (cls.folder / "said").write_text(sample.SAID)
        (cls.folder / "before").write_text(sample.SAID_BEFORE)
        report(
            "-o", cls.folder / "said.html", "--compare", cls.folder / "before", cls.folder / "said"
        )
        report("-o", cls.folder / "full.html", "--names=full", cls.folder / "said")

    def test_functions(self) -> None:
        self.open("functions", "said")
        shown = ["std::vector<int>::at", "libx.so+0x14c40", "f(int)", "f(long)"]
        self.assertEqual(self.column(0), shown)
        titles = "return [...document.querySelectorAll('#view .grid a')].map((link) => link.title)"
        full = [sample.VECTOR, "0x0000000000014c40", "f(int)", "f(long)"]
        self.assertEqual(self.browser.run(titles), full)
        for text in "allocator<int>", "vector<int>::a":
            self.search(text)
            self.assertEqual(self.column(0), shown[:1])
            self.browser.press("Escape")
        self.open("functions", "full")
        self.assertEqual(self.column(0), full)

    def test_classes(self) -> None:
        """Where a name has a scope, it is a column, and functions are grouped by it."""
        self.open("functions", "said")
        self.assertEqual(self.column(4), ["std::vector<int>", "", "", ""])
        self.group_by("class")
        self.assertEqual(
            [row[:4] for row in self.rows()],
            [["std::vector<int>", "", "60", "0"], ["(no class)", "", "40", "1"]],
        )
        self.assertEqual(self.browser.text(".found"), "4 functions in 2 classes")
        self.open("functions/class", "full")
        self.assertEqual(self.column(0)[0], sample.VECTOR.rpartition("::")[0])

    def test_scopes(self) -> None:
        """A scope ends at the last :: in front of the name, whatever brackets have in them."""
        (self.folder / "profile").write_text(
            "events: Ir\nfl=a.cc\n" + "".join(f"fn={name}\n1 1\n" for name in sample.SCOPES)
        )
        report("-o", self.folder / "scopes.html", "--names=full", self.folder / "profile")
        self.open("functions", "scopes")
        shown = {row[0]: row[4] for row in self.rows()}
        self.assertEqual(shown, sample.SCOPES)

    def test_elsewhere(self) -> None:
        """What changed, and stacks."""
        self.open("comparison", "said")
        self.assertEqual([row[0] for row in self.rows()], ["std::vector<int>::at"])
        self.open("flame", "said")
        frames = dict(
            self.browser.run(
                "return [...document.querySelectorAll('g.frame')]"
                ".map((frame) => [frame.getAttribute('name'), frame.querySelector('title').textContent])"
            )
        )
        title = f"{sample.VECTOR}: 90 Ir, 90.0 %, +10, own +10"
        self.assertEqual(frames["std::vector<int>::at"], title)
        self.assertTrue(frames["libx.so+0x14c40"].startswith("0x0000000000014c40: 30 Ir"))
        self.assertEqual(self.browser.complaints(), [])


class Ways(OnPage):
    """How much of a function's cost came by which callers: known, apportioned, or in stacks that are left
    out."""

    @classmethod
    def make_pages(cls) -> None:
        for name, text, *options in (
            ("apportioned", sample.CALLED_TWICE),
            ("exact", sample.CHAINS),
            ("left", sample.CHAINS, "--smallest=4"),
        ):
            (cls.folder / "profile").write_text(text)
            report("-o", cls.folder / f"{name}.html", *options, cls.folder / "profile")

    def opened(self, page: str) -> list[list[str]]:
        """The ways to the function that costs most itself."""
        self.open("flame/bottom-up", page)
        self.browser.press("/", "Enter", "ArrowRight", "ArrowRight", "ArrowRight")
        return [row[:2] for row in self.rows()]

    def test_exact(self) -> None:
        """With chains of callers, 2 of 100 came by small; nothing is said to be a guess."""
        shown = self.opened("exact")
        self.assertEqual(
            shown[:4], [["leaf", "100"], ["middle", "100"], ["large", "98"], ["small", "2"]]
        )
        self.assertNotIn("apportioned", self.browser.text(".bar"))

    def test_apportioned(self) -> None:
        """Without, it is a tenth, as of middle's cost; the view says that it is a guess."""
        shown = self.opened("apportioned")
        self.assertEqual(
            shown[:4], [["leaf", "100"], ["middle", "100"], ["large", "91"], ["small", "9"]]
        )
        self.assertIn("and apportioned; --contexts=full", self.browser.text(".bar"))

    def test_left(self) -> None:
        """What came by stacks that are not on the page is a row; the function's own cost is whole."""
        shown = self.opened("left")
        self.assertEqual(
            shown[:4],
            [
                ["leaf", "100"],
                ["middle", "98"],
                ["large", "98"],
                ["in stacks that are left out", "2"],
            ],
        )


class Swept(OnPage):
    """Miss curves of reads and of writes."""

    @classmethod
    def make_pages(cls) -> None:
        (cls.folder / "profile").write_text(sample.SWEPT)
        report("-o", cls.folder / "page.html", cls.folder / "profile")

    def test_both(self) -> None:
        """Reads and writes together come first; each is there when it is asked for. Axes say what they are
        of."""
        self.open("curves")
        self.assertEqual(self.browser.texts(".choice button"), ["Dmr + Dmw", "Dmr", "Dmw", "Imr"])
        self.assertEqual(self.rows(), [["writer", "42", "21"], ["reader", "31", "8"]])
        self.assertEqual(self.titles()[:2], ["misses of Dmr + Dmw", "size of the cache"])
        self.assertEqual(
            self.points(),
            [
                "the whole program: 73 at 8 KiB",
                "the whole program: 29 at 16 KiB",
                "writer: 42 at 8 KiB",
                "writer: 21 at 16 KiB",
                "reader: 31 at 8 KiB",
                "reader: 8 at 16 KiB",
            ],
        )
        self.browser.click("[data-name=Dmr]")
        self.await_text("[data-name=Dmr][aria-pressed=true]", "Dmr")
        self.assertEqual(self.rows(), [["reader", "30", "8"], ["writer", "2", "1"]])
        self.assertIn("misses of Dmr", self.titles())

    def test_summary(self) -> None:
        """The events of many sizes have a line of their own, which opens, and is open while one of them is
        chosen."""
        self.open()
        self.assertEqual(self.browser.text(".swept summary"), "7 events of miss curves")
        self.assertFalse(self.browser.run("return document.querySelector('.swept').open"))
        self.browser.click(".swept summary")
        self.browser.click("[data-event=D8Kmw]")
        self.await_text("[data-event=D8Kmw][aria-pressed=true]", "41")
        self.assertTrue(self.browser.run("return document.querySelector('.swept').open"))

    def titles(self) -> list[str]:
        """The titles of the axes, that of misses first."""
        found: list[str] = self.browser.run(
            "return [...document.querySelectorAll('.chart .axis')].map((text) => text.textContent).sort()"
        )
        return found

    def points(self) -> list[str]:
        found: list[str] = self.browser.run(
            "return [...document.querySelectorAll('.chart circle title')].map((title) => title.textContent)"
        )
        return found


class PassedOn(OnPage):
    """Functions of which the summary has one line."""

    @classmethod
    def make_pages(cls) -> None:
        (cls.folder / "profile").write_text(sample.PASSED_ON)
        report("-o", cls.folder / "page.html", cls.folder / "profile")

    def listed(self, number: int) -> list[str]:
        """A list of the summary."""
        (text,) = self.browser.run(
            "return [[...document.querySelectorAll('.ranked')][arguments[0]].innerText]", number
        )
        return [part.strip() for part in str(text).split("\n") if "%" not in part and part.strip()]

    def test_folded(self) -> None:
        """What costs almost nothing itself on the way from a root is one line, which opens; all else is
        listed."""
        self.open()
        self.await_text(".passing summary", "3 functions that only pass on")
        self.assertEqual(self.listed(1), ["work", "thread", "report", "print"])
        self.browser.run("document.querySelector('.passing summary').focus()")
        self.browser.press("Enter")
        self.assertEqual(self.listed(0), ["_start", "main", "clone"])
        self.browser.click(".passing a")
        self.await_text(".function h2", "_start")
        self.browser.run("history.back()")
        self.await_view("summary")
        self.browser.wait("document.querySelector('.passing').open")  # as it was


class Odd(OnPage):
    """Profiles that lack something, or have much of it."""

    @classmethod
    def make_pages(cls) -> None:
        for name, (text, _) in sample.ODD.items():
            (cls.folder / "profile").write_text(text)
            report("-o", cls.folder / f"{name}.html", cls.folder / "profile")

    def test_views(self) -> None:
        """Every view of each is drawn, with every event, searched, and nothing complains."""
        for name, (_, views) in sample.ODD.items():
            with self.subTest(name):
                self.open("summary", name)
                self.assertEqual(self.browser.texts("[role=tab]"), views)
                for number, _ in enumerate(views, start=1):
                    self.browser.press(str(number))
                    self.browser.wait(
                        "document.querySelector('[role=tab][aria-selected=true]').id ==="
                        "document.querySelectorAll('[role=tab]')[arguments[0]].id",
                        number - 1,
                    )
                    self.browser.run(
                        "const search = document.querySelector('#search');"
                        "for (const text of ['f', '']) {"
                        "search.value = text; search.dispatchEvent(new Event('input')); }"
                    )
                self.assertEqual(self.browser.complaints(), [])

    def test_inner_views(self) -> None:
        """What choices in views lead to is drawn, searched and walked through, and nothing complains."""
        for name in sample.ODD:
            self.open("summary", name)
            for view in ("functions/file", "flame/sandwich", "flame/bottom-up"):
                with self.subTest(name=name, view=view):
                    self.turn_to(view)
                    self.browser.run(
                        "const search = document.querySelector('#search');"
                        "for (const text of ['f', '']) {"
                        "search.value = text; search.dispatchEvent(new Event('input')); }"
                    )
                    self.browser.press("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft")
                    self.assertEqual(self.browser.complaints(), [])

    def test_call_without_cost(self) -> None:
        """An instruction that only calls is shown with its call."""
        self.open("functions", "call only")
        self.browser.run("location.hash = `code/${arguments[0]}`", self.row_of("f"))
        self.browser.wait("document.querySelector('.text-rows .call')")
        self.assertEqual([row[0] for row in self.rows() if row[0]], ["0", "9"])

    def test_large_numbers(self) -> None:
        """Whole numbers up to 2^53 are exact, larger ones rounded to one that has 53 bits."""
        self.open("functions", "large numbers")
        self.assertEqual(
            self.column(1), ["1,152,921,504,606,847,500", "9,007,199,254,740,991", "70,000"]
        )

        self.assertEqual(self.browser.run(NARROW), [])
        self.open("source", "large numbers")
        self.browser.click(".grid a")
        self.browser.wait("document.querySelector('.text-rows .line')")
        self.assertEqual(self.browser.run(NARROW), [])

    def test_old_browser(self) -> None:
        """A browser that cannot read the page's tables says so."""
        number = self.browser.before_pages("delete globalThis.DecompressionStream")
        self.addCleanup(self.browser.no_longer, number)
        self.browser.open(self.folder / "deep.html")
        self.await_text("#view", "This browser is too old for this page")

    def test_deep(self) -> None:
        """A stack of 1,500 frames can be walked to its end."""
        self.open("flame", "deep")
        self.search("f1499")
        self.await_text("#status", "1 frame, 1 Ir")


class Large(OnPage):
    """A large profile."""

    alone = True

    @classmethod
    def make_pages(cls) -> None:
        (cls.folder / "profile").write_text(sample.large(LINES))
        report("-o", cls.folder / "page.html", cls.folder / "profile")

    def test_speed(self) -> None:
        """The functions of 200,000 cost lines are there in three seconds; the best of three turns."""
        taken = []
        for _ in range(3):
            self.browser.open(Path("/dev/null"))
            self.browser.open(self.folder / "page.html", "#functions")
            # Seconds since navigation began, as the browser knows.
            taken.append(
                self.browser.wait(
                    "document.querySelector('.rows-body .row') && performance.now() / 1000"
                )
            )
        self.assertEqual(self.browser.text(".found"), "4,000 functions")
        self.assertLess(min(taken), SECONDS, taken)

    def test_views(self) -> None:
        """The other views are there within the same time."""
        inner = ("functions/file", "flame/sandwich", "flame/bottom-up")
        for view in ("flame", "treemap", "source", "calls", "graph", "code", *inner):
            self.open("summary")
            start = time.monotonic()
            self.browser.run("location.hash = arguments[0]", view)
            self.await_view(view.partition("/")[0])
            with self.subTest(view):
                self.assertLess(time.monotonic() - start, SECONDS)

    def test_scrolling(self) -> None:
        """The last rows of a long table are there once they are asked for, few at a time."""
        self.open("functions")
        self.browser.press("/", "Enter", "End")
        self.browser.wait(
            "document.querySelector('.row[aria-selected=true]')?.getAttribute('aria-rowindex') === '4001'"
        )
        self.assertLess(len(self.rows()), 100)


if __name__ == "__main__":
    unittest.main()
