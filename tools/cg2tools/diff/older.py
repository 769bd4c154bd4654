"""The command line of cg2_diff, which had all that cg2 diff, cg2 trend and cg2 gate have now."""

from cg2tools.commandline.command import Command
from cg2tools.commandline.options import CYCLES, INLINES, NAMES, PARTIAL
from cg2tools.commandline.parser import About, Parser
from cg2tools.diff.main import (
    ALIKE,
    BASELINE,
    BASELINES,
    DATA_AND_PATHS,
    EXCLUDE,
    EXPLAIN,
    FAIL_ABOVE,
    GATE_STATUS,
    GITHUB,
    HTML,
    IN_ORDER,
    JSON_ROWS,
    JUNIT,
    LIMITS,
    LIMITS_FILE,
    MARKDOWN,
    NEW_RUNS,
    OLD_RUNS,
    ROWS_OF_TABLES,
    RULES,
    SAVE_BASELINE,
    SMALLEST,
    SORT,
    gate,
)

_ABOUT = About(
    name="cg2_diff",
    summary="show what differs between two profiles, or in many",
    usages=(
        "[OPTION...] OLD NEW",
        "[OPTION...] --baseline=NAME [NEW]",
        "[OPTION...] PROFILE PROFILE PROFILE...",
        "[OPTION...] DIRECTORY",
    ),
    description="""
Show what differs between two profiles, OLD and NEW, by function, line and call: what was added, removed
and changed, what has most effect on the total first.

Of more profiles, or of those in a directory, show what each function that changed costs in one after the
other: a trend, as over commits.

This is the command line of cg2 diff, trend and gate in one, for scripts that have it.
""",
    examples=(
        ("cg2_diff cg2.out.before cg2.out.after", "compare two builds of a program"),
        (
            "cg2_diff --fail-above=1% main.out pr.out",
            "exit status 3 if NEW costs more than 1 % more than OLD: for CI",
        ),
        (
            "cg2_diff --fail-above=1% --markdown main.out pr.out >comment.md",
            "the same, for a pull request",
        ),
        (
            "cg2_diff --limits=cg2-limits.toml main.out pr.out",
            "limits for functions and events",
        ),
        ("cg2_diff --json main.out pr.out", "the same, for programs"),
        ("cg2_diff --save-baseline=main main.out", "keep a profile by name,"),
        ("cg2_diff --baseline=main pr.out", "and compare others with it"),
        ("cg2_diff --sort=D1mr cg2.out.1 cg2.out.2", "compare read misses"),
        ("cg2_diff --fold-templates=yes old new", "f<int> and f<long> are one function"),
        (
            "cg2_diff --mod-funcname='s/_v[0-9]+$//' old new",
            "parse_v1 and parse_v2 are one too",
        ),
        ("cg2_diff cg2.paths.4711 cg2.paths.4712", "compare paths of calls"),
        ("cg2_diff v1.out v2.out v3.out", "a trend over three versions"),
        (
            "cg2_diff --html=trend.html commits/",
            "the same of all in a directory, as a page for a browser",
        ),
    ),
    notes=DATA_AND_PATHS + IN_ORDER + ALIKE,
    status=GATE_STATUS,
    details=(LIMITS_FILE,),
)


def _parser() -> Parser:
    parser = Parser(_ABOUT)
    parser.take(
        "What is compared",
        SORT,
        ROWS_OF_TABLES,
        SMALLEST,
        CYCLES,
        OLD_RUNS,
        NEW_RUNS,
        FAIL_ABOVE,
        LIMITS,
    )
    parser.take("Why it differs", EXPLAIN, EXCLUDE)
    parser.take(
        "Baselines, which are profiles that are kept by name", SAVE_BASELINE, BASELINE, BASELINES
    )
    parser.take("What has one name in both", *RULES)
    parser.take(
        "Output", JUNIT, GITHUB, NAMES, INLINES, PARTIAL, one_of=(JSON_ROWS, MARKDOWN, HTML)
    )
    parser.take_files("profiles", metavar="PROFILE")
    return parser


CG2_DIFF = Command(_parser, gate)
