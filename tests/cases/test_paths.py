"""Paths: --contexts=full keeps costs apart by all calls that led to them, and the profile is the same."""

from __future__ import annotations

import functools
import re
import subprocess
import unittest
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from case import LEVELS, Case
from cg2test import MACHINE, STATIC_CXX, Run, compile, run_cg2, text_of_any_run
from cg2tools.profile.libcg2profile import read_paths
from cg2tools.profile.model import FunctionKey, Part
from cg2tools.profile.reader import read_profile
from pathtree import Tree, arc_faults, faults, without_level

FULL = ["--contexts=full", "--paths-out-file=%p.paths"]
TRACED = ["-finstrument-functions", "-pthread", *STATIC_CXX]
ALL_LEVELS = "--separate-recs=1000"  # more than any program here has: nothing comes back to a path
EVENTS = ["--cache-sim=yes", "--branch-sim=yes", "--collect-systime=nsec", "--collect-alloc=yes"]

# Programs of many kinds, and what they are started with.
KINDS: list[tuple[str, list[str], list[str]]] = [
    ("calls.c", ["-O0"], []),
    ("recursion.c", ["-O0", "-static"], []),
    ("tail.c", ["-O2", "-static"], []),
    ("tailchain.S", ["-DN=20000", "-static"], []),
    ("longjmp.c", ["-O2", "-static"], []),
    ("signals.c", ["-O2", "-static"], []),
    ("fibers.c", ["-O1", "-pthread", "-static"], ["pairs"]),
    ("fibers.c", ["-O1", "-pthread"], ["threads"]),
    ("fibers.c", ["-O1", "-pthread", "-static"], ["moved"]),
    ("threads.c", ["-O1", "-pthread"], ["3"]),
    ("pointers.c", ["-O2", "-static"], []),
    ("cold.c", ["-O2", "-static"], []),
    ("allocating.c", ["-O1", "-pthread"], ["thread"]),
]

SECOND_PHASE: tuple[str, list[str], list[str]] = ("secondphase.c", ["-O2", "-static"], [])

# Programs of truths.cc, which traced.h makes tell their calls.
TRUTHS = "recursion circles deep search callbacks machine virtuals exceptions jumps tails".split()
TRUTHS += "coroutines nested handlers threads ends".split()

# What decides which calls a profile shows, and which paths there are.
MODES = [
    ["--separate-threads=yes"],
    ["--skip-plt=no", "--dump-instr=yes"],
    ["--pop-on-jump"],
    ["--fn-skip=branch", "--fn-skip=fib", "--fn-skip=second"],
    ["--skip-direct-rec=yes", "--separate-recs=1"],
    ["--toggle-collect=main"],
    ["--toggle-collect=leaf"],
    ["--dump-before=leaf"],
    ["--zero-before=leaf"],
]


class PathCase(Case):
    """Runs programs with --contexts=full."""

    def run_full(self, program: Path, *options: str, args: Sequence[str] = ()) -> Run:
        """Run a program that leaves profiles, and paths of the same names beside them."""
        run = run_cg2([program, *args], *FULL, *options)
        self.assertEqual(run.status, 0, run.stderr)
        return run

    def pairs(
        self, program: Path, *options: str, args: Sequence[str] = ()
    ) -> list[tuple[Part, Tree]]:
        """The parts that a run leaves, each with its paths, which add up to it."""
        run = self.run_full(program, *options, args=args)
        found = []
        for path in run.profile_paths:
            tree = Tree(run.directory / path.name.replace("profile", "paths"))
            part = read_profile(path).parts[0]
            if any(part.self_total()):
                self.assertEqual(faults(tree, part), [], f"{program} {options}")
            found.append((part, tree))
        self.assertTrue(found)
        return found

    def tree_of(self, program: Path, *options: str, args: Sequence[str] = ()) -> Tree:
        """The paths of a run that leaves one part."""
        ((_, tree),) = self.pairs(program, *options, args=args)
        return tree


class Sums(PathCase):
    """What paths add up to: the profile."""

    def test_functions(self) -> None:
        """The paths of a function cost together what the function does, and are taken as often."""
        for source, flags, args in KINDS:
            with self.subTest(f"{source} {args}"):
                self.pairs(compile(source, *flags, is_dynamic=True), *EVENTS, args=args)

    def test_modes(self) -> None:
        """Whatever a profile shows, paths add up to it: skipped functions, parts, threads apart,
        collection."""
        for source, flags, args in KINDS[:4] + KINDS[7:10]:
            for mode in MODES:
                with self.subTest(f"{source} {mode}"):
                    self.pairs(compile(source, *flags, is_dynamic=True), *mode, args=args)

    def test_arcs(self) -> None:
        """The paths of an arc cost together, with all that they call, what its calls cost."""
        for source, flags, args in KINDS:
            if source == "tailchain.S":
                continue  # its paths are 2,000 functions long
            if source in ("signals.c", "fibers.c"):
                continue  # levels count what was interrupted, which no path goes through
            with self.subTest(f"{source} {args}"):
                for part, tree in self.pairs(
                    compile(source, *flags, is_dynamic=True),
                    "--cache-sim=yes",
                    ALL_LEVELS,
                    args=args,
                ):
                    self.assertEqual(arc_faults(tree, part), [])

    def test_same_profile(self) -> None:
        """The profile is byte for byte that of a run without."""
        for source, flags, args in KINDS[:5]:
            with self.subTest(source):
                texts = []
                for contexts in ("function", "full"):
                    run = run_cg2(
                        [compile(source, *flags, is_dynamic=True), *args],
                        f"--contexts={contexts}",
                        "--paths-out-file=a.paths",
                        "--cache-sim=yes",
                        "--dump-instr=yes",
                    )
                    texts.append(text_of_any_run(run.profile_paths[0]))
                self.assertEqual(*texts)


class Told(PathCase):
    """A program that tells each call that it makes: what was told, counted by brute force."""

    def test_recursion(self) -> None:
        """However many levels are kept apart: the deeper calls come back to where the last level is."""
        for level in LEVELS:
            program = compile("traced.cc", level, *TRACED, compiler="g++")
            for levels in (1, 2, 3, 1000):
                with self.subTest(f"{level} {levels}"):
                    tree, told = self.told_by(program, levels)
                    names = {name for stack in told for name in stack}
                    self.assertGreater(len(told), 30)
                    self.assertEqual(tree.counts(*names), told)

    def test_programs(self) -> None:
        """Programs of one kind of calls each, at two levels of optimisation."""
        for level in LEVELS[0], LEVELS[-1]:
            program = compile("truths.cc", level, *TRACED, compiler="g++")
            for name in TRUTHS:
                for levels in (2, 1000):
                    with self.subTest(f"{name} {level} {levels}"):
                        tree, told = self.told_by(program, levels, name)
                        self.assertGreater(len(told), 3)
                        names = {name for stack in told for name in stack}
                        self.assertEqual(tree.counts(*names), told)

    def told_by(
        self, program: Path, levels: int, *args: str
    ) -> tuple[Tree, Counter[tuple[str, ...]]]:
        """The paths of a program, and those that it tells."""
        options = [f"--separate-recs={levels}", "--demangle=no"]
        run = self.run_full(program, *options, args=args)
        (path,) = run.profile_paths
        tree = Tree(run.directory / path.name.replace("profile", "paths"))
        return tree, _told(run.stdout, levels, names_in(program))

    def test_threads(self) -> None:
        """With --separate-threads each thread has a file with its own paths."""
        program = compile("traced.cc", "-O1", *TRACED, compiler="g++")
        run = self.run_full(program, "--separate-threads=yes", "--demangle=no")
        self.assertEqual(len(run.profile_paths), 4)
        for number, path in enumerate(run.profile_paths):
            with self.subTest(thread=number + 1):
                tree = Tree(run.directory / path.name.replace("profile", "paths"))
                lines = [line for line in run.stdout.splitlines() if line.startswith(f"{number} ")]
                told = _told("\n".join(lines), 2, names_in(program))
                names = {name for stack in told for name in stack}
                self.assertEqual(tree.counts(*names), told)
                self.assertEqual(tree.header["thread"], str(number + 1))


class Facts(PathCase):
    """What is known of single paths by construction."""

    def test_tail_calls(self) -> None:
        tree = self.tree_of(compile("tail.c", "-O2"))
        names = ["main", "first", "second", "third", "second_or_third", "through", "after"]
        self.assertEqual(
            tree.counts(*names),
            {
                ("main",): 1,
                ("main", "first"): 5,
                ("main", "first", "second"): 5,
                ("main", "first", "second", "third"): 5,
                ("main", "second_or_third"): 5,
                ("main", "second_or_third", "second"): 3,
                ("main", "second_or_third", "second", "third"): 3,
                ("main", "second_or_third", "third"): 2,
                ("main", "after"): 5,
                ("main", "through"): 3,
                ("main", "through", "third"): 2,
                ("main", "through", "after"): 1,
            },
        )

    def test_coroutines(self) -> None:
        """What a coroutine calls is on its own path, wherever it is resumed."""
        tree = self.tree_of(compile("fibers.c", "-O1", "-pthread"), args=["pairs"])
        found = tree.counts("pairs_on", "first_body", "second_body", "deep", "leaf", "resume")
        for body in ("first_body", "second_body"):
            self.assertEqual(found[body, "deep"], 10)
            self.assertEqual(found[body, "deep", "leaf"], 10)
        self.assertEqual(found["pairs_on", "resume"], 22)

    def test_handlers(self) -> None:
        """A handler's path begins with the handler."""
        tree = self.tree_of(compile("signals.c", "-O2"))
        found = tree.counts("main", "on_usr1", "in_handler")
        self.assertEqual(found["on_usr1", "in_handler"], 8)
        self.assertNotIn(("main", "on_usr1"), found)

    def test_sites(self) -> None:
        """Calls at two lines are two paths, and each has its line."""
        tree = self.tree_of(compile("calls.c", "-O0", "-g"))
        sites = Counter(
            (path.file.rpartition("/")[2], path.position[0])
            for path in tree.paths
            if path.names()[-2:] == ("main", "leaf") or path.names()[-2:] == ("main", "branch")
        )
        self.assertEqual(set(sites.values()), {1})
        self.assertEqual({file for file, _ in sites}, {"calls.c"})

    def test_no_room(self) -> None:
        """What has no room is (more); the sums stay, and the file and the run say how much it is."""
        program = compile("recursion.c", "-O0", "-static")
        whole = self.tree_of(program)
        room, least = (120, 70) if MACHINE == "aarch64" else (200, 150)
        run = self.run_full(program, f"--contexts-max={room}")
        tree = Tree(next(run.directory.glob("*.paths")))
        more = [path for path in tree.paths if path.function.name == "(more)"]
        self.assertEqual(tree.total(), whole.total())
        self.assertGreater(len(whole.paths), room + 10)
        self.assertLessEqual(len(tree.paths) - len(more), room)
        self.assertGreater(len(tree.paths) - len(more), least)
        self.assertFalse([path for path in more if path.children])
        parents = [id(path.parent) for path in more]
        self.assertEqual(len(parents), len(set(parents)))
        cost, calls = sum(path.costs[0] for path in more), sum(path.calls for path in more)
        self.assertEqual(tree.header["more"], f"{len(more)} {calls} {cost}")
        said = f"--contexts-max={room} was reached: each recursion has one level, and"
        self.assertIn(f"{said} {calls} calls, with ", run.stderr)

    def test_recursion_folds(self) -> None:
        """Before anything is (more), recursions fold, so that all has a path, which file and run say."""
        program = compile("secondphase.c", "-O2", "-static")
        run = self.run_full(program, "--contexts-max=700", "--separate-recs=10")
        path = next(run.directory.glob("*.paths"))
        tree = Tree(path)
        self.assertNotIn("more", tree.header)
        self.assertLess(len(tree.paths), 700)
        self.assertEqual(faults(tree, read_profile(run.profile_paths[0]).parts[0]), [])
        said = "desc: Levels: one of each recursion, as --contexts-max=700 was reached"
        self.assertIn(said, path.read_text().splitlines())
        self.assertIn(
            "--contexts-max=700 was reached: each recursion has one level; a larger --contexts-max keeps",
            run.stderr,
        )
        whole = self.run_full(program, "--contexts-max=7000", "--separate-recs=10")
        self.assertNotIn("desc: Levels", next(whole.directory.glob("*.paths")).read_text())

    def test_dear_paths_have_room(self) -> None:
        """What costs least makes place: the second of two phases has its paths, with all their cost."""
        program = compile("secondphase.c", "-O2", "-static")
        options = ["--separate-recs=10"]
        whole = self.tree_of(program, *options)
        second = [p for p in whole.paths if "optimise" in p.names()]
        self.assertEqual(len(second), 3)
        for room in (250, 400, 700):
            with self.subTest(room=room):
                run = self.run_full(program, f"--contexts-max={room}", *options)
                tree = Tree(next(run.directory.glob("*.paths")))
                self.assertGreater(len(whole.paths), 700)
                found = [p for p in tree.paths if "optimise" in p.names()]
                self.assertEqual(
                    [(p.names(), p.calls, p.costs) for p in found],
                    [(p.names(), p.calls, p.costs) for p in second],
                )
                more = int(tree.header.get("more", "0 0 0").split()[2])
                self.assertLess(more, 0.05 * tree.total()[0])

    def test_place_is_made_exactly(self) -> None:
        """However little room there is: no cost is lost or made up, and none but (more) gets another's."""
        for source, flags, args in [*KINDS[1:6], *KINDS[7:10], SECOND_PHASE]:
            program = compile(source, *flags, is_dynamic=True)
            for room in ("60", "200"):
                with self.subTest(f"{source} {args} {room}"):
                    run = self.run_full(program, f"--contexts-max={room}", *EVENTS, args=args)
                    for path in run.profile_paths:
                        tree = Tree(run.directory / path.name.replace("profile", "paths"))
                        self.assertEqual(_too_much(tree, read_profile(path).parts[0]), [])

    def test_parts_and_children(self) -> None:
        """Each part of each process has its paths."""
        run = self.run_full(compile("fork.c", "-O0"), "--dump-before=common")
        self.assertGreater(len(run.profile_paths), 2)
        for path in run.profile_paths:
            tree = Tree(run.directory / path.name.replace("profile", "paths"))
            self.assertEqual(faults(tree, read_profile(path).parts[0]), [])

    def test_library(self) -> None:
        """The library reads a file, one with all parts as well, and writes the same paths."""
        for options in (["--dump-instr=yes"], ["--combine-dumps=yes", "--dump-before=common"]):
            run = self.run_full(compile("fork.c", "-O0", "-g"), *options, *EVENTS)
            path = max(run.directory.glob("*.paths"), key=lambda each: each.stat().st_size)
            found = read_paths(path)
            found.write(run.directory / "copy")
            texts = [_bodies(each) for each in (path, run.directory / "copy")]
            self.assertEqual(len(texts[0]), len(found.parts))
            self.assertEqual(len(found.parts) > 1, "--combine-dumps=yes" in options)
            self.assertEqual(texts[0], texts[1])
            for part in found.parts:
                part.check()

    def test_default_names(self) -> None:
        """The run says where paths and data are, and how one sees them."""
        options = ["--contexts=full", "--cache-sim=yes", "--data=misses"]
        run = run_cg2([compile("calls.c", "-O0")], *options, out_file=None)
        (path,) = run.directory.glob("cg2.paths.*")
        (data,) = run.directory.glob("cg2.data.*")
        said = [line.partition("== ")[2] for line in run.stderr.splitlines()[-2:]]
        self.assertEqual(said[0], f"Data: {data}; to see it: cg2_annotate --data {data.name}")
        self.assertEqual(said[1], f"Paths: {path}; to see them: cg2_annotate --paths {path.name}")

    def test_refusals(self) -> None:
        program = compile("calls.c", "-O0")
        for options, said in (
            (["--contexts=all"], "expected function or full"),
            (["--contexts-max=0"], "expected a number from 1 to 1000000000"),
            (["--cacheuse=yes"], "--contexts=full does not go together with --cacheuse=yes"),
            (["--paths-out-file=/nowhere/paths"], "cannot write the file of paths"),
        ):
            with self.subTest(options):
                run = run_cg2([program], *FULL, *options)
                self.assertEqual(run.status, 1)
                self.assertIn(said, run.stderr)


def _too_much(tree: Tree, part: Part) -> list[str]:
    """The functions whose paths, of a file in which (more) has the rest, have more cost or calls than the
    profile says; and where the sums differ."""
    found = []
    if tree.total() != part.self_total():
        found.append(f"paths cost {tree.total()}, not {part.self_total()}")
    own: dict[FunctionKey, list[int]] = {}
    calls: Counter[FunctionKey] = Counter()
    for path in tree.paths:
        found += [
            f"{path.names()} cost less than nothing" for cost in path.costs if cost >= 1 << 63
        ]
        if path.function.name == "(more)":
            continue
        before = own.get(path.function, [0] * len(part.events))
        own[path.function] = [a + b for a, b in zip(before, path.costs)]
        calls[path.function] += path.again + (path.calls if path.parent else 0)
    for key, function in part.functions.items():
        base = without_level(key)
        for column in function.costs.values():
            own[base] = [a - b for a, b in zip(own.get(base, [0] * len(column)), column)]
        for call in function.calls:
            calls[without_level(call.callee)] -= call.count
    found += [f"{key}: {cost} too much" for key, cost in own.items() if max(cost) > 0]
    found += [f"{key}: {count} calls too many" for key, count in calls.items() if count > 0]
    return found


def _bodies(path: Path) -> list[list[str]]:
    """What the parts of a file say of paths."""
    parts = path.read_text().split("\nevents: ")[1:]
    return [
        [line for line in part.splitlines() if re.match(r"\d|[a-z][a-z]=|totals:", line)]
        for part in parts
    ]


@functools.cache
def names_in(program: Path) -> dict[str, str]:
    """The functions of a program by what it tells of them: how far they are from its start."""
    said = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"(?m)^([0-9a-f]+) ([TWR]) (\w+)$", said)
    (start,) = (int(address, 16) for address, _, name in found if name == "__executable_start")
    return {str(int(address, 16) - start): name for address, kind, name in found if kind in "TW"}


def _told(text: str, levels: int, names: dict[str, str]) -> Counter[tuple[str, ...]]:
    """How often each path was taken, of what a program told, where so many levels are kept apart."""
    found: Counter[tuple[str, ...]] = Counter()
    stacks: dict[str, list[tuple[str, ...]]] = {}
    for line in text.splitlines():
        thread, what, *told = line.split()
        stack = stacks.setdefault(thread, [()])
        if what == "-":
            stack.pop()
            continue
        if what == "=":  # so many are left
            del stack[int(told[0]) + 1 :]
            continue
        path, name = stack[-1], names.get(told[0], told[0])
        if path.count(name) == levels:  # back to where the function is on the path last
            path = path[: len(path) - path[::-1].index(name)]
        else:
            path = (*path, name)
        found[path] += 1
        stack.append(path)
    return found


if __name__ == "__main__":
    unittest.main()
