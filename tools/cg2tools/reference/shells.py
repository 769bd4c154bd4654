"""What shells complete on the command lines of the commands: of `cg2` and of each cg2_NAME.

    python3 -m cg2tools.reference.shells DIRECTORY

writes a file for each of them and each shell below DIRECTORY: bash/, zsh/ and fish/. They are
made of the parsers of the commands.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cg2tools.commandline.parser import Parser, help_of, values_of
from cg2tools.door.commands import DOOR, SCRIPTS, found

_FILES = "-o", "-I", "--compare", "--limits", "--junit", "--baselines"
"""Options whose values are files or directories."""

_RUNS = "cg2_control 2>/dev/null | sed -n 's/^PID \\([0-9]*\\): .*/\\1/p'"
"""A command that prints the process ids that cg2_control can be given."""

_FISH_RUNS = 'cg2_control 2>/dev/null | string replace -rf "^PID ([0-9]+): .*" "\\$1"'

_CONTROLLING = "cg2_control", "control", "top"
"""Commands whose arguments are processes."""


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
    """All options, in the order of the help."""
    return [_option(action) for group in parser.all_groups() for action in group.actions]


def _option(action: argparse.Action) -> Option:
    names = action.option_strings
    return Option(
        next((name for name in names if name[1] != "-"), ""),
        [name for name in names if name[1] == "-"],
        action.nargs != 0,
        action.nargs == "?",
        values_of(action),
        bool({*names} & {*_FILES}),
        isinstance(action, argparse._AppendAction),
        meaning_of(action),
    )


def meaning_of(action: argparse.Action) -> str:
    """What an option means, up to the first semicolon or the end of the first line."""
    text = re.sub(r"\s*\[[^\]]*\]$", "", help_of(action).split("\n")[0])
    return text.split("; ")[0]


# ---- bash ------------------------------------------------------------------

_BASH = """\

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

"""

_BASH_DOOR = """\

_cg2()
{{
   if ((COMP_CWORD == 1)); then
      COMPREPLY=()
      while read -r reply; do
         COMPREPLY+=("$reply")
      done < <(compgen -W '{commands}' -- "${{COMP_WORDS[1]}}")
      return
   fi
   case ${{COMP_WORDS[1]}} in
      {choice}) "_cg2_door_${{COMP_WORDS[1]}}" ;;
   esac
}}
"""


def bash(name: str, commands: dict[str, list[Option]]) -> str:
    """Where nothing else is known, bash completes names of files."""
    text = f"# bash completion of {name}, made by cg2tools/reference\n"
    if name != "cg2":
        text += _bash_function(name, name, commands[name])
    else:
        for command, options in commands.items():
            text += _bash_function(f"cg2_door_{command}", command, options)
        text += _BASH_DOOR.format(commands=" ".join(commands), choice=" | ".join(commands))
    return f"{text}\ncomplete -o default -F _{name} {name}\n"


def _bash_function(function: str, name: str, options: list[Option]) -> str:
    words = [form for option in options for form in _forms(option)]
    cases = [
        f"      {'|'.join(option.names())}) words='{' '.join(option.values)}'"
        + (" joined=1" if option.may_lack_it else "")
        + " ;;"
        for option in options
        if option.takes_value
    ]
    rest = f"words=$({_RUNS})" if name in _CONTROLLING else ":"
    return _BASH.format(name=function, values="\n".join(cases), options=" ".join(words), rest=rest)


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


def zsh(name: str, commands: dict[str, list[Option]]) -> str:
    head = f"#compdef {name}\n# made by cg2tools/reference\n\n"
    if name != "cg2":
        return head + "\n".join(_zsh_arguments(name, commands[name])) + "\n"
    lines = [
        "local curcontext=$curcontext state line",
        f"_arguments -C '1:command:({' '.join(commands)})' '*::argument:->command'",
        "case $state:$line[1] in",
    ]
    for command, options in commands.items():
        lines.append(f"command:{command})")
        lines += _zsh_arguments(command, options)
        lines.append(";;")
    return head + "\n".join([*lines, "esac"]) + "\n"


def _zsh_arguments(name: str, options: list[Option]) -> list[str]:
    lines = ["_arguments -s -S \\"]
    for option in options:
        others = "*" if option.may_be_repeated else f"({' '.join(option.names())})"
        for form in option.names():
            value = ""
            if option.takes_value:
                value = ":" * (1 + option.may_lack_it) + "value:" + _zsh_values(option)
                form += "" if form == option.short else ("=-" if option.may_lack_it else "=")
            spec = f"{others}{form}[{_zsh_text(option.meaning)}]{value}"
            lines.append(f"   {_quoted(spec)} \\")
    rest = f"($({_RUNS}))" if name in _CONTROLLING else "_files"
    return [*lines, f"   {_quoted(f'*:argument:{rest}')}"]


def _zsh_values(option: Option) -> str:
    if option.is_file:
        return "_files"
    values = " ".join(option.values).replace(":", "\\:")
    return f"({values})" if values else " "


def _zsh_text(text: str) -> str:
    return re.sub(r"([\[\]:\\])", r"\\\1", text)


# ---- fish ------------------------------------------------------------------


def fish(name: str, commands: dict[str, list[Option]]) -> str:
    lines = ["# made by cg2tools/reference"]
    if name == "cg2":
        words = _quoted(" ".join(commands))
        lines.append(f"complete -c cg2 -n __fish_use_subcommand -a {words}")
    for command, options in commands.items():
        only = f" -n '__fish_seen_subcommand_from {command}'" if name == "cg2" else ""
        start = f"complete -c {name}{only}"
        lines += (f"{start} {_fish_option(option)}" for option in options)
        if command in _CONTROLLING:
            lines.append(f"{start} -f -a '({_FISH_RUNS})'")
    return "\n".join(lines) + "\n"


def _fish_option(option: Option) -> str:
    words = [f"-s {option.short[1:]}"] * bool(option.short)
    words += [f"-l {long[2:]}" for long in option.long]
    if option.takes_value and not option.may_lack_it:
        words.append("-r" if option.is_file else "-x")
    if option.values:
        words.append(f"-a {_quoted(' '.join(option.values))}")
    words.append(f"-d {_quoted(option.meaning)}")
    return " ".join(words)


def _quoted(text: str) -> str:
    """A word of a shell."""
    return "'" + text.replace("'", "'\\''") + "'"


# ---- All -------------------------------------------------------------------

SHELLS = {"bash": (bash, "{}"), "zsh": (zsh, "_{}"), "fish": (fish, "{}.fish")}
"""For each shell what makes a file, and how the file is called."""


def completed() -> dict[str, dict[str, list[Option]]]:
    """For each program, its commands and their options; a script is one command."""
    each = {name: {name: options_of(found(place).parser())} for name, place in SCRIPTS.items()}
    door = {name: options_of(found(place).parser()) for name, place in DOOR.items()}
    return {**each, "cg2": door}


def write_all(directory: Path) -> None:
    """Write the files of all shells."""
    for shell, (text_of, file_name) in SHELLS.items():
        (directory / shell).mkdir(parents=True, exist_ok=True)
        for name, commands in completed().items():
            path = directory / shell / file_name.format(name)
            path.write_text(text_of(name, commands))


if __name__ == "__main__":
    write_all(Path(sys.argv[1]))
