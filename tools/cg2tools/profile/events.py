"""Events made of others: their formulas, and those that every viewer knows."""

import re
from collections.abc import Iterable

from cg2tools.profile.model import EventDefinition, shortened

_TERM = re.compile(r"([-+])\s*(?:([0-9]{1,18})\s*\*?\s*)?([^\s+*=-]+)\s*")

_BUILT_IN = (
    "L1m = I1mr + D1mr + D1mw : L1 misses",
    "L2m = I2mr + D2mr + D2mw : L2 misses",
    "LLm = ILmr + DLmr + DLmw : Last-level misses",
    "Bm = Bim + Bcm : Mispredicted branches",
    "CEst = Ir + 10 Bm + 10 L1m + 20 Ge + 100 L2m + 100 LLm : Cycle estimate",
)


def parse_event(text: str) -> EventDefinition:
    """What an `event:` line says: "name [= formula] [: long name]".

    A formula is a sum as "Ir + 10 Bm".  Raises ValueError.
    """
    definition, _, long_name = text.partition(":")
    name, equals, formula = map(str.strip, definition.partition("="))
    if not name:
        raise ValueError(
            f"event: '{shortened(text)}'; " "expected 'event: name [= formula] [: long name]'"
        )
    terms = _terms(formula) if equals else []
    return EventDefinition(name, terms, long_name.strip())


def _terms(formula: str) -> list[tuple[int, str]]:
    """The terms of a formula, each a factor and an event."""
    text = formula if formula.startswith("-") else "+" + formula
    terms = []
    end = 0
    while term := _TERM.match(text, end):
        sign, factor, name = term.groups()
        terms.append((int(sign + (factor or "1")), name))
        end = term.end()
    if end < len(text):
        raise ValueError(f"event formula '{shortened(formula)}'; " "expected a sum as 'Ir + 10 Bm'")
    return terms


def built_in_events(recorded: Iterable[str]) -> dict[str, EventDefinition]:
    """The known events that can be made of `events`.  What is not recorded counts 0."""
    known = set(recorded)
    found = {}
    for text in _BUILT_IN:
        event = parse_event(text)
        event.terms = [term for term in event.terms if term[1] in known]
        if len(event.terms) > 1 and event.name not in known:
            found[event.name] = event
            known.add(event.name)
    return found
