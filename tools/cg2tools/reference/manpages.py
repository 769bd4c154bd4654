"""The man pages of the commands."""

import argparse
import re
from collections.abc import Iterator

from cg2tools import VERSION
from cg2tools.commandline.parser import Parser, forms_of, help_of, metavar_of, paragraphs
from cg2tools.door.commands import DOOR, SCRIPTS

_OPTION = re.compile(r"(?<![\w/-])(--?[A-Za-z][\w-]*)")

_HAS_OWN_PAGE = [name for name in DOOR if name != "merge"]
"""Commands of the door that are not called as a script is."""

PAGES = {
    **{f"cg2-{name}": DOOR[name] for name in _HAS_OWN_PAGE},
    **SCRIPTS,
}
"""The name of each page, and where its command is."""


def man_page(parser: Parser, page: str) -> str:
    """The page of a command in roff."""
    return "\n".join(_lines(parser, page)) + "\n"


def head(page: str, summary: str) -> Iterator[str]:
    """How a page begins, which the commands of the project share."""
    yield '.\\" Made by `make reference`.'
    yield f'.TH {page.upper()} 1 "" "cg2 {VERSION}" "User Commands"'
    yield ".SH NAME"
    yield f"{roff(page)} \\- {roff(summary)}"


def _lines(parser: Parser, page: str) -> Iterator[str]:
    about = parser.about
    yield from head(page, about.summary)
    yield ".SH SYNOPSIS"
    for number, usage in enumerate(about.usages):
        yield from [".br"] * bool(number)
        yield f"\\fB{roff(about.name)}\\fR {_usage(usage)}"
    yield ".SH DESCRIPTION"
    yield from text(about.description)
    yield ".SH OPTIONS"
    for group in parser.all_groups():
        if group.title:
            yield f".SS {roff(group.title)}"
        for action in group.actions:
            yield ".TP"
            yield _forms(action)
            yield from _meaning(parser, action)
    if about.notes:
        yield ".SH NOTES"
        yield from text(about.notes)
    for title, said in about.details:
        yield f".SH {title.upper()}"
        yield from text(said)
    yield ".SH EXIT STATUS"
    yield roff(about.status)
    yield ".SH EXAMPLES"
    for command, shown in about.examples:
        yield ".PP"
        yield from [roff(f"{shown[:1].upper()}{shown[1:]}:")] * bool(shown)
        yield ".PP" if shown else ""
        yield ".EX"
        yield roff(command)
        yield ".EE"
    yield from see_also(page)


def see_also(page: str) -> Iterator[str]:
    """What each page ends with."""
    yield ".SH SEE ALSO"
    yield "share/doc/cg2/guide/README.md, the guide, where cg2 was installed."
    yield ".PP"
    others = [name for name in ("cg2", *PAGES) if name != page]
    yield ",\n".join(f".BR {roff(name)} (1)" for name in [*others, "valgrind"]).replace(
        "(1),", "(1),"
    )


def text(said: str) -> Iterator[str]:
    """Paragraphs; lines that begin with blanks stand as they are."""
    for number, block in enumerate(paragraphs(said)):
        yield from [".PP"] * bool(number)
        if block.startswith(" "):
            yield ".nf"
            yield from map(roff, block.splitlines())
            yield ".fi"
        else:
            yield from _filled(block)


def _filled(block: str) -> Iterator[str]:
    """A sentence a line, so that a change of one is seen as that."""
    yield from map(_marked, re.split(r"(?<=[.:;]) (?=[A-Z])", block))


def _meaning(parser: Parser, action: argparse.Action) -> Iterator[str]:
    default = parser.default_of(action)
    lines = help_of(action).split("\n")
    for number, line in enumerate(lines):
        yield from [".br"] * bool(number)
        yield _marked(line.strip()) + (
            f" [{roff(default)}]" if default and number == len(lines) - 1 else ""
        )


def _marked(line: str) -> str:
    """Options in bold letters."""
    return roff(_OPTION.sub("\x01\\1\x02", line)).replace("\x01", "\\fB").replace("\x02", "\\fR")


def _forms(action: argparse.Action) -> str:
    value = metavar_of(action)
    return ", ".join(
        f"\\fB{roff(flag)}\\fR{_value(behind, value)}" for flag, behind in forms_of(action)
    )


def _value(behind: str, value: str) -> str:
    """What stands behind an option: its value in italics."""
    if not value:
        return ""
    before, after = behind.split(value, 1)
    return f"{roff(before)}\\fI{roff(value)}\\fR{roff(after)}"


def _usage(usage: str) -> str:
    """Names that stand for something in italics."""
    return re.sub(r"\b([A-Z]{2,})\b", r"\\fI\1\\fR", roff(usage))


def roff(said: str) -> str:
    """A text that roff shows as it is; lines may break between choices such as yes|no."""
    said = said.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    said = re.sub(r"(?<=\w)\|(?=\w)", r"|\\:", said)
    return f"\\&{said}" if said.startswith((".", "'")) else said
