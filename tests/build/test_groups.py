"""Groups of sources that a compiler takes at once: no name of a file means another thing in its group."""

from __future__ import annotations

import unittest

from cg2test import SOURCE, new_directory
from groups import groups

FILES = {
    "own.c": "static int count;\nint own(void)\n{\n   return count++;\n}\n",
    "other.c": "__attribute__((noinline)) static int\ncount(void)\n{\n   return 1;\n}\n",
    "record.c": "static struct {\n   int n;\n} count;\n",
    "pointer.c": "static int (*count)(void);\n",
    "constant.c": "enum { ONE = 1, count };\n",
    "macro.c": "#define total 3\nint macro(void)\n{\n   return total;\n}\n",
    "word.c": "int word(int total)\n{\n   return total;\n}\n",
    "said.c": 'static const char* text = "total"; /* Not its count. */\n',
    "header.c": "static int known;\n",
}
HEADER = "enum { known = 1 };\n"


class Groups(unittest.TestCase):
    def test_names(self) -> None:
        """Files that have one name, each for itself, are in groups of their own; a macro is in none where its
        name is a word; text and comments do not count."""
        directory = new_directory()
        for name, text in (FILES | {"header.h": HEADER}).items():
            (directory / name).write_text(text)
        found = groups([directory / name for name in FILES], [directory / "header.h"])
        self.assertEqual(
            [[path.name for path in group] for group in found],
            [
                ["own.c", "macro.c", "said.c"],
                ["other.c", "word.c"],
                *([name] for name in ("record.c", "pointer.c", "constant.c", "header.c")),
            ],
        )

    def test_tool(self) -> None:
        """Each source of the tool is in one of few groups."""
        top = SOURCE / "cg2"
        sources = sorted(top.rglob("*.c"))
        found = groups(sources, top.rglob("*.h"))
        self.assertEqual(sorted(path for group in found for path in group), sources)
        self.assertLess(len(found), len(sources) / 8)


if __name__ == "__main__":
    unittest.main()
