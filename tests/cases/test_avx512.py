"""AVX-512, which Valgrind does not know: executed by the processor, counted, or refused in one line."""

from __future__ import annotations

import re
import shutil
import subprocess
import unittest
from collections.abc import Sequence
from pathlib import Path

from case import FULL, Case
from cg2test import HANG, Run, compile, env, host_flags, run_cg2

V4 = {"avx512f", "avx512dq", "avx512cd", "avx512bw", "avx512vl"}
COUNTS = ("-nostdlib", "-static")


def host_has_it() -> bool:
    return V4 <= host_flags()


def natively(*argv: str | Path, stdin: str = "") -> str:
    ended = subprocess.run(
        argv, input=stdin, capture_output=True, text=True, timeout=HANG, env=env(), check=True
    )
    return ended.stdout


def unknown_lines(run: Run) -> list[str]:
    """What Valgrind itself says of instructions that it does not know."""
    return [
        line
        for line in run.stderr.splitlines()
        if "unhandled instruction" in line or "nrecognised instruction" in line
    ]


def refusals(run: Run) -> list[str]:
    lines = [re.sub(r"^==\d+== ", "", line) for line in run.stderr.splitlines()]
    return [line for line in lines if line.startswith("AVX-512 instruction at ")]


@unittest.skipUnless(host_has_it(), "this processor has no AVX-512")
class Executed(Case):
    def compare(self, program: Path, *options: str, args: tuple[str, ...] = ()) -> Run:
        """Asserts that a program prints the same under the tool, which says nothing of instructions."""
        run = run_cg2([program, *args], *options)
        self.assertEqual(run.status, 0, run.stderr)
        self.assertEqual(run.stdout, natively(program, *args))
        self.assertEqual(unknown_lines(run) + refusals(run), [])
        return run

    def test_state(self) -> None:
        """What is cleared and kept, over threads, handlers, jumps, forks and faults that are repaired; MXCSR,
        segments, short addresses; code that changes."""
        program = compile("avx512_state.c", "-O1", "-pthread")
        for options in (
            (),
            ("--avx512=yes", "--cache-sim=yes", "--px-default=allregs-at-mem-access"),
            ("--vex-guest-max-insns=1", "--smc-check=all", "--instr-atstart=no"),
            ("--data=accesses", "--vex-iropt-level=0", "--check-cells=yes"),
        ):
            with self.subTest(options):
                self.compare(program, *options)

    def test_mxcsr(self) -> None:
        """Denormals are taken for 0, and exceptions are SIGFPE, as MXCSR says, also if it said so before the
        first instruction; STMXCSR shows it. A handler begins with MXCSR as a processor does, is told of the
        program's instruction, and what was raised before it is there when it goes on."""
        program = compile("avx512_mxcsr.c", "-O1")
        for options in (
            (),
            ("--cache-sim=yes", "--vex-guest-max-insns=1"),
            ("--repeatable=yes", "--px-default=allregs-at-mem-access"),
        ):
            with self.subTest(options):
                run = self.compare(program, *options)
                self.assertEqual(len(set(re.findall(r"signal 8, code (\d)", run.stdout))), 5)

    def test_partial(self) -> None:
        """A gather or scatter that faults half way has done what the processor does, in vectors, memory and
        mask, when a handler skips it; and goes on from there when one repairs the memory."""
        if "GenuineIntel" not in Path("/proc/cpuinfo").read_text():
            self.skipTest(
                "this processor is not Intel's, which stop at the element that is missing"
            )
        program = compile("avx512_partial.c", "-O1")
        for options in ((), ("--cache-sim=yes", "--px-default=allregs-at-mem-access")):
            with self.subTest(options):
                run = self.compare(program, *options)
                self.assertGreater(len(set(re.findall(r"mask (\w+)", run.stdout))), 15)

    def test_kept(self) -> None:
        """XSAVE and XRSTOR keep masks, upper halves and further vectors where a program is told of them."""
        program = compile("avx512_xsave.c", "-O1", "-mavx")
        for options in ((), ("--cache-sim=yes", "--vex-guest-max-insns=1"), ("--data=accesses",)):
            with self.subTest(options):
                self.compare(program, "--cpu=x86-64-v4", *options)

    def test_random(self) -> None:
        """Random instructions leave registers, masks, flags, MXCSR and memory as on the processor itself."""
        program = compile("avx512_random.c", "-O1", "-no-pie")
        for seed in range(1, 7 if FULL else 2):
            expected = natively(program, "find", "20000" if FULL else "3000", str(seed))
            for options in ((), ("--cache-sim=yes",)) if seed == 1 else ((),):
                run = run_cg2([program, "run"], *options, stdin=expected)
                self.assertEqual(run.status, 0, run.stderr)
                pairs = zip(expected.splitlines(), run.stdout.splitlines(), strict=True)
                self.assertEqual([(here, there) for here, there in pairs if here != there], [])

    def test_random_finds(self) -> None:
        """The random test tells instances apart: one bit of what they left would be seen."""
        program = compile("avx512_random.c", "-O1", "-no-pie")
        lines = natively(program, "find", "500", "9").splitlines()
        self.assertGreater(len({line.split()[1] for line in lines if "signal" not in line}), 480)

    def test_counts(self) -> None:
        """Each instruction counts once; an access is what its mask chooses of it, and an element of a gather
        or scatter is one."""
        graph = self.graph_of(compile("avx512_counts.S", *COUNTS), "--cache-sim=yes")
        columns = [graph.part.events.index(name) for name in ("Ir", "Dr", "Dw")]
        found = {
            key.name: tuple(
                sum(cost[column] for cost in function.costs.values()) for column in columns
            )
            for key, function in graph.part.functions.items()
        }
        # Each ret reads, and each call writes.
        self.assertEqual(
            found,
            {
                "(below main)": (19, 1, 8),
                "plain": (6, 3 + 1, 2),
                "masked": (8, 3 + 1, 1),
                "elements": (5, 4 + 1, 4),
                "packed": (3, 1 + 1, 1),
                "registers": (6, 1, 0),
                "changing": (6, 2 + 1, 0),
                "shuffled": (3, 2 + 1, 0),
                "lines": (6, 3 + 1, 0),
            },
        )
        missed = graph.part.events.index("D1mr")
        (lines,) = [f for key, f in graph.part.functions.items() if key.name == "lines"]
        self.assertEqual(sum(cost[missed] for cost in lines.costs.values()), 2)

    def test_told(self) -> None:
        """With --cpu=x86-64-v4 a program is told of AVX-512 and that it is kept, and libc chooses it."""
        run = run_cg2([compile("cpu.c", "-O1")], "--cpu=x86-64-v4")
        self.assertEqual(run.status, 0, run.stderr)
        (leaf,) = re.findall(r"^leaf 7: \w+ (\w+) ", run.stdout, re.MULTILINE)
        self.assertEqual(int(leaf, 16) & 0xD0030000, 0xD0030000)
        self.assertIn("xgetbv: 231 0", run.stdout)
        (path,) = run.profile_paths
        self.assertIn("desc: CPU: x86-64-v4 f16c rdrand\n", path.read_text())
        chosen = set(re.findall(r"fn=\(\d+\) __memp?cpy_(\w+)", path.read_text()))
        self.assertEqual(chosen, {"evex_unaligned_erms"})

    def test_repeatable(self) -> None:
        """Repeatable runs execute it, too, and are told of AVX2 at most unless --cpu says more."""
        program = compile("avx512_counts.S", *COUNTS)
        one, other = (run_cg2([program], "--repeatable=yes") for _ in range(2))
        self.assertEqual((one.status, other.status), (0, 0), one.stderr)
        texts = [run.profile_paths[0].read_text() for run in (one, other)]
        self.assertIn("desc: CPU: avx2 ", texts[0])
        totals = [re.findall(r"^(?:summary|totals): (\d+)$", text, re.MULTILINE) for text in texts]
        self.assertEqual(totals, [["62", "62"]] * 2)

    def test_totals(self) -> None:
        """Without caches the same instructions are counted."""
        graph = self.graph_of(compile("avx512_counts.S", *COUNTS))
        self.assertEqual(graph.total, 19 + 6 + 8 + 5 + 3 + 6 + 6 + 3 + 6)


class Newer(Case):
    """Other instructions that Valgrind does not know: SHA, GFNI, VAES, VPCLMULQDQ, VNNI, MOVDIRI, RDPID."""

    KINDS = ("sha_ni", "gfni", "vaes", "vpclmulqdq", "avx_vnni", "movdiri")

    def require(self, *flags: str) -> None:
        missing = sorted({"avx", *flags} - host_flags())
        if missing:
            self.skipTest(f"this processor has no {' '.join(missing)}")

    def check(self, kinds: Sequence[str]) -> None:
        """The kinds that this processor has leave registers and memory as on the processor itself."""
        self.require()
        program = compile("newer.c", "-O1", "-mavx")
        known = [kind for kind in kinds if kind in host_flags()]
        if not known:
            self.skipTest(f"this processor has none of {' '.join(kinds)}")
        expected = natively(program, *known)
        self.assertGreaterEqual(len(set(expected.splitlines())), len(known))
        for options in ((), ("--cache-sim=yes", "--smc-check=all"), ("--vex-guest-max-insns=1",)):
            with self.subTest(options):
                run = run_cg2([program, *known], *options)
                self.assertEqual((run.status, run.stdout), (0, expected), run.stderr)
                self.assertEqual(unknown_lines(run) + refusals(run), [])

    def test_random(self) -> None:
        """Each leaves registers and memory as on the processor itself; no line speaks of them."""
        self.check(self.KINDS)

    def test_rdpid(self) -> None:
        """The number of the processor is told, too."""
        self.check(("rdpid",))

    def test_native(self) -> None:
        """With --cpu=native a program is told of them, too, and takes them: the same sum, with far fewer
        instructions."""
        self.require("sha_ni")
        if not shutil.which("openssl"):
            self.skipTest("openssl is not installed (Debian: apt-get install openssl)")
        command = ["openssl", "dgst", "-sha256", __file__]
        runs = [run_cg2(command, f"--cpu={cpu}") for cpu in ("host", "native")]
        self.assertEqual([run.stdout for run in runs], [natively(*command)] * 2)
        texts = [run.profile_paths[0].read_text() for run in runs]
        said = [re.findall(r"^desc: CPU: (.*)$", text, re.MULTILINE)[0].split() for text in texts]
        self.assertNotIn("sha_ni", said[0])
        self.assertIn("sha_ni", said[1])
        self.assertEqual("x86-64-v4" in said[1], host_has_it())
        self.assertLessEqual(set(said[1]) - {"x86-64-v4", "avx2"}, host_flags())
        run = run_cg2([compile("cpu.c", "-O1")], "--cpu=native")
        (leaf,) = re.findall(r"^leaf 7: \w+ (\w+) ", run.stdout, re.MULTILINE)
        self.assertEqual(int(leaf, 16) >> 29 & 1, 1)
        quiet = run_cg2(command, "--cpu=native", "--avx512=no")
        self.assertEqual((quiet.status, quiet.stdout), (0, runs[0].stdout))

    def test_counts(self) -> None:
        """Each counts once, and reads or writes once: beside SSE, AVX and, where there is, AVX-512."""
        self.require("sha_ni", "gfni", "vaes")
        graph = self.graph_of(compile("newer_counts.S", *COUNTS), "--cache-sim=yes")
        columns = [graph.part.events.index(name) for name in ("Ir", "Dr", "Dw")]
        (newer,) = [f for key, f in graph.part.functions.items() if key.name == "newer"]
        found = [sum(cost[column] for cost in newer.costs.values()) for column in columns]
        self.assertEqual(found, [9, 4 + 1, 1])

    def test_no(self) -> None:
        """With --avx512=no they are what they are to Valgrind: unhandled, and SIGILL."""
        self.require("sha_ni", "gfni", "vaes")
        run = run_cg2([compile("newer_counts.S", *COUNTS)], "--avx512=no")
        self.assertEqual(run.status, -4, run.stderr)
        self.assertEqual(refusals(run), [])
        self.assertIn("unhandled instruction bytes: 0x0F 0x38 0xCC", run.stderr)


@unittest.skipUnless(host_has_it(), "this processor has no AVX-512")
class Refused(Case):
    def test_no(self) -> None:
        """With --avx512=no the program gets SIGILL and leaves a profile; one line says what and where."""
        program = compile("avx512_counts.S", *COUNTS)
        run = run_cg2([program], "--avx512=no")
        self.assertEqual(run.status, -4, run.stderr)
        self.assertEqual(len(run.profile_paths), 1)
        (line,) = refusals(run)
        self.assertRegex(
            line, r"at 0x\w+: \(below main\) .*: --avx512=auto or yes executes it, --avx512=no does"
        )
        self.assertEqual(unknown_lines(run), [])

    def test_parts(self) -> None:
        """A part of AVX-512 that this processor has not is SIGILL, with a profile and one line; one that it
        has is executed."""
        kinds = {
            "avx512_fp16": "FP16",
            "avx512vbmi": "VBMI",
            "avx512_vbmi2": "VBMI2",
            "avx512ifma": "IFMA",
            "avx512_vnni": "VNNI",
            "avx512_bitalg": "BITALG",
            "avx512_vpopcntdq": "VPOPCNTDQ",
            "avx512_bf16": "BF16",
            "avx512_vp2intersect": "VP2INTERSECT",
            "gfni": "GFNI",
            "vaes": "VAES",
            "vpclmulqdq": "VPCLMULQDQ",
        }
        for flag, name in kinds.items():
            with self.subTest(name):
                run = run_cg2([compile("avx512_parts.S", *COUNTS, f"-D{name}")])
                self.assertEqual((len(run.profile_paths), unknown_lines(run)), (1, []))
                if flag in host_flags():
                    self.assertEqual((run.status, refusals(run)), (0, []), run.stderr)
                    continue
                self.assertEqual(run.status, -4, run.stderr)
                (line,) = refusals(run)
                self.assertRegex(
                    line, r"at 0x\w+: .*: this processor has AVX-512, but not this part "
                )


class Options(Case):
    def test_told_in_vain(self) -> None:
        """What is not executed is not told either: the run ends with a line that names both options."""
        run = run_cg2(["/bin/true"], "--cpu=x86-64-v4", "--avx512=no")
        self.assertEqual(run.status, 1)
        self.assertIn("--avx512=no: --cpu=x86-64-v4: ", run.stderr)

    def test_help(self) -> None:
        """--cpu=help lists the words, and runs nothing."""
        run = run_cg2(["/bin/false"], "--cpu=help")
        self.assertEqual(run.status, 0)
        self.assertIn("host, native, x86-64-v4, avx2, ", run.stdout + run.stderr)

    def test_other_instructions(self) -> None:
        """What else Valgrind does not know is said as before, whatever --avx512 is."""
        program = compile("unknown_instruction.c", "-O0")
        for mode in ("auto", "no"):
            run = run_cg2([program], f"--avx512={mode}")
            self.assertEqual(run.status, -4, run.stderr)
            self.assertEqual(len(unknown_lines(run)), 2, run.stderr)
            self.assertIn("bytes: 0x0F 0xFF 0xC0", run.stderr)
            self.assertEqual(refusals(run), [])
            quiet = run_cg2([program], f"--avx512={mode}", "--sigill-diagnostics=no")
            self.assertEqual(unknown_lines(quiet), [])

    def test_value(self) -> None:
        """The tool refuses another value in a line that names it."""
        run = run_cg2(["/bin/true"], "--avx512=perhaps")
        self.assertNotEqual(run.status, 0)
        self.assertIn("--avx512=perhaps", run.stderr)
        self.assertIn("auto", run.stderr)


if __name__ == "__main__":
    unittest.main()
