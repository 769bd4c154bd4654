"""The page of cg2_report: one file of HTML, with all that it needs in it.

It is a template, report.html beside this module, in which what a profile says
takes the place of a mark.  `make` makes the template from tools/report.
"""

import errno
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cg2tools.report.jsontables import Table

TEMPLATE = Path(__file__).with_name("report.html")

_MARK = "<!-- profile -->"

_MANY = 10_000
"""How many members of a list are made text at a time."""


def page(
    template: str,
    tables: Iterable[tuple[str, Table]],
) -> Iterator[bytes]:
    """The pieces of the file; each table is a script element of its own."""
    start, _, end = template.partition(_MARK)
    yield start.encode()
    for name, table in tables:
        yield f'<script type="application/json" id="{name}">'.encode()
        for piece in _json(table):
            yield piece.encode()
        yield b"</script>\n"
        del table  # before the next one is made
    yield end.encode()


def page_template() -> str:
    """The template; FileNotFoundError if it was not made."""
    try:
        return TEMPLATE.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise FileNotFoundError(
            errno.ENOENT,
            "was not built; expected make to have built it, for "
            "which it needs npm and its registry (Debian: apt-get install npm)",
            str(TEMPLATE),
        ) from error


def _json(value: Any) -> Iterator[str]:
    """JSON in pieces, as the whole text may be as large as the profile."""
    if isinstance(value, dict):
        before = "{"
        for key, member in value.items():
            yield f"{before}{_text(key)}:"
            yield from _json(member)
            before = ","
        yield "}" if value else "{}"
    elif isinstance(value, list) and value and isinstance(value[0], list):
        before = "["
        for member in value:
            yield before
            yield from _json(member)
            before = ","
        yield "]"
    elif isinstance(value, list) and len(value) > _MANY:
        before = "["
        for start in range(0, len(value), _MANY):
            yield before + _text(value[start : start + _MANY])[1:-1]
            before = ","
        yield "]"
    else:
        yield _text(value)


def _text(value: object) -> str:
    """JSON that ends no script element and begins no comment in it."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
