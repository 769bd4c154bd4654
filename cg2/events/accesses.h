/* Accesses to memory as events: the simulator as the rest of the tool sees it.
 *
 * How many reads and writes there are follows from how often instructions are
 * executed; misses are counted when they happen, in slots of the instruction.
 * Generated code makes those accesses itself that hit a line with a mark. Each
 * block first moves the clock on to its end.
 *
 * Accesses go to the caches of the hierarchy, if there is one, and to those of
 * the sweeps. */
#ifndef CG2_ACCESSES_H
#define CG2_ACCESSES_H

#include "arch/thunk.h"
#include "engine/thread.h"
#include "model/cache/newest.h"
#include "model/callgrind/cacheuse.h"
#include "model/described/memory.h"
#include "model/sweep/sweep.h"

enum { ACCESS_KINDS = 3 };

/* An access to memory by one instruction of a block: what of it is known before
 * it happens. Lives as long as its block. */
typedef struct Access {
   UInt counted;      /* the slot that counts the access itself, if it is
                         guarded */
   UInt slot;         /* the slot of its kind's first event; the slots of the
                         others follow */
   UInt use_slot;     /* the slot of the first event of cache use */
   UShort size;       /* bytes */
   UChar kind;        /* AccessKind */
   UChar is_guarded;  /* whether it happens depends on a condition, so each time
                         that it does is counted */
   UChar is_of_stub;  /* the code is a stub's, where nothing has slots */
   UShort n_together; /* accesses that are checked together, from this one on;
                         1: this one alone; 0: together with one before */
   UShort offset;     /* bytes from the start of the accesses that are checked
                         together */
   Addr instr;        /* the instruction's address */
   Thunk thunk;       /* code for the call that makes the access */
} Access;

enum { ACCESSES_EVENTS_MAX = 32 };

/* What accesses of one kind count. */
typedef struct AccessEvents {
   UInt access; /* the event that each access is; 0: accesses are no event */
   UInt n;      /* events in `of` */
   UChar of[ACCESSES_EVENTS_MAX]; /* of[i] is the event that bit i of an
                                     access's outcome counts */
   /* The titles of the same events of a described machine, as in MemoryEvent.
    */
   const HChar* titles[ACCESSES_EVENTS_MAX];
} AccessEvents;

/* What a line costs whoever loads it, level by level. */
enum { USE_EVENTS = 4 };

/* The marks by which an access is known to be a hit: it lies in one line, and
 * the line is marked. See marked.h. */
typedef struct AccessMarks {
   Marks marks;    /* no marks at all: each access has to be made */
   UInt line_bits; /* log2 of a line's bytes */
   UWord near;    /* lines in a row of so many bytes all have different sets, so
                     they may have been touched at the same time */
   Marks written; /* marks of lines that are written: an access has to find its
                     line here, too; no marks: it need not */
} AccessMarks;

typedef struct AccessesConfig {
   Bool is_on;                  /* accesses are looked at */
   Bool has_caches;             /* accesses go to caches, not only to sweeps */
   Bool looks_at_use;           /* the caches are those of cacheuse */
   UInt use_events[USE_EVENTS]; /* the events of cache use */
   Sweeps sweeps;
   AccessEvents events[ACCESS_KINDS];
   HierarchyConfig hierarchy;
   const Processor* processor; /* simulated instead of the hierarchy; or NULL */
   Bool has_cores;             /* each thread has private caches */
} AccessesConfig;

/* Filled before the first translation, then constant. */
extern AccessesConfig cg2_accesses_config;

/* Adds the events and makes the caches, which are empty. */
void cg2_accesses_start(void);
/* Adds the events of cache use, which stand behind all others. */
void cg2_accesses_start_use(void);

/* Empties all caches. */
void cg2_accesses_clear(void);
/* Counts the use of the lines that are still in a cache. To be called when the
 * program ends, or may end. */
void cg2_accesses_finish(void);

/* Whether accesses of this kind count anything. */
Bool cg2_accesses_counts(AccessKind kind);
/* The marks for accesses of this kind. Their address never changes. */
AccessMarks cg2_accesses_marks(AccessKind kind);
/* Bytes of the smallest line that code is fetched in. An instruction in the
 * line of the one before comes with it, without a fetch of its own. */
UWord cg2_accesses_code_line(void);
/* Bytes of the largest access to data; a larger one counts as one of that size.
 * It is the smallest line, but at least 32, the size of the largest register.
 */
UInt cg2_accesses_data_max(void);

/* Thread `tid` runs from now on, on its own core if there are several. */
void cg2_accesses_switch(UInt tid);
/* The running thread stops, with its registers in cg2_now. Begins the clock
 * anew where it would soon overflow. */
void cg2_accesses_stop(void);

/* Makes an access that generated code does not know to hit. */
VG_REGPARM(2)
void cg2_accesses_make(const Access* access, Addr address, void* guest);
/* Makes an access of cache use that generated code does not know to hit, and
 * that goes to marks: generated code puts the time, and the line's Use, there.
 */
VG_REGPARM(2)
void cg2_accesses_make_marked(const Access* access, Addr address, void* guest);
/* The call that makes an access of a plain kind, which only the hierarchy is
 * asked for, and whose time generated code will put into a mark. The call does
 * without the guest state, as arguments of a call that mostly is not made cost
 * more than the call; and without the Access, which mostly is in no cache of
 * the host: `word` says the same. Data has at most ACCESSES_MARKED_MAX bytes.
 */
enum { ACCESSES_MARKED_MAX = 63 };
typedef struct AccessCall {
   void* function; /* VG_REGPARM(2); its arguments are the address of the
                      access, and `word` */
   UWord word;     /* the rest that the function has to know */
} AccessCall;
AccessCall cg2_accesses_marked_call(const Access* access);
/* The call that makes accesses of a plain kind that are checked together, from
 * `first` on. The address is where they begin, the word is `first`. */
AccessCall cg2_accesses_marked_calls(const Access* first);
/* Whether accesses are given times, by the clock that counts instructions. */
Bool cg2_accesses_has_clock(void);
/* Blocks that may run between two stops of a thread, at most, where accesses
 * are given times or events are counted in pairs. */
enum { ACCESSES_QUANTUM_MAX = EVENT_PAIR_BLOCKS };
/* Whether accesses of this kind go to the hierarchy alone. */
Bool cg2_accesses_is_plain(AccessKind kind);

#endif
