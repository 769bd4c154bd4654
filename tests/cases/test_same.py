"""The same figure everywhere: under `cg2 --repeatable` a program says the same, and its profile has the same
bytes, in situations that differ in all that should not matter to it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import unittest
from collections.abc import Sequence
from pathlib import Path

from case import Case
from cg2test import HANG, IN_PLACE, SOURCE, VALGRIND, compile, new_directory, profile_of
from facts import Graph
from situations import FIRST, WITHIN, Outcome, Situation, compared, differences, outcome

IS_FULL = os.environ.get("CG2_FULL") == "1"

PYTHON = """
import _random, os, threading, time
print(hash('x'), list({'a', 'b', 'c', 'd'}), _random.Random().random(), time.time(), os.cpu_count())
print(object(), os.urandom(8), os.environ.get('TZ'), os.uname())
threads = [threading.Thread(target=print, args=(i,)) for i in range(3)]
[t.start() for t in threads]
"""
PERL = (
    'print join(" ", keys %{{map { $_ => 1 } 1 .. 50}}), " ", time, " ", rand, " ", \\%ENV, "\\n"'
)
SQL = "select hex(randomblob(8)), datetime('now'), random(); create table t(a); insert into t values (1);"


# A shell waits for one job when others may end, and reads what another one writes line by line.
WAITS = """
for i in 3 1 2; do (for j in $(seq ${i}000); do :; done; exit $i) & done
for p in $(jobs -p); do wait $p; echo status $?; done
date
"""
WAITS_SAY = "status 3\nstatus 1\nstatus 2\nSat Jan  1 00:00:00 UTC 2000\n"

# Jobs that end in the order of their virtual times, and pipes.
JOBS = """
sleep 3 & sleep 2 & sleep 1 & wait -n; wait; date
seq 200 | sort -r | tail -n 3
echo $(echo x | tr x y | sed s/y/z/) $$ $! $RANDOM
"""
JOBS_SAY = "Sat Jan  1 00:00:03 UTC 2000\n100\n10\n1\nz 1000 "

MAKEFILE = """
all: a.o b.o
\tls *.o | wc -l
%.o: SOURCES/%.c
\tgcc -O1 -c $< -o $@
"""

# Processes of Python, each of which answers by a pipe.
PROCESSES = """
import multiprocessing, os
def add(answer, n):
    answer.send((os.getpid(), sum(range(n))))
for n in (3000, 1000, 2000):
    reader, writer = multiprocessing.Pipe(False)
    process = multiprocessing.Process(target=add, args=(writer, n))
    process.start()
    print(reader.recv())
    process.join()
"""

# What a shell hears of its child: the trap runs when the loop has come so far.
TRAP = """
trap 'echo $n' CHLD
n=0
(for j in 1 2 3; do :; done) &
while [ $n -lt 2000 ]; do n=$((n + 1)); done
wait
"""

# What tests/programs/timers.c says.
TIMERS = """\
left 300
sleep heard 1 after 200.0
left 800
pause heard 1 after 100.0
five times heard 5 after 500.0
read 1
read heard 1 after 0.1
loop heard 3 after 0.6
loop heard 3 after 0.6
loop heard 3 after 0.6
"""

# What tests/programs/moretimers.c says.
MORE_TIMERS = """\
once heard 1 value 7 overrun 0 code -2 after 100.000
late by less than a microsecond: 1
loop heard 1 value 7 overrun 0 code -2 after 0.002
left 50 every 3
blocked heard 1 value 7 overrun 4 code -2 after 5.500
getoverrun 4
waited 1 code -2 overrun 0 after 0.5
timed -1 after 1.0
ppoll heard 1 value 7 overrun 0 code -2 after 1.500
pselect heard 1 value 7 overrun 0 code -2 after 2.500
epoll_pwait heard 1 value 7 overrun 0 code -2 after 3.500
signalfd 1 code -2 overrun 0 after 4.5
deleted -1
thread value 3 after 20.0
called 3 after 6.0
read 8: 1 after 3.0
poll 1 after 5.0
read 8: 6 after 15.0
epoll 1 after 19.0
epoll 0 after 20.0
left 1 every 2
not yet -1
select 1 after 100.0
replaced read 8: 1 after 1000
replaced heard 1 value 0 overrun 0 code 128 after 2000.000
wait -1 heard 1 after 1.0
child 1
"""

# What tests/programs/ids.c says.
IDS = """\
process 1000 parent 999 thread 1000 group 998 session 997
link same
status same
stat same
exe same
policy 0 affinity 3
group of it same
process 1 is gone 1
nobody is gone 1
child 2918878 parent 1000
made 2918878 heard same
its group same
waitid same
wait same
by signal 15
then 1
thread 3385207 sender same
tasks 1 first same
peer same
owner same
owner again same
semaphore same
queued same
replaced 1000 parent 999 limit 12345
"""


# What tests/programs/sent.c says.
SENT = """\
kill 0 heard 10 code 0 own 1 kept 1
tkill 0 heard 10 code -6 own 1 kept 1
tgkill 0 heard 10 code -6 own 1 kept 1
group 0 heard 0 code 0 own 0 kept 1
"""


# What tests/programs/moreids.c says.
MORE_IDS = """\
sent 1 still same
letter 1 from same user same
sent 1
received 1 from same
for nobody -1
letter 1 from same user same
below /proc same
below it same
pages 0
its maps 1
link same
gone 1
working same
size 1
rights 0
still same
limit same
PIDFD
signal 0
signalfd same status 15
waited same status 15
"""

# A child that is stopped in its sleep, by another program and by the shell; two that meet at a file; one that
# has time enough, but not if that were real.
SLEEPERS = """
timeout 2 sh -c 'sleep 10; echo awake'; echo $?
sleep 10 & sleep 1; kill $!; wait $! 2>/dev/null; echo $?
(sleep 1; cat file) & (sleep 0.5; echo some >file; sleep 1; echo more >>file) & wait; cat file
timeout 0.1 perl -e 'for (1..400000) {}'; echo $?
date +%s
"""
SLEEPERS_SAY = "124\n143\nsome\nsome\nmore\n0\n946684804\n"

# What tests/programs/spending.c says: hundredths of seconds.
SPENDING = """\
begins 0, all 0, ticks 0
waited 4, all 4, ticks 4
looked 4, all 4, ticks 4
waited 4, all 8, ticks 8
replaced 0, all 8, ticks 8
"""

# What tests/programs/cpulimit.c says, without a profiler, too.
CPU_LIMIT = """\
begins at 0 1
signal 24 after 0, next 1 of 2
signal 24 after 1, next 2 of 2
ends by 9
"""

# What tests/programs/oddwaits.c says, without a profiler, too.
ODD_WAITS = """\
nanosleep EINVAL EINVAL EFAULT
clocks EINVAL EOPNOTSUPP EOPNOTSUPP EINVAL none
ppoll EINVAL pselect EINVAL sigtimedwait EINVAL
futex ETIMEDOUT ETIMEDOUT EINVAL EINVAL EINVAL
masks EINTR EINTR none heard 2
child heard 1
old child 0
for ever EINTR EINTR EINTR EINTR
past 0 heard
vfork 1
epoll 20
threads slept
spent none
exec 14
RLIMIT_CPU 24
processes slept {sleepers}
"""


class Situations(Case):
    """A program does the same in all situations; one that takes long, in a check, in all of them at once."""

    def check_long(self, *argv: str) -> None:
        self.check(*argv, is_once=not IS_FULL)

    def check(self, *argv: str, options: tuple[str, ...] = (), is_once: bool = False) -> None:
        if not shutil.which(argv[0]):
            self.skipTest(f"{argv[0]} is missing")
        found = differences(argv, *options, is_full=IS_FULL, is_once=is_once)
        self.assertEqual(found, [], "\n".join(found))


class Same(Situations):
    """What a check runs."""

    def test_world(self) -> None:
        """All that a program is told of the world outside."""
        self.check(str(compile("world.c", "-O1", "-pthread", is_dynamic=True)))

    def test_pointers(self) -> None:
        """Addresses of the heap."""
        self.check(str(compile("pointers.cc", "-O1", "-static", compiler="g++")))

    def test_ids(self) -> None:
        """Processes and threads have the same numbers in each run, which work in all their uses."""
        ids = str(compile("ids.c", "-O1", "-pthread", "-static"))
        # The kernel has no number for a group and a session of another namespace.
        enter = ("unshare", "--pid", "--fork", "--mount-proc")
        apart = [Situation("apart", enter)] if os.getuid() == 0 and shutil.which("unshare") else []
        for situation in (*apart, FIRST):
            ended = outcome(situation, [ids], "--trace-children=yes")
            self.assertEqual(ended.said.decode(), IDS, situation.name)
        lines = b"\n".join(ended.profiles).splitlines()
        pids = sorted(line for line in lines if line.startswith(b"pid: "))
        self.assertEqual(pids, [b"pid: 1000", b"pid: 1000", b"pid: 2918878"])
        self.assertNotIn(b"desc: Outside:", b"".join(ended.profiles))

    def test_sent(self) -> None:
        """A handler is told the number of its signal, and a call that has sent it leaves registers as they
        were."""
        ended = outcome(FIRST, [str(compile("sent.c", "-O1", "-static"))])
        self.assertEqual(ended.said.decode(), SENT)

    def test_more_ids(self) -> None:
        """Messages, signals, paths below a directory of /proc and files that stand for processes have the
        told numbers; nobody is told of another one's memory."""
        program = str(compile("moreids.c", "-O1", "-static"))
        ended = outcome(FIRST, [program], "--trace-children=yes")
        self.assertEqual(ended.said.decode(), MORE_IDS.replace("PIDFD\n", ""))
        if knows_pidfd():
            ended = outcome(FIRST, [program, "pidfd"], "--trace-children=yes")
            self.assertEqual(ended.said.decode(), MORE_IDS.replace("PIDFD", "pidfd same"))

    def test_signals_of_others(self) -> None:
        """Who hears a signal of another process says that it came from outside, unless it waited for it."""
        signalled = str(compile("signalled.c", "-O1", "-static"))
        for how, said in {"computes": 1, "sleeps": 1, "looks": 1, "waits": 0}.items():
            ended = outcome(FIRST, [signalled, how])
            self.assertEqual(ended.said, b"heard 1\n", how)
            lines = b"".join(ended.profiles).splitlines()
            self.assertEqual(lines.count(b"desc: Outside: signals"), said, how)
            self.assertEqual(len(ended.profiles), 2, how)

    def test_odd_waits(self) -> None:
        """Waits that few programs make end as they do without a profiler; none waits in real time."""
        program = str(compile("oddwaits.c", "-O1", "-pthread", "-static"))
        begin = time.monotonic()
        sleepers = "100" if IS_FULL else "25"  # each looks at all others
        ended = outcome(FIRST, [program, sleepers], "--trace-children=yes")
        self.assertEqual(ended.said.decode(), ODD_WAITS.format(sleepers=sleepers))
        self.assertLess(time.monotonic() - begin, 100)

    def test_endless(self) -> None:
        """A program that waits for ever goes on to, and can be ended."""
        for name in ("locked", "sleeping", "paused"):
            endless = [str(compile("endless.c", "-O1", "-pthread", "-static")), name]
            ended = outcome(Situation("ended", ("timeout", "5")), endless)
            self.assertEqual((ended.status, ended.said), (124, b"waits\n"), name)

    def test_owners(self) -> None:
        """Locks whose words hold the number of the thread that owns them."""
        owners = str(compile("owners.c", "-O1", "-pthread", "-static"))
        ended = outcome(FIRST, [owners])
        said = "counted 200, answers 0 0 0 0\ndied 1\ndied 1\n"
        self.assertEqual((ended.status, ended.said.decode()), (0, said))
        self.assertEqual(compared(ended, outcome(Situation("busy", busy=2), [owners])), "")

    def test_timers(self) -> None:
        """Timers send their signals in virtual time, whatever the program does meanwhile."""
        timers = str(compile("timers.c", "-O1", "-static"))
        begin = time.monotonic()
        ended = outcome(FIRST, [timers])
        self.assertEqual(ended.said.decode(), TIMERS)
        self.assertLess(time.monotonic() - begin, 100)
        self.assertNotIn(b"desc: Outside:", b"".join(ended.profiles))

    def test_timers_stay(self) -> None:
        """A program that takes the place of another one has its timers, with their periods."""
        imported = "-MTime::HiRes=getitimer,setitimer,ITIMER_REAL"
        after = 'printf "%d %d\\n", getitimer(ITIMER_REAL)'
        before = f"setitimer(ITIMER_REAL, 50, 7); exec 'perl', '{imported}', '-e', q({after})"
        ended = outcome(FIRST, ["perl", imported, "-e", before], "--trace-children=yes")
        self.assertEqual(ended.said, b"49 7\n")

    def test_more_timers(self) -> None:
        """Timers that programs make send signals to the process and to threads, call functions and can be
        read, in virtual time; calls with masks of signals wait for them; files of timers and alarms outlive
        exec."""
        timers = str(compile("moretimers.c", "-O1", "-pthread", is_dynamic=True))
        begin = time.monotonic()
        ended = outcome(FIRST, [timers], "--trace-children=yes")
        self.assertEqual(ended.said.decode(), MORE_TIMERS)
        self.assertLess(time.monotonic() - begin, 100)
        self.assertNotIn(b"desc: Outside:", b"".join(ended.profiles))
        busy = outcome(Situation("busy", busy=2), [timers], "--trace-children=yes")
        self.assertEqual(busy.said, ended.said)

    def test_jobs(self) -> None:
        """A shell hears of its children in the order in which they end in virtual time."""
        waits, jobs, trap = (("bash", "-c", script) for script in (WAITS, JOBS, TRAP))
        first = outcome(FIRST, jobs, "--trace-children=yes")
        self.assertEqual(first.said.decode()[: len(JOBS_SAY)], JOBS_SAY)
        heard = outcome(FIRST, trap, "--trace-children=yes")
        self.assertLess(0, int(heard.said))
        self.assertLess(int(heard.said), 2000)
        busy = Situation("busy", busy=2)
        ended = outcome(FIRST, waits, "--trace-children=yes")
        self.assertEqual(ended.said.decode(), WAITS_SAY)
        self.assertEqual(compared(ended, outcome(busy, waits, "--trace-children=yes")), "")
        self.assertEqual(compared(first, outcome(busy, jobs, "--trace-children=yes")), "")
        self.assertEqual(compared(heard, outcome(busy, trap, "--trace-children=yes")), "")

    def test_small_files(self) -> None:
        """A limit of the size of files is the program's, not the tool's; below the table of processes a run
        ends with one line."""
        for limit, (status, said) in {"-S": (0, "unlimited"), "": (1, "ulimit -f")}.items():
            start = ("sh", "-c", f'ulimit {limit} -f 200; exec "$@"', "sh")
            ended = outcome(Situation("small", start), ["sh", "-c", "ulimit -f"])
            self.assertEqual(ended.status, status, ended.said)
            self.assertEqual(len(ended.said.splitlines()), 1)
            self.assertIn(said, ended.said.decode())

    def test_pieces(self) -> None:
        """What a process writes in pieces is read at once, when it writes no more for now; a poll says of all
        files to which it has written."""
        pieces = [str(compile("pieces.c", "-O1", "-static"))]
        first, busy = (
            outcome(situation, pieces, "--trace-children=yes")
            for situation in (FIRST, Situation("busy", busy=2))
        )
        self.assertEqual(first.said.decode(), 4 * "read 15\n" + "polled 2\n")
        self.assertEqual(compared(first, busy), "")

    def test_limits(self) -> None:
        """A program may set a limit that it is told of where the real one is lower, and hands it on."""
        told = "ulimit -S -s 65536; exec sh -c 'ulimit -s'"
        lower = Situation("lower", ("sh", "-c", 'ulimit -s 20000; exec "$@"', "sh"))
        ended = outcome(lower, ["sh", "-c", told], "--trace-children=yes")
        self.assertEqual(ended.said, b"65536\n")

    def test_limit_of_time(self) -> None:
        """The limit of the processor's time is virtual: signals come at the same instruction in each run, and
        to a child by what itself has spent. A program that is not traced has a real one."""
        program = [str(compile("cpulimit.c", "-O1", "-static"))]
        ended = outcome(FIRST, program, "--trace-children=yes")
        self.assertEqual(ended.said.decode(), CPU_LIMIT)
        busy = outcome(Situation("busy", busy=2), program, "--trace-children=yes")
        self.assertEqual(compared(ended, busy), "")
        outside = outcome(FIRST, ["bash", "-c", "ulimit -t 7; exec bash -c 'ulimit -t'"])
        self.assertEqual(outside.said, b"7\n")

    def test_sleepers(self) -> None:
        """Who sleeps or waits with a limit goes on when the other processes have come so far."""
        script = ["bash", "-c", SLEEPERS]
        ended = outcome(FIRST, script, "--trace-children=yes")
        self.assertEqual(ended.said.decode(), SLEEPERS_SAY)
        busy = outcome(Situation("busy", busy=2), script, "--trace-children=yes")
        self.assertEqual(compared(ended, busy), "")

    def test_awaiting(self) -> None:
        """Who waits for a child has its answer before a handler hears of that child, and hears of no
        child that has ended later."""
        program = [str(compile("awaiting.c", "-O1", "-static"))]
        for busy in (0, 2):
            ended = outcome(Situation("busy", busy=busy), program, "--trace-children=yes")
            self.assertEqual(ended.said, b"heard 80, interrupted 0\n")

    def test_spending(self) -> None:
        """What children have spent, with their own, is virtual time; a program that replaces one goes on from
        there."""
        program = [str(compile("spending.c", "-O1", "-static"))]
        ended = outcome(FIRST, program, "--trace-children=yes")
        self.assertEqual(ended.said.decode(), SPENDING)
        busy = outcome(Situation("busy", busy=2), program, "--trace-children=yes")
        self.assertEqual(compared(ended, busy), "")

    def test_maps(self) -> None:
        """A program reads of its own memory in /proc/self/maps, not of Valgrind's, with the numbers of inodes
        and devices that it is told elsewhere."""
        self.check_long("/usr/bin/cat", "/proc/self/maps")
        ended = outcome(FIRST, ["/usr/bin/cat", "/proc/self/maps"])
        self.assertIn(b" /usr/bin/cat\n", ended.said)
        self.assertNotRegex(ended.said, b"memfd|vgdb|cg2-amd64|vvar")
        self.assertRegex(
            ended.said,
            rb"(?m)^[0-9a-f]{8}-[0-9a-f]{8} r-xp [0-9a-f]{8} 03:e. 10\d\d {31}/usr/bin/cat$",
        )

    def test_maps_of_threads(self) -> None:
        """A thread's directory has the same files as that of its process, and one of no thread has none."""
        said = {}
        for path in ("self", "thread-self", "self/task/$$", "$$/task/$$", "self/task/4711"):
            script = f"exec cat /proc/{path}/maps"
            said[path] = outcome(FIRST, ["sh", "-c", script], "--trace-children=yes").said
        self.assertIn(b"cat: /proc/self/task/4711/maps: No such file", said.pop("self/task/4711"))
        self.assertIn(b" /usr/bin/cat\n", said["self"])
        self.assertEqual(len(set(said.values())), 1, said)

    def test_pool(self) -> None:
        """Threads that wait for each other."""
        self.check(str(compile("pool.c", "-O1", "-pthread", is_dynamic=True)))

    def check_threads(self, source: str, *args: str) -> None:
        """A program with threads gives the same bytes each time, 3 times or 100, while others compute."""
        program = [str(compile(source, "-O1", "-pthread", "-static")), *args]
        first = outcome(FIRST, program)
        self.assertEqual(first.status, 0, first.said)
        for i in range(99 if IS_FULL else 2):
            again = outcome(Situation("busy", busy=i % 3), program)
            self.assertEqual(compared(first, again), "", f"run {i + 2}")

    def test_threads_of_a_pool(self) -> None:
        self.check_threads("pool.c")

    def test_threads_with_a_queue(self) -> None:
        self.check_threads("meeting.c", "queue")

    def test_threads_that_spin(self) -> None:
        self.check_threads("meeting.c", "spinning")

    def test_threads_at_a_barrier(self) -> None:
        self.check_threads("meeting.c", "barrier")

    def test_python(self) -> None:
        """Hashes, chance, time, threads of Python."""
        self.check_long("/usr/bin/python3", "-S", "-c", PYTHON)

    def test_perl(self) -> None:
        """The order of Perl's hashes."""
        self.check_long("/usr/bin/perl", "-e", PERL)

    def test_sqlite(self) -> None:
        """A database."""
        self.check_long("sqlite3", "test.db", SQL)


# The option, and what decides which code programs of the tests run.
TWIN = ("--repeatable=yes", "--keep-env=LD_BIND_NOW", "--keep-env=LD_AUDIT")

# What the functions of tests/programs/told.S cost with what they call, which says what they were told. A run
# on any machine, with any kernel, gives these figures.
TOLD = {
    "stack": 1128,
    "processor": 16788,
    "ticks": 390,
    "clock": 2339,
    "chance": 18373,
    "affinity": 89,
    "kernel": 6997,
    "memory": 891,
    "ids": 2508,
    "limits": 8751,
    "sleep": 907,
    "auxiliary": 4585,
}


def knows_pidfd() -> bool:
    """Whether this Valgrind has pidfd_open, as those since 3.22."""
    said = subprocess.run(
        [VALGRIND, "--version"], capture_output=True, text=True, check=True
    ).stdout
    major, minor = said.removeprefix("valgrind-").split(".")[:2]
    return (int(major), int(minor)) >= (3, 22)


class Machines(unittest.TestCase):
    """A program is told the same on each machine."""

    def test_told(self) -> None:
        """What a program costs that executes as many instructions as the bytes say that it is told is what it
        was on the machine where these figures were found."""
        graph = Graph(profile_of([compile("told.S", "-nostdlib", "-static")], "--repeatable=yes"))
        self.assertEqual({name: graph.inclusive(name) for name in TOLD}, TOLD)

    def check_processors(self, *argv: str) -> None:
        """A program does the same on two processors that are emulated as on this one."""
        if not shutil.which("qemu-x86_64"):
            self.skipTest("qemu-x86_64 is missing: install qemu-user")
        own = on_processor(["setarch", "-R"], argv)
        self.assertEqual(own.status, 0, own.said)
        for model in ("Haswell", "EPYC-Rome"):
            other = on_processor(["qemu-x86_64", "-cpu", model], argv)
            self.assertEqual(compared(own, other), "", model)

    def test_processors(self) -> None:
        self.check_processors(str(compile("told.S", "-nostdlib", "-static")))
        self.check_processors(str(compile("world.c", "-O1", "-pthread")))

    def test_interpreters_on_processors(self) -> None:
        self.check_processors("/usr/bin/perl", "-e", PERL)
        self.check_processors("/usr/bin/python3", "-S", "-c", "print(hash('x'), sum(range(1000)))")

    test_interpreters_on_processors.full = True  # type: ignore[attr-defined]


def on_processor(start: list[str], argv: Sequence[str]) -> Outcome:
    """What a program does under the tool, which is started by itself, as emulators cannot start Valgrind."""
    where = new_directory()
    valgrind = shutil.which(VALGRIND) or VALGRIND
    options = ["--tool=cg2", "-q", "--repeatable=yes", f"--cg2-out-file={where}/profile"]
    ended = subprocess.run(
        [*start, str(IN_PLACE / "cg2-amd64-linux"), *options, *argv],
        cwd=where,
        env={**WITHIN, "VALGRIND_LIB": str(IN_PLACE), "VALGRIND_LAUNCHER": valgrind},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,  # where emulators say what they leave out
        timeout=HANG,
        check=False,
    )
    profiles = [(where / "profile").read_bytes()] if (where / "profile").exists() else []
    return Outcome(ended.returncode, ended.stdout, profiles)


class MoreSame(Situations):
    """Programs that take longer."""

    full = True

    def test_cc1(self) -> None:
        """A compiler: gcc itself names files by its process id."""
        found = subprocess.run(
            ["gcc", "-print-prog-name=cc1"], capture_output=True, text=True, check=True
        )
        source = str(Path(__file__).parent.parent / "programs" / "calls.c")
        self.check(found.stdout.strip(), "-quiet", "-O2", source, "-o", "calls.s")

    def test_gcc(self) -> None:
        """The whole compiler, which calls files by its process id."""
        source = str(Path(__file__).parent.parent / "programs" / "calls.c")
        self.check("gcc", "-c", "-O1", source, "-o", "calls.o", options=("--trace-children=yes",))

    def test_bash(self) -> None:
        """Pipes, and jobs in the background."""
        self.check("bash", "-c", JOBS, options=("--trace-children=yes",))

    def test_make(self) -> None:
        """Make, which starts compilers, one after another and two at once."""
        source = new_directory()
        source.chmod(0o755)  # for another user
        (source / "a.c").write_text("int a(int x) { return x * 3; }\n")
        (source / "b.c").write_text("int b(int x) { return x / 7; }\n")
        (source / "Makefile").write_text(MAKEFILE.replace("SOURCES", str(source)))
        later = ("--trace-children=yes", "--repeatable-epoch=4000000000")
        self.check("make", "-f", str(source / "Makefile"), options=later)
        self.check("make", "-j2", "-f", str(source / "Makefile"), options=later)

    def test_processes(self) -> None:
        """Processes of Python, which imports much that it asks for times."""
        traced = ("--trace-children=yes",)
        self.check("/usr/bin/python3", "-S", "-c", PROCESSES, options=traced)

    def test_rustc(self) -> None:
        """A compiler with threads."""
        source = new_directory() / "one.rs"
        source.parent.chmod(0o755)  # for another user
        source.write_text("pub fn one(x: u32) -> u32 { x.rotate_left(1) }\n")
        emit = ("--crate-type=lib", "--emit=metadata", str(source))
        self.check("/usr/bin/rustc", *emit, options=("--trace-children=yes",))

    def test_ruby(self) -> None:
        """Ruby, which mixes its process id into hashes."""
        self.check("ruby", "-e", "puts $$, rand, 'x'.hash, Time.now.to_f, {a: 1}.hash")

    def test_php(self) -> None:
        self.check(
            "php", "-r", "echo rand(), uniqid(), spl_object_hash(new stdClass), microtime(true);"
        )

    def test_guile(self) -> None:
        self.check("guile", "-c", "(display (list (random 100) (current-time) (getcwd)))")

    def test_luajit(self) -> None:
        self.check("luajit", "-e", "for k in pairs{a=1,b=2,c=3,d=4} do print(k, {}, os.time()) end")


class Cases(unittest.TestCase):
    """The programs of the suites `cases` and `real` do under the option what they do without it: they say the
    same, end with the same status, and cost the same (see twins.py)."""

    def check_twins(self, *tests: str, at_least: int) -> None:
        """Run tests each of whose programs has a twin under the option: all have to pass that are not left
        out for a reason. They have the size of a check."""
        environment = {
            **{key: value for key, value in os.environ.items() if key != "CG2_FULL"},
            "CG2_LEFT_OUT": str(Path(__file__).with_name("left_out_repeatable.txt")),
            "CG2_TEST_TWIN": " ".join(TWIN),
        }
        ended = subprocess.run(
            [sys.executable, SOURCE / "tests" / "run.py", *tests],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        passed = re.findall(r"^(\d+) passed, 0 failed", ended.stdout, re.MULTILINE)
        self.assertEqual((ended.returncode, len(passed)), (0, 1), ended.stdout + ended.stderr)
        self.assertGreaterEqual(int(passed[0]), at_least)

    def test_some(self) -> None:
        cases = ("test_calls.Calls", "test_fork.Fork.test_counts", "test_signals.Signals")
        real = ("test_dash", "test_gawk")
        self.check_twins(
            *(f"cases.{name}" for name in cases),
            *(f"real.test_real.Real.{name}" for name in real),
            at_least=5,
        )

    def test_all(self) -> None:
        self.check_twins("cases", "real", at_least=600)

    test_all.full = True  # type: ignore[attr-defined]


if __name__ == "__main__":
    unittest.main()
