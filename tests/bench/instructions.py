"""Instructions of the host for each instruction of the program: a figure that no other work on the machine
changes.

Time varies by a fifth from run to run. Here the tool itself runs in QEMU's user emulation, whose plugin
programs/blockcount.c counts each instruction that the host would execute. The figure of a run that is
repeated is the same to the instruction, so that it tells a change of 0.1 %; it does not tell what waits for
memory.

A tool's instructions are those of

  generated    code that Valgrind made of the program's, and helpers of VEX that such code calls
  cg2          the tool's own code: probes, models, instrumentation, the profile
  translation  VEX
  other        the rest of Valgrind: symbols, scheduling, system calls
"""

from __future__ import annotations

import bisect
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cg2test
from benchmodes import NONE, OPTIONS

# The emulator's processor has caches that hardly any other has, of two ways; these are usual ones.
USUAL_CACHES = ["--I1=32768,8,64", "--D1=32768,8,64", "--LL=33554432,16,64"]

GENERATED, TOOL, TRANSLATION, OTHER = "generated", "cg2", "translation", "other"
# How names of the functions begin that VEX's generated code calls.
HELPERS = ("amd64g_", "x86g_", "h_generic_")


class MissingError(Exception):
    """Something that is needed to count is not installed; the message is for the user."""


def said_by(command: Sequence[str]) -> str:
    """What a command prints."""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def emulator(processor: str) -> str:
    """The path of QEMU's user emulation for a processor, which can load plugins."""
    found = shutil.which(f"qemu-{processor}")
    if not found:
        raise MissingError(
            f"qemu-{processor} is not installed: the Debian package qemu-user has it"
        )
    return found


@dataclass(frozen=True)
class Counts:
    """What one run of a program took of the host."""

    instructions: Counter[str]  # by kind
    guest_bytes: int  # of code that was translated
    host_bytes: int  # what became of it

    @property
    def total(self) -> int:
        """All instructions."""
        return self.instructions.total()

    @property
    def expansion(self) -> float:
        """Bytes of generated code for each byte of the program's."""
        return self.host_bytes / self.guest_bytes


class Symbols:
    """The functions of a tool's executable; Debian's are stripped, and have none."""

    def __init__(self, path: Path) -> None:
        listed = said_by(["nm", "-n", "--defined-only", str(path)])
        found = re.findall(r"^([0-9a-f]+) [tTwW] (\S+)$", listed, re.M)
        self.addresses = [int(address, 16) for address, _ in found]
        self.names = [name for _, name in found]
        vex = [int(address, 16) for address, name in found if name.startswith("LibVEX_")]
        self.vex = min(vex, default=0)  # VEX is what is linked last

    def kind(self, address: int) -> str:
        """The kind of the tool's code at an address."""
        number = bisect.bisect(self.addresses, address) - 1
        if number < 0:
            return OTHER
        name = self.names[number]
        if name.startswith(HELPERS):
            return GENERATED
        if name.startswith("cg2_"):
            return TOOL
        return TRANSLATION if address >= self.vex else OTHER


def text_of(path: Path) -> range:
    """The addresses of an executable's code."""
    headers = said_by(["readelf", "-lW", str(path)])
    for line in headers.splitlines():
        match = re.match(r"\s+LOAD\s+\S+ (0x\w+) \S+ \S+ (0x\w+) R E", line)
        if match:
            start, size = (int(number, 16) for number in match.groups())
            return range(start, start + size)
    raise MissingError(f"{path}: no code in it")


def executable(mode: str) -> Path:
    """The executable of a mode's tool."""
    tool = OPTIONS[mode][0].removeprefix("--tool=")
    return Path(cg2test.env()["VALGRIND_LIB"]) / f"{tool}-amd64-linux"


@dataclass(frozen=True)
class Block:
    """Code without a branch in it, and how often it was run."""

    address: int
    instructions: int
    runs: int


def emulated(
    argv: Sequence[str],
    directory: Path,
    environment: Mapping[str, str],
    processor: str = "x86_64",
) -> tuple[list[Block], str]:
    """Run an executable in the emulator: its blocks, and what it writes to standard error."""
    plugin = cg2test.compile("../bench/programs/blockcount.c", "-O2", "-fPIC", "-shared")
    written = directory / "blocks"
    run = subprocess.run(
        [emulator(processor), "-plugin", f"{plugin},out={written}", *argv],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    blocks = []
    for line in written.read_text().splitlines():
        address, instructions, runs = line.split()
        blocks.append(Block(int(address, 16), int(instructions), int(runs)))
    return blocks, run.stderr.decode(errors="replace")


def count(mode: str, argv: Sequence[str], directory: Path) -> Counts:
    """Run a program under a tool in the emulator, and count."""
    tool = executable(mode)
    launcher = shutil.which(cg2test.VALGRIND) or cg2test.VALGRIND
    caches = USUAL_CACHES if "--cache-sim=yes" in OPTIONS[mode] else []
    blocks, said = emulated(
        [str(tool), *OPTIONS[mode], *caches, "-q", "--stats=yes", *argv],
        directory,
        cg2test.env(VALGRIND_LAUNCHER=launcher),
    )
    sizes = re.search(r"new +[\d,]+ \(([\d,]+) -> ([\d,]+);", said)
    if not sizes:
        raise MissingError(f"{tool}: --stats=yes does not say what was translated")
    guest, host = (int(size.replace(",", "")) for size in sizes.groups())
    return Counts(by_kind(blocks, tool), guest, host)


def by_kind(blocks: Iterable[Block], tool: Path) -> Counter[str]:
    """Instructions of each kind."""
    symbols, code = Symbols(tool), text_of(tool)
    instructions: Counter[str] = Counter()
    for block in blocks:
        kind = symbols.kind(block.address) if block.address in code else GENERATED
        instructions[kind] += block.instructions * block.runs
    return instructions


def program_instructions(directory: Path) -> int:
    """Instructions of the program that cg2 has run last: the first event of its profile."""
    match = re.search(r"^totals: (\d+)", (directory / "profile.cg2").read_text(), re.M)
    assert match
    return int(match[1])


KINDS = [GENERATED, TOOL, TRANSLATION, OTHER]
HEADER = ["program", "Ir", "under", "for each Ir", "/none", *KINDS, "code/byte"]


def lines(name: str, argv: Sequence[str], modes: Sequence[str], directory: Path) -> list[list[str]]:
    """What a table says of a program under each mode; `modes` has NONE, and one of cg2's."""
    counts = {mode: count(mode, argv, directory) for mode in modes}
    executed = program_instructions(directory)
    found = []
    for mode, counted in counts.items():
        kinds = KINDS if counted.instructions[TOOL] else [GENERATED]  # stripped: no names
        each = [f"{counted.instructions[kind] / executed:.2f}" for kind in kinds]
        each += [""] * (len(KINDS) - len(each))
        ratio = f"{counted.total / counts[NONE].total:.3f}"
        total = f"{counted.total / executed:.2f}"
        found.append([name, f"{executed:,}", mode, total, ratio, *each, f"{counted.expansion:.1f}"])
    return found
