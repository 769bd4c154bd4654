#include "context.h"

#include "arena.h"

/* Source: Callgrind marks recursion levels like this. */
static const Name* mark(const Name* name, UInt level)
{
   if (level == 1) return name;
   HChar* text =
      VG_(malloc)("cg2.context", VG_(strlen)(name->text) + 12);
   VG_(sprintf)(text, "%s'%u", name->text, level);
   const Name* marked = cg2_names_intern(&cg2_code.function_names, text);
   VG_(free)(text);
   return marked;
}

static Context* add(Function* function, UInt level)
{
   Context* context = cg2_arena_new(sizeof *context);
   context->function = function;
   context->name = mark(function->name, level);
   context->level = level;
   context->is_last = level == function->recursion_levels;
   context->own.home = function;
   context->next_of_function = function->contexts;
   function->contexts = context;
   return context;
}

Context* cg2_context_get(Function* function, UInt active)
{
   UInt level = active < function->recursion_levels
                   ? active + 1
                   : function->recursion_levels;
   for (Context* c = function->contexts; c; c = c->next_of_function)
      if (c->level == level) return c;
   return add(function, level);
}

static Cells* find_or_add(Context* context, const Function* home)
{
   Cells* cells = &context->own;
   while (cells->home != home && cells->next)
      cells = cells->next;
   if (cells->home == home) return cells;
   cells->next = cg2_arena_new(sizeof *cells);
   cells->next->home = home;
   return cells->next;
}

Cells* cg2_context_grow_cells(Context* context, const Function* home)
{
   Cells* cells = find_or_add(context, home);
   if (cells->n >= home->n_slots) return cells;
   UInt n = cells->n ? cells->n : 4;
   while (n < home->n_slots)
      n *= 2;
   cells->counts =
      VG_(realloc)("cg2.cells", cells->counts, n * sizeof *cells->counts);
   VG_(memset)(cells->counts + cells->n, 0,
               (n - cells->n) * sizeof *cells->counts);
   cells->n = n;
   return cells;
}

void cg2_context_zero(Context* context)
{
   for (Cells* cells = &context->own; cells; cells = cells->next)
      if (cells->n)
         VG_(memset)(cells->counts, 0, cells->n * sizeof *cells->counts);
}
