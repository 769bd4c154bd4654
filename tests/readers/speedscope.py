"""speedscope, as its npm package has it, in a browser without a window."""

from __future__ import annotations

import base64
import functools
import json
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import npmpackage
from cg2test import BUILD, HANG

VERSION = "1.25.0"
FOLDER = BUILD / "tests-speedscope" / VERSION
PAGE = FOLDER / "node_modules" / "speedscope" / "dist" / "release" / "index.html"

# For root there is no sandbox; the other flags keep the browser from looking for a network.
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--allow-file-access-from-files", "--virtual-time-budget=10000", "--enable-logging=stderr", "--dump-dom",
]  # fmt: skip


@functools.cache
def why_not() -> str:
    """Why it cannot be tried here; empty if it can."""
    if not shutil.which("chromium"):
        return "chromium is not installed (Debian: apt-get install chromium)"
    return npmpackage.why_not(FOLDER, "speedscope", VERSION, PAGE)


@dataclass(frozen=True)
class Shown:
    """What the page says, and what it logs."""

    text: str
    console: str
    errors: list[str]


class Speedscope:
    def show(self, profile: Path) -> Shown:
        """Open a profile as speedscope's own command does: a script beside the page calls it with the
        file."""
        with tempfile.TemporaryDirectory(prefix="cg2speedscope-") as folder:
            data = base64.b64encode(profile.read_bytes()).decode()
            script = Path(folder) / "profile.js"
            script.write_text(
                f"speedscope.loadFileFromBase64({json.dumps(profile.name)}, {json.dumps(data)})"
            )
            ended = subprocess.run(
                ["chromium", *FLAGS, f"--user-data-dir={folder}/data",
                    f"file://{PAGE}#localProfilePath={script}"],
                capture_output=True, text=True, timeout=HANG, check=True,
            )  # fmt: skip
        console = re.findall(r'CONSOLE:\d+\] "(.*)", source:', ended.stderr)
        text = re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<(style|script).*?</\1>", "", ended.stdout))
        return Shown(
            text,
            "\n".join(console),
            [line for line in console if re.search(r"Error|Uncaught|NaN", line)],
        )
