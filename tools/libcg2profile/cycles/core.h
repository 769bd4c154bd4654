/* A processor's table, as it was read. Times are in cycles of the core, unless
 * something else is said. */
#ifndef CG2P_CORE_H
#define CG2P_CORE_H

#include "base/hash.h"

#include <stdbool.h>

enum { PORTS_MAX = 32, CORE_GRAINS = 16, AHEAD_MAX = 64 };
enum { NEAR_WAYS = 4 };

/* A micro-operation, or several alike: each takes one of these ports. */
typedef struct CoreUse {
   uint32_t ports;    /* a bit for each */
   uint32_t count;    /* of micro-operations */
   uint32_t occupied; /* so many cycles */
} CoreUse;

/* A line `op`. */
typedef struct CoreOp {
   const char* form;
   uint32_t latency;
   uint32_t slots;   /* of the width, without those of loads and stores */
   uint32_t divider; /* how long it is held; 0: it is not needed */
   uint32_t n_uses, first_use;
} CoreOp;

/* The line `pipeline`: how many a cycle, entries of buffers, and the cycles
 * from a misprediction to what is fetched next. */
typedef struct CoreSizes {
   uint64_t width, fetch, queue, retire, reorder, scheduler, loads, stores;
   uint64_t refill;
   uint64_t indexed; /* slots more that a vector's operation takes once it is
                        dispatched, if it loads by an index */
   uint64_t turns;   /* 1: slots take ports in turn; see ports.h */
   uint64_t spread;  /* 1: those of a cycle are spread over ports; see there */
   uint64_t results; /* that a port has in a cycle; 0: any number */
} CoreSizes;

/* The line `fetch`. */
typedef struct CoreFetching {
   uint64_t taken, indirect, returns; /* bubbles of jumps */
   uint64_t jumps;   /* taken in a cycle, the last of which has them; 0: one */
   uint64_t several; /* of a computed jump that went to several targets, more */
   uint64_t away;    /* of one between the program and a shared library, more */
   uint64_t cross;   /* 1: a fused pair across lines costs a cycle */
   uint64_t line;    /* bytes of a line of fetched code; 0: any */
   uint64_t lines;   /* how many a cycle fetches from; 0: one */
   uint64_t ahead;   /* lines that are asked for before they are fetched */
   uint64_t code;    /* grains that one takes which was not there */
   uint64_t far;     /* bubbles of a branch taken in such a line, more */
   uint64_t near;    /* branches whose targets it knows at once; 0: all */
   uint64_t beyond;  /* bubbles of a branch that is none of them, more */
   uint64_t decoupled; /* 1: bubbles delay predicting, and fetching only where
                          it has caught up with that */
} CoreFetching;

/* The line `decode`: the cache of decoded instructions, and what decodes those
 * that it does not have. */
typedef struct CoreDecoding {
   uint64_t sets, ways;   /* 0 sets: all are decoded at once */
   uint64_t slots;        /* that a way keeps of a line */
   uint64_t most;         /* ways that a line may take */
   uint64_t bytes, width; /* of code, and instructions, in a cycle */
   uint64_t borders; /* 1: after a jump across, or up to, the end of a line both
                        halves of its 64 bytes are gone */
   uint64_t late;    /* cycles that decoding takes longer, one after another */
   uint64_t
      stays; /* 1: once it decodes it does so up to a jump that is taken */
} CoreDecoding;

/* The line `memory`. */
typedef struct CoreMemory {
   uint64_t load, vector, wide; /* latencies of hits in level 1 */
   uint64_t chase;   /* of one whose base a load made; 0: as others */
   uint64_t complex; /* cycles more if the address is a sum of three, or has a
                        scaled index */
   uint64_t level2, level3, memory; /* of loads that go there */
   uint64_t fills, superqueue;      /* lines of level 1, of level 2 under way */
   uint64_t set;   /* cycles that a set of level 1 takes for a line of the
                      second; twice as many for a line from farther away */
   uint64_t dirty; /* and until it has written back one that was stored to */
   uint64_t tlb, walk, walkers;
} CoreMemory;

/* The line `forward`: cycles from a store to a load of the same. */
typedef struct CoreForwarding {
   uint64_t latency, fast, failed;
   uint64_t vector;  /* more, to a vector */
   uint64_t learned; /* 1: a load is fast that reads from the same store over
                        and over, wherever that has its address from */
} CoreForwarding;

/* The line `eliminate`: what takes no port; 0 or 1. */
typedef struct CoreEliminated {
   uint64_t moves, immediates, zeroes;
   uint64_t vectors;  /* moves of vectors, where others are not */
   uint64_t counters; /* of values that registers share; 0: any number */
   uint64_t stack;    /* the stack pointer's moves, but for a micro-operation
                         before    others use it */
} CoreEliminated;

/* The line `repeat`. */
typedef struct CoreRepeats {
   uint64_t start, bytes; /* of copies: cycles before, bytes a cycle */
   uint64_t other;        /* grains of a cycle that others take each time */
} CoreRepeats;

/* Numbers of the table, as its lines of keys have them. */
typedef struct CoreNumbers {
   CoreSizes sizes;
   CoreFetching fetching;
   CoreDecoding decoding;
   CoreMemory memory;
   uint64_t links[3]; /* grains that a line takes of the second, the last level,
                         of memory */
   CoreForwarding forwarding;
   CoreEliminated eliminated;
   uint64_t floats; /* how much sooner a sum has a summand that is a sum */
   CoreRepeats repeats;
} CoreNumbers;

/* Ports of accesses. */
typedef struct CorePorts {
   uint32_t load, vector_load, store_address, store_data, vector_store;
   uint32_t indexed; /* addresses with an index, of stores */
} CorePorts;

/* Ports that have entries of a scheduler together. */
typedef struct CoreScheduler {
   uint32_t ports, entries;
} CoreScheduler;

typedef struct CoreGroup {
   const char* name;
   uint32_t ports;
} CoreGroup;

/* What the table says of itself. */
typedef struct CoreTitle {
   const char *name, *machine, *code, *measured;
} CoreTitle;

/* The first ones are the table's, the rest one without limit for each port that
 * those do not have. */
typedef struct CoreSchedulers {
   CoreScheduler of[PORTS_MAX];
   size_t n;
} CoreSchedulers;

/* The first ones are the ports. */
typedef struct CoreGroups {
   CoreGroup* of;
   size_t n, room, n_ports;
} CoreGroups;

typedef struct CoreUses {
   CoreUse* of;
   size_t n, room;
} CoreUses;

typedef struct CoreOps {
   CoreOp* of;
   size_t n, room;
   Hash by_form;
   CoreOp standard; /* of forms that the table does not have */
} CoreOps;

/* A mnemonic, and one of the branch behind it; "i": any, where memory is
 * compared with a number. */
typedef struct CorePair {
   const char *first, *branch;
} CorePair;

/* Pairs that fuse, those of the lines `fuse` with branch NULL, without those of
 * the lines `apart`. */
typedef struct CoreFusing {
   CorePair* of;
   size_t n, room;
} CoreFusing;

struct cg2p_core {
   Failure failure;
   Arena texts;
   CoreTitle title;
   CoreNumbers numbers;
   CorePorts access;
   CoreSchedulers schedulers;
   CoreGroups groups;
   CoreUses uses;
   CoreOps ops;
   CoreFusing fusing, apart;
};

/* What a form is; NULL: the table does not have it. */
const CoreOp* cg2p_core_op(const cg2p_core* core, const char* form, size_t n);
/* Whether an instruction of a form fuses with a branch of another. */
bool cg2p_core_fuses(const cg2p_core* core,
                     const char* form,
                     const char* branch);

#endif
