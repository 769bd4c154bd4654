/* Folded stacks: lines "main;f;g 123", in the order of the alphabet. Functions
 * of one name are one here. A semicolon in a name becomes a comma.
 *
 * path    the names of a stack; stacks of one path are one line
 * item    a path's own line, or the lines of all longer paths below it. Those
 *         of one caller have an order, as no name has a semicolon, and so the
 *         lines are in order without being compared as a whole. */
#include "export/foldedwriter.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_CALLER, PATH_NAME, PATH_WIDTH }; /* what a path is known by */
enum { LINE, BELOW, ITEMS };                 /* an item is ITEMS * path + one */

typedef struct Folding {
   StackWriter* writer;
   uint32_t* names_of; /* functions' names, in writer->names */
   uint64_t* sums;     /* of paths */
   uint32_t* ranks;    /* of items by name: ITEMS * name + one */
   Groups items;       /* by the path above */
   size_t* lengths;    /* of each path's text, once it is known */
} Folding;

/*--- Paths --------------------------------------------------------------*/

/* The number of a function's name as it stands in a line. */
static uint32_t intern_name(StackWriter* w, Text name)
{
   size_t length = cg2p_text_length(name);
   w->text = cg2p_memory_grow(&w->failure, w->text, &w->text_room, length + 1,
                              sizeof *w->text);
   for (size_t i = 0; i < length; i++)
      w->text[i] = name.start[i] == ';' ? ',' : name.start[i];
   return cg2p_names_intern(&w->names, &w->failure, w->text, length);
}

/* Finds the paths, and what each costs; a path's callers are in front. */
static void find_paths(Folding* f)
{
   StackWriter* w = f->writer;
   const cg2p_stacks* stacks = w->stacks;
   uint32_t event = w->how->events[0];
   uint32_t* paths = cg2p_stackwriter_numbers(w, stacks->n);
   cg2p_stackwriter_find_self(w);
   f->names_of = cg2p_stackwriter_numbers(w, stacks->small + 1);
   for (uint32_t i = 0; i <= stacks->small; i++)
      f->names_of[i] = intern_name(w, cg2p_stackwriter_shown_name(w, i));
   w->numbers = cg2p_memory_grow(&w->failure, w->numbers, &w->numbers_room,
                                 (size_t)stacks->n + 1, sizeof *w->numbers);
   f->sums = w->numbers;
   memset(f->sums, 0, stacks->n * sizeof *f->sums);
   w->keys.width = PATH_WIDTH;
   for (uint32_t i = 0; i < stacks->n; i++) {
      const cg2p_stack* stack = &stacks->of[i];
      uint64_t key[] = {CG2P_NONE, f->names_of[stack->function]};
      if (stack->caller != CG2P_NONE) key[PATH_CALLER] = paths[stack->caller];
      paths[i] = cg2p_keys_intern(&w->keys, &w->failure, key);
      f->sums[paths[i]] += cg2p_stackwriter_self(w, i, event);
   }
}

static const StoredName* name_of_path(const Folding* f, uint32_t path)
{
   return &f->writer->names.of[cg2p_keys_at(&f->writer->keys, path)[PATH_NAME]];
}

/*--- Order --------------------------------------------------------------*/

/* What stands behind the name of an item. */
static int end_of(uint32_t item)
{
   return item % ITEMS == BELOW ? ';' : 0;
}

/* Compares names, each with what stands behind it; those are numbers of items
 * by name. */
static int compare_ends(const void* a, const void* b, void* names)
{
   uint32_t one = *(const uint32_t*)a, other = *(const uint32_t*)b;
   const StoredName *left = &((const StoredName*)names)[one / ITEMS],
                    *right = &((const StoredName*)names)[other / ITEMS];
   uint32_t shorter =
      left->length < right->length ? left->length : right->length;
   int order = memcmp(left->text, right->text, shorter);
   if (order) return order;
   int next =
      left->length > shorter ? (unsigned char)left->text[shorter] : end_of(one);
   int other_next = right->length > shorter
                       ? (unsigned char)right->text[shorter]
                       : end_of(other);
   return next - other_next;
}

static void rank_names(Folding* f)
{
   StackWriter* w = f->writer;
   size_t n = ITEMS * w->names.n;
   uint32_t* sorted = cg2p_stackwriter_numbers(w, n);
   f->ranks = cg2p_stackwriter_numbers(w, n);
   for (size_t i = 0; i < n; i++)
      sorted[i] = i;
   qsort_r(sorted, n, sizeof *sorted, compare_ends, w->names.of);
   for (size_t i = 0; i < n; i++)
      f->ranks[sorted[i]] = i;
}

static uint32_t rank_of(const Folding* f, uint32_t item)
{
   const uint64_t* path = cg2p_keys_at(&f->writer->keys, item / ITEMS);
   return f->ranks[ITEMS * path[PATH_NAME] + item % ITEMS];
}

static int compare_items(const void* a, const void* b, void* folding)
{
   uint32_t one = rank_of(folding, *(const uint32_t*)a),
            other = rank_of(folding, *(const uint32_t*)b);
   return one < other ? -1 : one > other;
}

/* Puts the items of each path in order; those of path number n are roots'. */
static void sort_items(Folding* f)
{
   StackWriter* w = f->writer;
   uint32_t n = w->keys.n;
   uint32_t* above = cg2p_stackwriter_numbers(w, (size_t)n * ITEMS);
   for (uint32_t i = 0; i < n * ITEMS; i++) {
      uint64_t caller = cg2p_keys_at(&w->keys, i / ITEMS)[PATH_CALLER];
      above[i] = caller == CG2P_NONE ? n : caller;
   }
   f->items =
      cg2p_components_group(&w->scratch, &w->failure, above, n * ITEMS, n + 1);
   for (uint32_t i = 0; i <= n; i++) {
      uint32_t first = f->items.first[i];
      qsort_r(f->items.items + first, f->items.first[i + 1] - first,
              sizeof *f->items.items, compare_items, f);
   }
}

/*--- Lines --------------------------------------------------------------*/

/* Puts a path's text together, behind that of its caller; its length. */
static size_t write_path(Folding* f, uint32_t path)
{
   StackWriter* w = f->writer;
   const StoredName* name = name_of_path(f, path);
   uint64_t caller = cg2p_keys_at(&w->keys, path)[PATH_CALLER];
   size_t start = caller == CG2P_NONE ? 0 : f->lengths[caller] + 1;
   w->text = cg2p_memory_grow(&w->failure, w->text, &w->text_room,
                              start + name->length + 1, sizeof *w->text);
   if (start) w->text[start - 1] = ';';
   memcpy(w->text + start, name->text, name->length);
   return start + name->length;
}

static void put_line(Folding* f, uint32_t path)
{
   StackWriter* w = f->writer;
   if (!f->sums[path]) return;
   size_t length = write_path(f, path); /* moves the text */
   cg2p_output_text(&w->output, w->text, length);
   cg2p_stackwriter_put(w, " ");
   cg2p_stackwriter_put_number(w, f->sums[path]);
   cg2p_stackwriter_put(w, "\n");
}

static void put_lines(Folding* f)
{
   StackWriter* w = f->writer;
   uint32_t path = w->keys.n, n = 0;
   uint32_t* pending = cg2p_stackwriter_numbers(w, (size_t)path * ITEMS);
   f->lengths =
      cg2p_arena_add(&w->scratch, &w->failure, path * sizeof *f->lengths);
   for (;;) {
      for (uint32_t i = f->items.first[path + 1]; i-- > f->items.first[path];)
         pending[n++] = f->items.items[i];
      for (; n && pending[n - 1] % ITEMS == LINE; n--)
         put_line(f, pending[n - 1] / ITEMS);
      if (!n) return;
      path = pending[--n] / ITEMS;
      f->lengths[path] = write_path(f, path);
   }
}

void cg2p_foldedwriter_put(StackWriter* w)
{
   Folding f = {.writer = w};
   find_paths(&f);
   rank_names(&f);
   sort_items(&f);
   put_lines(&f);
}
