"""Profiles of any size for measurements: the same text on each machine."""

from __future__ import annotations

import random
from pathlib import Path


def write_large(path: Path, size: int) -> None:
    """A profile with addresses, of functions of some 50 instructions that call each other."""
    chance = random.Random(1)
    with path.open("w") as file:
        file.write(
            "# callgrind format\npositions: instr line\nevents: Ir\n\nob=(1) /bin/app\nfl=(1) app.c\n"
        )
        number = 0
        while file.tell() < size:
            number += 1
            file.write(
                f"\nfn=({number}) function_{number}\n{number * 0x400:#x} {number * 10} "
                f"{chance.randrange(9999)}\n"
            )
            for line in range(chance.randrange(100)):
                file.write(
                    f"+{chance.randint(1, 9)} {chance.choice(['*', '+1', '+2', '-1'])} "
                    f"{chance.randrange(9999)}\n"
                )
            for callee in {chance.randint(1, number) for _ in range(2)}:
                file.write(
                    f"cfi=(1)\ncfn=({callee})\ncalls=3 {callee * 0x400:#x} {callee * 10}\n+4 +1 {number}\n"
                )


def write_large_by_line(path: Path, size: int) -> None:
    """A profile by line, as of optimised C++: small functions with code of headers inlined, a call every ten
    lines."""
    chance = random.Random(1)
    with path.open("w") as file:
        file.write(
            "# callgrind format\npositions: line\nevents: Ir\n\nob=(1) /bin/app\nfl=(1) app.c\nfl=(2) "
            "inlined.h\n"
        )
        number = 0
        while file.tell() < size:
            number += 1
            file.write(
                f"\nfl=(1)\nfn=({number}) space::function_{number}(std::vector<int> const&)\n"
                f"{1000 + number % 999} 7\n"
            )
            for run in range(chance.randrange(3)):
                file.write("fi=(2)\n" if run else "fe=(1)\n")
                for _ in range(chance.randrange(16)):
                    file.write(
                        f"{chance.choice(['+1', '+2', '-1', '417'])} {chance.randrange(9999)}\n"
                    )
            for callee in {chance.randint(1, number) for _ in range(2)}:
                file.write(
                    f"cfi=(1)\ncfn=({callee})\ncalls={chance.randrange(1, 99)} {1000 + callee % 999}\n+1 "
                    f"{number}\n"
                )
