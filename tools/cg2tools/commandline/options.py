"""The options that several commands have, which mean the same in all of them.

An option of one command is in the module of its command.
"""

import argparse
from collections.abc import Sequence
from typing import Any

from cg2tools.commandline.option import option, repeated, switch
from cg2tools.commandline.values import (
    data_type,
    event_names,
    numbers,
    percentage,
    whole_number,
    yes_or_no,
)
from cg2tools.profile.cores import (
    HELP,
    NATIVE,
    UnknownCoreError,
    core_path,
    help_lines,
    native,
)
from cg2tools.profile.events import parse_event
from cg2tools.profile.model import EventDefinition
from cg2tools.profile.transform import Substitution, substitution


def _substitution(text: str) -> Substitution:
    try:
        return substitution(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _definition(text: str) -> EventDefinition:
    try:
        event = parse_event(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if not event.terms:
        raise argparse.ArgumentTypeError(f"'{text}'; expected an event as in 'CEst = Ir + 10 Bm'")
    return event


def _processor(text: str) -> str:
    """The name of a table; `help` is no name, and stays."""
    if text == HELP:
        return text
    try:
        name = native() if text == NATIVE else text
        core_path(name)
    except UnknownCoreError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return name


class _Processor(argparse.Action):
    """Keeps the name of a processor; lists all, where they are asked for, and ends the command."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        if values == HELP:
            print("\n".join(help_lines()))
            parser.exit()
        setattr(namespace, self.dest, values)


# ---- Which costs -----------------------------------------------------------

SHOW = option(
    "--show",
    metavar="A,B",
    type=event_names,
    default=[],
    help="columns: these events [all that were recorded; on a terminal as many as leave room for "
    "names]",
)
SORT = option(
    "--sort",
    metavar="A,B",
    type=event_names,
    default=[],
    help="order by A, then by B [the order of the columns]",
)
EVENT = repeated(
    "--event",
    dest="events",
    metavar="'A = B + 2 C'",
    type=_definition,
    help="an event made of others; may be repeated. Built in are L1m, L2m, LLm, Bm and CEst, an "
    "estimate of cycles",
)
PARTS = option("--parts", metavar="1,2", type=numbers, default=[], help="only these parts [all]")
THREADS = option(
    "--threads", metavar="1,2", type=numbers, default=[], help="only these threads [all]"
)
SHOW_PERCS = option(
    "--show-percs",
    type=yes_or_no,
    help="percentages of the total; [yes], but no on a terminal with --columns, where more columns "
    "fit without",
)
SORT_BY_ONE = option(
    "--sort",
    metavar="EVENT",
    default="",
    help="order by this event, which may be one that a formula defines, such as CEst "
    "[the first one recorded]",
)
ROWS = option("--rows", metavar="N", type=whole_number, default=20, help="N rows; 0: all")

INCLUSIVE = option(
    "--inclusive",
    type=yes_or_no,
    default=False,
    help="cost of a function and of all that it calls",
)
FOLD_RECS = option(
    "--fold-recs",
    type=yes_or_no,
    default=True,
    help="a function and its recursion levels (fib, fib'2) are one row",
)

CYCLES = option(
    "--cycles",
    metavar="CPU",
    action=_Processor,
    type=_processor,
    default="",
    help="with an estimate of the cycles that a processor takes, divided among causes (Cyc, CyRet, "
    "CyBr and others); native: this one; help: list them. FILE was made with --dump-instr=yes "
    "--collect-jumps=yes, best with --branch-sim=yes and the --machine",
)

# ---- Names -----------------------------------------------------------------

INLINES = option(
    "--inlines",
    type=yes_or_no,
    default=False,
    help="functions that compilers have put into others are functions of their own, by debug "
    "information: of a profile made with --dump-instr=yes, and for calls --collect-jumps=yes. A "
    "number of calls that is estimated has a ~",
)
MOD_FILENAME = repeated(
    "--mod-filename",
    metavar="s/A/B/",
    type=_substitution,
    help="write B for what the regular expression A matches in names of files; may be repeated",
)
MOD_FUNCNAME = repeated(
    "--mod-funcname",
    metavar="s/A/B/",
    type=_substitution,
    help="write B for what the regular expression A matches in names of functions; may be repeated",
)
NAMES = option(
    "--names",
    choices=("short", "full"),
    default="short",
    help="names of C++ and Rust as people say them, or as the profile has them, as --json does",
)
DATA_TYPE = repeated(
    "--data-type",
    metavar="PATTERN=TYPE",
    type=data_type,
    help="blocks of the heap that functions like PATTERN allocate, or objects of such names, have "
    "this type; may be repeated",
)

# ---- Sources ---------------------------------------------------------------

INCLUDE = repeated(
    "-I", "--include", metavar="DIR", type=str, help="look for sources in DIR too; may be repeated"
)
CONTEXT = option(
    "--context",
    metavar="N",
    type=whole_number,
    default=8,
    help="show N lines around each line that has a cost",
)

# ---- Output ----------------------------------------------------------------

OUTPUT = option(
    "-o",
    "--output",
    metavar="FILE",
    default="",
    help="write to FILE, which appears when it is complete [standard output]",
)
COLOUR = option(
    "--colour",
    "--color",
    choices=("auto", "yes", "no"),
    default="auto",
    help="what has 10 %% in red, 1 %% in yellow; auto: on a terminal where NO_COLOR is not set",
)
JSON = switch("--json", help="for programs, as JSON")
PARTIAL = switch(
    "--partial",
    help="read what there is of a file that was cut off, and say so; exit status 1 then",
)
THRESHOLD = option(
    "--threshold",
    metavar="0..100",
    type=percentage,
    default=99.0,
    help="list functions until they make up this percentage of A; with --inclusive=yes, list those "
    "that have at least the rest of 100 %%",
)
