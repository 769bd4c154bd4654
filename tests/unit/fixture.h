/* What tests of the engine share: a program of a few routines that one thread
 * begins to run, and checks of what was counted. */
#ifndef FIXTURE_H
#define FIXTURE_H

#include "guest.h"

enum {
   STACK = 0x100000,     /* where thread 1's stack begins; thread n's at n times
                            that */
   HIGH_ALT = 0x7000000, /* the start of an alternate stack above all others */
   ALT_BYTES = 0x8000,   /* the size of an alternate stack */
};

/* How many instructions the blocks of a routine have. */
enum { ENTRY = 3, CALL = 2, BACK = 4, WORK = 12, LEAVE = 1 };

extern Object* app;
extern Routine root, f, g, h; /* of app */

/* Makes the object and its routines. */
void make_code(void);
/* Lets thread 1 run root, on an empty stack. */
void start(void);

/* The context of a routine at a recursion level. */
Context* at(const Routine* r, UInt level);
/* What the profile shows as the routine's own cost at level 1. */
ULong self(const Routine* r);

/* The frames on the running stack. */
UInt depth(void);

/* Checks that all holds which always does. */
void check_all(void);
/* Checks that the function on top is that of the routine. */
void check_runs(const Routine* r);
/* Checks what the profile shows of the calls of one context by another. */
void check_calls(const Context* caller,
                 const Context* callee,
                 ULong calls,
                 ULong inclusive);
/* Checks what the profile shows of calls at level 1. */
void check_arc(const Routine* caller,
               const Routine* callee,
               ULong calls,
               ULong inclusive);

#endif
