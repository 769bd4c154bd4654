/* Code: objects, functions, blocks and the exits of blocks.
 *
 * A *block* is one guest basic block as VEX hands it over, known by object and
 * offset, so that it survives retranslation, dlclose and the reuse of its
 * address. It is cut into *segments*, runs of instructions that all execute
 * equally often. Each segment has one *slot* in the cost array of the block's
 * *home*, the function whose slots it shares. A block may also run in the
 * context of another function (see calls.h); home only says where it has its
 * slots.
 *
 * Where unwind tables or symbols tell functions apart, home is fixed by
 * address: the function that the block's *unwind range* begins with, or the
 * symbol's. Whoever transfers control there can then say whose cells count
 * before the block is reached. Other code, such as a JIT compiler's, is
 * *guarded*: its blocks look themselves.
 *
 * All records live until exit and are found again by table; whoever translates
 * fills them, the dump walks them through their home's list. */
#ifndef CG2_BLOCK_H
#define CG2_BLOCK_H

#include "base/names.h"
#include "code/rules.h"

struct Cells;
struct Context;
struct Arc;
struct Block;

typedef struct Range {
   Addr start, end; /* offsets in an object: [start, end) */
} Range;

enum { STUB_RANGES_MAX = 4 };

/* Code of one entry of an object's unwind table. */
typedef struct UnwindRange {
   UInt start, end; /* offsets in the object: [start, end) */
   UInt home;       /* number of the function that it begins with; 0: not known
                       yet */
} UnwindRange;

/* An ELF object, or the one object for code that belongs to none. */
typedef struct Object {
   TableNode node;
   const Name* name;             /* path, or "???" */
   SizeT text_size;              /* with the name: the key */
   Range code;                   /* all of its executable segments */
   Range stubs[STUB_RANGES_MAX]; /* .plt and its relatives */
   UInt n_stubs;
   UnwindRange* unwind; /* ascending, apart */
   UInt n_unwind;
} Object;

/* A symbol of an object that is a function. */
typedef struct Symbol {
   Object* object;
   Addr offset;         /* of its first instruction */
   const Name* mangled; /* as it stands in the object */
   const Name* shown;   /* demangled as the user wishes */
   const Name* file;    /* of its first instruction, or "???" */
   UInt line;           /* of its first instruction, or 0 */
} Symbol;

/* A function: a symbol, or, where there is none, an address that was called.
 * Symbols of one object, file and mangled name are one function, as no profile
 * could tell them apart, and so are the variants of a C++ constructor or
 * destructor. Others that are demangled alike are shown mangled, but for the
 * first that was seen. */
typedef struct Function {
   TableNode node;
   TableNode named_node;
   Object* object;
   Addr offset;          /* of its first instruction; with the object: a key */
   const Name* mangled;  /* of its symbol; NULL if it has none */
   const Name* name;     /* as it is shown */
   const Name* file;     /* of its first instruction, or "???" */
   UInt line;            /* of its first instruction, or 0 */
   UInt number;          /* 1, 2, ... */
   UInt* active;         /* frames of it on the running thread's stack; NULL
                            without contexts */
   UInt n_slots;         /* given to blocks whose home this is */
   const Rules* rules;   /* of the command line, for its name */
   Bool is_resolver;     /* the dynamic linker's: was called by a stub that
                            pushes words for it */
   Addr reach;           /* offsets [offset, reach] are known to be its code */
   struct Block* blocks; /* whose home this is, newest first */
   struct Cells* cells;  /* of this home, in any context */
} Function;

/* Source position of an instruction. */
typedef struct Position {
   UInt file; /* number of its name; "???" when unknown */
   UInt line; /* 0 when unknown */
} Position;

typedef enum ExitKind {
   EXIT_NONE,  /* no transfer known: resumption after a signal */
   EXIT_START, /* a stack's first block: new thread, signal handler */
   EXIT_JUMP,
   EXIT_CALL,
   EXIT_RETURN,
} ExitKind;

/* A way out of a block that may leave its home. Generated code tells a probe
 * when it is taken. As a call site it remembers the last arc that was followed
 * from here. */
typedef struct Exit {
   struct Block* block;   /* NULL for EXIT_NONE and EXIT_START */
   struct Arc* recent;    /* cache; any other arc is found by table */
   Addr return_address;   /* EXIT_CALL: where what it calls returns to; 0 for
                             others, and if another home begins there */
   Addr target;           /* where it goes; if that changes: by `recent`,
                             or to `home` */
   struct Function* home; /* cache: of the block at `target`, if that changes
                             and to jump there is a move; else NULL */
   UInt generation;       /* of the translations when `target` was right */
   UShort instr;          /* index in the block */
   UChar kind;            /* ExitKind */
   UChar is_fixed;        /* it always leads to `target` */
} Exit;

/* VEX ends a block after at most 100 instructions (--vex-guest-max-insns). */
enum { BLOCK_INSTRS_MAX = 128 };

/* An event other than Ir that happens when an instruction executes. */
typedef struct BlockEvent {
   UShort instr; /* index in the block */
   UChar event;
   UChar times : 5; /* each time; 0: it is counted in a slot of its own */
   UChar late : 3;  /* each time that the segment so many behind the
                       instruction's is executed: it comes behind a side exit,
                       as what `rep stos` writes */
} BlockEvent;

enum { EVENT_TIMES_MAX = 31, EVENT_LATE_MAX = 7 };

enum { BLOCK_EVENTS_MAX = 96 * BLOCK_INSTRS_MAX };

/* Those of a block, ascending by instruction. */
typedef struct BlockEvents {
   BlockEvent of[BLOCK_EVENTS_MAX];
   UInt n;
} BlockEvents;

/* Adds one, or to one of its kind, if it is there. */
void cg2_block_note_event(BlockEvents* events, BlockEvent event);

typedef struct Block {
   TableNode node;
   Object* object;
   Addr offset;        /* in the object; for code without object, the address */
   Addr address;       /* where it was translated last */
   Function* home;     /* NULL for stubs */
   Function* function; /* that a call to this block calls; NULL until then for
                          code without a symbol */
   struct Block* next_of_home;
   struct Arc* recent; /* cache: the last arc that was looked up to get here */
   struct Access* accesses; /* if accesses are simulated: see accesscode.h */
   Position* positions;     /* of each instruction; NULL until resolved */
   UInt slot; /* of the first segment; the others follow, then those
                 of the events that have one */
   UShort n_instrs, n_segments, n_exits;
   UShort n_targets; /* n_segments if jumps are collected, else 0 */
   UShort n_events;
   UShort n_accesses; /* that there is room for */
   UChar is_entry;    /* first instruction of a symbol that is a function */
   UChar is_stub;     /* in .plt or a relative, and those are skipped */
   UChar is_live;     /* the translation at `address` is still there */
   UChar is_guarded;  /* its home is a guess: it looks itself whether its cells
                         count */
   /* Behind it, in one piece: exits, targets, events, instrs, segments. */
} Block;

static inline Exit* cg2_block_exits(const Block* block)
{
   return (Exit*)(block + 1);
}

/* The slot of an event of one of the block's instructions that is counted. */
UInt cg2_block_slot_of(const Block* block, UInt instr, UInt event);

enum { NO_TARGET = -0x7fffffff - 1 };

/* Where control jumps at the end of each segment, if it does: bytes from the
 * block's start; NO_TARGET where there is no jump or its target is not fixed.
 * When jumps are collected, a segment ends at each side exit, and is empty
 * where no instruction follows; the executions of a segment less those of the
 * next one are the jumps between them. The last is conditional if its segment
 * is empty. */
static inline Int* cg2_block_targets(const Block* block)
{
   return (Int*)(cg2_block_exits(block) + block->n_exits);
}

/* Ascending by instruction. */
static inline BlockEvent* cg2_block_events(const Block* block)
{
   return (BlockEvent*)(cg2_block_targets(block) + block->n_targets);
}

/* Of each instruction: bytes from the block's start. */
static inline UShort* cg2_block_instrs(const Block* block)
{
   return (UShort*)(cg2_block_events(block) + block->n_events);
}

/* Of each segment: how many instructions. They sum to n_instrs. */
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

/* A translation that exists: of which block. */
typedef struct Translated {
   TableNode node; /* hash of the address, which cg2_hash_word keeps unique */
   Block* block;
} Translated;

typedef struct Code {
   Names object_names, file_names, function_names;
   Table objects, functions, blocks;
   Table named;          /* functions with a symbol, by object, file and name */
   Function** by_number; /* [1..n_functions] */
   UInt n_functions, max_functions;
   Table translated; /* by address, of blocks that are there now */
   Translated* free_translated;
   UInt generation; /* how often what exits remember has become wrong: when a
                       translation went away, or a rule came */
} Code;

/* Everything that was ever seen of the program's code. */
extern Code cg2_code;

Object* cg2_code_find_object(const Name* name, SizeT text_size);
Object* cg2_code_add_object(const Name* name, SizeT text_size);

Function* cg2_code_find_function(const Object* object, Addr offset);
/* The function of a symbol, made on first use. Its rules are those of the name
 * that the symbol is shown by. */
Function* cg2_code_named_function(const Symbol* symbol);

/* The function without symbol at `offset`, named by it. */
Function* cg2_code_function_at(Object* object, Addr offset);

/* The function that a call to `block` calls. Code without a symbol becomes a
 * function here, named by its address. */
Function* cg2_block_called(Block* block);

/* A rule was added: functions that are known follow it in calls to come. */
void cg2_code_rule_added(void);

/* The block of exactly this shape that is translated at this address, or
 * nowhere now; or NULL. Code that was rewritten in place has another shape, or
 * is the same as far as counting goes. A library that is loaded twice has two
 * blocks for the same code, as their exits go to different places. */
Block* cg2_code_find_block(const BlockShape* shape);
/* A new block of that shape. `function` is its symbol's, or NULL; `home`, where
 * it has its slots, is then the same. A stub has neither. */
Block*
cg2_code_add_block(const BlockShape* shape, Function* function, Function* home);

/* A block that starts at `offset`, or NULL. */
const Block* cg2_code_block_at(const Object* object, Addr offset);

/* The translation of `address` is of this block. There was none. */
void cg2_code_add_translated(Addr address, Block* block);
/* There is no translation of `address` any more, if there was one. */
void cg2_code_remove_translated(Addr address);
/* The block that control which arrives at `address` will run; NULL if that must
 * be translated first. */
Block* cg2_code_translated(Addr address);

/* The unwind range that `offset` is in, or NULL. */
UnwindRange* cg2_object_unwind_range(const Object* object, Addr offset);

Bool cg2_object_is_stub(const Object* object, Addr offset);

#endif
