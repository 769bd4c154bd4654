#include "model/callgrind/host.h"

static const HostMachine usual = {.i1 = {32768, 8, 64},
                                  .d1 = {32768, 8, 64},
                                  .ll = {8388608, 16, 64},
                                  .source = "assumed",
                                  .is_assumed = True};

/* The caches of a source; a size of 0: it names no such cache. */
typedef struct FoundCaches {
   Geometry i1, d1, l2, l3;
} FoundCaches;

static FoundCaches find(const HostCaches* caches)
{
   FoundCaches f = {.i1.size = 0};
   for (UInt i = 0; i < caches->n; i++) {
      const HostCache* c = &caches->of[i];
      Geometry geometry = {c->size, c->ways, c->line};
      if (c->level == 1 && c->kind & HOST_CACHE_CODE) f.i1 = geometry;
      if (c->level == 1 && c->kind & HOST_CACHE_DATA) f.d1 = geometry;
      if (c->level == 2 && c->kind == HOST_CACHE_UNIFIED) f.l2 = geometry;
      if (c->level == 3 && c->kind == HOST_CACHE_UNIFIED) f.l3 = geometry;
   }
   return f;
}

static Bool is_cache(const Geometry* geometry)
{
   HChar error[GEOMETRY_TEXT];
   return cg2_geometry_check(geometry, error);
}

static Bool is_complete(const FoundCaches* f)
{
   Bool has_l2 = is_cache(&f->l2), has_l3 = is_cache(&f->l3);
   return is_cache(&f->i1) && is_cache(&f->d1) && (has_l2 || has_l3) &&
          (has_l2 || !f->l2.size) && (has_l3 || !f->l3.size);
}

void cg2_host_read(HostAsk ask, HostMachine* machine)
{
   HostCaches caches;
   for (UInt source = 0; ask(source, &caches); source++) {
      FoundCaches f = find(&caches);
      if (!is_complete(&f)) continue;
      Bool has_l3 = f.l3.size > 0;
      *machine = (HostMachine){.i1 = f.i1,
                               .d1 = f.d1,
                               .ll = has_l3 ? f.l3 : f.l2,
                               .source = caches.source};
      if (has_l3) machine->l2 = f.l2;
      return;
   }
   *machine = usual;
}

void cg2_host_machine(HostMachine* machine)
{
   cg2_host_read(cg2_hostcaches_ask, machine);
}
