"""Monitor commands: what vgdb asks of a run and tells it."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from case import Case
from cg2test import HANG, VALGRIND, Run, compile, env, need_vgdb, new_directory


class Monitored:
    """A run of waiting.c, which waits until it may go on."""

    def __init__(self, program: Path, *options: str, tool: str = "cg2") -> None:
        need_vgdb()
        self.directory = new_directory()
        (self.directory / "profiles").mkdir()
        out_file = f"--{tool}-out-file=profiles/profile"
        valgrind = shutil.which(VALGRIND)
        assert valgrind is not None
        command = [valgrind, f"--tool={tool}", out_file, "--vgdb-poll=50", *options, str(program)]
        self.process: subprocess.Popen[str] = subprocess.Popen(
            command,
            cwd=self.directory,
            env=env(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.has_stopped()

    def has_stopped(self) -> str:
        """The program waits; give what for."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def go_on(self, file: str) -> None:
        """What the program waits for is there."""
        (self.directory / file).touch()
        if file == "one":
            assert self.has_stopped() == "two"

    def ask(self, *words: str) -> str:
        """The reply to one command."""
        vgdb = Path(shutil.which(VALGRIND) or VALGRIND).with_name("vgdb")
        # No ptrace, which not every machine allows: the program looks often enough.
        command = [str(vgdb), f"--pid={self.process.pid}", "--max-invoke-ms=0", *words]
        ended = subprocess.run(
            command, env=env(), capture_output=True, text=True, timeout=HANG, check=False
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def profiles(self) -> list[Path]:
        return sorted((self.directory / "profiles").iterdir())

    def end(self) -> Run:
        """Let the program run to its end."""
        for file in ("one", "two"):
            (self.directory / file).touch()
        stdout, stderr = self.process.communicate(timeout=HANG)
        return Run(stdout, stderr, self.process.returncode, self.directory, self.profiles())

    def kill(self) -> None:
        if self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=HANG)


class Monitor(Case):
    def run_it(self, *options: str) -> Monitored:
        monitored = Monitored(compile("waiting.c", "-O0"), *options)
        self.addCleanup(monitored.kill)
        return monitored

    def test_dump(self) -> None:
        """A part, at once; the request as it was typed is its trigger; the reply is the file."""
        monitored = self.run_it()
        first = f"{monitored.directory}/profiles/profile.1"
        self.assertEqual(monitored.ask("dump", "my", "hint"), f"profile: {first}\n")
        self.assertEqual([str(path) for path in monitored.profiles()], [first])
        monitored.go_on("one")
        self.assertEqual(monitored.ask("d"), f"profile: {first[:-1]}2\n")
        graphs = self.check_parts(monitored.end())
        self.assertTriggers(graphs, "dump my hint", "d", "Program termination")
        self.assertEqual([graph.called("work") for graph in graphs], [3, 5, 7])
        self.assertEqual([graph.called("works") for graph in graphs], [1, 1, 1])
        self.assertEqual([graph.called("wait_for") for graph in graphs], [1, 2, 1])
        self.assertEqual([graph.called("main") for graph in graphs], [1, 1, 1])
        self.assertChained(graphs)

    def test_dump_combined(self) -> None:
        """The reply to each dump is the one file."""
        monitored = self.run_it("--combine-dumps=yes")
        reply = f"profile: {monitored.directory}/profiles/profile\n"
        self.assertEqual([monitored.ask("dump"), monitored.ask("dump")], [reply, reply])

    def test_dump_nothing(self) -> None:
        """Where threads are kept apart and none has costs, each dump is a part with a number of its own."""
        monitored = self.run_it("--separate-threads=yes", "--collect-atstart=no")
        monitored.ask("dump")
        monitored.ask("dump")
        run = monitored.end()
        names = ["profile-01", "profile.1-01", "profile.2-01"]
        self.assertEqual([path.name for path in run.profile_paths], names)
        last, first, second = (self.check_part(path) for path in run.profile_paths)
        self.assertEqual([graph.part.part for graph in (first, second, last)], [1, 2, 3])
        self.assertEqual([graph.total for graph in (first, second, last)], [0, 0, 0])
        self.assertChained([first, second, last])

    def test_zero(self) -> None:
        """What was counted is forgotten; no reply."""
        monitored = self.run_it()
        monitored.go_on("one")
        self.assertEqual(monitored.ask("zero"), "")
        [graph] = self.check_parts(monitored.end())
        self.assertCallers(graph, "work", {"works": 7})
        self.assertEqual(graph.called("wait_for"), 1)

    def test_zero_threads_apart(self) -> None:
        """Where threads are kept apart, all are zeroed, and what they write next begins there."""
        for apart in ("no", "yes"):
            with self.subTest(apart=apart):
                monitored = self.run_it(f"--separate-threads={apart}")
                monitored.ask("dump")
                at_dump = self.blocks(monitored.profiles()[0])[1]
                monitored.go_on("one")
                self.assertEqual(monitored.ask("zero"), "")
                run = monitored.end()
                [last] = [path for path in run.profile_paths if ".1" not in path.name]
                begin, end = self.blocks(last)
                self.assertLess(at_dump + 5, begin)
                self.assertLess(begin + 7, end)
                graph = self.check_part(last)
                self.assertCallers(graph, "work", {"works": 7})
                self.assertEqual(graph.part.part, 2)

    def blocks(self, path: Path) -> tuple[int, int]:
        """The time range of a part."""
        found = re.search(
            r"^desc: Timerange: Basic block (\d+) - (\d+)$", path.read_text(), re.MULTILINE
        )
        assert found is not None
        return int(found[1]), int(found[2])

    def test_status(self) -> None:
        self.assertEqual(self.run_it().ask("status"), "1 thread(s) running.\n")

    def test_status_internal(self) -> None:
        """Each line, as Callgrind writes it, and whether costs are collected."""
        monitored = self.run_it()
        monitored.ask("dump")
        lines = monitored.ask("status", "internal").splitlines()
        number, name = r"\d+", r".+"
        expected = [
            ("instrumentation", "on"),
            ("executed-bbs", number),
            ("executed-calls", number),
            ("distinct-bbs", number),
            ("distinct-calls", number),
            ("distinct-functions", number),
            ("distinct-contexts", number),
            ("events", "Ir"),
            ("part", "1"),
            ("threads", "1"),
            ("current-tid", "1"),
            ("events-1", number),
            ("collection-1", "on"),
            ("frames-1", number),
        ]
        said = dict(line.split(": ", 1) for line in lines)
        self.assertEqual(list(said)[: len(expected)], [key for key, _ in expected])
        for key, value in expected:
            self.assertRegex(said[key], rf"^{value}$", key)
        self.assertLessEqual(int(said["distinct-functions"]), int(said["distinct-contexts"]))
        frames = int(said["frames-1"])
        keys = [f"{what}-1-{i}" for i in range(frames) for what in ("function", "calls", "events")]
        self.assertEqual(list(said)[len(expected) :], [*keys, f"function-1-{frames}"])
        stack = [said[f"function-1-{i}"] for i in range(frames + 1)]
        below = stack.index("main")
        self.assertEqual(stack[below + 1], "wait_for")
        self.assertEqual(said[f"calls-1-{below}"], "1")
        # A part has just begun: all that was counted since is in the call of wait_for.
        self.assertEqual(said[f"events-1-{below}"], said["events-1"])

    def test_collection(self) -> None:
        lines = self.run_it("--collect-atstart=no").ask("status", "internal").splitlines()
        self.assertIn("collection-1: off", lines)
        self.assertIn("events-1: 0", lines)

    def test_refused(self) -> None:
        """What is no command, or no argument of one, is not taken for another."""
        monitored = self.run_it()
        self.assertEqual(
            monitored.ask("status", "foo"), "status foo: expected status or status internal\n"
        )
        self.assertIn("'foo' not recognised", monitored.ask("foo"))
        self.assertEqual(monitored.ask("instrumentation"), "instrumentation: on\n")
        self.assertEqual(
            monitored.ask("instrumentation", "blah"), "instrumentation blah: expected on or off\n"
        )
        self.assertEqual(monitored.ask("instrumentation"), "instrumentation: on\n")
        for command, answer in (
            ("status internal foo", "status internal foo: expected status or status internal\n"),
            ("st foo", "status foo: expected status or status internal\n"),
            ("instrumentation off on", "instrumentation off on: expected on or off\n"),
            ("instrumentation of", "instrumentation of: expected on or off\n"),
            ("zero all", "zero all: expected zero alone\n"),
        ):
            with self.subTest(command):
                self.assertEqual(monitored.ask(*command.split()), answer)
        for command in ("dumpx", "DUMP", "statusinternal", "zeroo"):
            with self.subTest(command):
                self.assertIn(f"'{command}' not recognised", monitored.ask(command))
        self.assertEqual(monitored.ask("instrumentation"), "instrumentation: on\n")
        [graph] = self.check_parts(monitored.end())
        self.assertEqual(graph.called("work"), 15)

    def test_hints(self) -> None:
        """Whatever a hint is, it is one line of the header."""
        monitored = self.run_it()
        hints = ["two\nlines", "\tblank ", "part: 7", "x" * 3000]
        for number, hint in enumerate(hints, start=1):
            self.assertRegex(monitored.ask("dump", hint), rf"^profile: \S+/profile\.{number}\n$")
        graphs = self.check_parts(monitored.end())
        self.assertTriggers(
            graphs,
            r"dump two\nlines",
            "dump \tblank",
            "dump part: 7",
            "dump " + "x" * 3000,
            "Program termination",
        )

    def test_dynamic_options(self) -> None:
        """No option of cg2 can be changed while the program runs; each answer is one line."""
        monitored = self.run_it()
        for option in (
            "--dump-line=no", "--dump-line", "--fn-skip=work", "--fn-skip", "--separate-recs=5", "--separate-recs2=work",
            "--fn-group1=work", "--pop-on-jump", "--pop-on-jump=work", "--format=spec", "--format=other",
            "--collect-scope=process", "--dump-every-bb=5x", "--cg2-out-file=other", "--combine-dumps=yes",
            "--collect-systime=yes", "--collect-bus=yes",
        ):  # fmt: skip
            with self.subTest(option):
                said = monitored.ask(f"v.clo {option}")
                self.assertRegex(said, r"^==\d+== Cannot change --[-\w=]+ option dynamically\n$")
        [graph] = self.check_parts(monitored.end())
        self.assertCallers(graph, "work", {"works": 15})

    def test_help(self) -> None:
        """The core's commands, then cg2's."""
        said = self.run_it().ask("help")
        self.assertIn("cg2 monitor commands:\n", said)
        for command in ("dump [<dump_hint>]", "zero", "status", "instrumentation [on|off]"):
            self.assertIn(f"\n  {command}\n", said)

    def test_unwritten(self) -> None:
        """A part that cannot be written: the one who asked is told, and the costs stay."""
        monitored = self.run_it()
        (monitored.directory / "profiles").rename(monitored.directory / "gone")
        said = monitored.ask("dump")
        self.assertIn("profiles/profile.1': No such file or directory\n", said)
        self.assertTrue(said.endswith("\nthe part could not be written\n"), said)
        (monitored.directory / "gone").rename(monitored.directory / "profiles")
        [graph] = self.check_parts(monitored.end())
        self.assertEqual(graph.called("work"), 15)
        self.assertTrue(re.fullmatch(r"Basic block 0 - \d+", graph.part.descriptions["Timerange"]))

    def test_unwritten_behind_another(self) -> None:
        """Where a part cannot be written, the file of the part before is not its."""
        for options in ((), ("--combine-dumps=yes",)):
            with self.subTest(options):
                monitored = self.run_it(*options)
                self.assertIn("profile: ", monitored.ask("dump"))
                (monitored.directory / "profiles").rename(monitored.directory / "gone")
                said = monitored.ask("dump")
                self.assertTrue(said.endswith("\nthe part could not be written\n"), said)
                self.assertNotIn("profile: ", said)


if __name__ == "__main__":
    unittest.main()
