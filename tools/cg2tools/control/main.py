"""The command cg2_control: observe and control programs that run under cg2."""

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cg2tools import VERSION
from cg2tools.commandline.console import Parser, be_a_quiet_filter, drop_output, output_written
from cg2tools.control.runs import ControlError, Run, Vgdb, find_runs, find_vgdb
from cg2tools.control.status import Status, backtraces, parse_status, statistics, totals
from cg2tools.control.top import Watching, watch

_HELP = """\
usage: cg2_control [OPTION...] [PID|PROGRAM...]

Show what programs that run under cg2 are doing, and steer them. All of them,
or those named by process id or program.

  cg2_control                     list the programs that run under cg2
  cg2_control -s -b 4711          counts of process 4711, and where it is
  cg2_control -e -b app           event counts of app: each thread's total,
                                  and the functions that are active
  cg2_control -e Ir,Dw            these events only, of all programs
  cg2_control --dump=loaded 4711  write a profile now, and count on from zero;
                                  `loaded' stands in its `desc: Trigger:' line
  cg2_control -z 4711             forget what was counted up to now
  cg2_control -i off app          stop counting: app runs faster
  cg2_control -k app              write a profile of app, and kill it
  cg2_control --top app           the functions of app that cost most now

What is shown; may be combined:
  -s, --stat             threads, events, functions and basic blocks
  -b, --back             the active functions of each thread, innermost first
  -e [A,B], --events[=A,B]
                         event counts since the last profile      [all events]

What is shown again and again, of one program, until it ends or q is typed:
  --top                  the functions by what they cost since the last time,
                         and what they cost in all, themselves and inclusive
  --interval=SECONDS     how often                                         [2.0]
  --count=N              N times
  --rows=N               N functions        [20; on a terminal what has room]
  --sort=EVENT           by this event                  [the first one recorded]

  --names=short|full     with -b or --top, names of C++ and Rust as people say
                         them, or as the program has them               [short]

What is done; one at a time:
  -d [HINT], --dump[=HINT]
                         write a profile and count on from zero
  -z, --zero             count on from zero
  -i on|off, --instr=on|off
                         switch counting on or off
  -k, --kill             write a profile, then kill the program

  --vgdb-prefix=PREFIX   if valgrind was given this option, the same value
  --timeout=SECONDS      give up on a program that does not answer         [30]
  -v                     say which command is sent
  -h, --help             this text
  --version              the version

The word after -e or -d belongs to it if it begins with a letter: write
`cg2_control -d -- app' to dump app, or name its process id.
"""


_INTERVAL = 2.0
"""Seconds between two pages of --top."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The arguments; the help text says what they mean.

    None is an option that is not given, an empty text one without a value.
    """

    stat: bool
    back: bool
    events: str | None
    dump: str | None
    zero: bool
    instr: str | None
    kill: bool
    vgdb_prefix: str | None
    timeout: int
    verbose: bool
    programs: list[str]
    top: bool
    interval: float | None
    count: int | None
    rows: int | None
    sort: str | None
    names: str | None

    def watches(self) -> list[str]:
        """The options of --top that are given."""
        options = ("interval", "count", "rows", "sort")
        return [f"--{option}" for option in options if getattr(self, option) is not None]

    def shows(self) -> bool:
        return self.stat or self.back or self.events is not None

    def requests(self) -> list[str]:
        """What is to be done, as commands to a run."""
        return (
            [f"dump {self.dump}".rstrip()] * (self.dump is not None)
            + ["zero"] * self.zero
            + [f"instrumentation {self.instr}"] * (self.instr is not None)
            + ["v.kill"] * self.kill
        )


def control_command(
    arguments: list[str], places: list[Path], tool: str = "cg2", proc: Path = Path("/proc")
) -> int:
    """Run cg2_control; return its exit status.

    `places` are directories where vgdb may be, before those of PATH. `tool` is
    whose runs it controls. `proc` is where the system shows its processes.
    """
    be_a_quiet_filter()
    try:
        with output_written():
            return _control(_parse(arguments), places, tool, proc)
    except ControlError as error:
        return _fail(str(error))
    except OSError as error:
        drop_output()
        return _fail(f"standard output: {error.strerror}")


def _control(wanted: _Wanted, places: list[Path], tool: str, proc: Path) -> int:
    prefix = [] if wanted.vgdb_prefix is None else [f"--vgdb-prefix={wanted.vgdb_prefix}"]
    vgdb = Vgdb(find_vgdb(places), tuple(prefix), wanted.timeout, proc=proc)
    runs = _chosen(find_runs(vgdb, tool, proc), wanted.programs, tool)
    if wanted.top and len(runs) > 1:
        told = ", ".join(f"{run.pid} ({run.command})" for run in runs)
        raise ControlError(f"there are {len(runs)} {tool} runs; expected the PID of one: {told}")
    if not runs:
        if wanted.shows() or wanted.requests() or wanted.top:
            raise ControlError(f"no active {tool} runs")
        print(f"No active {tool} runs detected.")
    return max([_treat(run, vgdb, wanted) for run in runs], default=0)


def _chosen(runs: list[Run], names: list[str], tool: str) -> list[Run]:
    """The runs that are named, in that order; all if none is named."""
    if not names:
        return runs
    found = []
    for name in names:
        called = [run for run in runs if run.is_called(name)]
        if not called:
            raise ControlError(
                f"no {tool} run with PID or name '{name}'; "
                "cg2_control without arguments lists all"
            )
        found += [run for run in called if run not in found]
    return found


def _treat(run: Run, vgdb: Vgdb, wanted: _Wanted) -> int:
    """Show or do what is wanted of one run; its part of the exit status."""
    if wanted.top:
        return _watch(run, vgdb, wanted)
    requests = wanted.requests() or ["status internal"] * wanted.shows()
    said = f" [requesting '{requests[0]}']" if requests and wanted.verbose else ""
    print(f"PID {run.pid}: {run.command}{said}", flush=True)
    try:
        if wanted.shows():
            return _show(run, vgdb, wanted)
        if requests:
            made = _kill(run, vgdb) if wanted.kill else _do(run, vgdb, requests[0])
            print("\n".join(["  OK.", *(f"  Profile: {path}" for path in made)]), flush=True)
    except ControlError as error:
        return _fail(f"PID {run.pid}: {error}")
    return 0


def _watch(run: Run, vgdb: Vgdb, wanted: _Wanted) -> int:
    try:
        watch(
            run,
            vgdb,
            Watching(
                wanted.interval or _INTERVAL,
                wanted.count or 0,
                wanted.rows or 0,
                wanted.sort,
                wanted.names == "full",
            ),
        )
    except ControlError as error:
        return _fail(f"PID {run.pid}: {error}")
    return 0


def _fail(message: str) -> int:
    print(f"cg2_control: {message}", file=sys.stderr)
    return 1


# ---- What is done ------------------------------------------------------------


def _do(run: Run, vgdb: Vgdb, request: str) -> list[str]:
    """Send a request; the profiles that were made."""
    answer = vgdb.ask(run, request)
    made = answer.profiles()
    _pass_on(answer.messages)
    return made


def _kill(run: Run, vgdb: Vgdb) -> list[str]:
    """Dump and kill; not before the run has shown that it understands us."""
    _status(run, vgdb)
    answer = vgdb.ask_last(run, "dump kill", "v.kill")
    told = [line for line in answer.messages if line.endswith("request to kill this process")]
    _pass_on([line for line in answer.messages if line not in told])
    made = answer.profiles()
    if not told:
        raise ControlError("it does not say that it is killed")
    return made


def _pass_on(messages: list[str]) -> None:
    """What Valgrind says when it has our attention, a user may want to know."""
    for message in messages:
        print(message, file=sys.stderr)


# ---- What is shown -----------------------------------------------------------


def _status(run: Run, vgdb: Vgdb) -> Status:
    answer = vgdb.ask(run, "status internal")
    _pass_on(answer.messages)
    return parse_status(answer.lines)


def _show(run: Run, vgdb: Vgdb, wanted: _Wanted) -> int:
    status = _status(run, vgdb)
    if not status.instruments:
        print("  No information available as instrumentation is switched off." "\n")
        return 0
    events = _events(status, wanted.events)
    unknown = [event for event in events if event not in status.events]
    for event in unknown:
        print(f"Warning: Event `{event}' is not being collected", file=sys.stderr)
    for line in _lines(status, wanted, [e for e in events if e not in unknown]):
        print(line)
    sys.stdout.flush()
    return 1 if unknown else 0


def _events(status: Status, wanted: str | None) -> list[str]:
    if wanted is None:
        return []
    return wanted.split(",") if wanted else status.events


def _lines(status: Status, wanted: _Wanted, events: list[str]) -> Iterator[str]:
    if wanted.stat:
        yield from statistics(status)
    yield ""
    if events:
        yield from totals(status, events)
        yield ""
    if wanted.back:
        yield from backtraces(status, events, wanted.names == "full")


# ---- Arguments ---------------------------------------------------------------


def _hint(text: str) -> str:
    if not text.isprintable() or len(text.encode(errors="replace")) > 1000:
        raise argparse.ArgumentTypeError("expected one line of at most 1000 bytes")
    return text


def _event_names(text: str) -> str:
    if text and not all(text.split(",")):
        raise argparse.ArgumentTypeError(f"'{text}'; expected events as in Ir,Dr")
    return text


def on_or_off(text: str) -> str:
    if text not in ("on", "off"):
        raise argparse.ArgumentTypeError(
            f"expected on or off, not '{text}'" if text else "expected on or off"
        )
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


def _with_values(arguments: list[str]) -> Iterator[str]:
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


def control_parser() -> Parser:
    """What the command takes."""
    parser = Parser("cg2_control", _HELP)
    parser.add_argument("--version", action="version", version=f"cg2_control {VERSION}")
    parser.add_argument("-s", "--stat", action="store_true")
    parser.add_argument("-b", "--back", action="store_true")
    parser.add_argument("-e", "--events", type=_event_names)
    parser.add_argument("-d", "--dump", type=_hint)
    parser.add_argument("-z", "--zero", action="store_true")
    parser.add_argument("-i", "--instr", type=on_or_off)
    parser.add_argument("-k", "--kill", action="store_true")
    parser.add_argument("--top", action="store_true")
    parser.add_argument("--interval", type=_interval)
    parser.add_argument("--count", type=_number)
    parser.add_argument("--rows", type=_number)
    parser.add_argument("--sort", type=_event)
    parser.add_argument("--names", choices=("short", "full"))
    parser.add_argument("--vgdb-prefix")
    parser.add_argument("--timeout", type=_seconds, default=30)
    parser.add_argument("-v", dest="verbose", action="store_true")
    parser.add_argument("programs", nargs="*")
    return parser


def _parse(arguments: list[str]) -> _Wanted:
    parser = control_parser()
    given = parser.parse_intermixed_args(list(_with_values(arguments)))
    wanted = _Wanted(**vars(given))
    if len(wanted.requests()) + wanted.shows() > 1:
        parser.error("-d, -z, -i and -k go one at a time, and not together with " "-s, -b or -e")
    if wanted.top and (wanted.requests() or wanted.shows()):
        parser.error("--top goes with none of -s, -b, -e, -d, -z, -i and -k")
    if wanted.watches() and not wanted.top:
        parser.error(f"{wanted.watches()[0]} goes with --top")
    if wanted.names is not None and not (wanted.top or wanted.back):
        parser.error("--names goes with --top or -b")
    return wanted
