/* Allocations: stretches of memory that do not overlap, and whose they are.
 *
 * Most programs have very many small ones. These lie in lists by page of 4 KiB,
 * each list sorted by address, at 12 bytes an allocation. Larger ones lie in
 * lists by larger pages, so that no allocation reaches into more than 16 pages;
 * the few that are too large for any page lie in one sorted list. */
#ifndef CG2_ALLOCATIONS_H
#define CG2_ALLOCATIONS_H

#include "base/table.h"

typedef struct Allocation {
   Addr start;
   SizeT size; /* bytes; 0: there is no such allocation */
   UInt owner; /* a number that the caller gave */
} Allocation;

/* The pages of one size. */
typedef struct AllocationLevel {
   Table pages;
   struct AllocationPage* last; /* the page that was found last, or NULL */
   UWord n;                     /* allocations */
} AllocationLevel;

enum { ALLOCATION_LEVELS = 3 };

/* A set of allocations. All zero is the empty set. */
typedef struct Allocations {
   AllocationLevel levels[ALLOCATION_LEVELS];
   Allocation* large; /* by address */
   UInt n_large, capacity;
   UWord n; /* all allocations */
} Allocations;

/* Adds an allocation; those that it overlaps are gone, as nobody saw them
 * freed. */
void cg2_allocations_add(Allocations* set, Addr start, SizeT size, UInt owner);

/* Removes the allocation that begins at `start`, and returns it. */
Allocation cg2_allocations_remove(Allocations* set, Addr start);

/* Takes the bytes of a stretch out of all allocations: what is left of one on
 * either side is an allocation of its own. */
void cg2_allocations_cut(Allocations* set, Addr start, SizeT size);

/* The allocation that an address lies in. */
Allocation cg2_allocations_find(Allocations* set, Addr address);

/* The first allocation that has bytes in a stretch. */
Allocation cg2_allocations_first(Allocations* set, Addr start, SizeT size);

/* Makes [*low, *high), a stretch around an address that lies in no allocation,
 * smaller until it has no byte of one. The stretch is within 4 KiB. */
void cg2_allocations_narrow(Allocations* set,
                            Addr address,
                            Addr* low,
                            Addr* high);

#endif
