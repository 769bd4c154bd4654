"""A browser that tests drive, through W3C WebDriver: chromium's headless shell. It draws pages as chromium
does, and no windows around them: that takes a fifth less of processors.

    with Browser() as browser:
        browser.open(path)
        browser.text("h1")
        browser.click("#tab-functions")
        browser.press("ArrowDown")

Elements are told by CSS selectors. What a page logs, and what it asks the network for, is kept.
"""

from __future__ import annotations

import atexit
import base64
import contextlib
import functools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Any

import starts
from cg2test import HANG, PATIENCE

# The keys that have no letter: https://www.w3.org/TR/webdriver2/#keyboard-actions
KEYS = {
    "Escape": "\ue00c",
    "Enter": "\ue007",
    "Tab": "\ue004",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "End": "\ue010",
    "Home": "\ue011",
    "PageDown": "\ue00f",
    "Shift": "\ue008",
}

SHELL = "chromium-headless-shell"
# What chromium does in advance, which takes a processor and shows in no page.
IN_ADVANCE = ("BackForwardCache", "PaintHolding", "SpareRendererForSitePerProcess")


def missing() -> str:
    """Why there is no browser to drive, or ""."""
    for program in (SHELL, "chromedriver"):
        if not shutil.which(program):
            return f"no {program} (Debian: apt-get install chromium-headless-shell chromium-driver)"
    return ""


@functools.cache
def shared() -> Browser:
    """The browser of this process of tests, as chromium takes two seconds of a processor to start. Who
    changes its window, colours or scripts puts them back."""
    browser = Browser()
    atexit.register(browser.close)
    return browser


class Browser:
    """A chromium with one window."""

    def __init__(self) -> None:
        self.scratch = tempfile.mkdtemp(prefix="cg2browser-")
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "TMPDIR": self.scratch},
            start_new_session=True,
        )
        self.counted = 0.0
        assert self.driver.stdout is not None
        said = ""
        for said in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", said)
            if found:
                break
        else:
            raise RuntimeError(f"chromedriver did not start: {said}")
        self.address = f"http://127.0.0.1:{found[1]}"
        # A sandbox needs rights that containers do not give; a page of ours loads nothing.
        arguments = [
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--window-size=1400,900",
            f"--disable-features={','.join(IN_ADVANCE)}",
        ]
        options = {"args": arguments, "binary": shutil.which(SHELL)}
        wanted = {
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        try:
            session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        except BaseException:
            self._end_driver()
            raise
        self.address += f"/session/{session['sessionId']}"

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        try:
            self._ask("DELETE", "")
        finally:
            self._end_driver()

    def count_cpu(self) -> None:
        """Have the tests' account know what the driver and chromium had of processors since this was asked
        last: they go on."""
        ticks = 0
        for path in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):  # it has ended
                fields = path.read_text().rpartition(")")[2].split()
                if int(fields[3]) == self.driver.pid:  # of its session
                    ticks += int(fields[11]) + int(fields[12])
        seconds = ticks / os.sysconf("SC_CLK_TCK")
        starts.count_cpu(max(0, seconds - self.counted))
        self.counted = seconds

    def _end_driver(self) -> None:
        # What chromium leaves would keep the pipe open.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.driver.pid, signal.SIGTERM)
        self.driver.communicate()
        shutil.rmtree(self.scratch, ignore_errors=True)

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.address + path, data, {"Content-Type": "application/json"}, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=HANG) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None

    # ---- Pages

    def open(self, path: Path, view: str = "") -> None:
        self._ask("POST", "/url", {"url": f"{path.as_uri()}{view}"})

    def run(self, script: str, *arguments: object) -> Any:
        """What a piece of JavaScript returns."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": arguments})

    def run_until_done(self, script: str, *arguments: object) -> Any:
        """What a piece of JavaScript gives to the function that is its last argument."""
        return self._ask("POST", "/execute/async", {"script": script, "args": arguments})

    def wait(self, condition: str, *arguments: object) -> Any:
        """What an expression is, once that is true."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            value = self.run(f"return {condition}", *arguments)
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f"never true: {condition} {arguments}")

    def text(self, selector: str) -> str:
        """What a reader sees of the first element."""
        return str(
            self.wait("document.querySelector(arguments[0])", selector)
            and self.run("return document.querySelector(arguments[0]).innerText", selector)
        )

    def texts(self, selector: str) -> list[str]:
        found: list[str] = self.run(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)",
            selector,
        )
        return found

    def click(self, selector: str) -> None:
        """Clicks an element as with a mouse: in the middle, if nothing covers it."""
        element = self._ask("POST", "/element", {"using": "css selector", "value": selector})
        self._ask("POST", f"/element/{next(iter(element.values()))}/click", {})

    def press(self, *keys: str) -> None:
        """Press and release keys, one after the other, wherever the focus is."""
        self._act([(kind, key) for key in keys for kind in ("keyDown", "keyUp")])

    def hold(self, held: str, key: str) -> None:
        """Press and release a key while another one is held."""
        self._act([("keyDown", held), ("keyDown", key), ("keyUp", key), ("keyUp", held)])

    def _act(self, keys: list[tuple[str, str]]) -> None:
        actions = [{"type": kind, "value": KEYS.get(key, key)} for kind, key in keys]
        self._ask(
            "POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]}
        )

    def dark(self, is_dark: bool) -> None:
        """Be a system that is set to dark colours, or to light ones."""
        feature = {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}
        self._command("Emulation.setEmulatedMedia", features=[feature])

    def before_pages(self, script: str) -> str:
        """Run a script in each page that is opened from now on, before its own; return its number."""
        return str(
            self._command("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
        )

    def no_longer(self, number: str) -> None:
        self._command("Page.removeScriptToEvaluateOnNewDocument", identifier=number)

    def _command(self, name: str, **parameters: object) -> Any:
        """What a command of chromium's own returns."""
        return self._ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def resize(self, width: int, height: int) -> None:
        self._ask("POST", "/window/rect", {"width": width, "height": height})

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._ask("GET", "/screenshot")))

    # ---- What it did

    def complaints(self) -> list[str]:
        """What pages logged since this was asked last: errors, warnings, all."""
        return [entry["message"] for entry in self._ask("POST", "/se/log", {"type": "browser"})]

    def requests(self) -> list[str]:
        """The addresses that were asked for since this was asked last."""
        found = []
        for entry in self._ask("POST", "/se/log", {"type": "performance"}):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                found.append(message["params"]["request"]["url"])
        return found
