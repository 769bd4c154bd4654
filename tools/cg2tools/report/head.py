"""The page's table "profile", which every view needs: what was profiled, events, functions and parts."""

from dataclasses import dataclass

from cg2tools import VERSION
from cg2tools.profile.columns import Columns
from cg2tools.profile.events import built_in_events, meaning_of
from cg2tools.profile.layouts import added_up_said
from cg2tools.profile.loops import bounds
from cg2tools.profile.terms import OBJECTS, THREADS, names_of_threads, thread_said
from cg2tools.profile.model import Cost, Part, Profile, ProfileError, add_cost, readable
from cg2tools.profile.rounds import ROUNDS, KnownRounds
from cg2tools.profile.spoken import Spoken
from cg2tools.report.functionrows import FunctionRows
from cg2tools.report.jsontables import Strings, Table, costs_in_columns
from cg2tools.report.options import PageOptions
from cg2tools.report.sizecurves import curves
from cg2tools.report.stacktable import StackNotes

_SHARE_IN_PART = 1000
"""A part lists the functions that have a thousandth of the whole total."""


_LEAST_LOOP = 0.1
"""Percent of all cycles of the loops of which it is said what bounds them."""


def event_records(part: Part, options: PageOptions) -> list[Table]:
    """The events recorded, then the events that formulas make of them, which the part then defines."""
    definitions = (
        built_in_events(part.events)
        | part.event_definitions
        | {event.name: event for event in options.events}
    )
    part.event_definitions = definitions
    names = part.events + [
        name for name, event in definitions.items() if event.terms and name not in part.events
    ]
    events = []
    for name in names:
        try:
            factors = Columns(part, [name], []).factors(name)
        except ProfileError:
            if any(event.name == name for event in options.events):
                raise
            continue  # the formula has an event that is not in this profile
        events.append(
            {
                "name": readable(name),
                "factors": factors,
                "long": readable(meaning_of(name, definitions)),
            }
        )
    return events


def function_table(
    part: Part, functions: FunctionRows, names: Spoken, strings: Strings, bare: list[int]
) -> Table:
    """All functions, with what they cost; `bare` are their names in stacks."""
    number, keys = strings.number, functions.keys
    return {
        "object": [number(key.object) for key in keys],
        "file": [number(key.file) for key in keys],
        "name": [number(key.name) for key in keys],
        "said": list(map(number, names.names_of(keys))),
        "bare": bare,
        "cycle": functions.by_row(functions.nodes.cycle),
        "called": functions.called(),
        "estimated": [int(part.is_estimated(key.name)) for key in keys],
        "self": functions.self_costs(),
        "inclusive": functions.inclusive_costs(),
    }


@dataclass(frozen=True, slots=True)
class Head:
    """What is said of a profile as a whole."""

    profile: Profile
    old: Profile | None
    part: Part
    """All parts of the profile as one."""
    options: PageOptions
    events: list[Table]
    functions: FunctionRows

    def table(
        self,
        functions: Table,
        stacks: StackNotes,
        left: dict[str, Table],
        warnings: list[str],
        strings: Strings,
    ) -> Table:
        """The table, which comes last: it has the names, the warnings and what is left out of all others."""
        part, options = self.part, self.options
        return {
            "title": readable(options.title or part.cmd.strip() or self.profile.path),
            "cmd": readable(part.cmd.strip()),
            "creator": readable(self.profile.creator),
            "tool": f"cg2_report {VERSION}",
            "files": list(dict.fromkeys(readable(piece.path) for piece in self.profile.parts)),
            "events": self.events,
            "recorded": len(part.events),
            "positions": part.positions,
            "isData": part.is_data,
            "total": part.self_total(),
            "guess": stacks.guess,
            "paths": stacks.paths,
            "compared": list(map(readable, [self.old.path, *options.left_out] if self.old else [])),
            "partial": list(map(readable, self._partial())),
            "share": options.share,
            "smallest": options.smallest,
            "left": left,
            "descriptions": self._descriptions(),
            "skipped": {readable(name): count for name, count in part.skipped.items()},
            **self._rounds(strings),
            "warnings": list(map(readable, warnings)),
            "bounds": self._bounds(),
            "curves": [
                {"name": curve.name, "points": curve.points, "of": curve.of}
                for curve in curves(part.events)
            ],
            "parts": self._parts(),
            "functions": functions,
            "strings": list(strings.numbers),
        }

    def _rounds(self, strings: Strings) -> dict[str, dict[str, int]]:
        """The rounds of repeated instructions that no event counts."""
        rounds = KnownRounds(self.part)
        return {
            "roundsOfFunctions": {
                str(row): count
                for row, count in enumerate(map(rounds.of_function, self.functions.keys))
                if count
            },
            "roundsOfLines": {
                f"{strings.number(file)}:{line}": count for file, line, count in rounds.all_lines()
            },
        }

    def _bounds(self) -> list[Table]:
        """What bounds the loops, in the functions that the page has."""
        rows = {key: row for row, key in enumerate(self.functions.keys)}
        return [
            {
                "function": rows[bound.function],
                "where": readable(bound.where),
                "text": f"{bound.share:.1f} % of all cycles: {readable(bound.text)}",
                "links": [f"{address:x}" for address in bound.loop.links],
            }
            for bound in bounds(self.profile.loops, self.part, _LEAST_LOOP)
            if bound.function in rows
        ]

    def _partial(self) -> list[str]:
        """What is to be said where only a part of a profile is shown."""
        shown = [self.profile, *([self.old] if self.old else [])]
        return [
            *(said for profile in shown for said in profile.partial),
            *dict.fromkeys(said for profile in shown if (said := added_up_said(profile))),
        ]

    def _descriptions(self) -> dict[str, str]:
        """What all parts say alike."""
        first = self.profile.parts[0].descriptions
        names = names_of_threads(self.profile.parts)
        threads = ", ".join(thread_said(*each) for each in names.items())
        return ({THREADS: readable(threads)} if threads else {}) | {
            readable(key): readable(value.strip())
            for key, value in first.items()
            if key not in (OBJECTS, THREADS, *ROUNDS)
            and all(part.descriptions.get(key) == value for part in self.profile.parts)
        }

    def _parts(self) -> list[Table]:
        parts = self.profile.parts
        return [] if len(parts) == 1 else [self._one_part(part) for part in parts]

    def _one_part(self, part: Part) -> Table:
        """A part, and its functions that have a share of the whole total."""
        whole = self.part.self_total()
        costs: dict[int, Cost] = {}
        for key, cost in zip(part.keys, part.lines.self_costs()):
            row = self.functions.row_of(key)
            add_cost(costs.setdefault(row, [0] * len(part.events)), cost)
        listed = {
            row: cost
            for row, cost in costs.items()
            if any(
                number and number * _SHARE_IN_PART >= total for number, total in zip(cost, whole)
            )
        }
        return {
            "file": readable(part.path),
            "pid": part.pid,
            "part": part.part or 1,
            "thread": part.thread,
            "threadName": readable(part.thread_names.get(part.thread or 0, "")),
            "trigger": readable(part.descriptions.get("Trigger", "").strip()),
            "time": readable(part.descriptions.get("Timerange", "").strip()),
            "total": part.self_total(),
            "functions": list(listed),
            "self": costs_in_columns(listed.values(), len(self.part.events)),
        }
