#include "machine/flow.h"

#include "base/search.h"
#include "dwarf/entries.h"
#include "dwarf/variables.h"
#include "machine/calls.h"
#include "machine/image.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES_MAX = 12, NO_STATE = UINT32_MAX };

static const Value unknown = {.kind = UNKNOWN};

/* The walk through a piece of code. */
typedef struct FlowWalk {
   cg2d_object* object;
   Failure* failure;
   const Piece* piece;
   ValueFlow* flow;
   VariablePlaces places;
   CallSites calls;
   uint32_t* state_of; /* of each instruction: number of the state in front of
                          it, where several ways may lead; NO_STATE */
   State* states;
   size_t n_states;
   State leap;     /* where a jump leads that no target is known of */
   Value stack;    /* the stack pointer where the function calls */
   size_t* active; /* places that hold at the instruction */
   size_t n_active, next_place;
   Dwarf_Op base; /* that of the frame; atom 0: not known */
   bool is_last;  /* the walk that says what was found */
} FlowWalk;

/* The processor's number of a register that DWARF numbers. */
static uint8_t register_of(const FlowWalk* walk, unsigned reg)
{
   static const uint8_t numbers[N_REGISTERS] = {0, 2, 1,  3,  6,  7,  5,  4,
                                                8, 9, 10, 11, 12, 13, 14, 15};
   if (reg >= (walk->object->word == 8 ? N_REGISTERS : 8)) return NO_REGISTER;
   return walk->object->word == 8 ? numbers[reg] : reg;
}

/* ------------------------------------------------------------ the frame */

static void find_base(FlowWalk* walk)
{
   Dwarf_Die function = walk->piece->entry;
   Dwarf_Attribute attribute;
   Dwarf_Op* operations;
   size_t n;
   if (dwarf_attr(&function, DW_AT_frame_base, &attribute) &&
       dwarf_getlocation(&attribute, &operations, &n) == 0 && n == 1)
      walk->base = operations[0];
}

/* Where the frame base is, behind the canonical frame address. */
static Value frame_base(const FlowWalk* walk, const State* state)
{
   unsigned atom = walk->base.atom;
   if (atom == DW_OP_call_frame_cfa) return (Value){.kind = FRAME};
   bool is_register = atom >= DW_OP_reg0 && atom <= DW_OP_reg31;
   bool is_based = atom >= DW_OP_breg0 && atom <= DW_OP_breg31;
   if (!is_register && !is_based) return unknown;
   uint8_t reg =
      register_of(walk, atom - (is_register ? DW_OP_reg0 : DW_OP_breg0));
   if (reg == NO_REGISTER) return unknown;
   Value value = state->registers[reg];
   if (is_based) value.offset += (int64_t)walk->base.number;
   return value.kind == FRAME ? value : unknown;
}

/* Where a place in memory is, behind the canonical frame address. */
static Value place_in_frame(const FlowWalk* walk,
                            const State* state,
                            const VariablePlace* place)
{
   Value value = unknown;
   uint8_t reg = register_of(walk, place->reg);
   if (place->kind == IN_FRAME) value = frame_base(walk, state);
   if (place->kind == AT_REGISTER && reg != NO_REGISTER)
      value = state->registers[reg];
   value.offset += place->offset;
   return value.kind == FRAME ? value : unknown;
}

/* What a word in the frame has: what was stored there, or a variable. */
static Value load_frame(FlowWalk* walk, const State* state, int64_t offset)
{
   Value stored = cg2d_values_slot(state, offset);
   if (stored.kind == POINTER || stored.kind == RESULT) return stored;
   for (size_t i = 0; i < walk->n_active; i++) {
      const VariablePlace* place = &walk->places.all[walk->active[i]];
      Value at = place_in_frame(walk, state, place);
      if (at.kind != FRAME || !place->type || at.offset > offset) continue;
      uint64_t inner = offset - at.offset;
      if (inner >= walk->object->types.all[place->type]->type.size) continue;
      Value address = {.kind = POINTER, .type = place->type, .offset = inner};
      return cg2d_values_load(walk->object, walk->failure, address);
   }
   return stored;
}

/* ------------------------------------------------------------ memory */

/* The static variable at an address, as what a pointer to it points to. */
static Value static_at(const FlowWalk* walk, uint64_t address)
{
   const Statics* statics = &walk->object->statics;
   const cg2d_static* all = statics->all;
   size_t behind =
      cg2p_search_first(i, 0, statics->count,
                        !all[i].is_thread_local && all[i].address <= address);
   if (!behind) return unknown;
   const cg2d_static* found = &all[behind - 1];
   uint64_t inner = address - found->address;
   if (!found->type || inner >= found->size) return unknown;
   return (Value){.kind = POINTER, .type = found->type, .offset = inner};
}

static Value in_register(const State* state, uint8_t reg)
{
   return reg < N_REGISTERS ? state->registers[reg] : unknown;
}

/* What the address of an operand in memory points to. A register that is added
 * to a pointer counts elements. */
static Value
address_of(const FlowWalk* walk, const State* state, const Operand* memory)
{
   if (memory->base == PROGRAM_COUNTER ||
       (memory->base == NO_REGISTER && memory->displacement > 0))
      return static_at(walk, memory->displacement);
   Value value = in_register(state, memory->base);
   Value index = in_register(state, memory->index);
   if (value.kind != POINTER && index.kind == POINTER && memory->scale == 1)
      value = index;
   else if (value.kind == FRAME && memory->index != NO_REGISTER)
      return unknown;
   value.offset += memory->displacement;
   value.is_indexed |=
      memory->base != NO_REGISTER && memory->index != NO_REGISTER;
   return value.kind == POINTER || value.kind == FRAME ? value : unknown;
}

static Value
load(FlowWalk* walk, const State* state, const Instruction* instruction)
{
   Value address = address_of(walk, state, &instruction->memory[0]);
   if (instruction->width != walk->object->word) return unknown;
   if (address.kind == FRAME) return load_frame(walk, state, address.offset);
   return cg2d_values_load(walk->object, walk->failure, address);
}

/* ------------------------------------------------------------ results */

/* Notes that a pointer to `type` took what a call has given. */
static void add_taken(FlowWalk* walk, Value result, uint32_t type)
{
   Taken* taken = &walk->object->taken;
   if (!walk->is_last || !type) return;
   for (size_t i = 0; i < taken->count; i++)
      if (taken->all[i].call == (uint64_t)result.offset &&
          taken->all[i].type == type)
         return;
   taken->all = cg2p_memory_grow(walk->failure, taken->all, &taken->room,
                                 taken->count + 1, sizeof *taken->all);
   Dwarf_Die function = walk->piece->entry;
   cg2d_taken found = {.call = result.offset,
                       .function = cg2d_entries_name(&function),
                       .file = "",
                       .type = type};
   Dwfl_Line* line = dwfl_module_getsrc(walk->object->module,
                                        result.offset + walk->object->elf_bias);
   int number = 0;
   const char* file =
      line ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
   if (file) found.file = file;
   found.line = number;
   taken->all[taken->count++] = found;
}

/* A value goes where the debug information knows a pointer: what a call gave
 * has that type from now on. */
static Value taken_by(FlowWalk* walk, State* state, Value value, Value pointer)
{
   if (pointer.kind != POINTER) return value;
   if (value.kind != RESULT) return pointer;
   add_taken(walk, value, pointer.type);
   for (unsigned i = 0; i < N_REGISTERS; i++)
      if (state->registers[i].kind == RESULT &&
          state->registers[i].offset == value.offset)
         state->registers[i] = pointer;
   return pointer;
}

static void store(FlowWalk* walk, State* state, const Instruction* instruction)
{
   Value address = address_of(walk, state, &instruction->memory[0]);
   Value value = instruction->width == walk->object->word
                    ? in_register(state, instruction->source)
                    : unknown;
   if (address.kind == FRAME)
      cg2d_values_set_slot(state, address.offset, value);
   else if (address.kind == POINTER && value.kind == RESULT)
      taken_by(walk, state, value,
               cg2d_values_load(walk->object, walk->failure, address));
}

/* ------------------------------------------------------------ variables */

/* How much a type says of what is pointed to. */
static uint64_t weight(const FlowWalk* walk, Value value)
{
   if (value.kind != POINTER) return 0;
   const cg2d_type* type = &walk->object->types.all[value.type]->type;
   bool is_compound = type->shape == CG2D_COMPOUND;
   uint64_t size = type->size < UINT32_MAX ? type->size : UINT32_MAX;
   return size + (is_compound ? 1ull << 40 : 1);
}

/* What a register holds if a variable is where the place says; UNKNOWN:
 * nothing that points. */
static Value said_by(FlowWalk* walk, const VariablePlace* place)
{
   cg2d_object* object = walk->object;
   if (!place->type) return unknown;
   if (place->kind == AT_REGISTER)
      return (Value){
         .kind = POINTER, .type = place->type, .offset = -place->offset};
   uint64_t inner = place->piece;
   uint32_t type =
      cg2d_types_inside(object, walk->failure, place->type, &inner);
   if (inner) return unknown;
   Value value = cg2d_values_of_pointer(object, type);
   if (place->kind == BY_REGISTER) value.offset -= place->offset;
   return value;
}

/* Whether what a variable tells is of a member of what is known: an inlined
 * function that was given a member's address has such variables. */
static bool is_part(FlowWalk* walk, Value said, Value known)
{
   if (known.kind != POINTER || said.type == known.type ||
       said.offset > known.offset)
      return false;
   return cg2d_types_has(walk->object, walk->failure, known.type, said.type,
                         known.offset - said.offset);
}

/* Says of a register what a variable tells, unless more is known of it. */
static void
apply(FlowWalk* walk, State* state, const VariablePlace* place, Value* best)
{
   uint8_t reg = register_of(walk, place->reg);
   if (place->kind == IN_FRAME || reg == NO_REGISTER) return;
   Value* value = &state->registers[reg];
   if (value->kind == FRAME) return;
   Value said = said_by(walk, place);
   if (said.kind != POINTER || weight(walk, said) < weight(walk, best[reg]))
      return;
   bool is_less = value->kind == POINTER && weight(walk, said) < 9 &&
                  weight(walk, *value) > weight(walk, said);
   if (is_less || is_part(walk, said, *value)) return;
   best[reg] = said;
   *value = taken_by(walk, state, *value, said);
}

/* Brings the places that hold up to date: the walk has come to an address. */
static void activate(FlowWalk* walk, uint64_t address)
{
   size_t kept = 0;
   for (size_t i = 0; i < walk->n_active; i++)
      if (walk->places.all[walk->active[i]].high > address)
         walk->active[kept++] = walk->active[i];
   walk->n_active = kept;
   for (; walk->next_place < walk->places.count &&
          walk->places.all[walk->next_place].low <= address;
        walk->next_place++)
      if (walk->places.all[walk->next_place].high > address)
         walk->active[walk->n_active++] = walk->next_place;
}

static void apply_variables(FlowWalk* walk, State* state)
{
   Value best[N_REGISTERS] = {0};
   for (size_t i = 0; i < walk->n_active; i++)
      apply(walk, state, &walk->places.all[walk->active[i]], best);
}

/* ------------------------------------------------------------ instructions */

static bool is_untyped(const FlowWalk* walk, Value value)
{
   return value.kind != POINTER ||
          walk->object->types.all[value.type]->type.size <= 1;
}

/* Registers that a called function may change. */
static void forget_call(const FlowWalk* walk, State* state)
{
   unsigned kept = walk->object->word == 8 ? 0xf038 : 0x00f8;
   for (unsigned i = 0; i < N_REGISTERS; i++)
      if (!(kept >> i & 1)) state->registers[i] = unknown;
}

static void call(FlowWalk* walk, State* state, const Instruction* instruction)
{
   enum { FIRST_ARGUMENT = 7 }; /* rdi */
   cg2d_object* object = walk->object;
   Failure* failure = walk->failure;
   Dwarf_Die callee;
   Value result = unknown;
   Value argument = state->registers[FIRST_ARGUMENT];
   if (state->registers[STACK_REGISTER].kind == FRAME)
      walk->stack = state->registers[STACK_REGISTER];
   bool is_known = cg2d_calls_callee(object, failure, &walk->calls,
                                     instruction->address + instruction->length,
                                     instruction->target, &callee);
   if (is_known) {
      uint32_t type = cg2d_types_of_entry(object, failure, &callee);
      result = cg2d_values_of_pointer(object, type);
      if (argument.kind == RESULT && object->word == 8)
         taken_by(walk, state, argument,
                  cg2d_values_of_pointer(object, cg2d_calls_first_parameter(
                                                    object, failure, &callee)));
   }
   if (is_untyped(walk, result))
      result = (Value){.kind = RESULT, .offset = instruction->address};
   forget_call(walk, state);
   state->registers[RESULT_REGISTER] = result;
}

static void push(FlowWalk* walk, State* state, const Instruction* instruction)
{
   Value* stack = &state->registers[STACK_REGISTER];
   if (stack->kind != FRAME) return;
   stack->offset -= walk->object->word;
   cg2d_values_set_slot(state, stack->offset,
                        in_register(state, instruction->source));
}

static Value pop(FlowWalk* walk, State* state)
{
   Value* stack = &state->registers[STACK_REGISTER];
   if (stack->kind != FRAME) return unknown;
   Value value = cg2d_values_slot(state, stack->offset);
   stack->offset += walk->object->word;
   return value;
}

/* A pointer and a number, which counts elements, or the other way round. */
static Value sum(Value a, Value b)
{
   Value pointer = a.kind == POINTER ? a : b;
   if (a.kind == b.kind || pointer.kind != POINTER) return unknown;
   pointer.is_indexed = true;
   return pointer;
}

/* The value that an instruction gives its destination. */
static Value
computed(FlowWalk* walk, State* state, const Instruction* instruction)
{
   Value value = in_register(state, instruction->destination);
   switch (instruction->action) {
   case COPY:
      return in_register(state, instruction->source);
   case LOAD:
      return load(walk, state, instruction);
   case ADDRESS:
      return address_of(walk, state, &instruction->memory[0]);
   case NUMBER:
      return instruction->number ? static_at(walk, instruction->number)
                                 : (Value){.kind = UNSEEN};
   case ADD:
      value.offset += instruction->number;
      return value.kind == RESULT ? unknown : value;
   case SUM:
      return sum(value, in_register(state, instruction->source));
   case POP:
      return pop(walk, state);
   default:
      return unknown;
   }
}

/* Changes what is known by what an instruction does. */
static void step(FlowWalk* walk, State* state, const Instruction* instruction)
{
   Value stack = state->registers[STACK_REGISTER];
   switch (instruction->action) {
   case CALL:
      call(walk, state, instruction);
      return;
   case PUSH:
      push(walk, state, instruction);
      return;
   case STORE:
      store(walk, state, instruction);
      return;
   default:
      break;
   }
   Value value = computed(walk, state, instruction);
   for (unsigned i = 0; i < N_REGISTERS; i++)
      if (instruction->clobbered >> i & 1) state->registers[i] = unknown;
   if (instruction->action == POP && stack.kind == FRAME) {
      stack.offset += walk->object->word;
      state->registers[STACK_REGISTER] = stack;
   }
   if (instruction->destination < N_REGISTERS)
      state->registers[instruction->destination] = value;
}

/* ------------------------------------------------------------ ways */

/* The number of the instruction at an address; NO_STATE: none begins there. */
static uint32_t number_at(const ValueFlow* flow, uint64_t address)
{
   const Instruction* all = flow->instructions;
   size_t at = cg2p_search_first(i, 0, flow->count, all[i].address < address);
   return at < flow->count && all[at].address == address ? at : NO_STATE;
}

static void add_state(FlowWalk* walk, uint32_t number)
{
   if (number < walk->flow->count && walk->state_of[number] == NO_STATE)
      walk->state_of[number] = walk->n_states++;
}

/* Finds where ways meet: at targets of jumps, and behind jumps. */
static void find_states(FlowWalk* walk)
{
   const ValueFlow* flow = walk->flow;
   add_state(walk, 0);
   for (size_t i = 0; i < flow->count; i++) {
      const Instruction* instruction = &flow->instructions[i];
      if (!instruction->is_jump && instruction->goes_on) continue;
      add_state(walk, number_at(flow, instruction->target));
      add_state(walk, i + 1);
   }
}

/* Nothing is known but what debug information says. */
static void forget_all(State* state)
{
   *state = (State){.is_reached = true};
   for (unsigned i = 0; i < N_REGISTERS; i++)
      state->registers[i] = unknown;
}

/* Registers that have arguments where a function begins. */
static const unsigned arguments = 0x03c6; /* rcx rdx rsi rdi r8 r9 */

/* What is known where the function begins. An argument of which debug
 * information says nothing, as compilers pass in place of the declared one, is
 * what a loop makes of it. */
static void enter(FlowWalk* walk)
{
   uint64_t entry = 0;
   State* state = &walk->states[0];
   Dwarf_Die function = walk->piece->entry;
   forget_all(state);
   if (walk->object->word == 8)
      for (unsigned i = 0; i < N_REGISTERS; i++)
         if (arguments >> i & 1) state->registers[i].kind = UNSEEN;
   if (cg2d_entries_address(&function, &entry) &&
       entry + walk->object->bias == walk->piece->low)
      state->registers[STACK_REGISTER] =
         (Value){.kind = FRAME, .offset = -(int64_t)walk->object->word};
}

/* Brings what is known to where a jump leads; whether that learns of it. */
static bool bring(FlowWalk* walk, const State* state, uint32_t number)
{
   if (number >= walk->flow->count) return false;
   uint32_t to = walk->state_of[number];
   return to != NO_STATE &&
          cg2d_values_join(walk->object, &walk->states[to], state);
}

static void note_meant(FlowWalk* walk, const State* state, size_t number)
{
   const Instruction* instruction = &walk->flow->instructions[number];
   if (instruction->action == ADDRESS) return;
   for (unsigned i = 0; i < 2; i++) {
      if (!instruction->memory[i].is_there) continue;
      Value address = address_of(walk, state, &instruction->memory[i]);
      if (address.kind == POINTER)
         walk->flow->meant[number].operands[i] =
            (cg2d_access){address.offset, address.type, address.is_indexed};
   }
}

/* Code that no known way leads to: a jump through a table does, or an
 * exception, of which nothing is known. Whether there was any. */
static bool enter_unreached(FlowWalk* walk)
{
   bool has_any = false;
   for (size_t i = 0; i < walk->n_states; i++) {
      State* state = &walk->states[i];
      if (state->is_reached) continue;
      has_any = true;
      if (walk->leap.is_reached)
         *state = walk->leap;
      else
         forget_all(state);
      if (state->registers[STACK_REGISTER].kind != FRAME)
         state->registers[STACK_REGISTER] = walk->stack;
   }
   return has_any;
}

/* Brings what is known behind an instruction to all that it may lead to;
 * whether any learns of it. */
static bool lead_on(FlowWalk* walk, State* state, size_t number)
{
   const Instruction* instruction = &walk->flow->instructions[number];
   bool has_changed = false;
   if (instruction->is_jump && instruction->target)
      has_changed =
         bring(walk, state, number_at(walk->flow, instruction->target));
   else if (instruction->is_jump)
      cg2d_values_join(walk->object, &walk->leap, state);
   if (instruction->goes_on)
      has_changed |= bring(walk, state, number + 1);
   else
      state->is_reached = false;
   return has_changed;
}

/* Walks through the code once; whether anything new was learned. */
static bool walk_once(FlowWalk* walk)
{
   const ValueFlow* flow = walk->flow;
   State state = walk->states[0];
   bool has_changed = false;
   walk->n_active = walk->next_place = 0;
   for (size_t i = 0; i < flow->count; i++) {
      if (walk->state_of[i] != NO_STATE)
         state = walk->states[walk->state_of[i]];
      activate(walk, flow->instructions[i].address);
      if (!state.is_reached) continue;
      apply_variables(walk, &state);
      if (walk->is_last) note_meant(walk, &state, i);
      step(walk, &state, &flow->instructions[i]);
      has_changed |= lead_on(walk, &state, i);
   }
   return has_changed;
}

static void walk_until_known(FlowWalk* walk)
{
   for (int i = 0; i < PASSES_MAX && walk_once(walk); i++) {
   }
}

static void* made(Failure* failure, size_t count, size_t size)
{
   return cg2p_memory_allocate(failure, count * size);
}

static void follow_all(FlowWalk* walk)
{
   ValueFlow* flow = walk->flow;
   walk->state_of = made(walk->failure, flow->count, sizeof *walk->state_of);
   memset(walk->state_of, 0xff, flow->count * sizeof *walk->state_of);
   flow->meant = made(walk->failure, flow->count, sizeof *flow->meant);
   if (!flow->count) return;
   find_states(walk);
   walk->states = made(walk->failure, walk->n_states, sizeof *walk->states);
   walk->active = made(walk->failure, walk->places.count, sizeof *walk->active);
   enter(walk);
   walk_until_known(walk);
   if (enter_unreached(walk)) walk_until_known(walk);
   walk->is_last = true;
   walk_once(walk);
}

void cg2d_flow_follow(cg2d_object* object,
                      Failure* failure,
                      const Piece* piece,
                      ValueFlow* flow)
{
   Failure own = {.path = failure->path, .error = failure->error};
   FlowWalk walk = {.object = object,
                    .failure = &own,
                    .piece = piece,
                    .flow = flow,
                    .stack = unknown};
   size_t length = 0;
   volatile bool has_failed = false;
   Dwarf_Die function = piece->entry;
   if (setjmp(own.caught) == 0) {
      find_base(&walk);
      cg2d_variables_find_places(object, &own, &function, &walk.places);
      cg2d_calls_find(object, &own, &function, &walk.calls);
      const uint8_t* bytes =
         cg2d_image_bytes_at(object, piece->low, piece->high, &length);
      flow->instructions = cg2d_code_disassemble(
         &own, bytes, length, piece->low, object->word, &flow->count);
      follow_all(&walk);
   } else {
      has_failed = true;
   }
   free(walk.places.all);
   free(walk.calls.all);
   free(walk.state_of);
   free(walk.states);
   free(walk.active);
   if (has_failed) longjmp(failure->caught, 1);
}

void cg2d_flow_free(ValueFlow* flow)
{
   free(flow->instructions);
   free(flow->meant);
   *flow = (ValueFlow){0};
}
