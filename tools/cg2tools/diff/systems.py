"""The allocator and the dynamic linker: which functions are theirs, and totals without them."""

from collections.abc import Sequence
from dataclasses import replace

from cg2tools.diff.comparison import Comparison, Costs
from cg2tools.profile.model import Cost, FunctionKey, add_cost

EXCLUDABLE = ("allocator", "linker")

_ALLOCATOR = frozenset(
    "malloc free calloc realloc memalign _int_malloc _int_free _int_realloc _int_memalign sysmalloc"
    " malloc_consolidate unlink_chunk sysmalloc_mmap systrim _int_free_merge_chunk"
    " _int_free_create_chunk _int_free_maybe_consolidate checked_request2size tcache_init"
    " ptmalloc_init je_malloc je_free mi_malloc mi_free tc_malloc tc_free __libc_malloc __libc_free"
    " __libc_calloc __libc_realloc _mid_memalign aligned_alloc posix_memalign"
    " alloc_perturb arena_get2 new_heap grow_heap sbrk __sbrk brk __morecore".split()
)


def system_of(key: FunctionKey) -> str:
    """ "allocator" or "linker" if a function is of one, else ""."""
    if key.object.startswith(("ld-", "ld.")) or key.name.startswith(("_dl_", "__dl_")):
        return "linker"
    return "allocator" if key.name in _ALLOCATOR else ""


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
