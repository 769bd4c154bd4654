"""What the page of cg2_report is told of an older profile.

Functions of the two are told by the names that cg2_diff gives them by default.
"""

import os
from collections.abc import Iterable, Mapping, Sequence

from cg2tools.diff.causereport import CauseReport
from cg2tools.diff.cause import Cause
from cg2tools.diff.causes import causes_of
from cg2tools.diff.comparison import Change, Comparison, What, compare
from cg2tools.diff.names import Names, program_of, without_clones
from cg2tools.profile.callgraph import CallGraph
from cg2tools.profile.libcg2profile import NONE
from cg2tools.profile.model import Cost, FunctionKey, Part, Profile, add_cost, readable
from cg2tools.profile.spoken import Spoken
from cg2tools.profile.stacks import Stacks
from cg2tools.profile.transform import renamed_keys
from cg2tools.report.jsontables import Strings, Table, costs_in_columns


def comparison_tables(
    old: Profile,
    new: Profile,
    part: Part,
    graph: CallGraph,
    keys: Sequence[FunctionKey],
    strings: Strings,
    names: Spoken,
) -> Table:
    """What differs from OLD: functions, calls, lines, and why.

    `part` is all parts of NEW as one.  The row of a function that is not in the part is -1.
    """
    found = compare(old.merged(), part, Names(), part.events[0])
    calls, lines = list(found.calls), list(found.lines)
    number = strings.number
    names.add(change.what for change in [*found.functions, *found.inclusive])

    def said(key: FunctionKey) -> int:
        return number(names.name_of(key))

    return {
        "old": readable(old.path),
        "oldTotal": found.old_total,
        "functions": _functions(found, part, graph, keys, strings, names),
        "causes": _causes(old, new, part, keys, strings),
        "calls": {
            "caller": [number(call.what.caller.name) for call in calls],
            "callee": [number(call.what.callee.name) for call in calls],
            "callerSaid": [said(call.what.caller) for call in calls],
            "calleeSaid": [said(call.what.callee) for call in calls],
            "oldCount": [call.old_calls for call in calls],
            "newCount": [call.new_calls for call in calls],
            "oldEstimated": [int(call.old_is_estimated) for call in calls],
            "newEstimated": [int(call.new_is_estimated) for call in calls],
            **_both(calls, found),
        },
        "lines": {
            "function": [number(line.what.function.name) for line in lines],
            "said": [said(line.what.function) for line in lines],
            "file": [number(line.what.file) for line in lines],
            "oldLine": [line.what.old for line in lines],
            "newLine": [line.what.new for line in lines],
            **_both(lines, found),
        },
    }


def _causes(
    old: Profile,
    new: Profile,
    part: Part,
    keys: Sequence[FunctionKey],
    strings: Strings,
) -> Table:
    """Why the totals differ, each cause with its function and the first of its lines."""
    width = len(part.events)
    has_calls = not (part.is_data or part.has_paths)
    explained = causes_of(old, new, Names()) if has_calls else None
    causes = explained.causes if explained else []
    report = CauseReport(explained, 0, 0, False) if explained else None
    file_of = {os.path.basename(name): name for name in part.names}
    row_of: dict[FunctionKey, int] = {}
    for row, key in enumerate(renamed_keys(keys, *Names().rules(part, program_of(part)))):
        row_of.setdefault(key._replace(name=without_clones(key.name)), row)
    rows = [
        row_of.get(cause.function._replace(name=without_clones(cause.function.name)), -1)
        if cause.function
        else -1
        for cause in causes
    ]
    places = [_first_line(cause, file_of) for cause in causes]
    return {
        "text": [strings.number(report.text(cause).replace("`", "")) for cause in causes if report],
        "row": rows,
        "file": [strings.number(file) if file else -1 for file, _ in places],
        "line": [line for _, line in places],
        "kind": [cause.kind for cause in causes],
        "old": costs_in_columns(([max(-cost, 0) for cost in each.costs] for each in causes), width),
        "new": costs_in_columns(([max(cost, 0) for cost in each.costs] for each in causes), width),
    }


def _first_line(cause: Cause, file_of: Mapping[str, str]) -> tuple[str, int]:
    """The file and the number of the line of NEW that changed most; "" and 0: there is none."""
    for change in cause.lines:
        if change.what.new and change.what.file in file_of:
            return file_of[change.what.file], change.what.new
    return "", 0


def _functions(
    found: Comparison,
    part: Part,
    graph: CallGraph,
    keys: Sequence[FunctionKey],
    strings: Strings,
    names: Spoken,
) -> Table:
    """Functions of which either cost differs, each with both."""
    rows: dict[FunctionKey, list[int]] = {}
    for row, key in enumerate(renamed_keys(keys, *Names().rules(part, program_of(part)))):
        rows.setdefault(key, []).append(row)
    changes = [
        {change.what: change for change in changes}
        for changes in (found.functions, found.inclusive)
    ]
    changed = list({**changes[0], **changes[1]})
    own = [[graph.nodes[keys[row]].self_cost for row in rows.get(key, ())] for key in changed]
    inclusive = [[graph.nodes[keys[row]].inclusive for row in rows.get(key, ())] for key in changed]
    number = strings.number
    return {
        "row": [rows.get(key, [-1])[0] for key in changed],
        "name": [number(key.name) for key in changed],
        "said": [number(names.name_of(key)) for key in changed],
        "file": [number(key.file) for key in changed],
        "object": [number(key.object) for key in changed],
        "kind": [(changes[0].get(key) or changes[1][key]).kind for key in changed],
        "self": _both(_completed(changed, changes[0], own), found),
        "inclusive": _both(_completed(changed, changes[1], inclusive), found),
    }


def _completed(
    keys: Iterable[FunctionKey],
    changes: Mapping[FunctionKey, Change[FunctionKey]],
    costs: Iterable[Sequence[Cost]],
) -> list[Change[FunctionKey]]:
    """A change for each function: of those without one, that it is the same."""
    completed = []
    for key, same in zip(keys, costs):
        change = changes.get(key)
        if change is None:
            cost = [sum(numbers) for numbers in zip(*same)]
            change = Change(key, cost, cost)
        completed.append(change)
    return completed


def _both(changes: Iterable[Change[What]], found: Comparison) -> Table:
    """The costs of both sides; 0 where there is none."""
    none = [0] * len(found.old_total)
    pairs = [(change.old or none, change.new or none) for change in changes]
    return {
        "old": costs_in_columns((old for old, _ in pairs), len(none)),
        "new": costs_in_columns((new for _, new in pairs), len(none)),
    }


# ---- Stacks ----------------------------------------------------------------


def matched(shown: Iterable[int], new: Stacks, old: Stacks) -> tuple[list[Cost], list[Cost]]:
    """What stacks of the same names cost in another part: with all that they call, and themselves."""
    numbers: dict[tuple[int, str], int] = {}
    before = _groups(old, numbers)
    now = _groups(new, numbers)
    groups = [now[stack] for stack in shown]
    members: dict[int, list[int]] = {group: [] for group in groups}
    for stack, group in enumerate(before):
        if group in members:
            members[group].append(stack)
    return (
        [_sum(map(old.cost, members[group]), new) for group in groups],
        [_sum(map(old.self_cost, members[group]), new) for group in groups],
    )


def _sum(costs: Iterable[Sequence[int]], stacks: Stacks) -> Cost:
    total = [0] * len(stacks.part.events)
    for cost in costs:
        add_cost(total, cost)
    return total


def _groups(stacks: Stacks, groups: dict[tuple[int, str], int]) -> list[int]:
    """The number of the names of each stack; callers are in front."""
    found: list[int] = []
    for function, caller in zip(stacks.functions, stacks.callers):
        above = -1 if caller == NONE else found[caller]
        found.append(groups.setdefault((above, stacks.names[function]), len(groups)))
    return found
