"""Machine code of other processors than this machine's: which objdump is run, and what is made of its
text."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import unittest
from pathlib import Path
from unittest import mock

from test_annotate import Fixture
from toolsupport import TOOLS

from cg2tools.program.disassembly import disassembled
from cg2tools.program.objdump import objdump_for, package_of

# Every kind of branch of A64: 0 is a call of the function itself, which is no jump.
BRANCHES = """\
.text
.globl f
.type f, %function
f: bl f
cbz x0, .Lend
.Ltop: tbnz w1, #31, .Ltop
cbnz w2, .Ltop
tbz x3, #40, .Lend
b.ne .Ltop
b.hs .Lend
b .Lend
adrp x0, f
add x0, x0, #16
.Lend: ret
.size f, .-f
"""
COSTS = "".join(f"{4 * i:#x} 1\n" for i in range(11))
DRAWN = """\
              0: bl 0 <f>
  ,---------- 4: cbz x0, 28
  |   ,-----> 8: tbnz w1, #31, 8
  |   | '---- c: cbnz w2, 8
  | ,-+------ 10: tbz x3, #40, 28
  | | '------ 14: b.ne 8
  | |   ,---- 18: b.hs 28
  | |   | ,-- 1c: b 28
  | |   | |   20: adrp x0, 0 <f+0x20>
  | |   | |   24: add x0, x0, #16
  '---------> 28: ret
"""


def elf(machine: int, order: int = 1) -> bytes:
    """The beginning of an ELF file for a processor, with words of this order of bytes."""
    low, high = machine & 255, machine >> 8
    return bytes(
        [*b"\177ELF\2", order, 1, *bytes(11), *([low, high] if order == 1 else [high, low])]
    )


class Which(Fixture):
    """The objdump that is run for an object file."""

    def program(self, name: str) -> None:
        path = self.directory / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)

    def chosen(self, content: bytes, **environment: str) -> str:
        path = self.directory / "object"
        path.write_bytes(content)
        with mock.patch.dict(os.environ, {"PATH": str(self.directory / "bin")} | environment):
            return objdump_for(str(path))

    def test_own(self) -> None:
        """objdump for this machine's programs, of 32 bits too, and for what is none that is known."""
        self.program("x86_64-linux-gnu-objdump")
        for content in (elf(62), elf(3), elf(4711), b"", b"\177ELF", b"#!/bin/sh\n" * 9):
            self.assertEqual(self.chosen(content), "objdump", content)

    def test_other(self) -> None:
        """The one of a cross compiler before LLVM's, of which the newest is taken."""
        self.assertEqual(self.chosen(elf(183)), "aarch64-linux-gnu-objdump")
        for name in ("llvm-objdump-9", "llvm-objdump-14", "llvm-objdump-x"):
            self.program(name)
        self.assertEqual(self.chosen(elf(183)), "llvm-objdump-14")
        self.program("llvm-objdump")
        self.assertEqual(self.chosen(elf(243)), "llvm-objdump")
        self.program("aarch64-linux-gnu-objdump")
        self.assertEqual(self.chosen(elf(183)), "aarch64-linux-gnu-objdump")
        self.assertEqual(self.chosen(elf(22, order=2)), "llvm-objdump")
        self.assertEqual(self.chosen(elf(183), OBJDUMP="mine"), "mine")

    def test_package(self) -> None:
        for command, package in (
            ("objdump", "binutils"),
            ("/some/aarch64-linux-gnu-objdump", "binutils"),
            ("aarch64-linux-gnu-objdump", "binutils-aarch64-linux-gnu"),
            ("x86_64-linux-gnu-objdump", "binutils-x86-64-linux-gnu"),
        ):
            self.assertEqual(package_of(command), package)


class A64(Fixture):
    """The view of A64 code."""

    def make(self) -> Path:
        source = self.write("f.s", BRANCHES)
        program = self.directory / "f.o"
        words = ["clang", "--target=aarch64-linux-gnu", "-c", str(source), "-o", str(program)]
        try:
            subprocess.run(words, check=True)
        except FileNotFoundError:
            self.skipTest("no clang (Debian: apt-get install clang)")
        self.write("p", f"positions: instr\nevents: Ir\nob={program}\nfn=f\n{COSTS}")
        return program

    def annotated(self, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [TOOLS / "cg2_annotate", "--asm=yes", "--auto=no", "--show-percs=no", "p"],
            cwd=self.directory,
            env=os.environ | environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def test_arrows(self) -> None:
        """Arrows for each kind of branch, and none for the call."""
        if not shutil.which("llvm-objdump"):
            self.skipTest("llvm-objdump is not installed (Debian: apt-get install llvm)")
        self.make()
        ended = self.annotated(OBJDUMP="llvm-objdump")
        rows = re.findall(r"^1 (.*?) *$", ended.stdout, re.MULTILINE)
        self.assertEqual(rows, DRAWN.splitlines(), ended.stdout)

    def test_missing(self) -> None:
        """Without one that knows the processor: which was looked for."""
        self.make()
        (self.directory / "bin").mkdir()
        ended = self.annotated(PATH=f"{self.directory / 'bin'}")
        self.assertEqual(
            (ended.returncode, ended.stderr),
            (1, "aarch64-linux-gnu-objdump: No such file or directory\n"),
        )


BESIDE = """\
.text
.type f, %function
f: nop
rep stosb
jne f
call f
ret
.size f, .-f
"""
WITH_CALLS = """\
positions: instr line
events: Ir
ob={program}
fl=f.s
fn=f
0 3 1000
1 4 3000
2 4 1
5 6 999
cfn=h(long)
calls=1234 0 3
5 6 2000
cfn=h(int)
calls=1 0 3
5 6 3000
cfn=only
calls=7 0 3
0xa 7 0
jump=5 0 3
1 4
jcnd=2000/3000 0 3
3 5
fn=h(int)
0 3 3000
fn=h(long)
0 3 2000
fn=only
0 3 0
"""
SHOWN = """\
f.s:3
1,000 (10.00%)  ,-> 0: nop
f.s:4
3,000 (30.00%)  |   1: rep stos %al,%es:(%rdi)  (jumps 5) <100.0% rounds of rep>
f.s:5
    .           '-- 3: jne 0 <f>  (jumps 2,000 of 3,000)
f.s:6
  999 ( 9.99%)      5: call 0 <f>
3,000 (30.00%)  => f.s:h(int) (1x)
2,000 (20.00%)  => f.s:h(long) (1,234x)
f.s:7
    .               a: ret
    .           => f.s:only (7x)
    1 ( 0.01%)  <2, where objdump has none>
"""
RED, YELLOW, PLAIN = "\x1b[1;31m", "\x1b[33m", "\x1b[0m"


class Beside(Fixture):
    """What stands beside machine code."""

    def annotated(self, *options: str) -> str:
        source, program = self.write("f.s", BESIDE), self.directory / "f.o"
        subprocess.run(["as", "--64", source, "-o", program], check=True)
        self.write("p", WITH_CALLS.format(program=program))
        ended = subprocess.run(
            [TOOLS / "cg2_annotate", "--asm=yes", "--auto=no", *options, "p"],
            cwd=self.directory,
            capture_output=True,
            text=True,
            check=True,
        )
        start = ended.stdout.index("f.s:3\n")
        return ended.stdout[start : ended.stdout.index("\n\n", start) + 1]

    def test_calls(self) -> None:
        """Calls and jumps, also from where no cost is; names that are told apart; a place inside an
        instruction."""
        self.assertEqual(self.annotated(), SHOWN)

    def test_colours(self) -> None:
        """Cells of one percent and ten percent and more have colours."""
        expected = re.sub(r"(?m)^(.*\(\d\d\..*?\))", rf"{RED}\1{PLAIN}", SHOWN)
        expected = re.sub(r"(?m)^(.*\( 9\..*?\))", rf"{YELLOW}\1{PLAIN}", expected)
        self.assertEqual(self.annotated("--color=yes"), expected)


class Excerpt(Fixture):
    """Pieces of an object are what they are where all of it is taken apart."""

    def whole(self, path: str) -> dict[int, str]:
        """All instructions, by address."""
        said = subprocess.run(
            ["objdump", "-d", "-C", "--no-show-raw-insn", path],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        return {
            int(address, 16): " ".join(text.split())
            for address, text in re.findall(r"^ *([0-9a-f]+):\t(.+)$", said, re.MULTILINE)
        }

    def check(self, path: str, chance: random.Random, count: int) -> int:
        """Compare pieces of a few to some hundred instructions; how many instructions they were."""
        whole = self.whole(path)
        addresses = sorted(whole)
        pieces = []
        for _ in range(count):
            first = chance.randrange(len(addresses))
            last = min(first + chance.choice([0, 3, 40, 400]), len(addresses) - 1)
            pieces.append((addresses[first], addresses[last]))
        found = disassembled(path, pieces)
        wanted = sorted(
            {a for low, high in pieces for a in whole if low <= a <= high and whole[a] != "..."}
        )
        self.assertEqual(found.addresses, wanted)
        for address, text in zip(found.addresses, found.texts):
            # A target without a symbol of its own is shown without one.
            self.assertTrue(whole[address].startswith(text), (hex(address), text, whole[address]))
        return len(wanted)

    def test_library(self) -> None:
        """Any pieces of a library, with its linkage tables: each time others, rising and not."""
        self.check_library("libc.so.6", 3)

    def test_demangled(self) -> None:
        """The same of C++, whose names are as `objdump -C` has them."""
        self.check_library("libstdc++.so.6", 1)

    def check_library(self, name: str, times: int) -> None:
        path = os.path.realpath(f"/usr/lib/x86_64-linux-gnu/{name}")
        if not os.path.isfile(path):
            self.skipTest(f"{path} is not there")
        for seed in range(times):
            self.assertGreater(self.check(path, random.Random(seed), 40), 1000)

    def test_zeros(self) -> None:
        """Zeros in front of code, and in it: instructions of A begin at each place behind them."""
        lines = [".text", ".globl main", ".type main, @function", "main:"]
        for size in range(1, 41):
            lines += [f".skip {size}", f"f{size}: mov $0x0,%eax", "movabs $0x0,%rax", "ret"]
        source = self.write("zeros.s", "\n".join([*lines, ".section .note.GNU-stack", ""]))
        program = self.directory / "zeros"
        subprocess.run(["gcc", "-o", program, source], check=True)
        starts = dict(
            (name, int(address, 16))
            for address, name in re.findall(
                r"^([0-9a-f]+) \S (f\d+)$",
                subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout,
                re.MULTILINE,
            )
        )
        self.assertEqual(len(starts), 40)
        for start in starts.values():
            found = disassembled(str(program), [(start, start + 15)])
            self.assertEqual(
                [(address - start, text) for address, text in zip(found.addresses, found.texts)],
                [(0, "mov $0x0,%eax"), (5, "movabs $0x0,%rax"), (15, "ret")],
            )

    def test_once(self) -> None:
        """Functions a megabyte apart: objdump is started once for them."""
        source = self.write(
            "apart.s",
            ".text\n.globl main\nmain: ret\n.skip 1 << 20, 0x90\nnear: nop\nret\n"
            ".skip 1 << 20, 0x90\nfar: inc %eax\nret\n.section .note.GNU-stack\n",
        )
        program = self.directory / "apart"
        subprocess.run(["gcc", "-o", program, source], check=True)
        objdump = self.write("objdump", '#!/bin/sh\necho >>started\nexec objdump "$@"\n')
        Path(objdump).chmod(0o755)
        names = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
        starts = [
            int(re.findall(rf"^([0-9a-f]+) \S {name}$", names, re.MULTILINE)[0], 16)
            for name in ("main", "near", "far")
        ]
        lines = "".join(f"{start:#x} 1\n" for start in starts)
        self.write("p", f"positions: instr\nevents: Ir\nob={program}\nfn=f\n{lines}")
        ended = subprocess.run(
            [TOOLS / "cg2_annotate", "--asm=yes", "--auto=no", "--show-percs=no", "p"],
            cwd=self.directory,
            env=os.environ | {"OBJDUMP": str(self.directory / "objdump")},
            capture_output=True,
            text=True,
            check=True,
        )
        shown = re.findall(r"^1 +([0-9a-f]+): (.*?) *$", ended.stdout, re.MULTILINE)
        self.assertEqual(
            [(int(address, 16), text) for address, text in shown],
            list(zip(starts, ["ret", "nop", "inc %eax"])),
        )
        self.assertEqual((self.directory / "started").read_text(), "\n")


if __name__ == "__main__":
    unittest.main()
