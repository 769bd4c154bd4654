"""Data files: the objects, offsets and lines of code that commands show of them."""

from __future__ import annotations

import json
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from toolsupport import Output, command

from cg2tools.data.names import ObjectNames, is_named
from cg2tools.annotate.asked import Choice
from cg2tools.annotate.labels import Label
from cg2tools.annotate.datareport import data_report
from cg2tools.annotate.dataview import DataOptions
from cg2tools.data.layout import Row, Type
from cg2tools.data.objects import (
    DataFile,
    DataObject,
    MemberCost,
    Typed,
    place_of,
    read_data,
)
from cg2tools.data.offsets import rows
from cg2tools.data.pairs import company, groups_apart, visits_of
from cg2tools.data.typed import Coverage
from cg2tools.diff.comparison import compare
from cg2tools.diff.names import Names
from cg2tools.profile.model import FunctionKey
from cg2tools.profile.tails import Tails
from cg2tools.report.page import TEMPLATE
from cg2test import BUILD
from datafiles import APP, EVENTS, MAIN, NODES, TABLE, DataText, list_and_array
from datafiles import PROFILE as RUN

PROFILE = """\
# callgrind format
version: 1
creator: callgrind-cg2-0.1
cmd: ./app 1
positions: line
events: Ir
summary: 5
fl=main.c
fn=main
1 5
totals: 5
"""


COUNTERS = "static::counters", APP


def _place(name: str, offset: int, thread: int) -> dict[str, Any]:
    """A place of a variable of the program in JSON."""
    where = {"kind": "static", "name": name, "object": APP, "offset": offset}
    return {**where, "member": "", "thread": thread}


class Fixture(unittest.TestCase):
    """A directory with a data file, cg2.data.1, and a profile, cg2.out.1."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        self.write("cg2.data.1", list_and_array())
        self.write("cg2.out.1", PROFILE)

    def write(self, name: str, text: str) -> None:
        (self.directory / name).write_text(text)

    def run_command(self, *arguments: str, status: int = 0) -> Output:
        output = command(arguments[0], *arguments[1:], directory=self.directory)
        self.assertEqual(output.status, status, output.stderr)
        self.assertNotIn("Traceback", output.stderr)
        return output

    def annotate(self, *arguments: str, status: int = 0) -> Output:
        return self.run_command("cg2_annotate", *arguments, status=status)

    def data(self, name: str = "cg2.data.1") -> DataFile:
        return read_data(str(self.directory / name))

    def object(self, text: str) -> DataObject:
        return next(object for object in self.data().objects if text in object.name)


class Reading(Fixture):
    def test_objects(self) -> None:
        """Kind, text, object, blocks and costs of each; what costs most of the first event first."""
        self.assertEqual(
            [
                (object.kind, object.text, object.elf, object.blocks, object.bytes, object.cost[:4])
                for object in self.data().objects
            ],
            [
                ("heap", "ast.c:120 (parse_expr)", "/bin/app", 1000, 24000)
                + ([1_800_000, 2_000, 82_000, 375],),
                ("heap", "ast.c:200 (grow)", "/bin/app", 1, 16000, [50_000, 50_000, 12_500, 0]),
                ("static", "table", "/bin/app", 0, 0, [1_000, 0, 13, 0]),
                ("static", "tz (tz.c)", "/lib/libc.so.6", 0, 0, [7, 0, 1, 0]),
                ("other", "arguments and environment", "", 0, 0, [3, 0, 0, 0]),
                ("stack", "walk", "/bin/app", 0, 0, [0, 1_000, 0, 0]),
            ],
        )
        self.assertEqual(self.data().attributed, "Dr 99.31 % Dw 100.00 %")
        self.assertTrue(self.data().accesses)

    def test_touches(self) -> None:
        """Who touches which offset, from where, how often; a folded one has the distance of its offsets."""
        self.assertEqual(
            sorted(
                (
                    touch.offset,
                    touch.stride,
                    touch.function.name,
                    touch.instr,
                    touch.line,
                    touch.count,
                )
                for text in ("parse_expr", "grow")
                for touch in self.object(text).touches
            ),
            [
                (0, 0, "parse_expr", 0x1200, 121, 1_000),
                (0, 0, "walk", 0x1136, 33, 900_000),
                (4, 16, "main", 0x1300, 12, 50_000),
                (8, 16, "main", 0x1304, 13, 50_000),
                (16, 0, "parse_expr", 0x1204, 122, 1_000),
                (16, 0, "walk", 0x113A, 34, 900_000),
            ],
        )
        self.assertEqual(place_of(1 << 63 | (1 << 31) - 1 << 31 | 5), (5, (1 << 31) - 1))

    def test_touches_add_up(self) -> None:
        """What touches an object costs what the object does, but for its blocks, which nobody touches."""
        for object in self.data().objects:
            touched = [sum(column) for column in zip(*(touch.cost for touch in object.touches))]
            self.assertEqual(touched[:6], object.cost[:6], object.name)

    def test_offsets_side_by_side(self) -> None:
        """More rows than there may be become rows of 8 times as many bytes, then of 64."""
        touches = self.object("table").touches  # 100 offsets, 8 bytes apart
        for most, size, count in ((100, 0, 100), (99, 64, 13), (12, 512, 2)):
            with self.subTest(most=most):
                found = rows(touches, most)
                self.assertEqual([row.size for row in found], [size] * count)
                self.assertEqual(sum(row.count for row in found), 1_000)
        self.assertEqual(str(found[1]), "512 to 1,023")

    def test_without_offsets(self) -> None:
        """A file by line alone has an offset for each line, 8 bytes apart."""
        text = []
        for line in list_and_array().splitlines():
            words = line.split()
            if words and words[0].startswith("0x"):
                words = words[1:]
            elif line.startswith("calls="):
                words = [words[0], words[2]]
            text.append(" ".join(words).replace("positions: instr line", "positions: line"))
        self.write("lines", "\n".join(text) + "\n")
        nodes = next(object for object in self.data("lines").objects if "ast.c:120" in object.name)
        self.assertEqual(
            sorted((touch.offset, touch.line) for touch in nodes.touches),
            [(0, 33), (0, 121), (16, 34), (16, 122)],
        )

    def test_profile(self) -> None:
        """A profile is no data file."""
        output = self.annotate("--data", "cg2.out.1", status=1)
        self.assertEqual(
            output.stderr, "cg2.out.1: a profile; expected a data file, as cg2.data.4711\n"
        )


class Saying(unittest.TestCase):
    def object(self, name: str, elf: str = "/bin/app") -> DataObject:
        made = DataText()
        made.touch((name, elf), 0, MAIN, (1, 1), 1, Dr=1)
        with tempfile.NamedTemporaryFile("w", prefix="cg2.data.") as file:
            file.write(made.text())
            file.flush()
            return read_data(file.name).objects[0]

    def said(self, name: str, elf: str = "/bin/app") -> str:
        object = self.object(name, elf)
        return ObjectNames([object], "./app").of(object)

    def test_names(self) -> None:
        """Functions are said as people say them; another program's symbols with its name."""
        for name, elf, said in (
            ("heap::a.c:1 (f)", APP, "a.c:1 (f)"),
            ("heap::app+0x1156 (f)", APP, "app+0x1156 (f)"),
            ("heap::m.h:9 (std::list<long, std::allocator<long> >::add(long const&))", APP)
            + ("m.h:9 (std::list<long>::add)",),
            ("heap::a.cc:1 (ns::f(int)) < b.cc:2 (ns::g())", APP)
            + ("a.cc:1 (ns::f) < b.cc:2 (ns::g)",),
            ("stack::ns::f(int)", APP, "ns::f"),
            ("stack::ns::f(int) (arguments)", APP, "ns::f (arguments)"),
            ("static::ns::count", APP, "ns::count"),
            ("static::_ZN6shapesL4sumsE (a.cc)", APP, "shapes::sums (a.cc)"),
            ("static::_ZZ4nextvE7counter.3", APP, "next()::counter.3"),
            ("static::_ZTVN6shapes3BoxE", "/lib/b.so", "vtable for shapes::Box [b.so]"),
            ("static::_ZN5types6PRIMES17he24b9e6e9586f34aE", APP, "types::PRIMES"),
            ("static::_RNvNtNtCsjrHSEGnQ3l9_3std2io5stdio6STDOUT", APP, "std::io::stdio::STDOUT"),
            (
                "static::_RNvNtC1a1bB2_4flag (thread-local)",
                APP,
                "_RNvNtC1a1bB2_4flag (thread-local)",
            ),
            ("static::_RNvNvC1a3run4flag (thread-local)", APP, "a::run::flag (thread-local)"),
            ("static::_Zwrong", APP, "_Zwrong"),
            ("static::tz (tz.c)", "/lib/libc.so.6", "tz (tz.c) [libc.so.6]"),
            ("other::vdso", "???", "vdso"),
            ("odd", "???", "odd"),
        ):
            with self.subTest(name):
                self.assertEqual(self.said(name, elf), said)

    def test_patterns(self) -> None:
        """A pattern means an object by the names of functions that are shown, and by those of the file."""
        grow = "std::vector<int, std::allocator<int> >::grow(unsigned long)"
        heap = self.object(f"heap::v.h:9 ({grow}) < a.cc:2 (long f<int>(int))")
        frame = self.object("stack::main::{lambda(int)#1}::operator()(int) const")
        for pattern, expected in (
            ("std::vector<int>::grow", [heap]), ("*(std::vector<int>::grow)*", [heap]),
            ("heap::v.h:9 (std::vector<int>::grow) < a.cc:2 (f<int>)", [heap]), (grow, [heap]),
            ("main::{lambda#1}::operator()", [frame]), ("*::{lambda#?}::operator()", [frame]),
            ("main::{lambda(int)#1}::", [frame]), ("std::vector<long>::grow", []), ("*::grow", []),
        ):  # fmt: skip
            found = [object for object in (heap, frame) if is_named(object, pattern)]
            self.assertEqual(found, expected, pattern)


class Variables(Fixture):
    """Variables of C++ are shown as the source has them, and found by both names."""

    def setUp(self) -> None:
        super().setUp()
        for name, count in (("cg2.data.1", 10), ("cg2.data.2", 15)):
            made = DataText()
            made.touch(("static::_ZN2ns5countE", APP), 0, MAIN, (1, 1), count, Dr=count)
            self.write(name, made.text())

    def test_report(self) -> None:
        for pattern in "ns::count", "_ZN2ns5*", "static::ns::c*":
            shown = self.annotate(f"--data-object={pattern}", "cg2.data.1").stdout
            self.assertIn("static ns::count", shown)
            self.assertNotIn("_ZN", shown)
        full = self.annotate("--data", "--names=full", "cg2.data.1").stdout
        self.assertIn("static _ZN2ns5countE", full)

    def test_diff(self) -> None:
        shown = self.run_command("cg2_diff", "--sort=Dr", "cg2.data.1", "cg2.data.2").stdout
        self.assertIn("static ns::count", shown)

    def test_diff_of_places(self) -> None:
        """Functions in the names of objects are said as people say them, and nothing of an object that is in
        no ELF file."""
        place = "heap::v.h:9 (void std::vector<long, std::allocator<long> >::add<long>(long&&))"
        for name, count in (("cg2.data.1", 10), ("cg2.data.2", 15)):
            made = DataText()
            made.touch((place, APP), 0, MAIN, (1, 1), count, Dr=count)
            made.touch(("other::brk", "???"), 0, MAIN, (1, 1), count, Dr=count)
            self.write(name, made.text())
        rows = self.run_command("cg2_diff", "--sort=Dr", "cg2.data.1", "cg2.data.2").rows()
        self.assertIn(
            "+5 +25.00% 10 15 changed heap v.h:9 (std::vector<long>::add<long>) [app]", rows
        )
        self.assertIn("+5 +25.00% 10 15 changed other brk", rows)
        full = self.run_command("cg2_diff", "--sort=Dr", "--names=full", "cg2.data.1", "cg2.data.2")
        self.assertIn(f"{place.replace('::', ' ', 1)} [app]", full.stdout)

    def test_typed_file(self) -> None:
        """Other viewers have no demangler for variables. Without a FILE it is the newest data file."""
        ended = self.run_command("cg2_convert", "--types=yes", "-o", "typed")
        self.assertIn("cg2_convert: reading cg2.data.2, the newest data file here\n", ended.stderr)
        self.assertIn("static::ns::count\n", (self.directory / "typed").read_text())


class Annotate(Fixture):
    def test_report(self) -> None:
        """Kinds; objects with the code that touches them; offsets of those that cost most."""
        expected = [
            "L1m Dr Dw kind",
            "94,875 (99.99%) 1,850,000 (99.95%) 52,000 (98.11%) heap, 2 objects",
            "14 ( 0.01%) 1,007 ( 0.05%) . static, 2 objects",
            ". . 1,000 ( 1.89%) stack, 1 object",
            ". 3 ( 0.00%) . other, 1 object",
            "L1m Dr Dw object, and the code that touches it most",
            "82,375 (86.81%) 1,800,000 (97.24%) 2,000 ( 3.77%) heap ast.c:120 (parse_expr)",
            "81,000 (85.36%) 900,000 (48.62%) . walk.c:34 walk (900,000x)",
            "1,000 ( 1.05%) 900,000 (48.62%) . walk.c:33 walk (900,000x)",
            "375 ( 0.40%) . 1,000 ( 1.89%) ast.c:121 parse_expr (1,000x)",
            "and 1 more line",
            "12,500 (13.17%) 50,000 ( 2.70%) 50,000 (94.34%) heap ast.c:200 (grow)",
            "12,500 (13.17%) 50,000 ( 2.70%) . main.c:12 main (50,000x)",
            ". . 50,000 (94.34%) main.c:13 main (50,000x)",
            "and 4 more objects, 0.01% together; --threshold=100 lists them",
            "heap ast.c:120 (parse_expr)",
            "1,000 blocks, 24,000 bytes, 24 each",
            "L1m Dr Dw line offset touched",
            "1,375 ( 1.67%) 900,000 (50.00%) 1,000 (50.00%) 0 0",
            "81,000 (98.33%) 900,000 (50.00%) 1,000 (50.00%) 0 16",
            "heap ast.c:200 (grow)",
            "1 block, 16,000 bytes",
            "L1m Dr Dw offset touched",
            "12,500 (100.0%) 50,000 (100.0%) . 4 every 16 bytes",
            ". . 50,000 (100.0%) 8 every 16 bytes",
        ]
        output = self.annotate("--data", "cg2.data.1")
        shown = [row for row in output.rows() if row and not row.startswith("---")]
        start = shown.index(expected[0])
        self.assertEqual(shown[start : start + len(expected)], expected)
        self.assertIn("Attributed: Dr 99.31 % Dw 100.00 %", shown)
        self.assertLessEqual(max(map(len, output.stdout.splitlines())), 100)

    def test_without_an_option(self) -> None:
        """A data file is shown so by itself, and if it is the newest one here."""
        expected = self.annotate("--data", "cg2.data.1").stdout
        self.assertEqual(self.annotate("cg2.data.1").stdout, expected)
        newest = self.annotate("--data")
        self.assertEqual(newest.stdout, expected)
        self.assertEqual(
            newest.stderr, "cg2_annotate: reading cg2.data.1, the newest data file here\n"
        )
        self.assertIn("the newest profile here", self.annotate().stderr)

    def test_lists(self) -> None:
        """Lists are those of a profile: objects, and who calls them."""
        self.assertEqual(
            self.annotate("--show=Dr,Dw", "--tree=caller", "cg2.data.1").functions()[:3],
            [
                "1,800,000 (97.24%) . < /home/u/walk.c:walk [/bin/app] (1,800,000x)",
                ". 2,000 ( 3.77%) < /home/u/ast.c:parse_expr [/bin/app] (2,000x)",
                "1,800,000 (97.24%) 2,000 ( 3.77%) * ???:heap::ast.c:120 (parse_expr) [[data] /bin/app]",
            ],
        )

    def test_other_reports(self) -> None:
        """What else a profile can be shown as, a data file can be, too."""
        rows = self.annotate("--summary", "--show=Dr", "cg2.data.1").rows()
        self.assertIn("1,851,010 (100.0%) ./app 1 (PID 4711)", rows)
        rows = self.annotate("--callgrind", "--auto=no", "--show=Dr", "cg2.data.1").rows()
        self.assertIn("1,851,010 (100.0%) PROGRAM TOTALS", rows)

    def test_event(self) -> None:
        """Objects are sorted by the event that is asked for, and its column is the first."""
        shown = self.annotate("--data=Dw", "--threshold=100", "cg2.data.1").rows()
        start = shown.index("Dw Dr L1m object, and the code that touches it most")
        names = "heap ", "static ", "stack ", "other "
        self.assertEqual(
            [
                (row.split()[0], name)
                for row in shown[start : shown.index("-" * 80)]
                for name in names
                if name in row
            ],
            [("50,000", "heap "), ("2,000", "heap "), ("1,000", "stack ")]
            + [(".", "static "), (".", "static "), (".", "other ")],
        )

    def test_small_objects(self) -> None:
        """In the first answer, code stands below objects of one percent; in a list, below all."""
        found = {
            option: any(
                "main.c:14 main" in row for row in self.annotate(*option, "cg2.data.1").rows()
            )
            for option in ((), ("--data", "--threshold=100"))
        }
        self.assertEqual(list(found.values()), [False, True])

    def test_object(self) -> None:
        """An object in full: all code that touches it, and where."""
        shown = self.annotate("--data-object=*parse_expr*", "cg2.data.1").rows()
        self.assertEqual(
            [row for row in shown if "x) at " in row],
            [
                "81,000 (98.33%) 900,000 (50.00%) . walk.c:34 walk (900,000x) at 16",
                "1,000 ( 1.21%) 900,000 (50.00%) . walk.c:33 walk (900,000x) at 0",
                "375 ( 0.46%) . 1,000 (50.00%) ast.c:121 parse_expr (1,000x) at 0",
                ". . 1,000 (50.00%) ast.c:122 parse_expr (1,000x) at 16",
            ],
        )
        shown = self.annotate("--data-object=table", "--data-object=grow", "cg2.data.1").rows()
        self.assertEqual(
            [row.partition("x) ")[2] for row in shown if "x) at " in row],
            ["at 4 every 16", "at 8 every 16", "at 100 offsets from 0 to 792"],
        )

    def test_many_offsets(self) -> None:
        """An object that nobody asked for has the offsets that cost most; one that is asked for all."""
        made = DataText()
        for place in range(30):
            made.touch(("static::a", APP), 8 * place, MAIN, (1, 1), 1, Dr=100 - place)
        made.touch(("static::a", APP), (0, 1), MAIN, (2, 1), 1, Dr=1000)
        self.write("many", made.text())
        shown = self.annotate("--show=Dr", "--show-percs=no", "many").rows()
        first = shown.index("Dr line offset touched") + 2
        self.assertEqual(shown[first], "100 0 0")
        self.assertEqual(shown[first + 14], "86 1 112")
        self.assertEqual(shown[first + 15], "1,000 0 any byte from there on")
        self.assertEqual(shown[first + 16], "and 15 more places of less; --data-object shows all")
        shown = self.annotate("--data-object=a", "--show=Dr", "--show-percs=no", "many").rows()
        self.assertIn("71 3 232", shown)

    def sharing(self) -> DataText:
        """Counters of two threads in one line, which lies beside another object."""
        made = DataText([*EVENTS[:4], "Dcmr", "Dcmw"])
        made.touch(COUNTERS, 0, MAIN, (1, 1), 200, Dw=200, D1mw=99, Dcmw=99)
        made.touch(COUNTERS, 8, MAIN, (2, 2), 200, Dw=200, D1mw=99, Dcmw=99)
        made.touch(TABLE, 0, MAIN, (3, 3), 10, Dr=10, Dcmr=7)
        made.share((COUNTERS, 0, 1), (COUNTERS, 8, 2), 60)
        made.share((COUNTERS, 8, 2), (COUNTERS, 0, 1), 99)
        made.share((COUNTERS, 0, 3), (COUNTERS, 8, 2), 39)
        made.share((COUNTERS, 8, 4), (TABLE, 0, 1), 7)
        made.share((TABLE, 0, 1), (TABLE, 0, 9), 5, "sharing")
        return made

    def test_sharing(self) -> None:
        """Places that take each other's line: both ways together, with the threads that do."""
        self.write("shared", self.sharing().text())
        shown = self.annotate("--data=Dcmw", "shared").rows()
        head = "Misses of cache lines that another thread had taken:"
        self.assertIn(
            "false sharing of offset 0 and offset 8, threads 1 to 3: 198 lines lost", shown
        )
        self.assertEqual(
            shown[shown.index(head) + 1 :][:2],
            [
                "198 false sharing of offset 0 and offset 8, threads 1 to 3",
                "7 false sharing of offset 8 and table at offset 0, threads 1 and 4",
            ],
        )
        shown = self.annotate("--data-object=table", "shared").rows()
        self.assertEqual(
            shown[shown.index(head) + 1 :][:2],
            [
                "7 false sharing of offset 0 and counters at offset 8, threads 1 and 4",
                "5 offset 0, threads 1 and 9",
            ],
        )
        # No function of the program is said to touch it by that.
        self.assertEqual(len([row for row in shown if "x) at " in row]), 1)

    def test_sharing_for_programs(self) -> None:
        self.write("shared", self.sharing().text())
        self.run_command("cg2_merge", "-o", "both", "shared", "shared")
        said = json.loads(self.annotate("--json", "--data-object=table", "both").stdout)
        self.assertEqual(
            [
                (pair["written"], pair["missed"], pair["is_false"], pair["count"])
                for pair in said["sharing"]
            ],
            [
                (_place("counters", 8, 4), _place("table", 0, 1), True, 14),
                (_place("table", 0, 1), _place("table", 0, 9), False, 10),
            ],
        )

    def test_together(self) -> None:
        """Which offsets are accessed together, in how many visits, and what share of each that is."""
        made = DataText()
        made.touch(NODES, 0, MAIN, (1, 1), 500, Dr=500)
        made.allocate(NODES, 10, 24)
        for first, second, visits in (
            (0, 0, 400),
            (8, 8, 200),
            (16, 16, 50),
            (0, 8, 150),
            (8, 16, 1),
        ):
            made.visit(NODES, first, second, visits)
        self.write("visited", made.text())
        shown = self.annotate("--data-object=parse_expr", "visited").rows()
        first = next(at for at, row in enumerate(shown) if row.startswith("Accessed together"))
        self.assertEqual(
            shown[first + 1 : first + 3],
            ["150 37.5% 75.0% offset 0, offset 8", "1 0.5% 2.0% offset 8, offset 16"],
        )
        said = json.loads(self.annotate("--json", "--data-object=parse_expr", "visited").stdout)
        self.assertEqual(
            said["objects"][0]["together"][0],
            {"members": ["offset 0", "offset 8"], "both": 150, "visits": [400, 200]},
        )
        self.run_command("cg2_merge", "-o", "both", "visited", "visited")
        self.assertIn(
            "300 37.5% 75.0% offset 0, offset 8",
            self.annotate("--data-object=parse_expr", "both").rows(),
        )
        self.assertNotIn(
            "together", self.run_command("cg2_diff", "--sort=Dr", "visited", "both").stdout
        )

    def test_curve(self) -> None:
        """How large a cache an object wants stands below it, if sizes were swept, and if they matter."""
        sizes = {"D4K": "4096", "D8K": "8192", "D16K": "16384"}
        made = DataText(["Dr", *(f"{size}mr" for size in sizes)])
        made.header += [
            f"event: {name}mr : D sweep of 1 set, read misses, {size} B, 64 B, {int(size) // 64}-way "
            f"associative"
            for name, size in sizes.items()
        ]
        made.touch(TABLE, 0, MAIN, (1, 1), 100, Dr=100, D4Kmr=50, D8Kmr=11, D16Kmr=10)
        made.touch(COUNTERS, 0, MAIN, (2, 2), 10_000, Dr=10_000, D4Kmr=99, D8Kmr=1, D16Kmr=1)
        self.write("swept", made.text())
        shown = self.annotate("--data-object=table", "swept").rows()
        first = shown.index("Misses by size of cache: D, fully associative, lines of 64 bytes") + 1
        self.assertEqual(
            [row.partition(" #")[0] for row in shown[first : first + 4]],
            [
                "wants 8K: there it misses hardly more often than in 16K",
                "4K 50 (50.00%)",
                "8K 11 (11.00%)",
                "16K 10 (10.00%)",
            ],
        )
        shown = self.annotate("--data-object=counters", "swept").rows()
        self.assertEqual([row for row in shown if row.startswith("wants")], [])
        self.assertIn("99", " ".join(shown))

    def test_no_object(self) -> None:
        output = self.annotate("--data-object=gone", "cg2.data.1", status=1)
        self.assertEqual(
            output.stderr,
            "cg2.data.1: no data object 'gone'; expected a part of a name, as "
            "'ast.c:120 (parse_expr)'\n",
        )

    def test_misses_alone(self) -> None:
        """A file of misses has their columns; without a miss, objects are sorted by accesses."""
        made = DataText(["D1mr", "D1mw"], ["desc: Data: misses"])
        made.touch(("static::a", APP), 0, MAIN, (1, 1), 3, D1mr=3)
        made.touch(("static::b", APP), 0, MAIN, (2, 2), 4, D1mw=4)
        self.write("misses", made.text())
        shown = self.annotate("misses").rows()
        self.assertIn("Recorded: accesses that miss", shown)
        self.assertIn("4 (57.14%) . 4 (100.0%) static b", shown)
        made = DataText()
        made.touch(("static::a", APP), 0, MAIN, (1, 1), 3, Dr=3)
        made.touch(("static::b", APP), 0, MAIN, (2, 2), 4, Dw=4)
        self.write("hits", made.text())
        shown = self.annotate("--show=Dr,Dw", "hits").rows()
        self.assertLess(shown.index(". 4 (100.0%) static b"), shown.index("3 (100.0%) . static a"))

    def test_json(self) -> None:
        """All touches, for programs."""
        found = self.json("--data", "--json", "--show=Dr,L1m", "--threshold=100", "cg2.data.1")
        self.assertEqual((found["data"], found["line_size"]), ("accesses", 64))
        self.assertEqual(found["total"], [1_851_010, 94_889])
        self.assertEqual(found["kinds"]["heap"], {"objects": 2, "self": [1_850_000, 94_875]})
        nodes, places = found["objects"][:2]
        self.assertEqual(len(found["objects"]), 5)  # the frame of walk is only written to
        self.assertEqual((nodes["blocks"], nodes["bytes"], nodes["type"]), (1000, 24000, None))
        touch = places["touches"][0]
        self.assertEqual(
            (touch["offset"], touch["every"], touch["line"], touch["count"], touch["cost"]),
            (4, 16, 12, 50_000, [50_000, 12_500]),
        )

    def json(self, *arguments: str) -> Any:
        return json.loads(self.annotate(*arguments).stdout)

    def test_contradictions(self) -> None:
        for others in (
            ["--tree=both"],
            ["--auto=yes"],
            ["--check"],
            ["--summary"],
            ["--columns=part"],
            ["-I", "src"],
        ):
            with self.subTest(others):
                output = self.annotate("--data", *others, "cg2.data.1", status=2)
                self.assertIn("expected one of them", output.stderr)
        output = self.annotate("--data=Dr", "--sort=Dw", "cg2.data.1", status=2)
        self.assertIn("--data=EVENT and --sort; expected one of them", output.stderr)


def node_type(key: int) -> list[Row]:
    """The layout of a node of 24 bytes in which nothing touches `kind`; `key` says where the key is."""
    kind = 24 - key  # behind the link, or behind the key
    first, last = sorted(
        [("long", "key", key, 8), ("int", "kind", kind, 4)], key=lambda row: row[2]
    )
    rows = [("struct node*", "next", 0, 8), first, last]
    made = [Row(0, at, size, name, name, type, 0, False, True) for type, name, at, size in rows]
    hole = Row(0, kind + 4, 4, "", "", "", 0, True, True)
    return sorted([*made, hole], key=lambda row: row.offset)


def typed(object: DataObject, layout: list[Row]) -> Typed:
    """The type of the nodes, with what each member costs."""
    members = []
    for row in layout:
        touches = [touch for touch in object.touches if touch.offset == row.offset]
        cost = [sum(column) for column in zip(*(touch.cost for touch in touches))]
        count = sum(touch.count for touch in touches)
        members.append(MemberCost(row, cost or [0] * len(object.cost), count, touches))
    return Typed(Type("struct node", 24), 0.97, 1000, "votes", False, members)


class Paths(Fixture):
    """Places in files whose last part others have, too."""

    def test_tails(self) -> None:
        """The shortest tail that no other path has; of a path alone its last part."""
        tails = Tails(["/a/raw/mod.rs", "/a/fmt/mod.rs", "/b/fmt/mod.rs", "mod.rs", "/a/main.c"])
        said = {
            "/a/raw/mod.rs": "raw/mod.rs",
            "/a/fmt/mod.rs": "a/fmt/mod.rs",
            "/b/fmt/mod.rs": "b/fmt/mod.rs",
            "mod.rs": "mod.rs",
            "/a/main.c": "main.c",
            "/c/other.c": "other.c",
        }
        self.assertEqual({path: tails.of(path) for path in said}, said)

    def test_code(self) -> None:
        """Lines of code, and functions that a terminal has no room for, are told apart."""
        made = DataText()
        for at, path in enumerate(("/crate/raw/mod.rs", "/crate/fmt/mod.rs", "/crate/one.rs")):
            function = APP, path, f"f{at}"
            made.touch(("static::a", APP), 8 * at, function, (1, 547), 10 - at, Dr=10 - at)
        self.write("alike", made.text())
        shown = "\n".join(self.annotate("--show=Dr", "alike").rows())
        for place in ("raw/mod.rs:547 f0", "fmt/mod.rs:547 f1", " one.rs:547 f2"):
            self.assertIn(place, shown)
        paths = ["/a/crate/raw/mod.rs", "/a/crate/fmt/mod.rs"]
        labels = [Label("", FunctionKey("???", path, "new")) for path in paths]
        self.assertEqual(
            [label.within(16, Tails(paths)) for label in labels],
            ["raw/mod.rs:new", "fmt/mod.rs:new"],
        )


class Labels(unittest.TestCase):
    """What a terminal has room for of an object: first the line where it is allocated."""

    PLACE = "hashtable_policy.h:488"
    NAME = PLACE + " (std::map<long, std::vector<int> >::get) < main.cc:12 (main)"
    TYPE = "std::pair<std::vector<std::map<int, long> >, std::pair<int, long> >"

    def test_type(self) -> None:
        label = Label("heap ", self.NAME, type=self.TYPE)
        for room, said in (
            (200, f"heap {self.NAME}: {self.TYPE}"),
            (100, f"heap {self.PLACE} (std::map<..>::get) < main.cc:12 (main): std::pair<..>"),
            (50, f"heap {self.PLACE}..: std::pair<..>"),
            (40, f"heap {self.PLACE}.."),
            (20, f"heap {self.PLACE}.."),
        ):
            with self.subTest(room):
                self.assertEqual(label.within(room), said)


class WithTypes(Fixture):
    """Objects whose types are known are shown member by member."""

    def typed_data(self, name: str, key: int) -> DataFile:
        data = self.data(name)
        nodes = next(object for object in data.objects if "parse_expr" in object.name)
        nodes.typed = typed(nodes, node_type(key))
        return data

    def test_apart(self) -> None:
        """Members that no visit brings together are in groups, whatever else touches all of them."""
        made = DataText()
        for offset in (0, 8, 16):
            made.touch(NODES, offset, MAIN, (1, 1), 10, Dr=10)
            made.visit(NODES, offset, offset, 100)
        made.visit(NODES, 0, 8, 11)
        made.visit(NODES, 0, 16, 10)
        self.write("visited", made.text())
        data = self.typed_data("visited", 16)
        nodes = data.objects[0]
        assert nodes.typed
        whole = Row(0, 0, 24, "", "(all)", "", 0, False, True)
        nodes.typed.members.append(MemberCost(whole, [], 0, []))
        visits = visits_of(data)
        self.assertEqual(groups_apart(nodes, visits), [["next", "kind"], ["key"]])
        self.assertEqual([pair.both for pair in company(nodes, visits)], [11, 10])

    def test_layout(self) -> None:
        """The members, what was never touched and holes, each with its share of what the object costs."""
        data = self.typed_data("cg2.data.1", 16)
        options = DataOptions(Choice(show=["Dr", "Dw", "L1m"]), objects=["parse_expr"])
        with (
            mock.patch("cg2tools.annotate.datareport.DataFile", return_value=data),
            mock.patch("cg2tools.annotate.datareport.shown_types", return_value=Coverage()),
        ):
            lines = list(data_report(data.profile, options))
        shown = [" ".join(line.split()) for line in lines]
        start = shown.index("Dr Dw L1m line offset size member")
        self.assertEqual(
            shown[start - 3 : start + 12],
            [
                "1,000 blocks, 24,000 bytes, 24 each",
                "struct node, 24 bytes, by 97.0% of 1,000 accesses",
                "",
                "Dr Dw L1m line offset size member",
                "",
                "900,000 (50.00%) 1,000 (50.00%) 1,375 ( 1.67%) 0 0 8 struct node* next",
                ". . . 0 8 4 int kind never touched",
                ". . . 0 12 4 (hole)",
                "900,000 (50.00%) 1,000 (50.00%) 81,000 (98.33%) 0 16 8 long key",
                "",
                "900,000 (50.00%) . 81,000 (98.33%) walk.c:34 walk (900,000x) at key",
                "900,000 (50.00%) . 1,000 ( 1.21%) walk.c:33 walk (900,000x) at next",
                ". 1,000 (50.00%) 375 ( 0.46%) ast.c:121 parse_expr (1,000x) at next",
                ". 1,000 (50.00%) . ast.c:122 parse_expr (1,000x) at key",
                "",
            ],
        )
        self.assertIn("heap ast.c:120 (parse_expr): struct node", shown)

    def test_moved_member(self) -> None:
        """A member is the same where it moved in its type."""
        self.write("cg2.data.2", list_and_array(moved=True))
        sides = [self.typed_data("cg2.data.1", 16), self.typed_data("cg2.data.2", 8)]
        with (
            mock.patch("cg2tools.diff.comparison.DataFile", side_effect=sides),
            mock.patch("cg2tools.data.typed.shown_types"),
        ):
            found = compare(sides[0].part, sides[1].part, Names(), "D1mr")
        (change,) = found.places
        self.assertEqual(change.what[1:], ("key", "16", "8"))
        self.assertEqual(found.difference(change), -51_000)


class GivenTypes(Fixture):
    """A type that somebody gives objects of a program with debug information."""

    def setUp(self) -> None:
        super().setUp()
        if not (BUILD / "libcg2debug.so.0").exists():
            self.skipTest("built without libdw (Debian: apt-get install libdw-dev)")
        for name, members in ("old", "long next; int kind; long key"), (
            "new",
            "long key; long next; int kind",
        ):
            code = f"struct node {{ {members}; }} node; int main(void) {{ return node.kind; }}"
            self.write("node.c", code)
            (self.directory / name).mkdir()
            program = str(self.directory / name / "app")
            subprocess.run(["gcc", "-g", "-o", program, "node.c"], cwd=self.directory, check=True)
            made = DataText()
            nodes, make = ("heap::node.c:3 (make)", program), (program, "node.c", "make")
            made.allocate(nodes, 10, 24)
            key = 16 if name == "old" else 0
            made.touch(nodes, key, make, (1, 4), 70, Dw=70, D1mw=key)
            self.write(f"{name}.data", made.text())

    def test_layout(self) -> None:
        rows = self.annotate("--data-type=ma*=struct node", "--show=Dw", "old.data").rows()
        start = rows.index("Dw line offset size member") + 2
        self.assertEqual(
            rows[start : start + 4],
            [
                ". 0 0 8 long int next never touched",
                ". 0 8 4 int kind never touched",
                ". 0 12 4 (hole)",
                "70 (100.0%) 0 16 8 long int key",
            ],
        )
        self.assertIn("struct node, 24 bytes, given", rows)

    def test_shown_name(self) -> None:
        """The function is meant by the name that is shown, too."""
        text = (self.directory / "old.data").read_text()
        self.write("shown.data", text.replace("(make)", "(node* make<int>(int))"))
        for function in "make<int>", "node[*] make<int>(int)":
            rows = self.annotate(f"--data-type={function}=struct node", "shown.data").rows()
            self.assertIn("struct node, 24 bytes, given", rows, function)

    def test_moved_member(self) -> None:
        rows = self.run_command(
            "cg2_diff", "--data-type=make=struct node", "old.data", "new.data"
        ).rows()
        self.assertIn(
            "-16 -100.00% 16 0 changed heap node.c:3 (make) [app]: key at 0 (was 16)", rows
        )

    def test_wrong(self) -> None:
        output = self.annotate("--data-type=node", "old.data", status=2)
        self.assertIn("'node'; expected PATTERN=TYPE", output.stderr)

    def test_ignored(self) -> None:
        """A pattern that matches no object is said, and a type that is not there; the rest is shown."""
        for given, why in (
            ("nobody=struct node", "no data object matches 'nobody'"),
            ("make=struct nobody", "debug information has no type 'struct nobody'"),
        ):
            output = self.annotate(f"--data-type={given}", "old.data")
            self.assertEqual(output.stderr, f"old.data: warning: --data-type={given}: {why}\n")
            self.assertEqual(output.stdout, self.annotate("old.data").stdout)


class OneKind(Fixture):
    """A data file and a profile count the same accesses, and are not added up."""

    def test_both(self) -> None:
        expected = "cg2.data.1: a data file, which cg2.out.1 is not; expected files of one kind\n"
        for arguments in (
            ["cg2_annotate", "cg2.out.1", "cg2.data.1"],
            ["cg2_merge", "-o", "sum", "cg2.out.1", "cg2.data.1"],
            ["cg2_diff", "cg2.out.1", "cg2.data.1"],
            ["cg2_convert", "cg2.out.1", "cg2.data.1"],
        ):
            with self.subTest(arguments[0]):
                self.assertEqual(self.run_command(*arguments, status=1).stderr, expected)
        output = self.annotate("cg2.data.1", "cg2.out.1", status=1)
        self.assertEqual(
            output.stderr,
            "cg2.out.1: a profile, which cg2.data.1 is not; expected files of one kind\n",
        )

    def test_merge(self) -> None:
        """Data files are added up: each object, offset and touch."""
        self.run_command("cg2_merge", "-o", "sum", "cg2.data.1", "cg2.data.1")
        both, one = self.data("sum"), self.data()
        self.assertEqual(both.total, [2 * number for number in one.total])
        self.assertEqual(
            [(object.name, object.blocks) for object in both.objects],
            [(object.name, 2 * object.blocks) for object in one.objects],
        )
        twice = self.annotate("--data", "--json", "cg2.data.1", "cg2.data.1").stdout
        summed = self.annotate("--data", "--json", "sum").stdout
        self.assertEqual(json.loads(twice)["objects"], json.loads(summed)["objects"])


class Diff(Fixture):
    """What a change does to data: objects, offsets, the code that touches them."""

    def diff(self, *arguments: str) -> Output:
        return self.run_command("cg2_diff", *arguments, "cg2.data.1", "cg2.data.2")

    def setUp(self) -> None:
        super().setUp()
        self.write("cg2.data.2", list_and_array(moved=True))

    def test_report(self) -> None:
        """A place that allocates is the same where its line moved; misses are what is compared."""
        rows = [row for row in self.diff().rows() if row and not row.startswith("---")]
        self.assertEqual(
            rows[2:],
            [
                "L1m shrank by 53.75 %, from 94,889 to 43,889",
                "event old new difference",
                "Dr 1,851,010 1,851,010 0%",
                "Dw 53,000 53,000 0%",
                "D1mr 94,514 43,514 -53.96%",
                "D1mw 375 375 0%",
                "DLmr 501 501 0%",
                "DLmw 375 375 0%",
                "Alloc 1,001 1,001 0%",
                "AllocBytes 40,000 40,000 0%",
                "L1m 94,889 43,889 -53.75%",
                "LLm 876 876 0%",
                "CEst 1,036,490 526,490 -49.20%",
                "Da 1,904,010 1,904,010 0%",
                "Data objects",
                "difference of total old new object",
                "-51,000 -53.75% 82,375 31,375 changed heap ast.c:127 (parse_expr) [app]",
                "Members and offsets",
                "difference of total old new where",
                "-81,000 -85.36% 81,000 0 removed heap ast.c:127 (parse_expr) [app]: at 16",
                "+30,000 +31.62% 0 30,000 added heap ast.c:127 (parse_expr) [app]: at 8",
                "Code, by the data that it touches",
                "difference of total old new accesses code",
                "-51,000 -53.75% 82,000 31,000 1,800,000x changed walk.c:walk [app] -> "
                "heap ast.c:127 (parse_expr) [app]",
            ],
        )
        self.assertIn("Data objects", self.diff("--sort=Dr").rows())

    def test_moved(self) -> None:
        """Several places of one function are the same in the order of their lines."""
        for name, lines in (("a", (9, 10)), ("b", (12, 110))):
            made = DataText()
            for line, count in zip(lines, (5, 50)):
                made.touch((f"heap::a.c:{line} (f)", APP), 0, MAIN, (1, 1), count, Dr=count)
            made.touch(("heap::a.c:7 (g)", APP), 0, MAIN, (2, 2), 3, Dr=3)
            self.write(name, made.text())
        self.write("c", made.text().replace("heap::a.c", "heap::b.c"))
        output = self.run_command("cg2_diff", "--sort=Dr", "a", "b")
        self.assertEqual(output.rows().count("no difference"), 3)
        # The only place of its function is known in another file, too.
        rows = self.run_command("cg2_diff", "--sort=Dr", "b", "c").stdout
        self.assertEqual({line for line in rows.splitlines() if "(g)" in line}, set())
        self.assertIn("heap b.c:110 (f)", rows)

    def test_json(self) -> None:
        found = json.loads(self.diff("--json").stdout)
        self.assertEqual(found["compared"]["difference"], -51_000)
        self.assertEqual(
            [
                (place["name"], place["kind"], place["old"] or place["new"])
                for place in found["places"]
            ][0],
            ("16", "removed", [900_000, 1_000, 81_000, 0, 400, 0, 0, 0]),
        )
        self.assertEqual(found["lines"], [])
        self.assertEqual(len(found["places"]), 2)

    def test_markdown(self) -> None:
        rows = self.diff("--markdown").rows()
        self.assertIn(
            "L1m of data objects: **0 worse**, **1 better**, 5 unchanged, or by less than "
            "0.05 % of the total.",
            rows,
        )

    def test_limit(self) -> None:
        """An object has limits as a function has."""
        output = self.run_command(
            "cg2_diff", "--fail-above=Dr=1%", "--sort=Dr", "cg2.data.1", "cg2.data.2"
        )
        self.assertEqual(output.stderr, "")
        output = self.run_command(
            "cg2_diff", "--fail-above=L1m=40000", "cg2.data.1", "cg2.data.2", status=3
        )
        self.assertIn("43,889", output.stderr)

    def test_compared_page(self) -> None:
        """A page of a data file can be compared with an older one."""
        if not TEMPLATE.exists():
            self.skipTest("the page was not built")
        self.run_command("cg2_report", "--compare=cg2.data.1", "cg2.data.2")


class Report(Fixture):
    """Which data file a page has; what is on it, tests/browser says."""

    def setUp(self) -> None:
        super().setUp()
        if not TEMPLATE.exists():
            self.skipTest("the page was not built")

    def report(self, *arguments: str, status: int = 0) -> str:
        return self.run_command("cg2_report", *arguments, status=status).stderr

    def test_beside(self) -> None:
        """The data file of the same run is taken; another run's is left where it is."""
        self.write("cg2.out.4711", RUN)
        wrote = "cg2_report: wrote cg2_report.html; open it in a browser\n"
        self.assertEqual(self.report("cg2.out.4711"), wrote)
        self.write("cg2.data.4711", list_and_array())
        found = "cg2_report: with cg2.data.4711, the data file of that run\n"
        self.assertEqual(self.report("cg2.out.4711"), found + wrote)
        self.assertEqual(self.report("cg2.out.4711", "cg2.data.1"), wrote)
        self.write("cg2.out.1", PROFILE)  # of another program than cg2.data.1
        self.assertEqual(self.report("cg2.out.1"), wrote)

    def test_alone(self) -> None:
        self.report("cg2.data.1")
        page = (self.directory / "cg2_report.html").read_text()
        self.assertIn('id="data"', page)
        self.report("cg2.out.1")
        page = (self.directory / "cg2_report.html").read_text()
        self.assertNotIn('id="data"', page)


if __name__ == "__main__":
    unittest.main()
