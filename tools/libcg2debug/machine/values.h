/* What is known of the values in a function's registers and in its frame, at
 * one of its instructions. */
#ifndef CG2D_VALUES_H
#define CG2D_VALUES_H

#include "dwarf/types.h"
#include "machine/code.h"

typedef enum ValueKind {
   UNSEEN, /* no way leads here yet, or it is 0: whatever another way brings */
   UNKNOWN,
   POINTER, /* points to `offset` in a type, or in an array of it */
   FRAME,   /* points to `offset` behind the canonical frame address */
   RESULT,  /* what the call at the address `offset` gave, of no type */
} ValueKind;

typedef struct Value {
   ValueKind kind;
   uint32_t type; /* that is pointed to */
   int64_t offset;
   bool is_indexed; /* and some elements on, nobody knows how many */
} Value;

enum { N_SLOTS = 48 };

/* Words in the frame that something was stored in. */
typedef struct Slot {
   int64_t offset; /* from the canonical frame address */
   Value value;
} Slot;

typedef struct State {
   Value registers[N_REGISTERS];
   Slot slots[N_SLOTS];
   unsigned n_slots;
   bool is_reached;
} State;

/* What a word in the frame has; UNKNOWN: nobody knows. */
Value cg2d_values_slot(const State* state, int64_t offset);
void cg2d_values_set_slot(State* state, int64_t offset, Value value);

/* Makes `state` what is known if one comes to it from `from`, too; whether that
 * is less than was known. */
bool cg2d_values_join(cg2d_object* object, State* state, const State* from);

/* What a pointer to a place in a type points to if it is read; UNKNOWN: no
 * pointer. */
Value cg2d_values_load(cg2d_object* object, Failure* failure, Value address);
/* The value of a pointer of a type; UNKNOWN: it is none, or one to void. */
Value cg2d_values_of_pointer(cg2d_object* object, uint32_t pointer);

#endif
