"""What differs besides the program, as descriptions of two profiles say, and which causes that explains."""

from collections.abc import Callable, Iterator, Mapping, Set

from cg2tools.diff.cause import Cause
from cg2tools.diff.matches import variant_of
from cg2tools.profile.terms import OBJECTS

_Descriptions = Mapping[str, str]
_Explains = Callable[[Cause], bool]

_SYSTEM = "/lib", "/usr/lib"
"""Where libraries are that come with the system."""

_OF_CODE = "self", "work", "replaced", "added", "removed", "inlined", "outlined"


def put_below(causes: list[Cause], old: _Descriptions, new: _Descriptions) -> list[Cause]:
    """The causes, with those that the environment explains below it."""
    for what, explains in [*_of_machine(old, new), *_of_libraries(old, new)]:
        below = [cause for cause in causes if explains(cause)]
        if below:
            causes = [cause for cause in causes if not any(cause is each for each in below)]
            sums = [sum(column) for column in zip(*(cause.costs for cause in below))]
            causes.append(Cause("environment", sums, what=what, below=below))
    return causes


def same_objects(old: _Descriptions, new: _Descriptions) -> Set[str]:
    """Objects whose code is the same in both, by build-id; without their directories."""
    was, now = (
        {_file(path): said for path, said in _build_ids(each).items()} for each in (old, new)
    )
    return {name for name, said in was.items() if now.get(name) == said}


def _of_machine(old: _Descriptions, new: _Descriptions) -> Iterator[tuple[str, _Explains]]:
    """What is said to differ, and which causes it explains."""
    found: dict[str, _Explains] = {
        "CPU": _is_variant,
        "Environment": lambda cause: cause.kind == "linker",
    }
    for kind, explains in found.items():
        was, now = old.get(kind, ""), new.get(kind, "")
        if was and now and was != now:
            yield f"{kind}: {was}, then {now}", explains


def _is_variant(cause: Cause) -> bool:
    """Whether a library chose another of its functions for the processor."""
    was, now = cause.was, cause.function
    return bool(
        cause.kind == "replaced" and was and now and variant_of(was.name) == variant_of(now.name)
    )


def _of_libraries(old: _Descriptions, new: _Descriptions) -> Iterator[tuple[str, _Explains]]:
    """The same of libraries of the system that were built anew; others are what one works on."""
    was, now = _build_ids(old), _build_ids(new)
    for path in sorted(was.keys() & now.keys()):
        if path.startswith(_SYSTEM) and was[path] != now[path]:
            yield f"{_file(path)}: another build", _is_in(_file(path))


def _is_in(object: str) -> _Explains:
    """What tells causes that are in the code of an object."""
    return lambda cause: bool(
        cause.kind in _OF_CODE and cause.function and _file(cause.function.object) == object
    )


def _build_ids(descriptions: _Descriptions) -> dict[str, str]:
    """The build-ids of objects, by path."""
    words = [word.partition(" ") for word in descriptions.get(OBJECTS, "").split("\t")]
    return {path: said for said, _, path in words if said.startswith("build-id=")}


def _file(path: str) -> str:
    return path.rpartition("/")[2]
