"""Writes what docs/ has of the options, of the one place where each is written.

    python3 -m cg2tools.reference.documents SOURCE VALGRIND

SOURCE is the source tree, VALGRIND a valgrind that finds the tool, whose --help has its options.
`make reference` runs it. What was stored and is made no longer stays, for git to say so.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from cg2tools.door.commands import DOOR, found
from cg2tools.reference.manpages import PAGES, man_page
from cg2tools.reference.tables import commands_page
from cg2tools.reference.toolhelp import man_options, options_page, tool_groups

_MARKS = "{} made by `make reference`: {{", "{} }}"
"""The lines between which a part of a file is made, behind what begins a comment there."""


def help_of_tool(valgrind: str) -> str:
    """What the tool says of its options."""
    said = subprocess.run(
        [valgrind, "--tool=cg2", "--help"], capture_output=True, text=True, check=True
    )
    return said.stdout


def of_commands() -> Iterator[tuple[str, str]]:
    """The files that are made of the parsers of the commands: their paths in the source tree."""
    for page, place in PAGES.items():
        yield f"docs/{page}.1", man_page(found(place).parser(), page)
    yield "docs/reference/commands.md", commands_page()


def parts_of_commands() -> Iterator[tuple[str, str, list[str]]]:
    """The same of parts of files: also what begins a comment in each."""
    rows = [f"   {name:11}{found(place).parser().about.summary}" for name, place in DOOR.items()]
    yield "build-aux/cg2.in", "#", ["command_list='", *rows, "'"]


def of_tool(told: str) -> Iterator[tuple[str, str]]:
    """The files that are made of the tool's help."""
    yield "docs/reference/options.md", options_page(tool_groups(told))


def parts_of_tool(told: str) -> Iterator[tuple[str, str, list[str]]]:
    """The same of parts of files."""
    yield "docs/cg2.1", '.\\"', list(man_options(tool_groups(told)))


def with_part(text: str, comment: str, lines: list[str]) -> str:
    """A file's text with what is made in place of what is between the marks."""
    first, last = (mark.format(comment) for mark in _MARKS)
    pattern = rf"(?ms)^{re.escape(first)}\n.*?^{re.escape(last)}$"
    if len(re.findall(pattern, text)) != 1:
        raise ValueError(f"expected one part between '{first}' and '{last}'")
    made = "\n".join([first, *lines, last])
    return re.sub(pattern, lambda _: made, text)


def made(source: Path, told: str = "") -> Iterator[tuple[Path, str]]:
    """Every file, and what it has to be; those of the tool if its help is `told`."""
    for name, text in [*of_commands(), *(of_tool(told) if told else ())]:
        yield source / name, text
    for name, comment, lines in [*parts_of_commands(), *(parts_of_tool(told) if told else ())]:
        yield source / name, with_part((source / name).read_text(), comment, lines)


def write_all(source: Path, valgrind: str) -> None:
    """Write all files that are not yet as they have to be."""
    for path, text in made(source, help_of_tool(valgrind)):
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


if __name__ == "__main__":
    write_all(Path(sys.argv[1]), sys.argv[2])
