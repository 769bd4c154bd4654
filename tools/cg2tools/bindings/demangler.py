"""Names of symbols as C++'s own library writes them, and GCC's, which knows Rust, too."""

import ctypes
from functools import cache

from cg2tools.bindings.interface import debug_library


@cache
def _runtime() -> ctypes.CDLL | None:
    """C++'s library, which has a function for this; None: the system has none."""
    try:
        found = ctypes.CDLL("libstdc++.so.6")
    except OSError:
        return None
    found.__cxa_demangle.restype = ctypes.c_void_p
    return found


@cache
def symbol_demangler() -> int | None:
    """Where libcg2debug has a cg2p_demangler of all that objdump demangles; None: it is not there, or was
    built without GCC's library."""
    try:
        demangle = debug_library().cg2d_symbol_demangle
    except FileNotFoundError:
        return None
    name = demangle(b"_RNvC5crate4name")
    ctypes.CDLL(None).free(ctypes.c_void_p(name))
    return ctypes.cast(demangle, ctypes.c_void_p).value if name else None


def demangled(symbol: str) -> str:
    """What a symbol stands for in the source; the symbol, if it is none of C++'s or the system has no such
    library."""
    runtime = _runtime()
    if runtime is None:
        return symbol
    status = ctypes.c_int()
    text = runtime.__cxa_demangle(symbol.encode(), None, None, ctypes.byref(status))
    if not text:
        return symbol
    try:
        return ctypes.string_at(text).decode(errors="replace")
    finally:
        ctypes.CDLL(None).free(ctypes.c_void_p(text))
