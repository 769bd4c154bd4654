"""Rust's symbols of the newer kind (RFC 2603) as Valgrind, and so a profile, writes them.

    rust_name("_RINvC1g5applyNtB2_2SqKj7_EB2_")   g::apply::<g::Sq, 7>
"""

from collections.abc import Callable

_BASE = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DEPTH_MAX = 100
_LENGTH_MAX = 10_000
"""Letters of a name: what refers back to itself again and again says more than anyone reads."""

_BASIC = {
    "a": "i8",
    "b": "bool",
    "c": "char",
    "d": "f64",
    "e": "str",
    "f": "f32",
    "h": "u8",
    "i": "isize",
    "j": "usize",
    "l": "i32",
    "m": "u32",
    "n": "i128",
    "o": "u128",
    "p": "_",
    "s": "i16",
    "t": "u16",
    "u": "()",
    "v": "...",
    "x": "i64",
    "y": "u64",
    "z": "!",
}


class _UnknownError(Exception):
    """What is read is no such symbol."""


def rust_name(symbol: str) -> str:
    """What a symbol stands for in the source; the symbol itself, if it is not of this kind."""
    try:
        return _Symbol(symbol).name()
    except (_UnknownError, ValueError, OverflowError):
        return symbol


class _Letters:
    """A symbol that is read from left to right: its letters, numbers and names."""

    def __init__(self, symbol: str) -> None:
        self._text = symbol.removeprefix("_R")
        self._at = 0
        self._depth = 0
        self._length = 0

    def _eat(self, letter: str) -> bool:
        found = self._text.startswith(letter, self._at)
        self._at += found
        return found

    def _next(self) -> str:
        if self._at >= len(self._text):
            raise _UnknownError
        self._at += 1
        return self._text[self._at - 1]

    def _number(self) -> int:
        """A number in base 62, which a `_` ends: "_" is 0, "0_" is 1."""
        end = self._text.find("_", self._at)
        if end < 0:
            raise _UnknownError
        number = 0
        for digit in self._text[self._at : end]:
            number = number * len(_BASE) + _BASE.index(digit)
        number += end > self._at
        self._at = end + 1
        return number

    def _optional(self, letter: str) -> int:
        """0: the letter is not there; else the number behind it, and 1."""
        return self._number() + 1 if self._eat(letter) else 0

    def _identifier(self) -> tuple[str, int]:
        """A name, and the number that tells it from others of this name."""
        number = self._optional("s")
        is_encoded = self._eat("u")
        start = self._at
        if not self._eat("0"):
            while self._at < len(self._text) and self._text[self._at] in _BASE[:10]:
                self._at += 1
        length = int(self._text[start : self._at])
        self._eat("_")
        name = self._text[self._at : self._at + length]
        if len(name) < length:
            raise _UnknownError
        self._at += length
        if is_encoded:
            front, _, back = name.rpartition("_")
            name = f"{front}-{back}".encode("ascii").decode("punycode")
        self._count(length)
        return name, number

    def _count(self, letters: int) -> None:
        self._length += letters
        if self._length > _LENGTH_MAX:
            raise _UnknownError

    def _inside(self, read: Callable[[], str]) -> str:
        """What is inside something else."""
        self._depth += 1
        if self._depth > _DEPTH_MAX:
            raise _UnknownError
        self._count(1)
        text = read()
        self._depth -= 1
        return text

    def _back(self, read: Callable[[], str]) -> str:
        """What stands further in front, behind the B that says so."""
        start = self._at - 1
        target = self._number()
        if target >= start:
            raise _UnknownError
        here, self._at = self._at, target
        text = self._inside(read)
        self._at = here
        return text

    def _list(self, read: Callable[[], str]) -> list[str]:
        """What there is up to an E."""
        found = []
        while not self._eat("E"):
            found.append(self._inside(read))
        return found


class _Symbol(_Letters):
    """Each method reads what it is called by, and gives its text."""

    def __init__(self, symbol: str) -> None:
        super().__init__(symbol)
        self._lifetimes = 0  # that `for<...>` around here names

    def name(self) -> str:
        name = self._path(True)
        if self._at < len(self._text) and self._text[self._at] not in ".$":
            self._path(False)  # of the crate that has this copy
        if self._at < len(self._text) and self._text[self._at] not in ".$":
            raise _UnknownError
        return name + self._text[self._at :]

    # ---- Paths

    def _path(self, is_value: bool) -> str:
        return self._inside(lambda: self._path_of(self._next(), is_value))

    def _path_of(self, kind: str, is_value: bool) -> str:
        if kind == "C":
            return self._identifier()[0]
        if kind == "N":
            return self._nested(is_value)
        if kind in "MX":
            self._optional("s")
            self._path(False)  # where it stands, which is not said
        if kind in "MXY":
            own = self._type()
            return f"<{own}>" if kind == "M" else f"<{own} as {self._path(False)}>"
        if kind == "I":
            outer = self._path(is_value)
            arguments = ", ".join(self._list(self._argument))
            return f"{outer}{'::' if is_value else ''}<{arguments}>"
        if kind == "B":
            return self._back(lambda: self._path(is_value))
        raise _UnknownError

    def _nested(self, is_value: bool) -> str:
        space = self._next()
        outer = self._path(is_value)
        name, number = self._identifier()
        if space.isupper():
            kind = {"C": "closure", "S": "shim"}.get(space, space)
            return f"{outer}::{{{kind}{':' if name else ''}{name}#{number}}}"
        return f"{outer}::{name}" if name else outer

    def _argument(self) -> str:
        if self._eat("L"):
            return self._lifetime(self._number())
        return self._constant() if self._eat("K") else self._type()

    def _lifetime(self, number: int) -> str:
        if not number:
            return "'_"
        index = self._lifetimes - number
        if index < 0:
            raise _UnknownError
        return f"'{chr(ord('a') + index)}" if index < 26 else f"'_{index}"

    # ---- Types and constants

    def _type(self) -> str:
        return self._inside(lambda: self._type_of(self._next()))

    def _type_of(self, kind: str) -> str:
        if kind in _BASIC:
            return _BASIC[kind]
        if kind in "RQ":
            number = self._number() if self._eat("L") else 0
            lifetime = f"{self._lifetime(number)} " if number else ""
            return f"&{lifetime}{'mut ' if kind == 'Q' else ''}{self._type()}"
        if kind in "PO":
            return f"*{'const' if kind == 'P' else 'mut'} {self._type()}"
        if kind == "S":
            return f"[{self._type()}]"
        if kind == "A":
            return f"[{self._type()}; {self._constant()}]"
        if kind == "T":
            types = self._list(self._type)
            return f"({', '.join(types)}{',' if len(types) == 1 else ''})"
        if kind == "F":
            return self._bound(self._function)
        if kind == "D":
            traits = self._bound(lambda: " + ".join(self._list(self._trait)))
            if not self._eat("L"):
                raise _UnknownError
            number = self._number()
            return f"dyn {traits}{f' + {self._lifetime(number)}' if number else ''}"
        if kind == "B":
            return self._back(self._type)
        self._at -= 1
        return self._path(False)

    def _bound(self, read: Callable[[], str]) -> str:
        """What names lifetimes of its own."""
        named = self._optional("G")
        if named > _DEPTH_MAX:
            raise _UnknownError
        self._lifetimes += named
        names = ", ".join(self._lifetime(number) for number in range(named, 0, -1))
        text = read()
        self._lifetimes -= named
        return f"for<{names}> {text}" if named else text

    def _function(self) -> str:
        unsafe = "unsafe " if self._eat("U") else ""
        convention = ""
        if self._eat("K"):
            name = "C" if self._eat("C") else self._identifier()[0].replace("_", "-")
            convention = f'extern "{name}" '
        types = ", ".join(self._list(self._type))
        result = "" if self._eat("u") else f" -> {self._type()}"
        return f"{unsafe}{convention}fn({types}){result}"

    def _trait(self) -> str:
        """A trait with what its types are: `Iterator<Item = u8>`."""
        path = self._path(False)
        bindings = []
        while self._eat("p"):
            name = self._identifier()[0]
            bindings.append(f"{name} = {self._type()}")
        if not bindings:
            return path
        inside = ", ".join(bindings)
        return f"{path[:-1]}, {inside}>" if path.endswith(">") else f"{path}<{inside}>"

    def _constant(self) -> str:
        if self._eat("B"):
            return self._back(self._constant)
        kind = self._next()
        if kind == "p":
            return "_"
        is_negative = kind in "aslxni" and self._eat("n")
        end = self._text.find("_", self._at)
        if end < 0:
            raise _UnknownError
        digits = self._text[self._at : end]
        self._at = end + 1
        number = int(digits or "0", 16)
        if kind == "b" and number < 2:
            return "true" if number else "false"
        if kind == "c":
            return repr(chr(number))
        if kind not in "htmyojaslxni":
            raise _UnknownError
        said = f"0x{digits}" if len(digits) > 16 else str(number)
        return f"-{said}" if is_negative else said
