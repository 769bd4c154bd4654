/* How control went through an object.
 *
 * What an instruction costs is how often it ran, with two exceptions: one that
 * repeats itself costs each time, and the stubs of a PLT cost where they are
 * called. Of these it counts how often control came to them. */
#ifndef CG2P_CONTROL_H
#define CG2P_CONTROL_H

#include "feedback/counts.h"

/* An instruction that ran. */
typedef struct StepCounts {
   uint64_t count;    /* how often */
   uint64_t entered;  /* how often control came by known transfers */
   uint64_t left;     /* how often it left so; of calls it comes back */
   uint64_t passed;   /* how often it went on to the next one */
   uint64_t onward;   /* how often it jumped to the next one, which no profile
                         says */
   uint64_t outside;  /* how often it came from nowhere that is known */
   size_t first, end; /* transfers from it */
   bool has_stub;     /* it calls through a PLT */
} StepCounts;

typedef struct Control {
   const Counts* counts;
   cg2p_step* steps;     /* one for each spot */
   StepCounts* passages; /* the same */
   size_t n;
} Control;

/* `steps`, one for each spot, are copied. */
void cg2p_control_find(Control* control,
                       Failure* failure,
                       const Counts* counts,
                       const cg2p_step* steps);
void cg2p_control_free(Control* control);

/* Whether the instruction is one that transfers control elsewhere, but for
 * returns, of which the profile does not say where they go. */
static inline bool cg2p_control_transfers(const Control* control, size_t i)
{
   uint32_t kind = control->steps[i].kind;
   return kind >= CG2P_BRANCHES && kind <= CG2P_CALLS_COMPUTED;
}

/* The spot at an address; `n`: there is none. Looked for from spot `near` on,
 * or `n`. */
size_t
cg2p_control_spot_at(const Control* control, size_t near, uint64_t address);

/* Whether spot i + 1 is the next instruction in memory. */
static inline bool cg2p_control_has_next(const Control* control, size_t i)
{
   const uint64_t* addresses = control->counts->addresses;
   return i + 1 < control->n &&
          addresses[i] + control->steps[i].length == addresses[i + 1];
}

#endif
