/* Regions: what the core says about the memory that is mapped. */
#ifndef CG2_REGIONS_H
#define CG2_REGIONS_H

#include "base/vg.h"

typedef enum RegionKind {
   REGION_UNKNOWN, /* nothing is mapped, or not for the program */
   REGION_ANONYMOUS,
   REGION_FILE,
   REGION_SHARED /* System V's shared memory */
} RegionKind;

/* Addresses [start, end) that were mapped in one way. */
typedef struct Region {
   Addr start, end;
   RegionKind kind;
   const HChar* path; /* of a file; NULL: not known. The core's, until memory is
                         mapped or unmapped. */
   Off64T offset;     /* of `start` in the file */
} Region;

/* The region that an address lies in; its page if nothing is mapped there. */
Region cg2_regions_find(Addr address);

/* Calls `visit` for each region of the program that is anonymous. */
void cg2_regions_each_anonymous(void (*visit)(const Region* region));

/* Whether the program can read `size` bytes from an address on. */
Bool cg2_regions_is_readable(Addr start, SizeT size);

/* The number of the thread whose stack lies in a region, or 0. */
UInt cg2_regions_thread(const Region* region);

#endif
