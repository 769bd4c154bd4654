"""Names of functions as a person says them; cg2profile.h has the rules.

    names = Spoken(node.key for node in nodes)
    names.name_of(key)         "std::vector<int>::push_back", "libgcc_s.so.1+0x14c40"
    names.label_of(key)        with file and object, as str(key)
"""

import ctypes
from collections.abc import Iterable
from itertools import repeat

from cg2tools.profile.libcg2profile import Error, library, raise_error, text_of
from cg2tools.profile.terms import FunctionKey

_Text = ctypes.c_char_p
_Size = ctypes.c_size_t
_Pointer = ctypes.c_void_p
_NONE = repeat(None)


class Spoken:
    """What is shown for the names of functions, which are told apart if they are shown together."""

    def __init__(self, keys: Iterable[FunctionKey], full: bool = False) -> None:
        """With `full`, names are shown as they are."""
        self._names: dict[tuple[str, str], str] = {}
        self._full = full
        self.add(keys)

    def add(self, keys: Iterable[FunctionKey]) -> None:
        """Have names of others, which are told apart from each other."""
        if self._full:
            return
        functions = list(dict.fromkeys((key.name, key.object) for key in keys))
        new = [function for function in functions if function not in self._names]
        self._names.update(zip(new, _spoken(new)))

    def name_of(self, key: FunctionKey) -> str:
        """What is shown for the name of a function."""
        if self._full:
            return key.name
        known = self._names.get((key.name, key.object))
        if known is None:
            self.add([key])
            known = self._names[key.name, key.object]
        return known

    def label_of(self, key: FunctionKey) -> str:
        """What is shown for a function: file, name and object."""
        return str(key._replace(name=self.name_of(key)))


def _spoken(functions: list[tuple[str, str]]) -> list[str]:
    """What to say of names, each with its object."""
    found = library()
    error = Error()
    texts = [text.encode("utf-8", "surrogateescape") for function in functions for text in function]
    address = found.cg2p_speak(
        (_Text * len(texts))(*texts), _Size(len(functions)), ctypes.byref(error)
    )
    if not address:
        raise_error(error, "names")
    handle = _Pointer(address)
    try:
        said = map(found.cg2p_spoken_name, repeat(handle), map(_Size, range(len(functions))), _NONE)
        return list(map(text_of, said))
    finally:
        found.cg2p_spoken_free(handle)
