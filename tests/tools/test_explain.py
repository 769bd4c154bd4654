"""cg2_diff --explain: causes by construction, which add up to the difference."""

from __future__ import annotations

import json
import tempfile
import unittest
from pathlib import Path
from typing import Any

import schema
from toolsupport import Output, command

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

    def test_calls_a_call(self) -> None:
        """Where the caller is called more often itself, it is said how often it calls in each."""
        old = profile(
            function("main", "1 5", calls="f:10"),
            function("f", "3 20", calls="g:30"),
            "fn=g\n5 90\n",
        )
        new = profile(
            function("main", "1 5", calls="f:12"),
            function("f", "3 24", calls="g:30"),
            "fn=g\n5 90\n",
        )
        self.assertEqual(
            self.rows(old, new), [("calls", "main", "f", 22), ("calls", "f", "g", -18)]
        )
        text = self.run_diff(old, new).stdout
        self.assertIn("`main` calls `f` 12 instead of 10 times", text)
        said = "`f` calls `g` 30 times as before, 2.5 instead of 3 a call, as it is called 12 instead of 10"
        self.assertIn(said, text)
        old = profile(function("main", "1 5"), function("f", "3 20"))
        new = profile(
            function("main", "1 5", calls="unlike:2"),
            function("unlike", "9 500", calls="f:3"),
            function("f", "3 30"),
        )
        self.assertIn("`unlike`, which is new, calls `f` 3 times", self.run_diff(old, new).stdout)

    def test_other_caller(self) -> None:
        """A new function between two: what it calls is called by it instead, and costs nothing more."""
        texts = [
            profile(function("main", "1 5", calls="f:10"), function("f", "3 20000")),
            profile(
                function("main", "1 5", calls="between:10"),
                function("between", "7 40", calls="f:10"),
                function("f", "3 20000"),
            ),
        ]
        self.assertEqual(self.rows(*texts), [("added", "between", None, 40)])
        texts[1] = (
            texts[1].replace("cfn=f\ncalls=10", "cfn=f\ncalls=11").replace("3 20000", "3 22000")
        )
        self.assertEqual(
            self.rows(*texts),
            [
                ("calls", "between", "f", 22000),
                ("calls", "main", "f", -20000),
                ("rest", None, None, 40),
            ],
        )
        old = profile(function("main", "1 5", calls="f:100"), function("f", "3 20000"))
        new = texts[1].replace("calls=11", "calls=101").replace("3 22000", "3 20200")
        self.assertEqual(
            self.rows(old, new), [("calls", "between", "f", 200), ("added", "between", None, 40)]
        )
        said = "`between` calls `f` instead of `main`, 101 instead of 100 times"
        self.assertIn(said, self.run_diff(old, new).stdout)
        self.assertEqual(self.causes(old, new)["causes"][0]["was"], "main")

    def test_cancelled(self) -> None:
        """Terms that cancel each other out: the paragraph has what functions cost themselves."""
        old = profile(function("main", "1 50", calls="f:7"), function("f", "3 7000"))
        new = profile(function("main", "1 61", calls="f:8"), function("f", "3 7005"))
        causes = self.rows(old, new)
        self.assertEqual([row[0] for row in causes], ["calls", "self", "self"])
        self.assertEqual([row[3] for row in causes], [1000, -995, 11])
        first = self.run_diff(old, new).stdout.splitlines()[0]
        self.assertIn("cancel each other out", first)
        self.assertTrue(first.endswith("cost themselves: `main` +11, `f` +5."), first)

    def test_net(self) -> None:
        """What is called more often and costs more a call is one sentence, with both."""
        old = profile(function("main", "1 5", calls="f:10"), function("f", "3 7000"))
        new = profile(function("main", "1 5", calls="f:12"), function("f", "3 9600"))
        first = self.run_diff(old, new).stdout.splitlines()[0]
        said = (
            "Ir differs by +2,600 (+37.12 %). +2,600: `main` calls `f` 12 instead of 10 times (+1,400)"
            " and `f` costs 100 more a call by its own code, in app.c:3 (+1,200)."
        )
        self.assertEqual(first, said)

    def test_lines(self) -> None:
        """The lines are named that a cause is most of, by what a call of NEW costs."""
        old = profile(
            function("main", "1 5", calls="f:10"),
            function("f", "3 100", "4 100", "5 100", "6 100", "7 100"),
        )
        new = profile(
            function("main", "1 5", calls="f:20"),
            function("f", "3 200", "4 900", "5 150", "6 240", "7 300", "fi=app.h", "9 500"),
        )
        text = self.run_diff(old, new).stdout
        self.assertIn("`f` costs 64.5 more a call by its own code, most of it in app.c:4\n", text)
        text = self.run_diff(old, new.replace("4 900", "4 701")).stdout
        self.assertIn("most of it in app.c:4, app.h:9\n", text)

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

    def test_processor(self) -> None:
        """What the linker does otherwise for a processor is below that, too."""
        texts = [
            profile(
                function("main", "1 5"),
                function("_dl_init_cpu", f"7 {cost}"),
                function("malloc", f"9 {cost // 2}"),
                more=f"desc: CPU: {cpu}\n",
            )
            for cpu, cost in (("avx2", 100), ("baseline", 150))
        ]
        found = self.causes(*texts)["causes"]
        self.assertEqual([cause["cause"] for cause in found], ["environment", "allocator"])
        said = "CPU: avx2, then baseline; above all `_dl_init_cpu`, of the linker (+50)"
        self.assertIn(said, self.run_diff(*texts).stdout)

    def test_binding(self) -> None:
        """What the linker does to find a function at its first call is its own; that a program asks the
        allocator less often is the program's."""
        resolve, again = "_dl_runtime_resolve_xsave", profile(function("main", "1 5"))
        old = profile(
            function("main", "1 5", calls=f"{resolve}:2 malloc:3"),
            function(resolve, "7 90"),
            function("malloc", "9 60"),
        )
        self.assertEqual(
            self.rows(old, again),
            [("linker", resolve, None, -90), ("removed", "malloc", None, -60)],
        )
        self.assertEqual(
            self.rows(again, old),
            [("linker", resolve, None, 90), ("allocator", "malloc", None, 60)],
        )
        self.assertEqual(self.causes(old, again, "--exclude=linker")["difference"], {"Ir": -60})
        more = old.replace(f"cfn={resolve}\ncalls=2", f"cfn={resolve}\ncalls=4").replace(
            "90", "180"
        )
        self.assertEqual(self.rows(old, more), [("linker", "main", resolve, 90)])

    def test_copy_of_allocator(self) -> None:
        """A copy that the compiler made of a function of the allocator is one of these."""
        texts = [
            profile(function("main", "1 5"), function("systrim.constprop.0", f"7 {cost}"))
            for cost in (9, 20)
        ]
        self.assertEqual(self.rows(*texts), [("allocator", "systrim.constprop.0", None, 11)])

    def test_same_name(self) -> None:
        """Two functions whose names are said alike are told apart by what differs."""
        text = profile(function("main", "1 5", calls="NAME:1"), function("NAME", "3 50"))
        instances = [
            text.replace("NAME", f"void f<at<{what}*, list<{what}, of<{what}> > > >(int)").replace(
                "3 50", line
            )
            for what, line in (("int", "3 50"), ("long", "3 70"))
        ]
        said = "`f<at<...>>`, another instance than before\n"
        self.assertIn(said, self.run_diff(*instances).stdout)
        old = profile(function("main", "1 5", calls="f:1"), function("f", "3 50"))
        new = old.replace("cob=app", "cob=libf.so").replace("3 50", "3 70")
        new = new.replace("\nfn=f", "\nob=libf.so\nfn=f")
        self.assertIn("`f` in libf.so instead of app\n", self.run_diff(old, new).stdout)

    def test_library(self) -> None:
        """What changed in a library of the system that was built anew is below that; another one is what one
        works on."""
        texts = []
        for build, cost in (("12", 100), ("13", 130)):
            text = profile(function("main", "1 5", calls="f:1"), function("f", f"3 {cost}"))
            text = text.replace("\nfn=f", "\nob=/usr/lib/libf.so.1\nfn=f")
            text = text.replace("cob=app", "cob=/usr/lib/libf.so.1")
            objects = (
                f"desc: Objects: build-id={build} /usr/lib/libf.so.1\tbuild-id={build} /a/app\n"
            )
            texts.append(text.replace("cmd:", f"{objects}cmd:"))
        (cause,) = self.causes(*texts)["causes"]
        self.assertEqual((cause["cause"], cause["costs"]["Ir"]), ("environment", 30))
        self.assertIn("libf.so.1: another build", cause["text"])
        below = [(each["cause"], each["function"]) for each in cause["below"]]
        self.assertEqual(below, [("self", "f")])
        own = [text.replace("/usr/lib/", "/home/me/") for text in texts]
        self.assertEqual(self.rows(*own), [("self", "f", None, 30)])

    def test_repeatable(self) -> None:
        """Where the program was told of another world, what differs comes from there if all code is the same;
        else a warning says that it may."""
        head = "desc: Repeatable: yes, seed {0}\ndesc: Objects: build-id={1} /a/app\n"
        old, new, other = (
            profile(function("main", "1 5", f"2 {cost}"), more=head.format(seed, build))
            for cost, seed, build in ((10, 1, "12"), (40, 2, "12"), (40, 2, "13"))
        )
        (cause,) = self.causes(old, new)["causes"]
        self.assertEqual((cause["cause"], cause["costs"]["Ir"]), ("environment", 30))
        self.assertIn("Repeatable: yes, seed 1, then yes, seed 2", cause["text"])
        self.assertEqual([each["cause"] for each in cause["below"]], ["work"])
        self.assertNotIn("Warning", self.run_diff(old, new).stdout)
        for unlike in (other, new.replace("cmd: app", "cmd: app -x")):
            found = self.causes(old, unlike)
            self.assertNotEqual(found["causes"][0]["cause"], "environment")
            self.assertEqual([each["kind"] for each in found["conditions"]], ["Repeatable"])
            said = "Warning: Repeatable: yes, seed 1, then yes, seed 2; the program was told of another time"
            self.assertIn(said, self.run_diff(old, unlike).stdout)
            self.assertIn(said, self.run_diff(old, unlike, "--markdown").stdout.replace("\\", ""))
        once = self.run_diff(old, other.replace("desc: Repeatable: yes, seed 2\n", "")).stdout
        self.assertIn("then no; only one of them is repeatable", once)

    def test_renamed(self) -> None:
        """A name alone is no cause; a function that is another, too, is the difference of the two."""
        old = profile(function("main", "1 5", calls="f:10"), function("f", "3 20"))
        same = profile(function("main", "1 5", calls="g:10"), function("g", "3 20"))
        other = profile(function("main", "1 5", calls="g:10"), function("g", "3 23"))
        self.assertEqual(self.rows(old, same), [])
        self.assertEqual(self.rows(old, other), [("replaced", "g", None, 3)])
        said = "`g` instead of `f`, as callers, callees and costs suggest"
        self.assertIn(said, self.run_diff(old, other).stdout)

    def test_renamed_root(self) -> None:
        """What nothing calls has another name: it is what calls the same functions."""
        old = profile(function("start", "1 5", calls="f:10"), function("f", "3 20"))
        same = profile(function("go", "1 5", calls="f:10"), function("f", "3 20"))
        other = profile(function("go", "1 6", calls="f:10"), function("f", "3 20"))
        self.assertEqual(self.rows(old, same), [])
        self.assertEqual(self.rows(old, other), [("replaced", "go", None, 1)])

    def test_renamed_between_the_same(self) -> None:
        """Neither name nor cost is alike, but as many calls by the same function, and several callees."""
        old = profile(
            function("main", "1 5", calls="work:10"),
            function("work", "3 2000", calls="f:9 g:8"),
            function("f", "7 20"),
            function("g", "8 20"),
        )
        new = old.replace("fn=work", "fn=fill").replace("3 2000", "3 70")
        self.assertEqual(self.rows(old, new), [("replaced", "fill", None, -1930)])

    def test_begun_and_ended_calls(self) -> None:
        """What a function calls in one run alone is said so."""
        old = profile(
            function("main", "1 5", calls="f:10"),
            function("f", "3 20", calls="g:2"),
            function("g", "7 9"),
        )
        new = old.replace("fn=main\n1 5\n", "fn=main\n1 5\ncfn=g\ncalls=3 7\n1 9\n")
        self.assertIn("`main` now calls `g` 3 times", self.run_diff(old, new).stdout)
        self.assertIn(
            "`main` no longer calls `g`, as it did 3 times", self.run_diff(new, old).stdout
        )

    def test_clone(self) -> None:
        """A copy that the compiler made takes the place of the function."""
        old = profile(function("main", "1 5", calls="f:10"), function("f", "3 2000"))
        new = profile(
            function("main", "1 5", calls="f.constprop.0:10"), function("f.constprop.0", "3 20")
        )
        self.assertEqual(self.rows(old, new), [("replaced", "f.constprop.0", None, -1980)])

    def test_moved_beside_a_clone(self) -> None:
        """A function is the one in another object, also where copies of parts of it are in its own."""
        old = profile(function("main", "1 5", calls="f:10"), function("f", "3 2000"))
        there = "ob=/home/me/libf.so\n"
        new = profile(
            function("main", "1 5", calls="f:10 f.part.0:10").replace(
                "cob=app\ncfn=f\n", f"c{there}cfn=f\n"
            ),
            there + function("f", "3 1500"),
            "ob=app\n" + function("f.part.0", "9 70"),
            "fl=b.c\n" + function("f.cold", "9 7"),
        )
        found = [
            (row["cause"], row.get("function"), row.get("was"), row["costs"]["Ir"])
            for row in self.causes(old, new)["causes"]
        ]
        added = [("added", "f.part.0", None, 70), ("added", "f.cold", None, 7)]
        self.assertEqual(found, [("replaced", "f", "f", -500), *added])

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

    def test_inlined_within_each_other(self) -> None:
        """Two functions of which one stood in the other, and both in a third, are one row."""
        old = profile(function("main", "11 5", "3 10", "4 60", "7 300"))
        new = profile(
            function("main", "11 5", calls="f:10"),
            function("f", "3 20", "4 70", calls="g:20"),
            function("g", "7 320", "8 40"),
        )
        self.assertEqual(self.rows(old, new), [("outlined", "main", "f", 80)])
        self.assertEqual(self.rows(new, old), [("inlined", "main", "f", -80)])

    def test_inlined_in_moved_lines(self) -> None:
        """The same where an edit above has moved all lines of the file."""
        old = profile(
            function("main", "11 5", "12 9", calls="f:10"),
            function("f", "3 20", "4 70", calls="leaf:20"),
            function("leaf", "21 100", "22 10"),
        )
        new = profile(
            function("main", "111 6", "112 10", "103 10", "104 60", calls="leaf:20"),
            function("leaf", "121 101", "122 11"),
        )
        self.assertEqual(
            self.rows(old, new), [("inlined", "main", "f", -18), ("self", "leaf", None, 2)]
        )
        self.assertEqual(
            self.rows(new, old), [("outlined", "main", "f", 18), ("self", "leaf", None, -2)]
        )

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
            self.assertEqual("more causes had no room" in output, len(options) == 2)
        longer = [text.replace("xxx", "x" * 30) for text in texts]
        output = self.run_diff(*longer, "--markdown").stdout
        self.assertLess(len(output), 10_000)
        self.assertIn("`function_29_xxx", output.splitlines()[0])

    def test_excluded_of_limits(self) -> None:
        """What the allocator and the linker cost is in no limit of the total; nor is a limit of theirs
        changed."""
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

    def test_path_with_blanks(self) -> None:
        """A program with another path in NEW is the same, also where both have blanks: in each command."""
        pair = []
        for name, cost in (("of two words/the app", 20), ("elsewhere/an app 2", 21)):
            text = profile(function("main", f"3 {cost}")).replace("cmd: app", f"cmd: /{name} -x 1")
            pair.append(text.replace("ob=app", f"ob=/{name}"))
        self.assertEqual(self.rows(*pair), [("self", "main", None, 1)])
        old, new = self.folder / "old", self.folder / "new"
        summary = self.folder / "old.json"
        summary.write_text(command("cg2_annotate", "--json", "--threshold=100", old).stdout)
        for paths in ((old, new), (old, new, new), (summary, new, new)):
            output = command("cg2_diff", "--json", "--smallest=0", *paths)
            self.assertEqual(output.status, 0, output.stderr)
            found = json.loads(output.stdout)
            names = [(row["object"], row["name"]) for row in found["functions"]]
            self.assertEqual(names, [("an app 2", "main")])

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


if __name__ == "__main__":
    unittest.main()
