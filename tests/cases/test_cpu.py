"""What a program is told of its processor and of its environment, by itself, by the profile, and as --cpu
chooses."""

from __future__ import annotations

import re
import subprocess
import unittest
from pathlib import Path

from case import Case
from cg2test import TOOL, Run, can_run_32_bits, compile, env, lean_env, new_directory, run_cg2
from cg2tools.profile.reader import read_profile

# Bits of CPUID's answers, by leaf and register (Intel's manual, volume 2, CPUID).
BITS = {
    "ssse3": (1, 2, 9),
    "sse4.2": (1, 2, 20),
    "osxsave": (1, 2, 27),
    "avx": (1, 2, 28),
    "f16c": (1, 2, 29),
    "rdrand": (1, 2, 30),
    "avx2": (7, 1, 5),
    "rdseed": (7, 1, 18),
}
TOLD = {
    "baseline": "",
    "ssse3": "ssse3",
    "sse4.2": "ssse3 sse4.2",
    "avx": "ssse3 sse4.2 osxsave avx",
    "avx2": "ssse3 sse4.2 osxsave avx f16c rdrand avx2",
}
SAID = {**{name: name for name in TOLD}, "avx2": "avx2 f16c rdrand"}  # in the profile's header
COPIED_BY = {  # by memcpy and mempcpy of glibc
    **dict.fromkeys(("baseline", "sse4.2", "avx"), {"sse2_unaligned"}),
    "ssse3": {"ssse3"},
    "avx2": {"avx_unaligned_erms"},
}


def header_of(path: Path, kind: str) -> str:
    (said,) = re.findall(rf"^desc: {kind}: (.*)$", path.read_text(), re.MULTILINE)
    return str(said)


def features(stdout: str) -> str:
    """What the program cpu.c was told, in the order of BITS."""
    leaves = {
        int(leaf): [int(word, 16) for word in words.split()]
        for leaf, words in re.findall(r"^leaf (\d): (.*)$", stdout, re.MULTILINE)
    }
    return " ".join(
        name for name, (leaf, word, bit) in BITS.items() if leaves[leaf][word] >> bit & 1
    )


class Cpu(Case):
    def run_cpu(self, cpu: str, *args: str, flags: tuple[str, ...] = ("-O1",)) -> Run:
        run = run_cg2([compile("cpu.c", *flags), *args], f"--cpu={cpu}")
        if "expected no more than" in run.stderr:
            self.skipTest(run.stderr)
        return run

    def test_each(self) -> None:
        """CPUID, xgetbv, AT_HWCAP, the header and libc's choice of memcpy are as --cpu says."""
        for cpu, told in TOLD.items():
            with self.subTest(cpu):
                run = self.run_cpu(cpu)
                self.assertEqual(run.status, 0, run.stderr)
                self.assertEqual(features(run.stdout), told)
                self.assertEqual("xgetbv: 7 0" in run.stdout, "avx" in told.split())
                edx = re.findall(r"^leaf 1:.* (\w+)$", run.stdout, re.MULTILINE)
                self.assertEqual(re.findall("^hwcap: (.*)$", run.stdout, re.MULTILINE), edx)
                self.assertIn("platform: x86_64\n", run.stdout)
                (path,) = run.profile_paths
                self.assertEqual(header_of(path, "CPU"), SAID[cpu])
                chosen = re.findall(r"fn=\(\d+\) __memp?cpy_(\w+)", path.read_text())
                self.assertEqual(set(chosen), COPIED_BY[cpu])

    def test_host(self) -> None:
        """Without --cpu, and with host, the header says what CPUID does."""
        texts = []
        for options in ((), ("--cpu=host",)):
            run = run_cg2([compile("cpu.c", "-O1")], *options)
            (path,) = run.profile_paths
            said = header_of(path, "CPU").split()
            told = features(run.stdout).split() or ["baseline"]
            self.assertLessEqual(set(said), set(told) | {"baseline"})
            for name in "f16c", "rdrand", "rdseed", "avx2", "avx":
                higher = name == "avx" and "avx2" in told
                self.assertEqual(name in said, name in told and not higher, name)
            texts.append(run.stdout)
        self.assertEqual(texts[0], texts[1])

    def test_xgetbv(self) -> None:
        """Below avx xgetbv is no instruction, as on processors that lack it; above it is, whoever asks."""
        self.assertIn("xgetbv: 7 0", self.run_cpu("avx", "ask").stdout)
        for cpu in "sse4.2", "baseline":
            run = self.run_cpu(cpu, "ask")
            self.assertEqual(run.status, -4, run.stderr)
            self.assertNotIn("xgetbv", run.stdout)
            self.assertIn("desc: CPU: ", run.profile_paths[0].read_text())

    def test_32_bits(self) -> None:
        """A 32-bit program is told of SSE2 for baseline, and of SSE3 for all else."""
        if not can_run_32_bits():
            self.skipTest("needs gcc-multilib")
        for cpu in TOLD:
            with self.subTest(cpu):
                run = self.run_cpu(cpu, flags=("-O1", "-m32"))
                oldest = cpu == "baseline"
                self.assertEqual(
                    header_of(run.profile_paths[0], "CPU"), "sse2" if oldest else "sse3"
                )
                self.assertEqual("ssse3" in features(run.stdout), not oldest)

    def test_children(self) -> None:
        """What a program executes is told the same."""
        program = compile("cpu.c", "-O1")
        run = run_cg2(
            ["/bin/sh", "-c", f"{program}; {program}"], "--cpu=ssse3", "--trace-children=yes"
        )
        self.assertEqual(run.stdout.count("leaf 1: 000006f6 "), 2, run.stderr)
        told = [header_of(path, "CPU") for path in run.profile_paths]
        self.assertEqual(told, ["ssse3"] * len(told))
        self.assertGreaterEqual(len(told), 3)

    def test_not_counting(self) -> None:
        """Also where nothing is counted from the start."""
        run = run_cg2([compile("cpu.c", "-O1")], "--cpu=baseline", "--instr-atstart=no")
        self.assertEqual(features(run.stdout), "")

    def test_unknown(self) -> None:
        for word in "mmx", "", "avx512":
            run = run_cg2([compile("cpu.c", "-O1")], f"--cpu={word}")
            self.assertEqual(run.status, 1)
            self.assertIn(
                "expected host, native, x86-64-v4, avx2, avx, sse4.2, ssse3 or baseline\n",
                run.stderr,
            )
            self.assertEqual((run.stdout, run.profile_paths), ("", []))


INPUT = Path(__file__).resolve().parents[2] / "docs" / "format.md"
PROGRAMS = (
    "wc", "sort", "cat -n", "grep -c profile", "tail", "head -100", "cut -c1-20", "nl", "od -c", "md5sum",
)  # fmt: skip
# What takes each choice from glibc that it has beyond the oldest processor (glibc's manual, Tunables; 2.36).
TUNABLE = "glibc.cpu.hwcaps=" + ",".join(
    f"-{name}"
    for name in (
        *("AVX2", "AVX", "AVX512VL", "ERMS", "FSRM", "SSSE3", "SSE4_1", "SSE4_2", "BMI1", "BMI2"),
        *("LZCNT", "MOVBE", "XSAVEC", "XSAVE", "RTM", "AVX_Fast_Unaligned_Load"),
        *("Fast_Unaligned_Load", "Fast_Unaligned_Copy"),
    )
)


class Tunables(Case):
    """glibc can be told to choose as on the oldest processor: that way is independent of CPUID."""

    def total(self, program: str, cpu: str, variable: str) -> int:
        """What a program costs from its start on behind the dynamic linker, in an environment of one size."""
        run = run_cg2(
            [*program.split(), INPUT],
            f"--cpu={cpu}",
            "--toggle-collect=(below main)",
            environment=lean_env(LD_BIND_NOW="1", **{variable: TUNABLE}),
        )
        self.assertEqual(run.status, 0, run.stderr)
        (part,) = read_profile(run.profile_paths[0]).parts
        return part.self_total()[0]

    def test_ten_programs(self) -> None:
        """Ten programs cost the same to the instruction, and less by the host's own choice."""
        lower = 0
        for program in PROGRAMS:
            with self.subTest(program):
                told = self.total(program, "baseline", "NO_GLIBC_TUNES")
                self.assertEqual(told, self.total(program, "host", "GLIBC_TUNABLES"))
                self.assertGreater(told, 0)
                lower += self.total(program, "host", "NO_GLIBC_TUNES") < told
        self.assertEqual(lower, len(PROGRAMS))


class Environment(Case):
    def test_size(self) -> None:
        """The header has the size of the environment that the program gets, with Valgrind's own variables."""
        sizes = []
        for more in env(), env(MORE="x" * 100):
            run = run_cg2(["/usr/bin/env"], environment=more)
            size = sum(len(line) + 1 for line in run.stdout.splitlines())
            self.assertEqual(
                header_of(run.profile_paths[0], "Environment"), f"{size} bytes, ASLR off"
            )
            sizes.append(size)
        self.assertEqual(sizes[1] - sizes[0], 106)

    def test_randomised(self) -> None:
        """The header says where addresses are chosen at random."""
        if Path("/proc/sys/kernel/randomize_va_space").read_text().strip() == "0":
            self.skipTest("the kernel chooses no address at random")
        where = new_directory()
        command = ["valgrind", f"--tool={TOOL}", "--cg2-out-file=out", "/bin/true"]
        subprocess.run(command, cwd=where, env=env(), check=True, capture_output=True)
        self.assertRegex(header_of(where / "out", "Environment"), r"^\d+ bytes, ASLR on$")


if __name__ == "__main__":
    unittest.main()
