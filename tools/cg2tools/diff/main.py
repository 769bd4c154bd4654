"""The commands on differences: diff, trend, gate."""

import argparse
import os
from dataclasses import replace

from cg2tools.commandline.command import Command
from cg2tools.commandline.option import option, repeated, switch
from cg2tools.commandline.options import (
    CYCLES,
    DATA_TYPE,
    INLINES,
    JSON,
    MOD_FILENAME,
    MOD_FUNCNAME,
    NAMES,
    PARTIAL,
    ROWS,
    SORT_BY_ONE,
)
from cg2tools.commandline.parser import About, Line, Parser
from cg2tools.commandline.values import percentage, yes_or_no
from cg2tools.diff.asked import given_by
from cg2tools.diff.baselines import DIRECTORY, baseline_name
from cg2tools.diff.difference import diff
from cg2tools.diff.limits import Limit, parse_limit
from cg2tools.diff.systems import EXCLUDABLE

# ---- Options ---------------------------------------------------------------


def _limit(text: str) -> Limit:
    try:
        return parse_limit(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _baseline(text: str) -> str:
    try:
        return baseline_name(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _excluded(text: str) -> list[str]:
    causes = text.split(",")
    if not set(causes) <= set(EXCLUDABLE):
        raise argparse.ArgumentTypeError(f"'{text}'; expected {' or '.join(EXCLUDABLE)}, or both")
    return causes


SORT = SORT_BY_ONE.but(
    help="this event; may be one that a formula defines, such as CEst [the first one recorded; of "
    "data files, misses]"
)
ROWS_OF_TABLES = ROWS.but(help="N rows in each table; 0: all")
SMALLEST = option(
    "--smallest",
    metavar="0..100",
    type=percentage,
    help="leave rows out that differ by less than this percentage of OLD's total [0.01; 0.05 with "
    "--markdown]",
)
FAIL_ABOVE = repeated(
    "--fail-above",
    metavar="LIMIT",
    type=_limit,
    help="exit status 3 if a cost is above it; may be repeated:\n"
    "1%%        the total grew by more than 1 %%\n"
    "Dr=2%%     so did the total of the event Dr\n"
    "Dr=50000  the total of Dr is more than 50,000\n"
    "f:Ir=3%%   what the function f costs itself grew by more\n"
    "f:inclusive:Ir=3%%\n"
    "          so did what it costs with what it calls\n"
    "In a trend, of its total, from the last but one to the last",
)
LIMITS = repeated(
    "--limits",
    metavar="FILE",
    type=str,
    help="limits in a file of TOML, such as cg2-limits.toml; may be repeated",
)
SAVE_BASELINE = option(
    "--save-baseline",
    metavar="NAME",
    type=_baseline,
    help="keep NEW, or the newest profile here, as NAME, unless a cost is above its limit; it is "
    "compared with OLD, or with what was kept before",
)
BASELINE = option("--baseline", metavar="NAME", type=_baseline, help="NAME is OLD")
BASELINES = option(
    "--baselines", metavar="DIRECTORY", default=DIRECTORY, help="where baselines are kept"
)
OLD_RUNS = option(
    "--old",
    metavar="FILE",
    nargs="+",
    help="runs of OLD, each with another --layout: costs are their mean, and each difference is real or "
    "within layout",
)
NEW_RUNS = option("--new", metavar="FILE", nargs="+", help="runs of NEW")
FOLD_PATHS = option(
    "--fold-paths",
    type=yes_or_no,
    default=True,
    help="files and objects are told by the last part of their path, the program by NEW's name",
)
FOLD_CLONES = option(
    "--fold-clones",
    type=yes_or_no,
    default=True,
    help="copies that the compiler makes of a function, as f.constprop.0, f.isra.0 and f.part.0, are "
    "f",
)
FOLD_TEMPLATES = option(
    "--fold-templates",
    type=yes_or_no,
    default=False,
    help="instances of a template are one function",
)
EXPLAIN = switch(
    "--explain",
    help="why the totals differ: causes that add up to the difference, at the functions that "
    "themselves behave otherwise",
)
EXCLUDE = option(
    "--exclude",
    metavar="CAUSES",
    type=_excluded,
    help="with --explain or limits, leave out what happened in the allocator, the linker or both: "
    "allocator,linker; the difference shrinks, too",
)
JSON_ROWS = JSON.but(help="for programs, as JSON, all rows")
MARKDOWN = switch("--markdown", help="for a comment on a pull request")
HTML = option(
    "--html",
    metavar="FILE",
    help="a trend as a page for a browser, also of two profiles; - is standard output",
)
JUNIT = option("--junit", metavar="FILE", help="what limits say, as JUnit's XML for CI systems")
GITHUB = switch("--github", help="costs above their limits as annotations of GitHub")

RULES = FOLD_PATHS, FOLD_CLONES, FOLD_TEMPLATES, MOD_FILENAME, MOD_FUNCNAME, DATA_TYPE
"""What has one name in both profiles."""

# ---- Words -----------------------------------------------------------------

ALIKE = """
Both profiles need the same positions; events that only one has are left out, as a line says. Files and
objects are told by the last part of their path, the program by NEW's name. Recursion levels (fib, fib'2) are
one function. A function that is the only one of its object and name in both is the
same whatever its file. Lines that moved in their file are compared where they are now, also where they are
inlined: distances, texts (where both sources are there), calls and costs tell. A function without a name
is named by its address, which changes from build to build:
--mod-funcname='s/^0x[0-9a-f]+$/unnamed/'.
"""

DATA_AND_PATHS = """
Of two data files, show what differs by data object, by member or offset, and by the code that touches
these: what a changed layout has done. Of two files of paths (--contexts=full when profiling), show what
differs by function and by path of calls.
"""

IN_ORDER = """
Files of a directory are taken in the order of their names, 9 before 10, but for hidden ones and those
called .html. A trend may also have what cg2 annotate --json wrote, in files called .json.
"""

STATUS = (
    "0; 1 if a file cannot be read or is cut off, or the two cannot be compared, which one line says; 2 "
    "if an option is wrong."
)
GATE_STATUS = (
    "0; 1 if a file cannot be read or is cut off, the two cannot be compared, or a limit is for what is "
    "not there; 2 if an option is wrong; 3 if a cost is above its limit."
)

LIMITS_FILE = (
    "Limits",
    """
A file of limits has a table for the total, and one for each function or pattern of functions, in which *
and ? stand for other letters:

    [total]
    Ir = "1%"
    DLmr = ["5%", 20000]

    [functions."parse"]
    Ir = "3%"
    inclusive.Ir = 500000

A percentage is how much more than in OLD a cost may be, a figure how much it may be. A function is named
as the comparison shows it or as the profile has it, alone, behind its file (app.c:parse) or with its
object, too; all functions of the name are meant. What only NEW has cannot have grown, and has limits in
figures alone. What is in neither is an error.
""",
)

_DIFF = About(
    name="cg2 diff",
    summary="show what differs between two profiles",
    usages=("[OPTION...] OLD NEW",),
    description="""
Show what differs between two profiles, OLD and NEW, by function, line and call: what was added, removed
and changed, what has most effect on the total first.
""",
    examples=(
        ("cg2 diff cg2.out.before cg2.out.after", "compare two builds of a program"),
        ("cg2 diff --markdown main.out pr.out >comment.md", "for a pull request"),
        ("cg2 diff --json main.out pr.out", "for programs"),
        ("cg2 diff --explain main.out pr.out", "why the total differs"),
        ("cg2 diff --sort=D1mr cg2.out.1 cg2.out.2", "compare read misses"),
        ("cg2 diff --fold-templates=yes old new", "f<int> and f<long> are one function"),
        (
            "cg2 diff --mod-funcname='s/_v[0-9]+$//' old new",
            "parse_v1 and parse_v2 are one too",
        ),
        ("cg2 diff cg2.paths.4711 cg2.paths.4712", "compare paths of calls"),
    ),
    notes=DATA_AND_PATHS + ALIKE,
    status=STATUS,
)

_TREND = About(
    name="cg2 trend",
    summary="show what functions cost in one profile after the other",
    usages=("[OPTION...] PROFILE...", "[OPTION...] DIRECTORY"),
    description="""
Show what each function that changed costs in one profile after the other, as over commits.
""",
    examples=(
        ("cg2 trend v1.out v2.out v3.out", "over three versions"),
        ("cg2 trend --html=trend.html commits/", "of all in a directory, as a page for a browser"),
    ),
    notes=IN_ORDER,
    status=STATUS,
)

_GATE = About(
    name="cg2 gate",
    summary="say whether a profile costs more than it may",
    usages=(
        "[OPTION...] OLD NEW",
        "[OPTION...] --baseline=NAME [NEW]",
        "[OPTION...] --save-baseline=NAME [OLD] [NEW]",
        "[OPTION...] PROFILE PROFILE PROFILE...",
    ),
    description="""
Compare two profiles as cg2 diff does, or more as cg2 trend does, and say with the exit status whether
costs are above their limits. For CI. OLD may be a baseline, which is a profile that is kept by name.
""",
    examples=(
        (
            "cg2 gate --fail-above=1% main.out pr.out",
            "exit status 3 if NEW costs 1 % more than OLD",
        ),
        (
            "cg2 gate --fail-above=1% --markdown main.out pr.out >comment.md",
            "the same, for a pull request",
        ),
        (
            "cg2 gate --limits=cg2-limits.toml main.out pr.out",
            "limits for functions and events",
        ),
        ("cg2 gate --save-baseline=main main.out", "keep a profile by name,"),
        ("cg2 gate --baseline=main --fail-above=5% pr.out", "and compare others with it"),
    ),
    notes=ALIKE,
    status=GATE_STATUS,
    details=(LIMITS_FILE,),
)

# ---- Commands --------------------------------------------------------------


def _diff_parser() -> Parser:
    parser = Parser(_DIFF)
    parser.take("What is compared", SORT, ROWS_OF_TABLES, SMALLEST, CYCLES)
    parser.take("Why it differs", EXPLAIN, EXCLUDE)
    parser.take("What has one name in both", *RULES[1:-1])
    parser.take("Output", NAMES, INLINES, PARTIAL, one_of=(JSON_ROWS, MARKDOWN))
    parser.accept(FOLD_PATHS)
    parser.take_files("profiles", metavar="PROFILE")
    return parser


def _diff(line: Line) -> int:
    if len(line["profiles"]) != 2:
        line.parser.error("expected two profiles, OLD and NEW; cg2 trend follows more")
    check_explained(line)
    return diff(given_by(line))


def check_runs(line: Line) -> None:
    """An error if runs are given of one side alone, or beside profiles."""
    if bool(line["old"]) != bool(line["new"]):
        line.parser.error("--old and --new go together; expected both")
    if line["old"] and (line["profiles"] or line["baseline"] or line["save_baseline"]):
        line.parser.error("--old and --new say what is compared; expected no profile beside them")


def check_explained(line: Line) -> None:
    """An error if what is asked for does not belong to an explanation, or has none."""
    has_limits = line["fail_above"] or line["limits"]
    if line["exclude"] and not (line["explain"] or has_limits):
        line.parser.error("--exclude leaves causes out; expected --explain or limits, too")
    if not line["explain"]:
        return
    for name in (
        "sort",
        "smallest",
        "inlines",
        "html",
        "junit",
        "fail_above",
        "limits",
        "save_baseline",
    ):
        if line[name]:
            said = name.replace("_", "-")
            line.parser.error(f"--{said} does not go with --explain; expected one of the two")


def _trend_parser() -> Parser:
    parser = Parser(_TREND)
    parser.take("What is shown", SORT, ROWS_OF_TABLES, SMALLEST, CYCLES)
    parser.take("What has one name in all of them", *RULES[1:-1])
    parser.take("Output", NAMES, INLINES, PARTIAL, one_of=(JSON_ROWS, MARKDOWN, HTML))
    parser.accept(FOLD_PATHS)
    parser.take_files("profiles", metavar="PROFILE")
    return parser


def _trend(line: Line) -> int:
    if not line["profiles"]:
        line.parser.error("expected two profiles or more, or a directory of them")
    return diff(replace(given_by(line), follows=True))


def _gate_parser() -> Parser:
    parser = Parser(_GATE)
    parser.take("Limits", FAIL_ABOVE, LIMITS, EXCLUDE, JUNIT, GITHUB)
    parser.take("Baselines", BASELINE, SAVE_BASELINE, BASELINES)
    parser.take(
        "What is compared",
        SORT,
        ROWS_OF_TABLES,
        MOD_FILENAME,
        MOD_FUNCNAME,
    )
    parser.take("Output", PARTIAL, one_of=(JSON_ROWS, MARKDOWN))
    parser.accept(FOLD_TEMPLATES)
    parser.take_files("profiles", metavar="PROFILE")
    return parser


def gate(line: Line) -> int:
    """Compare, and say whether costs are above their limits."""
    check_runs(line)
    if not line["old"]:
        _check_profiles(line)
    check_explained(line)
    if line["explain"] and not line["old"] and len(line["profiles"]) + bool(line["baseline"]) != 2:
        line.parser.error("--explain compares two profiles; expected OLD and NEW")
    if line["junit"] and not (line["fail_above"] or line["limits"]):
        line.parser.error("--junit=FILE writes what limits say; expected --fail-above or --limits")
    return diff(given_by(line))


def _check_profiles(line: Line) -> None:
    """An error if what is said to be compared is too little or too much."""
    profiles = line["profiles"]
    if line["baseline"] and len(profiles) > 1:
        line.parser.error("with --baseline, expected one profile, which is compared with it")
    if line["save_baseline"] and len(profiles) > 2:
        line.parser.error("with --save-baseline, expected one profile or two")
    if line["baseline"] or line["save_baseline"]:
        return
    if not profiles or (len(profiles) == 1 and not os.path.isdir(profiles[0])):
        line.parser.error("expected two profiles or more, or a directory of them")


DIFF = Command(_diff_parser, _diff)
TREND = Command(_trend_parser, _trend)
GATE = Command(_gate_parser, gate)
