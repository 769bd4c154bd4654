"""What docs/ has of the options is what is made of the one place where each is written."""

from __future__ import annotations

import re
import shutil
import subprocess
import unittest

from toolsupport import SOURCE

from cg2test import IN_PLACE, VALGRIND, env
from cg2tools.commandline.parser import forms_of, help_of
from cg2tools.door.commands import DOOR, found
from cg2tools.reference.documents import made, with_part
from cg2tools.reference.manpages import PAGES
from cg2tools.reference.tables import table_row
from cg2tools.reference.toolhelp import tool_groups

STALE = "is not what `make reference` writes; run it"


class Stored(unittest.TestCase):
    def check(self, told: str) -> None:
        for path, text in made(SOURCE, told):
            with self.subTest(str(path.relative_to(SOURCE))):
                self.assertTrue(path.exists(), f"{path} {STALE}")
                self.assertEqual(path.read_text(), text, f"{path} {STALE}")

    def test_commands(self) -> None:
        self.check("")

    def test_tool(self) -> None:
        """The same of the options of the tool, which its --help tells."""
        if not list(IN_PLACE.glob("cg2-*")):
            self.skipTest(f"{IN_PLACE} has no cg2")
        told = subprocess.run(
            [VALGRIND, "--tool=cg2", "--help"],
            capture_output=True,
            text=True,
            env=env(),
            check=True,
        ).stdout
        groups = tool_groups(told)
        self.assertGreater(sum(len(group.options) for group in groups), 50)
        for option in (option for group in groups for option in group.options):
            self.assertTrue(option.meaning, option.form)
        self.check(told)

    def test_no_others(self) -> None:
        """Each man page of a command is one that is made."""
        pages = {path.stem for path in (SOURCE / "docs").glob("cg2[-_]*.1")}
        self.assertEqual(pages, set(PAGES))

    def test_pages_are_roff(self) -> None:
        if not shutil.which("groff"):
            self.skipTest("groff is not installed (Debian: apt-get install groff-base)")
        for page in (*PAGES, "cg2"):
            ended = subprocess.run(
                ["groff", "-man", "-Tutf8", "-ww", "-z", str(SOURCE / "docs" / f"{page}.1")],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual((ended.returncode, ended.stderr), (0, ""), page)

    def test_part(self) -> None:
        """Only what is between the marks is made."""
        text = "a\n# made by `make reference`: {\nold\n# }\nb\n"
        self.assertEqual(
            with_part(text, "#", ["new"]), "a\n# made by `make reference`: {\nnew\n# }\nb\n"
        )
        with self.assertRaises(ValueError):
            with_part("a\n", "#", ["new"])

    def test_bars(self) -> None:
        self.assertEqual(table_row("`--a=b|c`", "d"), "| `--a=b\\|c` | d |")


class Written(unittest.TestCase):
    """Each option of a command stands in its help, man page and table with the same words."""

    def test_all(self) -> None:
        table = (SOURCE / "docs" / "reference" / "commands.md").read_text()
        for page, place in PAGES.items():
            parser = found(place).parser()
            shown = (SOURCE / "docs" / f"{page}.1").read_text()
            plain = re.sub(r"\\f[BIR]|\\&", "", shown).replace("\\-", "-").replace("\\(aq", "'")
            for action in (each for group in parser.all_groups() for each in group.actions):
                first = help_of(action).split("\n")[0]
                self.assertIn(first, plain.replace("\\e", "\\"), page)
                self.assertIn(first.replace("|", "\\|"), table, page)
                for flag, _ in forms_of(action):
                    self.assertIn(flag, plain, page)

    def test_few(self) -> None:
        """The help of a command of the door has fifteen options at most."""
        for name, place in DOOR.items():
            parser = found(place).parser()
            listed = [each for group in parser.groups for each in group.actions]
            self.assertLessEqual(len(listed), 15, name)

    def test_accepted(self) -> None:
        """The reference has the options that help leaves out."""
        page = (SOURCE / "docs" / "reference" / "commands.md").read_text()
        section = page.partition("\n## cg2 diff\n")[2].partition("\n## ")[0]
        self.assertIn(
            "few need them:\n\n| option | meaning |\n| --- | --- |\n| `--fold-paths=", section
        )
        self.assertNotIn("--fold-paths", (SOURCE / "docs" / "cg2-diff.1").read_text())

    def test_every_command_has_a_page(self) -> None:
        for name, place in DOOR.items():
            self.assertIn(place, PAGES.values(), name)


if __name__ == "__main__":
    unittest.main()
