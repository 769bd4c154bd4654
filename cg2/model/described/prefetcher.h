/* A prefetcher: it sees which lines a level was asked for and had not, or had
 * only because they were prefetched, and says which lines to load.
 *
 * next line: the `degree` lines behind that line.
 *
 * stride: an entry for each instruction, by its address, in a table of
 * `entries`, a power of two. It knows the instruction's last address and the
 * step that led there. When a step is equal to the one before, twice in a row,
 * the lines of the addresses `distance`, `distance` + 1, ... steps ahead are
 * loaded, `degree` of them. Source: Fu, Patel and Janssens, Stride Directed
 * Prefetching in Scalar Processors, 1992, and Chen and Baer, 1995.
 *
 * stream: `entries` streams, each a line and a direction. The next line in the
 * direction, or the one behind that, moves a stream; a stream that has just
 * begun takes either direction. When it has moved twice, the `degree` lines
 * from `distance` ahead are loaded. A line that moves no stream begins one, in
 * place of the stream that was moved longest ago. Source: Jouppi, Improving
 * Direct-Mapped Cache Performance..., 1990; Palacharla and Kessler, Evaluating
 * Stream Buffers..., 1994.
 *
 * No line is loaded beyond the page of the access. */
#ifndef CG2_PREFETCHER_H
#define CG2_PREFETCHER_H

#include "model/described/processor.h"

typedef struct PrefetchEntry {
   Addr instr;    /* stride */
   Addr last;     /* stride: address; stream: line */
   PtrdiffT step; /* stride: bytes; stream: +1, -1, or 0 if it has just begun */
   ULong moved;   /* stream: when; 0: never */
   UInt n_repeats; /* of the step */
} PrefetchEntry;

typedef struct Prefetcher {
   PrefetcherConfig config;
   UInt line_bits;
   UInt page_bits;
   PrefetchEntry* entries;
   ULong now; /* stream: accesses seen */
} Prefetcher;

/* Lines have `line` bytes, pages `page`; powers of two. */
void cg2_prefetcher_init(Prefetcher* prefetcher,
                         const PrefetcherConfig* config,
                         UInt line,
                         UInt page);

/* An access of the instruction at `instr` to `addr`. Writes the numbers of the
 * lines that are to be loaded, in that order, to `lines`, which has room for
 * PREFETCH_DEGREE_MAX; the answer is how many they are. */
UInt cg2_prefetcher_see(Prefetcher* prefetcher,
                        Addr instr,
                        Addr addr,
                        UWord* lines);

/* Forgets all accesses. */
void cg2_prefetcher_clear(Prefetcher* prefetcher);

#endif
