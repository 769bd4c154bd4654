"""The commands of the door: what each answers is what the command line before it answered."""

from __future__ import annotations

import re
import shlex
import tempfile
import unittest
from pathlib import Path

from toolsupport import PATHS, Output, command

from cg2tools.annotate.main import ELSEWHERE
from cg2tools.door.commands import DOOR, SCRIPTS, found
from datafiles import list_and_array

ARE_COMMANDS = "--summary", "--miss-curve", "--paths", "--data", "--check"
"""Options of cg2_annotate in whose place there are commands."""

OPTIONS_MAX = 15
"""The most options in the help of a command, beside --help and --version."""

PROFILE = """\
# callgrind format
creator: callgrind-cg2-0.1
cmd: ./app
part: 1
desc: Trigger: Program termination
positions: line
events: Ir D1mr
event: D1mr : D sweep of 1 set, read misses, 8192 B, 64 B, 128-way associative
summary: 190 25
ob=/bin/app
fl=a.c
fn=main
10 100 10
cfn=f
calls=3 20
11 90 15
fn=f
20 60 10
fi=b.c
5 30 5
totals: 190 25
"""

# What the door is told, and what cg2_NAME is told in its place.
SAME = [
    ("annotate cg2.out.1", "cg2_annotate cg2.out.1"),
    ("annotate --tree=both --inclusive=yes cg2.out.1", "cg2_annotate --tree=both --inclusive=yes cg2.out.1"),
    ("annotate --json cg2.out.1", "cg2_annotate --json cg2.out.1"),
    ("annotate cg2.data.1", "cg2_annotate cg2.data.1"),
    ("annotate --threshold=50 cg2.paths.1", "cg2_annotate --threshold=50 cg2.paths.1"),
    ("annotate --context=2 cg2.out.1 a.c", "cg2_annotate --context=2 cg2.out.1 a.c"),
    ("files cg2.out.1", "cg2_annotate --view=file:function cg2.out.1"),
    ("files --view=function:file cg2.out.1", "cg2_annotate --view=function:file cg2.out.1"),
    ("threads --columns=part cg2.out.1 cg2.out.2",
        "cg2_annotate --columns=part --tree=none cg2.out.1 cg2.out.2"),
    ("threads --columns=event --parts=1 cg2.out.1", "cg2_annotate --parts=1 --threshold=99 cg2.out.1"),
    ("misses cg2.out.1", "cg2_annotate --miss-curve cg2.out.1"),
    ("misses --json cg2.out.1", "cg2_annotate --miss-curve --json cg2.out.1"),
    ("data cg2.data.1", "cg2_annotate --data cg2.data.1"),
    ("data --sort=Dw cg2.data.1", "cg2_annotate --data=Dw cg2.data.1"),
    ("data --data-object=parse_expr cg2.data.1", "cg2_annotate --data-object=parse_expr cg2.data.1"),
    ("paths cg2.paths.1", "cg2_annotate --paths cg2.paths.1"),
    ("paths --threshold=60 cg2.out.1", "cg2_annotate --paths --threshold=60 cg2.out.1"),
    ("summary cg2.out.1 cg2.out.2", "cg2_annotate --summary cg2.out.1 cg2.out.2"),
    ("summary --json cg2.out.1", "cg2_annotate --summary --json cg2.out.1"),
    ("check cg2.out.1", "cg2_annotate --check cg2.out.1"),
    ("check --calls cg2.out.1", "cg2_annotate --check=calls cg2.out.1"),
    ("diff cg2.out.1 cg2.out.2", "cg2_diff cg2.out.1 cg2.out.2"),
    ("diff --markdown --sort=D1mr cg2.out.1 cg2.out.2",
        "cg2_diff --markdown --sort=D1mr cg2.out.1 cg2.out.2"),
    ("trend cg2.out.1 cg2.out.2 cg2.out.1", "cg2_diff cg2.out.1 cg2.out.2 cg2.out.1"),
    ("trend --html=- cg2.out.1 cg2.out.2", "cg2_diff --html=- cg2.out.1 cg2.out.2"),
    ("gate --fail-above=1% cg2.out.1 cg2.out.2", "cg2_diff --fail-above=1% cg2.out.1 cg2.out.2"),
    ("merge --imbalance cg2.out.1 cg2.out.2", "cg2_merge --imbalance cg2.out.1 cg2.out.2"),
    ("convert cg2.out.1", "cg2_convert cg2.out.1"),
    ("convert --to=speedscope --names=full cg2.out.1", "cg2_convert --to=speedscope --names=full cg2.out.1"),
    ("rewrite cg2.out.1 cg2.out.2", "cg2_convert --to=callgrind cg2.out.1 cg2.out.2"),
    ("rewrite --for=gprof2dot --show=Ir cg2.out.1", "cg2_convert --for=gprof2dot --show=Ir cg2.out.1"),
    ("types --data-type=main=node cg2.data.1", "cg2_convert --types=yes --data-type=main=node cg2.data.1"),
    ("unfold --event=cycles folded", "cg2_convert --from=folded --event=cycles folded"),
]  # fmt: skip


class Door(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        more = PROFILE.replace("20 60 10", "20 70 10").replace("11 90 15", "11 100 15")
        for name, text in {
            "cg2.out.1": PROFILE,
            "cg2.out.2": more.replace("190 25", "200 25"),
            "cg2.data.1": list_and_array(),
            "cg2.paths.1": PATHS,
            "a.c": "int main;\n",
            "folded": "main;f 12\nmain 3\n",
        }.items():
            (self.directory / name).write_text(text)

    def door(self, line: str) -> Output:
        name, *rest = shlex.split(line)
        return command("cg2_annotate", f"--command={name}", *rest, directory=self.directory)

    def test_same(self) -> None:
        """The answers, messages and exit statuses are the same, but for the name of the command."""
        for new, old in SAME:
            with self.subTest(new):
                name, *rest = shlex.split(old)
                was = command(name, *rest, directory=self.directory)
                now = self.door(new)
                self.assertIn(was.status, (0, 3))
                self.assertEqual((now.status, now.stdout), (was.status, was.stdout))
                named = re.sub("(?m)^cg2 [a-z]+: ", f"{name}: ", now.stderr)
                self.assertEqual(named, was.stderr)

    def test_trend_of_two(self) -> None:
        """A trend is one, also of two profiles."""
        shown = self.door("trend cg2.out.1 cg2.out.2")
        self.assertEqual(shown.status, 0, shown.stderr)
        self.assertTrue(shown.stdout.startswith("2 profiles, in the order given; Ir of functions"))

    def test_few_options(self) -> None:
        """A command answers one question, with at most fifteen options."""
        for name, place in DOOR.items():
            actions = [action for group in found(place).parser().groups for action in group.actions]
            self.assertLessEqual(len(actions), OPTIONS_MAX, name)

    def test_older(self) -> None:
        """The scripts have all options of the commands that they were cut into."""
        for script, parts in {
            "cg2_annotate": ("annotate", "files", "threads", "data", "paths", "misses", "summary"),
            "cg2_diff": ("diff", "trend", "gate"),
            "cg2_control": ("control", "top"),
            "cg2_convert": ("convert", "rewrite", "cycles", "types", "unfold"),
        }.items():
            theirs = found(SCRIPTS[script]).parser().defaults
            for part in parts:
                self.assertEqual(found(DOOR[part]).parser().defaults.keys() - theirs, set(), part)

    def test_options_mean_the_same(self) -> None:
        """Each command takes an option's value as the others do."""
        seen: dict[str, tuple[str, object]] = {}
        for name, place in DOOR.items():
            if name in ("control", "top", "unfold"):  # options of programs that run, of stacks
                continue
            for action in (
                each for group in found(place).parser().groups for each in group.actions
            ):
                for flag in action.option_strings:
                    first = seen.setdefault(flag, (name, action.type))
                    if flag != "--sort":  # by one event, or by some
                        self.assertEqual(action.type, first[1], f"{flag} of {name} and {first[0]}")

    def test_refused(self) -> None:
        """What belongs to another command is no option of this one."""
        for line, said in (
            ("annotate --data",
                "cg2 annotate: unrecognized arguments: --data; for --data: cg2 data; see cg2 annotate "
                "--help\n"),
            ("annotate --parts=2 --asm=yes",
                "cg2 annotate: unrecognized arguments: --parts=2; for --parts: cg2 threads, cg2 files, or "
                "cg2 rewrite, which makes a profile of them; see cg2 annotate --help\n"),
            ("annotate --json --asm=yes cg2.out.1",
                "cg2 annotate: --json with --asm; expected one of them, as JSON has functions and lines; "
                "see cg2 annotate --help\n"),
            ("diff cg2.out.1",
                "cg2 diff: expected two profiles, OLD and NEW; cg2 trend follows more; see cg2 diff "
                "--help\n"),
            ("trend",
                "cg2 trend: expected two profiles or more, or a directory of them; see cg2 trend --help\n"),
            ("rewrite --show=Ir cg2.out.1",
                "cg2 rewrite: --show without --for; expected both, as the format has all events; see cg2 "
                "rewrite --help\n"),
            ("convert --show=Ir,Dr cg2.out.1",
                "cg2 convert: --show=Ir,Dr with --to=folded, which has one number; expected one event; see "
                "cg2 convert --help\n"),
            ("gate cg2.out.1",
                "cg2 gate: expected two profiles or more, or a directory of them; see cg2 gate --help\n"),
            ("control -s --names=full -e", "cg2 control: --names goes with -b; see cg2 control --help\n"),
        ):  # fmt: skip
            with self.subTest(line):
                self.assertEqual(self.door(line), Output(2, "", said))

    def test_elsewhere(self) -> None:
        """cg2 annotate knows where each option of cg2_annotate is now: a command that has it, or is it."""
        old, new = (found(DOOR["annotate"]).parser(), found(SCRIPTS["cg2_annotate"]).parser())
        has = {flag for flag in new._option_string_actions if flag.startswith("--")}
        self.assertEqual(has - set(old._option_string_actions), ELSEWHERE.keys())
        for option, commands in ELSEWHERE.items():
            for name in re.findall(r"cg2[ _]\w+", commands):
                place = (DOOR | SCRIPTS)[name.removeprefix("cg2 ")]
                takes = option in found(place).parser()._option_string_actions
                self.assertNotEqual(takes, option in ARE_COMMANDS, (option, name))

    def test_one_part(self) -> None:
        """The lines of one part: a profile is made of it, and annotated, as cg2_annotate does it at once."""
        second = "part: 2\nevents: Ir D1mr\nfl=a.c\nfn=main\n1 7 2\ntotals: 7 2\n"
        (self.directory / "cg2.out.3").write_text(f"{PROFILE}\n{second}")
        self.door("rewrite --parts=2 -o second cg2.out.3")
        apart = self.door("annotate --auto=yes second").stdout
        at_once = command(
            "cg2_annotate", "--parts=2", "--auto=yes", "cg2.out.3", directory=self.directory
        ).stdout
        self.assertIn("7 (100.0%)  2 (100.0%)  int main;\n", apart)
        start = "7 (100.0%)  2 (100.0%)  PROGRAM TOTALS"
        self.assertEqual(apart[apart.index(start) :], at_once[at_once.index(start) :])

    def test_help(self) -> None:
        """Each help fits into 80 columns, and its examples are of its command."""
        for name in DOOR:
            with self.subTest(name):
                shown = self.door(f"{name} --help")
                self.assertEqual((shown.status, shown.stderr), (0, ""))
                self.assertLessEqual(max(map(len, shown.stdout.splitlines())), 80)
                self.assertRegex(shown.stdout, rf"^usage: cg2[ _]{name} ")
                self.assertRegex(shown.stdout, rf"(?m)^  (.*\| )?cg2[ _]{name}\b")


if __name__ == "__main__":
    unittest.main()
