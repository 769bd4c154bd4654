"""Data files with types, as cg2_convert writes them: sums, members at their lines, other people's reader."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import unittest

import cg2test
import starts
from datafiles import DataText
from cg2tools.data.names import ObjectNames
from cg2tools.data.objects import read_data
from cg2tools.data.pairs import pairs_of, visits_of
from cg2tools.profile.model import Part
from cg2tools.profile.reader import read_profile

sys.path.append(str(cg2test.SOURCE / "tests" / "debug"))

from test_types import PROGRAMS, Scratch  # noqa: E402
from tracing import traced  # noqa: E402

CONVERT = cg2test.BUILD / "tools" / "cg2_convert"
SOURCE = PROGRAMS / "types.c"


class Typed(Scratch):
    """The file of a program whose accesses are known."""

    def setUp(self) -> None:
        super().setUp()
        self.build("types.c", "gcc", "-O2")
        self.data_file = self.directory / "cg2.data"
        self.data_file.write_text(traced(self.program, SOURCE).text)
        self.typed = self.directory / "typed"

    def convert(self, *options: str) -> subprocess.CompletedProcess[str]:
        return starts.run(
            [CONVERT, "--types=yes", "-o", self.typed, *options, self.data_file],
            directory=self.directory,
            environment=os.environ,
            limit=cg2test.HANG,
        )

    def part(self) -> Part:
        return read_profile(self.typed).parts[0]

    def test_sums(self) -> None:
        """Every event has the total that it had, and so has each object; sums are checked as cg2_convert
        does."""
        ended = self.convert()
        self.assertEqual(ended.returncode, 0, ended.stderr)
        before = read_profile(self.data_file).parts[0]
        after = self.part()
        self.assertEqual(after.positions, ["line"])
        self.assertEqual(after.self_total(), before.self_total())
        self.assertEqual(list(after.faults()), [])
        objects = {
            key.name: function.self_cost()
            for key, function in before.functions.items()
            if key.object.startswith("[data] ")
        }
        for key, function in after.functions.items():
            if key.object.startswith("[data] "):
                name = next(name for name in objects if key.name.startswith(name))
                objects[name] = [a - b for a, b in zip(objects[name], function.self_cost())]
        self.assertEqual({name: cost for name, cost in objects.items() if any(cost)}, {})

    def test_members(self) -> None:
        """A list's nodes: each member's accesses are at the line that declares it."""
        self.convert()
        lines = SOURCE.read_text().splitlines()
        place = next(n for n, line in enumerate(lines, 1) if "node = malloc" in line)
        first = lines.index("struct node {") + 1
        name = f"heap::types.c:{place} (add_node) struct node"
        after = self.part()
        (key,) = [key for key in after.functions if key.name == name]
        self.assertEqual(key.file, str(SOURCE))
        self.assertEqual(key.object, f"[data] {self.program}")
        called: dict[int, int] = {}
        for function in after.functions.values():
            for call in function.calls:
                if call.callee == key:
                    line = call.target.line - first
                    called[line] = called.get(line, 0) + call.count
        self.assertEqual(called, {1: 120, 2: 81, 4: 80})

    def test_meetings(self) -> None:
        """Offsets that meet are lines of members: visits those of the offset with most, sharing the sum."""
        data = read_data(str(self.data_file))
        (nodes,) = [object for object in data.objects if "(add_node)" in object.name]
        text, totals, end = self.data_file.read_text().partition("totals:")
        zero = " 0" * len(data.events)
        called = f"cob=[data] {self.program}\ncfi=???\ncfn={nodes.name}\n"
        lines = [f"ob=[pairs] {self.program}\nfl=???\n"]

        def meet(first: int, second: int, count: int) -> None:
            lines.append(f"{called}calls={count} {second} 1\n{first} 1{zero}\n")

        lines.append(f"fn=together::{nodes.name}\n")
        for first, second, count in (
            *((0, 0, 40), (8, 8, 30), (20, 20, 9), (21, 21, 5)),
            *((0, 8, 25), (8, 20, 3), (8, 21, 2), (20, 21, 4)),
        ):
            meet(first, second, count)
        # In elements of the type, of two of them, and of none, of which nothing is known.
        for stride, first, second, count in ((24, 16, 16, 60), (48, 40, 40, 70), (32, 8, 8, 90)):
            fold = 1 << 63 | stride << 31
            meet(fold | first, fold | second, count)
        lines.append(f"fn=false sharing::{nodes.name} (thread 1, then 2)\n")
        for first, second, count in ((8, 20, 7), (8, 21, 5), (1 << 63 | 1 << 31, 0, 3)):
            meet(first, second, count)
        self.data_file.write_text("".join([text, *lines, "\n", totals, end]))
        ended = self.convert()
        self.assertEqual(ended.returncode, 0, ended.stderr)
        typed = read_data(str(self.typed))
        node = SOURCE.read_text().splitlines().index("struct node {") + 1
        after, key, mark, value = (node + line for line in (1, 2, 3, 4))
        self.assertEqual(
            list(visits_of(typed).values()),
            [
                {
                    **{(after, after, 0): 40, (key, key, 0): 30, (value, value, 0): 9},
                    **{(after, key, 0): 25, (key, value, 0): 3, (mark, mark, 0): 70},
                }
            ],
        )
        pairs = [
            (pair.written.text, pair.missed.text, pair.is_false, pair.count)
            for pair in pairs_of(typed)
        ]
        self.assertEqual(
            pairs,
            [
                (f"line {key}", f"line {value}", True, 12),
                ("anywhere", f"line {after}", True, 3),
            ],
        )
        self.assertEqual(list(self.part().faults()), [])

    def test_names(self) -> None:
        """Objects of one name in several ELF objects have another name each; cg2's commands say it once."""
        made = DataText()
        code = str(self.program), "types.c", "main"
        for elf, name, count in (
            (str(self.program), ".bss", 3),
            ("/lib/libone.so", ".bss", 5),
            ("/lib/libone.so", "own", 7),
        ):
            made.touch((f"static::{name}", elf), 0, code, (1, 4), count, Dw=count)
        self.data_file.write_text(made.text())
        self.assertEqual(self.convert().returncode, 0)
        names = {
            key.name: function.self_cost()[self.part().events.index("Dw")]
            for key, function in self.part().functions.items()
            if key.object.startswith("[data] ")
        }
        program = self.program.name
        self.assertEqual(
            names,
            {
                f"static::.bss [{program}]": 3,
                "static::.bss [libone.so]": 5,
                "static::own": 7,
            },
        )
        typed = read_data(str(self.typed))
        said = ObjectNames(typed.objects, str(self.program))
        self.assertEqual(
            sorted(map(said.of, typed.objects)),
            [".bss [libone.so]", f".bss [{program}]", "own [libone.so]"],
        )

    def test_other_reader(self) -> None:
        """callgrind_annotate has no complaint, and shows the structure in its source."""
        if not shutil.which("callgrind_annotate"):
            self.skipTest("there is no callgrind_annotate: apt-get install valgrind")
        self.convert()
        ended = subprocess.run(
            ["callgrind_annotate", "--auto=yes", "--threshold=100", self.typed],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertRegex(ended.stdout, r"\n *80 .* long key;\n|\n.* long key;\n")
        self.assertIn("(add_node) struct node", ended.stdout)

    def test_wrong_options(self) -> None:
        ended = self.convert("--to=speedscope")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("--types=yes with another format", ended.stderr)
        ended = self.convert("--data-type=nothing")
        self.assertEqual(ended.returncode, 2)
        self.assertIn("expected PATTERN=TYPE", ended.stderr)

    def test_no_data_file(self) -> None:
        """A profile is none, which one line says."""
        self.data_file.write_text("events: Ir\nfn=f\n1 1\n")
        ended = self.convert()
        self.assertEqual(ended.returncode, 1)
        self.assertIn("expected a data file", ended.stderr)
        self.assertEqual(ended.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
