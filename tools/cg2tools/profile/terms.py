"""What all that is known of a profile is made of: costs, names, events, what a header says."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

Cost = list[int]

UNKNOWN = "???"
"""The name of an object or a file that the profile does not know."""

STARTED, OBJECTS, INLINED = "Started", "Objects", "Inlined functions"
"""Kinds of descriptions: when the run began, and which files ran, which program/ran.py reads; that the
profile was taken apart."""

THREADS = "Threads"
"""The kind of description that has the names of threads: "1 main", "2 reader, writer", with tabs between."""


def add_cost(total: Cost, cost: Sequence[int]) -> None:
    """Add `cost` to `total`, which is changed."""
    for index, number in enumerate(cost):
        total[index] += number


class ProfileError(Exception):
    """A file that is not a proper profile; `str()` is "path:line: message".

    The line is 0, and not said, where none is to blame.
    """

    def __init__(self, path: str, line: int, message: str) -> None:
        self.path = path
        self.line = line
        self.message = printable(message)
        place = f"{path}:{line}" if line else path
        super().__init__(printable(f"{place}: {self.message}"))


class CutOff(ProfileError):
    """A file that has lost its end; what is left of it can be read."""


def printable(text: str) -> str:
    """A text in one line that does nothing to a terminal, whatever is in it.

    Bytes that are no UTF-8 stay, but for those that some terminals obey.
    """
    return text if text.isprintable() else "".join(map(_printable, text))


def _printable(letter: str) -> str:
    if letter.isprintable() or "\udca0" <= letter <= "\udcff":
        return letter
    if "\udc80" <= letter <= "\udc9f":
        return f"\\x{ord(letter) & 0xFF:02x}"
    return repr(letter)[1:-1]


def say(line: str) -> None:
    """Tell stderr a line, whatever names are in it."""
    print(printable(line), file=sys.stderr)


def readable(name: str) -> str:
    """A name in which bytes that are no UTF-8 are replaced."""
    if name.isascii():
        return name
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def shortened(text: str) -> str:
    """The beginning of a piece of a file, for a message."""
    return text if len(text) <= 60 else text[:57] + "..."


def counted(number: int, noun: str) -> str:
    """A number of things: "1 other part", "21 other parts"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def thread_said(number: int, name: str = "") -> str:
    """A thread as a person knows it: "2 (reader)"."""
    return f"{number} ({name})" if name else str(number)


def names_of_threads(parts: Iterable["Header"]) -> dict[int, str]:
    """What the threads of several parts are called; those of one number may have several names."""
    found: dict[int, dict[str, None]] = {}
    for part in parts:
        for number, names in part.thread_names.items():
            found.setdefault(number, {}).update(dict.fromkeys(names.split(", ")))
    return {number: ", ".join(names) for number, names in sorted(found.items())}


class FunctionKey(NamedTuple):
    """What identifies a function.  Names are as written, "fib'2" included."""

    object: str
    file: str
    name: str

    def __str__(self) -> str:
        """The function as in "main.c:main [/bin/app]"."""
        name = f"{self.file}:{self.name}"
        return name if self.object == UNKNOWN else f"{name} [{self.object}]"


@dataclass(slots=True)
class EventDefinition:
    """An `event:` line: a long name for an event, or an event made of others.

    A derived event is the sum of its `terms`, (factor, event name) each; an
    event that is recorded has none.
    """

    name: str
    terms: list[tuple[int, str]]
    long_name: str


@dataclass(slots=True)
class Header:
    """What a part of a profile says of itself."""

    path: str
    pid: int | None = None
    cmd: str = ""
    part: int | None = None
    thread: int | None = None
    descriptions: dict[str, str] = field(default_factory=dict)
    estimated: frozenset[str] = frozenset()
    """Names, without recursion levels, of inlined functions whose calls are estimated."""
    skipped: dict[str, int] = field(default_factory=dict)
    """How often functions were called that the user wanted left out."""
    positions: list[str] = field(default_factory=lambda: ["line"])
    events: list[str] = field(default_factory=list)
    event_definitions: dict[str, EventDefinition] = field(default_factory=dict)
    summary: Cost | None = None
    totals: Cost | None = None
    line_of: dict[str, int] = field(default_factory=dict)
    """Where in the file "version", "positions", "events", "summary" and "totals"
    stand."""
    borrowed: tuple[int, str] | None = None
    """The first use of an id that only an earlier part defines: line, id."""

    @property
    def thread_names(self) -> dict[int, str]:
        """What the program calls its threads, by their numbers; one may have several names."""
        said = (word.partition(" ") for word in self.descriptions.get(THREADS, "").split("\t"))
        names = {int(number): name for number, _, name in said if number.isdecimal() and name}
        if self.thread is None:
            return names
        return {number: name for number, name in names.items() if number == self.thread}

    def is_estimated(self, name: str) -> bool:
        """Whether the number of calls of a function of this name, with or without level, is estimated."""
        if not self.estimated:
            return False
        bare, _, level = name.rpartition("'")
        return name in self.estimated or level.isdigit() and bare in self.estimated

    @property
    def is_data(self) -> bool:
        """Whether the file is a data file: its functions with costs are what a program stores data in."""
        return "Data" in self.descriptions

    @property
    def partial(self) -> str:
        """What is said of the files of which some is cut off; "": all is there."""
        said = self.descriptions.get("Partial", "")
        return said and f"{self.path}: {said}"

    def faults_of_sums(self, total: Sequence[int]) -> Iterator["ProfileError"]:
        """What is not consistent where the functions of the part cost `total`."""
        if self.borrowed:
            line, name = self.borrowed
            yield ProfileError(
                self.path,
                line,
                f"{name} is defined in an earlier part only; "
                "expected a definition in each part that uses it",
            )
        for key, stated in (("summary", self.summary), ("totals", self.totals)):
            for event, said, found in zip(self.events, stated or [], total):
                if said != found:
                    yield ProfileError(
                        self.path,
                        self.line_of[key],
                        f"{key}: says {said} {event}, but the self costs add "
                        f"up to {found}; expected the same",
                    )
