#include "feedback/counts.h"

#include <stdlib.h>
#include <string.h>

/* The columns of a part that count here; n_events: it has none of these. */
typedef struct CountColumns {
   uint32_t ir, conditional, computed; /* mispredicted branches and jumps */
} CountColumns;

typedef struct CountWalk {
   Counts* counts;
   Failure* failure;
   const Part* part;
   CountColumns columns;
   uint32_t object; /* a name */
} CountWalk;

/*--- What it needs ------------------------------------------------------*/

static uint32_t event_number(const Part* part, const char* event)
{
   uint32_t e = 0;
   while (e < part->n_events && strcmp(part->events[e], event))
      e++;
   return e;
}

static CountColumns columns_of(Failure* failure, const Part* part)
{
   CountColumns columns = {event_number(part, "Ir"), event_number(part, "Bcm"),
                           event_number(part, "Bim")};
   cg2p_part_check_addresses(failure, part);
   if (columns.ir == part->n_events)
      cg2p_failure_at(failure, part->events_line,
                      "the profile has no event Ir, by which instructions are "
                      "counted; expected it in events:");
   return columns;
}

/* The number of a name; CG2P_NONE: the profile does not have it. */
static uint32_t name_number(const cg2p_profile* profile, const char* text)
{
   for (uint32_t i = 0; i < profile->names.n; i++)
      if (!strcmp(profile->names.of[i].text, text)) return i;
   return CG2P_NONE;
}

/*--- Adding up ----------------------------------------------------------*/

static void check_fits(Failure* failure, bool fits)
{
   if (!fits)
      cg2p_failure_at(failure, 0,
                      "a sum is too large; expected less than 2^64");
}

void cg2p_counts_add(Sums* sums, Failure* failure)
{
   check_fits(failure, cg2p_sums_add(sums, failure));
}

void cg2p_counts_add_up(Sums* sums, Failure* failure)
{
   check_fits(failure, cg2p_sums_add_up(sums, failure));
}

static void add_spot(CountWalk* walk, const Line* line)
{
   const CountColumns* columns = &walk->columns;
   uint32_t n = walk->part->n_events;
   Sums* spots = &walk->counts->spots;
   uint64_t* spot = cg2p_sums_reserve(spots, walk->failure);
   spot[SPOT_ADDRESS] = line->at.instr;
   spot[SPOT_COST] = line->cost[columns->ir];
   spot[SPOT_MISPREDICTED] =
      (columns->conditional < n ? line->cost[columns->conditional] : 0) +
      (columns->computed < n ? line->cost[columns->computed] : 0);
   cg2p_counts_add(spots, walk->failure);
}

static void add_transfer(CountWalk* walk,
                         uint64_t from,
                         uint64_t to,
                         TransferKind kind,
                         uint64_t count)
{
   Sums* transfers = &walk->counts->transfers;
   uint64_t* transfer = cg2p_sums_reserve(transfers, walk->failure);
   transfer[TRANSFER_FROM] = from;
   transfer[TRANSFER_TO] = to;
   transfer[TRANSFER_KIND] = kind;
   transfer[TRANSFER_COUNT] = count;
   cg2p_counts_add(transfers, walk->failure);
}

static bool is_inside(const CountWalk* walk, uint32_t function)
{
   return walk->part->functions[function].object == walk->object;
}

static void add_call(CountWalk* walk, bool from_inside, const Line* line)
{
   bool to_inside = is_inside(walk, line->function);
   if (from_inside || to_inside)
      add_transfer(walk, from_inside ? line->at.instr : OUTSIDE,
                   to_inside ? line->target.instr : OUTSIDE, TRANSFER_CALL,
                   line->count);
}

static void add_line(CountWalk* walk, bool is_inside, const Line* line)
{
   if (line->kind == CG2P_CALL) add_call(walk, is_inside, line);
   if (line->kind == CG2P_COST && is_inside) add_spot(walk, line);
   if (line->kind != CG2P_JUMP) return;
   walk->counts->has_jumps = true;
   if (is_inside && line->count)
      add_transfer(walk, line->at.instr, line->target.instr, TRANSFER_JUMP,
                   line->count);
}

static void add_part(CountWalk* walk)
{
   const Part* part = walk->part;
   uint64_t cost[part->n_events];
   Line line = {.cost = cost};
   for (uint32_t f = 0; f < part->n_functions; f++) {
      if (!cg2p_part_first_run(part, f)) continue;
      bool inside = is_inside(walk, f);
      LineCursor cursor = cg2p_part_lines(part, f);
      while (cg2p_lines_next(&cursor, &line))
         add_line(walk, inside, &line);
   }
}

/*--- The whole ----------------------------------------------------------*/

static void list_addresses(Counts* counts, Failure* failure)
{
   size_t n = counts->spots.n;
   counts->addresses =
      cg2p_memory_allocate(failure, (n + 1) * sizeof *counts->addresses);
   for (size_t i = 0; i < n; i++)
      counts->addresses[i] = cg2p_sums_at(&counts->spots, i)[SPOT_ADDRESS];
}

void cg2p_counts_gather(Counts* counts,
                        Failure* failure,
                        const cg2p_profile* profile,
                        const char* object)
{
   CountWalk walk = {.counts = counts,
                     .failure = failure,
                     .object = name_number(profile, object)};
   counts->spots =
      (Sums){.n_keys = SPOT_COST, .width = SPOT_WIDTH, .adds_late = true};
   counts->transfers = (Sums){
      .n_keys = TRANSFER_COUNT, .width = TRANSFER_WIDTH, .adds_late = true};
   for (size_t p = 0; p < profile->n_parts; p++) {
      walk.part = profile->parts[p];
      walk.columns = columns_of(failure, walk.part);
      add_part(&walk);
   }
   if (!counts->spots.n)
      cg2p_failure_at(failure, 0,
                      "no instruction of %s is in the profile; expected an "
                      "object whose code ran",
                      object);
   cg2p_counts_add_up(&counts->spots, failure);
   cg2p_counts_add_up(&counts->transfers, failure);
   list_addresses(counts, failure);
}

void cg2p_counts_free(Counts* counts)
{
   cg2p_sums_free(&counts->spots);
   cg2p_sums_free(&counts->transfers);
   free(counts->addresses);
}
