"""All commands with all of their options on hostile files: what a stranger wrote stays text in each output.

The commands and their options come from the table that runs them: a new one is walked through as well.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path

from test_hostile_text import HOSTILE, profile
from toolsupport import TOOLS

import starts
from cg2test import HANG
from cg2tools.convert.conversion import STACK_FORMATS
from cg2tools.door.commands import DOOR, OF_THE_DOOR, SCRIPTS, found
from cg2tools.report.page import TEMPLATE
from datafiles import DataText

FULL = os.environ.get("CG2_FULL") == "1"
BAD = "no\x1b[2J\u202e"
OLD, NEW, DATA, PATHS, SWEEP, FOLDED, LIMITS = (
    f"{kind}.7\x1b[2J\u202e"
    for kind in "cg2.out cg2.new cg2.data cg2.paths sweep folded limits".split()
)

OPERANDS = {
    **dict.fromkeys("annotate files threads summary report convert rewrite cycles".split(), [OLD]),
    **dict.fromkeys("diff gate merge cg2_diff cg2_merge".split(), [OLD, NEW]),
    **dict.fromkeys("cg2_annotate cg2_convert cg2_report first-screen".split(), [OLD]),
    **dict.fromkeys("control top cg2_control".split(), [BAD]),
    **{"data": [DATA], "types": [DATA], "paths": [PATHS], "misses": [SWEEP], "unfold": [FOLDED]},
    **{"check": [OLD, DATA, FOLDED, BAD], "trend": [OLD, NEW, NEW], "join-layouts": [f"1.{BAD}"]},
}
"""What stands behind the options of each command."""

MORE = [
    *(("cg2_annotate", "--data", DATA), ("cg2_annotate", "--paths", PATHS), ("convert", PATHS)),
    *(
        ("cg2_annotate", "--miss-curve", SWEEP),
        ("report", DATA),
        ("report", PATHS),
        ("report", SWEEP),
    ),
    *(
        ("diff", DATA, DATA),
        ("diff", PATHS, PATHS),
        ("cg2_diff", OLD, NEW, OLD),
        ("diff", "--explain", OLD, NEW),
    ),
    *(("diff", "--markdown", "--explain", OLD, NEW), ("diff", "--json", "--explain", OLD, NEW)),
    *(
        ("gate", "--markdown", "--github", "--fail-above=f*:*=0", OLD, NEW),
        ("annotate", "--json", DATA),
    ),
    *(("gate", f"--limits={LIMITS}", OLD, NEW), ("trend", "--markdown", OLD, NEW, NEW)),
    *(("merge", "--imbalance", OLD, NEW, NEW), ("cg2_annotate", "--tree=both", "--asm=yes", OLD)),
]
"""What options say together, or of other files."""

VALUES = {
    "fail_above": ["*:*=0", BAD], "limits": [LIMITS, BAD], "cycles": ["zen4", BAD], "rows": ["0", BAD],
    "threshold": ["100", BAD], "context": ["3", BAD], "smallest": ["0", BAD], "share": ["0", BAD],
}  # fmt: skip
"""What options are given, by the names of their values; the others, what nobody expects."""

WRITES = "output", "html", "junit", "json_file"
UNSEEN = re.compile(
    "[\0-\x08\x0b\x0d-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\udc80-\udc9f"
    "\U000e0000-\U000e0fff]"
)
OURS = re.compile("\x1b\\[(?:1;31|33|0)m")


def data_text() -> str:
    """A data file with hostile names."""
    text = DataText(header=["desc: Data: accesses", f"desc: Trigger: {HOSTILE[1]}"])
    for at, name in enumerate(HOSTILE):
        owner = (f"{('heap', 'static', 'stack')[at % 3]}::{name}", f"/{name}")
        text.touch(
            owner, 8 * at, (f"/{name}", f"/nowhere/{name}.c", name), (at, at), 1 + at, Dr=9 + at
        )
    return text.text()


def paths_text() -> str:
    """A file of paths with hostile names, each called by the one before."""
    body = "".join(
        f"fl=({at}) /nowhere/{name}.c\nfn=({at}) {name}\n{at - 1} {at} 0 1 5\n"
        for at, name in enumerate(HOSTILE, 1)
    )
    total = 5 * len(HOSTILE)
    return (
        f"# cg2 paths\nversion: 1\ncreator: callgrind-cg2-0.1\ncmd: {HOSTILE[0]}\npositions: line\n"
        f"events: Ir\nsummary: {total}\npaths: {len(HOSTILE)}\n\nob=(1) /{HOSTILE[0]}\n{body}"
        f"totals: {total}\n"
    )


def sweep_text() -> str:
    """A profile with misses by cache size, of hostile functions."""
    body = "".join(f"fn={name}\n1 9 2 1\n" for name in HOSTILE)
    count = len(HOSTILE)
    return (
        f"# callgrind format\nversion: 1\ncreator: {HOSTILE[0]}\ncmd: {HOSTILE[1]}\npart: 1\n"
        "event: D1Kmr : D sweep of 1 set, read misses, 1024 B, 64 B, 16-way associative\n"
        "event: D2Kmr : D sweep of 1 set, read misses, 2048 B, 64 B, 32-way associative\n"
        f"events: Ir D1Kmr D2Kmr\nsummary: {9 * count} {2 * count} {count}\n\nfl=/nowhere/{HOSTILE[0]}.c\n"
        f"{body}totals: {9 * count} {2 * count} {count}\n"
    )


class Fixture(unittest.TestCase):
    """Hostile files of each kind."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        texts = {
            DATA: data_text(), PATHS: paths_text(), SWEEP: sweep_text(),
            FOLDED: "".join(f"{HOSTILE[0]};{name} 7\n" for name in HOSTILE),
            LIMITS: f'[functions]\n"{BAD}x*".Ir = "{HOSTILE[4].replace(chr(92), "")}"\n',
        }  # fmt: skip
        for name, text in texts.items():
            (self.directory / name).write_bytes(text.encode("utf-8", "surrogateescape"))
        (self.directory / OLD).write_bytes(profile(1))
        (self.directory / NEW).write_bytes(profile(2))
        self.places = {**SCRIPTS, **DOOR, **OF_THE_DOOR}

    def words(self, name: str, *arguments: str) -> list[str]:
        """What is started for a command."""
        if name in SCRIPTS:
            return [str(TOOLS / name), *arguments]
        return [str(TOOLS / "cg2_annotate"), f"--command={name}", *arguments]

    def environment(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": str(self.directory)}


class Walk(Fixture):
    def lines(self) -> Iterator[list[str]]:
        """Each command without options, with each of its options alone, and with some together."""
        for name, place in self.places.items():
            if not TEMPLATE.exists() and "report" in name:
                continue
            yield [name, *OPERANDS[name]]
            yield [name, f"--{BAD}"]
            for action in found(place).parser()._actions:
                for option in self.options(action) if FULL or self.is_form(action) else ():
                    yield [name, option, *OPERANDS[name]]
        yield from ([*line] for line in MORE)

    def is_form(self, action: argparse.Action) -> bool:
        """Whether an option chooses what is written, and how."""
        return action.nargs == 0 or bool(action.choices)

    def options(self, action: argparse.Action) -> Iterator[str]:
        """The option of an action with each of its words; with what is none."""
        flag = next((flag for flag in action.option_strings if flag.startswith("--")), "")
        if not flag or flag in ("--version", "--top"):
            return
        if action.nargs == 0 or action.nargs == "?":
            yield flag
        if action.nargs != 0 and action.dest not in WRITES:
            choices = [*action.choices] if action.choices else VALUES.get(action.dest, [BAD])
            yield from (f"{flag}={value}" for value in choices)

    def test_table(self) -> None:
        """No command is left out."""
        self.assertEqual(OPERANDS.keys(), self.places.keys())

    def test_all(self) -> None:
        """No output does more to a terminal than to show text; JSON is JSON; a page has its own elements."""
        seen = ended_well = 0
        for line in self.lines():
            with self.subTest(line):
                output, status = self.run_line(line)
                for each in output:
                    text = OURS.sub("", each) if "--colour=yes" in line else each
                    self.assertNotRegex(text, UNSEEN)
                    seen += text.count("\\x1b")
                ended_well += status == 0
        self.assertGreater(seen, 1000)
        self.assertGreater(ended_well, 100)

    def run_line(self, line: list[str]) -> tuple[list[str], int]:
        """What a command says, and its status; what it writes to a file is looked at."""
        name, *arguments = line
        has_output = any(
            action.dest == "output" for action in found(self.places[name]).parser()._actions
        )
        written = self.directory / "written"
        if has_output:
            arguments = ["-o", "written", *arguments]
        ended = starts.run_bytes(
            self.words(name, *arguments),
            directory=self.directory, limit=HANG, environment=self.environment(),
        )  # fmt: skip
        self.assertNotIn(b"Traceback", ended.stderr)
        self.assertIn(ended.returncode, (0, 1, 2, 3))
        if "--json" in arguments and not ended.returncode and name != "cg2_control":
            self.assertTrue(ended.stdout.isascii())
            json.loads(ended.stdout)
        if written.exists():
            if "report" in name:
                for element in b"<script>alert", b"</script><", b"<img src=x":
                    self.assertNotIn(element, written.read_bytes())
            written.unlink()
        return [
            text.decode("utf-8", "surrogateescape") for text in (ended.stdout, ended.stderr)
        ], ended.returncode


class Terminal(Fixture):
    """What is written for other programs, on a terminal."""

    def shown(self, *line: str) -> str:
        """What a terminal is given."""
        ours, theirs = pty.openpty()
        with subprocess.Popen(
            [sys.executable, "-I", *self.words(*line)],
            cwd=self.directory, env=self.environment(), stdin=subprocess.DEVNULL, stdout=theirs,
            stderr=subprocess.DEVNULL,
        ) as started:  # fmt: skip
            os.close(theirs)
            said = b""
            try:
                while more := os.read(ours, 1 << 16):
                    said += more
            except OSError:  # the terminal's other end is closed
                pass
            os.close(ours)
        self.assertEqual(started.returncode, 0)
        return said.decode("utf-8", "surrogateescape").replace("\r\n", "\n")

    def test_formats(self) -> None:
        """Names in a format that has them as they are do nothing to a terminal; pprof's is no text."""
        lines: list[tuple[str, ...]] = [
            ("convert", f"--to={form}", OLD) for form in STACK_FORMATS if form != "pprof"
        ]
        lines += [
            ("rewrite", OLD),
            ("types", DATA),
            ("unfold", FOLDED),
            ("convert", "-o", "-", OLD),
        ]
        lines += [("merge", "-o", "-", OLD, NEW)]
        for line in lines:
            with self.subTest(line):
                shown = self.shown(*line)
                self.assertNotRegex(shown, UNSEEN)
                self.assertGreater(len(shown), 100)

    def test_pipe(self) -> None:
        """A pipe has names as they are, which programs behind it read."""
        ended = starts.run_bytes(
            self.words("convert", OLD),
            directory=self.directory, limit=HANG, environment=self.environment(),
        )  # fmt: skip
        self.assertIn(HOSTILE[1].encode(), ended.stdout)


if __name__ == "__main__":
    unittest.main()
