"""Functions of two builds that are the same, and functions that took another's place.

    matched = matched_functions(matching, old, new, by_code)
    matched.numbers(nodes)      of functions; the same number in OLD and NEW is the same function
    matched.was[number]         what stood there in OLD, where it is another function in NEW
"""

import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import chain

from cg2tools.diff.names import changed_files, without_clones, without_template_arguments
from cg2tools.profile.explanation import Side, likely_replacements
from cg2tools.profile.libcg2profile import NONE
from cg2tools.profile.matching import IN_NEW, IN_OLD, Matching
from cg2tools.profile.model import FunctionKey

_VARIANT = re.compile(
    r"(?:_(?:avx512\w*?|avx2?|evex\d*|sse\d*(?:_\d)?|ssse3|fma4?|erms|unaligned|aligned|rtm|back"
    r"|sse42|movbe|generic|c|slow|no_vzeroupper|prefer_no_\w+|ifunc|bsf))+$"
)
"""What the C library says behind the name of a function that it has for some processors."""

Keys = Mapping[int, FunctionKey]
"""Functions by their numbers in a Matching."""

Pairs = Mapping[int, int]
"""Functions of NEW, by what they are, or took the place of, in OLD."""


class Matched:
    """Functions by numbers that both sides share: NEW's in their order, then OLD's alone."""

    def __init__(
        self, matching: Matching, old: Side, new: Side, pairs: Pairs, replaced: Pairs
    ) -> None:
        """`pairs` has what functions of OLD are in NEW, `replaced` what is in their place."""
        olds, news = map(_functions, (old, new))
        self.matching = matching
        self.pairs = pairs
        """What functions of OLD are in NEW under another name."""
        self._of = array("I", [NONE]) * matching.count
        for number, function in enumerate(news):
            self._of[function] = number
        self._in_new = len(news)
        alone: list[int] = []
        for function in olds:
            if matching.sides[function] != IN_OLD:
                continue
            other = pairs.get(function, replaced.get(function))
            if other is None:
                self._of[function] = self._in_new + len(alone)
                alone.append(function)
            else:
                self._of[function] = self._of[other]
        self.functions = [*news, *alone]
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


def _functions(side: Side) -> list[int]:
    """The functions of a side, in their order."""
    return list(dict.fromkeys(chain.from_iterable(side.functions)))


ByCode = Callable[[Set[int], Set[int]], Pairs]
"""Which functions that only OLD has have the same code as which that only NEW has."""


def matched_functions(matching: Matching, old: Side, new: Side, by_code: ByCode) -> Matched:
    """Find which functions are one or took another's place; those without names are matched by code."""
    sides, _ = matching.sides, matching.texts  # each key is made faster where these are known
    gone = {each: matching.key(each) for each in _functions(old) if sides[each] == IN_OLD}
    come = {each: matching.key(each) for each in _functions(new) if sides[each] == IN_NEW}
    pairs = _in_other_file(matching, gone, come)
    nameless = [{each for each in keys if is_nameless(keys[each])} for keys in (gone, come)]
    pairs |= by_code(*nameless) if all(nameless) else {}
    replaced = _replaced(pairs, gone, come)
    replaced |= likely_replacements(matching, old, new, pairs | replaced)
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


def _replaced(pairs: Pairs, gone: Keys, come: Keys) -> dict[int, int]:
    """Functions of NEW in the place of functions that only OLD has, as their names say."""
    taken = set(pairs.values())
    gone = {each: key for each, key in gone.items() if each not in pairs}
    come = {each: key for each, key in come.items() if each not in taken}
    found: dict[int, int] = {}
    if gone and come:
        for rule in _RULES:
            _pair_alone(gone, come, rule, found)
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
