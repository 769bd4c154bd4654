"""The page of cg2_diff --html in a real browser: lines, values and colours."""

from __future__ import annotations

import unittest
from pathlib import Path

import axe
import starts
from cg2test import HANG, TOOLS
from test_report import OPENED, OnPage
from webdriver import missing

# Functions by version; the last one is not there at first.
COSTS: list[list[int | None]] = [
    [1000, 1500, 1200, 900],
    [200, 200, 800, 900],
    [None, None, None, 50],
]
NAMES = ["falls", "rises", "std::vector<int, std::allocator<int> >::size()"]
LABELS = ["v1.out", "v2.out", "v3.out", "v4.out"]

# What a line is drawn with, and how far its colour and the ground's are apart: WCAG 2.2, 1.4.11.
LINES = """
const rgb = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number);
const light = (colour) => rgb(colour).map((part) => part / 255)
  .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
const ground = light(getComputedStyle(document.body).backgroundColor);
return [...document.querySelectorAll("#chart polyline")].map((line) => {
  const colour = getComputedStyle(line).stroke;
  const [a, b] = [light(colour), ground].sort((x, y) => y - x);
  return [line.dataset.name, line.points.length, colour, (a + 0.05) / (b + 0.05)];
});
"""


def profile(version: int) -> str:
    lines = "".join(
        f"fl=app.c\nfn={name}\n1 {costs[version]}\n"
        for name, costs in zip(NAMES, COSTS)
        if costs[version] is not None
    )
    total = sum(costs[version] or 0 for costs in COSTS)
    head = "version: 1\ncreator: callgrind-cg2-0\ncmd: app\nevents: Ir\n\nob=app"
    return f"{head}\n{lines}totals: {total}\n"


def setUpModule() -> None:
    why = missing()
    if why:
        raise unittest.SkipTest(why)


class Trend(OnPage):
    @classmethod
    def make_pages(cls) -> None:
        for version, label in enumerate(LABELS):
            (cls.folder / label).write_text(profile(version))
        command: list[str | Path] = [TOOLS / "cg2_diff", "--html=page.html", *LABELS]
        ended = starts.run(command, directory=cls.folder, limit=HANG)
        assert ended.returncode == 0, ended.stderr

    def setUp(self) -> None:
        self.browser.open(self.folder / "page.html", f"?{next(OPENED)}")
        self.browser.wait("document.querySelector('#chart svg') !== null")

    def tearDown(self) -> None:
        self.browser.dark(False)
        super().tearDown()

    def drawn(self) -> list[tuple[str, int]]:
        return [(name, points) for name, points, *_ in self.browser.run(LINES)]

    def values(self) -> list[str]:
        return self.browser.texts("#values b, #values div")

    def focus_chart(self) -> None:
        self.browser.run("document.querySelector('#chart').focus()")

    def test_lines(self) -> None:
        """A line for each function that changed, where it occurs, with a legend and titled axes."""
        names = ["falls", "rises", "std::vector<int>::size"]
        changed = [names[1], names[0], names[2]]  # what changed most first
        self.assertEqual(self.drawn(), [(changed[0], 4), (changed[1], 4), (changed[2], 1)])
        self.assertEqual(self.browser.texts("#legend li"), changed)
        drawn = self.browser.run(
            "return [...document.querySelectorAll('#chart .title')].map((node) => node.textContent)"
        )
        self.assertEqual(drawn, ["profile", "Ir, self cost"])
        self.assertEqual(
            self.browser.texts("#table tbody tr:first-child td, #table tbody tr:first-child th")[
                1:
            ],
            ["1,200", "1,700", "2,000", "1,850", "+54.17 %", "total"],
        )

    def test_keys(self) -> None:
        """Arrow keys go from profile to profile, whose costs are shown and said."""
        self.focus_chart()
        self.browser.press("ArrowRight", "ArrowRight")
        expected = [
            "v2.out",
            "rises: 200",
            "falls: 1,500",
            "std::vector<int>::size: does not occur",
        ]
        self.assertEqual(self.values(), expected)
        self.assertEqual(
            self.browser.run("return document.querySelector('#spoken').textContent"),
            f"v2.out: {'; '.join(expected[1:])}",
        )
        self.browser.press("ArrowRight", "ArrowRight", "ArrowRight")
        self.assertEqual(self.values()[0], "v4.out")
        self.assertEqual(self.values()[3], "std::vector<int>::size: 50")
        self.browser.press("ArrowLeft")
        self.assertEqual(self.values()[0], "v3.out")
        self.browser.press("Escape")
        self.assertEqual(self.values(), [])

    def test_mouse(self) -> None:
        """The mouse shows the values of the profile that is nearest; a click shows the middle."""
        self.browser.click("#chart")
        self.assertEqual(self.values()[1:3], ["rises: 200", "falls: 1,500"])

    def test_choice(self) -> None:
        """A box in the table draws a line, or takes it away."""
        self.browser.click("#table tbody tr:nth-child(1) input")
        self.browser.click("#table tbody tr:nth-child(2) input")
        self.assertEqual(
            [name for name, _ in self.drawn()], ["total", "falls", "std::vector<int>::size"]
        )

    def test_relative(self) -> None:
        """In percent of where each line begins."""
        self.browser.click("#relative")
        self.focus_chart()
        self.browser.press("End")
        self.assertEqual(self.values()[1:3], ["rises: 450.00 %", "falls: 90.00 %"])

    def test_colours(self) -> None:
        """Each line has another colour, which is seen on a light ground and on a dark one."""
        seen = []
        for is_dark in (False, True):
            self.browser.dark(is_dark)
            lines = self.browser.run(LINES)
            self.assertEqual(len({colour for _, _, colour, _ in lines}), 3)
            for name, _, _, contrast in lines:
                self.assertGreater(contrast, 3, name)
            seen.append([colour for _, _, colour, _ in lines])
        self.assertNotEqual(*seen)

    def test_accessible(self) -> None:
        """Axe-core finds nothing serious, in light and in dark."""
        why = axe.why_not()
        if why:
            self.skipTest(why)
        for rules in (None, axe.COLOURS):
            self.browser.dark(rules is not None)
            self.focus_chart()
            self.browser.press("End")
            self.assertEqual(axe.faults(self.browser, rules), [])

    def test_narrow(self) -> None:
        """The page is never wider than its window; the table scrolls in its place."""
        self.addCleanup(self.browser.resize, 1400, 900)
        self.browser.resize(500, 800)
        width = "document.documentElement.scrollWidth"
        self.browser.wait(
            f"{width} <= window.innerWidth && document.querySelector('#chart svg') !== null"
        )


if __name__ == "__main__":
    unittest.main()
