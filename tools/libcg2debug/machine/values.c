#include "machine/values.h"

#include "dwarf/object.h"

static const Value unknown = {.kind = UNKNOWN};

Value cg2d_values_slot(const State* state, int64_t offset)
{
   for (unsigned i = 0; i < state->n_slots; i++)
      if (state->slots[i].offset == offset) return state->slots[i].value;
   return unknown;
}

void cg2d_values_set_slot(State* state, int64_t offset, Value value)
{
   for (unsigned i = 0; i < state->n_slots; i++) {
      if (state->slots[i].offset != offset) continue;
      state->slots[i].value = value;
      return;
   }
   if (state->n_slots < N_SLOTS && value.kind != UNKNOWN)
      state->slots[state->n_slots++] = (Slot){offset, value};
}

static bool is_same(Value a, Value b)
{
   return a.kind == b.kind && a.type == b.type && a.offset == b.offset &&
          a.is_indexed == b.is_indexed;
}

static uint64_t size_of(cg2d_object* object, uint32_t type)
{
   return type ? object->types.all[type]->type.size : 0;
}

/* What is known of a value that is the one or the other. */
static Value either(cg2d_object* object, Value a, Value b)
{
   if (a.kind == UNSEEN) return b;
   if (b.kind == UNSEEN || is_same(a, b)) return a;
   if (a.kind != POINTER || b.kind != POINTER || a.type != b.type)
      return unknown;
   /* Elements of an array. */
   int64_t size = size_of(object, a.type);
   bool is_walk = size > 0 && (a.offset - b.offset) % size == 0;
   if (!is_walk && !a.is_indexed && !b.is_indexed) return unknown;
   a.is_indexed |= b.is_indexed;
   return a;
}

bool cg2d_values_join(cg2d_object* object, State* state, const State* from)
{
   bool has_changed = false;
   if (!state->is_reached) {
      *state = *from;
      return state->is_reached = true;
   }
   for (unsigned i = 0; i < N_REGISTERS; i++) {
      Value* value = &state->registers[i];
      Value joined = either(object, *value, from->registers[i]);
      has_changed |= !is_same(*value, joined);
      *value = joined;
   }
   for (unsigned i = 0; i < state->n_slots; i++) {
      Slot* slot = &state->slots[i];
      Value joined =
         either(object, slot->value, cg2d_values_slot(from, slot->offset));
      has_changed |= !is_same(slot->value, joined);
      slot->value = joined;
   }
   return has_changed;
}

Value cg2d_values_of_pointer(cg2d_object* object, uint32_t pointer)
{
   if (!pointer) return unknown;
   const cg2d_type* type = &object->types.all[pointer]->type;
   if (type->shape != CG2D_POINTER || !type->element) return unknown;
   return (Value){.kind = POINTER, .type = type->element};
}

Value cg2d_values_load(cg2d_object* object, Failure* failure, Value address)
{
   if (address.kind != POINTER) return unknown;
   int64_t size = size_of(object, address.type);
   int64_t offset = address.offset;
   if (size > 0) offset = (offset % size + size) % size;
   uint64_t inner = offset;
   object->raw_element = 0;
   uint32_t found = cg2d_types_inside(object, failure, address.type, &inner);
   Value value = inner == 0 ? cg2d_values_of_pointer(object, found) : unknown;
   if (value.kind == POINTER && object->raw_element &&
       size_of(object, value.type) == 1)
      value.type = object->raw_element;
   return value;
}
