"""cg2_diff --explain: causes by construction, which add up to the difference, and pairs of programs with one
change."""

from __future__ import annotations

import json
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any

import cg2test
import schema
from toolsupport import Output, command

FULL = os.environ.get("CG2_FULL") == "1"

HEAD = "# callgrind format\n{more}cmd: app\npositions: line\nevents: {events}\nob=app\nfl=app.c\n"


def function(name: str, *lines: str, calls: str = "") -> str:
    """A function's text; `calls` as "f:3 g:4": how often it calls each."""
    text = [f"fn={name}", *lines]
    for call in calls.split():
        callee, count = call.split(":")
        text += [f"cob=app\ncfn={callee}", f"calls={count} 1", "1 0"]
    return "\n".join(text) + "\n"


def profile(*functions: str, events: str = "Ir", more: str = "") -> str:
    return HEAD.format(events=events, more=more) + "".join(functions)


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = Path(self._folder.name)

    def run_diff(self, old: str | Path, new: str | Path, *options: str) -> Output:
        """What the command says of two profiles, each a file or its text."""
        paths = []
        for name, given in (("old", old), ("new", new)):
            path = given if isinstance(given, Path) else self.folder / name
            if isinstance(given, str):
                path.write_text(given)
            paths.append(path)
        return command("cg2_diff", "--explain", *options, *paths)

    def causes(self, old: str | Path, new: str | Path, *options: str) -> Any:
        """What it says as JSON, whose causes add up."""
        output = self.run_diff(old, new, "--json", *options)
        self.assertEqual(output.status, 0, output.stderr)
        found = json.loads(output.stdout)
        self.assertEqual(schema.faults(found, schema.load("cg2-explain")), [])
        for event in found["events"]:
            total = sum(cause["costs"][event] for cause in found["causes"])
            self.assertEqual(total, found["difference"][event], event)
        return found

    def rows(self, old: str, new: str, *options: str) -> list[tuple[Any, ...]]:
        return [
            (cause["cause"], cause.get("function"), cause.get("callee"), cause["costs"]["Ir"])
            for cause in self.causes(old, new, *options)["causes"]
        ]


class Causes(Case):
    """Each kind, by hand."""

    def test_leaf(self) -> None:
        """A leaf that costs more is said at the leaf, with its lines, once."""
        old = profile(function("main", "1 5", calls="f:10"), function("f", "3 20", "4 70"))
        new = profile(function("main", "1 5", calls="f:10"), function("f", "3 20", "4 380"))
        self.assertEqual(self.rows(old, new), [("self", "f", None, 310)])
        text = self.run_diff(old, new).stdout
        self.assertIn("`f` costs 31 more a call by its own code, in app.c:4", text)
        lines = self.causes(old, new)["causes"][0]["lines"]
        self.assertEqual(lines, [{"file": "app.c", "old": 4, "new": 4, "costs": {"Ir": 310}}])

    def test_calls(self) -> None:
        old = profile(function("main", "1 5", calls="f:10"), function("f", "3 20"))
        new = profile(function("main", "1 5", calls="f:12"), function("f", "3 24"))
        self.assertEqual(self.rows(old, new), [("calls", "main", "f", 4)])
        self.assertIn("`main` calls `f` 12 instead of 10 times", self.run_diff(old, new).stdout)

    def test_one_sided(self) -> None:
        """What is gone takes along what it called; what is new is its own cost, and its calls."""
        old = profile(
            function("main", "1 5", calls="gone:1 f:1"),
            function("gone", "7 9", calls="f:1"),
            function("f", "3 20"),
        )
        new = profile(
            function("main", "1 5", calls="f:1 unlike:1"),
            function("unlike", "9 500", calls="f:2"),
            function("f", "3 30"),
        )
        self.assertEqual(
            self.rows(old, new),
            [
                ("added", "unlike", None, 500),
                ("calls", "unlike", "f", 20),
                ("removed", "gone", None, -19),
            ],
        )

    def test_variant(self) -> None:
        """What a library chose for a processor is below what differs in the environment."""
        was, now = "__memcpy_avx_unaligned_erms", "__memcpy_evex_unaligned_erms"
        cpu = "desc: CPU: {}\n"
        texts = [
            profile(
                function("main", "1 5", calls=f"{name}:3"), function(name, f"3 {cost}"), more=more
            )
            for name, cost, more in ((was, 30, cpu.format("avx2")), (now, 900, cpu.format("avx")))
        ]
        cause = self.causes(*texts)["causes"][0]
        self.assertEqual((cause["cause"], cause["costs"]["Ir"]), ("environment", 870))
        below = [(each["cause"], each["function"], each["was"]) for each in cause["below"]]
        self.assertEqual(below, [("replaced", now, was)])

    def test_renamed(self) -> None:
        """A name alone is no cause; a function that is another, too, is the difference of the two."""
        old = profile(function("main", "1 5", calls="f:10"), function("f", "3 20"))
        same = profile(function("main", "1 5", calls="g:10"), function("g", "3 20"))
        other = profile(function("main", "1 5", calls="g:10"), function("g", "3 23"))
        self.assertEqual(self.rows(old, same), [])
        self.assertEqual(self.rows(old, other), [("replaced", "g", None, 3)])
        said = "`g` instead of `f`, as callers, callees and costs suggest"
        self.assertIn(said, self.run_diff(old, other).stdout)

    def test_clone(self) -> None:
        """A copy that the compiler made takes the place of the function."""
        old = profile(function("main", "1 5", calls="f:10"), function("f", "3 2000"))
        new = profile(
            function("main", "1 5", calls="f.constprop.0:10"), function("f.constprop.0", "3 20")
        )
        self.assertEqual(self.rows(old, new), [("replaced", "f.constprop.0", None, -1980)])

    def test_inlined(self) -> None:
        """A callee that stands in its caller, with what it called, is one row: what that gained."""
        old = profile(
            function("main", "11 5", calls="f:10"),
            function("f", "3 20", "4 70", calls="leaf:20"),
            function("leaf", "21 100"),
        )
        new = profile(
            function("main", "11 5", "3 10", "4 60", calls="leaf:20"), function("leaf", "21 100")
        )
        self.assertEqual(self.rows(old, new), [("inlined", "main", "f", -20)])
        self.assertEqual(self.rows(new, old), [("outlined", "main", "f", 20)])

    def test_work(self) -> None:
        """The same build-id: the code is the same, and does more."""
        of = "desc: Objects: build-id=12 /a/app\n"
        texts = [
            profile(function("main", "1 5", calls="f:1"), function("f", f"3 {cost}"), more=of)
            for cost in (20, 90)
        ]
        self.assertEqual(self.rows(*texts), [("work", "f", None, 70)])
        texts[1] = texts[1].replace("=12", "=13")
        self.assertEqual(self.rows(*texts), [("self", "f", None, 70)])

    def test_layout(self) -> None:
        """Misses alone differ."""
        texts = [
            profile(
                function("main", "1 5 0", calls="f:1"),
                function("f", f"3 20 {misses}"),
                events="Ir D1mr",
            )
            for misses in (3, 8)
        ]
        found = self.causes(*texts)
        self.assertEqual(found["difference"], {"Ir": 0, "D1mr": 5})
        self.assertEqual([cause["cause"] for cause in found["causes"]], ["layout"])

    def test_exclude(self) -> None:
        """Without the allocator the difference is smaller, and says so."""
        texts = [
            profile(function("main", f"1 {own}", calls="malloc:3"), function("malloc", f"3 {cost}"))
            for own, cost in ((5, 30), (9, 75))
        ]
        self.assertEqual(
            self.rows(*texts), [("allocator", "malloc", None, 45), ("self", "main", None, 4)]
        )
        found = self.causes(*texts, "--exclude=allocator")
        self.assertEqual((found["difference"], found["excluded"]), ({"Ir": 4}, ["allocator"]))
        self.assertIn("Left out", self.run_diff(*texts, "--exclude=allocator").stdout)

    def test_rest(self) -> None:
        """What is below a thousandth is one row."""
        names = [f"f{i}" for i in range(30)]
        texts = []
        for more in (0, 1):
            calls = " ".join(f"{name}:1" for name in names)
            each = [function(name, f"3 {20 + more}") for name in names]
            main = function("main", f"1 {5 + 100_000 * more}", calls=calls)
            texts.append(profile(main, *each))
        self.assertEqual(
            self.rows(*texts), [("self", "main", None, 100_000), ("rest", None, None, 30)]
        )

    def test_uncounted(self) -> None:
        """Calls without a count are said, and own costs stand."""
        texts = [
            profile(function("main", "1 5", calls="f:0"), function("f", f"3 {cost}"))
            for cost in (20, 30)
        ]
        found = self.causes(*texts)
        self.assertEqual(found["uncounted"], 2)
        self.assertEqual([(c["function"], c["costs"]["Ir"]) for c in found["causes"]], [("f", 10)])

    def test_markdown(self) -> None:
        """A comment has at most 10,000 characters, and twenty rows."""
        names = [f"function_{i}_{'x' * 900}" for i in range(30)]
        texts = []
        for more in (0, 1):
            calls = " ".join(f"{name}:1" for name in names)
            each = [function(name, f"3 {20 + more * i}") for i, name in enumerate(names)]
            texts.append(profile(function("main", "1 5", calls=calls), *each))
        for options in (["--markdown"], ["--markdown", "--rows=0"]):
            output = self.run_diff(*texts, *options).stdout
            self.assertLess(len(output), 10_000)
            self.assertIn("more causes had no room", output)

    def test_excluded_of_limits(self) -> None:
        """What the allocator and the linker cost is in no limit of the total; nor is a limit of theirs changed."""
        paths = []
        for name, own, of_malloc, of_linker in (("old", 1000, 500, 500), ("new", 1010, 900, 700)):
            text = profile(
                function("main", f"1 {own}"),
                function("malloc", f"2 {of_malloc}"),
                function("_dl_map", f"3 {of_linker}"),
            )
            (self.folder / name).write_text(text)
            paths.append(self.folder / name)
        for options, status, said in (
            (["--fail-above=1%"], 3, "from 2,000 to 2,610"),
            (["--fail-above=1%", "--exclude=allocator"], 3, "from 1,500 to 1,710"),
            (["--fail-above=1%", "--exclude=allocator,linker"], 0, "from 1,000 to 1,010"),
            (["--fail-above=malloc:Ir=1%", "--exclude=allocator,linker"], 3, "from 500 to 900"),
        ):
            with self.subTest(options=options):
                output = command("cg2_diff", *options, *paths)
                self.assertEqual(output.status, status, output.stderr)
                self.assertIn(said, output.stdout)
                left_out = "Left out of the totals" in output.stdout
                self.assertEqual(left_out, len(options) == 2)
        found = json.loads(
            command("cg2_diff", "--json", "--fail-above=9%", "--exclude=linker", *paths).stdout
        )
        self.assertEqual(found["excluded"], ["linker"])
        self.assertEqual((found["old"]["total"], found["new"]["total"]), ([1500], [1910]))
        output = command("cg2_diff", "--fail-above=9%", "--exclude=linker", *paths, paths[0])
        self.assertEqual(output.status, 1)
        self.assertIn("--exclude needs two profiles", output.stderr)

    def test_errors(self) -> None:
        text = profile(function("main", "1 5"))
        for options, said in (
            (["--exclude=self"], "expected allocator or linker, or both"),
            (["--fail-above=1%"], "--fail-above does not go with --explain"),
            (["--inlines=yes"], "--inlines does not go with --explain"),
        ):
            output = self.run_diff(text, text, *options)
            self.assertEqual(output.status, 2)
            self.assertIn(said, output.stderr)
        path = self.folder / "only"
        path.write_text(text)
        output = command("cg2_diff", "--exclude=linker", path, path)
        self.assertEqual(output.status, 2)
        self.assertIn("expected --explain or limits, too", output.stderr)


# ---- Seeded changes --------------------------------------------------------

# Programs with a leaf, which a chain calls; each kind of change is a line of the macros.
PROGRAM = """\
#include <stdlib.h>
#include <string.h>
volatile int sink;
int many[4000];
#define ALONE __attribute__((noinline, noclone))
#ifndef EXTRA
#define EXTRA
#endif
#ifndef INLINED
#define INLINED ALONE
#endif
#ifndef LEAF
#define LEAF leaf
#endif
{shape}
int main(int count, char** given)
{{
   int rounds = {rounds}, size = count > 1 ? atoi(given[1]) : {size};
   UNRELATED
   for (int i = 0; i < rounds; i++)
      sink += chain(size);
   return 0;
}}
"""

LEAF = """
INLINED static int LEAF(int x)
{
   int sum = 0;
   for (int i = 0; i < x; i++) {
      sum += many[i] * x;
      EXTRA
   }
   return sum;
}
"""

SHAPES = {
    "chain": LEAF + "ALONE int chain(int x) { sink = x; return LEAF(x) + 1 MORE; }",
    "deep": LEAF
    + "ALONE int third(int x) { sink = x; return LEAF(x) + 1 MORE; }\n"
    + "ALONE int second(int x) { return third(x) * 2 + third(x + 1); }\n"
    + "ALONE int chain(int x) { return second(x) + second(x + 2); }",
    "circle": LEAF
    + "ALONE int other(int x, int d);\n"
    + "ALONE int one(int x, int d) { return d ? other(x, d - 1) + 1 : LEAF(x) + 1 MORE; }\n"
    + "ALONE int other(int x, int d) { return d ? one(x, d - 1) * 3 : 1; }\n"
    + "ALONE int chain(int x) { return one(x, 6); }",
    "branchy": LEAF
    + "ALONE int even(int x) { return x * 3; }\n"
    + "ALONE int chain(int x) { int s = even(x); return x > 3 ? s + LEAF(x) MORE : s - 1; }",
}

MACROS = "-DMORE=", "-DUNRELATED="

# What is changed, with compiler options or the program's arguments, and the dearest cause that is right.
CHANGES: dict[str, tuple[list[str], list[str], set[str], set[str]]] = {
    "costlier": (["-DEXTRA=sum ^= sum << 3;"], [], {"self"}, {"leaf"}),
    "call": (["-DMORE=+LEAF(x+1)"], [], {"calls"}, {"chain", "third", "one"}),
    "data": ([], ["300"], {"work"}, {"leaf"}),
    "inlined": (["-DINLINED=inline __attribute__((always_inline))"], [], {"inlined"},
                {"chain", "third", "one"}),
    "renamed": (["-DLEAF=leaf_of_tree", "-DEXTRA=sum ^= 5;"], [], {"replaced"}, {"leaf_of_tree"}),
    "unrelated": (["-DUNRELATED=memset(many, 1, sizeof many);"], [], {"calls", "self", "added"},
                  {"main", "memset", "__memset"}),
}  # fmt: skip


class Seeded(Case):
    """Pairs of programs that differ in one thing: the dearest cause is that."""

    def pair(self, shape: str, rounds: int, size: int, change: str) -> Any:
        text = PROGRAM.format(shape=SHAPES[shape], rounds=rounds, size=size)
        options, arguments, *_ = CHANGES[change]
        old = self.program(f"{shape}{rounds}", text, [])
        new = self.program(f"{shape}{rounds}{change}", text, options) if options else old
        return self.causes(self.profiled(old, []), self.profiled(new, arguments))

    def program(self, name: str, text: str, options: list[str]) -> Path:
        folder = self.folder / name
        made = folder / "app"
        if not made.exists():
            folder.mkdir()
            source = folder / "app.c"
            source.write_text(text)
            set_already = {each.split("=")[0] for each in options}
            macros = [each for each in MACROS if each.split("=")[0] not in set_already]
            flags = "-O1", "-fno-inline-small-functions", *macros, *options
            cg2test.compile_to(made, str(source), *flags)
        return made

    def profiled(self, program: Path, arguments: list[str]) -> Path:
        run = cg2test.run_cg2([program, *arguments])
        self.assertEqual(run.status, 0, run.stderr)
        return run.profile_paths[0]

    def test_pairs(self) -> None:
        """The dearest cause and its function are the change in at least 95 of 100 pairs."""
        numbers = [(60, 20), (90, 25), (150, 40), (70, 80), (200, 30)] if FULL else [(60, 20)]
        shapes = list(SHAPES) if FULL else ["deep", "circle"]
        wrong, count = [], 0
        for shape in shapes:
            for rounds, size in numbers:
                for change, (*_, kinds, functions) in CHANGES.items():
                    dearest = self.pair(shape, rounds, size, change)["causes"][0]
                    count += 1
                    said = dearest["cause"], dearest.get("function")
                    if said[0] not in kinds or not _is_one(said[1], functions):
                        wrong.append((shape, rounds, change, dearest["text"]))
        self.assertLessEqual(len(wrong) * 20, count, f"{len(wrong)} of {count}: {wrong}")


def _is_one(name: str, functions: set[str]) -> bool:
    return any(name == each or name.startswith(each) for each in functions)


if __name__ == "__main__":
    unittest.main()
