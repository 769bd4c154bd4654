#include "profile/paths/pathtree.h"

#include "profile/callgrind/selection.h"

/*--- Costs and calls ----------------------------------------------------*/

static ULong* own_of(const PathTree* tree, const PathStep* path)
{
   return tree->own + (SizeT)path->number * cg2_events.n;
}

static Bool is_of(const PathTree* tree, const PathStep* step)
{
   return !tree->thread || cg2_path_thread(step) == tree->thread;
}

/* Adds what a step says to the paths that it leads from and to. */
static void add_step(PathTree* tree, const PathStep* step)
{
   static const Cost zero;
   if (!is_of(tree, step)) return;
   cg2_cost_add(own_of(tree, step->to), step->inclusive);
   if (step->from)
      cg2_cost_add_difference(own_of(tree, step->from), zero.of,
                              step->inclusive);
   Bool comes_back = step->from != step->to->from;
   if (!comes_back)
      tree->calls[step->to->number] += step->count;
   else if (!cg2_pathstep_is_hidden(step))
      tree->again[step->to->number] += step->count;
}

Cost cg2_pathtree_total(const PathTree* tree)
{
   Cost sum = {{0}};
   for (UInt i = 0; i < tree->n; i++)
      cg2_cost_add(sum.of, own_of(tree, tree->steps[i]));
   return sum;
}

/*--- What is shown ------------------------------------------------------*/

static Bool has_own(const PathTree* tree, const PathStep* path)
{
   return tree->calls[path->number] || tree->again[path->number] ||
          !cg2_cost_is_zero(own_of(tree, path));
}

/* Links a path that is shown to its parent. */
static void link_path(PathTree* tree, const PathStep* path)
{
   UInt* first =
      path->from ? &tree->first[path->from->number] : &tree->first_root;
   tree->next[path->number] = *first;
   *first = path->number + 1;
   if (path->from) tree->is_shown[path->from->number] = True;
   tree->size.n_paths++;
   if (!cg2_pathstep_is_more(path)) return;
   tree->size.n_more++;
   tree->size.more_calls += tree->calls[path->number];
   cg2_cost_add(tree->size.more.of, own_of(tree, path));
}

/* Each path comes before those that it leads to, so children are seen first. */
static void link_paths(PathTree* tree)
{
   for (UInt i = tree->n; i > 0; i--) {
      const PathStep* step = tree->steps[i - 1];
      if (!cg2_pathstep_is_path(step) || !is_of(tree, step)) continue;
      if (has_own(tree, step)) tree->is_shown[i - 1] = True;
      if (tree->is_shown[i - 1]) link_path(tree, step);
   }
}

static void* array(UInt n, SizeT size)
{
   return VG_(calloc)("cg2.pathtree", (SizeT)n + 1, size);
}

PathTree cg2_pathtree_new(const PositionConfig* positions, UInt tid)
{
   PathTree tree = {.thread = tid, .positions = *positions};
   tree.steps = cg2_pathstep_all(&tree.n);
   tree.own = array(tree.n, cg2_events.n * sizeof *tree.own);
   tree.calls = array(tree.n, sizeof *tree.calls);
   tree.again = array(tree.n, sizeof *tree.again);
   tree.first = array(tree.n, sizeof *tree.first);
   tree.next = array(tree.n, sizeof *tree.next);
   tree.is_shown = array(tree.n, sizeof *tree.is_shown);
   for (UInt i = 0; i < tree.n; i++)
      add_step(&tree, tree.steps[i]);
   link_paths(&tree);
   return tree;
}

void cg2_pathtree_free(PathTree* tree)
{
   VG_(free)(tree->own);
   VG_(free)(tree->calls);
   VG_(free)(tree->again);
   VG_(free)(tree->first);
   VG_(free)(tree->next);
   VG_(free)(tree->is_shown);
}

/*--- The walk -----------------------------------------------------------*/

/* The paths that are still to be visited, the next one last. */
typedef struct Agenda {
   PathNode* nodes;
   UInt n, max;
} Agenda;

/* The file of the function that makes the call of a path; NULL: none does. */
static const Name* calling_file(const PathStep* path)
{
   const PathStep* from = path->from;
   return from && from->arc ? from->arc->callee->function->file : NULL;
}

/* The order of the agenda: the reverse of that in which paths are visited. */
static Int compare_nodes(const void* va, const void* vb)
{
   const PathNode *a = va, *b = vb;
   if (!a->step->arc) return -1;
   if (!b->step->arc) return 1;
   Int order = cg2_position_compare(&b->at, &a->at, calling_file(a->step));
   return order ? order
                : cg2_selection_compare(b->step->arc->callee,
                                        a->step->arc->callee);
}

static Position position_of(const PathTree* tree, const PathStep* path)
{
   const Exit* site = path->arc ? cg2_pathstep_site(path->arc) : NULL;
   return site
             ? cg2_position_of_instr(&tree->positions, site->block, site->instr)
             : (Position){.file = NULL};
}

static void push(Agenda* agenda, PathNode node)
{
   if (agenda->n == agenda->max) {
      agenda->max = agenda->max ? 2 * agenda->max : 256;
      agenda->nodes = VG_(realloc)("cg2.pathtree", agenda->nodes,
                                   agenda->max * sizeof *agenda->nodes);
   }
   agenda->nodes[agenda->n++] = node;
}

/* Puts the children of a path on the agenda, or, for NULL, all roots. */
static void
push_children(Agenda* agenda, const PathTree* tree, const PathNode* node)
{
   UInt before = agenda->n;
   UInt depth = node ? node->depth + 1 : 0;
   UInt i = node ? tree->first[node->step->number] : tree->first_root;
   for (; i; i = tree->next[i - 1]) {
      const PathStep* step = tree->steps[i - 1];
      push(agenda, (PathNode){step, depth, position_of(tree, step)});
   }
   if (agenda->n - before > 1)
      VG_(ssort)(agenda->nodes + before, agenda->n - before,
                 sizeof *agenda->nodes, compare_nodes);
}

void cg2_pathtree_walk(const PathTree* tree,
                       void (*visit)(const PathNode* node, void* what),
                       void* what)
{
   Agenda agenda = {0};
   push_children(&agenda, tree, NULL);
   while (agenda.n) {
      PathNode node = agenda.nodes[--agenda.n];
      visit(&node, what);
      push_children(&agenda, tree, &node);
   }
   if (agenda.nodes) VG_(free)(agenda.nodes);
}
