"""cg2_diff: two builds whose difference is known, names, lines that move, limits, errors, forms of output."""

from __future__ import annotations

import json
import random
import re
import subprocess
import tempfile
import threading
import unittest
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from pathtree import Tree
from profiletexts import paths
from toolsupport import Output, command, read

import cg2test
from cg2tools.diff.callpaths import CallPath
from cg2tools.diff.comparison import Change, Comparison, Line, compare
from cg2tools.diff.names import Names, without_clones, without_template_arguments
from cg2tools.profile.model import FunctionKey
from cg2tools.profile.reader import read_profile
from cg2tools.profile.twothreads import SecondThread, in_two_threads

# All that is executed is in assembly: `work` takes 2 + 2 * rounds instructions.
PROGRAM = """\
#define BODY(TEXT) {{ __asm__(TEXT); }}
__attribute__((naked)) void work(void) __asm__("{clone}");
{space}__attribute__((naked)) void work(void)
BODY("mov ${rounds}, %ecx\\n1: dec %ecx\\n jnz 1b\\n ret")
__attribute__((naked)) void {other}(void)
BODY("{nops} ret")
__attribute__((naked)) int main(void)
BODY("{calls} xor %eax, %eax\\n ret")
"""
OLD = PROGRAM.format(
    clone="work.constprop.0", space="", rounds=1000, other="gone", nops="nop\\n nop\\n",
    calls="call work.constprop.0\\n call gone\\n",
)  # fmt: skip
NEW = PROGRAM.format(
    clone="work", space="\n\n\n", rounds=1500, other="extra", nops="nop\\n",
    calls="call work\\n call work\\n call extra\\n",
)  # fmt: skip
GROWTH = (
    2 * (2 + 2 * 1500) - (2 + 2 * 1000) + 2 - 3 + 1
)  # calls of work, extra, gone, and a call in main


def diff(*arguments: str | Path, directory: Path | None = None) -> Output:
    return command("cg2_diff", *arguments, directory=directory)


def profile_of_text(folder: Path, name: str, text: str) -> Path:
    """The profile of a program with this text, in a file."""
    program = folder / name / "app"
    program.parent.mkdir()
    program.with_suffix(".c").write_text(text)
    subprocess.run(["gcc", "-g", "-O1", "-o", "app", "app.c"], cwd=program.parent, check=True)
    run = cg2test.run_cg2([program])
    assert run.status == 0, run.stderr
    (path,) = run.profile_paths
    return path


class Builds(unittest.TestCase):
    """Two builds, under cg2."""

    folder: tempfile.TemporaryDirectory[str]
    old: Path
    new: Path

    @classmethod
    def setUpClass(cls) -> None:
        if not list(cg2test.IN_PLACE.glob("cg2-*")):
            raise unittest.SkipTest(f"{cg2test.IN_PLACE} has no cg2")
        cls.folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        cls.old = profile_of_text(Path(cls.folder.name), "old", OLD)
        cls.new = profile_of_text(Path(cls.folder.name), "new", NEW)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.folder.cleanup()

    def found(self, *options: str) -> Any:
        output = diff("--json", *options, self.old, self.new)
        self.assertEqual((output.status, output.stderr), (0, ""))
        return json.loads(output.stdout)

    def test_functions(self) -> None:
        """By effect: what was changed, removed and added, to the instruction; a clone is the function."""
        found = self.found(
            "--mod-funcname=s/^0x[0-9a-f]+$/unnamed/"
        )  # code of the C runtime that moved
        self.assertEqual(found["compared"]["difference"], GROWTH)
        self.assertEqual(
            [
                (row["object"], row["file"], row["name"], row["kind"], row["old"], row["new"])
                for row in found["functions"]
            ],
            [
                ("app", "app.c", "work", "changed", [2002], [6004]),
                ("app", "app.c", "gone", "removed", [3], None),
                ("app", "app.c", "extra", "added", None, [2]),
                ("app", "app.c", "main", "changed", [4], [5]),
            ],
        )
        inclusive = {row["name"]: (row["old"], row["new"]) for row in found["inclusive"]}
        self.assertEqual(inclusive["main"], ([2009], [6011]))

    def test_lines(self) -> None:
        """`work` stands three lines further down, and is compared where it is."""
        rows = {row["function"]["name"]: row for row in self.found()["lines"]}
        self.assertEqual(
            [
                (name, row["kind"], row["old_line"], row["new_line"], row["old"], row["new"])
                for name, row in rows.items()
            ],
            [
                ("work", "changed", 4, 7, [2002], [6004]),
                ("gone", "removed", 6, None, [3], None),
                ("extra", "added", None, 9, None, [2]),
                ("main", "changed", 8, 11, [4], [5]),
            ],
        )

    def test_calls(self) -> None:
        rows = [row for row in self.found()["calls"] if row["caller"]["name"] == "main"]
        self.assertEqual(
            [
                (
                    row["callee"]["name"],
                    row["kind"],
                    row["old_calls"],
                    row["new_calls"],
                    row["old"],
                    row["new"],
                )
                for row in rows
            ],
            [
                ("work", "changed", 1, 2, [2002], [6004]),
                ("gone", "removed", 1, 0, [3], None),
                ("extra", "added", 0, 1, None, [2]),
            ],
        )

    def test_names_as_written(self) -> None:
        found = self.found(
            "--fold-clones=no", "--fold-paths=no", "--mod-filename=s/^.*(?=old|new)//"
        )
        changed = {(row["object"], row["name"]): row["kind"] for row in found["functions"]}
        self.assertEqual(changed["old/app", "work.constprop.0"], "removed")
        self.assertEqual(changed["new/app", "work"], "added")
        self.assertEqual(changed["new/app", "main"], "added")

    def test_text(self) -> None:
        rows = diff(self.old, self.new).rows()
        total = self.found()["compared"]
        percent = f"{100 * GROWTH / total['old']:.2f}"
        self.assertEqual(
            rows[2], f"Ir grew by {percent} %, from {total['old']:,} to {total['new']:,}"
        )
        self.assertIn(f"+{GROWTH:,} +{percent}% 2,002 6,004 changed app.c:work [app]", rows)
        self.assertIn(f"+{GROWTH:,} +{percent}% 2,002 6,004 changed app.c:7 (was 4) in work", rows)
        calls = [row for row in rows if "1x -> 0x" in row]
        self.assertEqual(calls, [])
        small = f"{100 * 3 / total['old']:.3f}"
        self.assertIn(
            f"-3 -{small}% 3 0 1x -> 0x removed app.c:main [app] -> app.c:gone [app]",
            diff("--smallest=0", self.old, self.new).rows(),
        )

    def test_same(self) -> None:
        output = diff("--fail-above=0%", self.old, self.old)
        self.assertEqual((output.status, output.stderr), (0, ""))
        self.assertEqual(output.stdout.count("no difference"), 4)


def sample(cost: int, *more: str) -> str:
    return "\n".join(["events: Ir", "fl=a.c", "fn=f", f"5 {cost}", *more]) + "\n"


class Files(unittest.TestCase):
    """Profiles written by hand."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def diff(self, old: str, new: str, *options: str) -> Output:
        for name, text in (("old", old), ("new", new)):
            (self.folder / name).write_text(text)
        return diff(*options, "old", "new", directory=self.folder)

    def test_limit(self) -> None:
        """What is exactly the limit passes; one instruction more does not."""
        for cost, limit, status in (
            (1010, "1%", 0), (1011, "1%", 3), (1005, "0.5%", 0), (1006, "0.5%", 3),
            (1000, "0%", 0), (1001, "0%", 3), (900, "0%", 0),
        ):  # fmt: skip
            with self.subTest(cost=cost, limit=limit):
                self.assertEqual(
                    self.diff(sample(1000), sample(cost), f"--fail-above={limit}").status, status
                )
        output = self.diff(sample(1000), sample(1011), "--fail-above=1%")
        self.assertEqual(
            output.stderr,
            "cg2_diff: Ir grew by 1.10 %, from 1,000 to 1,011; expected at most 1 %\n",
        )
        self.assertEqual(self.diff(sample(0), sample(1), "--fail-above=5%").status, 3)

    def test_rounds(self) -> None:
        """Where most of a function or line is rounds of rep, in OLD, NEW or both, its row says so; the
        header's names are folded as the rows' are."""
        said = (
            "desc: Rounds of functions: {0} /old/app.c:clear.constprop.0 /old/app\n"
            "desc: Rounds of lines: {0} 7 /old/app.c\npositions: line\nevents: Ir\n"
            "ob=/old/app\nfl=/old/app.c\nfn=clear.constprop.0\n7 {1}\n9 100\n"
        )
        new = said.replace("/old/", "/new/").replace(".constprop.0", "")
        most, all_of_it = "<89.9% rounds of rep>", "<99.9% rounds of rep>"
        for rounds, costs, row, line in (
            ((900, 1800), (901, 1801), f" {most} -> <94.7% rounds of rep>", f" {all_of_it}"),
            ((900, 10), (901, 500), f" OLD: {most}", f" OLD: {all_of_it}"),
            ((10, 900), (500, 901), f" NEW: {most}", f" NEW: {all_of_it}"),
            ((10, 20), (500, 901), "", ""),
        ):
            with self.subTest(rounds=rounds):
                text = self.diff(
                    said.format(rounds[0], costs[0]), new.format(rounds[1], costs[1])
                ).stdout
                self.assertIn(
                    f"changed  clear{row}\n", re.sub(r"app\.c:|(clear) \[.*?\]", r"\1", text)
                )
                self.assertIn(f"app.c:7 in clear{line}\n", text)

    def test_markdown(self) -> None:
        """Every line, with a name that would break the table."""
        new = sample(1020, "fn=a|b`c", "5 7")
        output = self.diff(sample(1000), new, "--markdown", "--fail-above=1%", "--rows=1")
        self.assertEqual(output.status, 3)
        self.assertEqual(
            output.stdout.split("</details>")[0],
            """\
### Ir grew by 2.70 %, from 1,000 to 1,027

**FAILED**: expected at most 1 %.

Ir of functions, by what they cost themselves: **2 worse**, **0 better**, 0 unchanged, \
or by less than 0.05 % of the total.

<details><summary>Functions, by what they cost themselves</summary>

| difference | of total | old | new |  | function |
| ---: | ---: | ---: | ---: | --- | --- |
| +20 | +2.00% | 1,000 | 1,020 | changed | `a.c:f` |

... and 1 more; --rows=0 shows all.

""",
        )
        self.assertEqual(output.stdout.count("<details>"), output.stdout.count("</details>"))
        output = self.diff(sample(1000), new, "--markdown")
        self.assertIn("| +7 | +0.70% | 0 | 7 | added | `` a.c:a\\|b`c `` |\n", output.stdout)

    def test_names(self) -> None:
        """Tables have names as people say them, overloads of one table their parameters; JSON has all of
        them."""
        vector = "std::vector<int, std::allocator<int> >::at(unsigned long)"
        code, overload = "ob=/lib/libx.so\nfn=0x0000000000014c40", "fn=f(std::vector<A>)"
        text = "events: Ir\nfl=a.c\nfn={0}\n1 {3}\ncfn={1}\ncalls=1 0\n1 {3}\nfn={1}\n1 {3}\n{2}\n1 {3}\n"
        profiles = [text.format(vector, "f(int)", code, cost) for cost in (1, 9)]
        short = self.diff(*profiles)
        for name in (
            "  a.c:std::vector<int>::at", "  a.c:libx.so+0x14c40", "  a.c:1 in std::vector<int>::at",
            "  a.c:std::vector<int>::at -> a.c:f",
        ):  # fmt: skip
            self.assertEqual(
                short.stdout.count(f"{name}\n"), 2 - (" in " in name or "->" in name), name
            )
        for form in "--names=short", "--names=full":
            self.assertEqual(
                self.diff(*profiles, form, "--json").stdout, self.diff(*profiles, "--json").stdout
            )
        self.assertIn(vector, self.diff(*profiles, "--json").stdout)
        full = self.diff(*profiles, "--names=full").stdout
        self.assertIn(f"  a.c:{vector} -> a.c:f(int)\n", full)
        self.assertIn("  a.c:0x0000000000014c40 [libx.so]\n", full)
        profiles = [text.format("f(A)", "f(int)", overload, cost) for cost in (1, 9)]
        markdown = self.diff(*profiles, "--markdown").stdout
        self.assertIn("| `a.c:f(std::vector<A>)` |\n", markdown)
        self.assertIn("| `a.c:f(A) -> a.c:f(int)` |\n", markdown)

    def test_smallest(self) -> None:
        """Rows of less than a percentage are left out and counted; none is shown as +0.00%."""
        costs = (0, 60), (100_000, 100_050), (50_000, 50_049), (20, 13), (30, 30)
        old, new = (
            "events: Ir\n" + "".join(f"fn=f{n}\n{n} {cost[side]}\n" for n, cost in enumerate(costs))
            for side in (0, 1)
        )
        cases: tuple[tuple[list[str], list[str], str], ...] = (
            ([], ["+60", "+50", "+49"], "and 1 of less than 0.01 %; --smallest=0 shows all"),
            (["--smallest=0.033"], ["+60", "+50"], "and 2 of less than 0.033 %; --smallest=0 shows all"),
            (["--smallest=0.034", "--rows=0"], ["+60"], "and 3 of less than 0.034 %; --smallest=0 shows all"),
            (["--smallest=0", "--rows=3"], ["+60", "+50", "+49"], "and 1 more; --rows=0 shows all"),
        )  # fmt: skip
        for options, differences, rest in cases:
            with self.subTest(options):
                rows = self.diff(old, new, *options).rows()
                table = rows[rows.index("difference of total old new function") + 1 :]
                self.assertEqual([row.split()[0] for row in table[: len(differences)]], differences)
                self.assertEqual(table[len(differences)], rest)
        rows = self.diff(old, new, "--smallest=0").rows()
        self.assertIn("-7 -0.005% 20 13 changed ???:f3", rows)
        self.assertIn("Ir grew by 0.10 %, from 150,050 to 150,202", rows)
        output = self.diff(old, new, "--markdown").stdout
        self.assertIn("No difference but 4 of less than 0.05 %; --smallest=0 shows all.\n", output)
        self.assertIn("no difference but 1 of less", self.diff(old, old.replace("20", "19")).stdout)

    def test_negative_total(self) -> None:
        """A formula may make a total that is negative."""
        text = "event: Less = -1 Ir\nevents: Ir\nfn=f\n1 {0}\nfn=g\n1 100\n"
        rows = self.diff(text.format(100), text.format(101), "--sort=Less").rows()
        self.assertIn("-1 +0.50% -100 -101 changed ???:f", rows)

    def test_count_alone(self) -> None:
        """Calls whose number differs, and nothing else, are the smallest difference."""
        text = "events: Ir\nfn=f\n1 5\ncfn=g\ncalls={0} 1\n1 7\nfn=g\n1 7\n"
        texts = text.format(1), text.format(2)
        self.assertIn("no difference but 1 of less than 0.01 %", self.diff(*texts).stdout)
        self.assertIn(
            "0 0% 7 7 1x -> 2x changed ???:f -> ???:g", self.diff(*texts, "--smallest=0").rows()
        )

    def test_event(self) -> None:
        """Compared by another event, and by one that the profile defines."""
        head = "event: Both = Ir + 3 Dr\nevents: Ir Dr\nfn=f\n"
        old, new = head + "1 10 5\n", head + "1 20 4\n"
        self.assertIn("Ir grew by 100.00 %, from 10 to 20", self.diff(old, new).rows())
        self.assertIn("Dr shrank by 20.00 %, from 5 to 4", self.diff(old, new, "--sort=Dr").rows())
        self.assertIn(
            "Both grew by 28.00 %, from 25 to 32", self.diff(old, new, "--sort=Both").rows()
        )

    def test_all_events(self) -> None:
        """The text has the total of each event, also of those that formulas make, as the Markdown has; of one
        event the heading says all."""
        head = "event: Both = Ir + 3 Dr\nevents: Ir Dr Dw\nfn=f\n"
        texts = head + "1 10 5\n", head + "1 20 4 7\n"
        table = ["event old new difference", "Ir 10 20 +100.00%", "Dr 5 4 -20.00%", "Dw 0 7 +7"]
        rows = self.diff(*texts).rows()
        at = rows.index(table[0])
        self.assertEqual(rows[at - 2 : at + 6], ["Ir grew by 100.00 %, from 10 to 20", "", *table,
                                                 "Both 25 32 +28.00%", ""])  # fmt: skip
        rows = self.diff(*texts, "--rows=2").rows()
        at = rows.index(table[0])
        self.assertEqual(rows[at : at + 4], [*table[:3], "and 2 more events; --rows=0 shows all"])
        self.assertNotIn("event", self.diff(sample(1), sample(2)).stdout)

    def test_common_events(self) -> None:
        """Profiles with different events are compared in those that both have, in NEW's order; a line says
        which ones are left out, and whose they are."""
        old = "events: Dr Ir Dw\nfn=f\n1 5 1000 3\n"
        new = "event: Both = Ir + 3 Dr\nevents: Ir Bc Dr\nfn=f\n1 1011 77 4\n"
        output = self.diff(old, new, "--fail-above=1%")
        self.assertEqual(
            output.rows()[2:9],
            ["Left out: Dw, which only old has", "Left out: Bc, which only new has",
             "Ir grew by 1.10 %, from 1,000 to 1,011; expected at most 1 %", "",
             "event old new difference", "Ir 1,000 1,011 +1.10%", "Dr 5 4 -20.00%"],
        )  # fmt: skip
        self.assertEqual(output.status, 3)
        found = json.loads(self.diff(old, new, "--json").stdout)
        self.assertEqual(found["left_out"], {"old": ["Dw"], "new": ["Bc"]})
        self.assertEqual((found["old"]["total"], found["new"]["total"]), ([1000, 5], [1011, 4]))
        self.assertEqual(found["events"], ["Ir", "Dr"])
        self.assertIn(
            "\nLeft out: Bc, which only new has.\n", self.diff(old, new, "--markdown").stdout
        )
        self.assertIn("Dr shrank by 20.00 %", self.diff(old, new, "--sort=Dr").stdout)
        self.assertEqual(self.diff(old, new, "--sort=Dw").status, 1)

    def test_json_limit(self) -> None:
        output = self.diff(sample(1000), sample(1011), "--json", "--fail-above=1%")
        found = json.loads(output.stdout)
        total = {"function": None, "inclusive": False, "event": "Ir", "old": 1000, "new": 1011}
        self.assertEqual(found["limits"], [{**total, "percent": 1.0, "exceeded": True}])
        self.assertEqual(
            found["compared"], {"event": "Ir", "old": 1000, "new": 1011, "difference": 11}
        )

    def test_conditions(self) -> None:
        """What else than the program differs is said: the processor always, caches where they count, and the
        environment where a count differs. What only one of them says is no difference, but that of a
        repeatable run."""
        head = "desc: {}\nevents: Ir D1mr\nfn=f\n1 {}\n"
        code = "libraries choose their code by it; --cpu= makes it the same"
        cpu = f"Warning: CPU: avx2 f16c, then avx; {code}"
        size = "Note: Environment: 3 bytes, ASLR on, then 4 bytes; some addresses and strings differ by it"
        cache = "Warning: D1 cache: 1 B, then 2 B; what is simulated differs by it, whatever the program"
        seeds = "yes, seed 1, epoch 5, 4 processors", "yes, seed 2, epoch 5, 4 processors"
        world = (
            f"Warning: Repeatable: {seeds[0]}, then {seeds[1]}; the program was told of another time, chance "
            "or machine; counts differ by it"
        )
        one = (
            f"Warning: Repeatable: {seeds[0]}, then no; only one of them is repeatable, so counts differ for "
            "many reasons: compare two of a kind"
        )
        environment = "Environment: 3 bytes, ASLR on", "Environment: 4 bytes"
        for old, new, cost, event, expected in (
            ("CPU: avx2 f16c", "CPU: avx", "10 5", "Ir", [cpu]),
            ("CPU: avx2", "CPU: avx2", "11 5", "Ir", []),
            ("CPU: avx2", "Machine: ", "11 5", "Ir", []),
            (*(f"Repeatable: {seed}" for seed in seeds), "10 5", "Ir", [world]),
            (f"Repeatable: {seeds[0]}", f"Repeatable: {seeds[0]}", "11 5", "Ir", []),
            (f"Repeatable: {seeds[0]}", "CPU: avx", "10 5", "Ir", [one]),
            (*environment, "11 5", "Ir", [size]),
            (*environment, "10 5", "Ir", []),
            ("D1 cache: 1 B", "D1 cache: 2 B", "11 5", "Ir", []),
            ("D1 cache: 1 B", "D1 cache: 2 B", "11 5", "D1mr", [cache]),
        ):
            with self.subTest(old=old, new=new, event=event):
                texts = head.format(old, "10 5"), head.format(new, cost)
                lines = self.diff(*texts, f"--sort={event}").stdout.splitlines()
                self.assertEqual([line for line in lines if line[:4] in ("Warn", "Note")], expected)
        texts = head.format("CPU: avx2 f16c", "10 5"), head.format("CPU: avx", "10 5")
        self.assertIn(
            f"\n\n**{cpu.replace(':', '**:', 1)}.\n", self.diff(*texts, "--markdown").stdout
        )
        self.assertEqual(
            json.loads(self.diff(*texts, "--json").stdout)["conditions"],
            [{"kind": "CPU", "old": "avx2 f16c", "new": "avx", "is_slight": False}],
        )

    def test_not_alike(self) -> None:
        """Events, positions, versions: one line that names the file and the line."""
        for new, error in (
            ("events: Dr\nfn=f\n1 2\n", "new:1: events: Dr; expected Ir as in old"),
            ("positions: instr line\nevents: Ir\nfn=f\n0x1 1 2\n",
             "new:1: positions: instr line; expected line as in old"),
            ("\nversion: 0\nevents: Ir\nfn=f\n1 2\n", "new:2: version: 0; expected 1 as in old"),
            (sample(1, "part: 2", "events: Dr", "fn=f", "1 2"), "new:6: events: Dr; expected those of the "
             "first part (Ir)"),
            ("", "new:1: the file is empty; expected a profile"),
            ("# callgrind format\ncreator: callgrind-cg2-0.1\nevents: Ir\nsummary: 3\nfn=f\n1 2\n",
             "new:4: summary: says 3 Ir, but the self costs add up to 2; expected the same; "
             "the file is cut off behind line 6, at byte 77; --partial reads what there is"),
        ):  # fmt: skip
            with self.subTest(error):
                output = self.diff("version: 1\n" + sample(1), new)
                self.assertEqual(
                    (output.status, output.stdout, output.stderr), (1, "", error + "\n")
                )

    def test_parts(self) -> None:
        """The parts of a profile are added up, each with names of its own."""
        part = "part: {0}\nevents: Ir\nfl=(1) {1}.c\nfn=(1) f\n5 {2}\n7 1\n"
        parts = [part.format(1, "a", 600), part.format(2, "b", 3), part.format(3, "a", 400)]
        found = json.loads(self.diff("".join(parts), sample(1000), "--json").stdout)
        self.assertEqual(
            [
                (row["file"], row["old_line"], row["new_line"], row["old"], row["new"])
                for row in found["lines"]
            ],
            [("b.c", 5, None, [3], None), ("a.c", 7, None, [2], None), ("b.c", 7, None, [1], None)],
        )
        self.assertEqual(
            [(row["file"], row["old"], row["new"]) for row in found["functions"]],
            [("b.c", [4], None), ("a.c", [1002], [1000])],
        )
        self.assertEqual((found["old"]["total"], found["new"]["total"]), ([1006], [1000]))

    def test_too_large(self) -> None:
        """Sums of more than 64 bits are refused; effects of more are only shown."""
        call = "fn=f\ncfn={0}\ncalls=1 1\n1 {1}\n"
        large = "events: Ir\n" + "".join(call.format(name, 1 << 63) for name in "gh")
        output = self.diff(large, sample(1))
        self.assertEqual(
            (output.status, output.stdout, output.stderr),
            (
                1,
                "",
                "old:1: the costs of Ir add up to more than 64 bits; "
                "expected a sum of less than 18446744073709551616\n",
            ),
        )
        huge = f"event: Huge = {10**17} Ten\nevent: Ten = {10**17} Ir\nevents: Ir\nfn=f\n1 {{0}}\n"
        rows = self.diff(huge.format(1), huge.format(3), "--sort=Huge").rows()
        self.assertIn(f"Huge grew by 200.00 %, from {10**34:,} to {3 * 10**34:,}", rows)

    def test_arguments(self) -> None:
        for options, error in (
            (
                ["--fail-above=1"],
                "argument --fail-above: '1'; expected a percentage as in 1%, or a limit as in Ir=5%, "
                "Ir=10000, parse:Ir=3% or parse:inclusive:Ir=3%",
            ),
            (["--json", "--markdown"], "argument --markdown: not allowed with argument --json"),
            (["--markdown", "--html=x"], "argument --html: not allowed with argument --markdown"),
        ):
            with self.subTest(options):
                output = self.diff(sample(1), sample(1), *options)
                self.assertEqual(
                    (output.status, output.stderr), (2, f"cg2_diff: {error}; see cg2_diff --help\n")
                )
        output = diff("old", "nosuch", directory=self.folder)
        self.assertEqual((output.status, output.stderr), (1, "nosuch: No such file or directory\n"))
        output = self.diff(sample(1), sample(1), "--sort=Dr")
        self.assertEqual(
            (output.status, output.stderr), (1, "new:1: no event 'Dr'; expected one of Ir\n")
        )

    def test_help(self) -> None:
        output = diff("--help")
        self.assertEqual(output.status, 0)
        self.assertLess(max(map(len, output.stdout.splitlines())), 81)


PATHS = """\
# cg2 paths
cmd: ./app
positions: line
events: Ir Dr
ob=(1) /bin/app
fl=(1) a.c
fn=(1) main
0 1 0 1 1
fn=(2) f
1 2 3 1 10 1
2 2 11 1 20
3 2 11 1+4 30
1 2 4 1 100
fn=(3) leaf
2 3 12 7 1000
0 2 0 2 5000
1 3 12 1 {cost}
"""


class Paths(unittest.TestCase):
    """Files of paths."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def test_by_construction(self) -> None:
        """Lines that moved are the same path; a function counts once where it is on a path several times."""
        old = self.file("old", PATHS.format(cost=10000))
        moved = PATHS.format(cost=30000).replace("2 3 12 7 1000", "2 3 13 9 1000")
        new = self.file("new", moved.replace("1 2 3 1", "1 2 5 1"))
        found = json.loads(diff("--json", old, new).stdout)
        tables = {
            kind: [
                ([each["name"] for each in row.get("path", [row])], row["old"][0], row["new"][0])
                for row in found[kind]
            ]
            for kind in ("functions", "inclusive", "lines", "calls", "paths", "whole_paths")
        }
        self.assertEqual(
            tables,
            {
                "functions": [(["leaf"], 11000, 31000)],
                "inclusive": [(["f"], 16160, 36160), (["leaf"], 11000, 31000)],
                "lines": [],
                "calls": [],
                "paths": [(["f", "leaf"], 10000, 30000), (["main", "f", "leaf"], 1000, 1000)],
                "whole_paths": [
                    (["f"], 15000, 35000),
                    (["f", "leaf"], 10000, 30000),
                    (["main", "f", "leaf"], 1000, 1000),
                ],
            },
        )
        self.assertEqual([row["old_calls"] for row in found["paths"]], [1, 7])
        self.assertEqual([row["new_calls"] for row in found["paths"]], [1, 9])
        output = diff("--fail-above=f:inclusive:Ir=2%", old, new)
        self.assertIn(
            "+20,000  +123.75%  10,000  30,000     1x  changed  f > leaf\n", output.stdout
        )
        self.assertIn("f [app], with what it calls: Ir grew by 123.76 %", output.stderr)
        self.assertIn(
            "| f > leaf |".replace("f > leaf", "`f > leaf`"), diff("--markdown", old, new).stdout
        )

    def test_deep(self) -> None:
        """A long path is shown by both ends."""
        lines = [f"fn=({n + 1}) f{n}\n{n} {n + 1} 0 1 {{cost}}\n" for n in range(20)]
        text = "# cg2 paths\nevents: Ir\nob=(1) a\nfl=(1) a.c\n" + "".join(lines)
        old, new = (self.file(f"of{cost}", text.format(cost=cost)) for cost in (1, 2))
        self.assertIn(
            " f0 > f1 > (12 more) > f14 > f15 > f16 > f17 > f18 > f19\n",
            diff("--rows=0", old, new).stdout,
        )

    def test_brute_force(self) -> None:
        """The same as adding the paths up one by one."""
        for number in range(60):
            old = self.file("old", paths(number).decode())
            new = self.file("new", _other_costs(old.read_text(), random.Random(number)))
            names = Names(fold_paths=False, fold_clones=False)
            parts = [read_profile(path, paths=True).merged() for path in (old, new)]
            found = compare(parts[0], parts[1], names, "Ir")
            sides = [_added_up(Tree(path)) for path in (old, new)]
            tables: dict[str, Iterable[Change[Any]]] = {
                "functions": found.functions,
                "inclusive": found.inclusive,
                "paths": found.paths,
                "whole_paths": found.whole_paths,
            }
            for kind, changes in tables.items():
                with self.subTest(number=number, kind=kind):
                    was, now = (side[kind] for side in sides)
                    expected = {what for what in {*was, *now} if was.get(what) != now.get(what)}
                    self.assertEqual({_what(change.what) for change in changes}, expected)
                    for change in changes:
                        calls = [change.old_calls, change.new_calls] * ("paths" in kind)
                        told = [
                            [*(cost or [0, 0]), *calls[side : side + 1]]
                            for side, cost in enumerate((change.old, change.new))
                        ]
                        what = _what(change.what)
                        empty = [0] * len(told[0])
                        self.assertEqual(told, [was.get(what, empty), now.get(what, empty)])

    def test_refused(self) -> None:
        tree = self.file("tree", PATHS.format(cost=1))
        profile = self.file("profile", "events: Ir Dr\nfn=f\n1 2\n")
        cases: list[tuple[tuple[str | Path, ...], str]] = [
            (
                (tree, profile),
                f"{profile}:1: a profile, which {tree} is not; expected files of one",
            ),
            ((profile, tree), f"{tree}:1: paths of calls, which {profile} is not; expected files"),
            (("--inlines=yes", tree, tree), f"{tree}:1: paths of calls; expected a profile"),
        ]
        for files, said in cases:
            self.assertIn(said, diff(*files).stderr)


def _other_costs(text: str, chance: random.Random) -> str:
    """A file of paths with other costs and calls, and without some at its end."""
    *lines, totals = text.splitlines()
    lines = [line for line in lines if not line.startswith("paths:")]
    first = next(place for place, line in enumerate(lines) if line[0:1].isdigit())
    del lines[chance.randint(first + 1, len(lines)) :]
    for place, line in enumerate(lines):
        if line[:1].isdigit() and chance.random() < 0.3:
            lines[place] = f"{line.rpartition(' ')[0]} {chance.randint(0, 9)}"
    return "\n".join([*lines, totals, ""])


_What = tuple[FunctionKey, ...]


def _what(what: FunctionKey | CallPath) -> _What:
    return (what,) if isinstance(what, FunctionKey) else what.functions


def _added_up(tree: Tree) -> dict[str, dict[_What, list[int]]]:
    """What functions and paths cost, themselves and with what they call; and the calls of paths."""
    found: dict[str, dict[_What, list[int]]] = {
        kind: {} for kind in ("functions", "inclusive", "paths", "whole_paths")
    }
    for path in tree.paths:
        functions = tuple(path.functions())
        calls = [path.calls + path.again]
        for kind, what, numbers in (
            ("functions", functions[-1:], path.costs),
            ("inclusive", functions[-1:], path.inclusive * (path.level() == 1)),
            ("paths", functions, path.costs + calls),
            ("whole_paths", functions, path.inclusive + calls),
        ):
            if numbers:
                sums = found[kind].setdefault(what, [0] * len(numbers))
                found[kind][what] = [a + b for a, b in zip(sums, numbers)]
    return found


class Threads(unittest.TestCase):
    """Work on both sides at the same time."""

    def test_both(self) -> None:
        """The first waits for the second: one thread alone would wait in vain."""
        event = threading.Event()
        found = in_two_threads(lambda: event.wait(cg2test.HANG), event.set)
        self.assertEqual(found, (True, None))

    def test_failures(self) -> None:
        def fail(number: int) -> None:
            raise ValueError(number)

        for works, number in (
            ((lambda: fail(1), lambda: None), 1),
            ((lambda: None, lambda: fail(2)), 2),
            ((lambda: fail(1), lambda: fail(2)), 1),
        ):
            with self.assertRaises(ValueError) as raised:
                in_two_threads(*works)
            self.assertEqual(raised.exception.args, (number,))

    def test_no_thread(self) -> None:
        with mock.patch.object(threading.Thread, "start", side_effect=RuntimeError):
            self.assertEqual(in_two_threads(lambda: 1, lambda: 2), (1, 2))

    def test_order(self) -> None:
        """Work begins behind what was begun before, and is done while nobody asks for it."""
        done: list[int] = []
        with SecondThread() as second:
            makers = [second.begin(partial(done.append, i)) for i in range(9)]
            makers[-1]()
            self.assertEqual(done, list(range(9)))

    def test_end(self) -> None:
        """What waits is not done when the end comes first."""
        event, done = threading.Event(), []
        shutdown = ThreadPoolExecutor.shutdown

        def end(pool: ThreadPoolExecutor, **options: bool) -> None:
            shutdown(pool, wait=False, **options)
            event.set()
            shutdown(pool)

        with mock.patch.object(ThreadPoolExecutor, "shutdown", end), SecondThread() as second:
            second.begin(lambda: event.wait(cg2test.HANG))
            second.begin(lambda: done.append(1))
        self.assertEqual(done, [])


def comparison(old: str, new: str, names: Names = Names()) -> Comparison:
    return compare(read(old).merged(), read(new).merged(), names, "Ir")


class Model(unittest.TestCase):
    def lines(
        self, old: dict[int, int], new: dict[int, int]
    ) -> list[tuple[int | None, int | None]]:
        """The numbers of the lines that changed, of a function with these costs."""

        def text(costs: dict[int, int]) -> str:
            return "events: Ir\nfn=f\n" + "".join(
                f"{line} {cost}\n" for line, cost in costs.items()
            )

        return [
            (change.what.old, change.what.new) for change in comparison(text(old), text(new)).lines
        ]

    def test_lines(self) -> None:
        self.assertEqual(self.lines({3: 1, 4: 2}, {3: 1, 4: 2}), [])
        self.assertEqual(self.lines({3: 1, 4: 2}, {13: 1, 14: 2}), [])
        self.assertEqual(self.lines({3: 1, 4: 2}, {13: 5, 14: 9}), [(4, 14), (3, 13)])
        self.assertEqual(self.lines({3: 1, 4: 2, 5: 3}, {3: 7, 14: 2, 15: 3}), [(3, 3)])
        self.assertEqual(self.lines({3: 1}, {3: 1, 2: 5}), [(None, 2)])
        self.assertEqual(self.lines({0: 1}, {0: 5}), [])

    def test_inlined_lines(self) -> None:
        """A line of another file that moved is the same in each function where it is inlined."""
        text = (
            "events: Ir\nfl=sort.h\nfn=sort\n9 3\nfi=a.c\n60 40\n{0} 800\n"
            "fl=sort.h\nfn=insert\n7 2\nfi=a.c\n{0} 500\nfl=a.c\nfn=main\n20 1\n{1} {2}\n"
        )
        found = comparison(text.format(152, 160, 5), text.format(154, 162, 9)).lines
        self.assertEqual(
            [(c.what.function.name, c.what.old, c.what.new, c.old, c.new) for c in found],
            [("main", 160, 162, [5], [9])],
        )

    def test_recursion(self) -> None:
        """Levels are one function; calls from one to the next do not count twice."""
        text = "events: Ir\nfn=f\n1 {0}\ncfn=f'2\ncalls=1 1\n1 {1}\nfn=f'2\n1 {1}\n"
        found = comparison(text.format(1, 2), text.format(1, 5))
        self.assertEqual([(c.what.name, c.old, c.new) for c in found.functions], [("f", [3], [6])])
        self.assertEqual([(c.what.name, c.old, c.new) for c in found.inclusive], [("f", [3], [6])])

    def test_program_has_another_name(self) -> None:
        text = "cmd: {0} x\nevents: Ir\nob=/{0}\nfn=f\n1 {1}\nob=/lib/c.so\nfn=g\n1 1\n"
        found = comparison(text.format("a/v1", 2), text.format("b/v2", 5))
        self.assertEqual(
            [(c.what.object, c.old, c.new) for c in found.functions], [("v2", [2], [5])]
        )

    def test_other_file(self) -> None:
        """A function that has another file is the same where it is the only one of its name."""
        text = (
            "events: Ir\nob=app\nfl=a.c\nfn=main\n1 1\ncfi={0}\ncfn=g\ncalls=1 3\n1 {1}\nfl={0}\nfn=g\n3 "
            "{1}\n"
        )
        old, new = text.format("vector.tcc", 5), text.format("a.c", 7)
        found = comparison(old, new)
        for changes in found.functions, found.inclusive:
            self.assertIn(
                ("a.c", "g", [5], [7]), [(c.what.file, c.what.name, c.old, c.new) for c in changes]
            )
        self.assertEqual([(c.what.callee.file, c.old) for c in found.calls], [("a.c", [5])])
        self.assertEqual({c.what.function.file for c in found.lines}, {"a.c"})
        another = "fl=b.c\nfn=g\n1 1\n"
        for texts in (old + another, new), (old, new + another):
            kinds = {c.what.file: c.kind for c in comparison(*texts).functions}
            self.assertEqual((kinds["vector.tcc"], kinds["a.c"]), ("removed", "added"))

    def test_renamed_file(self) -> None:
        """The lines of a file that has another name are compared; those of two files that are one are not."""
        text = "events: Ir\nfl={0}\nfn=main\n1 1\n{2} 40\n9 {1}\nfl=sort.h\nfn=sort\n3 1\nfi={0}\n8 7\n"
        old, new = text.format("old.c", 5, 2), text.format("new.c", 7, 2)
        found = comparison(old, new).lines
        self.assertEqual(
            [(c.what.file, c.what.old, c.what.new, c.old, c.new) for c in found],
            [("new.c", 9, 9, [5], [7])],
        )
        more = "fl=new.c\nfn=g\n4 3\n"
        kinds = {(c.what.file, c.kind) for c in comparison(old + more, new + more).lines}
        self.assertEqual(kinds, {("old.c", "removed"), ("new.c", "added")})

    def test_clones(self) -> None:
        for name, expected in (
            ("f.constprop.0", "f"), ("f.isra.0.constprop.3", "f"), ("f.part.0'2", "f'2"), ("f.cold", "f"),
            ("f(int) [clone .isra.0]", "f(int)"), ("f(int) (.llvm.123)", "f(int)"),
            ("f.lto_priv.7'main", "f'main"),
            ("a.coldness", "a.coldness"), ("main", "main"), (".cold", ".cold"), ("x.5", "x.5"),
        ):  # fmt: skip
            self.assertEqual(without_clones(name), expected)

    def test_levels_of_clones(self) -> None:
        """An inner level is the function's whose clone it is, whether that has an outer one or not."""
        new = "events: Ir\nfn=f\n1 2\ncfn={0}'2\ncalls=1 1\n1 {1}\nfn={0}'2\n1 {1}\n"
        for name in "f", "f.part.0":
            found = comparison(new.format("f", 3), new.format(name, 9))
            for changes in found.functions, found.inclusive:
                self.assertEqual([(c.what.name, c.old, c.new) for c in changes], [("f", [5], [11])])

    def test_renamed_files(self) -> None:
        """Files that become one have one line each, though no functions do."""
        text = "events: Ir\nfl=/a/x.c\nfn=f\n1 1\nfi=/{0}/y.c\n7 {1}\nfi=/c/y.c\n7 3\n"
        found = comparison(text.format("b", 2), text.format("d", 4)).lines
        self.assertEqual([(c.what.file, c.old, c.new) for c in found], [("y.c", [5], [7])])

    def test_template_arguments(self) -> None:
        for name, expected in (
            ("f<int>(int)", "f<>(int)"),
            ("std::vector<int, std::allocator<int> >::at(int)", "std::vector<>::at(int)"),
            ("std::map<a<b>>::x<c>()", "std::map<>::x<>()"),
            ("operator<(A<int>, B)", "operator<(A<>, B)"), ("operator<< <int>(A)", "operator<< <>(A)"),
            ("A<int>::operator->() const", "A<>::operator->() const"),
            ("A::operator()<int>(int)", "A::operator()<>(int)"), ("f[abi:cxx11]<int>()", "f[abi:cxx11]<>()"),
            ("<alloc::Vec<T> as Trait>::f", "<alloc::Vec<> as Trait>::f"), ("a<b", "a<b"), ("a>b", "a>b"),
        ):  # fmt: skip
            self.assertEqual(without_template_arguments(name), expected)
        texts = ("events: Ir\nfn=f<int>\n1 2\nfn=f<long>\n1 3\n", "events: Ir\nfn=f<short>\n1 9\n")
        found = comparison(*texts, names=Names(fold_templates=True)).functions
        self.assertEqual([(c.what.name, c.old, c.new) for c in found], [("f<>", [5], [9])])

    def test_kind(self) -> None:
        line = Line(comparison(sample(1), sample(2)).functions[0].what, "a.c", 1, 2)
        kinds = [Change(line, old, new).kind for old, new in ((None, [1]), ([1], None), ([1], [2]))]
        self.assertEqual(kinds, ["added", "removed", "changed"])


if __name__ == "__main__":
    unittest.main()
