"""The objects of --data=accesses, against what Valgrind's tool Lackey says: each access to memory, and its
address.

What lies at an address is found out here from what readelf says of the ELF files, and from what the program
tells of its heap; both differently from how cg2 does it.
"""

from __future__ import annotations

import bisect
import re
import subprocess
import unittest
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from case import LEVELS
from cg2test import compile, env, line_of, new_directory, part_of, run_cg2


Key = tuple[str, str]  # ELF file, name
Counts = dict[Key, tuple[int, int]]  # reads, writes


# ------------------------------------------------------------ what ELF files have


def readelf(path: str, *options: str) -> str:
    command = ["readelf", "-W", *options, path]
    return subprocess.run(command, capture_output=True, text=True, env=env(), check=True).stdout


@dataclass
class Stretches:
    """Bytes with a name, none of which overlap."""

    starts: list[int] = field(default_factory=list)
    all: list[tuple[int, str]] = field(default_factory=list)  # end, name

    def add(self, start: int, end: int, name: str) -> None:
        """Stretches are added in the order of their starts; what is taken stays taken."""
        if not self.all or start >= self.all[-1][0]:
            self.starts.append(start)
            self.all.append((end, name))

    def find(self, address: int) -> str | None:
        i = bisect.bisect_right(self.starts, address) - 1
        return self.all[i][1] if i >= 0 and address < self.all[i][0] else None


def sections(path: str) -> dict[str, tuple[str, int, int, str]]:
    """Name, start, end and flags of each section that is loaded, by its number."""
    found = {}
    for line in readelf(path, "-S").splitlines():
        row = re.match(
            r" *\[ *(\d+)\] (\S+) +(\S+) +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ +(\w*) ", line
        )
        if row and "A" in row[6] and not (row[3] == "NOBITS" and "T" in row[6]):
            start = int(row[4], 16)
            found[row[1]] = (row[2], start, start + int(row[5], 16), row[6])
    return found


def symbol_lines(path: str) -> list[str]:
    """What readelf says of the symbols of a file, and of its debug file if it is stripped."""
    lines = readelf(path, "-s").splitlines()
    name = re.search(r"Build ID: ([0-9a-f]{2})([0-9a-f]+)", readelf(path, "-n"))
    if name and not any("'.symtab'" in line for line in lines):
        debug = Path(f"/usr/lib/debug/.build-id/{name[1]}/{name[2]}.debug")
        lines += readelf(str(debug), "-s").splitlines() if debug.exists() else []
    return lines


def symbols(path: str) -> Iterator[tuple[int, int, int, str]]:
    """Start, end, rank (the less the better) and name of each symbol of data."""
    known, file = sections(path), ""
    for line in symbol_lines(path):
        row = line.split()
        if len(row) < 7 or not re.fullmatch(r"\d+:", row[0]):
            continue
        value, size, kind, bind, index = int(row[1], 16), int(row[2], 0), row[3], row[4], row[6]
        name = row[7].split("@")[0] if len(row) > 7 else ""
        if kind == "FILE":
            file = name
        code = "X" in known.get(index, ("", 0, 0, ""))[3]
        wanted = kind == "OBJECT" or (kind == "NOTYPE" and not code)
        if name and size and wanted and index in known:
            local = bind == "LOCAL"
            shown = f"{name} ({file})" if local and file else name
            rank = 1000000 * local + 1000 * (len(name) - len(name.lstrip("_"))) + len(name)
            yield value, value + size, rank, shown


def names_of(path: str) -> tuple[Stretches, Stretches]:
    """The symbols and the sections of a file."""
    by_symbol, by_section = Stretches(), Stretches()
    for start, end, _, name in sorted(
        symbols(path), key=lambda symbol: (symbol[0], -symbol[1], *symbol[2:])
    ):
        by_symbol.add(start, end, name)
    for name, start, end, _ in sorted(sections(path).values(), key=lambda section: section[1]):
        by_section.add(start, end, name)
    return by_symbol, by_section


# ------------------------------------------------------------ what Lackey says

ACCESS = re.compile(r" ([LSM]) ([0-9a-f]+),\d+$")
LOADED = re.compile(r"--\d+-- Reading syms from (.*)$")
PLACED = re.compile(r"--\d+-- +svma (0x[0-9a-f]+), avma (0x[0-9a-f]+)$")


class Trace:
    """The accesses of a program, and where its ELF files are."""

    def __init__(self, argv: list[str]) -> None:
        self.log = new_directory() / "log"
        # Blocks end where cg2's do: of longer ones Valgrind drops loads whose result is overwritten.
        options = ["--trace-mem=yes", "--vex-guest-chase=no", "-v", "-v"]
        options.append(f"--log-file={self.log}")
        run = run_cg2(argv, *options, tool="lackey", out_file=None)
        assert run.status == 0, run.stderr
        self.stdout = run.stdout
        self.biases: dict[str, int] = {}

    def accesses(self) -> Iterator[tuple[bool, int]]:
        """Whether it writes, and the address; `biases` has the files that are loaded so far."""
        loaded = ""
        with self.log.open(errors="replace") as lines:
            for line in lines:
                if line[0] == "I":  # an instruction: nine lines of ten
                    continue
                if found := ACCESS.match(line):
                    yield found[1] != "L", int(found[2], 16)
                elif found := LOADED.match(line):
                    loaded = found[1]
                elif found := PLACED.match(line):
                    self.biases[loaded] = int(found[2], 16) - int(found[1], 16)

    def by_address(self) -> dict[int, list[int]]:
        """How often each address is read and written, if nothing changes hands."""
        found: dict[int, list[int]] = {}
        for writes, address in self.accesses():
            found.setdefault(address, [0, 0])[writes] += 1
        return found


def statics(counts: dict[int, list[int]], biases: dict[str, int]) -> Counts:
    """What lies in ELF files."""
    result: dict[Key, list[int]] = {}
    files = []
    for path, bias in biases.items():
        by_symbol, by_section = names_of(path)
        ends = [end for end, _ in by_section.all]
        files.append(
            (by_section.starts[0] + bias, max(ends) + bias, path, bias, by_symbol, by_section)
        )
    for address, (reads, writes) in counts.items():
        for start, end, path, bias, by_symbol, by_section in files:
            if start <= address < end:
                name = by_symbol.find(address - bias) or by_section.find(address - bias)
                if name:
                    pair = result.setdefault((path, name), [0, 0])
                    pair[0] += reads
                    pair[1] += writes
    return {key: (pair[0], pair[1]) for key, pair in result.items()}


# ------------------------------------------------------------ what cg2 says


class Data:
    """The data file of a run."""

    def __init__(self, argv: list[str]) -> None:
        run = run_cg2(argv, "--cache-sim=yes", "--data=accesses", "--data-out-file=data")
        assert run.status == 0, run.stderr
        self.part = part_of(run.directory / "data")
        reads, writes = self.part.events.index("Dr"), self.part.events.index("Dw")
        self.of_kind: dict[str, Counts] = {}
        self.total = [0, 0]
        for key, function in self.part.functions.items():
            if not key.object.startswith("[data] "):
                continue
            kind, _, name = key.name.partition("::")
            pair = [sum(cost[i] for cost in function.costs.values()) for i in (reads, writes)]
            self.of_kind.setdefault(kind, {})[key.object[7:], name] = (pair[0], pair[1])
            self.total[0] += pair[0]
            self.total[1] += pair[1]

    def accesses_from(self, path: str, name: str) -> Counter[str]:
        """How often a function of an ELF file accesses each object."""
        found: Counter[str] = Counter()
        for key, function in self.part.functions.items():
            if (key.object, key.name) == (path, name):
                for call in function.calls:
                    found[call.callee.name] += call.count
        return found


STUBS = " (call stubs)"


def with_one_got(counts: Counts) -> Counts:
    """What the linker's call stubs read is in some part of `.got`; what they write is on the stack."""
    found: dict[Key, tuple[int, int]] = {}
    for (path, name), (reads, writes) in counts.items():
        key = path, re.sub(r"^\.got\b.*", ".got", name)
        before = found.get(key, (0, 0))
        found[key] = (before[0] + reads, before[1] + (0 if name.endswith(STUBS) else writes))
    return found


class Truth(unittest.TestCase):
    maxDiff = None

    def assertSame(self, found: Counts, expected: Counts) -> None:
        """Objects with any access have the same counts."""
        wrong = {
            key: (found.get(key, (0, 0)), expected.get(key, (0, 0)))
            for key in found | expected
            if found.get(key, (0, 0)) != expected.get(key, (0, 0))
        }
        self.assertEqual(wrong, {}, "(cg2's reads and writes, Lackey's)")

    def check(self, argv: list[str]) -> tuple[Trace, Data]:
        """All static objects of all ELF files, and the sum of all accesses."""
        trace, data = Trace(argv), Data(argv)
        counts = trace.by_address()
        expected = statics(counts, trace.biases)
        self.assertGreater(len(expected), 50)
        found = {
            key: pair
            for key, pair in data.of_kind["static"].items()
            if not key[1].startswith("segment ") and not key[1].endswith("thread-local)")
        }
        self.assertSame(with_one_got(found), with_one_got(expected))
        sums = [sum(pair[i] for pair in counts.values()) for i in (0, 1)]
        self.assertEqual(data.total, sums)
        return trace, data


class Small(Truth):
    def test_statics(self) -> None:
        for flags in ["-O0"], ["-O2", "-static"], ["-O2", "-no-pie", "-s"]:
            with self.subTest(flags):
                self.check([str(compile("datatruth.c", "-g", *flags, lines_of_libc=True))])

    def test_heap(self) -> None:
        """Blocks of each place that allocates, while they live."""
        for level in LEVELS:
            with self.subTest(level):
                program = str(compile("datatruth.c", "-g", level))
                trace, data = Trace([program]), Data([program])
                found = {
                    key: pair
                    for key, pair in data.of_kind["heap"].items()
                    if key[1].startswith("datatruth.c:")
                }
                self.assertSame(found, heap(trace, program))

    def test_thread_locals(self) -> None:
        for linking in "-pie", "-static":
            with self.subTest(linking):
                program = str(compile("datatruth.c", "-g", "-O0", linking))
                trace, data = Trace([program]), Data([program])
                counts = trace.by_address()
                said = re.findall(r"^thread (0x\w+) (\d+) (.*)$", trace.stdout, re.MULTILINE)
                self.assertEqual(len(said), 2)
                for start, size, name in said:
                    first = int(start, 16)
                    pairs = [counts.get(first + i, [0, 0]) for i in range(int(size))]
                    reads, writes = (sum(pair[i] for pair in pairs) for i in (0, 1))
                    found = data.of_kind["static"][program, name]
                    self.assertGreater(reads, 9)
                    self.assertEqual(found[0], reads)
                    # The dynamic linker fills the variables before it says where they are.
                    self.assertLess(writes - found[1], int(size))


def heap(trace: Trace, program: str) -> Counts:
    """The accesses to each place's blocks, by what the program has said of them."""
    events = re.findall(r"^([+-]) (0x\w+) (\d+) (\w+) (\d+)$", trace.stdout, re.MULTILINE)
    found: Counter[tuple[str, bool]] = Counter()
    starts: list[int] = []
    blocks: dict[int, tuple[int, str]] = {}
    n = 0
    announced = -1
    for writes, address in trace.accesses():
        if announced < 0 and program in trace.biases:
            announced = address_of(program, "announced") + trace.biases[program]
        if address == announced and writes:
            kind, block, size, function, line = events[n]
            start = int(block, 16)
            n += 1
            if kind == "+":
                bisect.insort(starts, start)
                blocks[start] = (int(size), f"datatruth.c:{line} ({function})")
            else:
                starts.remove(start)
        i = bisect.bisect_right(starts, address) - 1
        if i >= 0 and address < starts[i] + blocks[starts[i]][0]:
            found[blocks[starts[i]][1], writes] += 1
    assert n == len(events)
    return {(program, name): (found[name, False], found[name, True]) for name, _ in found}


def address_of(path: str, symbol: str) -> int:
    found = re.search(rf"^ *\d+: ([0-9a-f]+) .* {symbol}$", readelf(path, "-s"), re.MULTILINE)
    assert found
    return int(found[1], 16)


class Loaded(unittest.TestCase):
    def check(self, *flags: str) -> None:
        program = compile("dataloads.c", "-O1", "-pthread", is_dynamic=True)
        libraries = [
            str(compile("dataloaded.c", "-O1", "-shared", "-fPIC", f"-DNAME={name}", *flags))
            for name in ("first", "second")
        ]
        data = Data([str(program), *libraries])
        for library, name in zip(libraries, ("first", "second")):
            touched = data.accesses_from(library, "touch")
            expected = {
                f"static::count_{name}.0 (dataloaded.c)": 6000,  # read and written
                f"static::shared_{name}": 3000,
                f"static::local_{name} (thread-local)": 3000,
            }
            self.assertEqual({key: touched[key] for key in expected}, expected)
        self.assertEqual(
            data.accesses_from(str(program), "run")["static::own (thread-local)"], 6000
        )

    def test_libraries(self) -> None:
        """Variables of libraries that come and go at one address, and what is thread-local there."""
        self.check()

    def test_large(self) -> None:
        """What is thread-local is larger than a page, and has a map of its own."""
        self.check("-DLONGS=8192")
        self.check("-DLONGS=65536")


class Grown(unittest.TestCase):
    def test_pages(self) -> None:
        """Memory that grows has a page in common with what is thread-local, shrinks, and is a map."""
        for linking in "-static", "-pie":
            with self.subTest(linking):
                program = str(compile("databrk.c", "-O1", linking))
                data = Data([program])
                turns = data.accesses_from(program, "take_turns")
                expected = {"static::own (thread-local)": 500, "other::brk": 500}
                self.assertEqual({key: turns[key] for key in expected}, expected)
                line = line_of("databrk.c", "/* map */")
                map = f"heap::databrk.c:{line} (main)"
                self.assertEqual(data.accesses_from(program, "use_map")[map], 500)


class Real(Truth):
    full = True

    def test_programs(self) -> None:
        text = new_directory() / "text"
        text.write_text("".join(f"{n} {n * n}\n" for n in range(1000)))
        for argv in (
            ["/usr/bin/xz", "-0kc", str(text)],
            ["/usr/bin/sqlite3", ":memory:", "select sum(value) from generate_series(1, 999);"],
            ["/bin/sort", "-n", str(text)],
        ):
            with self.subTest(argv):
                if not Path(argv[0]).exists():
                    self.skipTest(f"{argv[0]} is not installed")
                self.check(argv)


if __name__ == "__main__":
    unittest.main()
