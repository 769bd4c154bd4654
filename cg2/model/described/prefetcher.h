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
 * page: an entry for each page, by its number, in a table of `entries`, a power
 * of two. It knows the lowest and the highest line of the page that were seen,
 * and a direction: up when a line is above these, down when one is below. A
 * page that is new has the direction of the page that was moved last, at first
 * up. The lines from `distance` ahead in the direction are loaded: a quarter of
 * `degree`, or all, once lines have moved the page twice that were at most four
 * further. Source: what AMD says of its second levels, that they fetch more
 * lines of a sequence, and by history the next or the previous line (Software
 * Optimization Guide for Zen 4, 57647); the numbers are of chases on an EPYC of
 * Zen 4.
 *
 *    next line, degree 2      asked for line 7: loads 8, 9
 *    stride, distance 1       an instruction reads 0x100, 0x180, 0x200, 0x280:
 *                             the step was 0x80 three times: loads 0x300's line
 *    stream, distance 2       lines 7, 8, 9: loads line 11
 *    page, degree 8           lines 30, 28, 29, 27: loads 31, 32, then 27, 26,
 *                             then 28, 27, then 26 to 19
 *
 * No line is loaded beyond the page of the access. */
#ifndef CG2_PREFETCHER_H
#define CG2_PREFETCHER_H

#include "model/described/processor.h"

typedef struct PrefetchEntry {
   Addr key;       /* stride: the instruction; page: its number + 1 */
   Addr last;      /* stride: the last address; stream: the last line; page: the
                      highest */
   UWord lowest;   /* page: the lowest line */
   PtrdiffT step;  /* stride: bytes; stream: 1 or -1, or 0 if it has just begun;
                      page: 1 or -1 */
   ULong moved;    /* stream: `now` when it moved last; 0: never */
   UInt n_repeats; /* how often the step came again, or a page was moved by a
                      few lines, up to two */
} PrefetchEntry;

typedef struct Prefetcher {
   PrefetcherConfig config;
   UInt line_bits;         /* log2 of a line's bytes */
   UInt page_bits;         /* log2 of a page's bytes */
   PrefetchEntry* entries; /* [config.entries]; NULL: next line needs none */
   ULong now;              /* stream: accesses seen so far */
   PtrdiffT last_step;     /* page: of the page that was moved last */
} Prefetcher;

/* Makes a prefetcher for lines of `line` bytes and pages of `page`, which are
 * powers of two. */
void cg2_prefetcher_init(Prefetcher* prefetcher,
                         const PrefetcherConfig* config,
                         UInt line,
                         UInt page);

/* Sees an access of the instruction at `instr` to `addr`. Writes the numbers of
 * the lines to load, in that order, to `lines`, which has room for
 * PREFETCH_DEGREE_MAX. Returns how many they are. */
UInt cg2_prefetcher_see(Prefetcher* prefetcher,
                        Addr instr,
                        Addr addr,
                        UWord* lines);

/* Forgets all accesses. */
void cg2_prefetcher_clear(Prefetcher* prefetcher);

#endif
