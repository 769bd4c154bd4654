"""A sum with other names, events and positions, which the commands make of a profile: by construction, each
number."""

from __future__ import annotations

import sys
import unittest

import cg2test

sys.path.append(str(cg2test.SOURCE / "tests" / "library"))

from library import Directory  # noqa: E402

from cg2tools.profile.libcg2profile import FULL_NAMES, FULL_POSITIONS  # noqa: E402
from cg2tools.profile.model import Part  # noqa: E402
from cg2tools.profile.reader import read_profile  # noqa: E402
from cg2tools.profile.transform import renamed, side_by_side, simplified, substitution  # noqa: E402

# Two parts, the first one of two threads.
PARTS = """\
creator: maker
cmd: app
part: 1
thread: 1
desc: Trigger: all
desc: Skipped: 3 skip
event: S = 2 Ir + Dr : Sum
positions: instr line
events: Ir Dr
fl=a1.c
fn=f1
0x10 1 5 1
0x14 2 7 2
fi=b1.h
0x1c 5 1 1
fe=a1.c
cfi=a1.c
cfn=g
calls=2 0x30 9
0x18 3 40 4
jcnd=1/3 0x10 1
0x14 2

part: 1
thread: 2
desc: Skipped: 4 skip
positions: instr line
events: Ir Dr
fl=a2.c
fn=f1
0x10 1 100 10
fl=a1.c
fn=f2
0x14 2 3
cfi=a1.c
cfn=g
calls=5 0x30 9
0x18 3 400
jcnd=2/4 0x10 1
0x14 2
fi=b2.h
0x1c 5 30 2
fl=a1.c
fn=g
0x30 9 11 6

part: 2
thread: 1
positions: instr line
events: Ir Dr
fl=a1.c
fn=f1
0x10 1 1000
0x18 3 0 9
"""

HEAD = (
    "# callgrind format|version: 1|creator: maker|cmd: app|desc: Trigger: all|desc: Skipped: 7 skip"
)


def lines(*pieces: str) -> list[str]:
    """Lines, with "|" between."""
    return "|".join(pieces).split("|")


class Changing(Directory):
    def setUp(self) -> None:
        super().setUp()
        self.profile = read_profile(self.file("parts", PARTS.encode()))

    def check(self, part: Part, *pieces: str) -> None:
        """The part, written in full, has these lines and blank ones."""
        path = self.directory / "written"
        part.lines.profile.write(path, FULL_NAMES | FULL_POSITIONS)
        found = [line for line in path.read_text().splitlines() if line]
        self.assertEqual(found, lines(HEAD, *pieces))

    def test_parts_as_one(self) -> None:
        """Costs of one place are added up, also where another part alone has some of its events."""
        self.check(
            self.profile.merged(),
            "positions: instr line|event: S = 2 Ir + Dr : Sum|events: Ir Dr",
            "fl=a1.c|fn=f1|0x10 1 1005 1|0x14 2 7 2|jcnd=1/3 0x10 1|0x14 2|0x18 3 0 9",
            "cfi=a1.c|cfn=g|calls=2 0x30 9|0x18 3 40 4|fi=b1.h|0x1c 5 1 1",
            "fl=a1.c|fn=f2|0x14 2 3|jcnd=2/4 0x10 1|0x14 2",
            "cfi=a1.c|cfn=g|calls=5 0x30 9|0x18 3 400|fi=b2.h|0x1c 5 30 2",
            "fl=a1.c|fn=g|0x30 9 11 6",
            "fl=a2.c|fn=f1|0x10 1 100 10",
        )

    def test_parts_side_by_side(self) -> None:
        """Each part's events are columns of their own, whose sums are stated."""
        part = side_by_side(self.profile, "part")
        self.check(
            part,
            "positions: instr line|events: Ir.part1 Dr.part1 Ir.part2 Dr.part2",
            "summary: 157 22 1000 9",
            "fl=a1.c|fn=f1|0x10 1 5 1 1000|0x14 2 7 2|jcnd=1/3 0x10 1|0x14 2|0x18 3 0 0 0 9",
            "cfi=a1.c|cfn=g|calls=2 0x30 9|0x18 3 40 4|fi=b1.h|0x1c 5 1 1",
            "fl=a1.c|fn=f2|0x14 2 3|jcnd=2/4 0x10 1|0x14 2",
            "cfi=a1.c|cfn=g|calls=5 0x30 9|0x18 3 400|fi=b2.h|0x1c 5 30 2",
            "fl=a1.c|fn=g|0x30 9 11 6",
            "fl=a2.c|fn=f1|0x10 1 100 10",
            "totals: 157 22 1000 9",
        )
        terms = {name: event.terms for name, event in part.event_definitions.items()}
        self.assertEqual(
            terms,
            {
                "S": [(2, "Ir"), (1, "Dr")],
                "Ir": [(1, "Ir.part1"), (1, "Ir.part2")],
                "Dr": [(1, "Dr.part1"), (1, "Dr.part2")],
            },
        )

    def test_threads_side_by_side(self) -> None:
        """What two parts say of a thread is added up in its columns."""
        self.check(
            side_by_side(self.profile, "thread"),
            "positions: instr line|events: Ir.thread1 Dr.thread1 Ir.thread2 Dr.thread2",
            "summary: 1013 13 144 18",
            "fl=a1.c|fn=f1|0x10 1 1005 1|0x14 2 7 2|jcnd=1/3 0x10 1|0x14 2|0x18 3 0 9",
            "cfi=a1.c|cfn=g|calls=2 0x30 9|0x18 3 40 4|fi=b1.h|0x1c 5 1 1",
            "fl=a1.c|fn=f2|0x14 2 0 0 3|jcnd=2/4 0x10 1|0x14 2",
            "cfi=a1.c|cfn=g|calls=5 0x30 9|0x18 3 0 0 400|fi=b2.h|0x1c 5 0 0 30 2",
            "fl=a1.c|fn=g|0x30 9 0 0 11 6",
            "fl=a2.c|fn=f1|0x10 1 0 0 100 10",
            "totals: 1013 13 144 18",
        )

    def test_renamed(self) -> None:
        """Names that become equal are one function, one file; their costs, calls and jumps are one."""
        digits = [substitution("s/[0-9]//")]
        self.check(
            renamed(self.profile.merged(), digits, digits),
            "positions: instr line|event: S = 2 Ir + Dr : Sum|events: Ir Dr",
            "fl=a.c|fn=f|0x10 1 1105 11|0x14 2 10 2|jcnd=3/7 0x10 1|0x14 2|0x18 3 0 9",
            "cfi=a.c|cfn=g|calls=7 0x30 9|0x18 3 440 4|fi=b.h|0x1c 5 31 3",
            "fl=a.c|fn=g|0x30 9 11 6",
        )

    def test_simplified(self) -> None:
        """Only one event is kept, by line, and no jumps."""
        self.check(
            simplified(self.profile.merged(), ["Dr"]),
            "positions: line|events: Dr|summary: 31",
            "fl=a1.c|fn=f1|1 1|2 2|3 9|cfi=a1.c|cfn=g|calls=2 9|3 4|fi=b1.h|5 1",
            "fl=a1.c|fn=f2|2 0|cfi=a1.c|cfn=g|calls=5 9|3 0|fi=b2.h|5 2",
            "fl=a1.c|fn=g|9 6",
            "fl=a2.c|fn=f1|1 10",
            "totals: 31",
        )

    def test_told_apart(self) -> None:
        """Functions of one name have their files in their names then."""
        self.check(
            simplified(self.profile.merged(), ["Dr"], alike=False),
            "positions: line|events: Dr|summary: 31",
            "fl=a1.c|fn=f1 (a1.c)|1 1|2 2|3 9|cfi=a1.c|cfn=g|calls=2 9|3 4|fi=b1.h|5 1",
            "fl=a1.c|fn=f2|2 0|cfi=a1.c|cfn=g|calls=5 9|3 0|fi=b2.h|5 2",
            "fl=a1.c|fn=g|9 6",
            "fl=a2.c|fn=f1 (a2.c)|1 10",
            "totals: 31",
        )


if __name__ == "__main__":
    unittest.main()
