/* Unwind tables: where functions are that can be unwound.
 *
 * Compilers write an entry for every function, and every part that was split
 * off one, also where no symbols are left. Hand-written code may have none.
 *
 * Source: Linux Standard Base 5.0, chapter 10.6, "Exception Frames" (.eh_frame,
 * .eh_frame_hdr), and for a CIE's fields DWARF 4, section 6.4.1. */
#ifndef CG2_UNWIND_H
#define CG2_UNWIND_H

#include "code/code.h"

/* A piece of an ELF file, and the address that it is meant for. */
typedef struct ElfPiece {
   const UChar* bytes;
   SizeT size;
   Addr address;
} ElfPiece;

/* Where .eh_frame begins, by what .eh_frame_hdr says; 0 if that is not a header
 * with the table that linkers write: sorted, of 32-bit distances. */
Addr cg2_unwind_frames(const ElfPiece* header);

/* Fills object->unwind from .eh_frame_hdr, the header, and .eh_frame; `frames`
 * may go on behind that. Entries that are broken or not understood are left
 * out.
 */
void cg2_unwind_read(Object* object,
                     const ElfPiece* header,
                     const ElfPiece* frames);

#endif
