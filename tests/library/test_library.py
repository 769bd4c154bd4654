"""libcg2profile by its C interface: sums in any order, chosen parts, packed and damaged files, no memory."""

from __future__ import annotations

import errno
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
from library import Directory, read_by_line  # noqa: E402
from profiletexts import SAMPLE, Chance, mutant  # noqa: E402

from cg2tools.bindings.interface import profile_library, reference  # noqa: E402
from cg2tools.bindings.structures import cg2p_error  # noqa: E402
from cg2tools.profile.libcg2profile import (  # noqa: E402
    FUNCTIONS,
    LINES,
    SUMS,
    Sum,
    read,
)
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
    program = cg2test.compile("recursion.c", "-O1", is_dynamic=True)
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
    except ProfileError as error:
        # Python shows a byte that is no UTF-8 as it keeps it.
        return re.sub(r"\\udc([0-9a-f]{2})", r"\\x\1", str(error))


class Reading(Directory):
    def test_profiles(self) -> None:
        for path in [self.file("sample", SAMPLE), *profiles()]:
            with self.subTest(path.name):
                self.assertEqual(comparable(read_by_line(path)), comparable(read_profile(path)))

    def check_mutants(self, seed: int, count: int) -> None:
        chance = Chance(seed)
        read = refused = 0
        for number in range(count):
            data = mutant(chance)
            if NOT_COMPARED.search(data):
                continue
            path = self.file("mutant", data)
            found, expected = outcome(read_by_line, path), outcome(read_profile, path)
            if found != expected:
                self.fail(f"mutant {number}: {found!r}; expected {expected!r}\n{data!r}")
            read += not isinstance(found, str)
            refused += isinstance(found, str)
        self.assertGreater(min(read, refused), count // 20)

    def test_mutants(self) -> None:
        """Read line by line, a file says what its tables say; or is refused with the same words."""
        self.check_mutants(SEED, MUTANTS)

    def test_more_mutants(self) -> None:
        self.check_mutants(SEED + 1, MORE_MUTANTS)

    test_more_mutants.full = True  # type: ignore[attr-defined]

    def test_details(self) -> None:
        """Without lines, and without arcs, the functions and what they cost are the same."""
        path = self.file("details", b"events: Ir\nfn=f\n1 5\ncfn=g\ncalls=2 7\n2 30\nfn=g\n7 30\n")
        for detail, n_arcs in (
            (FUNCTIONS, 0),
            (SUMS, 1),
            (LINES, 1),
        ):
            [part] = read(path, detail=detail).parts
            self.assertEqual([key.name for key in part.functions()], ["f", "g"])
            self.assertEqual([list(cost) for cost in part.self_costs()], [[5], [30]])
            self.assertEqual([*part.arcs().counts], [2] * n_arcs)

    def test_functions_with_lines(self) -> None:
        """Functions with lines are in the order of their first lines; what is only called is none of them."""
        text = b"events: Ir\nfn=(1) a\ncfn=(2) b\ncalls=1 1\n1 5\nfn=(3) c\n1 2\nfn=(4) none\n"
        path = self.file("profile", text + b"fn=(2)\n1 5\nfn=(1)\n2 1\ncfn=d\ncalls=1 1\n3 1\n")
        part = read(path).parts[0]
        keys = part.functions()
        self.assertEqual([keys[i].name for i in part.functions_with_lines()], ["a", "c", "b"])
        self.assertEqual(len(read(path, detail=SUMS).parts[0].functions_with_lines()), 0)

    def test_large_numbers(self) -> None:
        """A sum of more than 64 bits is refused in the line that makes it so; Python would count on."""
        most = (1 << 64) - 1
        path = self.file("large", f"events: Ir\nfn=f\n1 {most}\n2 1\n".encode())
        with self.assertRaisesRegex(
            ProfileError, f"{path}:4: the costs of Ir add up to more than 64 bits"
        ):
            read_by_line(path)
        path = self.file("one", f"events: Ir\nfn=f\n{most} {most}\n".encode())
        [part] = read_by_line(path).parts
        self.assertEqual(part.self_total(), [most])
        path = self.file("far", f"events: Ir\nfn=f\n{most} 1\n+1 1\n".encode())
        with self.assertRaisesRegex(
            ProfileError, ":4: position 18446744073709551616 after relative steps"
        ):
            read_by_line(path)

    def test_many_skipped(self) -> None:
        """Calls of a function that was left out are added up, too."""
        most = (1 << 64) - 1
        path = self.file(
            "skipped", f"desc: Skipped: {most} f\ndesc: Skipped: 1 f\nevents: Ir\n".encode()
        )
        with self.assertRaisesRegex(
            ProfileError, f"{path}:2: the calls of 'f' add up to more than 64 bits; expected a sum"
        ):
            read(path)

    def test_long_lines(self) -> None:
        """A line may be longer than what is read at a time."""
        name = "f" * 5_000_000
        path = self.file("long", f"events: Ir\nfn={name}\n1 7".encode())
        [part] = read_by_line(path).parts
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
        expected = comparable(read_by_line(self.file("plain", text)))
        packed = {
            "whole.gz": gzip.compress(text),
            "pieces.gz": gzip.compress(text[:1000]) + gzip.compress(text[1000:]),
            "file.zst": zstd(text),
            "far.zst": zstd(text, "--long=29"),
        }
        for name, data in packed.items():
            with self.subTest(name):
                found = comparable(read_by_line(self.file(name, data)))
                found.path = expected.path
                for part in (*found.parts, *expected.parts):
                    part.path = ""
                self.assertEqual(found, expected)

    def test_window(self) -> None:
        """A few bytes of zstd's cannot ask for gigabytes."""
        path = self.file("far", zstd(self.content(), "--long=30"))
        with self.assertRaisesRegex(
            ProfileError,
            f"{path}: its zstd data need a window of more than 512 MiB; expected less, or what zstd -d "
            "--long=31 makes of it",
        ):
            read_by_line(path)

    def test_truncated(self) -> None:
        data = gzip.compress(self.content())
        for name, whole in (
            ("gzip", data),
            ("zstd", zstd(self.content())),
        ):
            path = self.file("cut", whole[: len(whole) // 2])
            with self.assertRaisesRegex(
                ProfileError,
                f"{path}: the {name} data end at byte {len(whole) // 2}; expected the whole file",
            ):
                read_by_line(path)

    def test_damaged(self) -> None:
        data = bytearray(gzip.compress(self.content()))
        data[-6] ^= 1  # of the checksum
        path = self.file("damaged", bytes(data))
        with self.assertRaisesRegex(
            ProfileError, f"{path}: the gzip data are damaged at byte [0-9]+;"
        ):
            read_by_line(path)

    def test_pipe(self) -> None:
        text = self.content()
        expected = read_by_line(self.file("plain", text)).merged().self_total()
        pipe = self.directory / "pipe"
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_bytes, args=[text])
        writer.start()
        self.assertEqual(read_by_line(pipe).merged().self_total(), expected)
        writer.join()

    def test_changes_meanwhile(self) -> None:
        """A file that grows, shrinks or is written anew meanwhile is refused for that, whatever its text is
        then."""
        text = long_text()
        for name, data in ("plain", text), ("gzip", gzip.compress(text)), ("zstd", zstd(text)):
            self.assertGreater(len(data), 1 << 20)  # so much is read at a time
            for change in grow, shrink, write_anew:
                with self.subTest(name, change=change.__name__):
                    path = self.file(name, data)
                    os.utime(path, (0, 0))
                    with self.assertRaises(ProfileError) as caught:
                        read(path, once_for(change, path))
                    self.assertEqual(
                        str(caught.exception),
                        f"{path}: the file has changed while it was read; expected one that is "
                        "written completely",
                    )

    def test_replaced_meanwhile(self) -> None:
        """What takes the place of a file that is read, or that it goes, is not noticed: it is read as it
        was."""
        text = long_text()
        changes: list[Callable[[Path], None]] = [replace, Path.unlink]
        for change in changes:
            path = self.file("plain", text)
            [part] = read(path, once_for(change, path)).parts
            self.assertEqual(part.self_total(), [50_000])

    def test_not_there(self) -> None:
        for path, message in (
            (self.directory / "none", "No such file or directory"),
            (self.directory, "Is a directory"),
        ):
            with self.assertRaisesRegex(OSError, message) as caught:
                read(path)
            self.assertEqual(caught.exception.filename, str(path))

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
from cg2tools.profile.libcg2profile import read
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (8 << 20),) * 2)
try:
    read(sys.argv[1])
except MemoryError as error:
    print(error)
"""


class Errors(Directory):
    def test_fields(self) -> None:
        """What a program in C is told: kind, errno, line of the file, and a text of one line."""
        malformed, system = 1, 2
        self.file("wrong", b"events: Ir\nfn=f\nx\n")
        for name, kind, code, line, message in (
            ("wrong", malformed, 0, 3, "wrong:3: unknown line 'x'; expected 'key: value', "),
            ("none", system, errno.ENOENT, 0, "none: No such file or directory"),
        ):
            error = cg2p_error()
            path = os.fsencode(self.directory / name)
            self.assertIsNone(
                profile_library().cg2p_profile_read(path, LINES, 0, None, reference(error))
            )
            self.assertEqual((error.kind, error.code, error.line), (kind, code, line))
            self.assertTrue(error.text.startswith(os.fsencode(f"{self.directory}/{message}")))

    def test_standard_output(self) -> None:
        """ "-" is called standard output."""
        path = self.file("profile", b"events: Ir\nfn=f\n1 1\n")
        with open("/dev/full", "wb") as full:
            ended = subprocess.run(
                [sys.executable, "-c", WRITE_TO_STANDARD_OUTPUT, str(path)],
                env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
                stdout=full,
                stderr=subprocess.PIPE,
                check=False,
            )
        self.assertEqual(ended.stderr, b"standard output: No space left on device\n")


WRITE_TO_STANDARD_OUTPUT = """\
import sys
from cg2tools.bindings.interface import profile_library, reference
from cg2tools.bindings.structures import cg2p_error
from cg2tools.profile.libcg2profile import read
profile, error = read(sys.argv[1]), cg2p_error()
profile_library().cg2p_profile_write(profile.handle, b"-", 0, reference(error))
print(error.text.decode(), file=sys.stderr)
"""


class Writing(Directory):
    def test_without_lines(self) -> None:
        """A profile that was read without its lines is not written as if it had none."""
        target = self.directory / "target"
        for detail in FUNCTIONS, SUMS:
            found = read(self.file("sample", SAMPLE), detail=detail)
            with self.assertRaisesRegex(
                ProfileError, f"^{target}: the profile was read without lines; expected CG2P_LINES"
            ):
                found.write(target)
            self.assertFalse(target.exists())

    def check_again(self, text: bytes, expected: bytes) -> None:
        """Hold that a profile is written with some lines, and so is what was written."""
        path = self.file("once", text)
        for target in self.directory / "again", self.directory / "twice":
            read(path).write(target)
            self.assertIn(expected, target.read_bytes())
            path = target

    def test_event_of_digits(self) -> None:
        """The digits of an event's name in a formula are not read as a factor."""
        self.check_again(
            b"event: A = Ir + 01  0ILm - 1 72 - 7\nevents: Ir\nfn=f\n1 1\n",
            b"event: A = Ir + 1 0ILm - 1 72 - 7\n",
        )

    def test_returns(self) -> None:
        """A carriage return behind a name is one of the line's end, also with blanks behind."""
        self.check_again(b"events: Ir\nfl=a.c\r \t\r\nfn=f\r \n1 1\n", b"\nfl=(1) a.c\nfn=(1) f\n")

    def test_later_creator(self) -> None:
        """A creator that only the second profile of a file says is not written, as the first one has no
        totals. Another one is."""
        for creator, is_kept in (b"callgrind-cg2-0.1", False), (b"xdebug 3", True):
            second = b"creator: %s\nevents: Ir\nfl=a.c\nfn=f\n1 2\ntotals: 2\n" % creator
            path = self.file("both", b"events: Ir\nfl=a.c\nfn=f\n1 1\n" + second)
            read(path).write(self.directory / "copy")
            self.assertEqual(creator in (self.directory / "copy").read_bytes(), is_kept)
            totals = [part.self_total() for part in read(self.directory / "copy").parts]
            self.assertEqual(totals, [[1], [2]])

    def test_no_command(self) -> None:
        """A part that says that it has no command keeps none behind one that has."""
        part = b"events: Ir\nfn=f\n1 1\n"
        path = self.file("once", b"cmd: ./a\n" + part + b"cmd:\n" + part)
        for target in self.directory / "again", self.directory / "twice":
            read(path).write(target)
            self.assertEqual(target.read_bytes().count(b"\ncmd:\n"), 1)
            self.assertEqual(target.read_bytes().count(b"\ncmd: ./a\n"), 1)
            path = target

    def test_packed(self) -> None:
        path = self.file("sample", SAMPLE)
        profile = read(path)
        profile.write(self.directory / "plain")
        profile.write(self.directory / "packed.gz")
        packed = gzip.decompress((self.directory / "packed.gz").read_bytes())
        self.assertEqual(packed, (self.directory / "plain").read_bytes())

    def test_nothing_is_left(self) -> None:
        """Where a file cannot be written, the error says so and nothing is left behind."""
        path = self.file("sample", SAMPLE)
        profile = read(path)
        for to, error in (
            (self.directory, IsADirectoryError),
            (self.directory / "none" / "profile", FileNotFoundError),
        ):
            with self.assertRaises(error) as caught:
                profile.write(to)
            self.assertEqual(caught.exception.filename, str(to))
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
            with self.assertRaises(ProfileError) as caught:
                library.merge([first, path], self.directory / "sum")
            self.assertEqual(str(caught.exception), message)

    def test_too_large(self) -> None:
        most = (1 << 64) - 1
        paths = [self.file(f"most{i}", f"events: Ir\nfn=f\n1 {most}\n".encode()) for i in range(2)]
        with self.assertRaisesRegex(
            ProfileError, f"{paths[1]}:1: its sum with the other profiles does not fit"
        ):
            library.merge(paths, self.directory / "sum")

    def test_nothing(self) -> None:
        with self.assertRaisesRegex(ProfileError, "^a sum: nothing was added; expected at least"):
            library.merge([], self.directory / "sum")

    def test_sums_only(self) -> None:
        """What was read without lines is added up without them."""
        paths = self.files()
        expected: dict[FunctionKey, list[int]] = {}
        total = Sum()
        for path in paths:
            total.add_profile(read(path, detail=SUMS))
            [part] = read_profile(path).parts
            for key, function in part.functions.items():
                before = expected.get(key, [0, 0])
                expected[key] = [a + b for a, b in zip(before, function.self_cost())]
        [sums] = total.result().parts
        self.assertEqual(library.self_costs(sums), expected)


HEAD = "desc: Trigger: all\nevent: S = 2 Ir + Dr : Sum\n"


class Parts(Several):
    """Sums of parts that are chosen."""

    def setUp(self) -> None:
        super().setUp()
        texts = [path.read_text() for path in self.files()]
        self.path = self.file(
            "parts",
            "".join(
                f"part: {number // 2 + 1}\nthread: {number % 2 + 1}\n{HEAD}"
                f"desc: Skipped: {number} skip\n"
                + "".join(line for line in text.splitlines(True) if line[:2] != "cr")
                for number, text in enumerate(texts)
            ).encode(),
        )
        self.profile = read_profile(self.path)

    def test_chosen(self) -> None:
        """Parts of several files, each as it is."""
        summed = self.file("summed", b"events: Ir\nsummary: 3\nfn=f\n1 3\ntotals: 3\n")
        total = Sum()
        for path, numbers in ((self.path, (1, 4)), (summed, (0,))):
            parts = read(path).parts
            for number in numbers:
                total.begin(parts[number])
                total.add(parts[number])
        total.result().write(self.directory / "ours")
        expected = [self.profile.parts[1], self.profile.parts[4], *read_profile(summed).parts]
        written = read_profile(self.directory / "ours").parts
        for found, part in zip(written, expected, strict=True):
            self.assertEqual(added_up(found), added_up(part))
            self.assertEqual(
                (found.part, found.thread, found.summary), (part.part, part.thread, part.summary)
            )

    def test_not_alike(self) -> None:
        """What is not mapped needs to be the same."""
        path = self.file("other", b"events: Ir\nfn=f\n1 1\n")
        first, [other] = read(self.path).parts[0], read(path).parts
        events = f"{path}:1: events: Ir; expected Ir Dr as in {self.path}"
        positions = f"{path}:1: positions: line; expected instr line as in {self.path}"
        for mapped, message in (((), events), ((1,), positions)):
            total = Sum()
            total.begin(first)
            total.add(first)
            with self.assertRaises(ProfileError) as caught:
                total.add(other, events=mapped)
            self.assertEqual(str(caught.exception), message)
        total = Sum()
        total.begin(first, positions=["instr", "line"])
        total.add(other, events=[1])
        [part] = library.profile_of(total.result(), "").parts
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
