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
const [impacts, rules, done] = arguments;
const only = rules ? { runOnly: { type: "rule", values: rules } } : {};
axe.run(document, { resultTypes: ["violations"], ...only }).then(({ violations }) => done(
  violations.filter(({ impact }) => impacts.includes(impact)).flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target}: ${failureSummary}`))));
"""

# The rules that look at colours, which are all that differs in the dark.
COLOURS = ["color-contrast", "link-in-text-block"]


@functools.cache
def why_not() -> str:
    """Why it cannot be tried here; empty if it can."""
    return npmpackage.why_not(FOLDER, "axe-core", VERSION, SCRIPT)


@functools.cache
def _script(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def faults(browser: Browser, rules: list[str] | None = None) -> list[str]:
    """What is serious or critical: rule, element, what is wrong; by all rules, or by these."""
    if not browser.run("return 'axe' in globalThis"):
        browser.run(_script(SCRIPT))
    found: list[str] = browser.run_until_done(RUN, ["serious", "critical"], rules)
    return found
