"""The command line of cg2_annotate, which had all that the commands of annotate/ have now.

Its options are theirs, and some that say which of them is meant: --data, --paths, --summary.
"""

import argparse
from collections.abc import Callable

from cg2tools.annotate.answers import (
    DATA_OBJECT,
    callgrind_text,
    check,
    data,
    misses,
    paths,
    run_summary,
)
from cg2tools.annotate.main import ASM, AUTO, COLUMNS, INCLUSIVE_COST, TREE, VIEW, lists
from cg2tools.commandline.command import Command
from cg2tools.commandline.option import option, switch
from cg2tools.commandline.options import (
    COLOUR,
    CONTEXT,
    CYCLES,
    DATA_TYPE,
    EVENT,
    FOLD_RECS,
    INCLUDE,
    INCLUSIVE,
    INLINES,
    JSON,
    MOD_FILENAME,
    MOD_FUNCNAME,
    NAMES,
    PARTIAL,
    PARTS,
    SHOW,
    SHOW_PERCS,
    SORT,
    THREADS,
    THRESHOLD,
)
from cg2tools.commandline.parser import About, Line, Parser
from cg2tools.commandline.values import event_names, percentage
from cg2tools.profile.checks import KINDS

_ABOUT = About(
    name="cg2_annotate",
    summary="show the cost of a profile by function and source line",
    usages=("[OPTION...] [FILE...] [SOURCE...]", "--check[=calls] FILE..."),
    description="""
Show where the cost of a profile lies: first the twenty functions that cost most, with their inclusive
cost. The options about functions and lines ask for lists: all functions, their callers, their source
files line by line.

This is the command line of cg2 annotate, threads, files, misses, data, paths, summary and check in one,
for scripts that have it.

FILE defaults to the cg2.out.* or callgrind.out.* of the newest run in this directory, with --data to the
cg2.data.*, with --paths to the cg2.paths.* of it. SOURCE is a source file to annotate: its name in the
profile, or the end of it.
""",
    examples=(
        ("cg2_annotate", "the newest run in this directory"),
        ("cg2_annotate cg2.out.4711", "this profile"),
        ("cg2_annotate cg2.out.4711 cg2.out.4712", "both, added up"),
        ("cg2_annotate --threshold=99 cg2.out.4711", "all functions that matter"),
        ("cg2_annotate --auto=yes cg2.out.4711", "and their sources, line by line"),
        ("cg2_annotate --inclusive=yes cg2.out.4711", "with the cost of what they call"),
        ("cg2_annotate --tree=both cg2.out.4711", "with their callers and callees"),
        (
            "cg2_annotate --sort=D1mr --show=Ir,D1mr cg2.out.4711",
            "most read misses first, two columns",
        ),
        ("cg2_annotate --event='E = Ir + 9 D1mr' cg2.out.4711", "a column made of others"),
        ("cg2_annotate --columns=thread cg2.out.4711", "a column for each thread"),
        ("cg2_annotate --asm=yes cg2.out.4711", "machine code, with --dump-instr=yes"),
        (
            "cg2_annotate --miss-curve cg2.out.4711",
            "misses over the size of the cache, with --cache-sweep=D:8k..1m",
        ),
        ("cg2_annotate -I ../src cg2.out.4711", "look for sources in ../src too"),
        ("cg2_annotate cg2.out.4711 main.c", "functions, and this source file"),
        (
            "cg2_annotate --summary cg2.out.*",
            "what each process and thread of a run cost, and all together",
        ),
        (
            "cg2_annotate --data cg2.data.4711",
            "the data that misses most, and the code that touches it",
        ),
        (
            "cg2_annotate --paths cg2.paths.4711",
            "the paths of calls that cost most, with --contexts=full",
        ),
        ("cg2_annotate --check cg2.out.*", "are these files as they should be?"),
    ),
    notes=INCLUSIVE_COST,
)


def _data_events(text: str) -> list[str]:
    """What objects are sorted by; nothing of a bare --data."""
    return event_names(text) if text else []


_MISS_CURVE = switch("--miss-curve", help="curves of misses, as cg2 misses draws them")
_DATA = option(
    "--data",
    metavar="EVENT",
    nargs="?",
    const="",
    type=_data_events,
    help="data objects, as cg2 data shows them: what misses most, or has most of EVENT",
)
_PATHS = switch("--paths", help="paths of calls, as cg2 paths shows them")
_SUMMARY = switch("--summary", help="processes and threads, as cg2 summary shows them")
_CALLGRIND = switch(
    "--callgrind",
    help="the text of callgrind_annotate, for scripts that read it: recursion levels and files of "
    "inlined code apart, --auto=yes, --sort=A:50,B:9 with thresholds. Without what "
    "callgrind_annotate does not have: other columns and views, machine code, curves of misses",
)
_CHECK = option(
    "--check",
    nargs="?",
    choices=KINDS,
    const=KINDS[0],
    default="",
    help="say of each FILE whether it is as it should be, as cg2 check does; with calls, also "
    "whether the calls of each function cost what it does. Exit status 1 if one is not",
)


def _parser() -> Parser:
    """What the command takes."""
    parser = Parser(_ABOUT)
    parser.take("What is counted", SHOW, SORT, EVENT, CYCLES, PARTS, THREADS, COLUMNS)
    parser.take(
        "Functions (each asks for lists)",
        *(THRESHOLD, SHOW_PERCS, INCLUSIVE, TREE, FOLD_RECS, INLINES, VIEW),
        *(MOD_FILENAME, MOD_FUNCNAME),
    )
    parser.take("Lines (each asks for lists)", AUTO, ASM, CONTEXT, INCLUDE)
    parser.take("Instead of lists", _SUMMARY, _MISS_CURVE, _PATHS, _DATA, DATA_OBJECT, DATA_TYPE)
    parser.take("Output", COLOUR, NAMES, JSON, _CALLGRIND, PARTIAL, _CHECK)
    parser.take_files("files")
    return parser


def _annotate(line: Line) -> int:
    """Do what the command does that is meant."""
    _check_thresholds(line)
    wrong = next((text for text in _refused(line) if text), "")
    if wrong:
        line.parser.error(wrong)
    if line["data"]:
        line.values["sort"] = line["data"]
    meant: tuple[tuple[bool, Callable[[Line], int]], ...] = (
        (bool(line["check"]), check),
        (line["paths"], paths),
        (line["callgrind"], callgrind_text),
        (line["summary"], run_summary),
        (_asks_for_data(line), data),
        (line["miss_curve"], misses),
    )
    for is_meant, work in meant:
        if is_meant:
            return work(line)
    return lists(line, line.has("threshold"))


# ---- What does not go together ---------------------------------------------

_LISTS = "inclusive", "tree", "view", "auto", "asm", "context", "include", "miss_curve"
"""Options that ask for lists of functions and lines, beside a threshold, and for curves."""


def _asks_for_data(line: Line) -> bool:
    return line.has("data", "data_object", "data_type")


def _check_thresholds(line: Line) -> None:
    """With --callgrind, an event of --sort may have a threshold: Ir:50."""
    thresholds = [text.partition(":")[2] for text in line["sort"] if ":" in text]
    for threshold in thresholds if line["callgrind"] else ():
        try:
            percentage(threshold)
        except argparse.ArgumentTypeError as error:
            line.parser.error(f"argument --sort: {error}")


def _refused(line: Line) -> list[str]:
    """What is said of options that belong to different commands, in their order; "" of others."""
    is_data = _asks_for_data(line)
    has_view = line.differs("view")
    return [
        _summary_with(line) if line["summary"] else "",
        "--data=EVENT and --sort; expected one of them" if line["data"] and line["sort"] else "",
        _data_with(line) if is_data else "",
        _paths_with(line, is_data) if line["paths"] else "",
        _callgrind_with(line) if line["callgrind"] else "",
        _either(line["miss_curve"] and line.differs("columns"), "--miss-curve and --columns"),
        (
            f"--view={line['view']}, which has self costs, with --inclusive or --tree; expected one "
            "of them"
            if has_view and line.differs("inclusive", "tree")
            else ""
        ),
        (
            "--json with --asm or --view; expected one of them, as JSON has functions and lines"
            if line["json"] and (line["asm"] or has_view)
            else ""
        ),
        (
            "--cycles or --inlines with --check, --data or --summary; expected one of them"
            if (line["inlines"] or line["cycles"]) and (line["check"] or line["summary"] or is_data)
            else _either(line["check"] and line["partial"], "--check and --partial")
        ),
    ]


def _either(is_wrong: bool, options: str) -> str:
    return f"{options}: expected one of them" if is_wrong else ""


def _summary_with(line: Line) -> str:
    if not (line.has(*_LISTS, "threshold", "callgrind") or line.differs("columns")):
        return ""
    return (
        "--summary with --callgrind, --columns, --miss-curve or an option about functions or lines; "
        "expected one of them"
    )


def _data_with(line: Line) -> str:
    if not (line.has(*_LISTS, "summary", "callgrind", "check") or line.differs("columns")):
        return ""
    return (
        "--data with --callgrind, --check, --columns, --miss-curve, --summary or an option about "
        "functions or lines; expected one of them"
    )


def _paths_with(line: Line, is_data: bool) -> str:
    others = "summary", "callgrind", "check", "parts", "threads", "mod_filename", "mod_funcname"
    if not (is_data or line.has(*_LISTS, *others) or line.differs("columns", "inlines", "cycles")):
        return ""
    return (
        "--paths with --callgrind, --check, --columns, --cycles, --data, --inlines, --miss-curve, --parts, "
        "--summary, --threads, a name to change or an option about functions or lines; expected one "
        "of them"
    )


def _callgrind_with(line: Line) -> str:
    if not line.differs("json", "miss_curve", "asm", "events", "view", "columns", "cycles"):
        return ""
    return (
        "--callgrind with --json, --miss-curve, --asm, --event, --view, --columns or --cycles, which "
        "callgrind_annotate does not have; expected one of them"
    )


CG2_ANNOTATE = Command(_parser, _annotate)
