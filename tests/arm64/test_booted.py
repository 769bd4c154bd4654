"""The tool on a booted arm64 kernel: what an emulator of user programs cannot do, or would do itself.

vgdb and its ptrace, cg2_control, the kernel's own signals and execve, the memory of the process. The machine
is booted once for all tests here.
"""

from __future__ import annotations

import functools
import re
import unittest
from pathlib import Path

from booted import Result, boot
from case import STARTS, Case
from cg2test import SOURCE, new_directory
from cg2tools.profile.reader import read_profile
from facts import Graph, leaks
from fetch import FetchError
from emulated import machine

THREADS = 300
# What is compiled for it, and how.
COMPILED = {
    "crowd": ["-O0", "-pthread"],
    "endings": ["-O0", "-pthread"],
    "fault": ["-O0"],
    "moved": ["-O1"],
    "signals": ["-O1"],
}
# In a process between, as the kernel reports at least the resident set of the process that started one.
PEAK = """
import os, sys
process = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(process, 0)
print("peak", status, usage.ru_maxrss * 1024)
"""
SCRIPT = f"""
profiled() {{
   name=$1; shift
   valgrind --tool=cg2 --check-cells=yes --cg2-out-file=/out/$name "$@"; echo "$name: $?"
}}
profiled signals ./signals
profiled fault --px-default=allregs-at-mem-access --px-file-backed=allregs-at-mem-access ./fault
profiled moved ./moved
for how in exit abort kill fault thread; do profiled ending-$how ./endings $how; done
profiled traced.%p --trace-children=yes /bin/bash -c '/bin/true; /bin/true; exec /bin/true'
profiled untraced /bin/bash -c 'exec /bin/true'
export PYTHONPATH=/opt/tools
for tool in cg2 none
do echo "memory $tool"
   python3 peak valgrind -q --tool=$tool --max-threads=600 ./crowd {THREADS} together
done
for threads in 5 {THREADS}
do echo "ended $threads"
   python3 peak valgrind -q --tool=cg2 ./crowd $threads apart
done
control() {{ python3 /opt/tools/cg2_control "$@"; echo "control: $?"; }}
valgrind --tool=cg2 --cg2-out-file=/out/waiting ./waiting & run=$!
before=; now=none
until [ "$before" = "$now" ]
do before=$now; sleep 1; now=$(control -b -e Ir)
done
control; control -b; control --dump; control --zero; control --instr=off; control -s
echo "vgdb: $(vgdb --pid=$run v.info n_errs_found 2>&1 | tail -1)"
control --kill; wait $run; echo "waiting: $?"
"""


@functools.cache
def booted() -> tuple[Result, Path]:
    """What the machine has left, and where its files are."""
    here = machine()
    programs = {name: here.compile(f"{name}.c", *flags) for name, flags in COMPILED.items()}
    programs["waiting"] = here.compile(str(SOURCE / "tests/tools/waiting.c"), "-O0", "-pthread")
    peak = new_directory() / "peak"
    peak.write_text(PEAK)
    try:
        result = boot(here, SCRIPT, programs | {"peak": peak})
    except FetchError as error:
        raise unittest.SkipTest(f"no packages of Debian to boot: {error}") from error
    directory = new_directory()
    for name, contents in result.files.items():
        (directory / name).write_bytes(contents)
    return result, directory


class Booted(Case):
    full = True

    def output(self) -> str:
        return booted()[0].output

    def status_of(self, name: str) -> int:
        (status,) = re.findall(rf"^{re.escape(name)}: (\d+)$", self.output(), re.MULTILINE)
        return int(status)

    def graph(self, name: str, status: int = 0) -> Graph:
        self.assertEqual(self.status_of(name), status, self.output())
        (part,) = read_profile(booted()[1] / name).parts
        part.check()
        self.assertEqual([leak for leak in leaks(part) if leak[0] not in STARTS], [])
        return Graph(part)

    def test_signals(self) -> None:
        """Handlers that the kernel enters, and that return by its own code."""
        graph = self.graph("signals")
        for handler in ("on_usr1", "on_usr2", "on_term", "on_alternate", "on_hup"):
            self.assertCallers(graph, handler, {})
        self.assertCallers(graph, "in_handler", {"on_usr1": 8})
        self.assertCallers(graph, "in_nested", {"on_term": 3})
        self.assertCallers(graph, "in_alternate", {"on_alternate": 2})
        self.assertEqual(graph.called("send"), 17)
        self.assertCallers(graph, "guarded", {"main": 5})
        self.assertCallers(graph, "landed", {"guarded": 5})
        self.assertEqual(graph.called("main"), 1)

    def test_faults(self) -> None:
        """Signals in the middle of a block."""
        graph = self.graph("fault")
        self.assertCallers(graph, "touch", {"main": 6})
        self.assertCallers(graph, "in_segv", {"on_segv": 6})
        self.assertCallers(graph, "illegal", {"survive": 3})
        self.assertEqual(graph.self_costs["on_segv"] % 6, 0)
        self.assertCallers(graph, "on_ill", {})

    def test_moved(self) -> None:
        """A handler that sets where the program goes on."""
        self.assertEqual(self.status_of("moved"), 0)
        (part,) = read_profile(booted()[1] / "moved").parts
        self.assertCallers(Graph(part), "victim", {"main": 6})
        self.assertCallers(Graph(part), "work", {"victim": 6})

    def test_endings(self) -> None:
        """Ended by a signal, the process ends by that signal, and leaves its profile."""
        for how, status in {
            "exit": 0,
            "abort": 134,
            "kill": 137,
            "fault": 139,
            "thread": 0,
        }.items():
            with self.subTest(how):
                graph = self.graph(f"ending-{how}", status)
                self.assertCallers(graph, "outer", {"main": 1})
                self.assertCallers(graph, "middle", {"outer": 2})
                self.assertCallers(graph, "end", {"middle": 1})
                self.assertEqual(graph.called("step"), 53 if how == "thread" else 3)

    def test_traced(self) -> None:
        """Valgrind's own launcher follows a shell's children: two of them, and the program that it
        becomes."""
        self.assertEqual(self.status_of("traced.%p"), 0, self.output())
        found = sorted(path for path in booted()[1].iterdir() if path.name.startswith("traced."))
        self.assertEqual(len(found), 6, found)
        commands = re.findall(r"^cmd: +(.*)$", "".join(map(Path.read_text, found)), re.MULTILINE)
        self.assertEqual(commands.count("/bin/true"), 3, commands)

    def test_not_traced(self) -> None:
        """A program that becomes one that is not followed leaves its profile, and the other one runs."""
        self.assertEqual(self.status_of("untraced"), 0, self.output())
        self.assertTrue(
            [path for path in booted()[1].iterdir() if path.name.startswith("untraced")]
        )

    def test_memory(self) -> None:
        """A thread that is alive takes at most 40 KB more than without a tool, one that has ended nothing."""
        peaks = dict(re.findall(r"^memory (\w+)\npeak 0 (\d+)$", self.output(), re.MULTILINE))
        self.assertLess(int(peaks["cg2"]) - int(peaks["none"]), THREADS * 40_000)
        ended = re.findall(r"^ended \d+\npeak 0 (\d+)$", self.output(), re.MULTILINE)
        few, many = map(int, ended)
        self.assertLess(many - few, 1_000_000)

    def test_control(self) -> None:
        """vgdb wakes a process whose threads wait in the kernel, by ptrace; all commands are done."""
        said = self.output().split("\nwaiting\n", 1)[1]
        self.assertEqual(re.findall(r"^control: (\d+)$", said, re.MULTILINE), ["0"] * 7)
        self.assertRegex(said, r"PID \d+: \./waiting\n")
        frames = re.findall(r"^ +\[ *\d+\] +(\S.*)$", said, re.MULTILINE)
        self.assertEqual(len([frame for frame in frames if frame.startswith("deep (")]), 2, said)
        self.assertEqual(len([frame for frame in frames if frame.startswith("work (")]), 1, said)
        self.assertIn("No information available as instrumentation is switched off.", said)
        self.assertIn("vgdb: n_errs_found 0", said)
        (part,) = read_profile(booted()[1] / "waiting.1").parts
        self.assertCallers(Graph(part), "leaf", {"work": 1234})
        self.assertEqual(Graph(part).called("deep"), 1 + 3)


if __name__ == "__main__":
    unittest.main()
