"""The options of the tool, as `valgrind --tool=cg2 --help` tells them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from cg2tools.reference.manpages import roff
from cg2tools.reference.tables import table_row

_GROUP = re.compile(r"   (\S.*):$")
_OPTION = re.compile(r"    (--\S+(?: <\S+>)?)(?: +(.*))?$")
_MORE = re.compile(r" {20,}(\S.*)$")


@dataclass(slots=True)
class ToolOption:
    """An option: as it is written, --name=VALUE, and what it means."""

    form: str
    meaning: str = ""


@dataclass(slots=True)
class ToolGroup:
    """Options under a title."""

    title: str
    options: list[ToolOption] = field(default_factory=list)


def tool_groups(text: str) -> list[ToolGroup]:
    """The groups of options in what the tool's help says of its own."""
    _, _, own = text.partition("  user options for cg2:\n")
    groups: list[ToolGroup] = []
    for line in own.splitlines():
        if line.startswith("  ") and not line.startswith("   "):
            break
        if title := _GROUP.match(line):
            groups.append(ToolGroup(title[1]))
        elif option := _OPTION.match(line):
            groups[-1].options.append(ToolOption(option[1], option[2] or ""))
        elif (more := _MORE.match(line)) and groups and groups[-1].options:
            last = groups[-1].options[-1]
            last.meaning = f"{last.meaning} {more[1]}".strip()
    return [group for group in groups if group.options]


def man_options(groups: list[ToolGroup]) -> Iterator[str]:
    """The options as a man page has them."""
    for group in groups:
        yield f".SS {roff(group.title[:1].upper() + group.title[1:])}"
        for option in group.options:
            name, equals, value = option.form.partition("=")
            yield ".TP"
            yield f"\\fB{roff(name)}\\fR" + (f"{equals}\\fI{roff(value)}\\fR" if equals else "")
            yield roff(option.meaning)


def options_page(groups: list[ToolGroup]) -> str:
    """The reference of the tool's options in Markdown."""
    lines = [
        "# The options of the tool: reference",
        "",
        "<!-- Made by `make reference` of what the tool's --help tells. -->",
        "",
        "`cg2 --help-options` says the same in a terminal. A default stands in brackets. Options of",
        "Valgrind itself apply as well.",
    ]
    for group in groups:
        title = group.title[:1].upper() + group.title[1:]
        lines += ["", f"## {title}", "", "| option | meaning |", "| --- | --- |"]
        lines += (table_row(f"`{option.form}`", _shown(option.meaning)) for option in group.options)
    return "\n".join(lines) + "\n"


def _shown(meaning: str) -> str:
    """A text in which <f> is no markup."""
    return meaning.replace("<", "\\<").replace("*", "\\*")
