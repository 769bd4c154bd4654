"""A program of any size with debug information, for measurements: the same on each machine.

One unit is compiled. All others are copies of it, in which names of functions and of the file are others,
equally long: a compiler would take ten minutes for what this has in seconds.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

FUNCTIONS = 800  # of a unit
FAMILY = 8  # functions, of which the first calls the others
HELPERS = 8  # that are put into others
UNIT = "unit_000.c"
ROUNDS = 8
"""How often main calls each function that no other calls: with each way of the `switch` statements."""


def write_large_program(directory: Path, units: int) -> Path:
    """A program of so many units, half a megabyte of machine code each, 1.4 MB of a profile."""
    source = directory / UNIT
    source.write_text("\n".join(_unit()) + "\n")
    _compile(directory, "-c", source, "-o", directory / "unit.o")
    compiled = (directory / "unit.o").read_bytes()
    objects = [directory / f"{number}.o" for number in range(units)]
    for number, path in enumerate(objects):
        path.write_bytes(
            compiled.replace(b"function_", _name(number).encode()).replace(
                UNIT.encode(), f"unit_{number:03}.c".encode()
            )
        )
    source = directory / "main.c"
    source.write_text(_main(units))
    program = directory / "program"
    _compile(directory, source, *objects, "-o", program)
    return program


def _compile(directory: Path, *words: str | Path) -> None:
    subprocess.run(["gcc", "-O1", "-g", *map(str, words)], check=True, cwd=directory)


def _name(unit: int) -> str:
    """How functions of a unit are called, as many letters as function_ has."""
    return f"func_{unit:03}_"


def _main(units: int) -> str:
    first = [f"{_name(unit)}{n}" for unit in range(units) for n in range(0, FUNCTIONS, FAMILY)]
    declared = "\n".join(f"int {name}(int x);" for name in first)
    return f"""\
int values[512];
{declared}
static int (*const firsts[])(int) = {{ {", ".join(first)} }};
int main(void)
{{
   int sum = 0;
   for (int x = 0; x < {ROUNDS}; x++)
      for (unsigned i = 0; i < sizeof firsts / sizeof *firsts; i++)
         sum += firsts[i](x);
   return sum == 1;
}}
"""


def _unit() -> Iterator[str]:
    chance = random.Random(1)
    yield "extern int values[512];"
    for number in range(HELPERS):
        yield f"static inline int helper_{number}(int x, int y)\n{{"
        yield f"   int z = x * {number + 3};\n   if (z > y)\n      z -= y + {number};"
        yield f"   return z ^ y >> {number};\n}}\n"
    yield from (f"int function_{number}(int x);" for number in range(FUNCTIONS))
    for number in range(FUNCTIONS):
        yield from _function(number, chance)


def _function(number: int, chance: random.Random) -> Iterator[str]:
    yield f"int function_{number}(int x)\n{{"
    yield f"   int s = x + {number};\n   int t = x * {number % 97 + 3};"
    for _ in range(10):
        yield chance.choice(_STATEMENTS)(chance)
    if number % FAMILY == 0:
        for other in range(1, FAMILY):
            yield f"   s += function_{number + other}(x ^ {other});"
    yield "   return s + t;\n}\n"


def _branch(chance: random.Random) -> str:
    bit, helper, factor = (
        1 << chance.randrange(3),
        chance.randrange(HELPERS),
        chance.randrange(1, 999),
    )
    return f"   if (x & {bit})\n      s += helper_{helper}(s, {factor});\n   else\n      t ^= s * {factor};"


def _loop(chance: random.Random) -> str:
    return f"   for (int i = 0; i < (x & 3); i++)\n      s += t * i ^ {chance.randrange(1, 999)};"


def _switch(chance: random.Random) -> str:
    first = chance.randrange(1, 999)
    ways = "\n".join(f"   case {n}: s += t * {first + n} + {n}; break;" for n in range(6))
    return f"   switch (x & 7) {{\n{ways}\n   default: t += {first};\n   }}"


def _helpers(chance: random.Random) -> str:
    first, second = chance.randrange(HELPERS), chance.randrange(HELPERS)
    return f"   t += helper_{first}(t, s) + helper_{second}(s, {chance.randrange(1, 999)});"


def _choice(chance: random.Random) -> str:
    less, more = chance.randrange(1, 999), chance.randrange(1, 999)
    return f"   t = t > s ? t - {less} : s + {more};\n   s ^= t << {less % 5 + 1};"


def _memory(chance: random.Random) -> str:
    here, there, factor = (chance.randrange(512) for _ in range(3))
    return f"   values[{here}] += s;\n   t -= values[{there}] * {factor};\n   s = s * {factor} + t;"


_STATEMENTS = (_branch, _loop, _switch, _helpers, _choice, _memory)
