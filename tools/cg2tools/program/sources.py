"""What a source file is like, and its lines.

A source is a file of text, called as sources are, and in no hidden directory.
"""

import errno
import io
import os
import re
import stat
from collections.abc import Iterable, Sequence
from typing import BinaryIO

_SUFFIXES = frozenset(
    """
    ada adb ads al ali asm c c++ cc cl clj cob cpp cppm cr cs cu cuh cxx d dart def dpr erl ex f f03 f08
    f77
    f90 f95 for fpp fs ftn g go gperf h h++ hh hip hpp hs hxx i icc ii impl in inc inl ino ipp ispc ixx
    java jl js jsx kt l lex lisp ll lpp lua m mi ml mli mm mojo mpp mut nim odin p pas php pl pm pp proto pxd
    pxi py pyx r rb re rs s scala scm sv swift sx t tbl tcc template tmpl tpp ts tsx txx v vala vapi vhd vhdl
    x xs y yacc ypp yy zig
    """.split()
)
"""What names of sources end in, in lower case, by the languages that have debug information."""

_PLAIN = re.compile(r"/usr/include/.*|.*/include/(?:.*/)?c\+\+/.*")
"""Where headers are whose names have no end, such as <vector>."""

_SPECIAL = re.compile(r"/(?:proc|sys|dev|run)/")
"""Where files are that only look like files."""

_HIDDEN = re.compile(r"/\.(?!(?:cargo|rustup|conan2?|nix-profile|local|cache|build)/)[^/]")
"""A hidden file or directory, but for those that have sources of packages, or are built in."""

_LARGEST = 1 << 26
"""Bytes of the largest file that is taken for a source."""


def is_called_so(path: str) -> bool:
    """Whether a source is called so, in no hidden directory but one that a person is in."""
    here = os.path.join(os.path.realpath("."), "")
    whole = os.path.normpath(os.path.join(here, path))
    below = whole.removeprefix(here.rstrip("/")) if whole.startswith(here) else whole
    if _HIDDEN.search(below):
        return False
    end = os.path.basename(whole).rpartition(".")[2].lower()
    has_end = "." in os.path.basename(whole) and end in _SUFFIXES
    return has_end or bool(_PLAIN.fullmatch(whole))


def is_below(real: str, directories: Sequence[str]) -> bool:
    """Whether a file is below one of some directories, and not hidden there."""
    for directory in directories:
        top = os.path.join(os.path.realpath(directory), "")
        if real.startswith(top) and not _HIDDEN.search("/" + real.removeprefix(top)):
            return True
    return False


def is_text(real: str) -> bool:
    """Whether it is a file of text, of a size that a source may have, and has the bytes that it says."""
    if _SPECIAL.match(real):
        return False
    try:
        with _opened(real) as stream:
            size = os.fstat(stream.fileno()).st_size
            text = stream.read(size + 1) if size <= _LARGEST else b"\0"
            return len(text) == size and b"\0" not in text
    except OSError:
        return False


def is_other_name(real: str) -> bool:
    """Whether a file that not everybody may read has another name, too: a link to it may be a stranger's."""
    file = os.stat(real)
    return file.st_nlink > 1 and not file.st_mode & stat.S_IROTH


def _opened(path: str) -> BinaryIO:
    """A file that is opened to be read; OSError if it is none: a pipe makes nobody wait."""
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    if stat.S_ISREG(os.fstat(file).st_mode):
        return os.fdopen(file, "rb")
    os.close(file)
    raise OSError(errno.EINVAL, "it is no file", path)


_SYSTEM = re.compile(r"/(?:usr/(?:include|lib\w*)|rustc)/|.*/\.(?:cargo|rustup)/")


def is_system(name: str) -> bool:
    """Whether a file belongs to a compiler or a library that is installed, not to a program: a header of C++,
    a crate."""
    return bool(_SYSTEM.match(os.path.normpath(name)))


def source_lines(path: str) -> list[str]:
    """The lines of a source file."""
    with io.TextIOWrapper(_opened(path), encoding="utf-8", errors="surrogateescape") as stream:
        texts = stream.read().split("\n")
    if texts[-1] == "":
        texts.pop()
    return texts


def near(numbers: Iterable[int], context: int, count: int) -> list[int]:
    """The lines of a file of `count` lines that are within `context` lines of
    one of these numbers; other numbers are passed over."""
    shown: set[int] = set()
    for number in numbers:
        if 0 < number <= count:
            shown.update(range(max(1, number - context), min(count, number + context) + 1))
    return sorted(shown)
