"""Patterns of names: `*` stands for any text, `?` for any letter, `[*]` and `[?]` for these two
letters, all else for itself.

    fits = glob("parse_*")
    fits("parse_line")

The time is at most the product of the lengths, whatever the pattern: for each star but the last the
shortest text that fits is good enough, so none is tried again.
"""

import re
from collections.abc import Callable
from fnmatch import translate


def glob(pattern: str) -> Callable[[str], bool]:
    """What says of a text whether a pattern is of all of it."""
    sets = re.sub(r"\[(?![*?]\])", "[[]", pattern)  # those that translate() takes for one
    matches = re.compile(translate(sets)).match
    return lambda text: matches(text) is not None
