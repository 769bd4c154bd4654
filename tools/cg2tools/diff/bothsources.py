"""Sources of files of which the texts in OLD and in NEW are both there."""

import os
from collections.abc import Sequence

from cg2tools.diff.names import Names
from cg2tools.profile.model import Part
from cg2tools.profile.transform import Rename, all_renamed
from cg2tools.program.ran import changed_source
from cg2tools.program.sources import is_called_so, is_text


def common_sources(
    old: Part, new: Part, names: Names, program: str
) -> tuple[dict[str, str], dict[str, str]]:
    """The paths in OLD and in NEW of files, by the names that both have.

    One path cannot have both texts; and a file that is newer than the profile may have another.
    """
    was, now = (_paths_by_name(part, names.rules(part, program)[0]) for part in (old, new))
    both = [
        name
        for name in was.keys() & now.keys()
        if was[name] != now[name] and _has_text(was[name], old) and _has_text(now[name], new)
    ]
    return {name: was[name] for name in both}, {name: now[name] for name in both}


def _paths_by_name(part: Part, files: Sequence[Rename]) -> dict[str, str]:
    """The paths of a part, by names; of two with one name none."""
    paths = list(part.lines.profile.names_with("/").values())
    named = dict(zip(paths, all_renamed(paths, files)))
    found: dict[str, str] = {}
    twice = set()
    for path, name in named.items():
        if found.setdefault(name, path) != path:
            twice.add(name)
    return {name: path for name, path in found.items() if name not in twice}


def _has_text(path: str, part: Part) -> bool:
    """Whether a file is as it was; only which of its lines are alike is shown."""
    real = os.path.realpath(path)
    return is_called_so(real) and is_text(real) and not changed_source(path, part)
