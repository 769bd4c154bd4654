/* A slow, obvious model of the memory of a described processor, which shares no
 * code with the tool. */
#ifndef REFERENCE_MEMORY_H
#define REFERENCE_MEMORY_H

#include "model/described/memory.h"
#include "reference.h"

void reference_memory_init(const Processor* processor, Bool has_cores);
void reference_memory_run_on(UInt core);
UInt reference_memory_access(AccessKind kind, Addr addr, UInt size, Addr instr);
void reference_memory_free(void);

#endif
