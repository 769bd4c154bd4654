"""Tables of documents that bench.py writes anew.

A document holds such a table between two comments. Above it stands where and when it was measured:

    <!-- bench modes -->
    *valgrind-3.19.0, AMD EPYC, last level 32 MB; 2026-11-26; 4d11bcb; `make bench BENCH=modes`; 5 rounds*

    | ... |
    <!-- /bench -->
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import cg2test

LAST_LEVEL = Path("/sys/devices/system/cpu/cpu0/cache/index3/size")


@dataclass(frozen=True)
class Report:
    """What one part of the benchmark found: all of it, and the tables that a document may hold, by name."""

    text: str
    tables: Mapping[str, str] = field(default_factory=dict)


def machine() -> str:
    """Valgrind's version, the processor, and its last level."""
    version = subprocess.run(
        [cg2test.VALGRIND, "--version"], capture_output=True, text=True, check=True
    ).stdout.strip()
    model = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    parts = [version, model[1].strip() if model else os.uname().machine]
    if LAST_LEVEL.exists():
        kilobytes = int(LAST_LEVEL.read_text().strip("K\n"))
        parts.append(f"last level {kilobytes // 1024} MB")
    return ", ".join(parts)


def commit() -> str:
    """The commit of the source, with a + if it was changed since."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty=+", "--exclude=*"],
        cwd=cg2test.SOURCE,
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip() if told.returncode == 0 else "a release"


def heading(arguments: Sequence[str], rounds: int) -> str:
    """The text above a table: machine, date, commit, command."""
    wanted = [word for word in arguments if not word.startswith("--write=")]
    words = shlex.join(wanted)
    command = f'make bench BENCH="{words}"' if len(wanted) > 1 else f"make bench BENCH={words}"
    what = command if wanted else "make bench"
    head = f"*{machine()}; {date.today()}; {commit()}; `{what}`; {rounds} rounds*"
    return "\n".join(textwrap.wrap(head, 100, break_long_words=False, break_on_hyphens=False))


def block(name: str) -> re.Pattern[str]:
    """The table of this name in a document."""
    return re.compile(rf"(<!-- bench {re.escape(name)} -->\n).*?(<!-- /bench -->)", re.DOTALL)


def named(text: str) -> list[str]:
    """The names of the tables that a document holds."""
    return re.findall(r"<!-- bench ([\w-]+) -->", text)


def rewritten(text: str, tables: Mapping[str, str], head: str) -> str:
    """The document with those of its tables that were measured."""
    for name in named(text):
        if name in tables:
            fresh = f"{head}\n\n{tables[name]}"
            text = block(name).sub(lambda found: f"{found[1]}{fresh}{found[2]}", text)
    return text
