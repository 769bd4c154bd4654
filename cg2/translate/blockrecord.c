#include "translate/blockrecord.h"

#include "engine/context.h"
#include "engine/threads.h"

/* Whether a function may have its slots among those of the code at a place. A
 * stub's are kept apart from those of the code that jumps there. */
static Bool may_be_home(const Function* function, const CodePlace* place)
{
   return function->object == place->object &&
          (!place->is_stub ||
           cg2_code_is_stub(function->object, function->offset));
}

/* The home of code that no unwind range tells the function of. Any function
 * would do; best is the one that will run there. */
static Function* choose_home(const CodePlace* place)
{
   const Context* context = cg2_thread_expect();
   if (context && may_be_home(context->function, place))
      return context->function;
   return cg2_code_function_at(place->object, place->offset);
}

/* Whether the code at `behind` has the home of this block. If a call is the
 * last that an unwind range has, it has not. */
static Bool is_at_home(const ReadBlock* read, Addr behind)
{
   const Range* range = &read->place.home_range;
   Addr offset = read->place.offset + (behind - read->address);
   return (offset >= range->start && offset < range->end) ||
          cg2_symbols_find(behind).home == read->place.home;
}

static void fill_exit(const ReadBlock* read, UInt i, Exit* exit, Block* block)
{
   Addr behind = read->address + read->exits[i].end;
   exit->block = block;
   cg2_exit_forget(exit); /* the code may have been moved, or rewritten */
   exit->home = NULL;
   exit->instr = read->exits[i].instr;
   exit->kind = read->exits[i].kind;
   exit->behind = exit->kind == EXIT_CALL ? behind : 0;
   exit->return_address = exit->behind && is_at_home(read, behind) ? behind : 0;
   exit->target = read->exits[i].target;
   exit->is_fixed = exit->target != 0;
}

/* The home of the block's slots. */
static Function* home_of(const ReadBlock* read)
{
   if (read->is_stub) return NULL;
   return read->place.home ? read->place.home : choose_home(&read->place);
}

static Block* add_block(const ReadBlock* read, const BlockShape* shape)
{
   Function* home = home_of(read);
   Block* b = cg2_block_add(shape, read->place.function, home);
   b->is_entry = read->place.is_entry;
   b->is_stub = read->is_stub;
   b->repeats = read->repeats;
   b->is_guarded = !read->is_stub && !read->place.home;
   if (home) cg2_context_grow_cells(home);
   cg2_thread_refresh();
   return b;
}

Block* cg2_blockrecord_find(const ReadBlock* read)
{
   const ReadShape* of = &read->shape;
   BlockShape shape = {.object = read->place.object,
                       .offset = read->place.offset,
                       .address = read->address,
                       .n_instrs = of->n_instrs,
                       .n_segments = of->n_segments,
                       .n_exits = read->n_exits,
                       .n_targets = of->n_targets,
                       .n_events = read->events->n,
                       .targets = of->targets,
                       .events = read->events->of,
                       .instrs = of->instrs,
                       .segments = of->segments};
   Block* b = cg2_block_find(&shape);
   if (!b) b = add_block(read, &shape);
   b->address = read->address;
   if (cg2_events_config.accesses.is_on) cg2_sites_place(read->sites, b);
   for (UInt i = 0; i < read->n_exits; i++)
      fill_exit(read, i, &cg2_block_exits(b)[i], b);
   return b;
}

Bool cg2_blockrecord_announce(const ReadBlock* read, Block* b, Addr address)
{
   Bool is_known = cg2_block_translated(address) != NULL;
   Bool is_redirected = address != read->address;
   if (!is_known && !is_redirected) cg2_block_add_translation(address, b);
   return b->is_guarded || (!read->is_stub && (is_known || is_redirected));
}
