/* What comes from other processes of the run through pipes and sockets, in
 * pieces.
 *
 * How many of the pieces are there when somebody reads depends on how fast the
 * kernel has run those who write. So who reads, or asks which files can be
 * read, goes on when all that he asks for is there, or when nobody writes more
 * for now: all others have ended, or wait themselves. */
#ifndef CG2_INPUTS_H
#define CG2_INPUTS_H

#include "repeat/call.h"

/* Whether other processes of the run may write in pieces what is read of a
 * file. */
Bool cg2_inputs_are_shared(Int fd);

/* A call reads of a file for which something is there, or waits for that in the
 * kernel: waits until no more comes for now, or a signal. */
void cg2_inputs_complete(const KernelRequest* call);

/* Waits until no other process writes for now. */
void cg2_inputs_await_writers(void);

#endif
