"""Which events of a data file are shown, and in which order."""

from collections.abc import Sequence

from cg2tools.profile.columns import Columns
from cg2tools.profile.model import EventDefinition, Part, ProfileError

_ACCESSES = EventDefinition("Da", [(1, "Dr"), (1, "Dw")], "accesses of data")
_MISSES = "L1m", "L2m", "LLm"  # formulas that are built in


def definitions(part: Part) -> dict[str, EventDefinition]:
    """The events made of others: those of the part, and all accesses."""
    has_both = {"Dr", "Dw"} <= set(part.events)
    return ({_ACCESSES.name: _ACCESSES} if has_both else {}) | part.event_definitions


def first_event(*parts: Part) -> str:
    """What objects are sorted by: misses, if one of the parts has any; else accesses."""
    first = parts[0]
    made = _misses(first)
    if _ACCESSES.name in first.event_definitions:
        made.append(_ACCESSES.name)
    for event in made:
        columns = Columns(first, [event], [])
        if any(columns.value(event, part.self_total()) for part in parts):
            return event
    return first.events[0]


def shown_events(part: Part, first: Sequence[str]) -> list[str]:
    """The columns in the order of their importance: some, reads and writes, misses, the rest."""
    named = [event for event in first if event != _ACCESSES.name]
    plain = [event for event in ("Dr", "Dw") if event in part.events]
    return list(dict.fromkeys([*named, *plain, *_misses(part), *part.events]))


def _misses(part: Part) -> list[str]:
    """The misses of each level, reads and writes together, that the part has."""
    found = []
    for event in _MISSES:
        try:
            Columns(part, [event], [])
            found.append(event)
        except ProfileError:
            pass  # a machine without this level
    return found
