/* How instructions of x86-64 are encoded, as far as an operation tells: which
 * bytes stand in front of the opcode. */
#ifndef CG2P_ENCODING_H
#define CG2P_ENCODING_H

#include "base/memory.h"

/* How many bytes of prefixes and escapes stand in front of the opcode; 0 to 3.
 * Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume
 * 2, chapter 2: REX, VEX, mandatory prefixes, and the opcodes of two bytes. */
uint32_t cg2p_encoding_opcode(const cg2p_operation* operation);

#endif
