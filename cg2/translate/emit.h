/* IR as it is written: values, the thread's registers, memory, calls.
 *
 * All that is computed becomes a temporary at once, as tools must write flat
 * IR. */
#ifndef CG2_EMIT_H
#define CG2_EMIT_H

#include "engine/probe.h"
#include "pub_tool_tooliface.h"

#include <stddef.h>

/* Where IR is written to. */
typedef struct Emitter {
   IRSB* out;         /* the block; statements are added at its end */
   IRType guest_word; /* type of the guest's words: Ity_I64 or Ity_I32 */
   IRType host_word;  /* type of the host's words */
} Emitter;

/* A constant: a pointer of the host. */
static inline IRExpr* cg2_emit_pointer(const void* p)
{
   return mkIRExpr_HWord((HWord)p);
}

/* The guest's address that a constant is. */
Addr cg2_emit_address(const IRConst* c);

/* A new temporary that is `value`, which may be any flat expression. */
IRExpr* cg2_emit_assign(Emitter* e, IRType type, IRExpr* value);

/* Reads or writes the guest state, or what lies behind it, at an offset. */
IRExpr* cg2_emit_get(Emitter* e, IRType type, Int offset);
void cg2_emit_put(Emitter* e, Int offset, IRExpr* value);

/* The offset, for cg2_emit_get, of one of the thread's Registers. */
#define CG2_REGISTER(name)                                                     \
   (CG2_REGISTERS_OFFSET + (Int)offsetof(Registers, name))

/* The offset, for cg2_emit_get, of one of the thread's counters. */
static inline Int cg2_emit_counter(UInt counter)
{
   return CG2_REGISTER(counters) + (Int)(counter * sizeof(ULong));
}

/* Reads or writes the host's memory at base + offset. */
IRExpr* cg2_emit_load(Emitter* e, IRType type, IRExpr* base, HWord offset);
void cg2_emit_store(Emitter* e, IRExpr* base, HWord offset, IRExpr* value);

/* The result of a binary operation on words of the host: `op64` or `op32`,
 * whichever the host's words are for. */
IRExpr* cg2_emit_word(Emitter* e, IROp op64, IROp op32, IRExpr* a, IRExpr* b);
/* The word that a unary operation makes of a smaller value. */
IRExpr* cg2_emit_widened(Emitter* e, IROp op64, IROp op32, IRExpr* a);
/* A word of the host as 64 bits. */
IRExpr* cg2_emit_wide(Emitter* e, IRExpr* word);
/* Whether two words of the host differ: of one bit. */
IRExpr* cg2_emit_differ(Emitter* e, IRExpr* a, IRExpr* b);
/* Whether a word of the host is more than `most`. */
IRExpr* cg2_emit_exceeds(Emitter* e, IRExpr* n, UWord most);

/* A constant of 64 bits. */
IRExpr* cg2_emit_number(ULong n);
/* The sum of two values of 64 bits. */
IRExpr* cg2_emit_plus(Emitter* e, IRExpr* a, IRExpr* b);
/* Adds `n`, of 64 bits, to what stands at an offset of the guest state. */
void cg2_emit_count(Emitter* e, Int offset, IRExpr* n);
/* Adds `n`, of 64 bits, to the cell of a slot. */
void cg2_emit_cell(Emitter* e, UInt slot, IRExpr* n);
/* Adds `n`, a word of the host, to an event's total, by a probe: where the
 * counters have no room for the event. */
void cg2_emit_total(Emitter* e, UInt event, IRExpr* n);

/* Adds `bit`, a word of the host that is 0 or 1, to an event's total; `n` is
 * the same as 64 bits. */
void cg2_emit_bit(Emitter* e, UInt event, IRExpr* bit, IRExpr* n);

/* A function's name and itself, as two arguments of what follows. */
#define CG2_PROBE(name) #name, (void*)(name)

/* Calls a function that knows nothing of the guest state, if `guard`, which may
 * be NULL; all its arguments are in registers. */
void cg2_emit_call(
   Emitter* e, const HChar* name, void* function, IRExpr** args, IRExpr* guard);

/* Calls a probe, if `guard`, which may be NULL. The last argument is the guest
 * state, which VEX hands over for some processors on the stack only. */
void cg2_emit_probe(
   Emitter* e, const HChar* name, void* probe, IRExpr** args, IRExpr* guard);

/* The word that a function answers which knows nothing of the guest state. */
IRExpr*
cg2_emit_answer(Emitter* e, const HChar* name, void* function, IRExpr** args);

#endif
