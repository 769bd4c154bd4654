"""The texts on the page of cg2_report: lines of sources, and machine code."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cg2tools.debug.sourcefiles import SourceFiles
from cg2tools.profile.model import FunctionKey, Part, UNKNOWN
from cg2tools.profile.terms import counted, shortened
from cg2tools.program.disassembly import Instructions, disassembled, ranges
from cg2tools.program.objdump import package_of
from cg2tools.program.ran import changed_object, changed_source, note, warn
from cg2tools.program.sources import near, source_lines

_UNUSED = 64
"""The most bytes that a piece of code that was not run may have to be kept."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source file: how many lines it has, and some of them.

    A run is the number of its first line, and the lines.
    """

    path: str
    count: int
    runs: list[tuple[int, list[str]]]


class Texts:
    """Sources of a part: some lines, and those around them.

    `warnings` tell of files that are newer than the run.
    """

    def __init__(self, part: Part, include: list[str], context: int, is_wanted: bool) -> None:
        self.part = part
        self.is_wanted = is_wanted
        self.include = include
        self.context = context
        self.warnings: list[str] = []

    def sources(self, numbers: Mapping[str, set[int]]) -> dict[str, Source]:
        """The files with these lines that can be read, all by their names in the profile."""
        if not self.is_wanted:
            return {}
        files = SourceFiles(self.part, self.include)
        found = {}
        refused = []
        for name, lines in numbers.items():
            path = None if name == UNKNOWN else files.path(name)
            if path:
                found[name] = self._source(path, lines)
            elif why := files.why_not(name):
                refused.append((name, why))
        self._tell(len(found), refused)
        return found

    def _tell(self, shown: int, refused: Sequence[tuple[str, str]]) -> None:
        """Tell stderr how many files are on the page, and which are not."""
        if shown:
            note(
                self.part,
                f"{counted(shown, 'source file')} on the page for whoever opens it; "
                f"--sources=no leaves {'them' if shown > 1 else 'it'} out",
            )
        if refused:
            more = f" and {len(refused) - 1:,} more" if len(refused) > 1 else ""
            name, why = refused[0]
            said = (
                f"the text of {shortened(name)}{more} is left out, as {why}; "
                "-I DIR shows what is in DIR"
            )
            warn(self.part, said)
            self.warnings.append(said)

    def _source(self, path: str, numbers: set[int]) -> Source:
        changed = changed_source(path, self.part)
        warn(self.part, changed)
        self.warnings.extend(filter(None, [changed]))
        texts = source_lines(path)
        runs: list[tuple[int, list[str]]] = []
        last = 0
        for number in near(numbers, self.context, len(texts)):
            if number != last + 1 or not runs:
                runs.append((number, []))
            runs[-1][1].append(texts[number - 1])
            last = number
        return Source(path, len(texts), runs)


class Code:
    """The machine code of the functions that cost most themselves.

    They are taken until they make up `threshold` percent of some event. Of each there is what
    ran, as far as it is on the page; and what is in front of that, if instructions are left out.
    """

    def __init__(
        self, part: Part, keys: Sequence[FunctionKey], threshold: float, left_out: bool
    ) -> None:
        """Functions are told by their places in `keys`."""
        self.part = part
        self.keys = keys
        self.threshold = threshold
        self.before = _UNUSED if left_out else 0
        self.warnings: list[str] = []
        self.read: list[str] = []
        """The objects whose machine code was read."""

    def objects(
        self, costs: Iterable[Sequence[int]], places: Iterable[Sequence[Sequence[int]]]
    ) -> dict[str, Instructions]:
        """The instructions by object: those at `places` and in between.

        Costs are what functions cost themselves, a column for each event; places are pairs of
        columns, functions and addresses.
        """
        found: dict[str, Instructions] = {}
        for name, pieces in sorted(self._pieces(self._costly(costs), places).items()):
            try:
                found[name] = disassembled(name, pieces)
                self.read.append(name)
            except OSError as error:
                self.warnings.append(
                    f"no machine code: {error.filename}: {error.strerror}; "
                    f"expected objdump (Debian: apt-get install {package_of(error.filename)})"
                )
                break
        return found

    def _pieces(
        self, ran: dict[int, set[int]], places: Iterable[Sequence[Sequence[int]]]
    ) -> dict[str, list[tuple[int, int]]]:
        """The pieces that ran of functions, by object: first and last instruction."""
        for functions, addresses in places:
            for function, address in zip(functions, addresses):
                if function in ran:
                    ran[function].add(address)
        pieces: dict[str, list[tuple[int, int]]] = {}
        for function, found in ran.items():
            runs = pieces.setdefault(self.keys[function].object, [])
            runs.extend(self._runs(sorted(found)))
        return pieces

    def _runs(self, addresses: list[int]) -> Iterator[tuple[int, int]]:
        """First and last of runs of addresses; what is in front is reached from the run before."""
        for piece in ranges(addresses):
            for run in ranges(piece, _UNUSED):
                yield max(run[0] - self.before, piece[0]), run[-1]

    def _costly(self, columns: Iterable[Sequence[int]]) -> dict[int, set[int]]:
        """The functions whose code is wanted and can be read, and room for addresses of each."""
        objects = {key.object for key in self.keys} - {UNKNOWN}
        files = set(filter(os.path.isfile, objects))
        if not files:
            return {}
        functions = {function for costs in columns for function in self._most(costs)}
        return {function: set() for function in functions if self.keys[function].object in files}

    def _most(self, costs: Sequence[int]) -> Iterator[int]:
        """The functions that make up the threshold."""
        wanted = self.threshold * sum(costs)
        taken = 0
        for function in sorted(range(len(costs)), key=costs.__getitem__, reverse=True):
            if not costs[function] or 100 * taken >= wanted:
                return
            yield function
            taken += costs[function]


def changed_objects(paths: Iterable[str], part: Part) -> Iterator[str]:
    """What is to be said of objects from which the page has something; stderr is told, too."""
    for path in sorted(paths):
        if changed := changed_object(path, part):
            warn(part, changed)
            yield changed
