"""Rules for the text of a profile that keep every known viewer able to read it.

The reader of cg2tools accepts all that the format allows; these rules are narrower: they are what the tool
that writes profiles promises. Each rule names the line that breaks it.
"""

from __future__ import annotations

import re
from pathlib import Path

HEADER_KEYS = {
    "version", "creator", "pid", "cmd", "part", "thread",
    "desc", "event", "positions", "events", "summary", "totals",
}  # fmt: skip
BODY_KEYS = {
    "fl",
    "fi",
    "fe",
    "fn",
    "ob",
    "cfi",
    "cfn",
    "cob",
    "calls",
    "jfi",
    "jfn",
    "jump",
    "jcnd",
}
ID_SPACES = {
    "ob": "ob", "cob": "ob",
    "fl": "fl", "fi": "fl", "fe": "fl", "cfi": "fl", "jfi": "fl",
    "fn": "fn", "cfn": "fn", "jfn": "fn",
}  # fmt: skip
HEADER_LINE = re.compile(r"(\w+): ?(.*)")
BODY_LINE = re.compile(r"(\w+)=(.*)")
NAME = re.compile(r"\((\d+)\)(?: (.+))?")
NUMBER_LINE = re.compile(r"(?:0x[0-9a-f]+|\d+|[+-]\d+|\*)(?: (?:0x[0-9a-f]+|\d+|[+-]\d+|\*))* ?")


def faults(path: Path) -> list[str]:
    """Every line of the profile that breaks a rule, with the reason; a rule is stated where it is checked."""
    lines = path.read_text(errors="surrogateescape").splitlines()
    found = _header_faults(lines)
    defined: dict[tuple[str, str], str] = {}
    for number, line in enumerate(lines, start=1):
        # Most lines are of numbers, and no line of another kind is taken for one.
        if not line or line[0] == "#" or NUMBER_LINE.fullmatch(line):
            continue
        if body := BODY_LINE.fullmatch(line):
            problem = _body_fault(body[1], body[2], defined)
        elif header := HEADER_LINE.fullmatch(line):
            problem = None if header[1] in HEADER_KEYS else "unknown header key"
        else:
            problem = "neither a header, a name, nor numbers"
        if problem:
            found.append(f"{path.name}:{number}: {problem}: {line}")
    return found


def _header_faults(lines: list[str]) -> list[str]:
    """The first three lines are fixed; `events:` stands once, just before `summary:`; `totals:` is last."""
    found = []
    for number, start in enumerate(["# callgrind format", "version: 1", "creator: callgrind-"]):
        if len(lines) <= number or not lines[number].startswith(start):
            found.append(f"line {number + 1} is not `{start}...`")
    events = [i for i, line in enumerate(lines) if line.startswith("events:")]
    if len(events) != 1:
        found.append(f"{len(events)} `events:` lines, expected one")
    elif not lines[events[0] + 1].startswith("summary:"):
        found.append("`summary:` does not follow `events:`")
    elif not lines[events[0]].startswith("events: Ir"):
        found.append("Ir is not the first event")
    written = [line for line in lines if line]
    if not written or not written[-1].startswith("totals:"):
        found.append("`totals:` is not the last line")
    return found


def _body_fault(key: str, value: str, defined: dict[tuple[str, str], str]) -> str | None:
    """What is wrong with the body line `key`=`value`, given the ids `defined` so far."""
    if key not in BODY_KEYS:
        return "unknown key"
    if key == "calls":
        return "an arc without a call" if value.startswith("0 ") else None
    if key not in ID_SPACES:
        return None
    named = NAME.fullmatch(value)
    if named is None:
        return "an empty name" if not value else None
    identity = (ID_SPACES[key], named[1])
    if named[2] is None:
        return None if identity in defined else "an id that is not defined yet"
    if identity in defined:
        return "an id that is defined already"
    if key.startswith("j"):
        return "an id defined by a jump"
    defined[identity] = named[2]
    return None
