"""Texts of profiles for tests: a sample, mutants, and as many generated ones as are wanted.

    generated(7)                  bytes, the same on each machine and in each version of Python
    mutant(Chance(1), SAMPLE)     the sample after a few changes
    folded(7)                     folded stacks

Generated profiles use all that the format has: ids and names in full, relative positions and absolute ones,
all columns of positions, calls, jumps, inlined code, parts, threads, definitions of events, blank lines,
comments and ends of lines of either kind. Ten that follow each other, from a number that ends in 0, can be
added up: they have the same version, positions and events; but for each fifth of these tens, whose profiles
differ even between their parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

SAMPLE = b"""\
# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 4711
cmd:  ./prog arg
part: 1

desc: I1 cache:
desc: Timerange: Basic block 0 - 29968
desc: Trigger: Program termination

positions: instr line
event: Sum = Ir + 2 Dr : Both
events: Ir Dr
summary: 138 13

ob=(1) /bin/prog
fl=(1) main.c
fn=(1) main
0x1000 3 10 1
+4 +1 20
cob=(2) /lib/libc.so.6
cfi=(2) ???
cfn=(2) puts
calls=2 0x40 0
* * 77 7
jfi=(3) inl.h
jcnd=3/17 +8 +2
* *
fi=(3)
+2 90 5 2
fe=(1)
jump=4 -4 *
+4 4
cfn=(3) fib
calls=1 0x1100 20
* * 26 3

fn=(3)
0x1100 20 6 1
cfn=(4) fib'2
calls=1 -4 *
+4 +1 20 2

fn=(4)
-4 -1 20 2

ob=(2)
fl=(2)
fn=(2)
0x40 0 77 7

totals: 138 13

part: 2
desc: Trigger: Client Request
positions: line
events: Ir Dr
summary: 7
fl=(1) main.c
fn=(1) main
3 7
totals: 7
"""

Item = TypeVar("Item")


class Chance:
    """Numbers that look random, the same for a seed in each version of Python."""

    def __init__(self, seed: int) -> None:
        self.state = seed
        for _ in range(4):  # so that seeds that are near each other have nothing in common
            self.randrange(1)

    def randrange(self, count: int) -> int:
        """A number from 0, less than `count`."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 32) * count >> 32

    def randint(self, first: int, last: int) -> int:
        return first + self.randrange(last - first + 1)

    def choice(self, items: Sequence[Item]) -> Item:
        return items[self.randrange(len(items))]

    def one_in(self, count: int) -> bool:
        return self.randrange(count) == 0


# ------------------------------------------------------------ mutants

TOKENS = [
    b"0",
    b"1",
    b"-1",
    b"+1",
    b"*",
    b"0x10",
    b"18446744073709551616",
    b"9" * 30,
    b"(1)",
    b"(9)",
    b"(1) x",
    b"(",
    b")",
    b"'2",
    b"=",
    b":",
    b"/",
    b"\xff",
    b"\0",
    b"\r",
    b"#",
    b" ",
    b"calls=1 1\n",
    b"cfn=(1)\n",
    b"fn=(3)\n",
    b"jump=1 1\n",
    b"events: Ir\n",
    b"events: Ir Dr\n",
    b"positions: instr line\n",
    b"totals: 5\n",
    b"summary: 1\n",
    b"part: 3\n",
    b"event: A = 2 B\n",
]


def mutant(chance: Chance, data: bytes = SAMPLE, tokens: Sequence[bytes] = TOKENS) -> bytes:
    """The sample after one to four changes: bytes, tokens, lines, or its end."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(7)
        lines = data.splitlines(keepends=True)
        if kind == 0:
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + chance.choice(tokens) + data[at:]
        elif kind == 2:
            data = data[:at] + data[at + chance.randint(1, 12) :]
        elif kind == 3:
            data = data[:at]
        elif kind == 4 and lines:
            lines.pop(chance.randrange(len(lines)))
            data = b"".join(lines)
        elif kind == 5 and lines:
            line = chance.choice(lines)
            lines.insert(chance.randrange(len(lines) + 1), line)
            data = b"".join(lines)
        elif lines:
            words = chance.choice(lines).split()
            if words:
                data = data.replace(chance.choice(words), chance.choice(tokens), 1)
    return data


# ------------------------------------------------------------ generated profiles

_COLUMNS = [b"line", b"instr", b"instr line", b"addr line", b"bb line", b"instr bb line"]
_EVENTS = [b"Ir", b"Dr", b"Dw", b"I1mr", b"D1mr", b"D1mw", b"ILmr", b"Bc", b"Bcm", b"sysTime"]
_OBJECTS = [b"/bin/app", b"/lib/libc.so.6", b"???", b"/opt/a b/libx=1.so", b"/lib/na\xc3\xafve.so"]
_FILES = [b"main.c", b"inl.h", b"???", b"/src/dir with blank/util.cc", b"a:b.c", b"caf\xe9.c", b""]
_FUNCTIONS = [
    b"main",
    b"fib",
    b"fib'2",
    b"(below main)",
    b"operator new(unsigned long)",
    b"std::map<int, a::b>::operator[](int const&)",
    b"a=b: c",
    b"na\xc3\xafve",
    b"caf\xe9",
    b"#",
    b"*",
    b"0x0000000000012730",
    b"f",
    b"g",
    b"h",
]
_DESCRIPTIONS = [
    b"I1 cache:",
    b"Timerange: Basic block 0 - 29968",
    b"Trigger: Program termination",
    b"Skipped: 3 malloc(int)",
    b"Skipped: 20 free",
    b"Rank: 17",
]
_DEFINITIONS = [
    b"Sum = Ir + 2 Dr : Both",
    b"Ir : Instructions",
    b"Odd = -3 Ir - Dw",
    b"Cycles = Ir + 10 Bm + 100 ILm : Cycle: estimate",
]


class _Form:
    """How a file is written: what its lines look like, and what its parts have in common."""

    def __init__(self, number: int) -> None:
        group = Chance(number // 10)
        self.is_one = number // 10 % 5 != 4  # else its parts differ
        self.version = group.choice([b"1", b"1", b"1", b"0", None])
        self.columns = group.choice(_COLUMNS)
        self.events = _some_events(group)
        chance = self.chance = Chance(1_000_000 + number)
        self.end = chance.choice([b"\n", b"\n", b"\n", b"\r\n"])
        self.has_ids = not chance.one_in(4)
        self.has_relative = not chance.one_in(4)
        self.has_oddities = chance.one_in(2)


def _some_events(chance: Chance) -> list[bytes]:
    return [event for event in _EVENTS if chance.one_in(3)] or [b"Ir"]


def generated(number: int) -> bytes:
    """A profile without a mistake; two numbers give two profiles."""
    form = _Form(number)
    chance = form.chance
    lines: list[bytes] = []
    if not chance.one_in(4):
        lines.append(b"# callgrind format")
    if form.version is not None:
        lines.append(b"version: " + form.version)
    if not chance.one_in(4):
        lines.append(b"creator: callgrind-" + str(number).encode())
    known = _Known()
    for part in range(chance.choice([1, 1, 1, 2, 3])):
        if not form.is_one:
            form.columns = chance.choice(_COLUMNS)
            form.events = _some_events(chance)
        lines += _Part(form, part, known).lines()
    return form.end.join([*lines, b""])


class _Known:
    """The ids of each kind of name that earlier parts have defined."""

    def __init__(self) -> None:
        self.ids: dict[tuple[str, bytes], bytes] = {}


class _Part:
    """A part while it is made."""

    def __init__(self, form: _Form, number: int, known: _Known) -> None:
        self.form = form
        self.chance = form.chance
        self.is_first = number == 0
        self.number = number + 1
        self.known = known
        self.names: dict[tuple[str, bytes], bytes] = {}
        self.ids = {"object": 0, "file": 0, "function": 0}
        self.columns = form.columns.split()
        self.last = [0] * len(self.columns)
        self.totals = [0] * len(form.events)
        self.body: list[bytes] = []

    def lines(self) -> list[bytes]:
        for _ in range(self.chance.randint(0, 9)):
            self.add_function()
        lines = self.header()
        if self.chance.one_in(3):
            lines.append(b"summary: " + self.costs(self.totals))
        lines += [b"", *self.body]
        # The next part can begin after totals: or with a key of the header.
        if self.is_first or not self.body or not self.chance.one_in(3):
            lines += [b"totals: " + self.costs(self.totals)]
        self.known.ids |= self.names
        return lines

    # ---- Header

    def header(self) -> list[bytes]:
        chance = self.chance
        lines: list[bytes] = []
        if not self.is_first or not chance.one_in(3):
            lines.append(b"part: %d" % self.number)
        if chance.one_in(3):
            lines.append(b"thread: %d" % chance.randint(1, 4))
        if chance.one_in(2):
            lines.append(b"pid: %d" % chance.randint(1, 99_999))
        if chance.one_in(2):
            lines.append(b"cmd:  ./app --size=%d" % chance.randint(1, 3))
        if chance.one_in(8):
            lines += [b"arch: x86", b"timeframe (BB): 17"]
        lines += [b"desc: " + text for text in _DESCRIPTIONS if chance.one_in(3)]
        if self.form.columns != b"line" or chance.one_in(2):
            lines.append(chance.choice([b"positions: ", b"positions:"]) + self.form.columns)
        lines += [b"event: " + text for text in _DEFINITIONS if chance.one_in(5)]
        lines.append(b"events: " + b" ".join(self.form.events))
        return lines

    # ---- Names

    def name(self, kind: str, names: Sequence[bytes]) -> bytes:
        """Any of the names, as it can stand here."""
        name = self.chance.choice(names)
        known = self.names.get((kind, name))
        if known is not None and not self.chance.one_in(9):
            return known
        if not self.form.has_ids or self.chance.one_in(9):
            return name
        if known is not None:
            return known + b" " + name
        if not self.chance.one_in(3) and (earlier := self.known.ids.get((kind, name))):
            return self.borrowed(kind, earlier)
        return self.defined(kind, name)

    def borrowed(self, kind: str, earlier: bytes) -> bytes:
        """The id of an earlier part, which this part may not use for another name after that."""
        self.ids[kind] = max(self.ids[kind], 1000)
        return earlier

    def defined(self, kind: str, name: bytes) -> bytes:
        self.ids[kind] += self.chance.choice([1, 1, 1, 7])
        number = self.ids[kind]
        spelling = b"(0x%x)" if self.form.has_oddities and self.chance.one_in(5) else b"(%d)"
        known = self.names[kind, name] = spelling % number
        base = self.names.get((kind, name[:-2]))
        if base is not None and name.endswith(b"'2"):
            return known + b" " + base + b"'2"
        return known + self.chance.choice([b" ", b" ", b"  "]) + name

    def object(self) -> bytes:
        return self.name("object", _OBJECTS)

    def file(self) -> bytes:
        # A name of no letters has no id: "(3) " uses one.
        return self.name("file", _FILES[:-1])

    def function(self) -> bytes:
        return self.name("function", _FUNCTIONS)

    # ---- Body

    def add(self, line: bytes) -> None:
        self.body.append(line)
        if self.form.has_oddities and self.chance.one_in(30):
            self.body.append(self.chance.choice([b"", b"# a comment", b"cfni=(7)"]))

    def add_function(self) -> None:
        chance = self.chance
        if not chance.one_in(3):
            self.add(b"ob=" + self.object())
        if not chance.one_in(5):
            self.add(b"fl=" + self.file())
        self.add(b"fn=" + self.function())
        for _ in range(chance.choice([0, 1, 3, 10, 10, 20])):
            chance.choice(self.VERBS)(self)
        if not chance.one_in(3):
            self.add(b"")

    def add_cost(self) -> None:
        cost = self.some_cost()
        for i, number in enumerate(cost):
            self.totals[i] += number
        self.add(self.line(cost))

    def add_file(self) -> None:
        self.add(self.chance.choice([b"fi=", b"fe="]) + self.file())

    def add_call(self) -> None:
        chance = self.chance
        if chance.one_in(3):
            self.add(b"cob=" + self.object())
        if chance.one_in(2):
            self.add(chance.choice([b"cfi=", b"cfl="]) + self.file())
        self.add(b"cfn=" + self.function())
        count = chance.choice([0, 1, 2, 77, 1 << 20])
        self.association(b"calls=%d" % count, self.some_cost())

    def add_jump(self) -> None:
        chance = self.chance
        if chance.one_in(4):
            self.add(chance.choice([b"jfi=", b"jfi=", b"cfi="]) + self.file())
        if chance.one_in(8):
            self.add(b"jfn=" + self.function())
        taken = chance.randint(0, 40)
        executed = taken + chance.randint(0, 40)
        spec = chance.choice(
            [
                b"jump=%d" % taken,
                b"jcnd=%d/%d" % (taken, executed),
                b"jcnd=%d %d" % (executed, taken),
            ]
        )
        self.association(spec, [])

    VERBS: Sequence[Callable[[_Part], None]] = (
        *[add_cost] * 8,
        *[add_file] * 2,
        *[add_call] * 2,
        add_jump,
    )

    def association(self, spec: bytes, cost: list[int]) -> None:
        """The two lines of a call or jump, which no other line may part but a comment."""
        target, _ = self.positions()
        self.body.append(spec + b" " + target + self.blank())
        if self.form.has_oddities and self.chance.one_in(9):
            self.body.append(b"# here")
        self.body.append(self.line(cost))

    def line(self, cost: list[int]) -> bytes:
        text, self.last = self.positions()
        return text + (b" " + self.costs(cost) if cost else b"") + self.blank()

    def blank(self) -> bytes:
        return b" " if self.form.has_oddities and self.chance.one_in(5) else b""

    def some_cost(self) -> list[int]:
        chance = self.chance
        largest = chance.choice([1, 9, 99, 99, 9999, 1 << 33, 1 << 48])
        return [chance.choice([0, 1, chance.randint(0, largest)]) for _ in self.totals]

    def costs(self, cost: list[int]) -> bytes:
        count = len(cost)
        while count > 1 and not cost[count - 1] and not self.chance.one_in(9):
            count -= 1
        return b" ".join(map(self.spelled, cost[:count]))

    def spelled(self, number: int) -> bytes:
        return (b"0x%x" if self.form.has_oddities and self.chance.one_in(9) else b"%d") % number

    def positions(self) -> tuple[bytes, list[int]]:
        """The position that comes next, as text and as numbers."""
        found = [self.subposition(column, last) for column, last in zip(self.columns, self.last)]
        return b" ".join(text for text, _ in found), [number for _, number in found]

    def subposition(self, column: bytes, last: int) -> tuple[bytes, int]:
        chance = self.chance
        if self.form.has_relative and last and not chance.one_in(5):
            step = max(-last, chance.choice([0, 0, 1, 1, 2, 4, -1, -3, 90, -90]))
            if step:
                return b"%+d" % step, last + step
            return chance.choice([b"*", b"*", b"+0"]), last
        if column == b"line":
            number = chance.choice([0, chance.randint(1, 60), chance.randint(1, 60), 100_000])
            return b"%d" % number, number
        number = chance.choice([0x1000, 0x401000, 0x7FFF_F000_0000]) + chance.randint(0, 80)
        if self.form.has_oddities and chance.one_in(20):
            return b"0x%x-0x%x" % (number, number + 3), number
        return b"0x%x" % number, number


# ------------------------------------------------------------ folded stacks

_FRAMES = [
    b"app",
    b"main",
    b"f",
    b"g",
    b"f'2",
    b"operator new(unsigned long)",
    b"(1) f",
    b"(0xC0) g",
    b"(below main)",
    b"[unknown]",
    b"h\ti",
    b"na\xc3\xafve",
    b"caf\xe9\x7f",
    b"12",
]


def folded(number: int) -> bytes:
    """Folded stacks without a mistake, some of them recursive."""
    chance = Chance(3_000_000 + number)
    end = chance.choice([b"\n", b"\n", b"\r\n"])
    lines = []
    for _ in range(chance.randint(1, 30)):
        names = [chance.choice(_FRAMES) for _ in range(chance.choice([1, 2, 4, 4, 9, 30]))]
        cost = chance.randint(0, chance.choice([1, 99, 99, 10**9]))
        between = chance.choice([b";", b";", b" ; "])
        lines.append(between.join(names) + chance.choice([b" ", b" ", b"\t  "]) + b"%d" % cost)
        if chance.one_in(9):
            lines.append(chance.choice([b"", b"  "]))
    return end.join([*lines, b""])


def paths(number: int) -> bytes:
    """A file of paths without a mistake."""
    chance = Chance(4_000_000 + number)
    columns = chance.choice([b"line", b"line", b"instr line"])
    head = b"# cg2 paths\nversion: 1\ncreator: callgrind-cg2-0.1\npositions: %b\nevents: Ir Dr\n"
    known = [0]
    body = [b"ob=(1) app"]
    sums, depth, count = [0, 0], -1, chance.randint(1, 30)
    for _ in range(count):
        if len(known) == 1 or chance.one_in(3):
            if chance.one_in(2):
                body.append(b"fl=(%d) %d.c" % (len(known), len(known)))
            body.append(b"fn=(%d) f%d" % (len(known), len(known) // 2))
            known.append(len(known))
        if chance.one_in(5):
            body.append(b"fi=(%d) %d.h" % (100 + len(body), len(body)))
        depth = chance.randint(0, depth + 1)
        place = b"0x%x " % chance.randint(0, 3) if columns != b"line" else b""
        calls = b"%d" % chance.randint(0, 9) + chance.choice([b"", b"", b"+2"])
        cost = [chance.randint(0, chance.choice([1, 99, 10**9])) for _ in sums]
        sums = [a + b for a, b in zip(sums, cost)]
        words = b"%d %d %b%d" % (depth, chance.choice(known), place, chance.randint(0, 3))
        body.append(b"%b %b %d %d" % (words, calls, cost[0], cost[1]))
    totals = b"%d %d" % (sums[0], sums[1])
    size = [b"summary: " + totals, b"paths: %d" % count, b""]
    return head % columns + b"\n".join([*size, *body, b"totals: " + totals, b""])
