#include "events/forwarding.h"

#include "base/arena.h"
#include "engine/thread.h"
#include "events/eventsconfig.h"

enum { WORD_BITS = 2 }; /* words of 4 bytes */

Forwarding* cg2_forwarding_new(void)
{
   Forwarding* forwarding =
      VG_(calloc)("cg2.forwarding", 1, sizeof *forwarding);
   forwarding->n_stores = FORWARDING_STORES;
   return forwarding;
}

ForwardingPlace*
cg2_forwarding_place(Forwarding* forwarding, const Object* object, Addr offset)
{
   ULong hash = cg2_code_hash_place(object, offset);
   TableNode* node = cg2_table_first(&forwarding->places, hash);
   for (; node; node = cg2_table_next(node)) {
      ForwardingPlace* place = (ForwardingPlace*)node;
      if (place->object == object && place->offset == offset) return place;
   }
   ForwardingPlace* place = cg2_arena_new(sizeof *place);
   place->object = object;
   place->offset = offset;
   cg2_table_add(&forwarding->places, &place->node, hash);
   return place;
}

/*--- Counting -----------------------------------------------------------*/

static Bool is_alike(const Forwarded* a, const Forwarded* b)
{
   return a->store == b->store && a->ago == b->ago &&
          a->is_whole == b->is_whole && a->thread == b->thread &&
          a->load == b->load;
}

static Forwarded* find(Forwarding* forwarding, const Forwarded* key)
{
   ULong hash =
      cg2_hash_word(cg2_hash_word(0, (UWord)key->load), (UWord)key->store);
   hash = cg2_hash_word(hash, (ULong)key->thread << 32 | key->ago << 1 |
                                 key->is_whole);
   TableNode* node = cg2_table_first(&forwarding->counts, hash);
   for (; node; node = cg2_table_next(node))
      if (is_alike((Forwarded*)node, key)) return (Forwarded*)node;
   Forwarded* found = cg2_arena_new(sizeof *found);
   *found = *key;
   cg2_table_add(&forwarding->counts, &found->node, hash);
   return found;
}

static void count(Forwarding* forwarding,
                  ForwardingPlace* load,
                  const ForwardingWord* from,
                  Bool is_whole)
{
   const Separation* separation = cg2_now.current->context->separation;
   ULong ago = from->by->n_stores - from->number;
   if (separation->is_off || ago > FORWARDING_AGO_MAX) return;
   Forwarded key = {.load = load,
                    .store = from->by,
                    .thread = separation->thread,
                    .ago = ago,
                    .is_whole = is_whole};
   if (!load->recent || !is_alike(load->recent, &key))
      load->recent = find(forwarding, &key);
   load->recent->n++;
}

/*--- Accesses -----------------------------------------------------------*/

static inline ForwardingWord* place_of(Forwarding* forwarding, UWord word)
{
   UWord hash = word ^ word / FORWARDING_WORDS;
   return &forwarding->words[hash % FORWARDING_WORDS];
}

/* The last store to a word, if it is one of the last and has bytes from
 * `address` to `end`; else NULL. */
static inline const ForwardingWord*
last_store(Forwarding* forwarding, UWord word, Addr address, Addr end)
{
   const ForwardingWord* at = place_of(forwarding, word);
   Bool is_of = at->word == word &&
                forwarding->n_stores - at->at < FORWARDING_STORES &&
                at->start < end && address < at->start + at->size;
   return is_of ? at : NULL;
}

static inline void
load(Forwarding* forwarding, Addr address, const ForwardingAccess* access)
{
   Addr end = address + access->size;
   const ForwardingWord* last = NULL;
   for (UWord word = address >> WORD_BITS; word <= (end - 1) >> WORD_BITS;
        word++) {
      const ForwardingWord* at = last_store(forwarding, word, address, end);
      if (at && (!last || at->at > last->at)) last = at;
   }
   if (!last) return;
   count(forwarding, access->by, last,
         last->start <= address && end <= last->start + last->size);
}

static inline void
store(Forwarding* forwarding, Addr address, const ForwardingAccess* access)
{
   Addr end = address + access->size;
   ForwardingPlace* by = access->by;
   ForwardingWord stored = {.start = address,
                            .size = access->size,
                            .by = by,
                            .number = by->n_stores++,
                            .at = ++forwarding->n_stores};
   for (UWord word = address >> WORD_BITS; word <= (end - 1) >> WORD_BITS;
        word++) {
      stored.word = word;
      *place_of(forwarding, word) = stored;
   }
}

VG_REGPARM(2)
void cg2_forwarding_load(Addr address, const ForwardingAccess* access)
{
   load(cg2_events_config.accesses.forwarding, address, access);
}

VG_REGPARM(2)
void cg2_forwarding_store(Addr address, const ForwardingAccess* access)
{
   store(cg2_events_config.accesses.forwarding, address, access);
}

VG_REGPARM(2)
void cg2_forwarding_modify(Addr address, const ForwardingAccess* access)
{
   load(cg2_events_config.accesses.forwarding, address, access);
   store(cg2_events_config.accesses.forwarding, address, access);
}

/*--- Threads and parts --------------------------------------------------*/

void cg2_forwarding_switch(Forwarding* forwarding, UInt tid)
{
   if (forwarding->tid != tid) forwarding->n_stores += FORWARDING_STORES;
   forwarding->tid = tid;
}

void cg2_forwarding_zero(Forwarding* forwarding, UInt thread)
{
   const Table* counts = &forwarding->counts;
   for (UWord i = 0; i < counts->n_buckets; i++)
      for (TableNode* node = counts->buckets[i]; node; node = node->next) {
         Forwarded* f = (Forwarded*)node;
         if (!thread || f->thread == thread) f->n = 0;
      }
}
