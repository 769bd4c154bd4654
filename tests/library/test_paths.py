"""Files of paths become a profile in which each path is a function: costs, calls, places, messages.

Such profiles are written as they were read, and added up path by path.
"""

from __future__ import annotations

import gzip
import resource
import subprocess
import sys
import unittest
from pathlib import Path

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

import library  # noqa: E402
from library import Directory  # noqa: E402

from cg2tools.profile.libcg2profile import CALL, NONE, Sum, read, read_paths  # noqa: E402
from cg2tools.profile.terms import CutOff, ProfileError  # noqa: E402

TEXT = b"""\
# cg2 paths
version: 1
creator: callgrind-cg2-0.1
pid: 4711
cmd:  ./app
part: 1
desc: Trigger: Program termination

positions: instr line
events: Ir Dr
summary: 1119 42
paths: 6
more: 1 9 400

ob=(1) /bin/app
fl=(1) a.c
fn=(1) main
0 1 0x0 0 1 10 1
fl=(2) b.c
fn=(2) f
1 2 0x10 7 2+3 200 40
fi=(3) h.h
2 2 0x24 9 2 4 1
2 0 0x0 0 9 400
fl=(1)
fn=(3) put
1 3 0x18 8 5 5
0 3 0x0 0 1 500
totals: 1119 42
"""


OTHER = b"""\
# cg2 paths
version: 1
creator: callgrind-cg2-0.1
cmd:  ./app

positions: instr line
events: Ir Dr
summary: 30 1
paths: 5

ob=(7) /bin/app
fl=(9) b.c
fn=(4) f
fl=(8) a.c
fn=(2) main
fn=(1) put
0 2 0x0 0 1 1
1 1 0x18 8 2 2
2 4 0x10 7 1 3 1
1 4 0x10 7 4+1 20
1 0 0x0 0 2 4
totals: 30 1
"""
SUM = b"""\
# cg2 paths
version: 1
creator: callgrind-cg2-0.1
cmd: ./app
desc: Merged profiles: 2
positions: instr line
events: Ir Dr
summary: 1149 43
paths: 8
more: 2 11 404

ob=(1) /bin/app
fl=(1) a.c
fn=(1) main
0 1 0x0 0 2 11 1
fl=(2) b.c
fn=(2) f
1 2 0x10 7 6+4 220 40
fi=(3) h.h
2 2 0x24 9 2 4 1
2 0 0x0 0 9 400
fl=(1)
fn=(3) put
1 3 0x18 8 7 7
2 2 0x10 7 1 3 1
1 0 0x0 0 2 4
0 3 0x0 0 1 500
totals: 1149 43

"""


def body(text: bytes) -> bytes:
    """A file of paths without what its header says of the run."""
    return text[text.index(b"positions:") :]


class Paths(Directory):
    def test_functions(self) -> None:
        """Each path is a function, behind the one that calls it."""
        [part] = read_paths(self.file("paths", TEXT)).parts
        part.check()
        self.assertEqual(
            [(key.object, key.file, key.name) for key in part.functions()],
            [
                ("/bin/app", "a.c", "main"),
                ("/bin/app", "b.c", "f"),
                ("/bin/app", "b.c", "f"),
                ("???", "???", "(more)"),
                ("/bin/app", "a.c", "put"),
                ("/bin/app", "a.c", "put"),
            ],
        )
        self.assertEqual(part.self_total(), [1119, 42])

    def test_calls(self) -> None:
        """A call has the place of its path, its counts, and what is called below."""
        [part] = read_paths(self.file("paths", TEXT)).parts
        names = part.profile.names
        self.assertEqual(
            [
                (caller, line.function, names[line.file], line.at.instr, line.at.line, line.count)
                + tuple(line.cost[:2])
                for caller in range(6)
                for line in library._lines(part, caller)
                if line.kind == CALL
            ],
            [
                (0, 1, "a.c", 0x10, 7, 5, 604, 41),
                (0, 4, "a.c", 0x18, 8, 5, 5, 0),
                (1, 2, "h.h", 0x24, 9, 2, 4, 1),
                (1, 3, "b.c", 0, 0, 9, 400, 0),
            ],
        )

    def test_refused(self) -> None:
        for old, new, said in (
            (b"# cg2 paths", b"# cg2", "1: '# cg2'; expected a file of paths"),
            (b"0 1 0x0 0 1", b"1 1 0x0 0 1", "18: depth 1; expected at most 0 here"),
            (b"2 0 0x0", b"3 0 0x0", None),
            (b"2 0 0x0", b"4 0 0x0", "24: depth 4; expected at most 3 here"),
            (b"1 2 0x10", b"1 7 0x10", "21: function 7 is used before its definition"),
            (b"2+3", b"2+x", "21: calls '2+x'; expected a number, or two as 35+4"),
            (b"fn=(2) f", b"fn=f", "20: fn=f; expected a number and a name"),
            (b"5 5\n", b"5 5 0 3\n", "27: 3 costs; expected at most 2 (Ir Dr)"),
            (b"paths: 6", b"paths: 7", "12: paths: 7; expected 6, as many as follow"),
            (b"paths: 6", b"paths: some", "12: paths: 'some'; expected a number"),
            (b"totals:", b"rest:", "29: unknown line 'rest: 1119 42'; expected"),
            (b"events: Ir Dr\n", b"", "10: "),
        ):
            with self.subTest(said):
                self.assertEqual(TEXT.count(old), 1)
                path = self.file("paths", TEXT.replace(old, new))
                if said is None:
                    read_paths(path)
                    continue
                with self.assertRaises(ProfileError) as caught:
                    read_paths(path)
                self.assertIn(f"{path}:{said}", str(caught.exception))

    def test_cut_off(self) -> None:
        """Where a file has lost its end, the paths in front of that can be read."""
        end = TEXT.index(b"fl=(1)\nfn=(3)")
        path = self.file("paths", TEXT[:end])
        with self.assertRaises(CutOff):
            read_paths(path)
        [part] = read_paths(path, partial=True).parts
        part.check()
        self.assertEqual(part.self_total(), [614, 42])

    def test_packed(self) -> None:
        """What gzip and zstd have compressed is read as it is; and where a profile may be, too."""
        zstd = subprocess.run(["zstd", "-q"], input=TEXT, capture_output=True, check=True).stdout
        for content in (TEXT, gzip.compress(TEXT), zstd):
            for found in (
                read_paths(self.file("paths", content)),
                read(self.file("paths", content), paths=True),
            ):
                [part] = found.parts
                self.assertTrue(part.has_paths)
                self.assertEqual(part.callers().tolist(), [NONE, 0, 1, 1, 0, NONE])
        [part] = read(self.file("profile", b"events: Ir\nfn=f\n1 2\n"), paths=True).parts
        self.assertFalse(part.has_paths)

    def test_parts(self) -> None:
        """A file may have several parts, each with numbers of its own, also one without paths."""
        empty = TEXT[: TEXT.index(b"ob=(1)")] + b"totals: 0 0\n"
        for old, new in (
            (b"summary: 1119 42", b"summary: 0"),
            (b"paths: 6\nmore: 1 9 400", b"paths: 0"),
        ):
            empty = empty.replace(old, new)
        path = self.file("paths", TEXT + b"\n" + empty + b"\n" + OTHER)
        parts = read_paths(path).parts
        for part in parts:
            part.check()
            self.assertTrue(part.has_paths)
        self.assertEqual([part.count for part in parts], [6, 0, 5])
        self.assertEqual([part.self_total() for part in parts], [[1119, 42], [0, 0], [30, 1]])
        with self.assertRaises(ProfileError) as caught:
            read_paths(self.file("bad", TEXT + b"\n" + OTHER.replace(b"fn=(1) put\n", b"")))
        self.assertIn("bad:47: function 1 is used before", str(caught.exception))
        cut = self.file("cut", TEXT + b"\n" + OTHER[: OTHER.index(b"ob=")])
        self.assertEqual([part.count for part in read_paths(cut, partial=True).parts], [6])

    def test_written(self) -> None:
        """What is written is what was read, however its paths and numbers were ordered."""
        for text in (TEXT, SUM):
            read_paths(self.file("paths", text)).write(self.directory / "copy")
            self.assertEqual(
                body((self.directory / "copy").read_bytes()).strip(), body(text).strip()
            )
        read_paths(self.file("paths", OTHER)).write(self.directory / "copy", 3)
        read_paths(self.directory / "copy").write(self.directory / "again.gz")
        copy = (self.directory / "copy").read_bytes()
        self.assertEqual(gzip.decompress((self.directory / "again.gz").read_bytes()), copy)
        self.assertIn(b"0 1 0x0 0 1 1\nfl=(2) b.c\nfn=(2) f\n1 2 0x10 7 4+1 20\n", copy)

    def test_empty_names(self) -> None:
        """A name without a letter is written behind its id, and is not read as that name's second use."""
        text = b"# cg2 paths\nevents: Ir\nob=\nfl=\nfn=(1) f\n0 1 0 1 5\n"
        read_paths(self.file("paths", text)).write(self.directory / "copy")
        copy = (self.directory / "copy").read_bytes()
        self.assertIn(b"\nob=(1) \nfl=(1) \nfn=(1) f\n", copy)
        read_paths(self.directory / "copy").write(self.directory / "again")
        self.assertEqual((self.directory / "again").read_bytes(), copy)
        with self.assertRaisesRegex(ProfileError, r"object \(1\) is used before its definition"):
            read_paths(self.file("bad", text.replace(b"ob=\n", b"ob=(1)\r\n")))

    def test_far_numbers(self) -> None:
        """Numbers of functions may be any, and take no memory for those between; each part has its own."""
        number = b"987654321012345"
        one = b"events: Ir\nfl=a.c\nfn=(%s) f\n0 %s 0 1 5\n" % (number, number)
        path = self.file("paths", b"# cg2 paths\n" + 2 * one)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        self.assertEqual([part.self_total() for part in read_paths(path).parts], [[5], [5]])
        self.assertLess(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak, 100_000)
        bad = self.file("bad", path.read_bytes() + b"events: Ir\n0 %s 0 1 5\n" % number)
        with self.assertRaisesRegex(
            ProfileError, f":11: function {number.decode()} is used before"
        ):
            read_paths(bad)
        for text in b"(0) f", b"(+7) f", b"7 f", b"(7 f", b"":
            with self.assertRaisesRegex(ProfileError, "expected"):
                read_paths(self.file("bad", b"# cg2 paths\nevents: Ir\nfn=" + text + b"\n"))

    def test_later_creator(self) -> None:
        """Profiles in one file, of which only the second one says who wrote it, and has totals: what is
        written is read again."""
        first = b"# cg2 paths\nevents: Ir\nfl=a.c\nfn=(1) f\n0 1 0 1 5\n"
        read_paths(self.file("paths", first + OTHER)).write(self.directory / "copy")
        totals = [part.self_total() for part in read_paths(self.directory / "copy").parts]
        self.assertEqual(totals, [[5], [30, 1]])

    def test_sum(self) -> None:
        """Paths of the same functions and sites are one, in any order and grouping."""
        paths = [self.file("one", TEXT), self.file("other", OTHER)]
        merged(paths, self.directory / "sum")
        self.assertEqual((self.directory / "sum").read_bytes(), SUM)
        merged(paths[::-1], self.directory / "back")
        self.assertEqual((self.directory / "back").read_bytes(), SUM)
        merged([self.directory / "sum", paths[0], paths[0]], self.directory / "left")
        merged(paths[:1], self.directory / "alone")
        merged(
            [paths[0], self.directory / "sum", self.directory / "alone"], self.directory / "right"
        )
        self.assertEqual(
            (self.directory / "left").read_bytes(), (self.directory / "right").read_bytes()
        )
        [part] = read_paths(self.directory / "left").parts
        self.assertEqual(part.self_total(), [3 * 1119 + 30, 3 * 42 + 1])
        read_paths(self.directory / "sum").parts[0].check()

    def test_sum_refused(self) -> None:
        paths = [self.file("one", TEXT), self.file("profile", body(TEXT)[:36] + b"fn=f\n0 1 2\n")]
        most = TEXT.replace(b" 2 4 1\n", b" 2 18446744073709551610\n")
        for files, said in (
            (paths, "profile:1: a profile; expected paths of calls as in"),
            (paths[::-1], "one:1: paths of calls; expected a profile as in"),
            ([paths[0], self.file("other", OTHER.replace(b"Dr", b"Dw"))], "other:7: events: Ir Dw"),
            ([paths[0], self.file("most", TEXT.replace(b"2+3", b"18446744073709551611+3"))], "fit"),
        ):
            with self.subTest(said), self.assertRaises(ProfileError) as caught:
                merged(files, self.directory / "sum")
            self.assertIn(said, str(caught.exception))
        with self.assertRaises(ProfileError) as caught:
            read_paths(self.file("most", most))
        self.assertIn("29: what the paths cost adds up to more than 64 bits", str(caught.exception))

    def test_no_profile(self) -> None:
        """Who expects a profile is told what the file is."""
        path = self.file("paths", TEXT)
        with self.assertRaises(ProfileError) as caught:
            read(path)
        self.assertEqual(
            str(caught.exception),
            f"{path}:1: paths of calls; expected a profile; "
            "cg2_annotate --paths shows paths, cg2_convert makes stacks of them",
        )


def merged(paths: list[Path], output: Path) -> None:
    """Write the sum of some files, of paths or not."""
    added = Sum()
    for path in paths:
        added.add_profile(read(path, paths=True))
    added.result().write(output)


if __name__ == "__main__":
    unittest.main()
