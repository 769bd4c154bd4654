"""The state of a run: what `status internal` answers, and how it is shown.

The answer is lines `key: value`; keys that are not known are passed over.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from cg2tools.control.values import Values
from cg2tools.profile.spoken import Spoken
from cg2tools.profile.terms import UNKNOWN, FunctionKey

_FRAMES_MAX = 100  # shown of one thread
_COUNTS = (
    "executed-bbs",
    "executed-calls",
    "distinct-bbs",
    "distinct-calls",
    "distinct-functions",
    "distinct-contexts",
)


@dataclass(frozen=True, slots=True)
class Frame:
    """An active function, and the call of it; the outermost has none."""

    function: str
    object: str = UNKNOWN
    calls: int | None = None  # how often the caller called the function
    cost: list[int] = field(default_factory=list)  # what the calls cost


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread. A cost has a number for each event, but for zeros at its end."""

    number: int
    cost: list[int]  # since the last dump
    collects: bool
    frames: list[Frame]  # innermost first


@dataclass(frozen=True, slots=True)
class Status:
    """A run: `counts` by the names in _COUNTS.

    All is empty while instrumentation is off.
    """

    instruments: bool
    counts: dict[str, int] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)
    threads: list[Thread] = field(default_factory=list)


# ---- Reading -----------------------------------------------------------------


def parse_status(lines: list[str]) -> Status:
    """The answer to `status internal`; ControlError if it is none."""
    answer = _Answer(lines, "status internal")
    if not answer.is_on("instrumentation"):
        return Status(False)
    return Status(
        True,
        {key: answer.number(key) for key in _COUNTS},
        answer.text("events").split(),
        [answer.thread(number) for number in answer.numbers("threads")],
    )


class _Answer(Values):
    """The values, and what they say of threads."""

    def thread(self, number: int) -> Thread:
        collection = f"collection-{number}"
        return Thread(
            number,
            self.numbers(f"events-{number}"),
            collection not in self.values or self.is_on(collection),
            self.frames(number),
        )

    def frames(self, thread: int) -> list[Frame]:
        """Innermost first.

        The answer begins with the outermost, and leaves numbers out. The call
        of a function stands with its caller.
        """
        pattern = re.compile(rf"function-{thread}-(\d{{1,9}})")
        matches = map(pattern.fullmatch, self.values)
        levels = sorted(int(match[1]) for match in matches if match)
        frames = []
        for caller, level in zip([None, *levels], levels):
            name = self.values[f"function-{thread}-{level}"]
            object = self.values.get(f"object-{thread}-{level}", UNKNOWN)
            if caller is None:
                frames.append(Frame(name, object))
            else:
                frames.append(
                    Frame(
                        name,
                        object,
                        self.number(f"calls-{thread}-{caller}"),
                        self.numbers(f"events-{thread}-{caller}"),
                    )
                )
        return frames[::-1]


# ---- Showing -----------------------------------------------------------------


def statistics(status: Status) -> Iterator[str]:
    """The lines of --stat."""
    threads = " ".join(str(thread.number) for thread in status.threads)
    paused = " ".join(str(thread.number) for thread in status.threads if not thread.collects)
    count = {key: f"{number:,}" for key, number in status.counts.items()}
    yield (f"  Number of running threads: {len(status.threads)}, thread IDs: {threads}")
    yield f"  Events collected: {' '.join(status.events)}"
    yield (
        f"  Functions: {count['distinct-functions']} "
        f"(executed {count['executed-calls']}, "
        f"contexts {count['distinct-contexts']})"
    )
    yield (
        f"  Basic blocks: {count['distinct-bbs']} "
        f"(executed {count['executed-bbs']}, "
        f"call sites {count['distinct-calls']})"
    )
    if paused:
        yield f"  Collection is off in threads: {paused}"


def totals(status: Status, events: list[str]) -> Iterator[str]:
    """The cost of each thread, in columns for `events`."""
    rows = [_cells(status, events, thread.cost) for thread in status.threads]
    columns = _Columns(events, rows)
    yield columns.line("  Totals:", events)
    for thread, row in zip(status.threads, rows):
        yield columns.line(f"   Th{thread.number:2}", row)


def backtraces(status: Status, events: list[str], full_names: bool = False) -> Iterator[str]:
    """The active functions of each thread, with their inclusive costs.

    Their names are as people say them, or in full.
    """
    stacks = [
        (
            thread,
            [(frame, _cells(status, events, frame.cost)) for frame in thread.frames[:_FRAMES_MAX]],
        )
        for thread in status.threads
    ]
    names = Spoken((_key(frame) for _, stack in stacks for frame, _ in stack), full_names)
    columns = _Columns(events, [row for _, stack in stacks for _, row in stack])
    for thread, stack in stacks:
        yield (columns.line("  Frame:", events) + f"Backtrace for Thread {thread.number}")
        for number, (frame, row) in enumerate(stack):
            calls = "" if frame.calls is None else f" ({frame.calls} x)"
            yield columns.line(f"   [{number:2}]", row) + names.name_of(_key(frame)) + calls
        left = len(thread.frames) - len(stack)
        if left:
            yield f"   ({left} more)"
        elif not stack:
            yield "   (no frames)"
        yield ""
        yield ""


def _key(frame: Frame) -> FunctionKey:
    """The function, of which the file is not known."""
    return FunctionKey(frame.object, UNKNOWN, frame.function)


def _cells(status: Status, events: list[str], cost: list[int]) -> list[str]:
    """A cost in columns for `events`; a dot is a zero that was left out."""
    indices = [status.events.index(event) for event in events]
    return [f"{cost[index]:,}" if index < len(cost) else "." for index in indices]


class _Columns:
    """Columns as wide as what is in them."""

    def __init__(self, head: list[str], rows: list[list[str]]) -> None:
        self.widths = [max(map(len, cells)) for cells in zip(head, *rows)]

    def line(self, label: str, cells: list[str]) -> str:
        return f"{label:9}" + "".join(
            f"{cell:>{width}} " for cell, width in zip(cells, self.widths)
        )
