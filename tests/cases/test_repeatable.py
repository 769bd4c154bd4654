"""Repeatable runs: the program sees the same world outside, so that its profile is the same bytes."""

from __future__ import annotations

import functools
import os
import select
import signal
import subprocess
import time
import unittest

from case import Case
from cg2test import IN_PLACE, Run, can_run_32_bits, compile, env, lean_env, new_directory, run_cg2

PYTHON = ("/usr/bin/python3", "-S", "-c")
HASHES = "import os, time; print(hash('x'), time.time(), os.urandom(4), os.cpu_count())"

OWNER = """
import os
open('made', 'w'); s = os.stat('made')
os.chown('made', os.getuid(), os.getgid())
print(os.getuid(), os.geteuid(), os.getgid(), os.getgroups(), s.st_uid, s.st_gid, os.getresuid()[2])
"""
WRITER = """
import os, time
time.sleep(5)
open('new', 'w').write('x'); new = os.stat('new').st_mtime; now = time.time()
time.sleep(5)
open('set', 'w').close(); os.utime('set', (1, 1600000000))
print(int(os.stat('old').st_mtime), int(now - new), os.stat('new').st_mtime == new, end=' ')
print(int(os.stat('set').st_mtime), end=' ')
print(int(os.stat('set').st_atime), int(os.stat('old').st_atime))
"""
PIPE = """
import os, threading, time
reading, writing = os.pipe()
begin = time.monotonic()
def write():
    time.sleep(3600)
    os.write(writing, b'x')
threading.Thread(target=write).start()
print(os.read(reading, 1), int(time.monotonic() - begin))
"""
LIMITS = """
from resource import *
setrlimit(RLIMIT_CORE, (100, 200))
print(getrlimit(RLIMIT_STACK), getrlimit(RLIMIT_NOFILE), getrlimit(RLIMIT_CORE))
"""


@functools.cache
def told_of_world() -> list[str]:
    """A line of each program of Python, which run one behind the other in one start of it, for a test each:
    what limits there are, who runs it, when files were written, and who waits for a pipe."""
    directory = new_directory()
    (directory / "old").write_text("")
    os.utime(directory / "old", (1550000000, 1500000000))
    programs = "".join((LIMITS, OWNER, WRITER, PIPE))
    run = run_cg2((*PYTHON, programs), "--repeatable", directory=directory, environment=lean_env())
    return run.stdout.splitlines()


class Repeatable(Case):
    def run_twice(self, *argv: str, first: dict[str, str], second: dict[str, str]) -> Run:
        """Two runs in two environments say the same, and leave the same profile."""
        runs = [
            run_cg2(argv, "--repeatable=yes", environment=variables)
            for variables in (first, second)
        ]
        texts = [run.profile_paths[0].read_bytes() for run in runs]
        self.assertEqual(runs[0].stdout, runs[1].stdout)
        self.assertEqual(texts[0], texts[1])
        return runs[0]

    def test_sleep(self) -> None:
        """Who sleeps 10 s thinks so, and does not: the time goes on."""
        begin = time.monotonic()
        run = self.run_twice(str(compile("slept.c", "-O1")), first=env(), second=env())
        self.assertLess(time.monotonic() - begin, 10)
        calendar, clock, processors = run.stdout.split()
        self.assertEqual((calendar, processors), ("946684810", "4"))
        self.assertEqual(int(float(clock)), 10)
        text = run.profile_paths[0].read_text()
        self.assertIn("desc: Repeatable: yes, seed 1, epoch 946684800, 4 processors\n", text)
        self.assertIn("\npid: 1000\n", text)

    def test_threads(self) -> None:
        """Threads that wait for each other take the same turns."""
        program = str(compile("pool.c", "-O1", "-pthread"))
        run = self.run_twice(program, first=env(), second=env())
        self.assertEqual(sum(map(int, run.stdout.split())), 2000)

    def test_user(self) -> None:
        """Whoever runs the program is user 1000, owns what is made, and may give it to himself."""
        self.assertEqual(told_of_world()[1], "1000 1000 1000 [1000] 1000 1000 1000")

    def test_files(self) -> None:
        """A file that is written says a virtual time, another one its own, and one that was set what was
        set."""
        self.assertEqual(told_of_world()[2], "1500000000 0 True 1600000000 1 1500000000")

    def test_pipe(self) -> None:
        """Who reads an empty pipe gives others their turn, and hears what one writes after an hour."""
        self.assertEqual(told_of_world()[3:], ["b'x' 3600"])

    def test_files_of_others(self) -> None:
        """All processes are told the same time of a file, that of its last writing, in whatever order they
        see several."""
        script = "echo 1 > a; echo 2 > b; bash -c '[ b -nt a ] && stat -c %y b'; stat -c %y a b"
        run = run_cg2(("bash", "-c", script), "--repeatable", "--trace-children=yes")
        [b, a_again, b_again] = run.stdout.splitlines()
        self.assertEqual(b, b_again)
        self.assertLess(a_again, b)

    def test_limits(self) -> None:
        """All programs begin with the same limits, and have those that they set."""
        self.assertEqual(told_of_world()[0], "(8388608, -1) (1024, 524288) (100, 200)")

    def test_refused(self) -> None:
        """A 32-bit program is refused in one line."""
        if not can_run_32_bits():
            self.skipTest("no 32-bit programs here: install gcc-multilib, libc6-dbg:i386")
        run = run_cg2((str(compile("calls.c", "-m32")),), "-q", "--repeatable", out_file=None)
        self.assertNotEqual(run.status, 0)
        self.assertEqual(len(run.stderr.splitlines()), 1)
        self.assertIn("--repeatable=yes: expected a program for amd64", run.stderr)
        self.assertEqual(run.profile_paths, [])

    def test_signals(self) -> None:
        """Threads that wait for each other hear signals: of one they go on to wait, another ends them."""
        door = str(IN_PLACE / "bin" / "cg2")
        program = str(compile("idlethreads.c", "-O1", "-pthread"))
        with subprocess.Popen(
            [door, "-q", "--repeatable", program],
            cwd=new_directory(),
            env=env(),
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.send_signal(signal.SIGUSR1)
            self.assertEqual(process.stdout.readline(), "signal\n")
            process.terminate()
            try:
                self.assertEqual(process.wait(60), -signal.SIGTERM)
            finally:
                process.kill()

    def test_hashes(self) -> None:
        """Hash seeds of Python are the same, as they come."""
        free = lean_env()
        del free["PYTHONHASHSEED"]
        run = self.run_twice(*PYTHON, HASHES, first=free, second=free)
        self.assertIn(" 946684800.", run.stdout)

    def test_environment(self) -> None:
        """The program gets what decides which code runs, what --keep-env names, and what all have the
        same."""
        given = env(LANG="xx", KEPT="1", OTHER="2", LD_LIBRARY_PATH="/opt")
        run = run_cg2(("env",), "--repeatable", "--keep-env=KEPT", environment=given)
        # Debian's Valgrind adds a directory to the second.
        got = [line.partition(":/")[0] for line in run.stdout.splitlines() if "PRELOAD" not in line]
        fixed = ["HOME=/nonexistent", "LOGNAME=user", "SHELL=/bin/sh", "TZ=UTC0", "USER=user"]
        passed = ["LD_LIBRARY_PATH=/opt", f"PATH={given['PATH'].partition(':/')[0]}", "KEPT=1"]
        self.assertEqual(got, [*fixed, *passed])
        said = [line for line in run.stderr.splitlines() if "does not get" in line]
        self.assertEqual(len(said), 1)
        names = (
            said[0].partition("does not get ")[2].partition(" of the environment")[0].split(", ")
        )
        self.assertEqual(
            set(names), {"LANG", "LC_ALL", "OTHER", "PERL_HASH_SEED", "PYTHONHASHSEED"}
        )
        text = run.profile_paths[0].read_text()
        self.assertIn(
            "desc: Repeatable: yes, seed 1, epoch 946684800, 4 processors, KEPT kept\n", text
        )

    def test_names(self) -> None:
        """--keep-env takes one name."""
        for wrong in ("", "A=b", "A,B"):
            run = run_cg2(("true",), "--repeatable", f"--keep-env={wrong}")
            self.assertNotEqual(run.status, 0)
            self.assertIn("expected the name of one variable", run.stderr)

    def test_input(self) -> None:
        """A wait for what somebody else writes lasts until that is there: its time is theirs."""
        door = str(IN_PLACE / "bin" / "cg2")
        with subprocess.Popen(
            [door, "-q", "--repeatable", str(compile("polled.c", "-O1"))],
            cwd=new_directory(),
            env=env(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout and process.stdin
            self.assertEqual(process.stdout.readline(), "waits\n")
            self.assertEqual(select.select([process.stdout], [], [], 2)[0], [])
            process.stdin.write("x")
            process.stdin.flush()
            self.assertEqual(process.stdout.read(), "1 ready\n")

    def test_launcher(self) -> None:
        """`cg2 --repeatable` fixes the limit of the stack, and refuses where it cannot."""
        door = str(IN_PLACE / "bin" / "cg2")
        command = [door, "-q", "--repeatable", "sh", "-c", "ulimit -s"]
        limits = {"20000": (0, "8192\n"), "4000": (1, "")}
        for limit, (status, said) in limits.items():
            ended = subprocess.run(
                ["sh", "-c", f'ulimit -s {limit}; exec "$@"', "sh", *command],
                cwd=new_directory(),
                env=env(),
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertEqual((ended.returncode, ended.stdout), (status, said))
            self.assertEqual("expected a limit of 8192 kB" in ended.stderr, status == 1)


if __name__ == "__main__":
    unittest.main()
