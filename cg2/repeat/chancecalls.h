/* System calls that ask for random numbers. */
#ifndef CG2_CHANCECALLS_H
#define CG2_CHANCECALLS_H

#include "repeat/call.h"

Bool cg2_chancecalls_getrandom(const KernelRequest* call);
/* Reads from /dev/random and /dev/urandom. False: it is another file. */
Bool cg2_chancecalls_read(const KernelRequest* call);

#endif
