"""Functions of two builds that are the same, and functions that took another's place.

    matched = matched_functions(old, new)
    matched.number[0][key]      of each function of OLD; the same number in NEW is the same function
    matched.was[number]         what stood there in OLD, where it is another function in NEW
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from cg2tools.diff.names import in_other_file, without_clones, without_template_arguments
from cg2tools.profile.model import FunctionKey

_VARIANT = re.compile(
    r"(?:_(?:avx512\w*?|avx2?|evex\d*|sse\d*(?:_\d)?|ssse3|fma4?|erms|unaligned|aligned|rtm|back"
    r"|sse42|movbe|generic|c|slow|no_vzeroupper|prefer_no_\w+|ifunc|bsf))+$"
)
"""What the C library says behind the name of a function that it has for some processors."""

_ENOUGH = 5  # of what speaks for two functions being one


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of the functions of one side, by key."""

    callers: Mapping[FunctionKey, Mapping[FunctionKey, int]]
    callees: Mapping[FunctionKey, Mapping[FunctionKey, int]]
    costs: Mapping[FunctionKey, int]
    """Own costs."""


@dataclass(slots=True)
class Matched:
    """Common numbers of functions."""

    number: list[dict[FunctionKey, int]]
    keys: list[list[FunctionKey | None]]
    """By side and number, the function; None: that side has none."""
    was: dict[int, FunctionKey] = field(default_factory=dict)


def matched_functions(old: Facts, new: Facts) -> Matched:
    """Number the functions of both sides."""
    before, now = list(old.costs), list(new.costs)
    pairs = {key: key for key in before if key in new.costs}
    moved = in_other_file(set(before), set(now))
    pairs |= moved
    replaced = _replaced(old, new, pairs)
    found = Matched([{}, {}], [[], []])
    for key in now:
        _set_number(found, 1, key, len(found.keys[0]))
    for key in before:
        other = pairs.get(key) or replaced.get(key)
        number = found.number[1][other] if other else len(found.keys[0])
        _set_number(found, 0, key, number)
        if other and key not in pairs:
            found.was[number] = key
    return found


def _set_number(found: Matched, side: int, key: FunctionKey, number: int) -> None:
    found.number[side][key] = number
    for keys in found.keys:
        if number == len(keys):
            keys.append(None)
    if found.keys[side][number] is None:
        found.keys[side][number] = key


# ---- Another in its place --------------------------------------------------


def variant_of(name: str) -> str:
    """`__memcpy_avx_unaligned_erms` as `__memcpy`; others as they are."""
    return _VARIANT.sub("", name) or name


_RULES: Sequence[Callable[[FunctionKey], tuple[str, ...]]] = (
    lambda key: (key.name, key.file),  # in another object
    lambda key: (without_clones(key.name), key.file),
    lambda key: (key.name, key.object),
    lambda key: (without_clones(key.name),),
    lambda key: (variant_of(key.name), _library(key.object)),
    lambda key: (without_template_arguments(key.name), key.object),
)
"""What two functions may have in common, what says most first."""


def _library(object: str) -> str:
    """`libc-2.31.so` as `libc`."""
    return re.split(r"[-.]", object.rpartition("/")[2])[0]


def _replaced(
    old: Facts, new: Facts, pairs: Mapping[FunctionKey, FunctionKey]
) -> dict[FunctionKey, FunctionKey]:
    """Functions of NEW in the place of functions that only OLD has."""
    taken = set(pairs.values())
    gone = [key for key in old.costs if key not in pairs]
    come = [key for key in new.costs if key not in taken]
    found: dict[FunctionKey, FunctionKey] = {}
    for rule in _RULES:
        _pair_alone(gone, come, rule, found)
    while more := _likely(gone, come, old, new, {**pairs, **found}):
        found |= more
    return found


def _pair_alone(
    gone: Iterable[FunctionKey],
    come: Iterable[FunctionKey],
    rule: Callable[[FunctionKey], tuple[str, ...]],
    found: dict[FunctionKey, FunctionKey],
) -> None:
    """Pair what is the only one that the rule says the same of, in each side."""
    taken = set(found.values())
    sides: list[dict[tuple[str, ...], list[FunctionKey]]] = [defaultdict(list), defaultdict(list)]
    for key in gone:
        if key not in found and not _is_nameless(key):
            sides[0][rule(key)].append(key)
    for key in come:
        if key not in taken and not _is_nameless(key):
            sides[1][rule(key)].append(key)
    for said, keys in sides[0].items():
        others = sides[1].get(said, [])
        if len(keys) == len(others) == 1:
            found[keys[0]] = others[0]


def _is_nameless(key: FunctionKey) -> bool:
    return key.name.startswith("0x")


def _likely(
    gone: Sequence[FunctionKey],
    come: Sequence[FunctionKey],
    old: Facts,
    new: Facts,
    known: Mapping[FunctionKey, FunctionKey],
) -> dict[FunctionKey, FunctionKey]:
    """What callers, callees, costs and names speak for; each once, what most speaks for first."""
    taken = set(known.values())
    by_caller: dict[FunctionKey, list[FunctionKey]] = defaultdict(list)
    for key in come:
        if key not in taken:
            for caller in new.callers.get(key, ()):
                by_caller[caller].append(key)
    said = []
    for key in gone:
        if key in known:
            continue
        callers = {known[each] for each in old.callers.get(key, ()) if each in known}
        others = dict.fromkeys(other for each in callers for other in by_caller[each])
        for other in others:
            score = _likeness(key, other, old, new, known)
            if score >= _ENOUGH:
                said.append((-score, len(said), key, other))
    found: dict[FunctionKey, FunctionKey] = {}
    for _, _, key, other in sorted(said):
        if key not in found and other not in found.values():
            found[key] = other
    return found


def _likeness(
    key: FunctionKey,
    other: FunctionKey,
    old: Facts,
    new: Facts,
    known: Mapping[FunctionKey, FunctionKey],
) -> int:
    """How much speaks for two functions being one."""
    callers = {known.get(each): n for each, n in old.callers.get(key, {}).items()}
    callees = {known.get(each) for each in old.callees.get(key, {}) if each != key}
    callees_now = {each for each in new.callees.get(other, {}) if each != other}
    callers_now = new.callers.get(other, {})
    was, now = old.costs[key], new.costs[other]
    has_like_cost = abs(was - now) * 5 <= max(was, now)
    has_like_name = SequenceMatcher(None, key.name, other.name).ratio() > 0.6
    if not (has_like_cost or has_like_name):
        return 0
    score = 2 * (callers.keys() == callers_now.keys()) + (callers == callers_now)
    score += 2 * bool(callees and callees == callees_now) - 2 * (callees != callees_now)
    score += (key.file, key.object) == (other.file, other.object)
    return score + has_like_cost + (was == now) + has_like_name
