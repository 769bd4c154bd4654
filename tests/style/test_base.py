"""What C sources have once, in the base of their tree: hash tables, searches in what is sorted, memory.

cg2/base is the base of the tool, which has no libc; tools/libcg2profile/base that of both libraries.
"""

from __future__ import annotations

import re
import unittest
from pathlib import Path

from cg2test import SOURCE

TREES = [SOURCE / name for name in ("cg2", "tools/libcg2profile", "tools/libcg2debug")]

# The middle between two ends, in a loop until they meet.
SEARCH = re.compile(r"while \([^;{]* < [^;{]*\) \{\n(?:.*\n){0,3}?.*(?: / 2|>> 1);")
# The next bucket of a table, or the first one of a hash.
TABLE = re.compile(
    r"\(\w+ \+ 1\) & |& \(?[^;]*\bn_(?:buckets|slots) - 1|\bn_(?:buckets|slots) - 1,"
)
GROWTH = re.compile(r"\b(?:realloc|reallocarray)\(")

# Simulated caches: what a set holds is its table, and each access goes through it.
TABLES = {"cg2/model/cache/cache.c", "cg2/model/sweep/lru.c"}
# A run whose bytes are its own is replaced by another one, and has no room to grow.
REPLACED = {"tools/libcg2profile/profile/lines.c"}
# Where memory for shapes ends, libdw is asked in their place, and nothing fails.
OPTIONAL = {"tools/libcg2debug/dwarf/shapes.c"}


def outside_base() -> list[Path]:
    """The sources of all trees that are in no base."""
    return [
        path
        for tree in TREES
        for path in sorted(tree.rglob("*.[ch]"))
        if path.parent.name != "base"
    ]


def having(pattern: re.Pattern[str], paths: list[Path]) -> set[str]:
    return {str(path.relative_to(SOURCE)) for path in paths if pattern.search(path.read_text())}


class Base(unittest.TestCase):
    def test_searches(self) -> None:
        """No loop halves what it searches: there is search.h."""
        self.assertEqual(having(SEARCH, outside_base()), set())

    def test_tables(self) -> None:
        """Nothing looks for a bucket: there is hash.h, or table.h."""
        self.assertEqual(having(TABLE, outside_base()), TABLES)

    def test_growth(self) -> None:
        """No array of the libraries grows but by memory.h."""
        paths = [path for path in outside_base() if "libcg2" in str(path)]
        self.assertEqual(having(GROWTH, paths), REPLACED | OPTIONAL)

    def test_one_base(self) -> None:
        """The libraries share a base; the tool has its own."""
        bases = [tree / "base" for tree in TREES if (tree / "base").exists()]
        self.assertEqual(bases, [SOURCE / "cg2" / "base", SOURCE / "tools/libcg2profile/base"])

    def test_patterns(self) -> None:
        """The patterns find what was there."""
        self.assertRegex(
            "   while (low < high) {\n      size_t at = low + (high - low) / 2;\n", SEARCH
        )
        self.assertRegex("while (from < to) {\n   size_t middle = (from + to) / 2;\n", SEARCH)
        self.assertRegex("   size_t mask = names->n_buckets - 1, i = hash & mask;\n", TABLE)
        self.assertRegex("      i = (i + 1) & mask;\n", TABLE)
        self.assertRegex("&table->buckets[hash & (table->n_buckets - 1)]", TABLE)


if __name__ == "__main__":
    unittest.main()
