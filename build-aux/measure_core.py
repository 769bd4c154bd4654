#!/usr/bin/env python3
"""Measures instructions on the processor it runs on, for build-aux/cores/NAME.measured.

    build-aux/measure_core.py > build-aux/cores/NAME.measured

For each form of build-aux/cores/x86.forms two loops are timed: a chain, in which each instance waits for the one
before, and instances that do not depend on each other. What counts is the least of many short rounds, in cycles
of a chain of multiplications, which take 3 each: so other work on the machine does no harm. Forms whose result is
of another kind than their sources have no chain of their own; with --pairs it times chains of two or more
instructions that lead there and back, and others of which a table's corrections speak.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from make_core import GENERAL, SOURCE, read_forms, split_form

LENGTH = 96
"""Instructions in a loop; a multiple of the registers that take turns."""
ITERATIONS = 300
TURNS = 8
"""Registers that take turns as results."""
TIMER = SOURCE / "tests" / "bench" / "cycles" / "loops.c"
IMPLIED = {"mul", "imul", "div", "idiv"}
"""With one operand these read and write rax and rdx."""
LEFT_OUT = (
    "call jmp ret leave push pop syscall cpuid rdtsc rdtscp xgetbv pause lfence mfence sfence ud2 hlt int3 "
    "rdrand rdseed cld std clc stc cmc sahf lahf xlatb loop jrcxz jecxz enter wait emms femms vzeroall vzeroupper "
    "fnclex fninit xbegin xend xtest popfq pushfq retfq rdpkru wrpkru xsave xrstor cmpxchg16b rdsspq incsspq in out "
    "cdq cqo cwd cdqe cwde cbw monitorx mwaitx clzero"
).split()
PAIRS = {
    "movd there and back": ["movd xmm1, edx", "movd edx, xmm1"],
    "movq there and back": ["movq xmm1, rdx", "movq rdx, xmm1"],
    "a load of a vector and movq": ["movq xmm1, qword ptr [rsp+rdx+8]", "movq rdx, xmm1"],
    "pmovmskb and movd": ["pmovmskb edx, xmm1", "movd xmm1, edx"],
    "vpmovmskb of 256 bits and movd": ["vpmovmskb edx, ymm1", "vmovd xmm1, edx"],
    "movmskps and movd": ["movmskps edx, xmm1", "movd xmm1, edx"],
    "pextrq and movq": ["pextrq rdx, xmm1, 1", "movq xmm1, rdx"],
    "pextrd and movd": ["pextrd edx, xmm1, 1", "movd xmm1, edx"],
    "pinsrq and movq": ["pinsrq xmm1, rdx, 0", "movq rdx, xmm1"],
    "cvttsd2si and movq": ["cvttsd2si rdx, xmm1", "movq xmm1, rdx"],
    "cvtsi2sd and movq": ["cvtsi2sd xmm1, rdx", "movq rdx, xmm1"],
    "cvtsi2ss and movd": ["cvtsi2ss xmm1, edx", "movd edx, xmm1"],
    "vpbroadcastd and movd": ["vpbroadcastd ymm1, edx", "vmovd edx, xmm1"],
    "ucomisd, setb and movd": ["ucomisd xmm1, xmm2", "setb dl", "movd xmm1, edx"],
    "ptest, setb and movd": ["ptest xmm1, xmm2", "setb dl", "movd xmm1, edx"],
    "kmovd there and back": ["kmovd k1, edx", "kmovd edx, k1"],
    "kmovq there and back": ["kmovq k1, rdx", "kmovq rdx, k1"],
    "kortestd, setb and kmovd": ["kortestd k1, k1", "setb dl", "kmovd k1, edx"],
    "vpcmpeqb of 256 bits and vpmovm2b": ["vpcmpeqb k1, ymm1, ymm2", "vpmovm2b ymm1, k1"],
    "vpcmpeqb of 512 bits and vpmovm2b": ["vpcmpeqb k1, zmm1, zmm2", "vpmovm2b zmm1, k1"],
    "a comparison and cmovg": ["cmp rdx, rsi", "cmovg rdx, rdi"],
    "a comparison and cmovz": ["cmp rdx, rsi", "cmovz rdx, rdi"],
    "lea of three parts": ["lea rdx, [rdx+rcx*2+7]"],
    "addsd and mulsd": ["addsd xmm1, xmm2", "mulsd xmm1, xmm2"],
    "addsd and andpd": ["addsd xmm1, xmm2", "andpd xmm1, xmm2"],
    "mulsd and andpd": ["mulsd xmm1, xmm2", "andpd xmm1, xmm2"],
    "paddd and mulps": ["paddd xmm1, xmm2", "mulps xmm1, xmm2"],
    "paddd and pshufd": ["paddd xmm1, xmm2", "pshufd xmm1, xmm1, 0"],
    "addps and pshufd": ["addps xmm1, xmm2", "pshufd xmm1, xmm1, 0"],
    "a load": ["mov rbx, qword ptr [rbx]"],
    "a load by base and index": ["mov rbx, qword ptr [rbx+rcx]"],
    "a load by a scaled index": ["mov rbx, qword ptr [rbx+rcx*2]"],
    "a load by a scaled index and displacement": ["mov rdx, qword ptr [rsp+rdx*8+8]"],
    "a load by an index and displacement": ["mov rbx, qword ptr [rbx+rcx+16]"],
    "a load of four bytes": ["mov edx, dword ptr [rsp+rdx+8]"],
    "movzx of a byte": ["movzx edx, byte ptr [rsp+rdx+8]"],
    "a load of a vector by an index": ["movq xmm1, qword ptr [rsp+rdx*8+8]", "movq rdx, xmm1"],
    "a load of 256 bits and movq": ["vmovdqu ymm1, [rsp+rdx+24]", "vmovq rdx, xmm1"],
    "a load of 512 bits and movq": ["vmovdqu64 zmm1, [rsp+rdx+24]", "vmovq rdx, xmm1"],
    "a store and a load elsewhere": ["mov qword ptr [rbx+rcx], rdx", "mov rdx, qword ptr [rsp]"],
    "a store and a load by an index": [
        "mov qword ptr [rbx+rcx+8], rdx",
        "mov rdx, qword ptr [rbx+rcx+8]",
    ],
    "a store and a load, an index that waits": [
        "mov qword ptr [rbx+rdx+8], rdx",
        "mov rdx, qword ptr [rbx+rdx+8]",
    ],
    "a store and a load": ["mov qword ptr [rsp], rdx", "mov rdx, qword ptr [rsp]"],
    "a store and a load of a vector": ["movaps [rsp], xmm1", "movaps xmm1, [rsp]"],
    "a store of 8 and a load of 4": ["mov qword ptr [rsp], rdx", "mov edx, dword ptr [rsp]"],
    "two stores and a load": [
        "mov dword ptr [rsp], edx",
        "mov dword ptr [rsp+4], edx",
        "mov rdx, qword ptr [rsp]",
    ],
    "add to memory": ["add dword ptr [rsp], 5"],
    "lock add": ["lock add dword ptr [rsp], 5"],
    "lock xadd": ["lock xadd dword ptr [rsp], edx"],
    "lock cmpxchg": ["lock cmpxchg dword ptr [rsp], edx"],
    "xchg with memory": ["xchg dword ptr [rsp], edx"],
    "fadd": ["fadd st, st(1)"],
    "fmul": ["fmul st, st(1)"],
    "fdiv": ["fdiv st, st(1)"],
    "fsqrt": ["fsqrt"],
    "fchs": ["fchs"],
    "fxch": ["fxch st(1)"],
    "vzeroupper": ["vzeroupper"],
    "div of 64 bits, small": ["mov eax, 100", "xor edx, edx", "div rsi"],
    "div of 64 bits, a chain": ["xor edx, edx", "div rsi", "or rax, rdi"],
    "div of 32 bits, a chain": ["xor edx, edx", "div esi", "or eax, edi"],
    "idiv of 64 bits, a chain": ["cqo", "idiv rsi", "or rax, rdi"],
    "idiv of 32 bits, a chain": ["cdq", "idiv esi", "or eax, edi"],
    "gather of 4": [
        "vpxor xmm3, xmm3, xmm3",
        "vpcmpeqd xmm4, xmm4, xmm4",
        "vpgatherdd xmm5, [rsp+xmm3*4], xmm4",
    ],
    "gather of 8": [
        "vpxor ymm3, ymm3, ymm3",
        "vpcmpeqd ymm4, ymm4, ymm4",
        "vpgatherdd ymm5, [rsp+ymm3*4], ymm4",
    ],
    "a pair of loads": ["mov rax, qword ptr [rsp]", "mov rdx, qword ptr [rsp+8]"],
    "stores": ["mov qword ptr [rsp], rdx", "mov qword ptr [rsp+8], rdx"],
    "loads of vectors": ["movaps xmm1, [rsp]", "movaps xmm2, [rsp+16]"],
    "loads of 512 bits": ["vmovaps zmm1, [rsp+64]", "vmovaps zmm2, [rsp]"],
    "stores of vectors": ["movaps [rsp], xmm1", "movaps [rsp+16], xmm1"],
    "stores of 512 bits": ["vmovaps [rsp], zmm1", "vmovaps [rsp+64], zmm1"],
    "push and pop": ["push rdx", "pop rdx"],
    "pop and push": ["pop rdx", "push rdx"],
    "a call and a return": ["call 9f"],
    "jumps not taken": ["jc 9f"],
    "jumps taken": ["jnc 7f", "7:"],
}
"""Chains, and others of which the corrections of a table speak."""


def register_of(kind: str, number: int) -> str | None:
    """Register `number` of a kind; 0 to 7 take turns as results, 8 and 9 are sources alone."""
    if kind in GENERAL:
        names = "dx r8 r9 r10 r11 r12 r13 r14 si di".split()
        name = names[number]
        if name[1].isdigit():
            return name + {"r8": "b", "r16": "w", "r32": "d", "r64": ""}[kind]
        low = {"dx": "dl", "si": "sil", "di": "dil"}[name]
        return {"r8": low, "r16": name, "r32": f"e{name}", "r64": f"r{name}"}[kind]
    if kind in ("x", "y", "z"):
        return f"{kind}mm{number + 1}"
    if kind == "k":
        return f"k{number % 7 + 1}"
    if kind == "mm":
        return f"mm{number % 8}"
    return {"i": "5", "cl": "cl"}.get(kind)


def instruction(form: str, numbers: list[int]) -> str:
    """An instruction of a form, with a register of each operand's kind by its number."""
    mnemonic, kinds = split_form(form)
    operands = [str(register_of(kind, number)) for kind, number in zip(kinds, numbers)]
    if mnemonic in ("blendvps", "blendvpd", "pblendvb", "sha256rnds2") and len(kinds) == 2:
        operands.append("xmm0")
    return f"{mnemonic} {', '.join(operands)}"


def is_measured(form: str) -> bool:
    mnemonic, kinds = split_form(form)
    one = (
        " " not in mnemonic
        and mnemonic not in LEFT_OUT
        and not re.match(r"[fj]|cmpxchg|xchg|xadd", mnemonic)
    )
    return one and bool(kinds) and all(register_of(kind, 0) for kind in kinds)


def spread(form: str) -> list[str]:
    """Instances that do not depend on each other, but for flags."""
    mnemonic, kinds = split_form(form)
    is_implied = mnemonic in IMPLIED and len(kinds) == 1
    made = []
    for i in range(LENGTH):
        if is_implied:
            made += ["mov eax, esi", "xor edx, edx", instruction(form, [8])]
        else:
            made.append(instruction(form, [i % TURNS] + [8, 9, 9][: len(kinds) - 1]))
    return made


def chains(form: str) -> list[list[str]]:
    """Instances of which each waits for the one before: one chain for each source of the result's kind."""
    mnemonic, kinds = split_form(form)
    rest = [8] * (len(kinds) - 1)
    turns: list[list[list[int]]] = []
    if len(kinds) == 1 and mnemonic not in IMPLIED:
        turns.append([[0]])
    for place in range(1, len(kinds)):
        if kinds[place] == kinds[0]:
            one, other = [0, *rest], [1, *rest]
            one[place], other[place] = 1, 0
            turns.append([one, other])
    if len(kinds) > 1 and not turns and kinds[1] in ("i", "cl"):
        turns.append([[0, *rest]])
    return [[instruction(form, turn[i % len(turn)]) for i in range(LENGTH)] for turn in turns]


def function(number: int, body: list[str]) -> list[str]:
    saved = ("rbx", "rbp", "r12", "r13", "r14", "r15")
    lines = [
        ".p2align 6",
        f".globl loop{number}",
        f"loop{number}:",
        *(f"push {name}" for name in saved),
    ]
    lines += [
        "mov rbp, rsp",
        "sub rsp, 4096",
        "and rsp, -4096",
        f"mov r15d, {ITERATIONS}",
        "mov esi, 7",
        "mov edi, 3",
    ]
    lines += [
        "mov rbx, rsp",
        "mov qword ptr [rsp], rsp",
        "xor ecx, ecx",
        "xor edx, edx",
        "mov eax, 9",
    ]
    lines += [
        "mov qword ptr [rsp+8], 0",
        "mov qword ptr [rsp+16], rsp",
        "fld1",
        "fld1",
        "clc",
        ".p2align 6",
        "1:",
        *body,
    ]
    lines += [
        "dec r15d",
        "jnz 1b",
        "fstp st(0)",
        "fstp st(0)",
        "mov rsp, rbp",
        *(f"pop {n}" for n in reversed(saved)),
    ]
    lines += ["vzeroupper", "emms", "ret", "9: ret"]
    return lines


def assembled(bodies: list[list[str]], folder: Path) -> list[bool]:
    """Writes to loops.s what assembles of the bodies; which ones do."""
    taken = [True] * len(bodies)
    while True:
        lines = [".intel_syntax noprefix", ".text"]
        owner = [-1, -1]
        for number, body in enumerate(bodies):
            text = function(number, body if taken[number] else [])
            owner += [number] * len(text)
            lines += text
        lines.append('.section .note.GNU-stack,"",@progbits')
        (folder / "loops.s").write_text("\n".join(lines) + "\n")
        command = ["as", "-o", str(folder / "loops.o"), str(folder / "loops.s")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        wrong = {owner[int(line) - 1] for line in re.findall(r"loops\.s:(\d+): Error", done.stderr)}
        if not wrong:
            return taken
        for number in wrong:
            taken[number] = False


def timed(bodies: list[list[str]], rounds: int) -> list[float | None]:
    """The cycles of all instructions of each body, None where it does not run here."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        taken = assembled([["imul rdx, rdx"] * LENGTH, *bodies], folder)
        names = [f"loop{number}" for number in range(len(taken))]
        header = [f"void {one}(void);" for one in names]
        header.append(f"enum {{ N_LOOPS = {len(names)}, CHAIN = {3 * LENGTH} }};")
        header.append(f"static void (*const loops[])(void) = {{{', '.join(names)}}};")
        (folder / "loops.h").write_text("\n".join(header) + "\n")
        program = str(folder / "loops")
        sources = [str(TIMER), str(folder / "loops.o")]
        subprocess.run(["gcc", "-O2", f"-I{name}", *sources, "-o", program], check=True)
        command = ["taskset", "-c", "0", program, str(rounds)]
        said = subprocess.run(command, capture_output=True, text=True, check=True)
    cycles = [float(line) for line in said.stdout.split()]
    return [value or None if took else None for value, took in zip(cycles, taken[1:])]


def measure(forms: list[str], rounds: int) -> None:
    bodies: list[list[str]] = []
    places: list[tuple[int, list[int]]] = []
    for form in forms:
        first = len(bodies)
        bodies.append(spread(form))
        more = chains(form)
        bodies += more
        places.append((first, list(range(first + 1, first + 1 + len(more)))))
    cycles = timed(bodies, rounds)
    for form, (first, more) in zip(forms, places):
        chain = max((cycles[place] or 0 for place in more), default=0) / LENGTH
        each = cycles[first]
        if each is None:
            continue
        # Less than a cycle each is no chain: moves are eliminated, comparisons write no source.
        words = [f"latency={chain:.1f}"] if chain > 0.9 else []
        print(form, *words, f"cycles={each / LENGTH:.2f}")


def measure_pairs(rounds: int) -> None:
    turns = [LENGTH // len(texts) for texts in PAIRS.values()]
    bodies = [texts * n for texts, n in zip(PAIRS.values(), turns)]
    for name, n, value in zip(PAIRS, turns, timed(bodies, rounds)):
        print(f"{name:40} {value / n:6.2f}" if value else f"{name:40} -")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--pairs", action="store_true", help="time chains of several instructions instead"
    )
    parser.add_argument("--rounds", type=int, default=200)
    options = parser.parse_args()
    if options.pairs:
        measure_pairs(options.rounds)
    else:
        measure([form for form in read_forms("x86") if is_measured(form)], options.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
