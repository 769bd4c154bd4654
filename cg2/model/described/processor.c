#include "model/described/processor.h"

/* Completes that an error of `n_written` characters was just written: says that
 * it is in line `at`. Returns False, for the caller to return. */
static Bool fail(UInt* line, UInt at, UInt n_written)
{
   tl_assert(n_written < PROCESSOR_TEXT);
   *line = at;
   return False;
}

static Bool is_power(ULong n)
{
   return n && !(n & (n - 1));
}

void cg2_processor_cache_name(const Processor* p, UInt cache, HChar* name)
{
   if (cache < 2 && !p->is_unified)
      VG_(sprintf)(name, "%s", cache == 0 ? "I1" : "D1");
   else
      VG_(sprintf)(name, "L%u", cache ? cache : 1);
}

void cg2_processor_predictor_name(const PredictorConfig* config, HChar* name)
{
   static const HChar* const kinds[] = {[PREDICT_CALLGRIND] = "callgrind",
                                        [PREDICT_GSHARE] = "gshare",
                                        [PREDICT_PERCEPTRON] = "perceptron",
                                        [PREDICT_TAGE] = "tage"};
   UInt n = VG_(sprintf)(name, "%s", kinds[config->kind]);
   if (config->kind != PREDICT_CALLGRIND)
      VG_(sprintf)(name + n, " bits=%u history=%u", config->bits,
                   config->history);
}

/*--- A cache by itself --------------------------------------------------*/

static Bool check_ways(const CacheConfig* c, HChar* error, UInt* line)
{
   UInt ways = c->geometry.ways;
   if (c->replacement == REPLACE_PLRU &&
       (ways < 2 || ways > 64 || !is_power(ways)))
      return fail(
         line, c->line_of_file,
         VG_(sprintf)(
            error,
            "replacement=plru is a tree of 2, 4, 8, 16, 32 or 64 ways, not %u",
            ways));
   if (c->replacement != REPLACE_LRU && ways > PROCESSOR_WAYS_MAX)
      return fail(
         line, c->line_of_file,
         VG_(sprintf)(
            error,
            "with more than %d ways only replacement=lru is simulated; here "
            "are %u",
            PROCESSOR_WAYS_MAX, ways));
   return True;
}

static Bool check_prefetcher(const CacheConfig* c, HChar* error, UInt* line)
{
   const PrefetcherConfig* p = &c->prefetcher;
   Bool has_table = p->kind == PREFETCH_STRIDE || p->kind == PREFETCH_PAGE;
   if (has_table && !is_power(p->entries))
      return fail(line, c->line_of_file,
                  VG_(sprintf)(
                     error,
                     "a %s prefetcher has a power of two of entries, not %u",
                     p->kind == PREFETCH_PAGE ? "page" : "stride", p->entries));
   if (p->kind != PREFETCH_NONE && c->inclusion == EXCLUSIVE)
      return fail(
         line, c->line_of_file,
         VG_(sprintf)(error, "an exclusive level loads no lines, so it has no "
                             "prefetcher; put it at the level above"));
   return True;
}

static Bool check_cache(const CacheConfig* c, HChar* error, UInt* line)
{
   HChar wrong[GEOMETRY_TEXT];
   if (!cg2_geometry_check(&c->geometry, wrong))
      return fail(line, c->line_of_file, VG_(sprintf)(error, "%s", wrong));
   return check_ways(c, error, line) && check_prefetcher(c, error, line);
}

/*--- Levels and what is above them --------------------------------------*/

static Bool check_exclusive(const CacheConfig* above,
                            const CacheConfig* c,
                            HChar* error,
                            UInt* line)
{
   if (above->geometry.line != c->geometry.line)
      return fail(line, c->line_of_file,
                  VG_(sprintf)(error,
                               "an exclusive level has lines as the one above "
                               "it: %u bytes, not %u",
                               above->geometry.line, c->geometry.line));
   if (above->writing != c->writing || c->writing == WRITE_THROUGH)
      return fail(line, c->line_of_file,
                  VG_(sprintf)(
                     error, "an exclusive level and the one above it both have "
                            "write=back, or both write=none"));
   if (above->is_not_allocated != c->is_not_allocated)
      return fail(line, c->line_of_file,
                  VG_(sprintf)(error, "an exclusive level and the one above it "
                                      "both allocate, or do not"));
   if (c->victims)
      return fail(line, c->line_of_file,
                  VG_(sprintf)(error,
                               "an exclusive level is a victim cache; "
                               "it has no victims=%u beside it",
                               c->victims));
   return True;
}

static Bool check_below(const Processor* p,
                        const CacheConfig* above,
                        const CacheConfig* c,
                        HChar* error,
                        UInt* line)
{
   if (above->geometry.line > c->geometry.line && !p->asks_for_whole)
      return fail(
         line, c->line_of_file,
         VG_(sprintf)(
            error,
            "lines of a level are at least as large as those of the one above "
            "it: %u bytes, not %u",
            above->geometry.line, c->geometry.line));
   if (above->is_shared && !c->is_shared)
      return fail(line, c->line_of_file,
                  VG_(sprintf)(error, "a level below a shared one is shared"));
   if ((above->writing == WRITE_NONE) != (c->writing == WRITE_NONE))
      return fail(
         line, c->line_of_file,
         VG_(sprintf)(error, "write=none is for all levels or for none"));
   if (c->inclusion == EXCLUSIVE) return check_exclusive(above, c, error, line);
   return True;
}

/* Whether a cache is one that Callgrind's way of asking goes together with. */
static Bool check_whole(const CacheConfig* c, HChar* error, UInt* line)
{
   if (c->inclusion != NON_INCLUSIVE || c->victims || c->is_not_allocated ||
       c->writing == WRITE_BACK || c->prefetcher.kind != PREFETCH_NONE)
      return fail(line, c->line_of_file,
                  VG_(sprintf)(
                     error,
                     "levels ask=whole goes with inclusion=none, write=through "
                     "or none, allocate=yes, without victims and "
                     "prefetcher"));
   return True;
}

static Bool
check_first(const Processor* p, const CacheConfig* c, HChar* error, UInt* line)
{
   if (c->inclusion != NON_INCLUSIVE)
      return fail(line, c->line_of_file,
                  VG_(sprintf)(error, "a first level has no inclusion"));
   if (!p->is_unified && c->is_shared && p->n_levels > 1)
      return fail(line, c->line_of_file,
                  VG_(sprintf)(error, "a first level is not shared"));
   return True;
}

/* Checks caches[i] by itself, and in its place. */
static Bool check_level(const Processor* p, UInt i, HChar* error, UInt* line)
{
   const CacheConfig* c = &p->caches[i];
   Bool is_last = i == p->n_levels || (i == 0 && p->n_levels == 1);
   if (!check_cache(c, error, line)) return False;
   if (i < 2 && !check_first(p, c, error, line)) return False;
   if (!p->asks_for_whole || (is_last && c->writing == WRITE_BACK)) return True;
   return check_whole(c, error, line);
}

/* Checks each level below the first together with the level above it. */
static Bool check_neighbours(const Processor* p, HChar* error, UInt* line)
{
   for (UInt depth = 1; depth < p->n_levels; depth++)
      for (UInt is_code = 0; is_code < 2; is_code++) {
         UInt above = cg2_processor_cache(p, depth - 1, is_code);
         UInt below = cg2_processor_cache(p, depth, is_code);
         if (!check_below(p, &p->caches[above], &p->caches[below], error, line))
            return False;
      }
   return True;
}

static Bool check_levels(const Processor* p, HChar* error, UInt* line)
{
   for (UInt i = 0; i <= p->n_levels; i++)
      if (!(i == 1 && p->is_unified) && !check_level(p, i, error, line))
         return False;
   return check_neighbours(p, error, line);
}

/*--- Latencies, TLBs ----------------------------------------------------*/

static Bool check_latencies(const Processor* p, HChar* error, UInt* line)
{
   for (UInt depth = 1; depth <= p->n_levels; depth++)
      for (UInt is_code = 0; is_code < 2; is_code++) {
         const CacheConfig* above =
            &p->caches[cg2_processor_cache(p, depth - 1, is_code)];
         const CacheConfig* c =
            &p->caches[cg2_processor_cache(p, depth, is_code)];
         UInt latency = depth < p->n_levels ? c->latency : p->memory_latency;
         if (latency < above->latency)
            return fail(
               line,
               depth < p->n_levels ? c->line_of_file : above->line_of_file,
               VG_(sprintf)(
                  error,
                  "what is further away takes longer: a latency of %u comes "
                  "after one of %u",
                  latency, above->latency));
      }
   return True;
}

static Bool check_tlbs(const Processor* p, HChar* error, UInt* line)
{
   for (UInt i = 0; i < 3; i++) {
      const CacheConfig* c = &p->tlbs[i];
      if (c->geometry.size && !check_ways(c, error, line)) return False;
   }
   if (p->tlbs[TLB_SECOND].geometry.size && !cg2_processor_has_tlb(p))
      return fail(
         line, p->tlbs[TLB_SECOND].line_of_file,
         VG_(sprintf)(
            error,
            "a second level of TLBs needs a first one: tlb I1 and D1, or L1"));
   if (p->tlbs[TLB_DATA].geometry.size && !cg2_processor_has_tlb(p))
      return fail(line, p->tlbs[TLB_DATA].line_of_file,
                  VG_(sprintf)(error, "tlb D1 needs tlb I1 beside it"));
   return True;
}

Bool cg2_processor_check(const Processor* p, HChar* error, UInt* line)
{
   return check_levels(p, error, line) && check_latencies(p, error, line) &&
          check_tlbs(p, error, line);
}
