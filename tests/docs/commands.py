"""The command lines that the documents show.

Where they stand:

  README, docs/**/*.md  blocks that are indented by four blanks: each line is a command. What a command
                      prints, and code, is in fenced blocks. In running text, what begins with one of
                      cg2's commands and has arguments
  docs/*.1            between .EX and .EE
  --help              lines that are indented by two blanks and do not begin with an option

Two blanks end a command: what follows explains it. A line that ends in a backslash goes on. A line with
brackets, as in `valgrind --tool=cg2 [options]`, says how a command is made, and is none.
"""

from __future__ import annotations

import functools
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from cg2test import SOURCE, TOOLS
from cg2tools.door.commands import DOOR

COMMANDS = sorted(path.name for path in TOOLS.glob("cg2_*"))
README = SOURCE / "README"
MARKDOWN = sorted(SOURCE.glob("docs/**/*.md"))
PAGES = sorted(SOURCE.glob("docs/*.1"))

# cg2 annotate, or the older cg2_annotate.
_COMMAND = "|".join([*(f"cg2 {name}" for name in DOOR), *COMMANDS])
_INLINE = re.compile(rf"`((?:{_COMMAND}) [^`\n]+)`")


@dataclass(frozen=True)
class Command:
    """A command line, and where it stands."""

    document: str
    section: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.document}:{self.line}: {self.text}"


def name_of(path: Path) -> str:
    """A document as the tests name it: README, guide/run.md, cg2.1."""
    return path.name if path == README else str(path.relative_to(SOURCE / "docs"))


def is_of_cg2(command: str) -> bool:
    """Whether it is one of the commands for profiles, or ends in one, and no run of a program."""
    return bool(re.match(rf"(?:.*\| *)?(?:tools/|\S*/bin/)?(?:{_COMMAND})\b", command))


@functools.cache
def all_commands() -> dict[str, list[Command]]:
    """The commands of each document, in its order."""
    found = {name_of(path): of_text(path) for path in (README, *MARKDOWN)}
    found |= {path.name: of_page(path) for path in PAGES}
    found |= {f"{name} --help": of_help(name) for name in COMMANDS}
    return {
        name: [c for c in commands if "[" not in c.text.split("'")[0]]
        for name, commands in found.items()
    }


def joined(lines: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Lines with their numbers; one that ends in a backslash, and the next, are one."""
    result: list[tuple[int, str]] = []
    for number, line in lines:
        if result and result[-1][1].endswith("\\"):
            result[-1] = result[-1][0], result[-1][1][:-1] + line.strip()
        else:
            result.append((number, line))
    return result


def explained(text: str) -> str:
    """The command without what explains it."""
    return re.split(r"\s{2,}", text.strip())[0]


def of_text(path: Path) -> list[Command]:
    """README and Markdown: headings are underlined or begin with #."""
    section, fenced = "", False
    blocks: list[tuple[int, str]] = []
    result = []
    lines = path.read_text().splitlines()
    sections = {}
    for number, line in enumerate(lines, start=1):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            continue
        elif line.startswith("#"):
            section = line.strip("# ")
        elif re.fullmatch("-{3,}|={3,}", line):
            section = lines[number - 2]
        elif line.startswith("    ") and line.strip():
            blocks.append((number, line[4:]))
        else:
            result += [
                Command(name_of(path), section, number, text) for text in _INLINE.findall(line)
            ]
        sections[number] = section
    result += [
        Command(name_of(path), sections[number], number, explained(text))
        for number, text in joined(blocks)
    ]
    return sorted(result, key=lambda command: command.line)


def of_page(path: Path) -> list[Command]:
    """A man page: what .EX and .EE enclose, without roff's escapes."""
    lines, inside = [], False
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        if line in (".EX", ".EE"):
            inside = line == ".EX"
        elif inside:
            lines.append(
                (number, line.replace("\\-", "-").replace("\\(aq", "'").replace("\\e", "\\"))
            )
    return [Command(path.name, "", number, explained(text)) for number, text in joined(lines)]


def of_help(name: str) -> list[Command]:
    text = subprocess.run(
        [TOOLS / name, "--help"], capture_output=True, text=True, check=True
    ).stdout
    lines = [
        (number, line)
        for number, line in joined(list(enumerate(text.splitlines(), start=1)))
        if re.match(r"  (?![ -])", line)
    ]
    return [Command(f"{name} --help", "", number, explained(line)) for number, line in lines]


def shown(path: Path, start: str) -> str:
    """The fenced block of a document that begins so."""
    every: list[str] = re.findall(r"(?ms)^```\w*\n(.*?)^```$", path.read_text())
    blocks = [block for block in every if block.startswith(start)]
    if len(blocks) != 1:
        raise AssertionError(
            f"{path.name}: {len(blocks)} blocks begin with {start!r}, expected one"
        )
    return blocks[0]
