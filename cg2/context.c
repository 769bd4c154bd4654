#include "context.h"

#include "arena.h"

/* Source: Callgrind marks recursion levels like this. */
static const Name* mark(const Name* name, UInt level)
{
   if (level == 1) return name;
   HChar* text = VG_(malloc)("cg2.context", VG_(strlen)(name->text) + 12);
   VG_(sprintf)(text, "%s'%u", name->text, level);
   const Name* marked = cg2_names_intern(&cg2_code.function_names, text);
   VG_(free)(text);
   return marked;
}

/* Reason for a mutable file-scope object: numbers all contexts there are. */
static UInt n_contexts;

UInt cg2_context_count(void)
{
   return n_contexts;
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

static Context* add(Function* function, UInt min_active)
{
   Context* context = cg2_arena_new_line(sizeof *context);
   Bool is_last = min_active == function->recursion_levels - 1;
   context->function = function;
   context->name = mark(function->name, min_active + 1);
   context->number = n_contexts++;
   context->min_active = min_active;
   context->span = is_last ? ~0U - min_active : 0;
   init_cells(&context->own, context, function);
   if (!function->active) function->active = &context->active;
   context->next_of_function = function->contexts;
   function->contexts = context;
   return context;
}

Context* cg2_context_get(Function* function, UInt active)
{
   UInt last = function->recursion_levels - 1;
   for (Context* c = function->contexts; c; c = c->next_of_function)
      if (cg2_context_fits(c, active)) return c;
   return add(function, active < last ? active : last);
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

void cg2_context_zero(Context* context)
{
   VG_(memset)(&context->skipped, 0, sizeof context->skipped);
   for (Cells* cells = &context->own; cells; cells = cells->next)
      if (cells->n)
         VG_(memset)(cells->counts, 0, cells->n * sizeof *cells->counts);
}
