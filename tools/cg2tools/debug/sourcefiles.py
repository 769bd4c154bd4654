"""The source files of a profile: where they are, and which of them may be shown.

A profile may be a stranger's, and names any file. One is read for a source if it is called so, and something
other than the profile says that it is one: it lies in a place of sources, or an object that is here was
compiled from it. What lies below -I DIR, or what a person asks for by its name, may be called as it likes.
"""

import os
from collections.abc import Iterable, Sequence
from functools import cached_property

from cg2tools.profile.model import Part
from cg2tools.program.sources import is_below, is_called_so, is_other_name, is_text

_PUBLIC = "/usr", "/nix/store", "/gnu/store"
"""Where systems keep sources of what is installed."""

_PACKAGES = ".cargo/registry", ".cargo/git", ".rustup/toolchains", ".cache/debuginfod_client"
"""Where a home directory has sources of packages."""


class SourceFiles:
    """The files that a part of a profile names."""

    def __init__(self, part: Part, include: Sequence[str], asked: Iterable[str] = ()) -> None:
        """A person has named directories with sources, and files that are `asked` for."""
        self._part = part
        self._include = list(include)
        self._asked = {os.path.realpath(name) for name in asked}
        self._places = list(_places(part.path))

    def path(self, name: str) -> str | None:
        """The path of a file that may be shown.

        Looked for as it is called in the profile; then below all -I DIR, with all of its directories,
        then with ever fewer of them: of several files the one that has most of the name.
        """
        if "\0" in name:
            return None
        parts = os.path.normpath(name).strip("/").split("/")
        paths = [name] + [
            os.path.join(directory, *parts[skip:])
            for skip in range(len(parts))
            for directory in self._include
        ]
        return next((path for path in paths if self.may_show(path)), None)

    def may_show(self, path: str) -> bool:
        """Whether a file is one that may be shown because the profile names it, or a person asked for it."""
        real = os.path.realpath(path)
        if not is_text(real):
            return False
        if real in self._asked or is_below(real, self._include):
            return True
        if not _is_called_so(path) or is_other_name(real):
            return False
        return is_below(real, self._places) or os.path.normpath(path) in self._compiled

    def why_not(self, name: str) -> str:
        """Why a file that is where the profile says may not be shown; "": it may, or is not there."""
        if "\0" in name or not os.path.isfile(name) or self.may_show(name):
            return ""
        real = os.path.realpath(name)
        if not _is_called_so(name):
            return "no source is called so"
        is_like_one = is_text(real) and not is_other_name(real)
        return "no object here was compiled from it" if is_like_one else "no source is such a file"

    @cached_property
    def _compiled(self) -> set[str]:
        """The files that are in no place of sources, and that objects of the profile were compiled from."""
        names = {os.path.normpath(name) for name in self._part.names if os.path.isabs(name)}
        left = {
            name
            for name in names
            if "\0" not in name and _is_called_so(name) and os.path.isfile(name)
        }
        left = {name for name in left if not is_below(os.path.realpath(name), self._places)}
        found: set[str] = set()
        for path in sorted({key.object for key in self._part.keys}):
            if not left:
                break
            if os.path.isabs(path) and "\0" not in path and os.path.isfile(path):
                some = _compiled_from(path, sorted(left))
                found.update(some)
                left.difference_update(some)
        return found


def _compiled_from(path: str, names: Sequence[str]) -> Sequence[str]:
    """The files among `names` that an object was compiled from; none if nothing reads debug information."""
    from cg2tools.debug.libcg2debug import DebugError, DebugObject  # only where it is needed

    try:
        with DebugObject(path, only_inlines=True) as debug:
            return debug.compiled_from(names)
    except (DebugError, FileNotFoundError):
        return []


def _is_called_so(path: str) -> bool:
    """Whether a file, and where links lead, is called as sources are."""
    return is_called_so(path) and is_called_so(os.path.realpath(path))


def _places(profile: str) -> Iterable[str]:
    """Where a file is a source if it is called so: what is installed, where a person or the profile is.

    What holds the person's home is no such place: everything is below it.
    """
    home = os.path.realpath(os.path.expanduser("~"))
    yield from _PUBLIC
    yield from (os.path.join(home, name) for name in _PACKAGES)
    for name in ".", os.path.dirname(profile) or ".":
        place = os.path.realpath(name)
        if not os.path.join(home, "").startswith(os.path.join(place, "")):
            yield place
