"""Functions of two builds that are the same, and functions that took another's place.

    matched = matched_functions(matching, old, new, by_code)
    matched.numbers(nodes)      of functions; the same number in OLD and NEW is the same function
    matched.key_before(number)  what stood there in OLD, where it is another function in NEW
"""

import re
from array import array
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import chain, compress

from cg2tools.diff.names import without_clones, without_template_arguments
from cg2tools.profile.explanation import Side, likely_replacements
from cg2tools.profile.libcg2profile import NONE
from cg2tools.profile.matching import IN_NEW, IN_OLD, Matching
from cg2tools.profile.model import FunctionKey

_VARIANT = re.compile(
    r"(?:_(?:avx512\w*?|avx2?|evex\d*|sse\d*(?:_\d)?|ssse3|fma4?|erms|unaligned|aligned|rtm|back"
    r"|sse42|movbe|generic|c|slow|no_vzeroupper|prefer_no_\w+|ifunc|bsf))+$"
)
"""What the C library says behind the name of a function that it has for some processors."""

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
        self.was = {self._of[function]: function for function in replaced}
        """The function that stood there in OLD, where it is another one in NEW."""

    def numbers(self, nodes: "array[int]") -> "array[int]":
        """The numbers of nodes whose functions are given."""
        return array("I", map(self._of.__getitem__, nodes))

    def key(self, number: int) -> FunctionKey | None:
        """NEW's, or OLD's where NEW has none; None of NONE."""
        return None if number == NONE else self.matching.key(self.functions[number])

    def key_before(self, number: int) -> FunctionKey | None:
        """What stood there in OLD, where it is another function in NEW; else None."""
        return self.matching.key(self.was[number]) if number in self.was else None

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

    def is_in_both(self, number: int) -> bool:
        """Whether both have it, or NEW has what replaced it."""
        return not (self.is_only_old(number) or self.is_only_new(number))


def _functions(side: Side) -> list[int]:
    """The functions of a side, in their order."""
    return list(dict.fromkeys(chain.from_iterable(side.functions)))


ByCode = Callable[[Set[int], Set[int]], Pairs]
"""Which functions that only OLD has have the same code as which that only NEW has."""


def matched_functions(matching: Matching, old: Side, new: Side, by_code: ByCode | None) -> Matched:
    """Find which functions are one or took another's place.

    The functions of a side's nodes are numbers of the matching. Those without names or callers are
    matched by code, if that is there.
    """
    gone = [each for each in _functions(old) if matching.sides[each] == IN_OLD]
    come = [each for each in _functions(new) if matching.sides[each] == IN_NEW]
    columns = _Columns(matching)
    pairs = _in_other_file(columns, gone, come)
    nameless = [set(filter(columns.is_nameless, alone)) for alone in (gone, come)]
    if by_code and gone and come:
        roots = _roots(old, gone), _roots(new, come)
        pairs |= by_code(nameless[0] | roots[0], nameless[1] | roots[1])
    taken = {*pairs.values()}
    named = (
        [each for each in gone if each not in pairs and each not in nameless[0]],
        [each for each in come if each not in taken and each not in nameless[1]],
    )
    replaced = _replaced(columns, *named)
    if gone and come:
        replaced |= likely_replacements(matching, old, new, pairs | replaced)
    return Matched(matching, old, new, pairs, replaced)


def _roots(side: Side, functions: Iterable[int]) -> set[int]:
    """The functions that nothing calls but themselves."""
    called: set[int] = set()
    for graph, numbers in zip(side.graphs, side.functions):
        ends = (map(numbers.__getitem__, nodes) for nodes in (graph.callers, graph.callees))
        called.update(callee for caller, callee in zip(*ends) if caller != callee)
    return set(functions) - called


class _Columns:
    """The names of all functions of a Matching, as columns."""

    def __init__(self, matching: Matching) -> None:
        self.objects = matching.objects()
        self.files = matching.files_of_functions()
        self.names = matching.names()
        self.sides = matching.sides
        self.texts = matching.texts

    def name_of(self, function: int) -> str:
        return self.texts[self.names[function]]

    def short_library_of(self, function: int) -> str:
        """`libc-2.31.so` as `libc`."""
        return _library(self.texts[self.objects[function]])

    def is_nameless(self, function: int) -> bool:
        """Whether a function has no name but its address."""
        return self.name_of(function).startswith("0x")


def _in_other_file(columns: _Columns, gone: Sequence[int], come: Sequence[int]) -> dict[int, int]:
    """Functions of OLD that NEW has in another file.

    A function is the same if both have one of its object and name and no more.
    """
    objects, names = columns.objects, columns.names
    were, are = (
        {(objects[each], names[each]): each for each in functions} for functions in (gone, come)
    )
    moved = were.keys() & are.keys()
    for side in (IN_OLD, IN_NEW) if moved else ():
        places = compress(zip(objects, names), (sides & side for sides in columns.sides))
        count = Counter(place for place in places if place in moved)
        moved = {place for place in moved if count[place] == 1}
    return {was: are[place] for place, was in were.items() if place in moved}


# ---- Another in its place --------------------------------------------------


def variant_of(name: str) -> str:
    """`__memcpy_avx_unaligned_erms` and `memcpy@GLIBC_2.2.5` as `memcpy`; others as they are."""
    bare = name.partition("@")[0]
    return _VARIANT.sub("", bare).lstrip("_") or name


@cache
def _library(object: str) -> str:
    """`libc-2.31.so` as `libc`."""
    return re.split(r"[-.]", object.rpartition("/")[2])[0]


_Said = Iterable[Hashable]
"""What is said of functions, in their order."""


def _at(column: Sequence[int], functions: Sequence[int]) -> Iterator[int]:
    return map(column.__getitem__, functions)


def _names(
    columns: _Columns, functions: Sequence[int], short: Callable[[str], str]
) -> Iterator[str]:
    return map(short, map(columns.name_of, functions))


_RULES: Sequence[Callable[[_Columns, Sequence[int]], _Said]] = (
    lambda of, some: zip(_at(of.names, some), _at(of.files, some)),  # in another object
    lambda of, some: zip(_names(of, some, without_clones), _at(of.files, some)),
    lambda of, some: zip(_at(of.names, some), _at(of.objects, some)),
    lambda of, some: _names(of, some, without_clones),
    lambda of, some: zip(_names(of, some, variant_of), map(of.short_library_of, some)),
    lambda of, some: zip(_names(of, some, without_template_arguments), _at(of.objects, some)),
)
"""What two functions may have in common, what says most first."""


def _replaced(columns: _Columns, gone: Sequence[int], come: Sequence[int]) -> dict[int, int]:
    """Functions of NEW in the place of functions that only OLD has, as their names say."""
    found: dict[int, int] = {}
    for rule in _RULES:
        taken = {*found.values()}
        gone = [each for each in gone if each not in found]
        come = [each for each in come if each not in taken]
        if not (gone and come):
            break
        was, now = (_alone(rule(columns, some), some) for some in (gone, come))
        found |= {function: now[said] for said, function in was.items() if said in now}
    return found


def _alone(said: _Said, functions: Sequence[int]) -> dict[Hashable, int]:
    """The functions of which something is said that is said of no other."""
    every = list(said)
    count = Counter(every)
    return {each: function for each, function in zip(every, functions) if count[each] == 1}
