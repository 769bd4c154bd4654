"""speedscope, as its npm package has it, in a browser that tests drive."""

from __future__ import annotations

import base64
import functools
import json
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import npmpackage
from cg2test import BUILD, SOURCE

sys.path.append(str(SOURCE / "tests" / "browser"))

import webdriver  # noqa: E402  (found through the path just set)

VERSION = "1.25.0"
FOLDER = BUILD / "tests-speedscope" / VERSION
PAGE = FOLDER / "node_modules" / "speedscope" / "dist" / "release" / "index.html"

# What it shows once a profile is open, and where it cannot open one.
ENDED = "/Sandwich|Something went wrong/.test(document.body.innerText)"


@functools.cache
def why_not() -> str:
    """Why it cannot be tried here; empty if it can."""
    return webdriver.missing() or npmpackage.why_not(FOLDER, "speedscope", VERSION, PAGE)


@dataclass(frozen=True)
class Shown:
    """What the page says, and what it logs."""

    text: str
    console: str
    errors: list[str]


class Speedscope:
    """A browser that opens profiles in turn."""

    def __init__(self) -> None:
        self.browser = webdriver.Browser()

    def close(self) -> None:
        self.browser.close()

    def show(self, profile: Path) -> Shown:
        """Open a profile as speedscope's own command does: a script beside the page calls it with the
        file."""
        with tempfile.TemporaryDirectory(prefix="cg2speedscope-") as folder:
            data = base64.b64encode(profile.read_bytes()).decode()
            script = Path(folder) / "profile.js"
            script.write_text(
                f"speedscope.loadFileFromBase64({json.dumps(profile.name)}, {json.dumps(data)})"
            )
            # A page whose fragment alone is new would not be loaded anew.
            self.browser.open(PAGE, f"?{Path(folder).name}#localProfilePath={script}")
            self.browser.wait(ENDED)
            text = self.browser.text("body")
        console = [str(line) for line in self.browser.complaints()]
        return Shown(
            text,
            "\n".join(console),
            [line for line in console if re.search(r"Error|Uncaught|NaN", line)],
        )
