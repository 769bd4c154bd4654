"""What shells complete on the command lines of the commands.

    python3 -m cg2tools.completion.shells DIRECTORY

writes a file for each command and shell below DIRECTORY: bash/, zsh/ and fish/.
They are made of the parsers of the commands, which say what an option takes,
and of their help texts, which say what it means.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cg2tools.annotate.main import annotate_parser
from cg2tools.commandline.console import Parser
from cg2tools.commandline.inputs import yes_or_no
from cg2tools.control.main import control_parser, on_or_off
from cg2tools.convert.main import convert_parser
from cg2tools.diff.main import diff_parser
from cg2tools.merge.main import merge_parser
from cg2tools.report.main import report_parser

PARSERS: tuple[Callable[[], Parser], ...] = (
    annotate_parser,
    control_parser,
    convert_parser,
    diff_parser,
    merge_parser,
    report_parser,
)

_WORDS: dict[object, tuple[str, ...]] = {yes_or_no: ("yes", "no"), on_or_off: ("on", "off")}
"""What arguments of these types can be."""

_FILES = "-o", "-I", "--compare", "--limits", "--junit", "--baselines"
"""Options whose values are files or directories."""

_RUNS = "cg2_control 2>/dev/null | sed -n 's/^PID \\([0-9]*\\): .*/\\1/p'"
"""A command that prints the process ids that cg2_control can be given."""

_FISH_RUNS = "cg2_control 2>/dev/null | " 'string replace -rf "^PID ([0-9]+): .*" "\\$1"'


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command: its names, what values it takes, and what it means."""

    short: str  # "" is none
    long: list[str]
    takes_value: bool
    may_lack_it: bool
    values: list[str]  # all there can be; empty if they cannot be listed
    is_file: bool
    may_be_repeated: bool
    meaning: str

    def names(self) -> list[str]:
        return [self.short] * bool(self.short) + self.long


def options_of(parser: Parser) -> list[Option]:
    """All options, in the order in which the parser was told of them."""
    return [
        _option(action, parser.help_text) for action in parser._actions if action.option_strings
    ]


def _option(action: argparse.Action, help_text: str) -> Option:
    names = action.option_strings
    values = [*action.choices] if action.choices else [*_WORDS.get(action.type, ())]
    return Option(
        next((name for name in names if name[1] != "-"), ""),
        [name for name in names if name[1] == "-"],
        action.nargs != 0,
        action.nargs == "?",
        values,
        bool({*names} & {*_FILES}),
        isinstance(action, argparse._AppendAction),
        _meaning([*names], help_text),
    )


def _meaning(names: list[str], help_text: str) -> str:
    """What the help text says of an option, up to the first semicolon."""
    lines = iter(help_text.splitlines())
    for line in lines:
        if re.match(rf"  (-\S.*)?({'|'.join(names)})\b", line):
            text = line[25:] if line[24:25] == " " else ""
            break
    else:
        return ""
    for line in lines:
        if not line.startswith(" " * 10):
            break
        text += f" {line.strip()}"
    text = re.sub(r"\s*\[[^\]]*\]$", "", text.strip())
    return re.split("; ", re.sub(r"\s+", " ", text))[0]


# ---- bash ------------------------------------------------------------------

_BASH = """\
# bash completion of {name}, made by cg2tools/completion

_{name}()
{{
   # bash takes a word apart at = and :, and wants only what is behind them.
   local word=${{COMP_LINE:0:COMP_POINT}} option= value= words= joined= reply
   word=${{word##*[[:space:]]}}
   value=$word
   case $word in
      --*=*) option=${{word%%=*}} value=${{word#*=}} ;;
      *) ((COMP_CWORD > 1)) && option=${{COMP_WORDS[COMP_CWORD - 1]}} ;;
   esac
   case $option in
{values}
      *) option= ;;
   esac
   if [[ -z $option || -n $joined && $word != --*=* ]]; then
      value=$word words=
      case $word in
         -*) words='{options}' ;;
         *) {rest} ;;
      esac
   fi
   local seen=${{value%"${{value##*[=:]}}"}}
   COMPREPLY=()
   while read -r reply; do
      COMPREPLY+=("${{reply#"$seen"}}")
   done < <(compgen -W "$words" -- "$value")
   if [[ ${{COMPREPLY[*]}} == *= ]]; then
      compopt -o nospace
   fi
}}

complete -o default -F _{name} {name}
"""


def bash(name: str, options: list[Option]) -> str:
    """Where nothing else is known, bash completes names of files."""
    words = [form for option in options for form in _forms(option)]
    cases = [
        f"      {'|'.join(option.names())}) words='{' '.join(option.values)}'"
        + (" joined=1" if option.may_lack_it else "")
        + " ;;"
        for option in options
        if option.takes_value
    ]
    rest = f"words=$({_RUNS})" if name == "cg2_control" else ":"
    return _BASH.format(name=name, values="\n".join(cases), options=" ".join(words), rest=rest)


def _forms(option: Option) -> Iterator[str]:
    """An option as it is written: with = if a value follows."""
    if option.short:
        yield option.short
    for name in option.long:
        if not option.takes_value or option.may_lack_it:
            yield name
        if option.takes_value:
            yield f"{name}="


# ---- zsh -------------------------------------------------------------------


def zsh(name: str, options: list[Option]) -> str:
    lines = [f"#compdef {name}", "# made by cg2tools/completion", "", "_arguments -s -S \\"]
    for option in options:
        others = "*" if option.may_be_repeated else (f"({' '.join(option.names())})")
        for form in option.names():
            value = ""
            if option.takes_value:
                value = ":" * (1 + option.may_lack_it) + "value:" + _zsh_values(option)
                form += "" if form == option.short else ("=-" if option.may_lack_it else "=")
            spec = f"{others}{form}[{_zsh_text(option.meaning)}]{value}"
            lines.append(f"   {_quoted(spec)} \\")
    rest = f"($({_RUNS}))" if name == "cg2_control" else "_files"
    lines.append(f"   {_quoted(f'*:argument:{rest}')}")
    return "\n".join(lines) + "\n"


def _zsh_values(option: Option) -> str:
    if option.is_file:
        return "_files"
    values = " ".join(option.values).replace(":", "\\:")
    return f"({values})" if values else " "


def _zsh_text(text: str) -> str:
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


# ---- fish ------------------------------------------------------------------


def fish(name: str, options: list[Option]) -> str:
    lines = ["# made by cg2tools/completion"]
    for option in options:
        words = [f"complete -c {name}"]
        words += [f"-s {option.short[1:]}"] * bool(option.short)
        words += [f"-l {long[2:]}" for long in option.long]
        if option.takes_value and not option.may_lack_it:
            words.append("-r" if option.is_file else "-x")
        if option.values:
            words.append(f"-a {_quoted(' '.join(option.values))}")
        words.append(f"-d {_quoted(option.meaning)}")
        lines.append(" ".join(words))
    if name == "cg2_control":
        lines.append(f"complete -c {name} -f -a '({_FISH_RUNS})'")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A word of a shell."""
    return "'" + text.replace("'", "'\\''") + "'"


# ---- All -------------------------------------------------------------------

SHELLS = {"bash": (bash, "{}"), "zsh": (zsh, "_{}"), "fish": (fish, "{}.fish")}
"""For each shell what makes a file, and how the file is called."""


def write_all(directory: Path) -> None:
    for shell, (text_of, file_name) in SHELLS.items():
        (directory / shell).mkdir(parents=True, exist_ok=True)
        for parser_of in PARSERS:
            parser = parser_of()
            path = directory / shell / file_name.format(parser.prog)
            path.write_text(text_of(parser.prog, options_of(parser)))


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
