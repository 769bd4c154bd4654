"""cg2_annotate: the numbers of its report, its options, its errors."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from toolsupport import PATHS, SOURCE, TOOLS, Output, annotate

import starts
from cg2test import HANG
from cg2tools.program.sources import is_system
from datafiles import list_and_array
from cg2tools.report.page import TEMPLATE

PROFILE = """\
# callgrind format
version: 1
creator: callgrind-cg2-0.1
pid: 4711
cmd: ./app 1
part: 1
desc: Trigger: Program termination
positions: line
event: Dr : Data Reads
event: Est = Ir + 10 Dr : Estimate
events: Ir Dr
summary: 1000 50
ob=(1) /bin/app
fl=(1) main.c
fn=(1) main
3 9
4 1
cfn=(2) work
calls=2 8
4 900 50
cob=(2) /lib/libc.so
cfi=(3) ???
cfn=(3) puts
calls=1 0
5 90
fn=(2)
8 300 10
fi=(2) inl.h
2 500 30
fe=(1)
9 0
cfn=(4) work'2
calls=3 8
9 100 10
fn=(4)
8 100 10
ob=(2)
fl=(3)
fn=(3)
0 90
totals: 1000 50
"""

MAIN_C = """\
#include "inl.h"

int main(void) {
  work();
  puts("");
}
/* work */
void work(void) {
  inlined(); if (more) work();
}
/* not
   shown
   with
   a small
   context */
"""


class Fixture(unittest.TestCase):
    """A directory with PROFILE as cg2.out.1, and its source main.c."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        self.write("main.c", MAIN_C)
        os.utime(self.directory / "main.c", (1, 1))
        self.write("cg2.out.1", PROFILE)

    def write(self, name: str, text: str) -> Path:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run_annotate(self, *arguments: str, status: int = 0) -> Output:
        output = annotate(*arguments, directory=self.directory)
        self.assertEqual(output.status, status, output.stderr)
        self.assertNotIn("Traceback", output.stderr)
        return output

    def functions(self, *arguments: str) -> list[str]:
        output = self.run_annotate("--auto=no", *arguments, "cg2.out.1")
        self.assertEqual(output.stderr, "")
        return output.functions()


class Pipe(Fixture):
    def test_sources(self) -> None:
        """A profile from standard input is shown beside the sources that are there, as one from a file is."""
        expected = self.run_annotate("--auto=yes", "cg2.out.1").stdout
        self.assertIn("-- Auto-annotated source: main.c", expected)
        found = self.run_with_pipe("cg2_annotate", "--auto=yes", "-")
        self.assertEqual(found.replace("standard input", "cg2.out.1"), expected)
        if TEMPLATE.exists():  # npm has built it
            self.run_with_pipe("cg2_report", "-o", "page.html", "-")
            self.assertTrue((self.directory / "page.html").exists())

    def run_with_pipe(self, command: str, *arguments: str) -> str:
        ended = starts.run(
            [TOOLS / command, *arguments], directory=self.directory, limit=HANG, stdin=PROFILE
        )
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return ended.stdout


class Functions(Fixture):
    def test_self_cost(self) -> None:
        """Most expensive first; inlined code and levels belong to their function."""
        self.assertEqual(
            self.functions("--threshold=100"),
            [
                "900 (90.00%) 50 (100.0%) main.c:work [/bin/app]",
                "90 ( 9.00%) . ???:puts [/lib/libc.so]",
                "10 ( 1.00%) . main.c:main [/bin/app]",
            ],
        )

    def test_heading(self) -> None:
        """Inclusive costs are called so."""
        for option, label in ("--threshold=99", ""), ("--inclusive=yes", ", with what it calls"):
            shown = self.run_annotate("--auto=no", option, "cg2.out.1").stdout
            self.assertRegex(shown, rf"(?m)^Ir .* file:function{label}$")

    def test_inclusive_cost(self) -> None:
        self.assertEqual(
            self.functions("--inclusive=yes", "--threshold=100", "--show=Ir"),
            [
                "1,000 (100.0%) main.c:main [/bin/app]",
                "900 (90.00%) main.c:work [/bin/app]",
                "90 ( 9.00%) ???:puts [/lib/libc.so]",
            ],
        )

    def test_levels_apart(self) -> None:
        self.assertEqual(
            self.functions("--fold-recs=no", "--inclusive=yes", "--show=Ir"),
            [
                "1,000 (100.0%) main.c:main [/bin/app]",
                "900 (90.00%) main.c:work [/bin/app]",
                "100 (10.00%) main.c:work'2 [/bin/app]",
                "90 ( 9.00%) ???:puts [/lib/libc.so]",
            ],
        )

    def test_threshold(self) -> None:
        """Self: until the share is reached.  Inclusive: what has the rest."""
        wanted: list[tuple[list[str], list[str]]] = [
            (["--threshold=0"], []),
            (["--threshold=90"], ["work"]),
            (["--threshold=90.1"], ["work", "puts"]),
            (["--threshold=99"], ["work", "puts"]),
            (["--threshold=99.5"], ["work", "puts", "main"]),
            ([], ["work", "puts"]),
            (["--inclusive=yes", "--threshold=0"], ["main"]),
            (["--inclusive=yes", "--threshold=10"], ["main", "work"]),
            (["--inclusive=yes", "--threshold=91"], ["main", "work", "puts"]),
        ]
        for options, names in wanted:
            with self.subTest(options):
                rows = self.functions(*options)
                self.assertEqual(
                    [re.findall(r":(\w+)", row)[0] for row in rows],
                    names,
                )

    def test_columns_and_order(self) -> None:
        self.assertEqual(
            self.functions("--show=Dr,Ir", "--sort=Dr,Ir", "--threshold=100", "--show-percs=no"),
            [
                "50 900 main.c:work [/bin/app]",
                ". 90 ???:puts [/lib/libc.so]",
                ". 10 main.c:main [/bin/app]",
            ],
        )
        self.assertEqual(
            self.functions("--show=Ir", "--sort=Dr"), ["900 (90.00%) main.c:work [/bin/app]"]
        )

    def test_derived_event(self) -> None:
        """Est = Ir + 10 Dr: 1400 of 1500 in work."""
        self.assertEqual(
            self.functions("--show=Est,Ir", "--threshold=100")[:2],
            [
                "1,400 (93.33%) 900 (90.00%) main.c:work [/bin/app]",
                "90 ( 6.00%) 90 ( 9.00%) ???:puts [/lib/libc.so]",
            ],
        )

    def test_tree(self) -> None:
        rows = self.functions("--tree=both", "--show=Ir", "--threshold=90")
        self.assertEqual(
            rows,
            [
                "900 (90.00%) < main.c:main [/bin/app] (2x)",
                "100 (10.00%) < main.c:work [/bin/app] (3x)",
                "900 (90.00%) * main.c:work [/bin/app]",
                "100 (10.00%) > main.c:work [/bin/app] (3x)",
            ],
        )
        for tree, marks in (("caller", "<<*"), ("calling", "*>")):
            rows = self.functions(f"--tree={tree}", "--show=Ir", "--threshold=90")
            self.assertEqual("".join(row.split()[2] for row in rows).replace("%)", ""), marks)

    def test_columns_line_up(self) -> None:
        output = self.run_annotate("--auto=no", "--threshold=100", "cg2.out.1")
        self.assertIn(
            "Ir            Dr           file:function\n"
            "\n"
            "900 (90.00%)  50 (100.0%)  main.c:work [/bin/app]\n"
            " 90 ( 9.00%)   .           ???:puts [/lib/libc.so]\n"
            " 10 ( 1.00%)   .           main.c:main [/bin/app]\n",
            output.stdout,
        )

    def test_head(self) -> None:
        output = self.run_annotate("--auto=no", "-I", "x", "--include=y", "cg2.out.1")
        rows = output.rows()
        for row in (
            "Profile data file 'cg2.out.1' (creator: callgrind-cg2-0.1)",
            "Trigger: Program termination",
            "Profiled target: ./app 1 (PID 4711, part 1)",
            "Events shown: Ir: instructions executed",
            "Dr: Data Reads",
            "Thresholds: 99",
            "Include dirs: x y",
            "Auto-annotation: off",
            "1,000 (100.0%) 50 (100.0%) PROGRAM TOTALS",
        ):
            self.assertIn(row, rows)
        for nothing in "Events recorded", "Event sort order", "User annotated":
            self.assertNotIn(nothing, output.stdout)

    def test_head_of_some_events(self) -> None:
        """What is recorded and the order are said where they are not what is shown; headings have content."""
        trigger = "desc: Trigger: Program termination\n"
        self.write("caches", PROFILE.replace(trigger, "desc: I1 cache: \n" + trigger))
        rows = self.run_annotate("--auto=no", "--show=Est", "--sort=Dr", "caches").rows()
        start = rows.index("Trigger: Program termination")
        self.assertNotIn("I1 cache:", rows)
        self.assertEqual(
            rows[start + 1 : start + 7],
            [
                "Profiled target: ./app 1 (PID 4711, part 1)",
                "Events recorded: Ir Dr",
                "Events shown: Est: Estimate",
                "Event sort order: Dr",
                "Thresholds: 99",
                "Auto-annotation: off",
            ],
        )

    def test_skipped(self) -> None:
        """Functions that were left out are named, with the number of their calls."""
        trigger = "desc: Trigger: Program termination\n"
        self.write("skipped", PROFILE.replace(trigger, trigger + "desc: Skipped: 1234 f(int)\n"))
        self.assertIn("Skipped: f(int) (1,234x)", self.run_annotate("--auto=no", "skipped").rows())

    def test_several_parts(self) -> None:
        """Costs and calls of all parts add up, and the totals with them."""
        self.write("two", PROFILE + PROFILE.replace("part: 1", "part: 2"))
        output = self.run_annotate("--auto=no", "--show=Ir", "two")
        self.assertIn("2,000 (100.0%) PROGRAM TOTALS", output.rows())
        self.assertEqual(
            output.functions(),
            ["1,800 (90.00%) main.c:work [/bin/app]", "180 ( 9.00%) ???:puts [/lib/libc.so]"],
        )
        self.assertIn("Profiled target: ./app 1 (PID 4711, part 2)", output.rows())

    def test_several_files(self) -> None:
        """The head names the first four; what a file does not say is not there."""
        names = [f"of{i}" for i in range(5)]
        for name in names:
            self.write(name, "events: Ir\ncmd: ./app\nfn=f\n1 2\n")
        output = self.run_annotate("--auto=no", *names[:2])
        self.assertIn("\nProfile data files 'of0', 'of1'\n", output.stdout)
        output = self.run_annotate("--auto=no", *names)
        self.assertIn("\nProfile data files 'of0', 'of1', 'of2', 'of3' and 1 more\n", output.stdout)
        self.assertIn("\nProfiled target:  ./app\n", output.stdout)
        self.assertIn("10 (100.0%) PROGRAM TOTALS", output.rows())

    def test_profile_without_costs(self) -> None:
        self.write("empty", "events: Ir\nsummary: 0\ntotals: 0\n")
        output = self.run_annotate("--auto=yes", "empty")
        self.assertIn(". PROGRAM TOTALS", output.rows())
        self.assertEqual(output.functions(), [])


class Overview(Fixture):
    """Without an option that asks for lists: what was run, the total, twenty functions, and how to see
    more."""

    def test_all(self) -> None:
        self.assertEqual(
            self.run_annotate("cg2.out.1").stdout,
            """\
Program: ./app 1 (PID 4711)
Profile: cg2.out.1

1,000 Ir: instructions executed
   50 Dr: Data Reads

Ir            inclusive     Dr           file:function

900 (90.00%)  900 (90.00%)  50 (100.0%)  main.c:work [/bin/app]
 90 ( 9.00%)   90 ( 9.00%)   .           ???:puts [/lib/libc.so]
and 1 more function, 1.00% together; --threshold=100 lists them

with what they call:   cg2 annotate --inclusive=yes cg2.out.1
callers and callees:   cg2 annotate --tree=both cg2.out.1
sources, line by line: cg2 annotate --auto=yes cg2.out.1
in a browser:          cg2 report cg2.out.1
""",
        )

    def test_columns(self) -> None:
        """What is sorted by comes first, with its inclusive cost; --show says which others there are."""
        for options, row in (
            (["--sort=Dr"], "50 (100.0%) 50 (100.0%) 900 (90.00%) main.c:work [/bin/app]"),
            (["--show=Ir"], "900 (90.00%) 900 (90.00%) main.c:work [/bin/app]"),
            (["--show=Ir", "--sort=Dr"], "900 (90.00%) 900 (90.00%) main.c:work [/bin/app]"),
            (["--show=Dr,Ir", "--show-percs=no"], "50 50 900 main.c:work [/bin/app]"),
            (
                ["--event=S = Ir + Dr", "--show=S"],
                "950 (90.48%) 950 (90.48%) main.c:work [/bin/app]",
            ),
            (["--columns=part", "--show-percs=no"], "900 900 900 50 main.c:work [/bin/app]"),
        ):
            with self.subTest(options):
                self.assertEqual(self.run_annotate(*options, "cg2.out.1").functions()[0], row)

    def test_names_missing(self) -> None:
        """The first screen says which share is in functions without names, where, and what brings names."""
        head = "events: Ir Dr\n"
        named = "ob=/home/me/app\nfl=a.c\nfn=main\n1 600 1\n"
        own = "ob=/home/me/app\nfl=???\nfn=0x0000000000014cb0\n0 250 1\nfn=0x0000000000014cc0'2\n0 50\n"
        others = "ob=/usr/bin/ls\nfl=???\nfn=0x0000000000001000\n0 96 7\n"
        jit = "ob=???\nfl=???\nfn=0x0000000004001000\n0 4000\n"
        few = "ob=/lib/libx.so\nfl=???\nfn=0x0000000000002000\n0 4 90\n"
        for text, missing, remedies in (
            (
                named + own + others + few,
                "40.0% of Ir is in functions without names: app 30.0%, ls 9.6%",
                2,
            ),
            (named + own, "33.3% of Ir is in functions without names: app 33.3%", 1),
            (named + jit, "", 0),
            (named + few, "", 0),
        ):
            with self.subTest(missing):
                self.write("p", head + text)
                rows = self.run_annotate("p").rows()
                said = [row for row in rows if row.startswith("Names missing: ")]
                self.assertEqual(said, [f"Names missing: {missing}"] * bool(missing))
                (advice,) = [row for row in rows if row.startswith("To have names: ")] or [""]
                self.assertEqual("-g" in advice, remedies > 0)
                self.assertEqual("DEBUGINFOD_URLS" in advice, remedies > 1)
        self.write("p", head + named + own)
        self.assertNotIn("Names missing", str(self.run_annotate("--threshold=100", "p").rows()))

    def test_twenty(self) -> None:
        """The first 20 of 30 functions are shown, of which each costs 1 more than the next; parts are added
        up."""
        part = "part: {}\nevents: Ir\n" + "".join(f"fn=f{n}\n1 {n}\n" for n in range(1, 31))
        self.write("many", part.format(1) + part.format(2))
        output = self.run_annotate("many")
        self.assertEqual(
            [row.split(":")[-1] for row in output.functions()], [f"f{n}" for n in range(30, 10, -1)]
        )
        self.assertIn(
            "and 10 more functions, 11.83% together; --threshold=100 lists them\n", output.stdout
        )
        self.assertIn("Profile: many (2 parts)\n\n930 Ir: ", output.stdout)

    def test_files(self) -> None:
        """The commands name the files that were read, if these are there and not many."""
        for paths, named in (
            (["cg2.out.1", "cg2.out.1"], "cg2.out.1"),
            (["two words", "cg2.out.1"], "'two words' cg2.out.1"),
            (["p" * 99, "cg2.out.1"], "FILE..."),
        ):
            for path in paths:
                self.write(path, PROFILE)
            last = self.run_annotate(*paths).stdout.splitlines()[-1]
            self.assertEqual(last, f"in a browser:          cg2 report {named}")

    def test_cycle(self) -> None:
        """An inclusive cost that is an upper bound is marked."""
        self.write(
            "cycle",
            "events: Ir\nfn=a\n1 5\ncfn=b\ncalls=2 1\n1 9\nfn=b\n1 4\ncfn=a\ncalls=1 1\n1 5\n",
        )
        self.assertIn("5 (55.56%) 9 (100.0%) ???:a <cycle 1>", self.run_annotate("cycle").rows())

    def test_others(self) -> None:
        """An option about functions or lines, or a source, asks for lists; -I and --context for sources."""
        for options, has_sources in (
            (["--threshold=99"], False),
            (["--auto=no"], False),
            (["--tree=none"], False),
            (["--inclusive=no"], False),
            (["--view=function"], False),
            (["--asm=no"], False),
            (["--auto=yes"], True),
            (["--context=8"], True),
            (["-I", "src"], True),
        ):
            output = self.run_annotate(*options, "cg2.out.1")
            self.assertEqual("-- Auto-annotated source: main.c" in output.stdout, has_sources)
            self.assertIn("1,000 (100.0%) 50 (100.0%) PROGRAM TOTALS", output.rows(), options)
        self.assertIn(
            "-- User-annotated source: main.c", self.run_annotate("cg2.out.1", "main.c").stdout
        )


ROUNDS = """\
# callgrind format
version: 1
creator: callgrind-cg2-0.1
positions: line
event: Ih = Ir - Rep : Instructions as a processor counts them
events: Ir Rep
fl=main.c
fn=main
3 100 50
4 1
fn=clear
8 1001 1000
9 8
fn=mixed
12 60 50
13 60
totals: 1230 1100
"""
"""Rounds are most of all, of `clear` and of lines 8 and 12; of main's line 3 and of `mixed` they are not."""


ROUNDS_SAID = """\
# callgrind format
version: 1
creator: callgrind-cg2-0.1
desc: Rounds of functions: 1000 main.c:clear ???\t50 main.c:main ???
desc: Rounds of lines: 1000 8 main.c\t50 3 main.c
desc: Forwarded: 1000 0x10 0x20 1 /bin/app\t3 0x10 0x20 1 partly /bin/app
positions: line
events: Ir
fl=main.c
fn=main
3 100
4 1
cfn=clear
calls=1 8
4 1009
fn=clear
8 1001
9 8
totals: 1110
"""
"""The same where no event counts them: rounds are most of `clear` and of line 8 alone."""


class Rounds(Fixture):
    def test_functions(self) -> None:
        """Each list says of which functions most is rounds, without being asked."""
        self.write("rounds.out", ROUNDS)
        for arguments in ((), ("--threshold=100",), ("--inclusive=yes",)):
            with self.subTest(arguments=arguments):
                text = self.run_annotate("rounds.out", *arguments).stdout
                self.assertRegex(text, r"(?m)main.c:clear.* <99.1% rounds of rep>$")
                self.assertEqual(len(re.findall("main.c:.*rounds of rep", text)), 1)

    def test_said(self) -> None:
        """The header's rounds are said where no event counts them, beside the function's own row and
        line, not beside calls of it; of parts together they are added up."""
        self.write("rounds.out", ROUNDS_SAID)
        for arguments in ((), ("--threshold=100",), ("--tree=both", "main.c")):
            with self.subTest(arguments=arguments):
                self.write("main.c", "\n" * 9)
                text = self.run_annotate("rounds.out", *arguments).stdout
                self.assertRegex(text, r"(?m)main.c:clear <99.1% rounds of rep>$")
                said = len(re.findall("rounds of rep", text))
                self.assertEqual(said, 2 if "main.c" in arguments else 1)
        self.assertRegex(text, r"(?m)^1,001 \(.* <99.9% rounds of rep>$")
        self.write("more.out", ROUNDS_SAID.replace("1000 ", "500 "))
        merge = "-o", "sum.out", "rounds.out", "more.out"
        starts.run([TOOLS / "cg2_merge", *merge], directory=self.directory, limit=HANG)
        sum_said = (self.directory / "sum.out").read_text()
        self.assertIn("desc: Rounds of lines: 100 3 main.c\t1500 8 main.c\n", sum_said)
        self.assertIn(
            "\ndesc: Forwarded: 1500 0x10 0x20 1 /bin/app\t6 0x10 0x20 1 partly /bin/app\n",
            sum_said,
        )
        self.assertIn("functions: 1500 main.c:clear ???\t100 main.c:main ???\n", sum_said)
        self.assertRegex(self.run_annotate("sum.out").stdout, r"main.c:clear <74.3% rounds of rep>")

    def test_next_part(self) -> None:
        """What a part says of its rounds is not said of the part behind it."""
        second = "part: 2\nevents: Ir\nfl=main.c\nfn=clear\n8 1001\ntotals: 1001\n"
        self.write("two.out", f"{ROUNDS_SAID}\n{second}")
        text = self.run_annotate("two.out").stdout
        self.assertRegex(text, r"(?m)main.c:clear$")
        self.assertNotIn("rounds", text)

    def test_total(self) -> None:
        self.write("rounds.out", ROUNDS)
        text = self.run_annotate("rounds.out", "--threshold=100").stdout
        self.assertIn("PROGRAM TOTALS <89.4% rounds of rep>", text)

    def test_lines(self) -> None:
        """Beside the source, too."""
        self.write("rounds.out", ROUNDS)
        self.write("main.c", "".join(f"line {number}\n" for number in range(1, 15)))
        text = self.run_annotate("rounds.out", "--auto=yes", "--threshold=100").stdout
        self.assertEqual(
            re.findall(r"(line \d+) <(.*)%", text), [("line 8", "99.9"), ("line 12", "83.3")]
        )

    def test_derived(self) -> None:
        """Ih is a column when asked for."""
        self.write("rounds.out", ROUNDS)
        text = self.run_annotate("rounds.out", "--show=Ih", "--threshold=100").stdout
        self.assertRegex(text, r"130 \(100.0%\)  PROGRAM TOTALS")


class Sources(Fixture):
    def run_annotate(self, *arguments: str, status: int = 0) -> Output:
        return super().run_annotate("--auto=yes", *arguments, status=status)

    def test_own_files_first(self) -> None:
        """Files of the system are annotated behind the program's, whatever they cost."""
        system = "/usr/include/stdio.h"
        self.write("p", f"events: Ir\nfl={system}\nfn=g\n1 99\nfl=main.c\nfn=f\n1 1\n")
        rows = self.run_annotate("--threshold=100", "p").rows()
        files = [row.split()[-1] for row in rows if row.startswith("-- Auto-annotated")]
        self.assertEqual(files, ["main.c", system])
        for name in (
            "/usr/lib/gcc/12/x.h",
            "/usr/lib64/../include/x.h",
            "/home/me/.cargo/registry/x.rs",
        ):
            self.assertTrue(is_system(name), name)
        for name in "/usr/src/app.c", "/usr/local/include/x.h", "main.c", "/home/usr/include/x.h":
            self.assertFalse(is_system(name), name)

    def source(self, *arguments: str) -> list[str]:
        """The lines below the first heading that announces a source."""
        output = self.run_annotate("--show=Ir", *arguments, "cg2.out.1")
        self.assertEqual(output.stderr, "")
        lines = output.stdout.split("\n")
        start = next(i for i, line in enumerate(lines) if "-annotated source" in line)
        return lines[start : lines.index("", start + 4)]

    LINES = [
        "-- Auto-annotated source: main.c",
        "-" * 80,
        "Ir",
        "",
        '  .           #include "inl.h"',
        "  .",
        "  9 ( 0.90%)  int main(void) {",
        "  1 ( 0.10%)    work();",
        "900 (90.00%)  => main.c:work (2x)",
        '  .             puts("");',
        " 90 ( 9.00%)  => ???:puts (1x)",
        "  .           }",
        "  .           /* work */",
        "400 (40.00%)  void work(void) {",
        "  .             inlined(); if (more) work();",
        "100 (10.00%)  => main.c:work (3x)",
    ]

    def test_lines(self) -> None:
        """Self cost beside each line; below it the calls, inclusive."""
        self.assertEqual(self.source("--context=2")[:-2], self.LINES)
        self.assertEqual(
            self.source("--context=2")[-2:],
            ["  .           }", "  .           /* not"],
        )

    def test_context(self) -> None:
        lines = self.source("--context=0")
        self.assertEqual(
            lines[4:],
            [
                "-- line 3 " + "-" * 40,
                *self.LINES[6:11],
                "-- line 8 " + "-" * 40,
                *self.LINES[13:],
            ],
        )
        self.assertEqual(len(self.source("--context=8")), len(self.LINES) + 6)

    def test_events_annotated(self) -> None:
        output = self.run_annotate("--show=Ir", "cg2.out.1")
        self.assertEqual(output.rows()[-1], "410 (41.00%) events annotated")
        self.write("inl.h", "/* 1 */\nint inlined(void) { }\n")
        os.utime(self.directory / "inl.h", (1, 1))
        output = self.run_annotate("--show=Ir", "cg2.out.1")
        self.assertIn("500 (50.00%) int inlined(void) { }", output.rows())
        self.assertEqual(output.rows()[-1], "910 (91.00%) events annotated")

    def test_missing_sources_are_listed(self) -> None:
        """With their cost, down to what the threshold leaves."""
        for threshold, listed in (
            (99, ["500 (50.00%) inl.h"]),
            (100, ["500 (50.00%) inl.h"]),
            (40, ["and 1 more of less than 60% each; --threshold=100 lists them"]),
        ):
            output = self.run_annotate("--show=Ir", f"--threshold={threshold}", "cg2.out.1")
            rows = output.rows()
            start = rows.index("-- Source files not found (-I DIR looks in DIR)")
            self.assertEqual(rows[start + 2], "Ir file")
            self.assertEqual(rows[start + 4 : start + 6], [*listed, ""])

    def test_include_directories(self) -> None:
        """Below each -I the name is tried whole, then with fewer directories."""
        self.write("p", PROFILE.replace("main.c", "/build/src/main.c"))
        for path in ("there/build/src/main.c", "there/src/main.c", "there/main.c"):
            with self.subTest(path):
                written = self.write(path, MAIN_C)
                os.utime(written, (1, 1))
                for option in (
                    ["-I", "there"],
                    ["-Ithere"],
                    ["--include=there"],
                    ["-I", "nowhere", "-I", "there"],
                ):
                    output = self.run_annotate("--show=Ir", *option, "p")
                    self.assertIn(
                        f"-- Auto-annotated source: /build/src/main.c (read from {path})",
                        output.rows(),
                    )
                    self.assertIn("400 (40.00%) void work(void) {", output.rows())
                written.unlink()

    def test_named_sources(self) -> None:
        """SOURCE is the name in the profile, or the end of it."""
        self.write("p", PROFILE.replace("main.c", f"{self.directory}/main.c"))
        for name in ("main.c", "./main.c", f"{self.directory}/main.c"):
            output = self.run_annotate("--auto=no", "--show=Ir", "p", name)
            self.assertIn(f"-- User-annotated source: {self.directory}/main.c", output.rows())
            self.assertIn("400 (40.00%) void work(void) {", output.rows())
        output = self.run_annotate("--auto=no", "p", "ain.c")
        self.assertIn("-- No cost was recorded in ain.c", output.rows())

    def test_lines_that_are_not_there(self) -> None:
        self.write("short.c", "one\n")
        os.utime(self.directory / "short.c", (1, 1))
        self.write("p", "events: Ir\nfl=short.c\nfn=f\n0 5\n1 6\n7 8\n")
        rows = self.run_annotate("--show-percs=no", "p").rows()
        start = rows.index("5 <no line number>")
        self.assertEqual(
            rows[start : start + 3],
            ["5 <no line number>", "6 one", "8 <line 7, past the end of the file>"],
        )
        self.assertEqual(rows[-1], "19 events annotated")

    def test_source_newer_than_the_run(self) -> None:
        """The time of the run counts, if the profile has it, not that of its file."""
        (self.directory / "main.c").touch()
        os.utime(self.directory / "main.c", (1_000_000_000, 1_000_000_000))
        for began, is_newer in ("2001-09-09 01:46:39.5 UTC", True), (
            "2001-09-09 01:46:40.5 UTC",
            False,
        ):
            for time in 1, 2_000_000_000:
                self.write("p", f"desc: Started: {began}\nevents: Ir\nfl=main.c\nfn=main\n3 7\n")
                os.utime(self.directory / "p", (time, time))
                rows = self.run_annotate("p", "main.c").rows()
                said = "-- Warning: main.c is newer than the run; costs may stand beside the wrong lines"
                self.assertEqual(said in rows, is_newer)
                self.assertEqual("Warning" in str(rows), is_newer)

    def test_source_newer_than_the_profile(self) -> None:
        (self.directory / "main.c").touch()
        os.utime(self.directory / "cg2.out.1", (1, 1))
        self.assertIn(
            "-- Warning: main.c is newer than the profile; "
            "costs may stand beside the wrong lines",
            self.run_annotate("cg2.out.1").rows(),
        )

    def test_bytes_that_are_not_utf8(self) -> None:
        (self.directory / "l.c").write_bytes(b"caf\xe9\n")
        (self.directory / "p").write_bytes(b"events: Ir\nfl=l.c\nfn=g\xe9\n1 5\n")
        rows = self.run_annotate("--show-percs=no", "p").rows()
        self.assertIn("5 l.c:g\udce9", rows)
        self.assertIn("5 caf\udce9", rows)


class Errors(Fixture):
    """Each is one line on stderr; 1 for a bad file, 2 for a bad command line."""

    def fails(self, *arguments: str, message: str, status: int = 1) -> None:
        output = self.run_annotate(*arguments, status=status)
        self.assertEqual((output.stderr, output.stdout), (message + "\n", ""))

    def test_missing_file(self) -> None:
        self.fails("nothing", message="nothing: No such file or directory")
        self.fails(".", message=".: Is a directory")

    def test_check_of_missing_file(self) -> None:
        """--check says so, ends with status 1, and goes on with the next file."""
        output = self.run_annotate("--check", "nothing", "cg2.out.1", status=1)
        self.assertEqual(output.stderr, "nothing: No such file or directory\n")
        self.assertEqual(output.stdout, "cg2.out.1: ok, 1 part\n")

    def test_malformed_file(self) -> None:
        self.write("bad", PROFILE.replace("calls=2 8", "calls=two 8"))
        self.fails(
            "bad",
            message="bad:19: calls= without a count; expected a number and a position",
        )

    def test_sums_of_cg2_must_agree(self) -> None:
        self.write("bad", PROFILE.replace("summary: 1000", "summary: 1001"))
        self.fails(
            "bad",
            message="bad:12: summary: says 1001 Ir, but the self costs add up to 1000; "
            "expected the same",
        )

    def test_sums_of_callgrind_may_differ(self) -> None:
        """Callgrind's summary is known to be off; the sum of the costs is the total."""
        text = PROFILE.replace("callgrind-cg2-0.1", "callgrind-3.19.0")
        self.write("stock", text.replace("summary: 1000", "summary: 1001"))
        output = self.run_annotate("--auto=no", "stock")
        self.assertEqual(
            output.stderr,
            "stock:12: warning: summary: says 1001 Ir, but the self costs add up to "
            "1000; expected the same; the total shown is the sum of the self costs\n",
        )
        self.assertIn("1,000 (100.0%) 50 (100.0%) PROGRAM TOTALS", output.rows())
        self.assertIn("900 (90.00%) 50 (100.0%) main.c:work [/bin/app]", output.rows())

    def test_unknown_event(self) -> None:
        for option in ("--show", "--sort"):
            self.fails(
                f"{option}=Ir,Nope",
                "cg2.out.1",
                message="cg2.out.1:11: no event 'Nope'; expected one of Ir, Dr, Est",
            )

    def test_formula_that_leads_to_itself(self) -> None:
        self.write("p", "event: A = B\nevent: B = Ir + A\nevents: Ir\n")
        self.fails(
            "--show=A",
            "p",
            message="p:3: event 'A' is made of itself; expected a formula of other events",
        )

    def test_usage(self) -> None:
        for option, complaint in (
            ("--threshold=101", "'101'; expected 0 to 100"),
            ("--threshold=nan", "'nan'; expected 0 to 100"),
            ("--inclusive=maybe", "'maybe'; expected yes or no"),
            ("--context=-1", "'-1'; expected a number of lines, 0 or more"),
            ("--show=Ir,,Dr", "'Ir,,Dr'; expected events as in Ir,Dr"),
            (
                "--tree=up",
                "invalid choice: 'up' (choose from 'none', 'caller', 'calling', 'both')",
            ),
        ):
            with self.subTest(option):
                name = option.split("=")[0]
                self.fails(
                    option,
                    message=f"cg2_annotate: argument {name}: {complaint}; "
                    "see cg2_annotate --help",
                    status=2,
                )
        self.fails(
            "--nonsense",
            message="cg2_annotate: unrecognized arguments: --nonsense; see cg2_annotate --help",
            status=2,
        )

    def test_near_option(self) -> None:
        """An option that is not known names the one that may be meant."""
        for wrong, near in (("--treshold=3", "--threshold"), ("--inclusiv=yes", "--inclusive")):
            with self.subTest(wrong):
                message = f"cg2_annotate: unrecognized arguments: {wrong}; near to it: {near}"
                self.fails(wrong, message=f"{message}; see cg2_annotate --help", status=2)

    def test_together(self) -> None:
        """What is not shown together is refused, not left out."""
        self_costs = "which has self costs, with --inclusive or --tree; expected one of them"
        as_json = (
            "--json with --asm or --view; expected one of them, as JSON has functions and lines"
        )
        for options, complaint in (
            (("--view=file:function", "--inclusive=yes"), f"--view=file:function, {self_costs}"),
            (("--view=function:file", "--tree=both"), f"--view=function:file, {self_costs}"),
            (("--json", "--asm=yes"), as_json),
            (("--json", "--view=file:function"), as_json),
            (
                ("--miss-curve", "--columns=part"),
                "--miss-curve and --columns: expected one of them",
            ),
        ):
            with self.subTest(options):
                self.fails(
                    *options,
                    message=f"cg2_annotate: {complaint}; see cg2_annotate --help",
                    status=2,
                )

    def test_output_that_cannot_be_written(self) -> None:
        with open("/dev/full", "w") as full:
            ended = subprocess.run(
                [sys.executable, TOOLS / "cg2_annotate", "cg2.out.1"],
                cwd=self.directory,
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
            )
        self.assertEqual(ended.returncode, 1)
        self.assertEqual(ended.stderr, "standard output: No space left on device\n")

    def test_closed_pipe_is_quiet(self) -> None:
        text = "events: Ir\n" + "".join(f"fn=f{i}\n1 5\n" for i in range(20_000))
        self.write("long", text)
        ended = subprocess.run(
            f"'{sys.executable}' '{TOOLS}/cg2_annotate' --threshold=100 long | head -1",
            cwd=self.directory,
            shell=True,
            capture_output=True,
            text=True,
        )
        self.assertEqual((ended.stdout, ended.stderr), ("-" * 80 + "\n", ""))


class DefaultFile(Fixture):
    def chosen(self) -> str:
        output = self.run_annotate("--auto=no")
        match = re.fullmatch(
            r"cg2_annotate: reading (.*), the newest profile here\n", output.stderr
        )
        self.assertIsNotNone(match, output.stderr)
        assert match is not None
        self.assertIn(f"Profile data file '{match[1]}'", output.stdout)
        return match[1]

    def test_newest(self) -> None:
        for time, name in enumerate(
            ("cg2.out.9", "callgrind.out.1", "cg2.out.10.2", "cg2.out.3-01")
        ):
            path = self.write(name, PROFILE)
            os.utime(path, (2e9 + time, 2e9 + time))
            self.assertEqual(self.chosen(), name)

    def test_what_is_no_candidate(self) -> None:
        """Empty files (left by a killed run), directories, other names."""
        self.write("callgrind.out.2", "")
        (self.directory / "cg2.out.dir").mkdir()
        self.write("cachegrind.out.1", PROFILE)
        self.write("xcg2.out.1", PROFILE)
        for path in self.directory.iterdir():
            os.utime(path, (2e9, 2e9))
        os.utime(self.directory / "cg2.out.1", (1, 1))
        self.assertEqual(self.chosen(), "cg2.out.1")

    def test_none(self) -> None:
        (self.directory / "cg2.out.1").unlink()
        output = self.run_annotate(status=1)
        self.assertEqual(
            output.stderr,
            "cg2_annotate: no cg2.out.* or callgrind.out.* in this directory; "
            "expected one, or the name of a file\n",
        )


class Command(Fixture):
    def test_help_has_every_option(self) -> None:
        for option in ("-h", "--help"):
            text = self.run_annotate(option).stdout
            self.assertTrue(text.startswith("usage: cg2_annotate "))
            for name in (
                "--show",
                "--sort",
                "--threshold",
                "--show-percs",
                "--inclusive",
                "--tree",
                "--fold-recs",
                "--auto",
                "--context",
                "-I",
                "--include",
                "--version",
                "--help",
                "--event",
                "--parts",
                "--threads",
                "--columns",
                "--view",
                "--mod-filename",
                "--mod-funcname",
                "--asm",
                "--miss-curve",
                "--colour",
                "--json",
                "--check",
            ):
                self.assertRegex(text, rf"(?m)^  (-., |.*, )?{name}\b")
            self.assertLessEqual(max(map(len, text.split("\n"))), 80)

    def test_examples_of_the_help_work(self) -> None:
        text = self.run_annotate("--help").stdout
        examples = re.findall(r"(?m)^  cg2_annotate\b(.*?)(?:  .*)?$", text)
        self.assertEqual(len(examples), 18)
        swept = "D sweep of 1 set, read misses, 8192 B, 64 B, 128-way associative"
        cached = PROFILE.replace("Data Reads", swept).replace("Dr", "D1mr")
        self.write("cg2.out.4711", cached)
        self.write("cg2.out.4712", cached)
        self.write("cg2.data.4711", list_and_array())
        self.write("cg2.paths.4711", PATHS)
        for example in examples:
            with self.subTest(example):
                arguments = shlex.split(example.replace("*", "4711"))
                self.run_annotate(*arguments)

    def test_version(self) -> None:
        output = self.run_annotate("--version")
        configure = (SOURCE / "configure.ac").read_text()
        match = re.search(r"AC_INIT\(\[cg2\], \[(.*?)\]", configure)
        assert match is not None
        self.assertEqual(output.stdout, f"cg2_annotate {match[1]}\n")

    def test_installed(self) -> None:
        """bin/cg2_annotate finds share/cg2/tools/cg2tools, by way of a link too; and says where it misses the
        library."""
        prefix = self.directory / "usr"
        (prefix / "bin").mkdir(parents=True)
        script = prefix / "bin" / "cg2_annotate"
        script.write_bytes((TOOLS / "cg2_annotate").read_bytes())
        for module in (TOOLS / "cg2tools").rglob("*.py"):
            installed = prefix / "share" / "cg2" / "tools" / module.relative_to(TOOLS)
            installed.parent.mkdir(parents=True, exist_ok=True)
            installed.write_bytes(module.read_bytes())
        link = self.directory / "link"
        link.symlink_to(script)

        def run(path: Path) -> subprocess.CompletedProcess[str]:
            return subprocess.run(
                [sys.executable, path, "--auto=no", "cg2.out.1"],
                cwd=self.directory,
                capture_output=True,
                text=True,
            )

        library = prefix / "share" / "cg2" / "libcg2profile.so.1"
        ended = run(script)
        self.assertEqual(
            (ended.returncode, ended.stdout, ended.stderr),
            (
                1,
                "",
                f"{library}: was not built; expected the library of the commands, "
                "which ./bootstrap build makes\n",
            ),
        )
        subprocess.run(["gcc", "-shared", "-x", "c", "/dev/null", "-o", library], check=True)
        ended = run(script)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertRegex(
            ended.stderr,
            rf"\A{library}: cannot be used \(.* undefined symbol: cg2p_\w+\); expected the library of the "
            r"commands, which ./bootstrap build makes\n\Z",
        )
        library.unlink()
        library.symlink_to(TOOLS.parent / library.name)
        for path in (script, link):
            ended = run(path)
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))
            self.assertIn("PROGRAM TOTALS", ended.stdout)

    def test_is_executable(self) -> None:
        self.assertTrue(os.access(TOOLS / "cg2_annotate", os.X_OK))


if __name__ == "__main__":
    unittest.main()
