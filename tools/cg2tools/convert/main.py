"""The commands that write profiles in other formats: convert, rewrite, cycles, types, unfold."""

import argparse
import sys

from cg2tools.commandline.command import Command
from cg2tools.commandline.option import option
from cg2tools.commandline.options import (
    CYCLES,
    DATA_TYPE,
    INLINES,
    NAMES,
    OUTPUT,
    PARTIAL,
    PARTS,
    SHOW,
    THREADS,
)
from cg2tools.commandline.parser import About, Line, Parser
from cg2tools.commandline.values import percentage
from cg2tools.convert.conversion import READERS, STACK_FORMATS, Conversion, convert
from cg2tools.convert.feedback import FEEDBACK_FORMS
from cg2tools.profile.cores import NATIVE

# ---- Options ---------------------------------------------------------------


def _word(text: str) -> str:
    if len(text.split()) != 1:
        raise argparse.ArgumentTypeError(f"'{text}'; expected one word, as in cycles")
    return text


FOR = option(
    "--for",
    dest="reader",
    choices=READERS,
    default="",
    help="the Callgrind format without what this reader cannot take: one part, source lines only, no "
    "jumps",
)
SMALLEST = option(
    "--smallest",
    metavar="0..100",
    type=percentage,
    default=0.01,
    help="callers that bring a function less than this percentage of the total are one, '(small "
    "shares)'",
)
COUNTED = option(
    "--event", metavar="NAME", type=_word, default="samples", help="what folded stacks count"
)
_TO = option("--to", choices=(*STACK_FORMATS, *FEEDBACK_FORMS), default="folded", help="the format")
OBJECT = option(
    "--object",
    metavar="FILE",
    default="",
    help="with --to=bolt, autofdo, llvm, gcc or lcov: the program or shared library that the counts are of "
    "[the program that ran]",
)
OUTPUT_IN_GZIP = OUTPUT.but(
    help="write to FILE, which appears when it is complete; with gzip if its name ends in .gz "
    "[standard output]"
)
INLINED = INLINES.but(
    help="functions that compilers have put into others are functions of their own, by debug "
    "information; FILE was made with --dump-instr=yes --collect-jumps=yes"
)
SHOWN = SHOW.but(help="these events [all; folded: the first recorded one]")
_SHOWN_NAMES = NAMES.but(
    help="names of C++ and Rust as people say them, or as the profile has them; pprof has both"
)

# ---- Words -----------------------------------------------------------------

_NEWEST = """
FILE defaults to the cg2.out.* or callgrind.out.* of the newest run in this directory. Several profiles are
added up.
"""

STACKS = """
The stacks of a file of paths (--contexts=full when profiling) are exact, and all are shown. If some had no
room in it, one line says how much of the cost they have. Those of a profile whose names have all callers
in them are exact, too, unless several levels of a recursion call one function. Other profiles say which
functions call which, not from where. There the cost of a function that is called from several places is
divided among them by what the calls from each place cost. One line says how much of the total that is. In
any case the cost of each function itself, and so the total, is that of the profile. A recursion is shown
to the levels that the profile tells apart; in a circle of functions, each is shown once.
"""

_CONVERT = About(
    name="cg2 convert",
    summary="write the stacks of a profile for other programs",
    usages=("[OPTION...] [FILE...]",),
    description=f"""
Write the stacks of a profile in a format that other programs read.
{_NEWEST}""",
    examples=(
        (
            "cg2 convert cg2.out.4711 | flamegraph.pl > app.svg",
            "a flame graph (or inferno-flamegraph)",
        ),
        ("cg2 convert --to=speedscope -o app.json cg2.out.4711", "for https://www.speedscope.app"),
        ("cg2 convert --to=pprof -o app.pb.gz cg2.out.4711", "for pprof -http=: app.pb.gz"),
        ("cg2 convert --to=chrome -o app.trace.json cg2.out.4711", "for https://ui.perfetto.dev"),
        (
            "cg2 convert --to=firefox -o app.profile.json cg2.out.4711",
            "for https://profiler.firefox.com",
        ),
        (
            "cg2 convert cg2.paths.4711 | flamegraph.pl > app.svg",
            "what --contexts=full wrote: exact",
        ),
    ),
    notes=STACKS,
)

_REWRITE = About(
    name="cg2 rewrite",
    summary="write profiles anew in the Callgrind format",
    usages=("[OPTION...] [FILE...]",),
    description=f"""
Write profiles as one file in the Callgrind format: all of their parts, or some; with inlined functions as
functions; or without what a reader cannot take.
{_NEWEST}""",
    examples=(
        ("cg2 rewrite -o all.out cg2.out.4711 cg2.out.4711.*", "one file with all parts"),
        ("cg2 rewrite --threads=1 -o first.out cg2.out.4711*", "the first thread alone"),
        ("cg2 rewrite --inlines=yes -o inlined.out cg2.out.4711", "inlined functions as functions"),
        (
            "cg2 rewrite --for=gprof2dot cg2.out.4711 | gprof2dot -f callgrind",
            "what that reader can take",
        ),
    ),
)

_CYCLES = About(
    name="cg2 cycles",
    summary="write a profile with an estimate of its cycles",
    usages=("[OPTION...] [FILE...]",),
    description=f"""
Write profiles as one file in the Callgrind format, with cycles that a processor is estimated to take: of
each instruction, divided among causes. All commands and viewers then show them as they show other events.
{_NEWEST}""",
    examples=(
        ("cg2 cycles -o cycles.out cg2.out.4711", "the cycles of this processor"),
        ("cg2 cycles --cycles=zen4 -o cycles.out cg2.out.4711", "those of another"),
        ("cg2 cycles --cycles=help", "the processors, and how far off their estimates were"),
    ),
    notes="""
The profile has to be made with --dump-instr=yes --collect-jumps=yes; with --branch-sim=yes and the
--machine of the processor the estimate knows mispredictions and misses, too. It is an estimate: of changes
below 8 % it claims nothing.
""",
)

_TYPED = About(
    name="cg2 types",
    summary="write a data file with the types of its objects",
    usages=("[OPTION...] [FILE...]",),
    description="""
Write a data file in which each object has its type, and its costs stand at the lines that declare the
members, for viewers of Callgrind profiles.

FILE defaults to the cg2.data.* of the newest run in this directory. Several files are added up.
""",
    examples=(
        (
            "cg2 types -o cg2.typed cg2.data.4711",
            "for kcachegrind cg2.typed: the members of data in the files that declare them",
        ),
        (
            "cg2 types --data-type='main=node' -o cg2.typed cg2.data.4711",
            "what main allocates is a node",
        ),
    ),
)

_UNFOLD = About(
    name="cg2 unfold",
    summary="make a profile of folded stacks",
    usages=("[OPTION...] [FILE...]",),
    description="""
Make a profile in the Callgrind format of folded stacks, which other profilers write.

FILE defaults to standard input. Several files are added up.
""",
    examples=(
        (
            "perf script | stackcollapse-perf.pl | cg2 unfold -o perf.out",
            "for kcachegrind perf.out",
        ),
        (
            "cg2 convert cg2.out.4711 | cg2 unfold --event=Ir -o again.out",
            "the stacks of a profile as a profile",
        ),
    ),
)

# ---- Commands --------------------------------------------------------------


def _convert_parser() -> Parser:
    parser = Parser(_CONVERT)
    parser.take("Stacks", _TO, SHOWN, PARTS, THREADS, SMALLEST, INLINED, _SHOWN_NAMES)
    parser.take("Counts for compilers", OBJECT)
    parser.take("Output", OUTPUT_IN_GZIP, PARTIAL)
    parser.take_files("files", metavar="FILE")
    return parser


def _convert(line: Line) -> int:
    wrong = wrong_with_counts(line, line["to"]) or wrong_with_stacks(line, line["to"])
    if wrong:
        line.parser.error(wrong)
    return convert(Conversion(line, line["to"]))


def wrong_with_counts(line: Line, format: str) -> str:
    """What counts for compilers cannot have, or only they, if it is asked for."""
    if format not in FEEDBACK_FORMS:
        wanted = "|".join(FEEDBACK_FORMS)
        return f"--object with --to={format}; expected --to={wanted}" if line["object"] else ""
    if line["inlines"]:
        return f"--inlines with --to={format}; expected it without, as it has instructions"
    if line["show"]:
        return f"--show with --to={format}; expected it without, as it has counts, no events"
    return ""


def wrong_with_stacks(line: Line, format: str) -> str:
    """What a format of stacks cannot have, if it is asked for."""
    if format == "folded" and len(line["show"]) > 1:
        return (
            f"--show={','.join(line['show'])} with --to=folded, which has one number; expected one "
            "event"
        )
    if format == "pprof" and not line["output"] and sys.stdout.isatty():
        return "--to=pprof to a terminal; expected -o FILE, or a pipe"
    return ""


def _rewrite_parser() -> Parser:
    parser = Parser(_REWRITE)
    shown = SHOW.but(help="with --for, these events [all that this reader takes]")
    parser.take("What is written", FOR, shown, PARTS, THREADS, INLINED, CYCLES)
    parser.take("Output", OUTPUT_IN_GZIP, PARTIAL)
    parser.take_files("files", metavar="FILE")
    return parser


def _rewrite(line: Line) -> int:
    if line["show"] and not line["reader"]:
        line.parser.error("--show without --for; expected both, as the format has all events")
    return convert(Conversion(line, "callgrind"))


def _cycles_parser() -> Parser:
    parser = Parser(_CYCLES)
    parser.take("What is written", CYCLES.but(default=NATIVE), PARTS, THREADS)
    parser.take("Output", OUTPUT_IN_GZIP, PARTIAL)
    parser.take_files("files", metavar="FILE")
    return parser


def _types_parser() -> Parser:
    parser = Parser(_TYPED)
    parser.take("Objects", DATA_TYPE, PARTS, THREADS)
    parser.take("Output", OUTPUT_IN_GZIP, PARTIAL)
    parser.take_files("files", metavar="FILE")
    return parser


def _unfold_parser() -> Parser:
    parser = Parser(_UNFOLD)
    parser.take("", COUNTED, OUTPUT_IN_GZIP, PARTIAL)
    parser.take_files("files", metavar="FILE")
    return parser


CONVERT = Command(_convert_parser, _convert)
REWRITE = Command(_rewrite_parser, _rewrite)
CYCLES_ADDED = Command(_cycles_parser, lambda line: convert(Conversion(line, "callgrind")))
TYPES = Command(_types_parser, lambda line: convert(Conversion(line, "callgrind", types=True)))
UNFOLD = Command(
    _unfold_parser, lambda line: convert(Conversion(line, "callgrind", source="folded"))
)
