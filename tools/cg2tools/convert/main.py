"""The command cg2_convert: a profile in, another format or one line of error out."""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from cg2tools.commandline.command import Command
from cg2tools.commandline.console import Busy
from cg2tools.commandline.inputs import (
    check_sums,
    newest_data_file,
    newest_profile,
    read_shown,
    say_cut_off,
)
from cg2tools.commandline.option import option
from cg2tools.commandline.options import (
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
from cg2tools.commandline.values import percentage, yes_or_no
from cg2tools.data.objects import DataFile
from cg2tools.data.typed import shown_types
from cg2tools.data.typedfile import typed_text
from cg2tools.debug.inlines import shown_apart
from cg2tools.profile.libcg2profile import FULL_NAMES, FULL_POSITIONS
from cg2tools.profile.model import Part, Profile, ProfileError
from cg2tools.profile.outputfile import write_apart
from cg2tools.profile.reader import read_folded, read_profile
from cg2tools.profile.stacks import CHROME, FIREFOX, FOLDED, PPROF, SPEEDSCOPE, Stacks
from cg2tools.profile.transform import added_up, as_file, chosen, simplified

_COMMAND = "cg2_convert"

_STACK_FORMATS = {
    "folded": FOLDED,
    "speedscope": SPEEDSCOPE,
    "pprof": PPROF,
    "chrome": CHROME,
    "firefox": FIREFOX,
}
_BY_LINE = ("pprof", "firefox")
_READERS = ("speedscope", "gprof2dot", "gungraun")

_GUNGRAUN_EVENTS = frozenset(
    "Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw ILdmr DLdmr DLdmw Bc Bcm Bi Bim Ge "
    "sysCount sysTime sysCpuTime AcCost1 AcCost2 SpLoss1 SpLoss2".split()
)

_ABOUT = About(
    name="cg2_convert",
    summary="write a profile in a format that other programs read",
    usages=("[OPTION...] [FILE...]",),
    description="""
Write a profile in a format that other programs read.
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
            "perf script | stackcollapse-perf.pl | cg2_convert --from=folded -o perf.out",
            "for kcachegrind perf.out",
        ),
    ),
    notes="""
FILE defaults to the newest cg2.out.* or callgrind.out.* in this directory, with --types=yes to the newest
cg2.data.*, with --from=folded to standard input. Several profiles are added up.

The stacks of a file of paths (--contexts=full when profiling) are exact, and all are shown. Those of a
profile are exact if it was made with --separate-callers=100, unless several levels of a recursion call
one function. Other profiles say which functions call which, not from where: the cost of a function that
is called from several places is divided among them by what the calls from each place cost, and one line
says how much of the total that is. In any case the cost of each function itself, and so the total, is that
of the profile. A recursion is shown to the levels that the profile tells apart; in a circle of functions,
each is shown once.
""",
)

_TO = option("--to", choices=(*_STACK_FORMATS, "callgrind"), help="the format [folded]")
_FOR = option(
    "--for",
    dest="reader",
    choices=_READERS,
    default="",
    help="the Callgrind format without what this reader cannot take: one part, source lines only, no "
    "jumps",
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
_SMALLEST = option(
    "--smallest",
    metavar="0..100",
    type=percentage,
    default=0.01,
    help="callers that bring a function less than this percentage of the total are one, '(small "
    "shares)'",
)


def _word(text: str) -> str:
    if len(text.split()) != 1:
        raise argparse.ArgumentTypeError(f"'{text}'; expected one word, as in cycles")
    return text


_COUNTED = option(
    "--event", metavar="NAME", type=_word, default="samples", help="what folded stacks count"
)


def _parser() -> Parser:
    parser = Parser(_ABOUT)
    parser.take("Formats", _TO, _FOR, _FROM, _TYPES, DATA_TYPE)
    parser.take(
        "What is written",
        OUTPUT.but(
            help="write to FILE, which appears when it is complete; with gzip if its name ends in "
            ".gz [standard output]"
        ),
        SHOW.but(help="these events [all; folded: the first recorded one]"),
        PARTS,
        THREADS,
        _SMALLEST,
        _COUNTED,
        INLINES.but(
            help="functions that compilers have put into others are functions of their own, by debug "
            "information; FILE was made with --dump-instr=yes --collect-jumps=yes; the Callgrind "
            "format, unless --to says another"
        ),
        NAMES.but(
            default="",
            help="in stacks, names of C++ and Rust as people say them, or as the profile has them; "
            "pprof has both [short]",
        ),
        PARTIAL,
    )
    parser.take_files("files", metavar="FILE")
    return parser


@dataclass(frozen=True, slots=True)
class _Given:
    """What the command line says."""

    files: list[str]
    to: str
    reader: str
    source: str
    output: str
    show: list[str]
    parts: list[int]
    threads: list[int]
    smallest: float
    event: str
    inlines: bool
    names: str  # "" is short
    types: bool
    data_type: list[tuple[str, str]]
    partial: bool


def _convert(given: _Given) -> int:
    profile = _input(given)
    write = (
        _stack_writer(profile, given)
        if given.to in _STACK_FORMATS
        else _profile_writer(profile, given)
    )
    if given.output:
        with Busy(_COMMAND, f"writing {given.output}"):
            write_apart(given.output, write)
    else:
        write("-")
    return 1 if given.partial and profile.cut_off else 0


def _input(given: _Given) -> Profile:
    if given.source == "folded":
        return added_up([_folded(path, given) for path in given.files or ["-"]])
    newest = newest_data_file if given.types else newest_profile
    profiles = [
        read_shown(_COMMAND, path, partial=given.partial, paths=True)
        for path in given.files or [newest(_COMMAND)]
    ]
    for profile in profiles:
        check_sums(profile)
        _check_paths(profile, given)
    profile = added_up(profiles)
    if given.inlines:
        profile = shown_apart(_COMMAND, profile)
    for kind, wanted in (("part", given.parts), ("thread", given.threads)):
        if wanted:
            profile = chosen(profile, kind, set(wanted))
    return profile


def _check_paths(profile: Profile, given: _Given) -> None:
    """Paths become stacks alone."""
    if profile.parts[0].has_paths and given.to not in _STACK_FORMATS:
        wanted = f"a profile, or --to={'|'.join(_STACK_FORMATS)}"
        raise ProfileError(profile.path, 1, f"paths of calls; expected {wanted}")


def _folded(path: str, given: _Given) -> Profile:
    profile = read_folded(path, given.event, given.partial)
    if given.partial:
        say_cut_off(profile)
    return profile


# ---- Formats ---------------------------------------------------------------


def _profile_writer(profile: Profile, given: _Given) -> Callable[[str], None]:
    """What writes the Callgrind format to a file."""
    if given.types:
        return as_file(_typed(profile, given)).write
    if not given.reader:
        return as_file(profile).write
    plain = _for_reader(profile.merged(), given).lines.profile
    return lambda path: plain.write(path, FULL_NAMES | FULL_POSITIONS)


def _typed(profile: Profile, given: _Given) -> Profile:
    """A data file with types, read as others will read it."""
    data = DataFile(profile)
    coverage = shown_types(data, given.data_type)
    for line in filter(None, coverage.lines() or coverage.reasons):
        print(f"{_COMMAND}: {line.strip()}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "typed")
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as stream:
            stream.writelines(f"{line}\n" for line in typed_text(data))
        return read_profile(path)


def _stack_writer(profile: Profile, given: _Given) -> Callable[[str], None]:
    """What writes the stacks to a file."""
    part = profile.merged()
    form, events = _STACK_FORMATS[given.to], _events(part, given.show)
    with Busy(_COMMAND, "making stacks"):
        smallest = 0 if part.has_paths else given.smallest / 100
        stacks = Stacks(part, smallest, given.to in _BY_LINE)
    guess = stacks.guess()
    if guess:
        print(f"{_COMMAND}: {guess}", file=sys.stderr)
    is_full = given.names == "full"
    return lambda path: stacks.write(path, form, events, profile.partial, is_full)


def _events(part: Part, show: list[str]) -> list[int]:
    """The columns to write."""
    for event in show:
        if event not in part.events:
            raise ProfileError(
                part.path,
                part.line_of.get("events", 1),
                f"no event {event}; " f"expected one of {', '.join(part.events)}",
            )
    return [part.events.index(event) for event in show or part.events]


def _for_reader(part: Part, given: _Given) -> Part:
    events = [part.events[event] for event in _events(part, given.show)]
    if given.reader == "gungraun":
        unknown = [event for event in events if event not in _GUNGRAUN_EVENTS]
        events = [event for event in events if event not in unknown]
        if not events:
            raise ProfileError(
                part.path,
                part.line_of.get("events", 1),
                "gungraun knows none "
                f"of the events ({' '.join(unknown)}); expected Ir or others "
                "of Callgrind's",
            )
        if unknown:
            print(
                f"{_COMMAND}: without {' '.join(unknown)}, which gungraun " "does not know",
                file=sys.stderr,
            )
    return simplified(part, events, alike=given.reader != "gprof2dot")


# ---- Arguments -------------------------------------------------------------


def _work(line: Line) -> int:
    values = dict(line.values)
    if values["to"] is None:
        is_profile = values["source"] == "folded" or values["reader"]
        is_better = values["types"] or values["inlines"]
        values["to"] = "callgrind" if is_profile or is_better else "folded"
    given = _Given(**values)
    wrong = _contradiction(given)
    if wrong:
        line.parser.error(wrong)
    return _convert(given)


def _contradiction(given: _Given) -> str:
    """What options ask for and cannot be had together, if anything."""
    if given.types and (given.to != "callgrind" or given.reader or given.source == "folded"):
        return "--types=yes with another format; expected it alone, as it writes a data file"
    if given.data_type and not given.types:
        return "--data-type without --types=yes; expected both"
    if given.reader and given.to != "callgrind":
        return (
            f"--to={given.to} with --for={given.reader}, which writes the "
            "Callgrind format; expected one of them"
        )
    if given.source == "folded" and given.to != "callgrind":
        return (
            f"--from=folded with --to={given.to}; expected --to=callgrind, "
            "as other programs read folded stacks themselves"
        )
    if given.source == "folded" and (given.parts or given.threads):
        return (
            "--parts or --threads with --from=folded; expected a profile, "
            "as folded stacks have neither"
        )
    if given.source == "folded" and given.inlines:
        return (
            "--inlines with --from=folded; expected a profile, as folded stacks have no addresses"
        )
    if given.to == "folded" and len(given.show) > 1:
        return (
            f"--show={','.join(given.show)} with --to=folded, which has "
            "one number; expected one event"
        )
    if given.to == "callgrind" and given.show and not given.reader:
        return (
            "--show with --to=callgrind, which writes all events; "
            "expected --for, or another format"
        )
    if given.to == "callgrind" and given.names:
        return (
            f"--names={given.names} with --to=callgrind, which has names as the "
            "profile has them; expected another format"
        )
    if given.to == "pprof" and not given.output and sys.stdout.isatty():
        return "--to=pprof to a terminal; expected -o FILE, or a pipe"
    return ""


CONVERT = Command(_parser, _work)
