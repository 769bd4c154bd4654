/* Reading a block: from IR to a record of what the block has.
 *
 * The record stands between reading and writing: what is counted where, and
 * where control leaves. Reading writes no IR. */
#ifndef CG2_READBLOCK_H
#define CG2_READBLOCK_H

#include "code/symbols.h"
#include "translate/branchcode.h"
#include "translate/roundcode.h"
#include "translate/sites.h"
#include "translate/translateconfig.h"

enum {
   INSTRS_MAX = BLOCK_INSTRS_MAX,
   EXITS_MAX = INSTRS_MAX + 1,
   SEGMENTS_MAX = 2 * INSTRS_MAX + 2, /* an instruction has two side exits */
   READ_EXIT_AT_END = -1
};

/* Instructions, segments, and where the segments' jumps lead. */
typedef struct ReadShape {
   UInt n_instrs, n_segments, n_targets;
   UShort instrs[INSTRS_MAX];     /* as cg2_block_instrs */
   UShort segments[SEGMENTS_MAX]; /* as cg2_block_segments */
   Int targets[SEGMENTS_MAX];     /* as cg2_block_targets */
} ReadShape;

typedef struct ReadExit {
   Int stmt;     /* number of the side exit; READ_EXIT_AT_END: the last exit */
   Addr target;  /* where the exit always leads, or 0 */
   UShort instr; /* index of its instruction */
   UShort kind;  /* ExitKind */
   UShort end;   /* bytes from the block's start to behind its instruction */
} ReadExit;

typedef struct ReadBlock {
   IRSB* in;
   Int first;    /* number of the first statement that is an IMark */
   Addr address; /* of the first instruction */
   CodePlace place;
   Bool is_stub;   /* The block is part of a stub, and those are skipped. */
   Bool has_jumps; /* Jumps of the block are collected. */
   Bool repeats;   /* The last instruction repeats itself. */
   ReadShape shape;
   UInt n_exits;
   ReadExit exits[EXITS_MAX];
   BlockEvents* events;
   AccessSites* sites; /* if accesses are simulated; else none */
   Branches* branches; /* if branches are simulated; else none */
   RoundSite round;    /* if rounds are counted; else none */
} ReadBlock;

/* Reads b->in, with events, sites and branches that are empty. False: the block
 * has no instruction. */
Bool cg2_readblock_read(ReadBlock* b);

/* Whether the code at a place is a stub, and those are skipped. */
static inline Bool cg2_readblock_skips(const CodePlace* place)
{
   return place->is_stub && cg2_translate_config.skip_stubs;
}

static inline Bool cg2_readblock_ends_in_syscall(const ReadBlock* b)
{
   return b->in->jumpkind >= Ijk_Sys_syscall &&
          b->in->jumpkind <= Ijk_Sys_sysenter;
}

#endif
