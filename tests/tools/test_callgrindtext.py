"""cg2_annotate --callgrind writes what the installed callgrind_annotate writes, byte for byte.

callgrind_annotate puts calls of one cost and source files in the order of a hash, which changes from
run to run: both texts are compared with these in the order of their names.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from toolsupport import annotate

import cg2test
from annotate import callgrind_annotate

RULE = "-" * 80
CALL = re.compile(r".*?  (<|>  |=>) ")

HEADER = """\
static inline int twice(int n)
{
   int r = 0;
   for (int k = 0; k < n; k++) r += k * n;
   return r;
}
"""

PROGRAM = """\
#include "twice.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int compare(const void* a, const void* b) { return *(int*)a - *(int*)b; }
__attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int odd(int n);
__attribute__((noinline)) int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__attribute__((noinline)) int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static void* work(void* n) { return (void*)(long)(fib(9) + twice(*(int*)n)); }

int main(void)
{
   int numbers[99], sum = 0;
   for (int i = 0; i < 99; i++) numbers[i] = i * 7919 % 101;
   qsort(numbers, 99, sizeof *numbers, compare);
   for (int i = 0; i < 50; i++) sum += twice(i);
   pthread_t thread;
   pthread_create(&thread, 0, work, numbers);
   pthread_join(thread, 0);
   printf("%d %d %d %d\\n", numbers[5], fib(10), even(30), sum);
   return even(5) + odd(4);
}
"""

# What a written profile seldom has: lines behind the end, line 0, a file that is nowhere, zeros in the
# middle, equal costs, calls from one line by two functions.
ODD = """\
version: 1
creator: callgrind-cg2-test
pid: 12
cmd: ./odd a  b
part: 3
thread: 2
desc: Note: one
desc: Trigger: x
positions: line
events: Ir D VeryLongName
summary: 1234686 1007 6
ob=(1) /bin/odd
fl=(1) odd.c
fn=(1) zero
3 50 0 6
cfi=(1)
cfn=(2) called
calls=1234 1
3 7 8
cfi=(1)
cfn=(3) another
calls=1 1
3 8
77 5 1000
90 2
fn=(2)
0 1234567 7
3 40
cfi=(1)
cfn=(4) calls only
calls=2 5
3 9
fn=(4)
cfi=(2) nowhere.c
cfn=(5) there
calls=2 5
12 9
cfi=(2)
cfn=(6) far
calls=2 5
12 9
fl=(2)
fn=(5)
1 10
fn=(6)
1 10
ob=(2) ???
fl=(3) ???
fn=(7) 0x1234
0 1
fl=(4) last.h
fn=(1)
2 1
"""

PROFILES: list[tuple[str, list[str]]] = [
    ("callgrind", []),
    ("callgrind", ["--dump-instr=yes", "--cache-sim=yes", "--branch-sim=yes"]),
    ("callgrind", ["--separate-callers=3", "--separate-recs=2", "--collect-jumps=yes"]),
    ("cg2", []),
    ("cg2", ["--dump-instr=yes", "--cache-sim=yes", "--branch-sim=yes"]),
    ("cg2", ["--separate-threads=yes"]),
    ("cg2", ["--collect-systime=yes", "--toggle-collect=fib", "--separate-callers=3"]),
    ("cg2", ["--toggle-collect=nothing"]),
]

OPTIONS = [
    "",
    "--auto=no --threshold=100",
    "--auto=no --tree=both",
    "--auto=no --tree=calling --inclusive=yes --threshold=100",
    "--tree=caller --threshold=70 --context=2 --show-percs=no",
    "--inclusive=yes --threshold=80 --context=0",
]


def in_order(text: str, all_calls: bool) -> list[str]:
    """The lines of a report, source files and calls of one cost, or all, in the order of their names."""
    rule = f"\n{RULE}\n"
    head, *sources = text.split(f"{rule}-- ")
    rest: list[str] = []
    if sources:
        title, lines, *rest = sources.pop().split(rule)
        sources.append(rule.join([title, lines]))
    sections = [head, *sorted(source.rstrip("\n") for source in sources), *rest]
    found: list[str] = []
    lines_of = "\n".join(sections).split("\n")
    for call, alike in itertools.groupby(lines_of, lambda line: _call(line, all_calls)):
        found += sorted(alike) if call else alike
    return found


def _call(line: str, any_cost: bool) -> str:
    """What calls of one cost, or of any, have in common; "": the line is none."""
    found = CALL.match(line)
    return found[any_cost] if found else ""


class Text(unittest.TestCase):
    """Reports of both about profiles of one program, which is compiled once."""

    maxDiff = None
    directory: Path

    @classmethod
    def setUpClass(cls) -> None:
        if not shutil.which("callgrind_annotate"):
            raise unittest.SkipTest(
                "callgrind_annotate is not installed (Debian: apt-get install valgrind)"
            )
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        cls.addClassCleanup(folder.cleanup)
        cls.directory = Path(folder.name).resolve()
        (cls.directory / "twice.h").write_text(HEADER)
        (cls.directory / "program.c").write_text(PROGRAM)
        command = "gcc -g -O1 -fno-optimize-sibling-calls -pthread -static -o program"
        source = str(cls.directory / "program.c")
        subprocess.run([*command.split(), source], cwd=cls.directory, check=True)

    def profile(self, tool: str, options: list[str]) -> Path:
        """The last profile of a run."""
        run = cg2test.run_cg2(
            [self.directory / "program"],
            *options,
            tool=tool,
            environment=cg2test.lean_env(),
        )
        return run.profile_paths[-1]

    def compare(self, options: str, profile: Path, *sources: str, cwd: Path | None = None) -> str:
        """Have both report on a profile; what was written."""
        directory = cwd or self.directory
        arguments = [*options.split(), str(profile), *sources]
        theirs = callgrind_annotate().run(*arguments, directory=directory)
        mine = annotate("--callgrind", *arguments, directory=directory)
        is_sorted = "--sort" in options
        expected = in_order(theirs.stdout, is_sorted)
        self.assertEqual(in_order(mine.stdout, is_sorted), expected, arguments)
        self.assertEqual((theirs.status, mine.status), (0, 0), mine.stderr)
        return mine.stdout

    def test_profiles(self) -> None:
        """Each option for each kind of profile."""
        for tool, tool_options in PROFILES:
            path = self.profile(tool, tool_options)
            for options in OPTIONS:
                with self.subTest(tool=tool, of=tool_options, options=options):
                    self.compare(options, path)

    def test_events(self) -> None:
        """Columns, order, and thresholds of single events."""
        path = self.profile("cg2", ["--cache-sim=yes"])
        for options in (
            "--sort=Dr",
            "--sort=D1mr:50,DLmr:90 --tree=both --auto=no",
            "--sort=Dw,Ir --show=Ir,Dw --threshold=90 --show-percs=no",
            "--sort=Ir:20,Dr:100 --auto=no",
        ):
            with self.subTest(options):
                self.compare(options, path)

    def test_sources(self) -> None:
        """Sources that are asked for, here, in another directory, or without costs."""
        path = self.profile("callgrind", [])
        elsewhere = Path("/")
        here = f"--include={self.directory}"
        self.compare("--auto=no", path, "program.c")
        self.compare("--context=1", path, "twice.h")
        text = self.compare(f"{here} --auto=yes", path, cwd=elsewhere)
        self.assertIn(f"-- Auto-annotated source: {self.directory}/twice.h\n", text)
        text = self.compare(f"{here} --auto=no", path, "twice.h", cwd=elsewhere)
        self.assertIn("\n  No information has been collected for twice.h\n", text)
        self.compare(f"--inclusive=yes --tree=both --include=nowhere {here}", path, cwd=elsewhere)

    def odd_profile(self, lines: int, source_is_newer: bool) -> Path:
        """A profile of a source file with so many lines, and of one in a directory `more`."""
        path = self.directory / "odd.out"
        path.write_text(ODD)
        source = self.directory / "odd.c"
        source.write_text("".join(f"line {i + 1}\n" for i in range(lines)))
        (self.directory / "more").mkdir(exist_ok=True)
        (self.directory / "more" / "last.h").write_text("one\n" * (1 if lines == 7 else 2))
        time = path.stat().st_mtime + (5 if source_is_newer else -5)
        os.utime(source, (time, time))
        return path

    def test_odd_lines(self) -> None:
        """No line, lines behind the end, also of a header, two functions that call in one line."""
        for lines, newer in (7, True), (7, False), (72, False), (90, False), (0, False):
            path = self.odd_profile(lines, newer)
            for options in (*OPTIONS, "--context=1", "--threshold=99.9", "--sort=D"):
                with self.subTest(lines=lines, newer=newer, options=options):
                    self.compare(f"--include=more {options}", path)

    def test_blanks(self) -> None:
        """Blanks of the head stay, as Callgrind's own descriptions of caches have them; also at ends."""
        path = self.directory / "blanks.out"
        path.write_text(
            "# callgrind format\nversion: 1\ncreator: c\npid: 4\ncmd:  ./a   b \npart: 1\n\n\n"
            "desc: I1 cache:         32768 B, 64 B,  8-way \ndesc:  D1 cache : \ndesc: LL cache: \n"
            "desc: Trigger:   Program termination\n\npositions: line\nevents: Ir\nsummary: 5\n\n"
            "fl=a.c\nfn=main\n1 5\n"
        )
        text = self.compare("--auto=no", path)
        self.assertIn("\nI1 cache:         32768 B, 64 B,  8-way \n", text)

    def test_first_caller(self) -> None:
        """Calls from a line are those of the function that comes first in the profile, and no others."""
        text = self.compare("--threshold=100 --context=0", self.odd_profile(7, False))
        rows = [" ".join(line.split()) for line in text.splitlines() if " => " in line]
        self.assertEqual(
            rows,
            [
                "8 ( 0.00%) . . => odd.c:another (1x)",
                "7 ( 0.00%) 8 ( 0.79%) . => odd.c:called (1,234x)",
            ],
        )

    def test_differences(self) -> None:
        """What the reference says that differs: the total of parts, calls of count 0, errors."""
        part = "events: Ir\nsummary: 10\n\nfn=(1) f\n1 10\ncfn=(2) g\ncalls=0 1\n2 4\n\n"
        path = self.directory / "parts.out"
        path.write_text(f"{part}part: 2\n{part}")
        output = annotate("--callgrind", "--tree=calling", path)
        self.assertEqual(output.status, 0, output.stderr)
        rows = output.rows()
        self.assertIn("20 (100.0%) PROGRAM TOTALS", rows)
        first = rows.index("20 (100.0%) * ???:f")
        self.assertEqual(rows[first + 1], "8 (40.00%) > ???:g (0x)")
        for arguments, status, message in (
            (["none.c"], 1, "none.c: no such file; expected a source file in this directory"),
            (["--sort=Dr"], 1, "parts.out:1: no event 'Dr'; expected one of Ir"),
            (["--sort=Ir:x"], 2, "argument --sort: 'x'; expected 0 to 100"),
            (["--json"], 2, "--callgrind with --json"),
        ):
            with self.subTest(arguments):
                options = [a for a in arguments if a.startswith("-")]
                sources = [a for a in arguments if not a.startswith("-")]
                output = annotate("--callgrind", *options, path, *sources)
                self.assertEqual((output.status, output.stdout), (status, ""))
                self.assertIn(message, output.stderr)
                self.assertEqual(output.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
