"""The page is for everybody: axe-core finds nothing serious in any view, in light and in dark."""

from __future__ import annotations

import unittest
from collections.abc import Iterator
from pathlib import Path

import axe
import sample
import test_report
from test_report import CONTRAST, OnPage, report


def setUpModule() -> None:
    test_report.setUpModule()
    why = axe.why_not()
    if why:
        raise unittest.SkipTest(why)


class Views(OnPage):
    """Each view of pages that together have all."""

    @classmethod
    def make_pages(cls) -> None:
        for name, text in (
            ("app.c", sample.SOURCE),
            ("profile", sample.PROFILE),
            ("old", sample.OLD),
            ("cut", sample.CUT),
            ("said", sample.SAID),
            ("passing", sample.PASSED_ON),
        ):
            (cls.folder / name).write_text(text)
        compared: list[str | Path] = [
            "--compare",
            cls.folder / "old",
            "-I",
            cls.folder,
            cls.folder / "profile",
        ]
        report("-o", cls.folder / "page.html", *compared)
        for name in ("cut", "said", "passing"):
            report("-o", cls.folder / f"{name}.html", cls.folder / name)

    page: str  # that is open
    rules: list[str] | None  # of axe; None: all

    def each_theme(self) -> Iterator[None]:
        """In light all rules look; in the dark those of colours do, as nothing else is different."""
        self.addCleanup(self.browser.dark, False)
        for is_dark in (False, True):
            self.browser.dark(is_dark)
            self.rules = axe.COLOURS if is_dark else None
            yield

    def setUp(self) -> None:
        self.page = ""
        self.rules = None

    def open(self, view: str = "summary", page: str = "page") -> None:
        super().open(view, page)
        self.page = page

    def check(self, view: str, page: str = "page", ready: str = "#view > *") -> None:
        """Go to a view, wait for a node, and have axe look."""
        if page == self.page:
            self.turn_to(view)
        else:
            self.open(view, page)
        self.browser.wait("document.querySelector(arguments[0])", ready)
        with self.subTest(view=view, page=page, rules=self.rules):
            self.look()

    def look(self) -> None:
        self.assertEqual(axe.faults(self.browser, self.rules), [])

    def test_every_tab(self) -> None:
        """The views that tabs lead to, of a profile with all that they show."""
        for _ in self.each_theme():
            for page in ("page", "cut"):
                self.open("summary", page)
                tabs = self.browser.run(
                    "return [...document.querySelectorAll('[role=tab]')].map((tab) => tab.dataset.view)"
                )
                self.assertGreater(len(tabs), 6)
                for view in tabs:
                    self.check(view, page)

    def test_narrow(self) -> None:
        """What is wider than a narrow window can be scrolled by keys."""
        self.browser.resize(360, 700)
        self.addCleanup(self.browser.resize, 1400, 900)
        for view in (
            "summary",
            "functions/file",
            "calls/1",
            "flame",
            "flame/sandwich/1",
            "timeline",
        ):
            self.check(view)
        self.open("calls/1")
        self.assertGreater(
            *self.browser.run(
                "const costs = document.querySelector('.costs');"
                "return [costs.scrollWidth, costs.clientWidth]"
            )
        )

    def test_inner_views(self) -> None:
        """What choices and links in views lead to."""
        for _ in self.each_theme():
            for view, page, ready in (
                ("functions/file", "page", ".mark"),
                ("flame/sandwich/0", "page", ".sandwich g.frame"),
                ("flame/top-down", "page", ".mark"),
                ("flame/bottom-up", "page", ".mark"),
                ("comparison/calls", "page", ".grid"),
                ("comparison/lines", "page", ".grid"),
                ("curves/D1m", "page", ".chart"),
                ("graph/1", "page", ".box-of"),
                ("functions/class", "said", ".mark"),
                ("summary", "passing", ".passing"),
            ):
                self.check(view, page, ready)

    def test_source(self) -> None:
        """A file with costs and calls, and the dialog of keys above it."""
        for _ in self.each_theme():
            self.open("source")
            self.browser.click(".grid a")
            self.browser.wait("document.querySelector('.text-rows .line')")
            self.look()
            self.browser.click("#keys")
            self.look()

    def test_all_calls(self) -> None:
        """All callers and callees of a function."""
        for _ in self.each_theme():
            self.open("calls/1")
            self.browser.click("[data-name=all]")
            self.browser.wait("document.querySelector('.all-calls')")
            self.look()

    def test_figures(self) -> None:
        """Figures can be read where a bar is behind them, which axe-core cannot see: at least 4.5 to 1."""
        for _ in self.each_theme():
            self.open("functions")
            bar = "getComputedStyle(document.documentElement).getPropertyValue('--bar')"
            self.browser.run(
                "document.querySelectorAll('.number').forEach((cell) => {"
                f"cell.style.backgroundColor = {bar}; }})"
            )
            for selector in (".rows-body .count", ".rows-body .share", ".count.nothing"):
                with self.subTest(selector=selector, rules=self.rules):
                    self.assertGreater(self.browser.run(CONTRAST, selector), 4.5)

    def test_finds(self) -> None:
        """What is wrong is found: a text that is hardly there, a picture without words."""
        self.open()
        self.browser.run(
            "document.querySelector('#view').innerHTML ="
            "'<img><p style=\"color: #ccc; background: #fff\">hardly</p>'"
        )
        for rules, wrong in (None, ["color-contrast", "image-alt"]), (
            axe.COLOURS,
            ["color-contrast"],
        ):
            found = [fault.partition(":")[0] for fault in axe.faults(self.browser, rules)]
            self.assertEqual(found, wrong)


if __name__ == "__main__":
    unittest.main()
