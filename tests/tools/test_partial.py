"""--partial: each command shows what there is of a file that was cut off, says so, and ends with status 1."""

from __future__ import annotations

import gzip
import json
import tempfile
import unittest
from pathlib import Path

from test_page import unpacked
from toolsupport import Output, command

TEXT = """\
# callgrind format
creator: callgrind-cg2-0.1
pid: 4711
cmd: ./prog
events: Ir
summary: 1060
ob=/bin/prog
fl=prog.c
fn=main
1 10
cfn=work
calls=2 10
2 50
fn=work
10 50
fn=late
20 1000
totals: 1060
"""

CUT = len(TEXT) - len("00\ntotals: 1060\n")
"""In the last number."""

WHERE = f"cut off in line 17, at byte {CUT}"
SAID = f"FILE: the file is {WHERE}; what is in front of that is read\n"
REMEDY = "; --partial reads what there is\n"

READERS = [
    ["cg2_annotate", "FILE"],
    ["cg2_annotate", "--threshold=100", "FILE"],
    ["cg2_annotate", "--json", "FILE"],
    ["cg2_diff", "GOOD", "FILE"],
    ["cg2_diff", "FILE", "GOOD"],
    ["cg2_diff", "--markdown", "FILE", "GOOD"],
    ["cg2_diff", "--json", "FILE", "GOOD"],
    ["cg2_merge", "-o", "OUT", "GOOD", "FILE"],
    ["cg2_merge", "--imbalance", "GOOD", "FILE"],
    ["cg2_convert", "FILE"],
    ["cg2_convert", "--to=callgrind", "FILE"],
    ["cg2_convert", "--to=speedscope", "FILE"],
    ["cg2_convert", "--to=chrome", "FILE"],
    ["cg2_convert", "--for=gprof2dot", "FILE"],
    ["cg2_report", "-o", "OUT", "FILE"],
    ["cg2_report", "--compare=GOOD", "-o", "OUT", "FILE"],
    ["cg2_report", "--compare=FILE", "-o", "OUT", "GOOD"],
]
"""Each way to read a file and to say what is in it."""


class Partial(unittest.TestCase):
    def setUp(self) -> None:
        holder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(holder.cleanup)
        self.directory = Path(holder.name)
        self.out = self.directory / "OUT"
        (self.directory / "GOOD").write_text(TEXT)
        (self.directory / "FILE").write_text(TEXT[:CUT])

    def run_partial(self, name: str, *arguments: str) -> Output:
        """Run a command with --partial, which says that it reads a part; what it shows."""
        ended = command(name, "--partial", *arguments, directory=self.directory)
        said = "".join(line for line in ended.stderr.splitlines(True) if "wrote" not in line)
        self.assertEqual((ended.status, said), (1, SAID), (name, arguments))
        return ended

    def written(self) -> str:
        """What a command wrote; of a page, what that says at its top."""
        text = self.out.read_text()
        return str(unpacked(text)["profile"]["partial"]) if text.startswith("<!") else text

    def test_every_command(self) -> None:
        """Where the file is cut off is in what is written, but in folded stacks, which have no room."""
        for name, *arguments in READERS:
            with self.subTest(name, arguments=arguments):
                shown = self.run_partial(name, *arguments).stdout
                if self.out.exists():
                    shown += self.written()
                    self.out.unlink()
                if arguments == ["FILE"] and name == "cg2_convert":
                    self.assertEqual(shown, "main 10\nmain;work 50\n")
                elif name == "cg2_merge" and "-o" in arguments:
                    self.assertIn("desc: Partial: profiles that were cut off: 1\n", shown)
                else:
                    self.assertIn(WHERE, shown)

    def test_refused(self) -> None:
        """Without the option one line names it, and nothing is shown."""
        for data in (TEXT[:CUT].encode(), gzip.compress(TEXT[:CUT].encode())):
            (self.directory / "FILE").write_bytes(data)
            for name, *arguments in READERS:
                ended = command(name, *arguments, directory=self.directory)
                self.assertEqual((ended.status, ended.stdout), (1, ""), (name, arguments))
                self.assertRegex(ended.stderr, f"^FILE:6: .*; the file is cut off .*{REMEDY}$")
                self.assertFalse(self.out.exists())

    def test_whole(self) -> None:
        """A file that has its end is shown as without the option."""
        for name, *arguments in READERS:
            arguments = ["GOOD" if word == "FILE" else word for word in arguments]
            if "--compare=FILE" in arguments:
                continue
            plain = command(name, *arguments, directory=self.directory)
            asked = command(name, "--partial", *arguments, directory=self.directory)
            self.assertEqual(asked, plain, (name, arguments))
            self.assertEqual(plain.status, 0, (name, arguments))

    def test_figures(self) -> None:
        """The total is what was read: 60 of 1060; half of the last number is not."""
        rows = self.run_partial("cg2_annotate", "FILE").rows()
        self.assertEqual(
            rows[1:5],
            ["Profile: FILE", f"Partial: FILE: {WHERE}", "", "60 Ir: instructions executed"],
        )
        self.assertEqual(
            rows[6:10],
            [
                "Ir inclusive file:function",
                "",
                "50 (83.33%) 50 (83.33%) prog.c:work [/bin/prog]",
                "10 (16.67%) 60 (100.0%) prog.c:main [/bin/prog]",
            ],
        )
        lists = self.run_partial("cg2_annotate", "--threshold=100", "FILE").rows()
        self.assertEqual(lists.count(f"Partial: FILE: {WHERE}"), 1)
        found = json.loads(self.run_partial("cg2_annotate", "--json", "FILE").stdout)
        self.assertEqual((found["partial"], found["total"]), ([f"FILE: {WHERE}"], [60]))

    def test_difference(self) -> None:
        lines = self.run_partial("cg2_diff", "GOOD", "FILE").stdout.splitlines()
        self.assertEqual(
            lines[2:4],
            [f"Partial: FILE: {WHERE}", "Ir shrank by 94.34 %, from 1,060 to 60"],
        )
        lines = self.run_partial("cg2_diff", "--markdown", "FILE", "GOOD").stdout.splitlines()
        self.assertEqual(lines[1:3], ["", f"**Partial**: `FILE: {WHERE}`"])
        found = json.loads(self.run_partial("cg2_diff", "--json", "FILE", "GOOD").stdout)
        self.assertEqual(
            [(found[side]["partial"], found[side]["total"]) for side in ("old", "new")],
            [([f"FILE: {WHERE}"], [60]), ([], [1060])],
        )

    def test_trend(self) -> None:
        """A trend says of each profile, also of what cg2_annotate wrote of one, that a part is missing."""
        found = self.run_partial("cg2_annotate", "--json", "FILE")
        (self.directory / "said.json").write_text(found.stdout)
        said = f"Partial: FILE: {WHERE}"
        lines = self.run_partial("cg2_diff", "GOOD", "said.json", "FILE").stdout.splitlines()
        self.assertEqual(lines.count(said), 2)
        for option in "--markdown", "--json", "--html=-":
            shown = self.run_partial("cg2_diff", option, "GOOD", "FILE", "GOOD").stdout
            self.assertIn(WHERE, shown)

    def test_gate(self) -> None:
        """A gate says that it could not compare, whatever what is there would say."""
        for arguments in (["FILE", "GOOD"], ["GOOD", "FILE"]):
            ended = command(
                "cg2_diff", "--partial", "--fail-above=1%", *arguments, directory=self.directory
            )
            self.assertEqual(ended.status, 1)

    def test_written(self) -> None:
        """What is written is a profile whose sums agree, and which says what it is wherever it is shown."""
        self.run_partial("cg2_merge", "-o", "OUT", "FILE", "GOOD")
        text = self.out.read_text()
        self.assertIn("\nsummary: 1120\n", text)
        self.assertIn("\ntotals: 1120\n", text)
        checked = command("cg2_annotate", "--check=calls", "OUT", directory=self.directory)
        self.assertEqual((checked.status, checked.stdout), (0, "OUT: ok, 1 part\n"))
        shown = command("cg2_annotate", "OUT", directory=self.directory)
        self.assertEqual(shown.status, 0)
        self.assertIn("\nPartial: OUT: profiles that were cut off: 1\n", shown.stdout)
        self.run_partial("cg2_convert", "--to=callgrind", "-o", "OUT", "FILE", "GOOD")
        text = self.out.read_text()
        self.assertEqual(text.count(f"desc: Partial: {WHERE}\n"), 1)
        self.assertIn("\nsummary: 60\n", text)
        self.assertIn("\ntotals: 60\n", text)
        self.run_partial("cg2_convert", "--for=speedscope", "-o", "OUT", "GOOD", "FILE")
        self.assertIn(f"desc: Partial: {WHERE}\n", self.out.read_text())

    def test_nothing_to_show(self) -> None:
        """A file that was cut off in its header has nothing to show."""
        length = TEXT.index("\nfl=prog.c")
        (self.directory / "FILE").write_text(TEXT[:length])
        for name, *arguments in READERS:
            ended = command(name, "--partial", *arguments, directory=self.directory)
            self.assertEqual((ended.status, ended.stdout), (1, ""), (name, arguments))
            self.assertEqual(
                ended.stderr,
                f"FILE: the file is cut off in line 7, at byte {length}, in front of its first "
                "function; expected at least one\n",
            )

    def test_folded(self) -> None:
        (self.directory / "FILE").write_text("main;f 10\nmain;g 1000")
        ended = command(
            "cg2_convert",
            "--partial",
            "--from=folded",
            "-o",
            "OUT",
            "FILE",
            directory=self.directory,
        )
        self.assertEqual(
            (ended.status, ended.stderr),
            (
                1,
                "FILE: the file is cut off in line 2, at byte 21; what is in front of that is read\n",
            ),
        )
        self.assertIn("\ntotals: 10\n", self.out.read_text())

    def test_check(self) -> None:
        """--check says what is wrong with a file; with --partial, nothing would be."""
        ended = command("cg2_annotate", "--check", "--partial", "FILE", directory=self.directory)
        self.assertEqual(ended.status, 2)
        self.assertIn("--check and --partial: expected one of them", ended.stderr)


if __name__ == "__main__":
    unittest.main()
