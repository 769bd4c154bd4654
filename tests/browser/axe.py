"""axe-core, as its npm package has it: what it finds wrong on the page that a browser shows."""

from __future__ import annotations

import functools
import shutil
import subprocess
from pathlib import Path

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
    if SCRIPT.exists():
        return ""
    if not shutil.which("npm"):
        return "npm, which fetches axe-core, is not installed (Debian: apt-get install npm)"
    FOLDER.mkdir(parents=True, exist_ok=True)
    command = [
        "npm",
        "install",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        f"axe-core@{VERSION}",
    ]
    ended = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
    return "" if SCRIPT.exists() else f"npm cannot fetch axe-core: {ended.stderr.strip()[-200:]}"


@functools.cache
def _script(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def faults(browser: Browser) -> list[str]:
    """What is serious or critical: rule, element, what is wrong."""
    browser.run(_script(SCRIPT))
    found: list[str] = browser.run_until_done(RUN, ["serious", "critical"])
    return found
