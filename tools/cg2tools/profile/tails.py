"""The end of a path that tells it from others: "main.c", but "raw/mod.rs" and "fmt/mod.rs".

    tails = Tails(["/src/raw/mod.rs", "/src/fmt/mod.rs", "/src/main.c"])
    tails.of("/src/raw/mod.rs")         "raw/mod.rs"
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator


class Tails:
    """The tails of paths that are shown together."""

    def __init__(self, paths: Iterable[str]) -> None:
        alike: dict[str, list[str]] = {}
        for path in dict.fromkeys(paths):
            alike.setdefault(os.path.basename(path), []).append(path)
        self._tails = {
            path: tail
            for group in alike.values()
            if len(group) > 1
            for path, tail in _told_apart(group)
        }

    def of(self, path: str) -> str:
        """What is shown for a path."""
        return self._tails.get(path) or os.path.basename(path) or path


def _told_apart(paths: list[str]) -> Iterator[tuple[str, str]]:
    """Paths with the same last part, each with the shortest tail that no other has."""
    count = Counter(tail for path in paths for tail in _tails_of(path))
    for path in paths:
        yield path, next((tail for tail in _tails_of(path) if count[tail] == 1), path)


def _tails_of(path: str) -> Iterator[str]:
    """The tails of a path, the shortest first."""
    parts = path.split("/")
    return ("/".join(parts[at:]) for at in range(len(parts) - 1, -1, -1))
