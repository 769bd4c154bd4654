"""libcg2profile by its C interface: sums in any order, other names and events, packed and damaged files, no memory."""

from __future__ import annotations

import functools
import gzip
import os
import random
import re
import subprocess
import sys
import threading
import unittest
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "tools"))
sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

import library  # noqa: E402
from library import Directory, LibraryError  # noqa: E402
from profiletexts import SAMPLE, Chance, mutant  # noqa: E402

from cg2tools.profile import libcg2profile, transform  # noqa: E402
from cg2tools.profile.model import (  # noqa: E402
    Call,
    Function,
    FunctionKey,
    Jump,
    Part,
    Profile,
    ProfileError,
    add_cost,
)
from cg2tools.profile.reader import read_profile  # noqa: E402

SEED = 20_261_123
MUTANTS = 3000
MORE_MUTANTS = 100_000  # with --full

# Blanks to Python's text, but not to the format; and what ends a text in C.
NOT_COMPARED = re.compile(rb"[\x00\x1c-\x1f\x85\xa0]|jfi=\([0-9]+\) *\n")

OPTIONS: list[list[str]] = [
    [],
    ["--dump-instr=yes", "--collect-jumps=yes"],
    ["--cache-sim=yes", "--branch-sim=yes", "--dump-line=no", "--dump-instr=yes"],
    ["--compress-strings=no", "--compress-pos=no", "--separate-recs=3"],
    ["--combine-dumps=yes", "--dump-every-bb=20000"],
]


@functools.cache
def profiles() -> list[Path]:
    """Profiles of a program with recursion, in several forms."""
    program = cg2test.compile("recursion.c", "-O1")
    runs = [cg2test.run_cg2([program], *options) for options in OPTIONS]
    return [run.profile_paths[0] for run in runs]


def comparable(profile: Profile) -> Profile:
    """Without the lines of the file that the library does not tell."""
    for part in profile.parts:
        part.line_of = {
            key: part.line_of[key] for key in ("summary", "totals") if key in part.line_of
        }
    return profile


def outcome(read: Callable[[Path], Profile], path: Path) -> Profile | str:
    """The profile, or what is wrong with it, without the file's name."""
    try:
        return comparable(read(path))
    except (ProfileError, LibraryError) as error:
        # Python shows a byte that is no UTF-8 as it keeps it.
        return re.sub(r"\\udc([0-9a-f]{2})", r"\\x\1", str(error))


class Reading(Directory):
    def test_profiles(self) -> None:
        for path in [self.file("sample", SAMPLE), *profiles()]:
            with self.subTest(path.name):
                self.assertEqual(comparable(library.read(path)), comparable(read_profile(path)))

    def check_mutants(self, seed: int, count: int) -> None:
        chance = Chance(seed)
        read = refused = 0
        for number in range(count):
            data = mutant(chance)
            if NOT_COMPARED.search(data):
                continue
            path = self.file("mutant", data)
            found, expected = outcome(library.read, path), outcome(read_profile, path)
            if found != expected:
                self.fail(f"mutant {number}: {found!r}; expected {expected!r}\n{data!r}")
            read += not isinstance(found, str)
            refused += isinstance(found, str)
        self.assertGreater(min(read, refused), count // 20)

    def test_mutants(self) -> None:
        """A file is read as by the Python reader, or refused with the same words."""
        self.check_mutants(SEED, MUTANTS)

    def test_more_mutants(self) -> None:
        self.check_mutants(SEED + 1, MORE_MUTANTS)

    test_more_mutants.full = True  # type: ignore[attr-defined]

    def test_details(self) -> None:
        """Without lines, and without arcs, the functions and what they cost are the same."""
        path = self.file("details", b"events: Ir\nfn=f\n1 5\ncfn=g\ncalls=2 7\n2 30\nfn=g\n7 30\n")
        for detail, n_arcs in (
            (libcg2profile.FUNCTIONS, 0),
            (libcg2profile.SUMS, 1),
            (libcg2profile.LINES, 1),
        ):
            [part] = libcg2profile.read(path, detail=detail).parts
            self.assertEqual([key.name for key in part.functions()], ["f", "g"])
            self.assertEqual([list(cost) for cost in part.self_costs()], [[5], [30]])
            self.assertEqual([*part.arcs().counts], [2] * n_arcs)

    def test_large_numbers(self) -> None:
        """A sum of more than 64 bits is refused in the line that makes it so; Python would count on."""
        most = (1 << 64) - 1
        path = self.file("large", f"events: Ir\nfn=f\n1 {most}\n2 1\n".encode())
        with self.assertRaisesRegex(
            LibraryError, f"{path}:4: the costs of Ir add up to more than 64 bits"
        ):
            library.read(path)
        path = self.file("one", f"events: Ir\nfn=f\n{most} {most}\n".encode())
        [part] = library.read(path).parts
        self.assertEqual(part.self_total(), [most])
        path = self.file("far", f"events: Ir\nfn=f\n{most} 1\n+1 1\n".encode())
        with self.assertRaisesRegex(
            LibraryError, ":4: position 18446744073709551616 after relative steps"
        ):
            library.read(path)

    def test_long_lines(self) -> None:
        """A line may be longer than what is read at a time."""
        name = "f" * 5_000_000
        path = self.file("long", f"events: Ir\nfn={name}\n1 7".encode())
        [part] = library.read(path).parts
        [key] = part.functions
        self.assertEqual((len(key.name), part.self_total()), (5_000_000, [7]))


def zstd(data: bytes, *options: str) -> bytes:
    """What zstd makes of data."""
    ended = subprocess.run(["zstd", "-q", *options], input=data, capture_output=True, check=True)
    return ended.stdout


def long_text() -> bytes:
    """A profile of several megabytes, also when it is packed: 50,000 functions that cost 1 each."""
    chance = random.Random(SEED)
    lines = (f"fn={chance.getrandbits(512):x}\n1 1\n" for _ in range(50_000))
    return "".join(["events: Ir\n", *lines]).encode()


def once_for(change: Callable[[Path], None], path: Path) -> Callable[[int, int], None]:
    """Makes the change when it is first called, which is after the first piece."""
    to_do = [change]

    def report(done: int, size: int) -> None:
        if to_do:
            to_do.pop()(path)

    return report


def grow(path: Path) -> None:
    with open(path, "ab") as stream:
        stream.write(b"2 1\n")


def shrink(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1000)


def write_anew(path: Path) -> None:
    """Put other bytes in the place of all, none of which is right."""
    size = path.stat().st_size
    with open(path, "r+b") as stream:
        stream.write(b"?" * size)


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(b"not a profile")
    os.replace(other, path)


class Files(Directory):
    def content(self) -> bytes:
        return profiles()[1].read_bytes()

    def test_packed(self) -> None:
        """gzip, also in several pieces, and zstd are known by their first bytes."""
        text = self.content()
        expected = comparable(library.read(self.file("plain", text)))
        packed = {
            "whole.gz": gzip.compress(text),
            "pieces.gz": gzip.compress(text[:1000]) + gzip.compress(text[1000:]),
            "file.zst": zstd(text),
            "far.zst": zstd(text, "--long=28"),
        }
        for name, data in packed.items():
            with self.subTest(name):
                found = comparable(library.read(self.file(name, data)))
                found.path = expected.path
                for part in (*found.parts, *expected.parts):
                    part.path = ""
                self.assertEqual(found, expected)

    def test_truncated(self) -> None:
        data = gzip.compress(self.content())
        for name, whole in (
            ("gzip", data),
            ("zstd", zstd(self.content())),
        ):
            path = self.file("cut", whole[: len(whole) // 2])
            with self.assertRaisesRegex(
                LibraryError,
                f"{path}: the {name} data end at byte {len(whole) // 2}; expected the whole file",
            ):
                library.read(path)

    def test_damaged(self) -> None:
        data = bytearray(gzip.compress(self.content()))
        data[-6] ^= 1  # of the checksum
        path = self.file("damaged", bytes(data))
        with self.assertRaisesRegex(
            LibraryError, f"{path}: the gzip data are damaged at byte [0-9]+;"
        ):
            library.read(path)

    def test_pipe(self) -> None:
        text = self.content()
        expected = library.read(self.file("plain", text)).merged().self_total()
        pipe = self.directory / "pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_bytes, args=[text])
        writer.start()
        self.assertEqual(library.read(pipe).merged().self_total(), expected)
        writer.join()

    def test_changes_meanwhile(self) -> None:
        """A file that grows, shrinks or is written anew meanwhile is refused for that, whatever its text is then."""
        text = long_text()
        for name, data in ("plain", text), ("gzip", gzip.compress(text)), ("zstd", zstd(text)):
            self.assertGreater(len(data), 1 << 20)  # so much is read at a time
            for change in grow, shrink, write_anew:
                with self.subTest(name, change=change.__name__):
                    path = self.file(name, data)
                    os.utime(path, (0, 0))
                    with self.assertRaises(LibraryError) as caught:
                        with library.reading(path, progress=once_for(change, path)):
                            pass
                    self.assertEqual(
                        str(caught.exception),
                        f"{path}: the file has changed while it was read; expected one that is "
                        "written completely",
                    )

    def test_replaced_meanwhile(self) -> None:
        """What takes the place of a file that is read, or that it goes, is not noticed: it is read as it was."""
        text = long_text()
        changes: list[Callable[[Path], None]] = [replace, Path.unlink]
        for change in changes:
            path = self.file("plain", text)
            with library.reading(path, progress=once_for(change, path)) as handle:
                [part] = library.profile_of(handle, "plain").parts
            self.assertEqual(part.self_total(), [50_000])

    def test_not_there(self) -> None:
        for path, message in (
            (self.directory / "none", "No such file"),
            (self.directory, "Is a directory"),
        ):
            with self.assertRaisesRegex(LibraryError, f"{path}: {message}") as caught:
                library.read(path)
            self.assertEqual(caught.exception.kind, library.SYSTEM)

    def test_no_memory(self) -> None:
        """Where memory ends, the library says so; in a process of its own, which has no memory to spare."""
        with open(self.directory / "large", "w") as stream:
            stream.write("events: Ir\n")
            stream.writelines(f"fn={i:0200}\n1 1\n" for i in range(200_000))  # names of 40 MB
        ended = subprocess.run(
            [sys.executable, "-c", SCARCE, str(self.directory / "large")],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertRegex(ended.stdout, "/large: there is no memory for [0-9]+ bytes more\n$")


# Reads the file that is its argument with 8 MB more than it has.
SCARCE = """\
import resource, sys
import library
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (8 << 20),) * 2)
try:
    library.read(sys.argv[1])
except library.LibraryError as error:
    print(error)
"""


class Writing(Directory):
    def test_packed(self) -> None:
        path = self.file("sample", SAMPLE)
        with library.reading(path) as handle:
            library.write(handle, self.directory / "plain")
            library.write(handle, self.directory / "packed.gz")
        packed = gzip.decompress((self.directory / "packed.gz").read_bytes())
        self.assertEqual(packed, (self.directory / "plain").read_bytes())

    def test_nothing_is_left(self) -> None:
        """Where a file cannot be written, the error says so and nothing is left behind."""
        path = self.file("sample", SAMPLE)
        with library.reading(path) as handle:
            with self.assertRaisesRegex(LibraryError, "Is a directory"):
                library.write(handle, self.directory)
            with self.assertRaisesRegex(LibraryError, "/none/profile: No such file or directory"):
                library.write(handle, self.directory / "none" / "profile")
        self.assertEqual([entry.name for entry in self.directory.iterdir()], ["sample"])


def added_up(part: Part) -> dict[FunctionKey, Counter[object]]:
    """What the places of each function cost, and how often calls and jumps were made."""
    found: dict[FunctionKey, Counter[object]] = {}
    for key, function in part.functions.items():
        sums: Counter[object] = Counter()
        for place, cost in function.costs.items():
            sums.update({(place, event): number for event, number in enumerate(cost)})
        for call in function.calls:
            site = call.callee, call.source, call.target
            sums[site] += call.count
            sums.update({(*site, event): number for event, number in enumerate(call.inclusive)})
        for jump in function.jumps:
            way = jump.target_function, jump.source, jump.target, jump.conditional
            sums.update({(*way, "taken"): jump.taken, (*way, "executed"): jump.executed})
        found[key] = sums
    return found


class Several(Directory):
    def files(self) -> list[Path]:
        """Profiles of the same events and positions that differ in functions and costs."""
        chance = random.Random(SEED)
        paths = []
        for number in range(6):
            lines = [
                "creator: callgrind-cg2-0.1",
                "cmd: app",
                "positions: instr line",
                "events: Ir Dr",
            ]
            for function in range(number % 3, 12):
                lines += [f"fl=file{function % 4}.c", f"fn=f{function}"]
                for _ in range(chance.randint(1, 9)):
                    lines.append(
                        f"{hex(chance.randint(0, 20))} {chance.randint(1, 9)} {chance.randint(0, 99)} 1"
                    )
                    if chance.random() < 0.3:
                        lines += [f"fi=file{chance.randint(0, 4)}.c"]
                    if chance.random() < 0.5:
                        lines += [
                            f"cfn=f{chance.randint(0, 11)}",
                            f"calls={chance.randint(1, 5)} 0x{chance.randint(1, 2)} 1",
                            "0x2 3 40",
                        ]
                    if chance.random() < 0.5:
                        lines += [f"jcnd={chance.randint(0, 3)}/4 0x5 2", "0x3 1"]
            paths.append(self.file(f"part{number}", "\n".join([*lines, ""]).encode()))
        return paths


class Adding(Several):
    def test_each_place(self) -> None:
        """What files say of a place, a call or a jump is added up, and once in the sum."""
        paths = self.files()
        expected: dict[FunctionKey, Counter[object]] = {}
        for path in paths:
            for key, counter in added_up(read_profile(path).parts[0]).items():
                expected.setdefault(key, Counter()).update(counter)
        library.merge(paths, self.directory / "sum")
        [part] = read_profile(self.directory / "sum").parts
        self.assertEqual(added_up(part), expected)
        for function in part.functions.values():
            calls, jumps = once(function)
            self.assertEqual(len(calls), len(function.calls))
            self.assertEqual(len(jumps), len(function.jumps))
        self.assertEqual(part.totals, part.self_total())

    def test_few_lines_to_many(self) -> None:
        """A function of which one profile has much and others have little, at places of their own too."""
        chance = random.Random(SEED)
        paths = []
        for number in range(60):
            count = 400 if number == 7 else chance.randint(1, 12)
            lines = [f"{chance.randint(1, 999)} {chance.randint(1, 99)}" for _ in range(count)]
            lines += [f"cfn=g{number % 5}\ncalls=1 1\n{chance.randint(1, 50)} 7"]
            text = "\n".join(["events: Ir", "fn=f", *lines, ""])
            paths.append(self.file(f"few{number}", text.encode()))
        expected: Counter[object] = Counter()
        for path in paths:
            for counter in added_up(read_profile(path).parts[0]).values():
                expected.update(counter)
        library.merge(paths, self.directory / "sum")
        library.merge(paths[::-1], self.directory / "backwards")
        [part] = read_profile(self.directory / "sum").parts
        self.assertEqual(sum(added_up(part).values(), Counter()), expected)
        written = [(self.directory / name).read_text() for name in ("sum", "backwards")]
        self.assertEqual(*written)
        self.assertEqual(len(part.functions), 6)
        [places] = [function for function in part.functions.values() if function.key.name == "f"]
        costs = [
            line for line in written[0].splitlines() if line[:1] in "+-*123456789" and " " in line
        ]
        self.assertEqual(len(costs), len(places.costs) + len(places.calls))

    def test_any_order_and_grouping(self) -> None:
        """A tree of sums is the same file as one sum, in any order."""
        paths = self.files()
        library.merge(paths, self.directory / "once")
        library.merge(paths[::-1], self.directory / "backwards")
        library.merge(paths[:2], self.directory / "left")
        library.merge(paths[2:5], self.directory / "middle")
        tree = [self.directory / "middle", paths[5], self.directory / "left"]
        library.merge(tree, self.directory / "tree")
        once = (self.directory / "once").read_bytes()
        self.assertEqual((self.directory / "backwards").read_bytes(), once)
        self.assertEqual((self.directory / "tree").read_bytes(), once)
        self.assertIn(b"desc: Merged profiles: 6\n", once)

    def test_definitions(self) -> None:
        """The same one of two definitions of an event stays, in any order."""
        paths = [
            self.file(name, f"event: A = {factor} Ir\nevents: Ir\nfn=f\n1 1\n".encode())
            for name, factor in (("two", 2), ("four", 4))
        ]
        for number, order in enumerate((paths, paths[::-1])):
            library.merge(order, self.directory / f"sum{number}")
        sums = [(self.directory / f"sum{number}").read_bytes() for number in range(2)]
        self.assertEqual(sums[0], sums[1])
        self.assertIn(b"event: A = 2 Ir\n", sums[0])

    def test_refused(self) -> None:
        """Other events or positions are named, with the file and line that they stand in."""
        first = self.file("first", b"positions: line\nevents: Ir\nfn=f\n1 1\n")
        events = self.file("events", b"\nevents: Ir Dr\nfn=f\n1 1\n")
        positions = self.file("positions", b"positions: instr\nevents: Ir\nfn=f\n0x1 1\n")
        version = self.file("version", b"version: 0\nevents: Ir\nfn=f\n1 1\n")
        for path, message in (
            (events, f"{events}:2: events: Ir Dr; expected Ir as in {first}"),
            (positions, f"{positions}:1: positions: instr; expected line as in {first}"),
            (version, f"{version}:1: version: 0; expected 1 as in {first}"),
        ):
            with self.assertRaises(LibraryError) as caught:
                library.merge([first, path], self.directory / "sum")
            self.assertEqual(str(caught.exception), message)

    def test_too_large(self) -> None:
        most = (1 << 64) - 1
        paths = [self.file(f"most{i}", f"events: Ir\nfn=f\n1 {most}\n".encode()) for i in range(2)]
        with self.assertRaisesRegex(
            LibraryError, f"{paths[1]}:1: its sum with the other profiles does not fit"
        ):
            library.merge(paths, self.directory / "sum")

    def test_nothing(self) -> None:
        with self.assertRaisesRegex(LibraryError, "^a sum: nothing was added; expected at least"):
            library.merge([], self.directory / "sum")

    def test_sums_only(self) -> None:
        """What was read without lines is added up without them."""
        paths = self.files()
        expected: dict[FunctionKey, list[int]] = {}
        with library.Sum() as sums:
            for path in paths:
                with library.reading(path, library.SUMS) as handle:
                    sums.add(handle)
                [part] = read_profile(path).parts
                for key, function in part.functions.items():
                    before = expected.get(key, [0, 0])
                    expected[key] = [a + b for a, b in zip(before, function.self_cost())]
            with sums.result() as handle:
                self.assertEqual(library.self_costs(handle), [expected])


HEAD = "desc: Trigger: all\nevent: S = 2 Ir + Dr : Sum\n"


class Changing(Several):
    """A sum with other names, events and positions is what the commands make of a profile."""

    def setUp(self) -> None:
        super().setUp()
        texts = [path.read_text() for path in self.files()]
        self.path = self.file(
            "parts",
            "".join(
                f"part: {number // 2 + 1}\nthread: {number % 2 + 1}\n{HEAD}"
                f"desc: Skipped: {number} skip\n"
                + "".join(line for line in text.splitlines(True) if number == 0 or line[:2] != "cr")
                for number, text in enumerate(texts)
            ).encode(),
        )
        self.profile = read_profile(self.path)

    def check(self, handle: library.Handle, expected: Part) -> None:
        [part] = library.profile_of(handle, str(self.path)).parts
        self.assertEqual(added_up(part), added_up(expected))
        self.assertEqual(list(part.functions), list(expected.functions))
        self.assertEqual(part.events, expected.events)
        self.assertEqual(part.positions, expected.positions)
        self.assertEqual(part.skipped, expected.skipped)
        self.assertEqual(part.descriptions, expected.descriptions)
        self.assertEqual((part.cmd, part.part, part.thread), ("app", None, None))

    def test_parts_as_one(self) -> None:
        expected = self.profile.merged()
        with library.Sum() as sums, library.reading(self.path) as handle:
            sums.begin_part(handle)
            for number in range(6):
                sums.add_part(handle, number)
            with sums.result() as found:
                self.check(found, expected)
                [part] = library.profile_of(found, "").parts
        self.assertEqual(part.event_definitions, expected.event_definitions)
        self.assertEqual((part.summary, part.totals), (None, None))

    def test_side_by_side(self) -> None:
        for kind, count in (("part", 3), ("thread", 2)):
            expected = transform.side_by_side(self.profile, kind)
            numbers = [getattr(part, kind) for part in self.profile.parts]
            with library.Sum() as sums, library.reading(self.path) as handle:
                sums.begin_part(handle, events=expected.events)
                for number in range(6):
                    first = 2 * (numbers[number] - 1)
                    sums.add_part(handle, number, events=[first, first + 1])
                with sums.result() as found:
                    self.check(found, expected)
                    [part] = library.profile_of(found, "").parts
            self.assertEqual(len(part.events), 2 * count)
            self.assertEqual(part.event_definitions, {})
            self.assertEqual((part.summary, part.totals), (expected.self_total(),) * 2)

    def test_renamed(self) -> None:
        """Names that become equal are one function, one file; their calls and jumps are one."""
        files = [transform.substitution(r"s/[0-2]\.c/.c/")]
        functions = [transform.substitution("s/[13579]//")]
        expected = transform.renamed(self.profile.merged(), files, functions)
        self.assertLess(len(expected.functions), len(self.profile.merged().functions))
        key_of = transform.key_renaming(files, functions)
        with library.Sum() as sums, library.reading(self.path) as handle:
            sums.begin_part(handle)
            for number in range(6):
                sums.add_part(handle, number, files[0], key_of)
            with sums.result() as found:
                self.check(found, expected)

    def test_simplified(self) -> None:
        """A copy with one event, by line, without jumps; then functions of one name are told apart."""
        part = self.profile.merged()
        plain = transform.simplified(part, ["Dr"])
        expected = transform.simplified(part, ["Dr"], alike=False)
        renamed = dict(zip(plain.functions, expected.functions))
        with library.Sum() as sums, library.reading(self.path) as handle:
            sums.begin_part(handle, 0, ["Dr"], library.LINE, True)
            for number in range(6):
                sums.add_part(handle, number, None, renamed.__getitem__, [library.NO_EVENT, 0])
            with sums.result() as found:
                self.check(found, expected)
                [part] = library.profile_of(found, "").parts
        self.assertEqual((part.summary, part.totals), (expected.summary, expected.totals))

    def test_chosen(self) -> None:
        """Parts of several files, each as it is."""
        summed = self.file("summed", b"events: Ir\nsummary: 3\nfn=f\n1 3\ntotals: 3\n")
        with library.Sum() as sums:
            for path, numbers in ((self.path, (1, 4)), (summed, (0,))):
                with library.reading(path) as handle:
                    for number in numbers:
                        sums.begin_part(handle, number)
                        sums.add_part(handle, number)
            with sums.result() as found:
                library.write(found, self.directory / "ours")
        parts = [self.profile.parts[1], self.profile.parts[4], *read_profile(summed).parts]
        written = read_profile(self.directory / "ours").parts
        for part, expected in zip(written, parts, strict=True):
            self.assertEqual(added_up(part), added_up(expected))
            self.assertEqual(
                (part.part, part.thread, part.summary),
                (expected.part, expected.thread, expected.summary),
            )

    def test_not_alike(self) -> None:
        """What is not mapped needs to be the same."""
        other = self.file("other", b"events: Ir\nfn=f\n1 1\n")
        for columns, message in (
            (0, f"{other}:1: events: Ir; expected Ir Dr as in {self.path}"),
            (library.LINE, f"{other}:1: positions: line; expected instr line as in {self.path}"),
        ):
            with library.Sum() as sums, library.reading(self.path) as first:
                sums.begin_part(first)
                sums.add_part(first, 0)
                with library.reading(other) as handle, self.assertRaises(LibraryError) as caught:
                    sums.add_part(handle, 0, events=[1] if columns else [])
            self.assertEqual(str(caught.exception), message)
        with library.Sum() as sums, library.reading(self.path) as first:
            sums.begin_part(first, columns=library.INSTR | library.LINE)
            with library.reading(other) as handle:
                sums.add_part(handle, 0, events=[1])
            with sums.result() as found:
                [part] = library.profile_of(found, "").parts
        self.assertEqual((part.positions, part.self_total()), (["instr", "line"], [0, 1]))


def once(function: Function) -> tuple[list[Call], list[Jump]]:
    """A function's calls and jumps with those of one place added up."""
    calls: dict[object, Call] = {}
    for call in function.calls:
        known = calls.get((call.callee, call.source, call.target))
        if known:
            known.count += call.count
            add_cost(known.inclusive, call.inclusive)
        else:
            calls[call.callee, call.source, call.target] = call
    jumps: dict[object, Jump] = {}
    for jump in function.jumps:
        way = jump.target_function, jump.source, jump.target, jump.conditional
        if way in jumps:
            jumps[way].taken += jump.taken
            jumps[way].executed += jump.executed
        else:
            jumps[way] = jump
    return list(calls.values()), list(jumps.values())


if __name__ == "__main__":
    unittest.main()
