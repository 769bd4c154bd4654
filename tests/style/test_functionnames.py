"""Names in the trees of C: a function that a header declares carries the name of the header's file, so that a
reader knows where it is, and no two files have one name."""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from cg2test import SOURCE

# Each tree, what its functions' names begin with, before the file's name, and how many functions its headers
# have at least. The names of a public header follow the interface instead.
TREES = {
    "cg2": ("cg2", 500),
    "tools/libcg2profile": ("cg2p", 200),
    "tools/libcg2debug": ("cg2d", 30),
}
PUBLIC = {"cg2.h", "cg2profile.h", "cg2debug.h"}
SHARE = 95  # percent

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DIRECTIVE = re.compile(r"^#(?:.*\\\n)*.*$", re.MULTILINE)
ATTRIBUTE = re.compile(r"__attribute__\(\(.*?\)\)|VG_REGPARM\(\d\)|_Static_assert\([^;]*;")
OPEN = re.compile(r'extern "C" \{')
BODY = re.compile(r"\{[^{}]*\}")

# A declaration at the beginning of a line: the words before its parenthesis, the last of which is the
# function.
DECLARATION = re.compile(
    r"^(?!typedef|return|else|extern\s+\w+\s+VG_)(?:[A-Za-z_][\w\s*]*?[\s*])(\w+)\((?!\*)",
    re.MULTILINE,
)


def functions(text: str) -> list[str]:
    """The functions that the text of a header declares or defines, not those that they call."""
    for noise in (COMMENT, DIRECTIVE, ATTRIBUTE, OPEN):
        text = noise.sub(" ", text)
    while (shorter := BODY.sub(";", text)) != text:
        text = shorter
    return [name for name in DECLARATION.findall(text) if not name.startswith("VG_")]


def headers(tree: str) -> list[Path]:
    return [path for path in sorted((SOURCE / tree).rglob("*.h")) if path.name not in PUBLIC]


def module(path: Path) -> str:
    """The module of a header: simd_x86.h is simd on one processor."""
    return path.stem.partition("_")[0]


class Names(unittest.TestCase):
    """The names of functions and of files."""

    def test_share(self) -> None:
        for tree, (prefix, least) in TREES.items():
            with self.subTest(tree):
                found = [
                    (path, name) for path in headers(tree) for name in functions(path.read_text())
                ]
                others = [
                    f"{path.relative_to(SOURCE)}: {name}"
                    for path, name in found
                    if not re.match(rf"{prefix}_{module(path)}(_|$)", name)
                ]
                self.assertGreater(len(found), least)
                share = 100 * (len(found) - len(others)) / len(found)
                self.assertGreaterEqual(share, SHARE, f"of {len(found)}: " + "\n".join(others))

    def test_functions(self) -> None:
        """What a header declares is found, whatever stands around it."""
        text = (
            "#define TWICE(a) \\\n   twice(a)\n/* of a(b) */\n"
            "typedef struct A {\n   int (*call)(int);\n} A;\n"
            "static inline Bool is_a(const A* a)\n{\n   if (a) {\n      b(a);\n   }\n   return c(a);\n}\n"
            'extern "C" {\nVG_REGPARM(2)\nconst A* make_a(int (*way)(int));\nunsigned int\ncount(void);\n}\n'
        )
        self.assertEqual(functions(text), ["is_a", "make_a", "count"])

    def test_files(self) -> None:
        """A file has its name, but for the extension, for itself; include/ has names for the
        public side of modules."""
        for tree in TREES:
            modules: dict[str, set[Path]] = {}
            for path in (SOURCE / tree).rglob("*.[ch]"):
                if "include" not in path.parts:
                    modules.setdefault(path.stem, set()).add(path.parent)
            with self.subTest(tree):
                self.assertEqual([name for name, where in modules.items() if len(where) > 1], [])


if __name__ == "__main__":
    unittest.main()
