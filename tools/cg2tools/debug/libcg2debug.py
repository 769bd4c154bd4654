"""libcg2debug: variables and types of an ELF object, from its debug information.

    with DebugObject("/usr/bin/app") as debug:
        debug.statics()

The header cg2debug.h is the contract of each function that is called here.
"""

from __future__ import annotations

import ctypes
import errno
from dataclasses import dataclass
from functools import cache
from types import TracebackType
from typing import Any, NoReturn

from cg2tools.profile.libpath import library_path

NAME = "libcg2debug.so.0"

_MEMORY = 2  # a kind of errors

_U32 = ctypes.c_uint32
_U64 = ctypes.c_uint64
_Size = ctypes.c_size_t
_Text = ctypes.c_char_p
_Pointer = ctypes.c_void_p


class DebugError(Exception):
    """There is no debug information of an object; the text says of which and why, in one line."""


class _Error(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("text", ctypes.c_char * (4096 + 1024))]


class _Static(ctypes.Structure):
    _fields_ = [
        ("name", _Text),
        ("linkage", _Text),
        ("file", _Text),
        ("address", _U64),
        ("size", _U64),
        ("line", _U32),
        ("is_thread_local", _U32),
    ]


@dataclass(frozen=True, slots=True)
class Static:
    """A static variable."""

    name: str
    """With its namespaces and its function: shapes::count."""
    linkage: str
    """The name of its symbol; "": `name` is."""
    file: str
    line: int
    """Where it is declared; "" and 0: not known."""
    address: int
    size: int
    """In bytes; 0: not known."""
    is_thread_local: bool


_RESULTS: tuple[tuple[Any, str], ...] = (
    (_Pointer, "open inlines"),
    (ctypes.POINTER(_Static), "statics"),
)
"""What functions give that give no int."""


@cache
def library() -> Any:
    """The library; FileNotFoundError if it was not built, or is of another version."""
    path = library_path(NAME)
    try:
        loaded = ctypes.CDLL(str(path))
        for result, names in _RESULTS:
            for name in names.split():
                getattr(loaded, f"cg2d_{name}").restype = result
    except (OSError, AttributeError) as error:
        said = f"cannot be used ({error})" if path.exists() else "was not built"
        raise FileNotFoundError(
            errno.ENOENT,
            f"{said}; expected the library that reads debug information, which is built"
            " where libdw is (Debian: apt-get install libdw-dev)",
            str(path),
        ) from error
    return loaded


def text_of(value: bytes | None) -> str:
    """A text of the library's, as Python has it: bytes that are no UTF-8 are kept."""
    return (value or b"").decode("utf-8", "surrogateescape")


def _raise(error: _Error) -> NoReturn:
    said = text_of(error.text)
    raise MemoryError(said) if error.kind == _MEMORY else DebugError(said)


class DebugObject:
    """An ELF object with debug information; DebugError if it has none."""

    def __init__(self, path: str):
        self._error = _Error()
        self._object = _Pointer(
            library().cg2d_open(path.encode("utf-8", "surrogateescape"), self._refer())
        )
        if not self._object:
            _raise(self._error)

    def _refer(self) -> Any:
        return ctypes.byref(self._error)

    def __enter__(self) -> DebugObject:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        library().cg2d_close(self._object)
        self._object = _Pointer()

    def statics(self) -> list[Static]:
        """All static variables by rising address, thread-local ones behind the others."""
        count = _Size()
        found = library().cg2d_statics(self._object, ctypes.byref(count), self._refer())
        if not found:
            _raise(self._error)
        return [
            Static(
                *(text_of(one.name), text_of(one.linkage), text_of(one.file), one.line),
                *(one.address, one.size, bool(one.is_thread_local)),
            )
            for one in found[: count.value]
        ]

    def inlines(self, addresses: int, length: int, demangles: bool) -> int:
        """Where it lies whose instructions those at some addresses are: a cg2p_inlines.

        It stays until the object is closed, or asked again.
        """
        found = library().cg2d_inlines(
            self._object, _Pointer(addresses), _Size(length), demangles, self._refer()
        )
        if not found:
            _raise(self._error)
        return int(found)
