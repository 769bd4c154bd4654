#include "inlines/instances.h"
#include "base/search.h"

#include <stdlib.h>
#include <string.h>

/*--- Locals -------------------------------------------------------------*/

static bool is_neutral(const Instances* i, size_t step)
{
   return i->of[step] && i->of[step]->line == 0;
}

static int compare_numbers(const void* a, const void* b)
{
   return cg2p_rows_compare_numbers(*(const uint32_t*)a, *(const uint32_t*)b);
}

static size_t first_mark(const cg2p_inlines* inlines, uint64_t address)
{
   return cg2p_search_first(m, 0, inlines->n_marks,
                            inlines->marks[m].address < address);
}

/* The marks of a step: *end is behind the last one. */
static size_t marks_of(const Instances* i, size_t step, size_t* end)
{
   uint64_t address = i->flow->steps[step].address;
   size_t first = i->inlines ? first_mark(i->inlines, address) : 0;
   *end = first;
   while (i->inlines && *end < i->inlines->n_marks &&
          i->inlines->marks[*end].address == address)
      ++*end;
   return first;
}

/* The instance that an instance is part of: itself, or one that it is the rest
 * of. */
static uint32_t call_of(const Instances* i, uint32_t at)
{
   while (at != CG2P_NONE && i->inlines->instances[at].is_rest)
      at = i->inlines->instances[at].outer;
   return at;
}

static uint32_t instance_of(const Instances* i, size_t step)
{
   return i->of[step] ? call_of(i, i->of[step]->instance) : CG2P_NONE;
}

/* Writes an instance and those around it to `local_of`, those that are not
 * known yet. How many there are then. */
static size_t
note_instance(Instances* i, Failure* failure, uint32_t at, size_t n)
{
   for (; at != CG2P_NONE && !i->known[at];
        at = call_of(i, i->inlines->instances[at].outer)) {
      i->local_of = cg2p_memory_grow(failure, i->local_of, &i->local_of_room,
                                     n + 1, sizeof *i->local_of);
      i->known[at] = 1;
      i->local_of[n++] = at;
   }
   return n;
}

static void add_local(Instances* i, Failure* failure, const Local* local)
{
   i->locals = cg2p_memory_grow(failure, i->locals, &i->locals_room,
                                i->n_locals + 1, sizeof *i->locals);
   i->locals[i->n_locals++] = *local;
}

/* Makes locals of the `n` instances in `local_of`. */
static void add_locals(Instances* i, Failure* failure, size_t n)
{
   i->n_locals = 0;
   add_local(i, failure, &(Local){.instance = CG2P_NONE});
   if (n) qsort(i->local_of, n, sizeof *i->local_of, compare_numbers);
   for (size_t k = 0; k < n; k++) {
      uint32_t instance = i->local_of[k],
               outer = call_of(i, i->inlines->instances[instance].outer);
      Local local = {.instance = instance,
                     .outer = outer == CG2P_NONE ? 0 : i->known[outer] - 1,
                     .step = CG2P_NONE};
      add_local(i, failure, &local);
      i->known[instance] = i->n_locals;
   }
   for (uint32_t l = i->n_locals; l-- > 1;) {
      uint32_t* inner = &i->locals[i->locals[l].outer].inner;
      i->locals[l].next = *inner;
      *inner = l;
   }
}

/* Notes that a step is of locals that are inside each other. */
static void note_step(Instances* i, uint32_t local, size_t step)
{
   for (; local; local = i->locals[local].outer)
      if (i->locals[local].step == CG2P_NONE) i->locals[local].step = step;
}

static void number_steps(Instances* i, Failure* failure)
{
   const Flow* flow = i->flow;
   size_t end;
   i->local_of = cg2p_memory_grow(failure, i->local_of, &i->local_of_room,
                                  flow->n_steps, sizeof *i->local_of);
   for (size_t step = 0; step < flow->n_steps; step++) {
      uint32_t at = instance_of(i, step);
      uint32_t local = at == CG2P_NONE ? 0 : i->known[at] - 1;
      i->local_of[step] = local;
      note_step(i, local, step);
      for (size_t m = marks_of(i, step, &end); m < end; m++)
         if (i->inlines->marks[m].instance != CG2P_NONE)
            note_step(i, i->known[i->inlines->marks[m].instance] - 1, step);
   }
   for (size_t k = 1; k < i->n_locals; k++)
      i->known[i->locals[k].instance] = 0;
}

/* Finds what is known of each step; both are in the order of addresses. */
static void look_up_steps(Instances* i,
                          Failure* failure,
                          const uint64_t* addresses,
                          size_t n)
{
   const Flow* flow = i->flow;
   i->of = cg2p_memory_grow(failure, i->of, &i->of_room, flow->n_steps,
                            sizeof *i->of);
   uint64_t first = flow->n_steps ? flow->steps[0].address : 0;
   size_t at = cg2p_search_first(k, 0, n, addresses[k] < first);
   for (size_t step = 0; step < flow->n_steps; step++) {
      while (at < n && addresses[at] < flow->steps[step].address)
         at++;
      bool is_there = at < n && addresses[at] == flow->steps[step].address;
      i->of[step] =
         i->inlines && is_there ? &i->inlines->instructions[at] : NULL;
   }
}

void cg2p_instances_find(Instances* i,
                         Failure* failure,
                         const Flow* flow,
                         const cg2p_inlines* inlines,
                         const uint64_t* addresses,
                         size_t n)
{
   i->inlines = inlines;
   i->flow = flow;
   look_up_steps(i, failure, addresses, n);
   if (inlines) {
      i->known =
         cg2p_memory_grow_cleared(failure, i->known, &i->known_room,
                                  inlines->n_instances + 1, sizeof *i->known);
      i->of_function = cg2p_memory_grow_cleared(
         failure, i->of_function, &i->of_function_room,
         inlines->n_functions + 1, sizeof *i->of_function);
   }
   size_t found = 0, end;
   for (size_t step = 0; step < flow->n_steps; step++) {
      uint32_t at = instance_of(i, step);
      found = note_instance(i, failure, at, found);
      for (size_t m = marks_of(i, step, &end); m < end; m++)
         found = note_instance(i, failure, inlines->marks[m].instance, found);
   }
   add_locals(i, failure, found);
   number_steps(i, failure);
}

/*--- Statements ---------------------------------------------------------*/

/* The line of a local that a step is of: its own, or that of the call of the
 * instance in it that the step is in. 0: none. */
static uint32_t line_in(const Instances* i, uint32_t local, size_t step)
{
   uint32_t at = i->local_of[step];
   if (at == local) {
      const cg2p_instance* instance =
         &i->inlines->instances[i->locals[local].instance];
      const cg2p_instruction* of = i->of[step];
      return of->is_foreign ||
                   of->line < i->inlines->functions[instance->function].line
                ? 0
                : of->line;
   }
   while (i->locals[at].outer != local)
      at = i->locals[at].outer;
   return i->inlines->instances[i->locals[at].instance].call_line;
}

static void find_first_lines(Instances* i)
{
   for (size_t step = 0; step < i->flow->n_steps; step++) {
      if (is_neutral(i, step)) continue;
      uint32_t local = i->local_of[step];
      for (; local; local = i->locals[local].outer) {
         uint32_t line = line_in(i, local, step),
                  *first = &i->locals[local].first_line;
         if (line && (!*first || line < *first)) *first = line;
         if (i->of[step]->is_packed) i->locals[local].is_packed = true;
      }
   }
}

/* Which local each block begins and ends in. A block without statements has
 * none; it ends where what leads to it most ends. */
static void find_ends(Instances* i, Failure* failure)
{
   enum { ROUNDS = 3 };
   const Flow* flow = i->flow;
   i->heads = cg2p_memory_grow(failure, i->heads, &i->heads_room,
                               flow->n_blocks, sizeof *i->heads);
   i->tails = cg2p_memory_grow(failure, i->tails, &i->tails_room,
                               flow->n_blocks, sizeof *i->tails);
   for (size_t b = 0; b < flow->n_blocks; b++) {
      i->heads[b] = i->tails[b] = CG2P_NONE;
      for (size_t s = flow->blocks[b].first; s < flow->blocks[b].end; s++) {
         if (is_neutral(i, s)) continue;
         if (i->heads[b] == CG2P_NONE) i->heads[b] = i->local_of[s];
         i->tails[b] = i->local_of[s];
      }
   }
   for (int round = 0; round < ROUNDS; round++)
      for (size_t p = 0; p < flow->n_passages;) {
         const Passage* most = &flow->passages[p];
         uint32_t to = most->to;
         for (; p < flow->n_passages && flow->passages[p].to == to; p++)
            if (flow->passages[p].count > most->count)
               most = &flow->passages[p];
         if (i->tails[to] == CG2P_NONE) i->tails[to] = i->tails[most->from];
      }
   for (size_t b = 0; b < flow->n_blocks; b++)
      if (i->tails[b] == CG2P_NONE) i->tails[b] = 0;
}

/*--- Presences ----------------------------------------------------------*/

static int compare_presences(const void* a, const void* b)
{
   const Presence *x = a, *y = b;
   return x->local != y->local ? cg2p_rows_compare_numbers(x->local, y->local)
                               : cg2p_rows_compare_numbers(x->block, y->block);
}

/* Adds those of a step; `first` of each local is the block of its last one. */
static void note_presences(Instances* i, Failure* failure, size_t step)
{
   uint32_t block = i->flow->steps[step].block;
   for (uint32_t l = i->local_of[step]; l; l = i->locals[l].outer) {
      if (i->locals[l].first == block) continue;
      i->locals[l].first = block;
      i->presences = cg2p_memory_grow(failure, i->presences, &i->presences_room,
                                      i->n_presences + 1, sizeof *i->presences);
      i->presences[i->n_presences++] = (Presence){.local = l, .block = block};
   }
}

static void find_presences(Instances* i, Failure* failure)
{
   i->n_presences = 0;
   for (size_t l = 0; l < i->n_locals; l++)
      i->locals[l].first = CG2P_NONE;
   for (size_t step = 0; step < i->flow->n_steps; step++)
      if (!is_neutral(i, step)) note_presences(i, failure, step);
   if (i->n_presences)
      qsort(i->presences, i->n_presences, sizeof *i->presences,
            compare_presences);
   size_t at = 0;
   for (size_t l = 0; l < i->n_locals; l++) {
      i->locals[l].first = at;
      while (at < i->n_presences && i->presences[at].local == l)
         at++;
      i->locals[l].end = at;
   }
}

static Presence* presence_of(const Instances* i, uint32_t local, uint32_t block)
{
   const Local* its = &i->locals[local];
   return &i->presences[cg2p_search_first(p, its->first, its->end,
                                          i->presences[p].block < block)];
}

/*--- Where functions begin, by marks ------------------------------------*/

/* How well a presence fits to a mark of its function: one that has no mark yet,
 * of instructions behind the mark. */
static int fitness(const Presence* presence, bool is_behind)
{
   return 2 * !presence->begins + is_behind;
}

/* By function; then as they are looked at: by step, the inner one first. */
static int compare_spots(const void* a, const void* b)
{
   const LocalSpot *x = a, *y = b;
   if (x->function != y->function) return x->function < y->function ? -1 : 1;
   if (x->first != y->first) return x->first < y->first ? -1 : 1;
   return x->local < y->local ? 1 : x->local > y->local ? -1 : 0;
}

/* Notes the steps from `first` to `last`, which are in a local, and in all that
 * this one is in. */
static void note_spots(
   Instances* i, Failure* failure, uint32_t local, size_t first, size_t last)
{
   for (uint32_t l = local; l; l = i->locals[l].outer) {
      i->spots = cg2p_memory_grow(failure, i->spots, &i->spots_room,
                                  i->n_spots + 1, sizeof *i->spots);
      uint32_t function = i->inlines->instances[i->locals[l].instance].function;
      i->spots[i->n_spots++] = (LocalSpot){function, l, first, last};
   }
}

/* Finds the spots of a block: a block with thousands of instances may have
 * thousands of marks, each of one function. */
static void find_spots(Instances* i, Failure* failure, uint32_t block)
{
   const FlowBlock* b = &i->flow->blocks[block];
   size_t first = b->end, last = b->end;
   i->n_spots = 0;
   for (size_t step = b->first; step < b->end; step++) {
      if (is_neutral(i, step)) continue;
      if (first < b->end && i->local_of[step] != i->local_of[first]) {
         note_spots(i, failure, i->local_of[first], first, last);
         first = b->end;
      }
      if (first == b->end) first = step;
      last = step;
   }
   if (first < b->end) note_spots(i, failure, i->local_of[first], first, last);
   if (i->n_spots) qsort(i->spots, i->n_spots, sizeof *i->spots, compare_spots);
}

/* The presence that a mark at a step is of, in the block of the spots; NULL:
 * there is none. */
static Presence*
presence_of_mark(const Instances* i, size_t step, const cg2p_mark* mark)
{
   Presence* best = NULL;
   int best_fitness = -1;
   for (size_t s = cg2p_search_first(k, 0, i->n_spots,
                                     i->spots[k].function < mark->function);
        s < i->n_spots && i->spots[s].function == mark->function; s++) {
      const LocalSpot* spot = &i->spots[s];
      Presence* presence =
         presence_of(i, spot->local, i->flow->steps[step].block);
      int fits = fitness(presence, spot->last >= step);
      if (fits <= best_fitness) continue;
      best = presence;
      best_fitness = fits;
   }
   return best;
}

/* The local of an instance that is in the flow. */
static uint32_t local_of_instance(const Instances* i, uint32_t instance)
{
   return cg2p_search_first(local, 1, i->n_locals,
                            i->locals[local].instance < instance);
}

/* The local of a mark that is in no block with instructions of its function: of
 * an instance without any, or of any other. 0: there is none. */
static uint32_t local_of_stray(const Instances* i, const cg2p_mark* mark)
{
   if (mark->instance != CG2P_NONE) return local_of_instance(i, mark->instance);
   return i->of_function[mark->function];
}

/* Counts what came to a mark without instructions. At the head of a block where
 * ways meet, it may be of one of them only. */
static void note_stray(Instances* i, const cg2p_mark* mark, size_t step)
{
   const Flow* flow = i->flow;
   uint32_t block = flow->steps[step].block, l = local_of_stray(i, mark);
   if (!l) return;
   Local* local = &i->locals[l];
   size_t p = cg2p_flow_passages_to(flow, block);
   local->strays += flow->steps[step].count;
   if (step == flow->blocks[block].first && p + 1 < flow->n_passages &&
       flow->passages[p + 1].to == block)
      local->is_estimated = true;
}

/* Notes a local of each function, or that there is none. */
static void know_functions(Instances* i, bool are_known)
{
   for (uint32_t l = i->n_locals; l-- > 1;)
      i->of_function[i->inlines->instances[i->locals[l].instance].function] =
         are_known ? l : 0;
}

static void apply_mark(Instances* i, size_t step, const cg2p_mark* mark)
{
   uint32_t block = i->flow->steps[step].block;
   if (mark->function == CG2P_NONE || !i->of_function[mark->function]) return;
   Presence* presence =
      mark->instance == CG2P_NONE ? presence_of_mark(i, step, mark) : NULL;
   if (!presence) {
      note_stray(i, mark, step);
      return;
   }
   bool is_head = step == i->flow->blocks[block].first;
   presence->is_midway = !is_head && (!presence->begins || presence->is_midway);
   presence->begins++;
}

static void apply_marks(Instances* i, Failure* failure)
{
   size_t end;
   uint32_t block = CG2P_NONE; /* that of the spots */
   know_functions(i, true);
   for (size_t step = 0; step < i->flow->n_steps; step++)
      for (size_t m = marks_of(i, step, &end); m < end; m++) {
         if (i->flow->steps[step].block != block) {
            block = i->flow->steps[step].block;
            find_spots(i, failure, block);
         }
         apply_mark(i, step, &i->inlines->marks[m]);
      }
   know_functions(i, false);
}

/*--- Where functions begin, by lines ------------------------------------*/

/* Pieces of a block, each by what is in it: a place in the source. */
typedef struct Pieces {
   uint64_t places[16];
   uint32_t n, last[16], times[16];
} Pieces;

/* Notes that a place is in a piece; pieces are numbered from 1. */
static void note_piece(Pieces* pieces, uint64_t place, uint32_t piece)
{
   enum { PLACES = sizeof pieces->places / sizeof *pieces->places };
   uint32_t p = 0;
   while (p < pieces->n && pieces->places[p] != place)
      p++;
   if (p == PLACES) return;
   if (p == pieces->n) {
      pieces->places[p] = place;
      pieces->times[p] = pieces->last[p] = 0;
      pieces->n++;
   }
   if (pieces->last[p] == piece) return;
   pieces->last[p] = piece;
   pieces->times[p]++;
}

/* In how many pieces the place is that is in most. */
static uint32_t most_pieces(const Pieces* pieces)
{
   uint32_t most = 0;
   for (uint32_t p = 0; p < pieces->n; p++)
      if (pieces->times[p] > most) most = pieces->times[p];
   return most;
}

/* The line and column that a step is of; 0: not known. */
static uint64_t place_of(const Instances* i, size_t step)
{
   const cg2p_instruction* of = i->of[step];
   return of ? (uint64_t)of->line << 32 | of->column : 0;
}

/* The place in a local that a step is at: in a line of its own, or at the call
 * of an instance inside it. */
static uint64_t place_in(const Instances* i, uint32_t local, size_t step)
{
   enum { CALL = 1u << 31 };
   uint32_t at = i->local_of[step];
   if (at == local) return place_of(i, step);
   while (i->locals[at].outer != local)
      at = i->locals[at].outer;
   return (uint64_t)CALL << 32 | at;
}

/* How often the instance begins in the block: several times in an unrolled
 * loop, where it is left in between, and the same place in its first line comes
 * again, as one outside does. */
static uint32_t count_beginnings(const Instances* i, const Presence* presence)
{
   const FlowBlock* block = &i->flow->blocks[presence->block];
   uint32_t local = presence->local, piece = 1;
   bool was_inside = false;
   Pieces inside = {.n = 0}, outside = {.n = 0};
   for (size_t step = block->first; step < block->end; step++) {
      if (is_neutral(i, step)) continue;
      bool is_inside = cg2p_instances_is_inside(i, i->local_of[step], local);
      if (is_inside != was_inside) piece++;
      was_inside = is_inside;
      if (!is_inside)
         note_piece(&outside, place_of(i, step), piece);
      else if (line_in(i, local, step) == i->locals[local].first_line)
         note_piece(&inside, place_in(i, local, step), piece);
   }
   uint32_t begins = most_pieces(&inside), copies = most_pieces(&outside);
   return copies > 1 && begins > 1 ? begins : begins > 0;
}

/* Whether the place where an instance begins is in many blocks, as when a loop
 * around it is unrolled: the compiler may have left nothing of some copies. */
static bool is_copied(const Instances* i, const Local* local)
{
   enum { MANY = 4 };
   uint32_t own = local - i->locals;
   Pieces copies = {.n = 0};
   for (uint32_t p = local->first; p < local->end; p++) {
      const FlowBlock* block = &i->flow->blocks[i->presences[p].block];
      for (size_t step = block->first; step < block->end; step++)
         if (!is_neutral(i, step) &&
             cg2p_instances_is_inside(i, i->local_of[step], own) &&
             line_in(i, own, step) == local->first_line)
            note_piece(&copies, place_in(i, own, step), p + 1);
   }
   return most_pieces(&copies) >= MANY;
}

static void apply_lines(Instances* i)
{
   for (size_t p = 0; p < i->n_presences; p++) {
      Presence* presence = &i->presences[p];
      Local* local = &i->locals[presence->local];
      if (i->inlines->instances[local->instance].has_marks) continue;
      presence->begins = count_beginnings(i, presence);
      if (presence->begins > 1) local->is_estimated = true;
   }
   for (size_t l = 1; l < i->n_locals; l++) {
      Local* local = &i->locals[l];
      if (i->inlines->instances[local->instance].has_marks) continue;
      if (is_copied(i, local)) local->is_estimated = true;
   }
}

/*--- Entries ------------------------------------------------------------*/

static uint64_t count_of(const Instances* i, uint32_t block)
{
   return i->flow->steps[i->flow->blocks[block].first].count;
}

/* Whether control that takes a passage stays inside the local. */
static bool stays_inside(const Instances* i, uint32_t local, const Passage* p)
{
   uint32_t head = i->heads[p->to];
   return head != CG2P_NONE && cg2p_instances_is_inside(i, head, local) &&
          cg2p_instances_is_inside(i, i->tails[p->from], local);
}

/* How much came into the block from blocks that are outside. */
static uint64_t count_outside(const Instances* i, const Presence* presence)
{
   const Flow* flow = i->flow;
   uint64_t sum = 0;
   for (size_t p = cg2p_flow_passages_to(flow, presence->block);
        p < flow->n_passages && flow->passages[p].to == presence->block; p++) {
      uint32_t from = flow->passages[p].from;
      if (!i->presence_in[from] &&
          !cg2p_instances_is_inside(i, i->tails[from], presence->local))
         sum += flow->passages[p].count;
   }
   return sum;
}

/* Takes from what came into a block, where nothing begins, what a passage takes
 * on to one where the function begins. */
static uint64_t take_entered(const Instances* i, const Passage* passage)
{
   uint32_t from = i->presence_in[passage->from];
   Presence* before = from ? &i->presences[from - 1] : NULL;
   if (!before || before->begins) return 0;
   uint64_t left = before->outside - before->taken,
            entered = left < passage->count ? left : passage->count;
   before->taken += entered;
   return entered;
}

/* How often the function begins in the block: as often as that ran, less what
 * stayed inside, but for what came inside where nothing begins. */
static uint64_t count_begun(const Instances* i, const Presence* presence)
{
   const Flow* flow = i->flow;
   uint64_t inside = 0, ran = count_of(i, presence->block) * presence->begins;
   if (presence->is_midway) return ran;
   for (size_t p = cg2p_flow_passages_to(flow, presence->block);
        p < flow->n_passages && flow->passages[p].to == presence->block; p++) {
      const Passage* passage = &flow->passages[p];
      if (stays_inside(i, presence->local, passage))
         inside += passage->count - take_entered(i, passage);
   }
   return ran > inside ? ran - inside : 0;
}

/* How often control came into the instance at the head of a block, or, where
 * that is outside, to what is inside it. */
static uint64_t count_arrivals(const Instances* i, const Presence* presence)
{
   const Flow* flow = i->flow;
   uint32_t block = presence->block;
   if (!cg2p_instances_is_inside(i, i->heads[block], presence->local))
      return count_of(i, block);
   uint64_t sum = 0;
   for (size_t p = cg2p_flow_passages_to(flow, block);
        p < flow->n_passages && flow->passages[p].to == block; p++)
      if (!stays_inside(i, presence->local, &flow->passages[p]))
         sum += flow->passages[p].count;
   return sum;
}

/* How often control came from an instruction outside the local to one inside,
 * in the block or at its head. */
static uint64_t count_edges(const Instances* i, const Presence* presence)
{
   const Flow* flow = i->flow;
   const FlowBlock* block = &flow->blocks[presence->block];
   uint64_t count = count_of(i, presence->block), edges = 0, stayed = 0;
   bool was_inside = true;
   for (size_t step = block->first; step < block->end; step++) {
      if (is_neutral(i, step)) continue;
      bool is_inside =
         cg2p_instances_is_inside(i, i->local_of[step], presence->local);
      if (is_inside && !was_inside) edges += count;
      was_inside = is_inside;
   }
   if (!cg2p_instances_is_inside(i, i->heads[presence->block], presence->local))
      return edges;
   for (size_t p = cg2p_flow_passages_to(flow, presence->block);
        p < flow->n_passages && flow->passages[p].to == presence->block; p++)
      if (stays_inside(i, presence->local, &flow->passages[p]))
         stayed += flow->passages[p].count;
   return edges + (count > stayed ? count - stayed : 0);
}

/* Whether an instruction of the local is beside one of another instance of its
 * function, on the same line: it may be that one's. */
static bool is_mixed(const Instances* i, const Presence* presence)
{
   const FlowBlock* block = &i->flow->blocks[presence->block];
   const Local* locals = i->locals;
   for (size_t step = block->first + 1; step < block->end; step++) {
      uint32_t a = i->local_of[step - 1], b = i->local_of[step];
      if (a != b && (a == presence->local || b == presence->local) && a && b &&
          i->inlines->instances[locals[a].instance].function ==
             i->inlines->instances[locals[b].instance].function &&
          i->of[step - 1]->line == i->of[step]->line)
         return true;
   }
   return false;
}

/* Whether it is doubtful how often the function began. Where the compiler marks
 * that: if it has made copies, as it may have left out others. Where lines say
 * so: if the first one is in several blocks, which may be of one call or of
 * several, or if control came to its code another number of times. */
static bool is_doubtful(const Instances* i, const Local* local, uint64_t begun)
{
   uint32_t beginnings = 0;
   uint64_t edges = 0;
   bool is_mixed_somewhere = false;
   for (uint32_t p = local->first; p < local->end; p++) {
      const Presence* presence = &i->presences[p];
      edges += count_edges(i, presence);
      is_mixed_somewhere |= is_mixed(i, presence);
      if (presence->begins) beginnings++;
   }
   if (beginnings > 1) return true;
   return !i->inlines->instances[local->instance].has_marks &&
          (edges != begun || is_mixed_somewhere);
}

/* Whether control may have come into the block from outside unseen: by one
 * without statements, to which it also came from inside. */
static bool may_be_entered(const Instances* i, const Presence* presence)
{
   const Flow* flow = i->flow;
   for (size_t p = cg2p_flow_passages_to(flow, presence->block);
        p < flow->n_passages && flow->passages[p].to == presence->block; p++) {
      uint32_t from = flow->passages[p].from;
      if (i->heads[from] != CG2P_NONE ||
          !cg2p_instances_is_inside(i, i->tails[from], presence->local))
         continue;
      for (size_t q = cg2p_flow_passages_to(flow, from);
           q < flow->n_passages && flow->passages[q].to == from; q++)
         if (!cg2p_instances_is_inside(i, i->tails[flow->passages[q].from],
                                       presence->local))
            return true;
   }
   return false;
}

/* How often a local was entered, with jumps. */
static void count_entries(Instances* i, Local* local)
{
   uint64_t begun = 0, outside = 0, arrivals = 0;
   for (uint32_t p = local->first; p < local->end; p++)
      i->presence_in[i->presences[p].block] = p + 1;
   for (uint32_t p = local->first; p < local->end; p++)
      i->presences[p].outside = count_outside(i, &i->presences[p]);
   for (uint32_t p = local->first; p < local->end; p++) {
      const Presence* presence = &i->presences[p];
      if (presence->begins)
         begun += count_begun(i, presence);
      else
         outside += presence->outside;
      arrivals += count_arrivals(i, presence);
      if (may_be_entered(i, presence)) local->is_estimated = true;
   }
   if (is_doubtful(i, local, begun)) local->is_estimated = true;
   for (uint32_t p = local->first; p < local->end; p++)
      i->presence_in[i->presences[p].block] = 0;
   begun += local->strays;
   local->entries = begun ? begun : outside ? outside : arrivals ? arrivals : 1;
   if (outside || !begun || local->is_packed) local->is_estimated = true;
}

/* The same without jumps: where it begins, or most. */
static void estimate_entries(Instances* i, Local* local)
{
   uint64_t begun = local->strays, most = 0;
   for (uint32_t p = local->first; p < local->end; p++) {
      uint64_t count = count_of(i, i->presences[p].block);
      begun += i->presences[p].begins * count;
      if (count > most) most = count;
   }
   local->entries = begun ? begun : most ? most : 1;
   local->is_estimated = true;
}

void cg2p_instances_count(Instances* i, Failure* failure, bool has_jumps)
{
   if (i->n_locals < 2) return;
   find_first_lines(i);
   find_ends(i, failure);
   find_presences(i, failure);
   apply_marks(i, failure);
   apply_lines(i);
   i->presence_in =
      cg2p_memory_grow_cleared(failure, i->presence_in, &i->presence_in_room,
                               i->flow->n_blocks, sizeof *i->presence_in);
   for (size_t l = 1; l < i->n_locals; l++) {
      i->locals[l].is_firm = i->locals[l].end > i->locals[l].first + 1;
      if (has_jumps)
         count_entries(i, &i->locals[l]);
      else
         estimate_entries(i, &i->locals[l]);
      /* What was copied or put elsewhere together with what is around it. */
      if (i->locals[i->locals[l].outer].is_estimated)
         i->locals[l].is_estimated = true;
   }
}

void cg2p_instances_free(Instances* i)
{
   free(i->locals);
   free(i->presences);
   free(i->of);
   free(i->local_of);
   free(i->tails);
   free(i->heads);
   free(i->presence_in);
   free(i->known);
   free(i->of_function);
   free(i->spots);
   *i = (Instances){.n_locals = 0};
}
