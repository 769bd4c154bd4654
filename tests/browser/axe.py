"""axe-core, as its npm package has it: what it finds wrong on the page that a browser shows."""

from __future__ import annotations

import functools
from pathlib import Path

import npmpackage
from cg2test import BUILD
from webdriver import Browser

VERSION = "4.11.0"
FOLDER = BUILD / "tests-axe" / VERSION
SCRIPT = FOLDER / "node_modules" / "axe-core" / "axe.min.js"

# What of the rules' findings keeps somebody from using the page; best practices are others' taste.
RUN = """
const [impacts, done] = arguments;
axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => done(
  violations.filter(({ impact }) => impacts.includes(impact)).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target}: ${failureSummary}`))));
"""


@functools.cache
def why_not() -> str:
    """Why it cannot be tried here; empty if it can."""
    return npmpackage.why_not(FOLDER, "axe-core", VERSION, SCRIPT)


@functools.cache
def _script(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def faults(browser: Browser) -> list[str]:
    """What is serious or critical: rule, element, what is wrong."""
    browser.run(_script(SCRIPT))
    found: list[str] = browser.run_until_done(RUN, ["serious", "critical"])
    return found
