/* Finds a small tree that holds much of what paths weigh.
 *
 * A tree has a branch only with all that call it. Which trees are the best is
 * known since W. A. Horn, "Single-machine job sequencing with treelike
 * precedence ordering and linear delay penalties" (1972): the densest block is
 * put behind its caller's, with which it becomes one, and so on, until all are
 * behind a root above the tree.
 *
 * block    branches, one behind the other, the first of which calls all others;
 *          it is told by that one
 * density  what a block weighs for each branch of it */
#include "paths/pathtree.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct DenseBlock {
   uint64_t weight;
   uint32_t n;    /* branches; what has become part of another keeps its own */
   uint32_t last; /* branch */
   uint32_t into; /* block that this one is part of; itself: none */
} DenseBlock;

/* A block as it was when this was put into the heap. */
typedef struct DenseEntry {
   double density;
   uint32_t block, n;
} DenseEntry;

typedef struct Growing {
   Failure failure;
   const cg2p_pathtree* tree;
   uint64_t* weights;
   uint32_t root;      /* the block above all branches: their number */
   DenseBlock* blocks; /* and one for the root */
   uint32_t* next;     /* branch in the same block */
   DenseEntry* heap;   /* the densest first */
   size_t n_heap, heap_room;
} Growing;

/*--- The heap -----------------------------------------------------------*/

static bool is_denser(const DenseEntry* a, const DenseEntry* b)
{
   return a->density != b->density ? a->density > b->density
                                   : a->block < b->block;
}

static void swap(DenseEntry* a, DenseEntry* b)
{
   DenseEntry kept = *a;
   *a = *b;
   *b = kept;
}

static void push(Growing* g, uint32_t block)
{
   const DenseBlock* b = &g->blocks[block];
   g->heap = cg2p_memory_grow(&g->failure, g->heap, &g->heap_room,
                              g->n_heap + 1, sizeof *g->heap);
   size_t at = g->n_heap++;
   g->heap[at] = (DenseEntry){(double)b->weight / b->n, block, b->n};
   for (; at && is_denser(&g->heap[at], &g->heap[(at - 1) / 2]);
        at = (at - 1) / 2)
      swap(&g->heap[at], &g->heap[(at - 1) / 2]);
}

static DenseEntry pop(Growing* g)
{
   DenseEntry first = g->heap[0];
   g->heap[0] = g->heap[--g->n_heap];
   for (size_t at = 0;;) {
      size_t best = at;
      for (size_t child = 2 * at + 1; child <= 2 * at + 2; child++)
         if (child < g->n_heap && is_denser(&g->heap[child], &g->heap[best]))
            best = child;
      if (best == at) return first;
      swap(&g->heap[at], &g->heap[best]);
      at = best;
   }
}

/* Whether the block is still as it was. */
static bool holds(const Growing* g, const DenseEntry* entry)
{
   const DenseBlock* b = &g->blocks[entry->block];
   return b->into == entry->block && b->n == entry->n;
}

/*--- Blocks -------------------------------------------------------------*/

static uint32_t block_with(Growing* g, uint32_t branch)
{
   DenseBlock* blocks = g->blocks;
   while (blocks[branch].into != branch) {
      blocks[branch].into = blocks[blocks[branch].into].into;
      branch = blocks[branch].into;
   }
   return branch;
}

/* Puts a block behind that of its caller. */
static void put_behind_caller(Growing* g, uint32_t block)
{
   uint32_t caller = g->tree->of[block].caller;
   uint32_t above = block_with(g, caller == CG2P_NONE ? g->root : caller);
   DenseBlock *from = &g->blocks[block], *to = &g->blocks[above];
   g->next[to->last] = block;
   to->last = from->last;
   to->weight += from->weight;
   to->n += from->n;
   from->into = above;
   if (above != g->root) push(g, above);
}

static uint64_t begin(Growing* g, const int64_t* factors)
{
   uint64_t total = 0;
   uint32_t n = g->root = cg2p_pathtree_n_branches(g->tree);
   g->weights = cg2p_pathtree_weights(g->tree, &g->failure, factors);
   g->blocks = cg2p_memory_allocate(&g->failure, (n + 1) * sizeof *g->blocks);
   g->next = cg2p_memory_allocate(&g->failure, (n + 1) * sizeof *g->next);
   for (uint32_t i = 0; i <= n; i++)
      g->blocks[i] = (DenseBlock){i < n ? g->weights[i] : 0, i < n, i, i};
   for (uint32_t i = 0; i < n; i++) {
      if (__builtin_add_overflow(total, g->weights[i], &total))
         cg2p_failure_at(
            &g->failure, 1,
            "paths weigh more than 64 bits; expected a sum that fits");
      push(g, i);
   }
   return total;
}

/* Writes the branches behind the root that hold so much; how many. */
static size_t
write_numbers(const Growing* g, uint64_t wanted, uint32_t* numbers)
{
   uint64_t held = 0;
   size_t n = 0;
   uint32_t at = g->root;
   while (held < wanted && n < g->blocks[g->root].n) {
      at = g->next[at];
      held += g->weights[at];
      numbers[n++] = at;
   }
   return n;
}

/* The least weight that is a share of the total. */
static uint64_t least_with(double share, uint64_t total)
{
   if (share >= 1) return total;
   double exact = share * (double)total;
   return (uint64_t)exact + ((double)(uint64_t)exact < exact);
}

static bool grow(Growing* g,
                 const int64_t* factors,
                 double share,
                 uint32_t* numbers,
                 size_t* n)
{
   if (setjmp(g->failure.caught)) return false;
   uint64_t total = begin(g, factors);
   uint64_t wanted = least_with(share, total);
   while (g->blocks[g->root].weight < wanted && g->n_heap) {
      DenseEntry densest = pop(g);
      if (holds(g, &densest)) put_behind_caller(g, densest.block);
   }
   *n = write_numbers(g, wanted, numbers);
   return true;
}

int cg2p_pathtree_densest(const cg2p_pathtree* tree,
                          const int64_t* factors,
                          double share,
                          uint32_t* numbers,
                          size_t* n,
                          cg2p_error* error)
{
   Growing g = {.failure = {.path = "paths", .error = error}, .tree = tree};
   bool is_found = grow(&g, factors, share, numbers, n);
   free(g.weights);
   free(g.blocks);
   free(g.next);
   free(g.heap);
   return is_found;
}
