"""The modules that write IR, on the host: VEX, which is a library, makes code of blocks, and that is
executed.

vex_machine.h says how. The tool's objects are those of the build that is tested. Of Valgrind's core they use
little: the linker gives those names to the stand-in host_vg. Probes and accesses are wrapped, by the linker
too.
"""

from __future__ import annotations

import hashlib
import re
import unittest
from pathlib import Path
from typing import ClassVar

from cg2test import BUILD, SOURCE
from hostbuild import (
    ENGINE,
    FLAGS,
    RESULT,
    STORE,
    UNIT,
    Flavour,
    can_build,
    compile_all,
    make,
    run,
)

COMMON = (
    "-std=gnu99",
    "-g",
    "-O1",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fno-builtin",
    "-fno-strict-aliasing",
)
FOLDERS = (
    "base",
    "arch",
    "model",
    "code",
    "engine",
    "data",
    "layout",
    "events",
    "avx512",
    "translate",
)
# Modules that ask the core for what blocks do not need, or that vex_machine.c has.
LEFT_OUT = (
    "arguments",
    "backtrace",
    "buildid",
    "callvalues",
    "catalog",
    "debugfile",
    "elfdata",
    "elffile",
    "elfobjects",
    "elfparts",
    "guestmemory",
    "gueststate",
    "heapstart",
    "json",
    "kernelcall",
    "othermemory",
    "owner",
    "regions",
    "sink",
    "statics",
    "symbols",
    "threadlocals",
    "threadpointer",
    "threadwords",
    "thunk",
    "units",
    "unwind",
    "vecaccess",
    "vecblock",
    "veccode",
    "vecdecode",
    "vecfault",
    "vecir",
    "veckept",
    "vecmxcsr",
    "vecplaces",
    "vecrefusal",
    "vecrules",
    "vecrun",
    "vecstate",
    "vecxsave",
    "veczero",
)
WRAPPED = (
    "probe_call", "probe_call_to", "probe_count", "probe_enter", "probe_jump", "probe_jump_to", "probe_leap",
    "probe_stay", "probe_return", "probe_stub", "accesses_make", "accesses_marked_call",
    "accesses_marked_calls",
)  # fmt: skip


def variable(name: str) -> str:
    """A variable of the Makefile, or nothing."""
    found = re.search(rf"^{name} = (.*)$", (BUILD / "Makefile").read_text(), re.MULTILINE)
    return found[1] if found else ""


def core() -> list[str]:
    """What the stand-in has of Valgrind's core."""
    found = set(re.findall(r"VG_\((\w+)\)\(", (UNIT / "host_vg.h").read_text()))
    return sorted(found - {"get_SP"})


def engine() -> list[Path]:
    found = [path for folder in FOLDERS for path in (ENGINE / folder).rglob("*.c")]
    return sorted(path for path in found if path.stem not in LEFT_OUT)


def object_of(platform: str, source: Path) -> Path:
    """What the build has made of a file of the tool."""
    folder = BUILD / source.relative_to(SOURCE).parent
    return folder / f"{platform}_linux-{source.stem}.o"


def build(platform: str, flags: str) -> Path:
    """The program of the tests for a platform, such as amd64."""
    include = f"{variable('valgrind_prefix')}/include"
    base = (*variable(flags).split(), "-fno-pie", "-fno-stack-protector")
    valgrinds = (
        *COMMON,
        f"-I{UNIT}",
        f"-I{ENGINE}",
        "-isystem",
        f"{include}/valgrind",
        "-isystem",
        include,
    )
    tool = Flavour(f"vex-{platform}", "gcc", base, valgrinds)
    host = Flavour(f"vex-host-{platform}", "gcc", base, tuple(FLAGS))
    objects = compile_all(tool, [UNIT / "vex_blocks.c", UNIT / "vex_machine.c"])
    objects += [object_of(platform, source) for source in engine()]
    objects += compile_all(host, [UNIT / "check.c", UNIT / "host_vg.c"])
    library = f"{variable('valgrind_lib')}/libvex-{platform}-linux.a"
    names = [f"-Wl,--defsym,vgPlain_{name}=host_{name}" for name in core()]
    wraps = [f"-Wl,--wrap,cg2_{name}" for name in WRAPPED]
    command = [
        "gcc",
        *base,
        "-no-pie",
        *map(str, objects),
        *names,
        *wraps,
        library,
        "-lgcc",
        "-o",
        RESULT,
    ]
    contents = hashlib.sha256("\0".join(command).encode())
    for object in objects:
        contents.update(object.read_bytes())
    digest = contents.hexdigest()[:12]
    result = STORE / tool.name / f"vex_blocks-{digest}"
    if not result.exists():
        make(result, command)
    return result


class Amd64(unittest.TestCase):
    platform: ClassVar[str] = "amd64"
    flags: ClassVar[str] = "AMD64_FLAGS"

    def test_blocks(self) -> None:
        """The C tests; they end with the line `N checks passed, M failed`."""
        if not variable(self.flags):
            self.skipTest(f"the tool is not built for {self.platform}")
        reason = can_build(Flavour(self.platform, "gcc", tuple(variable(self.flags).split())))
        if reason:
            self.skipTest(reason)
        ended = run([build(self.platform, self.flags)])
        said = ended.stdout + ended.stderr
        counted = re.search(r"^(\d+) checks passed, (\d+) failed$", ended.stdout, re.MULTILINE)
        assert counted is not None, said
        self.assertEqual((ended.returncode, int(counted[2])), (0, 0), said)
        self.assertGreater(int(counted[1]), 100)


class X86(Amd64):
    platform = "x86"
    flags = "X86_FLAGS"


if __name__ == "__main__":
    unittest.main()
