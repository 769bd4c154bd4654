/* Blocks: the pieces of code that are counted, and the ways out of them.
 *
 * A *block* is one guest basic block as VEX hands it over, known by object and
 * offset, so that it survives retranslation, dlclose and the reuse of its
 * address. It is cut into *segments*, runs of instructions that all execute
 * equally often. Each segment has one *slot* in the cost array of the block's
 * *home*, the function whose slots the block shares. A block may also run in
 * the context of another function (see transfer.h); home only says where the
 * block has its slots.
 *
 * Where unwind tables or symbols tell functions apart, home is fixed by
 * address: the function that the block's *unwind range* begins with, or the
 * symbol's. Whoever transfers control there can then say whose cells count
 * before the block is reached. Other code, such as a JIT compiler's, is
 * *guarded*: its blocks look themselves.
 *
 * Blocks live until exit and are found again by table; whoever translates fills
 * them, whoever writes a profile walks them through their home's list. */
#ifndef CG2_BLOCK_H
#define CG2_BLOCK_H

#include "code/code.h"

struct Access;
struct Arc;
struct Block;
struct Cells;

/* The source line that an instruction is from. */
typedef struct SourceLine {
   UInt file; /* number of the file's name; that of "???" when unknown */
   UInt line; /* 0: not known */
} SourceLine;

typedef enum ExitKind {
   EXIT_NONE,  /* no transfer known: resumption after a signal */
   EXIT_START, /* a stack's first block: new thread, signal handler */
   EXIT_JUMP,
   EXIT_CALL,
   EXIT_RETURN,
} ExitKind;

/* A way out of a block that may leave its home. Generated code calls a probe
 * when the exit is taken. As a call site an exit remembers the last arc that
 * was followed from it. */
typedef struct Exit {
   struct Block* block;        /* NULL for EXIT_NONE and EXIT_START */
   struct Arc* recent;         /* cache; any other arc is found by table */
   const struct Cells* caller; /* EXIT_CALL: the cells that count when `recent`
                                  is followed; NULL if it is NULL, and for other
                                  kinds */
   Addr behind;                /* EXIT_CALL: where the called function returns
                                  to; 0 for other kinds */
   Addr return_address;   /* the same, but 0 if another home begins there */
   Addr target;           /* where the exit leads; if not fixed: where the last
                             transfer by `recent` or to `home` went */
   struct Function* home; /* cache, if not fixed: home of the block at `target`,
                             if to jump there is a move; else NULL */
   UInt generation;       /* cg2_blocks.generation when `target` was right */
   UShort instr;          /* index in the block */
   UChar kind;            /* ExitKind */
   UChar is_fixed;        /* the exit always leads to `target` */
} Exit;

/* Makes the exit forget which arc was followed last. */
static inline void cg2_exit_forget(Exit* exit)
{
   exit->recent = NULL;
   exit->caller = NULL;
}

/* VEX ends a block after at most 100 instructions (--vex-guest-max-insns). */
enum { BLOCK_INSTRS_MAX = 128 };

/* An event other than Ir that happens when an instruction executes. */
typedef struct BlockEvent {
   UShort instr; /* index in the block */
   UChar event;
   UChar times : 5; /* at each execution of the instruction; 0: the event is
                       counted in a slot of its own */
   UChar late : 3;  /* each time that the segment so many behind the
                       instruction's is executed: it comes behind a side exit,
                       as what `rep stos` writes */
} BlockEvent;

enum { EVENT_TIMES_MAX = 31, EVENT_LATE_MAX = 7 };

enum { BLOCK_EVENTS_MAX = 96 * BLOCK_INSTRS_MAX };

/* The events of a block that is being translated, ascending by instruction. */
typedef struct BlockEvents {
   BlockEvent of[BLOCK_EVENTS_MAX];
   UInt n;
} BlockEvents;

/* Adds `event` to the list, or to the `times` of an event there that differs in
 * nothing else. */
void cg2_block_note_event(BlockEvents* events, BlockEvent event);

typedef struct Block {
   TableNode node;
   Object* object;
   Addr offset;        /* in the object; for code without object, the address */
   Addr address;       /* where the block was translated last */
   Function* home;     /* NULL for stubs */
   Function* function; /* that a call to this block calls; NULL for code
                          without a symbol, until it is called */
   struct Block* next_of_home; /* next older block with the same home */
   struct Arc* recent; /* cache: the last arc that was looked up to get here */
   struct Access* accesses; /* that are kept: see sites.h */
   void* thunks;            /* of those accesses: see thunk.h */
   SourceLine* lines;       /* of each instruction; NULL until resolved */
   UInt slot; /* of the first segment; the slots of the other segments follow,
                 then those of the events that have one */
   UShort n_segments;
   UShort n_targets; /* n_segments if jumps are collected, else 0 */
   UShort n_events;
   UShort n_accesses; /* room in `accesses` */
   UChar n_instrs, n_exits;
   UChar is_entry : 1; /* starts with the first instruction of a symbol that is
                          a function */
   UChar is_among_stubs : 1; /* in .plt or a relative */
   UChar is_stub : 1;        /* among stubs, and those are skipped */
   UChar repeats : 1;        /* the last instruction repeats itself, as
                                `rep stos` does */
   UChar is_live : 1;        /* the translation at `address` is still there */
   UChar is_guarded : 1;     /* home is a guess: the block looks itself whether
                                its cells count */
   /* Behind the block, in one piece: exits, targets, events, instrs, segments.
    */
} Block;

/* The block's exits, ascending by instruction: n_exits of them. */
static inline Exit* cg2_block_exits(const Block* block)
{
   return (Exit*)(block + 1);
}

/* The slot of an event that has one (times == 0): `event` of the instruction
 * with index `instr` must be in the block's list. */
UInt cg2_block_slot_of(const Block* block, UInt instr, UInt event);

enum { NO_TARGET = -0x7fffffff - 1 };

/* Where control jumps at the end of each segment, if it does: bytes from the
 * block's start; NO_TARGET where there is no jump or its target is not fixed.
 * When jumps are collected, a segment ends at each side exit, and is empty
 * where no instruction follows; the executions of a segment less those of the
 * next segment are the jumps between them. The jump of the last segment is
 * conditional if that segment is empty. */
static inline Int* cg2_block_targets(const Block* block)
{
   return (Int*)(cg2_block_exits(block) + block->n_exits);
}

/* The block's events, ascending by instruction: n_events of them. */
static inline BlockEvent* cg2_block_events(const Block* block)
{
   return (BlockEvent*)(cg2_block_targets(block) + block->n_targets);
}

/* Where each instruction begins: bytes from the block's start. */
static inline UShort* cg2_block_instrs(const Block* block)
{
   return (UShort*)(cg2_block_events(block) + block->n_events);
}

/* How many instructions each segment has; the sum is n_instrs. */
static inline UShort* cg2_block_segments(const Block* block)
{
   return cg2_block_instrs(block) + block->n_instrs;
}

/* What a translation found out about a block; the key and shape of a Block. */
typedef struct BlockShape {
   Object* object;
   Addr offset;
   Addr address;
   UInt n_instrs, n_segments, n_exits, n_targets, n_events;
   const Int* targets;       /* as cg2_block_targets */
   const BlockEvent* events; /* as cg2_block_events */
   const UShort* instrs;     /* as cg2_block_instrs */
   const UShort* segments;   /* as cg2_block_segments */
} BlockShape;

/* A translation that exists. */
typedef struct Translated {
   TableNode node; /* hash of the address, which cg2_hash_word keeps unique */
   Block* block;   /* the translation is of this block */
} Translated;

typedef struct Blocks {
   Table all;                   /* by object and offset */
   Table translated;            /* blocks with a translation, by its address */
   Translated* free_translated; /* records to be used again */
   UInt generation; /* how often what exits remember became wrong: when a
                       translation went away, or a rule came */
} Blocks;

/* All blocks that were ever seen, and those that are translated now. */
extern Blocks cg2_blocks;

/* The function that a call to `block` calls. Code without a symbol becomes a
 * function here, named by its offset. */
Function* cg2_block_called(Block* block);

/* The block of exactly this shape that is translated at the shape's address, or
 * nowhere now; or NULL. Code that was rewritten in place has another shape, or
 * is the same as far as counting goes. A library that is loaded twice has two
 * blocks for the same code, as their exits go to different places. */
Block* cg2_block_find(const BlockShape* shape);

/* Makes a block of this shape. `function` is the one that its symbol is, or
 * NULL; `home`, where the block has its slots, is then the same. A stub has
 * neither. */
Block*
cg2_block_add(const BlockShape* shape, Function* function, Function* home);

/* The newest block that starts at the offset, or NULL. */
const Block* cg2_block_at(const Object* object, Addr offset);

/* Notes that the translation of the code at `address`, which had none, is of
 * `block`. */
void cg2_block_add_translation(Addr address, Block* block);

/* Notes that there is no translation of the code at `address` any more, if
 * there was one. */
void cg2_block_remove_translation(Addr address);

/* The block that runs when control arrives at `address`; NULL if the code there
 * must be translated first. */
Block* cg2_block_translated(Addr address);

/* Makes all blocks and exits forget which arcs were followed last, as other
 * rules now say who is a caller. */
void cg2_block_forget_arcs(void);

#endif
