"""Paths of calls as JSON, for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from cg2tools.commandline.console import json_lines
from cg2tools.profile.columns import Columns
from cg2tools.profile.libcg2profile import NONE
from cg2tools.profile.model import Part, Profile
from cg2tools.profile.morepaths import cost_of_more, more_said
from cg2tools.profile.pathtree import PathTree


def path_json(
    profile: Profile,
    part: Part,
    tree: PathTree,
    columns: Columns,
    hottest: Sequence[int],
    held: Sequence[int],
) -> Iterator[str]:
    """The report as one object; a cost in it is a list with a number for each of `events`.

    A path of `tree` is called by the one that `caller` is the index of.
    """
    rows = {branch: row for row, branch in enumerate(held)}
    described: dict[str, Any] = {
        "path": profile.path,
        "creator": profile.creator,
        "cmd": part.cmd,
        "partial": profile.partial,
        "paths": tree.count,
        "more": list(columns.values(cost_of_more(tree.sides[0]))),
        "more_said": more_said(part.events[0], tree.sides[0]),
        "events": columns.shown,
        "total": list(columns.values(columns.total)),
        "hottest": [
            {
                "path": [key._asdict() for key in tree.path(branch)],
                **_counted(tree, branch, columns),
            }
            for branch in hottest
        ],
        "tree": [
            {
                "caller": None if tree.caller(branch) == NONE else rows[tree.caller(branch)],
                **tree.function(branch)._asdict(),
                **_counted(tree, branch, columns),
            }
            for branch in held
        ],
    }
    yield from json_lines(described)


def _counted(tree: PathTree, branch: int, columns: Columns) -> dict[str, Any]:
    return {
        "count": tree.calls(branch),
        "self": list(columns.values(tree.self_cost(branch))),
        "inclusive": list(columns.values(tree.inclusive(branch))),
    }
