"""The report of cg2_annotate: a profile by function and by source line.

A report is a sequence of lines: head, totals, functions, sources.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from cg2tools.callgraph import Arc, CallGraph, Node
from cg2tools.columns import Columns, Table, by_cost
from cg2tools.profile import Cost, FunctionKey, Part, Profile, add_cost
from cg2tools.sources import Sources

_RULE = "-" * 80


@dataclass(frozen=True, slots=True)
class Options:
    """What to report; the help text of the command says it in full.

    An empty `show` is all events recorded, an empty `sort` those shown.
    """

    show: list[str] = field(default_factory=list)
    sort: list[str] = field(default_factory=list)
    threshold: float = 99.0
    show_percs: bool = True
    inclusive: bool = False
    tree: str = "none"  # or caller, calling, both
    fold_recs: bool = True
    auto: bool = True
    context: int = 8
    include: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)

    def needs_calls(self) -> bool:
        """Whether anything but self costs of functions is asked for."""
        return (self.inclusive or self.tree != "none" or self.auto
                or bool(self.sources))


def report(profile: Profile, options: Options) -> Iterator[str]:
    """The whole report.  An event that does not exist is a ProfileError."""
    part = profile.merged()
    columns = Columns(part, options.show, options.sort, options.show_percs)
    graph = CallGraph(part, not options.fold_recs, options.needs_calls())
    nodes = listed(graph, columns, options)
    yield from _head(profile, columns, options)
    yield from _section()
    totals = Table(columns, "")
    totals.add(columns.total, "PROGRAM TOTALS")
    yield from totals.lines()
    yield from _section()
    yield from _functions(graph, nodes, columns, options)
    if options.auto or options.sources:
        sources = Sources(
            part, graph, columns, options.include, options.context)
        yield from _sources(sources, nodes, options)


def _section(title: str = "") -> Iterator[str]:
    yield ""
    yield _RULE
    if title:
        yield title
        yield _RULE


# ---- Head ------------------------------------------------------------------

def _head(profile: Profile, columns: Columns, options: Options,
          ) -> Iterator[str]:
    first = profile.parts[0]
    yield _RULE
    yield f"Profile data file '{profile.path}' (creator: {profile.creator})"
    yield _RULE
    for part in profile.parts:
        yield from _part_head(part, first)
    yield f"Events recorded:  {' '.join(first.events)}"
    yield f"Events shown:     {' '.join(columns.shown)}"
    yield f"Event sort order: {' '.join(columns.order)}"
    yield f"Thresholds:       {options.threshold:g}"
    yield f"Include dirs:     {' '.join(options.include)}".rstrip()
    yield f"User annotated:   {' '.join(options.sources)}".rstrip()
    yield f"Auto-annotation:  {'on' if options.auto else 'off'}"


def _part_head(part: Part, first: Part) -> Iterator[str]:
    """What a part says of itself, and the first one did not."""
    for key, value in part.descriptions.items():
        if part is first or first.descriptions.get(key) != value:
            yield f"{key}: {value}".rstrip()
    for name, count in part.skipped.items():
        yield f"Skipped: {name} ({count:,}x)"
    facts = [f"{name} {number}" for name, number in (
        ("PID", part.pid), ("part", part.part), ("thread", part.thread))
        if number is not None]
    yield f"Profiled target:  {part.cmd} ({', '.join(facts)})"


# ---- Functions -------------------------------------------------------------

def cost_of(node: Node, options: Options) -> Cost:
    return node.inclusive if options.inclusive else node.self_cost


def listed(graph: CallGraph, columns: Columns, options: Options) -> list[Node]:
    """The nodes above the threshold, most expensive first.

    Self costs are listed until they make up `threshold` percent of the total
    of the first event sorted by.  Inclusive costs overlap: what is listed is
    each function of at least 100 - `threshold` percent.
    """
    event = columns.order[0]
    nodes = sorted((node for node in graph.nodes.values()
                    if any(columns.values(cost_of(node, options)))),
                   key=lambda node: (columns.sort_key(cost_of(node, options)),
                                     node.key))
    if options.threshold == 100:
        return nodes
    result = []
    shown = 0.0
    for node in nodes:
        share = columns.share(event, cost_of(node, options))
        if options.inclusive:
            if share < 100 - options.threshold:
                break
        elif shown >= options.threshold or not share:
            break
        result.append(node)
        shown += share
    return result


def _functions(graph: CallGraph, nodes: list[Node], columns: Columns,
               options: Options) -> Iterator[str]:
    table = Table(columns, "file:function")
    for node in nodes:
        if options.tree in ("caller", "both"):
            _add_arcs(table, "<", node.callers)
        mark = "" if options.tree == "none" else "* "
        table.add(cost_of(node, options), mark + str(node.key))
        if options.tree in ("calling", "both"):
            _add_arcs(table, ">", node.callees)
        if options.tree != "none":
            table.add_text("")
    yield from table.lines()


def _add_arcs(table: Table, mark: str, arcs: dict[FunctionKey, Arc]) -> None:
    for key, arc in by_cost(arcs, table.columns):
        table.add(arc.inclusive,
                  f"{mark}   {key} ({arc.count:,}x)")


# ---- Sources ---------------------------------------------------------------

def _sources(sources: Sources, nodes: list[Node], options: Options,
             ) -> Iterator[str]:
    """The sources asked for, then those of the functions listed."""
    chosen: dict[str, str] = {}
    for source in options.sources:
        names = sources.names_ending_in(source)
        if not names:
            yield from _section(f"-- No cost was recorded in {source}")
        for name in names:
            chosen.setdefault(name, "User")
    if options.auto:
        for name in sources.names_of(nodes):
            chosen.setdefault(name, "Auto")
    missing = []
    annotated = sources.columns.zero()
    for name, chooser in chosen.items():
        path = sources.find(name)
        if path is None:
            missing.append(name)
            continue
        yield from _section(f"-- {chooser}-annotated source: {name}"
                            + ("" if path == name else f" (read from {path})"))
        yield from sources.annotate(name, path)
        add_cost(annotated, sources.cost(name))
    if missing:
        yield from _missing(sources, missing, 100 - options.threshold)
    if chosen:
        yield from _section()
        table = Table(sources.columns, "")
        table.add(annotated, "events annotated")
        yield from table.lines()


def _missing(sources: Sources, names: list[str], limit: float,
             ) -> Iterator[str]:
    """The files not found that have `limit` percent of the cost or more."""
    columns = sources.columns
    yield from _section("-- Source files not found (-I DIR looks in DIR)")
    table = Table(columns, "file")
    shown = [name for name in names if columns.share(
        columns.order[0], sources.cost(name)) >= limit]
    for name in shown:
        table.add(sources.cost(name), name)
    if len(shown) < len(names):
        table.add_text(f"and {len(names) - len(shown)} more of less than "
                       f"{limit:g}% each; --threshold=100 lists them")
    yield from table.lines()
