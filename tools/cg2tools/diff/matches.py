"""Functions of two builds that are the same, and functions that took another's place.

    matched = matched_functions(matching, old, new, by_code)
    matched.numbers(nodes)      of functions; the same number in OLD and NEW is the same function
    matched.was[number]         what stood there in OLD, where it is another function in NEW
"""

import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache
from itertools import chain, compress
from operator import or_
from os.path import commonprefix

from cg2tools.diff.names import changed_files, without_clones, without_template_arguments
from cg2tools.profile.graphcolumns import Graph
from cg2tools.profile.libcg2profile import NONE
from cg2tools.profile.matching import IN_NEW, IN_OLD, Matching
from cg2tools.profile.model import FunctionKey

_VARIANT = re.compile(
    r"(?:_(?:avx512\w*?|avx2?|evex\d*|sse\d*(?:_\d)?|ssse3|fma4?|erms|unaligned|aligned|rtm|back"
    r"|sse42|movbe|generic|c|slow|no_vzeroupper|prefer_no_\w+|ifunc|bsf))+$"
)
"""What the C library says behind the name of a function that it has for some processors."""

_ENOUGH = 5  # of what speaks for two functions being one

Keys = Mapping[int, FunctionKey]
"""Functions by their numbers in a Matching."""

Pairs = Mapping[int, int]
"""Functions of NEW, by what they are, or took the place of, in OLD."""

Counts = Mapping[int, Mapping[int, int]]
"""Who calls each function or whom it calls, and how often."""


class Facts:
    """What is known of the functions of one side."""

    def __init__(self, graphs: Sequence[Graph], nodes: Sequence["array[int]"]) -> None:
        """`nodes` are the functions of each graph's nodes, as a Matching numbers them."""
        self._graphs = list(zip(graphs, nodes))
        self.functions = list(dict.fromkeys(chain.from_iterable(nodes)))
        """In their order."""

    def costs(self, wanted: Set[int]) -> dict[int, int]:
        """Own costs of some functions."""
        found = dict.fromkeys(wanted, 0)
        for graph, nodes in self._graphs:
            costs = graph.self_costs[:: graph.width]
            for function, cost in zip(nodes, costs):
                if function in wanted:
                    found[function] += cost
        return found

    def calls(self, wanted: Set[int]) -> tuple[Counts, Counts]:
        """The callers and the callees of some functions."""
        callers: dict[int, dict[int, int]] = defaultdict(dict)
        callees: dict[int, dict[int, int]] = defaultdict(dict)
        for graph, nodes in self._graphs:
            is_wanted = bytes([function in wanted for function in nodes])
            ends = graph.callers, graph.callees
            is_kept = map(or_, *(map(is_wanted.__getitem__, nodes_of) for nodes_of in ends))
            for caller, callee, count in compress(zip(*ends, graph.counts), is_kept):
                by, to = nodes[caller], nodes[callee]
                if is_wanted[callee]:
                    callers[to][by] = callers[to].get(by, 0) + count
                if is_wanted[caller]:
                    callees[by][to] = callees[by].get(to, 0) + count
        return callers, callees


class Matched:
    """Functions by numbers that both sides share: NEW's in their order, then OLD's alone."""

    def __init__(
        self, matching: Matching, old: Facts, new: Facts, pairs: Pairs, replaced: Pairs
    ) -> None:
        """`pairs` has what functions of OLD are in NEW, `replaced` what is in their place."""
        self.matching = matching
        self.pairs = pairs
        """What functions of OLD are in NEW under another name."""
        self._of = array("I", [NONE]) * matching.count
        for number, function in enumerate(new.functions):
            self._of[function] = number
        self._in_new = len(new.functions)
        alone: list[int] = []
        for function in old.functions:
            if matching.sides[function] != IN_OLD:
                continue
            other = pairs.get(function, replaced.get(function))
            if other is None:
                self._of[function] = self._in_new + len(alone)
                alone.append(function)
            else:
                self._of[function] = self._of[other]
        self.functions = [*new.functions, *alone]
        """By number."""
        self._taken = {self._of[other] for other in (*pairs.values(), *replaced.values())}
        self.was = {self._of[function]: matching.key(function) for function in replaced}
        """What stood there in OLD, where it is another function in NEW."""

    def numbers(self, nodes: "array[int]") -> "array[int]":
        """The numbers of nodes whose functions are given."""
        return array("I", map(self._of.__getitem__, nodes))

    def key(self, number: int) -> FunctionKey | None:
        """NEW's, or OLD's where NEW has none; None of NONE."""
        return None if number == NONE else self.matching.key(self.functions[number])

    def is_only_old(self, number: int) -> bool:
        """Whether NEW does not have it."""
        return self._in_new <= number != NONE

    def is_only_new(self, number: int) -> bool:
        """Whether OLD has neither it nor what it replaced."""
        return (
            number < self._in_new
            and self.matching.sides[self.functions[number]] == IN_NEW
            and number not in self._taken
        )


ByCode = Callable[[Set[int], Set[int]], Pairs]
"""Which functions that only OLD has have the same code as which that only NEW has."""


def matched_functions(matching: Matching, old: Facts, new: Facts, by_code: ByCode) -> Matched:
    """Find which functions are one or took another's place; those without names are matched by code."""
    sides, _ = matching.sides, matching.texts  # each key is made faster where these are known
    gone = {each: matching.key(each) for each in old.functions if sides[each] == IN_OLD}
    come = {each: matching.key(each) for each in new.functions if sides[each] == IN_NEW}
    pairs = _in_other_file(matching, gone, come)
    nameless = [{each for each in keys if is_nameless(keys[each])} for keys in (gone, come)]
    pairs |= by_code(*nameless) if all(nameless) else {}
    replaced = _replaced(_Lost(matching, old, new, pairs, gone, come))
    return Matched(matching, old, new, pairs, replaced)


def _in_other_file(matching: Matching, gone: Keys, come: Keys) -> dict[int, int]:
    """Functions of OLD that NEW has in another file.

    A function is the same if both have one of its object and name and no more.
    """
    was, now = ({key: number for number, key in keys.items()} for keys in (gone, come))

    def all_of() -> Iterator[Iterator[FunctionKey]]:
        for side in IN_OLD, IN_NEW:
            yield (key for key, sides in zip(matching.keys, matching.sides) if sides & side)

    moved = changed_files(was.keys(), now.keys(), all_of)
    return {was[key]: now[other] for key, other in moved.items()}


# ---- Another in its place --------------------------------------------------


def variant_of(name: str) -> str:
    """`__memcpy_avx_unaligned_erms` and `memcpy@GLIBC_2.2.5` as `memcpy`; others as they are."""
    bare = name.partition("@")[0]
    return _VARIANT.sub("", bare).lstrip("_") or name


@cache
def _library(object: str) -> str:
    """`libc-2.31.so` as `libc`."""
    return re.split(r"[-.]", object.rpartition("/")[2])[0]


_RULES: Sequence[Callable[[FunctionKey], tuple[str, ...]]] = (
    lambda key: (key.name, key.file),  # in another object
    lambda key: (without_clones(key.name), key.file),
    lambda key: (key.name, key.object),
    lambda key: (without_clones(key.name),),
    lambda key: (variant_of(key.name), _library(key.object)),
    lambda key: (without_template_arguments(key.name), key.object),
)
"""What two functions may have in common, what says most first."""


@dataclass(frozen=True, slots=True)
class _Lost:
    """What only one side has, and what is known of it."""

    matching: Matching
    old: Facts
    new: Facts
    pairs: Pairs
    gone: Keys
    come: Keys


def _replaced(lost: _Lost) -> dict[int, int]:
    """Functions of NEW in the place of functions that only OLD has."""
    taken = set(lost.pairs.values())
    gone = {each: key for each, key in lost.gone.items() if each not in lost.pairs}
    come = {each: key for each, key in lost.come.items() if each not in taken}
    found: dict[int, int] = {}
    if not (gone and come):
        return found
    for rule in _RULES:
        _pair_alone(gone, come, rule, found)
    likely = _Likely(replace(lost, gone=gone, come=come))
    while more := likely.pairs(found):
        found |= more
    return found


def _pair_alone(
    gone: Keys,
    come: Keys,
    rule: Callable[[FunctionKey], tuple[str, ...]],
    found: dict[int, int],
) -> None:
    """Pair what is the only one that the rule says the same of, in each side."""
    taken = set(found.values())
    sides: list[dict[tuple[str, ...], list[int]]] = []
    for keys, paired in ((gone, found.keys()), (come, taken)):
        by_rule: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, key in keys.items():
            if number not in paired and not is_nameless(key):
                by_rule[rule(key)].append(number)
        sides.append(by_rule)
    for said, numbers in sides[0].items():
        others = sides[1].get(said, [])
        if len(numbers) == len(others) == 1:
            found[numbers[0]] = others[0]


def is_nameless(key: FunctionKey) -> bool:
    """Whether a function has no name but its address."""
    return key.name.startswith("0x")


def _are_alike(name: str, other: str) -> bool:
    """Whether more than six of ten letters of both are the same, at both ends or in order."""
    least = 0.3 * (len(name) + len(other))
    begin = len(commonprefix((name, other)))
    end = len(commonprefix((name[:begin:-1], other[:begin:-1])))
    if begin + end > least:
        return True
    matcher = SequenceMatcher(None, name, other)
    return matcher.quick_ratio() > 0.6 and matcher.ratio() > 0.6


class _Likely:
    """What callers, callees, costs and names speak for."""

    def __init__(self, lost: _Lost) -> None:
        self._lost = lost
        self._costs = lost.old.costs(lost.gone.keys()) | lost.new.costs(lost.come.keys())
        self._callers, self._callees = lost.old.calls(lost.gone.keys())
        self._callers_now, self._callees_now = lost.new.calls(lost.come.keys())
        self._found: Pairs = {}

    def pairs(self, found: Pairs) -> dict[int, int]:
        """More pairs, besides those that are found: each once, what most speaks for first."""
        self._found = found
        taken = set(found.values())
        by_caller: dict[int, list[int]] = defaultdict(list)
        for number in self._lost.come:
            if number not in taken:
                for caller in self._callers_now.get(number, ()):
                    by_caller[caller].append(number)
        said: list[tuple[int, int, int, int]] = []
        for number in self._lost.gone:
            if number in found:
                continue
            callers = dict.fromkeys(map(self._now, self._callers.get(number, ())))
            others = dict.fromkeys(other for each in callers for other in by_caller.get(each, ()))
            for other in others:
                score = self._likeness(number, other)
                if score >= _ENOUGH:
                    said.append((-score, len(said), number, other))
        more: dict[int, int] = {}
        paired = set()
        for _, _, number, other in sorted(said):
            if number not in more and other not in paired:
                more[number] = other
                paired.add(other)
        return more

    def _now(self, number: int) -> int:
        """The function of NEW that one of OLD is; NONE: NEW does not have it."""
        other = self._lost.pairs.get(number, self._found.get(number, number))
        return other if self._lost.matching.sides[other] & IN_NEW else NONE

    def _likeness(self, number: int, other: int) -> int:
        """How much speaks for two functions being one."""
        key, key_now = self._lost.gone[number], self._lost.come[other]
        was, now = self._costs[number], self._costs[other]
        has_like_cost = abs(was - now) * 5 <= max(was, now)
        has_like_name = _are_alike(key.name, key_now.name)
        if not (has_like_cost or has_like_name):
            return 0
        callers = {self._now(each): n for each, n in self._callers.get(number, {}).items()}
        callers_now = self._callers_now.get(other, {})
        callees = {self._now(each) for each in self._callees.get(number, ()) if each != number}
        callees_now = {each for each in self._callees_now.get(other, ()) if each != other}
        score = 2 * (callers.keys() == callers_now.keys()) + (callers == callers_now)
        score += 2 * bool(callees and callees == callees_now) - 2 * (callees != callees_now)
        score += (key.file, key.object) == (key_now.file, key_now.object)
        return score + has_like_cost + (was == now) + has_like_name
