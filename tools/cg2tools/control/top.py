"""The hottest functions of a run, again and again, while it runs."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from cg2tools.control.runs import ControlError, Run, RunEnded, Vgdb
from cg2tools.control.screen import Left, Screen, new_screen
from cg2tools.control.values import Values
from cg2tools.profile.spoken import Spoken
from cg2tools.profile.terms import FunctionKey, printable

_ROWS = 20  # where no terminal says how many have room
_NAME_LEAST = 30
"""The characters that are kept for a name beside the columns."""
_HEAD = 4  # lines above the functions on a terminal


@dataclass(frozen=True, slots=True)
class Watching:
    """What the command line says of the list; 0 rows or pages: as many as there are."""

    interval: float
    pages: int
    rows: int
    event: str | None
    full_names: bool


@dataclass(frozen=True, slots=True)
class Function:
    """What a function has cost of one event; `added`: itself, since the ranking before."""

    key: FunctionKey
    cost: int
    added: int
    inclusive: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """The functions of a run, hottest first: as many as were asked for, of `functions_all`."""

    instruments: bool
    event: str
    total: int
    added: int
    seconds: float | None  # since the ranking before; None: there was none
    functions: list[Function]
    functions_all: int


# ---- Asking ------------------------------------------------------------------


def parse_ranking(lines: Sequence[str], event: str | None) -> Ranking:
    """The answer to `top`; ControlError if it is none."""
    for line in lines:
        if line.startswith("top "):
            raise ControlError(line)
    values = Values(lines, "top")
    events = values.text("events").split()
    if not events or (event is not None and event not in events):
        raise ControlError(f"there is no event {event}; expected one of {' '.join(events)}")
    index = 0 if event is None else events.index(event)

    def cost(key: str) -> int:
        numbers = values.numbers(key)
        return numbers[index] if index < len(numbers) else 0

    listed = range(sum(key.startswith("function-") for key in values.values))
    return Ranking(
        values.is_on("instrumentation"),
        events[index],
        cost("total"),
        cost("added"),
        values.number("milliseconds") / 1000 if "milliseconds" in values.values else None,
        [
            Function(
                FunctionKey(values.text(f"object-{n}"), "", values.text(f"function-{n}")),
                cost(f"self-{n}"),
                cost(f"added-{n}"),
                cost(f"inclusive-{n}"),
            )
            for n in listed
        ],
        values.number("functions"),
    )


def _ask(run: Run, vgdb: Vgdb, wanted: Watching, rows: int, is_first: bool) -> Ranking:
    """The first time, what has been added is not known, whoever has asked before."""
    request = f"top {rows}" if wanted.event is None else f"top {rows} {wanted.event}"
    answer = vgdb.ask(run, *["top 0"] * is_first, request)
    return parse_ranking(answer.lines, wanted.event)


# ---- Showing -----------------------------------------------------------------


def ranking_lines(run: Run, ranking: Ranking, full_names: bool, columns: int = 0) -> list[str]:
    """The page, in so many columns; 0: as many as it needs."""
    functions = ranking.functions
    names = Spoken((function.key for function in functions), full_names)
    cells = [_head(ranking.event), *(_cells(function, ranking) for function in functions)]
    shown = _fitting(cells, columns)
    cells[0] = ["" if place - 1 in shown and place % 2 else cells[0][place] for place in range(6)]
    widths = [max(len(row[place]) for row in cells) for place in shown]
    said = ["function", *(printable(names.name_of(function.key)) for function in functions)]
    rows = [
        "".join(f"{row[place]:>{width}}  " for place, width in zip(shown, widths)) + name
        for row, name in zip(cells, said)
    ]
    return [f"PID {run.pid}: {run.command}", f"  {_totals(ranking)}", "", *rows]


def _totals(ranking: Ranking) -> str:
    total = f"{ranking.total:,} {ranking.event} since the start or the last profile"
    if ranking.seconds is not None:
        total = f"{ranking.added:,} {ranking.event} in {ranking.seconds:.1f} s; {total}"
    return total if ranking.instruments else f"counting is switched off; {total}"


_Row = list[str]
_NOW, _NOW_SHARE, _SELF, _SELF_SHARE, _INCLUSIVE, _INCLUSIVE_SHARE = range(6)
_LEFT_OUT_FIRST = (_INCLUSIVE, _SELF_SHARE, _NOW, _SELF, _INCLUSIVE_SHARE, _NOW_SHARE)


def _head(event: str) -> _Row:
    """A share has the heading of its cost, if that is not shown."""
    return [head for head in (f"{event} now", "self", "inclusive") for _ in range(2)]


def _cells(function: Function, ranking: Ranking) -> _Row:
    costs = [
        (function.added, ranking.added),
        (function.cost, ranking.total),
        (function.inclusive, ranking.total),
    ]
    cells = [cell for cost, all in costs for cell in (f"{cost:,}", _share(cost, all))]
    return cells if ranking.seconds is not None else [".", "", *cells[2:]]


def _share(cost: int, all: int) -> str:
    return f"{100 * cost / all:.1f}%" if all else ""


def _fitting(cells: list[_Row], columns: int) -> list[int]:
    """The places of the cells that leave room for names."""
    shown = list(range(len(cells[0])))
    for place in _LEFT_OUT_FIRST:
        width = sum(2 + max(len(row[place]) for row in cells) for place in shown)
        if not columns or width + _NAME_LEAST <= columns:
            break
        shown.remove(place)
    return shown


# ---- Watching ----------------------------------------------------------------


def watch(run: Run, vgdb: Vgdb, wanted: Watching) -> None:
    """Show the hottest functions until the run ends, the user leaves, or all pages are shown."""
    screen = new_screen()
    apart = replace(vgdb, is_apart=screen.takes_signals)
    try:
        with screen:
            _follow(run, apart, wanted, screen)
    except Left:
        pass
    except RunEnded:
        if not screen.pages:
            raise
        print(f"PID {run.pid} has ended", flush=True)


def _follow(run: Run, vgdb: Vgdb, wanted: Watching, screen: Screen) -> None:
    next_page = time.monotonic()
    while screen.pages < wanted.pages or not wanted.pages:
        screen.wait(next_page - time.monotonic())
        next_page = time.monotonic() + wanted.interval
        ranking = _ask(run, vgdb, wanted, _rows(screen, wanted), not screen.pages)
        screen.show(partial(ranking_lines, run, ranking, wanted.full_names))


def _rows(screen: Screen, wanted: Watching) -> int:
    """How many functions are shown."""
    if not screen.rows:
        return wanted.rows or _ROWS
    room = max(screen.rows - _HEAD, 1)
    return min(room, wanted.rows or room)
