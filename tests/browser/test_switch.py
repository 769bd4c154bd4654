"""The switch of the page of cg2_report: inlined functions as functions, or in those into which they were
inlined."""

from __future__ import annotations

import subprocess
import unittest

import test_report
from cg2test import BUILD, run_cg2
from cg2tools.profile.reader import read_profile
from test_report import OnPage, report

PROGRAM = """\
static volatile int seed = 3;

static inline int square(int x)
{
   return x * x + seed;
}

__attribute__((noipa)) static int sums(int n)
{
   int sum = 0;
   for (int i = 0; i < n; i++)
      sum += square(i);
   return sum;
}

int main(void)
{
   return (sums(50) + square(seed)) & 1 ? 0 : 0;
}
"""
"""square is called 51 times, and inlined in both that call it."""

PRESSED = "return document.querySelector('#inlines').getAttribute('aria-checked')"


def setUpModule() -> None:
    test_report.setUpModule()
    if not (BUILD / "libcg2debug.so.0").exists():
        raise unittest.SkipTest("built without libdw")


class Switch(OnPage):
    """A page of both."""

    @classmethod
    def make_pages(cls) -> None:
        (cls.folder / "app.c").write_text(PROGRAM)
        program = cls.folder / "app"
        subprocess.run(["gcc", "-g", "-O1", "-o", program, cls.folder / "app.c"], check=True)
        options = "--dump-instr=yes", "--collect-jumps=yes", "--contexts=full"
        run = run_cg2([program], *options, f"--paths-out-file={cls.folder}/cg2.paths.1")
        (made,) = run.profile_paths
        profile = cls.folder / "cg2.out.1"
        profile.write_bytes(made.read_bytes())
        part = read_profile(str(profile)).merged()
        cls.own = {
            key.name: cost[0] for key, cost in zip(part.keys, part.lines.self_costs()) if cost
        }
        report("-o", cls.folder / "page.html", "--inlines=yes", profile)
        report("-o", cls.folder / "plain.html", profile)
        report("-o", cls.folder / "compared.html", "--inlines=yes", "--compare", profile, profile)

    own: dict[str, int]
    """What each function costs itself with what was inlined into it."""

    def figures(self) -> dict[str, tuple[int, str]]:
        """What functions of the program cost themselves, and how often they were called."""
        self.await_view("functions")
        self.search("app.c")
        self.browser.wait(
            "document.querySelectorAll('.rows-body > .row').length === Number(arguments[0])",
            3 if self.is_pressed() else 2,
        )
        found = {row[0]: (int(row[2].replace(",", "")), row[3]) for row in self.rows()}
        self.browser.press("Escape")
        return found

    def is_pressed(self) -> bool:
        return bool(self.browser.run(PRESSED) == "true")

    def await_switched(self, is_apart: bool) -> None:
        self.browser.wait(
            "document.querySelector('#inlines').getAttribute('aria-checked') === arguments[0]",
            str(is_apart).lower(),
        )

    def test_functions(self) -> None:
        """Pressed, square is a function, called 51 times; else its costs are those of sums and main.

        As it only computes, its calls are marked as estimated.
        """
        self.open("functions")
        apart = self.figures()
        self.assertEqual({name: calls for name, (_, calls) in apart.items()}["square"], "~51")
        self.browser.click("#inlines")
        self.await_switched(False)
        whole = self.figures()
        self.assertEqual(
            {name: own for name, (own, _) in whole.items()},
            {name: self.own[name] for name in ("main", "sums")},
        )
        self.assertLess(apart["sums"][0], whole["sums"][0])
        self.assertEqual(sum(own for own, _ in apart.values()), whole["main"][0] + whole["sums"][0])
        self.browser.press("i")
        self.await_switched(True)
        self.assertEqual(self.figures(), apart)

    def test_place(self) -> None:
        """The same function or file is shown on both sides, also a step back; of what is gone it is said."""
        self.open()
        self.choose("sums")
        self.browser.press("i")
        self.await_switched(False)
        self.await_text(".function h2", "sums")
        self.browser.run("history.back()")
        self.await_switched(True)
        self.await_text(".function h2", "sums")
        self.choose("square")
        self.browser.click("#inlines")
        self.await_switched(False)
        self.await_text("#status", "square is no function here")
        self.browser.run("location.hash = 'source'")
        self.await_view("source")
        self.browser.click(".row a[href^='#source/']")
        self.browser.wait("document.querySelector('.text-rows .line')")
        place = self.browser.text("#view .function")
        self.browser.press("i")
        self.await_switched(True)
        self.browser.wait("document.querySelector('.text-rows .line')")
        self.assertEqual(self.browser.text("#view .function"), place)

    def choose(self, name: str) -> None:
        """Show a function of the set that is shown under Calls."""
        self.browser.run("location.hash = 'functions'")
        self.await_view("functions")
        self.search("app.c")
        links = "[...document.querySelectorAll('.rows-body > .row a')]"
        self.browser.wait(f"{links}.some((link) => link.textContent === arguments[0])", name)
        self.browser.run(f"{links}.find((link) => link.textContent === arguments[0]).click()", name)
        self.await_text(".function h2", name)
        self.browser.run("document.activeElement.blur()")  # keys are the page's again

    def test_paths(self) -> None:
        """Paths have no inlined functions: where these are in others, the flame graph is exact."""
        self.open("flame")
        self.assertNotIn("Exact", self.browser.text(".bar"))
        self.browser.press("i")
        self.await_switched(False)
        self.await_text(".bar", "Exact")

    def test_without(self) -> None:
        """A page of one set has no button, and the key does nothing."""
        self.open("functions", "plain")
        self.assertTrue(self.browser.run("return document.querySelector('#inlines').hidden"))
        self.browser.press("i")
        self.assertEqual(
            self.browser.run("return document.querySelector('#view').className"), "functions"
        )

    def test_every_view(self) -> None:
        """Each view of a page with all of them is drawn on both sides."""
        self.open("summary", "compared")
        tabs = self.browser.run(
            "return [...document.querySelectorAll('[role=tab]')].map((tab) => tab.dataset.view)"
        )
        self.assertIn("code", tabs)
        self.assertIn("comparison", tabs)
        is_apart = True
        for view in tabs:
            self.browser.run("location.hash = arguments[0]", view)
            self.await_view(view)
            for _ in range(2):
                is_apart = not is_apart
                self.browser.press("i")
                self.await_switched(is_apart)
                self.await_view(view)
                self.browser.wait("document.querySelector('#view').children.length > 0")


if __name__ == "__main__":
    unittest.main()
