"""The allocator and the dynamic linker: which functions are theirs, and totals without them."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from cg2tools.diff.comparison import Comparison, Costs
from cg2tools.diff.names import without_clones
from cg2tools.profile.matching import Matching
from cg2tools.profile.model import Cost, FunctionKey, add_cost

EXCLUDABLE = ("allocator", "linker")

_LINKERS, _OF_LINKER = ("ld-", "ld."), ("_dl_", "__dl_")
"""How objects that are linkers, and names of a linker's functions begin."""

_BINDER = "_dl_runtime_resolve"

_ALLOCATOR = frozenset(
    "malloc free calloc realloc memalign _int_malloc _int_free _int_realloc _int_memalign sysmalloc"
    " malloc_consolidate unlink_chunk sysmalloc_mmap systrim _int_free_merge_chunk"
    " _int_free_create_chunk _int_free_maybe_consolidate checked_request2size tcache_init"
    " ptmalloc_init je_malloc je_free mi_malloc mi_free tc_malloc tc_free __libc_malloc __libc_free"
    " __libc_calloc __libc_realloc _mid_memalign aligned_alloc posix_memalign"
    " alloc_perturb arena_get2 new_heap grow_heap sbrk __sbrk brk __morecore __glibc_morecore"
    " __default_morecore".split()
)


def system_of(key: FunctionKey) -> str:
    """ "allocator" or "linker" if a function is of one, else ""."""
    if key.object.startswith(_LINKERS) or key.name.startswith(_OF_LINKER):
        return "linker"
    return "allocator" if without_clones(key.name) in _ALLOCATOR else ""


def systems_of(matching: Matching) -> bytes:
    """The system of each function, as its place in EXCLUDABLE and 1; 0: none."""
    texts = matching.texts
    of_object, of_name = bytearray(len(texts)), bytearray(len(texts))
    allocator, linker = (EXCLUDABLE.index(name) + 1 for name in ("allocator", "linker"))
    for text in _ALLOCATOR:
        place = bisect_left(texts, text)
        if texts[place : place + 1] == [text]:
            of_name[place] = allocator
        first, end = _that_begin(texts, f"{text}.")  # copies that the compiler made
        of_name[first:end] = bytes([allocator]) * (end - first)
    for beginnings, marks in ((_LINKERS, of_object), (_OF_LINKER, of_name)):
        for beginning in beginnings:
            first, end = _that_begin(texts, beginning)
            marks[first:end] = bytes([linker]) * (end - first)
    by_object = bytes(map(of_object.__getitem__, matching.objects()))
    by_name = bytes(map(of_name.__getitem__, matching.names()))
    return bytes([max(both) for both in zip(by_object, by_name)]) if any(by_object) else by_name


def binders_of(matching: Matching) -> frozenset[int]:
    """The functions by which the linker finds out, at a first call, what is called: nobody asked for that."""
    texts = matching.texts
    first, end = _that_begin(texts, _BINDER)
    if first == end:
        return frozenset()
    return frozenset(
        [number for number, name in enumerate(matching.names()) if first <= name < end]
    )


def _that_begin(texts: Sequence[str], beginning: str) -> tuple[int, int]:
    """Which of texts in order begin so: the first, and the end."""
    behind = beginning[:-1] + chr(ord(beginning[-1]) + 1)
    return bisect_left(texts, beginning), bisect_left(texts, behind)


def without(found: Comparison, systems: Sequence[str]) -> Comparison:
    """The comparison, with totals that have nothing of what these systems' functions cost themselves."""
    if not systems:
        return found
    return replace(
        found,
        old_total=_less(found.old_total, found.old, systems),
        new_total=_less(found.new_total, found.new, systems),
    )


def _less(total: Cost, costs: Costs, systems: Sequence[str]) -> Cost:
    theirs = [0] * len(total)
    for key in costs.keys:
        if system_of(key) in systems:
            add_cost(theirs, costs.cost(key) or [])
    return [whole - part for whole, part in zip(total, theirs)]
