"""The parser of a command, which writes its help of the options that it takes."""

import argparse
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from cg2tools import VERSION
from cg2tools.commandline.option import Option
from cg2tools.commandline.values import on_or_off, yes_or_no
from cg2tools.profile.terms import printable

WIDTH = 80
"""Characters of a line of help."""

_INDENT = 25
"""Where the text of an option begins."""

_NEAR = 0.75
"""How much alike an option is to one that it may be meant for, as difflib has it."""

_EXAMPLE_MAX = 40
"""The most characters of a command line behind which it is said what that shows."""

_WORDS: dict[object, tuple[str, ...]] = {yes_or_no: ("yes", "no"), on_or_off: ("on", "off")}
"""What values of these types can be."""


@dataclass(frozen=True, slots=True)
class About:
    """What a command is, in words: what its help, man page and reference say beside its options.

    `examples` are command lines, each with what it shows. Paragraphs are divided by empty
    lines; lines that begin with blanks are shown as they stand.
    """

    name: str  # as the command is run: cg2 data
    summary: str  # a line, without a full stop
    usages: tuple[str, ...]  # what stands behind the name
    description: str
    examples: tuple[tuple[str, str], ...] = ()
    notes: str = ""  # behind the options
    status: str = (
        "0; 1 if a file cannot be read, is cut off or is not what it should be, which one line "
        "says; 2 if an option is wrong."
    )
    details: tuple[tuple[str, str], ...] = ()  # chapters of the man page: title and text
    similar: tuple[str, ...] = ()  # man pages to see


@dataclass(frozen=True, slots=True)
class Line:
    """A command line that was read: the values of all options, and the names of those given."""

    parser: "Parser"
    values: dict[str, Any]
    given: frozenset[str]

    @property
    def command(self) -> str:
        """The name of the command in messages."""
        return self.parser.prog

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name)

    def has(self, *names: str) -> bool:
        """Whether one of these options is given."""
        return not self.given.isdisjoint(names)

    def differs(self, *names: str) -> bool:
        """Whether one of these options has another value than its default."""
        return any(self[name] != self.parser.defaults.get(name) for name in names)


@dataclass(slots=True)
class Group:
    """Options that belong together."""

    title: str  # "" is none
    actions: list[argparse.Action]


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line.

    It takes options in groups; `defaults` are the values of those that are not given.
    """

    def __init__(self, about: About) -> None:
        super().__init__(prog=about.name, usage=about.usages[0], allow_abbrev=False, add_help=False)
        self.about = about
        self.defaults: dict[str, Any] = {}
        self.elsewhere: Mapping[str, str] = {}  # options that only other commands have, and which
        self.groups: list[Group] = []
        self.accepted = Group("Options that help does not list, as few need them", [])
        version = f"{self.prog} {VERSION}"
        self._last = Group(
            "",
            [
                self.add_argument("-h", "--help", action="help", help="this text"),
                self.add_argument(
                    "--version", action="version", version=version, help="the version"
                ),
            ],
        )

    def take(self, title: str, *options: Option, one_of: Sequence[Option] = ()) -> None:
        """Take a group of options; of those in `one_of`, which come last, one may be given."""
        group = self._group(title, options, one_of)
        self.groups.append(group)

    def accept(self, *options: Option) -> None:
        """Take options that help does not list, as few need them; the reference has them."""
        self.accepted.actions += self._group("", options, ()).actions

    def _group(self, title: str, options: Sequence[Option], one_of: Sequence[Option]) -> Group:
        group = Group(title, [])
        others = self.add_mutually_exclusive_group() if one_of else self
        for each in (*options, *one_of):
            self.defaults[each.name] = each.default
            place = others if each in one_of else self
            group.actions.append(
                place.add_argument(*each.flags, default=argparse.SUPPRESS, **each.settings)
            )
        return group

    def take_files(self, name: str, nargs: str = "*", metavar: str | None = None) -> None:
        """Take what stands on the command line beside options."""
        self.add_argument(name, nargs=nargs, metavar=metavar)

    def line(self, arguments: list[str]) -> Line:
        """Read a command line."""
        given = vars(self.parse_intermixed_args([self._complete(word) for word in arguments]))
        return Line(self, self.defaults | given, frozenset(given))

    def _complete(self, word: str) -> str:
        """An option that may lack its value does not take the word behind it for that."""
        action = self._option_string_actions.get(word)
        if action is None or action.nargs != "?" or not word.startswith("--"):
            return word
        return f"{word}={action.const or ''}"

    def all_groups(self) -> list[Group]:
        """The groups that were taken, and behind them what each command has."""
        return [*self.groups, self._last]

    def default_of(self, action: argparse.Action) -> str:
        """The default as help shows it: "" is none, or one that the text of the option says."""
        value = self.defaults.get(action.dest)
        if action.nargs == 0 or value is None or help_of(action).endswith("]"):
            return ""
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:g}" if isinstance(value, (int, float)) else str(value or "")

    def error(self, message: str) -> NoReturn:
        _, _, words = message.partition("unrecognized arguments: ")
        names = [word.partition("=")[0] for word in words.split() if word.startswith("--")]
        said = printable(f"{message}{self._near(names)}")
        self.exit(2, f"{self.prog}: {said}; see {self.prog} --help\n")

    def _near(self, names: Sequence[str]) -> str:
        """Where those options are that argparse does not know, or what they may be meant for."""
        from difflib import get_close_matches  # only where one is wrong

        others = [
            f"; for {name}: {self.elsewhere[name]}" for name in names if name in self.elsewhere
        ]
        if others:
            return "".join(others)
        known = [flag for flag in self._option_string_actions if flag.startswith("--")]
        found = [near for name in names for near in get_close_matches(name, known, 1, _NEAR)]
        return f"; near to it: {', '.join(dict.fromkeys(found))}" if found else ""

    def format_help(self) -> str:
        return "\n".join(_help_lines(self)) + "\n"


# ---- Options in words ------------------------------------------------------


def help_of(action: argparse.Action) -> str:
    """What an option means, without argparse's escapes."""
    return (action.help or "").replace("%%", "%")


def values_of(action: argparse.Action) -> list[str]:
    """All values that an option can have; none if they cannot be listed."""
    if action.choices:
        return [str(value) for value in action.choices]
    return [*_WORDS.get(action.type, ())]


def metavar_of(action: argparse.Action) -> str:
    """What stands for the value of an option; "" if it has none."""
    if action.nargs == 0:
        return ""
    return str(action.metavar or "") or "|".join(values_of(action)) or action.dest.upper()


def forms_of(action: argparse.Action) -> list[tuple[str, str]]:
    """The ways to write an option: its name, and behind it =VALUE, or a VALUE apart, or nothing."""
    value = metavar_of(action)
    forms = []
    for flag in action.option_strings:
        behind = f"={value}" if flag.startswith("--") else f" {value}"
        if action.nargs == "?":
            behind = f"[{behind}]" if flag.startswith("--") else f" [{value}]"
        forms.append((flag, behind if value else ""))
    shown = forms[:1] + [form for form in forms[1:] if form[0].startswith("--")]
    return [form for form in shown if form[0] != "--color"]


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text: one line each, or lines that are shown as they stand."""
    found = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        is_shown = block.startswith(" ")
        found.append(block if is_shown else " ".join(block.split()))
    return [block for block in found if block]


# ---- Help ------------------------------------------------------------------


def _help_lines(parser: Parser) -> Iterator[str]:
    about = parser.about
    for head, usage in zip(["usage:", *["      "] * len(about.usages)], about.usages):
        yield f"{head} {about.name} {usage}"
    for block in paragraphs(about.description):
        yield ""
        yield from _wrapped(block)
    if about.examples:
        yield ""
        short = [len(command) for command, shown in about.examples if len(command) <= _EXAMPLE_MAX]
        for command, shown in about.examples:
            yield from _example(command, shown, max(short, default=_EXAMPLE_MAX) + 4)
    yield ""
    for group in parser.all_groups():
        if group.title:
            yield f"{group.title}:"
        for action in group.actions:
            yield from _option(parser, action)
    for block in paragraphs(about.notes):
        yield ""
        yield from _wrapped(block)


def _wrapped(block: str) -> list[str]:
    if block.startswith(" "):
        return block.splitlines()
    return textwrap.wrap(block, WIDTH, break_long_words=False, break_on_hyphens=False)


def _example(command: str, shown: str, column: int) -> Iterator[str]:
    """A command line, and from a column of the line what it shows."""
    lines = textwrap.wrap(shown, WIDTH - column, break_on_hyphens=False)
    if len(command) + 4 > column or not lines:
        yield f"  {command}"
    else:
        yield f"  {command}".ljust(column) + lines.pop(0)
    yield from (" " * column + line for line in lines)


def _option(parser: Parser, action: argparse.Action) -> Iterator[str]:
    forms = "  " + ", ".join(flag + value for flag, value in forms_of(action))
    lines = [line for part in help_of(action).split("\n") for line in _part(part)]
    default = parser.default_of(action)
    if default:
        last = lines[-1] if lines else ""
        room = WIDTH - _INDENT - len(last) - len(default) - 2
        if room >= 1:
            lines[-1:] = [f"{last}{' ' * room}[{default}]"]
        else:
            lines.append(f"[{default}]".rjust(WIDTH - _INDENT))
    if len(forms) < _INDENT:
        yield f"{forms.ljust(_INDENT)}{lines.pop(0)}"
    else:
        yield forms
    yield from (" " * _INDENT + line for line in lines)


def _part(text: str) -> list[str]:
    """A line of an option's text, as wide as there is room; blanks in front of it stay."""
    indent = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(
        text,
        WIDTH - _INDENT,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
