"""Programs with AVX-512 that nobody wrote for these tests, and independent counts of what they execute."""

from __future__ import annotations

import re
import subprocess
import sys
import unittest
from pathlib import Path

import debpackages
from case import Case
from cg2test import HANG, Run, compile, env, new_directory, run_cg2
from test_avx512 import host_has_it, natively, refusals, unknown_lines

VECTORS = ("-O3", "-march=native", "-mprefer-vector-width=512", "-lm")
BUILT = [
    *(f"../bench/programs/{name}" for name in ("floats.c", "stencil.c")),
    *(
        f"../debug/programs/inlining/{name}"
        for name in (
            *("functions.cc", "lists.cc", "matrix.cc", "numbers.c", "shapes.cc", "table.c"),
            *("typed.cc", "vectors.cc"),
        )
    ),
]
NUMPY_TESTS = "numpy/core/tests"


def steps(program: Path) -> int:
    """How many instructions of a program the processor executes: somebody steps over each (ptrace)."""
    out = new_directory() / "edges"
    natively(compile("stepper.c", "-O2"), program, out, program)
    edges = (line.split() for line in out.read_text().splitlines())
    return sum(int(count) for _, to, count in edges if int(to, 16))


def collected(run: Run) -> int:
    (path,) = run.profile_paths
    (total,) = re.findall(r"^(?:summary|totals): (\d+)", path.read_text(), re.MULTILINE)[:1]
    return int(total)


def of_every_run(profile: Path) -> str:
    """A profile without what differs between any two runs."""
    return re.sub(r"^(pid|desc: Started): .*\n", "", profile.read_text(), flags=re.M)


@unittest.skipUnless(host_has_it(), "this processor has no AVX-512")
class Counted(Case):
    def test_steps(self) -> None:
        """Ir is what single-stepping counts: of instructions one by one, and of loops that each compiler
        makes vectors, masks and gathers of."""
        programs = [compile("avx512_counts.S", "-nostdlib", "-static")]
        for compiler in ("gcc", "clang"):
            flags = (*VECTORS[:3], "-ffast-math", "-fno-builtin", "-nostdlib", "-static")
            programs.append(compile("avx512_sums.c", *flags, compiler=compiler))
        for program in programs:
            counted = steps(program)
            self.assertGreaterEqual(counted, 62)
            for options in ((), ("--cache-sim=yes",), ("--vex-guest-max-insns=1",)):
                with self.subTest(program=program.name, options=options):
                    run = run_cg2([program], *options)
                    self.assertEqual(unknown_lines(run) + refusals(run), [])
                    self.assertEqual(collected(run), counted)

    def test_without(self) -> None:
        """The profile of a program that has none is the same to the byte, whatever --avx512 is."""
        program = compile("../bench/programs/floats.c", "-O2", "-mavx2", "-lm")
        for options in ((), ("--cache-sim=yes", "--branch-sim=yes", "--dump-instr=yes")):
            runs = [
                run_cg2([program], f"--avx512={mode}", *options) for mode in ("no", "auto", "yes")
            ]
            self.assertEqual([run.status for run in runs], [0, 0, 0])
            texts = {of_every_run(run.profile_paths[0]) for run in runs}
            self.assertEqual(len(texts), 1)
            self.assertGreater(len(texts.pop()), 1000)


@unittest.skipUnless(host_has_it(), "this processor has no AVX-512")
class Built(Case):
    def test_libc(self) -> None:
        """With --cpu=x86-64-v4 libc chooses its functions of AVX-512, and they answer as alone."""
        program = compile("evex_functions.c", "-O1", is_dynamic=True)
        run = run_cg2([program], "--cpu=x86-64-v4")
        self.assertEqual((run.status, run.stdout), (0, natively(program)), run.stderr)
        chosen = re.findall(r"fn=\(\d+\) (\w+_evex\w*)", run.profile_paths[0].read_text())
        self.assertGreaterEqual(len(set(chosen)), 25)

    def test_programs(self) -> None:
        """Ten programs of the suites, as each compiler builds them for this processor, print what they print
        alone; several of them do not come to their end without AVX-512."""
        need_it = 0
        for source in BUILT:
            pair = ("g++", "clang++") if source.endswith(".cc") else ("gcc", "clang")
            for compiler in pair:
                with self.subTest(source=source, compiler=compiler):
                    program = compile(source, *VECTORS, compiler=compiler)
                    run = run_cg2([program])
                    self.assertEqual((run.status, run.stdout), (0, natively(program)), run.stderr)
                    self.assertEqual(unknown_lines(run) + refusals(run), [])
                    need_it += run_cg2([program], "--avx512=no").status == -4
        self.assertGreaterEqual(need_it, 8)

    test_programs.full = True  # type: ignore[attr-defined]


@unittest.skipUnless(host_has_it(), "this processor has no AVX-512")
class Libraries(Case):
    """Debian's packages, unpacked."""

    full = True

    def told(
        self,
        command: list[str | Path],
        directory: Path,
        environment: dict[str, str],
        stdin: str = "",
    ) -> Run:
        """A run in which the program is told of AVX-512, which says nothing of instructions."""
        run = run_cg2(
            command,
            "--cpu=x86-64-v4",
            directory=directory,
            environment=env(**environment),
            stdin=stdin,
        )
        self.assertEqual(run.status, 0, run.stderr)
        self.assertEqual(unknown_lines(run) + refusals(run), [])
        return run

    def test_openblas(self) -> None:
        """The tests of BLAS, Fortran's and C's, which OpenBLAS has made its own, pass with its kernels for
        SkylakeX, and leave the same figures as alone."""
        root = debpackages.unpacked("cases", "openblas", "libopenblas0-pthread", "libblas-test")
        (folder,) = root.glob("usr/lib/*/blas")
        environment = {
            "LD_LIBRARY_PATH": str(folder.parent / "openblas-pthread"),
            "OPENBLAS_CORETYPE": "SkylakeX",
            "OPENBLAS_NUM_THREADS": "1",
            "OPENBLAS_VERBOSE": "2",
        }
        tests = [("xblat1{}", ""), ("xblat2{}", "{}blat2.in"), ("xblat3{}", "{}blat3.in")]
        # Tests of C for the levels 2 and 3 need names that only another library has.
        tests += [("x{}cblat1", "")]
        kernels = set()
        for kind in "sdcz":
            for test, data in tests:
                program, named = folder / test.format(kind), data.format(kind)
                with self.subTest(program.name):
                    stdin = (folder / named).read_text() if named else ""
                    here, there = new_directory(), new_directory()
                    alone = subprocess.run(
                        [program], cwd=here, env=env(**environment), input=stdin, text=True,
                        capture_output=True, timeout=HANG, check=True,
                    )  # fmt: skip
                    run = self.told([program], there, environment, stdin)
                    self.assertEqual(run.stdout, alone.stdout)
                    self.assertIn("Core: SkylakeX", run.stderr)
                    said = run.stdout
                    for left in sorted(here.iterdir()):
                        said += left.read_text()
                        self.assertEqual((there / left.name).read_text(), left.read_text())
                    self.assertIn("PASS", said)
                    self.assertNotRegex(said, r"FAIL|\*{7} FATAL")
                    text = run.profile_paths[0].read_text()
                    kernels |= set(re.findall(r"fn=\(\d+\) (\w+_SKYLAKEX)\b", text))
        self.assertGreater(len(kernels), 50)

    def numpy(self, *words: str) -> tuple[Run, str]:
        """A run of numpy's own tests, and what a run alone says."""
        root = debpackages.unpacked("cases", "pytest", "python3-pytest", "python3-hypothesis")
        (place,) = [
            Path(path) / NUMPY_TESTS for path in sys.path if (Path(path) / NUMPY_TESTS).is_dir()
        ][:1]
        environment = {
            "PYTHONPATH": str(root / "usr/lib/python3/dist-packages"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",
        }
        program, *rest = words
        command: list[str | Path] = [
            *("/usr/bin/python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"),
            place / program,
            *rest,
        ]
        directory = new_directory()
        alone = subprocess.run(
            command, cwd=directory, env=env(**environment), text=True,
            capture_output=True, timeout=HANG, check=True,
        )  # fmt: skip
        return self.told(command, directory, environment), alone.stdout

    def assert_passed(self, run: Run, alone: str, at_least: int) -> None:
        """Asserts that tests pass, and how many: it is the number without the tool."""
        passed = [re.findall(r"^(\d+) passed", text, re.MULTILINE) for text in (run.stdout, alone)]
        self.assertEqual(passed[0], passed[1], run.stdout)
        self.assertGreaterEqual(int(passed[0][0]), at_least)

    def test_numpy_accuracy(self) -> None:
        """Numpy's functions of floating point, dispatched for AVX-512, are as accurate as it promises."""
        run, alone = self.numpy("test_umath_accuracy.py")
        self.assert_passed(run, alone, 10)
        ask = (
            "from numpy.core._multiarray_umath import __cpu_features__ as f; print(f['AVX512_SKX'])"
        )
        asked = self.told(["/usr/bin/python3", "-B", "-c", ask], new_directory(), {})
        self.assertEqual(asked.stdout, "True\n")

    def test_numpy_simd(self) -> None:
        """Numpy's vectors do what it says of them, as its targets AVX512F and AVX512_SKX build them."""
        run, alone = self.numpy("test_simd.py", "-k", "AVX512")
        self.assert_passed(run, alone, 1200)


if __name__ == "__main__":
    unittest.main()
