"""Data objects of the heap: blocks by the line that allocates them (--data)."""

from __future__ import annotations

import json
import re
import subprocess
import unittest
from collections import Counter
from pathlib import Path
from typing import Any

from case import LEVELS, Case
from cg2test import (
    HANG,
    VALGRIND,
    Run,
    can_run_32_bits,
    compile,
    env,
    lean_env,
    line_of,
    new_directory,
    part_of,
    run_cg2,
)
from cg2tools.profile.model import Part

SOURCE = "heap.c"

FOUND = "Dr", "Dw", "Alloc", "AllocBytes"
SIZES = "rb", "wb", "tbk", "tb"
"""What DHAT calls bytes read and written, blocks, and bytes."""


def objects(part: Part, *events: str) -> dict[str, tuple[int, ...]]:
    """What each object of the heap has of events, by name."""
    columns = [part.events.index(event) for event in events]
    return {
        key.name.removeprefix("heap::"): tuple(
            sum(cost[column] for cost in function.costs.values()) for column in columns
        )
        for key, function in part.functions.items()
        if key.name.startswith("heap::")
    }


def offsets(part: Part, name: str, event: str) -> dict[int, int]:
    """What each offset of an object that has any has of an event."""
    column = part.events.index(event)
    return {
        position.instr: cost[column]
        for key, function in part.functions.items()
        if key.name == f"heap::{name}"
        for position, cost in function.costs.items()
        if cost[column]
    }


def place(text: str, function: str, source: str = SOURCE) -> str:
    """The name of the object of the one line that contains `text`."""
    return f"{source}:{line_of(source, text)} ({function})"


def data_of(run: Run) -> list[Part]:
    """The data files that a run has left, each of one part."""
    if run.status:
        raise AssertionError(run.stderr)
    return [part_of(path) for path in sorted(run.directory.glob("cg2.data.*"))]


class DataCase(Case):
    def part(self, thing: str, *options: str, level: str = "-O1", mode: str = "accesses") -> Part:
        """The data file of one of the things that the program does."""
        return self.parts(thing, *options, level=level, mode=mode)[0]

    def parts(
        self, thing: str, *options: str, level: str = "-O1", mode: str = "accesses"
    ) -> list[Part]:
        program = compile(SOURCE, level, "-pthread")
        run = run_cg2([program, thing], "--cache-sim=yes", f"--data={mode}", *options)
        self.assertEqual(run.stdout, "")
        return data_of(run)

    def check(self, thing: str, expected: dict[str, tuple[int, ...]], *options: str) -> Part:
        """The objects of the program have just these reads, writes, blocks and bytes."""
        part = self.part(thing, *options)
        found = objects(part, "Dr", "Dw", "Alloc", "AllocBytes")
        self.assertEqual({name: found.get(name) for name in expected}, expected)
        return part


class Heap(DataCase):
    def test_malloc(self) -> None:
        name = place("in a loop", "by_malloc")
        part = self.check("malloc", {name: (6, 3, 3, 192)})
        self.assertEqual(offsets(part, name, "Dr"), {8: 6})
        self.assertEqual(offsets(part, name, "Dw"), {56: 3})

    def test_levels(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                found = objects(self.part("malloc", level=level), "Dr", "Dw", "Alloc")
                self.assertEqual(found[place("in a loop", "by_malloc")], (6, 3, 3))

    def test_calloc(self) -> None:
        """The block begins to live when calloc returns: what calloc writes is not the program's."""
        name = place("no write", "by_calloc")
        part = self.check("calloc", {name: (5, 0, 1, 80)})
        self.assertEqual(offsets(part, name, "Dr"), {72: 5})

    def test_posix_memalign(self) -> None:
        self.check(
            "memalign", {place("posix_memalign(&block", "by_posix_memalign"): (4, 1, 1, 128)}
        )

    def test_realloc(self) -> None:
        """A block belongs to whom it was moved by, or resized in place; one that is refused stays."""
        part = self.check(
            "realloc",
            {
                place("7 writes", "by_realloc"): (0, 7, 1, 100),
                place("moved: 3 reads", "by_realloc"): (3, 0, 1, 100000),
                place("in place: 2 reads", "by_realloc"): (13, 0, 1, 50000),
                place("never touched", "by_realloc"): (0, 0, 1, 100),
            },
        )
        found = objects(part, "Dr")
        self.assertNotIn(place("refused", "by_realloc"), found)
        self.assertNotIn(place("nothing */", "by_realloc"), found)

    def test_address_is_used_again(self) -> None:
        self.check(
            "again",
            {
                place("first: 1 read", "again"): (1, 0, 1, 40),
                place("second: 2 reads", "again"): (2, 0, 1, 40),
            },
        )

    def test_handed_on(self) -> None:
        """What strdup and getline allocate belongs to who called them."""
        found = objects(self.part("strdup"), "Dr", "Alloc", "AllocBytes")
        self.assertEqual(found[place("9 reads", "by_strdup")], (9, 1, 8))
        found = objects(self.part("getline"), "Dr", "Alloc")
        of_getline = [counts for name, counts in found.items() if name.endswith("(by_getline)")]
        self.assertEqual(
            [blocks for _, blocks in of_getline], [2]
        )  # the line, and the file's buffer
        self.assertGreaterEqual(of_getline[0][0], 10)

    def test_mmap(self) -> None:
        part = self.check("mmap", {place("of mmap */", "by_mmap"): (0, 8, 0, 0)})
        self.assertEqual(offsets(part, place("of mmap */", "by_mmap"), "Dw"), {4096: 6, 0: 2})

    @unittest.skipUnless(can_run_32_bits(), "no programs of 32 bits run here")
    def test_32_bits(self) -> None:
        """Arguments lie on the stack, and the system call is another."""
        for thing, text, function, counts in (
            ("malloc", "in a loop", "by_malloc", (6, 3, 3, 192)),
            ("mmap", "of mmap */", "by_mmap", (0, 8, 0, 0)),
        ):
            with self.subTest(thing):
                run = run_cg2(
                    [compile(SOURCE, "-O1", "-pthread", "-m32"), thing],
                    *("--cache-sim=yes", "--data=accesses"),
                )
                found = objects(data_of(run)[0], "Dr", "Dw", "Alloc", "AllocBytes")
                self.assertEqual(found[place(text, function)], counts)

    def test_threads(self) -> None:
        """A block that another thread frees is gone; the address is used again."""
        self.check(
            "thread",
            {
                place("of a thread", "allocate"): (5, 2, 1, 48),
                place("of the main thread", "by_thread"): (0, 1, 1, 48),
            },
        )

    def test_fork(self) -> None:
        """The child knows the blocks of its parent, and counts from zero."""
        parts = self.parts("fork")
        self.assertEqual(len(parts), 2)
        line = place("of the parent: 1 read", "by_fork")
        child = place("of the child: 6 writes", "by_fork")
        found = [objects(part, "Dr", "Dw", "Alloc", "AllocBytes") for part in parts]
        found.sort(key=lambda each: child in each)
        self.assertEqual(found[0][line], (1, 0, 1, 56))
        self.assertEqual(found[1][line], (4, 0, 0, 0))
        self.assertEqual(found[1][child], (0, 6, 1, 56))

    def test_misses(self) -> None:
        """With --data=misses blocks are counted as with accesses."""
        part = self.part("malloc", mode="misses")
        self.assertNotIn("Dr", part.events)
        found = objects(part, "Alloc", "AllocBytes")
        self.assertEqual(found[place("in a loop", "by_malloc")], (3, 192))

    def test_callers(self) -> None:
        """--data-callers tells a place apart by its callers."""
        part = self.part("malloc", "--data-callers=2")
        main = place("things[i].run()", "main")
        name = f"{place('in a loop', 'by_malloc')} < {main}"
        self.assertEqual(objects(part, "Dr")[name], (6,))

    def test_stripped(self) -> None:
        """Without line information a place is an offset in its object."""
        program = compile(SOURCE, "-O1", "-pthread", "-g0")
        run = run_cg2([program, "malloc"], "--cache-sim=yes", "--data=accesses")
        names = [name for name in objects(data_of(run)[0], "Dr") if name.endswith("(by_malloc)")]
        self.assertEqual(len(names), 1)
        self.assertRegex(names[0], rf"^{Path(program).name}\+0x[0-9a-f]+ \(by_malloc\)$")


class Tails(Case):
    """Sources whose last part each library of Rust has: tails.c."""

    def test_places(self) -> None:
        """A place in such a source has the directory in its name that tells it from others."""
        run = run_cg2([compile("tails.c", "-O1")], "--data=accesses")
        (part,) = data_of(run)
        found = objects(part, "Alloc", "AllocBytes")
        expected = {
            "raw/mod.rs:549 (reserve)": (1, 16),
            "names-1.2/src/lib.rs:14 (intern)": (2, 48),
            "main.c:32 (plain)": (3, 96),
        }
        self.assertEqual({name: found.get(name) for name in expected}, expected, found)


class Foreign(DataCase):
    """Allocators that are not the C library's: each gives the same blocks to the same lines."""

    FOLDER = Path("/usr/lib/x86_64-linux-gnu")
    JEMALLOC, MIMALLOC = FOLDER / "libjemalloc.so.2", FOLDER / "libmimalloc.so.2"
    ARCHIVE = FOLDER / "libjemalloc.a"
    OWN_NAMES = Path("/usr/include/mimalloc-override.h")

    EXPECTED = {
        "malloc": {("in a loop", "by_malloc"): (6, 3, 3, 192)},
        "calloc": {("no write", "by_calloc"): (5, 0, 1, 80)},
        "memalign": {("posix_memalign(&block", "by_posix_memalign"): (4, 1, 1, 128)},
        "realloc": {
            ("7 writes", "by_realloc"): (0, 7, 1, 100),
            ("moved: 3 reads", "by_realloc"): (3, 0, 1, 100000),
            ("in place: 2 reads", "by_realloc"): (13, 0, 1, 50000),
            ("never touched", "by_realloc"): (0, 0, 1, 100),
        },
        "again": {("first: 1 read", "again"): (1, 0, 1, 40), ("second: 2", "again"): (2, 0, 1, 40)},
        "thread": {
            ("of a thread", "allocate"): (5, 2, 1, 48),
            ("of the main thread", "by_thread"): (0, 1, 1, 48),
        },
    }
    """By thing: reads, writes, blocks and bytes by a piece of the line and its function."""

    def check_things(
        self, needed: Path, package: str, *options: str | Path, preload: bool = False
    ) -> None:
        if not needed.exists():
            self.skipTest(f"there is no {needed.name}: apt-get install {package}")
        program = compile(SOURCE, "-O1", "-pthread", *map(str, options))
        more = {"LD_PRELOAD": str(needed)} if preload else {}
        run = run_cg2(
            [program, *self.EXPECTED],
            *("--cache-sim=yes", "--data=accesses"),
            environment=lean_env(**more),
        )
        found = objects(data_of(run)[0], *FOUND)
        for thing, expected in self.EXPECTED.items():
            with self.subTest(thing):
                for (text, function), counts in expected.items():
                    self.assertEqual(found[place(text, function)], counts)

    def test_jemalloc_linked_in(self) -> None:
        self.check_things(self.ARCHIVE, "libjemalloc-dev", self.ARCHIVE, "-lm")

    def test_jemalloc_as_library(self) -> None:
        self.check_things(self.ARCHIVE, "libjemalloc-dev", "-ljemalloc")

    def test_jemalloc_preloaded(self) -> None:
        self.check_things(self.JEMALLOC, "libjemalloc2", preload=True)

    def test_mimalloc_as_library(self) -> None:
        self.check_things(self.OWN_NAMES, "libmimalloc-dev", "-lmimalloc")

    def test_mimalloc_preloaded(self) -> None:
        self.check_things(self.MIMALLOC, "libmimalloc2.0", preload=True)

    def test_mimalloc_by_its_names(self) -> None:
        """A program that calls mi_malloc and its like."""
        headers = "stdlib.h", "malloc.h", "string.h", self.OWN_NAMES.name
        included = [part for header in headers for part in ("-include", header)]
        self.check_things(self.OWN_NAMES, "libmimalloc-dev", *included, "-lmimalloc")


class Pools(DataCase):
    """--data-alloc, and what programs announce by client requests."""

    def test_pool(self) -> None:
        """A piece wins over the arena that it lies in, which the same line has asked for."""
        first, second = (place(text, "by_pool") for text in ("one: 3 reads", "another: 4 writes"))
        for size, expected in (",size=2", 32), (",size=1*2", 32), ("", 0):
            with self.subTest(size):
                part = self.part("pool", f"--data-alloc=pool_alloc{size},free=pool_free")
                found = objects(part, "Dr", "Dw", "Alloc", "AllocBytes")
                self.assertEqual(found[first], (5, 0, 1, expected))
                self.assertEqual(found[second], (0, 5, 1, 2 * expected))
                self.assertEqual(offsets(part, second, "Dw"), {8: 5})
                self.assertEqual(offsets(part, first, "Dr"), {0: 3, 16: 2})

    def test_no_pool(self) -> None:
        """Without the option there is the arena."""
        found = objects(self.part("pool"), "Dr", "Dw", "Alloc", "AllocBytes")
        self.assertEqual(found[place("the arena: 2 reads", "pool_alloc")], (5, 5, 1, 4096))

    def test_bad_options(self) -> None:
        for value in (
            "",
            ",size=1",
            "f,size=",
            "f,size=7",
            "f,size=0",
            "f,size=1*",
            "f,free=",
            "f,size=12",
        ):
            with self.subTest(value):
                run = run_cg2(["/bin/true"], f"--data-alloc={value}")
                self.assertEqual(run.status, 1)
                self.assertIn("expected FN[,size=ARG[*ARG]][,free=FN]", run.stderr)

    def test_without_caches(self) -> None:
        """--data switches the caches on where nothing looks at accesses, and says so in one line."""
        program = compile(SOURCE, "-O1", "-pthread")
        said = "so --cache-sim=yes is switched on"
        for other, is_said in (
            ("--data=misses", 1),
            ("--cache-sim=no", 1),
            ("-q", 0),
            ("--cache-sim=yes", 0),
        ):
            with self.subTest(other):
                run = run_cg2([program, "malloc"], "--data=misses", other)
                self.assertEqual((run.status, run.stderr.count(said)), (0, is_said))
                self.assertIn("D1mr", data_of(run)[0].events)
        run = run_cg2([program, "malloc"], "--data=accesses", "--cache-sweep=D:8k..16k")
        self.assertNotIn(said, run.stderr)

    def test_without_data(self) -> None:
        """A pool that nobody looks at is said, once."""
        program = compile(SOURCE, "-O1", "-pthread")
        run = run_cg2([program], "--data-alloc=pool_alloc,size=2", "--cache-sim=yes")
        self.assertEqual(run.status, 0)
        self.assertEqual(run.stderr.count("--data-alloc has no effect without --data"), 1)

    def test_one_file(self) -> None:
        """A data file and a profile are not written to one file, unless they are thrown away."""
        program = compile(SOURCE, "-O1", "-pthread")
        options = "--cache-sim=yes", "--data=misses"
        run = run_cg2([program], *options, "--data-out-file=one.%p", out_file=None)
        self.assertEqual(run.status, 0)
        run = run_cg2(
            [program], *options, "--data-out-file=one", "--cg2-out-file=one", out_file=None
        )
        self.assertEqual(run.status, 1)
        self.assertIn("--data-out-file and --cg2-out-file name the same file", run.stderr)
        self.assertFalse((run.directory / "one").exists())
        null = "--data-out-file=/dev/null", "--cg2-out-file=/dev/null"
        self.assertEqual(run_cg2([program], *options, *null, out_file=None).status, 0)

    def test_unknown_pool(self) -> None:
        """An option says that nobody has its name."""
        program = compile(SOURCE, "-O1", "-pthread")
        run = run_cg2(
            [program, "malloc"],
            "--cache-sim=yes",
            "--data=accesses",
            "--data-alloc=pool_aloc,size=2",
        )
        self.assertIn(
            "--data-alloc=pool_aloc,size=2: no function of this name was seen", run.stderr
        )

    def test_announced(self) -> None:
        program = compile("announcing.c", "-O1")
        part = data_of(run_cg2([program], "--cache-sim=yes", "--data=accesses"))[0]
        found = objects(part, "Dr", "Alloc", "AllocBytes")
        expected = {
            ("a block: 5 reads", "blocks"): (6, 1, 64),
            ("first: 4 reads", "pools"): (4, 1, 80),
            ("second: 6 reads", "pools"): (6, 1, 80),
            ("third: 3 reads", "pools"): (0, 1, 80),
            ("after the move: 8 reads", "pools"): (8, 1, 80),
        }
        for (text, function), counts in expected.items():
            self.assertEqual(found[place(text, function, "announcing.c")], counts, text)


class Others(Case):
    """Blocks of other languages, and of real programs."""

    def test_cxx(self) -> None:
        """operator new and delete: what malloc and free do in them counts once."""
        for options in (), ("--demangle=no",):
            with self.subTest(options):
                run = run_cg2(
                    [compile("newing.cc", "-O1", "-lstdc++")],
                    *("--cache-sim=yes", "--data=accesses", *options),
                )
                found = {
                    name.split(":")[1].split(" ")[0]: counts
                    for name, counts in objects(data_of(run)[0], "Alloc", "AllocBytes").items()
                    if name.startswith("newing.cc:")
                }
                lines = [line_of("newing.cc", text) for text in ("new int", "new double")]
                self.assertEqual(found, {f"{lines[0]}": (5, 20), f"{lines[1]}": (1, 800)})

    def test_as_counted(self) -> None:
        """There are as many blocks and bytes as --collect-alloc counts."""
        for command in (
            ["/usr/bin/python3", "-S", "-c", "print(sum(i * i for i in range(999)))"],
            ["/bin/ls", "-lR", "/usr/include/linux"],
        ):
            with self.subTest(command[0]):
                options = "--cache-sim=yes", "--collect-alloc=yes"
                run = run_cg2(command, *options, "--data=misses")
                profile = part_of(run.profile_paths[0])
                total = dict(zip(profile.events, profile.self_total(), strict=True))
                data = data_of(run)[0]
                found = dict(zip(data.events, data.self_total(), strict=True))
                for event in ("Alloc", "AllocBytes"):
                    self.assertEqual(found[event], total[event])


class AsDhat(DataCase):
    """DHAT, which replaces the allocators, counts the same at each line."""

    def test_lines(self) -> None:
        """All accesses of the program's own to its blocks are of 8 bytes."""
        for thing in "malloc", "calloc", "memalign", "again", "pool":
            with self.subTest(thing):
                theirs = dhat([compile(SOURCE, "-O1", "-pthread", is_dynamic=True), thing])
                found = objects(self.part(thing), "Dr", "Dw", "Alloc", "AllocBytes")
                ours = {
                    line_in(name): (8 * reads, 8 * writes, blocks, size)
                    for name, (reads, writes, blocks, size) in found.items()
                    if name.startswith(f"{SOURCE}:")
                }
                self.assertEqual(ours, theirs)
                self.assertGreater(len(ours), 0)


class RealAsDhat(DataCase):
    """Places of a real program by their function: blocks and bytes are DHAT's, and accesses fit its bytes."""

    full = True
    WIDEST = 32  # bytes that one instruction reads or writes here

    BY_KERNEL = "_IO_file_doallocate", "__alloc_dir"
    """Functions whose blocks system calls fill, which DHAT counts, and cg2 does not."""

    def test_python(self) -> None:
        work = "print(sum(i * i for i in range(9999)))"
        command: list[str | Path] = ["/usr/bin/python3", "-S", "-c", work]
        theirs = dhat_by_function(command)
        run = run_cg2(command, "--cache-sim=yes", "--data=accesses", "--data-out-file=data")
        ours: dict[str, Counter[str]] = {}
        for name, counts in objects(part_of(run.directory / "data"), *FOUND).items():
            function = re.sub(r"@.*", "", name[name.find("(") + 1 : -1])
            ours.setdefault(function, Counter()).update(dict(zip(FOUND, counts, strict=True)))
        same = {
            function
            for function, found in theirs.items()
            if function in ours
            if [found[size] for size in SIZES[2:]] == [ours[function][event] for event in FOUND[2:]]
        }
        # A function that DHAT knows by another name, or that has no symbol, is left out.
        self.assertGreater(len(same), 9, (ours, theirs))
        for function in same:
            for event, size in zip(FOUND[:2], SIZES[:2]):
                accesses, touched = ours[function][event], theirs[function][size]
                with self.subTest(function=function, event=event):
                    self.assertLessEqual(accesses, touched)
                    if function not in self.BY_KERNEL:
                        self.assertLessEqual(touched, self.WIDEST * accesses)


def line_in(name: str) -> int:
    """The number of the line that a place is."""
    return int(name.split(":")[1].split(" ")[0])


def dhat(command: list[str | Path]) -> dict[int, tuple[int, ...]]:
    """What DHAT counts of the blocks of each line of the program: bytes read and written, blocks, bytes."""
    result = dhat_result(command)
    counts: dict[int, Counter[str]] = {}
    for place in result["pps"]:
        frames = [result["ftbl"][number] for number in place["fs"]]
        line = next((f for f in frames if f"({SOURCE}:" in f), None)
        if line:
            number = int(line.rpartition(":")[2].rstrip(")"))
            counts.setdefault(number, Counter()).update(sizes_of(place))
    return {number: tuple(sums[size] for size in SIZES) for number, sums in counts.items()}


def dhat_by_function(command: list[str | Path]) -> dict[str, Counter[str]]:
    """The same by the function that allocates, the first outside allocators."""
    result = dhat_result(command)
    counts: dict[str, Counter[str]] = {}
    for place in result["pps"]:
        frames = [result["ftbl"][number].partition(": ")[2] for number in place["fs"]]
        names = [re.sub(r"[@ ].*", "", frame) for frame in frames]
        function = next((name for name in names if name not in ALLOCATORS), "")
        counts.setdefault(function, Counter()).update(sizes_of(place))
    return counts


ALLOCATORS = "malloc", "calloc", "realloc", "reallocarray", "memalign", "posix_memalign", "strdup"


def sizes_of(place: dict[str, int]) -> dict[str, int]:
    return {size: place.get(size, 0) for size in SIZES}


def dhat_result(command: list[str | Path]) -> dict[str, Any]:
    """What DHAT writes."""
    directory = new_directory()
    subprocess.run(
        [VALGRIND, "--tool=dhat", "--dhat-out-file=dhat", *map(str, command)],
        env=env(),
        cwd=directory,
        capture_output=True,
        timeout=HANG,
        check=True,
    )
    found: dict[str, Any] = json.loads((directory / "dhat").read_text())
    return found


if __name__ == "__main__":
    unittest.main()
