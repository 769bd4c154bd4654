"""Functions without names: what share of a cost they have, in which objects, and what brings names."""

import os
import re
from collections.abc import Iterable, Iterator

from cg2tools.profile.terms import UNKNOWN, FunctionKey

_ADDRESS = re.compile(r"0x[0-9a-f]{8,16}(?: \[PLT\])?(?:'\d+)?")
"""How the tool and Callgrind name a function that has no symbol."""

_LEAST = 1.0
"""Percent of the cost: of less nothing is said, be it in all objects or in one."""

_OBJECTS_MAX = 3

_DEBUGINFOD = (
    "DEBUGINFOD_URLS=https://debuginfod.debian.net when profiling, with debuginfod installed"
)


def unnamed_lines(
    functions: Iterable[tuple[FunctionKey, int]], event: str, all_of_it: int
) -> Iterator[str]:
    """What a reader is told if names are missing in ELF objects; code in none has no file of names.

    Functions come with what they cost themselves of an event.
    """
    costs: dict[str, int] = {}
    for key, cost in functions:
        if key.object != UNKNOWN and _ADDRESS.fullmatch(key.name):
            costs[key.object] = costs.get(key.object, 0) + cost
    if not all_of_it or 100 * sum(costs.values()) < _LEAST * all_of_it:
        return
    shares = {path: 100 * cost / all_of_it for path, cost in costs.items()}
    most = [
        path for path in sorted(shares, key=lambda path: -shares[path]) if shares[path] >= _LEAST
    ]
    named = ", ".join(
        f"{os.path.basename(path)} {shares[path]:.1f}%" for path in most[:_OBJECTS_MAX]
    )
    of = f": {named}" if named else ""
    more = f" and {len(most) - _OBJECTS_MAX} more" if len(most) > _OBJECTS_MAX else ""
    yield f"Names missing: {sum(shares.values()):.1f}% of {event} is in functions without names{of}{more}"
    yield f"To have names: {'; or '.join(_remedies(most or list(shares)))}; then profile again"


def _remedies(paths: list[str]) -> Iterator[str]:
    """What brings the names of objects."""
    installed = [path for path in paths if _is_installed(path)]
    if len(installed) < len(paths):
        yield "build with -g, and do not strip"
    if installed:
        yield f"install the package with the debug information (Debian: its -dbgsym), or set {_DEBUGINFOD}"


def _is_installed(path: str) -> bool:
    """Whether an object belongs to a package of the system."""
    return path.startswith(("/usr/bin/", "/usr/sbin/", "/usr/lib", "/bin/", "/sbin/", "/lib"))
