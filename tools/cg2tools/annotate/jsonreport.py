"""The report as JSON, for programs."""

from collections.abc import Iterator, Mapping
from typing import Any

from cg2tools.commandline.console import json_lines
from cg2tools.profile.callgraph import Arc, CallGraph, Node
from cg2tools.profile.columns import Columns
from cg2tools.profile.libcg2profile import BY_FILE, BY_FUNCTION, BY_LINE, COST
from cg2tools.profile.model import Cost, FunctionKey, Part, Profile


def json_report(
    profile: Profile, part: Part, graph: CallGraph, nodes: list[Node], columns: Columns
) -> Iterator[str]:
    """The report as one object; a cost in it is a list with a number for each of `events`."""
    described: dict[str, Any] = {
        "path": profile.path,
        "creator": profile.creator,
        "cmd": part.cmd,
        "partial": profile.partial,
        "parts": [
            {
                "pid": part.pid,
                "part": part.part,
                "thread": part.thread,
                "descriptions": part.descriptions,
            }
            for part in profile.parts
        ],
        "events": columns.shown,
        "total": list(columns.values(columns.total)),
        "functions": list(_functions(part, graph, nodes, columns)),
        "cycles": [
            {
                "number": cycle.number,
                "self": list(columns.values(cycle.self_cost)),
                "inclusive": list(columns.values(cycle.inclusive)),
                "members": [node.key._asdict() for node in cycle.members],
                "callers": _arcs(cycle.callers, columns),
            }
            for cycle in graph.cycles
        ],
    }
    yield from json_lines(described)


def _functions(
    part: Part, graph: CallGraph, nodes: list[Node], columns: Columns
) -> Iterator[dict[str, Any]]:
    lines: dict[FunctionKey, list[tuple[str, int, Cost]]] = {node.key: [] for node in nodes}
    keys = list(graph.nodes)
    asked = graph.functions_of(nodes)
    table = part.lines.add_up(COST, BY_FUNCTION | BY_FILE | BY_LINE, asked)
    for number, file, line, cost in zip(
        *map(table.column, (BY_FUNCTION, BY_FILE, BY_LINE)), table.costs()
    ):
        lines[keys[number]].append((part.names[file], line, list(cost)))
    for node in nodes:
        yield {
            **node.key._asdict(),
            "self": list(columns.values(node.self_cost)),
            "inclusive": list(columns.values(node.inclusive)),
            "callers": _arcs(node.callers, columns),
            "callees": _arcs(node.callees, columns),
            "lines": [
                {"file": file, "line": line, "self": list(columns.values(cost))}
                for file, line, cost in sorted(lines[node.key])
            ],
        }


def _arcs(arcs: Mapping[FunctionKey, Arc], columns: Columns) -> list[dict[str, Any]]:
    return [
        {
            **key._asdict(),
            "count": arc.count,
            "is_estimated": arc.is_estimated,
            "inclusive": list(columns.values(arc.inclusive)),
        }
        for key, arc in sorted(arcs.items())
    ]
