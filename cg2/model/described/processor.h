/* A processor as somebody describes it: its caches, TLBs, prefetchers,
 * predictor of branches, and what each of them costs in time.
 *
 * Filled by `description` or by options, checked, then constant. What works
 * like this is in `memory` and `predictor`. */
#ifndef CG2_PROCESSOR_H
#define CG2_PROCESSOR_H

#include "model/cache/geometry.h"

/* Which line of a set makes room for another. If a way is empty, the empty way
 * with the lowest number is taken instead; lru may take any empty way. */
typedef enum Replacement {
   REPLACE_LRU,    /* the line touched longest ago */
   REPLACE_PLRU,   /* a tree of bits, each of which points away from the half
                      that was touched last; 2 to 64 ways, a power of two */
   REPLACE_FIFO,   /* the line loaded longest ago */
   REPLACE_RANDOM, /* any line */
   REPLACE_SRRIP /* a line that is expected to be needed late; source: Jaleel et
                    al., High Performance Cache Replacement Using Re-Reference
                    Interval Prediction, 2010: 2 bits, hit priority */
} Replacement;

/* Which of the lines that levels above it have a level has, too. */
typedef enum Inclusion {
   NON_INCLUSIVE, /* some */
   INCLUSIVE,     /* all: a line that it evicts is taken from the levels above,
                     too */
   EXCLUSIVE      /* none: it is filled by what the level above evicts, and a
                     line that is found moves up */
} Inclusion;

typedef enum Writing {
   WRITE_BACK,    /* a line becomes dirty, and is written when it is evicted */
   WRITE_THROUGH, /* each write goes on to the next level */
   WRITE_NONE     /* a write is a read */
} Writing;

typedef enum Prefetching {
   PREFETCH_NONE,
   PREFETCH_NEXT,
   PREFETCH_STRIDE,
   PREFETCH_STREAM,
   PREFETCH_PAGE
} Prefetching;

enum {
   PROCESSOR_LEVELS_MAX = 5,
   PROCESSOR_CACHES_MAX = PROCESSOR_LEVELS_MAX + 1,
   PROCESSOR_NAME = 80,       /* bytes */
   PROCESSOR_TEXT = 512,      /* bytes that an error has room in */
   PROCESSOR_WAYS_MAX = 1024, /* of caches that replace otherwise than lru */
   PREFETCH_DEGREE_MAX = 16,
   PREFETCH_DISTANCE_MAX = 64,
   PREFETCH_ENTRIES_MAX = 4096,
   LATENCY_MAX = 100000
};

/* What prefetcher.h explains. */
typedef struct PrefetcherConfig {
   Prefetching kind;
   UInt degree;   /* lines that are loaded at a time */
   UInt distance; /* lines, or strides, from the access to the first of these */
   UInt entries;  /* instructions, streams or pages that are known */
} PrefetcherConfig;

typedef struct CacheConfig {
   UInt line_of_file; /* the line that describes it, from 1; 0: none does */
   Geometry geometry; /* a TLB has lines of 1: its size is its entries */
   Replacement replacement;
   ULong seed; /* the start of random replacement */
   Inclusion inclusion;
   Writing writing;
   Bool is_not_allocated; /* a write that misses loads nothing */
   Bool is_shared;        /* all cores have this cache together */
   UInt victims;          /* lines of the victim cache beside it; 0: none */
   UInt latency;          /* cycles until a line that it has is there */
   PrefetcherConfig prefetcher;
} CacheConfig;

typedef enum Prediction {
   PREDICT_CALLGRIND,
   PREDICT_GSHARE,
   PREDICT_PERCEPTRON,
   PREDICT_TAGE
} Prediction;

/* What predictor.h explains. */
typedef struct PredictorConfig {
   Prediction kind;
   UInt bits;    /* log2 of the entries of each of its tables */
   UInt history; /* branches that are remembered */
} PredictorConfig;

enum {
   PREDICTOR_BITS_MAX = 20,
   PREDICTOR_HISTORY_MAX = 256, /* of tage; */
   PREDICTOR_OUTCOMES_MAX = 64, /* of gshare and perceptron */
   PAGE_MAX = 1 << 30,          /* bytes */
   PAGE_MIN = 4096
};

typedef struct Processor {
   HChar name[PROCESSOR_NAME];
   UInt n_levels;   /* 1 to PROCESSOR_LEVELS_MAX */
   Bool is_unified; /* the first level: caches[0] is for code and data */
   /* [0]: the first level for code; [1]: for data; [i]: level i. */
   CacheConfig caches[PROCESSOR_CACHES_MAX];
   /* An access that misses asks the next level for all its bytes at once, as
    * Callgrind's does; not for the lines that are missing. */
   Bool asks_for_whole;
   UInt memory_latency; /* cycles until what only memory has is there */
   UInt page;           /* bytes */
   Bool clears_pages;   /* the kernel clears a page that is touched first */
   /* [TLB_CODE]: for code, or for all; [TLB_DATA]; [TLB_SECOND]: the second
    * level. Size 0: there is no such TLB. */
   CacheConfig tlbs[3];
   UInt walk_latency; /* cycles that it takes to find what no TLB has */
   PredictorConfig predictor;
   UInt misprediction_latency; /* cycles that a misprediction costs */
} Processor;

enum { TLB_CODE, TLB_DATA, TLB_SECOND };

/* The index in `caches` of level `depth`, from 0, for code or data. */
static inline UInt
cg2_processor_cache(const Processor* p, UInt depth, Bool is_code)
{
   return depth ? depth + 1 : is_code || p->is_unified ? 0 : 1;
}

/* Whether there are TLBs. */
static inline Bool cg2_processor_has_tlb(const Processor* p)
{
   return p->tlbs[TLB_CODE].geometry.size > 0;
}

/* Writes the name of caches[cache], I1, D1, L1, L2, ..., to `name`. */
void cg2_processor_cache_name(const Processor* p, UInt cache, HChar* name);

/* Writes a predictor in the words of a description, such as
 * `tage bits=14 history=64`, to `name`. */
void cg2_processor_predictor_name(const PredictorConfig* config, HChar* name);

/* Whether a processor can be simulated. False: `error`, of PROCESSOR_TEXT
 * bytes, says what is wrong and what would be right, and `line` where. */
Bool cg2_processor_check(const Processor* p, HChar* error, UInt* line);

#endif
