"""What instructions need and give: instructions that are known by hand, and objdump's view of libraries."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

import cg2test
from cg2tools.bindings.interface import DEBUG_LIBRARY
from cg2tools.bindings.libpath import library_path

PROGRAMS = Path(__file__).parent / "programs"
INCLUDED = [
    f"-I{cg2test.SOURCE / 'tools' / folder / 'include'}"
    for folder in ("libcg2debug", "libcg2profile")
]
LIBRARIES = ["libc.so.6", "libm.so.6", "libcrypto.so.3"]
SHOWN = 30000  # instructions of a library that are compared

CALLS, BRANCHES, JUMPS, GOES_ON = 5, 2, 3, 0


@dataclass
class Line:
    """An instruction as objdump has it."""

    address: int
    length: int
    text: str
    relative: int  # the address that is relative to the program counter; 0: none


ROW = re.compile(r"^ *([0-9a-f]+):\t([^\t\n]+)\t([^\t\n]*)$", re.MULTILINE)


def rows_of(path: Path) -> list[tuple[str, str, str]]:
    """Address, bytes and text of each instruction."""
    command = ["objdump", "-d", "-w", "-M", "intel", str(path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return ROW.findall(said)


def disassembled(path: Path) -> list[Line]:
    return [line_of(*row) for row in rows_of(path)]


def line_of(address: str, code: str, said: str) -> Line:
    text, _, comment = said.partition("#")
    relative = re.match(r" *([0-9a-f]+)", comment)
    return Line(
        int(address, 16),
        len(code.split()),
        re.sub(r"\s*<.*", "", text).strip(),
        int(relative.group(1), 16) if relative else 0,
    )


class Listing:
    """The program that says what libcg2debug knows of an object's instructions."""

    def __init__(self, directory: Path):
        self.program = directory / "operations"
        library = library_path(DEBUG_LIBRARY)
        subprocess.run(
            ["gcc", "-O1", "-o", str(self.program), str(PROGRAMS / "operations.c"), *INCLUDED]
            + [str(library), f"-Wl,-rpath,{library.parent}"],
            check=True,
        )

    def of(self, path: Path, addresses: list[int]) -> list[str]:
        said = subprocess.run(
            [self.program, path],
            input="".join(f"{address:x}\n" for address in addresses),
            capture_output=True,
            text=True,
            check=True,
        )
        return said.stdout.splitlines()


@unittest.skipUnless(
    library_path(DEBUG_LIBRARY).exists(),
    "libcg2debug was not built: apt-get install libcapstone-dev libdw-dev",
)
class OperationsCase(unittest.TestCase):
    def setUp(self) -> None:
        for program in "gcc", "objdump":
            if not shutil.which(program):
                self.skipTest(f"{program} is not installed (Debian: apt-get install gcc)")
        scratch = tempfile.TemporaryDirectory(prefix="cg2debug-")
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)
        self.listing = Listing(self.directory)


@unittest.skipUnless(cg2test.MACHINE == "x86_64", "the instructions are amd64's")
class Known(OperationsCase):
    """Instructions of which a person wrote down what they do."""

    def rows(self) -> list[list[str]]:
        text = (PROGRAMS / "operations.x86").read_text()
        return [row.split(" | ") for row in text.splitlines() if row[:1] != "#"]

    def test_known(self) -> None:
        rows = self.rows()
        source = self.directory / "known.s"
        source.write_text(".intel_syntax noprefix\n" + "".join(f"{row[0]}\n" for row in rows))
        made = self.directory / "known.so"
        subprocess.run(["gcc", "-shared", "-nostdlib", "-o", made, source], check=True)
        lines = self.listing.of(made, [line.address for line in disassembled(made)])
        self.assertEqual(len(lines), len(rows))
        self.assertGreater(len(rows), 200)
        for row, line in zip(rows, lines):
            step, form, rest = line.split("|")
            self.assertEqual([" ".join(step.split()[:2]), form, rest.strip()], row[1:], row[0])

    def test_unknown(self) -> None:
        """An instruction that nobody knows goes on to the next address that is asked for."""
        source = self.directory / "unknown.s"
        source.write_text(".byte 0x06, 0x06, 0x06\nret\n")
        made = self.directory / "unknown.so"
        subprocess.run(["gcc", "-shared", "-nostdlib", "-o", made, source], check=True)
        start = min(line.address for line in disassembled(made))
        unknown, known = self.listing.of(made, [start, start + 3])
        self.assertEqual(unknown.split("|")[:2], ["3 0 0", ""])
        self.assertEqual(known.split("|")[:2], ["1 7 0", "ret"])


class KnownArm(OperationsCase):
    """The same of aarch64: an assembler for it is enough."""

    def assemble(self, lines: list[str]) -> Path:
        if not shutil.which("clang") or not shutil.which("ld.lld"):
            self.skipTest("clang and lld are not installed (Debian: apt-get install clang lld)")
        source = self.directory / "known.s"
        source.write_text("".join(f"{line}\n" for line in lines))
        made = self.directory / "known.so"
        command = [
            "clang",
            "--target=aarch64-linux-gnu",
            "-march=armv8.2-a",
            "-nostdlib",
            "-shared",
        ]
        subprocess.run([*command, "-fuse-ld=lld", "-o", made, source], check=True)
        return made

    def test_known(self) -> None:
        text = (PROGRAMS / "operations.arm64").read_text()
        rows = [row.split(" | ") for row in text.splitlines() if row[:1] != "#"]
        made = self.assemble([row[0] for row in rows])
        said = subprocess.run(["readelf", "-SW", made], capture_output=True, text=True, check=True)
        start = re.search(r"\.text +PROGBITS +([0-9a-f]+)", said.stdout)
        assert start
        first = int(start.group(1), 16)
        lines = self.listing.of(made, [first + 4 * i for i in range(len(rows))])
        self.assertGreater(len(rows), 100)
        self.assertEqual(len(lines), len(rows))
        for row, line in zip(rows, lines):
            step, form, rest = line.split("|")
            self.assertEqual([" ".join(step.split()[:2]), form, rest.strip()], row[1:], row[0])

    def test_targets(self) -> None:
        made = self.assemble(
            ["nop", "b .+8", "cbz x0, .-4", "adr x1, .+16", "ldr x2, .+8", "nop", ".quad 0"]
        )
        said = subprocess.run(["readelf", "-SW", made], capture_output=True, text=True, check=True)
        start = re.search(r"\.text +PROGBITS +([0-9a-f]+)", said.stdout)
        assert start
        at = int(start.group(1), 16)
        said_lines = self.listing.of(made, [at + 4 * i for i in range(5)])
        steps = [line.split("|")[0] for line in said_lines]
        self.assertEqual(steps[1:3], [f"4 3 {at + 12:x}", f"4 2 {at + 4:x}"])
        self.assertIn(f"constant>1+{at + 28}", said_lines[3])
        self.assertIn(f"L8:-+-*1+{at + 24} load>2", said_lines[4])


SIZES = {"BYTE": 1, "WORD": 2, "DWORD": 4, "QWORD": 8, "FWORD": 6, "TBYTE": 10}
SIZES |= {"XMMWORD": 16, "OWORD": 16, "YMMWORD": 32, "ZMMWORD": 64}
GENERAL = {
    letter + name: number
    for number, name in enumerate("ax cx dx bx sp bp si di".split())
    for letter in "re"
}
GENERAL |= {f"r{number}{width}": number for number in range(8, 16) for width in ("", "d")}
VECTORS = {f"{letter}mm{number}": 16 + number for number in range(32) for letter in "xyz"}
REGISTERS = GENERAL | VECTORS
MEMORY = re.compile(r"(?:(\w+) (?:PTR|BCST) )(?:(\w\w):)?(?:\[([^\]]*)\]|(0x[0-9a-f]+))")
# Instructions whose operand in memory is no access, is implied, or stands for more than one.
SPECIAL = re.compile(
    r"(lea|nop|data16|cs nop|cl|rep|movs |stos|lods|cmps|scas|ins |outs|xlat|notrack|fx?rstor|fnsave)"
)


def operand(line: Line) -> str | None:
    """What the access of an instruction has to be, without its direction; None: it has none."""
    found = MEMORY.search(line.text)
    if not found or SPECIAL.match(line.text):
        return None
    base, index, scale, displacement = "-", "-", 1, int(found.group(4) or "0", 16)
    for part in re.findall(r"[+-]?[^+-]+", found.group(3) or ""):
        sign, name = (-1 if part[0] == "-" else 1), part.lstrip("+-")
        if "*" in name:
            scaled, by = name.split("*")
            if scaled in REGISTERS:
                index, scale = str(REGISTERS[scaled]), int(by)
        elif name in ("rip", "eip"):
            displacement = line.relative
            break
        elif name in REGISTERS:
            base = str(REGISTERS[name])
        elif name not in ("riz", "eiz"):
            displacement += sign * int(name, 16)
    if displacement >= 1 << 63:
        displacement -= 1 << 64
    thread = "t" if found.group(2) in ("fs", "gs") else ""
    return f"{SIZES[found.group(1)]}{thread}:{base}+{index}*{scale}{displacement:+d}"


def difference(line: Line, said: str) -> str:
    """What libcg2debug says of an instruction that objdump says otherwise; "": nothing."""
    step, form, rest = said.split("|")
    length, kind, target = step.split()
    if int(length) != line.length:
        return "length"
    if not form:
        return "form"
    goal = re.match(r"(?:\w+ )*?(?:j\w+|call|loop\w*) +([0-9a-f]+)$", line.text)
    if goal and (goal.group(1) != target or int(kind) not in (CALLS, BRANCHES, JUMPS)):
        return "target"
    wanted = operand(line)
    accesses = [word.lstrip("LS") for word in rest.split()]
    return "access" if wanted and wanted not in accesses else ""


@unittest.skipUnless(cg2test.MACHINE == "x86_64", "the instructions are amd64's")
class Objdump(OperationsCase):
    """Lengths, targets and accesses of libraries' code are what objdump says, a few instructions aside."""

    def compared(self, path: Path) -> tuple[int, list[str]]:
        """How many instructions there are, and those that differ."""
        rows = [row for row in rows_of(path) if "(bad)" not in row[2] and "?" not in row[2]]
        lines = [line_of(*row) for row in rows[:: max(1, len(rows) // SHOWN)]]
        said = self.listing.of(path, [line.address for line in lines])
        differ = [
            f"{why}: {line.address:x} {line.text} | {one}"
            for line, one in zip(lines, said)
            if (why := difference(line, one))
        ]
        return len(lines), differ

    def test_libraries(self) -> None:
        folder = Path("/lib/x86_64-linux-gnu")
        paths = [path for name in LIBRARIES if (path := folder / name).exists()]
        if not paths:
            self.skipTest(f"there are no libraries in {folder}")
        for path in paths:
            with self.subTest(path=path.name):
                n, differ = self.compared(path)
                self.assertGreater(n, 20000)
                # libcrypto has tables among its code; "fstcw" is two instructions
                self.assertLess(len(differ), n / 400, "\n".join(differ[:20]))

    def test_forms(self) -> None:
        """Code of a compiler has no instruction that is not known."""
        path = Path("/bin/bash")
        if not path.exists():
            self.skipTest("there is no /bin/bash")
        n, differ = self.compared(path)
        self.assertGreater(n, 20000)
        self.assertEqual(differ, [])
