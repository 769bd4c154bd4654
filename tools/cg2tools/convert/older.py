"""The command line of cg2_convert, which has all of cg2 convert, rewrite, cycles, types, unfold."""

from cg2tools.commandline.command import Command
from cg2tools.commandline.option import option
from cg2tools.commandline.options import (
    CYCLES,
    DATA_TYPE,
    NAMES,
    PARTIAL,
    PARTS,
    THREADS,
)
from cg2tools.commandline.parser import About, Line, Parser
from cg2tools.commandline.values import yes_or_no
from cg2tools.convert.conversion import STACK_FORMATS, Conversion, convert
from cg2tools.convert.feedback import FEEDBACK_FORMS
from cg2tools.convert.main import (
    COUNTED,
    FOR,
    INLINED,
    OBJECT,
    OUTPUT_IN_GZIP,
    SHOWN,
    SMALLEST,
    STACKS,
    wrong_with_counts,
    wrong_with_stacks,
)

_ABOUT = About(
    name="cg2_convert",
    summary="write a profile in a format that other programs read",
    usages=("[OPTION...] [FILE...]",),
    description="""
Write a profile in a format that other programs read.

This is the command line of cg2 convert, rewrite, cycles, types and unfold in one, for scripts that have it.
""",
    examples=(
        (
            "cg2_convert cg2.out.4711 | flamegraph.pl > app.svg",
            "a flame graph (or inferno-flamegraph)",
        ),
        (
            "cg2_convert --to=speedscope -o app.json cg2.out.4711",
            "for https://www.speedscope.app",
        ),
        ("cg2_convert --to=pprof -o app.pb.gz cg2.out.4711", "for pprof -http=: app.pb.gz"),
        (
            "cg2_convert --to=chrome -o app.trace.json cg2.out.4711",
            "for https://ui.perfetto.dev",
        ),
        (
            "cg2_convert --to=firefox -o app.profile.json cg2.out.4711",
            "for https://profiler.firefox.com",
        ),
        (
            "cg2_convert cg2.paths.4711 | flamegraph.pl > app.svg",
            "what --contexts=full wrote: exact",
        ),
        (
            "cg2_convert --to=callgrind -o all.out cg2.out.4711 cg2.out.4711.*",
            "one file with all parts",
        ),
        (
            "cg2_convert --types=yes -o cg2.typed cg2.data.4711",
            "for kcachegrind cg2.typed: the members of data in the files that declare them",
        ),
        (
            "cg2_convert --for=gprof2dot cg2.out.4711 | gprof2dot -f callgrind",
            "what that reader can take",
        ),
        (
            "cg2_convert --inlines=yes -o inlined.out cg2.out.4711",
            "inlined functions as functions",
        ),
        (
            "cg2_convert --cycles=zen4 -o cycles.out cg2.out.4711",
            "with an estimate of cycles",
        ),
        (
            "perf script | stackcollapse-perf.pl | cg2_convert --from=folded -o perf.out",
            "for kcachegrind perf.out",
        ),
    ),
    notes="""
FILE defaults to the cg2.out.* or callgrind.out.* of the newest run in this directory, with --types=yes to
its cg2.data.*, with --from=folded to standard input. Several profiles are added up.
"""
    + STACKS,
)

_TO = option(
    "--to", choices=(*STACK_FORMATS, *FEEDBACK_FORMS, "callgrind"), help="the format [folded]"
)
_FROM = option(
    "--from",
    dest="source",
    choices=("callgrind", "folded"),
    default="callgrind",
    help="what FILE is",
)
_TYPES = option(
    "--types",
    type=yes_or_no,
    default=False,
    help="of a data file: each object with its type, its costs at the lines that declare the members; "
    "the Callgrind format",
)


def _parser() -> Parser:
    parser = Parser(_ABOUT)
    parser.take("Formats", _TO, FOR, _FROM, _TYPES, DATA_TYPE)
    parser.take(
        "What is written",
        OUTPUT_IN_GZIP,
        SHOWN,
        PARTS,
        THREADS,
        SMALLEST,
        OBJECT,
        COUNTED,
        INLINED.but(
            help="functions that compilers have put into others are functions of their own, by debug "
            "information; the Callgrind format, unless --to says another"
        ),
        CYCLES,
        NAMES.but(
            default="",
            help="in stacks, names of C++ and Rust as people say them, or as the profile has them; "
            "pprof has both [short]",
        ),
        PARTIAL,
    )
    parser.take_files("files", metavar="FILE")
    return parser


def _work(line: Line) -> int:
    to = line["to"]
    if to is None:
        is_profile = line["source"] == "folded" or line["reader"]
        to = (
            "callgrind"
            if is_profile or line["types"] or line["inlines"] or line["cycles"]
            else "folded"
        )
    wrong = _contradiction(line, to)
    if wrong:
        line.parser.error(wrong)
    return convert(Conversion(line, to, line["source"], line["types"]))


def _contradiction(line: Line, to: str) -> str:
    """What options ask for and cannot be had together, if anything."""
    if line["types"] and (to != "callgrind" or line["reader"] or line["source"] == "folded"):
        return "--types=yes with another format; expected it alone, as it writes a data file"
    if line["data_type"] and not line["types"]:
        return "--data-type without --types=yes; expected both"
    if line["reader"] and to != "callgrind":
        return (
            f"--to={to} with --for={line['reader']}, which writes the "
            "Callgrind format; expected one of them"
        )
    if line["source"] == "folded" and to != "callgrind":
        return (
            f"--from=folded with --to={to}; expected --to=callgrind, "
            "as other programs read folded stacks themselves"
        )
    if line["source"] == "folded" and (line["parts"] or line["threads"]):
        return (
            "--parts or --threads with --from=folded; expected a profile, "
            "as folded stacks have neither"
        )
    if line["cycles"] and (line["source"] == "folded" or line["types"]):
        return (
            "--cycles with --from=folded or --types=yes; expected a profile, which has instructions"
        )
    if line["source"] == "folded" and line["inlines"]:
        return (
            "--inlines with --from=folded; expected a profile, as folded stacks have no addresses"
        )
    if to == "callgrind" and line["show"] and not line["reader"]:
        return (
            "--show with --to=callgrind, which writes all events; "
            "expected --for, or another format"
        )
    if to == "callgrind" and line["names"]:
        return (
            f"--names={line['names']} with --to=callgrind, which has names as the "
            "profile has them; expected another format"
        )
    return wrong_with_counts(line, to) or wrong_with_stacks(line, to)


CG2_CONVERT = Command(_parser, _work)
