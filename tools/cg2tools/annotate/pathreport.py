"""The report of files of paths: the hottest paths of calls, and the smallest tree that holds most of the
cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from textwrap import wrap

from cg2tools.annotate.asked import Asked
from cg2tools.annotate.fitting import Fitting, column_width, fitting
from cg2tools.annotate.labels import cut
from cg2tools.annotate.overview import file_head, totals_head
from cg2tools.annotate.pathjson import path_json
from cg2tools.annotate.report import Rest, columns_of, not_shown, section, with_events
from cg2tools.annotate.table import Table, number
from cg2tools.profile.columns import INCLUSIVE, Columns
from cg2tools.profile.libcg2profile import NONE
from cg2tools.profile.model import Cost, Part, Profile
from cg2tools.profile.morepaths import more_said
from cg2tools.profile.pathtree import PathTree, tree_of
from cg2tools.profile.spoken import Spoken

_HOTTEST_MAX = 20
_TREE_MAX = 40
"""The most paths in each list of the first answer."""
_SMALLER_SHARE = 1
"""The percentage that paths which are left out below one need together to have a row."""
_INDENT_MAX = 24
"""Levels that are shown by indenting; deeper ones say their depth."""
_WIDTH = 100
"""Characters of a line, where no terminal says how many there are."""

HELD = 95.0
"""The percentage that the tree holds, unless something else is asked for."""

_LONG = ".. > "
"""Stands for callers for which there is no room."""
_NAME_LEAST = 8
"""The characters that are kept of a name, whatever has room."""


@dataclass(frozen=True, slots=True)
class PathOptions(Asked):
    """What a report of paths is asked for."""

    held: float = HELD  # the percentage of the cost that the tree of paths holds


@dataclass(frozen=True, slots=True)
class PathView:
    """What is shown of the paths: the tree of all of them, columns, and numbers of branches."""

    tree: PathTree
    columns: Columns
    event: str  # the first that is sorted by
    hottest: Sequence[int]
    held: Sequence[int]  # a tree, each behind its caller


def path_report(profile: Profile, options: PathOptions) -> Iterator[str]:
    """The lines of the report.  An event that does not exist is a ProfileError."""
    part = with_events(_summed(profile), options)
    view = _view_of(part, tree_of(profile.parts), options)
    if options.screen.json:
        yield from path_json(profile, part, view.tree, view.columns, view.hottest, view.held)
        return
    both = view.columns.with_inclusive(view.event)
    fits = Fitting(both.shown)
    if not options.choice.show:
        asked = [view.event, INCLUSIVE, *(made.name for made in options.choice.events)]
        fits = fitting(part, both, asked, _width(options), at_least=2)
        both = both.showing(fits.shown)
    text = _Text(view, both, options)
    said = more_said(part.events[0], view.tree.sides[0])
    yield from wrap(said, _WIDTH) if said else ()
    yield from file_head(profile, "Paths")
    yield f"{_paths(view.tree.count)} of calls"
    yield ""
    yield from totals_head(part, both)
    for line in not_shown(fits, options):
        yield " ".join(line.split())
    yield ""
    yield from text.hottest()
    yield from text.held()


def _summed(profile: Profile) -> Part:
    """The header of the first part, whose costs are those of all."""
    profile.check_events()
    return profile.parts[0] if len(profile.parts) == 1 else profile.merged()


def _view_of(part: Part, tree: PathTree, options: PathOptions) -> PathView:
    columns = columns_of(part, options)
    event = columns.order[0]
    if options.choice.show and event not in columns.shown:
        event = columns.shown[0]
    factors = [0] * len(part.events)
    for index, factor in columns.factors(event):
        factors[index] = factor
    share = options.held / 100
    heaviest = tree.heaviest(factors)
    return PathView(
        tree,
        columns,
        event,
        heaviest[: _until(tree, columns, event, heaviest, options)],
        tree.holding(factors, share),
    )


def _until(
    tree: PathTree, columns: Columns, event: str, heaviest: Sequence[int], options: PathOptions
) -> int:
    """How many of the paths that cost most make up the threshold, or have room."""
    most = _HOTTEST_MAX if options.overview else len(heaviest)
    values = (columns.value(event, tree.self_cost(branch)) for branch in heaviest)
    wanted = options.held / 100 * columns.value(event, columns.total)
    for count, sum in enumerate(accumulate(values, initial=0)):
        if count == most or sum >= wanted:
            return count
    return len(heaviest)


def _width(options: PathOptions) -> int:
    return options.screen.width if options.screen.terminal else _WIDTH


def _paths(count: int) -> str:
    return f"{count:,} path{'' if count == 1 else 's'}"


def _callers(names: Sequence[str], shown: set[int], most: int) -> str:
    """What stands in front of the innermost function: those at distances from it, cut at `most`."""
    text = ""
    last = len(names)
    for distance in sorted(shown, reverse=True):
        text += _LONG * (distance + 1 < last)
        text += f"{cut(names[-1 - distance], most)} > " * (distance > 0)
        last = distance
    return text


def _differing(path: Sequence[str], alike: Sequence[Sequence[str]]) -> list[int]:
    """The distances from its end of the functions that tell a path apart from others."""
    wanted = []
    for distance, name in enumerate(reversed(path)):
        same = [other for other in alike if len(other) > distance and other[-1 - distance] == name]
        if len(same) < len(alike):
            wanted.append(distance)
        alike = same
    return wanted


class _Text:
    """The two tables."""

    def __init__(self, view: PathView, both: Columns, options: PathOptions) -> None:
        self.view = view
        self.tree = view.tree
        self.both = both
        self.options = options
        self.drawn = view.held[:_TREE_MAX] if options.overview else view.held
        self.paths = {branch: self.tree.path(branch) for branch in view.hottest}
        keys = [key for path in self.paths.values() for key in path]
        keys += map(self.tree.function, self.drawn)
        self.names = Spoken(keys, options.screen.full_names)
        called = map(self.tree.calls, [*view.hottest, *self.drawn])
        self.digits = max(map(len, map(number, called)), default=0)
        self.digits = max(self.digits, len("calls"))
        self.room = self._room()

    def _room(self) -> int:
        """The characters for names behind the columns."""
        columns = sum(column_width(self.both, event) for event in self.both.shown)
        return max(_width(self.options) - columns - self.digits - 2, 20)

    # ---- The hottest paths

    def hottest(self) -> Iterator[str]:
        """The paths that cost most themselves."""
        table = Table(self.both, f"{'calls':>{self.digits}}  path")
        for branch, text in zip(
            self.paths, self._texts([*map(self.names.names_of, self.paths.values())])
        ):
            self._add(table, branch, text)
        yield from table.lines()
        shown = [self.tree.self_cost(branch) for branch in self.paths]
        yield from self._rest(shown).line("path")

    def _texts(self, paths: Sequence[Sequence[str]]) -> list[str]:
        """Paths, of which the outermost functions are left out where there is no room, but for those that
        tell them apart from others, which look the same then."""
        texts = [self._path(path, []) for path in paths]
        alike: dict[str, list[Sequence[str]]] = {}
        for text, path in zip(texts, paths):
            alike.setdefault(text, []).append(path)
        return [self._path(path, _differing(path, alike[text])) for text, path in zip(texts, paths)]

    def _path(self, names: Sequence[str], wanted: Sequence[int]) -> str:
        """The innermost functions, as many as have room beside those wanted, which are told by distances."""
        most = max(self.room // (1 + len(wanted)), _NAME_LEAST)
        shown = {0, *wanted}
        callers = _callers(names, shown, most)
        innermost = cut(names[-1], max(self.room - len(callers), _NAME_LEAST))
        for distance in range(1, len(names)):
            longer = _callers(names, shown | {distance}, most)
            if distance not in shown and len(longer) + len(innermost) > self.room:
                break
            shown.add(distance)
            callers = longer
        return callers + innermost

    def _add(self, table: Table, branch: int, text: str) -> None:
        cost = self.tree.self_cost(branch) + self.tree.inclusive(branch)
        table.add(cost, self._label(self.tree.calls(branch), text))

    def _label(self, calls: int, text: str) -> str:
        return f"{number(calls):>{self.digits}}  {text}"

    def _rest(self, shown: Sequence[Cost]) -> Rest:
        event, columns = self.view.event, self.view.columns
        cost = sum(columns.value(event, one) for one in shown)
        left = columns.value(event, columns.total) - cost
        return Rest(self.tree.count - len(shown), columns.share_of(event, left))

    # ---- The tree

    def held(self) -> Iterator[str]:
        """The tree, callers in front of what they call, the most expensive first."""
        below: dict[int, list[int]] = {branch: [] for branch in (NONE, *self.drawn)}
        for branch in self.drawn:
            below[self.tree.caller(branch)].append(branch)
        yield from section(self._title())
        table = Table(self.both, f"{'calls':>{self.digits}}  function, and what it calls")
        open = [(branch, 0) for branch in self._in_order(below[NONE])]
        while open:
            branch, depth = open.pop()
            if branch < 0:
                self._add_smaller(table, -branch - 1, below[-branch - 1], depth)
                continue
            [name] = self.names.names_of([self.tree.function(branch)])
            self._add(table, branch, self._indented(depth, name))
            open.append((-branch - 1, depth + 1))
            open += [(one, depth + 1) for one in self._in_order(below[branch])]
        yield from table.lines()
        yield from self._rest([self.tree.self_cost(branch) for branch in self.drawn]).line("path")

    def _title(self) -> str:
        held, drawn = len(self.view.held), len(self.drawn)
        said = f"{self.options.held:g}% of {self.view.event}"
        if drawn < held:
            return (
                f"The hottest {_paths(drawn)} of the smallest tree that holds {said}, {held:,}; "
                f"--threshold={self.options.held:g} shows all"
            )
        return f"The smallest tree that holds {said}: {_paths(held)}"

    def _in_order(self, branches: Sequence[int]) -> list[int]:
        """The branches, the most expensive one last."""
        columns, event = self.view.columns, self.view.event
        return sorted(
            branches, key=lambda branch: (columns.value(event, self.tree.inclusive(branch)), branch)
        )

    def _add_smaller(self, table: Table, branch: int, below: Sequence[int], depth: int) -> None:
        """Add the row of what is below a branch and not in the tree, if that is much."""
        rest = self.tree.rest(branch, below)
        columns, event = self.view.columns, self.view.event
        if columns.share(event, rest.cost) >= _SMALLER_SHARE:
            text = self._indented(depth, f"({_paths(rest.branches)}, smaller)")
            table.add(list(rest.cost) * 2, self._label(rest.calls, text))

    def _indented(self, depth: int, name: str) -> str:
        deep = f"{depth}: " if depth > _INDENT_MAX else ""
        before = " " * min(depth, _INDENT_MAX) + deep
        return before + cut(name, max(self.room - len(before), 12))
