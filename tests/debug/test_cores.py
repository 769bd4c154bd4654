"""Tables of processors' cores: what they have to say, what real programs need, what makes them."""

from __future__ import annotations

import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import cg2test
from cg2tools.bindings.interface import DEBUG_LIBRARY
from cg2tools.bindings.libpath import library_path

sys.path.append(str(Path(__file__).parent))

from test_operations import Listing  # noqa: E402

MACHINES = cg2test.SOURCE / "cg2" / "machines"
CORES = sorted(MACHINES.glob("*.core"))
MAKER = cg2test.SOURCE / "build-aux" / "make_core.py"
NEEDED = (
    "core source machine code pipeline fetch memory bandwidth forward fuse ports access".split()
)
RUN = [
    "/usr/bin/python3.11",
    "-S",
    "-c",
    "import json; print(json.dumps(sorted(str(i) for i in range(3000)))[:9])",
]


def lines_of(path: Path) -> list[str]:
    texts = [line.partition("#")[0].strip() for line in path.read_text().splitlines()]
    return [text for text in texts if text]


def operations_of(path: Path) -> dict[str, dict[str, str]]:
    """The words of the line of each form."""
    found = {}
    for line in lines_of(path):
        if line.startswith("op "):
            form, *words = re.split(r" (?=\w+=)", line[3:])
            assert form not in found, f"{path.name}: two lines of {form}"
            found[form] = dict(word.split("=", 1) for word in words)
    return found


class Tables(unittest.TestCase):
    def test_lines(self) -> None:
        """Each has all kinds of lines, groups of ports that exist, and no form twice."""
        self.assertGreaterEqual(len(CORES), 7)
        for path in CORES:
            with self.subTest(core=path.name):
                lines = lines_of(path)
                self.assertEqual(
                    [key for key in NEEDED if not any(x.startswith(key + " ") for x in lines)], []
                )
                ports = next(line.split()[1:] for line in lines if line.startswith("ports "))
                groups = {
                    line.split()[1]: line.split()[3:] for line in lines if line.startswith("group ")
                }
                self.assertLessEqual(len(ports), 32)
                for members in groups.values():
                    self.assertLessEqual(set(members), set(ports))
                machine = next(line.split()[1] for line in lines if line.startswith("machine "))
                self.assertTrue((MACHINES / f"{machine}.machine").exists())
                self.check_operations(path, set(ports) | set(groups))

    def check_operations(self, path: Path, known: set[str]) -> None:
        operations = operations_of(path)
        self.assertGreater(len(operations), 300)
        for form, words in operations.items():
            self.assertLessEqual(set(words), {"latency", "slots", "uses", "divider"}, form)
            self.assertLessEqual(int(words["latency"]), 200, form)
            for use in words["uses"].split(","):
                self.assertRegex(use, r"^\w+(\*\d+)?(@\d+)?$")
                self.assertIn(re.split(r"[*@]", use)[0], known | {"none"}, form)

    def test_measured(self) -> None:
        """Figures of Zen 4 that its maker's guide has, and that were measured."""
        operations = operations_of(MACHINES / "zen4.core")
        latencies = {
            "add r64,r64": 1,
            "imul r64,r64": 3,
            "addsd x,x": 3,
            "mulpd x,x": 3,
            "vfmadd231pd y,y,y": 4,
            "divsd x,x": 13,
            "sqrtsd x,x": 21,
            "lea r64,bi": 1,
            "lea r64,bisd": 2,
        }
        self.assertEqual({form: int(operations[form]["latency"]) for form in latencies}, latencies)
        self.assertEqual(operations["setb r8"]["uses"], "alu03")
        self.assertEqual(operations["divsd x,x"]["divider"], "5")

    def test_made(self) -> None:
        """The tables are what the script makes."""
        mca = os.environ.get("CG2_LLVM_MCA") or shutil.which("llvm-mca-22")
        if not mca:
            self.skipTest("there is no llvm-mca of LLVM 22 (Debian: apt-get install llvm-22)")
        names = [path.stem for path in CORES]
        ended = subprocess.run(
            [MAKER, f"--llvm-mca={mca}", "--check", *names], capture_output=True, text=True
        )
        self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "", ""))


def register_form(form: str, is_vector: bool) -> str:
    """With a register in the place of memory, as the estimate looks for it."""
    mnemonic, _, operands = form.rpartition(" ")
    vectors = {"128": "x", "256": "y", "512": "z"}

    def register(found: re.Match[str]) -> str:
        bits = found.group(1)
        return vectors.get(bits, "x") if is_vector else f"r{bits}"

    registers = re.sub(r"m(\d+)", register, operands)
    return f"{mnemonic} {registers}" if mnemonic else form


def executed(profile: Path) -> dict[str, collections.Counter[int]]:
    """How often instructions ran, by object and address, of a profile with one event."""
    found: dict[str, collections.Counter[int]] = collections.defaultdict(collections.Counter)
    names: dict[str, str] = {}
    now, is_call = "", False
    for line in profile.read_text().splitlines():
        named = re.match(r"ob=(\(\d+\))(?: (.*))?", line)
        if named:
            if named.group(2):
                names[named.group(1)] = named.group(2)
            now = names[named.group(1)]
        elif line.startswith("cob=") and (named := re.match(r"cob=(\(\d+\)) (.*)", line)):
            names[named.group(1)] = named.group(2)
        elif line.startswith("calls="):
            is_call = True
        elif line[:2] == "0x":
            if not is_call:
                found[now][int(line.split()[0], 16)] += int(line.split()[2])
            is_call = False
    return found


@unittest.skipUnless(library_path(DEBUG_LIBRARY).exists(), "libcg2debug was not built")
@unittest.skipUnless(cg2test.MACHINE == "x86_64" and shutil.which("gcc"), "it takes gcc on amd64")
class Covered(unittest.TestCase):
    """The tables know nearly all that a real program executes."""

    def setUp(self) -> None:
        scratch = tempfile.TemporaryDirectory(prefix="cg2cores-")
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name)

    def counted(self) -> collections.Counter[tuple[str, bool]]:
        """Instructions that ran and that the estimate looks for, by form and whether they are of vectors."""
        run = cg2test.run_cg2(RUN, "--dump-instr=yes", "--compress-pos=no")
        self.assertEqual(run.status, 0, run.stderr)
        listing = Listing(self.directory)
        counts: collections.Counter[tuple[str, bool]] = collections.Counter()
        for name, ran in executed(run.profile_paths[0]).items():
            if not Path(name).is_file():
                continue
            addresses = sorted(ran)
            for address, said in zip(addresses, listing.of(Path(name), addresses)):
                _, form, rest = said.split("|")
                is_plain = (
                    " load" in rest
                    or re.search(r" S\d.* (copy|constant).*>-", rest)
                    or "rep" in form
                )
                if not is_plain and " idles" not in rest:
                    counts[form, " vector" in rest] += ran[address]
        return counts

    def test_covered(self) -> None:
        if not Path(RUN[0]).exists():
            self.skipTest(f"there is no {RUN[0]}")
        counts = self.counted()
        total = sum(counts.values())
        self.assertGreater(total, 5_000_000)
        for path in CORES:
            operations = operations_of(path)
            if "code x86-64" not in lines_of(path):
                continue
            with self.subTest(core=path.name):
                missing = {
                    form: n
                    for (form, is_vector), n in counts.items()
                    if form not in operations and register_form(form, is_vector) not in operations
                }
                most = sorted(missing.items(), key=lambda item: -item[1])[:9]
                self.assertLess(sum(missing.values()), total / 100, most)
