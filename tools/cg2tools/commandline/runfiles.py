"""The files of one run: those of its processes, programs, threads and parts, by what they say of themselves.

A run is a process, those that it forked, and the programs that replaced these by exec. Each leaves files
of its own, whose names differ in numbers and endings. The head of a file says which process it is of,
which program and part of that, and who forked it.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cg2tools.profile.inputfile import first_lines

_ENDINGS = r"(\.(pid|exec|run)?[0-9]+|-[0-9]+)*"
"""What is behind the name of a run's file: process, program, part and thread, and how many runs had the
number of the process."""

_RUN = re.compile(r"\.run([0-9]{1,9})(?=[.-]|$)")

_HEAD_MAX = 200
"""The lines of which some are a head."""


@dataclass(frozen=True, slots=True)
class Head:
    """What a file says of itself; a number that it does not say is 0."""

    path: str
    written: int = 0  # when, in nanoseconds
    events: str = ""
    started: str = ""  # when the program began, or where it is a fork, what it was forked from
    numbers: Mapping[str, int] = field(default_factory=dict)

    @property
    def pid(self) -> int:
        return self.numbers.get("pid", 0)

    @property
    def run(self) -> int:
        """Which of the runs that had the number of the process has left the file, by its name."""
        found = _RUN.search(os.path.basename(self.path))
        return int(found[1]) if found else 1

    @property
    def parent(self) -> int:
        """The process that forked this one."""
        return self.numbers.get("desc: Parent", 0)

    @property
    def place(self) -> tuple[int, int, int, int]:
        """The process, program, part and thread, which no other file of the run has."""
        image, part, thread = (
            self.numbers.get(key, 0) for key in ("desc: Image", "part", "thread")
        )
        return self.pid, image, part, thread


def run_of(path: str) -> list[str]:
    """The files of the run that a file is of, the first process's first; alone if it says no process."""
    own = _head(Path(path))
    if not own.pid:
        return [path]
    alike = [head for head in map(_head, _alike(path)) if head.pid and head.events == own.events]
    ours = [head for head in alike if head.pid != own.pid or head.run == own.run]
    heads = list(_not_overwritten(ours))
    order = {pid: place for place, pid in enumerate(_processes(own.pid, heads))}
    chosen = [head for head in heads if head.pid in order]
    chosen.sort(key=lambda head: (order[head.pid], *head.place))
    return [head.path for head in chosen]


def newest_named(path: str) -> str:
    """The newest of the files of a process that have a name, or that and an ending; "": there is none."""
    ending = re.compile(re.escape(os.path.basename(path)) + _ENDINGS)
    files = [each for each in Path(path).parent.iterdir() if ending.fullmatch(each.name)]
    return newest_of(each for each in files if each.is_file())


_UNFINISHED = ".part", ".unfinished"


def is_whole(path: Path) -> bool:
    """Whether a name is none that a file has while it is written, and keeps if its writer is killed."""
    return path.suffix not in _UNFINISHED


def newest_of(files: Iterable[Path]) -> str:
    """The file that was written last; "": there is none."""
    newest = max(files, key=lambda path: (path.stat().st_mtime_ns, path.name), default=None)
    return str(newest or "")


def _alike(path: str) -> Iterator[Path]:
    """The files beside a file whose names differ from its in numbers and endings alone."""
    wanted = _stem(os.path.basename(path))
    for each in Path(path).parent.iterdir():
        if _stem(each.name) == wanted and each.is_file():
            yield each


def _stem(name: str) -> str:
    return re.sub("[0-9]+", "0", re.sub(_ENDINGS + "$", "", name, 1))


def _head(path: Path) -> Head:
    """What a file says; nothing if it is no profile as cg2 and Callgrind write it, or cannot be read."""
    said: dict[str, str] = {}
    try:
        if not path.is_file():  # a pipe can be read only once
            return Head(str(path))
        written = path.stat().st_mtime_ns
        with open(path, "rb") as stream:
            for line in first_lines(stream, _HEAD_MAX):
                key, _, value = line.decode("utf-8", "replace").rpartition(": ")
                said.setdefault(key, value.strip())
                if key == "events":
                    break
    except OSError:
        return Head(str(path))
    numbers = {key: int(value) for key, value in said.items() if re.fullmatch("[0-9]{1,18}", value)}
    started = said.get("desc: Started", "")
    return Head(str(path), written, said.get("events", ""), started, numbers)


def _not_overwritten(heads: Iterable[Head]) -> Iterator[Head]:
    """The newest file of each part and thread, and none of a part behind the newest of a program: an older
    run whose process had the same number has left it."""
    last: dict[tuple[int, int], int] = {}
    found: set[tuple[int, int, int, int]] = set()
    for head in sorted(heads, key=lambda head: head.written, reverse=True):
        pid, image, part, _ = head.place
        if head.place not in found and part <= last.setdefault((pid, image), part):
            found.add(head.place)
            yield head


def _processes(pid: int, heads: Sequence[Head]) -> list[int]:
    """The processes of the run of one of them: the first, and behind each those that it forked.

    A process that began before the one whose number it has for its parent's is of an older run.
    """
    began: dict[int, str] = {}
    for head in heads:
        began[head.pid] = min(head.started, began.get(head.pid, head.started))
    parents = {head.pid: 0 for head in heads}
    for head in heads:
        if head.parent and began.get(head.parent, "") <= began[head.pid]:
            parents[head.pid] = head.parent
    first, known = pid, {pid}
    while parents.get(first) in parents and parents[first] not in known:
        first = parents[first]
        known.add(first)
    found = [first]
    for process in found:
        children = {child for child, parent in parents.items() if parent == process}
        found += sorted(children - set(found))
    return found
