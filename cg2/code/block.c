#include "code/block.h"

#include "base/arena.h"

#include <stddef.h>

/* Reason for a mutable file-scope object: the program has one code. */
Code cg2_code;

static ULong object_hash(const Name* name, SizeT text_size)
{
   return cg2_hash_word(name->node.hash, text_size);
}

Object* cg2_code_find_object(const Name* name, SizeT text_size)
{
   TableNode* n =
      cg2_table_first(&cg2_code.objects, object_hash(name, text_size));
   for (; n; n = cg2_table_next(n)) {
      Object* object = (Object*)n;
      if (object->name == name && object->text_size == text_size) return object;
   }
   return NULL;
}

Object* cg2_code_add_object(const Name* name, SizeT text_size)
{
   Object* object = cg2_arena_new(sizeof *object);
   object->name = name;
   object->text_size = text_size;
   cg2_table_add(&cg2_code.objects, &object->node,
                 object_hash(name, text_size));
   return object;
}

Bool cg2_object_is_stub(const Object* object, Addr offset)
{
   for (UInt i = 0; i < object->n_stubs; i++)
      if (offset >= object->stubs[i].start && offset < object->stubs[i].end)
         return True;
   return False;
}

UnwindRange* cg2_object_unwind_range(const Object* object, Addr offset)
{
   UInt low = 0, high = object->n_unwind;
   while (low < high) {
      UInt middle = (low + high) / 2;
      if (object->unwind[middle].end <= offset)
         low = middle + 1;
      else
         high = middle;
   }
   if (low == object->n_unwind || offset < object->unwind[low].start)
      return NULL;
   return &object->unwind[low];
}

static ULong place_hash(const Object* object, Addr offset)
{
   return cg2_hash_word(cg2_hash_word(0, (UWord)object), offset);
}

Function* cg2_code_find_function(const Object* object, Addr offset)
{
   TableNode* n =
      cg2_table_first(&cg2_code.functions, place_hash(object, offset));
   for (; n; n = cg2_table_next(n)) {
      Function* function = (Function*)n;
      if (function->object == object && function->offset == offset)
         return function;
   }
   return NULL;
}

static void number(Function* function)
{
   Code* code = &cg2_code;
   if (code->n_functions + 1 >= code->max_functions) {
      code->max_functions = code->max_functions ? 2 * code->max_functions : 256;
      code->by_number =
         VG_(realloc)("cg2.functions", code->by_number,
                      code->max_functions * sizeof *code->by_number);
   }
   function->number = ++code->n_functions;
   code->by_number[function->number] = function;
}

static Function* add_function(const Symbol* symbol)
{
   Function* function = cg2_arena_new(sizeof *function);
   function->object = symbol->object;
   function->offset = function->reach = symbol->offset;
   function->mangled = symbol->mangled;
   function->name = symbol->shown;
   function->file = symbol->file;
   function->line = symbol->line;
   number(function);
   function->rules =
      cg2_rules_of(symbol->shown->text, symbol->object->name->text);
   cg2_table_add(&cg2_code.functions, &function->node,
                 place_hash(symbol->object, symbol->offset));
   return function;
}

static void forget_recent_calls(void)
{
   for (UWord i = 0; i < cg2_code.blocks.n_buckets; i++)
      for (TableNode* n = cg2_code.blocks.buckets[i]; n; n = n->next) {
         Block* block = (Block*)n;
         block->recent = NULL;
         for (UInt e = 0; e < block->n_exits; e++)
            cg2_block_exits(block)[e].recent = NULL;
      }
   cg2_code.generation++;
}

void cg2_code_rule_added(void)
{
   for (UInt i = 1; i <= cg2_code.n_functions; i++) {
      Function* f = cg2_code.by_number[i];
      f->rules = cg2_rules_again(f->rules, f->object->name->text);
   }
   forget_recent_calls();
}

static Function* function_of_named_node(TableNode* node)
{
   return (Function*)((HChar*)node - offsetof(Function, named_node));
}

static ULong named_hash(const Symbol* symbol, const Name* name)
{
   return cg2_hash_word(place_hash(symbol->object, (UWord)name),
                        (UWord)symbol->file);
}

/* The function of the symbol's object and file that is shown as `name`. */
static Function* find_named(const Symbol* symbol, const Name* name)
{
   TableNode* n = cg2_table_first(&cg2_code.named, named_hash(symbol, name));
   for (; n; n = cg2_table_next(n)) {
      Function* f = function_of_named_node(n);
      if (f->object == symbol->object && f->name == name &&
          f->file == symbol->file)
         return f;
   }
   return NULL;
}

/* Whether two symbols that are demangled alike are variants of one constructor
 * or destructor. Source: Itanium C++ ABI, 5.1.4.3: C1 to C3 and D0 to D2; GCC
 * has C4, C5, D4 and D5, too; CI1 and CI2 are constructors that are inherited.
 */
static Bool are_variants(const HChar* a, const HChar* b)
{
   const HChar* kind = ""; /* the last character, but for an I behind a C */
   for (; *a && *b; a++, b++) {
      Bool is_digit = *a >= '0' && *a <= '5' && *b >= '0' && *b <= '5';
      if (*a != *b && !(is_digit && (*kind == 'C' || *kind == 'D')))
         return False;
      if (*a != 'I' || *kind != 'C') kind = a;
   }
   return *a == *b;
}

static Bool is_one_function(const Function* f, const Symbol* symbol)
{
   return f->mangled == symbol->mangled ||
          are_variants(f->mangled->text, symbol->mangled->text);
}

Function* cg2_code_named_function(const Symbol* symbol)
{
   const Name* name = symbol->shown;
   Function* f = find_named(symbol, name);
   if (f && !is_one_function(f, symbol)) {
      name = symbol->mangled;
      f = find_named(symbol, name);
   }
   if (f) return f;
   f = add_function(symbol);
   f->name = name;
   cg2_table_add(&cg2_code.named, &f->named_node, named_hash(symbol, name));
   return f;
}

/* Source: Callgrind names such functions by 16 hexadecimal digits of the offset
 * in the object, and says when it is not ordinary text. */
static const Name* name_by_offset(const Object* object, Addr offset)
{
   HChar text[32];
   VG_(sprintf)(text, "0x%016lx%s", offset,
                cg2_object_is_stub(object, offset) ? " [PLT]" : "");
   return cg2_names_intern(&cg2_code.function_names, text);
}

Function* cg2_code_function_at(Object* object, Addr offset)
{
   Function* f = cg2_code_find_function(object, offset);
   if (f) return f;
   return add_function(&(Symbol){
      .object = object,
      .offset = offset,
      .shown = name_by_offset(object, offset),
      .file = cg2_names_intern(&cg2_code.file_names, "???"),
   });
}

Function* cg2_block_called(Block* block)
{
   if (!block->function)
      block->function = cg2_code_function_at(block->object, block->offset);
   return block->function;
}

static Bool is_same(const UShort* a, const UShort* b, UInt n)
{
   return VG_(memcmp)(a, b, n * sizeof *a) == 0;
}

static Bool has_targets(const Block* block, const BlockShape* shape)
{
   if (block->n_targets != shape->n_targets) return False;
   return shape->n_targets == 0 ||
          VG_(memcmp)(cg2_block_targets(block), shape->targets,
                      shape->n_targets * sizeof(Int)) == 0;
}

static Bool has_events(const Block* block, const BlockShape* shape)
{
   if (block->n_events != shape->n_events) return False;
   return shape->n_events == 0 ||
          VG_(memcmp)(cg2_block_events(block), shape->events,
                      shape->n_events * sizeof(BlockEvent)) == 0;
}

static Bool has_shape(const Block* block, const BlockShape* shape)
{
   return block->object == shape->object && block->offset == shape->offset &&
          block->n_instrs == shape->n_instrs &&
          block->n_segments == shape->n_segments &&
          block->n_exits == shape->n_exits &&
          is_same(cg2_block_instrs(block), shape->instrs, shape->n_instrs) &&
          is_same(cg2_block_segments(block), shape->segments,
                  shape->n_segments) &&
          has_targets(block, shape) && has_events(block, shape);
}

Block* cg2_code_find_block(const BlockShape* shape)
{
   TableNode* n = cg2_table_first(&cg2_code.blocks,
                                  place_hash(shape->object, shape->offset));
   for (; n; n = cg2_table_next(n)) {
      Block* block = (Block*)n;
      Bool is_elsewhere = block->is_live && block->address != shape->address;
      if (!is_elsewhere && has_shape(block, shape)) return block;
   }
   return NULL;
}

const Block* cg2_code_block_at(const Object* object, Addr offset)
{
   TableNode* n = cg2_table_first(&cg2_code.blocks, place_hash(object, offset));
   for (; n; n = cg2_table_next(n)) {
      const Block* block = (Block*)n;
      if (block->object == object && block->offset == offset) return block;
   }
   return NULL;
}

/* Events that have slots of their own. */
static UInt count_counted(const BlockShape* shape)
{
   UInt n = 0;
   for (UInt i = 0; i < shape->n_events; i++)
      n += shape->events[i].times == 0;
   return n;
}

Block*
cg2_code_add_block(const BlockShape* shape, Function* function, Function* home)
{
   UInt n_shorts = shape->n_instrs + shape->n_segments;
   Block* block = cg2_arena_new(sizeof *block + shape->n_exits * sizeof(Exit) +
                                shape->n_targets * sizeof(Int) +
                                shape->n_events * sizeof(BlockEvent) +
                                n_shorts * sizeof(UShort));
   block->object = shape->object;
   block->offset = shape->offset;
   block->n_instrs = shape->n_instrs;
   block->n_segments = shape->n_segments;
   block->n_exits = shape->n_exits;
   block->n_targets = shape->n_targets;
   block->n_events = shape->n_events;
   if (shape->n_targets)
      VG_(memcpy)(cg2_block_targets(block), shape->targets,
                  shape->n_targets * sizeof(Int));
   if (shape->n_events)
      VG_(memcpy)(cg2_block_events(block), shape->events,
                  shape->n_events * sizeof(BlockEvent));
   VG_(memcpy)(cg2_block_instrs(block), shape->instrs,
               shape->n_instrs * sizeof(UShort));
   VG_(memcpy)(cg2_block_segments(block), shape->segments,
               shape->n_segments * sizeof(UShort));
   block->function = function;
   block->home = home;
   if (home) {
      block->slot = home->n_slots;
      home->n_slots += block->n_segments + count_counted(shape);
      block->next_of_home = home->blocks;
      home->blocks = block;
   }
   cg2_table_add(&cg2_code.blocks, &block->node,
                 place_hash(shape->object, shape->offset));
   return block;
}

static Bool is_alike(const BlockEvent* a, const BlockEvent* b)
{
   return a->instr == b->instr && a->event == b->event && a->late == b->late &&
          (a->times == 0) == (b->times == 0) &&
          a->times + b->times <= EVENT_TIMES_MAX;
}

void cg2_block_note_event(BlockEvents* events, BlockEvent event)
{
   UInt at = events->n;
   for (; at > 0 && events->of[at - 1].instr >= event.instr; at--)
      if (is_alike(&events->of[at - 1], &event)) {
         events->of[at - 1].times += event.times;
         return;
      }
   while (at < events->n && events->of[at].instr == event.instr)
      at++;
   tl_assert(events->n < BLOCK_EVENTS_MAX);
   VG_(memmove)(&events->of[at + 1], &events->of[at],
                (events->n - at) * sizeof *events->of);
   events->of[at] = event;
   events->n++;
}

UInt cg2_block_slot_of(const Block* block, UInt instr, UInt event)
{
   const BlockEvent* e = cg2_block_events(block);
   UInt slot = block->slot + block->n_segments;
   for (; e->instr != instr || e->event != event || e->times; e++)
      slot += e->times == 0;
   return slot;
}

static Translated* find_translated(Addr address)
{
   return (Translated*)cg2_table_first(&cg2_code.translated,
                                       cg2_hash_word(0, address));
}

Block* cg2_code_translated(Addr address)
{
   const Translated* t = find_translated(address);
   return t ? t->block : NULL;
}

void cg2_code_add_translated(Addr address, Block* block)
{
   Translated* t = cg2_code.free_translated;
   if (t)
      cg2_code.free_translated = (Translated*)t->node.next;
   else
      t = cg2_arena_new(sizeof *t);
   t->block = block;
   block->is_live = True;
   cg2_table_add(&cg2_code.translated, &t->node, cg2_hash_word(0, address));
}

void cg2_code_remove_translated(Addr address)
{
   Translated* t = find_translated(address);
   if (!t) return;
   if (t->block->address == address) t->block->is_live = False;
   cg2_code.generation++;
   cg2_table_remove(&cg2_code.translated, &t->node);
   t->node.next = (TableNode*)cg2_code.free_translated;
   cg2_code.free_translated = t;
}
