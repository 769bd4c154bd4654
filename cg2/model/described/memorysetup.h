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
 * Generated code leaves out accesses that change nothing. For each set of a
 * first level, and of a first-level TLB, a table has the line or page that was
 * touched last there, or CACHE_NONE: see MemoryFilter. The tables are those of
 * the core that runs.
 *
 * Owner of everything here: the process's machine. Nothing is freed. */
#ifndef CG2_MEMORYSETUP_H
#define CG2_MEMORYSETUP_H

#include "base/table.h"
#include "model/described/level.h"
#include "model/described/memoryevents.h"
#include "model/described/prefetcher.h"

enum { MEMORY_DATA, MEMORY_CODE, MEMORY_PATHS };
enum { MEMORY_KNOWN_SETS = 4096 }; /* of a table of what was touched last */

/* A cache of one core, or of all cores. */
typedef struct Node {
   const CacheConfig* config;
   UInt line_bits;
   Level level;
   Level victims; /* the victim cache; only if config->victims */
   Prefetcher prefetcher;
   UWord* reads; /* [set]: the address of the line that a read would not
                    change anything of; NULL: there is no such table */
   UWord*
      writes; /* [set]: the same for a write; NULL: there is no such table */
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
   Level tlbs[3];                                  /* [TLB_...] */
   Table lost;                                     /* LostLine, by line */
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
   Bool has_data_tlb; /* False: one first-level TLB is for code and data */
   Bool knows_pages;  /* the tables of first-level TLBs are kept */
   UChar write_marks; /* LineMarks that a line has if a write changes nothing */
   MemoryBits bits;
   LostLine* taken;   /* by the access that was made last */
   MemoryTaking lost; /* how that access had lost a line, if it had */
   UWord code_lines[MEMORY_KNOWN_SETS], read_lines[MEMORY_KNOWN_SETS];
   UWord write_lines[MEMORY_KNOWN_SETS];
   UWord code_pages[MEMORY_KNOWN_SETS], data_pages[MEMORY_KNOWN_SETS];
} Memory;

/* The memory of the process's machine. `memory` changes what its levels hold,
 * and the tables; all else changes only here. */
extern Memory cg2_memorysetup;

/* Makes empty caches for a processor that cg2_processor_check() accepts, which
 * stays valid. Private caches are the process's, or each core's. */
void cg2_memorysetup_init(const Processor* processor, Bool has_cores);

/* Lets core `core`, from 0, make all accesses from now on. */
void cg2_memorysetup_run_on(UInt core);

/* Forgets all lines and pages of all cores. */
void cg2_memorysetup_clear(void);

/* The largest access to data, in bytes: see cg2_access_data_max(). */
UInt cg2_memorysetup_data_max(void);

/* By which generated code knows that an access changes nothing: the access lies
 * in one line, whose address lines[line number & line_mask] is, and on a page,
 * whose address pages[page number & page_mask] is. The tables never move. */
typedef struct MemoryFilter {
   const UWord* lines; /* NULL: each access has to be made */
   UInt line_bits;
   UWord line_mask;    /* sets - 1 */
   const UWord* pages; /* NULL: there are no TLBs */
   UInt page_bits;
   UWord page_mask; /* sets - 1 */
} MemoryFilter;

MemoryFilter cg2_memorysetup_filter(AccessKind kind);

/* A first-level TLB, and the table of what was touched last in its sets. */
typedef struct MemoryPages {
   Level* tlb;
   UWord* known;
} MemoryPages;

/* The first-level TLB that a core's accesses to code, or to data, go to. */
static inline MemoryPages cg2_memorysetup_pages(Core* core, Bool is_code)
{
   Memory* memory = &cg2_memorysetup;
   if (is_code || !memory->has_data_tlb)
      return (MemoryPages){&core->tlbs[TLB_CODE], memory->code_pages};
   return (MemoryPages){&core->tlbs[TLB_DATA], memory->data_pages};
}

#endif
