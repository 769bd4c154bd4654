"""A data file as JSON, for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from cg2tools.commandline.console import json_lines
from cg2tools.annotate.dataview import DataView
from cg2tools.data.objects import DataObject, MemberCost, Touch, Variable
from cg2tools.data.pairs import Place, company
from cg2tools.profile.columns import Columns
from cg2tools.profile.model import Profile


def data_json(profile: Profile, view: DataView, objects: Sequence[DataObject]) -> Iterator[str]:
    """The report as one object; a cost in it is a list with a number for each of `events`."""
    columns = view.columns
    described: dict[str, Any] = {
        "path": profile.path,
        "creator": profile.creator,
        "cmd": view.data.command,
        "partial": profile.partial,
        "data": "accesses" if view.data.accesses else "misses",
        "attributed": view.data.attributed,
        "line_size": view.data.line_size,
        "events": columns.shown,
        "total": list(columns.values(columns.total)),
        "kinds": {
            kind: {"objects": count, "self": list(columns.values(cost))}
            for kind, count, cost in view.kinds()
        },
        "objects": [
            {**_object(object, columns), "together": _together(view, object)} for object in objects
        ],
        "sharing": [
            {
                "written": _shared(pair.written),
                "missed": _shared(pair.missed),
                "is_false": pair.is_false,
                "count": pair.count,
            }
            for pair in view.pairs
            if pair.written.object in objects or pair.missed.object in objects
        ],
    }
    yield from json_lines(described)


def _together(view: DataView, object: DataObject) -> list[dict[str, Any]]:
    """Two places each: how many visits of a block came to both, to the first, and to the second."""
    return [
        {
            "members": [pair.first, pair.second],
            "both": pair.both,
            "visits": [pair.first_visits, pair.second_visits],
        }
        for pair in company(object, view.visits)
    ]


def _shared(place: Place) -> dict[str, Any]:
    return {
        "kind": place.object.kind,
        "name": place.object.text,
        "object": place.object.elf,
        "offset": place.offset if place.offset >= 0 else None,
        "member": place.member,
        "thread": place.thread,
    }


def _object(object: DataObject, columns: Columns) -> dict[str, Any]:
    typed = object.typed
    return {
        "kind": object.kind,
        "name": object.text,
        "object": object.elf,
        "self": list(columns.values(object.cost)),
        "blocks": object.blocks,
        "bytes": object.bytes,
        "type": {
            "name": typed.type.name,
            "size": typed.type.size,
            "file": typed.type.file,
            "line": typed.type.line,
            "known_by": typed.how,
            "share": typed.share,
            "is_array": typed.is_array,
        }
        if typed
        else None,
        "members": [_member(member, columns) for member in typed.members] if typed else [],
        "variables": [_variable(variable, columns) for variable in object.variables],
        "touches": [_touch(touch, columns) for touch in sorted(object.touches, key=_place)],
    }


def _member(member: MemberCost, columns: Columns) -> dict[str, Any]:
    row = member.row
    return {
        "offset": row.offset,
        "size": row.size,
        "name": row.path,
        "type": row.type_name,
        "line": row.line,
        "is_hole": row.is_hole,
        "count": member.count,
        "self": list(columns.values(member.cost)),
    }


def _variable(variable: Variable, columns: Columns) -> dict[str, Any]:
    return {
        "name": variable.name,
        "type": variable.type.name,
        "offset": variable.offset,
        "size": variable.size,
        "count": variable.count,
        "self": list(columns.values(variable.cost)),
        "members": [_member(member, columns) for member in variable.members],
    }


def _place(touch: Touch) -> tuple[Any, ...]:
    return touch.offset, touch.stride, touch.function, touch.instr, touch.line


def _touch(touch: Touch, columns: Columns) -> dict[str, Any]:
    """`every` is the distance of the offsets from `offset` on; 0: there is one."""
    return {
        "function": touch.function._asdict(),
        "file": touch.file,
        "line": touch.line,
        "instr": touch.instr,
        "offset": touch.offset if touch.offset >= 0 else None,
        "every": touch.stride,
        "declared": touch.declared,
        "count": touch.count,
        "cost": list(columns.values(touch.cost)),
    }
