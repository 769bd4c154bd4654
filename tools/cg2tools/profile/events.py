"""Events made of others: their formulas, and those that every viewer knows."""

import re
from collections.abc import Iterable, Mapping

from cg2tools.profile.model import EventDefinition, shortened

_TERM = re.compile(r"([-+])\s*(?:([0-9]{1,18})\s*\*?\s*)?([^\s+*=-]+)\s*")

ESTIMATE = "CEst"
"""The built-in event that weighs the others by what they cost."""

_BUILT_IN = (
    "L1m = I1mr + D1mr + D1mw : L1 misses",
    "L2m = I2mr + D2mr + D2mw : L2 misses",
    "LLm = ILmr + DLmr + DLmw : Last-level misses",
    "Bm = Bim + Bcm + Brm : Mispredicted branches",
    f"{ESTIMATE} = Ir + 10 Bm + 10 L1m + 20 Ge + 100 L2m + 100 LLm : Cycle estimate",
)


_MEANINGS = {
    "Ir": "instructions executed",
    "Dr": "reads of data",
    "Dw": "writes of data",
    "I1mr": "instructions that miss the first level",
    "D1mr": "reads that miss the first level",
    "D1mw": "writes that miss the first level",
    "I2mr": "instructions that miss the second level, too",
    "D2mr": "reads that miss the second level, too",
    "D2mw": "writes that miss the second level, too",
    "ILmr": "instructions that miss the last level, too",
    "DLmr": "reads that miss the last level, too",
    "DLmw": "writes that miss the last level, too",
    "ILdmr": "instructions whose miss writes a line back to memory",
    "DLdmr": "reads whose miss writes a line back to memory",
    "DLdmw": "writes whose miss writes a line back to memory",
    "Bc": "conditional branches",
    "Bcm": "conditional branches mispredicted",
    "Bi": "jumps and calls to computed targets",
    "Bim": "computed targets mispredicted",
    "Ge": "locked instructions",
    "Rep": "rounds of repeated instructions beyond the first",
    "AcCost1": "lines of the first level, each 1000 by its accesses",
    "AcCost2": "lines of the last level, each 1000 by its accesses",
    "SpLoss1": "bytes of the first level that were never accessed",
    "SpLoss2": "bytes of the last level that were never accessed",
    "CyRet": "cycles in which the core retires all it can",
    "CyFe": "cycles of the front end",
    "CyBr": "cycles of mispredictions",
    "CyDep": "cycles of chains of instructions",
    "CyPort": "cycles of busy ports and buffers",
    "CyDiv": "cycles of the divider",
    "CyFwd": "cycles of loads that wait for stores",
    "CyL1": "cycles of data that level 1 misses",
    "CyL2": "cycles of data that level 2 misses, too",
    "CyLL": "cycles of data that only memory has",
    "CyTLB": "cycles of translating addresses",
    "sysCount": "system calls",
    "sysTime": "time in system calls",
    "sysCpuTime": "processor time in system calls, in nanoseconds",
}
"""Events that Callgrind and cg2 record, or cg2 estimates, in words."""


def meaning_of(event: str, definitions: Mapping[str, EventDefinition]) -> str:
    """An event in words, as the profile's `event:` lines say it or as it is known; else its formula, or
    nothing."""
    known = definitions.get(event)
    formula = "".join(
        f" {'-' if factor < 0 else '+'} {'' if abs(factor) == 1 else f'{abs(factor)} '}{name}"
        for factor, name in (known.terms if known else [])
    )
    long_name = known.long_name if known else ""
    return long_name or _MEANINGS.get(event, "") or formula.removeprefix(" + ").strip()


def parse_event(text: str) -> EventDefinition:
    """What an `event:` line says: "name [= formula] [: long name]".

    A formula is a sum as "Ir + 10 Bm".  Raises ValueError.
    """
    definition, _, long_name = text.partition(":")
    name, equals, formula = map(str.strip, definition.partition("="))
    if not name:
        raise ValueError(
            f"event: '{shortened(text)}'; expected 'event: name [= formula] [: long name]'"
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
        raise ValueError(f"event formula '{shortened(formula)}'; expected a sum as 'Ir + 10 Bm'")
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
