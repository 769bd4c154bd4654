"""The writer: what was read, written and read again is the same profile; the text of small ones."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from profiletexts import SAMPLE
from toolsupport import Profile, read, written as text

import cg2test
from cg2tools.profile.positions import Position
from cg2tools.profile.reader import read_profile
from cg2tools.profile.transform import as_file

HERE = Path(__file__).resolve().parent
FORMS = range(4)


def content(profile: Profile) -> object:
    """All that is in a profile, without the order of functions, calls and jumps."""
    return (
        profile.version,
        profile.creator,
        [
            (
                (part.pid, part.cmd, part.part, part.thread, part.descriptions, part.skipped),
                (part.positions, part.events, part.event_definitions, part.summary, part.totals),
                {
                    key: (f.costs, sorted(map(repr, f.calls)), sorted(map(repr, f.jumps)))
                    for key, f in part.functions.items()
                },
            )
            for part in profile.parts
        ],
    )


class RoundTrip(unittest.TestCase):
    """Read, write, read."""

    def check(self, profile: Profile) -> None:
        for form in FORMS:
            with self.subTest(form):
                written = text(profile, form)
                again = read(os.fsencode(written))
                self.assertEqual(content(again), content(profile))
                self.assertEqual(text(again, form), written)

    def test_sample(self) -> None:
        """Two parts, inlined code, calls, jumps, a derived event."""
        self.check(read(SAMPLE))

    def test_odd_names(self) -> None:
        names = ["(below main)", "a=b: c", "", "x'2", "naïve", "#", "fn=(1) x", "*"]
        self.check(
            read(
                "events: Ir\n"
                + "".join(
                    f"ob=({i}) {n}\nfl=({i}) {n}\nfn=({i}) {n}\n{i} 1\n"
                    for i, n in enumerate(names)
                )
            )
        )
        self.check(read(b"events: Ir\nfn=(1) caf\xe9\n1 2\n"))
        self.check(read("events: Ir\nfn=(1) (2x\n1 2\ncfn=(3) (4y \ncalls=1 1\n1 2\n"))

    def test_one_name(self) -> None:
        """Functions of one name in several files or objects have ids of their own: KCachegrind goes by these
        alone."""
        profile = read(
            "events: Ir\nfl=a.c\nfn=f\n1 1\ncfi=b.c\ncfn=f\ncalls=1 1\n1 2\nfl=b.c\nfn=f\n1 2\n"
            "ob=y\nfl=a.c\nfn=f\n1 3\n"
        )
        self.check(profile)
        lines = text(profile, 0).splitlines()
        self.assertEqual(
            [line for line in lines if re.match("c?fn=", line)],
            ["fn=(1) f", "cfn=(2) f", "fn=(2)", "fn=(3) f"],
        )

    def test_events(self) -> None:
        self.check(
            read(
                "event: A = -2 Ir + Dr - 3 B : Long: name\nevent: Dr : Data\nevents: Ir Dr\nfn=f\n1 0 5\n2 "
                "0 0\n3\n"
            )
        )

    def test_nothing(self) -> None:
        self.check(read("events: Ir\ntotals: 0\n"))
        self.check(read("events: Ir Dr\nsummary: 0\ntotals: 0\npart: 2\nevents: Ir\nfn=f\n1 2\n"))

    def test_skipped(self) -> None:
        self.check(read("desc: Skipped: 3 f(int)\ndesc: Skipped: no\nevents: Ir\nfn=f\n1 2\n"))

    def test_positions(self) -> None:
        most = (1 << 64) - 1
        for positions in ("line", "instr", "bb", "instr line", "bb line", "instr bb line"):
            second = " 7" * (len(positions.split()) - 1)
            self.check(
                read(
                    f"positions: {positions}\nevents: Ir\nfn=f\n0x0{second} 1\n{most}{second} {most - 1}\n"
                )
            )

    def test_jump_elsewhere(self) -> None:
        """A name that only a jump mentions is written in full."""
        profile = read(
            "events: Ir\nfl=a.c\nfn=f\n1 1\njfi=b.h\njfn=g\njump=5 40\n1\njfi=b.h\njcnd=3/9 +2\n+1\n"
        )
        self.check(profile)
        self.assertIn("jfi=b.h\njfn=g\njump=5 +39\n", text(profile))

    def test_added_up(self) -> None:
        twice = read("events: Ir\nfn=f\n1 2\npart: 2\nevents: Ir\nfn=f\n1 20\n3 1\n")
        only = twice.merged()
        written = read(text(Profile("x", parts=[only]))).parts[0]
        self.assertEqual(
            [f.costs for f in written.functions.values()],
            [{Position("???", 0, 1): [22], Position("???", 0, 3): [1]}],
        )


class Text(unittest.TestCase):
    def test_a_profile(self) -> None:
        """Every line of it, in the order of docs/format.md."""
        profile = read(
            "creator: x\npid: 7\ncmd: ./a b\npart: 3\nthread: 2\ndesc: Trigger: now\npositions: instr line\n"
            "events: Ir Dr\nsummary: 30 1\nob=o\nfl=b.c\nfn=g\n0x40 9 20\nfl=a.c\nfn=f\n0x10 3 5\n0x8 3 4 1\n"
            "fi=b.h\n0x12 200 1\nfl=a.c\nfn=f\ncob=p\ncfi=p.c\ncfn=h\ncalls=2 0x9 1\n0x10 3 50\n"
            "jcnd=1/2 0x8 3\n0x12 3\ntotals: 30 1\n"
        )
        self.assertEqual(
            text(profile),
            """\
# callgrind format
version: 1
creator: x
pid: 7
part: 3
thread: 2
cmd: ./a b
desc: Trigger: now
positions: instr line
events: Ir Dr
summary: 30 1

ob=(1) o
fl=(1) a.c
fn=(1) f
0x8 3 4 1
+8 * 5
cob=(2) p
cfi=(2) p.c
cfn=(2) h
calls=2 -7 -2
* * 50
jcnd=1/2 -8 *
+2 *
fi=(3) b.h
* 200 1

fl=(4) b.c
fn=(3) g
0x40 9 20

totals: 30 1
""",
        )

    def test_file_appears_whole(self) -> None:
        profile = read("events: Ir\nfn=f\n1 2\n")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "out"
            as_file(profile).write(path)
            self.assertEqual([file.name for file in Path(folder).iterdir()], ["out"])
            self.assertEqual(read_profile(path).parts[0].self_total(), [2])
            again = read("events: Ir\nfn=f\n1 3\n")
            path.chmod(0o444)
            as_file(again).write(path)
            self.assertEqual([file.name for file in Path(folder).iterdir()], ["out"])
            self.assertEqual(read_profile(path).parts[0].self_total(), [3])
            with self.assertRaisesRegex(FileNotFoundError, f"{folder}/no/out"):
                as_file(again).write(Path(folder) / "no" / "out")


class Real(unittest.TestCase):
    """Profiles of recursion.c, as each tool writes them."""

    RUNS: tuple[tuple[str, list[str]], ...] = (
        ("callgrind", []),
        (
            "callgrind",
            ["--dump-instr=yes", "--collect-jumps=yes", "--cache-sim=yes", "--branch-sim=yes"],
        ),
        ("callgrind", ["--combine-dumps=yes", "--dump-before=even", "--compress-strings=no"]),
        ("callgrind", ["--separate-threads=yes", "--separate-callers=3", "--compress-pos=no"]),
        ("callgrind", ["--dump-instr=yes", "--dump-bb=yes"]),
        ("cachegrind", ["--branch-sim=yes"]),
        ("cg2", []),
        ("cg2", ["--dump-instr=yes", "--collect-jumps=yes", "--separate-recs=4"]),
    )

    def test_round_trip(self) -> None:
        with tempfile.TemporaryDirectory(prefix="cg2tools-") as folder:
            program = Path(folder) / "recursion"
            subprocess.run(["gcc", "-g", "-O1", "-o", program, HERE / "recursion.c"], check=True)
            for tool, options in self.RUNS:
                with self.subTest(tool=tool, options=options):
                    self.check(tool, [program], options, Path(folder) / "copy")

    def check(self, tool: str, command: list[Path], options: list[str], copy: Path) -> None:
        if tool == "cg2" and not list(cg2test.IN_PLACE.glob("cg2-*")):
            self.skipTest(f"{cg2test.IN_PLACE} has no cg2")
        out_option = "--cachegrind-out-file" if tool == "cachegrind" else "--callgrind-out-file"
        run = cg2test.run_cg2(command, *options, tool=tool, out_option=out_option)
        paths = [
            path for path in run.profile_paths if path.stat().st_size
        ]  # Callgrind leaves empty ones
        for path in paths:
            profile = read_profile(path)
            self.assertGreater(len(profile.parts[0].functions), 100)
            expected = content(profile)
            for form in FORMS:
                as_file(profile).write(copy, form)
                self.assertEqual(content(read_profile(copy)), expected)
        self.assertNotEqual(paths, [])


if __name__ == "__main__":
    unittest.main()
