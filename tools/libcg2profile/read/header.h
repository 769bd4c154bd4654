/* Reads the header lines of a profile, which begin its parts. */
#ifndef CG2P_HEADER_H
#define CG2P_HEADER_H

#include "read/reading.h"

/* Begins a part with what the file says once for all of them. */
void cg2p_header_begin_part(Reader* reader);

/* Reads a line that is no spec and not empty: a header line, which may begin a
 * part. */
void cg2p_header_read(Reader* reader, Text text);

/* Says in the last part, and of the profile, that the file is cut off here. */
void cg2p_header_say_cut_off(Reader* reader);

#endif
