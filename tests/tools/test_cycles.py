"""Cycles that are estimated: what they are, that sums agree, and what is said of them."""

from __future__ import annotations

import functools
import json
import os
import platform
import re
import unittest
from pathlib import Path

from test_page import unpacked
from toolsupport import Output, command

import cg2test
from cg2tools.debug.cycles import estimated
from cg2tools.profile.cores import Core, UnknownCoreError, core_path, names, native
from cg2tools.profile.cycles import CAUSES, CLAIMED, CYCLES
from cg2tools.profile.model import Part
from cg2tools.profile.reader import read_profile

FULL = os.environ.get("CG2_FULL") == "1"
CPU = "zen4"
COUNTED = ("--dump-instr=yes", "--collect-jumps=yes", "--branch-sim=yes", f"--machine={CPU}")
INSTRUCTIONS = 100_000  # of each function
# Cycles that each of its instructions takes, by the manual of the processor.
TAKEN = {"imul_chain": 3, "add_chain": 1, "addsd_chain": 3, "load_chain": 4, "imul_ports": 1}
CAUSE = {
    "imul_chain": "CyDep",
    "addsd_chain": "CyDep",
    "load_chain": "CyDep",
}


@functools.cache
def profile(*options: str) -> Path:
    """A profile of programs/cycles.c, made with these options."""
    program = cg2test.compile("cycles.c", "-O2")
    (path,) = cg2test.run_cg2([program], *options).profile_paths
    return path


@functools.cache
def converted() -> Path:
    """A profile of programs/cycles.c with cycles."""
    out = cg2test.new_directory() / "cycles.out"
    made = command("cg2_convert", f"--cycles={CPU}", "-o", out, profile(*COUNTED))
    assert (made.status, made.stdout) == (0, ""), made.stderr
    return out


def part_of(path: Path) -> Part:
    (part,) = read_profile(str(path)).parts
    return part


def function_costs(part: Part) -> dict[str, dict[str, int]]:
    """The self cost of each function, by event, with the sum of all cycles."""
    found: dict[str, dict[str, int]] = {}
    for key, function in part.functions.items():
        costs = found.setdefault(key.name, dict.fromkeys(part.events, 0))
        for event, cost in zip(part.events, function.self_cost(), strict=True):
            costs[event] += cost
    for costs in found.values():
        costs[CYCLES] = sum(costs.get(cause, 0) for cause in CAUSES)
    return found


@unittest.skipUnless(platform.machine() == "x86_64", "the program is of x86-64")
class Numbers(unittest.TestCase):
    def test_by_construction(self) -> None:
        """Chains and ports take the cycles that the processor's manual says, within 5 %."""
        costs = function_costs(part_of(converted()))
        for name, each in TAKEN.items():
            with self.subTest(name):
                cycles = costs[name][CYCLES]
                self.assertAlmostEqual(cycles / INSTRUCTIONS, each, delta=0.05 * each)

    def test_causes(self) -> None:
        """What bounds a function has the most of its cycles, beside retiring."""
        costs = function_costs(part_of(converted()))
        for name, cause in CAUSE.items():
            with self.subTest(name):
                others = {each: costs[name][each] for each in CAUSES if each != "CyRet"}
                self.assertEqual(max(others, key=others.__getitem__), cause)

    def test_events(self) -> None:
        """All causes are there, behind the events that were recorded; Cyc is their sum, each once."""
        before, after = part_of(profile(*COUNTED)), part_of(converted())
        self.assertEqual(after.events, [*before.events, *CAUSES])
        terms = after.event_definitions[CYCLES].terms
        self.assertEqual(sorted(terms), sorted((1, cause) for cause in CAUSES))

    def test_sums(self) -> None:
        """The summary, the totals and the sum of self costs are one; the other events keep theirs."""
        before, after = part_of(profile(*COUNTED)), part_of(converted())
        self.assertEqual(list(after.faults()), [])
        total = after.self_total()
        self.assertIn(total, (after.summary, after.totals))
        self.assertEqual(
            [cost for cost in (after.summary, after.totals) if cost not in (None, total)], []
        )
        self.assertEqual(total[: len(before.events)], before.self_total())
        self.assertGreater(min(total), -1)

    def test_toggled(self) -> None:
        """A profile of a part of the run has the same cycles of what it is of."""
        toggled = profile(*COUNTED, "--toggle-collect=imul_chain")
        out = cg2test.new_directory() / "out"
        self.assertEqual(command("cg2_convert", f"--cycles={CPU}", "-o", out, toggled).status, 0)
        part = part_of(out)
        self.assertEqual(list(part.faults()), [])
        cycles = sum(costs[CYCLES] for costs in function_costs(part).values())
        self.assertAlmostEqual(cycles / INSTRUCTIONS, 3, delta=0.15)

    def test_same_bytes(self) -> None:
        """A profile gives the same text each time, byte by byte."""
        again = cg2test.new_directory() / "again"
        command("cg2_convert", f"--cycles={CPU}", "-o", again, profile(*COUNTED))
        self.assertEqual(again.read_bytes(), converted().read_bytes())

    def test_seeds(self) -> None:
        """Walks agree within 1 %, though most of what ran is the rare code of the start: four, or ten at full
        size."""
        read = read_profile(str(profile(*COUNTED)))
        totals = []
        for seed in range(10 if FULL else 4):
            (part,) = estimated("test", read, CPU, seed).parts
            total = dict(zip(part.events, part.self_total(), strict=True))
            totals.append(sum(total[cause] for cause in CAUSES))
        self.assertLess(max(totals), 1.01 * min(totals))
        self.assertGreater(len(set(totals)), 1)  # else the seed does nothing

    def test_door(self) -> None:
        """cg2 cycles and cg2 rewrite --cycles write the same."""
        for name in ("cycles", "rewrite"):
            given = (f"--command={name}", f"--cycles={CPU}", profile(*COUNTED))
            said = command("cg2_annotate", *given)
            self.assertEqual(said.stdout, converted().read_text(), said.stderr)

    def test_away(self) -> None:
        """A computed jump between the program and its library takes what the table says more, there as well
        as back; a return does not, nor what goes from the library to itself. Which is the library, its name
        says."""
        folder = cg2test.new_directory()
        library, program = folder / "libaway.so.1", folder / "away.source"
        cg2test.compile_to(library, "libaway.c", "-O1", "-shared", "-fPIC")
        cg2test.compile_to(program, "away.c", "-O1", str(library))
        (path,) = cg2test.run_cg2([program], *COUNTED).profile_paths
        table = core_path(CPU).read_text()
        self.assertEqual(table.count(" away="), 1)
        for more in ("", " decoupled=yes"):
            cycles = {}
            for away in (0, 40):
                core, out = folder / f"{away}.core", folder / f"{away}.out"
                core.write_text(re.sub(" away=[0-9]+", f" away={away}{more}", table))
                made = command("cg2_convert", f"--cycles={core}", "-o", out, path)
                self.assertEqual(made.status, 0, made.stderr)
                costs = function_costs(part_of(out)).values()
                cycles[away] = sum(each[CYCLES] for each in costs)
            self.assertAlmostEqual((cycles[40] - cycles[0]) / 20000, 2 * 40, delta=4)

    def test_loops(self) -> None:
        """What bounds a loop is a chain of its instruction, with the cycles that follow."""
        found = estimated("test", read_profile(str(profile(*COUNTED))), CPU)
        part = found.parts[0]
        chain = max(found.loops, key=lambda loop: loop.chain)
        self.assertAlmostEqual(chain.chain, 40, delta=2)  # load_chain: 10 loads of 4 cycles
        self.assertAlmostEqual(chain.cycles, 40, delta=2)
        self.assertGreater(chain.iterations, 9000)
        self.assertTrue(chain.first <= min(chain.links) and max(chain.links) <= chain.last)
        self.assertIn("instr", part.positions)


@unittest.skipUnless(platform.machine() == "x86_64", "the program is of x86-64")
class Said(unittest.TestCase):
    """What is an estimate is called one, in each form."""

    def error(self) -> str:
        return Core(CPU).facts.measured

    def test_profile(self) -> None:
        """The profile says what its cycles are, of which processor, and the error that was measured."""
        said = part_of(converted()).descriptions["Estimated cycles"]
        self.assertIn("Zen 4", said)
        for word in self.error().split():
            self.assertIn(word.partition("=")[2], said)

    def heads(self, shown: Output) -> list[str]:
        self.assertEqual(shown.status, 0, shown.stderr)
        return [line for line in shown.stdout.splitlines() if "Estimated cycles:" in line]

    def test_annotate(self) -> None:
        """On the way or in the file: one line says so, in the first answer and in front of lists."""
        for more in ((), ("--threshold=50",), ("--auto=yes",)):
            on_the_way = command("cg2_annotate", f"--cycles={CPU}", *more, profile(*COUNTED))
            self.assertEqual(len(self.heads(on_the_way)), 1)
            self.assertEqual(len(self.heads(command("cg2_annotate", *more, converted()))), 1)

    def test_order(self) -> None:
        """With --cycles, functions are in the order of their cycles; --sort has its way."""
        shown = command("cg2_annotate", f"--cycles={CPU}", "--threshold=100", profile(*COUNTED))
        order = re.findall(r"cycles\.c:(\w+)", "\n".join(shown.functions()))
        self.assertEqual(order[0], "load_chain")
        self.assertEqual(set(order[1:3]), {"imul_chain", "addsd_chain"})
        (line,) = [row for row in shown.rows() if "an iteration" in row and "load_chain at" in row]
        said = re.search(r"([\d.]+) cycles an iteration, bound by a chain of ([\d.]+) cycles", line)
        assert said, line
        for cycles in map(float, said.groups()):  # the caches, which are this machine's, add some
            self.assertAlmostEqual(cycles, 40, delta=2)

    def test_json(self) -> None:
        shown = command("cg2_annotate", f"--cycles={CPU}", "--json", profile(*COUNTED))
        said = json.loads(shown.stdout)
        self.assertIn("Estimated cycles", said["parts"][0]["descriptions"])
        self.assertIn(CYCLES, said["events"])

    def test_diff(self) -> None:
        """Differences of cycles are marked, and it says below which nothing is claimed."""
        both = [profile(*COUNTED), profile(*COUNTED)]
        shown = command("cg2_diff", f"--cycles={CPU}", *both)
        (line,) = self.heads(shown)
        self.assertIn(f"below {CLAIMED} % nothing is claimed, as of this one", line)
        (line,) = self.heads(command("cg2_diff", f"--cycles={CPU}", "--markdown", *both))
        self.assertIn(f"below {CLAIMED} % nothing is claimed", line)
        described = json.loads(command("cg2_diff", f"--cycles={CPU}", "--json", *both).stdout)
        self.assertIn(f"below {CLAIMED} %", described["estimate"])
        self.assertEqual(described["compared"]["event"], CYCLES)

    def test_page(self) -> None:
        """The page has the events, and says that they are estimated."""
        out = cg2test.new_directory() / "page.html"
        made = command("cg2_report", f"--cycles={CPU}", "-o", out, profile(*COUNTED))
        self.assertEqual(made.status, 0, made.stderr)
        head = unpacked(out.read_text())["profile"]
        self.assertIn("Zen 4", head["descriptions"]["Estimated cycles"])
        self.assertIn(CYCLES, [event["name"] for event in head["events"]])
        (chain,) = [each for each in head["bounds"] if each["where"].startswith("load_chain at ")]
        self.assertRegex(
            chain["text"], r"bound by a chain of (3[89]|4[0-2])\.\d cycles through cycles\.c:"
        )
        self.assertGreater(len(chain["links"]), 9)


class Refused(unittest.TestCase):
    """What cannot be estimated is said in one line, and nothing is written."""

    def refused(self, *arguments: str | Path, name: str = "cg2_convert") -> str:
        out = cg2test.new_directory() / "out"
        ended = command(name, *arguments, "-o", out)
        self.assertNotEqual(ended.status, 0)
        self.assertEqual(len(ended.stderr.splitlines()), 1, ended.stderr)
        self.assertFalse(out.exists())
        return ended.stderr

    def test_no_addresses(self) -> None:
        path = profile("--collect-jumps=yes")
        self.assertIn("--dump-instr=yes", self.refused(f"--cycles={CPU}", path))

    def test_no_jumps(self) -> None:
        path = profile("--dump-instr=yes")
        self.assertIn("--collect-jumps=yes", self.refused(f"--cycles={CPU}", path))

    def test_no_events(self) -> None:
        """Without Ir there is nothing to count by."""
        folder = cg2test.new_directory()
        text = profile(*COUNTED).read_text().replace("events: Ir ", "events: Xr ")
        (folder / "other").write_text(text)
        self.assertIn("Ir", self.refused(f"--cycles={CPU}", folder / "other"))

    def test_data(self) -> None:
        from datafiles import list_and_array

        path = cg2test.new_directory() / "cg2.data.1"
        path.write_text(list_and_array())
        self.assertIn("expected a profile", self.refused(f"--cycles={CPU}", path))

    def test_unknown(self) -> None:
        """An unknown processor is answered with those that there are."""
        said = self.refused("--cycles=pdp11", profile(*COUNTED))
        for name in names():
            self.assertIn(name, said)

    def test_no_table(self) -> None:
        said = self.refused("--cycles=./none.core", profile(*COUNTED))
        self.assertIn("none.core", said)

    def test_twice(self) -> None:
        """Cycles of cycles are refused: the events are there."""
        self.assertIn("already", self.refused(f"--cycles={CPU}", converted()))


class Processors(unittest.TestCase):
    def test_help(self) -> None:
        """--cycles=help lists each processor, its title, and what error was measured, without a profile."""
        for name in ("cg2_convert", "cg2_annotate", "cg2_diff", "cg2_report"):
            shown = command(name, "--cycles=help")
            self.assertEqual(shown.status, 0, shown.stderr)
            lines = shown.stdout.splitlines()
            self.assertEqual([line.split()[0] for line in lines], names())
            for line in lines:
                self.assertRegex(line, r"median error measured: .*%|table only, never measured")

    def test_there_are_some(self) -> None:
        wanted = {
            "skylake",
            "skylake-sp",
            "icelake",
            "sapphirerapids",
            "zen3",
            "zen4",
            "zen5",
            "neoverse-n1",
            "neoverse-v1",
        }
        self.assertEqual(set(names()), wanted)

    def test_native(self) -> None:
        """A processor is known by family and model, or by implementer and part."""

        def amd(model: int, family: int = 25) -> str:
            return f"vendor_id\t: AuthenticAMD\ncpu family\t: {family}\nmodel\t\t: {model}\n"

        def intel(model: int) -> str:
            return f"vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: {model}\n"

        known = {
            amd(1): "zen3",
            amd(0x21): "zen3",
            amd(17): "zen4",
            amd(0x61): "zen4",
            amd(2, 26): "zen5",
            amd(0x44, 26): "zen5",
            amd(0x70, 26): "zen5",
            intel(85): "skylake-sp",
            intel(158): "skylake",
            intel(106): "icelake",
            intel(143): "sapphirerapids",
            intel(207): "sapphirerapids",
        }
        for text, name in known.items():
            self.assertEqual(native(text, "x86_64"), name, text)
        arm = "CPU implementer\t: 0x41\nCPU part\t: 0xd0c\n"
        self.assertEqual(native(arm, "aarch64"), "neoverse-n1")
        self.assertEqual(native(arm.replace("0xd0c", "0xd40"), "aarch64"), "neoverse-v1")
        for text, machine, who in (
            (amd(0x55, 26), "x86_64", "AuthenticAMD family 26 model 85"),
            ("", "x86_64", "unknown family -1 model -1"),
            (arm.replace("0xd0c", "0xd4f"), "aarch64", "implementer 0x41 part 0xd4f"),
        ):
            with self.assertRaisesRegex(UnknownCoreError, f"no table of this processor, {who}"):
                native(text, machine)

    def test_tables(self) -> None:
        """Each table is read, and belongs to a machine that can be simulated."""
        for name in names():
            self.assertTrue(Core(name).facts.title)
            machine = next(
                line.split()[1]
                for line in core_path(name).read_text().splitlines()
                if line.startswith("machine ")
            )
            self.assertTrue(core_path(name).with_name(f"{machine}.machine").exists(), name)


if __name__ == "__main__":
    unittest.main()
