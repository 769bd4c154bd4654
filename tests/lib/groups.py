"""Sources in groups that a compiler takes at once, for builds of which only what they make counts.

A file of C that includes those of a group is compiled in half of the time that the files take one by one:
each would start a compiler, and have it read Valgrind's headers. No name that a file keeps to itself stands
for something else in another file of its group, or in a header. The build that is tested shows that each file
includes all that it needs.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

UNREAD = re.compile(
    r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|__attribute__\(\(.*?\)\)+\s*", re.DOTALL
)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
# What only a file knows, or a header defines; tags of types are unique in the tree anyhow.
STATIC = re.compile(
    r"^(?:extern|static)\s[^;={]*?(?:\(\*(\w+)|\b(\w+)\s*(?:\((?!\*)|[\[=,;]))|^\} (\w+)",
    re.MULTILINE,
)
ENUM = re.compile(r"^(?:typedef |static )?enum \w*\s*\{(.*?)\}", re.MULTILINE | re.DOTALL)
# Variables that two files of a group define as the same one would be one.
FLAGS = ("-Wredundant-decls",)


@dataclass
class Names:
    """The names of a file or a group."""

    defined: set[str] = field(default_factory=set)  # outside of functions
    macros: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)

    def add(self, other: Names) -> None:
        self.defined |= other.defined
        self.macros |= other.macros
        self.words |= other.words

    def can_have(self, other: Names) -> bool:
        """Whether each means by its names what it would mean alone."""
        return not (
            self.defined & other.defined or self.macros & other.words or other.macros & self.words
        )


@functools.cache
def names_of(path: Path) -> Names:
    text = UNREAD.sub("", path.read_text())
    defined = {name for names in STATIC.findall(text) for name in names if name}
    for constants in ENUM.findall(text):
        defined.update(re.findall(r"(?:^|,)\s*(\w+)", constants))
    return Names(defined, set(MACRO.findall(text)), set(re.findall(r"\w+", text)))


def groups(
    sources: Sequence[Path], headers: Iterable[Path], most: int | None = None
) -> list[list[Path]]:
    """The sources in few groups, of `most` at most; one that has a name of a header for something else is
    alone."""
    of_headers: set[str] = set()
    for header in headers:
        names = names_of(header)
        of_headers |= names.defined | names.macros
    found: list[tuple[list[Path], Names]] = []
    alone = []
    for source in sources:
        names = names_of(source)
        if (names.defined | names.macros) & of_headers:
            alone.append([source])
            continue
        for members, taken in found:
            if taken.can_have(names) and len(members) != most:
                break
        else:
            members, taken = [], Names()
            found.append((members, taken))
        members.append(source)
        taken.add(names)
    return [*(members for members, _ in found), *alone]
