"""A booted arm64 machine: Debian's kernel under an emulator of the whole machine, for what an emulator of
programs lacks.

Its files are those of the emulated Debian, in one archive that the kernel takes into memory; there is no
disk. A shell script is all that it runs. What it leaves comes back over the serial line, between marks.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from building import must, only_here
from cg2test import HANG, env, new_directory
from emulation import Machine, apt
from fetch import FetchError, command

EMULATOR = ("qemu-system-arm",)
KERNEL = "linux-image-cloud-arm64"
# What is of no use there, and large.
WITHOUT = re.compile(
    r"usr/(include|share|libexec/valgrind|lib/(debug|gcc|locale|valgrind|aarch64-linux-gnu/(perl|gconv)))"
    r"(/|$)|.*\.(a|o)$"
)
NOTHING = re.compile(r"(?!)")
VALGRINDS = re.compile(
    r"(none|getoff|memcheck)-arm64-linux|vgpreload_core-arm64-linux.so|default.supp"
)

# The first process. Files come back as lines of hexadecimal numbers: a terminal changes other bytes.
INIT = b"""#!/bin/bash
export PATH=/usr/bin:/usr/sbin HOME=/ LC_ALL=C
mount() { busybox mount "$@"; }
mount -t proc proc /proc; mount -t sysfs sys /sys; mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp; chmod 1777 /tmp
cd /job
bash ./script < /dev/null > /tmp/output 2>&1
echo "@@ status $?"
cp /tmp/output /out/output
cd /out
for file in *; do echo "@@ file $file"; od -An -v -tx1 "$file"; done
echo "@@ end"
echo o > /proc/sysrq-trigger
sleep 60
"""


@dataclass(frozen=True)
class Result:
    """What a script has left."""

    status: int
    output: str
    files: dict[str, bytes]


def boot(
    machine: Machine,
    script: str,
    programs: Mapping[str, Path],
    trees: Mapping[str, Path] | None = None,
) -> Result:
    """Run a shell script there, in a directory with these programs; what it puts into /out comes back.

    The tool is where Valgrind's are, and its commands in /opt; or else there are these directories, by where
    they are to be.
    """
    with only_here("arm64"):
        kernel = unpack(machine)
    tool = tool_files(machine) if trees is None else tree_files(trees)
    archive = new_directory() / "files.cpio"
    with archive.open("wb") as file:
        for number, entry in enumerate(entries(machine, script, programs, tool), start=1):
            file.write(member(number, *entry))
        file.write(member(0, "TRAILER!!!", 0, b""))
    emulator = machine.directory / "emulator"
    library = emulator / "usr/lib/x86_64-linux-gnu"
    ended = subprocess.run(
        [
            emulator / "usr/bin/qemu-system-aarch64",
            *("-L", emulator / "usr/share/qemu"),
            *("-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "2048"),
            *("-accel", "tcg,thread=multi", "-nographic", "-nodefaults", "-no-reboot"),
            *("-serial", "stdio", "-net", "none", "-kernel", kernel, "-initrd", archive),
            *("-append", "console=ttyAMA0 quiet loglevel=0 panic=-1 nokaslr rdinit=/start"),
        ],
        env=env(LD_LIBRARY_PATH=f"{library}:{emulator / 'lib/x86_64-linux-gnu'}"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=HANG,
        check=False,
    )
    return result_of(ended.stdout.replace("\r", ""), ended.stderr)


def result_of(said: str, complaint: str) -> Result:
    found = re.search(r"^@@ status (\d+)\n(.*)^@@ end$", said, re.MULTILINE | re.DOTALL)
    if not found:
        raise AssertionError(f"the machine did not come to its end:\n{said}{complaint}")
    _, *parts = re.split(r"^@@ file (.*)\n", found[2], flags=re.MULTILINE)
    files = {name: bytes.fromhex(text) for name, text in zip(parts[::2], parts[1::2], strict=True)}
    return Result(int(found[1]), files["output"].decode(errors="replace"), files)


# ------------------------------------------------------------ packages


def unpack(machine: Machine) -> Path:
    """The kernel; downloads and unpacks it, and the emulator, if they are not there yet."""
    emulator, kernel = (machine.directory / name for name in ("emulator", "kernel"))
    if not (kernel / "complete").exists():
        for package in downloaded(machine, "amd64", *EMULATOR):
            # The library of C is that of the machine that this runs on.
            if not package.name.startswith("libc6_"):
                command("dpkg-deb", "-x", str(package), str(emulator))
        for package in downloaded(machine, "arm64", KERNEL, "busybox-static"):
            if package.name.startswith(("linux-image-", "busybox-static_")):
                command("dpkg-deb", "-x", str(package), str(kernel))
        (kernel / "complete").touch()
    found = sorted(kernel.glob("boot/vmlinuz-*"))
    if not found:
        raise FetchError(f"{KERNEL}: no kernel in it")
    return found[-1]


def downloaded(machine: Machine, architecture: str, *names: str) -> list[Path]:
    """Packages, and all that they need."""
    archives = machine.directory / f"packages-{names[0]}"
    (archives / "partial").mkdir(parents=True, exist_ok=True)
    options = [*apt(machine, architecture), "-o", f"Dir::Cache::archives={archives}"]
    options += ["-o", "APT::Install-Recommends=false"]
    command("apt-get", *options, "-q", "update")
    command("apt-get", *options, "-q", "-y", "--download-only", "install", *names)
    return sorted(archives.glob("*.deb"))


# ------------------------------------------------------------ the archive


Entry = tuple[str, int, bytes]  # name, mode, contents


def entries(
    machine: Machine, script: str, programs: Mapping[str, Path], tool: Iterator[Entry]
) -> Iterator[Entry]:
    """Each file of the machine."""
    yield "start", stat.S_IFREG | 0o755, INIT
    for name in ("dev", "proc", "sys", "tmp", "job", "out", "run"):
        yield name, stat.S_IFDIR | 0o755, b""
    yield "dev/console", stat.S_IFCHR | 0o600, b""
    yield from files_of(machine.system, "", WITHOUT)
    yield "usr/bin/busybox", stat.S_IFREG | 0o755, (
        machine.directory / "kernel/bin/busybox"
    ).read_bytes()
    yield "usr/libexec/valgrind", stat.S_IFDIR | 0o755, b""
    yield from matching(machine.system / "usr/libexec/valgrind", VALGRINDS)
    yield from tool
    yield "job/script", stat.S_IFREG | 0o755, script.encode()
    for name, path in programs.items():
        yield f"job/{name}", stat.S_IFREG | 0o755, path.read_bytes()


def tool_files(machine: Machine) -> Iterator[Entry]:
    """cg2 where Valgrind's tools are, and the commands."""
    with only_here("arm64"):
        path = machine.environment()["PATH"]
        must("make", "libcg2profile.so.1", directory=machine.build, PATH=path)
    yield from matching(machine.tested / ".in_place", re.compile("cg2-arm64-linux"))
    yield from files_of((machine.tested / "tools").resolve(), "opt/tools")
    library = machine.build / "libcg2profile.so.1"
    yield f"opt/{library.name}", stat.S_IFREG | 0o755, library.read_bytes()


def tree_files(trees: Mapping[str, Path]) -> Iterator[Entry]:
    for below, top in trees.items():
        yield from files_of(top, below)


def matching(directory: Path, names: re.Pattern[str]) -> Iterator[Entry]:
    """Files of a directory, where Valgrind's tools are."""
    for path in sorted(directory.iterdir()):
        if names.fullmatch(path.name):
            yield f"usr/libexec/valgrind/{path.name}", stat.S_IFREG | 0o755, path.read_bytes()


def files_of(top: Path, below: str, without: re.Pattern[str] = NOTHING) -> Iterator[Entry]:
    """What is in a directory, but for these names, in an order in which directories come first."""
    if below:
        parts = below.split("/")
        for n in range(len(parts)):
            yield "/".join(parts[: n + 1]), stat.S_IFDIR | 0o755, b""
    for directory, names, files in os.walk(top):
        here = Path(directory)
        names[:] = sorted(name for name in names if name != "__pycache__")
        names[:] = [
            name for name in names if not without.match(str((here / name).relative_to(top)))
        ]
        for name in sorted(names + files):
            path = here / name
            if without.match(str(path.relative_to(top))):
                continue
            inside = f"{below}/{path.relative_to(top)}".lstrip("/")
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                yield inside, mode, os.readlink(path).encode()
            elif stat.S_ISDIR(mode):
                yield inside, mode, b""
            elif stat.S_ISREG(mode):
                yield inside, mode, path.read_bytes()


def member(number: int, name: str, mode: int, data: bytes) -> bytes:
    """A file as an archive of cpio has it (newc). Source: the kernel's buffer-format.rst."""
    device = (5, 1) if stat.S_ISCHR(mode) else (0, 0)  # the console
    fields = [number, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(name.encode()) + 1, 0]
    head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
    return padded(head) + padded(data)


def padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
