"""cg2_convert: the sums of every format, stacks against brute force, its errors."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import shutil
import subprocess
import tempfile
import unittest
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from toolsupport import TOOLS, Part, part

import cg2test
import starts
from cg2tools.profile.callgraph import CallGraph
from cg2tools.profile.reader import read_profile
from cg2tools.profile.libcg2profile import NONE
from cg2tools.profile.stacks import FOLDED, PPROF, Stacks

HERE = Path(__file__).resolve().parent

TWO_CALLERS = """\
# callgrind format
version: 1
creator: callgrind-cg2-0.1
pid: 4711
cmd: ./app 1
positions: line
events: Ir Dr
summary: 107 12
ob=/bin/app
fl=main.c
fn=main
3 1
cfn=f
calls=1 10
4 60 8
cfn=g
calls=2 20
5 46 4
fn=f
10 20 1
cfn=leaf
calls=1 30
11 40 7
fn=g
20 36 1
cfn=leaf
calls=4 30
21 10 3
fn=leaf
30 11 5
cob=/lib/libc.so
cfi=c.c
cfn=puts
calls=5 1
31 33 5
fi=inl.h
7 6
ob=/lib/libc.so
fl=c.c
fn=puts
1 33 5
totals: 107 12
"""

STACKS = """\
main 1
main;f 20
main;f;leaf 14
main;f;leaf;puts 26
main;g 36
main;g;leaf 3
main;g;leaf;puts 7
"""

CHAINED = """\
events: Ir
fn=main
1 1
cfn=f'main
calls=1 1
1 100
fn=f'main
1 20
cfn=f'2'main
calls=1 1
1 80
fn=f'2'main
1 50
cfn=f'2'main
calls=3 1
1 90
cfn=g'f'main
calls=1 1
1 30
fn=g'f'main
1 30
"""


# A program of three threads, which cost `clone` 5 each; the calls that make them cost it 18 each.
# The work is done by them alone, and by `worker` for what it has made itself.
THREADS = """\
events: Ir
fn=main
1 10
cfn=make
calls=2 1
2 44
fn=make
1 12
cfn={root}
calls=3 1
2 54
fn={root}
1 69
cfn=worker
calls=3 1
2 1000
fn=worker
1 78
cfn=make
calls=1 1
2 22
cfn=leaf
calls=3 1
3 900
fn=leaf
1 900
"""


def convert(
    *arguments: str | Path, status: int = 0, stdin: str = "", directory: Path | None = None
) -> tuple[bytes, str]:
    """What cg2_convert writes to its standard streams."""
    ended = starts.run_bytes(
        [TOOLS / "cg2_convert", *arguments],
        directory=directory or tempfile.gettempdir(),
        limit=cg2test.HANG,
        environment={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        stdin=stdin.encode(),
    )
    errors = ended.stderr.decode()
    assert ended.returncode == status, (ended.returncode, errors)
    assert "Traceback" not in errors
    return ended.stdout, errors


def counts(text: str) -> Counter[str]:
    """The stacks of folded text."""
    found: Counter[str] = Counter()
    for line in text.splitlines():
        stack, number = line.rsplit(maxsplit=1)
        found[stack] += int(number)
    return found


def written(stacks: Stacks, form: int, events: Sequence[int] = (0,)) -> bytes:
    with tempfile.TemporaryDirectory(prefix="cg2tools-") as folder:
        path = Path(folder) / "stacks"
        stacks.write(path, form, events)
        return path.read_bytes()


def stacks_of(found: Part, smallest: float = 0) -> Counter[str]:
    return counts(written(Stacks(found, smallest), FOLDED).decode())


LONG = "std::vector<int, std::allocator<int> >::push_back(int&&)"

NAMES = f"""\
events: Ir
ob=/lib/libgcc_s.so.1
fl=???
fn=0x0000000000014c40
0 1
ob=/lib/other.so
fn=0x0000000000014c40
0 2
ob=/bin/app
fl=a.cc
fn=main
1 4
cfn={LONG}
calls=1 1
1 8
fn={LONG}
1 8
fn=over(int)
1 16
fn=over(long)'2
1 32
"""
"""Functions that are said in another way than they are called: one of a template, two overloads, one
of which is level 2 of a recursion, and two without a name at the same address."""

SAID = {
    "libgcc_s.so.1+0x14c40": 1,
    "other.so+0x14c40": 2,
    "main": 4,
    "main;std::vector<int>::push_back": 8,
    "over(int)": 16,
    "over(long)": 32,
}


# ------------------------------------------------------------ a decoder of Firefox's format


def firefox_stacks(thread: Any) -> Counter[tuple[tuple[str, str, int | None, str], ...]]:
    """The stacks of a thread, each as name, file, line and object of its frames, and what they weigh."""
    for name, table in thread.items():
        if isinstance(table, dict):
            for column, items in table.items():
                if isinstance(items, list):
                    assert len(items) == table["length"], f"{name}.{column}"
    strings, functions = thread["stringArray"], thread["funcTable"]
    frames, nodes, samples = thread["frameTable"], thread["stackTable"], thread["samples"]

    def frame(number: int) -> tuple[str, str, int | None, str]:
        function = frames["func"][number]
        resource = thread["resourceTable"]["name"][functions["resource"][function]]
        names = functions["name"][function], functions["fileName"][function]
        return strings[names[0]], strings[names[1]], frames["line"][number], strings[resource]

    found: Counter[tuple[tuple[str, str, int | None, str], ...]] = Counter()
    time = 0
    for node, at, weight in zip(samples["stack"], samples["time"], samples["weight"]):
        assert round(1000 * at) == time
        stack = []
        while node is not None:
            assert nodes["prefix"][node] is None or nodes["prefix"][node] < node
            stack.append(frame(nodes["frame"][node]))
            node = nodes["prefix"][node]
        found[tuple(reversed(stack))] += weight
        time += weight
    return found


# ------------------------------------------------------------ a decoder of pprof's format


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """Number and value of each field of a message: an integer or bytes."""
    at = 0

    def varint() -> int:
        nonlocal at
        number = shift = 0
        while True:
            byte = data[at]
            at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        else:
            assert tag & 7 == 2, tag
            size = varint()
            yield tag >> 3, data[at : at + size]
            at += size
    assert at == len(data)


def single(data: bytes) -> dict[int, Any]:
    """A message whose fields occur once."""
    return dict(fields(data))


def packed(data: bytes) -> list[int]:
    """Varints of one byte or more, each made a message's only field."""
    found, start = [], 0
    for index, byte in enumerate(data):
        if byte < 0x80:
            ((_, number),) = fields(b"\x08" + data[start : index + 1])
            found.append(number)
            start = index + 1
    return found


class Pprof:
    """A decoded profile; `full` has the full names of functions by those shown; `known` says of each object
    whether its functions, files, lines and inlined frames are known; samples are lists of (function, file,
    line, object), innermost first, and values."""

    def __init__(self, data: bytes) -> None:
        message: dict[int, list[Any]] = {}
        for number, value in fields(gzip.decompress(data)):
            message.setdefault(number, []).append(value)
        self.strings = [text.decode() for text in message[6]]
        self.types = [(self.strings[t[1]], self.strings[t[2]]) for t in map(single, message[1])]
        mapped = list(map(single, message[3]))
        mappings = {m[1]: self.strings[m[5]] for m in mapped}
        self.known = {self.strings[m[5]]: [m.get(n, 0) for n in range(7, 11)] for m in mapped}
        functions = {
            f[1]: (self.strings[f[2]], self.strings[f.get(4, 0)]) for f in map(single, message[5])
        }
        self.full = {self.strings[f[2]]: self.strings[f[3]] for f in map(single, message[5])}
        locations = {}
        for location in map(single, message[4]):
            line = single(location[4])
            locations[location[1]] = (*functions[line[1]], line.get(2, 0), mappings[location[2]])
        self.samples = []
        for sample in map(single, message[2]):
            self.samples.append(([locations[i] for i in packed(sample[1])], packed(sample[2])))


# ------------------------------------------------------------ formats


class Formats(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        self.profile = self.directory / "cg2.out.1"
        self.profile.write_text(TWO_CALLERS)

    def test_folded(self) -> None:
        """leaf has 50: f's calls cost 40 of them, g's 10. So 17 of its own are 13.6 and 3.4."""
        text, errors = convert(self.profile)
        self.assertEqual(text.decode(), STACKS)
        self.assertEqual(
            errors,
            "cg2_convert: 46.7% of Ir is in functions called from several places, and apportioned; "
            "--contexts=full when profiling writes exact stacks\n",
        )

    def test_chains(self) -> None:
        """What is apportioned although names have chains: as they are too short, or have no levels."""
        calls = "fn={}\n1 {}\n" + "cfn={}\ncalls=1 1\n1 {}\n" * 2
        short = (
            calls.format("main", 1, "f'main", 40, "g'main", 60)
            + calls.format("f'main", 10, "h'f", 20, "h'f", 10)
            + calls.format("g'main", 10, "h'g", 40, "h'g", 10)
            + "fn=h'f\n1 10\ncfn=i'h\ncalls=1 1\n1 20\n"
            + "fn=h'g\n1 10\ncfn=i'h\ncalls=1 1\n1 40\n"
            + "fn=i'h\n1 15\ncfn=j'i\ncalls=1 1\n1 45\nfn=j'i\n1 45\n"
        )
        several = (
            calls.format("main", 1, "f'main", 40, "f'main", 60)
            + calls.format("f'main", 20, "f'2'main", 60, "g'f'main", 20)
            + "fn=f'2'main\n1 10\ncfn=g'f'main\ncalls=1 1\n1 50\n"
            + "fn=g'f'main\n1 30\ncfn=h'g'f'main\ncalls=1 1\n1 40\nfn=h'g'f'main\n1 40\n"
        )
        for text, said in (
            (
                short,
                "59.4% of Ir is in functions called from several places, and apportioned; "
                "--contexts=full when profiling writes exact stacks",
            ),
            (
                several,
                "69.3% of Ir is in functions called from several levels of a recursion, and apportioned; "
                "--contexts=full when profiling writes exact stacks",
            ),
        ):
            self.profile.write_text(f"events: Ir\n{text}")
            self.assertEqual(convert(self.profile)[1], f"cg2_convert: {said}\n")
            guess = Stacks(read_profile(self.profile).merged()).guess()
            self.assertEqual(guess, said)

    def test_other_event(self) -> None:
        """Each event by its own costs."""
        text, _ = convert("--show=Dr", self.profile)
        self.assertEqual(
            counts(text.decode()),
            {
                "main;f": 1,
                "main;f;leaf": 3,
                "main;f;leaf;puts": 3,
                "main;g": 1,
                "main;g;leaf": 2,
                "main;g;leaf;puts": 2,
            },
        )

    def test_speedscope(self) -> None:
        text, _ = convert("--to=speedscope", self.profile)
        file = json.loads(text)
        self.assertEqual(file["$schema"], "https://www.speedscope.app/file-format-schema.json")
        self.assertEqual(
            set(file), {"$schema", "exporter", "name", "activeProfileIndex", "shared", "profiles"}
        )
        names = [frame["name"] for frame in file["shared"]["frames"]]
        self.assertEqual(sorted(names), ["f", "g", "leaf", "main", "puts"])
        self.assertIn({"name": "puts", "file": "c.c"}, file["shared"]["frames"])
        profiles = {profile["name"]: profile for profile in file["profiles"]}
        for profile, total in (profiles["Ir"], 107), (profiles["Dr"], 12):
            self.assertEqual(
                (profile["type"], profile["unit"], profile["startValue"]), ("sampled", "none", 0)
            )
            self.assertEqual((profile["endValue"], sum(profile["weights"])), (total, total))
        ir = profiles["Ir"]
        found = {
            ";".join(names[i] for i in s): w
            for s, w in zip(ir["samples"], ir["weights"], strict=True)
        }
        self.assertEqual(found, counts(STACKS))

    def test_pprof(self) -> None:
        """By line: of inlined code with its own file, of callers at their calls."""
        output = self.directory / "app.pb.gz"
        convert("--to=pprof", "-o", output, self.profile)
        found = Pprof(output.read_bytes())
        self.assertEqual(found.strings[0], "")
        self.assertEqual(found.types, [("Ir", "count"), ("Dr", "count")])
        self.assertEqual(found.known, dict.fromkeys(["/bin/app", "/lib/libc.so"], [1, 1, 1, 0]))
        sums = [sum(values) for values in zip(*(values for _, values in found.samples))]
        self.assertEqual(sums, [107, 12])
        by_stack: Counter[str] = Counter()
        for locations, values in found.samples:
            by_stack[";".join(name for name, *_ in reversed(locations))] += values[0]
        self.assertEqual(set(by_stack), set(counts(STACKS)))
        lines = {
            tuple(locations): values
            for locations, values in found.samples
            if locations[0][:3] == ("leaf", "inl.h", 7)
        }
        app = "/bin/app"
        self.assertEqual(
            lines,
            {
                (("leaf", "inl.h", 7, app), ("f", "main.c", 11, app), ("main", "main.c", 4, app)): [
                    5,
                    0,
                ],
                (("leaf", "inl.h", 7, app), ("g", "main.c", 21, app), ("main", "main.c", 5, app)): [
                    1,
                    0,
                ],
            },
        )
        self.assertIn(
            "/lib/libc.so",
            {location[3] for locations, _ in found.samples for location in locations},
        )

    def test_chrome(self) -> None:
        """Events lie in those of their callers; what they do not cover is self cost."""
        text, _ = convert("--to=chrome", self.profile)
        events = json.loads(text)["traceEvents"]
        threads = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
        self.assertEqual(sorted(threads.values()), ["Dr", "Ir"])
        for thread, name in threads.items():
            found: Counter[str] = Counter()
            open_events: list[tuple[str, int]] = []  # and where they end
            for event in (e for e in events if e["ph"] == "X" and e["tid"] == thread):
                start, end = event["ts"], event["ts"] + event["dur"]
                while open_events and start >= open_events[-1][1]:
                    open_events.pop()
                if open_events:
                    self.assertLessEqual(end, open_events[-1][1])
                    found[";".join(n for n, _ in open_events)] -= event["dur"]
                open_events.append((event["name"], end))
                found[";".join(n for n, _ in open_events)] += event["dur"]
            self.assertEqual(found.total(), 107 if name == "Ir" else 12)
            if name == "Ir":
                self.assertEqual(found, counts(STACKS))

    def test_firefox(self) -> None:
        """A thread for each event: weights are costs, nodes have the lines of calls."""
        text, _ = convert("--to=firefox", self.profile)
        profile = json.loads(text)
        self.assertEqual(profile["meta"]["preprocessedProfileVersion"], 48)
        found = {thread["name"]: firefox_stacks(thread) for thread in profile["threads"]}
        self.assertEqual(sorted(found), ["Dr", "Ir"])
        self.assertEqual([found[event].total() for event in ("Ir", "Dr")], [107, 12])
        by_stack: Counter[str] = Counter()
        for frames, weight in found["Ir"].items():
            by_stack[";".join(name for name, *_ in frames)] += weight
        self.assertEqual(by_stack, counts(STACKS))
        app = "/bin/app"
        main, f, leaf = (
            ("main", "main.c", 4, app),
            ("f", "main.c", 11, app),
            ("leaf", "inl.h", 7, app),
        )
        self.assertEqual(found["Ir"][main, f, leaf], 5)
        self.assertEqual([each["path"] for each in profile["libs"]][0], app)
        text, _ = convert("--to=firefox", "--show=Dr", self.profile)
        self.assertEqual([thread["name"] for thread in json.loads(text)["threads"]], ["Dr"])

    def test_names(self) -> None:
        """Functions are called as people say them, told apart by parameters or objects; or in full."""
        self.profile.write_text(NAMES)
        full = {
            "0x0000000000014c40": 3,
            "main": 4,
            f"main;{LONG}": 8,
            "over(int)": 16,
            "over(long)": 32,
        }
        for option, expected in (("--names=short", SAID), ("--names=full", full)):
            with self.subTest(option):
                text, _ = convert(option, self.profile)
                self.assertEqual(counts(text.decode()), expected)
                functions = {stack.rpartition(";")[2] for stack in expected}
                text, _ = convert("--to=speedscope", option, self.profile)
                frames = json.loads(text)["shared"]["frames"]
                self.assertEqual({frame["name"] for frame in frames}, functions)
                text, _ = convert("--to=chrome", option, self.profile)
                events = [event for event in json.loads(text)["traceEvents"] if event["ph"] == "X"]
                self.assertEqual({event["name"] for event in events}, functions)
        self.assertEqual(convert(self.profile), convert("--names=short", self.profile))

    def test_names_of_pprof(self) -> None:
        """A function has both names there."""
        self.profile.write_text(NAMES)
        said, full = (
            Pprof(convert("--to=pprof", f"--names={kind}", self.profile)[0])
            for kind in ("short", "full")
        )
        self.assertEqual(
            said.full,
            {
                "libgcc_s.so.1+0x14c40": "0x0000000000014c40",
                "other.so+0x14c40": "0x0000000000014c40",
                "main": "main",
                "std::vector<int>::push_back": LONG,
                "over(int)": "over(int)",
                "over(long)": "over(long)",
            },
        )
        self.assertEqual(full.full, {name: name for name in said.full.values()})
        self.assertEqual(
            sorted(values for _, values in said.samples),
            sorted(values for _, values in full.samples),
        )

    def test_packed(self) -> None:
        """A name in .gz has the same text with gzip."""
        for form in "folded", "speedscope", "chrome", "callgrind":
            output = self.directory / f"{form}.gz"
            plain, _ = convert(f"--to={form}", self.profile)
            convert(f"--to={form}", "-o", output, self.profile)
            self.assertEqual(gzip.decompress(output.read_bytes()), plain)

    def test_callgrind(self) -> None:
        """Two profiles in one file, all as it was."""
        output = self.directory / "both"
        convert("--to=callgrind", "-o", output, self.profile, self.profile)
        both = read_profile(output)
        (one,) = read_profile(self.profile).parts
        self.assertEqual([p.functions == one.functions for p in both.parts], [True, True])
        self.assertEqual(both.merged().self_total(), [214, 24])


class Readers(unittest.TestCase):
    """--for: what a reader of the Callgrind format can take."""

    TEXT = """\
creator: callgrind-cg2-0.1
part: 1
positions: instr line
event: Est = Ir + 2 New : Estimate
events: Ir New
fl=(1) a.c
fn=(1) f
0x10 1 3 1
0x14 1 4 2
jcnd=2/3 0x20 5
0x14 1
fl=(2) b.c
fn=(1)
0x20 5 5 1
cfi=(1)
cfn=(1)
calls=1 0x10 1
+4 +1 7 3
totals: 12 4
part: 2
positions: instr line
events: Ir New
fl=(1) a.c
fn=(1) f
0x10 1 3 1
totals: 3 1
"""

    def lines(self, reader: str, *options: str) -> tuple[list[str], str]:
        with tempfile.NamedTemporaryFile(prefix="profile.") as file:
            file.write(self.TEXT.encode())
            file.flush()
            text, errors = convert(f"--for={reader}", *options, file.name)
        return [line for line in text.decode().splitlines() if line], errors

    def test_speedscope(self) -> None:
        lines, errors = self.lines("speedscope")
        self.assertEqual(errors, "")
        self.assertEqual(
            lines,
            [
                "# callgrind format",
                "version: 1",
                "creator: callgrind-cg2-0.1",
                "positions: line",
                "events: Ir New",
                "summary: 15 5",
                "fl=a.c",
                "fn=f",
                "1 10 4",
                "fl=b.c",
                "fn=f",
                "5 5 1",
                "cfi=a.c",
                "cfn=f",
                "calls=1 1",
                "6 7 3",
                "totals: 15 5",
            ],
        )

    def test_gprof2dot(self) -> None:
        """The graph of gprof2dot knows names only, and shows the first event."""
        lines, _ = self.lines("gprof2dot", "--show=New,Ir")
        self.assertIn("events: New Ir", lines)
        self.assertIn("summary: 5 15", lines)
        self.assertEqual(
            [line for line in lines if "fn=" in line], ["fn=f (a.c)", "fn=f (b.c)", "cfn=f (a.c)"]
        )

    def test_gungraun(self) -> None:
        lines, errors = self.lines("gungraun")
        self.assertEqual(errors, "cg2_convert: without New, which gungraun does not know\n")
        self.assertIn("events: Ir", lines)
        self.assertEqual(
            (lines[-1], [line for line in lines if line.startswith("event:")]), ("totals: 15", [])
        )


# ------------------------------------------------------------ stacks


class Brute:
    """Runs a random program, and profiles it: with full call chains, and by function."""

    def __init__(self, seed: int, functions: int) -> None:
        self.chance = random.Random(seed)
        self.functions = functions
        self.truth: Counter[str] = Counter()
        self.calls: Counter[tuple[str, str]] = Counter()
        self.call(("main",), 100)

    def call(self, stack: tuple[str, ...], budget: int) -> int:
        cost = own = self.chance.randint(1, 9)
        self.truth[";".join(stack)] += own
        while budget and self.chance.random() < 0.8:
            share = self.chance.randrange(budget)
            budget -= share + 1
            callee = (*stack, f"f{self.chance.randrange(self.functions)}")
            below = self.call(callee, share)
            self.calls[";".join(stack), ";".join(callee)] += below
            cost += below
        return cost

    def profile(self, chains: bool) -> Part:
        def name(stack: str) -> str:
            frames = stack.split(";")[::-1]
            return "'".join(frames) if chains else frames[0]

        text = [f"fn={name(stack)}\n1 {cost}\n" for stack, cost in self.truth.items()]
        text += [
            f"fn={name(a)}\ncfn={name(b)}\ncalls=1 1\n1 {cost}\n"
            for (a, b), cost in self.calls.items()
        ]
        return part("events: Ir\n" + "".join(text))


class AgainstBruteForce(unittest.TestCase):
    def test_chains(self) -> None:
        """With full call chains each stack is what was counted, to the unit."""
        several = 0
        for seed in range(100):
            brute = Brute(seed, 1 + seed % 5)
            stacks = Stacks(brute.profile(chains=True))
            self.assertEqual(counts(written(stacks, FOLDED).decode()), brute.truth)
            self.assertEqual(stacks.apportioned, 0)
            several += len(brute.truth) > 20
        self.assertGreater(several, 20)

    def test_graphs(self) -> None:
        """Without them each function has its own cost, in circles too, and no stack goes round."""
        for seed in range(200):
            found = Brute(seed, 1 + seed % 7).profile(chains=False)
            for smallest in 0, 0.05, 0.5:
                own: Counter[str] = Counter()
                for stack, cost in stacks_of(found, smallest).items():
                    frames = stack.split(";")
                    self.assertEqual(len(set(frames)), len(frames), stack)
                    own[frames[-1]] += cost
                self.assertEqual(
                    own, {k.name: f.self_cost()[0] for k, f in found.functions.items()}
                )

    def test_lines(self) -> None:
        """Each line's cost is divided, too, and adds up."""
        found = part(TWO_CALLERS)
        sums: dict[tuple[str, str, int], list[int]] = {}
        for locations, cost in Pprof(written(Stacks(found, by_line=True), PPROF, [0, 1])).samples:
            so_far = sums.setdefault(locations[0][:3], [0, 0])
            so_far[:] = [a + b for a, b in zip(so_far, cost)]
        self.assertEqual(
            sums,
            {
                (k.name, p.file, p.line): c
                for k, f in found.functions.items()
                for p, c in f.costs.items()
                if any(c)
            },
        )


class Graphs(unittest.TestCase):
    def test_levels_and_chains(self) -> None:
        """Marks of levels and chains are no part of names; a level's calls of itself are not followed."""
        self.assertEqual(
            stacks_of(part(CHAINED)), {"main": 1, "main;f": 20, "main;f;f": 50, "main;f;f;g": 30}
        )

    def test_names_with_apostrophes(self) -> None:
        found = part(
            'events: Ir\nfn=a\n1 1\ncfn=operator""\'x\ncalls=1 1\n1 2\nfn=operator""\'x\n1 2\n'
        )
        self.assertEqual(stacks_of(found), {"a": 1, 'a;operator""\'x': 2})

    def test_circle(self) -> None:
        """even and odd are entered twice, with 30 and 10: each has 3/4 and 1/4 of its cost there."""
        found = part(
            "events: Ir\nfn=main\n1 1\ncfn=even\ncalls=1 1\n1 30\ncfn=odd\ncalls=1 1\n1 10\n"
            "fn=even\n1 20\ncfn=odd\ncalls=5 1\n1 70\nfn=odd\n1 20\ncfn=even\ncalls=5 1\n1 60\n"
        )
        self.assertEqual(
            stacks_of(found),
            {"main": 1, "main;even": 15, "main;even;odd": 15, "main;odd": 5, "main;odd;even": 5},
        )

    def test_circle_without_entry(self) -> None:
        found = part(
            "events: Ir\nfn=a\n1 3\ncfn=b\ncalls=1 1\n1 9\nfn=b\n1 4\ncfn=a\ncalls=1 1\n1 9\n"
        )
        self.assertEqual(stacks_of(found), {"a": 3, "a;b": 4})

    def test_root_that_is_called_too(self) -> None:
        """A handler of 10 that the program calls as well, for 4."""
        found = part("events: Ir\nfn=main\n1 1\ncfn=h\ncalls=1 1\n1 4\nfn=h\n1 10\n")
        self.assertEqual(stacks_of(found), {"main": 1, "main;h": 4, "h": 6})

    def test_small_shares(self) -> None:
        """Two of 1 % become one below 5 %; with 0 each is shown."""
        text = "events: Ir\nfn=f\n1 100\n" + "".join(
            f"fn={name}\ncfn=f\ncalls=1 1\n1 {cost}\n"
            for name, cost in (("a", 98), ("b", 1), ("c", 1))
        )
        self.assertEqual(stacks_of(part(text), 0.05), {"a;f": 98, "(small shares);f": 2})
        self.assertEqual(stacks_of(part(text)), {"a;f": 98, "b;f": 1, "c;f": 1})

    def test_long_chain(self) -> None:
        """Deeper than Python's own stack."""
        text = "".join(
            f"fn=f{i}\n1 1\ncfn=f{i + 1}\ncalls=1 1\n1 {3000 - i}\n" for i in range(3000)
        )
        stacks = Stacks(part(f"events: Ir\n{text}fn=f3000\n1 1\n"))
        self.assertEqual((stacks.count, list(stacks.cost(0))), (3001, [3001]))
        self.assertEqual(list(stacks.callers), [NONE, *range(3000)])

    def test_largest_remainder(self) -> None:
        """What is left over of a cost goes to the largest remainders, of equal ones to the first."""
        for amount, costs, pieces in (
            (10, [10, 10, 10], [4, 3, 3]),
            (17, [40, 10], [14, 3]),
            (2, [1, 5, 4], [0, 1, 1]),
            (2**63 + 1, [2**63, 2**63], [2**62 + 1, 2**62]),
        ):
            text = f"events: Ir\nfn=f\n1 {amount}\n" + "".join(
                f"fn=f{number}\ncfn=f\ncalls=1 1\n1 {cost}\n" for number, cost in enumerate(costs)
            )
            expected = {f"f{number};f": piece for number, piece in enumerate(pieces) if piece}
            self.assertEqual(stacks_of(part(text)), expected)


PATHS = """\
# cg2 paths
version: 1
creator: callgrind-cg2-0.1
cmd: ./app
part: 1
positions: line
events: Ir Dr
summary: 100007 7
paths: 7
more: 1 3 7

ob=(1) /bin/app
fl=(1) a.c
fn=(1) main
0 1 0 1 1
fn=(2) f
1 2 3 1 10 1
fn=(3) leaf
2 3 11 1 5000
fn=(4) g
1 4 4 2 9
2 3 21 4 80
2 0 0 3 7 6
0 3 0 1 94900
totals: 100007 7
"""


class Paths(unittest.TestCase):
    """Files of paths: stacks as they are, none too small to be shown."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.paths = Path(folder.name) / "cg2.paths.1"
        self.paths.write_text(PATHS)

    def test_folded(self) -> None:
        text, errors = convert(self.paths)
        self.assertIn("less than 0.1% of Ir is in paths (more)", errors)
        self.assertEqual(
            text.decode().splitlines(),
            ["leaf 94900", "main 1", "main;f 10", "main;f;leaf 5000"]
            + ["main;g 9", "main;g;(more) 7", "main;g;leaf 80"],
        )
        text, _ = convert("--show=Dr", self.paths)
        self.assertEqual(text.decode(), "main;f 1\nmain;g;(more) 6\n")

    def test_formats(self) -> None:
        """Each format has all that the paths cost; pprof the lines of the calls."""
        text, _ = convert("--to=speedscope", self.paths)
        self.assertEqual(sum(json.loads(text)["profiles"][0]["weights"]), 100007)
        packed, _ = convert("--to=pprof", self.paths)
        raw = gzip.decompress(packed)
        for line in (3, 4, 11, 21):
            self.assertIn(bytes([0x10, line]), raw)
        text, _ = convert("--to=firefox", self.paths)
        (thread, other) = json.loads(text)["threads"]
        found, app = firefox_stacks(thread), "/bin/app"
        self.assertEqual((found.total(), firefox_stacks(other).total()), (100007, 7))
        main, g = ("main", "a.c", 4, app), ("g", "a.c", 21, app)
        self.assertEqual(found[main, g, ("leaf", "a.c", None, app)], 80)
        self.assertEqual(found[main, ("g", "a.c", None, app), ("(more)", "???", None, "???")], 7)

    def test_go(self) -> None:
        """What Go's pprof, which reads the format, says of the stacks, and of the lines of calls."""
        if not shutil.which("go"):
            self.skipTest("Go's pprof is not installed (Debian: apt-get install golang-go)")
        output = self.paths.with_suffix(".pb.gz")
        convert("--to=pprof", "-o", output, self.paths)
        command = ["go", "tool", "pprof", "-sample_index=Ir", "-lines", "-traces", str(output)]
        home = {"HOME": str(output.parent)}
        ended = subprocess.run(
            command, capture_output=True, text=True, env=os.environ | home, check=True
        )
        _, *traces = re.split("-+[+]-+\n", ended.stdout)
        self.assertEqual(
            sorted(" ".join(trace.split()) for trace in traces if trace),
            [
                "1 main a.c",
                "10 f a.c main a.c:3",
                "5000 leaf a.c f a.c:11 main a.c:3",
                "7 (more) g a.c main a.c:4",
                "80 leaf a.c g a.c:21 main a.c:4",
                "9 g a.c main a.c:4",
                "94900 leaf a.c",
            ],
        )

    def test_several(self) -> None:
        """Several files, packed or not, and parts of one add up path by path."""
        other = PATHS.replace("part: 1", "part: 2").replace("fn=(2) f", "fn=(2) h")
        parts = self.paths.with_name("parts.gz")
        parts.write_bytes(gzip.compress((PATHS + "\n" + other).encode()))
        text, _ = convert(self.paths, parts)
        self.assertEqual(
            text.decode().splitlines(),
            ["leaf 284700", "main 3", "main;f 20", "main;f;leaf 10000", "main;g 27"]
            + ["main;g;(more) 21", "main;g;leaf 240", "main;h 10", "main;h;leaf 5000"],
        )
        text, _ = convert("--parts=2", parts)
        self.assertEqual(text.decode().splitlines()[5:], ["main;h 10", "main;h;leaf 5000"])
        _, errors = convert(self.paths, self.profile(), status=1)
        self.assertIn("a profile; expected paths of calls as in", errors)

    def profile(self) -> Path:
        """An ordinary profile of the same events."""
        path = self.paths.with_name("profile")
        path.write_text("positions: line\nevents: Ir Dr\nfn=main\n1 2\n")
        return path

    def test_refused(self) -> None:
        cases: list[tuple[str | Path, str]] = [
            ("--to=callgrind", "paths of calls; expected a profile, or --to=folded|speedscope|"),
            ("--parts=2", "no part 2; expected one of 1"),
            ("--inlines=yes", "paths of calls; expected a profile"),
            ("--show=Bc", "no event Bc; expected one of Ir, Dr"),
        ]
        for argument, said in cases:
            with self.subTest(said):
                _, errors = convert(argument, self.paths, status=1)
                self.assertIn(f"{self.paths}:", errors)
                self.assertIn(said, errors)


class Perf(unittest.TestCase):
    """Folded stacks to the Callgrind format."""

    def read(self, text: str) -> Part:
        with tempfile.TemporaryDirectory(prefix="cg2tools-") as folder:
            output = Path(folder) / "perf.out"
            convert("--from=folded", "--event=cycles", "-o", output, stdin=text)
            (only,) = read_profile(output).parts
        only.check()
        self.assertEqual(only.events, ["cycles"])
        return only

    def test_small(self) -> None:
        found = self.read(
            "app;main;f 3\napp;main;f;f;g 10\n\napp;main;operator new(unsigned long) 4\n"
        )
        self.assertEqual(found.summary, [17])
        graph = CallGraph(found)
        self.assertEqual(
            {k.name: node.inclusive[0] for k, node in graph.nodes.items()},
            {"app": 17, "main": 17, "f": 13, "g": 10, "operator new(unsigned long)": 4},
        )

    def test_names(self) -> None:
        """What a profile would take for an id, or for two lines, is replaced."""
        found = self.read("(1) f;(0xc) g;h\ti 3\n")
        self.assertEqual({key.name for key in found.functions}, {"[1] f", "[0xc] g", "h?i"})

    def test_inclusive(self) -> None:
        """Random stacks: a stack's cost counts once for each function in it."""
        for seed in range(20):
            stacks = Brute(seed, 1 + seed % 6).truth
            inclusive: Counter[str] = Counter()
            for stack, cost in stacks.items():
                for name in set(stack.split(";")):
                    inclusive[name] += cost
            found = self.read("".join(f"{stack} {cost}\n" for stack, cost in stacks.items()))
            graph = CallGraph(found)
            self.assertEqual(
                {k.name: node.inclusive[0] for k, node in graph.nodes.items()}, inclusive
            )
            self.assertEqual(found.self_total(), [stacks.total()])

    def test_back(self) -> None:
        """What is folded without recursion is folded again as it was."""
        text = "a 1\na;b 20\na;b;c 300\n"
        self.assertEqual(stacks_of(self.read(text)), counts(text))


class Programs(unittest.TestCase):
    """recursion.c as cg2 profiles it."""

    def setUp(self) -> None:
        if not list(cg2test.IN_PLACE.glob("cg2-*")):
            self.skipTest(f"{cg2test.IN_PLACE} has no cg2")
        folder = tempfile.TemporaryDirectory(prefix="cg2tools-")
        self.addCleanup(folder.cleanup)
        self.program = Path(folder.name) / "recursion"
        source = HERE / "recursion.c"
        flags = ("-O1", "-fno-optimize-sibling-calls", "-static")
        cg2test.compile_to(self.program, str(source), *flags)

    def profile(self, *options: str) -> Path:
        run = cg2test.run_cg2([self.program], *options, tool="cg2", environment=cg2test.lean_env())
        self.assertEqual((run.status, len(run.profile_paths)), (0, 1), run.stderr)
        return run.profile_paths[0]

    def test_chains(self) -> None:
        """Full chains with all levels: the stacks of the calls that main makes, and what each costs."""
        path = self.profile("--separate-callers=100", "--separate-recs=20")
        text, errors = convert(path)
        self.assertEqual(errors, "")
        (whole,) = read_profile(path).parts
        self.assertEqual(counts(text.decode()).total(), whole.self_total()[0])
        own = {}
        for stack, cost in counts(text.decode()).items():
            _, main, below = stack.partition(";main;")
            if main:
                own[below] = cost
        circle = ["odd", "even"]
        for first, depth in ("even", 20), ("even", 7), ("odd", 5):
            start = circle.index(first)
            names = [circle[(start + i) % 2] for i in range(depth + 1)]
            self.assertTrue(all(";".join(names[: i + 1]) in own for i in range(depth + 1)), first)
        facts = [";".join(["fact"] * n) for n in range(1, 7)]
        leaves = {f"{fact};leaf" for fact in facts[:5]}
        self.assertEqual({s for s in own if s.startswith("fact")}, {*facts, *leaves})
        self.assertEqual(
            len({own[fact] for fact in facts[:5]}), 1, "each level of fact runs the same"
        )
        steps = [own[f"{a};leaf"] - own[f"{b};leaf"] for a, b in zip(facts[:4], facts[1:5])]
        self.assertEqual(
            (len(set(steps)), steps[0] > 0), (1, True), "a round of leaf's loop less at each level"
        )

    def test_sums(self) -> None:
        """Every format has the profile's total, whatever the profile keeps apart."""
        for options in (), ("--separate-recs=1",), ("--dump-instr=yes", "--collect-jumps=yes"):
            path = self.profile(*options)
            total = read_profile(path).merged().self_total()[0]
            self.assertEqual(counts(convert(path)[0].decode()).total(), total)
            speedscope = json.loads(convert("--to=speedscope", path)[0])
            self.assertEqual(sum(speedscope["profiles"][0]["weights"]), total)
            pprof = Pprof(convert("--to=pprof", path)[0])
            self.assertEqual(sum(values[0] for _, values in pprof.samples), total)
            trace = json.loads(convert("--to=chrome", path)[0])["traceEvents"]
            ends = [event["ts"] + event["dur"] for event in trace if event["ph"] == "X"]
            self.assertEqual(max(ends), total)
            for reader in "speedscope", "gprof2dot", "gungraun":
                with tempfile.NamedTemporaryFile(prefix="profile.") as file:
                    convert(f"--for={reader}", "-o", file.name, path)
                    (plain,) = read_profile(file.name).parts
                    plain.check()
                self.assertEqual((plain.self_total(), plain.summary), ([total], [total]))
                self.assertFalse(any(function.jumps for function in plain.functions.values()))


class Threads(unittest.TestCase):
    """A thread's root is apart from the call that made the thread: that returns, and calls nothing."""

    ROOTS = "clone", "__clone", "clone3", "__clone3", "__clone_internal", "runtime.clone.abi0"

    def by_main(self, root: str) -> str:
        """The profile, but that main makes all threads."""
        text = THREADS.format(root=root).replace("cfn=make\ncalls=1 1\n2 22\n", "")
        return text.replace("1 78", "1 100").replace("calls=2 1\n2 44", "calls=3 1\n2 66")

    def test_by_one(self) -> None:
        """No call of the thread has the caller of `clone`; what `clone` costs in each is known."""
        for root in self.ROOTS:
            stacks = Stacks(part(self.by_main(root)))
            self.assertEqual(
                counts(written(stacks, FOLDED).decode()),
                {
                    "main": 10,
                    "main;make": 12,
                    f"main;make;{root}": 54,
                    root: 15,
                    f"{root};worker": 100,
                    f"{root};worker;leaf": 900,
                },
            )
            self.assertEqual((stacks.apportioned, list(stacks.cost(0))), (0, [1015]))

    def test_by_threads(self) -> None:
        """A thread makes one more: 2/3 of what `make` costs, and `clone` in it, are main's; no stack goes
        round."""
        stacks = Stacks(part(THREADS.format(root="clone")), 0)
        self.assertEqual(
            counts(written(stacks, FOLDED).decode()),
            {
                "main": 10,
                "main;make": 8,
                "main;make;clone": 36,
                "clone": 15,
                "clone;worker": 78,
                "clone;worker;make": 4,
                "clone;worker;make;clone": 18,
                "clone;worker;leaf": 900,
            },
        )
        self.assertEqual(stacks.apportioned, 12 + 69, "make, and clone in it")

    def test_small_shares(self) -> None:
        """What makes threads may be little; the root is shown as it is."""
        text = self.by_main("clone").replace("3 1\n2 54", "1 1\n2 18\ncfn=also\ncalls=1 1\n2 36")
        text += "fn=also\n1 0\ncfn=clone\ncalls=2 1\n1 36\n"
        found = stacks_of(part(text), 0.1)
        self.assertEqual(
            {stack: cost for stack, cost in found.items() if stack.endswith("clone")},
            {"(small shares);clone": 54, "clone": 15},
        )

    def test_by_line(self) -> None:
        """Each line of `clone` is divided as all of it is."""
        text = THREADS.format(root="clone").replace("1 69\n", "1 23\n5 46\n")
        sums: Counter[str] = Counter()
        stacks = Stacks(part(text), 0, by_line=True)
        for locations, (cost,) in Pprof(written(stacks, PPROF, [0])).samples:
            sums[";".join(name for name, *_ in locations[::-1])] += cost
        self.assertEqual(sums["clone;worker;leaf"], 900)
        self.assertEqual(sums.total(), 10 + 12 + 69 + 78 + 900)
        self.assertEqual(
            [sums[f"{stack}clone"] for stack in ("", "main;make;", "clone;worker;make;")],
            [15, 36, 18],
        )

    def test_other_functions(self) -> None:
        """What is no thread's root is apportioned by what calls cost: a handler, which the program
        calls as well; and a function called `clone` whose calls cost more than itself, or all of it.
        """
        text = self.by_main("clone")
        for changed, of_leaf in (
            (text.replace("clone", "handler"), 45),  # 900 * 54/1069
            (text.replace("2 54", "2 70").replace("2 66", "2 82"), 59),
            (text.replace("2 54", "2 1069").replace("2 66", "2 1081"), 900),
        ):
            found = stacks_of(part(changed), 0)
            below = {stack: cost for stack, cost in found.items() if stack.endswith("leaf")}
            called = [cost for stack, cost in below.items() if stack.startswith("main;make;")]
            self.assertEqual((sum(below.values()), called), (900, [of_leaf]))

    def test_any(self) -> None:
        """Whatever calls what, each function's stacks have its own cost."""
        for seed in range(200):
            found = Brute(seed, 1 + seed % 7).profile(chains=False)
            functions = {key.name: function for key, function in found.functions.items()}
            text = ["events: Ir"]
            for name, function in functions.items():
                own = function.self_cost()[0] + 50 * (name == "f0")  # may be a root
                text.append(f"fn={name}\n1 {own}")
                for call in function.calls:
                    text.append(f"cfn={call.callee.name}\ncalls=1 1\n1 {call.inclusive[0]}")
            changed = part("\n".join([*text, ""]).replace("f0", "clone").replace("f1", "clone3"))
            for smallest in 0, 0.05, 0.5:
                own_costs: Counter[str] = Counter()
                for stack, cost in stacks_of(changed, smallest).items():
                    own_costs[stack.split(";")[-1]] += cost
                self.assertEqual(
                    own_costs, {k.name: f.self_cost()[0] for k, f in changed.functions.items()}
                )


class Threading(unittest.TestCase):
    """threads.c, as cg2 and Callgrind profile it."""

    def check(self, *paths: Path) -> None:
        """The threads begin with `clone`, work below it, and nothing of that is a guess."""
        text, _ = convert(*paths)
        found = counts(text.decode())
        total = sum(read_profile(path).merged().self_total()[0] for path in paths)
        self.assertEqual(found.total(), total)
        began = {stack.partition(";step")[0] for stack in found if stack.endswith(";step")}
        self.assertEqual(len(began), 1, began)
        (stack,) = began
        self.assertRegex(stack, "^_*clone[^;]*;start_thread;body;work$")
        parent = [stack for stack in found if re.search(";main;.*;_*clone[^;]*$", stack)]
        self.assertTrue(parent)
        self.assertFalse([stack for stack in found if re.search(";.*;start_thread", stack)])

    def test_programs(self) -> None:
        if not list(cg2test.IN_PLACE.glob("cg2-*")):
            self.skipTest(f"{cg2test.IN_PLACE} has no cg2")
        program = cg2test.compile("threads.c", "-O1", "-pthread")
        for tool in "cg2", "callgrind":
            for options in (), ("--separate-threads=yes",):
                with self.subTest(tool, options=options):
                    run = cg2test.run_cg2([program, "3"], *options, tool=tool)
                    self.assertEqual(run.status, 0, run.stderr)
                    self.check(*[path for path in run.profile_paths if path.stat().st_size])


# ------------------------------------------------------------ errors


class Errors(unittest.TestCase):
    def error(self, *arguments: str, text: str = TWO_CALLERS, status: int = 1) -> str:
        """The one line about a file with this text; its name is left out."""
        with tempfile.TemporaryDirectory(prefix="cg2tools-") as folder:
            path = Path(folder) / "file"
            path.write_text(text)
            stdout, errors = convert(*arguments, "file", status=status, directory=Path(folder))
        self.assertEqual((stdout, errors.count("\n")), (b"", 1), errors)
        return errors.strip()

    def test_files(self) -> None:
        cases: list[tuple[str, list[str], str]] = [
            ("file:7: no event Bc; expected one of Ir, Dr", ["--show=Bc"], TWO_CALLERS),
            ("file:1: no part 9; expected one of 1", ["--parts=9"], TWO_CALLERS),
            ("file:1: the file is empty; expected a profile", [], ""),
            ("file:1: no stacks; expected lines as 'main;f 12'", ["--from=folded"], "\n"),
            (
                "file:2: 'a;b'; expected names and a whole number, as 'main;f 12'",
                ["--from=folded"],
                "a 1\na;b\n",
            ),
            (
                "file:1: 'a 1.5'; expected names and a whole number, as 'main;f 12'",
                ["--from=folded"],
                "a 1.5\n",
            ),
            (
                "file:1: 'a;;b 1' has a frame without a name; expected names, as 'main;f 12'",
                ["--from=folded"],
                "a;;b 1",
            ),
            (
                "file:1: gungraun knows none of the events (New); expected Ir or others of Callgrind's",
                ["--for=gungraun"],
                "events: New\nfn=f\n1 1\n",
            ),
            (
                "/nosuch/x: No such file or directory",
                ["-o", "/nosuch/x", "--to=callgrind"],
                TWO_CALLERS,
            ),
        ]
        for expected, arguments, text in cases:
            with self.subTest(expected):
                self.assertEqual(self.error(*arguments, text=text), expected)

    def test_options(self) -> None:
        for expected, arguments in (
            ("--to=folded, which has one number; expected one event", ["--show=Ir,Dr"]),
            (
                "--for=speedscope, which writes the Callgrind format",
                ["--to=pprof", "--for=speedscope"],
            ),
            (
                "--from=folded with --to=pprof; expected --to=callgrind",
                ["--from=folded", "--to=pprof"],
            ),
            ("'200'; expected 0 to 100", ["--smallest=200"]),
            ("'a b'; expected one word", ["--event=a b"]),
        ):
            with self.subTest(expected):
                error = self.error(*arguments, status=2)
                self.assertIn(expected, error)
                self.assertTrue(
                    error.startswith("cg2_convert: ") and error.endswith("; see cg2_convert --help")
                )

    def test_missing(self) -> None:
        with tempfile.TemporaryDirectory(prefix="cg2tools-") as folder:
            _, errors = convert(status=1, directory=Path(folder))
        self.assertEqual(
            errors,
            "cg2_convert: no cg2.out.* or callgrind.out.* in this directory; expected one, or the name of a "
            "file\n",
        )


if __name__ == "__main__":
    unittest.main()
