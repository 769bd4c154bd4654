/* Accesses to memory as events: what each kind of access counts, and which
 * caches are asked.
 *
 * How many reads and writes there are follows from how often instructions are
 * executed. Misses are counted when they happen, in slots of the instruction.
 * Generated code makes an access itself if the access hits a line with a mark,
 * and calls this module for any other.
 *
 * Accesses go to the caches of the hierarchy, if there is one, and to those of
 * the sweeps. */
#ifndef CG2_ACCESSES_H
#define CG2_ACCESSES_H

#include "data/counting/touches.h"
#include "engine/event.h"
#include "events/eventsconfig.h"
#include "events/forwarding.h"

/* What is known of an access before it happens: what it is, and where it
 * counts. Generated code hands the record over with the address, unless all
 * that a call needs fits into a word (AccessCall). */
typedef struct Access {
   UInt slot;         /* slot of the kind's first event; the others follow */
   Short counted;     /* from there to the slot of the access itself, if it is
                         guarded; */
   Short use;         /* to that of the first event of cache use */
   UShort size;       /* bytes */
   UShort n_together; /* accesses that are checked together, from this one on;
                         1: this one is checked alone, 0: it is checked with one
                         in front of it */
   UShort offset;     /* of an access that is not alone: bytes from the lowest
                         one that is accessed together */
   UChar kind : 2;    /* AccessKind */
   UChar is_guarded : 1; /* it may happen or not; if it does, it counts */
   UChar is_of_stub : 1; /* a stub makes it, so there are no slots */
   Addr instr;           /* described machines: address of the instruction */
   Toucher* toucher; /* for data objects; NULL: the access is charged to none */
   ForwardingAccess forwarding;
} Access;

/* How generated code knows that an access hits: the access lies in one line,
 * and that line is marked. See marked.h. */
typedef struct AccessMarks {
   Marks marks;    /* none: each access has to be made */
   UInt line_bits; /* logarithm of the size of a line */
   UWord near;     /* bytes: lines that lie in no more than that have sets of
                      their own, and may have been touched at the same time */
   Marks written;  /* marks that the line must be in, too; or none */
} AccessMarks;

/* Adds the events of accesses and makes the caches, which are empty. */
void cg2_accesses_start(void);
/* Adds the events of cache use. They stand behind those of other modules, so
 * this comes later. */
void cg2_accesses_start_use(void);

/* Forgets all lines of all caches. */
void cg2_accesses_clear(void);
/* Ends the use of all lines, as the program ends, or so it seems. */
void cg2_accesses_finish(void);

/* Whether accesses of a kind count anything. */
Bool cg2_accesses_counts(AccessKind kind);
/* The marks that accesses of a kind go to. Their addresses never change. */
AccessMarks cg2_accesses_marks(AccessKind kind);
/* The size of the smallest line that code is fetched in. What lies in the line
 * of the instruction before comes with that, without a fetch of its own. */
UWord cg2_accesses_code_line(void);
/* The largest size of an access to data: the smallest line of all, but at least
 * 32, as large as the largest register. A larger access counts as one of that
 * size. */
UInt cg2_accesses_data_max(void);

/* Thread `tid` runs on, or begins. */
void cg2_accesses_switch(UInt tid);
/* The running thread stops, with its registers in cg2_now. */
void cg2_accesses_stop(void);

/* Makes an access that generated code does not know to hit, and counts what it
 * causes. */
VG_REGPARM(2)
void cg2_accesses_make(const Access* access, Addr address, void* guest);
/* The same of an access whose address is placed by the layout. */
VG_REGPARM(2)
void cg2_accesses_make_placed(const Access* access, Addr address, void* guest);
/* Makes an access of a described machine, at a time of the clock, and counts
 * what it causes. */
VG_REGPARM(3)
void cg2_accesses_make_described(const Access* access,
                                 Addr address,
                                 UWord time);
/* Makes an access for cache use, and counts what it causes. Generated code then
 * puts the time into the line's mark, and the access into the line's Use. */
VG_REGPARM(2)
void cg2_accesses_make_marked(const Access* access, Addr address, void* guest);

/* The most bytes of data that an AccessCall can access. */
enum { ACCESSES_MARKED_MAX = 63 };

/* A call that makes an access of a plain kind, and counts what it causes.
 * Generated code then puts the time into the line's mark. Mostly the call is
 * not made, so its arguments cost more than the call: it does without the guest
 * state, and without the Access, which mostly is in no cache of the host. */
typedef struct AccessCall {
   void* function; /* VG_REGPARM(2): takes the address, and: */
   UWord word;     /* what the Access says, in a word */
} AccessCall;
/* The call that makes `access`, which is checked alone. */
AccessCall cg2_accesses_marked_call(const Access* access);
/* The call that makes all accesses that are checked together, from `first` on,
 * of which no line or not every line is marked. Its address is the lowest one
 * that is accessed. */
AccessCall cg2_accesses_marked_calls(const Access* first);

/* Whether a kind is plain: only the hierarchy is asked. */
Bool cg2_accesses_is_plain(AccessKind kind);

/* Whether accesses are given times, by the clock that counts instructions. */
Bool cg2_accesses_has_clock(void);
/* The most blocks that may run between two stops of a thread, if there is that
 * clock, or events are counted in pairs. */
enum { ACCESSES_QUANTUM_MAX = EVENT_PAIR_BLOCKS };

#endif
