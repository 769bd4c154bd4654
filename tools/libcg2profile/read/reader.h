/* Begins and ends the reading of a file, of whatever format. */
#ifndef CG2P_READER_H
#define CG2P_READER_H

#include "read/reading.h"

/* A reader and its profile, both empty; NULL: *error says why. The caller sets
 * where failures lead to, and frees the reader. */
Reader*
cg2p_reader_make(const char* path, cg2p_detail detail, cg2p_error* error);

/* Opens the file `path`, and begins the first part. */
void cg2p_reader_open(Reader* reader, const char* path);

/* The profile, which is complete; the caller frees it. */
cg2p_profile* cg2p_reader_take(Reader* reader);

/* Frees a reader, and the profile that was not taken. NULL is fine. */
void cg2p_reader_free(Reader* reader);

#endif
