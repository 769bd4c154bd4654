"""Data objects: --data."""

from __future__ import annotations

import re
import shutil
import subprocess
import unittest
from collections import Counter
from pathlib import Path
from typing import Any

from case import LEVELS
from cg2test import can_run_32_bits, compile, env, line_of, new_directory, part_of, run_cg2
from cg2tools.data.objects import DataFile, read_data
from cg2tools.data.pairs import Company, Pair, company, groups_apart, pairs_of, visits_of
from cg2tools.data.typed import add_types
from cg2tools.bindings.interface import DEBUG_LIBRARY
from cg2tools.bindings.libpath import library_path
from cg2tools.profile.model import Part

SOURCE = "dataobjects.c"
CACHES = "--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,16,64"
FOLDED = 1 << 63
NODES, STRUCTS, CELLS, TEXT, LOCALS = 30, 100, 1600, 100, 12


def folded(distance: int, rest: int) -> int:
    """The address of all offsets that have this rest when divided by the distance."""
    return FOLDED | distance << 31 | rest


def parts_of(program: Path, *options: str, **environment: str) -> tuple[Part, Part]:
    """The profile and the data file of a run."""
    run = run_cg2([program], *options, "--data-out-file=data", environment=env(**environment))
    if run.status:
        raise AssertionError(run.stderr)
    return part_of(run.profile_paths[0]), part_of(run.directory / "data")


def costs_of(part: Part, name: str, event: str) -> dict[int, int]:
    """What an object costs at each of its addresses, where that is not 0."""
    column = part.events.index(event)
    found: Counter[int] = Counter()
    for key, function in part.functions.items():
        if key.name == name:
            for position, cost in function.costs.items():
                found[position.instr] += cost[column]
    return dict(+found)


def accesses(part: Part, caller: str, name: str) -> int:
    """How many accesses a function makes to an object."""
    return sum(
        call.count
        for key, function in part.functions.items()
        for call in function.calls
        if key.name == caller and call.callee.name == name
    )


def by_function(part: Part, event: str) -> dict[str, int]:
    """What each function that has any costs itself."""
    column = part.events.index(event)
    found: Counter[str] = Counter()
    for key, function in part.functions.items():
        found[key.name] += function.self_cost()[column]
    return dict(+found)


class Exact(unittest.TestCase):
    def check_static(self, data: Part) -> None:
        """Each variable has the accesses that the program makes to it."""
        for name, event, expected in (
            ("counter (dataobjects.c)", "Dw", {0: 7}),
            ("counter (dataobjects.c)", "Dr", {0: 5}),
            ("shared", "Dw", {0: 3}),
            ("shared", "Dr", {8: 3}),
            ("structs (dataobjects.c)", "Dw", {folded(24, 8): STRUCTS}),
            ("structs (dataobjects.c)", "Dr", {folded(24, 16): STRUCTS}),
            ("grid (dataobjects.c)", "Dw", {folded(4, 0): CELLS}),
            ("grid (dataobjects.c)", "Dr", {folded(4, 0): CELLS}),
            ("text (dataobjects.c)", "Dr", {folded(1, 0): TEXT}),
        ):
            with self.subTest(name=name, event=event):
                self.assertEqual(costs_of(data, f"static::{name}", event), expected)

    def test_static(self) -> None:
        for level in LEVELS:
            with self.subTest(level):
                _, data = parts_of(compile(SOURCE, level), *CACHES, "--data=accesses")
                self.check_static(data)
                self.assertEqual(accesses(data, "scalars", "static::counter (dataobjects.c)"), 12)

    def test_stripped(self) -> None:
        """Without symbols variables are their section's."""
        _, data = parts_of(compile(SOURCE, "-O2", "-s"), *CACHES, "--data=accesses")
        found = by_function(data, "Dw")
        self.assertEqual([name for name in found if "dataobjects.c" in name], [])
        self.assertGreaterEqual(found["static::.bss"], 7 + 3 + STRUCTS + CELLS)

    def strip(self, *options: str) -> tuple[Path, Path]:
        """The program, stripped, and its debug file, which it names, in a directory of their own."""
        directory = new_directory()
        program, debug = directory / "program", directory / "program.debug"
        shutil.copy(compile(SOURCE, "-O2", *options), program)
        subprocess.run(["objcopy", "--only-keep-debug", program, debug], check=True)
        link = f"--add-gnu-debuglink={debug}"
        subprocess.run(["objcopy", "--strip-all", link, program], check=True)
        return program, debug

    def check_found(self, program: Path, found: bool) -> None:
        _, data = parts_of(program, *CACHES, "--data=accesses")
        if found:
            self.check_static(data)
        else:
            names = by_function(data, "Dw")
            self.assertEqual([name for name in names if "dataobjects.c" in name], [])

    def test_debug_file(self) -> None:
        """A stripped program's variables are those of its debug file, wherever it may be."""
        for options in ((), ("-Wl,--build-id=none",)):
            with self.subTest(options=options):
                program, debug = self.strip(*options)
                self.check_found(program, True)
                beside = debug.parent / ".debug"
                beside.mkdir()
                moved = debug.rename(beside / debug.name)
                self.check_found(program, True)
                moved.unlink()
                self.check_found(program, False)

    def test_fetched_debug_file(self) -> None:
        """What debuginfod's client has fetched is found by the build-id."""
        program, debug = self.strip()
        notes = subprocess.run(
            ["readelf", "-n", program], capture_output=True, text=True, env=env(), check=True
        ).stdout
        match = re.search(r"Build ID: ([0-9a-f]+)", notes)
        assert match
        cache = debug.parent / "cache" / match[1]
        cache.mkdir(parents=True)
        debug.rename(cache / "debuginfo")
        self.check_found(program, False)
        _, data = parts_of(
            program, *CACHES, "--data=accesses", DEBUGINFOD_CACHE_PATH=str(cache.parent)
        )
        self.check_static(data)

    def test_other_debug_file(self) -> None:
        """A debug file of another build, or one that was changed, is not taken."""
        program, debug = self.strip()
        _, other = self.strip("-DOTHER", "-g")
        other.replace(debug)
        self.check_found(program, False)
        program, debug = self.strip("-Wl,--build-id=none")
        debug.write_bytes(debug.read_bytes() + b"\0")
        self.check_found(program, False)

    def test_heap(self) -> None:
        """Blocks are known by the line that allocates them."""
        name = f"heap::{SOURCE}:{line_of(SOURCE, '/* nodes */')} (make_list)"
        for level in LEVELS:
            with self.subTest(level):
                _, data = parts_of(compile(SOURCE, level), *CACHES, "--data=accesses")
                self.assertEqual(costs_of(data, name, "Alloc"), {0: NODES})
                self.assertEqual(costs_of(data, name, "AllocBytes"), {0: NODES * 24})
                self.assertEqual(accesses(data, "make_list", name), 2 * NODES)
                self.assertEqual(accesses(data, "walk", name), 2 * 2 * NODES)
                self.assertEqual(accesses(data, "free_list", name), NODES)
                self.assertEqual(costs_of(data, name, "Dr"), {0: 3 * NODES, 16: 2 * NODES})
                self.assertEqual(costs_of(data, name, "Dw"), {0: NODES, 16: NODES})

    def test_stack(self) -> None:
        """A frame is its function's, whoever accesses it."""
        for level in LEVELS:
            with self.subTest(level):
                _, data = parts_of(compile(SOURCE, level), *CACHES, "--data=accesses")
                name = "stack::of_frame"
                self.assertEqual(accesses(data, "through_pointer", name), LOCALS)
                self.assertGreaterEqual(accesses(data, "of_frame", name), 2 * LOCALS)

    @unittest.skipUnless(can_run_32_bits(), "no 32-bit tool, or no 32-bit compiler")
    def test_32_bits(self) -> None:
        _, data = parts_of(compile(SOURCE, "-O1", "-m32"), *CACHES, "--data=accesses")
        self.assertEqual(costs_of(data, "static::counter (dataobjects.c)", "Dw"), {0: 7})
        self.assertEqual(
            costs_of(data, "static::structs (dataobjects.c)", "Dw"), {folded(12, 4): STRUCTS}
        )


class Sharing(unittest.TestCase):
    """Which places threads take each other's cache lines for: --private-caches."""

    SOURCE = "falsesharing.c"
    ROUNDS = 50

    def pairs(self, *flags: str, mode: str = "accesses") -> tuple[DataFile, list[Pair]]:
        """What a run with private caches leaves; the pairs of the program's own block."""
        program = compile(self.SOURCE, "-O1", "-pthread", *flags)
        run = run_cg2(
            [program], *CACHES, "--private-caches=yes", f"--data={mode}", "--data-out-file=data"
        )
        self.assertEqual(run.status, 0, run.stderr)
        data = read_data(str(run.directory / "data"))
        name = f"{self.SOURCE}:{line_of(self.SOURCE, '/* fields */')} (main)"
        every = pairs_of(data)
        return data, [pair for pair in every if name in pair.written.object.text]

    def between(self, pairs: list[Pair], is_false: bool) -> dict[tuple[int, int, int, int], int]:
        """How often a line was missed: offset and thread of the write, and of what missed it."""
        return {
            (pair.written.offset, pair.written.thread, pair.missed.offset, pair.missed.thread): (
                pair.count
            )
            for pair in pairs
            if pair.is_false == is_false
        }

    def test_same_line(self) -> None:
        """Each increment takes the line in which the other thread's field is; the first finds it new."""
        for mode in "misses", "accesses":
            with self.subTest(mode):
                _, pairs = self.pairs(mode=mode)
                self.assertEqual(
                    self.between(pairs, True),
                    {(0, 1, 8, 2): self.ROUNDS - 1, (8, 2, 0, 1): self.ROUNDS - 1},
                )
                found = self.between(pairs, False)
                self.assertEqual(found[64, 1, 64, 2], self.ROUNDS - 1)
                self.assertEqual(found[64, 2, 64, 1], self.ROUNDS - 1)

    def test_padded(self) -> None:
        """With a line for each field there is no false sharing; what both increment is shared all the
        same."""
        _, pairs = self.pairs("-DPADDED")
        self.assertEqual(self.between(pairs, True), {})
        self.assertEqual(self.between(pairs, False)[128, 1, 128, 2], self.ROUNDS - 1)

    def test_sum(self) -> None:
        """Each line that was lost is in a pair."""
        data, _ = self.pairs()
        total = dict(zip(data.events, data.total, strict=True))
        self.assertGreater(total["Dcmr"] + total["Dcmw"], 4 * (self.ROUNDS - 1))
        self.assertEqual(sum(pair.count for pair in pairs_of(data)), total["Dcmr"] + total["Dcmw"])

    def test_threads_apart(self) -> None:
        """A part of a thread has the pairs whose lines that thread misses."""
        program = compile(self.SOURCE, "-O1", "-pthread")
        run = run_cg2(
            [program],
            *(*CACHES, "--private-caches=yes", "--data=misses", "--data-out-file=data"),
            "--separate-threads=yes",
        )
        for thread in 1, 2:
            path = run.directory / f"data-{thread:02}"
            found = pairs_of(read_data(str(path)))
            self.assertEqual({pair.missed.thread for pair in found}, {thread})
            self.assertIn(self.ROUNDS - 1, [pair.count for pair in found if pair.is_false])


class Together(unittest.TestCase):
    """Which places of a block are accessed soon after each other: --data=together."""

    SOURCE = "together.c"
    RECORDS, ROUNDS, NAMED = 100, 7, 10

    def visits(self, *options: str, level: str = "-O1") -> tuple[DataFile, dict[str, Any]]:
        """What a run leaves: the data file, and the visits by name of an object."""
        program = compile(self.SOURCE, level)
        run = run_cg2([program], *CACHES, "--data=together", "--data-out-file=data", *options)
        self.assertEqual(run.status, 0, run.stderr)
        data = read_data(str(run.directory / "data"))
        return data, {
            key.name: {
                (first, second, *([stride] if stride else [])): count
                for (first, second, stride), count in visits.items()
            }
            for key, visits in visits_of(data).items()
        }

    def records(self) -> str:
        return f"heap::{self.SOURCE}:{line_of(self.SOURCE, '/* records */')} (add)"

    def test_records(self) -> None:
        """A visit is one however often it accesses a place; blocks come back after 16 others or more."""
        walked = self.RECORDS * (1 + self.ROUNDS + 2)
        for level in LEVELS:
            with self.subTest(level):
                _, found = self.visits(level=level)
                self.assertEqual(
                    found[self.records()],
                    {
                        (0, 0): walked + self.NAMED + self.RECORDS,
                        (8, 8): walked,
                        (0, 8): walked,
                        (16, 16): self.NAMED,
                        (24, 24): self.NAMED,
                        (16, 24): self.NAMED,
                        (0, 16): self.NAMED,
                        (0, 24): self.NAMED,
                        (32, 32): self.RECORDS,
                        (0, 32): self.RECORDS,
                    },
                )
                self.assertEqual(
                    found["static::queue (together.c)"], {(0, 0): 2, (8, 8): 1, (0, 8): 1}
                )

    def test_elements(self) -> None:
        """In a large array each element is visited by itself, once its instructions have come to 17 of
        them."""
        name = f"heap::{self.SOURCE}:{line_of(self.SOURCE, '/* entries */')} (entries)"
        walked, filled = self.RECORDS * self.ROUNDS - 16, 2 * self.RECORDS - 16
        expected = {
            (0, 0, 24): walked,
            (0, 16, 24): walked,
            (16, 16, 24): walked,
            (8, 8, 24): filled,
        }
        for level in LEVELS:
            with self.subTest(level):
                data, found = self.visits(level=level)
                self.assertEqual(found[name], expected)
        if not library_path(DEBUG_LIBRARY).exists():
            return
        add_types(data)
        (entries,) = (object for object in data.objects if object.name == name)
        visits = visits_of(data)
        self.assertEqual(
            company(entries, visits), [Company("first", "last", walked, walked, walked)]
        )
        self.assertEqual(groups_apart(entries, visits), [["first", "last"], ["middle"]])

    def test_large(self) -> None:
        """Nothing is said of arrays of numbers, nor of frames."""
        _, found = self.visits()
        large = f"heap::{self.SOURCE}:{line_of(self.SOURCE, '/* large */')} (main)"
        self.assertNotIn(large, found)
        self.assertEqual([name for name in found if not name.startswith(("heap", "static"))], [])

    def test_else_the_same(self) -> None:
        """All else is as with --data=accesses, and so is the profile."""
        program = compile(self.SOURCE, "-O1")
        profile, data = parts_of(program, *CACHES, "--data=accesses")
        other_profile, together = parts_of(program, *CACHES, "--data=together")
        self.assertEqual(other_profile.functions, profile.functions)
        first, second = (part.descriptions | {"Started": ""} for part in (data, together))
        self.assertEqual(first, second)
        self.assertEqual(together.self_total(), data.self_total())
        # The linker's functions access their frames by characters of paths, which differ.
        own, other = (
            {
                key: function
                for key, function in part.functions.items()
                if key.object in (str(program), f"[data] {program}")
            }
            for part in (data, together)
        )
        self.assertGreater(len(own), 8)
        self.assertEqual(own, other)

    def test_collected(self) -> None:
        """What is not collected visits nothing; a part has the visits that end in it."""
        _, found = self.visits("--toggle-collect=name")
        self.assertEqual(
            found[self.records()],
            {(16, 16): self.NAMED, (24, 24): self.NAMED, (16, 24): self.NAMED},
        )


class Sums(unittest.TestCase):
    def check_sums(self, *options: str) -> None:
        """The data file has what the profile has, which is as without; all of it is attributed."""
        dynamic = options == CACHES or "--skip-plt=no" in options
        program = compile(SOURCE, "-O2", is_dynamic=dynamic)
        plain = run_cg2([program], *options, environment=env()).profile_paths[0]
        for mode in "misses", "accesses":
            with self.subTest(options=options, mode=mode):
                profile, data = parts_of(program, f"--data={mode}", *options)
                for event in profile.events:
                    # How often a line is used varies by a few between runs.
                    if not event.startswith("AcCost"):
                        expected = by_function(part_of(plain), event)
                        self.assertEqual(by_function(profile, event), expected, event)
                if "--cacheuse=yes" not in options:
                    self.assertEqual(profile.functions, part_of(plain).functions)
                total = dict(zip(profile.events, profile.self_total(), strict=True))
                found = dict(zip(data.events, data.self_total(), strict=True))
                self.assertEqual("Dr" in found, mode == "accesses")
                for event in data.events[:-2]:
                    self.assertEqual(found[event], total[event], event)
                self.assertEqual(data.descriptions["Data"], mode)
                self.assertEqual(by_function(data, data.events[0]).get("other::unknown"), None)

    def test_modes(self) -> None:
        for options in (
            CACHES,
            (*CACHES, "--dump-instr=yes", "--collect-jumps=yes"),
            (*CACHES, "--separate-callers=2", "--separate-recs=3"),
            (
                *CACHES,
                "--simulate-wb=yes",
            ),
            (
                *CACHES,
                "--cacheuse=yes",
            ),
            ("--machine=zen3",),
            ("--cache-sweep=D:8k..32k",),
            (
                *CACHES,
                "--skip-plt=no",
            ),
            (
                *CACHES,
                "--fn-skip=walk",
            ),
        ):
            self.check_sums(*options)
