"""Names of functions: overloads, functions of one name in several files, mangled names, and odd ones."""

from __future__ import annotations

import re
import shutil
import subprocess
import unittest
from collections import Counter
from pathlib import Path

from case import Case, own_costs
from cg2test import STATIC_CXX, compile, compile_to, env, new_directory, profile_of
from cg2tools.profile.callgraph import CallGraph
from cg2tools.profile.model import FunctionKey, Part
from disassembly import instructions
from facts import Graph

DEBUG: list[list[str]] = [[], ["-g0"]]  # with debug information, and without
OPTIONS: list[list[str]] = [[], ["--demangle=no"]]

# How often each function of overloads.cc is called, by file and name. others() is called 19 times.
HIDDEN, LOCAL = "(anonymous namespace)::hidden()", "local(int)"
CALLED = {
    ("overloads.cc", "f(int)"): 3,
    ("overloads.cc", "f(long)"): 5,
    ("overloads.cc", "void g<int>(int)"): 7,
    ("overloads.cc", "void g<long>(long)"): 11,
    ("overloads.cc", HIDDEN): 13,
    ("overloads.cc", LOCAL): 17,
    ("overloads2.cc", "others()"): 19,
    ("overloads2.cc", HIDDEN): 2 * 19,
    ("overloads2.cc", LOCAL): 3 * 19,
    ("overloads2.cc", "f(int)"): 19,
}

# The constructors and destructors of overloads.cc: main makes a Round and a Ball, which is a Round, which is
# a Shape.
STRUCTORS = {
    "Shape::Shape()": 2,
    "Round::Round()": 2,
    "Ball::Ball()": 1,
    "Shape::~Shape()": 2,
    "Round::~Round()": 2,
}


def overloads(*flags: str) -> Path:
    return compile("overloads.cc", "overloads2.cc", "-O1", *flags, *STATIC_CXX, compiler="g++")


def calls_by_file(graph: Graph) -> Counter[tuple[str, str]]:
    """How often each function is called, by the last part of its file's path and its name."""
    found: Counter[tuple[str, str]] = Counter()
    for function in graph.part.functions.values():
        for call in function.calls:
            found[Path(call.callee.file).name, call.callee.name] += call.count
    return found


def of_program(part: Part, program: Path) -> set[FunctionKey]:
    """The functions of the program itself that have names."""
    return {
        key
        for key in part.functions
        if key.object == str(program) and not key.name.startswith("0x")
    }


def stock_names(program: Path, *options: str) -> set[str]:
    """What Callgrind calls the program's functions."""
    part = profile_of([program], *options, tool="callgrind")
    return {key.name for key in of_program(part, program)}


class SameName(Case):
    """Functions that have one name, or one but for their parameters."""

    def test_files(self) -> None:
        """With debug information each is apart: by its parameters and its file."""
        graph = self.graph_of(overloads())
        calls = calls_by_file(graph)
        self.assertEqual({key: calls[key] for key in CALLED}, CALLED)

    def test_costs(self) -> None:
        """The cost of each function that does not branch is its length, each time."""
        program = overloads()
        graph = self.graph_of(program)
        mangled = {
            "f(long)": "_Z1fl",
            "void g<int>(int)": "_Z1gIiEvT_",
            "void g<long>(long)": "_Z1gIlEvT_",
        }
        for name, symbol in mangled.items():
            length = len(instructions(program, symbol))
            self.assertEqual(graph.self_costs[name], CALLED["overloads.cc", name] * length, name)

    def test_without_files(self) -> None:
        """Without it, functions of one symbol are one; of two that are demangled alike, the second is
        mangled."""
        program = overloads("-g0")
        graph = self.graph_of(program)
        calls = calls_by_file(graph)
        expected: Counter[tuple[str, str]] = Counter()
        for (file, name), count in CALLED.items():
            is_second = (file, name) == ("overloads2.cc", "f(int)")
            expected["???", "_ZL1fi" if is_second else name] += count
        self.assertEqual({key: calls[key] for key in expected}, expected)
        self.assertEqual(calls["???", HIDDEN], 13 + 38)
        self.assertEqual(graph.self_costs["_ZL1fi"], 19 * len(instructions(program, "_ZL1fi")))

    def test_structors(self) -> None:
        """The variants of a constructor or destructor are one function, as for Callgrind."""
        for flags in DEBUG:
            with self.subTest(flags=flags):
                program = overloads(*flags)
                graph = self.graph_of(program, "--separate-recs=1")
                self.assertEqual([name for name in graph.names() if name.startswith("_ZN")], [])
                entered = {
                    name: sum(
                        count for caller, count in graph.callers(name).items() if caller != name
                    )
                    for name in STRUCTORS
                }
                self.assertEqual(entered, STRUCTORS)

    def test_stock(self) -> None:
        """Callgrind has the same names, but for the one that it takes for another."""
        for flags, more in zip(DEBUG, [set[str](), {"_ZL1fi"}], strict=True):
            with self.subTest(flags=flags):
                program = overloads(*flags)
                names = {key.name for key in of_program(self.graph_of(program).part, program)}
                self.assertEqual(names, stock_names(program) | more)


class Mangled(Case):
    """--demangle=no"""

    def test_counts(self) -> None:
        program = overloads("-g0")
        graph = self.graph_of(program, "--demangle=no")
        for name, count in {
            "_Z1fi": 3,
            "_Z1fl": 5,
            "_ZL1fi": 19,
            "_ZN12_GLOBAL__N_16hiddenEv": 51,
        }.items():
            self.assertEqual(graph.called(name), count, name)
        names = {key.name for key in of_program(graph.part, program)}
        self.assertEqual(names, stock_names(program, "--demangle=no"))
        self.assertLessEqual(
            {"_ZN5RoundC1Ev", "_ZN5RoundC2Ev", "_ZN4BallD0Ev", "_ZN4BallD1Ev"}, names
        )

    def test_patterns(self) -> None:
        """Patterns are of the names that are shown, and of those that are mangled."""
        program = overloads()
        length = len(instructions(program, "_Z1fl"))
        for options, name in zip(OPTIONS, ["f(long)", "_Z1fl"], strict=True):
            with self.subTest(options):
                graph = self.graph_of(program, *options, f"--toggle-collect={name}")
                self.assertEqual(graph.total, 5 * length)
                skipped = self.graph_of(program, *options, f"--fn-skip={name}")
                self.assertNotIn(name, skipped.names())
                self.assertGreater(skipped.total, graph.total)
        # With --demangle=no nobody sees the other name.
        others = ("_Z1fl", 5 * length), ("f(long)", 0)
        for options, (name, total) in zip(OPTIONS, others, strict=True):
            with self.subTest(options, name=name):
                graph = self.graph_of(program, *options, f"--toggle-collect={name}")
                self.assertEqual(graph.total, total)

    def test_pattern_of_two(self) -> None:
        """A pattern means both of two functions that are demangled alike."""
        program = overloads("-g0")
        graph = self.graph_of(program, "--toggle-collect=f(int)")
        self.assertEqual(graph.total, sum(graph.self_costs[name] for name in ("f(int)", "_ZL1fi")))
        self.assertEqual(graph.self_costs["f(int)"], 3 * len(instructions(program, "_Z1fi")))
        self.assertEqual(graph.self_costs["_ZL1fi"], 19 * len(instructions(program, "_ZL1fi")))


class Ada(Case):
    """Valgrind 3.24 and later demangle what looks like Ada's symbols, and overloads alike."""

    def test_overloads(self) -> None:
        for options in OPTIONS:
            for flags in DEBUG:
                with self.subTest(options, flags=flags):
                    graph = self.graph_of(compile("ada.c", "-O1", *flags), *options)
                    expected = {"pkg__proc": 10, "pkg__proc__2": 7, "pkg__Oadd": 3}
                    expected |= dict.fromkeys(["_dlike_this", "_Rlike_this", "_Dlike_this"], 1)
                    self.assertCallees(graph, "_ada_app", expected)
                    self.assertCallers(graph, "_ada_app", {"main": 1})
                    self.assertIn("(below main)", graph.names())
                    self.assertEqual([name for name in graph.names() if name.startswith("<")], [])


class Long(Case):
    """Names of tens of kilobytes."""

    def test_template(self) -> None:
        program = compile("templates.cc", "-O1", *STATIC_CXX, compiler="g++")
        graph = self.graph_of(program)
        filtered = subprocess.run(
            ["nm", "--demangle", program], capture_output=True, text=True, env=env(), check=True
        )
        names = [
            line.split(" ", 2)[2] for line in filtered.stdout.splitlines() if " void wide<" in line
        ]
        self.assertEqual(len(names), 2)
        self.assertGreater(min(map(len, names)), 20_000)
        found = {name: count for name, count in graph.callees("main").items() if "wide" in name}
        self.assertEqual(found, {name: 7 if "long" in name else 5 for name in names})

    def test_pattern(self) -> None:
        """A pattern with a star goes through such a name."""
        for pattern in "void wide<*(*", "*long****)", "*)":
            with self.subTest(pattern):
                graph = self.graph_of(
                    compile("templates.cc", "-O1", *STATIC_CXX, compiler="g++"),
                    f"--fn-skip={pattern}",
                )
                shown = [name for name in graph.callees("main") if "wide" in name]
                self.assertEqual(len(shown), 1 if "long" in pattern else 0)


# What replaces the names in capitals of names.S, and how that is shown.
REPLACED = {
    "CONTROL": (b"two\nlines\r\t\x7f", "two?lines???"),
    "LATIN": (b"lat\xe9in", "lat\udce9in"),
    "LONG": (b"L" * 20_000, "L" * 20_000),
    "QUOTES": (b"q\"u'o`t\\e", "q\"u'o`t\\e"),
}

# The functions of names.S as they are shown, in its order.
SHOWN = [
    "[12] id",
    "(x) no id",
    "()",
    "?blanks  between?",
    "# hash # tag",
    "größe",
    "fn=(1)",
    "+12",
    "name+12",
    "calls=3 4",
    "0x10 5",
    *(shown for _, shown in REPLACED.values()),
]


class Odd(Case):
    """Names that could be taken for something else in a profile."""

    program: Path

    @classmethod
    def setUpClass(cls) -> None:
        directory = new_directory()
        cls.program = directory / "names"
        plain = directory / "plain"
        compile_to(plain, "names.S", "-nostdlib", "-static")
        options = [f"--redefine-sym={old}=".encode() + new for old, (new, _) in REPLACED.items()]
        # By its path: a run with the environment of env() would find that of this machine.
        objcopy = shutil.which("objcopy")
        assert objcopy is not None
        subprocess.run([objcopy, *options, plain, cls.program], env=env(), check=True)

    def test_counts(self) -> None:
        """Every reader of ours, and callgrind_annotate, takes them for what they are."""
        expected = {name: count for count, name in enumerate(SHOWN, start=1)}
        forms: list[list[str]] = [
            [],
            ["--compress-strings=no"],
            ["--format=spec", "--dump-instr=yes"],
        ]
        for options in forms:
            with self.subTest(options):
                graph = self.graph_of(self.program, *options)
                self.assertCallees(graph, "(below main)", expected)
                own = {key.name: cost for key, cost in own_costs([graph], SHOWN).items()}
                self.assertEqual(own, expected)

    def test_annotate(self) -> None:
        """callgrind_annotate shows each with its cost."""
        for option in "--compress-strings=yes", "--compress-strings=no":
            with self.subTest(option):
                path = Path(self.graph_of(self.program, option).part.path)
                command = [
                    "callgrind_annotate",
                    "--auto=no",
                    "--threshold=100",
                    "--show-percs=no",
                    str(path),
                ]
                ended = subprocess.run(command, capture_output=True, env=env(), check=True)
                text = ended.stdout.decode(errors="surrogateescape")
                for count, name in enumerate(SHOWN, start=1):
                    self.assertRegex(text, rf"(?m)^ *{count}  \S*:{re.escape(name)} \[")


class Start(Case):
    """Where a process begins."""

    def test_dynamic_linker(self) -> None:
        """The dynamic linker's first function is called _start, which has no symbol in most of them."""
        graph = self.graph_of(compile("calls.c", "-O1", is_dynamic=True))
        linker = {key.object for key in graph.part.functions if key.name == "_dl_start"} or {
            key.object
            for key in graph.part.functions
            if Path(key.object).name.startswith("ld-linux")
        }
        (found,) = (key for key in graph.part.functions if key.name == "_start")
        self.assertIn(found.object, linker)
        self.assertGreater(graph.part.functions[found].self_cost()[0], 0)

    def test_stripped(self) -> None:
        """A program without any symbol begins in _start, which has called all the rest."""
        graph = self.graph_of(compile("exact.S", "-nostdlib", "-static", "-s"))
        names = {key.name: node.inclusive[0] for key, node in CallGraph(graph.part).nodes.items()}
        self.assertEqual(names.pop("_start"), graph.total)
        self.assertEqual([name for name in names if not name.startswith("0x")], [])


if __name__ == "__main__":
    unittest.main()
