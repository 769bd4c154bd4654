"""The page of cg2_report: one file of HTML, with all that it needs in it.

It is a template, report.html beside this module, in which what a profile says
takes the place of a mark.  `make` makes the template from tools/report.
"""

import errno
from collections.abc import Iterable, Iterator
from pathlib import Path

from cg2tools.report.jsontables import Table
from cg2tools.report.packed import packed

TEMPLATE = Path(__file__).with_name("report.html")

WHOLE = "whole-"
"""In front of the names of a second set of tables: the same, where inlined functions are in those around
them."""

_MARK = "<!-- profile -->"


def page(
    template: str,
    tables: Iterable[tuple[str, Table]],
) -> Iterator[bytes]:
    """The pieces of the file; each table is a script element of its own."""
    start, _, end = template.partition(_MARK)
    yield start.encode()
    for name, table in tables:
        yield f'<script type="application/zlib" id="{name}">'.encode()
        yield from packed(table)
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
