"""An option, written once: what it is called, what it takes, what it means.

    ROWS = option("--rows", metavar="N", type=whole_number, default=20, help="N rows; 0: all")

A Parser takes options in groups. What `help` says is shown by --help, by the man page, by the
reference and by shells. A default is shown behind it, unless it ends with a text in brackets
itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Option:
    """What argparse is told of an option, and its default, which argparse is not told of."""

    flags: tuple[str, ...]
    settings: dict[str, Any]
    default: object

    @property
    def name(self) -> str:
        """What its value is called: `data_type` of --data-type."""
        given: str | None = self.settings.get("dest")
        long = next((flag for flag in self.flags if flag.startswith("--")), self.flags[0])
        return given or long.lstrip("-").replace("-", "_")

    def but(self, **changed: Any) -> "Option":
        """The same option of a command where it has another default or help."""
        default = changed.pop("default", self.default)
        return Option(self.flags, {**self.settings, **changed}, default)


def option(*flags: str, help: str, default: object = None, **settings: Any) -> Option:
    """An option; the settings are those of argparse's add_argument."""
    return Option(flags, {"help": help, **settings}, default)


def switch(*flags: str, help: str, **settings: Any) -> Option:
    """An option that takes no value, and is there or not."""
    return option(*flags, help=help, default=False, action="store_true", **settings)


def repeated(
    *flags: str, metavar: str, help: str, type: Callable[[str], Any], **settings: Any
) -> Option:
    """An option that may be given many times; its values are a list."""
    return option(
        *flags, metavar=metavar, help=help, type=type, default=[], action="append", **settings
    )
