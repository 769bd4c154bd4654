#include "facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void facts_add(Facts* facts, const Fact* fact)
{
   if (facts->n == facts->capacity) {
      facts->capacity = facts->capacity ? 2 * facts->capacity : 64;
      facts->all = realloc(facts->all, facts->capacity * sizeof *facts->all);
      tl_assert(facts->all);
   }
   facts->all[facts->n++] = *fact;
}

static int compare_numbers(ULong a, ULong b)
{
   return a < b ? -1 : a > b;
}

static int compare(const void* va, const void* vb)
{
   const Fact *a = va, *b = vb;
   const char* texts[][2] = {
      {a->object, b->object},
      {a->file, b->file},
      {a->function, b->function},
      {a->at_file, b->at_file},
      {a->callee_object, b->callee_object},
      {a->callee_file, b->callee_file},
      {a->callee, b->callee},
   };
   ULong numbers[][2] = {
      {a->at_instr, b->at_instr},
      {a->at_line, b->at_line},
      {a->target_instr, b->target_instr},
      {a->target_line, b->target_line},
   };
   int order = 0;
   for (UInt i = 0; i < 7 && !order; i++)
      order = strcmp(texts[i][0], texts[i][1]);
   for (UInt i = 0; i < 4 && !order; i++)
      order = compare_numbers(numbers[i][0], numbers[i][1]);
   return order;
}

void facts_merge(Facts* facts)
{
   if (facts->n) qsort(facts->all, facts->n, sizeof *facts->all, compare);
   UInt n = 0;
   for (UInt i = 0; i < facts->n; i++) {
      const Fact* f = &facts->all[i];
      if (!f->count && !f->cost) continue;
      Fact* last = n ? &facts->all[n - 1] : NULL;
      if (last && compare(last, f) == 0) {
         last->count += f->count;
         last->cost += f->cost;
      } else
         facts->all[n++] = *f;
   }
   facts->n = n;
}

void facts_print(const Fact* f, void* stdio_file)
{
   fprintf(stdio_file,
           "%s\t%s\t%s\t%s\t%llu\t%llu\t%s\t%s\t%s\t%llu\t%llu\t%llu\t%llu\n",
           f->object, f->file, f->function, f->at_file, f->at_instr, f->at_line,
           f->callee_object, f->callee_file, f->callee, f->target_instr,
           f->target_line, f->count, f->cost);
}

static Bool is_same(const Fact* a, const Fact* b)
{
   return compare(a, b) == 0 && a->count == b->count && a->cost == b->cost;
}

Bool facts_agree(const Facts* found, const Facts* expected)
{
   for (UInt i = 0; i < found->n || i < expected->n; i++) {
      const Fact* f = i < found->n ? &found->all[i] : NULL;
      const Fact* e = i < expected->n ? &expected->all[i] : NULL;
      if (f && e && is_same(f, e)) continue;
      fprintf(stderr, "found    ");
      if (f) facts_print(f, stderr);
      fprintf(stderr, "\nexpected ");
      if (e) facts_print(e, stderr);
      fprintf(stderr, "\n");
      return False;
   }
   return True;
}

void facts_free(Facts* facts)
{
   free(facts->all);
   *facts = (Facts){0};
}
