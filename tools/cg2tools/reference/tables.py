"""The reference of the commands in Markdown: a section a command, a table a group of options."""

import argparse
import textwrap
from collections.abc import Iterator

from cg2tools.commandline.parser import Parser, forms_of, help_of, paragraphs
from cg2tools.door.commands import DOOR, SCRIPTS, found

_HEAD = """\
# The commands: reference

<!-- Made by `make reference` of the commands' own parsers. -->

`cg2 NAME --help` says the same in a terminal, and so does the man page. A default stands in brackets.

"""


def commands_page() -> str:
    """The whole page."""
    lines = [_HEAD]
    parsers = [found(place).parser() for place in (*DOOR.values(), *SCRIPTS.values())]
    each = {parser.about.name: parser for parser in parsers}
    for name, parser in each.items():
        lines.append(f"* [{name}](#{anchor(name)}): {parser.about.summary}\n")
    for parser in each.values():
        lines += (f"{line}\n" for line in _section(parser))
    return "".join(lines)


def anchor(title: str) -> str:
    """What a link to a section is called."""
    return title.lower().replace(" ", "-")


def _section(parser: Parser) -> Iterator[str]:
    about = parser.about
    yield ""
    yield f"## {about.name}"
    yield ""
    yield "```"
    for usage in about.usages:
        yield f"{about.name} {usage}"
    yield "```"
    for block in paragraphs(about.description):
        yield ""
        yield from _block(block)
    yield ""
    for command, shown in about.examples:
        yield from _item(f"`{command}`" + (f": {shown}" if shown else ""))
    for group in (*parser.all_groups(), parser.accepted):
        if not group.actions:
            continue
        yield ""
        yield f"{group.title or 'Options'}:"
        yield ""
        yield "| option | meaning |"
        yield "| --- | --- |"
        for action in group.actions:
            yield _row(parser, action)
    for block in paragraphs(about.notes):
        yield ""
        yield from _block(block)
    for title, said in about.details:
        yield ""
        yield f"### {title} of {about.name}"
        for block in paragraphs(said):
            yield ""
            yield from _block(block)
    yield ""
    yield "Exit status:"
    yield ""
    for status in about.status.split("; "):
        yield from _item(status)


def _item(text: str) -> list[str]:
    """An item of a list, whose markup stands."""
    return textwrap.wrap(
        f"* {text}", 110, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )


def _row(parser: Parser, action: argparse.Action) -> str:
    forms = ", ".join(f"`{flag}{value}`" for flag, value in forms_of(action))
    default = parser.default_of(action)
    said = help_of(action).replace("\n", "<br>") + (f" [{default}]" if default else "")
    return table_row(forms, said)


def table_row(*cells: str) -> str:
    """A row of a table, whose bars divide nothing else."""
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _block(block: str) -> Iterator[str]:
    """A paragraph, or lines that stand as they are."""
    if block.startswith(" "):
        yield "```"
        yield from block.splitlines()
        yield "```"
    else:
        yield from wrapped(block)


def wrapped(text: str) -> list[str]:
    """Lines that a document has, whose markup is not broken: options stay whole."""
    words, lines = text.split(), [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > 110:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return [line.replace("<", "\\<").replace("*", "\\*") for line in lines]
