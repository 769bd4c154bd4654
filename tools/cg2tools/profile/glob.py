"""Patterns of names: `*` stands for any text, `?` for any letter, all else for itself.

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
    matches = re.compile(translate(re.sub(r"\*+", "*", pattern).replace("[", "[[]"))).match
    return lambda text: matches(text) is not None
