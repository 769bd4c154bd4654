#include "paths/pathtree.h"
#include "profile/part.h"

#include <stdlib.h>
#include <string.h>

/*--- Beginning and end --------------------------------------------------*/

static bool try_to_begin(cg2p_pathtree* tree)
{
   if (setjmp(tree->failure.caught)) return false;
   cg2p_names_init(&tree->names, &tree->failure);
   for (int side = 0; side < TREE_SIDES; side++)
      tree->total[side] = cg2p_memory_allocate(
         &tree->failure, tree->n_events * sizeof *tree->total[side]);
   return true;
}

cg2p_pathtree* cg2p_pathtree_new(uint32_t n_events, cg2p_error* error)
{
   cg2p_pathtree* tree = calloc(1, sizeof *tree);
   if (!tree) {
      cg2p_failure_say_no_memory(error, "paths");
      return NULL;
   }
   tree->n_events = n_events;
   tree->functions.width = 3;
   tree->ways.width = 2;
   tree->failure = (Failure){.path = "paths", .error = error};
   if (try_to_begin(tree)) return tree;
   cg2p_pathtree_free(tree);
   return NULL;
}

void cg2p_pathtree_free(cg2p_pathtree* tree)
{
   if (!tree) return;
   cg2p_names_free(&tree->names);
   cg2p_keys_free(&tree->functions);
   cg2p_keys_free(&tree->ways);
   for (int side = 0; side < TREE_SIDES; side++) {
      free(tree->self[side]);
      free(tree->inclusive[side]);
      free(tree->total[side]);
   }
   free(tree->of);
   free(tree);
}

/*--- Adding a part ------------------------------------------------------*/

/* A part that is being added. */
typedef struct Addition {
   cg2p_pathtree* tree;
   Failure* failure;
   const cg2p_profile* profile;
   const Part* part;
   const uint32_t* name_as; /* NULL: functions are told apart by their texts */
   int side;
   uint32_t* names;    /* of the tree, by number of the profile's */
   uint32_t* branches; /* by path */
   const cg2p_path* paths;
} Addition;

static void add_number(Addition* a, uint64_t* sum, uint64_t number)
{
   if (__builtin_add_overflow(*sum, number, sum))
      cg2p_failure_at(a->failure, 1,
                      "costs or calls of paths add up to more than 64 bits; "
                      "expected sums that fit");
}

static void intern_names(Addition* a)
{
   const NameStore* names = &a->profile->names;
   a->names = cg2p_memory_allocate(a->failure, names->n * sizeof *a->names);
   for (size_t i = 0; i < names->n; i++)
      a->names[i] =
         a->name_as ? a->name_as[i]
                    : cg2p_names_intern(&a->tree->names, a->failure,
                                        names->of[i].text, names->of[i].length);
}

/* The number of a path's function in the tree. */
static uint32_t function_of(Addition* a, uint32_t path)
{
   const cg2p_function* f = &a->part->functions[path];
   uint64_t key[3] = {0, 0, a->names[f->name]};
   if (!a->name_as) {
      key[0] = a->names[f->object];
      key[1] = a->names[f->file];
   }
   return cg2p_keys_intern(&a->tree->functions, a->failure, key);
}

static void make_room(Addition* a, size_t n)
{
   cg2p_pathtree* tree = a->tree;
   tree->of =
      cg2p_memory_grow(a->failure, tree->of, &tree->room, n, sizeof *tree->of);
   for (int side = 0; side < TREE_SIDES; side++)
      tree->self[side] = cg2p_memory_grow_cleared(
         a->failure, tree->self[side], &tree->self_room[side],
         n * tree->n_events, sizeof *tree->self[side]);
}

/* The branch that a path belongs to, which is added if it is new. */
static uint32_t branch_of(Addition* a, uint32_t path)
{
   cg2p_pathtree* tree = a->tree;
   uint32_t above = a->paths[path].caller;
   uint32_t caller = above == CG2P_NONE ? CG2P_NONE : a->branches[above];
   uint64_t way[2] = {caller, function_of(a, path)};
   size_t n = tree->ways.n;
   make_room(a, n + 1);
   uint32_t branch = cg2p_keys_intern(&tree->ways, a->failure, way);
   if (branch == n)
      tree->of[branch] = (cg2p_branch){
         .caller = caller, .part = tree->n_parts, .path = path, .n = 1};
   return branch;
}

static void add_calls(Addition* a, cg2p_branch* branch, const cg2p_path* path)
{
   uint64_t calls = path->count;
   add_number(a, &calls, path->again);
   add_number(a, &branch->calls[a->side], calls);
   if (branch->caller != CG2P_NONE)
      add_number(a, &a->tree->of[branch->caller].calls_below[a->side], calls);
}

static void add_path(Addition* a, uint32_t path)
{
   cg2p_pathtree* tree = a->tree;
   uint32_t branch = a->branches[path] = branch_of(a, path);
   add_calls(a, &tree->of[branch], &a->paths[path]);
   const uint64_t* cost = cg2p_part_self(a->part, path);
   uint64_t* self = tree->self[a->side] + (size_t)branch * tree->n_events;
   for (uint32_t i = 0; i < tree->n_events; i++) {
      add_number(a, &tree->total[a->side][i], cost[i]);
      self[i] += cost[i];
   }
}

static bool try_to_add(Addition* a)
{
   if (setjmp(a->failure->caught)) return false;
   intern_names(a);
   a->paths = cg2p_part_paths(a->part);
   a->branches = cg2p_memory_allocate(a->failure, a->part->n_functions *
                                                     sizeof *a->branches);
   for (size_t i = 0; i < a->part->n_functions; i++)
      add_path(a, i);
   a->tree->n_parts++;
   return true;
}

int cg2p_pathtree_add(cg2p_pathtree* tree,
                      const cg2p_profile* profile,
                      const cg2p_part* part,
                      const uint32_t* name_as,
                      int side,
                      cg2p_error* error)
{
   tree->failure = (Failure){.path = profile->path, .error = error};
   Addition a = {.tree = tree,
                 .failure = &tree->failure,
                 .profile = profile,
                 .part = part,
                 .name_as = name_as,
                 .side = side};
   bool is_added = try_to_add(&a);
   free(a.names);
   free(a.branches);
   return is_added;
}

/*--- Sums ---------------------------------------------------------------*/

/* Adds what each branch costs to its caller, which stands before it. */
static void add_inclusive(cg2p_pathtree* tree, int side)
{
   size_t width = tree->n_events, n = cg2p_pathtree_n_branches(tree);
   uint64_t* sums = tree->inclusive[side];
   if (n) memcpy(sums, tree->self[side], n * width * sizeof *sums);
   for (size_t i = n; i-- > 0;) {
      uint32_t caller = tree->of[i].caller;
      if (caller == CG2P_NONE) continue;
      for (size_t event = 0; event < width; event++)
         sums[caller * width + event] += sums[i * width + event];
   }
}

static bool try_to_end(cg2p_pathtree* tree)
{
   if (setjmp(tree->failure.caught)) return false;
   size_t n = cg2p_pathtree_n_branches(tree);
   size_t bytes = (n * tree->n_events + 1) * sizeof(uint64_t);
   for (int side = 0; side < TREE_SIDES; side++) {
      tree->inclusive[side] = cg2p_memory_allocate(&tree->failure, bytes);
      add_inclusive(tree, side);
   }
   for (size_t i = n; i-- > 0;)
      if (tree->of[i].caller != CG2P_NONE)
         tree->of[tree->of[i].caller].n += tree->of[i].n;
   return true;
}

int cg2p_pathtree_complete(cg2p_pathtree* tree, cg2p_error* error)
{
   tree->failure = (Failure){.path = "paths", .error = error};
   return try_to_end(tree);
}

/*--- Questions ----------------------------------------------------------*/

size_t cg2p_pathtree_branch_count(const cg2p_pathtree* tree)
{
   return cg2p_pathtree_n_branches(tree);
}

const cg2p_branch* cg2p_pathtree_branches(const cg2p_pathtree* tree)
{
   return tree->of;
}

const uint64_t* cg2p_pathtree_self_costs(const cg2p_pathtree* tree, int side)
{
   return tree->self[side];
}

const uint64_t* cg2p_pathtree_inclusive_costs(const cg2p_pathtree* tree,
                                              int side)
{
   return tree->inclusive[side];
}

static bool
has_share(const cg2p_pathtree* tree, size_t branch, int side, double share)
{
   const uint64_t* cost = tree->inclusive[side] + branch * tree->n_events;
   for (uint32_t i = 0; i < tree->n_events; i++)
      if (cost[i] && (double)cost[i] >= share * (double)tree->total[side][i])
         return true;
   return false;
}

size_t
cg2p_pathtree_above(const cg2p_pathtree* tree, double share, uint32_t* numbers)
{
   size_t n = 0;
   for (size_t i = 0; i < cg2p_pathtree_n_branches(tree); i++)
      if (has_share(tree, i, 0, share) || has_share(tree, i, 1, share)) {
         if (numbers) numbers[n] = i;
         n++;
      }
   return n;
}

/*--- Weights ------------------------------------------------------------*/

uint64_t* cg2p_pathtree_weights(const cg2p_pathtree* tree,
                                Failure* failure,
                                const int64_t* factors)
{
   size_t n = cg2p_pathtree_n_branches(tree);
   uint64_t* weights = cg2p_memory_allocate(failure, (n + 1) * sizeof *weights);
   for (size_t i = 0; i < n; i++) {
      const uint64_t* cost = tree->self[0] + i * tree->n_events;
      __int128 sum = 0;
      for (uint32_t event = 0; event < tree->n_events; event++)
         sum += (__int128)factors[event] * cost[event];
      weights[i] = sum < 0 ? 0 : sum > INT64_MAX ? INT64_MAX : (uint64_t)sum;
   }
   return weights;
}

static int compare_weights(const void* a, const void* b, void* weights)
{
   const uint64_t* of = weights;
   uint32_t x = *(const uint32_t*)a, y = *(const uint32_t*)b;
   if (of[x] != of[y]) return of[x] > of[y] ? -1 : 1;
   return x < y ? -1 : x > y;
}

int cg2p_pathtree_heaviest(const cg2p_pathtree* tree,
                           const int64_t* factors,
                           uint32_t* numbers,
                           cg2p_error* error)
{
   Failure failure = {.path = "paths", .error = error};
   if (setjmp(failure.caught)) return 0;
   uint64_t* weights = cg2p_pathtree_weights(tree, &failure, factors);
   size_t n = cg2p_pathtree_n_branches(tree);
   for (size_t i = 0; i < n; i++)
      numbers[i] = i;
   qsort_r(numbers, n, sizeof *numbers, compare_weights, weights);
   free(weights);
   return 1;
}
