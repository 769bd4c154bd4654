"""The rules by which `make mutants` puts small faults into sources."""

from __future__ import annotations

import random
import re
import sys
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent))

from mutants import SHARES, chosen, in_turn
from mutations import alike, mutations

HEADER = """
typedef struct Range {
   ULong low, high; /* `high` is behind it */
   UInt n;
   HChar* name;
   const UChar* text;
} Range;
"""

SOURCE = """\
/* if (a < b) return 1; */
static int limit = 3;

int f(int a)
{
   /* x = 1;
    * y = 2; */
   if (r->low < a && g(a)) h("a < b", 10); /* a == 1 */
   count(a);
   return a;
}
"""

PYTHON = """\
def f(a):
    \"\"\"Whether a < b.\"\"\"
    if a and not g("1 < 2"):  # 7 > 8
        h(a)
    return True
"""


def made(text: str, language: str) -> dict[str, list[str]]:
    """By rule: the lines that come of it, without blanks around them."""
    found: dict[str, list[str]] = {}
    for one in mutations(text, language, alike([HEADER]), random.Random(1)):
        found.setdefault(one.rule, []).append(one.after.strip())
    return found


class Mutations(unittest.TestCase):
    def test_fields(self) -> None:
        """Fields are taken for each other that have one type in one structure."""
        self.assertEqual(alike([HEADER]), {"low": ["high"], "high": ["low"]})

    def test_c(self) -> None:
        """Nothing in comments, texts and declarations outside functions changes."""
        line = 'if (r->low < a && g(a)) h("a < b", 10); /* a == 1 */'
        found = made(SOURCE, "c")
        constant = found.pop("constant")
        self.assertIn(constant, ([line.replace("10", "11")], [line.replace("10", "9")]))
        self.assertEqual(
            found,
            {
                "comparison": [line.replace("low <", "low <=")],
                "logic": [line.replace("&&", "||")],
                "field": [line.replace("low", "high")],
                "statement": [";"],
            },
        )

    def test_condition(self) -> None:
        found = made("int f(void)\n{\n   if (a(1)) {\n   } else if (b) {\n   }\n}\n", "c")
        self.assertEqual(found["condition"], ["if (!(a(1))) {", "} else if (!(b)) {"])

    def test_python(self) -> None:
        found = made(PYTHON, "py")
        condition = 'if a and not g("1 < 2"):  # 7 > 8'
        self.assertEqual(
            found,
            {
                "logic": [condition.replace("and", "or")],
                "statement": ["pass"],
                "truth": ["return False"],
            },
        )

    def test_put(self) -> None:
        """A mutant differs in one line."""
        for one in mutations(SOURCE, "c", {}, random.Random(1)):
            before, after = SOURCE.split("\n"), one.put_into(SOURCE).split("\n")
            self.assertEqual([i for i, line in enumerate(before) if line != after[i]], [one.number])


class Chosen(unittest.TestCase):
    def test_shares(self) -> None:
        """A hundred mutants, as many of each part of the source as SHARES says."""
        self.assertEqual(sum(share for _, share in SHARES), 100)
        first = chosen(100, 1, "*")
        self.assertEqual([n for n, _ in first], [share for _, share in SHARES])
        self.assertEqual(len(in_turn(first)), 100)
        for _, mutants in first:
            self.assertGreater(len(mutants), 1000)
            self.assertGreater(len({one.mutation.rule for one in mutants}), 5)

    def test_seed(self) -> None:
        """A seed always has the same ones, and another one others."""
        first, again, other = (chosen(100, seed, "cg2/base/*") for seed in (1, 1, 2))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_only(self) -> None:
        for _, mutants in chosen(10, 1, "cg2/engine/*"):
            for one in mutants:
                self.assertTrue(re.match("cg2/engine/", one.path))


if __name__ == "__main__":
    unittest.main()
