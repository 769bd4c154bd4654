/* Reads the text of a file of paths. */
#ifndef CG2P_PATHREADER_H
#define CG2P_PATHREADER_H

#include "read/reading.h"

typedef struct PathReader PathReader;

/* What reads the paths of a file that the reader has opened; belongs to it. */
PathReader* cg2p_pathreader_begin(Reader* reader);
/* Reads lines, up to `end`, in front of which stands a newline. */
void cg2p_pathreader_read(PathReader* paths,
                          const char* begin,
                          const char* end);
/* Completes the last part, as far as it is there. */
void cg2p_pathreader_end(PathReader* paths);
void cg2p_pathreader_free(PathReader* paths);

#endif
