"""Where a function is in the sources: what a comparison folds is found again.

    place = Places(comparison, names).of(key)
    place.file, place.line
"""

import os
from dataclasses import dataclass

from cg2tools.diff.comparison import Comparison
from cg2tools.diff.names import Names, program_of
from cg2tools.profile.model import UNKNOWN, FunctionKey


@dataclass(frozen=True, slots=True)
class Place:
    """A file, from here if it is below this directory, and the line that got worse most."""

    file: str  # "": nobody knows
    line: int  # 0: nobody knows


class Places:
    """Where the functions of NEW are."""

    def __init__(self, comparison: Comparison, names: Names) -> None:
        self._comparison = comparison
        self._names = names
        self._files: dict[FunctionKey, str] = {}

    def of(self, key: FunctionKey) -> Place:
        return Place(self._file(key), self._line(key))

    def _file(self, key: FunctionKey) -> str:
        if not self._files:
            part = self._comparison.part
            program = program_of(part)
            renamed = self._names.renamed(part.keys, program, program)
            self._files = {now: was.file for was, now in zip(part.keys, renamed)}
        file = self._files.get(key, UNKNOWN)
        return "" if file == UNKNOWN else _from_here(file)

    def _line(self, key: FunctionKey) -> int:
        """In the function's own file; lines come in the order of their effect."""
        found = self._comparison
        for change in found.lines:
            what = change.what
            if what.function == key and what.file == key.file and what.new:
                if found.difference(change) > 0:
                    return what.new
        return 0


def _from_here(file: str) -> str:
    here = os.path.join(os.path.realpath(os.curdir), "")
    real = os.path.realpath(file)
    return real.removeprefix(here) if real.startswith(here) else file
