"""What Debian packages of cg2 hold, for any architecture."""

from __future__ import annotations

from pathlib import Path

from building import must

COMMANDS = ("annotate", "control", "convert", "diff", "merge", "report")


def contents(triplet: str, architecture: str) -> set[str]:
    """What the package of the tool has, whatever else it has: Debian's triplet, Valgrind's name of the
    architecture."""
    libraries = f"usr/lib/{triplet}"
    return {
        *(f"usr/{name}" for name in ("bin/cg2", "include/cg2/cg2.h", "share/man/man1/cg2.1.gz")),
        f"usr/libexec/cg2/as_callgrind/callgrind-{architecture}-linux",
        f"usr/libexec/valgrind/cg2-{architecture}-linux",
        *("usr/libexec/cg2/bin/valgrind", "usr/libexec/valgrind/cg2-machines/zen3.machine"),
        *(f"usr/bin/cg2_{name}" for name in COMMANDS),
        *(f"usr/share/man/man1/cg2_{name}.1.gz" for name in COMMANDS),
        *(f"usr/share/man/man1/cg2-{name}.1.gz" for name in ("annotate", "data", "trend", "top")),
        "usr/share/bash-completion/completions/cg2",
        *(f"usr/share/bash-completion/completions/cg2_{name}" for name in COMMANDS),
        *(f"usr/share/zsh/vendor-completions/_cg2_{name}" for name in COMMANDS),
        *(f"usr/share/fish/vendor_completions.d/cg2_{name}.fish" for name in COMMANDS),
        *(
            f"usr/share/doc/cg2/{name}"
            for name in ("NEWS", "README", "guide/README.md", "copyright")
        ),
        *("usr/share/cg2/tools/cg2tools/report/report.html", f"{libraries}/libcg2profile.so.1"),
        *("usr/share/cg2/libcg2debug.so.0", f"{libraries}/libcg2debug.so.0"),
    }


def development_contents(triplet: str) -> set[str]:
    """The same for what programs are built with."""
    libraries = f"usr/lib/{triplet}"
    return {
        *("usr/include/cg2profile.h", f"{libraries}/libcg2profile.so"),
        *(f"{libraries}/pkgconfig/libcg2profile.pc", "usr/share/man/man3/libcg2profile.3.gz"),
    }


def listed(package: Path) -> set[str]:
    """The files and links of a Debian package, without its directories."""
    lines = must("dpkg-deb", "-c", package).splitlines()
    return {line.split()[5].removeprefix("./") for line in lines if line[0] != "d"}


def package(directory: Path, name: str) -> Path:
    (found,) = directory.glob(f"{name}_*.deb")
    return found
