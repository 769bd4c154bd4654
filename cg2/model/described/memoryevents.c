#include "model/described/memoryevents.h"

/* An event of a kind of access. Its name is I or D, `part`, and mr or mw; its
 * meaning is `where`, the kind, and `what`; its title is `where` and "misses".
 */
static MachineEvent
event(AccessKind kind, const HChar* part, const HChar* where, const HChar* what)
{
   static const HChar* const letters[] = {"I", "D", "D"};
   static const HChar* const ends[] = {"mr", "mr", "mw"};
   static const HChar* const words[] = {"Instr. Fetch", "Data Read",
                                        "Data Write"};
   MachineEvent e = {.cycles = 0};
   VG_(sprintf)(e.name, "%s%s%s", letters[kind], part, ends[kind]);
   VG_(sprintf)(e.meaning, "%s%s%s", where, words[kind], what);
   VG_(sprintf)(e.title, "%smisses", where);
   return e;
}

/* The cycles that it costs to go on from the level at `depth` to the next. */
static UInt cycles_below(const Processor* p, UInt depth, Bool is_code)
{
   UInt here = p->caches[cg2_processor_cache(p, depth, is_code)].latency;
   UInt next =
      depth + 1 == p->n_levels
         ? p->memory_latency
         : p->caches[cg2_processor_cache(p, depth + 1, is_code)].latency;
   return next - here;
}

static UInt
describe_misses(const Processor* p, AccessKind kind, MachineEvent* events)
{
   for (UInt depth = 0; depth < p->n_levels; depth++) {
      Bool is_last = depth > 0 && depth + 1 == p->n_levels;
      HChar level[8], where[8];
      VG_(sprintf)(level, "%u", depth + 1);
      VG_(sprintf)(where, "L%s ", is_last ? "L" : level);
      events[depth] = event(kind, is_last ? "L" : level, where, " Miss");
      events[depth].cycles = cycles_below(p, depth, kind == ACCESS_FETCH);
   }
   return p->n_levels;
}

static UInt
describe_tlb_misses(const Processor* p, AccessKind kind, MachineEvent* events)
{
   const CacheConfig* second = &p->tlbs[TLB_SECOND];
   Bool has_second = second->geometry.size > 0;
   if (!cg2_processor_has_tlb(p)) return 0;
   events[0] = event(kind, "T1", "L1 TLB ", " Miss");
   events[0].cycles = has_second ? second->latency : p->walk_latency;
   if (!has_second) return 1;
   events[1] = event(kind, "T2", "L2 TLB ", " Miss");
   events[1].cycles = p->walk_latency;
   return 2;
}

/* Whether a level that holds data writes dirty lines back. */
static Bool writes_back(const Processor* p)
{
   for (UInt i = p->is_unified ? 2 : 1; i <= p->n_levels; i++)
      if (p->caches[i].writing == WRITE_BACK) return True;
   return p->caches[0].writing == WRITE_BACK && p->is_unified;
}

/* Adds the events that only cores have which share memory. */
static UInt describe_sharing(AccessKind kind, MachineEvent* events)
{
   if (kind == ACCESS_FETCH) return 0;
   events[0] = event(kind, "c", "L1 ", " Miss, Another Thread Wrote");
   VG_(sprintf)(events[0].title, "Lines lost");
   if (kind == ACCESS_READ) return 1;
   events[1] = (MachineEvent){"Dciw", "Data Write That Takes Others' Line",
                              "Lines taken", 0};
   return 2;
}

/* The first level on the way of a kind of access that prefetches, as a depth;
 * n_levels: none does. */
static UInt first_that_prefetches(const Processor* p, AccessKind kind)
{
   UInt depth = 0;
   while (depth < p->n_levels &&
          p->caches[cg2_processor_cache(p, depth, kind == ACCESS_FETCH)]
                .prefetcher.kind == PREFETCH_NONE)
      depth++;
   return depth;
}

/* A line that would have missed the level at `depth`. */
static MachineEvent prefetched(const Processor* p, AccessKind kind, UInt depth)
{
   static const HChar* const letters[] = {"I", "D", "D"};
   static const HChar* const ends[] = {"pr", "pr", "pw"};
   Bool is_last = depth > 0 && depth + 1 == p->n_levels;
   HChar level[8], where[8];
   VG_(sprintf)(level, "%u", depth + 1);
   VG_(sprintf)(where, "L%s ", is_last ? "L" : level);
   MachineEvent e = event(kind, "", where, " Prefetched");
   VG_(sprintf)(e.name, "%s%s%s", letters[kind], is_last ? "L" : level,
                ends[kind]);
   VG_(sprintf)(e.title, "%sprefetched", where);
   return e;
}

static UInt
describe_prefetched(const Processor* p, AccessKind kind, MachineEvent* events)
{
   UInt n = 0;
   for (UInt depth = first_that_prefetches(p, kind); depth < p->n_levels;
        depth++)
      events[n++] = prefetched(p, kind, depth);
   return n;
}

UInt cg2_memoryevents_describe(const Processor* p,
                               Bool has_cores,
                               AccessKind kind,
                               MachineEvent* events)
{
   UInt n = describe_misses(p, kind, events);
   n += describe_tlb_misses(p, kind, &events[n]);
   if (writes_back(p)) {
      events[n] = event(kind, "Ld", "", " That Has Memory Written");
      VG_(sprintf)(events[n++].title, "Memory writes");
   }
   if (has_cores) n += describe_sharing(kind, &events[n]);
   return n + describe_prefetched(p, kind, &events[n]);
}

MemoryBits cg2_memoryevents_bits(const Processor* p, Bool has_cores)
{
   MemoryBits bits = {.dirty = 0};
   UInt bit = 1U << p->n_levels;
   for (UInt level = 0; level < 2; level++) {
      Bool is_there = p->tlbs[level ? TLB_SECOND : TLB_CODE].geometry.size > 0;
      bits.tlb_miss[level] = is_there ? bit : 0;
      bit <<= is_there;
   }
   bits.dirty = writes_back(p) ? bit : 0;
   bit <<= writes_back(p);
   bits.lost = has_cores ? bit : 0;
   bits.takes = has_cores ? bit << 1 : 0;
   for (UInt kind = 0; kind < ACCESS_KINDS; kind++) {
      MachineEvent events[MEMORY_EVENTS_MAX];
      UInt n = cg2_memoryevents_describe(p, has_cores, kind, events);
      bits.brought_shift[kind] = n - p->n_levels;
   }
   return bits;
}
