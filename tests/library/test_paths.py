"""Files of paths become a profile in which each path is a function: costs, calls, places, messages."""

from __future__ import annotations

import sys
import unittest

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

import library  # noqa: E402
from library import Directory  # noqa: E402

from cg2tools.profile.libcg2profile import CALL, read, read_paths  # noqa: E402
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
fn=(3) g
1 3 0x18 8 5 5
0 3 0x0 0 1 500
totals: 1119 42
"""


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
                ("/bin/app", "a.c", "g"),
                ("/bin/app", "a.c", "g"),
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
            (b"totals:", b"part: 2\ntotals:", "29: a second part; expected a file of one"),
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

    def test_no_profile(self) -> None:
        """Who expects a profile is told what the file is."""
        path = self.file("paths", TEXT)
        with self.assertRaises(ProfileError) as caught:
            read(path)
        self.assertEqual(
            str(caught.exception),
            f"{path}:1: paths of calls; expected a profile; cg2_convert makes stacks of paths",
        )


if __name__ == "__main__":
    unittest.main()
