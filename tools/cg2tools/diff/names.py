"""Names of functions and files of two builds, made alike."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from cg2tools.profile.graphcolumns import Graph, graph_of
from cg2tools.profile.matching import Matching, Named
from cg2tools.profile.model import FunctionKey, Part
from cg2tools.profile.ranprogram import program_run
from cg2tools.profile.transform import (
    Rename,
    Substitution,
    all_renamed,
    renamed_keys,
    renamed_lines,
)

_CLONE = re.compile(
    r" \[clone [^]]*\]| \(\.[\w.]+\)"
    r"|\.(?:constprop|isra|part|cold|lto_priv|llvm)(?:\.\d+)*(?![^.'\s])"
)

_BRACKET = re.compile(r"(\boperator\s*(?:<=>|<<=?|>>=?|->\*?|[<>]=?)\s?|->|<|>)")


@dataclass(frozen=True, slots=True)
class Renamed:
    """A part's call graph, in which functions and files have other names."""

    named: Named
    estimated: Set[str]  # names, of functions whose calls are estimated


@dataclass(frozen=True, slots=True)
class Names:
    """The rules by which names of two builds are made alike."""

    fold_paths: bool = True
    fold_clones: bool = True
    fold_templates: bool = False
    mod_filename: Sequence[Substitution] = field(default_factory=list)
    mod_funcname: Sequence[Substitution] = field(default_factory=list)
    data_types: Sequence[tuple[str, str]] = field(default_factory=list)
    """Patterns of data objects, and their types: members are told by their names."""

    def apply(self, part: Part, program: str) -> Renamed:
        """The part with the names that the rules give, which may make one of two functions.

        With `fold_paths` the object that was run is named `program`.
        """
        if self._change_levels():
            return self.apply_to_lines(part, program)
        own = program_of(part)
        estimated = frozenset(all_renamed(part.estimated, self._rules(own, program)[1]))
        return Renamed(self.named(graph_of(part.lines), own, program), estimated)

    def named(self, graph: Graph, own: str, program: str) -> Named:
        """A graph with the names that the rules give; `own` is the program that was run."""
        return Named(graph, *self._other_names(graph, own, *self._rules(own, program)))

    def apply_to_lines(self, part: Part, program: str) -> Renamed:
        """The same; functions that are one then have one row of lines."""
        files, functions = self.rules(part, program)
        estimated = frozenset(all_renamed(part.estimated, functions))
        return Renamed(Named(Graph(renamed_lines(part, files, functions))), estimated)

    def _other_names(
        self, graph: Graph, own: str, files: Sequence[Rename], functions: Sequence[Rename]
    ) -> tuple[dict[int, str], dict[int, str]]:
        """The names of files and of nodes that the rules change: those that a rule may change are tried."""
        profile = graph.part.profile
        if self.mod_filename:
            names = dict(enumerate(profile.names))
        else:  # rules that change a path, and the name of the program
            names = profile.names_with("/") | {number: own for number in profile.numbers_of(own)}
        other = dict(zip(names, all_renamed(names.values(), files)))
        nodes: Sequence[int] = []
        if self._change_levels():
            nodes = range(len(graph.names))
        elif functions:
            nodes = graph.names.of_names(profile.names_with(".["))
        before = [graph.names.name(node) for node in nodes]
        return (
            {number: name for number, name in other.items() if name != names[number]},
            {
                node: now
                for node, was, now in zip(nodes, before, all_renamed(before, functions))
                if was != now
            },
        )

    def _change_levels(self) -> bool:
        """Whether the rules may change the recursion levels that names end with."""
        return bool(self.mod_funcname) or self.fold_templates

    def rules(
        self,
        part: Part,
        program: str,
    ) -> tuple[list[Rename], list[Rename]]:
        """How files (and objects) and how functions are renamed."""
        return self._rules(program_of(part), program)

    def renamed(self, keys: Sequence[FunctionKey], own: str, program: str) -> list[FunctionKey]:
        """Functions with the names that the rules give; `own` is the program that was run."""
        return renamed_keys(keys, *self._rules(own, program))

    def _rules(self, own: str, program: str) -> tuple[list[Rename], list[Rename]]:
        files: list[Rename] = [*self.mod_filename]
        functions: list[Rename] = [*self.mod_funcname]
        if self.fold_paths:
            files += [last_component, lambda name: program if name == own else name]
        if self.fold_clones:
            functions.append(without_clones)
        if self.fold_templates:
            functions.append(without_template_arguments)
        return files, functions


def program_of(part: Part) -> str:
    """The program that was run, without its directory."""
    return program_in(part.cmd, part.lines.objects)


def program_in(command: str, objects: Iterable[str]) -> str:
    """The program of a command line, one of the objects if it is among them, without its directory."""
    return last_component(program_run(command, objects))


def last_component(path: str) -> str:
    return path.rpartition("/")[2] or path


def without_clones(name: str) -> str:
    """`f.constprop.0`, a copy that the compiler made of f, as `f`."""
    if "." not in name and "[" not in name:
        return name  # as most are, which is faster
    return _CLONE.sub("", name) or name


def without_template_arguments(name: str) -> str:
    """`f<g<int> >(int)` as `f<>(int)`; a name that is not understood stays."""
    if "<" not in name:
        return name  # as most are in C
    kept: list[str] = []
    depth = 0
    before = ""
    for text in _BRACKET.split(name):
        if text == "<" and (depth or _takes_arguments(before)):
            depth += 1
            if depth == 1:
                kept.append("<")
        elif text == ">" and depth:
            depth -= 1
            if not depth:
                kept.append(">")
        elif not depth:
            kept.append(text)
        before = text or before
    return name if depth else "".join(kept)


def _takes_arguments(text: str) -> bool:
    """Whether `<` after the text begins template arguments, as it does in C++."""
    return (
        text.startswith("operator")
        or text.endswith("operator()")
        or text[-1:].isalnum()
        or text[-1:] in ("_", "]")
    )


# ---- Files that differ -----------------------------------------------------


def in_other_file(old: Set[FunctionKey], new: Set[FunctionKey]) -> dict[FunctionKey, FunctionKey]:
    """Functions of OLD that NEW has in another file, by NEW's key.

    A function is the same if both have one of its object and name and no more.
    """
    return changed_files(old - new, new - old, lambda: (old, new))


def changed_files(
    gone: Set[FunctionKey],
    come: Set[FunctionKey],
    all_of: Callable[[], Iterable[Iterable[FunctionKey]]],
) -> dict[FunctionKey, FunctionKey]:
    """The same of what only OLD and only NEW has; `all_of` gives all functions of OLD, and of NEW."""
    were, are = _by_place(gone), _by_place(come)
    moved = were.keys() & are.keys()
    if not moved:
        return {}
    for keys in all_of():
        count = Counter(_place(key) for key in keys)
        moved = {place for place in moved if count[place] == 1}
    return {were[place]: are[place] for place in moved}


def files_with_other_names(
    moved: Mapping[FunctionKey, FunctionKey], old: Set[str], new: Set[str]
) -> dict[str, str]:
    """Files of OLD that NEW has under another name: the one where most of their functions are.

    Only OLD has a file of the first name, and only NEW one of the other.
    """
    pairs = Counter(
        (was.file, now.file)
        for was, now in moved.items()
        if was.file not in new and now.file not in old
    )
    found: dict[str, str] = {}
    for (was, now), _ in pairs.most_common():
        if was not in found and now not in found.values():
            found[was] = now
    return found


def numbers_of_files(
    matching: Matching,
    moved: Mapping[FunctionKey, FunctionKey],
    old_files: Sequence[int],
    new_files: Sequence[int],
) -> dict[int, int]:
    """The same by numbers of a matching, which are those of `old_files` and `new_files`."""
    texts = matching.texts
    old, new = ({texts[number] for number in set(files)} for files in (old_files, new_files))
    file_as = files_with_other_names(moved, old, new)
    number_of = {
        text: number for number, text in enumerate(texts) if text in new or text in file_as
    }
    return {number_of[was]: number_of[now] for was, now in file_as.items()}


def _by_place(keys: Iterable[FunctionKey]) -> dict[tuple[str, str], FunctionKey]:
    return {_place(key): key for key in keys}


def _place(key: FunctionKey) -> tuple[str, str]:
    return key.object, key.name
