"""What gungraun does, and iai-callgrind before it: its command line, how it names files, what it reads in
them.

Rules and expressions are those of gungraun 0.17 to 0.19: `runner/tool/args.rs` and `runner/callgrind/args.rs`
(command line), `runner/tool/path.rs` (names of files), `runner/callgrind/parser.rs`, `hashmap_parser.rs` and
`summary_parser.rs` (profiles), `runner/tool/logfile_parser.rs` (logs).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from launcher import CACHES, Launcher, scratch

# What stands behind `callgrind.` and the benchmark's name in the name of a file.
FILE = re.compile(r"^[.](out|log)([.](old|base@[^.-]+))?([.][#][0-9]+)?([.][0-9]+)?(-[0-9]+)?$")
LOG_FIELD = re.compile(
    r"^\s*(==|--)([0-9:.]+\s+)?[0-9]+(==|--)\s*(?P<key>.*?)\s*:\s*(?P<value>.*)\s*$"
)
LOG_EMPTY = re.compile(r"^\s*(==|--)([0-9:.]+\s+)?[0-9]+(==|--)\s*$")

EVENTS = set(
    "ir dr dw i1mr d1mr d1mw ilmr dlmr dlmw bc bcm bi bim ge syscount systime syscputime"
    " ildmr dldmr dldmw accost1 accost2 sploss1 sploss2".split()
)
BODY_KEYS = set("ob fl fn fi fe cob cfi cfl cfn calls jump jcnd jfi jfn".split())

ARGUMENTS = [
    "--tool=callgrind", "--error-exitcode=0", "--trace-children=yes", "--fair-sched=try", "--verbose",
    *CACHES,
    "--cache-sim=yes", "--compress-strings=no", "--compress-pos=no", "--dump-line=yes", "--dump-instr=no",
    "--combine-dumps=no", "--separate-threads=yes",
]  # fmt: skip


@dataclass
class Profile:
    """What gungraun knows of a file `.out`."""

    pid: int
    part: int | None
    thread: int | None
    command: str
    descriptions: list[str]
    events: list[str]
    totals: list[int]
    self_costs: Counter[str] = field(default_factory=Counter)  # of the first event, by function
    calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    inclusive: Counter[tuple[str, str]] = field(default_factory=Counter)


@dataclass(frozen=True)
class Outcome:
    """What a benchmark leaves."""

    profiles: list[Profile]  # by name
    logs: list[dict[str, str]]  # by name
    names: list[str]  # of all files, without process ids


def run(launcher: Launcher, program: Path, *arguments: str, options: Sequence[str] = ()) -> Outcome:
    """Run a benchmark as gungraun does, with nothing in the environment."""
    directory = scratch()
    launcher.run(
        launcher.valgrind,
        *ARGUMENTS,
        *options,
        f"--callgrind-out-file={directory}/callgrind.X.out.#%p",
        f"--log-file={directory}/callgrind.X.log.#%p",
        program,
        *arguments,
        directory=directory,
        environment={},
        status=None,
    )
    return outcome(directory)


def outcome(directory: Path) -> Outcome:
    """Read what is in a directory; empty files are deleted first."""
    profiles, logs, names = [], [], []
    for path in sorted(directory.iterdir()):
        if path.stat().st_size == 0:
            continue
        found = FILE.match(path.name.removeprefix("callgrind.X"))
        if found is None:
            raise AssertionError(f"{path.name}: no file of gungraun's")
        names.append(re.sub(r"#\d+", "#PID", path.name))
        if found[1] == "out":
            profiles.append(profile(path))
        else:
            logs.append(log(path))
    return Outcome(profiles, logs, names)


# ------------------------------------------------------------ logs


def log(path: Path) -> dict[str, str]:
    """The fields of a log: of its header, which ends at the first line with nothing but a process id, and
    behind it."""
    fields: dict[str, str] = {}
    lines = iter(path.read_text().splitlines())
    for line in lines:
        if LOG_EMPTY.match(line):
            break
        if found := LOG_FIELD.match(line):
            fields.setdefault(found["key"], found["value"])
    if "Command" not in fields:
        raise AssertionError(f"{path.name}: no command in the header: {fields}")
    for line in lines:
        if found := LOG_FIELD.match(line):
            fields.setdefault(found["key"], found["value"])
    return fields


# ------------------------------------------------------------ profiles


def profile(path: Path) -> Profile:
    """Read a profile: its header up to the events, its sums, its body."""
    lines = iter(path.read_text().splitlines())
    known = header(path, lines)
    read_body(path, lines, known)
    return known


def header(path: Path, lines: Iterator[str]) -> Profile:
    fields: dict[str, str] = {}
    descriptions: list[str] = []
    for line in lines:
        key, _, value = line.partition(":")
        if key == "desc":
            if not value.strip().startswith("Option:"):
                descriptions.append(value.strip())
        elif not line.startswith("#"):
            fields[key] = value.strip()
        if key == "events":
            break
    if fields.get("version") != "1":
        raise AssertionError(f"{path.name}: version {fields.get('version')}")
    return Profile(
        int(fields["pid"]),
        optional(fields, "part"),
        optional(fields, "thread"),
        fields["cmd"],
        descriptions,
        events(path, fields["events"]),
        [],
    )


def optional(fields: dict[str, str], key: str) -> int | None:
    return int(fields[key]) if key in fields else None


def events(path: Path, text: str) -> list[str]:
    names = text.split()
    unknown = [name for name in names if name.lower() not in EVENTS]
    if unknown:
        raise AssertionError(f"{path.name}: unknown events {unknown}")
    return names


def read_body(path: Path, lines: Iterator[str], known: Profile) -> None:
    """The costs of functions and calls. What `totals:` says goes before what `summary:` says."""
    function, callee = "", ""
    summary: list[int] = []
    n_calls: int | None = None
    for line in lines:
        key, equals, value = line.partition("=")
        if line[:1].isdigit():
            cost = int((line.split() + ["0"])[1])
            if n_calls is not None:
                known.calls[function, callee] += n_calls
                known.inclusive[function, callee] += cost
                n_calls = None
            else:
                known.self_costs[function] += cost
        elif line.startswith("totals:"):
            known.totals = numbers(line)
        elif line.startswith("summary:"):
            summary = numbers(line)
        elif equals and key in BODY_KEYS:
            if key == "fn":
                function = value
            elif key == "cfn":
                callee = value
            elif key == "calls":
                n_calls = int(value.split()[0])
        elif line:
            raise AssertionError(f"{path.name}: {line}")
    known.totals = known.totals or summary


def numbers(line: str) -> list[int]:
    return [int(word) for word in line.split()[1:]]
