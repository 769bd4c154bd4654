"""The commands that control programs which run under cg2: control, top."""

import argparse
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cg2tools.commandline.console import be_a_quiet_filter, drop_output, output_written
from cg2tools.commandline.option import option, switch
from cg2tools.commandline.parser import About, Line, Parser
from cg2tools.commandline.values import on_or_off
from cg2tools.control.control import Wanted, control, fail
from cg2tools.control.runs import ControlError
from cg2tools.control.top import Watching

# ---- Options ---------------------------------------------------------------


def _hint(text: str) -> str:
    if not text.isprintable() or len(text.encode(errors="replace")) > 1000:
        raise argparse.ArgumentTypeError("expected one line of at most 1000 bytes")
    return text


def _event_names(text: str) -> str:
    if text and not all(text.split(",")):
        raise argparse.ArgumentTypeError(f"'{text}'; expected events as in Ir,Dr")
    return text


def _seconds(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text)):
        raise argparse.ArgumentTypeError(f"'{text}'; expected a number of seconds, 1 or more")
    return int(text)


def _interval(text: str) -> float:
    if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", text) is None or not float(text):
        raise argparse.ArgumentTypeError(f"'{text}'; expected seconds as in 2 or 0.5")
    return float(text)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 7 and int(text)):
        raise argparse.ArgumentTypeError(f"'{text}'; expected a number, 1 or more")
    return int(text)


def _event(text: str) -> str:
    if not (text.isascii() and text.isalnum()):
        raise argparse.ArgumentTypeError(f"'{text}'; expected an event as in Ir")
    return text


_LONG = {"-d": "--dump", "-e": "--events", "-i": "--instr"}


def with_values(arguments: list[str]) -> Iterator[str]:
    """Join options with the word after them where that is their value."""
    words = iter(arguments)
    word = next(words, None)
    while word is not None:
        following = next(words, None)
        if word == "--":
            yield word
            yield from [] if following is None else [following, *words]
            return
        option = _LONG.get(word, word)
        if option not in _LONG.values():
            yield word
        elif following is not None and following[:1].isalpha():
            yield f"{option}={following}"
            following = next(words, None)
        else:
            yield f"{option}="
        word = following


_STAT = switch("-s", "--stat", help="threads, events, functions and basic blocks")
_BACK = switch("-b", "--back", help="the active functions of each thread, innermost first")
_EVENTS = option(
    "-e",
    "--events",
    metavar="A,B",
    nargs="?",
    type=_event_names,
    help="event counts since the last profile [all events]",
)
_DUMP = option(
    "-d",
    "--dump",
    metavar="HINT",
    nargs="?",
    type=_hint,
    help="write a profile and count on from zero",
)
_ZERO = switch("-z", "--zero", help="count on from zero")
_INSTR = option("-i", "--instr", type=on_or_off, help="switch counting on or off")
_KILL = switch("-k", "--kill", help="write a profile, then kill the program")
_TOP = switch(
    "--top",
    help="the functions by what they cost since the last time, and what they cost in all, themselves "
    "and inclusive",
)
_INTERVAL = option("--interval", metavar="SECONDS", type=_interval, default=2.0, help="how often")
_COUNT = option("--count", metavar="N", type=_number, help="N times")
_ROWS = option(
    "--rows", metavar="N", type=_number, help="N functions [20; on a terminal what has room]"
)
_SORT = option(
    "--sort", metavar="EVENT", type=_event, help="by this event [the first one recorded]"
)
_WATCHING = _INTERVAL, _COUNT, _ROWS, _SORT
_NAMES = option(
    "--names",
    choices=("short", "full"),
    help="with -b or --top, names of C++ and Rust as people say them, or as the program has them "
    "[short]",
)
_ALL = switch(
    "--all",
    help="all programs that run under cg2, other users' too; -d, -z, -i and -k want it, or names, unless "
    "there is one program, and it is yours",
)
_VGDB_PREFIX = option(
    "--vgdb-prefix",
    metavar="PREFIX",
    help="if valgrind was given this option, the same value",
)
_TIMEOUT = option(
    "--timeout",
    metavar="SECONDS",
    type=_seconds,
    default=30,
    help="give up on a program that does not answer",
)
_VERBOSE = switch("-v", dest="verbose", help="say which command is sent")

# ---- Words -----------------------------------------------------------------

_STATUS = (
    "0; 1 if something could not be shown or done, which one line says for each program; 2 if an "
    "option is wrong."
)
_WORDS = """
The word after -e or -d belongs to it if it begins with a letter: write `{name} -d -- app' to dump app, or
name its process id.
"""


def _examples(name: str) -> tuple[tuple[str, str], ...]:
    return (
        (name, "list the programs that run under cg2"),
        (f"{name} -s -b 4711", "counts of process 4711, and where it is"),
        (
            f"{name} -e -b app",
            "event counts of app: each thread's total, and the functions that are active",
        ),
        (f"{name} -e Ir,Dw", "these events only, of all programs"),
        (
            f"{name} --dump=loaded 4711",
            "write a profile now, and count on from zero; `loaded' stands in its `desc: Trigger:' "
            "line",
        ),
        (f"{name} -z 4711", "forget what was counted up to now"),
        (f"{name} -i off app", "stop counting: app runs faster"),
        (f"{name} -k app", "write a profile of app, and kill it"),
    )


_DESCRIPTION = """
Show what programs that run under cg2 are doing, and steer them. All of them, or those named by process id
or program.
"""
_CONTROL = About(
    name="cg2 control",
    summary="observe and control programs that run under cg2",
    usages=("[OPTION...] [PID|PROGRAM...]",),
    description=_DESCRIPTION,
    examples=_examples("cg2 control"),
    notes=_WORDS.format(name="cg2 control"),
    status=_STATUS,
)
_OLDER = About(
    name="cg2_control",
    summary=_CONTROL.summary,
    usages=_CONTROL.usages,
    description=_DESCRIPTION
    + "\nThis is the command line of cg2 control and cg2 top in one, for scripts that have it.\n",
    examples=(
        *_examples("cg2_control"),
        ("cg2_control --top app", "the functions of app that cost most now"),
    ),
    notes=_WORDS.format(name="cg2_control"),
    status=_STATUS,
)
_WATCH = About(
    name="cg2 top",
    summary="show again and again which functions of a program cost most",
    usages=("[OPTION...] [PID|PROGRAM]",),
    description="""
Show the functions of a program that runs under cg2 by what they cost since the last time, and what they
cost in all, themselves and inclusive. It shows them again and again, until the program ends or q is typed.
""",
    examples=(
        ("cg2 top", "of the only program that runs under cg2"),
        ("cg2 top --interval=0.5 app", "of app, twice a second"),
        ("cg2 top --count=1 --sort=D1mr 4711", "once, by read misses"),
    ),
    status=_STATUS,
)

# ---- Commands --------------------------------------------------------------

_SHOWN = "What is shown; may be combined"
_DONE = "What is done; one at a time"
_AGAIN = "What is shown again and again, of one program, until it ends or q is typed"


def _control_parser() -> Parser:
    parser = Parser(_CONTROL)
    names = _NAMES.but(
        help="with -b, names of C++ and Rust as people say them, or as the program has them [short]"
    )
    parser.take(_SHOWN, _STAT, _BACK, _EVENTS, names)
    parser.take(_DONE, _DUMP, _ZERO, _INSTR, _KILL)
    parser.take("Programs", _ALL, _VGDB_PREFIX, _TIMEOUT, _VERBOSE)
    parser.take_files("programs")
    return parser


def _top_parser() -> Parser:
    parser = Parser(_WATCH)
    names = _NAMES.but(
        help="names of C++ and Rust as people say them, or as the program has them [short]"
    )
    parser.take("What is shown", *_WATCHING, names)
    parser.take("Programs", _VGDB_PREFIX, _TIMEOUT)
    parser.take_files("programs")
    return parser


def _older_parser() -> Parser:
    parser = Parser(_OLDER)
    parser.take(_SHOWN, _STAT, _BACK, _EVENTS)
    parser.take(_AGAIN, _TOP, *_WATCHING)
    parser.take(_DONE, _DUMP, _ZERO, _INSTR, _KILL)
    parser.take("Programs and names", _ALL, _NAMES, _VGDB_PREFIX, _TIMEOUT, _VERBOSE)
    parser.take_files("programs")
    return parser


def _wanted(line: Line) -> Wanted:
    wanted = _alone(line)
    if wanted.names is not None and not wanted.back:
        line.parser.error("--names goes with -b")
    return wanted


def _alone(line: Line) -> Wanted:
    """What is shown or done, of which one thing goes at a time."""
    of_top = [option.name for option in (_TOP, *_WATCHING)]
    values = {name: value for name, value in line.values.items() if name not in of_top}
    wanted = Wanted(line.command, **values)
    if len(wanted.requests()) + wanted.shows() > 1:
        line.parser.error("-d, -z, -i and -k go one at a time, and not together with -s, -b or -e")
    if wanted.all and wanted.programs:
        line.parser.error("--all with a PID or PROGRAM; expected one of them")
    return wanted


def _watched(line: Line) -> Wanted:
    return Wanted(
        line.command,
        programs=line["programs"],
        timeout=line["timeout"],
        vgdb_prefix=line["vgdb_prefix"],
        watching=Watching(
            line["interval"],
            line["count"] or 0,
            line["rows"] or 0,
            line["sort"],
            line["names"] == "full",
        ),
    )


def _older(line: Line) -> Wanted:
    """What cg2 control or, with --top, cg2 top is asked for."""
    wanted = _alone(line)
    if line["top"] and (wanted.requests() or wanted.shows()):
        line.parser.error("--top goes with none of -s, -b, -e, -d, -z, -i and -k")
    watches = [option.flags[0] for option in _WATCHING if line.has(option.name)]
    if watches and not line["top"]:
        line.parser.error(f"{watches[0]} goes with --top")
    if wanted.names is not None and not (line["top"] or wanted.back):
        line.parser.error("--names goes with --top or -b")
    return _watched(line) if line["top"] else wanted


@dataclass(frozen=True, slots=True)
class Setting:
    """Where runs are looked for.

    `places` are directories where vgdb may be, before those of PATH. `tool` is whose runs are
    controlled. `proc` is where the system shows its processes.
    """

    places: Sequence[Path]
    tool: str = "cg2"
    proc: Path = Path("/proc")


@dataclass(frozen=True, slots=True)
class Controlling:
    """A command that controls programs: `read` says what a command line asks for."""

    parser: Callable[[], Parser]
    read: Callable[[Line], Wanted]

    def run(self, arguments: list[str], places: Sequence[Path]) -> int:
        """Run the command; return its exit status."""
        return self.run_in(arguments, Setting(places))

    def run_in(self, arguments: list[str], setting: Setting) -> int:
        """The same elsewhere than in the system."""
        parser = self.parser()
        be_a_quiet_filter()
        try:
            with output_written():
                wanted = self.read(parser.line(list(with_values(arguments))))
                return control(wanted, setting.places, setting.tool, setting.proc)
        except ControlError as error:
            return fail(parser.prog, str(error))
        except OSError as error:
            drop_output()
            return fail(parser.prog, f"standard output: {error.strerror}")


CONTROL = Controlling(_control_parser, _wanted)
TOP = Controlling(_top_parser, _watched)
CG2_CONTROL = Controlling(_older_parser, _older)
