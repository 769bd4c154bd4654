"""The call graph as a picture: its figures are those of the tables, and it is used by mouse and by keys."""

from __future__ import annotations

import unittest
import xml.etree.ElementTree

import sample
import test_report
from test_report import ODD, SECONDS, OnPage, report

# What boxes say, by function; those that cost most are in front.
BOXES = """
return [...document.querySelectorAll(".box-of")].map((box) =>
  [box.querySelector("title").textContent.split(": ")[0], box.querySelector(".figures").textContent]);
"""
# What is at arrows, by what their tooltips say.
ARROWS = """
return [...document.querySelectorAll(".arrow-of")].map((arrow) =>
  [arrow.querySelector("title").textContent.split(": ")[0], arrow.querySelector("text").textContent]);
"""

# Pairs of boxes and labels that cover each other, and texts that are not inside their boxes.
OVERLAPS = """
const place = (node) => node.getBoundingClientRect();
const nodes = [...document.querySelectorAll(".box-of > rect, .arrow-of > rect")];
const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
  && a.top < b.bottom - 1 && b.top < a.bottom - 1;
const pairs = nodes.flatMap((a, at) => nodes.slice(at + 1).filter((b) => over(place(a), place(b))).map((b) =>
  [a.parentNode.textContent, b.parentNode.textContent]));
const outside = [...document.querySelectorAll(".box-of text, .arrow-of text")].filter((text) => {
  const [inner, outer] = [place(text), place(text.parentNode.querySelector("rect"))];
  return inner.left < outer.left || inner.right > outer.right;
}).map((text) => text.textContent);
return [pairs, outside];
"""

# The least contrast of a text in a box, or at an arrow, to what is behind it: WCAG 2.2, 1.4.3.
LEAST_CONTRAST = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const light = (colour) => {
  canvas.fillStyle = colour;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
};
return Math.min(...[...document.querySelectorAll(".box-of text, .arrow-of text")].map((text) => {
  const [a, b] = [text, text.parentNode.querySelector("rect")]
    .map((node) => light(getComputedStyle(node).fill)).sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}));
"""

SCALE = "Number(/scale\\(([\\d.]+)/.exec(document.querySelector('.scene').getAttribute('transform'))[1])"

# Functions of long names.
LONG = f"""\
events: Ir
fl=long.c
fn=std::thread::_State_implementation::_M_run
1 30
fn=a_function_of_many_words_that_does_not_end_where_anybody_thinks_that_its_name_should_have_one_end
2 20
fn={30 * "x"}
3 10
"""

# The picture as it would be saved.
SAVED = """
let saved;
URL.createObjectURL = (blob) => { saved = blob; return "blob:"; };
HTMLAnchorElement.prototype.click = () => {};
document.querySelector(".save").click();
return saved.text();
"""


def setUpModule() -> None:
    test_report.setUpModule()


class Graph(OnPage):
    """A page with a call graph."""

    def boxes(self) -> dict[str, str]:
        return dict(self.browser.run(BOXES))

    def arrows(self) -> dict[str, str]:
        return dict(self.browser.run(ARROWS))

    def names(self, selector: str) -> list[str]:
        """The names of boxes."""
        found: list[str] = self.browser.run(
            "return [...document.querySelectorAll(`${arguments[0]} .name`)].map((name) => name.textContent)",
            selector,
        )
        return found

    def titles(self) -> list[str]:
        """What boxes say where the mouse is."""
        found: list[str] = self.browser.run(
            "return [...document.querySelectorAll('.boxes title')].map((title) => title.textContent)"
        )
        return found

    def set(self, name: str, value: object) -> None:
        """Choose what is drawn."""
        self.browser.run(
            "const list = document.querySelector(`#graph-${arguments[0]}`); list.value = arguments[1];"
            "list.dispatchEvent(new Event('change'))",
            name,
            str(value),
        )

    def said(self) -> str:
        return self.browser.text(".graph-said .note")

    def at(self) -> str:
        """The function that is walked to."""
        return self.browser.text(".graph .said")

    def open_around(self, function: str, page: str = "page") -> None:
        self.open("functions", page)
        self.browser.run("location.hash = `graph/${arguments[0]}`", self.row_of(function))
        self.await_view("graph")


class Sample(Graph):
    """The profile of sample.py."""

    @classmethod
    def make_pages(cls) -> None:
        (cls.folder / "profile").write_text(sample.PROFILE)
        (cls.folder / "old").write_text(sample.OLD)
        report("-o", cls.folder / "page.html", cls.folder / "profile")
        report(
            "-o",
            cls.folder / "compared.html",
            "--compare",
            cls.folder / "old",
            cls.folder / "profile",
        )

    def test_whole(self) -> None:
        """Boxes have the shares of the table of functions, arrows those of the tables of calls."""
        self.open("graph")
        self.assertEqual(
            self.browser.run(BOXES),
            [
                ["main", "65.0 %, self 10.0 %"],
                ["leaf", "52.5 %, self 52.5 %"],
                ["work", "45.0 %, self 35.0 %"],
                [ODD, "2.50 %, self 2.50 %"],
            ],
        )
        self.assertEqual(
            self.arrows(),
            {
                "main → work": "45.0 % · 2×",
                "work → leaf": "10.0 % · 6×",
                "main → leaf": "7.50 % · 1×",
                f"main → {ODD}": "2.50 % · 1×",
            },
        )
        self.assertEqual(
            self.said(),
            "4 of 4 functions are drawn, whose self cost is 100.0 % of all Ir, "
            "and 4 of 4 pairs of caller and callee.",
        )
        titles = self.titles()
        self.assertEqual(titles[2], "work: 900 Ir, 45.0 %, self 700, 35.0 %")
        names = self.browser.run(
            "return [...document.querySelectorAll('.box-of')].map((box) => box.ariaLabel)"
        )
        self.assertEqual(names, titles)

    def test_order(self) -> None:
        """Callers stand above callees."""
        self.open("graph")
        tops = self.browser.run(
            "return Object.fromEntries([...document.querySelectorAll('.box-of')].map((box) =>"
            "[box.querySelector('.name').textContent, box.getBoundingClientRect().y]))"
        )
        self.assertLess(tops["main"], tops["work"])
        self.assertLess(tops["work"], tops["leaf"])

    def test_thickness(self) -> None:
        """Arrows are the thicker, the more their calls cost."""
        self.open("graph")
        widths = [
            float(width)
            for width in self.browser.run(
                "return [...document.querySelectorAll('.way')].map((way) => way.getAttribute('stroke-width'))"
            )
        ]
        shares = [float(text.split()[0]) for text in self.arrows().values()]
        self.assertEqual(sorted(widths), [width for _, width in sorted(zip(shares, widths))])
        self.assertEqual(max(widths), 6.2)

    def test_limits(self) -> None:
        """What is below the limits is not drawn, and said."""
        self.open("graph")
        self.set("least", 0.05)
        self.assertEqual(list(self.boxes()), ["main", "leaf", "work"])
        self.assertEqual(
            self.said(),
            "3 of 4 functions are drawn, whose self cost is 97.5 % of all Ir, "
            "and 3 of 4 pairs of caller and callee. Left out: 1 of less than 5 %.",
        )
        self.browser.press("/", "Enter")
        self.assertIn("not drawn: 1 callee", self.browser.text(".details"))
        self.set("leastCalls", 0.1)
        self.assertEqual(list(self.arrows()), ["work → leaf", "main → work"])

    def test_event(self) -> None:
        """All figures are those of the event that is chosen."""
        self.open("graph")
        self.browser.run(
            "const list = document.querySelector('#event'); list.value = 1;"
            "list.dispatchEvent(new Event('change'))"
        )
        self.assertEqual(
            self.boxes(),
            {
                "main": "100.0 %, self 6.67 %",
                "work": "76.7 %, self 60.0 %",
                "leaf": "28.3 %, self 28.3 %",
                ODD: "5.00 %, self 5.00 %",
            },
        )

    def test_around(self) -> None:
        """Callers and callees, as many calls away as is asked for; shares are of the function's own cost."""
        self.open_around("work")
        self.assertEqual(list(self.boxes()), ["main", "leaf", "work"])
        self.assertEqual(
            self.arrows(),
            {
                "main → work": "45.0 % · 2×",
                "work → leaf": "10.0 % · 6×",
                "main → leaf": "7.50 % · 1×",
            },
        )
        self.assertIn("of the inclusive cost of work.", self.said())
        self.set("up", 0)
        self.assertEqual(list(self.boxes()), ["leaf", "work"])
        self.set("down", 0)
        self.assertEqual(list(self.boxes()), ["work"])
        self.set("down", 1)
        self.set("leastCalls", 0.1)
        self.assertEqual(list(self.boxes()), ["leaf", "work"])  # 200 of 900
        self.assertEqual(self.names(".box-of.centre"), ["work"])

    def test_event_of_centre(self) -> None:
        """The function in the middle stays there with other events, also if another one was chosen."""
        self.open_around("work")
        self.browser.click(".box-of:first-child rect")
        self.browser.run(
            "const list = document.querySelector('#event'); list.value = 1;"
            "list.dispatchEvent(new Event('change'))"
        )
        self.assertEqual(self.names(".box-of.centre"), ["work"])

    # ---- Use

    def test_keys(self) -> None:
        """Arrows walk, Enter centres, Escape shows the whole, f opens the function."""
        self.open("graph")
        self.browser.press("/", "Enter")
        self.assertEqual(self.at(), "main")
        for key, function in (
            ("ArrowDown", "work"),
            ("ArrowDown", "leaf"),
            ("ArrowDown", "leaf"),
            ("ArrowUp", "work"),  # 200 from here, 150 from main
            ("ArrowLeft", "leaf"),
            ("ArrowLeft", "main"),
            ("ArrowLeft", "main"),
            ("End", ODD),
            ("Home", "main"),
            ("ArrowRight", "leaf"),
        ):
            self.browser.press(key)
            self.assertEqual(self.at(), function, key)
        focus = "document.activeElement.querySelector('.name').textContent"
        self.assertEqual(self.browser.run(f"return {focus}"), "leaf")
        self.browser.press("Enter")
        self.browser.wait("document.querySelector('.box-of.centre .name')?.textContent === 'leaf'")
        self.browser.press("Escape")
        self.browser.wait("!document.querySelector('.box-of.centre')")
        self.browser.press("f")
        self.await_view("calls")
        self.assertEqual(self.browser.text(".function h2"), "leaf")

    def test_zoom_by_keys(self) -> None:
        self.open("graph")
        self.browser.press("/", "Enter")
        self.assertEqual(self.browser.run(f"return {SCALE}"), 1)
        self.browser.press("+", "+")
        self.assertAlmostEqual(self.browser.run(f"return {SCALE}"), 1.5625)
        self.browser.press("-")
        self.assertAlmostEqual(self.browser.run(f"return {SCALE}"), 1.25)
        left = "return document.querySelector('.box-of').getBoundingClientRect().x"
        before = self.browser.run(left)
        self.browser.hold("Shift", "ArrowLeft")
        self.assertAlmostEqual(self.browser.run(left), before + 80, places=2)

    def test_low(self) -> None:
        """In a low window a picture that nearly fits is shown whole; the name and figures of the function
        walked to are in sight."""
        self.addCleanup(self.browser.resize, 1400, 900)
        for height, scale in ((757, 1.0), (447, 0.75)):
            self.browser.resize(900, height)
            self.open("graph")
            found = self.browser.run(f"return {SCALE}")
            self.assertAlmostEqual(found, scale, delta=0.15)
            inside = self.browser.run(
                "const place = document.querySelector('.graph-chart').getBoundingClientRect();"
                "return [...document.querySelectorAll('.box-of > rect')].map((box) => "
                "box.getBoundingClientRect())"
                ".every((box) => box.left >= place.left && box.right <= place.right"
                " && box.top >= place.top && box.bottom <= place.bottom)"
            )
            self.assertTrue(inside, found)
            for part in ".said", ".figures":
                self.assertGreater(
                    self.browser.run(
                        "return document.querySelector(arguments[0]).clientWidth",
                        f".graph .details {part}",
                    ),
                    40,
                )

    def test_mouse(self) -> None:
        """A click chooses the function for all views, two centre it; buttons zoom."""
        self.open("graph")
        self.browser.click(".box-of:nth-child(2) rect")
        self.assertEqual(self.names(".box-of.chosen"), ["leaf"])
        self.browser.click("#tab-calls")
        self.await_view("calls")
        self.assertEqual(self.browser.text(".function h2"), "leaf")
        self.browser.click("a[href^='#graph/']")
        self.browser.wait("document.querySelector('.box-of.centre .name')?.textContent === 'leaf'")
        self.browser.run(
            "document.querySelector('.box-of').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))"
        )
        self.browser.wait("document.querySelector('.box-of.centre .name')?.textContent === 'main'")
        self.browser.click("[data-name=all]")
        self.browser.wait("!document.querySelector('.box-of.centre')")
        self.browser.click(".larger")
        self.assertEqual(self.browser.run(f"return {SCALE}"), 1.25)
        self.browser.click(".fit")
        self.assertEqual(self.browser.run(f"return {SCALE}"), 1)
        self.browser.click("[data-name=around]")
        self.browser.wait("document.querySelector('.box-of.centre .name')?.textContent === 'main'")

    def test_search(self) -> None:
        self.open("graph")
        self.search("wor")
        self.await_text("#status", "1 of 1 found functions are drawn")
        self.assertEqual(self.names(".box-of.found"), ["work"])

    def test_saved(self) -> None:
        """The picture as a file of its own has the same texts, and no colour that only the page knows."""
        self.open("graph")
        text = self.browser.run(SAVED)
        root = xml.etree.ElementTree.fromstring(text)
        names = [
            "".join(node.itertext())
            for node in root.iter("{http://www.w3.org/2000/svg}text")
            if node.get("class") == "name"
        ]
        self.assertEqual(names, ["main", "leaf", "work", ODD])
        for word in ("var(", "color-mix", "light-dark", "NaN"):
            self.assertNotIn(word, text)

    # ---- Colours

    def test_changes(self) -> None:
        """In a comparison colours are of the change of self cost: main's inclusive cost grew, its own did
        not."""
        self.open("graph", "compared")
        fills = dict(
            self.browser.run(
                "return [...document.querySelectorAll('.box-of')].map((box) =>"
                "[box.querySelector('.name').textContent, box.querySelector('rect').getAttribute('fill')])"
            )
        )
        self.assertTrue(fills["work"].startswith("hsl(8 "), fills)
        self.assertEqual(fills["main"], fills["leaf"])
        self.assertNotEqual(fills["main"], fills["work"])
        self.assertIn("self 700, 35.0 %, own +200", self.titles()[2])
        self.assertEqual(
            self.browser.texts(".legend li"),
            [
                "−200",
                "−20",
                "0",
                "+20",
                "+200",
                "Ir own; red costs more than before, blue less, grey as much, or it is not known",
            ],
        )

    def test_contrast(self) -> None:
        """Texts in boxes and at arrows can be read, in light and in dark."""
        for is_dark in (False, True):
            self.browser.dark(is_dark)
            self.addCleanup(self.browser.dark, False)
            for page in ("page", "compared"):
                self.open("graph", page)
                with self.subTest(page=page, dark=is_dark):
                    self.assertGreater(self.browser.run(LEAST_CONTRAST), 4.5)


class Shapes(Graph):
    """Recursion, functions that hand on, long names, many functions."""

    @classmethod
    def make_pages(cls) -> None:
        for name, text in (
            ("graph", sample.GRAPH),
            ("said", sample.SAID),
            ("deep", sample.deep(1500)),
            ("none", sample.ODD["no cost"][0]),
            ("large", sample.large(20_000)),
            ("long", LONG),
            ("ways", sample.WAYS),
            ("wide", sample.wide(100)),
        ):
            (cls.folder / "profile").write_text(text)
            report("-o", cls.folder / f"{name}.html", cls.folder / "profile")

    def test_recursion(self) -> None:
        """A function that calls itself has an arrow to itself; a cycle goes round. Both are dashed."""
        self.open("graph", "graph")
        arrows = self.arrows()
        self.assertEqual(arrows["ping → pong"], "19.0 % · 3×")
        self.assertEqual(arrows["pong → ping"], "4.00 % · 2×")
        self.assertIn("hot → hot", arrows)
        dashed = self.browser.run(
            "return [...document.querySelectorAll('.arrow-of.in-cycle title')].map((title) => "
            "title.textContent)"
        )
        self.assertEqual(
            sorted(title.split(":")[0] for title in dashed),
            ["hot → hot", "ping → pong", "pong → ping"],
        )
        self.assertEqual(sorted(self.names(".box-of.in-cycle")), ["ping", "pong"])
        self.assertIn("dashed: recursion", self.browser.text(".legend"))

    def test_small_calls(self) -> None:
        """Calls in a recursion are drawn whatever they cost, and of those into each function the largest."""
        self.open("graph", "graph")
        self.set("least", 0)
        self.set("leastCalls", 0.1)
        self.assertEqual(
            self.arrows(),
            {
                "run → hot": "60.0 % · 4×",
                "hot → hot": "2.00 % · 5×",
                "run → ping": "29.0 % · 1×",
                "ping → pong": "19.0 % · 3×",
                "pong → ping": "4.00 % · 2×",
                "run → tiny": "0.90 % · 1×",
            },
        )

    def test_nearest(self) -> None:
        """If not all can be drawn, the nearest are: leaf, which costs most, is two calls away."""
        self.open("functions", "wide")
        self.search("main")
        self.browser.run("location.hash = `graph/${arguments[0]}`", self.row_of("main"))
        self.await_view("graph")
        self.set("least", 0)
        self.set("leastCalls", 0)
        self.set("most", 10)
        shown = list(self.boxes())
        self.assertEqual(len(shown), 10)
        self.assertIn("main", shown)
        self.assertNotIn("leaf", shown)
        self.assertIn("Left out nearby: 92 because no more than 10 are drawn.", self.said())

    def test_figures(self) -> None:
        """The shares are those of the table of functions, of functions in a cycle, too."""
        self.open("graph", "graph")
        self.set("least", 0)
        self.browser.click("#graph-folds")
        shown = self.boxes()
        self.open("functions", "graph")
        shares = self.browser.run(
            "return [...document.querySelectorAll('.rows-body .row')].map((row) => "
            "[row.querySelector('a').textContent,"
            "...[...row.querySelectorAll('.share')].slice(0, 2).map((share) => share.textContent)])"
        )
        self.assertEqual(len(shown), 6)
        self.assertEqual(shown, {name: f"{all}, self {own}" for name, all, own in shares})

    def test_handing_on(self) -> None:
        """A function that hands on is drawn if that is asked for; else its callee stands for it."""
        self.open("graph", "graph")
        self.assertNotIn("start", self.boxes())
        self.assertIn(
            "Left out: 1 of less than 1 %, 1 that hand 95 % on to one callee.", self.said()
        )
        self.browser.click("#graph-folds")
        self.assertEqual(self.boxes()["start"], "100.0 %, self 0.10 %")
        self.assertEqual(self.arrows()["start → run"], "99.9 % · 1×")

    def test_past_those_that_hand_on(self) -> None:
        """Each function of a chain has one callee, so all but the last ones are passed over."""
        self.open("graph", "deep")
        self.assertEqual(list(self.boxes())[0], "f1481")
        self.browser.click("#graph-folds")
        self.assertEqual(list(self.boxes())[:2], ["f0", "f1"])
        self.assertEqual(len(self.boxes()), 30)
        self.assertIn("because no more than 30 are drawn", self.said())

    def test_names(self) -> None:
        """Boxes have names as people say them, tooltips whole ones."""
        self.open("graph", "said")
        self.assertIn("std::vector<int>::at", self.names(".box-of"))
        self.assertIn(
            sample.VECTOR, self.browser.run("return document.querySelector('.box-of').ariaLabel")
        )

    def test_by_self_cost(self) -> None:
        """Functions are chosen by their own cost; a dotted arrow shows the way to one by its most expensive
        callers."""
        self.open("graph", "ways")
        self.set("least", 0.02)
        self.set("leastCalls", 0.01)
        self.assertEqual(list(self.boxes()), ["main", "hot", "other"])  # via hands on to hot
        self.set("by", "self")
        self.assertEqual(
            self.boxes(),
            {
                "main": "71.0 %, self 30.0 %",
                "hot": "40.1 %, self 40.1 %",
                "other": "29.0 %, self 28.9 %",
            },
        )
        self.assertEqual(self.arrows(), {"main → via → hot": "…"})
        self.assertEqual(
            self.browser.run("return document.querySelector('.some-way title').textContent"),
            "main → via → hot: the way by the most expensive callers",
        )
        self.assertIn("Left out: 1 of less than 2 %.", self.said())
        self.browser.press("/", "Enter")
        self.browser.press("Home", "ArrowDown")
        self.assertEqual(self.at(), "hot")
        self.set("least", 0.01)
        self.assertEqual(self.arrows(), {"main → via": "41.0 % · 1×", "via → hot": "40.0 % · 4×"})

    def test_long_names(self) -> None:
        """Long names are broken into at most three lines, of which the last has the name's end."""
        self.open("graph", "long")
        lines = self.browser.run(
            "return [...document.querySelectorAll('.box-of')].map((box) =>"
            "[...box.querySelectorAll('.name')].map((line) => line.textContent))"
        )
        self.assertEqual(
            lines,
            [
                ["std::thread::_State_", "implementation::_M_run"],
                [
                    "a_function_of_many_words_",
                    "that_does_not_end_where_",
                    "…_name_should_have_one_end",
                ],
                ["x" * 26, "x" * 4],
            ],
        )

    def test_no_overlaps(self) -> None:
        """No box or label covers another one, and texts are inside their boxes."""
        for page in ("graph", "said", "long", "ways", "large"):
            self.open("graph", page)
            self.set("least", 0)
            with self.subTest(page):
                self.assertEqual(self.browser.run(OVERLAPS), [[], []])

    def test_nothing(self) -> None:
        self.open("graph", "none")
        self.assertIn(
            "No function has 1 % of Ir; a smaller share can be chosen above.",
            self.browser.text(".graph-place"),
        )

    def test_many(self) -> None:
        """Four hundred functions are drawn within the time that a page has."""
        self.open("graph", "large")
        taken = self.browser.run(
            "const start = performance.now();"
            "for (const [name, value] of [['least', 0], ['most', 400]]) {"
            "const list = document.querySelector(`#graph-${name}`); list.value = value;"
            "list.dispatchEvent(new Event('change')); }"
            "return (performance.now() - start) / 1000"
        )
        self.assertEqual(len(self.boxes()), 400)
        self.assertLess(taken, SECONDS)


if __name__ == "__main__":
    unittest.main()
