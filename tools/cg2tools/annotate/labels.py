"""The labels of rows, whole or as much of them as a terminal has room for."""

import os
from typing import NamedTuple

from cg2tools.profile.model import UNKNOWN, FunctionKey
from cg2tools.profile.spoken import Spoken

_LEAST = 10
"""The characters that are kept of a name, even if the line then is longer than the terminal is wide."""


class Label(NamedTuple):
    """A text; or a function or another name, with what stands before and after it."""

    before: str
    key: FunctionKey | str = ""
    after: str = ""
    has_object: bool = True
    """A function is shown with its object."""

    def __str__(self) -> str:
        return f"{self.before}{self.key}{self.after}"

    def spoken(self, names: Spoken) -> "Label":
        """The label with the name that a function is shown with."""
        if isinstance(self.key, str):
            return self
        key = names.key_of(self.key)
        return self._replace(key=key if self.has_object else key._replace(object=UNKNOWN))

    def within(self, room: int) -> str:
        """The label in so many characters.  A text without a name is whole, as lines of source are."""
        if not self.key:
            return self.before
        name = _within(self.key, max(room - len(self.before) - len(self.after), _LEAST))
        return f"{self.before}{name}{self.after}"


def _within(key: FunctionKey | str, room: int) -> str:
    """A function without directories, without its object, or at last cut."""
    if isinstance(key, str):
        return cut(key, room)
    short = FunctionKey(os.path.basename(key.object), os.path.basename(key.file), key.name)
    for name in str(key), str(short), f"{short.file}:{short.name}":
        if len(name) <= room:
            return name
    return cut(name, room)


def cut(text: str, room: int) -> str:
    """The text, or as much of it as there is room for."""
    return text if len(text) <= room else text[: max(room - 2, 0)] + ".."
