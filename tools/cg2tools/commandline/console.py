"""What all commands share: their standard streams, and reading arguments."""

import io
import json
import os
import re
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cg2tools.profile.terms import printable


def be_a_quiet_filter() -> None:
    """End silently on a closed pipe or Control-C; pass names' bytes through."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")


def _open_closed_streams() -> None:
    """Keep the numbers of standard streams that are closed from files that are opened later.

    To read standard input or to write standard output fails then, and messages go nowhere.
    """
    for number, way in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, way)  # gets the lowest number that is free
    sys.stdout = sys.stdout or open(1, "w", closefd=False)
    sys.stderr = sys.stderr or open(2, "w", closefd=False)


@contextmanager
def output_written() -> Iterator[None]:
    """Write out what was printed, also where a parser ends the program: OSError if that fails."""
    try:
        yield
    finally:
        sys.stdout.flush()


def drop_output() -> None:
    """Let Python's flush at exit succeed: else it changes the exit status."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


_PATIENCE = 2.0
"""For so many seconds a terminal is not told what takes time."""


def json_lines(described: object) -> list[str]:
    """JSON in lines, of which none is divided at what Unicode takes for a line's end."""
    return json.dumps(described, indent=1).split("\n")


RED, YELLOW, PLAIN = "\ud800", "\ud801", "\ud802"
"""Where a line changes its colour.  No text has these letters, whatever bytes it was made of."""

_COLOURS = {RED: "\x1b[1;31m", YELLOW: "\x1b[33m", PLAIN: "\x1b[0m"}

_OBEYED = re.compile(
    "[\0-\x08\x0b\x0d-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udc9f\U000e0000-\U000e0fff]"
)
"""What a terminal obeys, what changes the order of letters, and what cannot be seen; tabs, ends of lines and
pages stay."""


def on_terminal(line: str) -> str:
    """A text as a terminal may have it, whatever names and texts are in it: with our colours alone."""
    if line.isprintable():
        return line
    return _OBEYED.sub(lambda found: _COLOURS.get(found[0]) or printable(found[0]), line)


def write_shown(write: Callable[[str], None]) -> None:
    """Have `write` write a file to standard output; a terminal is shown it as text, whatever is in it."""
    if not sys.stdout.isatty():
        write("-")
        return
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "shown")
        write(path)
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as lines:
            sys.stdout.writelines(map(on_terminal, lines))


class Progress:
    """How far a long task is: on a terminal, after two seconds, on stderr."""

    def __init__(self, command: str, task: str) -> None:
        self.text = printable(f"{command}: {task}")
        self.is_shown = sys.stderr.isatty()
        self.next = time.monotonic() + _PATIENCE
        self.width = 0

    def __call__(self, done: int, all: int) -> None:
        """`done` of `all` is done; 0: it is not known how much there is."""
        if self.is_shown and time.monotonic() >= self.next:
            self.next += 0.2
            self._print(f"{self.text}: {100 * done // all} %" if all else f"{self.text}: {done:,}")

    def end(self) -> None:
        """Leave the line empty, as it was."""
        if self.width:
            self._print("")
            self._print("")

    def _print(self, text: str) -> None:
        print(
            "\r" + text.ljust(self.width), end="\r" if not text else "", file=sys.stderr, flush=True
        )
        self.width = len(text)


class Busy:
    """A long task that cannot say how far it is: on a terminal, the seconds that it takes.

    with Busy("cg2_diff", "comparing"):
        ...
    """

    def __init__(self, command: str, task: str) -> None:
        self.text = printable(f"{command}: {task}")
        self.is_done = threading.Event()
        self.thread = threading.Thread(target=self._tell, daemon=True)

    def __enter__(self) -> None:
        if sys.stderr.isatty():
            self.thread.start()

    def __exit__(self, *_: object) -> None:
        self.is_done.set()
        if self.thread.ident is not None:
            self.thread.join()

    def _tell(self) -> None:
        start = time.monotonic()
        width = 0
        wait = _PATIENCE
        while not self.is_done.wait(wait):
            text = f"{self.text}: {time.monotonic() - start:.0f} s"
            width = max(width, len(text))
            print("\r" + text, end="", file=sys.stderr, flush=True)
            wait = 0.5
        if width:
            print("\r" + " " * width, end="\r", file=sys.stderr, flush=True)
