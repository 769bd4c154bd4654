/* Requests: what the program itself asks of cg2, by the macros of cg2.h or of
 * Callgrind's header. */
#ifndef CG2_REQUESTS_H
#define CG2_REQUESTS_H

#include "base/vg.h"

/* Does what a client request asks for: args[0] is the request, the others are
 * its arguments. False: the request is unknown, and the program gets its own
 * default for an answer. */
Bool cg2_requests_obey(UWord* args, UWord* answer);

/* The name of the phase that the program is in, or `otherwise` if the program
 * has named none. */
const HChar* cg2_requests_phase(const HChar* otherwise);

#endif
