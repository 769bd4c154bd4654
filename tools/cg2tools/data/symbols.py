"""Symbols of variables as programmers write them: C++'s and Rust's, which the tool writes as they are.

    as_written("_ZN6shapes5countE")          shapes::count
    as_written("_RNvNtCs1_3std2io6STDOUT")   std::io::STDOUT
"""

import re
from functools import cache

from cg2tools.bindings.demangler import demangled

_HASH = re.compile(r"::h[0-9a-f]{16}$")
"""What Rust puts behind names to tell them apart."""

_BASE = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DEPTH_MAX = 100


def as_written(text: str) -> str:
    """The text of a static object's name with what stands in the source for its symbol, the first word."""
    symbol, blank, rest = text.partition(" ")
    mangled, dot, suffix = symbol.partition(".")
    return f"{_demangled(mangled)}{dot}{suffix}{blank}{rest}"


@cache
def _demangled(symbol: str) -> str:
    if symbol.startswith("_R"):
        return _rust(symbol)
    if symbol.startswith("_Z"):
        return _HASH.sub("", demangled(symbol))
    return symbol


# ---- Rust -----------------------------------------------------------------------


class _Unknown(Exception):
    """A symbol has what names of variables do not have."""


class _RustPath:
    """Source: RFC 2603; paths of modules and functions alone, without generic arguments."""

    def __init__(self, symbol: str) -> None:
        self._text = symbol.removeprefix("_R")

    def read(self) -> str:
        return self._path(0, 0)[0]

    def _path(self, at: int, depth: int) -> tuple[str, int]:
        """The path that begins there, and where it ends."""
        kind = self._text[at : at + 1]
        if depth == _DEPTH_MAX:
            raise _Unknown
        if kind == "C":
            return self._identifier(at + 1)
        if kind == "N":
            outer, at = self._path(at + 2, depth + 1)
            name, at = self._identifier(at)
            return f"{outer}::{name}" if name else outer, at
        if kind == "B":
            target, end = self._number(at + 1)
            if target >= at:
                raise _Unknown
            return self._path(target, depth + 1)[0], end
        raise _Unknown

    def _identifier(self, at: int) -> tuple[str, int]:
        if self._text[at : at + 1] == "s":
            _, at = self._number(at + 1)
        match = re.compile(r"(u?)([0-9]+)_?").match(self._text, at)
        if not match or match[1]:
            raise _Unknown
        end = match.end() + int(match[2])
        return self._text[match.end() : end], end

    def _number(self, at: int) -> tuple[int, int]:
        """A number in base 62, which a `_` ends: "_" is 0, "0_" is 1."""
        end = self._text.find("_", at)
        if end < 0:
            raise _Unknown
        number = 0
        for digit in self._text[at:end]:
            number = number * len(_BASE) + _BASE.index(digit)
        return number + (end > at), end + 1


def _rust(symbol: str) -> str:
    try:
        return _RustPath(symbol).read()
    except (_Unknown, ValueError):
        return symbol
