"""Decoding AVX-512: length and operand in memory of each opcode are as binutils disassembles them, on any
host."""

from __future__ import annotations

import random
import re
import subprocess
import unittest
from collections import Counter
from pathlib import Path

from cg2test import new_directory
from hostbuild import PLAIN, UNIT, build, can_build

SLOT = 16
WORDS = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()
SIZES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "XMMWORD": 16, "YMMWORD": 32, "ZMMWORD": 64}
# What only Xeon Phi has had, of which the last was sold in 2018.
PHI = re.compile(r"v4f|vp4d|vexp2|vrcp28|vrsqrt28|v(gather|scatter)pf")
# What binutils disassembles with a prefix or W that the processor refuses.
LENIENT = re.compile(r"vrsqrt14p[sd]|vu?comis[sd]|vdbpsadbw|vpsh[lr]dw|vpshufbitqmb")
# Map, opcode and W of others that VEX encodes, all of prefix 66: GFNI, VAES, VPCLMULQDQ, VNNI, IFMA.
NEWER_VEX = [
    *((2, 0xCF, 0), (3, 0xCE, 1), (3, 0xCF, 1), (3, 0x44, 0), (2, 0xB4, 1), (2, 0xB5, 1)),
    *((2, opcode, 0) for opcode in (*range(0xDC, 0xE0), *range(0x50, 0x54))),
]
# Map, prefix and opcode of those from before AVX: SHA, GFNI, MOVDIRI, RDPID.
NEWER = [
    *((2, 0, opcode) for opcode in range(0xC8, 0xCE)),
    *(
        (3, 0, 0xCC),
        (2, 0x66, 0xCF),
        (3, 0x66, 0xCE),
        (3, 0x66, 0xCF),
        (2, 0, 0xF9),
        (1, 0xF3, 0xC7),
    ),
]
MASKS = [*range(0x41, 0x48), 0x4A, 0x4B, *range(0x90, 0x94), 0x98, 0x99]


def evex(chance: random.Random, map_: int, prefix: int, opcode: int, w: int) -> bytes:
    """An encoding with registers, vectors' length and mask by chance."""
    mod, rm = chance.choice([0, 1, 2, 3]), chance.randrange(8)
    unused = chance.random() < 0.7
    v = 31 if unused else chance.randrange(32)
    mask, zeroes = chance.choice([0, 0, 1, 7]), 0
    length, repeats = chance.randrange(3), chance.random() < 0.25
    gathers = map_ == 2 and (0x90 <= opcode <= 0x93 or 0xA0 <= opcode <= 0xA3)
    if gathers:
        mod, rm, v, mask, repeats = mod % 3, 4, 15 | v & 16, 5, False
    if mask and not gathers:
        zeroes = chance.randrange(2)
    head = [
        0x62,
        chance.randrange(16) << 4 | map_,
        w << 7 | (v & 15) << 3 | 4 | prefix,
        zeroes << 7 | length << 5 | repeats << 4 | (v >> 4) << 3 | mask,
    ]
    return bytes([*head, opcode]) + operands(chance, mod, rm)


def vex(chance: random.Random, map_: int, prefix: int, opcode: int, w: int) -> bytes:
    v = chance.choice([15, 8 + chance.randrange(8)])
    length = chance.randrange(2)
    head = [0xC4, 0x80 | chance.randrange(4) << 5 | map_, w << 7 | v << 3 | length << 2 | prefix]
    return bytes([*head, opcode]) + operands(
        chance, chance.choice([0, 1, 2, 3, 3]), chance.randrange(8)
    )


def legacy(chance: random.Random, map_: int, prefix: int, opcode: int) -> bytes:
    """An encoding from before AVX, with REX by chance: RDPID has the number 7 in place of a register."""
    rex: list[int] = chance.choice([[], [0x40 | chance.randrange(16)]])
    mod, rm = chance.randrange(4), chance.randrange(8)
    escapes: dict[int, list[int]] = {1: [0x0F], 2: [0x0F, 0x38], 3: [0x0F, 0x3A]}
    head = [*([prefix] if prefix else []), *rex, *escapes[map_]]
    rest = operands(chance, mod, rm)
    if map_ == 1:
        rest = bytes([0xC0 | 7 << 3 | rm]) + rest[1:]
    return bytes([*head, opcode]) + rest


def operands(chance: random.Random, mod: int, rm: int) -> bytes:
    """ModRM and all that can follow it."""
    modrm = mod << 6 | chance.randrange(8) << 3 | rm
    return bytes([modrm]) + chance.randbytes(6)


def encodings() -> list[bytes]:
    chance = random.Random(512)
    found = [
        evex(chance, map_, prefix, opcode, w)
        for map_ in (1, 2, 3, 5, 6)
        for prefix in range(4)
        for opcode in range(256)
        for w in range(2)
        for _ in range(24)
    ]
    found += [
        vex(chance, map_, prefix, opcode, w)
        for map_, opcodes in ((1, MASKS), (3, range(0x30, 0x34)))
        for prefix in range(4)
        for opcode in opcodes
        for w in range(2)
        for _ in range(16)
    ]
    found += [vex(chance, map_, 1, opcode, w) for map_, opcode, w in NEWER_VEX for _ in range(16)]
    found += [
        legacy(chance, map_, prefix, opcode) for map_, prefix, opcode in NEWER for _ in range(16)
    ]
    return [code.ljust(SLOT, b"\x90")[:SLOT] for code in found]


def disassembled(path: Path) -> dict[int, tuple[int, str]]:
    """The length and the text of the instruction at each multiple of SLOT."""
    command = ["objdump", "-D", "-b", "binary", "-m", "i386:x86-64", "-M", "intel", "-w"]
    text = subprocess.run(
        [*command, "--insn-width=16", path], capture_output=True, text=True, check=True
    ).stdout
    found = {}
    for at, code, said in re.findall(
        r"^ *([0-9a-f]+):\t([0-9a-f ]+?) *\t(.*)$", text, re.MULTILINE
    ):
        if int(at, 16) % SLOT == 0:
            found[int(at, 16)] = (len(code.split()), said.strip())
    return found


def memory_of(said: str) -> str | None:
    """The operand in memory as vec_decoded prints it, but for what binutils does not say, which is `?`."""
    said = re.sub(r"ds:(0x\w+)", r"[\1]", said)
    found = re.search(r"(?:(\w+) (?:PTR|BCST) )?\[([^\]]*)\]", said)
    if not found:
        return None
    base, index, vector, scale, displacement = -1, -1, -1, 1, 0
    for sign, term in re.findall(r"([-+]?)([^-+]+)", found[2]):
        factor = re.fullmatch(r"(\w+)\*(\d)", term)
        if term.startswith("0x"):
            number = int(term, 16)
            displacement = -number if sign == "-" else number
        elif factor:
            scale = int(factor[2])
            if factor[1] in WORDS:
                index = WORDS.index(factor[1])
            elif factor[1] != "riz":
                vector = int(factor[1][3:])
        elif term in WORDS:
            base = WORDS.index(term)
    if displacement >= 1 << 63:
        displacement -= 1 << 64
    size = "?" if vector >= 0 or found[1] is None else str(SIZES[found[1]])
    return f"{size} {base} {index} {vector} {scale if index >= 0 or vector >= 0 else '?'} {displacement}"


def differ(expected: str, found: str) -> bool:
    pairs = list(zip(expected.split(), found.split()))
    return len(expected.split()) != len(found.split()) or any(
        there not in ("?", here) for there, here in pairs
    )


def is_refused(code: bytes, text: str, ours: str) -> bool:
    """Whether the processor refuses what binutils disassembles: a broadcast of bytes, words or more."""
    if (
        re.search(r"\(bad\)|\{[\w-]*ba", text)
        or PHI.search(text)
        or not text.startswith(("v", "k", "{vex} v", "sha", "gf2", "movdiri", "rdpid"))
    ):
        return True
    size = ours.split()[1:2]
    is_half = code[1] & 7 in (5, 6) or (code[1] & 7 == 3 and code[2] & 3 in (0, 2))
    return "BCST" in text and (
        text.startswith("vpclmul") or (size in (["1"], ["2"]) and not is_half)
    )


class Decoding(unittest.TestCase):
    def test_like_binutils(self) -> None:
        """Each opcode that binutils knows is known, with its length, size and address; none else is asked."""
        reason = can_build(PLAIN)
        if reason:
            self.skipTest(reason)
        path = new_directory() / "code"
        codes = encodings()
        path.write_bytes(b"".join(codes))
        with path.open("rb") as file:
            said = subprocess.run(
                [build(PLAIN, UNIT / "vec_decoded.c")], stdin=file, capture_output=True, check=True
            ).stdout.decode()
        ours = said.splitlines()
        self.assertEqual(len(ours), len(codes))
        wrong: list[tuple[str, str, str | None, str]] = []
        names: Counter[str] = Counter()
        for at, (length, text) in disassembled(path).items():
            code, found, name = codes[at // SLOT], ours[at // SLOT], text.split()[0]
            if is_refused(code, text, found) or (found == "-" and LENIENT.fullmatch(name)):
                continue
            memory = memory_of(text)
            names[name] += 1
            if differ(f"{length} {memory}" if memory else str(length), found):
                wrong.append((code.hex(), text, memory, found))
        self.assertEqual(wrong, [])
        self.assertGreater(sum(names.values()), 8000)
        self.assertGreater(len(names), 600)


if __name__ == "__main__":
    unittest.main()
