"""Options that Callgrind refuses, or takes without a word in its help: cg2 in its place does the same, or
says why not."""

from __future__ import annotations

import re
import unittest

from launcher import Harness, Launcher, program, scratch

# No option of Callgrind.
UNKNOWN = [
    "--nosuch", "--nosuch=yes", "--dump-lines=yes", "--compress-events=yes", "--dump-skipped=yes",
    "--dump-objs=yes",
    "--collect-state=no", "--cachegrind-out-file=x", "--callgrind:nosuch=1",
]  # fmt: skip
# Values that are none, which both refuse in the same words.
BAD = [
    "--dump-line=perhaps", "--dump-line=", "--collect-jumps=2", "--cacheuse=maybe",
]  # fmt: skip
# Values that are none, for which cg2 says what it would take: `Bad option` and a reason.
EXPLAINED = [
    "--separate-recs=many", "--separate-callers=x", "--dump-every-bb=x", "--I1=1,2", "--D1=x",
    "--I1=32768,8,8",
    "--separate-callersx=f", "--collect-systime=hours", "--dump-line", "--branch-sim",
    "--instr-atstart=1",
]  # fmt: skip
# What Callgrind takes, and means nothing: a name that no function has, and less than one level.
MEANINGLESS = [
    "--dump-before=", "--fn-skip=", "--toggle-collect=", "--separate-recs=0", "--separate-recs=-1",
]  # fmt: skip
# What Callgrind has for its own debugging, or writes files with that no reader opens.
NOT_OFFERED = [
    "--dump-bbs=yes", "--mangle-names=no", "--compress-mangled=yes", "--separate-callers=auto",
]  # fmt: skip
# What is not in Callgrind's help, and works.
HIDDEN = [
    "--fn-group1=bench_one", "--pop-on-jump", "--pop-on-jump=leaf", "--simulate-cache=yes",
    "--trace-jump=yes",
    "--L2=1048576,16,64", "--dump-bb=yes", "--callgrind:dump-instr=yes", "--cachegrind:foo=1",
    "--vex-iropt-unroll-thresh=10", "--vex-guest-chase=yes", "--mangle-names=yes", "--compress-mangled=no",
    "--dump-bbs=no", "--collect-alloc=no", "--simulate-sectors=no", "--ct-verbose=0", "--ct-vstart=0",
]  # fmt: skip

TRY_HELP = "valgrind: Use --help for more information or consult the user manual."

Said = tuple[int, list[str], int]  # exit status, stderr, number of files


def with_option(launcher: Launcher, option: str) -> Said:
    directory = scratch()
    ended = launcher.run(
        "valgrind", "--tool=callgrind", option, program(), directory=directory, status=None
    )
    said = re.sub(r"==\d+==", "==PID==", ended.stderr)
    return ended.returncode, said.splitlines(), len(list(directory.iterdir()))


class Options(Harness):
    def test_refused(self) -> None:
        """Unknown options, and values that are no yes or no, are refused in the same words; there is no
        file."""
        for option in UNKNOWN + BAD:
            with self.subTest(option):
                status, said, n_files = self.assertSame(lambda where: with_option(where, option))
                self.assertEqual((status, said[-1], n_files), (1, TRY_HELP, 0))

    def test_explained(self) -> None:
        """Other values that are none are refused with the same status; the reason says what is taken."""
        for option in EXPLAINED:
            with self.subTest(option):
                theirs, ours = self.with_both(lambda where: with_option(where, option))
                self.assertEqual((theirs[0], theirs[2]), (1, 0))
                self.assertEqual((ours[0], ours[2]), (1, 0))
                self.assertIn(option, ours[1][0])
                self.assertEqual((theirs[1][-1], ours[1][-1]), (TRY_HELP, TRY_HELP))

    def test_not_offered(self) -> None:
        """What Callgrind takes, and cg2 does not, is refused: it would not do what it seems to."""
        for option in MEANINGLESS + NOT_OFFERED:
            with self.subTest(option):
                theirs, ours = self.with_both(lambda where: with_option(where, option))
                self.assertEqual((theirs[0], theirs[2]), (0, 1))
                self.assertEqual((ours[0], ours[1][-1], ours[2]), (1, TRY_HELP, 0))

    def test_hidden(self) -> None:
        """Options that are in no help are taken, and leave a profile."""

        for option in HIDDEN:
            with self.subTest(option):
                theirs, ours = self.with_both(lambda where: with_option(where, option))
                self.assertEqual((theirs[0], theirs[2]), (0, 1))
                self.assertEqual((ours[0], ours[2]), (0, 1), ours[1])

    def test_greeting(self) -> None:
        """The first line names the tool that runs; the one about callgrind_control is Callgrind's."""
        theirs, ours = self.with_both(lambda where: with_option(where, "--dump-instr=no")[1])
        self.assertIn("Callgrind", theirs[0])
        self.assertRegex(ours[0], r"==PID== cg2-\S+, a call-graph")
        control = "==PID== For interactive control, run 'callgrind_control -h'."
        self.assertEqual((theirs.count(control), ours.count(control)), (1, 1))


if __name__ == "__main__":
    unittest.main()
