/* A line of what objdump prints: an instruction. */
#ifndef CG2P_OBJDUMP_H
#define CG2P_OBJDUMP_H

#include "base/text.h"

/* No jump to an address. */
#define NO_TARGET UINT64_MAX

/* Whether the line, which has no line feed, has an instruction: then *address
 * is where it is, and *text what stands behind that, as it is printed. */
bool cg2p_objdump_instruction(Text line, uint64_t* address, Text* text);

/* Writes a text as it is shown into `shown`, which has room for as many bytes;
 * cg2profile/listing.h has the rules. Returns the length. */
size_t cg2p_objdump_shown(Text text, char* shown);

/* Where the instruction of a text that is shown jumps to, or NO_TARGET. The
 * jumps are those of x86, and B, B.cond, CBZ and TBZ of A64. A call is none. */
uint64_t cg2p_objdump_target(Text shown);

/* Whether a text that is shown is of an instruction that repeats itself, as
 * `rep stos`. */
bool cg2p_objdump_is_repeated(Text shown);

#endif
