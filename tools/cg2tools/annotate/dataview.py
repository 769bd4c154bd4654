"""What a view of a data file shows: which events, which objects, the lines of its tables.

The text and the JSON of cg2_annotate are made of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from cg2tools.annotate.asked import Asked
from cg2tools.annotate.fitting import Fitting, fitting
from cg2tools.annotate.report import Rest, until_threshold
from cg2tools.data.events import definitions, first_event, shown_events
from cg2tools.data.names import ObjectNames, is_named
from cg2tools.data.objects import KINDS, DataFile, DataObject
from cg2tools.data.pairs import Pair, SharedPlaces, Visits, pairs_of, shared_places, visits_of
from cg2tools.profile.columns import Columns
from cg2tools.profile.model import Cost, FunctionKey, ProfileError, add_cost

OBJECTS_MAX = 20
WIDTH = 100
"""Characters of a line, where no terminal says how many there are."""


@dataclass(frozen=True, slots=True)
class DataOptions(Asked):
    """What a report of data is asked for."""

    threshold: float = 99.0
    objects: list[str] = field(default_factory=list)  # patterns of names; empty is all
    types: list[tuple[str, str]] = field(default_factory=list)  # patterns, and their types


@dataclass(frozen=True, slots=True)
class DataView:
    """A data file, and what is shown of it."""

    data: DataFile
    columns: Columns
    fits: Fitting
    options: DataOptions
    names: ObjectNames
    pairs: list[Pair]
    visits: Visits

    def of_object(self, object: DataObject) -> Columns:
        """Columns whose percentages are those of the object's cost."""
        shown = self.columns.showing(self.columns.shown)
        shown.total = object.cost
        return shown

    def sharing(self, object: DataObject) -> list[SharedPlaces]:
        """Which places of an object threads take each other's cache lines for, most often first."""
        return shared_places(object, self.pairs, self.names.of)

    def kinds(self) -> list[tuple[str, int, Cost]]:
        """Each kind of objects that there are: how many, and what they cost."""
        found = {kind: (0, self.columns.zero()) for kind in KINDS}
        for object in self.data.objects:
            count, cost = found[object.kind]
            add_cost(cost, object.cost)
            found[object.kind] = count + 1, cost
        return [(kind, count, cost) for kind, (count, cost) in found.items() if count]

    def listed(self) -> tuple[list[DataObject], Rest]:
        """The objects down to the threshold, most expensive first; of those that are asked for by name,
        all."""
        objects = asked_for(self.data, self.options.objects)
        by_key = {object.key: object for object in objects}
        costs = {object.key: object.cost for object in objects}
        if self.options.objects:
            return [by_key[key] for key in _by_cost(costs, self.columns)], Rest()
        most = OBJECTS_MAX if self.options.overview else len(costs)
        keys, rest = until_threshold(costs, self.columns, self.options.threshold, most)
        return [by_key[key] for key in keys], rest


def view_of(data: DataFile, options: DataOptions) -> DataView:
    """The view that options ask for.  An event that does not exist is a ProfileError."""
    part = replace(data.part, event_definitions=definitions(data.part))
    order = options.choice.sort or [first_event(part)]
    asked = [*order, *(event.name for event in options.choice.events)]
    show = options.choice.show or shown_events(part, asked)
    columns = Columns(part, show, order, options.choice.show_percs, options.screen.colour)
    fits = Fitting(columns.shown)
    if not (options.choice.show or options.screen.json):
        width = options.screen.width if options.screen.terminal else WIDTH
        fits = fitting(part, columns, columns.shown, width)
    names = ObjectNames(data.objects, data.command.partition(" ")[0], options.screen.full_names)
    meeting = pairs_of(data), visits_of(data)
    return DataView(data, columns.showing(fits.shown), fits, options, names, *meeting)


def asked_for(data: DataFile, patterns: Iterable[str]) -> list[DataObject]:
    """The objects that a pattern means; all, if there is none.  A pattern of no object is a ProfileError."""
    wanted = list(patterns)
    for pattern in wanted:
        if not any(is_named(object, pattern) for object in data.objects):
            raise ProfileError(data.path, 0, f"no data object '{pattern}'; {_expected(data)}")
    return [
        object
        for object in data.objects
        if not wanted or any(is_named(object, pattern) for pattern in wanted)
    ]


def _expected(data: DataFile) -> str:
    first = [f"'{object.text}'" for object in data.objects[:1]]
    return f"expected a part of a name, as {first[0]}" if first else "the file has no objects"


def _by_cost(costs: dict[FunctionKey, Cost], columns: Columns) -> list[FunctionKey]:
    return sorted(costs, key=lambda key: (columns.sort_key(costs[key]), key))
