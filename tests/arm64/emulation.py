"""An arm64 machine for tests: a cross compiler, a Debian for arm64, and an emulator that runs its programs.

Packages of Debian are downloaded and unpacked below one directory; nothing is installed, and no other program
sees them: cross compilers conflict with the 32-bit compiler that other suites need. Nobody has to be root.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from building import made_tools, make_tools, must, only_here, source
from cg2test import BUILD, SOURCE, compile

sys.path.insert(0, str(SOURCE / "tests" / "versions"))

from fetch import (  # noqa: E402  (found through the path just set)
    FetchError,
    command,
    of_architecture,
    private,
)

SUITE = "bookworm"
FULL = os.environ.get("CG2_FULL") == "1"
HERE = BUILD / "tests-arm64"
TRIPLE = "aarch64-linux-gnu"
# What runs here. Their libraries are those of the compiler that is installed, of the same Debian.
TOOLS = (
    *(f"{part}-12-{TRIPLE}" for part in ("cpp", "gcc", "g++")),
    f"binutils-{TRIPLE}",
    *(f"{part}-arm64-cross" for part in ("libgcc-12-dev", "libgcc-s1", "libatomic1")),
    *(f"{part}-arm64-cross" for part in ("libstdc++-12-dev", "libstdc++6")),
)
EMULATOR = shutil.which("qemu-aarch64")
# What arm64 programs are compiled with, and programs that are profiled.
SOME = (
    *("libc6-dev", "libstdc++-12-dev", "libstdc++6", "zlib1g-dev", "libzstd-dev"),
    *("valgrind", "libc6-dbg", "bc", "mawk", "sqlite3", "xz-utils"),
)
MORE = (*("bash", "bzip2", "coreutils", "cpp-12", "dash", "gzip", "perl-base", "python3", "sed"),)
SYSTEM = (*SOME, *(MORE if FULL else ()))
# What the library that reads debug information is built of; only packages need it.
LIBRARIES = ("libcapstone-dev", "libdw-dev", "libiberty-dev", "libdw1", "libcapstone4")
# Not all that a package holds is needed; symlinks of / are those of a Debian whose /usr is merged.
WITHOUT = [f"--exclude=./usr/share/{name}" for name in ("doc", "man", "locale", "info")]


class Machine:
    """The paths of what is needed, below a directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.tools = directory / "tools"
        self.system = directory / "system"
        self.commands = directory / "commands"  # comes first in PATH
        self.build = directory / ("build-full" if FULL else "build")
        self.tested = directory / "tested"  # is CG2_BUILD

    @property
    def valgrind(self) -> Path:
        return self.commands / "valgrind"

    @property
    def emulator(self) -> list[str | Path]:
        """The command that runs a program."""
        return [str(EMULATOR), "-L", self.system]

    def environment(self) -> dict[str, str]:
        """What tests are told so that they compile and run for arm64."""
        return {
            "PATH": f"{self.commands}:{os.environ['PATH']}",
            "CG2_BUILD": str(self.tested),
            "CG2_VALGRIND": str(self.valgrind),
            "CG2_EMULATOR": " ".join(map(str, self.emulator)),
            "CG2_FULL": "0",  # emulated, ten million blocks take hours
            # Without a dynamic linker a small program takes half the time. Tests of linking have one.
            "CG2_STATIC": "0" if FULL else "1",
            "CG2_LEFT_OUT": str(Path(__file__).with_name("left_out.txt")),
        }

    def compile(self, source: str, *flags: str) -> Path:
        """Compile tests/programs/`source` for it."""
        compiler = self.commands / ("g++" if source.endswith(".cc") else "gcc")
        return compile(source, *flags, compiler=str(compiler))


def missing() -> str | None:
    """None, or why there can be no such machine here."""
    if platform.machine() != "x86_64":
        return "the cross compiler of Debian's packages is for amd64"
    if not EMULATOR:
        return "no qemu-aarch64 (Debian: apt-get install qemu-user)"
    return None


def make_machine() -> Machine:
    """Downloads and builds what is not there yet."""
    machine = Machine(HERE)
    with only_here("arm64"):
        complete = machine.directory / "complete"
        packages = " ".join(TOOLS + SYSTEM)
        # More may be there, of a run at full size.
        if not complete.exists() or not set(packages.split()) <= set(complete.read_text().split()):
            unpack_tools(machine)
            write_commands(machine)
            unpack_system(machine, SYSTEM)
            complete.write_text(packages)
        write_commands(machine)
        build(machine)
    return machine


# ------------------------------------------------------------ packages


def apt(machine: Machine, architecture: str) -> list[str]:
    """Options that make apt work on packages of an architecture, in a Debian that has none yet."""
    options: list[str] = private(SUITE, machine.directory / f"apt-{architecture}")
    return [*options, *of_architecture(architecture)]


def unpack_tools(machine: Machine) -> None:
    options = apt(machine, "amd64")
    packages = machine.directory / "packages"
    packages.mkdir(parents=True, exist_ok=True)
    command("apt-get", *options, "-q", "update")
    command("apt-get", *options, "-q", "download", *TOOLS, directory=packages)
    machine.tools.mkdir(exist_ok=True)
    for package in sorted(packages.glob("*.deb")):
        command("dpkg-deb", "-x", str(package), str(machine.tools))


def make_builder() -> Machine:
    """The machine with all that packages are built of."""
    machine = make_machine()
    with only_here("arm64"):
        complete = machine.directory / "complete-libraries"
        packages = " ".join(SYSTEM + LIBRARIES)
        if not complete.exists() or complete.read_text() != packages:
            write_database(machine, unpack_system(machine, LIBRARIES))
            complete.write_text(packages)
    return machine


def unpack_system(machine: Machine, wanted: tuple[str, ...]) -> list[Path]:
    """Unpack packages, with all that they depend on; gives all that the system has."""
    options = apt(machine, "arm64")
    recommends = ["-o", "APT::Install-Recommends=false"]
    command("apt-get", *options, "-q", "update")
    command("apt-get", *options, *recommends, "-q", "-y", "--download-only", "install", *wanted)
    for name in ("bin", "sbin", "lib"):
        (machine.system / "usr" / name).mkdir(parents=True, exist_ok=True)
        link = machine.system / name
        link.unlink(missing_ok=True)
        link.symlink_to(f"usr/{name}")
    archives = machine.directory / "apt-arm64" / SUITE / "cache" / "archives"
    packages = sorted(archives.glob("*.deb"))
    for package in packages:
        tar = machine.directory / "package.tar"
        with tar.open("wb") as file:
            file.write(contents(package))
        keep = ("--keep-directory-symlink", "--no-same-owner")
        command("tar", "-xf", str(tar), "-C", str(machine.system), *keep, *WITHOUT)
        tar.unlink()
    for link in (machine.system / "usr/lib" / TRIPLE).iterdir():
        if link.is_symlink() and link.readlink().is_absolute():
            follow_inside(machine, link)
    leave_names(machine)
    return packages


def leave_names(machine: Machine) -> None:
    """Leave nothing but names of what libc6-dbg says of the C library.

    Valgrind reads it whenever a program starts, which takes a third of what a small program takes there.
    lib/leanlibc.py does so for programs of this machine, and cases/test_leanlibc.py proves that it changes no
    count.
    """
    for name in ("ld-linux-aarch64.so.1", "libc.so.6", "libm.so.6"):
        notes = command("readelf", "-n", str(machine.system / "usr/lib" / TRIPLE / name))
        build_id = notes.partition("Build ID: ")[2].split()[0]
        file = machine.system / "usr/lib/debug/.build-id" / build_id[:2] / f"{build_id[2:]}.debug"
        command(str(machine.commands / "objcopy"), "--strip-debug", str(file))


def follow_inside(machine: Machine, link: Path) -> None:
    """Let a link to a path of the system lead there from outside of it: the linker follows it."""
    target = machine.system / link.readlink().relative_to("/")
    link.unlink()
    link.symlink_to(os.path.relpath(target, link.parent))


def write_database(machine: Machine, packages: list[Path]) -> None:
    """Say to dpkg which packages the system has, so that one that is built can say which it needs."""
    database = machine.system / "var/lib/dpkg"
    shutil.rmtree(database, ignore_errors=True)
    (database / "info").mkdir(parents=True)
    (database / "info/format").write_text("1\n")  # names have architectures
    (database / "arch").write_text("amd64\narm64\n")
    status = []
    for package in packages:
        fields = command("dpkg-deb", "-f", str(package))
        status.append(f"{fields}\nStatus: install ok installed\n")
        known = dict(line.split(": ", 1) for line in fields.splitlines() if ": " in line)
        name = known["Package"]
        if known.get("Multi-Arch") == "same":
            name += f":{known['Architecture']}"
        control = machine.directory / "control"
        command("dpkg-deb", "-e", str(package), str(control))
        for kind in ("shlibs", "symbols", "triggers"):
            if (control / kind).exists():
                shutil.copy(control / kind, database / "info" / f"{name}.{kind}")
        shutil.rmtree(control)
        paths = [line.split()[5] for line in command("dpkg-deb", "-c", str(package)).splitlines()]
        # The paths are those where the files are now: there the libraries are found.
        places = [machine.system / path for path in paths]
        names = [f"{place.parent.resolve() / place.name}\n" for place in places]
        (database / "info" / f"{name}.list").write_text("".join(names))
    (database / "status").write_text("\n".join(status))


def contents(package: Path) -> bytes:
    """The files of a package, as tar has them."""
    ended = subprocess.run(
        ["dpkg-deb", "--fsys-tarfile", str(package)], capture_output=True, check=False
    )
    if ended.returncode != 0:
        raise FetchError(f"{package.name}: {ended.stderr.decode(errors='replace')}")
    return ended.stdout


# ------------------------------------------------------------ commands

COMPILER = """#!/bin/sh
LD_LIBRARY_PATH={tools}/usr/lib/x86_64-linux-gnu exec {tools}/usr/bin/{name} {options} "$@"
"""

# The machine's own, which compiles for all processors; `ld` is found in PATH.
CLANG = """#!/bin/sh
exec {clang} -target {triple} --sysroot={system} --gcc-toolchain={tools}/usr "$@"
"""

# Valgrind's own launcher would ask the kernel to run the tool.
VALGRIND = """#!/bin/sh
tool=memcheck
for word; do case $word in --tool=*) tool=${{word#--tool=}};; esac; done
export VALGRIND_LIB="${{VALGRIND_LIB:-{library}}}" VALGRIND_LAUNCHER={launcher}
export QEMU_CPU="${{QEMU_CPU:-{processor}}}"
exec {emulator} "$VALGRIND_LIB/$tool-arm64-linux" "$@"
"""
# A processor that Valgrind 3.19 knows all of: lines of 64 bytes, atomics of Armv8.1, no SVE.
PROCESSOR = "neoverse-n1"


def write_commands(machine: Machine) -> None:
    """Compilers and their like by the names that tests call them, and valgrind."""
    compilers = {name: f"{TRIPLE}-{name}-12" for name in ("gcc", "g++", "cpp")}
    binutils = ("objdump", "readelf", "nm", "strip", "as", "ld", "ar", "objcopy")
    for name, program in (compilers | {name: f"{TRIPLE}-{name}" for name in binutils}).items():
        options = f"--sysroot={machine.system}" if name in compilers else ""
        text = COMPILER.format(tools=machine.tools, name=program, options=options)
        for called in (name, f"{TRIPLE}-{name}"):
            write_command(machine.commands / called, text)
    clang = shutil.which("clang")
    if clang:
        text = CLANG.format(clang=clang, triple=TRIPLE, system=machine.system, tools=machine.tools)
        write_command(machine.commands / "clang", text)
    text = VALGRIND.format(
        emulator=" ".join(map(str, machine.emulator)),
        processor=PROCESSOR,
        launcher=machine.valgrind,
        library=machine.tested / ".in_place",
    )
    write_command(machine.valgrind, text)


def write_command(path: Path, text: str) -> None:
    """Write a script, unless it is there: another module may run it now."""
    path.parent.mkdir(exist_ok=True)
    if path.exists() and path.read_text() == text:
        return
    path.write_text(text)
    path.chmod(0o755)


# ------------------------------------------------------------ the build


def build(machine: Machine) -> None:
    """The tool for arm64, and a build directory for tests: commands and library are those of this machine."""
    top = source()
    environment = {"PATH": machine.environment()["PATH"]}
    machine.build.mkdir(exist_ok=True)
    flags = f"{'-g -O2' if FULL else '-O1'} -Werror"
    if not (machine.build / "Makefile").exists():
        must(
            top / "configure",
            f"--host={TRIPLE}",
            f"--with-valgrind={machine.system / 'usr'}",
            f"CFLAGS={flags}",
            directory=machine.build,
            **environment,
        )
    words = [f"-j{os.cpu_count() or 1}"]
    if not FULL:
        make_tools(machine.build, flags=flags, **environment)
        words += made_tools(machine.build)
    wrapper = ".as_callgrind/bin/valgrind"
    made = ("cg2-arm64-linux", ".in_place/.made", wrapper)
    must("make", *words, *made, directory=machine.build, **environment)
    machine.tested.mkdir(exist_ok=True)
    # The wrapper with the valgrind that can run here.
    text = (machine.build / wrapper).read_text()
    text = text.replace(f"'{machine.system / 'usr/bin/valgrind'}'", f"'{machine.valgrind}'")
    (machine.tested / wrapper).parent.mkdir(parents=True, exist_ok=True)
    write_command(machine.tested / wrapper, text)
    link_to(machine.tested / ".in_place", machine.build / ".in_place")
    for name in ("tools", "libcg2profile.so.1"):
        link_to(machine.tested / name, BUILD / name)


def link_to(link: Path, target: Path) -> None:
    if link.is_symlink() and link.readlink() == target:
        return
    link.unlink(missing_ok=True)
    link.symlink_to(target)
