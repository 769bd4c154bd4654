#include "model/described/ittage.h"

/* The entries of a jump. */
typedef struct TargetMatch {
   IttageEntry* entries[TRAIL_LENGTHS]; /* one in each table */
   UInt tags[TRAIL_LENGTHS];
   Int longest, next; /* the last two tables that match, or -1 */
} TargetMatch;

static void
find_match(const Ittage* ittage, const Trail* trail, Addr addr, TargetMatch* m)
{
   TrailWords seen = cg2_trail_seen(trail, addr);
   m->longest = m->next = -1;
   for (Int table = 0; table < TRAIL_LENGTHS; table++) {
      UInt place = seen.of[table] >> (32 - ittage->bits);
      m->entries[table] = &ittage->entries[(UInt)table << ittage->bits | place];
      m->tags[table] = (seen.of[table] >> TRAIL_TAG_SHIFT & 0xffff) | 1;
      if (m->entries[table]->tag != m->tags[table]) continue;
      m->next = m->longest;
      m->longest = table;
   }
}

/* Lets an entry learn where the jump went. `by_next` is what is predicted
 * without it. */
static void learn(IttageEntry* e, Addr by_next, Addr target)
{
   if (e->target == target) {
      e->confidence += e->confidence < ITTAGE_CONFIDENCE_MAX;
      if (by_next != target) e->useful += e->useful < ITTAGE_USEFUL_MAX;
   } else if (e->confidence)
      e->confidence--;
   else {
      e->target = target;
      e->useful = 0;
   }
}

/* Gives a jump that was mispredicted an entry in a longer table. */
static void allocate(TargetMatch* m, Addr target)
{
   for (Int table = m->longest + 1; table < TRAIL_LENGTHS; table++) {
      IttageEntry* e = m->entries[table];
      if (e->useful) continue;
      *e = (IttageEntry){
         .target = target, .tag = m->tags[table], .confidence = 1};
      return;
   }
   for (Int table = m->longest + 1; table < TRAIL_LENGTHS; table++)
      m->entries[table]->useful--;
}

Bool cg2_ittage_predict(Ittage* ittage, Trail* trail, Addr addr, Addr target)
{
   TargetMatch m;
   Addr* last = &ittage->last[addr & (((UWord)1 << ittage->base_bits) - 1)];
   Addr predicted = *last;
   find_match(ittage, trail, addr, &m);
   if (m.longest >= 0) {
      IttageEntry* e = m.entries[m.longest];
      Addr by_next = m.next < 0 ? *last : m.entries[m.next]->target;
      predicted = e->confidence ? e->target : by_next;
      learn(e, by_next, target);
   }
   if (predicted != target) allocate(&m, target);
   *last = target;
   cg2_trail_add(trail, cg2_trail_mixed(addr ^ target * 3));
   return predicted != target;
}

void cg2_ittage_init(Ittage* ittage, UInt bits)
{
   tl_assert(bits > ITTAGE_FEWER_BITS);
   *ittage = (Ittage){.bits = bits - ITTAGE_FEWER_BITS,
                      .base_bits = bits + ITTAGE_BASE_BITS};
   ittage->entries =
      VG_(calloc)("cg2.predictor", (UWord)TRAIL_LENGTHS << ittage->bits,
                  sizeof(IttageEntry));
   ittage->last =
      VG_(calloc)("cg2.predictor", (UWord)1 << ittage->base_bits, sizeof(Addr));
}

void cg2_ittage_clear(Ittage* ittage)
{
   VG_(memset)(ittage->entries, 0,
               ((UWord)TRAIL_LENGTHS << ittage->bits) * sizeof(IttageEntry));
   VG_(memset)(ittage->last, 0, ((UWord)1 << ittage->base_bits) * sizeof(Addr));
}
