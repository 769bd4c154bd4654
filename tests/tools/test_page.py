"""What the page of cg2_report is told: its sums, its texts; and the command's errors. tests/browser looks at
the page."""

from __future__ import annotations

import base64
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import zlib
from array import array
from pathlib import Path
from typing import Any
from unittest import mock

from test_annotate import MAIN_C, PROFILE
from test_convert import CHAINED, THREADS, TWO_CALLERS
from toolsupport import TOOLS, Output, read

import cg2test
import starts
from cg2tools.profile.model import Part, Profile
from cg2tools.profile.reader import read_profile
from cg2tools.report.contents import Contents
from cg2tools.report.options import PageOptions
from cg2tools.report.packed import packed
from cg2tools.report.page import TEMPLATE, page
from cg2tools.report.sizecurves import curves

PLAIN = PageOptions(smallest=0)


def tables_of(text: str, old: str = "") -> dict[str, Any]:
    return dict(Contents(read(text), PLAIN, read(old) if old else None).each())


def unpacked(html: str) -> dict[str, Any]:
    """The tables on a page by their names, with columns as lists."""
    found = re.findall(r'<script type="application/zlib" id="(\w+)">([^<]*)</script>\n', html)
    return {name: unpacked_table(zlib.decompress(base64.b64decode(text))) for name, text in found}


def unpacked_table(raw: bytes) -> Any:
    end = len(raw) - 4
    start = end - int.from_bytes(raw[end:], "little")

    def column(value: dict[str, Any]) -> Any:
        if not isinstance(value.get("column"), list):
            return value
        first, count, width, least = value["column"]
        planes = [raw[first + at * count :][:count] for at in range(width)]
        numbers = [0] * count
        for at, plane in enumerate(planes):
            numbers = [sum + (byte << 8 * at) for sum, byte in zip(numbers, plane, strict=True)]
        return [number + least for number in numbers]

    return json.loads(raw[start:end], object_hook=column)


def on_page(profile: Profile, options: PageOptions) -> dict[str, Any]:
    """The tables of a profile as a page has them."""
    return {
        name: unpacked_table(zlib.decompress(base64.b64decode(b"".join(packed(table)))))
        for name, table in Contents(profile, options).each()
    }


class Sums(unittest.TestCase):
    """The costs of each table add up to the profile's."""

    def check(self, tables: dict[str, Any], part: Part) -> None:
        total = part.self_total()
        head = tables["profile"]
        self.assertEqual(head["total"], total)
        for table in (
            head["functions"],
            tables["lines"],
            tables.get("instructions", tables["lines"]),
        ):
            self.assertEqual([sum(column) for column in table["self"]], total)
            self.assertEqual(
                len(
                    {
                        len(column)
                        for name, column in table.items()
                        if name not in ("self", "inclusive")
                    }
                ),
                1,
            )
        stacks = tables["stacks"]
        roots = [row for row, parent in enumerate(stacks["parent"]) if parent < 0]
        self.assertEqual(
            [sum(column[row] for row in roots) for column in stacks["inclusive"]], total
        )
        self.assertTrue(all(parent < row for row, parent in enumerate(stacks["parent"])))
        self.assertEqual([sum(column) for column in stacks["self"]], total)
        calls = sum(call.count for function in part.functions.values() for call in function.calls)
        self.assertEqual(sum(tables["arcs"]["count"]), calls)
        self.assertEqual(sum(tables["sites"]["count"]), calls)

    def test_texts(self) -> None:
        for text in (PROFILE, TWO_CALLERS):
            self.check(tables_of(text), read(text).merged())

    def test_run(self) -> None:
        """A run with addresses, jumps, recursion and caches."""
        program = cg2test.compile("report.c", "-O1", "-pthread")
        run = cg2test.run_cg2(
            [program], "--dump-instr=yes", "--collect-jumps=yes", "--cache-sim=yes"
        )
        (path,) = run.profile_paths
        profile = read_profile(str(path))
        tables = dict(Contents(profile, PageOptions(smallest=0, context=2)).each())
        part = profile.merged()
        self.check(tables, part)
        self.assertEqual(sum(tables["calls"]["count"]), sum(tables["arcs"]["count"]))
        for costs, limits in zip(
            tables["calls"]["inclusive"], tables["profile"]["functions"]["inclusive"], strict=True
        ):
            self.assertTrue(
                all(
                    cost <= limits[callee]
                    for cost, callee in zip(costs, tables["calls"]["callee"], strict=True)
                )
            )
        self.assertEqual(
            sum(tables["jumps"]["taken"]),
            sum(jump.taken for function in part.functions.values() for jump in function.jumps),
        )
        self.check_code(tables)

    def check_code(self, tables: dict[str, Any]) -> None:
        """The instructions that make up 99 % are there, in rising order, each once."""
        code, head = tables["code"], tables["profile"]
        known = {
            (object, address) for object, texts in code.items() for address in texts["address"]
        }
        covered = sum(
            cost
            for function, address, cost in zip(
                tables["instructions"]["function"],
                tables["instructions"]["address"],
                tables["instructions"]["self"][0],
            )
            if (str(head["functions"]["object"][function]), address) in known
        )
        self.assertGreaterEqual(covered, 0.99 * head["total"][0])
        for texts in code.values():
            self.assertEqual(texts["address"], sorted(set(texts["address"])))
            self.assertEqual(len(texts["address"]), len(texts["text"]))

    def test_nothing(self) -> None:
        """A profile of no cost has tables without rows."""
        tables = tables_of("events: Ir Dr\n")
        head = tables["profile"]
        self.assertEqual(
            (
                head["total"],
                head["functions"]["self"],
                list(map(list, tables["arcs"]["inclusive"])),
            ),
            ([0, 0], [[], []], [[], []]),
        )


def graded() -> str:
    """A profile of 200 instructions, one a line, of which number i costs i * i Ir, and the third 50 Dr.

    Each has a jump, and those that can be divided by 20 a call.
    """
    text = ["positions: instr line", "events: Ir Dr", "fl=a.c", "fn=f"]
    for number in range(1, 201):
        text.append(f"jcnd=1/{number} 0x5 1\n{number:#x} {number}")
        text.append(f"{number:#x} {number} {number**2} {50 if number == 3 else 0}")
        if number % 20 == 0:
            text.append(f"cfi=b.c\ncfn=g\ncalls=1 0x900 300\n{number:#x} {number} {number}")
    text.append(f"fl=b.c\nfn=g\n0x900 300 {sum(range(20, 201, 20))}")
    return "\n".join(text) + "\n"


class Guesses(unittest.TestCase):
    """The sentence above the flame graph."""

    def test_callers(self) -> None:
        said = "46.7% of Ir is in functions called from several places, and apportioned; "
        self.assertEqual(
            tables_of(TWO_CALLERS)["profile"]["guess"],
            said + "--contexts=full when profiling writes exact stacks",
        )

    def test_threads(self) -> None:
        """What makes threads is called from two places; what the threads do is certain."""
        said = tables_of(THREADS.format(root="clone"))["profile"]["guess"]
        self.assertEqual(said.partition(" in functions")[0], "7.6% of Ir is")
        said = tables_of(THREADS.format(root="handler"))["profile"]["guess"]
        self.assertEqual(said.partition(" in functions")[0], "99.1% of Ir is")


class Shares(unittest.TestCase):
    """Long tables have the rows that have a share of some event, and what the others cost."""

    def tables(self, share: float) -> dict[str, Any]:
        return on_page(read(graded()), PageOptions(smallest=0, share=share))

    def test_rows(self) -> None:
        """At 1 % of 2,687,800 Ir: squares of 164 and above, and what has all Dr."""
        tables = self.tables(1)
        kept = [3, *range(164, 201)]
        self.assertEqual(tables["lines"]["line"], kept)
        self.assertEqual(tables["instructions"]["address"], kept)
        self.assertEqual(tables["instructions"]["self"][1], [50] + [0] * 37)
        self.assertEqual(tables["jumps"]["address"], kept)
        self.assertEqual(len(tables["jumps"]["conditional"]), len(kept))

    def test_sums(self) -> None:
        """What is shown and what is left out is the total, in rows and in costs."""
        whole, tables = self.tables(0), self.tables(1)
        head = tables["profile"]
        self.assertEqual(whole["profile"]["left"], {})
        self.assertEqual(head["total"], [2_687_800, 50])
        self.assertEqual(set(head["left"]), {"lines", "instructions", "jumps"})
        for name in ("lines", "instructions"):
            left = head["left"][name]
            self.assertEqual(left["rows"], 201 - 38)
            shown = [sum(column) for column in tables[name]["self"]]
            self.assertEqual(
                [a + b for a, b in zip(shown, left["cost"], strict=True)], head["total"]
            )
            self.assertEqual(left["cost"][1], 0)
        self.assertEqual(head["left"]["jumps"]["rows"], 200 - 38)
        self.assertEqual(head["functions"], whole["profile"]["functions"])
        self.assertEqual(tables["arcs"], whole["arcs"])

    def test_files(self) -> None:
        """The costs of files are of all their lines."""
        expected = {"file": [0, 1], "lines": [200, 1], "self": [[2_686_700, 1100], [50, 0]]}
        for share in (0, 1):
            tables = self.tables(share)
            numbers = [tables["profile"]["strings"].index(name) for name in ("a.c", "b.c")]
            self.assertEqual(tables["files"], expected | {"file": numbers})

    def test_calls(self) -> None:
        """At 20 % of 2,687,800 no call is large enough; five fit, and ten do not."""
        tables = self.tables(20)
        self.assertEqual(tables["sites"]["line"], [])
        self.assertEqual(tables["profile"]["left"]["sites"]["rows"], 10)
        self.assertEqual(tables["calls"]["inclusive"], [[], []])

    def test_arcs(self) -> None:
        """A function has 30 callees, 10 of which cost 5 % each; how often the others were called is known,
        too."""
        calls = [(50, 2)] * 10 + [(25, 3)] * 20
        text = ["events: Ir", "fn=main"]
        for number, (cost, count) in enumerate(calls):
            text.append(f"cfn=f{number}\ncalls={count} 1\n1 {cost}")
        text += [f"fn=f{number}\n1 {cost}" for number, (cost, _) in enumerate(calls)]
        options = PageOptions(smallest=0, share=5)
        tables = on_page(read("\n".join(text) + "\n"), options)
        head = tables["profile"]
        self.assertEqual(head["total"], [1000])
        self.assertEqual(tables["arcs"]["inclusive"], [[50] * 10])
        self.assertEqual(tables["arcs"]["callee"], list(range(1, 11)))
        self.assertEqual(head["left"]["arcs"], {"rows": 20, "cost": []})
        self.assertEqual(head["functions"]["called"], [0] + [2] * 10 + [3] * 20)

    def test_code(self) -> None:
        """Machine code is at the instructions on the page, and on 64 bytes in front of each in a function."""
        with tempfile.TemporaryDirectory() as scratch:
            program = f"{scratch}/program"
            code = ".globl main\nmain: .fill 200, 1, 0x90\nret\n.section .note.GNU-stack\n"
            command = ["gcc", "-x", "assembler", "-o", program, "-"]
            subprocess.run(command, input=code, text=True, check=True)
            symbols = subprocess.run(["nm", program], capture_output=True, text=True, check=True)
            main = int(re.findall(r"^(\w+) T main$", symbols.stdout, re.MULTILINE)[0], 16)
            text = f"positions: instr\nevents: Ir\nob={program}\nfn=main\n"
            costs = {at: 1000 if at in (10, 150) else 1 for at in range(201)}
            text += "".join(f"{main + at:#x} {cost}\n" for at, cost in costs.items())
            (Path(scratch) / "profile").write_text(text)
            for share, shown in ((0, [*range(201)]), (10, [10, *range(86, 151)])):
                tables = on_page(read_profile(f"{scratch}/profile"), PageOptions(share=share))
                (found,) = tables["code"].values()
                self.assertEqual([address - main for address in found["address"]], shown)
                self.assertEqual(
                    tables["instructions"]["self"],
                    [[costs[at] for at in costs if share == 0 or costs[at] > 1]],
                )

    def test_short(self) -> None:
        """A table of no more rows than can have the share is whole."""
        tables = self.tables(10)
        self.assertEqual(len(tables["sites"]["line"]), 10)
        self.assertNotIn("sites", tables["profile"]["left"])
        for share, rows in ((100 / 201, 201), (100 / 200, 86)):
            self.assertEqual(len(self.tables(share)["lines"]["line"]), rows)

    def test_stacks(self) -> None:
        """The flame graph, too, has a count of what is too small for it."""
        part = read(graded())
        tables = dict(Contents(part, PageOptions(smallest=1)).each())
        self.assertEqual(tables["profile"]["left"], {"stacks": {"rows": 1, "cost": []}})
        self.assertEqual(len(tables["stacks"]["name"]), 1)

    def test_sources(self) -> None:
        """Texts are those around the lines that are shown."""
        with tempfile.TemporaryDirectory() as scratch:
            (Path(scratch) / "a.c").write_text("".join(f"text {n}\n" for n in range(1, 251)))
            (Path(scratch) / "profile").write_text(graded())
            options = PageOptions(smallest=0, share=1, context=1, include=[scratch])
            profile = read_profile(f"{scratch}/profile")
            tables = dict(Contents(profile, options).each())
        (source,) = tables["sources"].values()
        lines = {run[0] + at: text for run in source["runs"] for at, text in enumerate(run[1:])}
        calls = [n + step for n in range(20, 161, 20) for step in (-1, 0, 1)]
        self.assertEqual(sorted(lines), sorted({2, 3, 4, *calls, *range(163, 202)}))
        self.assertEqual(lines[164], "text 164")


class OneThread(unittest.TestCase):
    def test_tables(self) -> None:
        """The page is the same where there is no thread for the library to work in."""
        profile = read(PROFILE)
        made = dict(Contents(profile, PLAIN).each())
        with mock.patch.object(threading.Thread, "start", side_effect=RuntimeError):
            self.assertEqual(dict(Contents(profile, PLAIN).each()), made)


class Facts(unittest.TestCase):
    def test_functions(self) -> None:
        """Recursion levels are one function, in the order of what they cost."""
        head = tables_of(PROFILE)["profile"]
        names = [head["strings"][number] for number in head["functions"]["name"]]
        self.assertEqual(names, ["main", "work", "puts"])
        self.assertEqual(head["functions"]["inclusive"], [[1000, 900, 90], [50, 50, 0]])
        self.assertEqual(head["functions"]["self"], [[10, 900, 90], [0, 50, 0]])

    def test_events(self) -> None:
        """Events with formulas are sums of recorded ones, by number; one of unknown events is left out. All
        have words."""
        text = PROFILE.replace("event: Dr", "event: Odd = Ir + 3 Bm : odd\nevent: Dr")
        events = tables_of(text)["profile"]["events"]
        self.assertEqual(
            [(event["name"], event["factors"], event["long"]) for event in events],
            [
                ("Ir", [(0, 1)], "instructions executed"),
                ("Dr", [(1, 1)], "Data Reads"),
                ("Est", [(0, 1), (1, 10)], "Estimate"),
            ],
        )

    def test_sweeps(self) -> None:
        """The columns of --cache-sweep: one curve for each cache, shape and kind of access."""
        names = "D1Mmr D512Kmr D512Kmw D1Mmw D96Bs3mr D192Bs3mr IL1Mw8l32mr IL2Mw8l32mr D1mr D1mw"
        found = {curve.name: curve.points for curve in curves(["Ir", *names.split()])}
        mega, kilo = 1 << 20, 1 << 10
        self.assertEqual(
            found,
            {
                "Dm": [(512 * kilo, [2, 3]), (mega, [1, 4])],
                "Dmr": [(512 * kilo, [2]), (mega, [1])],
                "Dmw": [(512 * kilo, [3]), (mega, [4])],
                "Ds3mr": [(96, [5]), (192, [6])],
                "ILw8l32mr": [(mega, [7]), (2 * mega, [8])],
            },
        )

    def test_reads_and_writes(self) -> None:
        """Reads and writes together are a curve where they have the same sizes, and no other curve has its
        name."""
        sized = [f"{name}_{size}k" for name in ("D1mr", "D1mw", "LLr", "LLw") for size in (8, 16)]
        found = [(curve.name, curve.of) for curve in curves(sized)]
        self.assertEqual(found[0], ("D1m", ["D1mr", "D1mw"]))
        self.assertEqual(found[3], ("LL", ["LLr", "LLw"]))
        self.assertEqual([name for name, _ in found], ["D1m", "D1mr", "D1mw", "LL", "LLr", "LLw"])
        for others in (["D1mw_32k"], ["D1m_8k", "D1m_16k"]):
            apart = curves([*sized[:4], *others])
            self.assertEqual([curve.name for curve in apart[:2]], ["D1mr", "D1mw"])
            self.assertEqual([curve.of for curve in apart if curve.of], [])

    def test_curves(self) -> None:
        """Events that differ in a size are a curve, by rising size; a single one is none."""
        found = curves(
            ["Ir", "D1m_16k", "D1m_8K", "I1m_4k", "LL_1m", "LL_512k", "LL_2g", "D1mr", "x_"]
        )
        self.assertEqual(
            [(curve.name, curve.points) for curve in found],
            [
                ("D1m", [(8192, [2]), (16384, [1])]),
                ("LL", [(524288, [5]), (1048576, [4]), (2147483648, [6])]),
            ],
        )

    def test_comparison(self) -> None:
        """Functions of which one cost changed have both, and the row that they have now."""
        old = TWO_CALLERS.replace("1 33 5\ntotals", "1 30 5\ntotals").replace("107 12", "104 12")
        changed = tables_of(TWO_CALLERS, old)["comparison"]
        functions = changed["functions"]
        self.assertEqual(changed["oldTotal"], [104, 12])
        self.assertEqual(functions["self"]["new"][0][0] - functions["self"]["old"][0][0], 3)
        self.assertEqual(functions["kind"][0], "changed")
        self.assertEqual([line["newLine"] for line in [changed["lines"]]], [[1]])

    def test_bare_names(self) -> None:
        """Functions that are kept apart by their callers have one name in stacks."""
        head = tables_of(CHAINED)["profile"]
        names = [[head["strings"][at] for at in head["functions"][key]] for key in ("name", "bare")]
        self.assertEqual(names, [["main", "f'main", "g'f'main"], ["main", "f", "g"]])

    def test_old_stacks(self) -> None:
        """A stack is set against the one of the same names, whatever directory the program was in."""
        old = TWO_CALLERS.replace("/bin/app", "/home/me/app").replace("fl=main.c", "fl=src/main.c")
        stacks = tables_of(TWO_CALLERS, old)["stacks"]
        self.assertEqual(stacks["old"], stacks["inclusive"])
        self.assertEqual(stacks["oldSelf"], stacks["self"])
        self.assertNotIn("oldSelf", tables_of(TWO_CALLERS)["stacks"])

    def test_parts(self) -> None:
        """Each part has what its functions cost; one that costs too little is not listed."""
        text = "".join(
            f"part: {part}\nevents: Ir\nfl=a.c\nfn=f\n1 {cost}\nfn=g\n2 1\n"
            for part, cost in ((1, 500), (2, 1500))
        )
        parts = tables_of(text)["profile"]["parts"]
        self.assertEqual(
            [(part["part"], part["total"], part["self"]) for part in parts],
            [(1, [501], [[500]]), (2, [1501], [[1500]])],
        )

    def test_page(self) -> None:
        """Whatever is in a name, it ends no element of the page; what is no UTF-8 is replaced."""
        text = PROFILE.encode().replace(b"puts", b"</script><!-- \xff &")
        with tempfile.NamedTemporaryFile() as file:
            file.write(text)
            file.flush()
            tables = dict(Contents(read_profile(file.name), PLAIN).each())
        written = b"".join(page("<head><!-- profile --><tail>", tables.items())).decode()
        self.assertEqual(written.count("</script>"), len(tables))
        self.assertNotIn("<!--", written)
        self.assertIn("</script><!-- \ufffd &", unpacked(written)["profile"]["strings"])


class Packing(unittest.TestCase):
    """Tables in the page are as they were."""

    def through_page(self, table: dict[str, Any]) -> Any:
        pieces = list(page("<!-- profile -->", [("b", table), ("c", {})]))
        found = unpacked(b"".join(pieces).decode())
        self.assertEqual(list(found), ["b", "c"])
        self.assertEqual(found["c"], {})
        return found["b"]

    def test_tables(self) -> None:
        """Columns of each width, and below 0; what is no column; nothing."""
        table = {
            "long": list(range(25_001)),
            "self": [[7] * 300, [2 ** (8 * size) - 1 for size in range(1, 9)], [], [0, 0]],
            "parent": [-1, 0, 70_000, -3],
            "none": [],
            "name": ["a", "<", "\u2013"],
            "mixed": [1, None, 3],
            "true": [True, False],
            "part": {"total": [5], "self": [[1, 2]], "deep": {"empty": {}}},
            "number": 7,
        }
        self.assertEqual(self.through_page(table), table)

    def test_buffers(self) -> None:
        """Arrays and memoryviews are columns, too, whatever the width of their numbers."""
        numbers = [0, 1, 255, 77, 65_535, 3]
        views = {code: array(code, numbers) for code in "HiIlLqQ"}
        views["b"] = array("b", [-128, 127])
        tables = views | {f"view {code}": memoryview(views[code]) for code in "IQq"}
        tables["odd rows"] = memoryview(views["Q"])[1::2]
        found = self.through_page(tables)
        self.assertEqual(found.pop("b"), [-128, 127])
        self.assertEqual(found.pop("odd rows"), numbers[1::2])
        self.assertEqual(found, {name: numbers for name in found})

    def test_large_numbers(self) -> None:
        """Numbers that no column holds are written in full."""
        for column in ([1 << 64, 3], [-1, (1 << 64) - 1]):
            self.assertEqual(self.through_page({"self": column}), {"self": column})

    def test_width(self) -> None:
        """A number has as many bytes as the largest one needs, and columns of nothing have none."""
        for numbers, width in (([255] * 9, 1), ([256] * 9, 2), ([1 << 32] * 9, 5), ([0] * 9, 0)):
            text = b"".join(packed({"only": numbers}))
            raw = zlib.decompress(base64.b64decode(text))
            start = len(raw) - 4 - int.from_bytes(raw[-4:], "little")
            self.assertEqual(start, 9 * width)
            self.assertEqual(json.loads(raw[start:-4]), {"only": {"column": [0, 9, width, 0]}})

    def test_pieces(self) -> None:
        """Long columns are written piece by piece."""
        noise = array("Q", random.Random(1).randbytes(800_000))
        pieces = list(page("<!-- profile -->", [("b", {"self": [noise]})]))
        self.assertLess(max(map(len, pieces)), 150_000)
        self.assertGreater(sum(map(len, pieces)), 1_000_000)


class Command(unittest.TestCase):
    """The command itself."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)
        self.write("main.c", MAIN_C)
        self.write("cg2.out.1", PROFILE)

    def write(self, name: str, text: str) -> None:
        (self.directory / name).write_text(text)

    def run_report(self, *arguments: str, **environment: str) -> Output:
        ended = starts.run(
            [TOOLS / "cg2_report", *arguments],
            directory=self.directory,
            limit=cg2test.HANG,
            environment={"PATH": os.environ["PATH"], "LC_ALL": "C"} | environment,
        )
        return Output(ended.returncode, ended.stdout, ended.stderr)

    def need_page(self) -> None:
        if not TEMPLATE.exists():
            self.skipTest("the page was not built, as there was no npm or no registry for it")

    def table(self, name: str, file: str = "cg2_report.html") -> Any:
        return unpacked((self.directory / file).read_text())[name]

    def test_default(self) -> None:
        """The newest profile is read, a page is written; that is no profile for the next time."""
        self.need_page()
        output = self.run_report()
        self.assertEqual((output.status, output.stdout), (0, ""))
        self.assertIn("reading cg2.out.1, the newest profile here\n", output.stderr)
        self.assertIn("wrote cg2_report.html; open it in a browser\n", output.stderr)
        self.assertEqual(self.table("profile")["total"], [1000, 50])
        self.run_report("-o", "cg2.out.2.html")
        self.assertIn("reading cg2.out.1,", self.run_report().stderr)

    def test_output(self) -> None:
        """To standard output; licences of the libraries are on the page, and it loads nothing."""
        self.need_page()
        output = self.run_report("-o", "-", "--sources=no", "cg2.out.1")
        self.assertEqual((output.status, output.stderr), (0, ""))
        self.assertTrue(output.stdout.startswith("<!DOCTYPE html>"))
        for library in (
            "d3-flame-graph 5.0.0 (Apache-2.0)",
            "d3-hierarchy 3.1.2 (ISC)",
            "Apache License",
            "Mike Bostock",
        ):
            self.assertIn(library, output.stdout)
        self.assertIn("default-src 'none'", output.stdout)
        self.assertNotRegex(output.stdout, r"<(?:script|link|img)[^>]*(?:src|href)=")

    def test_source(self) -> None:
        """The lines around those that cost something; others are left out."""
        self.need_page()
        self.run_report("--context=0", "cg2.out.1")
        (source,) = self.table("sources").values()
        lines = MAIN_C.splitlines()
        self.assertEqual(source["path"], "main.c")
        self.assertEqual(
            [(run[0], run[1:]) for run in source["runs"]], [(3, lines[2:5]), (8, lines[7:9])]
        )
        os.utime(self.directory / "cg2.out.1", (0, 0))
        self.run_report("cg2.out.1")
        self.assertEqual(
            self.table("profile")["warnings"],
            ["main.c is newer than the profile; costs may stand beside the wrong lines"],
        )

    def test_no_objdump(self) -> None:
        """Without objdump all else is on the page, which says so."""
        self.need_page()
        self.write(
            "cg2.out.1",
            f"positions: instr line\nevents: Ir\nob={sys.executable}\nfl=a.c\nfn=f\n0x10 1 5\n",
        )
        self.assertEqual(self.run_report(OBJDUMP="/no/objdump").status, 0)
        self.assertEqual(
            self.table("profile")["warnings"][-1],
            "no machine code: /no/objdump: No such file or directory; "
            "expected objdump (Debian: apt-get install binutils)",
        )
        self.assertEqual(self.table("instructions")["self"], [[5]])

    def test_title_and_event(self) -> None:
        self.need_page()
        self.run_report("--title=Mine", "--event=Sum = Ir + Dr", "cg2.out.1")
        head = self.table("profile")
        self.assertEqual((head["title"], head["events"][-1]["factors"]), ("Mine", [[0, 1], [1, 1]]))

    def test_several(self) -> None:
        """Profiles are added up, and are parts."""
        self.need_page()
        self.write("cg2.out.2", PROFILE)
        self.run_report("cg2.out.1", "cg2.out.2")
        head = self.table("profile")
        self.assertEqual(
            (head["total"], head["files"], len(head["parts"])),
            ([2000, 100], ["cg2.out.1", "cg2.out.2"], 2),
        )

    def test_errors(self) -> None:
        """An error is one line that says where, what, and what would be right."""
        self.need_page()
        self.write("other", "events: Bc\n1 1\n".replace("1 1", "fn=f\n1 1"))
        self.write("broken", "events: Ir\nfn=f\nx y\n")
        for arguments, status, message in (
            (["no"], 1, "no: No such file or directory"),
            (["broken"], 1, "broken:3: "),
            (
                ["--compare", "other", "cg2.out.1"],
                1,
                "cg2.out.1:11: events: Ir Dr; expected Bc as in other",
            ),
            (["cg2.out.1", "other"], 1, "other:1: events: Bc; expected Ir Dr as in cg2.out.1"),
            (["--parts=7", "cg2.out.1"], 1, "cg2.out.1:1: no part 7; expected one of 1"),
            (
                ["--event=X = Ir + Nope", "cg2.out.1"],
                1,
                "cg2.out.1:11: no event 'Nope'; expected one of ",
            ),
            (
                ["-o", "-", "--event=X = Ir + Nope", "cg2.out.1"],
                1,
                "cg2.out.1:11: no event 'Nope'; expected one of ",
            ),
            (["-o", "no/page.html", "cg2.out.1"], 1, "no/page.html: No such file or directory"),
            (["--context=x"], 2, "cg2_report: argument --context: 'x'; expected a number of lines"),
            (
                ["--compare"],
                2,
                "cg2_report: argument --compare: expected one argument; see cg2_report --help",
            ),
            (["--what"], 2, "cg2_report: unrecognized arguments: --what; see cg2_report --help"),
        ):
            with self.subTest(arguments):
                output = self.run_report(*arguments)
                self.assertEqual(
                    (output.status, output.stderr.count("\n"), output.stdout),
                    (status, 1, ""),
                    output.stderr,
                )
                self.assertTrue(output.stderr.startswith(message), output.stderr)
        self.assertFalse((self.directory / "cg2_report.html").exists())

    def test_not_built(self) -> None:
        """Without its page, one line says what is missing."""
        shutil.copytree(
            TOOLS,
            self.directory / "tools",
            ignore=shutil.ignore_patterns("report.html", "__pycache__"),
        )
        output = starts.start(
            [self.directory / "tools" / "cg2_report", "cg2.out.1"],
            directory=self.directory,
            limit=cg2test.HANG,
        )
        self.assertEqual(
            (output.returncode, output.stderr.decode()),
            (
                1,
                (
                    f"{self.directory}/tools/cg2tools/report/report.html: was not built; expected make to "
                    f"have built it, for which it "
                    "needs npm and its registry (Debian: apt-get install npm)\n"
                ),
            ),
        )

    def test_help(self) -> None:
        """Each option is in the help, in the manual page, with the same default."""
        text = self.run_report("--help").stdout
        page = (cg2test.SOURCE / "docs" / "cg2_report.1").read_text().replace("\\-", "-")
        options = set(re.findall(r"^  (?:-\w[^,]*, )?(--[a-z-]+)", text, re.MULTILINE))
        self.assertEqual(
            options,
            {
                "--output",
                "--compare",
                "--cycles",
                "--title",
                "--event",
                "--parts",
                "--threads",
                "--include",
                "--context",
                "--sources",
                "--threshold",
                "--smallest",
                "--share",
                "--names",
                "--partial",
                "--data-type",
                "--inlines",
                "--help",
                "--version",
            },
        )
        for option in options:
            self.assertIn(option, page)
        for default in re.findall(r"\[([a-z0-9_.]+)\]$", text, re.MULTILINE):
            self.assertIn(f"[{default}]", page)


if __name__ == "__main__":
    unittest.main()
