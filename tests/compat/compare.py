"""Compare a stock Callgrind profile with a cg2 profile of the same run.

    compare.py [--raw] [--limit=N] STOCK.out CG2.out

Every figure is compared: the total, the self cost of every function, the call count and the inclusive cost
of every arc (graph.py says what is summed). The rules of rules.py are applied first, unless --raw is given.
Prints the differences, the largest first, and a summary; the exit status is 1 if there is a difference.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from graph import Arc, Graph, ProfileError, load
from rules import apply_rules

KINDS = ["total", "self", "count", "inclusive"]


@dataclass(frozen=True)
class Difference:
    """A figure that is not equal. None: that side has no such node or arc."""

    kind: str  # one of KINDS
    what: str  # the node or arc
    stock: int | None
    cg2: int | None

    @property
    def delta(self) -> int:
        """How much more cg2 says."""
        return (self.cg2 or 0) - (self.stock or 0)

    def __str__(self) -> str:
        stock, cg2 = (
            "none" if figure is None else f"{figure:,}" for figure in (self.stock, self.cg2)
        )
        return f"{self.delta:+15,} {self.kind:9} {stock:>15} {cg2:>15}  {self.what}"


def total_differences(stock: Graph, cg2: Graph) -> Iterator[Difference]:
    """The sum of all self costs."""
    if stock.total() != cg2.total():
        yield Difference("total", "all functions", stock.total(), cg2.total())


def self_differences(stock: Graph, cg2: Graph) -> Iterator[Difference]:
    """Self costs; a node without cost is no difference to a node that is missing."""
    for node in stock.nodes() | cg2.nodes():
        left, right = stock.self_cost.get(node), cg2.self_cost.get(node)
        if (left or 0) != (right or 0):
            yield Difference("self", str(node), left, right)


def arc_differences(stock: Graph, cg2: Graph) -> Iterator[Difference]:
    """Call counts and inclusive costs."""
    for link in stock.arcs.keys() | cg2.arcs.keys():
        what = f"{link[0]} -> {link[1]}"
        left, right = figures(stock.arcs.get(link)), figures(cg2.arcs.get(link))
        for kind, one, other in zip(("count", "inclusive"), left, right):
            if one != other:
                yield Difference(kind, what, one, other)


def figures(arc: Arc | None) -> tuple[int | None, int | None]:
    """An arc's count and inclusive cost."""
    return (None, None) if arc is None else (arc.count, arc.inclusive)


def differences(stock: Graph, cg2: Graph) -> list[Difference]:
    """Every figure that is not equal, the largest difference first."""
    found = [
        *total_differences(stock, cg2),
        *self_differences(stock, cg2),
        *arc_differences(stock, cg2),
    ]
    return sorted(found, key=lambda one: (-abs(one.delta), KINDS.index(one.kind), one.what))


def table(found: list[Difference], limit: int | None = None) -> str:
    """The differences, at most `limit` of them."""
    if not found:
        return ""
    lines = [f"{'difference':>15} {'figure':9} {'stock':>15} {'cg2':>15}  where"]
    lines += map(str, found[:limit])
    if len(found) > len(lines) - 1:
        lines.append(f"and {len(found) - len(lines) + 1} more")
    return "\n".join(lines) + "\n"


def summary(stock: Graph, cg2: Graph, found: list[Difference]) -> str:
    """What was compared, and how much of it differs."""
    kinds = Counter(one.kind for one in found)
    only_stock, only_cg2 = stock.nodes() - cg2.nodes(), cg2.nodes() - stock.nodes()
    arcs_stock, arcs_cg2 = stock.arcs.keys() - cg2.arcs.keys(), cg2.arcs.keys() - stock.arcs.keys()
    return (
        f"{len(stock.nodes())} functions, {len(stock.arcs)} arcs, {stock.total():,} Ir: "
        f"{kinds['total']} totals, {kinds['self']} self costs, {kinds['count']} counts, "
        f"{kinds['inclusive']} inclusive costs differ\n"
        f"only in stock: {len(only_stock)} functions, {len(arcs_stock)} arcs; "
        f"only in cg2: {len(only_cg2)} functions, {len(arcs_cg2)} arcs\n"
    )


def command_line(arguments: list[str]) -> argparse.Namespace:
    """The arguments of the command."""
    parser = argparse.ArgumentParser(
        prog="compare.py", description="Compare a stock profile with a cg2 profile."
    )
    parser.add_argument("stock", help="what Callgrind wrote")
    parser.add_argument("cg2", help="what cg2 wrote about the same run")
    parser.add_argument("--raw", action="store_true", help="apply no rules")
    parser.add_argument("--limit", type=int, metavar="N", help="show the N largest differences")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """The command; the exit status."""
    wanted = command_line(arguments)
    try:
        stock, cg2 = load(wanted.stock), load(wanted.cg2)
    except ProfileError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    for note in [] if wanted.raw else apply_rules(stock, cg2):
        print("rule:", note)
    found = differences(stock, cg2)
    print(table(found, wanted.limit) + summary(stock, cg2, found), end="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
