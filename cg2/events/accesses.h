/* The simulator as the rest of the tool sees it: accesses to memory as events.
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
#include "model/sweep/sweeps.h"

enum { ACCESS_KINDS = 3 };

/* What of an access to memory is not known before it happens: where it counts.
 * Lives as long as its block. */
typedef struct Access {
   UInt counted;      /* slot of the access itself, if it is guarded */
   UInt slot;         /* of the first event; the others follow */
   UInt use_slot;     /* likewise, of the events of cache use */
   UShort size;       /* bytes */
   UChar kind;        /* AccessKind */
   UChar is_guarded;  /* it happens or not; if it does, it counts */
   UChar is_of_stub;  /* it has no slots */
   UShort n_together; /* how many are checked together, from this one on; 1: it
                         is alone, 0: with one before */
   UShort offset;     /* if not alone: bytes from where they begin */
   Addr instr;        /* where it is */
   Thunk thunk;       /* for the call that makes it */
} Access;

enum { ACCESSES_EVENTS_MAX = 32 };

/* What accesses of one kind count. */
typedef struct AccessEvents {
   UInt access; /* each access; 0: that is no event */
   UInt n;
   UChar of[ACCESSES_EVENTS_MAX]; /* events: bit i of an access's outcome counts
                                     [i] */
   const HChar* titles[ACCESSES_EVENTS_MAX]; /* of a described machine: as in
                                           MemoryEvent */
} AccessEvents;

/* What a line costs whoever loads it, level by level. */
enum { USE_EVENTS = 4 };

/* By which an access can be known to be a hit: it lies in one line, and that is
 * marked. See marked.h. */
typedef struct AccessMarks {
   Marks marks; /* none: each access has to be made */
   UInt line_bits;
   UWord near; /* lines that so many bytes lie in have sets of their own: they
                  may have been touched at the same time */
   Marks written; /* of the same lines: they have to be marked here, too; or
                     none */
} AccessMarks;

typedef struct AccessesConfig {
   Bool is_on;        /* accesses are looked at */
   Bool has_caches;   /* and go to the hierarchy, */
   Bool looks_at_use; /* or to cacheuse instead */
   UInt use_events[USE_EVENTS];
   Sweeps sweeps;
   AccessEvents events[ACCESS_KINDS];
   HierarchyConfig hierarchy;
   const Processor* processor; /* instead of that, or NULL */
   Bool has_cores;             /* each thread has private caches */
} AccessesConfig;

/* Filled before the first translation, then constant. */
extern AccessesConfig cg2_accesses_config;

/* Adds the events and makes the caches, which are empty. */
void cg2_accesses_start(void);
/* Adds those of cache use, which stand behind others. */
void cg2_accesses_start_use(void);

/* Forgets all lines. */
void cg2_accesses_clear(void);
/* The program ends, or so it seems: the lines that are there have been used,
 * too. */
void cg2_accesses_finish(void);

/* Whether accesses of this kind count anything. */
Bool cg2_accesses_counts(AccessKind kind);
/* Their address never changes. */
AccessMarks cg2_accesses_marks(AccessKind kind);
/* The smallest line that code is fetched in. What lies in the line of the
 * instruction before comes with that, without a fetch of its own. */
UWord cg2_accesses_code_line(void);
/* The smallest line of all, but at least 32, as large as the largest register:
 * a larger access to data counts as one of that size. */
UInt cg2_accesses_data_max(void);

/* The thread runs on, or begins. */
void cg2_accesses_switch(UInt tid);
/* It stops, with its registers in cg2_now. */
void cg2_accesses_stop(void);

/* An access that generated code does not know to hit. */
VG_REGPARM(2)
void cg2_accesses_make(const Access* access, Addr address, void* guest);
/* Likewise, of cache use that goes to marks: generated code puts the time, and
 * the line's Use, into them. */
VG_REGPARM(2)
void cg2_accesses_make_marked(const Access* access, Addr address, void* guest);
/* Likewise, of plain kinds, which only the hierarchy is asked for, of which the
 * time will be put into a mark. They do without the guest state, as what a call
 * that mostly is not made is handed costs more than the call; and without the
 * Access, which mostly is in no cache of the host, but have a word that says
 * the same. Data has at most ACCESSES_MARKED_MAX bytes. */
enum { ACCESSES_MARKED_MAX = 63 };
typedef struct AccessCall {
   void* function; /* VG_REGPARM(2): of the address, and the word */
   UWord word;
} AccessCall;
AccessCall cg2_accesses_marked_call(const Access* access);
/* Likewise, of those that are checked together: of the address where they
 * begin, and a word that is the first one's Access. */
AccessCall cg2_accesses_marked_calls(const Access* first);
/* Whether accesses are given times, by the clock that counts instructions. */
Bool cg2_accesses_has_clock(void);
/* Between two stops of a thread no more blocks may run if it does, or counts
 * events in pairs. */
enum { ACCESSES_QUANTUM_MAX = EVENT_PAIR_BLOCKS };
Bool cg2_accesses_is_plain(AccessKind kind);

#endif
