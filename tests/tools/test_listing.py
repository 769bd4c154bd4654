"""Machine code that is listed: what is made of objdump's text, and arrows of jumps."""

from __future__ import annotations

import unittest
from collections.abc import Sequence

from toolsupport import TOOLS  # noqa: F401

from cg2tools.bindings.demangler import symbol_demangler
from cg2tools.program.code import Code

EVERYTHING = [(0, 2**64 - 1)]

# What objdump prints, and what is shown.
TEXTS = (
    ("mov    $0x0,%eax", "mov $0x0,%eax"),
    ("call   401020 <puts@plt>", "call 401020 <puts@plt>"),
    ("jmp    401126 <main+0x10>", "jmp 401126"),
    ("bnd jmp 401126 <main+0x10>", "bnd jmp 401126"),
    ("jne,pn 401126 <f(int)+0xa>", "jne,pn 401126"),
    ("call   401126 <a::operator<(b const&)+0xa>", "call 401126"),
    ("jmp    *0x2fe2(%rip)        # 404018 <x+0x8>", "jmp *0x2fe2(%rip) # 404018 <x+0x8>"),
    ("lea    0x10(%rip),%rax # 4 <x+0x8>", "lea 0x10(%rip),%rax # 4 <x+0x8>"),
    ("jmp    401126 <main+0x10> and more", "jmp 401126 <main+0x10> and more"),
    ("bl\t0x10 <f>", "bl 10 <f>"),
    ("tbnz\tw1, #31, 0x8 <f+0x8>", "tbnz w1, #31, 8"),
    ("b.hs\t0x28 <f+0x28> // b.cs, b.nlast", "b.hs 28"),
    ("adrp\tx0, 0x0 <f+0x20>", "adrp x0, 0 <f+0x20>"),
    ("foo_0x10 <f>", "foo_0x10 <f>"),
    ("\u00e9\udcff  x", "\u00e9\udcff x"),
)

SYMBOLS = (
    ("call 8 <_Z1fi@plt>", "call 8 <f(int)@plt>"),
    ("lea 0x10(%rip),%rax # 4 <_ZN1aIiE1xE+0x8>", "lea 0x10(%rip),%rax # 4 <a<int>::x+0x8>"),
    ("lea (%rip),%rax # 4 <_Z1fi-0x4>", "lea (%rip),%rax # 4 <f(int)-0x4>"),
    ("adrp x0, 0 <_Z1fi> // <_Z1gv>", "adrp x0, 0 <f(int)> // <g()>"),
    ("jmp 8 <_Z1fi+0x1>", "jmp 8"),
    ("jmp 8 <._Z1fi@@V_1>", "jmp 8 <.f(int)@@V_1>"),
    ("jmp 8 <_RNvC5crate4name>", "jmp 8 <crate::name>"),
    ("jmp 8 <_ZN5crate4name17h0123456789abcdefE>", "jmp 8 <crate::name>"),
    ("jmp 8 <main>", "jmp 8 <main>"),
    ("jmp 8 <>", "jmp 8 <>"),
    ("jmp 8 <_Z1fi", "jmp 8 <f(int)"),
)
"""What objdump prints that demangles nothing, and what is shown."""

JUMPS = (
    "jmp 2", "je 2 <f>", "bnd jmp 2 <g>", "loopne 2", "jecxz 2", "b 2", "b.ne 2", "cbz x0, 2",
    "tbz x3, #40, 2", "jne,pn 2", "call 2", "bl 2 <f>", "jmp *%rax", "bt $0x2,%eax", "mov 2",
    "jmp 2 more", "bswap %eax",
)  # fmt: skip
JUMP_TO_ADDRESS = JUMPS[:9]


def code_of(lines: Sequence[tuple[int, str]], pieces: Sequence[tuple[int, int]] = ()) -> Code:
    """The code of some instructions as objdump prints them, which is read in two goes."""
    code = Code(pieces or EVERYTHING, symbol_demangler())
    printed = [f"{address:8x}:\t{text}\n" for address, text in lines]
    for some in printed[::2], printed[1::2]:
        code.read("".join(some).encode("utf-8", "surrogateescape"))
    code.end()
    return code


def drawn(jumps: Sequence[tuple[int, int]], count: int) -> list[str]:
    """What stands in front of instructions 0 to `count` - 1, of which some jump to others."""
    target = dict(jumps)
    texts = [f"jmp {target[at]:x}" if at in target else "nop" for at in range(count)]
    lines, _ = code_of(list(enumerate(texts))).listed(range(count), 0)
    return [line[: line.index(f" {at:x}: ")] for at, line in enumerate(lines)]


class Texts(unittest.TestCase):
    def test_shown(self) -> None:
        code = code_of([(at, text) for at, (text, _) in enumerate(TEXTS)])
        self.assertEqual(list(code.texts()), [shown for _, shown in TEXTS])
        self.assertEqual(list(code.addresses()), list(range(len(TEXTS))))

    @unittest.skipUnless(symbol_demangler(), "libcg2debug was built without GCC's libiberty")
    def test_symbols(self) -> None:
        """Symbols have the names of the source, also a second time, whatever stands around them; jumps lead
        where they did."""
        code = code_of([(at, text) for at, (text, _) in enumerate(SYMBOLS * 2)])
        self.assertEqual(list(code.texts()), [shown for _, shown in SYMBOLS * 2])
        lines, _ = code.listed([5, 8], 0)
        self.assertEqual(lines, [",---- 5: jmp 8 <.f(int)@@V_1>", "", "'---> 8: jmp 8 <main>"])

    def test_no_instructions(self) -> None:
        """Lines that say something else; and no line at all."""
        code = Code(EVERYTHING)
        code.read(
            b"\n40:\tfile format elf64\n0000 <f>:\n\t...\n  12:\nxyz:\tnop\n 12: nop\n 1g:\tnop\n:\tnop\n"
        )
        code.read(b"")
        code.end()
        self.assertEqual(
            (list(code.addresses()), list(code.texts())), ([64], ["file format elf64"])
        )

    def test_order(self) -> None:
        """Sections in another order than addresses; two instructions at one place stay as they are."""
        code = code_of(
            [(8, "c"), (2**63, "e"), (8, "d"), (0, "a"), (3, "b"), (9, "-")],
            [(0, 3), (8, 8), (10, 2**64 - 1)],
        )
        self.assertEqual(list(code.addresses()), [0, 3, 8, 8, 2**63])
        self.assertEqual(list(code.texts()), ["a", "b", "c", "d", "e"])


class Lists(unittest.TestCase):
    def listed(self, addresses: Sequence[int], around: int) -> tuple[list[str], list[int | None]]:
        """Some of ten instructions of two bytes each are listed."""
        return code_of([(2 * at, f"i{at}") for at in range(10)]).listed(addresses, around)

    def test_around(self) -> None:
        """Each has so many around it as were asked for; none is in front of the first or behind the last."""
        self.assertEqual(
            self.listed([2, 12, 18], 1),
            (
                [" 2: i1", " 4: i2", "", " a: i5", " c: i6", " e: i7", " 10: i8", " 12: i9"],
                [0, 4, 7],
            ),
        )
        self.assertEqual(self.listed([4, 6], 8), ([" 4: i2", " 6: i3"], [0, 1]))
        self.assertEqual(self.listed([0, 16], 0), ([" 0: i0", "", " 10: i8"], [0, 2]))

    def test_missing(self) -> None:
        """Addresses inside instructions have no line."""
        self.assertEqual(self.listed([1], 8), ([], [None]))
        self.assertEqual(
            self.listed([2, 5, 8, 9], 0), ([" 2: i1", "", " 8: i4"], [0, None, 2, None])
        )

    def test_jumps(self) -> None:
        """Which instructions have arrows."""
        for text in JUMPS:
            lines, _ = code_of([(1, text), (2, "nop")]).listed([1, 2], 0)
            self.assertEqual(lines[1].startswith("'-> 2:"), text in JUMP_TO_ADDRESS, text)


class Arrows(unittest.TestCase):
    def lines(self, *jumps: tuple[int, int]) -> list[str]:
        return drawn(jumps, max(max(jump) for jump in jumps) + 1)

    def test_one(self) -> None:
        self.assertEqual(self.lines((0, 2)), [",--", "|  ", "'->"])
        self.assertEqual(self.lines((1, 0)), [",->", "'--"])
        self.assertEqual(self.lines((0, 0)), ["*->"])
        self.assertEqual(drawn([], 2), ["", ""])

    def test_nested_and_crossing(self) -> None:
        self.assertEqual(self.lines((0, 3), (2, 1)), [",----", "| ,->", "| '--", "'--->"])
        self.assertEqual(self.lines((0, 2), (1, 3)), ["  ,--", ",-+--", "| '->", "'--->"])

    def test_apart(self) -> None:
        """Arrows that do not meet share a lane."""
        self.assertEqual(self.lines((0, 1), (2, 3)), [",--", "'->", ",--", "'->"])

    def test_too_many(self) -> None:
        """Eight are side by side, others are not drawn."""
        lines = self.lines(*((i, 40 - i) for i in range(20)))
        self.assertEqual({len(line) for line in lines}, {17})
        self.assertEqual(sum(line.endswith(">") for line in lines), 8)

    def test_left_out(self) -> None:
        """A jump to what is not listed has no arrow; one across what is left out has."""
        code = code_of([(0, "jmp 5"), *((at, "nop") for at in range(1, 9)), (9, "jmp 0")])
        self.assertEqual(code.listed([0, 9], 0), ([",-> 0: jmp 5", "", "'-- 9: jmp 0"], [0, 2]))


if __name__ == "__main__":
    unittest.main()
