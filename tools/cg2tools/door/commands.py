"""The commands by name: those behind `cg2`, and the scripts cg2_NAME.

A command is imported when it is run, so that it starts as fast as if there were no others.
"""

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from cg2tools.commandline.parser import Parser

DOOR = {
    "annotate": "annotate.main.ANNOTATE",
    "files": "annotate.main.FILES",
    "threads": "annotate.main.THREADS_APART",
    "data": "annotate.answers.DATA",
    "paths": "annotate.answers.PATHS",
    "misses": "annotate.answers.MISSES",
    "summary": "annotate.answers.SUMMARY",
    "check": "annotate.answers.CHECK",
    "diff": "diff.main.DIFF",
    "trend": "diff.main.TREND",
    "gate": "diff.main.GATE",
    "report": "report.main.REPORT",
    "merge": "merge.main.MERGE",
    "convert": "convert.main.CONVERT",
    "rewrite": "convert.main.REWRITE",
    "types": "convert.main.TYPES",
    "cycles": "convert.main.CYCLES_ADDED",
    "unfold": "convert.main.UNFOLD",
    "control": "control.main.CONTROL",
    "top": "control.main.TOP",
}
"""What `cg2 NAME` runs."""

SCRIPTS = {
    "cg2_annotate": "annotate.older.CG2_ANNOTATE",
    "cg2_control": "control.main.CG2_CONTROL",
    "cg2_convert": "convert.older.CG2_CONVERT",
    "cg2_diff": "diff.older.CG2_DIFF",
    "cg2_merge": "merge.main.MERGE",
    "cg2_report": "report.main.CG2_REPORT",
}
"""What the script of a name runs."""

OF_THE_DOOR = {
    "first-screen": "annotate.main.FIRST_SCREEN",
    "join-layouts": "merge.layouts.JOIN_LAYOUTS",
}
"""What the door shows of a program that it has profiled, and how it joins the profiles of several runs."""

_DOOR_OPTION = "--command="
"""With it, a script is told by the door which command to run."""


class Runs(Protocol):
    """A command, whatever it is about."""

    @property
    def parser(self) -> "Makes":
        ...

    def run(self, arguments: list[str], places: Sequence[Path]) -> int:
        ...


class Makes(Protocol):
    """What makes a parser."""

    def __call__(self) -> Parser:
        ...


def found(place: str) -> Runs:
    """The command that is in a place of the tables."""
    module, _, name = place.rpartition(".")
    command: Runs = getattr(importlib.import_module(f"cg2tools.{module}"), name)
    return command


def run(script: str, arguments: list[str], directory: Path) -> int:
    """Run what a script in a directory stands for, or what the door says; the exit status."""
    place = SCRIPTS[script]
    if arguments and arguments[0].startswith(_DOOR_OPTION):
        place = (DOOR | OF_THE_DOOR)[arguments[0].removeprefix(_DOOR_OPTION)]
        arguments = arguments[1:]
    # vgdb is beside valgrind, in a prefix of its own, or where it was built.
    prefix = directory.parent
    return found(place).run(
        arguments, [directory, prefix / "libexec" / "cg2", prefix / ".in_place"]
    )
