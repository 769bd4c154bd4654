"""Observing and controlling programs that run under cg2: what is asked for, shown and done."""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cg2tools.commandline.console import on_terminal
from cg2tools.control.pipes import owner_of, user_name
from cg2tools.control.runs import ControlError, Run, Vgdb, find_runs, find_vgdb
from cg2tools.control.status import Status, backtraces, parse_status, statistics, totals
from cg2tools.control.top import Watching, watch
from cg2tools.profile.terms import printable, say


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a command line asks for.

    None is an option that is not given, an empty text one without a value.
    """

    command: str  # the name that messages have
    stat: bool = False
    back: bool = False
    events: str | None = None
    dump: str | None = None
    zero: bool = False
    instr: str | None = None
    kill: bool = False
    all: bool = False
    vgdb_prefix: str | None = None
    timeout: int = 30
    verbose: bool = False
    programs: list[str] = field(default_factory=list)
    names: str | None = None
    watching: Watching | None = None

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


def control(wanted: Wanted, places: Sequence[Path], tool: str, proc: Path) -> int:
    """Show or do what is wanted of all runs that are named; the exit status."""
    vgdb = Vgdb(find_vgdb(places), wanted.vgdb_prefix or "", wanted.timeout, proc=proc)
    runs = _chosen(find_runs(vgdb, tool, proc), wanted.programs, tool)
    if wanted.requests() and not (wanted.programs or wanted.all):
        _check_own(runs, tool, proc)
    if wanted.watching and len(runs) > 1:
        raise ControlError(
            f"there are {len(runs)} {tool} runs; expected the PID of one: {_told(runs)}"
        )
    if not runs:
        if wanted.shows() or wanted.requests() or wanted.watching:
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


def _check_own(runs: list[Run], tool: str, proc: Path) -> None:
    """What is not named is changed if it is the only run, and one's own."""
    if len(runs) > 1:
        raise ControlError(
            f"there are {len(runs)} {tool} runs; expected the PID or name of some, or --all: "
            f"{_told(runs)}"
        )
    for run in runs:
        owner = owner_of(run.pid, proc)
        if owner and owner.user != os.geteuid():
            raise ControlError(
                f"the run is user {user_name(owner.user)}'s; expected its PID or name, or --all: "
                f"{_told(runs)}"
            )


def _told(runs: list[Run]) -> str:
    return ", ".join(f"{run.pid} ({run.command})" for run in runs)


def _treat(run: Run, vgdb: Vgdb, wanted: Wanted) -> int:
    """Show or do what is wanted of one run; its part of the exit status."""
    if wanted.watching:
        return _watch(run, vgdb, wanted, wanted.watching)
    requests = wanted.requests() or ["status internal"] * wanted.shows()
    said = f" [requesting '{requests[0]}']" if requests and wanted.verbose else ""
    print(f"PID {run.pid}: {run.command}{said}", flush=True)
    try:
        if wanted.shows():
            return _show(run, vgdb, wanted)
        if requests:
            made = _kill(run, vgdb) if wanted.kill else _do(run, vgdb, requests[0])
            print(
                "\n".join(["  OK.", *(f"  Profile: {printable(path)}" for path in made)]),
                flush=True,
            )
    except ControlError as error:
        return fail(wanted.command, f"PID {run.pid}: {error}")
    return 0


def _watch(run: Run, vgdb: Vgdb, wanted: Wanted, watching: Watching) -> int:
    try:
        watch(run, vgdb, watching)
    except ControlError as error:
        return fail(wanted.command, f"PID {run.pid}: {error}")
    return 0


def fail(command: str, message: str) -> int:
    """Say what is wrong; the exit status."""
    say(f"{command}: {message}")
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
    # On a busy machine the run has ended before vgdb has read what it says.
    if not told and not vgdb.sees_end(run):
        raise ControlError("it does not say that it is killed")
    return made


def _pass_on(messages: list[str]) -> None:
    """What Valgrind says when it has our attention, a user may want to know."""
    for message in messages:
        say(message)


# ---- What is shown -----------------------------------------------------------


def _status(run: Run, vgdb: Vgdb) -> Status:
    answer = vgdb.ask(run, "status internal")
    _pass_on(answer.messages)
    return parse_status(answer.lines)


def _show(run: Run, vgdb: Vgdb, wanted: Wanted) -> int:
    status = _status(run, vgdb)
    if not status.instruments:
        print("  No information available as instrumentation is switched off.\n")
        return 0
    events = _events(status, wanted.events)
    unknown = [event for event in events if event not in status.events]
    for event in unknown:
        say(f"Warning: Event `{event}' is not being collected")
    for line in _lines(status, wanted, [e for e in events if e not in unknown]):
        print(on_terminal(line))
    sys.stdout.flush()
    return 1 if unknown else 0


def _events(status: Status, wanted: str | None) -> list[str]:
    if wanted is None:
        return []
    return wanted.split(",") if wanted else status.events


def _lines(status: Status, wanted: Wanted, events: list[str]) -> Iterator[str]:
    if wanted.stat:
        yield from statistics(status)
    yield ""
    if events:
        yield from totals(status, events)
        yield ""
    if wanted.back:
        yield from backtraces(status, events, wanted.names == "full")
