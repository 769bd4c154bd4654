"""Functions of two builds that are the same, and functions that took another's place.

    matched = matched_functions(old, new)
    matched.number[0][key]      of each function of OLD; the same number in NEW is the same function
    matched.was[number]         what stood there in OLD, where it is another function in NEW
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import SequenceMatcher

from cg2tools.diff.names import in_other_file, without_clones, without_template_arguments
from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.model import FunctionKey

_VARIANT = re.compile(
    r"(?:_(?:avx512\w*?|avx2?|evex\d*|sse\d*(?:_\d)?|ssse3|fma4?|erms|unaligned|aligned|rtm|back"
    r"|sse42|movbe|generic|c|slow|no_vzeroupper|prefer_no_\w+|ifunc|bsf))+$"
)
"""What the C library says behind the name of a function that it has for some processors."""

_ENOUGH = 5  # of what speaks for two functions being one


Counts = Mapping[FunctionKey, Mapping[FunctionKey, int]]
"""Who calls each function or whom it calls, and how often."""


class Facts:
    """What is known of the functions of one side, by key."""

    def __init__(self, graphs: Sequence[Graph], keys_of: Sequence[Sequence[FunctionKey]]) -> None:
        """`keys_of` has the keys of each graph's nodes."""
        self._graphs = list(zip(graphs, keys_of))
        self.costs: dict[FunctionKey, int] = {}
        """Own costs."""
        for graph, keys in self._graphs:
            costs = graph.self_costs[:: graph.width]
            if not self.costs and len(set(keys)) == len(keys):
                self.costs = dict(zip(keys, costs))
                continue
            for key, cost in zip(keys, costs):
                self.costs[key] = self.costs.get(key, 0) + cost

    def calls(self, wanted: Set[FunctionKey]) -> tuple[Counts, Counts]:
        """The callers and the callees of some functions."""
        callers: dict[FunctionKey, dict[FunctionKey, int]] = defaultdict(dict)
        callees: dict[FunctionKey, dict[FunctionKey, int]] = defaultdict(dict)
        for graph, keys in self._graphs:
            is_wanted = [key in wanted for key in keys]
            for caller, callee, count in zip(graph.callers, graph.callees, graph.counts):
                by, to = keys[caller], keys[callee]
                if is_wanted[callee]:
                    callers[to][by] = callers[to].get(by, 0) + count
                if is_wanted[caller]:
                    callees[by][to] = callees[by].get(to, 0) + count
        return callers, callees


@dataclass(frozen=True, slots=True)
class Matched:
    """Common numbers of functions."""

    number: Sequence[Mapping[FunctionKey, int]]
    keys: Sequence[Sequence[FunctionKey | None]]
    """By side and number, the function; None: that side has none."""
    was: Mapping[int, FunctionKey]


ByCode = Callable[[Set[FunctionKey], Set[FunctionKey]], Mapping[FunctionKey, FunctionKey]]
"""Which functions that only OLD has have the same code as which that only NEW has."""


def matched_functions(old: Facts, new: Facts, by_code: ByCode) -> Matched:
    """Number the functions of both sides: NEW's in their order, then OLD's alone.

    Functions without names are matched by code, where that is known.
    """
    of_new = dict(zip(new.costs, range(len(new.costs))))
    pairs = in_other_file(set(old.costs), set(new.costs))
    gone = {key for key in old.costs if key not in new.costs and is_nameless(key)}
    come = {key for key in new.costs if key not in old.costs and is_nameless(key)}
    pairs |= by_code(gone, come) if gone and come else {}
    replaced = _replaced(old, new, pairs)
    of_old: dict[FunctionKey, int] = {}
    keys: list[list[FunctionKey | None]] = [[None] * len(of_new), [*of_new]]
    for key in old.costs:
        number = of_new.get(pairs.get(key) or replaced.get(key) or key)
        if number is None:
            number = len(keys[0])
            keys[0].append(None)
            keys[1].append(None)
        of_old[key] = number
        keys[0][number] = key
    return Matched([of_old, of_new], keys, {of_old[key]: key for key in replaced})


# ---- Another in its place --------------------------------------------------


def variant_of(name: str) -> str:
    """`__memcpy_avx_unaligned_erms` and `memcpy@GLIBC_2.2.5` as `memcpy`; others as they are."""
    bare = name.partition("@")[0]
    return _VARIANT.sub("", bare).lstrip("_") or name


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
    gone = [key for key in old.costs if key not in new.costs and key not in pairs]
    come = [key for key in new.costs if key not in old.costs and key not in taken]
    found: dict[FunctionKey, FunctionKey] = {}
    if not (gone and come):
        return found
    for rule in _RULES:
        _pair_alone(gone, come, rule, found)
    likely = _Likely(old, new, pairs, gone, come)
    while more := likely.pairs(found):
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
        if key not in found and not is_nameless(key):
            sides[0][rule(key)].append(key)
    for key in come:
        if key not in taken and not is_nameless(key):
            sides[1][rule(key)].append(key)
    for said, keys in sides[0].items():
        others = sides[1].get(said, [])
        if len(keys) == len(others) == 1:
            found[keys[0]] = others[0]


def is_nameless(key: FunctionKey) -> bool:
    """Whether a function has no name but its address."""
    return key.name.startswith("0x")


class _Likely:
    """What callers, callees, costs and names speak for."""

    def __init__(
        self,
        old: Facts,
        new: Facts,
        pairs: Mapping[FunctionKey, FunctionKey],
        gone: Sequence[FunctionKey],
        come: Sequence[FunctionKey],
    ) -> None:
        self._costs = old.costs, new.costs
        self._pairs = pairs
        self._gone, self._come = gone, come
        self._callers, self._callees = old.calls(set(gone))
        self._callers_now, self._callees_now = new.calls(set(come))
        self._found: Mapping[FunctionKey, FunctionKey] = {}

    def pairs(self, found: Mapping[FunctionKey, FunctionKey]) -> dict[FunctionKey, FunctionKey]:
        """More pairs, besides those that are found: each once, what most speaks for first."""
        self._found = found
        taken = set(found.values())
        by_caller: dict[FunctionKey, list[FunctionKey]] = defaultdict(list)
        for key in self._come:
            if key not in taken:
                for caller in self._callers_now.get(key, ()):
                    by_caller[caller].append(key)
        said: list[tuple[float, int, FunctionKey, FunctionKey]] = []
        for key in self._gone:
            if key in found:
                continue
            callers = {self._now(each) for each in self._callers.get(key, ())}
            others = dict.fromkeys(other for each in callers if each for other in by_caller[each])
            for other in others:
                score = self._likeness(key, other)
                if score >= _ENOUGH:
                    said.append((-score, len(said), key, other))
        more: dict[FunctionKey, FunctionKey] = {}
        for _, _, key, other in sorted(said):
            if key not in more and other not in more.values():
                more[key] = other
        return more

    def _now(self, key: FunctionKey) -> FunctionKey | None:
        """The function of NEW that one of OLD is."""
        other = self._pairs.get(key) or self._found.get(key) or key
        return other if other in self._costs[1] else None

    def _likeness(self, key: FunctionKey, other: FunctionKey) -> int:
        """How much speaks for two functions being one."""
        was, now = self._costs[0][key], self._costs[1][other]
        has_like_cost = abs(was - now) * 5 <= max(was, now)
        has_like_name = SequenceMatcher(None, key.name, other.name).ratio() > 0.6
        if not (has_like_cost or has_like_name):
            return 0
        callers = {self._now(each): n for each, n in self._callers.get(key, {}).items()}
        callers_now = self._callers_now.get(other, {})
        callees = {self._now(each) for each in self._callees.get(key, ()) if each != key}
        callees_now = {each for each in self._callees_now.get(other, ()) if each != other}
        score = 2 * (callers.keys() == callers_now.keys()) + (callers == callers_now)
        score += 2 * bool(callees and callees == callees_now) - 2 * (callees != callees_now)
        score += (key.file, key.object) == (other.file, other.object)
        return score + has_like_cost + (was == now) + has_like_name
