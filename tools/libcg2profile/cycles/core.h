/* A processor's table, as it was read. Times are in cycles of the core, unless
 * something else is said. */
#ifndef CG2P_CORE_H
#define CG2P_CORE_H

#include "base/hash.h"

#include <stdbool.h>

enum { PORTS_MAX = 32, CORE_GRAINS = 16, AHEAD_MAX = 64 };

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

/* Numbers of the table, as lines of keys have them. */
typedef struct CoreNumbers {
   uint64_t width, fetch, queue, retire, reorder, scheduler, loads, stores;
   uint64_t refill;
   uint64_t taken, indirect, returns, cross; /* of fetching; cross: 0 or 1 */
   uint64_t line;      /* bytes of a line of fetched code; 0: any */
   uint64_t lines;     /* how many a cycle fetches from; 0: one */
   uint64_t ahead;     /* lines that are asked for before they are fetched */
   uint64_t line_code; /* grains that one takes which was not there */
   uint64_t far;       /* bubbles of a branch taken in such a line, more */
   uint64_t load, vector, wide;     /* latencies of hits in level 1 */
   uint64_t level2, level3, memory; /* of loads that go there */
   uint64_t fills, superqueue;      /* lines of level 1, of level 2 under way */
   uint64_t tlb, walk, walkers;
   uint64_t line2, line3, line_memory; /* grains of a cycle that a line takes */
   uint64_t forward, forward_fast, forward_failed;
   uint64_t eliminates_moves, eliminates_immediates, eliminates_zeroes;
   uint64_t floats; /* how much sooner a sum has a summand that is a sum */
   uint64_t repeat_start, repeat_bytes; /* repeated copies: bytes a cycle */
   uint64_t repeat_other; /* grains of a cycle that others take each time */
} CoreNumbers;

/* Ports of accesses. */
typedef struct CorePorts {
   uint32_t load, vector_load, store_address, store_data, vector_store;
} CorePorts;

/* Ports that have entries of a scheduler together. */
typedef struct CoreScheduler {
   uint32_t ports, entries;
} CoreScheduler;

typedef struct CoreGroup {
   const char* name;
   uint32_t ports;
} CoreGroup;

struct cg2p_core {
   Failure failure;
   Arena texts;
   const char *name, *machine, *code, *measured;
   CoreNumbers numbers;
   CorePorts access;
   CoreScheduler schedulers[PORTS_MAX]; /* the first ones are the table's, the
                                           rest one without limit for each port
                                           that those do not have */
   size_t n_schedulers;
   CoreGroup* groups; /* the first ones are ports */
   size_t n_groups, groups_room, n_ports;
   CoreUse* uses;
   size_t n_uses, uses_room;
   CoreOp* ops;
   size_t n_ops, ops_room;
   Hash by_form;
   CoreOp standard;     /* of forms that the table does not have */
   const char** fusing; /* mnemonics that fuse with a branch behind them */
   size_t n_fusing, fusing_room;
};

/* What a form is; NULL: the table does not have it. */
const CoreOp* cg2p_core_op(const cg2p_core* core, const char* form, size_t n);
/* Whether the mnemonic, the first word of the form, fuses with a branch. */
bool cg2p_core_fuses(const cg2p_core* core, const char* form);

#endif
