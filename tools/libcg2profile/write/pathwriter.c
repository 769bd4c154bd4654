/* Writes paths, as section 9 of docs/format.md has them: each in front of those
 * that it calls, which are in the order of positions, then of functions. */
#include "write/pathwriter.h"
#include "profile/callpath.h"

#include <stdlib.h>
#include <string.h>

/* A path that is still to be written. */
typedef struct Next {
   uint32_t path, depth;
} Next;

typedef struct Tree {
   Writer* writer;
   uint32_t* first; /* path that each path calls, + 1; 0: none. The last one is
                       the first root */
   uint32_t* next;  /* path with the same caller, + 1 */
   uint32_t* ids;   /* of functions by their number in `functions`; 0: none */
   uint32_t n_ids;
   uint32_t* functions; /* of paths: a number for each key */
   uint32_t named;      /* path whose function was named last, + 1 */
   Next* agenda;        /* the next one last */
   size_t n_agenda;
} Tree;

/*--- Size ---------------------------------------------------------------*/

static void put_number(Writer* w, uint64_t number)
{
   cg2p_output_decimal(&w->output, number);
}

/* Adds a path that stands for others to what these cost. False: it is too much.
 */
static bool
add_more(const Part* part, uint32_t path, uint64_t* calls, uint64_t* cost)
{
   const uint64_t* self = cg2p_part_self(part, path);
   bool fits = !__builtin_add_overflow(*calls, part->paths[path].count, calls);
   for (uint32_t i = 0; i < part->n_events; i++)
      fits &= !__builtin_add_overflow(cost[i], self[i], &cost[i]);
   return fits;
}

void cg2p_pathwriter_put_size(Writer* w)
{
   const Part* part = w->part;
   size_t bytes = part->n_events * sizeof(uint64_t);
   uint64_t *cost = cg2p_arena_add(&w->scratch, &w->failure, bytes), calls = 0;
   uint32_t n = 0;
   bool fits = true;
   memset(cost, 0, bytes);
   for (uint32_t i = 0; i < part->n_functions; i++) {
      if (!cg2p_callpath_is_more(&w->profile->names, part->functions[i]))
         continue;
      n++;
      fits &= add_more(part, i, &calls, cost);
   }
   cg2p_writing_put(w, "paths: ");
   put_number(w, part->n_functions);
   cg2p_writing_end_line(w);
   if (!n || !fits) return;
   cg2p_writing_put(w, "more: ");
   put_number(w, n);
   cg2p_writing_put(w, " ");
   put_number(w, calls);
   cg2p_writing_costs(w, cost, 1);
   cg2p_writing_end_line(w);
}

/*--- Order --------------------------------------------------------------*/

static int compare_files(const Writer* w, uint32_t own, uint32_t a, uint32_t b)
{
   if (a == b) return 0;
   if (a == own) return -1;
   if (b == own) return 1;
   const StoredName* names = w->profile->names.of;
   return cg2p_names_compare(&names[a], &names[b]);
}

/* Where paths with one caller are called: the line counts within its file. */
static int
compare_sites(const Writer* w, const cg2p_path* a, const cg2p_path* b)
{
   uint32_t own = a->caller == CG2P_NONE ? NAME_UNKNOWN
                                         : w->part->functions[a->caller].file;
   int order = cg2p_rows_compare_numbers(a->at.instr, b->at.instr);
   if (!order) order = cg2p_rows_compare_numbers(a->at.block, b->at.block);
   if (!order) order = compare_files(w, own, a->file, b->file);
   return order ? order : cg2p_rows_compare_numbers(a->at.line, b->at.line);
}

/* The reverse order of paths with one caller. */
static int compare_paths(const void* a, const void* b, void* writer)
{
   const Writer* w = writer;
   const NameStore* names = &w->profile->names;
   uint32_t one = ((const Next*)b)->path, other = ((const Next*)a)->path;
   const cg2p_function* functions = w->part->functions;
   int order = cg2p_callpath_is_more(names, functions[one]) -
               cg2p_callpath_is_more(names, functions[other]);
   if (!order)
      order = compare_sites(w, &w->part->paths[one], &w->part->paths[other]);
   if (!order) order = cg2p_order_functions(&w->order, one, other);
   return order ? order : one < other ? -1 : one > other;
}

static uint32_t* numbers(Writer* w, size_t n)
{
   uint32_t* made = cg2p_arena_add(&w->scratch, &w->failure, n * sizeof *made);
   return memset(made, 0, n * sizeof *made);
}

/* Finds what each path calls. */
static void link_paths(Tree* tree)
{
   const Part* part = tree->writer->part;
   uint32_t n = part->n_functions;
   tree->first = numbers(tree->writer, (size_t)n + 1);
   tree->next = numbers(tree->writer, n);
   for (uint32_t i = n; i-- > 0;) {
      uint32_t caller = part->paths[i].caller;
      uint32_t* first = &tree->first[caller == CG2P_NONE ? n : caller];
      tree->next[i] = *first;
      *first = i + 1;
   }
}

/* Puts what a path calls on the agenda; `path` is the number of paths for
 * roots. */
static void push_called(Tree* tree, uint32_t path, uint32_t depth)
{
   Writer* w = tree->writer;
   size_t before = tree->n_agenda;
   for (uint32_t i = tree->first[path]; i; i = tree->next[i - 1])
      tree->agenda[tree->n_agenda++] = (Next){i - 1, depth};
   if (tree->n_agenda - before > 1)
      qsort_r(tree->agenda + before, tree->n_agenda - before,
              sizeof *tree->agenda, compare_paths, w);
}

/*--- Lines --------------------------------------------------------------*/

/* Numbers the functions of the paths, of which many have the same. */
static void number_functions(Tree* tree)
{
   Writer* w = tree->writer;
   const Part* part = w->part;
   tree->functions = numbers(w, part->n_functions);
   for (uint32_t i = 0; i < part->n_functions; i++) {
      const cg2p_function* f = &part->functions[i];
      uint64_t key[] = {f->object, f->file, f->name};
      tree->functions[i] = cg2p_keys_intern(&w->keys, &w->failure, key);
   }
   tree->ids = numbers(w, w->keys.n);
}

/* The number that a path's function has in the file, which is given it the
 * first time. */
static uint32_t id_of(Tree* tree, uint32_t path)
{
   Writer* w = tree->writer;
   const cg2p_function* functions = w->part->functions;
   const cg2p_function *f = &functions[path],
                       *last = tree->named ? &functions[tree->named - 1] : NULL;
   uint32_t* id = &tree->ids[tree->functions[path]];
   if (cg2p_callpath_is_more(&w->profile->names, *f)) return 0;
   if (*id) return *id;
   *id = ++tree->n_ids;
   if (!last || last->object != f->object)
      cg2p_writing_spec(w, "ob=", NAME_OBJECT, f->object);
   if (!last || last->file != f->file)
      cg2p_writing_spec(w, "fl=", NAME_FILE, f->file);
   cg2p_writing_put(w, "fn=");
   cg2p_writing_id(w, *id);
   cg2p_writing_put(w, " ");
   cg2p_writing_text_of(w, f->name);
   cg2p_writing_end_line(w);
   tree->named = path + 1;
   return *id;
}

static void put_path(Tree* tree, Next next)
{
   Writer* w = tree->writer;
   const Part* part = w->part;
   const cg2p_path* path = &part->paths[next.path];
   uint32_t usual = path->caller == CG2P_NONE
                       ? NAME_UNKNOWN
                       : part->functions[path->caller].file;
   uint32_t id = id_of(tree, next.path);
   if (path->file != usual) cg2p_writing_spec(w, "fi=", NAME_FILE, path->file);
   put_number(w, next.depth);
   cg2p_writing_put(w, " ");
   put_number(w, id);
   cg2p_writing_put(w, " ");
   cg2p_writing_place(w, &path->at);
   cg2p_writing_put(w, " ");
   put_number(w, path->count);
   if (path->again) {
      cg2p_writing_put(w, "+");
      put_number(w, path->again);
   }
   cg2p_writing_costs(w, cg2p_part_self(part, next.path), 1);
   cg2p_writing_end_line(w);
}

void cg2p_pathwriter_put(Writer* w)
{
   Tree tree = {.writer = w};
   uint32_t n = w->part->n_functions;
   number_functions(&tree);
   link_paths(&tree);
   tree.agenda =
      cg2p_arena_add(&w->scratch, &w->failure, n * sizeof *tree.agenda);
   push_called(&tree, n, 0);
   while (tree.n_agenda) {
      Next next = tree.agenda[--tree.n_agenda];
      put_path(&tree, next);
      push_called(&tree, next.path, next.depth + 1);
   }
}
