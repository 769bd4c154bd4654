"""What is wrong with Callgrind, and right here.

Each test states a fact, shows that it holds for cg2, and that it does not for Callgrind: the day that it
does, the test says so, and a row in docs/reference/callgrind.md can go. The faults are numbered, S01 to S34;
a test names those that it is about.
"""

from __future__ import annotations

import os
import re
import unittest
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from cg2test import HANG, SOURCE, compile, new_directory, run_cg2, text_of_any_run
from cg2tools.profile.reader import read_profile
from disassembly import instructions
from facts import Graph, base
from stock import VALGRIND, StockCase, command_of, only_part, said_by
from test_combined import texts
from test_events import own
from test_exact import expected_lines
from test_linking import linked
from test_monitor import Monitored

RECURSIVE = "-fno-optimize-sibling-calls"
LAST = 34

# Faults that no test here is about, and why.
ELSEWHERE = {
    "S09": "no program gets there; the tests of the simulator itself do",
    "S33": "a rule of all tests: they assert figures",
}


class Sums(StockCase):
    def assertTotalsAgree(self, path: Path) -> None:
        """Header, last line and body of a profile say the same total."""
        part = only_part(path)
        self.assertEqual(part.summary, part.totals)
        self.assertEqual(part.summary, part.self_total())

    def test_zero_in_threads(self) -> None:
        """S01: Zero acts on all threads: `summary:` is what the body adds up to."""
        program = compile("zeroing.c", "-O0", "-pthread")

        def agrees(tool: str) -> None:
            run = self.run_both(program, tool=tool)
            self.assertTotalsAgree(run.profile_paths[0])
            graph = Graph(only_part(run.profile_paths[0]))
            self.assertEqual(graph.self_costs["work"], 23 * len(instructions(program, "work")))

        self.check_both(agrees)

    def test_last_block(self) -> None:
        """S01: The block in which a program ends is in the total."""
        program = compile("exact.S", "-nostdlib", "-static")

        def has_all(tool: str) -> None:
            part = only_part(self.run_both(program, tool=tool).profile_paths[0])
            self.assertEqual(part.self_total(), [sum(expected_lines().values())])

        self.check_both(has_all)

    def test_handlers_in_summary(self) -> None:
        """S02: What handlers of signals cost is in `summary:`."""
        program = compile("signals.c", "-O0")

        def has_all(tool: str) -> None:
            part = only_part(self.run_both(program, tool=tool).profile_paths[0])
            assert part.summary is not None
            self.assertGreaterEqual(part.summary[0], part.self_total()[0])

        self.check_both(has_all)

    def assertRestarted(self, path: Path, calls: int) -> None:
        """The total is not below zero, and `work` was called so often."""
        part = only_part(path)
        assert part.summary is not None
        self.assertLess(part.summary[0], 1 << 63)
        self.assertEqual(Graph(part).called("work"), calls)

    def check_restarted(self, *args: str) -> None:
        program = compile("restarted.c", "-O0")

        def begins_at_zero(tool: str) -> None:
            run = run_cg2([program, *args], tool=tool)
            self.assertEqual(run.status, 0, run.stderr)
            self.assertRestarted(run.profile_paths[0], 7)

        self.check_both(begins_at_zero)

    def test_restart_after_dump(self) -> None:
        """S03: Counting that goes off and on behind a dump begins at zero, not below it."""
        self.check_restarted()

    def test_restart_after_zero(self) -> None:
        """S03: Likewise behind a zero."""
        self.check_restarted("zero")

    def test_restart_by_monitor(self) -> None:
        """S03: Likewise when somebody else asks for it."""

        def begins_at_zero(tool: str) -> None:
            monitored = Monitored(compile("waiting.c", "-O0"), tool=tool)
            try:
                for command in ("zero", "instrumentation off", "instrumentation on"):
                    monitored.ask(*command.split())
                run = monitored.end()
            finally:
                monitored.kill()
            self.assertRestarted(run.profile_paths[0], 12)

        self.check_both(begins_at_zero)


class Collection(StockCase):
    def test_toggled_handlers(self) -> None:
        """S04: A handler that runs inside the function which toggles collection is collected."""
        program = compile("signals.c", "-O0")
        own = len(instructions(program, "on_usr1"))

        def has_handler(tool: str) -> None:
            run = self.run_both(program, "--toggle-collect=main", tool=tool)
            self.assertEqual(Graph(only_part(run.profile_paths[0])).self_costs["on_usr1"], 4 * own)

        self.check_both(has_handler)

    def test_toggled_system_calls(self) -> None:
        """S05: System calls outside the collected part are not counted: `summary:` is what the body adds up
        to."""
        program = compile("events.c", "-O2", "-pthread")

        def has_five(tool: str) -> None:
            run = self.run_both(
                program, "--toggle-collect=region", "--collect-systime=yes", tool=tool
            )
            part = only_part(run.profile_paths[0])
            assert part.summary is not None
            self.assertEqual(part.summary[1], 5)
            self.assertEqual(part.self_total()[1], 5)

        self.check_both(has_five)

    def test_blocking_system_call(self) -> None:
        """S05: A system call is the calling function's, also if another thread runs while it blocks."""
        program = compile("events.c", "-O2", "-pthread")

        def has_read(tool: str) -> None:
            [path] = self.run_both(program, "--collect-systime=yes", tool=tool).profile_paths
            counts = own(only_part(path), "sysCount")
            self.assertEqual((counts["long_nap"], counts["wait_for_byte"]), (1, 1))

        self.check_both(has_read)

    def test_toggling_handler(self) -> None:
        """S04: A function that toggles collection may be a handler itself."""
        program = compile("signals.c", "-O0")
        own = len(instructions(program, "on_usr1"))

        def has_handler(tool: str) -> None:
            run = self.run_both(program, "--toggle-collect=on_usr1", tool=tool)
            self.assertEqual(Graph(only_part(run.profile_paths[0])).self_costs["on_usr1"], 4 * own)

        self.check_both(has_handler)

    def test_toggled_threads(self) -> None:
        """S04, S11: A thread that is started inside the function is collected, where that is wanted."""
        program = compile("region.c", "-O0", "-pthread")
        work = len(instructions(program, "work"))

        def has_thread(tool: str) -> None:
            scope = ["--collect-scope=process"] if tool == "cg2" else []
            run = self.run_both(program, "--toggle-collect=region", *scope, tool=tool)
            self.assertEqual(Graph(only_part(run.profile_paths[0])).self_costs["work"], 15 * work)

        self.check_both(has_thread)

    def test_nested_toggles(self) -> None:
        """Where one of two functions that toggle collection runs inside the other, it is collected."""
        program = compile("parts.c", "-O0")
        leaf = len(instructions(program, "leaf"))

        def has_leaf(tool: str) -> None:
            options = ["--toggle-collect=main", "--toggle-collect=leaf"]
            run = self.run_both(program, *options, tool=tool)
            self.assertEqual(Graph(only_part(run.profile_paths[0])).self_costs["leaf"], 10 * leaf)

        self.check_both(has_leaf)


class Calls(StockCase):
    def test_no_calls_of_zero(self) -> None:
        """S18: A call that was open when a part began is a call: nothing was called 0 times."""

        def counts(tool: str) -> None:
            run = self.run_both(compile("parts.c", "-O0"), "--dump-before=finish", tool=tool)
            [text] = [
                p.read_text() for p in run.profile_paths if "Program termination" in p.read_text()
            ]
            self.assertIsNone(re.search(r"^calls=0 ", text, re.MULTILINE))

        self.check_both(counts)

    def test_skipped(self) -> None:
        """S19: A function that --fn-skip leaves out was called, and the profile says how often."""
        program = compile("calls.c", "-O0")

        def counts(tool: str) -> None:
            part = only_part(self.run_both(program, "--fn-skip=leaf", tool=tool).profile_paths[0])
            self.assertEqual(Graph(part).called("leaf"), 0)
            self.assertEqual(part.skipped, {"leaf": 22})

        self.check_both(counts)

    def test_start_inside(self) -> None:
        """S22: Counting begins in the innermost of four calls: none of them calls who called it."""
        program = compile("switched.c", "-O0", RECURSIVE)

        def has_callers(tool: str) -> None:
            graph = self.graph_by(tool, program, "--instr-atstart=no")
            self.assertCallers(graph, "starter", {"nest'2": 1})
            self.assertCallers(graph, "nest'2", {"nest": 1, "nest'2": 1})
            self.assertCallers(graph, "nest", {"main": 1})
            self.assertEqual(graph.called("main"), 1)

        self.check_both(has_callers)

    def test_stubs(self) -> None:
        """S19, S29: Stubs in .plt.sec are skipped: what they lead to is called as often as they are."""
        program = linked("-O0", "-fcf-protection", "-Wl,-z,ibtplt,-z,now")

        def are_skipped(tool: str) -> None:
            graph = self.graph_by(tool, program)
            self.assertCallees(
                graph, "main", {"lib_twice": 6, "lib_back": 3, "call": 4, "lib_pointer": 5}
            )

        self.check_both(are_skipped)


class Processes(StockCase):
    def test_fork(self) -> None:
        """S12: What was done before a fork is in one profile, the parent's."""
        program = compile("fork.c", "-O0")

        def has_it_once(tool: str) -> None:
            graphs = [
                Graph(only_part(path)) for path in self.run_both(program, tool=tool).profile_paths
            ]
            self.assertEqual(sorted(graph.called("in_child") for graph in graphs), [0, 5])
            self.assertEqual(sorted(graph.called("before") for graph in graphs), [0, 7])

        self.check_both(has_it_once)

    def test_exec(self) -> None:
        """S13: A program that is replaced leaves a profile."""
        program = compile("exec.c", "-O0")

        def leaves_one(tool: str) -> None:
            run = run_cg2([program, "1"], tool=tool)
            self.assertEqual(run.status, 0, run.stderr)
            [path] = run.profile_paths
            self.assertGreater(path.stat().st_size, 0)
            self.assertCallers(Graph(only_part(path)), "once", {"work": 2})

        self.check_both(leaves_one)

    def test_one_name(self) -> None:
        """S14: Of two processes with one name for their profiles none is lost."""
        program = compile("fork.c", "-O0")

        def has_both(tool: str) -> None:
            paths = self.run_both(program, tool=tool, out_file="one").profile_paths
            graphs = [Graph(only_part(path)) for path in paths]
            self.assertEqual(sum(graph.called("in_parent") for graph in graphs), 3)
            self.assertEqual(sum(graph.called("in_child") for graph in graphs), 5)

        self.check_both(has_both)


class Files(StockCase):
    def test_no_empty_file(self) -> None:
        """S15: A program that is killed leaves no file without anything in it."""

        def leaves_nothing(tool: str) -> None:
            monitored = Monitored(compile("waiting.c", "-O0"), tool=tool)
            monitored.kill()
            self.assertEqual([path.stat().st_size for path in monitored.profiles()], [])

        self.check_both(leaves_nothing)

    def test_order(self) -> None:
        """S17: Two equal runs leave the same, and each function is one block of lines.

        Which functions Callgrind splits is chance: of the linker's some, of a small program's none in most
        runs, nor of any in most of a later Callgrind than Valgrind 3.19's.
        """
        programs: list[Sequence[str | Path]] = [
            [compile(f"{name}.c", "-O0", RECURSIVE, is_dynamic=True)]
            for name in ("recursion", "parts", "calls", "phases", "tail")
        ]
        programs += [[f"/usr/bin/{name}", "--version"] for name in ("ld", "objdump")]

        def is_fixed(program: Sequence[str | Path], option: str, tool: str) -> None:
            runs = [run_cg2(program, option, tool=tool, out_file="%p.profile") for _ in range(2)]
            self.assertEqual([run.status for run in runs], [0, 0])
            first, second = (text_of_any_run(run.profile_paths[0]) for run in runs)
            self.assertEqual(first, second)
            blocks = Counter(re.findall(r"^fn=\((\d+)\)", first, re.MULTILINE))
            self.assertEqual(max(blocks.values()), 1)
            self.assertEqual(len(blocks), len(only_part(runs[0].profile_paths[0]).functions))

        def are_fixed(tool: str) -> None:
            for option in ("--separate-callers=0", "--separate-callers=3", "--separate-recs=3"):
                for program in programs:
                    is_fixed(program, option, tool)

        self.check_both(are_fixed)

    def test_allocations(self) -> None:
        """S20: Where allocations are asked for they are counted, or the option is refused: there are no false
        zeros."""
        program = compile("phases.c", "-O0")  # its printf allocates

        def counts_or_refuses(tool: str) -> None:
            run = run_cg2([program], "--collect-alloc=yes", tool=tool)
            if run.status == 1:
                self.assertIn("Unknown option: --collect-alloc=yes\n", run.stderr)
            else:
                part = only_part(run.profile_paths[0])
                column = part.events.index("Alloc" if tool == "cg2" else "allocCount")
                self.assertGreater(part.self_total()[column], 0)

        self.check_both(counts_or_refuses)

    def test_every_blocks(self) -> None:
        """S21: A part every 5000 blocks has 5000."""
        program = compile("calls.c", "-O0", is_dynamic=True)

        def has_as_many(tool: str) -> None:
            run = self.run_both(program, "--dump-every-bb=5000", tool=tool, out_file="profile")
            texts = [path.read_text() for path in run.profile_paths if path.suffix]
            ranges = [
                re.findall(r"^desc: Timerange: Basic block (\d+) - (\d+)$", t, re.MULTILINE)
                for t in texts
            ]
            self.assertEqual(
                ranges, [[(str(n * 5000), str(n * 5000 + 5000))] for n in range(len(texts))]
            )
            self.assertGreater(len(texts), 3)

        self.check_both(has_as_many)

    def test_unwritable(self) -> None:
        """S31: The error names the file, and why it cannot be written."""
        program = compile("calls.c", "-O0")

        def says_why(tool: str) -> None:
            run = run_cg2([program], tool=tool, out_file="/nosuch/x")
            self.assertEqual(run.status, 1)
            self.assertRegex(
                run.stderr,
                r"error: cannot write the profile '/nosuch/x': No such file or directory\n",
            )

        self.check_both(says_why)


class Annotate(StockCase):
    """cg2_annotate, and what callgrind_annotate makes of the same."""

    def total(self, said: str) -> int:
        found = re.search(r"^ *([\d,]+) .*PROGRAM TOTALS", said, re.MULTILINE)
        assert found is not None, said
        return int(found[1].replace(",", ""))

    def test_recursion(self) -> None:
        """S07: No level of a recursive function costs more than the call from outside, which contains all
        levels."""
        program = compile("recursion.c", "-O0", RECURSIVE)

        def is_bounded(tool: str) -> None:
            [path] = self.run_both(program, tool=tool).profile_paths
            whole = Graph(only_part(path)).arc_costs["main", "fact"]
            said = said_by(
                command_of(tool, "annotate"),
                "--inclusive=yes",
                "--auto=no",
                "--threshold=100",
                path,
            )
            rows = re.findall(r"^ *([\d,]+) .*recursion\.c:(\S+)", said, re.MULTILINE)
            costs = [int(cost.replace(",", "")) for cost, name in rows if base(name) == "fact"]
            self.assertEqual(max(costs), whole)

        self.check_both(is_bounded)

    def test_newest(self) -> None:
        """S26: Without a file it reads the newest profile, not the one whose name comes first, and says
        which."""

        def reads_newest(tool: str) -> None:
            directory = new_directory()
            for name, source, time in (("1", "calls.c", 1000), ("2", "parts.c", 2000)):
                [path] = self.run_both(compile(source, "-O0"), tool=tool).profile_paths
                os.utime(path, (time, time))
                path.rename(directory / f"{tool}.out.{name}")
            newest = directory / f"{tool}.out.2"
            said = said_by(command_of(tool, "annotate"), "--auto=no", directory=directory)
            self.assertIn(newest.name, said)
            self.assertEqual(self.total(said), only_part(newest).self_total()[0])

        self.check_both(reads_newest)

    def test_parts(self) -> None:
        """S27: The total of a file of several parts is that of all."""
        program = compile("parts.c", "-O0")
        run = run_cg2([program], "--combine-dumps=yes", "--dump-before=region", tool="callgrind")
        parts = read_profile(run.profile_paths[0]).parts
        self.assertEqual(len(parts), 4)

        def adds_up(tool: str) -> None:
            said = said_by(command_of(tool, "annotate"), "--auto=no", run.profile_paths[0])
            self.assertEqual(self.total(said), sum(part.self_total()[0] for part in parts))
            self.assertNotIn("malformed", said)

        self.check_both(adds_up)


class Control(StockCase):
    """cg2_control and callgrind_control."""

    def test_threads_without_calls(self) -> None:
        """S24: Threads that call nothing after counting went off and on are shown, with the calls that they
        are in."""

        def shows_all(tool: str) -> None:
            monitored = Monitored(compile("looping.c", "-O0", "-pthread"), tool=tool)
            try:
                command, process = command_of(tool, "control"), str(monitored.process.pid)
                for state in ("off", "on"):
                    said_by(command, "-i", state, process)
                # Each thread is shown once it has run again, and Valgrind's lock lets one wait for long.
                for _ in range(20):
                    said = said_by(command, "-e", "-b", process)
                    if "(no frames)" not in said:
                        break
            finally:
                monitored.kill()
            self.assertEqual(re.findall(r"^   Th (\d)", said, re.MULTILINE), ["1", "2"])
            _, *stacks = said.split("Backtrace for Thread ")
            self.assertEqual([stack[0] for stack in stacks], ["1", "2"])
            self.assertRegex(stacks[0], r"\[ 0\] .* main ")
            self.assertEqual(len(re.findall(r" deep(?:'2)? ", stacks[1])), 3)

        self.check_both(shows_all)

    def test_kill(self) -> None:
        """S25: A run that is killed by -k leaves what it counted."""

        def leaves_profile(tool: str) -> None:
            monitored = Monitored(compile("waiting.c", "-O0"), tool=tool)
            try:
                said_by(command_of(tool, "control"), "-k", str(monitored.process.pid))
                monitored.process.communicate(timeout=HANG)
            finally:
                monitored.kill()
            paths = monitored.profiles()
            self.assertNotIn(0, [path.stat().st_size for path in paths])
            parts = [only_part(path) for path in paths]
            for part in parts:
                part.check()
            self.assertEqual(sum(Graph(part).called("work") for part in parts), 3)

        self.check_both(leaves_profile)

    def test_unknown_words(self) -> None:
        """S23: A monitor command that is given what it does not know says so, and does nothing."""

        def refuses(tool: str) -> None:
            monitored = Monitored(compile("waiting.c", "-O0"), tool=tool)
            try:
                self.assertIn("expected", monitored.ask("status", "foo"))
                self.assertIn("expected", monitored.ask("instrumentation", "blah"))
            finally:
                monitored.end()

        self.check_both(refuses)


class CommandLine(StockCase):
    def test_direct_recursion(self) -> None:
        """S06: --skip-direct-rec is what the help says that it is when it is not given: no."""
        program = compile("recursion.c", "-O0", RECURSIVE)

        def is_as_said(tool: str) -> None:
            _, default = options_in_help(tool)["--skip-direct-rec"]
            graph = self.graph_by(tool, program, f"--skip-direct-rec={default}")
            self.assertCallers(graph, "fact'2", {"fact": 1, "fact'2": 4})
            self.assertEqual(graph.counts, self.graph_by(tool, program).counts)

        self.check_both(is_as_said)

    def test_defaults(self) -> None:
        """S32: Giving each switch the value that the help calls its default changes nothing."""
        program = compile("recursion.c", "-O0", RECURSIVE)

        def are_real(tool: str) -> None:
            options = options_in_help(tool).items()
            switches = [
                f"{name}={default}" for name, (values, default) in options if values == "no|yes"
            ]
            self.assertGreaterEqual(len(switches), 10)
            graph = self.graph_by(tool, program, *switches)
            plain = self.graph_by(tool, program)
            self.assertEqual(graph.counts, plain.counts)
            self.assertEqual(graph.self_costs, plain.self_costs)

        self.check_both(are_real)

    def test_documents(self) -> None:
        """S32: Help, reference and man page have the same options and defaults, and all are options of the
        tool."""
        program = compile("exact.S", "-nostdlib", "-static")
        reference = options_in_reference()
        helped = {name: default for name, (_, default) in options_in_help("cg2").items()}
        self.assertEqual(reference, helped)
        self.assertEqual(reference, options_in_man_page())
        for name, default in reference.items():
            run = run_cg2([program], f"{name.removesuffix('N')}={default or 'wrong'}")
            self.assertNotIn("Unknown option", run.stderr)

    def test_unmatched(self) -> None:
        """S28: When nothing is collected because no function has the name, that is said."""
        program = compile("parts.c", "-O0")
        option = "--toggle-collect=nosuch"

        def says(tool: str) -> None:
            run = self.run_both(program, option, tool=tool)
            self.assertEqual(only_part(run.profile_paths[0]).self_total(), [0])
            said = re.findall(
                r"^==\d+== (.*nosuch.*)$", run.stderr.split("Command:")[1], re.MULTILINE
            )
            self.assertEqual(
                said,
                [f"{option}: no function of this name was seen; if it was inlined, -v says where"],
            )

        self.check_both(says)

    def test_patterns_alike(self) -> None:
        """S34: Two options with one and the same pattern are both obeyed; Callgrind knows the first only."""
        program = compile("harness.c", "-O2", "-nostdlib", "-static")

        def writes_parts(tool: str) -> None:
            options = ["--zero-before=bench_*", "--dump-after=bench_*"]
            paths = self.run_both(program, *options, tool=tool).profile_paths
            whole = self.graph_by(tool, program)
            self.assertEqual(len(paths), 3)
            for path, name in zip(sorted(paths, key=part_number)[1:], ("bench_one", "bench_two")):
                self.assertEqual(only_part(path).self_total(), [whole.inclusive(name)])

        self.check_both(writes_parts)

    def test_unknown_request(self) -> None:
        """S30: A client request that there is not is warned of. Later Callgrinds than Valgrind 3.19's do
        so."""
        program = compile("unknown.c", "-O0")

        def warns(tool: str) -> None:
            self.assertIn("43540063", self.run_both(program, tool=tool).stderr)

        if valgrind_version().startswith("3.19."):
            self.check_both(warns)
        else:
            warns("cg2")


class Combined(StockCase):
    def test_ids_defined(self) -> None:
        """S16: Each part in a file defines the ids that it uses, also where threads are kept apart."""
        program = compile("threads.c", "-O0", "-pthread")
        options = ["--combine-dumps=yes", "--separate-threads=yes", "--dump-after=deep"]

        def defines(tool: str) -> None:
            run = self.run_both(program, *options, tool=tool)
            self.assertEqual(sum(map(undefined_ids, texts(run.profile_paths[0])), []), [])

        self.check_both(defines)


def undefined_ids(text: str) -> list[str]:
    """The ids that a part uses in front of their definition, or without one."""
    defined: set[tuple[str, str]] = set()
    found = []
    for spec, id_, name in re.findall(r"^(c?(?:ob|f[lie]|fn))=(\(\d+\))(.*)$", text, re.MULTILINE):
        kind = "file" if spec in ("fl", "fi", "fe", "cfi") else spec.removeprefix("c")
        if name:
            defined.add((kind, id_))
        elif (kind, id_) not in defined:
            found.append(f"{spec}={id_}")
    return found


class Caches(StockCase):
    def test_cold_lines(self) -> None:
        """S08: A line that was never loaded is a miss, also of a large cache that is written back, or looked
        at."""
        caches = ["--I1=32768,8,64", "--D1=32768,8,64", "--LL=536870912,2,64"]
        program = compile("misses.c", "-O1")

        def misses(tool: str, *options: str) -> list[int]:
            [path] = self.run_both(
                program, "--cache-sim=yes", *caches, *options, tool=tool
            ).profile_paths
            part = only_part(path)
            return [part.self_total()[part.events.index(name)] for name in ("ILmr", "DLmr", "DLmw")]

        for option in ("--simulate-wb=yes", "--cacheuse=yes"):

            def are_misses(tool: str) -> None:
                self.assertEqual(misses(tool, option), misses(tool))

            self.check_both(are_misses)

    def test_any_size(self) -> None:
        """S10: Caches are simulated as they are given, without a word about others."""
        program = compile("misses.c", "-O1")

        def is_as_given(tool: str) -> None:
            caches = ["--I1=3072,3,32", "--D1=5120,5,64", "--LL=5242880,2,64"]
            run = run_cg2([program], "--cache-sim=yes", *caches, tool=tool)
            self.assertEqual(run.status, 0, run.stderr)
            self.assertNotIn("warning", run.stderr)
            text = run.profile_paths[0].read_text()
            self.assertIn("\ndesc: LL cache: 5242880 B, 64 B, 2-way associative\n", text)

        self.check_both(is_as_given)

    def test_no_warning(self) -> None:
        """S10: Nobody is warned of a cache that was not asked for."""
        program = compile("misses.c", "-O1")

        def is_silent(tool: str) -> None:
            run = self.run_both(program, "--cache-sim=yes", "--LL=8388608,16,64", tool=tool)
            self.assertNotIn("warning", run.stderr)

        is_silent("cg2")


class Rows(unittest.TestCase):
    def test_all_are_here(self) -> None:
        """Each fault has a test in this file, or a reason why not."""
        named = re.findall(
            r'^        """((?:S\d\d, )*S\d\d): ', Path(__file__).read_text(), re.MULTILINE
        )
        tested = {row for rows in named for row in rows.split(", ")}
        every = {f"S{number:02}" for number in range(1, LAST + 1)}
        self.assertEqual(tested | set(ELSEWHERE), every)


def part_number(path: Path) -> tuple[int, str]:
    """A key that puts the last part's file, which has no number, first."""
    return len(path.name), path.name


# ------------------------------------------------------------ options


def options_in_help(tool: str) -> dict[str, tuple[str, str]]:
    """The values that each option of the tool takes, and its default, "" if it has none."""
    said = said_by(VALGRIND, f"--tool={tool}", "--help")
    text = said.split(f"user options for {'cg2' if tool == 'cg2' else 'Callgrind'}:")[1].split(
        "Extra options read"
    )[0]
    options = {}
    for entry in re.split(r"^    (?=--)", text, flags=re.MULTILINE)[1:]:
        option, description = re.split(r"\s", entry, maxsplit=1)
        name, _, values = option.partition("=")
        default = re.search(r"\[([^\]]*)\]", description)
        options[name.removesuffix("[").replace("<n>", "N")] = (
            values,
            default[1] if default else "",
        )
    return options


def options_in_reference() -> dict[str, str]:
    """The options that the reference's tables have, and their defaults."""
    text = (SOURCE / "docs" / "reference" / "options.md").read_text()
    rows = re.findall(r"^\| `(--[\w-]+(?:<n>)?)\S*` \| (.*) \|$", text, re.MULTILINE)
    return {name.replace("<n>", "N"): default_in(meaning) for name, meaning in rows}


def options_in_man_page() -> dict[str, str]:
    """The options that the man page has a paragraph for, and their defaults."""
    text = re.sub(r"\\f[BIR]", "", (SOURCE / "docs" / "cg2.1").read_text()).replace("\\-", "-")
    section = text.split(".SH OPTIONS")[1].split("\n.SH ")[0]
    rows = re.findall(r"^\.TP\n(--[\w-]+(?:<n>)?)\S*\n(.*)$", section, re.MULTILINE)
    return {name.replace("<n>", "N"): default_in(meaning) for name, meaning in rows}


def default_in(meaning: str) -> str:
    """The default, which stands in brackets at the end."""
    found = re.search(r"\[([^\]]*)\]$", meaning)
    return found[1] if found else ""


def valgrind_version() -> str:
    return said_by(VALGRIND, "--version").strip().removeprefix("valgrind-")


if __name__ == "__main__":
    unittest.main()
