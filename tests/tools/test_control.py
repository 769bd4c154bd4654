"""cg2_control: runs found, answers understood, text and errors, and live runs."""

from __future__ import annotations

import functools
import os
import pty
import pwd
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

from toolsupport import SOURCE, TOOLS, Output

import cg2test
import starts
from cg2tools.control.runs import Answer, ControlError, Run, Vgdb, find_runs
from cg2tools.control.status import parse_status

HERE = Path(__file__).resolve().parent

# Whose runs the live tests control.
TOOL = "cg2"
VALGRIND = Path(shutil.which(cg2test.VALGRIND) or cg2test.VALGRIND)

# What `status internal` answered of a run of two threads with a simulated
# cache, and what callgrind_control 3.19 printed of it.
STATUS = """\
instrumentation: on
executed-bbs: 30508
executed-calls: 1080
distinct-bbs: 2718
distinct-calls: 426
distinct-functions: 355
distinct-contexts: 354
events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw
part: 0
threads: 1 2
current-tid: 1
events-1: 130967 28928 12753 1219 995 632 1204 773 600
frames-1: 8
function-1-3: (below main)
calls-1-3: 1
events-1-3: 8116 2169 1513 223 68 68 219 36 65
function-1-4: main
calls-1-4: 1
events-1-4: 854 312 210
function-1-5: deep
calls-1-5: 2
events-1-5: 38 8 6
function-1-7: deep
calls-1-7: 2
events-1-7: 24 4 2
function-1-8: pause
events-2: 5676 2082 1371 12 7 29 12 4 29
frames-2: 8
function-2-0: clone
calls-2-0: 1
events-2-0: 5669 2080 1370 12 7 29 12 4 29
function-2-1: start_thread
calls-2-1: 1
events-2-1: 5576 2051 1345 5 7 26 5 4 26
function-2-2: work
calls-2-2: 2
events-2-2: 24 4 2 1 0 0 1
function-2-8: pause
"""

STAT = """\
  Number of running threads: 2, thread IDs: 1 2
  Events collected: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw
  Functions: 355 (executed 1,080, contexts 354)
  Basic blocks: 2,718 (executed 30,508, call sites 426)

"""

BACK = """\
  Frame: Backtrace for Thread 1
   [ 0]  pause (2 x)
   [ 1]  deep (2 x)
   [ 2]  deep (1 x)
   [ 3]  main (1 x)
   [ 4]  (below main)


  Frame: Backtrace for Thread 2
   [ 0]  pause (2 x)
   [ 1]  work (1 x)
   [ 2]  start_thread (1 x)
   [ 3]  clone


"""

TOTALS = """\
  Totals:     Ir     Dr     Dw  I1mr D1mr D1mw  ILmr DLmr DLmw \n\
   Th 1  130,967 28,928 12,753 1,219  995  632 1,204  773  600 \n\
   Th 2    5,676  2,082  1,371    12    7   29    12    4   29 \n\

"""

TWO_EVENTS = """\
  Totals:    Dw      Ir \n\
   Th 1  12,753 130,967 \n\
   Th 2   1,371   5,676 \n\

  Frame:    Dw    Ir Backtrace for Thread 1
   [ 0]      2    24 pause (2 x)
   [ 1]      6    38 deep (2 x)
   [ 2]    210   854 deep (1 x)
   [ 3]  1,513 8,116 main (1 x)
   [ 4]      .     . (below main)


  Frame:    Dw    Ir Backtrace for Thread 2
   [ 0]      2    24 pause (2 x)
   [ 1]  1,345 5,576 work (1 x)
   [ 2]  1,370 5,669 start_thread (1 x)
   [ 3]      .     . clone


"""

MISSES = """\
  Totals:DLmr  ILmr \n\
   Th 1   773 1,204 \n\
   Th 2     4    12 \n\

  Frame: DLmr ILmr Backtrace for Thread 1
   [ 0]     .    . pause (2 x)
   [ 1]     .    . deep (2 x)
   [ 2]     .    . deep (1 x)
   [ 3]    36  219 main (1 x)
   [ 4]     .    . (below main)


  Frame: DLmr ILmr Backtrace for Thread 2
   [ 0]     .    1 pause (2 x)
   [ 1]     4    5 work (1 x)
   [ 2]     4   12 start_thread (1 x)
   [ 3]     .    . clone


"""

# Answers from the directory that the script is in, by process id; what was
# asked is added to the file `asked`.
FAKE_VGDB = """\
#!/bin/sh
here=$(dirname "$0")
for word; do
   case $word in
      -l) echo "$0" >"$here/listed"; cat "$here/list"; exit 1 ;;
      --pid=*) pid=${word#--pid=} ;;
      --*) ;;
      -c) ;;
      *) echo "$pid $word" >>"$here/asked" ;;
   esac
done
echo "sending command to pid $pid" >&2
if [ -f "$here/act.$pid" ]; then . "$here/act.$pid"; fi
"""

OFF = "  No information available as instrumentation is switched off.\n\n"
NO_ANSWER = "no answer within 1 s; it is stopped or busy, or it waits and ptrace is not permitted"

CALL = """\
import sys
from pathlib import Path
from cg2tools.control.main import CG2_CONTROL, Setting
vgdb, proc, tool, *arguments = sys.argv[1:]
sys.exit(CG2_CONTROL.run_in(arguments, Setting([Path(vgdb)], tool, Path(proc))))
"""


@functools.cache
def script_of_call() -> Path:
    path = cg2test.new_directory() / "call.py"
    path.write_text(CALL)
    return path


def control(*arguments: str, vgdb: Path, proc: str | Path, tool: str) -> Output:
    """cg2_control with the vgdb of a directory, for the runs of a tool."""
    ended = starts.run_bytes(
        [script_of_call(), vgdb, str(proc), tool, *arguments],
        directory=".",
        limit=cg2test.HANG,
        environment={"PATH": os.environ["PATH"], "LC_ALL": "C"},
        tools=TOOLS,
    )
    stdout, stderr = (
        said.decode(errors="surrogateescape") for said in (ended.stdout, ended.stderr)
    )
    return Output(ended.returncode, stdout, stderr)


class Understanding(unittest.TestCase):
    """What is made of an answer to `status internal`."""

    def fault(self, text: str) -> str:
        with self.assertRaises(ControlError) as caught:
            parse_status(text.splitlines())
        self.assertNotIn("\n", str(caught.exception))
        return str(caught.exception)

    def test_frames(self) -> None:
        """Innermost first; a call stands with its caller in the answer."""
        status = parse_status(STATUS.splitlines())
        self.assertEqual([thread.number for thread in status.threads], [1, 2])
        frames = status.threads[0].frames
        self.assertEqual(
            [(frame.function, frame.calls, frame.cost[:1]) for frame in frames],
            [
                ("pause", 2, [24]),
                ("deep", 2, [38]),
                ("deep", 1, [854]),
                ("main", 1, [8116]),
                ("(below main)", None, []),
            ],
        )

    def test_order_and_unknown_keys(self) -> None:
        """The order of the lines says nothing; new keys do no harm."""
        lines = STATUS.splitlines()
        self.assertEqual(
            parse_status(["new: 1 x", "", *reversed(lines), "odd"]), parse_status(lines)
        )

    def test_names(self) -> None:
        """A function's name is all that follows the first colon."""
        for name in ("a::b(c: d)", "f'2", "operator()", "\udcff"):
            text = STATUS.replace("function-1-8: pause", f"function-1-8: {name}")
            status = parse_status(text.splitlines())
            self.assertEqual(status.threads[0].frames[0].function, name)

    def test_switched_off(self) -> None:
        status = parse_status(["instrumentation: off"])
        self.assertEqual((status.instruments, status.threads), (False, []))

    def test_collection(self) -> None:
        for value, collects in (("on", True), ("off", False)):
            text = f"{STATUS}collection-2: {value}\n"
            status = parse_status(text.splitlines())
            self.assertEqual([thread.collects for thread in status.threads], [True, collects])

    def test_malformed(self) -> None:
        """An answer is refused in one line that says what is missing or wrong."""
        here = "its answer to 'status internal' has"
        for key in (
            "instrumentation",
            "executed-bbs",
            "distinct-contexts",
            "events",
            "threads",
            "events-1",
            "events-2",
            "calls-1-3",
            "events-1-7",
        ):
            with self.subTest(key):
                text = re.sub(rf"(?m)^{key}:.*\n", "", STATUS)
                self.assertEqual(self.fault(text), f"{here} no '{key}'")
        for key, value, expected in (
            ("instrumentation", "perhaps", "on or off"),
            ("instrumentation", "", "on or off"),
            ("executed-bbs", "many", "numbers"),
            ("executed-bbs", "1 2", "a number"),
            ("executed-bbs", "", "a number"),
            ("executed-bbs", "9" * 5000, "numbers"),
            ("distinct-calls", "-1", "numbers"),
            ("threads", "1 x", "numbers"),
            ("threads", "\u0663", "numbers"),
            ("events-2", "5 .", "numbers"),
            ("calls-1-4", "1x", "numbers"),
            ("events-1-4", "1,000", "numbers"),
        ):
            with self.subTest(f"{key}: {value}"):
                text = re.sub(rf"(?m)^{key}:.*$", f"{key}: {value}", STATUS)
                self.assertEqual(self.fault(text), f"{here} '{key}: {value}'; expected {expected}")
        self.assertEqual(self.fault(""), f"{here} no 'instrumentation'")
        self.assertEqual(
            self.fault(STATUS + "collection-1: maybe\n"),
            f"{here} 'collection-1: maybe'; expected on or off",
        )
        self.assertEqual(
            self.fault("command 'status internal' not recognised\n"),
            "it does not know 'status internal': command 'status internal' not recognised",
        )

    def test_done(self) -> None:
        """To do something, nothing is answered; an error has a word of its own."""
        Answer([], ["==12== Dump to x", "--00:00:00:01.2 12-- y"]).profiles()
        wrong: list[tuple[list[str], list[str], str]] = [
            (["instrumentation: expected on or off"], [], "instrumentation: expected on or off"),
            (["error: no"], [], "no"),
            ([], ["==12== note", "==12== error: cannot write 'x'"], "cannot write 'x'"),
            ([], ["==00:00:00:01.234 12== error: disk full"], "disk full"),
        ]
        for lines, messages, expected in wrong:
            with self.assertRaises(ControlError) as caught:
                Answer(lines, messages).profiles()
            self.assertEqual(str(caught.exception), expected)


class Fake(unittest.TestCase):
    """A directory with a vgdb that answers from files, and a system without /proc."""

    maxDiff = None

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2control-")
        self.addCleanup(folder.cleanup)
        self.directory = Path(folder.name)
        self.proc = self.directory / "proc"
        self.proc.mkdir()
        self.write("vgdb", FAKE_VGDB).chmod(0o755)
        self.list({11: "--tool=cg2 ./app 1", 12: "-q --tool=cg2 -v other"})

    def write(self, name: str, text: str) -> Path:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, errors="surrogateescape")
        return path

    def list(self, runs: dict[int, str]) -> None:
        self.write(
            "list",
            "".join(
                f"use --pid={pid} for /usr/bin/valgrind {words} \n" for pid, words in runs.items()
            ),
        )

    def answer(self, pid: int, text: str) -> None:
        self.write(f"answer.{pid}", text)
        self.write(f"act.{pid}", f'cat "$here/answer.{pid}"\n')

    def breaks(self, pid: int, errors: str, status: int = 1) -> None:
        self.write(f"errors.{pid}", errors)
        self.write(f"act.{pid}", f'cat "$here/errors.{pid}" >&2; exit {status}\n')

    def run_control(
        self,
        *arguments: str,
        status: int = 0,
        errors: str = "",
    ) -> str:
        """What cg2_control prints to standard output."""
        output = control(*arguments, vgdb=self.directory, proc=self.proc, tool="cg2")
        self.assertEqual((output.stderr, output.status), (errors, status))
        return output.stdout

    def asked(self) -> str:
        path = self.directory / "asked"
        text = path.read_text() if path.exists() else ""
        path.unlink(missing_ok=True)
        return text


class Finding(Fake):
    def found(self) -> dict[int, str]:
        vgdb = Vgdb(str(self.directory / "vgdb"))
        return {run.pid: run.command for run in find_runs(vgdb, "cg2", self.proc)}

    def process(self, pid: int, *words: str, executable: str | None) -> None:
        directory = self.proc / str(pid)
        directory.mkdir(parents=True)
        (self.proc / "self").mkdir(exist_ok=True)
        text = "".join(f"{word}\0" for word in words)
        (directory / "cmdline").write_bytes(os.fsencode(text))
        if executable is not None:
            (directory / "exe").symlink_to(executable)

    def test_by_options(self) -> None:
        """The tool is what stands before the program, the last one counts."""
        self.list(
            {
                30: "--tool=cg2 ./app --tool=none",
                4: "--log-file=x --tool=cg2 -- ./app -x",
                5: "--tool=none ./app --tool=cg2",
                6: "--tool=none -- --tool=cg2",
                7: "--tool=cg2x ./app",
                8: "-q ./app --tool=cg2",
                9: "--tool=none --tool=cg2 ./app",
                10: "--tool=cg2 --tool=none ./app",
            }
        )
        self.assertEqual(self.found(), {4: "./app -x", 9: "./app", 30: "./app --tool=none"})
        self.assertEqual(list(self.found()), [4, 9, 30])

    def test_by_executable(self) -> None:
        """The system's own word counts more than options, and knows the words."""
        self.list({pid: "somehow" for pid in range(1, 7)})
        self.process(
            1,
            "valgrind",
            "--log-file=a b",
            "./app",
            "x  y",
            "",
            executable="/usr/libexec/valgrind/cg2-amd64-linux",
        )
        self.process(
            2,
            "valgrind",
            "--tool=cg2",
            "./app",
            executable="/usr/libexec/valgrind/none-amd64-linux",
        )
        self.process(
            3,
            "valgrind",
            "--tool=cg2",
            "--",
            "app\nmore\t\udcff\x1b",
            executable="/x/cg2-x86-linux (deleted)",
        )
        self.process(4, "valgrind", "--tool=cg2", "./app", executable=None)
        self.process(5, "valgrind", "./app", "--tool=cg2", executable="/bin/sh")
        self.assertEqual(
            self.found(), {1: "./app x  y ", 3: "app\\nmore\\t\udcff\\x1b", 4: "./app"}
        )

    def test_lines_of_an_argument(self) -> None:
        """An argument with a line's end does not make a run of its second line."""
        self.write(
            "list",
            "use --pid=1 for valgrind --tool=cg2 ./app a\n"
            "use --pid=2 for valgrind --tool=cg2 other \n"
            "warning: something else\n",
        )
        self.process(
            1,
            "valgrind",
            "--tool=cg2",
            "./app",
            "a\nuse --pid=2 for valgrind --tool=cg2 other",
            executable=None,
        )
        self.assertEqual(self.found(), {1: "./app a\\nuse --pid=2 for valgrind --tool=cg2 other"})

    def test_names(self) -> None:
        run = Run(4711, ("bin/app", "x"))
        for name, named in (
            ("4711", True),
            ("app", True),
            ("bin/app", True),
            ("x", False),
            ("pp", False),
            ("471", False),
            ("bin/app x", False),
            ("", False),
        ):
            self.assertEqual(run.is_called(name), named, name)


class Commands(Fake):
    """What is printed, and what is sent to which run."""

    FIRST = "PID 11: ./app 1\n"
    SECOND = "PID 12: other\n"

    def test_list(self) -> None:
        self.assertEqual(self.run_control(), self.FIRST + self.SECOND)
        self.assertEqual(self.run_control("-v", "other", "11"), self.SECOND + self.FIRST)
        self.assertEqual(self.asked(), "")

    def test_shown(self) -> None:
        """Character by character what callgrind_control prints."""
        self.answer(11, STATUS)
        for options, expected in (
            (["-s"], STAT),
            (["--stat"], STAT),
            (["-b"], "\n" + BACK),
            (["--back"], "\n" + BACK),
            (["-e"], "\n" + TOTALS),
            (["--events"], "\n" + TOTALS),
            (["-s", "-b"], STAT + BACK),
            (["-bs"], STAT + BACK),
            (["-e", "-s"], STAT + TOTALS),
            (["-e", "Dw,Ir", "-b"], "\n" + TWO_EVENTS),
            (["-eDw,Ir", "-b"], "\n" + TWO_EVENTS),
            (["-b", "--events=Dw,Ir"], "\n" + TWO_EVENTS),
            (["-b", "-e", "DLmr,ILmr"], "\n" + MISSES),
        ):
            with self.subTest(options):
                self.assertEqual(self.run_control(*options, "11"), self.FIRST + expected)
                self.assertEqual(self.asked(), "11 status internal\n")

    def test_verbose(self) -> None:
        self.answer(11, STATUS)
        self.assertEqual(
            self.run_control("-v", "-s", "11"),
            f"PID 11: ./app 1 [requesting 'status internal']\n{STAT}",
        )
        self.assertEqual(
            self.run_control("-v", "-z", "12"), "PID 12: other [requesting 'zero']\n  OK.\n"
        )

    def test_collection_is_off(self) -> None:
        self.answer(11, f"{STATUS}collection-1: off\ncollection-2: off\n")
        self.assertEqual(
            self.run_control("-s", "app"),
            self.FIRST + STAT[:-1] + "  Collection is off in threads: 1 2\n\n",
        )

    def test_threads_without_frames(self) -> None:
        """Threads without frames are shown; one may be the only thread, with a long number."""
        text = re.sub(r"(?m)^(function|calls|events)-\d-\d: .*\n", "", STATUS)
        text = text.replace("threads: 1 2", "threads: 2 123").replace(
            "events-1: 130967 28928 12753", "events-123: 0"
        )
        text = re.sub("(?m)^events-123.*$", "events-123: 0", text)
        self.answer(11, text)
        self.assertEqual(
            self.run_control("-b", "-e", "Ir,Dw", "11"),
            self.FIRST + "\n"
            "  Totals:   Ir    Dw \n"
            "   Th 2  5,676 1,371 \n"
            "   Th123     0     . \n"
            "\n"
            "  Frame: Ir Dw Backtrace for Thread 2\n"
            "   (no frames)\n\n\n"
            "  Frame: Ir Dw Backtrace for Thread 123\n"
            "   (no frames)\n\n\n",
        )

    def test_no_threads(self) -> None:
        text = STATUS[: STATUS.index("threads:")] + "threads:\n"
        self.answer(11, text)
        self.assertEqual(
            self.run_control("-b", "-e", "Ir", "11"), self.FIRST + "\n  Totals:Ir \n\n"
        )

    def test_spoken_frames(self) -> None:
        """Functions are called as people say them, overloads are told apart; or in full."""
        text = STATUS.replace("-8: pause", "-8: void over(int)").replace(
            "-7: deep", "-7: over(long)"
        )
        text = text.replace(
            "-4: main", "-4: std::vector<int, std::allocator<int> >::at(unsigned long)"
        )
        self.answer(11, text)
        cases: list[tuple[list[str], list[str]]] = [
            ([], ["over(int)", "over(long)", "deep", "std::vector<int>::at", "(below main)"]),
            (
                ["--names=full"],
                [
                    "void over(int)",
                    "over(long)",
                    "deep",
                    "std::vector<int, std::allocator<int> >::at(unsigned long)",
                    "(below main)",
                ],
            ),
        ]
        for options, names in cases:
            lines = self.run_control("-b", *options, "11").splitlines()[3:8]
            self.assertEqual([re.split(r"\]  | \(\d+ x\)", line)[1] for line in lines], names)

    def test_frame_without_symbol(self) -> None:
        """A function without a symbol is called by its object."""
        named = "function-1-8: 0x0000000000014c40\nobject-1-8: /lib/libgcc_s.so.1"
        self.answer(11, STATUS.replace("function-1-8: pause", named))
        self.assertIn(" libgcc_s.so.1+0x14c40 (", self.run_control("-b", "11"))
        self.assertIn(" 0x0000000000014c40 (", self.run_control("-b", "--names=full", "11"))

    def test_deep_stack(self) -> None:
        """A hundred frames are shown, and how many are left."""
        text = STATUS[: STATUS.index("function-1-3")].replace("1 2\n", "1\n")
        for level in range(131):
            text += f"function-1-{level}: f{level}\ncalls-1-{level}: {level}\nevents-1-{level}: 1\n"
        self.answer(11, text)
        lines = self.run_control("-b", "11").splitlines()
        self.assertEqual(
            lines[2:5],
            ["  Frame: Backtrace for Thread 1", "   [ 0]  f130 (129 x)", "   [ 1]  f129 (128 x)"],
        )
        self.assertEqual(
            lines[101:], ["   [98]  f32 (31 x)", "   [99]  f31 (30 x)", "   (31 more)", "", ""]
        )

    def test_switched_off(self) -> None:
        """The next run is shown all the same."""
        self.answer(11, "instrumentation: off\n")
        self.answer(12, STATUS)
        self.assertEqual(self.run_control("-s"), self.FIRST + OFF + self.SECOND + STAT)

    def test_event_not_collected(self) -> None:
        self.answer(11, STATUS)
        warning = "Warning: Event `Bc' is not being collected\n"
        self.assertEqual(
            self.run_control("-e", "Bc,ILmr", "11", status=1, errors=warning),
            self.FIRST + "\n  Totals: ILmr \n   Th 1  1,204 \n   Th 2     12 \n\n",
        )
        self.assertEqual(
            self.run_control("-e", "Bc", "-b", "11", status=1, errors=warning),
            self.FIRST + "\n" + BACK,
        )

    def test_done(self) -> None:
        for options, request in (
            (["-d"], "dump"),
            (["--dump"], "dump"),
            (["--dump="], "dump"),
            (["-d", "half way"], "dump half way"),
            (["-dx"], "dump x"),
            (["--dump=9 -c v.kill"], "dump 9 -c v.kill"),
            (["--dump", "x"], "dump x"),
            (["--dump", "--"], "dump"),
            (["-z"], "zero"),
            (["--zero"], "zero"),
            (["-i", "on"], "instrumentation on"),
            (["-ioff"], "instrumentation off"),
            (["--instr=off"], "instrumentation off"),
            (["--instr", "on"], "instrumentation on"),
        ):
            with self.subTest(options):
                self.assertEqual(
                    self.run_control("--all", *options), f"{self.FIRST}  OK.\n{self.SECOND}  OK.\n"
                )
                self.assertEqual(self.asked(), f"11 {request}\n12 {request}\n")
        self.assertEqual(self.run_control("-d", "12"), f"{self.SECOND}  OK.\n")
        self.assertEqual(self.run_control("-d", "--", "app"), f"{self.FIRST}  OK.\n")
        self.assertEqual(self.asked(), "12 dump\n11 dump\n")

    def test_all(self) -> None:
        """What acts on several runs, or on another user's, names them or says --all; what looks does not."""
        told = "expected the PID or name of some, or --all: 11 (./app 1), 12 (other)\n"
        for option in "-d", "-z", "-k", "-ioff":
            errors = f"cg2_control: there are 2 cg2 runs; {told}"
            self.assertEqual(self.run_control(option, status=1, errors=errors), "")
        self.assertEqual(self.asked(), "")
        self.list({11: "--tool=cg2 ./app 1"})
        self.run_control("-z")
        self.assertEqual(self.asked(), "11 zero\n")
        status = "Name:\tx\nUid:\t{0}\t{0}\t{0}\t{0}\nGid:\t7\t7\t7\t7\nGroups:\t\nCapEff:\t0\n"
        self.write("proc/11/status", status.format(os.geteuid()))
        self.run_control("-z")
        self.write("proc/11/status", status.format(4294967000))
        self.asked()
        errors = (
            "cg2_control: the run is user 4294967000's; expected its PID or name, or --all: "
            "11 (./app 1)\n"
        )
        self.run_control("-z", status=1, errors=errors)
        self.assertEqual(self.asked(), "")
        for name in "--all", "11", "app":
            self.run_control("-z", name)
        self.assertEqual(self.asked(), "11 zero\n" * 3)

    def test_pipes(self) -> None:
        """A process that cannot open its pipes is not asked: its user is another, or its root directory."""
        owner, mode = os.geteuid(), 0o600
        pipe = self.directory / "vgdb-from-vgdb-to-11-by-me-on-here"
        os.mkfifo(pipe, mode)
        prefix = f"--vgdb-prefix={self.directory}/vgdb"
        status = "Uid:\t1 1 1 {}\nGid:\t7 7 7 7\nGroups:\t8 9\nCapEff:\t{:x}\n"
        for user, capabilities, can in (
            (owner, 0, True),
            (4294967000, 0, False),
            (4294967000, 1 << 1, True),
            (4294967000, ~(1 << 1) & (1 << 40) - 1, False),
        ):
            self.write("proc/11/status", status.format(user, capabilities))
            said = (
                f"cg2_control: PID 11: it is user 4294967000 now and cannot open {pipe}, which is "
                f"{pwd.getpwuid(owner).pw_name}'s with mode 600; "
                "a command would end it, without a profile\n"
            )
            with self.subTest(user=user, capabilities=capabilities):
                self.run_control(
                    prefix, "-z", "11", status=int(not can), errors="" if can else said
                )
                self.assertEqual(self.asked(), "11 zero\n" if can else "")
        pipe.chmod(0o606)
        self.run_control(prefix, "-z", "11")
        self.asked()
        (self.proc / "11" / "root").mkdir()
        said = (
            f"cg2_control: PID 11: it has another root directory now, which has no {pipe}; "
            "a command would end it, without a profile\n"
        )
        self.run_control(prefix, "-z", "11", status=1, errors=said)
        self.assertEqual(self.asked(), "")

    def test_profiles_are_named(self) -> None:
        """Each file that the run says it has made."""
        self.answer(11, "profile: /a b/x.1-01\n==11== Dump to x\nprofile: /a b/x.1-02\n")
        self.assertEqual(
            self.run_control("-d", "11", errors="==11== Dump to x\n"),
            f"{self.FIRST}  OK.\n  Profile: /a b/x.1-01\n  Profile: /a b/x.1-02\n",
        )

    def test_messages_are_passed_on(self) -> None:
        """What Valgrind says while we are connected would be lost otherwise."""
        self.answer(11, "==11== Dump to x\n\n")
        self.assertEqual(
            self.run_control("-d", "11", errors="==11== Dump to x\n"), f"{self.FIRST}  OK.\n"
        )
        self.answer(11, f"--11-- something\n{STATUS}")
        self.assertEqual(
            self.run_control("-s", "11", errors="--11-- something\n"), self.FIRST + STAT
        )

    def test_refused(self) -> None:
        """The other runs are treated all the same."""
        self.answer(11, "command 'zero' not recognised\nIn gdb,     try 'x'\n")
        self.assertEqual(
            self.run_control(
                "-z",
                "--all",
                status=1,
                errors=("cg2_control: PID 11: command 'zero' not recognised\n"),
            ),
            f"{self.FIRST}{self.SECOND}  OK.\n",
        )
        self.answer(11, "==11== error: cannot write the profile 'x': why\n")
        self.assertEqual(
            self.run_control(
                "-d",
                "11",
                status=1,
                errors=("cg2_control: PID 11: cannot write the profile 'x': why\n"),
            ),
            self.FIRST,
        )

    def test_malformed(self) -> None:
        self.answer(11, "instrumentation: on\n")
        self.answer(12, STATUS)
        self.assertEqual(
            self.run_control(
                "-s",
                status=1,
                errors=(
                    "cg2_control: PID 11: its answer to 'status internal' has no "
                    "'executed-bbs'\n"
                ),
            ),
            self.FIRST + self.SECOND + STAT,
        )


TOP = """\
instrumentation: on
events: Ir Dw
total: 2000 80
added: 500 10
milliseconds: 1500
functions: 30
self-0: 1000 40
added-0: 400 10
inclusive-0: 1500 50
object-0: /lib/libx.so
function-0: std::vector<int, std::allocator<int> >::push_back(int const&)
self-1: 600 0
added-1: 100 0
inclusive-1: 600 0
object-1: /lib/libgcc_s.so.1
function-1: 0x0000000000014c40
"""

FIRST_TOP = re.sub("(?m)^milliseconds: .*\n", "", TOP)

FIRST_PAGE = """\
PID 11: ./app 1
  2,000 Ir since the start or the last profile

Ir now     self         inclusive         function
     .    1,000  50.0%      1,500  75.0%  std::vector<int>::push_back
     .      600  30.0%        600  30.0%  libgcc_s.so.1+0x14c40
"""

NEXT_PAGE = """\
PID 11: ./app 1
  500 Ir in 1.5 s; 2,000 Ir since the start or the last profile

Ir now          self         inclusive         function
   400  80.0%  1,000  50.0%      1,500  75.0%  std::vector<int>::push_back
   100  20.0%    600  30.0%        600  30.0%  libgcc_s.so.1+0x14c40
"""


class Top(Fake):
    """cg2_control --top: pages of the hottest functions."""

    def setUp(self) -> None:
        """The run answers once without time between, then with it, and then it has ended."""
        super().setUp()
        self.write("first", FIRST_TOP)
        self.write("next", TOP)
        self.write(
            "act.11",
            """
case $* in *"top 0"*) cat "$here/first" ;; *) cat "$here/next" ;; esac
echo >>"$here/times"
if [ $(wc -l <"$here/times") -gt 2 ]; then echo "no FIFO found" >&2; exit 1; fi
""",
        )

    def top(self, *options: str, status: int = 0, errors: str = "") -> str:
        return self.run_control(
            "--top", "--interval=0.001", *options, "11", status=status, errors=errors
        )

    def test_until_the_end(self) -> None:
        """Page by page; when the program has ended, that is said in a line."""
        self.assertEqual(self.top(), f"{FIRST_PAGE}\n{NEXT_PAGE}PID 11 has ended\n")
        self.assertEqual(self.asked(), "11 top 0\n11 top 20\n11 top 20\n11 top 20\n")

    def test_count(self) -> None:
        self.assertEqual(self.top("--count=1"), FIRST_PAGE)
        self.assertEqual(self.top("--count=1", "--rows=7", "--sort=Dw").count("\n"), 6)
        self.assertEqual(self.asked(), "11 top 0\n11 top 20\n11 top 0\n11 top 7 Dw\n")

    def test_two(self) -> None:
        """Each page counts as one, and an empty line is between two."""
        self.assertEqual(self.top("--count=2"), f"{FIRST_PAGE}\n{NEXT_PAGE}")

    def test_hostile(self) -> None:
        """What a program calls itself, its functions and events does nothing to a terminal."""
        bad = "x\x1b[2J\u202e"
        self.list({11: f"--tool=cg2 ./app{bad} 1"})
        hostile = FIRST_TOP.replace("Ir", f"Ir{bad}").replace("push_back", f"push_back{bad}")
        self.write("first", hostile.replace("libx", f"libx{bad}"))
        page = self.top("--count=1")
        self.assertTrue(page.replace("\n", "").isprintable(), page)
        self.assertIn("Irx\\x1b[2J\\u202e since", page)
        self.assertIn("PID 11: ./appx\\x1b[2J", page)

    def test_event(self) -> None:
        page = self.top("--count=1", "--sort=Dw")
        self.assertIn("  80 Dw since the start", page)
        self.assertIn(
            "\n     .      40  50.0%         50  62.5%  std::vector<int>::push_back\n", page
        )

    def test_full_names(self) -> None:
        page = self.top("--count=1", "--names=full")
        self.assertIn("  std::vector<int, std::allocator<int> >::push_back(int const&)\n", page)

    def test_switched_off(self) -> None:
        self.write("first", FIRST_TOP.replace("tion: on", "tion: off"))
        self.assertIn("\n  counting is switched off; 2,000 Ir since", self.top("--count=1"))

    def test_nothing_yet(self) -> None:
        self.write("first", "instrumentation: on\nevents: Ir\ntotal: 0\nadded: 0\nfunctions: 0\n")
        self.assertEqual(
            self.top("--count=1"),
            "PID 11: ./app 1\n  0 Ir since the start or the last profile\n\n"
            "Ir now    self    inclusive    function\n",
        )

    def test_malformed(self) -> None:
        for text, expected in (
            ("top 20 Bc: there is no event Bc\n", "top 20 Bc: there is no event Bc"),
            (
                "command 'top 0' not recognised\n",
                "it does not know 'top': command 'top 0' not recognised",
            ),
            ("events: Ir\n", "its answer to 'top' has no 'instrumentation'"),
            (
                FIRST_TOP.replace("self-1: 600 0", "self-1: x"),
                "its answer to 'top' has 'self-1: x'; expected numbers",
            ),
        ):
            with self.subTest(text):
                self.write("first", text)
                self.write("times", "")
                self.top(status=1, errors=f"cg2_control: PID 11: {expected}\n")

    def test_ended_before(self) -> None:
        self.breaks(11, "vgdb error: no FIFO found matching pid 11\n")
        self.top(status=1, errors="cg2_control: PID 11: it has ended meanwhile\n")

    def test_one_run(self) -> None:
        """If there are several runs, one must be named."""
        self.run_control(
            "--top",
            status=1,
            errors="cg2_control: there are 2 cg2 runs; expected the PID of one: "
            "11 (./app 1), 12 (other)\n",
        )


class Killing(Fake):
    KILLED = "==11== monitor command request to kill this process\n"
    GONE = "readchar: Got EOF\nerror reading packet\n"

    def kill(self, status: str, last: str, errors: str = GONE) -> None:
        self.write("status", status)
        self.write("last", last)
        self.write("errors", errors)
        self.write(
            "act.11",
            'case $* in *v.kill) cat "$here/last"; cat '
            '"$here/errors" >&2 ;; *) cat "$here/status" ;; esac',
        )

    def run_kill(self, status: int = 0, errors: str = "") -> str:
        return self.run_control("-k", "app", status=status, errors=errors)

    def test_dump_first(self) -> None:
        """In one call of vgdb, between whose commands nothing is executed."""
        self.kill(STATUS, self.KILLED)
        self.assertEqual(self.run_kill(), "PID 11: ./app 1\n  OK.\n")
        self.assertEqual(self.asked(), "11 status internal\n11 dump kill\n11 v.kill\n")

    def test_profile_is_named(self) -> None:
        self.kill(STATUS, f"profile: /tmp/x.1\n{self.KILLED}")
        self.assertEqual(self.run_kill(), "PID 11: ./app 1\n  OK.\n  Profile: /tmp/x.1\n")

    def test_not_counting(self) -> None:
        """What was counted before is dumped."""
        self.kill("instrumentation: off\n", self.KILLED)
        self.assertEqual(self.run_kill(), "PID 11: ./app 1\n  OK.\n")

    def test_not_understood(self) -> None:
        """A run that cannot dump is not killed."""
        self.kill("command 'status internal' not recognised\n", self.KILLED)
        self.assertEqual(
            self.run_kill(
                1,
                (
                    "cg2_control: PID 11: it does not know 'status internal': "
                    "command 'status internal' not recognised\n"
                ),
            ),
            "PID 11: ./app 1\n",
        )
        self.assertEqual(self.asked(), "11 status internal\n")

    def test_dump_failed(self) -> None:
        error = "==11== error: cannot write the profile 'x': why\n"
        self.kill(STATUS, error + self.KILLED)
        self.assertEqual(
            self.run_kill(1, (f"{error}cg2_control: PID 11: cannot write the profile 'x': why\n")),
            "PID 11: ./app 1\n",
        )

    def test_not_heard(self) -> None:
        """A run that is gone is killed, also where vgdb has not read what it said last."""
        (self.proc / "self").mkdir()
        (self.proc / "11").mkdir()
        (self.proc / "11" / "stat").write_text("11 (app) Z 1")
        self.kill(STATUS, "")
        self.assertEqual(self.run_kill(), "PID 11: ./app 1\n  OK.\n")

    def test_not_killed(self) -> None:
        self.kill(STATUS, "", errors="")
        self.assertEqual(
            self.run_kill(1, ("cg2_control: PID 11: it does not say that it is killed\n")),
            "PID 11: ./app 1\n",
        )


class Errors(Fake):
    def error(self, *arguments: str, status: int = 2) -> str:
        """The one line on stderr, without the command's name."""
        output = control(*arguments, vgdb=self.directory, proc=self.proc, tool="cg2")
        self.assertEqual((output.status, output.stdout), (status, ""))
        self.assertEqual(output.stderr.count("\n"), 1, output.stderr)
        self.assertEqual(output.stderr[:13], "cg2_control: ")
        self.assertEqual(self.asked(), "")
        return output.stderr[13:-1]

    def test_arguments(self) -> None:
        together = "-d, -z, -i and -k go one at a time, and not together with -s, -b or -e"
        for words, expected in (
            ("-i", "argument -i/--instr: expected on or off"),
            ("-i 11", "argument -i/--instr: expected on or off"),
            ("--instr=", "argument -i/--instr: expected on or off"),
            ("-i maybe", "argument -i/--instr: expected on or off, not 'maybe'"),
            ("-e Ir,,Dw", "argument -e/--events: 'Ir,,Dw'; expected events as in Ir,Dr"),
            ("--dump=a\nb", "argument -d/--dump: expected one line of at most 1000 bytes"),
            (f"--dump={'x' * 1001}", "argument -d/--dump: expected one line of at most 1000 bytes"),
            ("--timeout=0", "argument --timeout: '0'; expected a number of seconds, 1 or more"),
            (
                "--timeout=" + "9" * 5000,
                f"argument --timeout: '{'9' * 5000}'; expected a number of seconds, 1 or more",
            ),
            ("-l", "unrecognized arguments: -l"),
            ("--stats", "unrecognized arguments: --stats; near to it: --stat"),
            ("-d -z", together),
            ("-k -i on", together),
            ("-b -z", together),
            ("--top -z", "--top goes with none of -s, -b, -e, -d, -z, -i and -k"),
            ("--top -s", "--top goes with none of -s, -b, -e, -d, -z, -i and -k"),
            ("--rows=3 -s", "--rows goes with --top"),
            ("--names=full -s", "--names goes with --top or -b"),
            ("--top --interval=0", "argument --interval: '0'; expected seconds as in 2 or 0.5"),
            ("--top --count=0", "argument --count: '0'; expected a number, 1 or more"),
            ("--top --sort=a,b", "argument --sort: 'a,b'; expected an event as in Ir"),
        ):
            with self.subTest(words):
                self.assertEqual(
                    self.error(*words.split(" ")), f"{expected}; see cg2_control --help"
                )

    def test_no_such_run(self) -> None:
        """Nothing is done then, not even to those that exist."""
        self.assertEqual(
            self.error("-z", "app", "4711", status=1),
            "no cg2 run with PID or name '4711'; cg2_control without arguments lists all",
        )

    def test_no_runs(self) -> None:
        self.list({1: "--tool=none ./app"})
        self.assertEqual(self.run_control(), "No active cg2 runs detected.\n")
        for option in ("-s", "-z", "-k", "--top"):
            self.assertEqual(self.error(option, status=1), "no active cg2 runs")

    def test_ended(self) -> None:
        """All that vgdb says of a process that is no more."""
        for errors, status in (
            ("vgdb error: no FIFO found matching pid 11\n", 1),
            (
                "syscall failed: No such process\ninvoke_gdbserver_in_valgrind: "
                "check for pid 11 existence failed\n",
                1,
            ),
            ("readchar: Got EOF\nerror reading packet\n", 0),
            (
                "syscall failed: No such file or directory\nerror opening "
                "/tmp/vgdb-pipe-shared-mem-vgdb-11 shared memory file\n",
                1,
            ),
        ):
            self.breaks(11, errors, status)
            for option in ("-s", "-d", "-k"):
                self.run_control(
                    option, "11", status=1, errors=("cg2_control: PID 11: it has ended meanwhile\n")
                )

    def test_no_answer(self) -> None:
        self.breaks(11, "pid 11 did not handle a command in 1 seconds\n")
        self.run_control(
            "-s", "11", "--timeout=1", status=1, errors=f"cg2_control: PID 11: {NO_ANSWER}\n"
        )
        # The program takes the command and then no more is heard of it.
        self.write("act.11", "exec sleep 30\n")
        self.run_control(
            "-z", "11", "--timeout=1", status=1, errors=f"cg2_control: PID 11: {NO_ANSWER}\n"
        )

    def test_vgdb_fails(self) -> None:
        self.breaks(11, "no such option\nusage\n", 3)
        self.run_control(
            "-z", "11", status=1, errors=("cg2_control: PID 11: vgdb failed: no such option\n")
        )
        self.breaks(11, "", 3)
        self.run_control(
            "-z", "11", status=1, errors=("cg2_control: PID 11: vgdb failed: it does not say why\n")
        )

    def test_vgdb_cannot_run(self) -> None:
        self.write("vgdb", "#!/nosuch/shell\n").chmod(0o755)
        self.assertEqual(self.error(status=1), f"{self.directory}/vgdb: No such file or directory")

    def test_full_disk(self) -> None:
        with open("/dev/full", "w") as full:
            ended = subprocess.run(
                [sys.executable, "-c", CALL, str(self.directory), str(self.proc), "cg2"],
                env={"PATH": os.environ["PATH"], "PYTHONPATH": str(TOOLS)},
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
            )
        self.assertEqual(
            (ended.returncode, ended.stderr),
            (1, "cg2_control: standard output: No space left on device\n"),
        )


class Command(Fake):
    """The command, installed in the directory `usr`."""

    def setUp(self) -> None:
        super().setUp()
        self.prefix = self.directory / "usr"
        (self.prefix / "share" / "cg2" / "tools").mkdir(parents=True)
        (self.prefix / "share" / "cg2" / "tools" / "cg2tools").symlink_to(TOOLS / "cg2tools")
        (self.prefix / "bin").mkdir()
        shutil.copy(TOOLS / "cg2_control", self.prefix / "bin")

    def run_command(
        self,
        *arguments: str,
        status: int = 0,
        errors: str = "",
    ) -> str:
        """What cg2_control prints to standard output, with `path` below `usr` for PATH."""
        ended = subprocess.run(
            [sys.executable, str(self.prefix / "bin" / "cg2_control"), *arguments],
            env={
                "PATH": str(self.prefix / "path") + ":/usr/bin:/bin",
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual((ended.stderr, ended.returncode), (errors, status))
        return ended.stdout

    def test_which_vgdb(self) -> None:
        """Beside valgrind, of a prefix of its own, where it was built, PATH."""
        places = ("path", ".in_place", "libexec/cg2", "bin")
        for place in places:
            self.list({os.getpid(): "--tool=cg2 not so"})
            (self.prefix / place).mkdir(parents=True, exist_ok=True)
            for name in ("vgdb", "list"):
                shutil.copy(self.directory / name, self.prefix / place)
            self.assertEqual(self.run_command(), "No active cg2 runs detected.\n")
            for other in places:
                listed = self.prefix / other / "listed"
                self.assertEqual(listed.exists(), other == place, (place, other))
                listed.unlink(missing_ok=True)

    def test_no_vgdb(self) -> None:
        ended = subprocess.run(
            [sys.executable, str(self.prefix / "bin" / "cg2_control")],
            env={"PATH": "/nosuch", "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(
            (ended.returncode, ended.stdout, ended.stderr),
            (1, "", "cg2_control: no vgdb in PATH; expected the one of Valgrind\n"),
        )

    def test_no_modules(self) -> None:
        (self.prefix / "share" / "cg2" / "tools" / "cg2tools").unlink()
        self.run_command(
            status=1,
            errors=(
                f"cg2_control: no cg2tools; expected them in {self.prefix}/bin or "
                f"{self.prefix}/share/cg2/tools\n"
            ),
        )

    def test_help_has_every_option(self) -> None:
        for option in ("-h", "--help"):
            text = self.run_command(option)
            self.assertTrue(text.startswith("usage: cg2_control "))
            for name in (
                "--stat",
                "--back",
                "--events",
                "--dump",
                "--zero",
                "--instr",
                "--kill",
                "--vgdb-prefix",
                "--timeout",
                "-v",
                "--help",
                "--version",
            ):
                self.assertRegex(text, rf"(?m)^  (-. ?.*, )?{name}\b")
            self.assertLessEqual(max(map(len, text.split("\n"))), 80)

    def test_examples_of_the_help_work(self) -> None:
        text = self.run_command("--help")
        examples = re.findall(r"(?m)^  cg2_control\b(.*?)(?:  .*)?$", text)
        self.assertEqual(len(examples), 9)
        self.list({4711: "--tool=cg2 app"})
        self.answer(4711, STATUS)
        for example in examples:
            with self.subTest(example):
                doing = "-z" in example or "-i" in example or "dump" in example
                self.answer(4711, "" if doing else STATUS)
                if "--top" in example:
                    self.answer(4711, TOP)
                    example += " --count=1"
                if "-k" in example:
                    self.write(
                        "act.4711",
                        (
                            'case $* in *v.kill) echo "==1== request to kill this '
                            'process" ;; *) cat "$here/answer.4711" ;; esac\n'
                        ),
                    )
                self.assertEqual(self.run_control(*example.split())[:14], "PID 4711: app\n")

    def test_version(self) -> None:
        configure = (SOURCE / "configure.ac").read_text()
        match = re.search(r"AC_INIT\(\[cg2\], \[(.*?)\]", configure)
        assert match is not None
        self.assertEqual(self.run_command("--version"), f"cg2_control {match[1]}\n")

    def test_is_executable(self) -> None:
        self.assertTrue(os.access(TOOLS / "cg2_control", os.X_OK))


# ---- Live runs ---------------------------------------------------------------


class Live(unittest.TestCase):
    """Runs of waiting.c, apart from all other runs by a vgdb-prefix of their own."""

    maxDiff = None
    tool = TOOL
    linked: tuple[str, ...] = ("-static",)  # Valgrind starts it in half the time
    directory: Path
    program: Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory(prefix="cg2control-")
        cls.addClassCleanup(folder.cleanup)
        cls.directory = Path(folder.name)
        cls.program = cls.directory / "waiting"
        words = ["gcc", "-g", "-O0", "-pthread", *cls.linked, "-o", str(cls.program)]
        subprocess.run([*words, HERE / "waiting.c"], check=True)

    @classmethod
    def prefix(cls) -> str:
        return f"--vgdb-prefix={cls.directory}/vgdb"

    @classmethod
    def start(cls, *options: str, tool: str) -> subprocess.Popen[bytes]:
        """A run that has come to where it waits; it is ended with the class."""
        command = [
            str(VALGRIND),
            "-q",
            f"--tool={tool}",
            cls.prefix(),
            *options,
            "./waiting",
            "a b",
        ]
        run = subprocess.Popen(
            command,
            cwd=cls.directory,
            env=cg2test.env(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        cls.addClassCleanup(cls.end, run)
        assert run.stdout is not None
        ready, _, _ = select.select([run.stdout], [], [], cg2test.HANG)
        said = run.stdout.readline() if ready else b"nothing"
        assert said == b"waiting\n", said
        return run

    @staticmethod
    def end(run: subprocess.Popen[bytes]) -> None:
        run.send_signal(signal.SIGCONT)
        run.kill()
        run.communicate()

    @classmethod
    def control(cls, *arguments: str, tool: str = "") -> Output:
        return control(
            cls.prefix(), *arguments, vgdb=VALGRIND.parent, proc="/proc", tool=tool or cls.tool
        )

    def settled(self, run: subprocess.Popen[bytes]) -> str:
        """The backtrace, once both threads wait and nothing is counted any more."""
        before = ""
        for _ in range(1000):
            now = self.control("-s", "-b", "-e", str(run.pid)).stdout
            if now == before:
                return self.control("-b", str(run.pid)).stdout
            before = now
            time.sleep(0.2)
        self.fail(f"{run.pid} does not come to rest")

    def ok(self, run: subprocess.Popen[bytes], *arguments: str, part: int = 0) -> None:
        """A command is done, and names the part that it is to make, if any."""
        path = f"{self.directory.resolve()}/{self.tool}.out.{run.pid}.{part}"
        made = f"  Profile: {path}\n" if part and self.tool == "cg2" else ""
        self.assertEqual(
            self.control(*arguments, str(run.pid)),
            Output(0, f"PID {run.pid}: ./waiting a b\n  OK.\n{made}", ""),
        )


DROPS = r"""
#include <stdio.h>
#include <grp.h>
#include <unistd.h>
int main(void)
{
   if (setgroups(0, 0) || setgid(65534) || setuid(65534))
      return 1;
   puts("waiting");
   fflush(stdout);
   for (;;)
      usleep(1000);
}
"""


class Dropped(Live):
    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_not_ended(self) -> None:
        """A program that has become another user is refused by each command, and goes on."""
        (self.directory / "drops.c").write_text(DROPS)
        subprocess.run(["gcc", "-o", self.program, self.directory / "drops.c"], check=True)
        run = self.start(f"--cg2-out-file={self.directory}/out", tool=self.tool)
        for words in ["-s"], ["-d"], ["-k"]:
            output = self.control(*words, str(run.pid))
            self.assertEqual(output.status, 1)
            self.assertRegex(
                output.stderr,
                rf"\Acg2_control: PID {run.pid}: it is user \w+ now and cannot open .*; "
                r"a command would end it, without a profile\n\Z",
            )
        time.sleep(1)
        self.assertIsNone(run.poll())


class Watched(Live):
    """cg2_control --top of a run that waits in system calls, in a pipe and on a terminal."""

    def setUp(self) -> None:
        self.waiting = self.start(tool=TOOL)
        self.settled(self.waiting)
        self.command = [
            *(sys.executable, "-c", CALL, str(VALGRIND.parent), "/proc", TOOL),
            *(self.prefix(), "--top", "--interval=0.2", str(self.waiting.pid)),
        ]
        self.environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(TOOLS), "TERM": "xterm"}

    def test_blocked(self) -> None:
        """Nothing is added while all threads wait; costs are those of the program."""
        output = self.control(
            "--top", "--interval=0.1", "--count=2", "--rows=3", str(self.waiting.pid)
        )
        self.assertEqual((output.status, output.stderr), (0, ""))
        first, second = output.stdout.split("\n\nPID ")
        self.assertRegex(second, r"\n  0 Ir in \d+\.\d s; [\d,]+ Ir since the start")
        everything = self.control("--top", "--count=1", "--rows=1000", str(self.waiting.pid)).stdout
        leaf = re.search(r"(?m)^ +\. +([\d,]+) .* leaf$", everything)
        assert leaf is not None
        instructions = int(leaf[1].replace(",", ""))
        self.assertEqual(instructions % 1234, 0)

    def test_ended(self) -> None:
        """The program ends meanwhile: a line says so, and the exit status is 0."""
        with subprocess.Popen(
            self.command,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as watching:
            assert watching.stdout is not None
            self.assertEqual(watching.stdout.readline(), f"PID {self.waiting.pid}: ./waiting a b\n")
            self.waiting.kill()
            self.waiting.wait()
            output, errors = watching.communicate(timeout=cg2test.HANG)
        self.assertTrue(output.endswith(f"PID {self.waiting.pid} has ended\n"), output)
        self.assertEqual((errors, watching.returncode), ("", 0))

    def on_terminal(self, *, rows: int, columns: int) -> tuple[subprocess.Popen[bytes], int]:
        """The command on a terminal of a size; and what a user has in hands."""
        user, terminal = pty.openpty()
        termios.tcsetwinsize(terminal, (rows, columns))
        self.modes = termios.tcgetattr(terminal)
        watching = subprocess.Popen(
            self.command,
            env=self.environment,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)
        self.addCleanup(os.close, user)
        self.addCleanup(watching.wait)
        self.addCleanup(watching.kill)
        return watching, user

    def seen(self, user: int, until: str) -> str:
        """What comes to the terminal up to a text."""
        text = ""
        while until not in text:
            ready, _, _ = select.select([user], [], [], cg2test.HANG)
            self.assertTrue(ready, repr(text))
            try:
                text += os.read(user, 10000).decode()
            except OSError:
                self.fail(f"the command has ended: {text!r}")
        return text

    def rest(self, user: int) -> str:
        """What comes to the terminal until the command has ended."""
        text = ""
        while True:
            ready, _, _ = select.select([user], [], [], cg2test.HANG)
            self.assertTrue(ready, repr(text))
            try:
                text += os.read(user, 10000).decode()
            except OSError:
                return text

    def test_terminal(self) -> None:
        """A page fits; it is drawn in its place; a terminal of another size gets another page; q leaves."""
        watching, user = self.on_terminal(rows=10, columns=60)
        begin, _, text = self.seen(user, "\x1b[J").partition("\x1b[H")
        self.assertEqual(begin, "\x1b[?1049h\x1b[?25l")
        page = (
            text.replace("\x1b[K", "")
            .replace("\x1b[J", "")
            .split("\r\r\n" if "\r\r\n" in text else "\r\n")
        )
        self.assertEqual(len(page), 10)
        self.assertLess(max(map(len, page)), 60)
        termios.tcsetwinsize(user, (7, 100))
        self.seen(user, "inclusive")
        self.seen(user, "\x1b[J")
        os.write(user, b"q")
        end = self.seen(user, "\x1b[?1049l") + self.rest(user)
        _, _, left = end.partition("\x1b[?25h\x1b[?1049l")
        self.assertTrue(left.startswith(f"PID {self.waiting.pid}: ./waiting a b\r\n"), end)
        self.assertEqual(watching.wait(cg2test.HANG), 0)

    def test_interrupted(self) -> None:
        """Control-C leaves the terminal as it was."""
        for signal_number in (signal.SIGINT, signal.SIGTERM):
            watching, user = self.on_terminal(rows=10, columns=60)
            self.seen(user, "\x1b[J")
            self.assertNotEqual(termios.tcgetattr(user), self.modes)
            watching.send_signal(signal_number)
            self.seen(user, "\x1b[?25h\x1b[?1049l")
            self.assertEqual(watching.wait(cg2test.HANG), 0)
            self.assertEqual(termios.tcgetattr(user), self.modes)


class Controlled(Live):
    """A run from its start to its end, with a dynamic linker, which costs 100,000 instructions."""

    linked = ()

    def profiles(self, run: subprocess.Popen[bytes]) -> list[str]:
        """Triggers of its profiles in the order of their parts, and their totals."""
        paths = self.directory.glob(f"{self.tool}.out.{run.pid}.*")
        texts = [path.read_text() for path in sorted(paths)]
        return [
            " ".join(re.findall(r"(?m)^(?:desc: Trigger|totals): (.*)", text)) for text in texts
        ]

    def test_all(self) -> None:
        run = self.start(tool=self.tool)
        head = f"PID {run.pid}: ./waiting a b\n"
        back = self.settled(run)
        deeper = "deep" if self.tool == "callgrind" else "deep'2"
        self.assertEqual(self.control(), Output(0, head, ""))
        self.assertEqual(
            self.control(tool="none"), Output(0, "No active none runs detected.\n", "")
        )
        self.assertEqual(
            [
                line
                for line in back.splitlines()
                if re.search(r"Thread|main \(|deep|work|leaf", line)
            ],
            [
                "  Frame: Backtrace for Thread 1",
                "   [ 1]  deep (1 x)",
                "   [ 2]  main (1 x)",
                "  Frame: Backtrace for Thread 2",
                f"   [ 1]  {deeper} (1 x)",
                f"   [ 2]  {deeper} (1 x)",
                "   [ 3]  deep (1 x)",
                "   [ 4]  work (1 x)",
            ],
        )

        total = self.control("-e", "Ir", "waiting").stdout
        first, second = (
            int(number.replace(",", ""))
            for number in re.findall(r"Th \d +([\d,]+) $", total, re.MULTILINE)
        )
        self.assertGreater(first, 100_000)
        self.assertGreater(second, 1234 * 5)
        self.ok(run, "--dump=first one", part=1)
        self.ok(run, "-z")
        self.assertEqual(
            self.control("-e", str(run.pid)),
            Output(0, head + "\n  Totals:Ir \n   Th 1   0 \n   Th 2   0 \n\n", ""),
        )
        run.send_signal(signal.SIGSTOP)
        self.assertEqual(
            self.control("-s", "--timeout=1"),
            Output(1, head, f"cg2_control: PID {run.pid}: {NO_ANSWER}\n"),
        )
        run.send_signal(signal.SIGCONT)

        self.ok(run, "-k", part=2)
        run.wait(timeout=cg2test.HANG)
        self.assertEqual(self.profiles(run), [f"dump first one {first + second}", "dump kill 0"])
        self.assertEqual(self.control("-s").stderr, f"cg2_control: no active {self.tool} runs\n")


class Switched(Live):
    """Counting is switched off and on."""

    tool = "cg2"

    def test_off_and_on(self) -> None:
        run = self.start(tool=self.tool)
        head = f"PID {run.pid}: ./waiting a b\n"
        self.ok(run, "-i", "off")
        self.assertEqual(self.control("-b", "waiting"), Output(0, head + OFF, ""))
        self.ok(run, "-i", "on")
        shown = self.control("-b", "waiting")
        self.assertEqual((shown.status, shown.stderr), (0, ""))
        self.assertIn("  Frame: Backtrace for Thread 2\n", shown.stdout)


class LikeCallgrindControl(Live):
    """The text on stdout is that of callgrind_control, for the same runs."""

    tool = "callgrind"

    def theirs(self, *arguments: str) -> str:
        ended = subprocess.run(
            [VALGRIND.parent / "callgrind_control", self.prefix(), *arguments],
            env=cg2test.env(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=cg2test.HANG,
            check=False,
        )
        return ended.stdout

    def compare(self, *arguments: str) -> None:
        with self.subTest(arguments):
            self.assertEqual(self.control(*arguments).stdout, self.theirs(*arguments))

    def test_text(self) -> None:
        if not (VALGRIND.parent / "callgrind_control").exists():
            self.skipTest("callgrind_control is not installed")
        run = self.start("--cache-sim=yes", tool=self.tool)
        self.settled(run)
        for options in (
            "",
            "-s",
            "-b",
            "-e",
            "-s -b",
            "-e -b",
            "-e Ir,Dw",
            "-b -e DLmr,Ir",
            "-s ./waiting -v",
            "-d x",
            "-z waiting",
            "-e -b",
            "-v -i off",
            "-s",
            "-i on",
        ):
            self.compare(*options.split())


if __name__ == "__main__":
    unittest.main()
