"""A function that a header declares carries the name of the header's file, so that a reader knows where it
is."""

import re
import unittest
from pathlib import Path

from cg2test import SOURCE

# Each tree of C, and what its functions' names begin with, before the file's name. The names of a public
# header follow the interface instead.
TREES = {
    "cg2": "cg2",
}
PUBLIC = {"cg2.h", "cg2profile.h", "cg2debug.h"}
SHARE = 95  # percent

# A declaration at the beginning of a line: the words before its parenthesis, the last of which is the
# function.
DECLARATION = re.compile(
    r"^(?!typedef|#|return|else|extern\s+\w+\s+VG_)(?:[A-Za-z_][\w\s*]*?[\s*])(\w+)\((?!\*)",
    re.MULTILINE,
)


def declared(path: Path) -> list[str]:
    """The functions that a header declares or defines."""
    text = re.sub(r"/\*.*?\*/", " ", path.read_text(), flags=re.DOTALL)
    text = re.sub(r"^#.*?[^\\]\n", "\n", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"__attribute__\(\(.*?\)\)|VG_REGPARM\(\d\)|_Static_assert\([^;]*;", " ", text)
    text = re.sub(
        r"^(?:typedef |struct |enum |union ).*?^\}.*?;", "", text, flags=re.MULTILINE | re.DOTALL
    )
    return [name for name in DECLARATION.findall(text) if not name.startswith("VG_")]


def headers(tree: str) -> list[Path]:
    return [path for path in sorted((SOURCE / tree).rglob("*.h")) if path.name not in PUBLIC]


def module(path: Path) -> str:
    """The module of a header: simd_x86.h is simd on one processor."""
    return path.stem.partition("_")[0]


class Names(unittest.TestCase):
    """The functions in headers."""

    def test_share(self) -> None:
        for tree, prefix in TREES.items():
            with self.subTest(tree):
                functions = [(path, name) for path in headers(tree) for name in declared(path)]
                others = [
                    f"{path.relative_to(SOURCE)}: {name}"
                    for path, name in functions
                    if not re.match(rf"{prefix}_{module(path)}(_|$)", name)
                ]
                self.assertGreater(len(functions), 40)
                share = 100 * (len(functions) - len(others)) / len(functions)
                self.assertGreaterEqual(share, SHARE, f"of {len(functions)}: " + "\n".join(others))


if __name__ == "__main__":
    unittest.main()
