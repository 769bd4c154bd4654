/* Memory setup: what the memory of a described processor consists of, and how
 * it is made.
 *
 *    core 0   I1 ---+          D1 ---+      a Node is one cache
 *                   +--- L2 ---------+
 *    core 1   I1 ---+   |      D1 ---+
 *                   +--- L2 ---------+
 *                       |
 *    all              L3                    a shared level is one Node
 *
 * A Core has, for code and for data, the path of Nodes that its accesses take,
 * from its first level to the last; and its TLBs. Without cores all threads
 * share core 0.
 *
 * Generated code makes an access by itself if the line is known: see
 * knownlines.h.
 *
 * Owner of everything here: the process's machine. Nothing is freed. */
#ifndef CG2_MEMORYSETUP_H
#define CG2_MEMORYSETUP_H

#include "base/table.h"
#include "model/described/freshpages.h"
#include "model/described/knownlines.h"
#include "model/described/memoryevents.h"
#include "model/described/prefetcher.h"

enum { MEMORY_DATA, MEMORY_CODE, MEMORY_PATHS };
enum { MEMORY_KNOWN_LINES = 4096, MEMORY_KNOWN_PAGES = 1024 };

/* A page that is known to be in a first-level TLB. Its place in a table is
 * what its number says; pages with the same place take it from each other. */
typedef struct KnownPage {
   UWord page;    /* the page's number; CACHE_NONE: no page is known here */
   UInt* stamp;   /* the time of its last touch; NULL: nobody asks for it */
   ULong* groups; /* of Core.groups */
} KnownPage;

/* A cache of one core, or of all cores. */
typedef struct Node {
   const CacheConfig* config;
   UInt line_bits;
   CacheLevel level;
   CacheLevel victims; /* the victim cache; only if config->victims */
   Prefetcher prefetcher;
   KnownLines known[ACCESS_KINDS]; /* of a first level: [kind]: lines to which
                                      such accesses are known to hit */
} Node;

/* A write that took a line from another core. */
typedef struct MemoryTaking {
   Addr addr; /* what it accessed */
   UInt size;
   const void* place; /* what cg2_memory_sign() was told; or NULL */
} MemoryTaking;

/* A line that a write of another core took from a core. */
typedef struct LostLine {
   TableNode node;
   UWord line;
   MemoryTaking by;
   struct LostLine* next; /* that the same access took */
} LostLine;

typedef struct Core {
   Node* path[MEMORY_PATHS][PROCESSOR_LEVELS_MAX]; /* [is it code][depth] */
   CacheLevel tlbs[3];                             /* [TLB_...] */
   /* [TLB_...][slot]: the groups of lines on the page there of which some may
      be known. So a page that goes takes its lines along without a look at
      each. NULL: no page is known. */
   ULong* groups[MEMORY_PATHS];
   Table lost; /* LostLine, by line */
} Core;

typedef struct Memory {
   const Processor* processor;
   Bool has_cores; /* each thread runs on a core of its own */
   UInt n_levels;
   UInt n_shared; /* how many of the levels, the last ones, all cores share */
   Core** cores;  /* [n_cores]; NULL: that core has not run yet */
   UInt n_cores;
   UInt now;                           /* the core that runs */
   Node* shared[PROCESSOR_LEVELS_MAX]; /* [depth]; NULL: each core has one */
   UInt page_bits;
   FreshPages fresh;
   Bool (*is_cleared)(Addr address); /* whether the kernel clears a page there
                                        that is fresh; NULL: it clears none */
   Addr moved; /* how far from its own address the access at hand is placed */
   Bool has_data_tlb; /* False: one first-level TLB is for code and data */
   UChar write_marks; /* LineMarks that a line has if a write changes nothing */
   MemoryBits bits;
   LostLine* taken;   /* by the access that was made last */
   MemoryTaking lost; /* how that access had lost a line, if it had */
   KnownPage pages[MEMORY_PATHS][MEMORY_KNOWN_PAGES]; /* [TLB_...] */
   KnownLine lines[ACCESS_KINDS][MEMORY_KNOWN_LINES];
} Memory;

/* The memory of the process's machine. `memory` changes what its levels hold,
 * and the tables; all else changes only here. */
extern Memory cg2_memorysetup;

/* Makes empty caches for a processor that cg2_processor_check() accepts, which
 * stays valid. Private caches are the process's, or each core's. */
void cg2_memorysetup_init(const Processor* processor, Bool has_cores);

/* Lets the kernel clear pages that the program touches first, where
 * `is_cleared` says so of an address. */
void cg2_memorysetup_clear_pages(Bool (*is_cleared)(Addr address));

/* The memory as a machine. Times begin anew behind PROCESSOR_WAYS_MAX. */
extern const Machine cg2_memorysetup_machine;

/* The lines that generated code may access by itself. The table never moves. It
 * is none if each access has to be made here. */
KnownLines cg2_memorysetup_known(AccessKind kind);

/* Whether touches of pages change stamps. */
Bool cg2_memorysetup_stamps_pages(AccessKind kind);

/* Whether code and data go to the same first level, or the same TLB, so that
 * each access has to be later than the one before. */
Bool cg2_memorysetup_is_unified(void);

/* Which first-level TLB accesses to code, or to data, go to: TLB_CODE or
 * TLB_DATA. */
static inline UInt cg2_memorysetup_tlb(Bool is_code)
{
   return is_code || !cg2_memorysetup.has_data_tlb ? TLB_CODE : TLB_DATA;
}

#endif
