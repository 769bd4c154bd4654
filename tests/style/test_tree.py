"""What is in the source tree: known folders, and nothing that the build makes."""

from __future__ import annotations

import subprocess
import unittest

from cg2test import SOURCE

FOLDERS = {
    *("cg2", "docs", "tests", "tools"),
    # What the build is made of, and what others look for at the top.
    *(".ci", "build-aux", "debian", "packaging"),
}
FILES = {
    *(".clang-format", ".editorconfig", ".gitignore", "COPYING", "Makefile.am", "NEWS", "README"),
    *("action.yml", "bootstrap", "configure.ac", "pyproject.toml"),
}


def git(*words: str) -> list[str]:
    """The lines that git prints of this tree."""
    try:
        ended = subprocess.run(
            ["git", "-C", SOURCE, *words], capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise unittest.SkipTest("git is not installed (Debian: apt-get install git)") from error
    if ended.returncode not in (0, 1):
        raise unittest.SkipTest("this source tree is no repository")
    return ended.stdout.splitlines()


def foreign(paths: list[str]) -> set[str]:
    """What is at the top of these paths, and is no known folder or file."""
    tops = (path.partition("/") for path in paths)
    return {top for top, slash, _ in tops if top not in (FOLDERS if slash else FILES)}


class Tree(unittest.TestCase):
    def test_tracked(self) -> None:
        """Each file is in a known folder, or is one of those that belong at the top."""
        self.assertEqual(foreign(git("ls-files")), set())

    def test_foreign(self) -> None:
        """What `make dist` unpacks to is seen."""
        paths = ["cg2/cg2.h", "README", "cg2-0.1/README", "cg2-0.1/cg2/cg2.h", "core", "README/x"]
        self.assertEqual(foreign(paths), {"cg2-0.1", "core", "README"})

    def test_ignored(self) -> None:
        """Nothing that is tracked is of the kind that the build makes."""
        self.assertEqual(git("ls-files", "--cached", "--ignored", "--exclude-standard"), [])

    def test_made(self) -> None:
        """git ignores what `make dist`, the build and tests leave, so that `git add` does not take it."""
        made = [
            *("cg2-0.1/README", "cg2-0.1/cg2/run/main.c", "cg2-0.1.tar.gz", "cg2-amd64-linux"),
            *("tests-times", "tests-unit/plain/x", "tests-unit-plain.lock", "deb/x", "release/x"),
        ]
        self.assertEqual(git("check-ignore", "--no-index", *made), made)


if __name__ == "__main__":
    unittest.main()
