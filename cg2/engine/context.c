#include "engine/context.h"
#include "engine/cost.h"

#include "base/arena.h"

#include <stddef.h>

/* Reason for a mutable file-scope object: the process has one set of contexts,
 * and of what they differ in. */
static struct {
   Table contexts, separations, callers;
   Context* newest;
} known;

static SizeT marks_size(const Callers* callers)
{
   SizeT size = 12; /* of the level, and the end */
   for (; callers; callers = callers->next)
      size += 1 + VG_(strlen)(callers->function->name->text);
   return size;
}

/* Source: Callgrind marks recursion levels and callers like this. */
static const Name* mark(const Name* name, UInt level, const Callers* callers)
{
   if (level == 1 && !callers) return name;
   SizeT size = VG_(strlen)(name->text) + marks_size(callers);
   HChar* text = VG_(malloc)("cg2.context", size);
   HChar* end = text + VG_(sprintf)(text, "%s", name->text);
   if (level > 1) end += VG_(sprintf)(end, "'%u", level);
   for (; callers; callers = callers->next)
      end += VG_(sprintf)(end, "'%s", callers->function->name->text);
   const Name* marked = cg2_names_intern(&cg2_code.function_names, text);
   VG_(free)(text);
   return marked;
}

const Callers* cg2_context_callers(const Function* function,
                                   const Callers* next)
{
   ULong hash = cg2_hash_word(0, (UWord)function);
   hash = cg2_hash_word(hash, (UWord)next);
   for (TableNode* n = cg2_table_first(&known.callers, hash); n;
        n = cg2_table_next(n)) {
      const Callers* c = (const Callers*)n;
      if (c->function == function && c->next == next) return c;
   }
   Callers* chain = cg2_arena_new(sizeof *chain);
   chain->function = function;
   chain->next = next;
   cg2_table_add(&known.callers, &chain->node, hash);
   return chain;
}

static ULong separation_hash(const Separation* s)
{
   ULong hash = cg2_hash_word(0, (UWord)s->callers);
   hash = cg2_hash_word(hash, 2 * (ULong)s->thread + s->is_off);
   hash = cg2_hash_word(hash, (UWord)s->payer);
   return cg2_hash_word(hash, (UWord)s->payer_exit);
}

static Bool is_same(const Separation* a, const Separation* b)
{
   return a->callers == b->callers && a->thread == b->thread &&
          a->is_off == b->is_off && a->payer == b->payer &&
          a->payer_exit == b->payer_exit;
}

const Separation* cg2_context_separation(Separation key)
{
   ULong hash = separation_hash(&key);
   for (TableNode* n = cg2_table_first(&known.separations, hash); n;
        n = cg2_table_next(n))
      if (is_same((Separation*)n, &key)) return (Separation*)n;
   Separation* separation = cg2_arena_new(sizeof *separation);
   *separation = key;
   cg2_table_add(&known.separations, &separation->node, hash);
   return separation;
}

UInt cg2_context_count(void)
{
   return known.newest ? known.newest->number + 1 : 0;
}

UInt cg2_context_count_functions(void)
{
   UInt n = 0;
   for (UInt i = 1; i <= cg2_code.n_functions; i++)
      n += cg2_code.by_number[i]->active != NULL;
   return n;
}

Context* cg2_context_all(void)
{
   return known.newest;
}

/* Most functions have few blocks, so the first array is part of the arena; what
 * an allocator adds would be more than it holds. */
static void grow(Cells* cells)
{
   if (cells->n >= cells->home->n_slots) return;
   UInt n = cells->home->n_slots;
   if (!cells->n) {
      cells->counts = cg2_arena_new(n * sizeof *cells->counts);
      cells->n = cells->n_first = n;
      return;
   }
   if (n < 2 * cells->n) n = 2 * cells->n;
   Bool is_first = cells->n == cells->n_first;
   ULong* counts = VG_(realloc)("cg2.cells", is_first ? NULL : cells->counts,
                                n * sizeof *cells->counts);
   if (is_first) VG_(memcpy)(counts, cells->counts, cells->n * sizeof *counts);
   VG_(memset)(counts + cells->n, 0, (n - cells->n) * sizeof *counts);
   cells->counts = counts;
   cells->n = n;
}

void cg2_context_grow_cells(Function* home)
{
   for (Cells* cells = home->cells; cells; cells = cells->next_of_home)
      grow(cells);
}

static void init_cells(Cells* cells, Context* context, Function* home)
{
   cells->context = context;
   cells->home = home;
   cells->next_of_home = home->cells;
   home->cells = cells;
   grow(cells);
}

static ULong key_hash(const Function* function,
                      UInt min_active,
                      const Separation* separation)
{
   ULong hash = cg2_hash_word(0, (UWord)function);
   hash = cg2_hash_word(hash, (UWord)separation);
   return cg2_hash_word(hash, min_active);
}

static Context* add(Function* function,
                    UInt min_active,
                    const Separation* separation,
                    ULong hash)
{
   Context* context = cg2_arena_new_line(sizeof *context, 0);
   Bool is_last = min_active == function->rules->recursion_levels - 1;
   context->function = function;
   context->name = mark(function->name, min_active + 1, separation->callers);
   context->number = cg2_context_count();
   context->min_active = min_active;
   context->span = is_last ? ~0U - min_active : 0;
   context->separation = separation;
   init_cells(&context->own, context, function);
   if (!function->active) function->active = &context->active;
   context->next = known.newest;
   known.newest = context;
   cg2_table_add(&known.contexts, &context->node, hash);
   return context;
}

static Context* of_node(TableNode* node)
{
   return (Context*)((HChar*)node - offsetof(Context, node));
}

Context*
cg2_context_get(Function* function, UInt active, const Separation* separation)
{
   UInt last = function->rules->recursion_levels - 1;
   UInt min_active = active < last ? active : last;
   ULong hash = key_hash(function, min_active, separation);
   for (TableNode* n = cg2_table_first(&known.contexts, hash); n;
        n = cg2_table_next(n)) {
      Context* c = of_node(n);
      if (c->function == function && c->min_active == min_active &&
          c->separation == separation)
         return c;
   }
   return add(function, min_active, separation, hash);
}

Context* cg2_context_twin(Context* context, Bool is_off)
{
   Separation other = *context->separation;
   if (other.is_off == is_off) return context;
   other.is_off = is_off;
   if (other.payer) other.payer = cg2_context_twin(other.payer, is_off);
   return cg2_context_get(context->function, context->min_active,
                          cg2_context_separation(other));
}

Cells* cg2_context_foreign_cells(Context* context, Function* home)
{
   Cells* cells = &context->own;
   while (cells->home != home && cells->next)
      cells = cells->next;
   if (cells->home == home) return cells;
   cells->next = cg2_arena_new(sizeof *cells);
   init_cells(cells->next, context, home);
   return cells->next;
}

void cg2_context_rename_all(void)
{
   for (Context* c = known.newest; c; c = c->next)
      c->name =
         mark(c->function->name, c->min_active + 1, c->separation->callers);
}

ULong* cg2_context_skipped(Context* context)
{
   if (!context->skipped)
      context->skipped = cg2_arena_new(cg2_events.n * sizeof *context->skipped);
   return context->skipped;
}

void cg2_context_zero(Context* context)
{
   if (context->skipped) cg2_cost_clear(context->skipped);
   for (Cells* cells = &context->own; cells; cells = cells->next)
      if (cells->n)
         VG_(memset)(cells->counts, 0, cells->n * sizeof *cells->counts);
   for (Leap* leap = context->leaps; leap; leap = leap->next_of_context)
      leap->count = 0;
}
