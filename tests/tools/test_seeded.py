"""cg2_diff --explain of pairs of programs that differ in one thing: the dearest cause is that."""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cg2test
from toolsupport import command

FULL = os.environ.get("CG2_FULL") == "1"

HEAD = """\
#include <stdlib.h>
#include <string.h>
#define ALONE __attribute__((noinline, noclone))
#ifndef EXTRA
#define EXTRA
#endif
#ifndef LEAF_IS
#define LEAF_IS ALONE
#endif
#ifndef LEAF
#define LEAF leaf
#endif
#ifndef MORE
#define MORE
#endif
#ifndef NEWS
#define NEWS
#endif
extern volatile int sink;
extern int many[4000];
"""

# What the leaf does, which is said with `x` rounds of `EXTRA`.
LEAVES = {
    "sums": "for (int i = 0; i < x; i++) { sum += many[i] * x; EXTRA }",
    "branches": "for (int i = 0; i < x; i++) { if (many[i] & 1) sum -= i; else sum += 3 * i; EXTRA }",
    "writes": "for (int i = 0; i < x; i++) { many[i] = sum; sum += i ^ x; EXTRA }",
    "walks": "for (int i = 0, at = 0; i < x; i++) { at = (at + many[at] + 7) % 4000; sum += at; EXTRA }",
}

LEAF = "LEAF_IS int LEAF(int x)\n{\n   int sum = x;\n   %s\n   return sum;\n}\n"

# How the leaf is reached. `MORE` is what the function that calls it may call besides.
SHAPES = {
    "straight": "ALONE int chain(int x) { sink = x; return LEAF(x) + 1 MORE; }\n",
    "deep": "ALONE int third(int x) { sink = x; return LEAF(x) + 1 MORE; }\n"
    "ALONE int second(int x) { return third(x) * 2 + third(x + 1); }\n"
    "ALONE int chain(int x) { return second(x) + second(x + 2); }\n",
    "circle": "ALONE int other(int x, int d);\n"
    "ALONE int one(int x, int d) { return d ? other(x, d - 1) + 1 : LEAF(x) + 1 MORE; }\n"
    "ALONE int other(int x, int d) { return d ? one(x, d - 1) * 3 : 1; }\n"
    "ALONE int chain(int x) { return one(x, 6); }\n",
    "branchy": "ALONE int even(int x) { return x * 3; }\n"
    "ALONE int chain(int x) { int s = even(x); return x > 3 ? s + LEAF(x) + 1 MORE : s - 1; }\n",
    "table": "ALONE int plain(int x) { return x + 1; }\n"
    "ALONE int third(int x) { return LEAF(x) + 2 MORE; }\n"
    "static int (*const table[])(int) = {plain, third};\n"
    "ALONE int chain(int x) { return table[sink & 1](x) + table[1](x); }\n",
}
CALLERS = {"chain", "third", "one"}

MAIN = """\
volatile int sink;
int many[4000];
char from[9000], to[9000];
char* volatile kept;
int chain(int x);
NEWS
int main(int count, char** given)
{
   int size = count > 1 ? atoi(given[1]) : 40;
   for (int i = 0; i < 4000; i++)
      many[i] = i * 7;
   for (int i = 0; i < 150; i++) {
      sink += chain(size);
      memcpy(to, from, 500 + i);
      char* held = malloc(100 + i);
      kept = held;
      kept[5] = i;
      sink += kept[5];
      free(kept);
   }
   CALLS_NEWS
   return 0;
}
"""

ALLOCATOR = """\
#include <stddef.h>
static char room[1 << 22];
static size_t used;
void* malloc(size_t n)
{
   size_t* at = (size_t*)(room + used);
   for (size_t i = 0; i < n / 4; i++)
      room[used + 16 + i] = 0;
   *at = n;
   used += (n + 31) / 16 * 16;
   return at + 2;
}
void free(void* p) { (void)p; }
void* calloc(size_t n, size_t m) { return malloc(n * m); }
void* realloc(void* p, size_t n) { (void)p; return malloc(n); }
"""

NEWS = "-DNEWS=ALONE int news(int x) { for (int i = 0; i < 700; i++) { sink += i ^ x; } return x; }"


@dataclass(frozen=True)
class Change:
    """What NEW has or is given, and the dearest cause that is right for that."""

    kinds: set[str]
    functions: set[str] = field(default_factory=set)  # none: whatever it is
    flags: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    options: tuple[str, ...] = ()  # of cg2, also of OLD with `old_options`
    old_options: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    more: Mapping[str, str] = field(default_factory=dict)  # sources
    is_reversed: bool = False  # objects, where they are linked
    moves_leaf: bool = False  # to a file of its own
    may_be_nothing: bool = False  # no difference at all


CHANGES = {
    "one more call": Change({"calls"}, CALLERS, ("-DMORE=+LEAF(x+1)",)),
    "a costlier loop": Change({"self"}, {"leaf"}, ("-DEXTRA=sum ^= sum << 3;",)),
    "more data": Change({"work"}, {"leaf"}, arguments=("300",)),
    "inlined": Change(
        {"inlined"}, CALLERS, ("-DLEAF_IS=static inline __attribute__((always_inline))",)
    ),
    "moved": Change({"self", "replaced"}, {"leaf"}, ("-DEXTRA=sum ^= sum << 3;",), moves_leaf=True),
    "another flag": Change({"self"}, {"leaf"}, ("-DLEAF_IS=ALONE __attribute__((optimize(0)))",)),
    "another processor": Change(
        {"environment", "replaced"}, options=("--cpu=baseline",), old_options=("--cpu=avx2",)
    ),
    "an unrelated function": Change({"added"}, {"news"}, (NEWS, "-DCALLS_NEWS=sink = news(sink);")),
    "link order": Change({"linker", "rest"}, is_reversed=True, may_be_nothing=True),
    "another allocator": Change({"allocator"}, more={"allocator": ALLOCATOR}),
    "renamed": Change({"replaced"}, {"leaf_of_tree"}, ("-DLEAF=leaf_of_tree", "-DEXTRA=sum ^= 5;")),
    "a longer environment": Change(
        {"environment", "linker"}, environment={"LONG": "x" * 4000}, may_be_nothing=True
    ),
}

FLAGS = ("-O1", "-fno-inline-small-functions")


class Seeded(unittest.TestCase):
    """Twenty programs and twelve kinds of changes; in a check two of the programs."""

    def setUp(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)
        self.objects: dict[tuple[str, tuple[str, ...]], Path] = {}

    def build(self, shape: str, leaf: str, change: Change | None) -> Path:
        """A program of three objects and what the change adds; all paths are as long, as programs read
        theirs."""
        folder = self.folder / f"{len(list(self.folder.iterdir())):04}"
        folder.mkdir()
        body = LEAF % LEAVES[leaf]
        moves = change is not None and change.moves_leaf
        sources = {
            "app": HEAD + ("int LEAF(int x);\n" if moves else body) + SHAPES[shape],
            "main": HEAD + MAIN,
            "unused": "int unused(int x) { return x * 3; }\n",
            **(change.more if change else {}),
            **({"leaf": HEAD + body} if moves else {}),
        }
        flags = list(change.flags if change else ())
        if not any("CALLS_NEWS" in flag for flag in flags):
            flags.append("-DCALLS_NEWS=")
        objects = [
            self.compiled(folder / f"{source}.c", text, flags) for source, text in sources.items()
        ]
        if change and change.is_reversed:
            objects.reverse()
        subprocess.run(["gcc", "-o", folder / "app", *objects], check=True)
        return folder / "app"

    def compiled(self, path: Path, text: str, flags: Sequence[str]) -> Path:
        """The object of a source; that of an earlier program, if its source has no name that differs."""
        body = text.removeprefix(HEAD)
        heard = tuple(flag for flag in flags if re.split("[D=]", flag)[1] in body)
        if (text, heard) not in self.objects:
            path.write_text(text)
            made = path.with_suffix(".o")
            subprocess.run(["gcc", "-g", *FLAGS, *flags, "-c", path, "-o", made], check=True)
            self.objects[text, heard] = made
        return self.objects[text, heard]

    def profiled(
        self,
        program: Path,
        options: tuple[str, ...] = (),
        arguments: tuple[str, ...] = (),
        environment: Mapping[str, str] | None = None,
    ) -> Path:
        run = cg2test.run_cg2(
            [program, *arguments], *options, environment=cg2test.lean_env(**(environment or {}))
        )
        self.assertEqual(run.status, 0, run.stderr)
        return run.profile_paths[0]

    def pairs(self, shape: str, leaf: str) -> Iterator[tuple[str, Any]]:
        """What is said of each change of a program."""
        old = self.build(shape, leaf, None)
        before: dict[tuple[str, ...], Path] = {}
        for name, change in CHANGES.items():
            has_other_code = change.flags or change.more or change.is_reversed or change.moves_leaf
            new = self.build(shape, leaf, change) if has_other_code else old
            if change.old_options not in before:
                before[change.old_options] = self.profiled(old, change.old_options)
            after = self.profiled(new, change.options, change.arguments, change.environment)
            output = command("cg2_diff", "--explain", "--json", before[change.old_options], after)
            self.assertEqual((output.status, output.stderr), (0, ""))
            found = json.loads(output.stdout)
            for event in found["events"]:
                total = sum(cause["costs"][event] for cause in found["causes"])
                self.assertEqual(total, found["difference"][event], (shape, leaf, name))
            yield name, found

    def test_pairs(self) -> None:
        """Terms add up, and the dearest cause and its function are the change in at least 95 of 100 pairs."""
        programs = list(itertools.product(SHAPES, LEAVES))
        self.assertEqual((len(programs), len(CHANGES)), (20, 12))
        wrong, count = [], 0
        for shape, leaf in programs if FULL else [programs[4], programs[11]]:
            for name, found in self.pairs(shape, leaf):
                count += 1
                if fault := _fault(CHANGES[name], found["causes"]):
                    wrong.append((shape, leaf, name, fault))
        said = f"{len(wrong)} of {count} are wrong: {wrong}"
        self.assertLessEqual(len(wrong) * 20, count, said)
        if FULL:
            print(said, file=sys.stderr)


def _fault(change: Change, causes: list[Any]) -> str:
    """What is wrong of the dearest cause; "": nothing."""
    if not causes:
        return "" if change.may_be_nothing else "no cause"
    dearest = causes[0]
    name = dearest.get("function", "").partition(".")[0]
    if dearest["cause"] in change.kinds and (not change.functions or name in change.functions):
        return ""
    return f"{dearest['cause']}: {dearest['text']} {dearest['costs']}"


if __name__ == "__main__":
    unittest.main()
