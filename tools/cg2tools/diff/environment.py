"""What differs besides the program, as descriptions of two profiles say, and which causes that explains."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from cg2tools.diff.conditions import of_repeatable
from cg2tools.diff.matches import variant_of
from cg2tools.diff.summands import Summands
from cg2tools.profile.explanation import REPLACED
from cg2tools.profile.terms import OBJECTS, Header

_Descriptions = Mapping[str, str]
_Explained = Callable[[Summands], Sequence[int]]
"""The places of the causes that something explains, of those that are left."""

_SYSTEM = "/lib", "/usr/lib"
"""Where libraries are that come with the system."""


def environments(old: Header, new: Header, found: Summands) -> list[tuple[str, Sequence[int]]]:
    """What differs, and the places of the causes that it explains; these are no longer left."""
    below = []
    was, now = old.descriptions, new.descriptions
    for what, explained in [
        *_of_machine(was, now),
        *_of_libraries(was, now),
        *_of_world(old, new),
    ]:
        places = explained(found)
        if places:
            found.take(places)
            below.append((what, places))
    return below


def same_objects(old: _Descriptions, new: _Descriptions) -> Set[str]:
    """Objects whose code is the same in both, by build-id; without their directories."""
    was, now = (
        {_file(path): said for path, said in _build_ids(each).items()} for each in (old, new)
    )
    return {name for name, said in was.items() if now.get(name) == said}


def _of_machine(old: _Descriptions, new: _Descriptions) -> Iterator[tuple[str, _Explained]]:
    """What is said to differ, and which causes it explains."""
    found: dict[str, _Explained] = {
        "CPU": lambda found: [*_variants(found), *found.of_system("linker")],
        "Environment": lambda found: found.of_system("linker"),
    }
    for kind, explained in found.items():
        was, now = old.get(kind, ""), new.get(kind, "")
        if was and now and was != now:
            yield f"{kind}: {was}, then {now}", explained


def _variants(found: Summands) -> list[int]:
    """Where a library chose another of its functions for the processor."""

    def is_variant(place: int) -> bool:
        was, now = found.ends(place)
        return bool(was and now and variant_of(was.name) == variant_of(now.name))

    return [place for place in found.of_kind(REPLACED) if is_variant(place)]


def _of_libraries(old: _Descriptions, new: _Descriptions) -> Iterator[tuple[str, _Explained]]:
    """The same of libraries of the system that were built anew; others are what one works on."""
    was, now = _build_ids(old), _build_ids(new)
    for path in sorted(was.keys() & now.keys()):
        if path.startswith(_SYSTEM) and was[path] != now[path]:
            yield f"{_file(path)}: another build", _in_object(_file(path))


def _of_world(old: Header, new: Header) -> Iterator[tuple[str, _Explained]]:
    """The same of what the program was told of time, chance and machine: where the command line and all
    code are the same, whatever else differs comes from there."""
    if old.cmd == new.cmd and _is_same_code(old.descriptions, new.descriptions):
        for condition in of_repeatable(old.descriptions, new.descriptions):
            said = f"{condition.kind}: {condition.old}, then {condition.new}"
            yield said, lambda found: found.left


def _is_same_code(old: _Descriptions, new: _Descriptions) -> bool:
    """Whether it is known of all objects that they are the same."""
    was, now = _objects(old), _objects(new)
    return bool(was) and was == now


def _in_object(name: str) -> _Explained:
    """What finds causes that are in the code of an object."""
    return lambda found: found.in_object(name)


def _build_ids(descriptions: _Descriptions) -> dict[str, str]:
    """The build-ids of objects, by path."""
    said_of = _objects(descriptions)
    return {path: said for path, said in said_of.items() if said.startswith("build-id=")}


def _objects(descriptions: _Descriptions) -> dict[str, str]:
    """What tells each object from another build of it, by path."""
    words = [word.partition(" ") for word in descriptions.get(OBJECTS, "").split("\t")]
    return {path: said for said, _, path in words if path}


def _file(path: str) -> str:
    return path.rpartition("/")[2]
