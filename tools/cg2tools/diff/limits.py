"""Limits of what the program or its functions may cost.

    parse_limit("1%")                  the total of the event that is compared
    parse_limit("parse:Ir=3%")         what parse itself costs
    parse_limit("parse:inclusive:Ir=500000")
    read_limits("cg2-limits.toml")     a file with many

A soft limit is in percent: NEW may cost so much more than OLD.  A hard limit is
a figure: NEW may cost so much.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cg2tools.profile.terms import ProfileError, shortened

_INCLUSIVE = "inclusive"

_PERCENT = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)%")
_LIMIT = re.compile(
    r"(?:(?P<function>.+?)(?:(?<!:):(?P<kind>self|inclusive))?:(?!:))?"
    r"(?:(?P<event>[^\s:=]+)=)?(?P<most>[0-9.]+%?)"
)
_FILE_MAX = 1 << 20
"""Bytes of the largest file of limits."""

_MOST = 1 << 64
"""What no cost reaches."""

_DEEPEST = 4
"""In how many tables a limit is, with its own name: functions, NAME, inclusive, EVENT."""

_AMOUNT = 'a percentage as "5%", or a figure as 10000'


@dataclass(frozen=True, slots=True)
class Limit:
    """What one event may cost."""

    most: Fraction | int  # a Fraction is soft: percent by which the cost may grow
    place: str  # where it is said: an option, or a file
    line: int = 0  # of the file
    event: str = ""  # "": the one that is compared
    function: str = ""  # a name, or a pattern as in "parse_*"; "": the program
    inclusive: bool = False  # with what the function calls
    beyond_layout: bool = False  # only where the difference is real

    @property
    def is_soft(self) -> bool:
        return isinstance(self.most, Fraction)

    @property
    def allowed(self) -> str:
        """The most that is allowed, in words."""
        return f"{float(self.most):g} %" if self.is_soft else f"{self.most:,}"

    def is_exceeded(self, old: int, new: int) -> bool:
        if self.is_soft:
            return (new - old) * 100 > self.most * old
        return new > self.most

    def fault(self, message: str) -> ProfileError:
        """What is wrong with the limit."""
        return ProfileError(self.place, self.line, message)


def parse_limit(text: str) -> Limit:
    """The limit that a command line says; ValueError if it is none."""
    found = _LIMIT.fullmatch(text)
    most = None if found is None else _amount(_figure(found["most"]))
    if found is None or most is None or not (found["event"] or isinstance(most, Fraction)):
        raise ValueError(
            f"'{text}'; expected a percentage as in 1%, or a limit as in Ir=5%, Ir=10000, "
            "parse:Ir=3% or parse:inclusive:Ir=3%"
        )
    return Limit(
        most,
        f"--fail-above={text}",
        event=found["event"] or "",
        function=found["function"] or "",
        inclusive=found["kind"] == _INCLUSIVE,
    )


def _figure(text: str) -> int | str:
    return int(text) if text.isdigit() and len(text) < 20 else text


def _amount(said: Any) -> Fraction | int | None:
    """What is said as the most; None if it is no limit."""
    if isinstance(said, str):
        percent = _PERCENT.fullmatch(said)
        return Fraction(percent[1]) if percent else None
    return said if type(said) is int and 0 <= said < _MOST else None


# ---- A file ------------------------------------------------------------------


def read_limits(path: str) -> list[Limit]:
    """The limits in a file of TOML; ProfileError where it is none of these."""
    import tomllib  # only where there are limits

    with open(path, "rb") as file:
        data = file.read(_FILE_MAX + 1)
    if len(data) > _FILE_MAX:
        raise ProfileError(path, 0, f"more than {_FILE_MAX:,} bytes; expected limits")
    try:
        text = data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ProfileError(path, line, "bytes that are no UTF-8; expected TOML") from None
    try:
        said = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(path, text, str(error)) from None
    except ValueError:  # of Python's own numbers
        raise ProfileError(path, 0, f"a number of too many digits; expected {_AMOUNT}") from None
    except RecursionError:
        raise ProfileError(path, 0, "brackets in too many brackets; expected limits") from None
    return [*_File(path, _lines(text)).limits(said)]


def _syntax_error(path: str, text: str, message: str) -> ProfileError:
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", message)
    if found is None:
        return ProfileError(path, 0, f"{message}; expected TOML")
    line = int(found[2] or text.rstrip("\n").count("\n") + 1)
    column = f", in column {found[3]}" if found[3] else ""
    return ProfileError(
        path, line, f"{found[1][:1].lower()}{found[1][1:]}{column}; expected TOML as 'Ir = \"5%\"'"
    )


class _File:
    """A file of limits: its tables, and where each stands."""

    def __init__(self, path: str, lines: Mapping[tuple[str, ...], int]) -> None:
        self.path = path
        self.lines = lines

    def limits(self, said: Mapping[str, Any]) -> Iterator[Limit]:
        for name, table in said.items():
            if name == "total":
                yield from self._events((name,), table, "")
            elif name == "functions":
                yield from self._functions((name,), table)
            else:
                raise self._fault((name,), f"'{name}'; expected [total] or [functions.\"NAME\"]")

    def _functions(self, place: tuple[str, ...], table: Any) -> Iterator[Limit]:
        for name, limits in self._table(place, table, '"NAME" = { Ir = "5%" }'):
            yield from self._events((*place, name), limits, name)

    def _events(
        self, place: tuple[str, ...], table: Any, function: str, inclusive: bool = False
    ) -> Iterator[Limit]:
        for event, said in self._table(place, table, 'Ir = "5%"'):
            here = (*place, event)
            if function and not inclusive and event == _INCLUSIVE:
                yield from self._events(here, said, function, inclusive=True)
                continue
            beyond = isinstance(said, dict) and self._is_beyond_layout(here, said)
            amounts = said["max"] if beyond else said
            if amounts == [] or isinstance(amounts, dict):
                raise self._fault(here, f"{_shown(said)} for {event}; expected {_AMOUNT}")
            for amount in amounts if isinstance(amounts, list) else [amounts]:
                most = _amount(amount)
                if most is None:
                    raise self._fault(here, f"{_shown(amount)} for {event}; expected {_AMOUNT}")
                yield Limit(most, self.path, self._line(here), event, function, inclusive, beyond)

    def _is_beyond_layout(self, place: tuple[str, ...], said: Mapping[str, Any]) -> bool:
        """Whether a table says a limit that only what is real can exceed."""
        if said.keys() == {"max", "beyond"} and said["beyond"] == "layout":
            return True
        if said.keys() & {"max", "beyond"}:
            example = '{ max = "2%", beyond = "layout" }'
            raise self._fault(place, f"{_shown(said)} for {place[-1]}; expected {example}")
        return False

    def _table(self, place: tuple[str, ...], table: Any, example: str) -> Iterator[tuple[str, Any]]:
        if not isinstance(table, dict):
            raise self._fault(
                place, f"{_shown(table)} for {place[-1]}; expected a table as {example}"
            )
        yield from table.items()

    def _line(self, place: tuple[str, ...]) -> int:
        return self.lines.get(place, 0)

    def _fault(self, place: tuple[str, ...], message: str) -> ProfileError:
        return ProfileError(self.path, self._line(place), message)


def _shown(said: Any) -> str:
    if isinstance(said, dict):
        return "a table"
    try:
        return shortened(f"'{said}'" if isinstance(said, str) else str(said).lower())
    except (ValueError, RecursionError):
        return "a value of too many digits or brackets"


def _lines(text: str) -> dict[tuple[str, ...], int]:
    """The line in which each table and key of a file of TOML begins.

    What a statement defines is below the last table's name.
    """
    import tomllib

    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for first, statement in _statements(text):
        said = tomllib.loads(statement)
        is_header = statement.lstrip().startswith("[")
        table = () if is_header else table
        for path in _paths(said):
            found.setdefault((*table, *path), first)
        if is_header:
            *_, table = _paths(said)
    return found


_PIECE = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|'
    r"'''.*?'{3,5}|"
    r'"(?:\\.|[^"\\\n])*"|'
    r"'[^'\n]*'|#[^\n]*|[][{}\n]",
    re.DOTALL,
)
"""What ends a statement of TOML, or has in it what seems to."""


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """The statements of a file that is TOML, each with the number of its first line."""
    start, line, depth, lines = 0, 1, 0, 1
    for piece in _PIECE.finditer(text):
        word = piece[0]
        lines += word.count("\n")
        depth += (word in ("[", "{")) - (word in ("]", "}"))
        if word == "\n" and not depth:
            yield line, text[start : piece.end()]
            start, line = piece.end(), lines
    yield line, text[start:]


def _paths(said: Mapping[str, Any], deepest: int = _DEEPEST) -> Iterator[tuple[str, ...]]:
    """The names of all keys that limits can have, those of a table before those in it."""
    for name, value in said.items():
        yield (name,)
        if isinstance(value, dict) and deepest > 1:
            yield from ((name, *path) for path in _paths(value, deepest - 1))
