"""The report of a data file: objects, the code that touches them, what they look like inside."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cg2tools.annotate.datajson import data_json
from cg2tools.annotate.dataview import WIDTH, DataOptions, DataView, view_of
from cg2tools.annotate.labels import Label, cut, elided
from cg2tools.annotate.misscurves import CurveColumns, bars, known_curves, size_text, wanted
from cg2tools.annotate.overview import file_head, totals_head
from cg2tools.annotate.report import first_few, not_shown, part_shown, section
from cg2tools.annotate.table import Table
from cg2tools.data.objects import DataFile, DataObject, MemberCost, Touch, Typed, Variable
from cg2tools.data.names import ARGUMENTS
from cg2tools.data.offsets import Code, OffsetRow, code_of, rows
from cg2tools.data.pairs import SharedPlaces, company, groups_apart
from cg2tools.data.typed import shown_types
from cg2tools.profile.columns import Columns
from cg2tools.profile.model import Cost, Profile, UNKNOWN
from cg2tools.profile.spoken import Spoken
from cg2tools.profile.tails import Tails
from cg2tools.profile.terms import counted

_ROWS_MAX = 40
"""The most rows of offsets, before bytes that are side by side become one."""
_LINES_MAX = 16
"""The most offsets of an object that nobody asked for."""
_CODE_MAX = 3
"""Lines of code below an object; where it is asked for, all stand behind its layout."""
_CODE_SHARE = 1
"""The percentage of the first event that an object needs for them in the first answer."""
_INSIDE_MAX = 3
"""Objects that are shown from inside, if none is asked for."""
_SHARED_MAX = 4
"""Pairs of places of an object that nobody asked for."""
_TOGETHER_MAX = 6
"""Pairs of members of an object that nobody asked for."""
_PLACES_MAX = 4
"""Offsets that are listed one by one."""


def data_report(profile: Profile, options: DataOptions) -> Iterator[str]:
    """The lines of the report.  A profile that is no data file is a ProfileError."""
    profile, part = part_shown(profile, options)
    data = DataFile(profile, part)
    coverage = shown_types(data, options.types)
    view = view_of(data, options)
    objects, rest = view.listed()
    if options.screen.json:
        yield from data_json(profile, view, objects)
        return
    yield from _head(profile, view)
    yield from coverage.lines()
    is_asked = bool(options.objects)
    if not is_asked:
        yield from _kinds(view)
        yield ""
    yield from _objects(view, objects)
    yield from rest.line("object")
    for object in objects if is_asked else objects[:_INSIDE_MAX]:
        yield from _inside(view, object, is_asked)
    yield from _more(view, objects, is_asked)


# ---- Head ------------------------------------------------------------------


def _head(profile: Profile, view: DataView) -> Iterator[str]:
    yield from file_head(profile, "Data")
    what = "all accesses" if view.data.accesses else "accesses that miss"
    yield f"Recorded: {what}"
    if view.data.attributed:
        width = view.options.screen.width if view.options.screen.terminal else WIDTH
        yield cut(f"Attributed: {view.data.attributed}", width)
    yield ""
    yield from totals_head(view.data.part, view.columns)
    for line in not_shown(view.fits, view.options):
        yield " ".join(line.split())
    yield ""


def _table(view: DataView, columns: Columns, label: str) -> Table:
    return Table(columns, label, view.options.screen.table_width)


def _kinds(view: DataView) -> Iterator[str]:
    table = _table(view, view.columns, "kind")
    for kind, count, cost in view.kinds():
        table.add(cost, f"{kind}, {counted(count, 'object')}")
    yield from table.lines()


# ---- Objects, and the code that touches them -------------------------------


def _objects(view: DataView, objects: Sequence[DataObject]) -> Iterator[str]:
    table = _table(view, view.columns, "object, and the code that touches it most")
    for object in objects:
        table.add_named(
            object.cost, view.names.of(object), f"{object.kind} ", type=_type_of(object)
        )
        share = view.columns.share(view.columns.order[0], object.cost)
        if share >= _CODE_SHARE or not view.options.overview:
            _add_code(table, object, _CODE_MAX, "  ", view)
        false = [shared for shared in view.sharing(object) if shared.is_false]
        for shared in false[:1]:
            table.add_text(f"  false sharing of {shared}: {counted(shared.count, 'line')} lost")
    yield from table.lines()


def _type_of(object: DataObject) -> str:
    return object.typed.type.name if object.typed else ""


def _add_code(
    table: Table,
    object: DataObject,
    most: int,
    before: str,
    view: DataView,
    says_where: bool = False,
) -> None:
    """Add the lines of code that cost most, and how many more there are."""
    columns = table.columns
    found = sorted(
        code_of(object.touches),
        key=lambda code: (columns.sort_key(code.cost), code.file, code.line, code.function),
    )
    names = Spoken((code.function for code in found[:most]), view.options.screen.full_names)
    for code in found[:most]:
        name = f"{_place(code, view.data.tails)}{names.name_of(code.function)}"
        where = f" at {_where(object, code)}" if says_where else ""
        table.add_named(code.cost, name, before, f" ({code.count:,}x){where}")
    if len(found) > most:
        table.add_text(f"{before}and {counted(len(found) - most, 'more line')}")


def _where(object: DataObject, code: Code) -> str:
    """The members, or the offsets, that a line of code touches; the first few."""
    known = {
        _key(touch): member.row.path or f"{member.row.offset:,}"
        for member in (object.typed.members if object.typed else ())
        for touch in member.touches
    }
    offsets = {
        _key(touch): str(row) for row in rows(code.touches, _ROWS_MAX) for touch in row.touches
    }
    places = list(dict.fromkeys(known.get(key, place) for key, place in offsets.items()))
    if len(places) > _PLACES_MAX and not known and not any(touch.stride for touch in code.touches):
        single = [touch.offset for touch in code.touches]
        return f"{len(set(single)):,} offsets from {min(single):,} to {max(single):,}"
    return first_few(places)


def _key(touch: Touch) -> tuple[int, int, int]:
    return touch.instr, touch.offset, touch.stride


def _place(code: Code, tails: Tails) -> str:
    """Where a line of code is, with a blank behind it."""
    if code.file == UNKNOWN and not code.line:
        return ""
    line = f":{code.line}" if code.line else ""
    return f"{tails.of(code.file)}{line} "


# ---- An object from inside -------------------------------------------------


@dataclass(slots=True)
class _Line:
    """A row of a layout: what is shown of it, and what it costs."""

    cells: tuple[str, str, str]  # cache line, offset, size
    text: str
    cost: Cost


def _inside(view: DataView, object: DataObject, is_asked: bool) -> Iterator[str]:
    """Members or offsets; and of an object that is asked for, all code that touches it."""
    lines, left = _layout(view, object), 0
    if not (is_asked or object.typed or object.variables):
        lines, left = _most_costly(view, lines)
    if not lines or (len(lines) < 2 and not is_asked):
        return
    columns = view.of_object(object)
    yield from section(_title(view, object))
    yield from _facts(object, view.options.screen.table_width)
    heads = "line", "offset", "size"
    cells = zip(*(line.cells for line in lines), strict=True)
    widths = [max(map(len, column)) for column in cells]
    widths = [width and max(width, len(head)) for width, head in zip(widths, heads)]
    what = "member" if object.typed or object.variables else "touched"
    table = _table(view, columns, _cells(heads, widths, what))
    for line in lines:
        table.add(line.cost, _cells(line.cells, widths, line.text))
    if left:
        table.add_text(f"and {counted(left, 'more place')} of less; --data-object shows all")
    if is_asked:
        table.add_text("")
        _add_code(table, object, len(object.touches), "", view, says_where=True)
    yield from table.lines()
    yield from _sharing(view.sharing(object), is_asked)
    yield from _together(view, object, is_asked)
    if is_asked:
        yield from _curves(view, object)


def _together(view: DataView, object: DataObject, is_asked: bool) -> Iterator[str]:
    """Which members are accessed together, and which are not."""
    found = company(object, view.visits)
    if not found:
        return
    shown = found if is_asked else found[:_TOGETHER_MAX]
    yield from (
        "",
        "Accessed together, in visits of a block: how many, and their share of those of each",
    )
    width = len(f"{found[0].both:,}")
    for pair in shown:
        shares = f"{_share(pair.both, pair.first_visits)}  {_share(pair.both, pair.second_visits)}"
        yield f"{pair.both:>{width},}  {shares}  {pair.first}, {pair.second}"
    if len(found) > len(shown):
        yield f"and {counted(len(found) - len(shown), 'more pair')} of fewer visits"
    groups = groups_apart(object, view.visits)
    if object.typed and object.typed.type.size > view.data.line_size and len(groups) > 1:
        apart = "; ".join(first_few(group) for group in groups)
        yield f"hardly ever together, so that the structure can be split: {apart}"


def _share(part: int, whole: int) -> str:
    return f"{f'{100 * part / whole:.1f}%' if whole else '':>6}"


def _curves(view: DataView, object: DataObject) -> Iterator[str]:
    """How large a cache the object wants, if sizes were swept."""
    width = view.options.screen.width if view.options.screen.terminal else WIDTH
    for curve in known_curves(view.data.part):
        shown = CurveColumns(view.data.part, curve, [], view.options.screen.colour)
        rows = shown.rows(object.cost)
        if not any(row.misses for row in rows):
            continue
        yield from ("", f"Misses by size of cache: {curve.title()}")
        if enough := wanted(rows):
            said = size_text(enough.size), size_text(rows[-1].size)
            yield f"wants {said[0]}: there it misses hardly more often than in {said[1]}"
        yield from bars(rows, width, view.options.screen.colour)


def _sharing(found: Sequence[SharedPlaces], is_asked: bool) -> Iterator[str]:
    """What threads take each other's cache lines for."""
    if not found:
        return
    shown = found if is_asked else found[:_SHARED_MAX]
    yield from ("", "Misses of cache lines that another thread had taken:")
    width = len(f"{found[0].count:,}")
    for shared in shown:
        what = "false sharing of " if shared.is_false else ""
        yield f"{shared.count:>{width},}  {what}{shared}"
    if len(found) > len(shown):
        yield f"and {counted(len(found) - len(shown), 'more pair')}"


def _most_costly(view: DataView, lines: list[_Line]) -> tuple[list[_Line], int]:
    """The lines that cost most, in their order; and how many others there are."""
    by_cost = sorted(lines, key=lambda line: view.columns.sort_key(line.cost))
    kept = set(map(id, by_cost[:_LINES_MAX]))
    return [line for line in lines if id(line) in kept], max(0, len(lines) - _LINES_MAX)


def _cells(cells: Sequence[str], widths: Sequence[int], text: str) -> str:
    """The columns that have something in a row, and what stands behind them."""
    shown = [cell.rjust(width) for cell, width in zip(cells, widths) if width]
    return "  ".join([*shown, text]).rstrip()


def _title(view: DataView, object: DataObject) -> str:
    title = Label(f"{object.kind} ", view.names.of(object), type=_type_of(object))
    width = view.options.screen.table_width
    return title.within(width) if width else str(title)


def _facts(object: DataObject, width: int) -> Iterator[str]:
    """How many blocks there were, and how the type is known."""
    if object.blocks:
        size, rest = divmod(object.bytes, object.blocks)
        each = f", {size:,} each" if object.blocks > 1 and not rest else ""
        yield f"{counted(object.blocks, 'block')}, {object.bytes:,} bytes{each}"
    typed = object.typed
    if typed:
        name = elided(typed.type.name, width // 2) if width else typed.type.name
        yield f"{name}, {counted(typed.type.size, 'byte')}{_known_by(typed)}"
    if object.kind == "stack" and not object.text.endswith(ARGUMENTS):
        yield "offset: bytes below the place of the return address"
    if object.blocks or typed or object.kind == "stack":
        yield ""


def _known_by(typed: Typed) -> str:
    array = "; offsets are those in one of an array" if typed.is_array else ""
    array = (
        "; of records of several sizes, offsets in one as the code says"
        if typed.is_mixed
        else array
    )
    if typed.how != "votes":
        return f", {typed.how}{array}"
    return f", by {100 * typed.share:.1f}% of {counted(typed.voted, 'access')[:-1]}es{array}"


def _layout(view: DataView, object: DataObject) -> list[_Line]:
    if object.variables:
        return [line for variable in object.variables for line in _of_variable(variable)]
    if object.typed:
        return [_of_member(member, view.data.line_size) for member in object.typed.members]
    # Where in cache lines a frame begins is another place each time.
    line_size = 0 if object.kind == "stack" else view.data.line_size
    return [_of_offset(row, line_size) for row in rows(object.touches, _ROWS_MAX)]


def _of_offset(row: OffsetRow, line_size: int) -> _Line:
    if row.offset < 0:
        return _Line(("", "", ""), str(row), row.cost)
    line = "" if row.stride or not line_size else f"{row.offset // line_size:,}"
    text = _every(row.stride) if row.stride else ""
    size = f"{row.size:,}" if row.size else ""
    return _Line((line, f"{row.offset:,}", size), text, row.cost)


def _every(stride: int) -> str:
    return f"every {stride:,} bytes" if stride > 1 else "any byte from there on"


def _of_member(member: MemberCost, line_size: int, base: int = 0) -> _Line:
    row = member.row
    never = "  never touched" if not (member.count or row.is_hole or member.may_be_more) else ""
    text = f"{'  ' * row.depth}{row}{never}"
    offset = base + row.offset
    return _Line((f"{offset // line_size:,}", f"{offset:,}", f"{row.size:,}"), text, member.cost)


def _of_variable(variable: Variable) -> Iterator[_Line]:
    """A variable of a frame, and below it its members; where a frame lies in cache lines is not known."""
    cells = "", f"{variable.offset:,}", f"{variable.size:,}"
    yield _Line(cells, str(variable), variable.cost)
    for member in variable.members:
        inside = _of_member(member, 1)
        yield _Line(("", inside.cells[1], inside.cells[2]), f"  {inside.text}", inside.cost)


# ---- More ------------------------------------------------------------------


def _more(view: DataView, objects: Sequence[DataObject], is_asked: bool) -> Iterator[str]:
    yield ""
    if any(object.kind != "stack" for object in objects):
        yield f"line: which cache line of {view.data.line_size} bytes, if the object begins at one"
    if not is_asked:
        yield f"one object in full:    cg2_annotate --data-object=NAME {view.data.path}"
        yield f"all objects:           cg2_annotate --data --threshold=100 {view.data.path}"
