"""A command: what it takes, and what it does."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cg2tools.commandline.inputs import run_command
from cg2tools.commandline.parser import Line, Parser


@dataclass(frozen=True, slots=True)
class Command:
    """A command on profiles.

    `parser` makes its parser. `work` does what a command line asks for, and returns the exit
    status.
    """

    parser: Callable[[], Parser]
    work: Callable[[Line], int]

    def run(self, arguments: list[str], _: Sequence[Path] = ()) -> int:
        """Run the command; return its exit status."""
        return run_command(arguments, self.parser().line, self.work)
