"""What cg2 knows of arm64 processors: what programs are told of them, their caches, their code, thunks and
NEON."""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path
from typing import ClassVar

from cg2test import HANG, SOURCE, TOOLS, env, new_directory
from cg2tools.profile.reader import read_profile
from emulated import machine

sys.path.insert(0, str(SOURCE / "tests" / "unit"))

from hostbuild import (
    MODEL,
    UNIT,
    Flavour,
    build_alone,
    run,
)  # noqa: E402  (found through the path just set)

# The bits of AT_HWCAP that each word stands for.
TOLD = {"baseline": "3", "crypto": "fb", "lse": "1fb"}
# Processors of the emulator, and what Valgrind 3.19 lets a program know of them.
KNOWN = {"cortex-a72": "crypto", "neoverse-n1": "lse", "max": "lse"}
FULL = os.environ.get("CG2_FULL") == "1"
CACHES = Path("/sys/devices/system/cpu/cpu0/cache")


class Profiled(unittest.TestCase):
    def profile(
        self, program: Path, *options: str, processor: str = "max", status: int = 0
    ) -> tuple[Path, str, str]:
        """The profile, and what was printed."""
        here = machine()
        directory = new_directory()
        ended = subprocess.run(
            [here.valgrind, "--tool=cg2", "-q", "--cg2-out-file=profile", *options, program],
            cwd=directory,
            env=env() | {"VALGRIND_LIB": str(here.tested / ".in_place"), "QEMU_CPU": processor},
            capture_output=True,
            text=True,
            timeout=HANG,
            check=False,
        )
        self.assertEqual(ended.returncode, status, ended.stderr)
        return directory / "profile", ended.stdout, ended.stderr


class Cpu(Profiled):
    """--cpu has the program told the same on each processor that can do it."""

    @staticmethod
    @functools.cache
    def program() -> Path:
        return machine().compile("hwcap.c", "-O1", "-static", "-moutline-atomics")

    def test_chosen(self) -> None:
        """AT_HWCAP, the header, and the code that libgcc chooses."""
        for name, told in TOLD.items():
            with self.subTest(name):
                path, said, _ = self.profile(self.program(), f"--cpu={name}", "--dump-instr=yes")
                self.assertEqual(said, f"{told} 0 100\n")
                self.assertIn(f"\ndesc: CPU: {name}\n", path.read_text())
                self.assertEqual(self.executed(path, "ldaddal"), 100 if name == "lse" else 0)
                self.assertEqual(self.executed(path, "stlxr"), 0 if name == "lse" else 100)

    def executed(self, path: Path, mnemonic: str) -> int:
        """How often an instruction of that name was executed in the function that adds."""
        listed = subprocess.run(
            [machine().commands / "objdump", "-d", "--no-show-raw-insn", self.program()],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        name = "__aarch64_ldadd4_acq_rel"
        (text,) = re.findall(rf"<{name}>:\n(.*?)\n\n", listed, re.DOTALL)
        here = {int(at, 16) for at in re.findall(rf"^ *(\w+):\t{mnemonic}\t", text, re.MULTILINE)}
        (part,) = read_profile(str(path)).parts
        return sum(
            cost[0]
            for key, function in part.functions.items()
            if key.name == name
            for position, cost in function.costs.items()
            if position.instr in here
        )

    def test_host(self) -> None:
        """Without the option: what Valgrind lets through, and no more."""
        for processor, name in KNOWN.items():
            path, said, _ = self.profile(self.program(), processor=processor)
            self.assertEqual(said, f"{TOLD[name]} 0 100\n", processor)
            self.assertIn(f"\ndesc: CPU: {name}\n", path.read_text())

    def test_refused(self) -> None:
        """Nobody is told of what this processor has not; a word of another processor is none."""
        _, said, message = self.profile(
            self.program(), "--cpu=lse", processor="cortex-a72", status=1
        )
        self.assertEqual(said, "")
        self.assertIn("--cpu=lse: a program would be told of lse; expected no more than", message)
        self.assertIn("this processor has: crypto", message)
        _, _, message = self.profile(self.program(), "--cpu=avx2", status=1)
        self.assertIn("expected host, lse, crypto or baseline", message)


class Caches(Profiled):
    def test_files(self) -> None:
        """The caches that are simulated are those of Linux's files, which the emulator shows."""
        facts = {}
        for index in CACHES.glob("index*"):
            level, kind, size, ways, line = (
                (index / name).read_text().strip()
                for name in (
                    *("level", "type", "size"),
                    *("ways_of_associativity", "coherency_line_size"),
                )
            )
            size = str(int(size[:-1]) * 1024)
            facts[level, kind] = f"{size} B, {line} B, {ways}-way associative"
        if not {("1", "Data"), ("1", "Instruction"), ("2", "Unified")} <= facts.keys():
            self.skipTest(f"this machine tells nothing in {CACHES}")
        path, _, message = self.profile(Cpu.program(), "--cache-sim=yes")
        found = dict(re.findall(r"^desc: (\w+) cache: (.*)$", path.read_text(), re.MULTILINE))
        last = facts.get(("3", "Unified"), facts["2", "Unified"])
        self.assertEqual(
            (found["I1"], found["D1"], found["LL"], message),
            (facts["1", "Instruction"], facts["1", "Data"], last, ""),
        )

    def test_described(self) -> None:
        """Described arm64 processors can be simulated there."""
        for name in ("cortex-a72", "neoverse-v2"):
            path, _, _ = self.profile(Cpu.program(), f"--machine={name}")
            (part,) = read_profile(str(path)).parts
            part.check()
            totals = dict(zip(part.events, part.self_total(), strict=True))
            self.assertGreater(min(totals["Ir"], totals["Dr"], totals["D1mr"]), 0, name)


class Views(Profiled):
    """Machine code is shown with costs, by each objdump that knows the processor."""

    def test_views(self) -> None:
        if not shutil.which("llvm-objdump"):
            self.skipTest("llvm-objdump is not installed (Debian: apt-get install llvm)")
        path, _, _ = self.profile(Cpu.program(), "--dump-instr=yes", "--collect-jumps=yes")
        texts = []
        for objdump in (machine().commands / "objdump", "llvm-objdump"):
            ended = subprocess.run(
                [
                    *(TOOLS / "cg2_annotate", "--asm=yes", "--auto=no", "--threshold=99"),
                    *("--show-percs=no", path),
                ],
                env=env() | {"OBJDUMP": str(objdump)},
                capture_output=True,
                text=True,
                check=True,
            )
            self.assertNotIn("where objdump has none", ended.stdout)
            shown = ended.stdout.partition("-- Machine code")[2]
            # Mnemonics and operands are spelled in two ways.
            texts.append(re.findall(r"^( *[\d,.]+ .*? [0-9a-f]+): ", shown, re.MULTILINE))
        self.assertGreater(len(texts[0]), 1000)
        self.assertEqual(texts[0], texts[1])


class Programs(unittest.TestCase):
    """Programs of the unit tests, in A64 code: thunks run, NEON compares as plain C does."""

    names: ClassVar = ("test_thunkcode", "test_host", "test_cpu_arm64", "test_table")

    def check_program(self, *sources: Path, name: str = "", size: str = "1") -> None:
        here = machine()
        compiler = str(here.commands / "gcc")
        flavour = Flavour("aarch64", compiler, ("-O2", "-static"))
        program = build_alone(flavour, *sources)
        words = [*here.emulator, program, *([name] if name else [])]
        ended = run(words, CG2_TEST_SIZE=size)
        said = ended.stdout + ended.stderr
        counted = re.search(r"^(\d+) checks passed, (\d+) failed$", ended.stdout, re.MULTILINE)
        assert counted is not None, said
        self.assertEqual((ended.returncode, int(counted[2])), (0, 0), said)
        self.assertGreater(int(counted[1]), 0)

    def test_units(self) -> None:
        for name in self.names:
            with self.subTest(name):
                sources = (UNIT / f"{source}.c" for source in (name, "check", "programs"))
                self.check_program(*sources, name=name)

    def test_caches(self) -> None:
        """The simulator of caches, whose words NEON compares, against the slow model: a million accesses; at
        full size five, as model.test_model makes where nothing is emulated."""
        sources = [MODEL / f"{name}.c" for name in ("compare_cache", "reference")]
        self.check_program(*sources, UNIT / "check.c", size="1" if FULL else "1/5")


if __name__ == "__main__":
    unittest.main()
