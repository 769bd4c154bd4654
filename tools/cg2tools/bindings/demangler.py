"""Names of symbols as C++'s own library writes them."""

import ctypes
from functools import cache


@cache
def _runtime() -> ctypes.CDLL | None:
    """C++'s library, which has a function for this; None: the system has none."""
    try:
        found = ctypes.CDLL("libstdc++.so.6")
    except OSError:
        return None
    found.__cxa_demangle.restype = ctypes.c_void_p
    return found


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
