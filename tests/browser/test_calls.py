"""All callers and callees of a function, over any number of calls: how far they are, and what is known of
their cost."""

from __future__ import annotations

import unittest

import sample
import test_report
from test_report import ODD, OnPage, report


def setUpModule() -> None:
    test_report.setUpModule()


class AllCalls(OnPage):
    """Graphs in which ways meet, and go round."""

    @classmethod
    def make_pages(cls) -> None:
        for name, text, *options in (
            ("page", sample.PROFILE),
            (
                "inlined",
                sample.PROFILE.replace("positions:", "desc: Estimated calls: leaf\npositions:", 1),
            ),
            ("merged", sample.MERGED),
            ("graph", sample.GRAPH),
            ("levels", sample.LEVELS),
            ("circle", sample.ODD["circle"][0]),
            ("cut", sample.MERGED, "--smallest=25"),
        ):
            (cls.folder / "profile").write_text(text)
            report("-o", cls.folder / f"{name}.html", *options, cls.folder / "profile")

    def all_calls(self, function: str, page: str) -> tuple[list[list[str]], list[list[str]]]:
        """The tables of all callers and all callees of a function."""
        self.open("functions", page)
        self.search(function)
        self.browser.run("location.hash = `calls/${arguments[0]}`", self.row_of(function))
        self.await_view("calls")
        self.browser.click(".calls-bar [data-name=all]")
        self.browser.wait("document.querySelectorAll('.halves .grid').length === 2")
        self.await_text(".halves h2", "All callers")
        return self.rows(".halves section:first-child"), self.rows(".halves section:last-child")

    def test_stacks(self) -> None:
        """Where stacks are exact, so are costs: leaf costs 200 below work, and 150 more below main."""
        callers, callees = self.all_calls("leaf", "page")
        self.assertEqual(callers, [["main", "350", "1", "exact"], ["work", "200", "1", "exact"]])
        self.assertEqual(callees, [])
        self.assertIn("It calls nothing", self.browser.text(".halves section:last-child"))
        callers, callees = self.all_calls("main", "page")
        self.assertEqual(callers, [])
        self.assertEqual(
            callees,
            [
                ["work", "900", "1", "exact"],
                ["leaf", "350", "1", "exact"],
                [ODD, "50", "1", "exact"],
            ],
        )
        self.assertEqual(self.browser.texts(".halves h2"), ["All callers (0)", "All callees (3)"])
        self.assertNotIn("estimated", self.browser.text("#view"))

    def test_estimated_calls(self) -> None:
        """A number of calls that is estimated has a ~: in the lists of functions and of calls, and in
        sources."""
        self.open("functions", "inlined")
        called = {row[0]: row[3] for row in self.rows()}
        self.assertEqual([called["leaf"], called["main"], called["work"]], ["~7", "0", "2"])
        self.browser.run("location.hash = `calls/${arguments[0]}`", self.row_of("leaf"))
        self.await_view("calls")
        self.assertEqual(
            self.rows(".halves section:first-child"),
            [["work", "200", "~6"], ["main", "150", "~1"]],
        )

    def test_event(self) -> None:
        """Costs are those of the event that is chosen."""
        self.all_calls("main", "page")
        self.browser.run(
            "const list = document.querySelector('#event'); list.value = 1;"
            "list.dispatchEvent(new Event('change'))"
        )
        self.assertEqual(
            self.rows(".halves section:last-child"),
            [["work", "46", "1", "exact"], ["leaf", "17", "1", "exact"], [ODD, "3", "1", "exact"]],
        )

    def test_merged_ways(self) -> None:
        """What d costs below a is estimated, as b reaches d, too; below c and main it is all that d costs."""
        callers, callees = self.all_calls("a", "merged")
        self.assertEqual(callers, [["main", "300", "1", "exact"]])
        self.assertEqual(callees, [["c", "200", "1", "exact"], ["d", "180", "2", "estimated"]])
        self.assertIn(
            "Costs are exact where all ways to the lower function go through the upper one, or it is only "
            "called "
            "directly; others are estimated from the stacks of the flame graph, and may be far off: 66.7% "
            "of Ir is in functions called "
            "from several places, and apportioned; --contexts=full when profiling writes exact stacks.",
            self.browser.text(".all-calls .note"),
        )
        callers, callees = self.all_calls("d", "merged")
        self.assertEqual(
            callers,
            [
                ["main", "540", "3", "exact"],
                ["c", "540", "1", "exact"],
                ["b", "360", "2", "estimated"],
                ["a", "180", "2", "estimated"],
            ],
        )
        callers, callees = self.all_calls("main", "merged")
        self.assertEqual(
            callees,
            [
                ["c", "600", "2", "exact"],
                ["d", "540", "3", "exact"],
                ["b", "500", "1", "exact"],
                ["a", "300", "1", "exact"],
            ],
        )

    def test_left_out(self) -> None:
        """A function in no stack that is large enough has no cost, unless the calls tell it."""
        callers, callees = self.all_calls("a", "cut")
        self.assertEqual(callees, [["c", "200", "1", "exact"], ["d", "", "2", "left out"]])
        self.assertIn("stacks of less than 25 % each", self.browser.text(".all-calls"))

    def test_recursion(self) -> None:
        """A function in a recursion is its own caller; no function costs more below another one than it costs
        at all."""
        callers, callees = self.all_calls("hot", "graph")
        self.assertEqual([row[0] for row in callees], ["hot"])
        self.assertEqual(
            callers[:2], [["start", "600", "2", "exact"], ["run", "600", "1", "exact"]]
        )
        callers, callees = self.all_calls("ping", "graph")
        self.assertEqual({row[0]: row[2] for row in callees}, {"pong": "1", "ping": "2"})
        for name, cost, _, known in callees:
            self.assertEqual(known, "estimated", name)
            self.assertLessEqual(int(cost), 290, name)
        callers, callees = self.all_calls("f", "circle")
        self.assertEqual({row[0]: row[2] for row in callers}, {"g": "1", "f": "2"})

    def test_levels(self) -> None:
        """An activation inside another one is not counted again: a costs f 50, and 7 where b called f, but
        not its 9."""
        callers, callees = self.all_calls("f", "levels")
        self.assertEqual(
            callers,
            [
                ["main", "90", "2", "estimated"],
                ["a", "57", "1", "estimated"],
                ["b", "40", "1", "estimated"],
                ["f", "16", "2", "estimated"],
            ],
        )
        self.assertEqual(callees, [["a", "20", "1", "estimated"], ["f", "16", "2", "estimated"]])

    def test_use(self) -> None:
        """A row opens its function, where all calls are shown still; direct ones come back by the other
        button."""
        self.all_calls("a", "merged")
        self.browser.click(".halves section:last-child .row:nth-child(2) a")
        self.await_text(".function h2", "d")
        self.browser.wait("document.querySelectorAll('.halves .grid').length === 2")
        self.assertEqual(self.browser.texts(".halves h2"), ["All callers (4)", "All callees (0)"])
        self.browser.press("Enter")  # callers have the focus, and the first is main
        self.await_text(".function h2", "main")
        self.browser.click(".calls-bar [data-name=direct]")
        self.await_text(".halves h2", "Callers (0)")
        self.assertEqual(
            self.rows(".halves section:last-child"), [["b", "500", "2"], ["a", "300", "1"]]
        )

    def test_many(self) -> None:
        """A thousand callees, one below the other or side by side, are there within the time that a page
        has."""
        for name, text, first in ("deep", sample.deep(1000), "f0"), (
            "wide",
            sample.wide(1000),
            "main",
        ):
            (self.folder / "profile").write_text(text)
            report("-o", self.folder / f"{name}.html", self.folder / "profile")
            self.all_calls(first, name)
            taken = self.browser.run(
                "const start = performance.now();"
                "document.querySelector('.calls-bar [data-name=all]').click();"
                "return (performance.now() - start) / 1000"
            )
            self.assertLess(taken, test_report.SECONDS, name)
            headings = self.browser.texts(".halves h2")
            self.assertEqual(
                headings[1], {"deep": "All callees (999)", "wide": "All callees (1,001)"}[name]
            )


if __name__ == "__main__":
    unittest.main()
