"""Tables of costs as text, a column for each event shown."""

from collections.abc import Iterator, Sequence

from cg2tools.annotate.labels import Label
from cg2tools.commandline.console import PLAIN, RED, YELLOW
from cg2tools.profile.callgraph import Arc
from cg2tools.profile.columns import Columns, Values
from cg2tools.profile.model import Cost, FunctionKey
from cg2tools.profile.spoken import Spoken
from cg2tools.profile.tails import Tails

_COLOURS = (10, RED), (1, YELLOW)
"""From which percentage of the total a cost is bold red, and yellow."""

PERCENT_WIDTH = 9
"""The characters of a percentage behind a number."""


def by_cost(
    arcs: dict[FunctionKey, Arc],
    columns: Columns,
) -> list[tuple[FunctionKey, Arc]]:
    """The arcs to (or from) functions, most expensive first."""
    return sorted(arcs.items(), key=lambda item: (columns.sort_key(item[1].inclusive), item[0]))


class Table:
    """Rows of values with a label, and rows of plain text.

    On a terminal of `width` characters names of functions are cut to it; 0 is any width.
    Unless they are shown in full, they are those that people say, which are told apart.
    """

    def __init__(
        self, columns: Columns, label: str, width: int = 0, full_names: bool = False
    ) -> None:
        self.columns = columns
        self.label = label
        self.width = width
        self.full_names = full_names
        self.rows: list[tuple[Values | None, Label | str]] = []
        """Labels that name no function or file are texts."""

    def add(self, cost: Cost, label: str, rounds: int = 0) -> None:
        """Add a row; so many rounds of repeated instructions are in it that no event counts."""
        self.add_values(self.columns.values(cost), label + self.columns.said_of(cost, rounds))

    def add_values(self, values: Values, label: str) -> None:
        self.rows.append((values, label))

    def add_named(
        self,
        cost: Cost,
        key: FunctionKey | str,
        before: str = "",
        after: str = "",
        type: str = "",
        rounds: int = 0,
    ) -> None:
        """Add the row of a function, or of another name, with what stands before and after it."""
        said = Label(before, key, after + self.columns.said_of(cost, rounds), type=type)
        self.rows.append((self.columns.values(cost), said))

    def add_calls(self, key: FunctionKey, arc: Arc) -> None:
        """Add the row of calls of a function from a line."""
        label = Label("=> ", key, f" ({arc.times})", has_object=False)
        self.rows.append((self.columns.values(arc.inclusive), label))

    def add_text(self, text: str) -> None:
        self.rows.append((None, text))

    def lines(self) -> Iterator[str]:
        """The heading, an empty line, and the rows, in columns."""
        columns = self.columns
        totals = columns.values(columns.total)
        different = {values for values, _ in self.rows if values is not None}
        numbers = [
            max((len(number(values[index])) for values in different), default=1)
            for index in range(len(totals))
        ]
        widths = widths_of(columns, numbers)
        room = self.width - sum(widths) - 2 * len(widths)
        yield from heading(columns, widths, self.label)
        cells = {  # most costs are there several times
            values: "  ".join(
                painted_cell(
                    columns, cell(value, total, digits, columns.percents).ljust(width), value, total
                )
                for value, total, digits, width in zip(values, totals, numbers, widths)
            )
            for values in different
        }
        for (values, _), text in zip(self.rows, self._texts(room)):
            yield text if values is None else f"{cells[values]}  {text}".rstrip()

    def _texts(self, room: int) -> Sequence[str]:
        """The labels as they are shown, where there is so much room for one."""
        labels = [label for _, label in self.rows]
        named = [place for place, label in enumerate(labels) if type(label) is Label]
        shown = self._spoken([label for label in labels if type(label) is Label])
        keys = _functions(shown)
        tails = Tails(path for key in keys for path in (key.file, key.object))
        for place, label in zip(named, shown):
            is_cut = self.width and self.rows[place][0] is not None
            labels[place] = label.within(room, tails) if is_cut else str(label)
        return labels  # type: ignore[return-value]  # all are texts now

    def _spoken(self, labels: Sequence[Label]) -> Sequence[Label]:
        """The labels with the names that are shown."""
        keys = _functions(labels)
        if not keys:
            return labels
        names = Spoken(keys, self.full_names)
        return [label.spoken(names) for label in labels]


def _functions(labels: Sequence[Label]) -> list[FunctionKey]:
    """The functions that labels name."""
    named = (label.key for label in labels)
    return [key for key in named if isinstance(key, FunctionKey)]


def widths_of(columns: Columns, digits: Sequence[int]) -> list[int]:
    """The characters of columns whose longest numbers have so many."""
    percents = PERCENT_WIDTH if columns.percents else 0
    return [max(number + percents, len(event)) for number, event in zip(digits, columns.shown)]


def heading(columns: Columns, widths: Sequence[int], label: str) -> Iterator[str]:
    """What stands above rows in columns."""
    events = (event.ljust(width) for event, width in zip(columns.shown, widths))
    yield "  ".join([*events, label]).rstrip()
    yield ""


def painted_cell(columns: Columns, text: str, value: int, total: int) -> str:
    """A cell in the colour of its share of the total."""
    if not columns.colour or not total:
        return text
    return painted(text, 100 * value / total)


def painted(text: str, share: float) -> str:
    """The text in the colour of a share, in percent."""
    for least, colour in _COLOURS:
        if share >= least:
            return f"{colour}{text}{PLAIN}"
    return text


def cell(value: int, total: int, width: int, percents: bool) -> str:
    text, behind = words(value, total, percents)
    return text.rjust(width) + behind


def words(value: int, total: int, percents: bool) -> tuple[str, str]:
    """A number as a cell shows it, and the percentage behind it, if there is one."""
    text = number(value)
    if not percents or not value or not total:
        return text, ""
    share = f"{100 * value / total:.2f}"
    if len(share) > 5:
        share = f"{100 * value / total:.1f}"
    return text, f" ({share:>5}%)"


def number(value: int) -> str:
    return f"{value:,}" if value else "."
