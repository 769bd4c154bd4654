"""An option is written once: its names, what it takes, and what it means.

The options of the commands are values (commandline/option.py), of which parsers, help, man pages, tables and
completions are made; those of the tool are in its own table. tests/tools/test_reference.py checks what is
made of them.
"""

from __future__ import annotations

import ast
import re
import unittest
from collections.abc import Iterator
from pathlib import Path

from cg2test import SOURCE

PACKAGES = SOURCE / "tools" / "cg2tools"
MODULES = sorted(PACKAGES.glob("*/*.py"))

MAKERS = {"option", "switch", "repeated"}
"""The functions that make options."""

PARSER = PACKAGES / "commandline" / "parser.py"
"""The only module that tells argparse of options."""

NAMESAKES = {
    "--sort": "by some events; by one; in cg2 top by one of those that a program counts",
    "--rows": "in tables; of cg2 top, where a terminal says how many",
    "--names": "as profiles have them; of cg2 control as programs have them",
    "--smallest": "differences; stacks of the page; stacks of other formats: each has a default of its own",
    "--event": "a formula; of cg2 unfold what stacks count",
    "--to": "of cg2 convert a format of stacks; of cg2_convert the Callgrind format, too",
}
"""Options of one name that are not the same, with what each is."""

WRITTEN_OUT = re.compile(r"(?m)^ *(-\w[ ,].*)?--[a-z][\w-]*(=\S+| [A-Z]+)? {2,}\w")
"""An option with what it means, as in a help text."""


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """The calls of a module, each with the name of what is called."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            called = node.func
            name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
            yield name, node


def text_of(node: ast.AST | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def documents() -> list[Path]:
    """The man pages of commands that say what options mean, by hand or made."""
    return sorted((SOURCE / "docs").glob("*.1"))


class Options(unittest.TestCase):
    def options(self) -> Iterator[tuple[Path, list[str], str]]:
        """Each option that is made: where, its names, and what it means."""
        for path in MODULES:
            for name, call in calls(path):
                meant = next((word.value for word in call.keywords if word.arg == "help"), None)
                if name in MAKERS or name == "but" and meant is not None:
                    flags = [text_of(each) for each in call.args]
                    yield path, [flag for flag in flags if flag.startswith("-")], text_of(meant)

    def test_there_are_options(self) -> None:
        self.assertGreater(len(list(self.options())), 60)

    def test_once(self) -> None:
        """No two options have one name, but those that are not the same."""
        seen: dict[str, Path] = {}
        twice = set()
        for path, flags, _ in self.options():
            for flag in flags:
                if flag in seen:
                    twice.add(flag)
                seen.setdefault(flag, path)
        self.assertEqual(twice, set(NAMESAKES))

    def test_meant_once(self) -> None:
        """No two options are said to mean the same with the same words."""
        seen: set[str] = set()
        for path, flags, meaning in self.options():
            if meaning:
                self.assertNotIn(meaning, seen, f"{path.name}: {flags}")
                seen.add(meaning)

    def test_one_parser(self) -> None:
        """Options are told to argparse in one place."""
        for path in MODULES:
            told = [name for name, _ in calls(path) if name == "add_argument"]
            self.assertEqual(bool(told), path == PARSER, path)

    def test_no_help_by_hand(self) -> None:
        """No text of a command's module has an option with what it means: the help is made."""
        for path in MODULES:
            for node in ast.walk(ast.parse(path.read_text())):
                found = WRITTEN_OUT.search(text_of(node))
                self.assertIsNone(found, f"{path.name}: {found and found[0]}")

    def test_no_man_page_by_hand(self) -> None:
        """Each option that a man page explains is between the marks of what is made, or the page is made."""
        for path in documents():
            text = path.read_text()
            if text.startswith('.\\" Made by `make reference`.'):
                continue
            text = re.sub(r"(?ms)^\.\\\" made by `make reference`: \{$.*?^\.\\\" \}$", "", text)
            self.assertEqual(re.findall(r"(?m)^\.TP\n.*\\-\\-.*", text), [], path.name)


if __name__ == "__main__":
    unittest.main()
