"""Pages that follow one another: on a terminal in one place, else one below the other.

A page is a function: it has its lines for a height and a width.
"""

import os
import select
import signal
import sys
import termios
import time
import tty
from collections.abc import Callable
from types import FrameType
from typing import Any

from cg2tools.commandline.console import on_terminal

Page = Callable[[int], list[str]]
"""The lines for so many columns; 0: as many as they need."""

_ROWS, _COLUMNS = 24, 80  # of a terminal that does not say its size
_LOOKS = 0.2  # seconds between two looks whether a terminal has another size
_BEGIN = "\x1b[?1049h\x1b[?25l"  # the terminal's other screen, no cursor
_END = "\x1b[?25h\x1b[?1049l"


def _shown(page: Page, columns: int) -> list[str]:
    """A page's lines as a terminal may have them, whatever a run has answered."""
    return list(map(on_terminal, page(columns)))


class Left(Exception):
    """The user has seen enough."""


class Screen:
    """An output on which nothing can be changed: pages follow one another."""

    rows = 0  # 0: as many as there are lines
    takes_signals = False  # it ends by itself when the user wants to leave

    def __init__(self) -> None:
        self.pages = 0  # that were shown

    def __enter__(self) -> "Screen":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing was changed."""

    def show(self, page: Page) -> None:
        """Print the page, and an empty line between two."""
        print("\n".join([""] * (self.pages > 0) + _shown(page, 0)), flush=True)
        self.pages += 1

    def wait(self, seconds: float) -> None:
        time.sleep(max(seconds, 0))


class Terminal(Screen):
    """A terminal's other screen; at the end the last page stays on the usual one."""

    takes_signals = True

    def __init__(self) -> None:
        super().__init__()
        self.page: Page | None = None
        self.before: list[Any] | None = None
        self.is_left = False
        self.drawn_size = (0, 0)

    @property
    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        size = os.get_terminal_size(sys.stdout.fileno())
        return size.lines or _ROWS, size.columns or _COLUMNS

    @property
    def rows(self) -> int:  # type: ignore[override]
        return self.size[0]

    def __enter__(self) -> "Terminal":
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._leave)
        if sys.stdin.isatty():
            self.before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        self._write(_BEGIN)
        return self

    def __exit__(self, *_: object) -> None:
        self._write(_END)
        if self.before is not None:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self.before)
        if self.page is not None:
            print("\n".join(_shown(self.page, self.drawn_size[1])), flush=True)

    def show(self, page: Page) -> None:
        self.page = page
        self.pages += 1
        self._draw()

    def _draw(self) -> None:
        assert self.page is not None
        self.drawn_size = rows, columns = self.size
        lines = [line[: columns - 1] for line in _shown(self.page, columns - 1)[:rows]]
        self._write("\x1b[H" + "\n".join(f"{line}\x1b[K" for line in lines) + "\x1b[J")

    def wait(self, seconds: float) -> None:
        """Draw the page again when the size changes; Left when q is typed, or was meanwhile."""
        end = time.monotonic() + seconds
        while not self.is_left:
            rest = max(end - time.monotonic(), 0)
            self._read_keys(min(rest, _LOOKS))
            if self.page is not None and self.size != self.drawn_size:
                self._draw()
            if not rest and not self.is_left:
                return
        raise Left

    def _leave(self, number: int, frame: FrameType | None) -> None:
        """On a signal: leave when what is done now is done, or, the second time, at once."""
        if self.is_left:
            raise Left
        self.is_left = True

    def _read_keys(self, seconds: float) -> None:
        if self.before is None:
            time.sleep(seconds)
        elif select.select([sys.stdin], [], [], seconds)[0]:
            typed = os.read(sys.stdin.fileno(), 100)
            if not typed or b"q" in typed.lower():
                self.is_left = True

    def _write(self, text: str) -> None:
        print(text, end="", flush=True)


def new_screen() -> Screen:
    """What standard output is."""
    is_able = sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return Terminal() if is_able else Screen()
