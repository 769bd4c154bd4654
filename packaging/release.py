#!/usr/bin/python3
"""Makes a release: the tarball, an archive that is unpacked and run, and their checksums.

    release.py BUILD [VALGRIND...]

BUILD is a directory in which cg2 is configured and built; what is made is in BUILD/release. Where it is
configured for another processor (--host), so is the archive. A VALGRIND is a prefix, as configure's
--with-valgrind takes it; without one, the Valgrinds of Debian's suites are fetched. The archive has a tool
for each. The same source gives the same bytes: names are sorted, all files are of one owner and of one time,
that of SOURCE_DATE_EPOCH, or else of the commit, or else of configure.ac.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
SUITES = ("bookworm", "trixie", "sid")

# Debian's names of architectures, where Valgrind has others.
DEBIAN = {"x86": "i386"}

# Where cg2 and Valgrind are, as far as configure is told: no path of this machine is in what is built, and
# what says these names is rewritten.
PREFIX = "/cg2-prefix"
HOME = "/valgrind-prefix"

# What a release has beyond the commit: by autotools, and by npm.
MADE = re.compile(
    r"(configure|Makefile\.in|aclocal\.m4|build-aux/(compile|depcomp|install-sh|missing|py-compile)"
    r"|tools/cg2tools/report/report\.html)"
)


class ReleaseError(Exception):
    """There can be no release; says why in one line."""


def main() -> int:
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        print("usage: release.py BUILD [VALGRIND...]", file=sys.stderr)
        return 2
    build = Path(sys.argv[1]).resolve()
    try:
        for path in release(build, [Path(name).resolve() for name in sys.argv[2:]]):
            print(path)
    except (ReleaseError, OSError) as error:
        print(f"release.py: {error}", file=sys.stderr)
        return 1
    return 0


def release(build: Path, valgrinds: list[Path]) -> list[Path]:
    """Make all that a release has; give the paths."""
    here = build / "release"
    work = here / "work"
    shutil.rmtree(here, ignore_errors=True)
    work.mkdir(parents=True)
    time = source_time()
    source = distribution(build, work)
    made = [packed(source, here / f"{source.name}.tar.gz", time)]
    platform = makefile_variable(build, "valgrind_platform")
    architecture = platform.removesuffix("-linux")
    top = work / f"{source.name}-linux-{architecture}"
    host = makefile_variable(build, "host_alias")
    prefixes = valgrinds or fetched(build, architecture if host else "")
    builds = [installed(source, prefix, host) for prefix in prefixes]
    compose(top, architecture, builds)
    made.append(packed(top, here / f"{top.name}.tar.xz", time))
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made]
    (here / "SHA256SUMS").write_text("".join(sums))
    shutil.rmtree(work)
    return [*made, here / "SHA256SUMS"]


# ------------------------------------------------------------ the source


def source_time() -> int:
    """The time of all files, in seconds since 1970."""
    told = os.environ.get("SOURCE_DATE_EPOCH")
    if told:
        if not told.isdecimal():
            raise ReleaseError(f"SOURCE_DATE_EPOCH={told}: expected seconds since 1970")
        return int(told)
    if is_checkout():
        return int(command("git", "log", "-1", "--format=%ct", directory=SOURCE))
    return int((SOURCE / "configure.ac").stat().st_mtime)


def is_checkout() -> bool:
    return (SOURCE / ".git").exists()


def distribution(build: Path, work: Path) -> Path:
    """What `make dist` packs, and of a checkout only what its commit has, and what was made of that."""
    version = makefile_variable(build, "VERSION")
    top = work / f"cg2-{version}"
    if is_checkout() and command("git", "status", "--porcelain", directory=SOURCE):
        raise ReleaseError("there are changes that are not committed; a release is of a commit")
    command("make", "distdir", f"distdir={top.relative_to(build)}", directory=build)
    if is_checkout():
        known = set(command("git", "ls-files", directory=SOURCE).splitlines())
        for path in files(top):
            name = str(path.relative_to(top))
            if name not in known and not MADE.fullmatch(name):
                path.unlink()
    return top


def makefile_variable(build: Path, name: str) -> str:
    found = re.search(rf"(?m)^{name} =(?: (.*))?$", (build / "Makefile").read_text())
    if not found:
        raise ReleaseError(f"{build}/Makefile has no {name}: is cg2 built there?")
    return found[1] or ""


# ------------------------------------------------------------ builds


def fetched(build: Path, architecture: str) -> list[Path]:
    """The prefixes of the Valgrinds of Debian's suites: of this machine's, or that architecture."""
    fetch = SOURCE / "tests" / "versions" / "fetch.py"
    options = [f"--architecture={DEBIAN.get(architecture, architecture)}"] if architecture else []
    said = command(sys.executable, str(fetch), *options, str(build / "tests-versions"), *SUITES)
    return [Path(line) for line in said.splitlines()]


def installed(source: Path, valgrind: Path, host: str) -> tuple[str, Path]:
    """Build for one Valgrind: its version, and the directory that all is installed in."""
    directory = source.with_name(f"build-{len(list(source.parent.iterdir()))}")
    directory.mkdir()
    options = [f"--prefix={PREFIX}", f"--with-valgrind={valgrind}", f"--with-valgrind-home={HOME}"]
    options += [f"--host={host}"] if host else []
    # A relative path to the source, so that none of this machine is in messages of assertions.
    configure = Path("..", source.name, "configure")
    command(str(configure), *options, "CFLAGS=-O2", "--quiet", directory=directory)
    command("make", f"-j{os.cpu_count() or 1}", directory=directory)
    stage = directory / "stage"
    command("make", "install", f"DESTDIR={stage}", directory=directory)
    version = makefile_variable(directory, "valgrind_version")
    return version, stage / PREFIX.removeprefix("/")


def compose(top: Path, architecture: str, builds: list[tuple[str, Path]]) -> None:
    """The archive: all of the first build, and the tools of each in libexec/cg2/VERSION."""
    shutil.copytree(builds[0][1], top, symlinks=True)
    tools = top / "libexec" / "cg2"
    shutil.rmtree(tools)
    shutil.copytree(builds[0][1] / "libexec/cg2/cg2-machines", tools / "cg2-machines")
    for version, build in builds:
        compose_tools(tools / version, build / "libexec" / "cg2")
    (tools / "valgrind").symlink_to("/usr/libexec/valgrind")
    (tools / "bin").mkdir()
    shutil.copy(SOURCE / "packaging" / "valgrind", tools / "bin")
    versions = ", ".join(sorted(version for version, _ in builds))
    text = (SOURCE / "packaging" / "archive.txt").read_text()
    for name, value in (
        ("VERSION", top.name.split("-")[1]),
        ("ARCHITECTURE", architecture),
        ("VALGRINDS", versions),
    ):
        text = text.replace(f"@{name}@", value)
    (top / "README").write_text(text)
    relocate(top)


def compose_tools(directory: Path, build: Path) -> None:
    """What Valgrind takes for its own directory: links, to the one link that says where Valgrind is."""
    directory.mkdir(parents=True)
    as_callgrind = build / "as_callgrind"
    for path in sorted((as_callgrind if as_callgrind.is_dir() else build).iterdir()):
        target = os.readlink(path) if path.is_symlink() else ""
        if path.name == "cg2-machines":
            (directory / path.name).symlink_to("../cg2-machines")
        elif target == f"{HOME}/bin/{path.name}":
            (directory / path.name).symlink_to(f"../valgrind/../../bin/{path.name}")
        elif target.startswith(HOME):
            (directory / path.name).symlink_to(f"../valgrind/{path.name}")
        elif Path(target or path.name).name == path.name:
            shutil.copy(build / path.name, directory)
        else:
            (directory / path.name).symlink_to(Path(target).name)


def relocate(top: Path) -> None:
    """Have what names the prefix find it when it runs."""
    edit(top / "bin/cg2", f"'{HOME}/bin/valgrind'", '"$prefix/libexec/cg2/bin/valgrind"')
    edit(top / "bin/cg2", rf"'{PREFIX}/([^']*)'", r'"$prefix/\1"')
    found = 'prefix=$(dirname "$(dirname "$(readlink -f "$0")")")'
    edit(top / "bin/cg2", r"\n\ncommands=", f"\n\n{found}\ncommands=")
    edit(
        top / "lib/pkgconfig/libcg2profile.pc",
        rf"(?m)^prefix={PREFIX}$",
        r"prefix=${pcfiledir}/../..",
    )
    for path in files(top):
        content = os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
        if PREFIX.encode() in content or HOME.encode() in content:
            raise ReleaseError(f"{path.relative_to(top)} still names {PREFIX} or {HOME}")


def edit(path: Path, pattern: str, text: str) -> None:
    path.write_text(re.sub(pattern, text, path.read_text()))


# ------------------------------------------------------------ archives


def packed(top: Path, archive: Path, time: int) -> Path:
    """Pack a directory so that nothing but names, contents and who may run them is in the archive."""
    tar = ["tar", "--create", "--format=gnu", "--sort=name", f"--mtime=@{time}", "--owner=0"]
    tar += ["--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", top.name]
    # What packs by several threads, or is told so by its environment, cuts elsewhere.
    pack = ["xz", "-9", "--threads=1"] if archive.suffix == ".xz" else ["gzip", "-9", "--no-name"]
    options = {"LC_ALL": "C", "TAR_OPTIONS": "", "XZ_OPT": "", "XZ_DEFAULTS": "", "GZIP": ""}
    environment = os.environ | options
    with archive.open("wb") as output:
        read = subprocess.Popen(tar, cwd=top.parent, env=environment, stdout=subprocess.PIPE)
        packer = subprocess.run(
            pack, stdin=read.stdout, stdout=output, env=environment, check=False
        )
        if read.wait() != 0 or packer.returncode != 0:
            raise ReleaseError(f"{archive.name} could not be packed")
    return archive


def files(top: Path) -> Iterator[Path]:
    """All files and links below a directory."""
    found = (path for path in top.rglob("*") if path.is_symlink() or not path.is_dir())
    yield from sorted(found)


def command(*words: str, directory: Path = SOURCE) -> str:
    """Run a command that has to succeed; give its output, stripped."""
    inherited = {
        k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")
    }
    ended = subprocess.run(
        words, cwd=directory, env=inherited, capture_output=True, text=True, check=False
    )
    if ended.returncode != 0:
        complaint = (ended.stderr.splitlines() or ["failed"])[-1]
        raise ReleaseError(f"{' '.join(words)}: {complaint}")
    return ended.stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
