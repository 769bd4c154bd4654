"""Names of a stranger's profile are text in each output, whatever is in them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

from test_page import unpacked
from toolsupport import TOOLS

import starts
from cg2test import HANG
from cg2tools.commandline.console import on_terminal
from cg2tools.diff.markdown import code, plain
from cg2tools.profile.terms import printable
from cg2tools.report.page import TEMPLATE

HOSTILE = [
    "f\x1b]0;title\x07\x1b[8m\x1b[31mred",
    "g\r### heading \u2028\u2029\x85 ![picture](https://example.org/x.png) @everyone #1",
    "h\u202eright\u2066isolated\u061c\u200f\ufeff\U000e0041",
    "i</script><script>alert(1)</script><img src=x onerror=alert(1)>",
    "j\\|** @everyone `code` ``more`` \\",
    "::error file=x::k%0A",
    "l" * 65_536,
    "m\udc9b5A\udcff",
]
EVENT = "@everyone</script>"


def profile(factor: int) -> bytes:
    """A profile that is hostile wherever it has words."""
    body = "".join(
        f"ob=/{name}\nfl=/nowhere/{name}.c\nfn={name}\n1 {(at + 1) * factor} 1\n"
        f"cob=/{HOSTILE[0]}\ncfi=/nowhere/{HOSTILE[0]}.c\ncfn={HOSTILE[0]}\ncalls=1 1\n2 1 1\n"
        for at, name in enumerate(HOSTILE)
    )
    total = sum(range(1, len(HOSTILE) + 1)) * factor
    head = "".join(f"desc: CPU: {factor} {name}\n" for name in HOSTILE[:3])
    text = (
        f"version: 1\ncreator: {HOSTILE[0]}\npid: 1\ncmd: {' '.join(HOSTILE[:6])}\npart: 1\n{head}"
        f"desc: Threads: 1 {HOSTILE[0]}\ndesc: Trigger: {HOSTILE[1]}\n"
        f"event: {EVENT} : {HOSTILE[1]}\nevents: {EVENT} x\x1b[2Jy\n"
        f"summary: {total} {len(HOSTILE)}\n\n{body}totals: {total} {len(HOSTILE)}\n"
    )
    return text.encode("utf-8", "surrogateescape")


NAME = "cg2.out.7\x1b[2J\u202e"
COMMANDS = [
    f"cg2_{command}"
    for command in (
        "annotate OLD",
        "annotate --auto=yes --context=0 OLD",
        "annotate --tree=both --inclusive=yes --colour=yes OLD",
        "annotate --callgrind OLD",
        "annotate --callgrind --tree=both OLD",
        "annotate --summary OLD",
        "annotate --check OLD",
        "annotate --view=file OLD",
        "annotate --view=object OLD",
        "annotate --json OLD",
        "annotate --summary --json OLD",
        "annotate --names=full OLD",
        "annotate no\x1b[2J",
        "annotate --sho\x1b[2J OLD",
        "annotate --show=no\x1b[2J OLD",
        "diff OLD NEW",
        "diff --names=full OLD NEW",
        "diff --markdown OLD NEW",
        "diff --markdown --rows=0 --fail-above=1% OLD NEW",
        "diff --markdown --github --fail-above=*:*=1% OLD NEW",
        "diff --json OLD NEW",
        "diff OLD NEW NEW",
        "diff --markdown OLD NEW NEW",
        "diff --json OLD NEW NEW",
        "diff --junit=/dev/null --fail-above=f*:no\x1b[2J=1% OLD NEW",
        "merge -o sum OLD NEW",
        "merge --imbalance OLD NEW",
        "report -o page.html OLD",
        "report -o page.html --compare OLD NEW",
        "convert --to=folded -o folded OLD",
    )
]


class Walk(unittest.TestCase):
    """All commands in all forms, on one hostile profile."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        (self.directory / NAME).write_bytes(profile(1))
        (self.directory / f"{NAME}.new").write_bytes(profile(2))

    def run_command(self, line: str) -> subprocess.CompletedProcess[bytes]:
        words = [{"OLD": NAME, "NEW": f"{NAME}.new"}.get(word, word) for word in line.split(" ")]
        ended = starts.run_bytes(
            [TOOLS / words[0], *words[1:]],
            directory=self.directory,
            limit=HANG,
            environment={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        )
        self.assertNotIn(b"Traceback", ended.stderr)
        return ended

    def test_terminal(self) -> None:
        """No control character, mark of direction or invisible letter but tabs and our two colours."""
        ours = re.compile("\x1b\\[(?:1;31|33|0)m")
        seen = 0
        for line in COMMANDS:
            with self.subTest(line):
                if "report" in line and not TEMPLATE.exists():
                    continue
                ended = self.run_command(line)
                for text in ended.stdout, ended.stderr:
                    said = text.decode("utf-8", "surrogateescape")
                    if "--colour=yes" in line:
                        said = ours.sub("", said)
                    self.assertNotRegex(
                        said, "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e]"
                    )
                    self.assertNotRegex(
                        said, "[\u2060-\u206f\ufeff\udc80-\udc9f\U000e0000-\U000e0fff]"
                    )
                    seen += said.count("\\x1b")
        self.assertGreater(seen, 100)

    def test_markdown(self) -> None:
        """Outside code there is nothing of the profile: no heading, picture, mention or element."""
        for form in "OLD NEW", "OLD NEW NEW":
            for options in "", "--fail-above=1% ", f"--fail-above=f*:{EVENT}=1% ":
                if "NEW NEW" in form and "f*" in options:
                    continue
                with self.subTest(form + options):
                    ended = self.run_command(f"cg2_diff {options}--names=full --markdown {form}")
                    self.assertIn(ended.returncode, (0, 3), ended.stderr)
                    shown = ended.stdout.decode()
                    headings = [line for line in shown.splitlines() if line.startswith("#")]
                    self.assertEqual(len(headings), 1)
                    rest = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)|<code>[^<]*</code>", "", shown)
                    for mark in "@", "![", "https:", "<img", "<script", "heading", "everyone":
                        self.assertNotIn(mark, rest)

    def test_github(self) -> None:
        """An annotation is one line, and a command to the runner that is ours."""
        ended = self.run_command("cg2_diff --github --fail-above=*:x\x1b[2Jy=0 OLD NEW")
        ended = self.run_command(f"cg2_diff --github --fail-above=*:{EVENT}=0 OLD NEW")
        self.assertEqual(ended.returncode, 3, ended.stderr)
        for line in ended.stderr.decode("utf-8", "surrogateescape").splitlines():
            self.assertRegex(line, "^::error (file=[^:,]*,)?(line=[0-9]+,)?title=cg2_diff::")

    def test_json(self) -> None:
        """JSON has the names as they are, and no line but its own."""
        for line in "annotate --json OLD", "diff --json OLD NEW", "diff --json OLD NEW NEW":
            ended = self.run_command(f"cg2_{line}")
            self.assertTrue(ended.stdout.isascii())
            names = {each["name"] for each in json.loads(ended.stdout)["functions"]}
            self.assertEqual(names, set(HOSTILE))

    def test_page(self) -> None:
        """A page has the elements that it has for any profile, and the names as text."""
        pages = [("diff --html=page.html OLD NEW NEW", 1)]
        pages += [("report -o page.html OLD", 0)] * TEMPLATE.exists()
        for line, text in pages:
            with self.subTest(line):
                self.assertEqual(self.run_command(f"cg2_{line}").returncode, 0)
                page = (self.directory / "page.html").read_text()
                for element in "<script>alert", "</script><", "<img src=x":
                    self.assertFalse(element in page, element)
                if not text:
                    strings = unpacked(page)["profile"]["strings"]
                    self.assertTrue(any("<script>alert(1)" in each for each in strings))


class Routines(unittest.TestCase):
    """What each kind of output does to a string."""

    def test_terminal(self) -> None:
        for text, shown in (
            ("a\tb", "a\tb"),
            ("\x1b[31m", "\\x1b[31m"),
            ("\x1b[0m", "\\x1b[0m"),
            ("\x9b\udc9b\udcff", "\\x9b\\x9b\udcff"),
            ("\u202ea\u200b", "\\u202ea\\u200b"),
            ("é中", "é中"),
        ):
            self.assertEqual(on_terminal(text), shown)
            self.assertEqual(printable(text.replace("\t", "")), shown.replace("\t", ""))

    def test_markdown(self) -> None:
        for text, shown in (
            ("a|b", "`a\\|b`"),
            ("a\\|b", "<code>a&#92;&#124;b</code>"),
            ("a`b", "`` a`b ``"),
            ("", "` `"),
            ("a\nb\r", "`a\\nb\\r`"),
        ):
            self.assertEqual(code(text), shown)
        for text in "Ir", "D1mr_2", "32768 B, 64 B, 8-way associative", "avx2":
            self.assertEqual(plain(text), text)
        for text in (
            "_a_",
            "@a",
            "#1",
            "a*b",
            "www.a",
            "see www.a",
            "GH-1",
            "a/b",
            "0123abc",
            "-",
            "",
        ):
            self.assertEqual(plain(text), code(text))

    def test_html_parser_sees_text(self) -> None:
        """What stands in entities is one text, and no element."""
        seen: list[str] = []

        class Parser(HTMLParser):
            def handle_starttag(self, tag: str, attrs: object) -> None:
                seen.append(tag)

            def handle_data(self, data: str) -> None:
                seen.append(data)

        Parser().feed(code("<b>\\|@all"))
        self.assertEqual(seen, ["code", "<b>\\|@all"])
