"""What cg2_annotate can do beyond functions and sources: checks, derived events, parts, machine code,
JSON."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios
import unittest
import unittest.mock
from pathlib import Path

from test_annotate import PROFILE, Fixture
from toolsupport import TOOLS, read

import cg2test
from cg2tools.profile.events import built_in_events, meaning_of, parse_event
from cg2tools.profile.model import ProfileError
from cg2tools.profile.transform import chosen, side_by_side, substitution
from cg2tools.program.disassembly import disassembled

HERE = Path(__file__).resolve().parent

PARTS = """\
pid: 7
part: 1
thread: 1
events: Ir Dr
fl=a.c
fn=f
1 10 1
cfn=g
calls=2 5
1 30
fn=g
5 30
part: 1
thread: 2
events: Ir Dr
fl=a.c
fn=f
1 100
part: 2
thread: 1
events: Ir Dr
fl=a.c
fn=g
5 1000 7
fl=b.h
fn=g
6 2
"""


class Check(Fixture):
    """--check says of each file that it is right, or all that is wrong."""

    def test_right(self) -> None:
        self.write("two", PARTS)
        output = self.run_annotate("--check", "cg2.out.1", "two")
        self.assertEqual(
            (output.stdout, output.stderr), ("cg2.out.1: ok, 1 part\ntwo: ok, 3 parts\n", "")
        )
        self.assertEqual(
            self.run_annotate("--check=calls", "cg2.out.1").stdout, "cg2.out.1: ok, 1 part\n"
        )

    def test_wrong(self) -> None:
        """Each fault is a line; the files behind it are looked at too."""
        self.write("sums", "events: Ir Dr\nsummary: 5 1\nfn=f\n1 4 1\ntotals: 4 2\n")
        self.write("grammar", "events: Ir\nfn=f\nx\n")
        output = self.run_annotate("--check", "sums", "grammar", "nothing", "cg2.out.1", status=1)
        self.assertEqual(output.stdout, "cg2.out.1: ok, 1 part\n")
        self.assertEqual(
            output.stderr.splitlines(),
            [
                "sums:2: summary: says 5 Ir, but the self costs add up to 4; expected the same",
                "sums:5: totals: says 2 Dr, but the self costs add up to 1; expected the same",
                "grammar:3: unknown line 'x'; expected 'key: value', 'spec=name' or a cost line",
                "nothing: No such file or directory",
            ],
        )

    def test_calls(self) -> None:
        """Cost that is in calls and nowhere else; a circle is taken as one."""
        self.write(
            "circle",
            "events: Ir\nfn=main\n1 1\ncfn=a\ncalls=1 1\n1 21\nfn=a\n1 10\ncfn=b\ncalls=3 1\n1 99\n"
            "fn=b\n1 10\ncfn=a\ncalls=2 1\n1 70\n",
        )
        self.assertEqual(self.run_annotate("--check", "circle").status, 0)
        self.assertEqual(
            self.run_annotate("--check=calls", "circle", status=1).stderr,
            "circle:1: calls of ???:a cost 21 Ir, but what runs there costs 20; expected no more than that\n",
        )
        self.write("circle", (self.directory / "circle").read_text().replace("21", "20"))
        self.run_annotate("--check=calls", "circle")

    def test_ids_of_an_earlier_part(self) -> None:
        self.write("ids", "events: Ir\nfn=(1) f\n1 2\npart: 2\nevents: Ir\nfn=(1)\n1 2\n")
        self.assertEqual(
            self.run_annotate("--check", "ids", status=1).stderr,
            "ids:6: function (1) is defined in an earlier part only; "
            "expected a definition in each part that uses it\n",
        )


class Events(Fixture):
    def test_option(self) -> None:
        """An event of --event is a column, and one to sort by."""
        self.assertEqual(
            self.functions("--event=Sum = Ir + 10 Dr - 2*Ir", "--show-percs=no", "--threshold=80"),
            ["900 50 -400 main.c:work [/bin/app]"],
        )
        self.assertEqual(
            self.functions("--event=A = -1 Ir", "--show=A,Ir", "--sort=A", "--show-percs=no")[0],
            "-10 10 main.c:main [/bin/app]",
        )

    def test_errors(self) -> None:
        for text, message in (
            ("A", "'A'; expected an event as in 'CEst = Ir + 10 Bm'"),
            ("A =", "event formula ''; expected a sum as 'Ir + 10 Bm'"),
            ("= Ir", "event: '= Ir'; expected 'event: name [= formula] [: long name]'"),
        ):
            output = self.run_annotate(f"--event={text}", "cg2.out.1", status=2)
            self.assertEqual(
                output.stderr,
                f"cg2_annotate: argument --event: {message}; see cg2_annotate --help\n",
            )
        output = self.run_annotate("--event=A = Nope", "cg2.out.1", status=1)
        self.assertEqual(
            output.stderr, "cg2.out.1:11: no event 'Nope'; expected one of Ir, Dr, Est\n"
        )

    def test_built_in(self) -> None:
        """What is not recorded counts nothing."""
        events = built_in_events(["Ir", "Bcm", "Bim", "I1mr", "D1mr"])
        self.assertEqual(
            {name: event.terms for name, event in events.items()},
            {
                "L1m": [(1, "I1mr"), (1, "D1mr")],
                "Bm": [(1, "Bim"), (1, "Bcm")],
                "CEst": [(1, "Ir"), (10, "Bm"), (10, "L1m")],
            },
        )
        self.assertEqual(built_in_events(["Ir"]), {})
        self.write("p", "events: Ir Bcm Bim\nfn=f\n1 100 3 4\n")
        self.assertIn(
            "170 ???:f",
            self.run_annotate("--show=CEst", "--show-percs=no", "--auto=no", "p").rows(),
        )

    def test_formulas_of_formulas(self) -> None:
        """Each is resolved once: 2 ** 40 times Ir takes no time."""
        text = (
            "".join(f"event: e{i} = e{i + 1} + e{i + 1}\n" for i in range(40)) + "event: e40 = Ir\n"
        )
        self.write("p", text + "events: Ir\nfn=f\n1 3\n")
        self.assertIn(
            f"{3 * 2**40:,} ???:f",
            self.run_annotate("--show=e0", "--show-percs=no", "--auto=no", "p").rows(),
        )

    def test_parse(self) -> None:
        event = parse_event("A=Ir+2Dr - 3 * Dw : Long: name")
        self.assertEqual(
            (event.name, event.terms, event.long_name),
            ("A", [(1, "Ir"), (2, "Dr"), (-3, "Dw")], "Long: name"),
        )

    def test_meaning(self) -> None:
        """An event is said as the profile says it, as it is known, or by the formula."""
        texts = ("D1mr : L1 misses", "T = Ir - 10 Dr", "Est = Ir : Estimate")
        said = {event.name: event for event in map(parse_event, texts)}
        meanings = {event: meaning_of(event, said) for event in ("D1mr", "T", "Est", "Ir", "X")}
        self.assertEqual(
            meanings,
            {"D1mr": "L1 misses", "T": "Ir - 10 Dr", "Est": "Estimate"}
            | {"Ir": "instructions executed", "X": ""},
        )


class Parts(Fixture):
    def setUp(self) -> None:
        super().setUp()
        self.write("parts", PARTS)

    def rows(self, *options: str) -> list[str]:
        output = self.run_annotate(
            "--auto=no", "--show-percs=no", "--threshold=100", *options, "parts"
        )
        return output.functions()

    def test_all(self) -> None:
        self.assertEqual(self.rows(), ["1,030 7 a.c:g", "110 1 a.c:f", "2 . b.h:g"])

    def test_chosen(self) -> None:
        self.assertEqual(self.rows("--parts=2"), ["1,000 7 a.c:g", "2 . b.h:g"])
        self.assertEqual(self.rows("--threads=2"), ["100 . a.c:f"])
        self.assertEqual(self.rows("--parts=1", "--threads=1"), ["30 . a.c:g", "10 1 a.c:f"])
        self.assertEqual(
            self.rows("--parts=1,2", "--threads=1"), ["1,030 7 a.c:g", "10 1 a.c:f", "2 . b.h:g"]
        )

    def test_missing(self) -> None:
        output = self.run_annotate("--parts=1,3", "parts", status=1)
        self.assertEqual(output.stderr, "parts:1: no part 3; expected one of 1, 2\n")
        with self.assertRaisesRegex(ProfileError, "no thread 9; expected one of 1, 2"):
            chosen(read(PARTS), "thread", {9})

    def test_side_by_side(self) -> None:
        """A column for each event of each part; the event itself is their sum, which rows are sorted by."""
        self.assertEqual(
            self.rows("--columns=part"), ["30 . 1,000 7 a.c:g", "110 1 . . a.c:f", ". . 2 . b.h:g"]
        )
        self.assertEqual(
            self.rows("--columns=thread", "--show=Ir.thread1,Ir.thread2,Ir", "--sort=Ir"),
            ["1,030 . 1,030 a.c:g", "10 100 110 a.c:f", "2 . 2 b.h:g"],
        )
        self.assertEqual(
            self.rows("--columns=part", "--show=Ir.part1", "--inclusive=yes"),
            ["140 a.c:f", "30 a.c:g"],
        )

    def test_names_of_threads(self) -> None:
        """Threads stand in the order of their numbers, and are called what the program calls them."""
        for number, name in ((11, "log"), (2, "read\x1bers"), (1, "")):
            said = f"desc: Threads: {number} {name}\n" * bool(name)
            self.write(
                f"many-{number}",
                f"pid: 7\nthread: {number}\n{said}events: Ir\nfn=f\n1 {number}\n",
            )
        files = ["many-1", "many-11", "many-2"]
        listed = self.run_annotate("--auto=no", "--show-percs=no", "--columns=thread", *files)
        self.assertEqual(listed.functions(), ["1 2 11 ???:f"])
        self.assertIn("Threads:          2 (read\\x1bers), 11 (log)\n", listed.stdout)
        self.assertIn("(PID 7, thread 11 (log))\n", listed.stdout)
        self.assertIn("\nThreads: 2 (read\\x1bers), 11 (log)\n", self.run_annotate(*files).stdout)
        missing = self.run_annotate("--threads=3", *files, status=1).stderr
        self.assertIn("no thread 3; expected one of 1, 2 (read\\x1bers), 11 (log)\n", missing)

    def test_order_of_threads(self) -> None:
        """What only other threads run is listed by what it costs in all; what is left out is said."""
        self.write(
            "threads",
            "thread: 1\nevents: Ir\nfn=small\n1 100\nfn=tiny\n1 1\n"
            "thread: 2\nevents: Ir\nfn=hot\n1 900\nfn=small\n1 10\n"
            "thread: 3\nevents: Ir\nfn=hot\n1 800\n",
        )
        options = ["--auto=no", "--show-percs=no", "--columns=thread"]
        cases: list[tuple[list[str], list[str], str]] = [
            ([], [". 900 800 ???:hot", "100 10 . ???:small"], "1 more function, 0.06%"),
            (["--show=Ir.thread1,Ir.thread2"], [". 900 ???:hot", "100 10 ???:small"], "0.10%"),
            (["--show=Ir.thread3,Ir"], ["800 1,700 ???:hot", ". 110 ???:small"], "0.06%"),
            (["--show=Ir.thread1"], ["100 ???:small"], "1 more function, 0.99%"),
            (["--sort=Ir.thread1"], ["100 10 . ???:small"], "2 more functions, 0.99%"),
        ]
        for asked, rows, rest in cases:
            with self.subTest(asked):
                output = self.run_annotate(*options, *asked, "threads")
                self.assertEqual(output.functions(), rows)
                self.assertIn(f"{rest} together; --threshold=100 lists them\n", output.stdout)
        self.assertNotIn(" more ", self.run_annotate(*options, "--threshold=100", "threads").stdout)

    def test_model(self) -> None:
        part = side_by_side(read(PARTS), "thread")
        part.check()
        self.assertEqual(part.events, ["Ir.thread1", "Dr.thread1", "Ir.thread2", "Dr.thread2"])
        self.assertEqual(part.self_total(), [1042, 8, 100, 0])

    def test_several_files(self) -> None:
        """Profiles are added up, other files are sources."""
        output = self.run_annotate(
            "--auto=no", "--show-percs=no", "cg2.out.1", "cg2.out.1", "main.c"
        )
        self.assertIn("1,800 100 main.c:work [/bin/app]", output.rows())
        self.assertIn("-- User-annotated source: main.c", output.stdout)
        self.write("other", "events: Ir\nfn=f\n1 2\n")
        output = self.run_annotate("cg2.out.1", "other", status=1)
        self.assertEqual(
            output.stderr, "other:1: events: Ir; expected those of the first part (Ir Dr)\n"
        )


class Views(Fixture):
    def test_files(self) -> None:
        """Inlined code is in its own file."""
        output = self.run_annotate(
            "--view=file:function", "--show=Ir", "--show-percs=no", "--auto=no", "cg2.out.1"
        )
        rows = output.rows()
        self.assertEqual(
            rows[rows.index("Ir file:function") + 2 :],
            [
                *("500 inl.h", "500 work", "410 main.c", "400 work", "10 main"),
                *("90 ??? [/lib/libc.so]", "90 puts"),
            ],
        )
        self.write("p", "events: Ir\nob=a\nfn=f\n1 2\nob=b\nfn=g\n1 3\nob=???\nfn=h\n1 1\n")
        rows = self.run_annotate(
            "--view=file:function", "--show-percs=no", "--auto=no", "--threshold=80", "p"
        ).rows()
        self.assertEqual(
            rows[rows.index("Ir file:function") + 2 :],
            [
                *("3 ??? [b]", "3 g", "2 ??? [a]", "2 f"),
                "and 1 more file, 16.67% together; --threshold=100 lists them",
            ],
        )

    def test_functions(self) -> None:
        output = self.run_annotate(
            "--view=function:file", "--show=Ir", "--show-percs=no", "--auto=no", "cg2.out.1"
        )
        rows = output.rows()
        self.assertEqual(
            rows[rows.index("Ir function:file") + 2 :],
            [
                *("900 work", "500 inl.h", "400 main.c", "90 puts", "90 ??? [/lib/libc.so]"),
                "and 1 more function, 1.00% together; --threshold=100 lists them",
            ],
        )


class SpokenNames(Fixture):
    """Names of C++ and Rust as people say them."""

    VECTOR = "std::vector<int, std::allocator<int> >::at(unsigned long)"
    TEXT = f"""\
positions: instr line
events: Ir
ob=/bin/app
fl=app.c
fn=main
0x10 1 1
cfn={VECTOR}
calls=2 0 0
0x10 1 60
cob=/lib/libgcc_s.so.1
cfn=0x0000000000014c40
calls=3 0 0
0x10 1 30
fn={VECTOR}
0x20 2 60
cfn={VECTOR}'2
calls=1 0 0
0x20 2 10
fn={VECTOR}'2
0x20 2 10
fn=f(int)
0x30 3 5
fn=f(long)
0x40 4 4
ob=/lib/libgcc_s.so.1
fn=0x0000000000014c40
0x50 0 30
"""

    def setUp(self) -> None:
        super().setUp()
        self.write("said", self.TEXT)
        self.write("app.c", "one\ntwo\nthree\nfour\n")

    def shown(self, *options: str) -> str:
        return self.run_annotate(
            "--auto=yes", "--threshold=100", "--inclusive=yes", *options, "said"
        ).stdout

    def test_short(self) -> None:
        """In each table and beside sources; overloads have their parameters."""
        found = self.shown("--tree=both", "--fold-recs=no")
        for text in (
            "* app.c:std::vector<int>::at [/bin/app]\n", ">   app.c:std::vector<int>::at'2 [/bin/app] (1x)\n",
            "* app.c:libgcc_s.so.1+0x14c40\n", "* app.c:f(int) [/bin/app]\n", "* app.c:f(long) [/bin/app]\n",
            "=> app.c:libgcc_s.so.1+0x14c40 (3x)\n", "=> app.c:std::vector<int>::at (2x)\n",
        ):  # fmt: skip
            self.assertIn(text, found)
        self.assertNotIn("allocator", found)
        found = self.run_annotate(
            "--auto=no", "--view=function:file", "--threshold=100", "said"
        ).stdout
        self.assertIn("  std::vector<int>::at\n", found)
        self.assertIn("  libgcc_s.so.1+0x14c40\n", found)

    def test_full(self) -> None:
        """Names are the profile's, in JSON always; patterns are about these."""
        found = self.shown("--names=full", "--tree=calling")
        self.assertIn(f"* app.c:{self.VECTOR} [/bin/app]\n", found)
        self.assertIn("=> app.c:0x0000000000014c40 (3x)\n", found)
        self.assertNotIn("+0x14c40", found)
        self.assertEqual(self.shown("--json"), self.shown("--json", "--names=full"))
        self.assertIn(self.VECTOR, self.shown("--json"))
        self.assertIn("app.c:g [/bin/app]\n", self.shown("--mod-funcname=s/.*allocator.*/g(int)/"))

    def test_order(self) -> None:
        """Functions that cost the same stand in the order of their names in full."""
        self.write(
            "said", "events: Ir\nfn=int z<B>(int)\n1 5\nfn=a(int)\n1 5\nfn=void b<A>(int)\n1 5\n"
        )
        rows = [line for line in self.shown("--auto=no").splitlines() if ":" in line]
        self.assertEqual(
            [row.split("???:")[1] for row in rows if "???:" in row], ["a", "z<B>", "b<A>"]
        )


class Names(Fixture):
    def test_rewriting(self) -> None:
        """In files, objects, callers and lines; what is equal then is one."""
        rows = self.functions(
            "--mod-filename=s/^main/src\\/m/",
            "--mod-filename=s;^/(bin)/;$1:;",
            "--mod-funcname=s/PUTS|work/w/i",
            "--show=Ir",
            "--show-percs=no",
            "--tree=caller",
        )
        self.assertIn("900 * src/m.c:w [bin:app]", rows)
        self.assertIn("900 < src/m.c:main [bin:app] (2x)", rows)

    def test_equal_names_are_one(self) -> None:
        self.write("p", "events: Ir\nfl=a.1.c\nfn=f.1\n1 2\nfl=a.2.c\nfn=f.2\n1 3\n2 1\n")
        rows = self.run_annotate(
            "--mod-filename=s/[.][0-9]//",
            "--mod-funcname=s/[.].*//",
            "--auto=no",
            "--show-percs=no",
            "p",
        ).functions()
        self.assertEqual(rows, ["6 a.c:f"])

    def test_substitution(self) -> None:
        for text, name, expected in (
            ("s/a/b/", "aa", "ba"),
            ("s/a/b/g", "aAa", "bAb"),
            ("s/a/b/gi", "aAa", "bbb"),
            ("s,(.)x,\\1$1,", "ax", "aa"),
            ("s|/usr||", "/usr/lib", "/lib"),
        ):
            self.assertEqual(substitution(text)(name), expected)

    def test_errors(self) -> None:
        for text, message in (
            ("x", "'x'; expected s/REGEX/REPLACEMENT/ with g and i behind it, or nothing"),
            ("s/a/b", "'s/a/b'; expected s/REGEX/REPLACEMENT/ with g and i behind it, or nothing"),
            (
                "s/(/b/",
                "'s/(/b/': missing ), unterminated subpattern at position 0; "
                "expected a regular expression of Python",
            ),
            (
                "s/a/\\1/",
                "'s/a/\\1/': invalid group reference 1 at position 1; "
                "expected a regular expression of Python",
            ),
        ):
            output = self.run_annotate(f"--mod-filename={text}", "cg2.out.1", status=2)
            self.assertEqual(
                output.stderr,
                f"cg2_annotate: argument --mod-filename: {message}; see cg2_annotate --help\n",
            )


class Cycles(Fixture):
    """even and odd call each other: 30 and 10 are spent there for main, whose levels are not told apart."""

    def setUp(self) -> None:
        super().setUp()
        self.write(
            "cycle",
            (
                "events: Ir\nfl=a.c\nfn=main\n1 5\ncfn=even\ncalls=2 1\n1 30\ncfn=odd\ncalls=1 1\n1 10\n"
                "fn=even\n2 12\ncfn=odd\ncalls=5 1\n2 70\nfn=odd\n3 20\ncfn=even\ncalls=4 1\n3 60\n"
                "cfn=leaf\ncalls=1 1\n3 8\nfn=leaf\n4 8\n"
            ),
        )

    def rows(self, *options: str) -> list[str]:
        return self.run_annotate("--auto=no", "--threshold=100", *options, "cycle").functions()

    def test_inclusive(self) -> None:
        """No figure is above that of the cycle, which is the sum of its members and of leaf."""
        self.assertEqual(
            self.rows("--inclusive=yes"),
            [
                "45 (100.0%) a.c:main",
                "40 (88.89%) <cycle 1> even, odd",
                "40 (88.89%) a.c:even <cycle 1>",
                "40 (88.89%) a.c:odd <cycle 1>",
                "8 (17.78%) a.c:leaf",
            ],
        )
        self.assertNotIn("<cycle 1> even", "\n".join(self.rows()))

    def test_tree(self) -> None:
        """Who calls it from outside; its members, and how often each is called."""
        rows = self.rows("--inclusive=yes", "--tree=both")
        at = rows.index("40 (88.89%) * <cycle 1> even, odd")
        self.assertEqual(
            rows[at - 1 : at + 3],
            [
                "40 (88.89%) < a.c:main (3x)",
                "40 (88.89%) * <cycle 1> even, odd",
                "40 (88.89%) > a.c:even (6x)",
                "40 (88.89%) > a.c:odd (6x)",
            ],
        )

    def test_threshold(self) -> None:
        output = self.run_annotate("--auto=no", "--threshold=10", "--inclusive=yes", "cycle")
        self.assertEqual(output.functions(), ["45 (100.0%) a.c:main"])

    def test_many_members(self) -> None:
        names = [f"f{i}" for i in range(7)]
        self.write(
            "ring",
            "events: Ir\n"
            + "".join(
                f"fn={name}\n1 1\ncfn={callee}\ncalls=1 1\n1 3\n"
                for name, callee in zip(names, names[1:] + names[:1])
            ),
        )
        output = self.run_annotate("--auto=no", "--inclusive=yes", "ring")
        self.assertEqual(output.functions()[0], "7 (100.0%) <cycle 1> f0, f1, f2, f3 and 3 more")

    def test_json(self) -> None:
        (cycle,) = json.loads(self.run_annotate("--json", "cycle").stdout)["cycles"]
        self.assertEqual((cycle["number"], cycle["self"], cycle["inclusive"]), (1, [32], [40]))
        self.assertEqual([member["name"] for member in cycle["members"]], ["even", "odd"])
        self.assertEqual(
            [(c["name"], c["count"], c["inclusive"]) for c in cycle["callers"]], [("main", 3, [40])]
        )


class Json(Fixture):
    def test_everything(self) -> None:
        output = self.run_annotate("--json", "--show=Ir,Est", "--threshold=100", "cg2.out.1")
        found = json.loads(output.stdout)
        self.assertEqual(
            (found["path"], found["cmd"], found["creator"]),
            ("cg2.out.1", "./app 1", "callgrind-cg2-0.1"),
        )
        self.assertEqual((found["events"], found["total"]), (["Ir", "Est"], [1000, 1500]))
        self.assertEqual(
            found["parts"],
            [
                {
                    "pid": 4711,
                    "part": 1,
                    "thread": None,
                    "descriptions": {"Trigger": "Program termination"},
                }
            ],
        )
        work, puts, main = found["functions"]
        self.assertEqual([f["name"] for f in (work, puts, main)], ["work", "puts", "main"])
        self.assertEqual((main["self"], main["inclusive"]), ([10, 10], [1000, 1500]))
        self.assertEqual(
            main["callees"][0],
            {
                "object": "/bin/app",
                "file": "main.c",
                "name": "work",
                "count": 2,
                "is_estimated": False,
                "inclusive": [900, 1400],
            },
        )
        self.assertEqual(
            [(c["name"], c["count"]) for c in work["callers"]], [("main", 2), ("work", 3)]
        )
        self.assertEqual(
            work["lines"],
            [
                {"file": "inl.h", "line": 2, "self": [500, 800]},
                {"file": "main.c", "line": 8, "self": [400, 600]},
                {"file": "main.c", "line": 9, "self": [0, 0]},
            ][: len(work["lines"])],
        )


class Assembly(Fixture):
    def test_without_addresses(self) -> None:
        output = self.run_annotate("--asm=yes", "--auto=no", "cg2.out.1")
        self.assertIn(
            "-- No machine code: the profile has no addresses; expected one made with --dump-instr=yes",
            output.stdout,
        )

    def test_odd_name(self) -> None:
        """A file's name may look like an instruction."""
        plain, odd = self.directory / "plain", self.directory / "40:\tnop"
        source = self.write("one.c", "int main(void) { return 1; }\n")
        subprocess.run(["gcc", "-no-pie", "-o", plain, source], check=True)
        shutil.copy(plain, odd)
        everything = [(0, 1 << 40)]
        expected = disassembled(str(plain), everything)
        self.assertGreater(len(expected.texts), 10)
        self.assertEqual(disassembled(str(odd), everything), expected)

    def test_loop(self) -> None:
        """A loop of known length: each instruction's count, and the arrow of the jump back."""
        source = self.write(
            "loop.s",
            """\
        .globl main
        .type main, @function
main:   mov $7, %ecx
again:  dec %ecx
        jnz again
        call leaf
        xor %eax, %eax
        ret
        .size main, .-main
        .type leaf, @function
leaf:   ret
        .size leaf, .-leaf
        .section .note.GNU-stack
""",
        )
        program = self.directory / "loop"
        subprocess.run(["gcc", "-o", program, source], check=True)
        run = cg2test.run_cg2(
            [program], "--dump-instr=yes", "--collect-jumps=yes", tool="callgrind"
        )
        (path,) = run.profile_paths
        output = self.run_annotate(
            "--asm=yes",
            "--auto=no",
            "--show-percs=no",
            "--threshold=100",
            "--mod-funcname=s/^main$/main/",
            str(path),
        )
        rows = output.stdout.splitlines()
        start = next(i for i, row in enumerate(rows) if row.startswith("-- Machine code: ???:main"))
        text = [row.split(": ", 1) for row in rows[start + 4 : start + 11]]
        self.assertEqual(
            [" ".join(head.split()[:-1]) for head, *_ in text[:3]], ["1", "7 ,->", "7 '--"]
        )
        self.assertEqual(text[0][1], "mov $0x7,%ecx")
        self.assertTrue(text[2][1].startswith("jne "), text)
        self.assertTrue(text[2][1].endswith("(jumps 6 of 7)"), text)
        self.assertEqual(rows[start + 8].split(), ["1", "=>", "???:leaf", "(1x)"])

    def test_recursion(self) -> None:
        """The calls of a recursion cost what the function does, at most; 20 levels add up to twice the
        program."""
        source = self.write(
            "fib.c",
            "__attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }"
            "int main(int n, char** v) { return fib(n * 20) > 0 ? 0 : v != 0; }\n",
        )
        program = self.directory / "fib"
        subprocess.run(["gcc", "-O1", "-g", "-o", program, source], check=True)
        (path,) = cg2test.run_cg2([program], "--dump-instr=yes").profile_paths
        rows = self.run_annotate(
            "--asm=yes", "--auto=no", "--threshold=100", "--show-percs=no", str(path)
        ).stdout
        found = [
            (row.split()[0], row.split()[-1])
            for row in rows.splitlines()
            if re.search(r"=> \S*:fib \(", row)
        ]
        *inside, (cost, once) = found
        self.assertEqual((once, [count for _, count in inside]), ("(1x)", ["(10,945x)"] * 2))
        whole = int(cost.replace(",", ""))
        for cost, _ in inside:
            self.assertTrue(whole / 4 < int(cost.replace(",", "")) < whole, (cost, whole))
        jumps = re.findall(r": (j\w+ [0-9a-f]+.*)", rows)
        self.assertTrue(jumps)
        self.assertEqual(
            [jump for jump in jumps if "+0x" in jump], []
        )  # where inside a symbol is what arrows say

    def test_long(self) -> None:
        """A function of more code than is near, and others: one run of objdump has all, and each
        instruction."""
        source = self.write(
            "long.s",
            ".text\n.globl main\n.type main, @function\nmain: xor %eax, %eax\n"
            ".fill 100000, 1, 0x90\ncall leaf\nret\n.size main, .-main\n"
            ".type leaf, @function\nleaf: ret\n.size leaf, .-leaf\n"
            ".section .note.GNU-stack\n",
        )
        program = self.directory / "long"
        subprocess.run(["gcc", "-o", program, source], check=True)
        (path,) = cg2test.run_cg2([program], "--dump-instr=yes", "--fn-skip=_dl*").profile_paths
        objdump = self.directory / "objdump"
        objdump.write_text(
            '#!/bin/sh\nfor file; do :; done\nreadlink "$file" >>objdump.log\nexec objdump "$@"\n'
        )
        objdump.chmod(0o755)
        ended = subprocess.run(
            [
                sys.executable,
                TOOLS / "cg2_annotate",
                "--asm=yes",
                "--auto=no",
                "--threshold=100",
                str(path),
            ],
            cwd=self.directory,
            env=os.environ | {"OBJDUMP": str(objdump)},
            capture_output=True,
            text=True,
            check=True,
        )
        main, *_ = ended.stdout.partition("-- Machine code: ???:main ")[2].split(
            "-- Machine code: "
        )
        self.assertEqual(main.count(": nop\n"), 100_000)
        self.assertNotIn("where objdump has none", ended.stdout)
        runs = [
            line
            for line in (self.directory / "objdump.log").read_text().splitlines()
            if "memfd:long " in line
        ]
        self.assertEqual(len(runs), 1, runs)

    def test_no_object(self) -> None:
        self.write("p", "positions: instr\nevents: Ir\nob=/nonexistent\nfn=f\n0x10 5\n")
        output = self.run_annotate("--asm=yes", "--auto=no", "p")
        self.assertIn("-- no object file /nonexistent, which has the machine code", output.stdout)

    def test_no_objdump(self) -> None:
        self.write("p", f"positions: instr\nevents: Ir\nob={sys.executable}\nfn=f\n0x10 5\n")
        ended = subprocess.run(
            [sys.executable, TOOLS / "cg2_annotate", "--asm=yes", "--auto=no", "p"],
            cwd=self.directory,
            env=os.environ | {"OBJDUMP": "/nonexistent/objdump"},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(
            (ended.returncode, ended.stderr),
            (1, "/nonexistent/objdump: No such file or directory\n"),
        )


class Terminal(Fixture):
    """Colours and progress are for terminals."""

    def test_colour(self) -> None:
        plain = self.run_annotate("--auto=no", "cg2.out.1").stdout
        self.assertNotIn("\033", plain)
        coloured = self.run_annotate("--auto=no", "--colour=yes", "--show=Ir", "cg2.out.1").stdout
        self.assertIn("\033[1;31m900 (90.00%)\033[0m  main.c:work", coloured)
        self.assertIn("\033[33m 90 ( 9.00%)\033[0m  ???:puts", coloured)

    def on_a_terminal(self, *arguments: str, width: int = 80) -> str:
        """What the command prints there, stdout and stderr."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        with subprocess.Popen(
            [sys.executable, TOOLS / "cg2_annotate", *arguments],
            cwd=self.directory,
            stdin=subprocess.DEVNULL,
            stdout=slave,
            stderr=slave,
            env={name: value for name, value in os.environ.items() if name != "COLUMNS"},
        ) as process:
            os.close(slave)
            text = b""
            try:
                while piece := os.read(master, 4096):
                    text += piece
            except OSError:  # the other end is closed
                pass
            process.wait(timeout=cg2test.HANG)
        os.close(master)
        return text.decode()

    def test_terminal(self) -> None:
        self.assertIn("\033[1;31m", self.on_a_terminal("--auto=no", "cg2.out.1"))
        self.assertNotIn("\033", self.on_a_terminal("--auto=no", "--colour=no", "cg2.out.1"))
        with unittest.mock.patch.dict(os.environ, NO_COLOR="1"):
            self.assertNotIn("\033", self.on_a_terminal("--auto=no", "cg2.out.1"))
            said = self.on_a_terminal("--auto=no", "--colour=yes", "cg2.out.1")
        self.assertIn("\033[1;31m", said)

    EVENTS = {
        **{"Ir": 50_000_000, "Dr": 9_000_000, "Dw": 5_000_000, "I1mr": 10_000, "D1mr": 300_000},
        **{
            "D1mw": 20_000,
            "ILmr": 0,
            "DLmr": 50_000,
            "DLmw": 1_000,
            "Bc": 7_000_000,
            "Bcm": 400_000,
        },
        **{"Bi": 20_000, "Bim": 0},
    }
    """In the cycle estimate DLmr counts 5 million, Bcm 4, D1mr 3; of ILmr and Bim there is nothing."""

    NAME = f"void std::__introsort_loop<{'book::Order, ' * 20}>"

    def write_wide(self) -> None:
        costs = " ".join(map(str, self.EVENTS.values()))
        self.write(
            "wide",
            f"events: {' '.join(self.EVENTS)}\nob=/home/user/app\nfl=/usr/include/stl_algo.h\n"
            f"fn={self.NAME}\n1 {costs}\ncfn=short\ncalls=3 1\n1 0\n",
        )

    def lines_on_a_terminal(self, *arguments: str, width: int) -> list[str]:
        said = self.on_a_terminal("--auto=no", "--colour=no", *arguments, width=width)
        return said.replace("\r\n", "\n").splitlines()

    def test_width(self) -> None:
        """There are as many columns as leave room for a name, those that cost most cycles first; names are
        cut."""
        self.write_wide()
        for width, events, more in (
            (80, "Ir DLmr", "9 more: --show=Bcm,D1mr,D1mw,I1mr,DLmw,Dr,Dw,Bc,Bi"),
            (100, "Ir DLmr Bcm", "8 more: --show=D1mr,D1mw,I1mr,DLmw,Dr,Dw,Bc,Bi"),
        ):
            with self.subTest(width):
                lines = self.lines_on_a_terminal(
                    "--names=full", "--tree=calling", "wide", width=width
                )
                rows = [" ".join(line.split()) for line in lines]
                self.assertIn(f"{events} file:function", rows)
                self.assertIn(f"Not shown: {more}", rows)
                self.assertIn("Zero everywhere: ILmr Bim", rows)
                [cut] = [line for line in lines if "introsort" in line]
                self.assertRegex(
                    cut, r"^50,000,000 .*  \* stl_algo\.h:void std::__introsort_loop<.*\.\.$"
                )
                self.assertEqual(len(cut), width)
                self.assertLessEqual(max(map(len, lines)), width)
                [called] = [line for line in lines if "short" in line]
                self.assertTrue(called.endswith(">   stl_algo.h:short [app] (3x)"), called)

    def test_asked_columns(self) -> None:
        """What is asked for by name is there: all of --show; what is sorted by, or made by --event, comes
        first."""
        self.write_wide()
        for options, events in (
            (["--show=Dr,Dw,ILmr,Bc,Ir"], "Dr Dw ILmr Bc Ir file:function"),
            (["--sort=Dr"], "Dr Ir file:function"),
            (["--event=T = Dr + Dw"], "Ir T file:function"),
            (["--columns=thread"], "Ir.thread1 DLmr.thread1 Bcm.thread1 file:function"),
        ):
            lines = self.lines_on_a_terminal(*options, "wide", width=80)
            self.assertIn(events, [" ".join(line.split()) for line in lines])

    def test_threads(self) -> None:
        """Without an estimate of cycles, the threads that cost most; the sum and its inclusive cost in any
        case."""
        self.write(
            "threads",
            "".join(
                f"thread: {n}\nevents: Ir\nfn=f\n1 {cost}\n"
                for n, cost in enumerate((10**6, 3 * 10**6, 2 * 10**6), start=1)
            ),
        )
        for width, events in (
            (50, "Ir inclusive"),
            (80, "Ir inclusive Ir.thread2"),
            (100, "Ir inclusive Ir.thread2 Ir.thread3 Ir.thread1"),
        ):
            said = self.on_a_terminal("--colour=no", "--columns=thread", "threads", width=width)
            rows = [" ".join(row.split()) for row in said.splitlines()]
            self.assertIn(f"{events} file:function", rows)
        self.assertIn("6,000,000 6,000,000 3,000,000 2,000,000 1,000,000 ???:f", rows)
        self.assertIn(
            "(100.0%)", self.on_a_terminal("--show-percs=yes", "--columns=thread", "threads")
        )

    def test_width_of_a_pipe(self) -> None:
        """All columns, and whole labels."""
        self.write_wide()
        output = self.run_annotate("--auto=no", "--names=full", "wide")
        self.assertIn(f"{' '.join(self.EVENTS)} file:function", output.rows())
        self.assertIn(f"/usr/include/stl_algo.h:{self.NAME} [/home/user/app]\n", output.stdout)

    def test_nothing_counted(self) -> None:
        self.write("none", "events: Ir Dr\nfn=f\n1 0 0\n")
        rows = [" ".join(line.split()) for line in self.lines_on_a_terminal("none", width=80)]
        self.assertIn(". PROGRAM TOTALS", rows)
        self.assertIn("Zero everywhere: Ir Dr", rows)

    def test_progress(self) -> None:
        """After two seconds; the line is left empty."""
        script = (
            "import sys, time; sys.path.insert(0, sys.argv[1]);"
            "from cg2tools.commandline.console import Progress; p = Progress('x', 'reading y');"
            "p(1, 4); time.sleep(2.1); p(2, 4); p(3, 4); p.end()"
        )
        master, slave = pty.openpty()
        subprocess.run([sys.executable, "-c", script, str(TOOLS)], stderr=slave, check=True)
        os.close(slave)
        self.assertEqual(
            os.read(master, 4096).decode(), "\rx: reading y: 50 %\r" + " " * 18 + "\r\r\r"
        )
        os.close(master)
        ended = subprocess.run(
            [sys.executable, "-c", script, str(TOOLS)], capture_output=True, text=True, check=True
        )
        self.assertEqual(ended.stderr, "")


class Progressing(Fixture):
    """Every command says on a terminal what takes long, and nothing in a pipe."""

    SCRIPT = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from cg2tools.commandline import console; console._PATIENCE = 0.0;"
        "from pathlib import Path; from cg2tools.door.commands import run;"
        "sys.exit(run('{script}', sys.argv[2:], Path(sys.argv[1])))"
    )
    COMMANDS = [
        ("cg2_annotate", "adding up", ["--auto=no", "large"]),
        ("cg2_diff", "comparing", ["large", "large"]),
        ("cg2_merge", "writing the sum", ["-o", "sum", "large", "large"]),
        ("cg2_convert", "making stacks", ["-o", "stacks", "large"]),
        ("cg2_convert", "writing standard output", ["large"]),
        ("cg2_convert", "adding up", ["-o", "sum", "large", "large"]),
        ("cg2_report", "adding up", ["-o", "-", "large", "large"]),
        (
            "cg2_annotate",
            "reading the machine code of /.*",
            ["--asm=yes", "--threshold=100", "code"],
        ),
    ]

    def setUp(self) -> None:
        super().setUp()
        functions = "".join(f"fn=f{i}\n" + f"1 1\n# {'-' * 90}\n" * 9 for i in range(2000))
        self.write("large", f"events: Ir\n{functions}")
        code = f"ob={os.path.realpath(sys.executable)}\nfn=code\n0x401000 1 1\n"
        self.write("code", f"positions: instr line\nevents: Ir\n{code}# {'-' * 2_000_000}\n")

    def test_all(self) -> None:
        for name, task, arguments in self.COMMANDS:
            with self.subTest(name):
                script = self.SCRIPT.format(script=name)
                command = [sys.executable, "-c", script, str(TOOLS), *arguments]
                said = self.said_on_terminal(command)
                self.assertRegex(said, r"\r\w+: reading .*: [0-9]+ %")
                self.assertRegex(said, rf"\r\w+: {task}: 0 s")
                self.assertEqual(said.split("\r")[-2].strip(), "", "the line is left empty")
                ended = subprocess.run(
                    command, cwd=self.directory, capture_output=True, text=True, check=True
                )
                self.assertEqual(ended.stderr, "")

    def said_on_terminal(self, command: list[str]) -> str:
        master, slave = pty.openpty()
        process = subprocess.Popen(
            command, cwd=self.directory, stdout=subprocess.DEVNULL, stderr=slave
        )
        os.close(slave)
        said = b""
        while True:
            try:
                said += os.read(master, 4096)
            except OSError:  # nobody writes there any more
                break
        os.close(master)
        self.assertEqual(process.wait(), 0, said)
        return said.decode()


class Sample(unittest.TestCase):
    def test_profile_is_consistent(self) -> None:
        read(PROFILE).parts[0].check()


if __name__ == "__main__":
    unittest.main()
