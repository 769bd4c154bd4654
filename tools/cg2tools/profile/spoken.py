"""Names of functions as a person says them; cg2profile/display.h has the rules.

    names = Spoken(node.key for node in nodes)
    names.name_of(key)         "std::vector<int>::push_back", "libgcc_s.so.1+0x14c40"
    names.label_of(key)        with file and object, as str(key); the object once
"""

import os
from collections.abc import Iterable, Sequence
from itertools import chain, filterfalse, repeat
from operator import attrgetter

from cg2tools.bindings.interface import profile_library, reference, text_of
from cg2tools.bindings.structures import ADDRESS, SIZE, cg2p_error
from cg2tools.profile.libcg2profile import Texts, raise_error
from cg2tools.profile.terms import UNKNOWN, FunctionKey

_NONE = repeat(None)

_function_of = attrgetter("name", "object")
"""What tells a name apart from others."""


class Spoken:
    """What is shown for the names of functions, which are told apart if they are shown together."""

    def __init__(self, keys: Iterable[FunctionKey], full: bool = False) -> None:
        """With `full`, names are shown as they are."""
        self._names: dict[tuple[str, str], str] = {}
        self.is_full = full
        self.add(keys)

    def add(self, keys: Iterable[FunctionKey]) -> None:
        """Have names of others, which are told apart from each other."""
        if self.is_full:
            return
        functions = dict.fromkeys(map(_function_of, keys))
        new = list(filterfalse(self._names.__contains__, functions))
        self._names.update(zip(new, _spoken(new)))

    def name_of(self, key: FunctionKey) -> str:
        """What is shown for the name of a function."""
        return self.names_of([key])[0]

    def names_of(self, keys: Sequence[FunctionKey]) -> list[str]:
        """What is shown for the names of functions."""
        if self.is_full:
            return [key.name for key in keys]
        try:
            return list(map(self._names.__getitem__, map(_function_of, keys)))
        except KeyError:
            self.add(keys)
            return self.names_of(keys)

    def key_of(self, key: FunctionKey) -> FunctionKey:
        """A function as it is shown: the object of one without a name stands in its name alone."""
        name = self.name_of(key)
        says_object = name != key.name and name.startswith(f"{os.path.basename(key.object)}+0x")
        return key._replace(name=name, object=UNKNOWN if says_object else key.object)

    def label_of(self, key: FunctionKey) -> str:
        """What is shown for a function: file, name and object."""
        return str(self.key_of(key))


class Groups:
    """The same for many small groups, of which each is shown together."""

    def __init__(self, full: bool = False) -> None:
        self._is_full = full
        self._alone: dict[tuple[str, str], str] = {}
        """What is shown for a function that no other is shown with."""

    def names_of(self, keys: Sequence[FunctionKey]) -> list[str]:
        """What is shown for the names of the functions of a group."""
        if self._is_full:
            return [key.name for key in keys]
        functions = list(map(_function_of, keys))
        for function in filterfalse(self._alone.__contains__, functions):
            self._alone.update(zip([function], _spoken([function])))
        names = [self._alone[function] for function in functions]
        if len(set(names)) == len(set(functions)):
            return names
        return Spoken(keys).names_of(keys)


def _spoken(functions: list[tuple[str, str]]) -> list[str]:
    """What to say of names, each with its object."""
    found = profile_library()
    error = cg2p_error()
    texts = Texts(list(chain.from_iterable(functions)))
    asked = ADDRESS(texts.address), SIZE(len(functions)), reference(error)
    address = found.cg2p_display_new(*asked)
    if not address:
        raise_error(error, "names")
    handle = ADDRESS(address)
    try:
        said = map(found.cg2p_display_name, repeat(handle), map(SIZE, range(len(functions))), _NONE)
        return list(map(text_of, said))
    finally:
        found.cg2p_display_free(handle)
