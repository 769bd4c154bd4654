#include "cycles/supply.h"

#include <string.h>

static const Cause level_causes[] = {CAUSE_CHAIN, CAUSE_LEVEL_1, CAUSE_LEVEL_2,
                                     CAUSE_LAST_LEVEL};

void cg2p_supply_begin(Supply* supply, const CoreNumbers* numbers)
{
   supply->numbers = numbers;
   supply->fills.n = numbers->memory.fills;
   supply->superqueue.n = numbers->memory.superqueue;
   supply->walkers.n = numbers->memory.walkers;
}

static void forget_slots(Slots* slots, uint64_t now)
{
   for (uint64_t i = 0; i < slots->n; i++)
      slots->until[i] = now;
}

void cg2p_supply_forget(Supply* supply, uint64_t now)
{
   supply->window++;
   forget_slots(&supply->fills, now);
   forget_slots(&supply->superqueue, now);
   forget_slots(&supply->walkers, now);
}

/*--- What is busy -------------------------------------------------------*/

/* The slot that is free first. */
static uint64_t* first_free(Slots* slots)
{
   uint64_t* first = slots->until;
   for (uint64_t i = 1; i < slots->n; i++)
      if (slots->until[i] < *first) first = &slots->until[i];
   return first;
}

static uint64_t later(uint64_t a, uint64_t b)
{
   return a > b ? a : b;
}

enum { SPAN = 8, SPAN_GRAINS = SPAN * CORE_GRAINS };

/* What is taken of a span; NULL: it was so long ago that others have its place.
 */
static uint32_t* carried_in(LevelLink* link, uint64_t span)
{
   uint64_t at = span % SUPPLY_SPANS;
   if (link->spans[at] > span) return NULL;
   if (link->spans[at] < span) link->carried[at] = 0;
   link->spans[at] = span;
   return &link->carried[at];
}

/* Has a link carry a line as soon as it can; when it has, if that is asked for
 * at `at`. */
static uint64_t carry_over(Supply* supply, int number, uint64_t at)
{
   LevelLink* link = &supply->links[number];
   uint64_t grains = supply->numbers->links[number], left = grains;
   uint64_t span = at / SPAN, last = span + SUPPLY_SPANS - 1;
   uint64_t done = at * CORE_GRAINS + grains;
   for (; left && span < last; span++) {
      uint32_t* carried = carried_in(link, span);
      if (!carried) break;
      uint64_t room = SPAN_GRAINS - *carried;
      uint64_t takes = room < left ? room : left;
      *carried += takes;
      left -= takes;
      if (takes) done = later(done, span * SPAN_GRAINS + *carried);
   }
   return done / CORE_GRAINS;
}

/* The same of all links that are between a level and the core. */
static uint64_t carry(Supply* supply, int level, uint64_t at)
{
   uint64_t done = at;
   for (int i = 0; i < level; i++)
      done = later(done, carry_over(supply, i, at));
   return done;
}

static uint64_t latency_of(const Supply* supply, int level)
{
   const CoreNumbers* n = supply->numbers;
   return level == 1   ? n->memory.level2
          : level == 2 ? n->memory.level3
                       : n->memory.memory;
}

/* Which of `n` things happens this time, of which at most one does: 1, ...; 0:
 * none. The last is asked first, and each of the times that those leave. */
static int drawn(const uint32_t* rates, uint32_t* rests, int n)
{
   uint64_t left = SHARE_WHOLE;
   for (int i = n; i-- > 0;) {
      if (!rates[i]) continue;
      Share share =
         rates[i] < left ? rates[i] * SHARE_WHOLE / left : SHARE_WHOLE;
      if (cg2p_walk_happens(&rests[i], share)) return i + 1;
      left -= rates[i];
   }
   return 0;
}

/* The level that answers this time, of shares of the second, ...; 0: none of
 * them. */
static int answering(const uint32_t* rates, uint32_t* rests)
{
   return drawn(rates, rests, 3);
}

/*--- Lines --------------------------------------------------------------*/

static uint64_t key_of(SymbolicValue address)
{
   return address.root * 0x9e3779b97f4a7c15ull ^ address.offset >> 6;
}

static uint64_t mixed(uint64_t key)
{
   return key ^ key >> 20 ^ key >> 40;
}

static SuppliedLine* line_at(Supply* supply, uint64_t key)
{
   return &supply->lines[mixed(key) % SUPPLY_LINES];
}

static bool
is_known(const Supply* supply, const SuppliedLine* line, uint64_t key)
{
   return line->window == supply->window && line->key == key;
}

static void note_line(Supply* supply, uint64_t key, int level, uint64_t arrives)
{
   *line_at(supply, key) =
      (SuppliedLine){key, arrives, supply->window, level, true};
}

/* A line that was brought was perhaps noted, and stored to, before. */
static void
note_brought(Supply* supply, uint64_t key, int level, uint64_t arrives)
{
   const SuppliedLine* line = line_at(supply, key);
   bool is_clean = !is_known(supply, line, key) || line->is_clean;
   note_line(supply, key, level, arrives);
   line_at(supply, key)->is_clean = is_clean;
}

static SuppliedSet* set_at(Supply* supply, SymbolicValue address)
{
   enum { APART = 4096 }; /* lines of a set, where tables have `set` */
   uint64_t key =
      key_of((SymbolicValue){address.root, address.offset & (APART - 1)});
   SuppliedSet* set = &supply->sets[mixed(key) % SUPPLY_SETS];
   if (set->window != supply->window || set->key != key)
      *set = (SuppliedSet){key, 0, supply->window, false};
   return set;
}

/* Has the set of a line take it at `at`, or when it has taken those before, in
 * the place of another one; when that is. */
static uint64_t
pass_set(Supply* supply, SymbolicValue address, uint64_t at, uint64_t takes)
{
   if (!takes) return at;
   SuppliedSet* set = set_at(supply, address);
   uint64_t begins = later(at, set->until);
   set->until = begins + takes;
   if (set->is_dirty) set->until += supply->numbers->memory.dirty;
   set->is_dirty = false;
   return begins;
}

/* When a line comes that a level sends; `at`: when it is asked for. */
static uint64_t
fetch(Supply* supply, SymbolicValue address, int level, uint64_t at)
{
   uint64_t* fill = first_free(&supply->fills);
   uint64_t* queued = level > 1 ? first_free(&supply->superqueue) : NULL;
   at = later(at, *fill);
   if (queued) at = later(at, *queued);
   uint64_t done =
      later(at + latency_of(supply, level), carry(supply, level, at));
   done = pass_set(supply, address, done,
                   supply->numbers->memory.set * (level > 1 ? 2 : 1));
   *fill = done;
   if (queued) *queued = done;
   return done;
}

/* Has links carry lines that were asked for in time, each one of them: of a
 * line that comes to level 1 from afar each level before it finds it brought.
 * The farthest level that sent one; 0: none did. *done: when they are there. */
static int bring(Supply* supply,
                 SymbolicValue address,
                 const uint32_t* rates,
                 uint32_t* rests,
                 uint64_t at,
                 uint64_t* done)
{
   int level = 0;
   for (int i = 0; i < 3; i++)
      if (rates[i] && cg2p_walk_happens(&rests[i], rates[i])) {
         uint64_t takes = i ? 0 : supply->numbers->memory.set;
         *done = later(*done, carry_over(supply, i, at));
         *done = later(*done, pass_set(supply, address, at, takes));
         level = i + 1;
      }
   return level;
}

/*--- Loads --------------------------------------------------------------*/

static void
translate(Supply* supply, History* history, const Rates* rates, Rates* rests)
{
   enum { WALKS = 2 };
   const CoreNumbers* n = supply->numbers;
   int by = drawn(rates->translation, rests->translation, WALKS);
   if (!by) return;
   uint64_t until = history->until, takes = n->memory.tlb;
   if (by == WALKS) {
      uint64_t* walker = first_free(&supply->walkers);
      until = *walker = later(until, *walker) + n->memory.walk;
      takes += n->memory.walk;
   }
   history->happened.of[CAUSE_TRANSLATION] += takes;
   cg2p_charges_extend(history, until + n->memory.tlb, CAUSE_TRANSLATION);
}

/* The hit comes first in the history: what hides a part of it hides that. */
uint64_t cg2p_supply_load(Supply* supply,
                          History* history,
                          const Rates* rates,
                          Rates* rests,
                          SymbolicValue address,
                          uint64_t hit)
{
   uint64_t key = key_of(address), start = history->until;
   const SuppliedLine* line = line_at(supply, key);
   cg2p_charges_extend(history, start + hit, CAUSE_CHAIN);
   translate(supply, history, rates, rests);
   uint64_t asked = history->until - hit;
   int level = answering(rates->read, rests->read);
   uint64_t arrives = asked;
   if (level) {
      history->happened.of[level_causes[level]]++;
      uint64_t load = supply->numbers->memory.load;
      arrives = fetch(supply, address, level, asked) + later(hit, load) - load;
      note_line(supply, key, level, arrives);
   } else if (is_known(supply, line, key) && line->arrives > history->until) {
      level = line->level;
      arrives = line->arrives;
   }
   int brought = bring(supply, address, rates->read_brought,
                       rests->read_brought, asked, &arrives);
   if (brought > level) level = brought;
   if (brought) note_brought(supply, key, level, arrives);
   cg2p_charges_extend(history, arrives, level_causes[level]);
   return history->until;
}

/*--- Stores and code ----------------------------------------------------*/

uint64_t cg2p_supply_store(Supply* supply,
                           const Rates* rates,
                           Rates* rests,
                           SymbolicValue address,
                           uint64_t retired,
                           Cause* cause)
{
   uint64_t key = key_of(address), done = retired;
   int level = answering(rates->write, rests->write);
   if (level) {
      done = fetch(supply, address, level, retired);
      note_line(supply, key, level, done);
   }
   int brought = bring(supply, address, rates->write_brought,
                       rests->write_brought, retired, &done);
   if (brought > level) level = brought;
   if (brought) note_brought(supply, key, level, done);
   SuppliedLine* line = line_at(supply, key);
   if (is_known(supply, line, key) && line->is_clean) {
      line->is_clean = false; /* it will be written back */
      carry(supply, line->level < 2 ? line->level : 2, done);
      set_at(supply, address)->is_dirty = true;
   }
   *cause = level ? level_causes[level] : CAUSE_PORT;
   return done;
}

uint64_t
cg2p_supply_code(const Supply* supply, const Rates* rates, Rates* rests)
{
   int level = answering(rates->code, rests->code);
   return level ? latency_of(supply, level) : 0;
}
