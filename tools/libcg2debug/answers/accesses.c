/* What the public header says of instructions and of frames. */

#include "dwarf/entries.h"
#include "dwarf/variables.h"
#include "machine/flow.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* Answers for the addresses in a piece of code; how many those are. */
static size_t answer(const ValueFlow* flow,
                     const Piece* piece,
                     const uint64_t* addresses,
                     size_t n,
                     cg2d_access* accesses)
{
   size_t at = 0, i = 0;
   for (; i < n && addresses[i] < piece->high; i++) {
      while (at < flow->count && flow->instructions[at].address < addresses[i])
         at++;
      bool is_found =
         at < flow->count && flow->instructions[at].address == addresses[i];
      if (is_found)
         memcpy(&accesses[2 * i], flow->meant[at].operands,
                sizeof flow->meant[at].operands);
   }
   return i;
}

int cg2d_object_accesses(cg2d_object* object,
                         const uint64_t* addresses,
                         size_t n,
                         cg2d_access* accesses,
                         cg2p_error* error)
{
   Failure failure = {.path = object->path, .error = error};
   ValueFlow flow = {0};
   size_t count;
   memset(accesses, 0, 2 * n * sizeof *accesses);
   if (!cg2d_object_statics(object, &count, error)) return -1;
   if (setjmp(failure.caught)) {
      cg2d_flow_free(&flow);
      return -1;
   }
   object->type_depth = 0;
   for (size_t i = 0; i < n;) {
      const Piece* piece =
         cg2d_functions_piece_at(object, &failure, addresses[i]);
      if (!piece) {
         i++;
         continue;
      }
      cg2d_flow_follow(object, &failure, piece, &flow);
      i += answer(&flow, piece, addresses + i, n - i, accesses + 2 * i);
      cg2d_flow_free(&flow);
   }
   return 0;
}

const cg2d_taken* cg2d_object_taken(cg2d_object* object, size_t* count)
{
   *count = object->taken.count;
   return object->taken.all;
}

/* ------------------------------------------------------------ frames */

/* Whether an address is a register's value and a number: *behind. */
static bool
is_at_register(const Dwarf_Op* operation, unsigned reg, int64_t* behind)
{
   if (operation->atom == DW_OP_bregx) {
      *behind = (int64_t)operation->number2;
      return operation->number == reg;
   }
   *behind = (int64_t)operation->number;
   return operation->atom == DW_OP_breg0 + reg;
}

/* How far the frame base is from the canonical frame address; false: not to be
 * said. */
static bool
find_base(cg2d_object* object, Dwarf_Die* function, uint64_t pc, int64_t* base)
{
   Dwarf_Attribute attribute;
   Dwarf_Op *operations, *canonical;
   Dwarf_Frame* frame;
   Dwarf_Addr bias;
   size_t n, n_canonical;
   *base = 0;
   if (!dwarf_attr(function, DW_AT_frame_base, &attribute) ||
       dwarf_getlocation_addr(&attribute, pc - object->bias, &operations, &n,
                              1) != 1 ||
       n != 1)
      return false;
   unsigned atom = operations[0].atom;
   if (atom == DW_OP_call_frame_cfa) return true;
   Dwarf_CFI* rules = dwfl_module_eh_cfi(object->module, &bias);
   if (!rules ||
       dwarf_cfi_addrframe(rules, pc - bias + object->elf_bias, &frame) != 0)
      return false;
   bool is_based = atom >= DW_OP_breg0 && atom <= DW_OP_breg31;
   unsigned reg = atom - (is_based ? DW_OP_breg0 : DW_OP_reg0);
   int64_t behind;
   bool is_found = dwarf_frame_cfa(frame, &canonical, &n_canonical) == 0 &&
                   n_canonical == 1 &&
                   is_at_register(&canonical[0], reg, &behind);
   if (is_found)
      *base = (is_based ? (int64_t)operations[0].number : 0) - behind;
   free(frame);
   return is_found;
}

/* A place at a register that is the stack pointer is one in the frame, too. */
static bool place_offset(cg2d_object* object,
                         Dwarf_Die* function,
                         const VariablePlace* place,
                         int64_t* offset)
{
   int64_t base;
   /* Where the variable's code is past the function's first instructions. */
   uint64_t pc = place->low + (place->high - place->low) / 2;
   if (place->kind != IN_FRAME || !find_base(object, function, pc, &base))
      return false;
   *offset = base + place->offset;
   return true;
}

static void add_local(cg2d_object* object,
                      Failure* failure,
                      const VariablePlace* place,
                      int64_t offset)
{
   Locals* locals = &object->locals;
   Dwarf_Die variable = place->variable;
   locals->all = cg2p_memory_grow(failure, locals->all, &locals->room,
                                  locals->count + 1, sizeof *locals->all);
   locals->all[locals->count++] = (cg2d_local){
      .name = cg2d_entries_name(&variable),
      .file = cg2d_entries_declaring_file(object, failure, &variable),
      .low = place->low,
      .high = place->high,
      .offset = offset,
      .size = place->type ? object->types.all[place->type]->type.size : 0,
      .line = cg2d_entries_declaring_line(&variable),
      .type = place->type,
   };
}

const cg2d_local* cg2d_object_locals(cg2d_object* object,
                                     uint64_t address,
                                     size_t* count,
                                     cg2p_error* error)
{
   static const cg2d_local none;
   Failure failure = {.path = object->path, .error = error};
   VariablePlaces places = {0};
   int64_t offset;
   object->locals.count = 0;
   object->type_depth = 0;
   if (setjmp(failure.caught)) {
      free(places.all);
      return NULL;
   }
   const Piece* piece = cg2d_functions_piece_at(object, &failure, address);
   if (piece) {
      Dwarf_Die function = piece->entry;
      cg2d_variables_find_places(object, &failure, &function, &places);
      for (size_t i = 0; i < places.count; i++)
         if (place_offset(object, &function, &places.all[i], &offset))
            add_local(object, &failure, &places.all[i], offset);
   }
   free(places.all);
   *count = object->locals.count;
   return object->locals.count ? object->locals.all : &none;
}
