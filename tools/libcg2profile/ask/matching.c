/* Numbers that functions and files of profiles have in common.
 *
 * The names of all, as they are given, go into one store; functions are told
 * by the numbers of three names. Then the names are put in order, and by their
 * places the functions. */
#include "base/keys.h"
#include "base/radix.h"
#include "profile/part.h"

#include <stdlib.h>
#include <string.h>

enum { KEY_WIDTH = 2 };

/* What is found of a graph. */
typedef struct MatchedSide {
   uint32_t* as_file; /* of each name of the profile: its place among all */
   uint64_t* nodes;   /* of each node: its function */
} MatchedSide;

struct cg2p_matching {
   Failure failure;
   NameStore names;   /* of all */
   uint32_t* ranks;   /* the place of each name in the order of all, */
   uint32_t* by_rank; /* and the names in this order */
   Keys keys;         /* of functions, in the order in which they are met */
   cg2p_function* functions;
   uint8_t* in; /* of each function: CG2P_IN_... */
   MatchedSide* of;
   size_t n; /* graphs */
};

/* The graphs, and in what each is: CG2P_IN_... */
typedef struct MatchedGraphs {
   const cg2p_matched* of;
   const uint8_t* in;
   size_t n;
} MatchedGraphs;

/*--- Names and functions ------------------------------------------------*/

static uint32_t intern_text(cg2p_matching* m, const char* text)
{
   return cg2p_names_intern(&m->names, &m->failure, text, strlen(text));
}

static uint32_t intern_name(cg2p_matching* m, const StoredName* name)
{
   return cg2p_names_intern(&m->names, &m->failure, name->text, name->length);
}

static void
add_names(cg2p_matching* m, MatchedSide* side, const cg2p_matched* of)
{
   const NameStore* names = &of->profile->names;
   side->as_file =
      cg2p_memory_allocate(&m->failure, names->n * sizeof *side->as_file);
   for (size_t i = 0; i < names->n; i++) {
      const char* other = of->files ? of->files[i] : NULL;
      side->as_file[i] =
         other ? intern_text(m, other) : intern_name(m, &names->of[i]);
   }
}

/* The name of a node, whose function in the part is `function`. */
static uint32_t node_name(cg2p_matching* m,
                          const MatchedSide* side,
                          const cg2p_matched* of,
                          uint32_t node,
                          const cg2p_function* function)
{
   const char* other = of->nodes ? of->nodes[node] : NULL;
   if (other) return intern_text(m, other);
   const StoredName* name = &of->profile->names.of[function->name];
   StoredName own = {.length = 0};
   size_t length;
   own.text = cg2p_graph_node_name(of->graph, node, &length);
   own.length = length;
   if (own.text != name->text) return intern_name(m, &own); /* had a level */
   if (!of->files || !of->files[function->name])
      return side->as_file[function->name];
   return intern_name(m, name);
}

static void
add_nodes(cg2p_matching* m, MatchedSide* side, const cg2p_matched* of)
{
   uint32_t n = of->graph->n_nodes;
   side->nodes = cg2p_memory_allocate(&m->failure, n * sizeof *side->nodes);
   for (uint32_t node = 0; node < n; node++) {
      const cg2p_function* function =
         &of->part->functions[of->graph->outermost[node]];
      uint64_t key[KEY_WIDTH] = {(uint64_t)side->as_file[function->object]
                                       << 32 |
                                    side->as_file[function->file],
                                 node_name(m, side, of, node, function)};
      side->nodes[node] = cg2p_keys_intern(&m->keys, &m->failure, key);
   }
}

/*--- Order --------------------------------------------------------------*/

/* Finds the place of each name in the order of all. */
static void rank_names(cg2p_matching* m)
{
   size_t n = m->names.n;
   m->ranks = cg2p_names_ranks(&m->names, &m->failure);
   m->by_rank = cg2p_memory_allocate(&m->failure, n * sizeof *m->by_rank);
   for (size_t i = 0; i < n; i++)
      m->by_rank[m->ranks[i]] = i;
}

static void name_functions(cg2p_matching* m)
{
   const uint32_t* ranks = m->ranks;
   m->functions =
      cg2p_memory_allocate(&m->failure, m->keys.n * sizeof *m->functions);
   for (size_t i = 0; i < m->keys.n; i++) {
      const uint64_t* key = cg2p_keys_at(&m->keys, i);
      m->functions[i] = (cg2p_function){ranks[key[0] >> 32],
                                        ranks[(uint32_t)key[0]], ranks[key[1]]};
   }
}

/* What functions are sorted by first, their names, and what by then. */
static void put_keys(const cg2p_matching* m, uint64_t* keys, bool are_names)
{
   for (size_t i = 0; i < m->keys.n; i++) {
      const cg2p_function* f = &m->functions[i];
      keys[i] = are_names ? f->name : (uint64_t)f->object << 32 | f->file;
   }
}

/* The functions as they were met, in the order of their names. */
static size_t* order_of_functions(cg2p_matching* m, Arena* scratch)
{
   size_t bytes = m->keys.n * sizeof(size_t);
   size_t* order = cg2p_arena_add(scratch, &m->failure, bytes);
   size_t* spare = cg2p_arena_add(scratch, &m->failure, bytes);
   uint64_t* keys = cg2p_arena_add(scratch, &m->failure, bytes);
   for (size_t i = 0; i < m->keys.n; i++)
      order[i] = i;
   put_keys(m, keys, true);
   cg2p_radix_sort(order, spare, m->keys.n, keys);
   put_keys(m, keys, false);
   cg2p_radix_sort(order, spare, m->keys.n, keys);
   return order;
}

/* Gives the functions numbers in the order of their names. */
static void
number_functions(cg2p_matching* m, Arena* scratch, const MatchedGraphs* graphs)
{
   size_t n = m->keys.n, bytes = n * sizeof *m->functions;
   size_t* order = order_of_functions(m, scratch);
   size_t* place = cg2p_arena_add(scratch, &m->failure, n * sizeof *place);
   cg2p_function* met = cg2p_arena_add(scratch, &m->failure, bytes);
   if (n) memcpy(met, m->functions, bytes);
   for (size_t i = 0; i < n; i++) {
      m->functions[i] = met[order[i]];
      place[order[i]] = i;
   }
   m->in = cg2p_memory_allocate(&m->failure, n);
   for (size_t i = 0; i < graphs->n; i++)
      for (uint32_t node = 0; node < graphs->of[i].graph->n_nodes; node++) {
         uint64_t* number = &m->of[i].nodes[node];
         *number = place[*number];
         m->in[*number] |= graphs->in[i];
      }
}

/* Gives the names of a side's files their places. */
static void number_files(MatchedSide* side, size_t n, const uint32_t* ranks)
{
   for (size_t i = 0; i < n; i++)
      side->as_file[i] = ranks[side->as_file[i]];
}

/*--- The operation ------------------------------------------------------*/

static void match(cg2p_matching* m, Arena* scratch, const MatchedGraphs* graphs)
{
   m->of = cg2p_memory_allocate(&m->failure, graphs->n * sizeof *m->of);
   m->n = graphs->n;
   for (size_t i = 0; i < m->n; i++) {
      add_names(m, &m->of[i], &graphs->of[i]);
      add_nodes(m, &m->of[i], &graphs->of[i]);
   }
   rank_names(m);
   name_functions(m);
   number_functions(m, scratch, graphs);
   for (size_t i = 0; i < m->n; i++)
      number_files(&m->of[i], graphs->of[i].profile->names.n, m->ranks);
}

/* Whether it is done; if not, the error says why. */
static bool
try_to_match(cg2p_matching* m, Arena* scratch, const MatchedGraphs* graphs)
{
   if (setjmp(m->failure.caught)) return false;
   match(m, scratch, graphs);
   return true;
}

cg2p_matching* cg2p_matching_new_of_graphs(const cg2p_matched* graphs,
                                           const uint8_t* in,
                                           size_t n,
                                           cg2p_error* error)
{
   const char* path = n ? graphs->profile->path : "names";
   Arena scratch = {.left = 0};
   cg2p_matching* m = calloc(1, sizeof *m);
   if (!m) {
      cg2p_failure_say_no_memory(error, path);
      return NULL;
   }
   m->failure = (Failure){.path = path, .error = error};
   m->keys.width = KEY_WIDTH;
   bool is_made = try_to_match(m, &scratch, &(MatchedGraphs){graphs, in, n});
   cg2p_arena_free(&scratch);
   if (is_made) return m;
   cg2p_matching_free(m);
   return NULL;
}

cg2p_matching* cg2p_matching_new(const cg2p_matched* old_side,
                                 const cg2p_matched* new_side,
                                 cg2p_error* error)
{
   const cg2p_matched sides[] = {*old_side, *new_side};
   const uint8_t in[] = {CG2P_IN_OLD, CG2P_IN_NEW};
   return cg2p_matching_new_of_graphs(sides, in, 2, error);
}

size_t cg2p_matching_count(const cg2p_matching* m)
{
   return m->keys.n;
}

const cg2p_function* cg2p_matching_functions(const cg2p_matching* m)
{
   return m->functions;
}

const uint8_t* cg2p_matching_sides(const cg2p_matching* m)
{
   return m->in;
}

const uint64_t* cg2p_matching_nodes(const cg2p_matching* m, int side)
{
   return m->of[side].nodes;
}

const uint32_t* cg2p_matching_files(const cg2p_matching* m, int side)
{
   return m->of[side].as_file;
}

const char*
cg2p_matching_name(const cg2p_matching* m, uint32_t number, size_t* length)
{
   const StoredName* name = &m->names.of[m->by_rank[number]];
   if (length) *length = name->length;
   return name->text;
}

size_t cg2p_matching_copy_names(const cg2p_matching* m, char* texts)
{
   size_t sum = 0;
   for (size_t i = 0; i < m->names.n; i++) {
      const StoredName* name = &m->names.of[m->by_rank[i]];
      size_t bytes = name->length + 1;
      if (texts) memcpy(texts + sum, name->text, bytes);
      sum += bytes;
   }
   return sum;
}

void cg2p_matching_free(cg2p_matching* m)
{
   if (!m) return;
   for (size_t i = 0; i < m->n; i++) {
      free(m->of[i].as_file);
      free(m->of[i].nodes);
   }
   free(m->of);
   free(m->in);
   free(m->functions);
   free(m->ranks);
   free(m->by_rank);
   cg2p_keys_free(&m->keys);
   cg2p_names_free(&m->names);
   free(m);
}
