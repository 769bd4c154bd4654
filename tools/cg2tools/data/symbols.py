"""Symbols of variables as programmers write them: C++'s and Rust's, which the tool writes as they are.

    as_written("_ZN6shapes5countE")          shapes::count
    as_written("_RNvNtCs1_3std2io6STDOUT")   std::io::STDOUT
"""

import re
from functools import cache

from cg2tools.bindings.demangler import demangled
from cg2tools.data.rustsymbols import rust_name

_HASH = re.compile(r"::h[0-9a-f]{16}$")
"""What Rust puts behind names to tell them apart."""


def as_written(text: str) -> str:
    """The text of a static object's name with what stands in the source for its symbol, the first word."""
    symbol, blank, rest = text.partition(" ")
    mangled, dot, suffix = symbol.partition(".")
    return f"{_demangled(mangled)}{dot}{suffix}{blank}{rest}"


@cache
def _demangled(symbol: str) -> str:
    if symbol.startswith("_R"):
        return rust_name(symbol)
    if symbol.startswith("_Z"):
        return _HASH.sub("", demangled(symbol))
    return symbol
