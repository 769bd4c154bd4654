"""Monitor commands: what vgdb asks of a run and tells it."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import unittest
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from case import Case
from cg2test import HANG, VALGRIND, Run, compile, env, need_vgdb, new_directory
from cg2tools.profile.callgraph import CallGraph
from cg2tools.profile.reader import read_profile


class Monitored:
    """A run of waiting.c or hottest.c, which wait until they may go on; `files` need no wait."""

    def __init__(
        self,
        program: Path,
        *options: str,
        tool: str = "cg2",
        args: Sequence[str] = (),
        files: Sequence[str] = (),
    ) -> None:
        need_vgdb()
        self.directory = new_directory()
        (self.directory / "profiles").mkdir()
        out_file = f"--{tool}-out-file=profiles/profile"
        valgrind = shutil.which(VALGRIND)
        assert valgrind is not None
        command = [valgrind, f"--tool={tool}", out_file, "--vgdb-poll=50", *options, str(program)]
        for file in files:
            (self.directory / file).touch()
        self.process: subprocess.Popen[str] = subprocess.Popen(
            [*command, *args],
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

    def ask(self, *words: str, status: int | None = 0, pid: int = 0) -> str:
        """The reply to one command, of the process `pid`, or of that which was started."""
        vgdb = Path(shutil.which(VALGRIND) or VALGRIND).with_name("vgdb")
        # No ptrace, which not every machine allows: the program looks often enough.
        command = [str(vgdb), f"--pid={pid or self.process.pid}", "--max-invoke-ms=0", *words]
        ended = subprocess.run(
            command, env=env(), capture_output=True, text=True, timeout=HANG, check=False
        )
        assert status is None or ended.returncode == status, ended.stderr
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
        """End what runs; a child of the program ends by itself."""
        for file in ("one", "two"):
            (self.directory / file).touch()
        if self.process.poll() is not None:
            return
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate(timeout=HANG)


class Monitor(Case):
    def run_it(self, *options: str) -> Monitored:
        monitored = Monitored(compile("waiting.c", "-O0", "-static"), *options)
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
        number = r"\d+"
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
        kinds = "function", "object", "calls", "events"
        keys = [f"{kind}-1-{i}" for i in range(frames + 1) for kind in kinds]
        self.assertEqual(list(said)[len(expected) :], keys[:-2])
        self.assertTrue(said[f"object-1-{frames}"].startswith("/"))
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
            "--dump-line=no", "--dump-line", "--fn-skip=work", "--fn-skip", "--separate-recs=5",
            "--separate-recs2=work",
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


class Functions(NamedTuple):
    """What `top` answers: costs by the names of functions, in their order."""

    heads: dict[str, str]
    self: dict[str, list[int]]
    added: dict[str, list[int]]
    inclusive: dict[str, list[int]]


def functions(answer: str) -> Functions:
    said = dict(line.split(": ", 1) for line in answer.splitlines())
    names = {key.removeprefix("function"): said[key] for key in said if key[:9] == "function-"}

    def costs(key: str) -> dict[str, list[int]]:
        return {
            name: [int(n) for n in said[key + number].split()] for number, name in names.items()
        }

    heads = {key: said[key] for key in said if "-" not in key}
    return Functions(heads, costs("self"), costs("added"), costs("inclusive"))


ALL = "top 100000"


class Hottest(Case):
    """The command `top`: the functions by what came to them since it was asked last."""

    def run_it(self, *options: str) -> Monitored:
        program = compile("hottest.c", "-O1", is_dynamic="--skip-plt=no" in options)
        monitored = Monitored(program, *options)
        self.addCleanup(monitored.kill)
        return monitored

    def test_is_the_profile(self) -> None:
        """Self and inclusive costs, of all functions and events, are those of a profile written then."""
        for options in (
            (),
            ("--cache-sim=yes",),
            ("--separate-recs=1",),
            ("--separate-recs=3",),
            ("--fn-skip=even", "--skip-plt=no"),
            ("--toggle-collect=work",),
        ):
            with self.subTest(options):
                monitored = self.run_it(*options)
                monitored.go_on("one")
                self.check_is_profile(monitored)

    def check_is_profile(self, monitored: Monitored) -> None:
        answer, _, path = monitored.ask("-c", ALL, "-c", "dump").rpartition("profile: ")
        found = functions(answer)
        [part] = read_profile(path.strip()).parts
        nodes = CallGraph(part).nodes.values()
        names = Counter(node.key.name for node in nodes)
        for name in (node.key.name for node in nodes if names[node.key.name] > 1):
            self.assertIn(name, found.self)
        alone = [node for node in nodes if names[node.key.name] == 1]
        self.assertGreater(len(alone), 5)
        for costs, expected in (
            (found.self, {node.key.name: node.self_cost for node in alone}),
            (found.inclusive, {node.key.name: node.inclusive for node in alone}),
        ):
            costs = {name: cost for name, cost in costs.items() if names[name] < 2}
            self.assertEqual(costs, expected)
        total = " ".join(map(str, part.self_total()))
        self.assertEqual((found.heads["total"], found.heads["added"]), (total, total))
        self.assertEqual(int(found.heads["functions"]), len(nodes))
        self.assertNotIn("milliseconds", found.heads)

    def test_added(self) -> None:
        """What came since the last time, the most first; what the program does not run, is 0."""
        monitored = self.run_it()
        first = functions(monitored.ask(ALL))
        self.assertEqual(first.added, first.self)
        monitored.go_on("one")
        answer = monitored.ask(ALL)
        second = functions(answer)
        self.assertGreater(int(second.heads["milliseconds"]), 0)
        added = {name: second.self[name][0] - first.self.get(name, [0])[0] for name in second.self}
        self.assertEqual({name: cost for name, [cost] in second.added.items()}, added)
        in_order = [int(n) for n in re.findall(r"^added-\d+: (\d+)", answer, re.MULTILINE)]
        self.assertEqual(in_order, sorted(in_order, reverse=True))
        self.assertEqual(list(second.added)[:2], ["fib", "hot"])
        self.assertEqual(int(second.heads["added"]), sum(in_order))

    def test_dump_between(self) -> None:
        """What was added is exact when counts began from zero meanwhile, whoever was kept apart."""
        added = []
        for options in "", "--separate-threads=yes", "--separate-callers=2":
            for commands in "", "zero", "dump", "zero dump":
                monitored = self.run_it(*options.split())
                monitored.ask(ALL)
                monitored.go_on("one")
                for command in commands.split():
                    monitored.ask(command)
                found = functions(monitored.ask(ALL))
                hot = [name for name in found.self if name.startswith("hot")]
                added.append(sum(found.added[name][0] for name in hot))
                if commands:
                    self.assertEqual([found.self[name][0] for name in hot], [0] * len(hot))
        self.assertGreater(added[0], 25000)
        self.assertEqual(added, added[:1] * 12)

    def test_forgotten(self) -> None:
        """After `top 0` all counts as added."""
        monitored = self.run_it()
        monitored.ask(ALL)
        self.assertEqual(monitored.ask("top 0"), "")
        found = functions(monitored.ask("top"))
        self.assertEqual(found.added, found.self)
        self.assertEqual(len(found.self), 20)
        self.assertNotIn("milliseconds", found.heads)

    def test_event(self) -> None:
        """The functions are in the order of the event that is asked for."""
        monitored = self.run_it("--cache-sim=yes")
        found = functions(monitored.ask("top 5 Dw"))
        writes = [cost[2] for cost in found.self.values()]
        self.assertEqual(len(writes), 5)
        self.assertEqual(writes, sorted(writes, reverse=True))

    def test_refused(self) -> None:
        monitored = self.run_it()
        expected = "expected a number of functions, and an event"
        self.assertEqual(monitored.ask("top all"), f"top all: {expected}\n")
        self.assertEqual(monitored.ask("top -1"), f"top -1: {expected}\n")
        self.assertEqual(monitored.ask("top 20 Dw"), "top 20 Dw: there is no event Dw\n")

    def test_forked(self) -> None:
        """A child counts from zero, and nobody has asked it yet."""
        monitored = Monitored(
            compile("hottest.c", "-O1", "-static"), "--trace-children=yes", args=["1", "fork"]
        )
        self.addCleanup(monitored.kill)
        parent = monitored.process.pid
        monitored.ask(ALL)
        monitored.go_on("one")
        [child] = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        of_child = functions(monitored.ask("--wait=10", ALL, pid=int(child)))
        self.assertEqual(of_child.added, of_child.self)
        self.assertNotIn("milliseconds", of_child.heads)
        self.assertGreater(of_child.self["hot"][0], 25000)
        of_parent = functions(monitored.ask(ALL))
        self.assertEqual(of_parent.added["hot"], [0])
        self.assertIn("milliseconds", of_parent.heads)

    def test_profile_is_the_same(self) -> None:
        """However often somebody asks, the profile is what it would be."""
        bodies = []
        for asks in (False, True):
            program = compile("hottest.c", "-O1", "-static")
            monitored = Monitored(program, args=["60000"], files=["one", "two"])
            self.addCleanup(monitored.kill)
            times = 0
            while asks and monitored.process.poll() is None:
                commands = ["-c", "top", "-c", "top 0", "-c", "top 5"]
                said = monitored.ask("--cmd-time-out=2", *commands, status=None)
                times += said.count("function-0: ")
            if asks:
                self.assertGreater(times, 1)
            [path] = monitored.end().profile_paths
            bodies.append(re.sub(r"(?m)^(pid|cmd|desc): .*\n", "", path.read_text()))
        self.assertEqual(*bodies)


if __name__ == "__main__":
    unittest.main()
