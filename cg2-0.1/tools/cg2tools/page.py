"""The page of cg2_report: one file of HTML, with all that it needs in it.

It is a template, report.html beside this module, in which what a profile says
takes the place of a mark.  `make` makes the template from tools/report.
"""

import errno
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

TEMPLATE = Path(__file__).with_name("report.html")

_MARK = "<!-- profile -->"


def page(template: str, blocks: Mapping[str, Any]) -> Iterator[bytes]:
    """The pieces of the file; each block is a script element of its own."""
    start, _, end = template.partition(_MARK)
    yield start.encode()
    for name, block in blocks.items():
        yield (f'<script type="application/json" id="{name}">'
               f"{_json(block)}</script>\n").encode()
    yield end.encode()


def page_template() -> str:
    """The template; FileNotFoundError if it was not made."""
    try:
        return TEMPLATE.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise FileNotFoundError(
            errno.ENOENT, "was not built; expected make to have built it, for "
            "which it needs npm and its registry (Debian: apt-get install npm)",
            str(TEMPLATE)) from error


def _json(block: object) -> str:
    """Text that ends no script element and begins no comment in it."""
    return json.dumps(block, separators=(",", ":")).replace("<", "\\u003c")
