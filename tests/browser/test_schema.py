"""The page reads tables by schema.json: one that has another member than that says so, and draws none of
it."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any

import webdriver

import sample
from cg2tools.profile.reader import read_profile
from cg2tools.report.contents import Contents
from cg2tools.report.options import PageOptions
from cg2tools.report.page import TEMPLATE, page, page_template

STATUS = "document.getElementById('status').textContent"


class Schema(unittest.TestCase):
    def setUp(self) -> None:
        if webdriver.missing():
            self.skipTest(webdriver.missing())
        if not TEMPLATE.exists():
            self.skipTest("the page was not built, as there was no npm or no registry for it")
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        (self.directory / "profile").write_text(sample.PROFILE)

    def tables(self) -> dict[str, Any]:
        profile = read_profile(str(self.directory / "profile"))
        return dict(Contents(profile, PageOptions()).each())

    def said(self, tables: dict[str, Any]) -> str:
        """What the page says of its view of sources, once that is drawn or cannot be."""
        path = self.directory / "page.html"
        path.write_bytes(b"".join(page(page_template(), tables.items())))
        browser = webdriver.shared()
        self.addCleanup(browser.count_cpu)
        browser.open(path, "#source")
        browser.wait(f"{STATUS}.includes('damaged') || document.querySelector('.source .grid')")
        return str(browser.run(f"return {STATUS}"))

    def test_alike(self) -> None:
        """What the command writes is what the page expects."""
        self.assertNotIn("damaged", self.said(self.tables()))

    def test_missing(self) -> None:
        tables = self.tables()
        del tables["lines"]["file"]
        self.assertEqual(self.said(tables), "this page is damaged: lines.file is not there")

    def test_unknown(self) -> None:
        tables = self.tables()
        tables["sites"]["files"] = tables["sites"]["file"]
        self.assertEqual(self.said(tables), "this page is damaged: sites.files should not be there")


if __name__ == "__main__":
    unittest.main()
