"""Wherever paths are shown, it is said first how much of the cost has no path, and what makes it less."""

from __future__ import annotations

import gzip
import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

import cg2test
from toolsupport import command

sys.path.append(str(cg2test.SOURCE / "tests" / "lib"))

from cg2tools.profile.reader import read_paths, read_profile  # noqa: E402
from cg2tools.report.contents import Contents  # noqa: E402
from cg2tools.report.options import PageOptions  # noqa: E402
from cg2tools.report.pathtables import tree_of_runs  # noqa: E402

HEAD = "creator: callgrind-cg2-0.1\npid: 1\ncmd: ./app\npart: 1\n"
# main calls f; of 1000, 846 are in (more) below main
PATHS = f"""\
# cg2 paths
version: 1
{HEAD}positions: line
events: Ir
summary: 1000
paths: 3
more: 1 5 846

ob=(1) /bin/app
fl=(1) a.c
fn=(1) main
0 1 0 1 54
fn=(2) f
1 2 3 1 100
1 0 0 5 846
totals: 1000
"""
PROFILE = f"""\
# callgrind format
version: 1
{HEAD}positions: line
events: Ir
summary: 1000

ob=(1) /bin/app
fl=(1) a.c
fn=(1) main
1 54
cfn=(2) f
calls=1 9
3 946
fn=(2)
9 946
totals: 1000
"""
SAID = "84.6% of Ir is in paths (more)"
LESS = "a larger --contexts-max when profiling makes that less"


class Said(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.paths = self.folder / "cg2.paths.1"
        self.paths.write_text(PATHS)
        self.whole = self.folder / "cg2.paths.2"
        self.whole.write_text(
            re.sub(r"more: .*\n|1 0 0 5 846\n", "", PATHS)
            .replace("paths: 3", "paths: 2")
            .replace(" 1 100\n", " 1 946\n")
        )

    def says(self, text: str) -> None:
        """The text has the share and what makes it less, and calls nothing exact."""
        line = " ".join(text.split())
        self.assertIn(SAID, line)
        self.assertIn(LESS, line)
        self.assertNotIn("exact", line.lower())

    def test_text(self) -> None:
        """A report begins with it."""
        text = command("cg2_annotate", "--paths", self.paths).stdout
        self.assertTrue(text.startswith(SAID), text)
        self.says(text)
        self.assertNotIn("(more)", command("cg2_annotate", "--paths", self.whole).stdout)

    def test_json(self) -> None:
        found = json.loads(command("cg2_annotate", "--paths", "--json", self.paths).stdout)
        self.assertEqual(found["more"], [846])
        self.says(found["more_said"])
        found = json.loads(command("cg2_annotate", "--paths", "--json", self.whole).stdout)
        self.assertEqual((found["more"], found["more_said"]), ([0], ""))

    def test_stacks(self) -> None:
        """The command says it, and so does each file that has room for words."""
        for form in ("folded", "speedscope", "chrome", "firefox", "pprof"):
            with self.subTest(form):
                output = self.folder / f"out.{form}"
                run = command("cg2_convert", f"--to={form}", "-o", output, self.paths)
                self.says(run.stderr)
                if form == "speedscope":
                    self.says(json.loads(output.read_text())["exporter"])
                if form == "pprof":
                    self.assertIn(SAID.encode(), gzip.decompress(output.read_bytes()))
                run = command("cg2_convert", f"--to={form}", "-o", output, self.whole)
                self.assertEqual(run.stderr, "")

    def test_sums(self) -> None:
        """A sum of files has the line that says it."""
        output = self.folder / "sum"
        command("cg2_merge", "-o", output, self.paths, self.paths)
        self.assertIn("\nmore: 1 10 1692\n", output.read_text())
        self.says(command("cg2_annotate", "--paths", output).stdout)

    def test_comparison(self) -> None:
        """A comparison says it of each side, in each form."""
        for form in ("--json", "--markdown", "--smallest=0"):
            with self.subTest(form):
                text = command("cg2_diff", form, self.whole, self.paths).stdout
                self.says(text)
                self.assertEqual(text.count(SAID), 1)
                self.assertNotIn(SAID, command("cg2_diff", form, self.whole, self.whole).stdout)

    def test_page(self) -> None:
        """The page says it where stacks are, in place of "Exact: each of ... paths"."""
        profile = self.folder / "cg2.out.1"
        profile.write_text(PROFILE)
        whole = read_profile(profile)
        for paths, is_said in ((self.paths, True), (self.whole, False)):
            with self.subTest(is_said=is_said):
                tree = tree_of_runs(read_paths(paths).parts)
                head = dict(Contents(whole, PageOptions(), None, None, tree).each())["profile"]
                if is_said:
                    self.says(head["guess"])
                else:
                    self.assertEqual(head["guess"], "")


if __name__ == "__main__":
    unittest.main()
