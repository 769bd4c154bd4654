/* ELF data: what the bytes of an ELF object are called.
 *
 * A byte belongs to a symbol of data (.symtab, which may be in a separate debug
 * file, .dynsym); where no symbol is, to a section; where no section is, to a
 * segment that is loaded. Where symbols
 * overlap, the outer one has the bytes, so that an object is whole; where they
 * begin and end alike, the name that other files can use, with the fewest
 * underscores in front, and of these the shortest: `environ`, not `__environ`.
 * Of symbols that overlap by a part the first has all its bytes, and the other
 * none.
 *
 * Source: System V ABI, "Object Files": symbol tables; ELF Handling For
 * Thread-Local Storage, Ulrich Drepper, for symbols of thread-local variables,
 * whose values are offsets in the segment PT_TLS. */
#ifndef CG2_ELFDATA_H
#define CG2_ELFDATA_H

#include "data/static/threadwords.h"

/* Bytes with one name: 24 bytes for each symbol of data, and its name. */
typedef struct ElfStretch {
   Addr start; /* offset in the object, or in the segment PT_TLS */
   SizeT size;
   UInt name;   /* where it begins in ElfData.names */
   UInt number; /* whatever the owner numbers stretches by; 0 at first */
} ElfStretch;

/* Ascending by start; no two overlap. */
typedef struct ElfStretches {
   ElfStretch* all;
   UInt n;
} ElfStretches;

/* What one object has. The owner frees it, by cg2_elfdata_free. */
typedef struct ElfData {
   ElfStretches symbols;
   ElfStretches sections; /* that are loaded */
   ElfStretches segments; /* that are loaded, to the ends of their pages */
   ElfStretches thread_symbols, thread_sections; /* of the segment PT_TLS */
   SizeT thread_size, thread_align;              /* of PT_TLS; 0: it has none */
   ThreadWords thread_words;
   Addr control_size; /* offset of the variable by which glibc says how large a
                         thread's own block is; 0: there is none */
   HChar* names;      /* each ends with a 0 */
} ElfData;

/* Reads what the file says. False, with nothing to free: it cannot be read. */
Bool cg2_elfdata_read(ElfData* data, const HChar* path);
void cg2_elfdata_free(ElfData* data);

/* The stretch that an offset lies in, or NULL. [*start, *end) is narrowed to
 * the stretch, or to the gap between two. */
ElfStretch* cg2_elfdata_find(const ElfStretches* stretches,
                             Addr offset,
                             Addr* start,
                             Addr* end);

#endif
