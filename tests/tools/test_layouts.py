"""Runs in several layouts of memory: their mean, least and most, which differences are real, and links of
programs in other orders, of which none is."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import cg2test
from test_page import unpacked
from toolsupport import Output, command

from cg2tools.diff.comparison import Change, Comparison, compare
from cg2tools.diff.names import Names
from cg2tools.profile.layouts import REAL, WITHIN, beside, mean, verdict
from cg2tools.profile.reader import read_profile

FULL = os.environ.get("CG2_FULL") == "1"
RUNS = 5

PART = """\
# callgrind format
version: 1
creator: test
cmd: ./app
part: 1
desc: Layout: {layout}
positions: line
events: Ir D1mr
summary: {Ir} {D1mr}
ob=/bin/app
fl=a.c
fn=main
10 100 {main}
cfn=f
calls=3 20
11 90 {f}
fn=f
20 90 {f}
totals: {Ir} {D1mr}
"""


def profile_of(*misses: tuple[int, int]) -> str:
    """A file with a layout for each pair: what `main` and `f` miss."""
    parts = [
        PART.format(layout=number, Ir=190, D1mr=main + f, main=main, f=f)
        for number, (main, f) in enumerate(misses, start=1)
    ]
    first, *others = parts
    return first + "".join(part[part.index("cmd:") :] for part in others)


class Verdicts(unittest.TestCase):
    """The rule, by numbers."""

    def test_mean(self) -> None:
        self.assertEqual(mean([1, 2]), 2)
        self.assertEqual(mean([-1, -2]), -2)
        self.assertEqual(mean([1, 1, 2]), 1)
        self.assertEqual(mean([7], 3), 2)

    def test_rule(self) -> None:
        """The ranges lie apart by more than 4/N of the wider one, and simulated events by 16 more."""
        old = [1000, 1010, 1005, 1000]
        for new, said in (
            ([1036, 1037, 1036, 1036], WITHIN),
            ([1037, 1037, 1037, 1037], REAL),
            ([963, 974, 970, 973], WITHIN),
            ([962, 972, 970, 971], REAL),
            ([1010, 2000, 2000, 2000], WITHIN),
            ([1000, 1010, 1005, 1000], WITHIN),
        ):
            with self.subTest(new=new):
                self.assertEqual(verdict("D1mr", old, new), said)
        self.assertEqual(verdict("D1mr", [1000] * 4, [1016] * 4), WITHIN)
        self.assertEqual(verdict("D1mr", [1000] * 4, [1017] * 4), REAL)
        self.assertEqual(verdict("D1mr", [0] * 2, [16] * 2), WITHIN)
        self.assertEqual(verdict("Ir", [1000] * 4, [1001] * 4), REAL)
        self.assertEqual(verdict("Ir", [1000] * 4, [1000] * 4), WITHIN)


class Profiles(unittest.TestCase):
    """What commands say of a file with several layouts, and of a file for each."""

    def setUp(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def pair(self) -> tuple[Path, Path]:
        """`f` misses more than any layout makes; `main` does not."""
        old = [(1000, 200), (1100, 210), (1050, 205), (1010, 201)]
        new = [(1090, 300), (1010, 310), (1140, 301), (1100, 303)]
        return self.file("old", profile_of(*old)), self.file("new", profile_of(*new))

    def found(self, *arguments: str | Path) -> Any:
        output = command("cg2_diff", "--json", *arguments)
        self.assertEqual((output.status, output.stderr), (0, ""))
        return json.loads(output.stdout)

    def test_rows(self) -> None:
        """Rows have means, ranges and a verdict on the event of --sort; calls are those of a run."""
        found = self.found("--sort=D1mr", *self.pair())
        self.assertEqual((found["runs"], found["verdict"]), (4, WITHIN))
        self.assertEqual((found["old"]["total"], found["new"]["total"]), ([190, 1244], [190, 1389]))
        rows = {row["name"]: row for row in found["functions"]}
        self.assertEqual(rows["f"]["old"], [90, 204])
        self.assertEqual(rows["f"]["new"], [90, 304])
        self.assertEqual(rows["f"]["old_range"], [[90, 90], [200, 210]])
        self.assertEqual(rows["f"]["new_range"], [[90, 90], [300, 310]])
        self.assertEqual(rows["f"]["verdict"], REAL)
        self.assertEqual(rows["main"]["verdict"], WITHIN)
        (call,) = found["calls"]
        self.assertEqual((call["old_calls"], call["new_calls"], call["verdict"]), (3, 3, REAL))
        lines = {row["new_line"]: row["verdict"] for row in found["lines"]}
        self.assertEqual(lines, {10: WITHIN, 20: REAL})

    def test_groups(self) -> None:
        """A file for each run says the same as one with all."""
        old, new = self.pair()
        together = self.found("--sort=D1mr", old, new)
        files: list[list[Path]] = []
        for path in (old, new):
            head, *parts = path.read_text().split("cmd: ")
            files.append(
                [
                    self.file(f"{path.name}.{number}", f"{head}cmd: {part}")
                    for number, part in enumerate(parts)
                ]
            )
        apart = self.found("--sort=D1mr", "--old", *files[0], "--new", *files[1])
        for side in ("old", "new"):
            together[side].pop("path"), apart[side].pop("path")
        self.assertEqual(apart, together)
        fewer = self.found("--sort=D1mr", "--old", *files[0], "--new", *files[1][:3])
        self.assertEqual(fewer["runs"], 3)

    def test_text(self) -> None:
        """Text and Markdown have a column for it."""
        for options in ((), ("--markdown",)):
            output = command("cg2_diff", "--sort=D1mr", *options, *self.pair())
            self.assertEqual(output.status, 0, output.stderr)
            self.assertIn("the mean of 4 runs of each side", output.stdout)
            (row,) = re.findall(r".*real.*a\.c:f\b.*", output.stdout.split("Functions, with")[0])
            self.assertIn("+100", row)

    def test_one_run(self) -> None:
        """A single pair has no verdicts."""
        old, new = (self.file(f"one{n}", profile_of((n, n))) for n in (100, 200))
        found = self.found("--sort=D1mr", old, new)
        self.assertNotIn("verdict", found)
        self.assertEqual([row for row in found["functions"] if "verdict" in row], [])
        self.assertNotIn("verdict", command("cg2_diff", old, new).stdout)

    def test_limits(self) -> None:
        """`beyond = "layout"`: only what is real is above its limit."""
        old, new = self.pair()
        for limit, status in (
            ('[total]\nD1mr = "2%"', 3),
            ('[total]\nD1mr = { max = "2%", beyond = "layout" }', 0),
            ('[functions."f"]\nD1mr = { max = "2%", beyond = "layout" }', 3),
            ('[functions."f"]\ninclusive.D1mr = { max = "2%", beyond = "layout" }', 3),
            ('[functions."f"]\nD1mr = { max = "90%", beyond = "layout" }', 0),
            ('[functions."main"]\nD1mr = { max = ["2%", 1001], beyond = "layout" }', 0),
        ):
            with self.subTest(limit=limit):
                limits = self.file("limits.toml", limit)
                output = command("cg2_diff", f"--limits={limits}", old, new)
                self.assertEqual(output.status, status, output.stdout + output.stderr)
                if not status:
                    self.assertTrue("within l" in output.stdout or "is allowed" in output.stdout)

    def test_wrong_limits(self) -> None:
        """Where a limit is no limit, or there is one run, one line says so."""
        old, new = self.pair()
        one = self.file("one", profile_of((1, 1)))
        for limit, files, said in (
            ('D1mr = { max = "2%", beyond = "noise" }', (old, new), 'beyond = "layout"'),
            ('D1mr = { beyond = "layout" }', (old, new), 'beyond = "layout"'),
            ('D1mr = { max = {}, beyond = "layout" }', (old, new), "expected a percentage"),
            ('D1mr = { max = "2%", beyond = "layout" }', (old, one), "--layouts=N on both sides"),
        ):
            with self.subTest(limit=limit):
                limits = self.file("limits.toml", f"[total]\n{limit}\n")
                output = command("cg2_diff", f"--limits={limits}", *files)
                self.assertEqual(output.status, 1, output.stdout)
                self.assertEqual(len(output.stderr.splitlines()), 1, output.stderr)
                self.assertIn(said, output.stderr)

    def test_wrong_options(self) -> None:
        old, new = self.pair()
        wrong: list[tuple[list[str | Path], str]] = [
            (["--old", old], "expected both"),
            (["--old", old, "--new", new, "--", old], "no profile beside them"),
        ]
        for options, said in wrong:
            output = command("cg2_diff", *options)
            self.assertEqual(output.status, 2)
            self.assertIn(said, output.stderr)

    def test_annotate(self) -> None:
        """The mean, least and most of functions and lines; the total of each is that of a run."""
        old, _ = self.pair()
        found = json.loads(command("cg2_annotate", "--json", old).stdout)
        self.assertEqual(found["events"], ["Ir", "D1mr", "D1mr_least", "D1mr_most"])
        self.assertEqual(found["total"], [190, 1244, 1200, 1310])
        rows = {row["name"]: row for row in found["functions"]}
        self.assertEqual(rows["f"]["self"], [90, 204, 200, 210])
        self.assertEqual(rows["f"]["lines"][0]["self"], [90, 204, 200, 210])
        self.assertEqual(rows["main"]["inclusive"], [190, 1244, 1200, 1310])
        text = command("cg2_annotate", "--sort=D1mr", "--show=D1mr,D1mr_most", old).stdout
        self.assertIn("4 runs in other layouts of memory", text)
        self.assertRegex(text, r"(?m)^ *1,040.* 1,100.* a\.c:main")

    def test_trend(self) -> None:
        """A trend has the mean of each, and says so."""
        old, new = self.pair()
        paths = [old, self.file("one", profile_of((1040, 204))), new]
        output = command("cg2_diff", "--json", "--sort=D1mr", "--smallest=0", *paths)
        self.assertEqual(output.status, 0, output.stderr)
        found = json.loads(output.stdout)
        self.assertEqual([each["total"] for each in found["profiles"]][:2], [1244, 1244])
        rows = {row["name"]: row["costs"] for row in found["functions"]}
        self.assertEqual(rows["f"][:2], [204, 204])
        self.assertGreater(rows["f"][2], 250)
        text = command("cg2_diff", "--sort=D1mr", *paths).stdout
        said = f"{old}: costs are the mean of 4 runs in other layouts of memory"
        self.assertIn(said, text)
        self.assertNotIn("one: costs are", text)

    def test_added_up(self) -> None:
        """A page, and what is converted, has all runs added up; a line says so, and what a run costs."""
        old, new = self.pair()
        added = "4 runs in other layouts of memory are added up; costs are those of all together"
        said = f"{added}; of one run: D1mr 1,244 (1,200 to 1,310)"
        output = command("cg2_convert", "--to=folded", old)
        self.assertEqual((output.status, output.stderr), (0, f"cg2_convert: {old}: {said}\n"))
        one = command("cg2_convert", "--to=folded", self.file("one", profile_of((1, 2))))
        self.assertEqual(one.stderr, "")
        output = command("cg2_report", "-o", self.folder / "page.html", "--compare", old, new)
        self.assertEqual(output.status, 0, output.stderr)
        self.assertEqual(output.stderr.count(f"{added}; of one run: D1mr "), 2, output.stderr)
        page = unpacked((self.folder / "page.html").read_text())
        before, now = page["profile"]["partial"]
        self.assertTrue(before.startswith(f"{added}; of one run: D1mr 1,"), before)
        self.assertEqual(now, said)


class Launcher(unittest.TestCase):
    """cg2 --layouts=N."""

    @classmethod
    def setUpClass(cls) -> None:
        if not list(cg2test.IN_PLACE.glob("cg2-*")):
            raise unittest.SkipTest(f"{cg2test.IN_PLACE} has no cg2")

    def setUp(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)

    def run_cg2(self, *arguments: str | Path, stdin: str = "") -> Output:
        ended = subprocess.run(
            [cg2test.IN_PLACE / "bin" / "cg2", *arguments],
            cwd=self.folder,
            env=cg2test.lean_env(),
            input=stdin,
            capture_output=True,
            text=True,
            timeout=cg2test.HANG,
            check=False,
        )
        return Output(ended.returncode, ended.stdout, ended.stderr)

    def test_runs(self) -> None:
        """N runs with the same input; the output is heard once; one file has all, and nothing else is
        left."""
        output = self.run_cg2(
            "-q", "--cg2-out-file=runs", "--layouts=3", "--cache-sim=yes", "cat", stdin="hi\n"
        )
        self.assertEqual((output.status, output.stdout), (0, "hi\n"), output.stderr)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["runs"])
        parts = read_profile(self.folder / "runs").parts
        self.assertEqual([part.descriptions["Layout"] for part in parts], ["1", "2", "3"])
        self.assertEqual(len({part.descriptions["Environment"] for part in parts}), 3)
        for part in parts:
            part.check()
        reads = {part.self_total()[1] for part in parts}
        self.assertLess(max(reads) - min(reads), 2000)

    def test_screen(self) -> None:
        """The first screen shows means and ranges; the status is the program's."""
        output = self.run_cg2("--layouts=2", "sh", "-c", "exit 3")
        self.assertEqual(output.status, 3, output.stderr)
        self.assertIn("2 runs in other layouts of memory", output.stdout)

    def test_wrong(self) -> None:
        for option, said in (
            ("--layouts=x", "a number of runs, 2 to 99"),
            ("--layouts=1", "a number of runs, 2 to 99"),
            ("--layouts=", "a number of runs, 2 to 99"),
        ):
            output = self.run_cg2(option, "true")
            self.assertEqual(
                (output.status, len(output.stderr.splitlines())), (2, 1), output.stderr
            )
            self.assertIn(said, output.stderr)
        output = self.run_cg2("--layouts=2", "--cg2-out-file=x.%n", "true")
        self.assertEqual(output.status, 1)
        self.assertIn("no more than %p", output.stderr)


# ---- Links -------------------------------------------------------------------


def write_program(folder: Path, seed: int, units: int = 24) -> list[str]:
    """The objects of a program whose functions walk through tables; chance says which."""
    chance = random.Random(seed)
    sources = {}
    for unit in range(units):
        size, step = chance.choice([64, 200, 512, 1024, 2048, 4096]), chance.choice([1, 4, 16])
        is_constant = chance.random() < 0.3
        table = (
            f"static const int table[{size}] = {{1, 2, 3}};"
            if is_constant
            else f"static int table[{size}];"
        )
        sources[f"unit{unit}"] = (
            f"{table}\nint work{unit}(int x)\n{{\n   int sum = x;\n"
            f"   for (int round = 0; round < {chance.choice([1, 1, 2, 4])}; round++)\n"
            f"      for (int i = 0; i < {size}; i += {step})\n"
            f"         sum += table[i]{'' if is_constant else '++'};\n   return sum;\n}}\n"
        )
    order = chance.sample(range(units), units)
    sources["main"] = (
        "#include <stdlib.h>\n#include <string.h>\n#ifndef MORE\n#define MORE 0\n#endif\n"
        + "".join(f"int work{unit}(int);\n" for unit in order)
        + "static volatile char far[1 << 22];\n"
        # Each of these reads misses, wherever the array lies.
        + "__attribute__((noipa)) static int read_far(int n)\n{\n   int sum = 0;\n"
        + "   for (int i = 0; i < n; i++)\n      sum += far[i * 64L];\n   return sum;\n}\n"
        + "int main(void)\n{\n   int sum = 0;\n"
        + f"   for (int r = 0; r < {chance.choice([5, 20, 40])}; r++) {{\n"
        + "      char* held[40];\n      for (int i = 0; i < 40; i++)\n"
        + "         held[i] = memset(malloc(100 + 37 * i), r, 100);\n"
        + "".join(f"      sum += work{unit}(sum);\n" for unit in order)
        + "      for (int i = 0; i < 40; i++) {\n"
        + "         sum += held[i][5];\n         free(held[i]);\n      }\n"
        + "   }\n   sum += read_far(10 + MORE);\n   return sum == 12345;\n}\n"
    )
    for name, text in sources.items():
        (folder / f"{name}.c").write_text(text)
        compile_unit(folder, name)
    return list(sources)


def compile_unit(folder: Path, name: str, *flags: str, to: str = "") -> None:
    made = folder / f"{to or name}.o"
    options = ["-g", "-O2", "-fno-tree-vectorize", *flags]
    subprocess.run(["gcc", *options, "-c", folder / f"{name}.c", "-o", made], check=True)


def link(folder: Path, units: list[str], seed: int) -> Path:
    """A program of these objects; but for seed 0 in another order, with padding and unrelated functions."""
    chance = random.Random(seed)
    objects = [folder / f"{unit}.o" for unit in units]
    made = folder / f"link{seed}{'more' if 'more' in units else ''}" / "app"
    made.parent.mkdir()
    if seed:
        chance.shuffle(objects)
    for number in range(3 if seed else 0):
        name = f"padding{seed}_{number}"
        body = "".join(
            f"   x = x * {chance.randrange(3, 99)} + gap{number}[0];\n   gap{number}[0] ^= x;\n"
            for _ in range(chance.randrange(1, 60))
        )
        (folder / f"{name}.c").write_text(
            f"int gap{number}[{chance.randrange(1, 900)}];\n"
            f"int full{number}[] = {{1, [{chance.randrange(2, 700)}] = 2}};\n"
            f"int unrelated{number}(int x)\n{{\n{body}   return x;\n}}\n"
        )
        if not (folder / f"{name}.o").exists():
            compile_unit(folder, name)
        objects.insert(chance.randrange(len(objects) + 1), folder / f"{name}.o")
    subprocess.run(["gcc", "-o", made, *objects], check=True)
    return made


@dataclass(frozen=True)
class Program:
    """The objects of a program, and profiles of a link of these."""

    folder: Path
    units: list[str]
    profiles: list[Path]


class Links(unittest.TestCase):
    """Programs that are linked again, and programs that miss more: one and one link in a check."""

    PROGRAMS = 5 if FULL else 1
    LINKS = 40 if FULL else 1
    MISSING = 20 if FULL else 1
    """Links of each program that also miss more."""
    programs: ClassVar[dict[int, Program]]

    @classmethod
    def setUpClass(cls) -> None:
        cls.programs = {}

    def program(self, seed: int) -> Program:
        """The program of a seed, which is made once."""
        if seed not in self.programs:
            folder = Path(self.enterClassContext(tempfile.TemporaryDirectory()))
            units = write_program(folder, seed)
            self.programs[seed] = Program(folder, units, self.runs(link(folder, units, 0)))
        return self.programs[seed]

    def runs(self, program: Path) -> list[Path]:
        """Profiles of several layouts, as cg2 --layouts=N makes them."""
        found = []
        for layout in range(1, RUNS + 1):
            environment = {**cg2test.lean_env(), "CG2_LAYOUT": "x" * (layout * 89 % 256 * 16)}
            run = cg2test.run_cg2(
                [program],
                "--cache-sim=yes",
                "--I1=32768,8,64",
                "--D1=32768,8,64",
                "--LL=1048576,16,64",
                f"--layout={layout}",
                environment=environment,
            )
            self.assertEqual(run.status, 0, run.stderr)
            found += run.profile_paths
        return found

    def compared(self, old: list[Path], new: list[Path]) -> Comparison:
        """What cg2_diff --old OLD... --new NEW... compares."""
        was, now = (beside([read_profile(path) for path in paths]) for paths in (old, new))
        return compare(was, now, Names(), "D1mr")

    def test_links(self) -> None:
        """No row of another link is real by misses of the first or last level."""
        wrong, rows = [], 0
        for seed in range(1, self.PROGRAMS + 1):
            program = self.program(seed)
            for number in range(1, self.LINKS + 1):
                new = self.runs(link(program.folder, program.units, number))
                found = self.compared(program.profiles, new)
                tables: list[Sequence[Change[Any]]]
                tables = [found.functions, found.inclusive, found.lines, found.calls]
                costs = [(row.old, row.new) for table in tables for row in table]
                costs.append((found.old_total, found.new_total))
                for event in ("D1mr", "DLmr", "I1mr", "LLm"):
                    rows += len(costs)
                    wrong += [
                        (seed, number, event, place)
                        for place, (was, now) in enumerate(costs)
                        if found.verdict(was, now, event) != WITHIN
                    ]
        self.assertGreater(rows, 100)
        self.assertEqual(wrong, [])
        self.say(f"{rows:,} verdicts on {self.PROGRAMS * self.LINKS} links: none is real")

    def test_more_misses(self) -> None:
        """A miss more in a hundred is real in 95 of 100 programs, whatever else their link changed."""
        missed, count = [], 0
        for seed in range(1, self.PROGRAMS + 1):
            program = self.program(seed)
            part = read_profile(program.profiles[0]).parts[0]
            more = part.self_total()[part.events.index("D1mr")] // 100
            compile_unit(program.folder, "main", f"-DMORE={more}", to="more")
            others = ["more" if unit == "main" else unit for unit in program.units]
            for number in range(1, self.MISSING + 1):
                new = self.runs(link(program.folder, others, number))
                found = self.compared(program.profiles, new)
                rows = {change.what.name: change for change in found.functions}
                count += 1
                reads = rows["read_far"]
                if found.verdict(reads.old, reads.new) != REAL:
                    missed.append((seed, number, more, reads))
        self.assertLessEqual(len(missed) * 20, count, missed)
        self.say(f"{count - len(missed)} of {count} programs that miss more are real")

    def say(self, text: str) -> None:
        """At full size, what was measured."""
        if FULL:
            print(text, file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
