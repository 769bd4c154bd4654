#include "check.h"
#include "model/described/description.h"

#include <string.h>

static Processor processor;
static HChar error[PROCESSOR_TEXT];
static UInt line;

static void check_caches(void)
{
   const CacheConfig* d1 = &processor.caches[1];
   CHECK_EQ(d1->geometry.size, 49152);
   CHECK_EQ(d1->geometry.ways, 12);
   CHECK_EQ(d1->geometry.line, 64);
   CHECK_EQ(d1->replacement, REPLACE_FIFO);
   CHECK_EQ(d1->writing, WRITE_THROUGH);
   CHECK(d1->is_not_allocated);
   CHECK_EQ(d1->victims, 4);
   CHECK_EQ(d1->latency, 5);
   CHECK_EQ(d1->prefetcher.kind, PREFETCH_STRIDE);
   CHECK_EQ(d1->prefetcher.degree, 2);
   CHECK_EQ(d1->prefetcher.distance, 3);
   CHECK_EQ(d1->prefetcher.entries, 64);
   const CacheConfig* l2 = &processor.caches[2];
   CHECK_EQ(l2->geometry.size, 5 << 20);
   CHECK_EQ(l2->replacement, REPLACE_RANDOM);
   CHECK_EQ(l2->seed, 9);
   CHECK_EQ(l2->inclusion, INCLUSIVE);
   CHECK_EQ(l2->writing, WRITE_BACK);
   CHECK(l2->is_shared);
}

static void test_all(void)
{
   const char* text =
      "# all that can be said\n"
      "machine  A machine   # its name\n"
      "source somebody, somewhere\n"
      "\n"
      "cache I1 size=32K ways=8 line=64 latency=3\n"
      "cache D1 size=49152 ways=12 replacement=plru write=through allocate=no "
      "victims=4 latency=5 prefetch=stride degree=2 distance=3 entries=64\n"
      "  cache L2 size=5M ways=20 replacement=random seed=9 "
      "inclusion=inclusive "
      "shared=yes latency=14\n"
      "memory latency=200\n"
      "page size=16K cleared=yes\n"
      "tlb I1 entries=48 ways=full\n"
      "tlb D1 entries=64 ways=4 replacement=srrip\n"
      "tlb L2 entries=1024 ways=8 latency=7\n"
      "walk latency=30\r\n"
      "branches predictor=gshare bits=12 history=10 latency=15\n"
      "levels ask=lines";
   /* 12 ways are no tree. */
   CHECK(!cg2_description_parse(text, &processor, error, &line));
   CHECK_EQ(line, 6);
   CHECK_TEXT(error, "replacement=plru is a tree of 2, 4, 8, 16, 32 or 64 "
                     "ways, not 12");
   char fixed[2000];
   strcpy(fixed, text);
   memcpy(strstr(fixed, "plru"), "fifo", 4);
   CHECK(cg2_description_parse(fixed, &processor, error, &line));
   CHECK_TEXT(error, "");
   CHECK_TEXT(processor.name, "A machine");
   CHECK_EQ(processor.n_levels, 2);
   CHECK_EQ(processor.is_unified, False);
   CHECK_EQ(processor.asks_for_whole, False);
   CHECK_EQ(processor.memory_latency, 200);
   CHECK_EQ(processor.page, 16384);
   CHECK(processor.clears_pages);
   CHECK_EQ(processor.walk_latency, 30);
   CHECK_EQ(processor.misprediction_latency, 15);
   CHECK_EQ(processor.predictor.kind, PREDICT_GSHARE);
   CHECK_EQ(processor.predictor.bits, 12);
   CHECK_EQ(processor.predictor.history, 10);
   HChar name[PROCESSOR_TEXT];
   cg2_processor_predictor_name(&processor.predictor, name);
   CHECK_TEXT(name, "gshare bits=12 history=10");
   check_caches();
   CHECK_EQ(processor.tlbs[TLB_CODE].geometry.ways, 48);
   CHECK_EQ(processor.tlbs[TLB_DATA].replacement, REPLACE_SRRIP);
   CHECK_EQ(processor.tlbs[TLB_SECOND].geometry.size, 1024);
   CHECK_EQ(processor.tlbs[TLB_SECOND].latency, 7);
}

static void test_defaults(void)
{
   CHECK(cg2_description_parse("cache L1 size=8K ways=4 line=16\n"
                               "cache L2 size=1M ways=full\ntlb L1 entries=32 "
                               "ways=4\n",
                               &processor, error, &line));
   CHECK(processor.is_unified);
   CHECK_EQ(processor.n_levels, 2);
   CHECK_EQ(processor.page, 4096);
   CHECK(!processor.clears_pages);
   CHECK_EQ(processor.caches[2].geometry.ways, 16384);
   CHECK_EQ(processor.caches[0].is_shared, False);
   CHECK(processor.caches[2].is_shared);
   CHECK_EQ(processor.caches[0].writing, WRITE_BACK);
   CHECK_EQ(processor.tlbs[TLB_DATA].geometry.size, 0);
   CHECK_EQ(processor.tlbs[TLB_CODE].geometry.size, 32);
}

#define FIRST                                                                  \
   "cache I1 size=1K ways=2\n"                                                 \
   "cache D1 size=1K ways=2\n"

static const struct {
   const char* text;
   UInt line;
   const char* error;
} refused[] = {
   {"", 1,
    "the machine needs a cache I1 and a cache D1, or a cache L1 for both"},
   {"cache I1 size=1K ways=2", 1,
    "the machine needs a cache I1 and a cache D1, or a cache L1 for both"},
   {"\n\ncahce I1 size=1K\n", 3,
    "'cahce' is no statement; there are machine, source, cache, memory, page, "
    "tlb, walk, levels, branches"},
   {"cache D2 size=1K", 1, "a cache is I1, D1, L1, L2, L3, L4 or L5; not 'D2'"},
   {"cache size=1K", 1, "a name comes before size="},
   {"cache D1 size=1K ways=2 lines=64", 1,
    "'lines' is not known here; there are size, ways, line, replacement, seed, "
    "inclusion, write, allocate, shared, victims, latency, prefetch, degree, "
    "distance, entries"},
   {"cache D1 size", 1, "'size' needs a value: size=..."},
   {"cache D1 size = 1K", 1, "'size' needs a value: size=..."},
   {"cache D1 size= ways=2", 1,
    "size is a number from 1 to 4294967296; K, M and G may follow; not ''"},
   {"cache D1 size=1Q ways=2", 1,
    "size is a number from 1 to 4294967296; K, M and G may follow; not '1Q'"},
   {"cache D1 size=99999999999999999999G ways=2", 1,
    "size is a number from 1 to 4294967296; K, M and G may follow; not "
    "'99999999999999999999G'"},
   {"cache D1 ways=2", 1, "size= is missing"},
   {"cache D1 size=1K ways=2 size=1K", 1, "size= is there twice"},
   {"cache D1 size=1K ways=all", 1,
    "ways is a number from 1 to 268435456, or full; K, M and G may follow; not "
    "'all'"},
   {"cache D1 size=1K ways=2 line=48", 1, "line is a power of two, not 48"},
   {"cache D1 size=1K ways=2 line=8", 1,
    "line is a number from 16 to 4096; K, M and G may follow; not '8'"},
   {"cache D1 size=1K ways=2 replacement=mru", 1,
    "replacement is one of lru, plru, fifo, random, srrip; not 'mru'"},
   {"cache D1 size=1K ways=2 seed=3\ncache I1 size=1K ways=2", 1,
    "seed= is for replacement=random"},
   {"cache D1 size=1K ways=2 degree=3", 1,
    "degree, distance and entries are of a prefetcher: prefetch=next, stride, "
    "stream or page"},
   {"cache I1 size=1K ways=2\ncache D1 size=1K ways=2 prefetch=stride "
    "entries=48",
    2, "a stride prefetcher has a power of two of entries, not 48"},
   {"cache I1 size=1K ways=2\ncache D1 size=1K ways=2 prefetch=page entries=48",
    2, "a page prefetcher has a power of two of entries, not 48"},
   {FIRST "cache D1 size=1K ways=2", 3, "D1 is there already, in line 2"},
   {FIRST "cache L1 size=1K ways=2", 3, "L1 is there already, in line 1"},
   {"cache L1 size=1K ways=2\ncache D1 size=1K ways=2", 2,
    "a machine has the caches I1 and D1, or L1 for both"},
   {FIRST "cache L3 size=1M ways=2", 3, "cache L3 needs a cache L2 above it"},
   {FIRST "\ncache L2 size=1000 ways=2", 4,
    "the size is no multiple of 2 * 64 bytes, as 896 and 1024 are"},
   {FIRST "cache L2 size=1M ways=2 line=32", 3,
    "lines of a level are at least as large as those of the one above it: 64 "
    "bytes, not 32"},
   {FIRST "cache L2 size=1M ways=2 write=none", 3,
    "write=none is for all levels or for none"},
   {FIRST "cache L2 size=1M ways=2048 replacement=fifo", 3,
    "with more than 1024 ways only replacement=lru is simulated; here are "
    "2048"},
   {FIRST "cache L2 size=1M ways=2 inclusion=exclusive prefetch=next", 3,
    "an exclusive level loads no lines, so it has no prefetcher; put it at the "
    "level above"},
   {FIRST "cache L2 size=1M ways=2 inclusion=exclusive line=128", 3,
    "an exclusive level has lines as the one above it: 64 bytes, not 128"},
   {FIRST "cache L2 size=1M ways=2 inclusion=exclusive write=through", 3,
    "an exclusive level and the one above it both have write=back, or both "
    "write=none"},
   {FIRST "cache L2 size=1M ways=2 inclusion=exclusive victims=2", 3,
    "an exclusive level is a victim cache; it has no victims=2 beside it"},
   {FIRST "cache L2 size=1M ways=2 shared=yes\ncache L3 size=2M ways=2", 4,
    "a level below a shared one is shared"},
   {"cache I1 size=1K ways=2 inclusion=inclusive\ncache D1 size=1K ways=2", 1,
    "a first level has no inclusion"},
   {"cache I1 size=1K ways=2 latency=4\ncache D1 size=1K ways=2\n"
    "cache L2 size=1M ways=2 latency=3\nmemory latency=9",
    3,
    "what is further away takes longer: a latency of 3 comes after one of 4"},
   {FIRST "cache L2 size=1M ways=2\nlevels ask=whole\n", 1,
    "levels ask=whole goes with inclusion=none, write=through or none, "
    "allocate=yes, without victims and prefetcher"},
   {FIRST "tlb D1 entries=64 ways=4", 3,
    "tlb I1 and tlb D1 go together; tlb L1 is for both"},
   {FIRST "tlb L2 entries=64 ways=4", 3,
    "a second level of TLBs needs a first one: tlb I1 and D1, or L1"},
   {FIRST "tlb L1 entries=64 ways=5", 3,
    "64 entries are no whole number of sets of 5 ways"},
   {FIRST "tlb L3 entries=64 ways=4", 3, "a tlb is I1, D1, L1 or L2; not 'L3'"},
   {FIRST "page size=4097", 3, "size is a power of two, not 4097"},
   {FIRST "page size=4K cleared=1", 3, "cleared is one of no, yes; not '1'"},
   {FIRST "page size=4K cleared=yes\nmemory latency=1", 3,
    "cleared=yes needs a tlb, which has not seen a new page"},
   {FIRST "memory latency=1\nmemory latency=1", 4,
    "memory is there already, in line 3"},
   {FIRST "branches predictor=oracle", 3,
    "predictor is one of callgrind, gshare, perceptron, tage; not 'oracle'"},
   {FIRST "branches bits=12\npage size=4K", 3,
    "bits and history are of predictor=gshare, perceptron or tage"},
   {FIRST "branches predictor=callgrind history=7", 3,
    "bits and history are of predictor=gshare, perceptron or tage"},
   {FIRST "levels ask=some", 3, "ask is one of lines, whole; not 'some'"},
   {FIRST "machine\n", 3, "machine has a name"},
};

static void test_refused(void)
{
   for (UInt i = 0; i < sizeof refused / sizeof *refused; i++) {
      CHECK(!cg2_description_parse(refused[i].text, &processor, error, &line));
      CHECK_TEXT(error, refused[i].error);
      CHECK_EQ(line, refused[i].line);
   }
}

/* Whatever a file holds: an answer, and one line. */
static void test_mutants(void)
{
   static const char text[] =
      FIRST "cache L2 size=64K ways=8 replacement=random seed=3 "
            "prefetch=stream degree=4 victims=2\nmemory latency=80\npage "
            "size=16K\ntlb L1 entries=64 ways=full\nbranches predictor=tage\n";
   UInt seed = 7, n_accepted = 0, n_refused = 0;
   for (UInt i = 0; i < check_rounds(20000); i++) {
      char mutant[sizeof text];
      memcpy(mutant, text, sizeof text);
      for (UInt k = 0; k < 1 + i % 3; k++) {
         seed = seed * 1664525 + 1013904223;
         mutant[(seed >> 8) % (sizeof text - 1)] =
            i % 2 ? (char)(1 + seed % 255)
                  : text[(seed >> 4) % (sizeof text - 1)];
      }
      if (cg2_description_parse(mutant, &processor, error, &line))
         n_accepted++;
      else {
         n_refused++;
         CHECK(error[0] && !strchr(error, '\n') && line >= 1);
      }
   }
   CHECK(n_accepted > 100 && n_refused > 100);
}

int main(int n, char** names)
{
   static const Test tests[] = {{"all", test_all},
                                {"defaults", test_defaults},
                                {"refused", test_refused},
                                {"mutants", test_mutants}};
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
