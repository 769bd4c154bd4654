"""The rules by which `make mutants` puts small faults into sources."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent))

from cg2test import SOURCE as TREE
from mutants import FOUND, NONE, SAME, SHARES, Mutant, Results, catchers, chosen, in_turn
from mutations import alike, mutations
from order import in_order
from treecopy import is_other_python

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
    for one in mutations(text, language, alike([HEADER]), "1"):
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
        for one in mutations(SOURCE, "c", {}, "1"):
            before, after = SOURCE.split("\n"), one.put_into(SOURCE).split("\n")
            self.assertEqual([i for i, line in enumerate(before) if line != after[i]], [one.number])


@unittest.skipUnless((TREE / ".git").exists(), "this source tree is no repository")
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

    def test_other_lines(self) -> None:
        """What a mutant is, and where its turn is, does not depend on lines around it."""
        (before,), (after,) = (
            [Mutant("a.c", one, 1) for one in mutations(text, "c", {}, "1")]
            for text in (
                "{\n   f(a < b);\n}".replace("f(", "return f("),
                "\n{\n   return f(a < b);\n}",
            )
        )
        self.assertNotEqual(before.mutation.number, after.mutation.number)
        self.assertEqual(str(before), str(after))
        self.assertEqual(before.place(1), after.place(1))
        self.assertNotEqual(before.place(1), before.place(2))


class Trying(unittest.TestCase):
    def test_same_python(self) -> None:
        """Comments and docstrings are no program."""
        before = 'def f():\n    """a and b"""\n    return 1  # one\n'
        self.assertFalse(is_other_python(before, before.replace("and", "or").replace("one", "two")))
        self.assertFalse(is_other_python(before, before.replace("return 1", "return")[:-10] + "("))
        self.assertTrue(is_other_python(before, before.replace("return 1", "return 2")))

    def test_order(self) -> None:
        """What finds most for its time comes first."""
        slow, quick, told = (
            ["cases.test_a.A.test_a"],
            ["cases.test_b.B.test_b"],
            ["tools.test_c.C.test_c"],
        )
        times = {slow[0]: 20.0, quick[0]: 10.0, told[0]: 30.0}
        tests = slow + quick + told
        self.assertEqual(in_order(tests, times, Counter()), [told, quick, slow])
        caught = Counter({"cases.test_a.A": 3})
        self.assertEqual(in_order(tests, times, caught), [slow, told, quick])

    def test_results(self) -> None:
        """What became of a mutant is known the next time."""
        mutant = Mutant("a.py", mutations(PYTHON, "py", {}, "1")[0], 2)
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "results"
            Results(file).note(mutant, "survived")
            Results(file).note(mutant, "caught by tools.test_a.A.test_b")
            known = Results(file)
        self.assertEqual(known.known, {str(mutant): "caught by tools.test_a.A.test_b"})
        self.assertEqual(known.caught(), Counter({"tools.test_a.A": 1}))

    def test_which_are_tried(self) -> None:
        """--again tries what survived, --anew what was caught, and no run what changes nothing."""
        mutant = Mutant("a.py", mutations(PYTHON, "py", {}, "1")[0], 1)
        tried = {}
        with tempfile.TemporaryDirectory() as directory:
            results = Results(Path(directory) / "results")
            for said in (
                "",
                "none",
                "survived",
                "caught by a.b.C.d",
                "changes nothing: it is late",
            ):
                if said:
                    results.note(mutant, said)
                ways = ((False, False), (True, False), (False, True))
                given = (argparse.Namespace(again=again, anew=anew) for again, anew in ways)
                tried[said.split()[0] if said else ""] = [results.is_open(mutant, g) for g in given]
        self.assertEqual(
            tried,
            {
                "": [True, True, True],
                "none": [False, False, False],
                "survived": [False, True, False],
                "caught": [False, False, True],
                "changes": [False, False, False],
            },
        )

    def test_found(self) -> None:
        """Each line of found.txt says what became of a mutant: of none twice, and none is undecided."""
        known = Results(FOUND).known
        self.assertGreater(len(known), 100)
        for words, said in known.items():
            self.assertRegex(words, r"^[\w./]+\.(c|py): [a-z]+: .*  ->  ")
            self.assertTrue(said == NONE or catchers(said) or said.startswith(SAME), words)


if __name__ == "__main__":
    unittest.main()
