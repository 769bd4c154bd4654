"""What each report of annotate/ is asked for: which costs of which parts, and how they are shown."""

import os
import shutil
import sys
from dataclasses import dataclass, field, fields
from typing import Any

from cg2tools.commandline.parser import Line
from cg2tools.profile.model import EventDefinition
from cg2tools.profile.transform import Substitution


@dataclass(frozen=True, slots=True)
class Choice:
    """Which costs: an empty `show` is all events recorded and those of `events`, an empty `sort`
    those shown."""

    show: list[str] = field(default_factory=list)
    sort: list[str] = field(default_factory=list)
    events: list[EventDefinition] = field(default_factory=list)
    show_percs: bool = True
    columns: str = "event"  # or part, thread
    parts: list[int] = field(default_factory=list)  # empty is all
    threads: list[int] = field(default_factory=list)
    cycles: str = ""  # the processor, if they are estimated on the way
    mod_filename: list[Substitution] = field(default_factory=list)
    mod_funcname: list[Substitution] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Screen:
    """How costs are shown: as JSON, or as lines that a terminal has room for."""

    colour: bool = False
    width: int = 80  # characters of a line
    terminal: bool = False  # only what fits into the width is shown
    names: str = "short"  # or full
    json: bool = False

    @property
    def table_width(self) -> int:
        """The characters of a row; 0: as many as it has."""
        return self.width if self.terminal else 0

    @property
    def full_names(self) -> bool:
        return self.names == "full"


@dataclass(frozen=True, slots=True)
class Asked:
    """What a report is asked for."""

    choice: Choice = field(default_factory=Choice)
    screen: Screen = field(default_factory=Screen)
    overview: bool = False  # the first answer, in place of lists


def choice_of(line: Line) -> Choice:
    """The costs that a command line asks for."""
    found = _taken(Choice, line.values)
    if found.get("show_percs") is None:
        is_wide = not sys.stdout.isatty() or found.get("columns", "event") == "event"
        found["show_percs"] = is_wide
    return Choice(**found)


def screen_of(line: Line) -> Screen:
    """How a command line wants costs to be shown."""
    found = _taken(Screen, line.values)
    found["terminal"] = sys.stdout.isatty()
    found["width"] = shutil.get_terminal_size().columns
    is_usual = found["terminal"] and not os.environ.get("NO_COLOR")  # no-color.org
    found["colour"] = line["colour"] == "yes" or line["colour"] == "auto" and is_usual
    return Screen(**found)


def _taken(kind: type[Any], values: dict[str, Any]) -> dict[str, Any]:
    """The values that are fields of a class."""
    return {each.name: values[each.name] for each in fields(kind) if each.name in values}
