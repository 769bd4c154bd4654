"""Which lines are the same in two sides, as cg2profile/difference.h says it and ask/chain.h weighs it: slow,
and without any of the library's tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

Rows = dict[int, tuple[int, list[int]]]
"""The rows of a group by their last keys: count and costs."""

Group = tuple[Rows, Rows]
"""OLD's and NEW's, both with rows, lines rising."""

Match = tuple[int, int]

PAIRED, SAME_COST, SAME_RATIO, EDIT = 48, 16, 16, 32


class Link(NamedTuple):
    """A chain that ends with a pair of lines."""

    weight: int
    matches: tuple[Match, ...]
    told: tuple[bool, ...]

    @property
    def rank(self) -> tuple[int, int, int]:
        old, new = self.matches[-1] if self.matches else (0, 0)
        return self.weight, -new, -old


START = Link(0, (), ())


def pairs_of_file(groups: Sequence[Group]) -> list[dict[int, int]]:
    """The pairs of each group of a file."""
    if all(old.keys() == new.keys() for old, new in groups):
        return [same_lines(group) for group in groups]
    chain = dict(aligned(groups)[0])
    pairs = []
    for group in groups:
        found = in_group(chain, group)
        if group[0].keys() == group[1].keys():
            found = same_lines(group)
        elif not found:
            matches, told = aligned([group])
            if is_credible(matches, told, group):
                found = in_group(dict(matches), group)
        pairs.append(found)
    return pairs


def same_lines(group: Group) -> dict[int, int]:
    return {line: line for line in group[0] if line in group[1]}


def in_group(chain: dict[int, int], group: Group) -> dict[int, int]:
    return {line: chain[line] for line in group[0] if chain.get(line) in group[1]}


def is_credible(matches: list[Match], told: list[bool], group: Group) -> bool:
    if 2 * sum(told) >= len(told):
        return True
    is_whole = len(matches) == len(group[0]) == len(group[1])
    return len(matches) > 2 and is_whole and len({new - old for old, new in matches}) == 1


# ---- The chain -------------------------------------------------------------


def aligned(groups: Sequence[Group]) -> tuple[list[Match], list[bool]]:
    """The lines of groups that are the same, and which of them more speaks for than distances."""
    weights = candidates(groups)
    ratio = ratios(groups)
    links: dict[Match, Link] = {}
    for old, new in sorted(weights, key=lambda pair: (pair[0], -pair[1])):
        before = [link for (a, b), link in links.items() if a < old and b < new and link.weight > 0]
        edited = max([START, *before], key=lambda link: link.rank)
        best = edited._replace(weight=edited.weight - EDIT)
        is_told = False
        run = [pair for pair in links if pair[1] - pair[0] == new - old]
        if run or new == old:
            stays = links[run[-1]] if run else START
            same = bool(run) and ratio(run[-1], (old, new))
            if stays.weight + SAME_RATIO * same >= best.weight:
                best, is_told = stays._replace(weight=stays.weight + SAME_RATIO * same), same
        weight = weights[old, new]
        links[old, new] = Link(
            best.weight + weight,
            (*best.matches, (old, new)),
            (*best.told, is_told or weight > PAIRED),
        )
    link = max(
        [START, *(link for link in links.values() if link.weight > 0)], key=lambda link: link.rank
    )
    told_of = {pair: link.told[-1] for pair, link in links.items()}
    matches = without_detours(link, told_of)
    return matches, [told_of[match] for match in matches]


def candidates(groups: Sequence[Group]) -> dict[Match, int]:
    weights: Counter[Match] = Counter()
    for old, new in groups:
        is_same = old.keys() == new.keys()
        pairs = [(a, b) for a in old for b in new if a == b or not is_same]
        alike = same_costs(old, new)
        for pair in pairs:
            weights[pair] += PAIRED + SAME_COST * (pair in alike)
    functions = [Counter(line for group in groups for line in group[side]) for side in (0, 1)]
    return {
        (a, b): weight // max(functions[0][a], functions[1][b])
        for (a, b), weight in weights.items()
    }


def same_costs(old: Rows, new: Rows) -> set[Match]:
    found: set[Match] = set()
    for cost in {tuple(cost) for _, cost in old.values()}:
        was, now = ([line for line in rows if tuple(rows[line][1]) == cost] for rows in (old, new))
        if len(was) == len(now):
            found.update(zip(was, now))
    return found


def ratios(groups: Sequence[Group]) -> Callable[[Match, Match], bool]:
    """Whether the lines of two pairs cost as many times what they did."""
    costs: list[Counter[int]] = [Counter(), Counter()]
    for group in groups:
        for rows, of in zip(group, costs):
            for line, (_, cost) in rows.items():
                of[line] += cost[0]

    def is_same(a: Match, b: Match) -> bool:
        low, high = sorted((costs[0][a[0]] * costs[1][b[1]], costs[0][b[0]] * costs[1][a[1]]))
        return low > 0 and high - low <= low // 32

    return is_same


def without_detours(link: Link, told_of: dict[Match, bool]) -> list[Match]:
    """The chain; in place of runs that are not to be believed lines stand as those before."""
    runs: list[list[Match]] = []
    for old, new in link.matches:
        if runs and distance(runs[-1]) == new - old:
            runs[-1].append((old, new))
        else:
            runs.append([(old, new)])
    order = list(told_of)  # as candidates come
    found: list[Match] = []
    by = begin = 0
    none: list[Match] = []
    for run, behind in zip(runs, [*runs[1:], none]):
        is_back = bool(behind) and distance(behind) == by
        is_told = 2 * sum(told_of[match] for match in run) >= len(run)
        if distance(run) == by or is_told or (len(run) > 1 and not is_back):
            found += run
            by = distance(run)
            begin = order.index(run[-1]) + 1
            continue
        end = order.index(behind[0]) if behind else len(order)
        most = behind[0] if behind else (1 << 64, 1 << 64)
        found += [
            (a, b) for a, b in order[begin:end] if b - a == by and a < most[0] and b < most[1]
        ]
        begin = end if behind else begin
    return found


def distance(run: list[Match]) -> int:
    return run[0][1] - run[0][0]
