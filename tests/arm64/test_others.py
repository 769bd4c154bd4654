"""What knows processors is in one folder: with that folder's facts of riscv64 and s390x the whole tool compiles for them.

Nothing of it has run under Valgrind there. The engine runs, on the stand-in of the unit tests, under an emulator: s390x
has the other order of bytes.
"""

from __future__ import annotations

import functools
import os
import re
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cg2test import BUILD, SOURCE
from emulated import machine

sys.path[:0] = [str(SOURCE / "tests" / "unit"), str(SOURCE / "tests" / "versions")]

from fetch import FetchError, command, private  # noqa: E402  (found through the path just set)
from hostbuild import UNIT, Flavour, build, run  # noqa: E402

HERE = BUILD / "tests-arm64" / "others"
# Programs that hold no facts of a processor but the guest's.
PROGRAMS = ("test_guest_others", "test_transfer", "test_model", "test_table")


@dataclass(frozen=True)
class Platform:
    """Unpacked packages: a cross compiler with its libc, and the Valgrind of sid, which has all of these processors."""

    name: str

    @property
    def triple(self) -> str:
        return f"{self.name}-linux-gnu"

    @property
    def tools(self) -> Path:
        return HERE / "tools" / "usr"

    @property
    def valgrind(self) -> Path:
        return HERE / self.name / "usr"

    @property
    def archives(self) -> Path:
        return self.valgrind / "lib" / self.triple / "valgrind"

    def apt(self, suite: str, architecture: str) -> list[str]:
        options: list[str] = private(suite, HERE / f"apt-{architecture}")
        chosen = {"APT::Architecture": architecture, "APT::Architectures": architecture}
        return options + [w for name, value in chosen.items() for w in ("-o", f"{name}={value}")]

    def fetch(self) -> None:
        """Download and unpack what is not there yet."""
        if (HERE / f"{self.name}.complete").exists():
            return
        tools = (
            *(f"{part}-12-{self.triple}" for part in ("gcc", "cpp")),
            f"binutils-{self.triple}",
            *(f"{part}-{self.name}-cross" for part in ("libgcc-12-dev", "libgcc-s1")),
            *(f"{part}-{self.name}-cross" for part in ("libc6", "libc6-dev", "linux-libc-dev")),
        )
        for options, packages, to in (
            (self.apt("bookworm", "amd64"), tools, self.tools.parent),
            (self.apt("sid", self.name), ("valgrind",), self.valgrind.parent),
        ):
            archives = HERE / f"packages-{self.name}-{to.name}"
            archives.mkdir(parents=True, exist_ok=True)
            command("apt-get", *options, "-q", "update")
            command("apt-get", *options, "-q", "download", *packages, directory=archives)
            for package in sorted(archives.glob("*.deb")):
                command("dpkg-deb", "-x", str(package), str(to))
        (HERE / f"{self.name}.complete").touch()

    def compiler(self) -> Path:
        """The cross compiler, as a command that needs no environment."""
        path = HERE / f"{self.triple}-gcc"
        libc = self.tools / self.triple
        path.write_text(
            f"#!/bin/sh\nPATH={self.tools}/bin:$PATH LD_LIBRARY_PATH={self.tools}/lib/x86_64-linux-gnu "
            f"exec {self.tools}/bin/{self.triple}-gcc-12 -B{libc}/lib -L{libc}/lib "
            f'-isystem {libc}/include "$@"\n'
        )
        path.chmod(0o755)
        return path


@functools.cache
def platform(name: str) -> Platform:
    machine()  # has the emulators, or says why there are none
    here = Platform(name)
    HERE.mkdir(parents=True, exist_ok=True)
    try:
        here.fetch()
    except FetchError as error:
        raise unittest.SkipTest(f"no packages of Debian for {name}: {error}") from error
    return here


class Others(unittest.TestCase):
    """The tool for processors that it has never run on."""

    def check_compiles(self, name: str) -> None:
        """Each source without a warning; all together with Valgrind's libraries make an executable."""
        here = platform(name)
        compiler = here.compiler()
        objects = HERE / f"objects-{name}"
        objects.mkdir(exist_ok=True)
        include = here.valgrind / "include"
        flags = [
            *makefile_variable_words("tool_cflags"),
            *("-O2", "-Werror", f"-DVGA_{name}=1", "-DVGO_linux=1", f"-DVGP_{name}_linux=1"),
            *(f"-DVGPV_{name}_linux_vanilla=1", '-DCG2_VERSION="0"', f"-I{SOURCE / 'cg2'}"),
            *("-isystem", f"{include}/valgrind", "-isystem", f"{include}"),
        ]
        sources = sorted((SOURCE / "cg2").rglob("*.c"))

        def compile_one(source: Path) -> Path:
            made = objects / f"{'_'.join(source.relative_to(SOURCE).parts)}.o"
            self.check_runs([compiler, *flags, "-c", source, "-o", made])
            return made

        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            made = list(pool.map(compile_one, sources))
        self.assertGreater(len(made), 100)
        libraries = [here.archives / f"lib{part}-{name}-linux.a" for part in ("coregrind", "vex")]
        libraries += here.archives.glob(f"libgcc-sup-{name}-linux.a")
        tool = HERE / f"cg2-{name}-linux"
        flags = ["-static", "-nodefaultlibs", "-nostartfiles", "-u", "_start"]
        self.check_runs([compiler, *flags, *made, *libraries, "-lgcc", "-o", tool])
        self.assertEqual(tool.read_bytes()[:4], b"\177ELF")

    def check_runs(self, words: list[str | Path]) -> None:
        ended = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def check_engine(self, name: str) -> None:
        """Programs of the unit tests: how its machine code is read, and the engine against its model."""
        here = platform(name)
        flavour = Flavour(name, str(here.compiler()), ("-O1", "-static"))
        emulator = machine().tools / "usr" / "bin" / f"qemu-{name}-static"
        for test in PROGRAMS:
            with self.subTest(test):
                program = build(
                    flavour, *(UNIT / f"{source}.c" for source in (test, "check", "fixture"))
                )
                ended = run([str(emulator), str(program)], CG2_TEST_SIZE="1")
                said = ended.stdout + ended.stderr
                counted = re.search(
                    r"^(\d+) checks passed, (\d+) failed$", ended.stdout, re.MULTILINE
                )
                assert counted is not None, said
                self.assertEqual((ended.returncode, int(counted[2])), (0, 0), said)
                self.assertGreater(int(counted[1]), 0)

    def test_riscv64_compiles(self) -> None:
        self.check_compiles("riscv64")

    def test_s390x_compiles(self) -> None:
        self.check_compiles("s390x")

    def test_riscv64_engine(self) -> None:
        self.check_engine("riscv64")

    def test_s390x_engine(self) -> None:
        self.check_engine("s390x")


def makefile_variable_words(name: str) -> list[str]:
    """The words of a variable of the Makefile, which may have several lines."""
    text = (BUILD / "Makefile").read_text().replace("\\\n", " ")
    (words,) = re.findall(rf"^{name} = (.*)$", text, re.MULTILINE)
    return str(words).split()


if __name__ == "__main__":
    unittest.main()
