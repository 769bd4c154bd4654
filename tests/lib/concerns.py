"""Which tests concern which files: the table tests/concerns.txt, and what differs from a commit.

    names = concerned(changed("HEAD~3"))
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
SOURCE = TESTS.parent
TABLE = TESTS / "concerns.txt"


class ConcernError(Exception):
    """Nobody can say what has changed; the text says why in one line."""


def rows() -> list[tuple[str, list[str]]]:
    """Patterns of paths, and the tests that concern them; a line that begins with a space goes on with the
    one before."""
    lines = re.sub(r"\n[ \t]+", " ", TABLE.read_text()).splitlines()
    fields = (line.split() for line in lines if line and not line.startswith("#"))
    return [(pattern, tests) for pattern, *tests in fields]


def concerned(paths: Iterable[str]) -> list[str]:
    """The names of the tests that concern these files: of each, those of the first pattern that it
    matches."""
    table = rows()
    found: set[str] = set()
    for path in paths:
        words: list[str] = next(
            (tests for pattern, tests in table if fnmatchcase(path, pattern)), []
        )
        for word in words:
            found.update({"itself": [module(path)], "users": users(path)}.get(word, [word]))
    return sorted(name for name in found if not is_in(name, found))


def is_in(name: str, names: set[str]) -> bool:
    """Whether another name has all tests of this one."""
    return any(name.startswith(f"{other}.") for other in names)


def module(path: str) -> str:
    """The name of the module of tests in a file: tests/cases/test_calls.py has cases.test_calls."""
    return ".".join(Path(path).with_suffix("").parts[1:])


def users(path: str) -> list[str]:
    """The modules of tests that name a file."""
    file = Path(path)
    if file.suffix == ".py":
        word = re.compile(rf"^ *(?:from|import) {file.stem}\b", re.MULTILINE)
    else:
        word = re.compile(rf"(?<![\w./]){re.escape(file.name)}(?!\w)")
    modules = sorted(TESTS.glob("*/test_*.py"))
    using = [test for test in modules if word.search(test.read_text())]
    return [module(str(test.relative_to(SOURCE))) for test in using]


def changed(revision: str) -> list[str]:
    """The files of the tree that differ from a commit, and those that are not tracked."""
    differing = git("diff", "--no-renames", "--name-only", revision, "--")
    return differing + git("ls-files", "--others", "--exclude-standard")


def git(*words: str) -> list[str]:
    """The lines that git prints of the source tree."""
    try:
        ended = subprocess.run(
            ["git", "-C", str(SOURCE), *words], capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise ConcernError("git is not installed (Debian: apt-get install git)") from error
    if ended.returncode != 0:
        raise ConcernError(ended.stderr.strip().splitlines()[0])
    return ended.stdout.splitlines()
