"""Words of profiles in Markdown, which takes them for nothing but text.

    code("operator|")         `operator\\|`, in a cell of a table, too
    plain("Ir")               Ir; what could be more than text is code

A name could be a heading, a picture, or a mention of somebody in the comment of a bot.
"""

import re

from cg2tools.profile.terms import printable, readable

_PLAIN = re.compile(
    r"(?!.*(?:www\.|\bGH-))[A-Za-z0-9]"
    r"(?:[A-Za-z0-9 ,;.%()=+-]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9]))*"
)
"""Texts that Markdown has no meaning for."""

_HEXADECIMAL = re.compile(r"\b[0-9a-f]{7,40}\b")
"""What GitHub may take for a commit."""

_PUNCTUATION = re.compile(r"[^A-Za-z0-9 ]")


def code(name: str) -> str:
    """A name as it stands, in the letters of code."""
    name = printable(readable(name))
    if "\\|" in name:
        return _entities(name)
    if not name.strip():
        return f"` {name}`"
    marks = "`"
    while marks in name:
        marks += "`"
    blank = " " if "`" in name else ""
    name = name.replace("|", "\\|")
    return f"{marks}{blank}{name}{blank}{marks}"


def _entities(name: str) -> str:
    """The same for names in which a cell of a table would end: a backslash, and a bar behind it."""
    text = _PUNCTUATION.sub(lambda found: f"&#{ord(found[0])};", name)
    return f"<code>{text}</code>"


def plain(text: str) -> str:
    """A text in a sentence, as it stands if Markdown has no meaning for it; else as code."""
    return text if _PLAIN.fullmatch(text) and not _HEXADECIMAL.search(text) else code(text)
