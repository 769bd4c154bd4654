"""How data objects are said to a person."""

import os
import re
from collections.abc import Callable, Iterable
from functools import cache

from cg2tools.data.objects import DataObject
from cg2tools.data.symbols import as_written
from cg2tools.profile.glob import glob
from cg2tools.profile.model import FunctionKey
from cg2tools.profile.spoken import Spoken

_PLACE = re.compile(r"(?P<place>[^()<>]*[:+][0-9a-fx]+) \((?P<function>.*)\)")
"""Where heap blocks are allocated: ast.c:120 (parse_expr)."""

ARGUMENTS = " (arguments)"
"""What ends the name of arguments that a function is passed on the stack."""

_CALLED_BY = " < "


class ObjectNames:
    """What is shown for the names of objects: functions of C++ and Rust in them as people say them."""

    def __init__(self, objects: Iterable[DataObject], program: str, full: bool = False) -> None:
        """`program` is what ran: the object of an own symbol is not said. With `full`, names are as they
        are."""
        self._program = os.path.basename(program)
        self._full = full
        known = list(objects)
        self._spoken = Spoken(
            (function for object in known for function in _functions_in(object)), full
        )

    def of(self, object: DataObject) -> str:
        """The name without its kind; with the ELF object of a symbol, unless it is the program."""
        text = object.text if self._full else self._said(object)
        elf = os.path.basename(object.elf)
        shows_elf = object.kind in ("static", "stack") and elf not in ("", self._program)
        suffix = f" [{elf}]"  # files with types have it where names are several objects'
        return f"{text}{suffix}" if shows_elf and not text.endswith(suffix) else text

    def _said(self, object: DataObject) -> str:
        return said(object.kind, object.text, lambda function: self._say(object, function))

    def _say(self, object: DataObject, function: str) -> str:
        return self._spoken.name_of(FunctionKey(object.elf, "", function))


def said(kind: str, text: str, say: Callable[[str], str]) -> str:
    """What is shown for an object's name; `say` says what is for a function's."""
    if kind == "static":
        return as_written(text)
    if kind == "stack":
        name, arguments = _frame(text)
        return say(name) + arguments
    if kind != "heap":
        return text
    return _CALLED_BY.join(
        f"{match['place']} ({say(match['function'])})" if match else place
        for place, match in _places(text)
    )


def _functions_in(object: DataObject) -> Iterable[FunctionKey]:
    """The functions whose names stand in that of an object."""
    names = []
    if object.kind == "stack":
        names = [_frame(object.text)[0]]
    elif object.kind == "heap":
        names = [match["function"] for _, match in _places(object.text) if match]
    return (FunctionKey(object.elf, "", name) for name in names)


def _places(text: str) -> list[tuple[str, "re.Match[str] | None"]]:
    """The places of an allocation: where it is made, and the callers of that."""
    found = [(place, _PLACE.fullmatch(place)) for place in text.split(_CALLED_BY)]
    # A name of C++ may have the mark in it, too.
    return found if all(match for _, match in found) else [(text, _PLACE.fullmatch(text))]


def _frame(text: str) -> tuple[str, str]:
    """The function of a frame, and what else stands behind it."""
    name = text.removesuffix(ARGUMENTS)
    return name, text[len(name) :]


def said_text(object: DataObject) -> str:
    """The text of the name; that of a variable as it stands in the source."""
    return as_written(object.text) if object.kind == "static" else object.text


def shown_text(object: DataObject) -> str:
    """The text of the name as lists show it, whatever else they show."""
    return said(object.kind, object.text, shown_function)


@cache
def shown_function(name: str) -> str:
    """What is shown for the name of a function that is the only one of its kind."""
    key = FunctionKey("", "", name)
    return Spoken([key]).name_of(key)


def is_named(object: DataObject, pattern: str) -> bool:
    """Whether a pattern means the object: with * or ? all of its name, with kind or without; else a part of
    it.

    A variable has two names, that of its symbol and the one in the source; so has a function, the
    whole one and the one that is shown.
    """
    texts = object.text, shown_text(object)
    names = {*texts, *(f"{object.kind}::{text}" for text in texts)}
    if "*" in pattern or "?" in pattern:
        return any(map(glob(pattern), names))
    return any(pattern in name for name in names)
