#include "code/block.h"

#include "base/arena.h"

/* Reason for a mutable file-scope object: the program has one code. */
Blocks cg2_blocks;

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

Block* cg2_block_find(const BlockShape* shape)
{
   TableNode* n = cg2_table_first(
      &cg2_blocks.all, cg2_code_hash_place(shape->object, shape->offset));
   for (; n; n = cg2_table_next(n)) {
      Block* block = (Block*)n;
      Bool is_elsewhere = block->is_live && block->address != shape->address;
      if (!is_elsewhere && has_shape(block, shape)) return block;
   }
   return NULL;
}

const Block* cg2_block_at(const Object* object, Addr offset)
{
   TableNode* n =
      cg2_table_first(&cg2_blocks.all, cg2_code_hash_place(object, offset));
   for (; n; n = cg2_table_next(n)) {
      const Block* block = (Block*)n;
      if (block->object == object && block->offset == offset) return block;
   }
   return NULL;
}

/* How many events have slots of their own. */
static UInt count_counted(const BlockShape* shape)
{
   UInt n = 0;
   for (UInt i = 0; i < shape->n_events; i++)
      n += shape->events[i].times == 0;
   return n;
}

/* A block with all that lies behind it, still zero. */
static Block* new_block(const BlockShape* shape)
{
   return cg2_arena_new(sizeof(Block) + shape->n_exits * sizeof(Exit) +
                        shape->n_targets * sizeof(Int) +
                        shape->n_events * sizeof(BlockEvent) +
                        (shape->n_instrs + shape->n_segments) * sizeof(UShort));
}

/* Copies all of the shape but the exits, which the caller of cg2_block_add
 * fills in. */
static void copy_shape(Block* block, const BlockShape* shape)
{
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
}

static void give_slots(Block* block, Function* home, UInt n)
{
   block->slot = home->n_slots;
   home->n_slots += n;
   block->next_of_home = home->blocks;
   home->blocks = block;
}

Block*
cg2_block_add(const BlockShape* shape, Function* function, Function* home)
{
   Block* block = new_block(shape);
   copy_shape(block, shape);
   block->is_among_stubs = cg2_code_is_stub(shape->object, shape->offset);
   block->function = function;
   block->home = home;
   if (home) give_slots(block, home, shape->n_segments + count_counted(shape));
   cg2_table_add(&cg2_blocks.all, &block->node,
                 cg2_code_hash_place(shape->object, shape->offset));
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
   return (Translated*)cg2_table_first(&cg2_blocks.translated,
                                       cg2_hash_word(0, address));
}

Block* cg2_block_translated(Addr address)
{
   const Translated* t = find_translated(address);
   return t ? t->block : NULL;
}

void cg2_block_add_translation(Addr address, Block* block)
{
   Translated* t = cg2_blocks.free_translated;
   if (t)
      cg2_blocks.free_translated = (Translated*)t->node.next;
   else
      t = cg2_arena_new(sizeof *t);
   t->block = block;
   block->is_live = True;
   cg2_table_add(&cg2_blocks.translated, &t->node, cg2_hash_word(0, address));
}

void cg2_block_remove_translation(Addr address)
{
   Translated* t = find_translated(address);
   if (!t) return;
   if (t->block->address == address) t->block->is_live = False;
   cg2_blocks.generation++;
   cg2_table_remove(&cg2_blocks.translated, &t->node);
   t->node.next = (TableNode*)cg2_blocks.free_translated;
   cg2_blocks.free_translated = t;
}

void cg2_block_forget_arcs(void)
{
   for (UWord i = 0; i < cg2_blocks.all.n_buckets; i++)
      for (TableNode* n = cg2_blocks.all.buckets[i]; n; n = n->next) {
         Block* block = (Block*)n;
         block->recent = NULL;
         for (UInt e = 0; e < block->n_exits; e++)
            cg2_exit_forget(&cg2_block_exits(block)[e]);
      }
   cg2_blocks.generation++;
}
