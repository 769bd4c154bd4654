"""What paths of calls had no room of their own when the program ran, and are "(more)" in files of paths.

Wherever paths are shown, this is said first.
"""

from collections.abc import Sequence

from cg2tools.profile.libcg2profile import LibraryPart
from cg2tools.profile.model import UNKNOWN, Cost, add_cost
from cg2tools.profile.pathtree import MORE


def cost_of_more(parts: Sequence[LibraryPart]) -> Cost:
    """What all paths "(more)" cost themselves."""
    total = [0] * parts[0].width
    for part in parts:
        for cost in part.self_costs_of((UNKNOWN, UNKNOWN, MORE)) if part.has_paths else ():
            add_cost(total, cost)
    return total


def more_said(event: str, parts: Sequence[LibraryPart]) -> str:
    """How much of `event`, the first, is in paths "(more)", and what would make it less; "": nothing is."""
    more = cost_of_more(parts)[0]
    if not more:
        return ""
    share = more / (sum(part.self_total()[0] for part in parts) or 1)
    said = f"{share:.1%}" if share >= 0.001 else "less than 0.1%"
    return (
        f"{said} of {event} is in paths {MORE}, which had no room of their own, "
        "and other paths may have cost more than is shown; "
        "a larger --contexts-max when profiling makes that less"
    )
