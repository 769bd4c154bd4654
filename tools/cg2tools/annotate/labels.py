"""The labels of rows, whole or as much of them as a terminal has room for."""

import re
from typing import NamedTuple

from cg2tools.profile.model import UNKNOWN, FunctionKey
from cg2tools.profile.spoken import Spoken
from cg2tools.profile.tails import Tails

_LEAST = 10
"""The characters that are kept of a name, even if the line then is longer than the terminal is wide."""

_TYPE_LEAST = 24
"""The characters that are kept of a type behind a name, if the name has no room beside all of it."""

_TEMPLATE = re.compile(r"<(?! |\.\.>)(?:[^<>]|<\.\.>)*>")
"""Arguments of a template, of which those inside are elided."""


NO_TAILS = Tails(())
"""Nothing is shown together: paths are their last parts."""


class Label(NamedTuple):
    """A text; or a function or another name, with what stands before and after it."""

    before: str
    key: FunctionKey | str = ""
    after: str = ""
    has_object: bool = True
    """A function is shown with its object."""
    type: str = ""
    """The type of what is named, which stands behind all else."""

    def __str__(self) -> str:
        return f"{self.before}{self.key}{self.after}{self._typed(self.type)}"

    def _typed(self, type: str) -> str:
        return f": {type}" if type else ""

    def spoken(self, names: Spoken) -> "Label":
        """The label with the name that a function is shown with."""
        if isinstance(self.key, str):
            return self
        key = names.key_of(self.key)
        return self._replace(key=key if self.has_object else key._replace(object=UNKNOWN))

    def within(self, room: int, tails: Tails = NO_TAILS) -> str:
        """The label in so many characters.  A text without a name is whole, as lines of source are.

        Files and objects without room are shown by their `tails`.
        """
        if not self.key:
            return self.before
        room -= len(self.before) + len(self.after)
        beside = room - min(len(self._typed(self.type)), _TYPE_LEAST)
        name = _within(self.key, max(beside, self._place, _LEAST), tails)
        left = room - len(name) - len(": ")
        type = elided(self.type, left) if left >= _LEAST else ""
        return f"{self.before}{name}{self.after}{self._typed(type)}"

    @property
    def _place(self) -> int:
        """What the first word of a name needs, which for a heap block is the line that allocates it."""
        return len(self.key.partition(" ")[0]) + len("..") if isinstance(self.key, str) else 0


def _within(key: FunctionKey | str, room: int, tails: Tails) -> str:
    """A function without directories that others have, too, without its object, or at last cut."""
    if isinstance(key, str):
        return elided(key, room)
    short = FunctionKey(tails.of(key.object), tails.of(key.file), key.name)
    for name in str(key), str(short), f"{short.file}:{short.name}":
        if len(name) <= room:
            return name
    return cut(name, room)


def elided(text: str, room: int) -> str:
    """A text in which arguments of templates are left out, innermost first, until there is room; at last
    cut."""
    while len(text) > room and (found := max(_TEMPLATE.findall(text), key=len, default="")):
        text = text.replace(found, "<..>")
    return cut(text, room)


def cut(text: str, room: int) -> str:
    """The text, or as much of it as there is room for."""
    return text if len(text) <= room else text[: max(room - 2, 0)] + ".."
