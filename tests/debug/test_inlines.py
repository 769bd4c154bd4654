"""Inlined functions as functions: calls against a program without them, sums, names, what is refused."""

from __future__ import annotations

import base64
import functools
import json
import os
import random
import re
import shutil
import subprocess
import unittest
import zlib
from array import array
from collections import Counter
from pathlib import Path

import cg2test
import starts
from cg2tools.debug.libcg2debug import DebugObject
from cg2tools.profile.callgraph import CallGraph
from cg2tools.profile.libcg2profile import NONE
from cg2tools.bindings.interface import DEBUG_LIBRARY, structure_at
from cg2tools.bindings.libpath import library_path
from cg2tools.bindings.structures import cg2p_inlines
from cg2tools.profile.model import Part

PROGRAMS = Path(__file__).parent / "programs"
RECORDED = "--dump-instr=yes", "--collect-jumps=yes"

UNEQUAL = {
    ("gcc", "-O1"): (0, 2),
    ("gcc", "-O2"): (0, 6),
    ("gcc", "-O3"): (0, 8),
    ("gcc", "-O2 -flto"): (1, 8),
    ("clang", "-O1"): (1, 12),
    ("clang", "-O2"): (4, 11),
    ("clang", "-O3"): (7, 11),
    ("clang", "-O2 -flto"): (3, 11),
}
"""For how many of the functions another number of calls is found than there were, at most: in
forty.c and in fifty.c."""

ABSENT = {"apply", "deposit", "sign_of", "twice", "vector"}
"""Functions of fifty.c of which a compiler leaves no instruction and no other trace."""

BLACK_BOX = (1, 66)
"""The first Rust that has std::hint::black_box, which Debian 12's has not."""


@functools.cache
def built(source: str, compiler: str, *options: str) -> Path:
    """A program without a dynamic linker, which would execute the most, and whose lines nothing asks for.

    Nobody changes it: it is built and run once for all tests that are about the same.
    """
    return built_with_linker(source, compiler, "-static", *options)


def built_with_linker(source: str, compiler: str, *options: str) -> Path:
    if not shutil.which(compiler):
        raise unittest.SkipTest(f"there is no {compiler}")
    program = cg2test.new_directory() / "program"
    command = [compiler, "-g", *options, "-o", str(program), str(PROGRAMS / source)]
    subprocess.run(command, check=True, cwd=program.parent)
    return program


@functools.cache
def rust_version() -> tuple[int, ...]:
    """The version of rustc, such as (1, 63); a test that needs it is skipped where there is none."""
    if not shutil.which("rustc"):
        raise unittest.SkipTest("there is no rustc: apt-get install rustc")
    said = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True)
    _, version, *_ = said.stdout.split()
    return tuple(map(int, version.split(".")[:2]))


def built_by_rustc(source: str, *options: str) -> Path:
    program = cg2test.new_directory() / "program"
    if rust_version() < BLACK_BOX:
        options += ("--cfg=has_no_black_box",)
    # In one piece it is compiled in three quarters of the time.
    options += ("-Ctarget-feature=+crt-static", "-Ccodegen-units=1")
    command = ["rustc", "-g", *options, "-o", str(program), str(PROGRAMS / source)]
    subprocess.run(command, check=True, capture_output=True, cwd=program.parent)
    return program


@functools.cache
def recorded(program: Path, *options: str) -> Path:
    run = cg2test.run_cg2([program], *(options or RECORDED))
    (path,) = run.profile_paths
    return path


def command(name: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return starts.run(
        [cg2test.TOOLS / name, *arguments],
        directory=Path.cwd(),
        environment=os.environ,
        limit=cg2test.HANG,
    )


def converted(profile: Path) -> Path:
    made = profile.with_suffix(".inlined")
    ended = command("cg2_convert", "--inlines=yes", "-o", made, profile)
    assert (ended.returncode, ended.stderr) == (0, ""), ended
    return made


def taken_apart(program: Path) -> Part:
    return cg2test.part_of(converted(recorded(program)))


def taken_apart_mangled(program: Path) -> Part:
    return cg2test.part_of(converted(recorded(program, *RECORDED, "--demangle=no")))


def calls(part: Part) -> Counter[str]:
    """How often each function was called; clones that compilers make of one are that one."""
    found: Counter[str] = Counter()
    for node in CallGraph(part).nodes.values():
        name = re.sub(r"\.(isra|constprop)\.\d+$", "", node.key.name)
        found[name] += sum(arc.count for arc in node.callers.values())
    return found


def costs_in(part: Part, source: str) -> dict[str, list[int]]:
    """What functions of a source file cost themselves."""
    rows = zip(part.lines.functions(), part.lines.self_costs())
    return {key.name: cost for key, cost in rows if key.file.endswith(f"/{source}")}


def without_place(name: str) -> str:
    """The name of a function without what it is in, or, of a lambda of GCC, the line that calls it first."""
    depth = start = 0
    for at, letter in enumerate(name):
        if name.startswith("operator", at) and depth == 0:
            break
        depth += (letter in "<(") - (letter in ">)")
        if name.startswith("::", at) and depth == 0:
            start = at + 2
    return name[start:]


def chains(program: Path, addresses: list[int]) -> list[list[str]]:
    """The inlined functions that each instruction is in, the innermost first, as libcg2debug says."""
    numbers = array("Q", addresses)
    found = []
    with DebugObject(str(program)) as debug:
        where = debug.inlines(numbers.buffer_info()[0], len(numbers), False)
        inlines = structure_at(cg2p_inlines, where)
        for i in range(len(addresses)):
            chain, instance = [], inlines.instructions[i].instance
            while instance != NONE:
                at = inlines.instances[instance]
                chain.append(without_place(inlines.functions[at.function].name.decode()))
                instance = at.outer
            found.append(chain)
    return found


def _asked(command: list[str | Path], addresses: list[int]) -> str:
    return subprocess.run(
        command,
        input="".join(f"{address:#x}\n" for address in addresses),
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def addr2line(program: Path, addresses: list[int]) -> list[list[str]]:
    """The same as binutils' addr2line says, which names the function around them last."""
    told = _asked(["addr2line", "-i", "-f", "-a", "-e", program], addresses)
    pieces = re.split(r"^0x[0-9a-f]+\n", told, flags=re.MULTILINE)[1:]
    return [piece.splitlines()[:-2:2] for piece in pieces]


def symbolizer(program: Path, addresses: list[int]) -> list[list[str]]:
    """The same as llvm-symbolizer says."""
    command = ["llvm-symbolizer", "--no-demangle", "--functions=linkage", f"--obj={program}"]
    told = _asked([*command, "--inlines"], addresses)
    return [piece.splitlines()[:-2:2] for piece in told.strip().split("\n\n")]


def addresses_of(program: Path) -> list[int]:
    """The instructions of a program's functions."""
    told = subprocess.run(
        ["objdump", "-d", "-j", ".text", "--no-show-raw-insn", program],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return [int(found, 16) for found in re.findall(r"^ +([0-9a-f]+):\t", told, re.MULTILINE)]


@unittest.skipUnless(
    library_path(DEBUG_LIBRARY).exists(), "libcg2debug was not built: apt-get install libdw-dev"
)
class Inlines(unittest.TestCase):
    def check_counts(self, source: str, which: int, most_marked: float, absent: set[str]) -> None:
        """Check that what is there is called as in the source, or marked."""
        text = (PROGRAMS / source).read_text()
        names = set(re.findall(r"^static [\w *]*?\b(\w+)\(", text, re.MULTILINE))
        truths = {
            compiler: calls(cg2test.part_of(recorded(built(source, compiler, "-O0"))))
            for compiler in ("gcc", "clang")
        }
        for (compiler, options), most in UNEQUAL.items():
            with self.subTest(compiler=compiler, options=options):
                profile = recorded(built(source, compiler, *options.split()))
                whole = calls(cg2test.part_of(profile))
                part = cg2test.part_of(converted(profile))
                found, truth = calls(part), truths[compiler]
                own = {name for name in names if truth[name] and (found[name] != whole[name])}
                own |= {name for name in names if truth[name] and not found[name]}
                wrong = {name for name in own if found[name] != truth[name]}
                missing = {name for name in wrong if not found[name]}
                self.assertLessEqual(len(wrong), most[which], wrong)
                self.assertLessEqual(missing, absent)
                self.assertLessEqual(wrong - missing, part.estimated)
                self.assertLessEqual(len(part.estimated & names), most_marked * len(names))

    def test_forty_functions(self) -> None:
        """Calls are those of the program that inlines nothing; another number is marked as estimated."""
        self.check_counts("forty.c", 0, 0.91, set())

    def test_fifty_functions(self) -> None:
        """The same with functions of another style."""
        self.check_counts("fifty.c", 1, 0.88, ABSENT)

    def test_go(self) -> None:
        """Go says no file of what it inlines: a function is in the file of its code, with its copy that is
        called."""
        if not shutil.which("go"):
            self.skipTest("there is no go: apt-get install golang-go")
        directory = cg2test.new_directory()
        source = directory / "inlined.go"
        source.write_text((PROGRAMS / source.name).read_text())
        subprocess.run(
            ["go", "build", "-o", "program", source.name],
            check=True,
            cwd=directory,
            env=os.environ | {"GO111MODULE": "off", "GOCACHE": str(directory / "cache")},
        )
        part = taken_apart(directory / "program")
        found = calls(part)
        self.assertEqual(
            [found["main.square"], found["main.cube"], found["main.sum"]], [1007, 500, 1]
        )
        self.assertIn("main.square", part.estimated)  # its code only computes
        keys = [key for key in part.functions if key.name in ("main.square", "main.cube")]
        self.assertEqual([key.file for key in keys], [str(source), str(source)])

    def test_scopes(self) -> None:
        """A function without a symbol has the namespaces and classes that it is in, as GCC's statics."""
        found = calls(taken_apart(built("scopes.cc", "g++", "-O2", "-std=c++17")))
        local = "shapes::(anonymous namespace)::Local"
        for name in (
            "shapes::(anonymous namespace)::hidden",
            f"{local}::twice",
            f"{local}::made",
            "shapes::scaled",
            "shapes::tripled<long int>",
            "bare",
        ):
            self.assertEqual(found[name], 50, name)
        self.assertEqual([n for name, n in found.items() if name.startswith("lambda:")], [50])
        found = calls(taken_apart(built("scopes.cc", "clang++", "-O2", "-std=c++17")))
        for name in (f"{local}::made(long)", "long shapes::tripled<long>(long)", "bare(long)"):
            self.assertIn(name, found)

    def test_parts(self) -> None:
        """A function of which gcc has put a part elsewhere is one with its inlined copies, by its symbol."""
        part = taken_apart(built("parts.c", "gcc", "-O2"))
        self.assertEqual(
            {name: n for name, n in calls(part).items() if name.endswith("counted")},
            {"symbol_of_counted": 20},
        )

    def test_rust(self) -> None:
        """Symbols of Rust, of both kinds, are demangled; calls are as many as in the source."""
        squared = {"v0": {"<u32>": 40, "<u64>": 40}, "": {"": 40}}  # the other one has its symbol
        for kind, each in squared.items():
            with self.subTest(kind=kind):
                options = ["-Csymbol-mangling-version=v0"] if kind else []
                part = taken_apart(built_by_rustc("inlined.rs", "-O", *options))
                found = calls(part)
                self.assertEqual([name for name in found if name.startswith("_R")], [])
                truth = {f"inlined::squared{'::' if kind else ''}{of}": n for of, n in each.items()}
                truth["<inlined::Square as inlined::Shape>::area"] = 300
                for name, n in truth.items():
                    self.assertEqual(found[name], n, name)
                closure = re.compile(r"inlined::main::{[^:]*}$|_ZN7inlined4main28_")
                closures = [n for name, n in found.items() if closure.match(name)]
                self.assertEqual(closures, [100, 100])

    def test_iterators(self) -> None:
        """What Rust's iterators, sort and map call is called as often as the program itself counts."""
        all_options = ["-Copt-level=1", "-O", "-O -Csymbol-mangling-version=v0"]
        if rust_version() >= BLACK_BOX:
            # Older ones leave no trace of a call where they optimize the whole program.
            all_options.append("-O -Clto=fat")
        for options in all_options:
            with self.subTest(options=options):
                program = built_by_rustc("iterators.rs", *options.split())
                told = subprocess.run([program], capture_output=True, text=True, check=True)
                truth = {
                    f"iterators::{name}": int(count)
                    for name, count in map(str.split, told.stderr.splitlines())
                }
                self.assertEqual(len(truth), 7)
                found = calls(taken_apart(program))
                self.assertEqual({name: found[name] for name in truth}, truth)

    def test_symbols(self) -> None:
        """With --demangle=no inlined functions have the names of their symbols, too."""
        part = taken_apart_mangled(built("scopes.cc", "clang++", "-O2", "-std=c++17"))
        self.assertEqual(calls(part)["_ZL4barel"], 50)
        self.assertIn("_Z3runl", calls(part))

    def test_compilers(self) -> None:
        """An inlined function is one with its copy that is called; sums are those of the program."""
        for compiler in ("g++", "clang++"):
            for options in (
                ("-O1",),
                ("-O2", "-gdwarf-4"),
                ("-O2", "-gdwarf-5"),
                ("-O2", "-gdwarf-4", "-gsplit-dwarf"),
                ("-O2", "-flto"),
            ):
                with self.subTest(compiler=compiler, options=options):
                    program = built("inlined.cc", compiler, *options, "-fno-unroll-loops")
                    profile = recorded(program)
                    whole = cg2test.part_of(profile)
                    part = cg2test.part_of(converted(profile))
                    self.assertEqual(part.totals, whole.totals)
                    self.assertEqual(part.lines.self_total(), whole.lines.self_total())
                    self.check_calls(part)

    def check_calls(self, part: Part) -> None:
        nodes = {
            node.key.name: {key.name: arc.count for key, arc in node.callers.items()}
            for node in CallGraph(part).nodes.values()
        }
        self.assertEqual(
            nodes["mixed(long)"],
            {"first(long)": 20, "second(long)": 30, "apply(long (*)(long), long)": 4},
        )
        self.assertEqual(nodes["shapes::Square::area() const"], {"second(long)": 30})
        self.assertEqual(list(nodes["long shapes::twice<long>(long)"].values()), [5])
        (odd,) = [
            callers
            for name, callers in nodes.items()
            if re.search(r"lambda:\d+::operator\(\)$|main::\$_0::operator\(\)", name)
        ]
        self.assertEqual(odd, {"main": 6})

    def test_containers(self) -> None:
        """What std::sort, std::map and loops call is called as often as the program counts, or marked."""
        for compiler in ("g++", "clang++"):
            for level in ("-O1", "-O2", "-O3"):
                with self.subTest(compiler=compiler, level=level):
                    program = built("containers.cc", compiler, level, "-std=c++17")
                    told = subprocess.run([program], capture_output=True, text=True, check=True)
                    truth = dict(line.split() for line in told.stderr.splitlines())
                    truth |= {"std::map::operator[]": "500", "std::map::lower_bound": "500"}
                    truth |= {"std::vector::push_back": "500"}
                    part = taken_apart(program)
                    found = dict.fromkeys(truth, 0)
                    marked = set()
                    for name, count in calls(part).items():
                        if name.startswith("std::vector") and "vector<Item" not in name:
                            continue
                        bare = re.sub(r"<.*>|\(.*", "", name)
                        if bare in found:
                            found[bare] += count
                            marked |= {bare} if part.is_estimated(name) else set()
                    wrong = {name for name, count in truth.items() if found[name] != int(count)}
                    self.assertLessEqual(wrong, marked, found)
                    self.assertNotIn(0, found.values())

    def test_chains(self) -> None:
        """The inlined functions that instructions anywhere in a program are in are those of addr2line.

        Binutils' addr2line names a few by the function around them; llvm-symbolizer does not.
        """
        full = bool(os.environ.get("CG2_FULL"))
        for compiler in ("g++", "clang++"):
            with self.subTest(compiler=compiler):
                options = "-O2", "-std=c++17", "-gdwarf-4", *(["-DWITH_REGEX"] if full else [])
                program = built_with_linker("containers.cc", compiler, *options)
                known = addresses_of(program)
                sampled = sorted(random.Random(7).sample(known, min(len(known), 10_000)))
                own = chains(program, sampled)
                self.assertGreater(sum(map(len, own)), len(sampled))
                others = addr2line(program, sampled)
                self.assertEqual(list(map(len, own)), list(map(len, others)))
                differ = [pair for pair in zip(own, others) if pair[0] != pair[1]]
                self.assertLess(len(differ), len(sampled) / 50, differ[:3])
                if shutil.which("llvm-symbolizer"):
                    found = dict(zip(map(hex, sampled), own))
                    told = dict(zip(map(hex, sampled), symbolizer(program, sampled), strict=True))
                    self.assertEqual(found, told)

    def test_inclusive_costs(self) -> None:
        """Calls of each function cost what it costs, and functions that are not inlined cost what they
        did."""
        profile = recorded(built("forty.c", "gcc", "-O2"))
        made = converted(profile)
        checked = command("cg2_annotate", "--check=calls", made)
        self.assertEqual((checked.stdout, checked.stderr), (f"{made}: ok, 1 part\n", ""))
        before = {node.key: node for node in CallGraph(cg2test.part_of(profile)).nodes.values()}
        after = {node.key: node for node in CallGraph(cg2test.part_of(made)).nodes.values()}
        (main,) = [key for key in before if key.name == "main"]
        self.assertEqual(after[main].inclusive, before[main].inclusive)
        self.assertLess(after[main].self_cost[0], before[main].self_cost[0] / 3)

    def test_vectorised(self) -> None:
        """Code that runs once for several calls has fewer of them, and is marked."""
        for compiler, options in (("gcc", "-O3"), ("clang", "-O2"), ("gcc", "-O3 -mavx2")):
            with self.subTest(compiler=compiler, options=options):
                part = taken_apart(built("vectorised.c", compiler, *options.split()))
                self.assertLess(calls(part)["scaled"], 1000)
                self.assertIn("scaled", part.estimated)

    def test_annotate(self) -> None:
        """cg2_annotate shows them without a file in between; an estimated number has a ~."""
        profile = recorded(built("forty.c", "gcc", "-O2"))
        told = command("cg2_annotate", "--inlines=yes", "--tree=caller", profile).stdout
        rows = [" ".join(line.split()) for line in told.splitlines()]
        for name, count in (("gcd", "96x"), ("collatz", "~46x")):
            at = next(i for i, row in enumerate(rows) if f"forty.c:{name} " in row)
            self.assertRegex(rows[at - 1], rf"forty\.c:main .*\({count}\)$")

    def test_marks(self) -> None:
        """A sum of files says what either says; cg2_diff, JSON and the page have the marks, too."""
        old, new = (recorded(built("forty.c", "gcc", options)) for options in ("-O2", "-O3"))
        files = [converted(profile) for profile in (old, new)]
        marks = [cg2test.part_of(path).estimated for path in files]
        self.assertNotEqual(*marks)
        for order in (files, files[::-1]):
            merged = files[0].with_suffix(".merged")
            self.assertEqual(command("cg2_merge", "-o", merged, *order).stderr, "")
            part = cg2test.part_of(merged)
            self.assertEqual(part.estimated, marks[0] | marks[1])
            self.assertEqual(part.descriptions["Inlined functions"], "of their own")
        report = json.loads(command("cg2_annotate", "--inlines=yes", "--json", old).stdout)
        (main,) = [one for one in report["functions"] if one["name"] == "main"]
        marked = {one["name"] for one in main["callees"] if one["is_estimated"]}
        self.assertEqual(marked, marks[0] & {one["name"] for one in main["callees"]})
        self.assertIn("collatz", marked)
        found = command("cg2_diff", "--inlines=yes", "--json", old, new).stdout
        for row in json.loads(found)["calls"]:
            name = row["callee"]["name"]
            said = row["old_is_estimated"], row["new_is_estimated"]
            calls = row["old_calls"], row["new_calls"]
            self.assertEqual(
                said, tuple(name in each and n > 0 for each, n in zip(marks, calls)), row
            )

    def test_marks_of_a_level(self) -> None:
        """A recursion level has the mark of its function; another name with a quote has none."""
        part = Part("", estimated=frozenset(["fib"]))
        names = "fib", "fib'2", "fib'a", "fab'2"
        self.assertEqual(list(map(part.is_estimated, names)), [True, True, False, False])

    def test_report_and_diff(self) -> None:
        """Inlined functions are on the page of cg2_report, and in a difference."""
        profile = recorded(built("forty.c", "gcc", "-O2"))
        page = profile.with_suffix(".html")
        ended = command("cg2_report", "--inlines=yes", "-o", page, profile)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        packed = re.findall(r'<script type="application/zlib"[^>]*>([^<]*)<', page.read_text())
        contents = b"".join(zlib.decompress(base64.b64decode(text)) for text in packed)
        self.assertIn(b"collatz", contents)
        self.assertIn(b'"estimated"', contents)
        other = recorded(built("forty.c", "gcc", "-O1"))
        ended = command("cg2_diff", "--inlines=yes", other, profile)
        self.assertEqual(ended.stderr, "")
        self.assertIn("forty.c:collatz", ended.stdout)

    def test_without_jumps(self) -> None:
        """Then all calls are estimated; costs are the same."""
        program = built("forty.c", "gcc", "-O2")
        with_jumps = taken_apart(program)
        without = cg2test.part_of(converted(recorded(program, "--dump-instr=yes")))
        self.assertIn("gcd", without.estimated)
        self.assertNotIn("gcd", with_jumps.estimated)
        costs = costs_in(with_jumps, "forty.c")
        self.assertGreater(costs["gcd"][0], 1000)
        self.assertEqual(costs_in(without, "forty.c"), costs)

    def test_refused(self) -> None:
        program = built("inlined.cc", "g++", "-O1")
        profile = recorded(program, "--dump-line=yes")
        self.check_refused(
            profile, "the profile has no addresses, by which inlined functions are known; "
        )
        made = converted(recorded(program))
        self.check_refused(made, "inlined functions are functions of their own already; ")

    def test_moved(self) -> None:
        """A warning says which object has its debug information in files that are not there."""
        program = built_with_linker(
            "inlined.cc", "g++", "-static", "-O1", "-gdwarf-4", "-gsplit-dwarf"
        )
        profile = recorded(program)
        self.assertEqual(command("cg2_annotate", "--inlines=yes", profile).stderr, "")
        for moved in program.parent.glob("*.dwo"):
            moved.unlink()
        ended = command("cg2_annotate", "--inlines=yes", profile)
        said = f"{program}: its debug information is in .dwo files, which are not there"
        self.assertIn(said, ended.stderr)
        self.assertEqual(len(ended.stderr.splitlines()), 1)

    def check_refused(self, profile: Path, said: str) -> None:
        ended = command("cg2_annotate", "--inlines=yes", profile)
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertRegex(ended.stderr, rf"^{re.escape(str(profile))}:\d+: {re.escape(said)}.*\n$")


if __name__ == "__main__":
    unittest.main()
