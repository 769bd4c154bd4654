/* IR as it is written: values, the thread's registers, memory, calls.
 *
 * All that is computed becomes a temporary at once, as tools must write flat
 * IR. */
#ifndef CG2_EMIT_H
#define CG2_EMIT_H

#include "engine/probe.h"
#include "pub_tool_tooliface.h"

#include <stddef.h>

typedef struct Emitter {
   IRSB* out;
   IRType guest_word, host_word;
} Emitter;

static inline IRExpr* cg2_emit_pointer(const void* p)
{
   return mkIRExpr_HWord((HWord)p);
}

/* The guest's address that a constant is. */
Addr cg2_emit_address(const IRConst* c);

IRExpr* cg2_emit_assign(Emitter* e, IRType type, IRExpr* value);

/* Reads and writes a field of the guest state, or of what lies behind it; its
 * shadow has the Registers. */
IRExpr* cg2_emit_get(Emitter* e, IRType type, Int offset);
void cg2_emit_put(Emitter* e, Int offset, IRExpr* value);

/* The offset of one of the thread's Registers, for cg2_emit_get. */
#define CG2_REGISTER(name)                                                     \
   (CG2_REGISTERS_OFFSET + (Int)offsetof(Registers, name))

/* The offset of one of the thread's counters, for cg2_emit_get. */
static inline Int cg2_emit_counter(UInt counter)
{
   return CG2_REGISTER(counters) + (Int)(counter * sizeof(ULong));
}

/* Reads and writes memory at base + offset. */
IRExpr* cg2_emit_load(Emitter* e, IRType type, IRExpr* base, HWord offset);
void cg2_emit_store(Emitter* e, IRExpr* base, HWord offset, IRExpr* value);

/* A binary operation on words of the host: `op64` or `op32`, by their size. */
IRExpr* cg2_emit_word(Emitter* e, IROp op64, IROp op32, IRExpr* a, IRExpr* b);
/* A unary operation whose result is a word of the host. */
IRExpr* cg2_emit_widened(Emitter* e, IROp op64, IROp op32, IRExpr* a);
/* Whether two words of the host differ. */
IRExpr* cg2_emit_differ(Emitter* e, IRExpr* a, IRExpr* b);

/* A number, and a sum, of 64 bits. */
IRExpr* cg2_emit_number(ULong n);
IRExpr* cg2_emit_plus(Emitter* e, IRExpr* a, IRExpr* b);
/* The register at `offset` += n; cells[slot] += n */
void cg2_emit_count(Emitter* e, Int offset, IRExpr* n);
void cg2_emit_cell(Emitter* e, UInt slot, IRExpr* n);

/* Calls a function that knows nothing of the guest state, if `guard`, which may
 * be NULL; all its arguments are in registers. */
void cg2_emit_call(
   Emitter* e, const HChar* name, void* function, IRExpr** args, IRExpr* guard);

/* Calls a probe, if `guard`, which may be NULL. Its last argument is the guest
 * state, which VEX for x86 hands over on the stack only. */
void cg2_emit_probe(
   Emitter* e, const HChar* name, void* probe, IRExpr** args, IRExpr* guard);

/* Calls a function that knows nothing of the guest state; the answer is the
 * word that it returns. */
IRExpr*
cg2_emit_answer(Emitter* e, const HChar* name, void* function, IRExpr** args);

#define CG2_PROBE(name) #name, (void*)(name)

/* total[event] += n, a word of the host, by a probe: where the counters have no
 * room for it. */
void cg2_emit_total(Emitter* e, UInt event, IRExpr* n);

#endif
