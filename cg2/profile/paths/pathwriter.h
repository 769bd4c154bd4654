/* The file of paths: what each path has cost, as text. docs/format.md specifies
 * it. */
#ifndef CG2_PATHWRITER_H
#define CG2_PATHWRITER_H

#include "profile/callgrind/heading.h"
#include "profile/paths/pathtree.h"

/* Writes the paths of a part. Returns how many there are. */
PathSize cg2_pathwriter_write(Sink* sink,
                              const WriterConfig* config,
                              const WriterHeader* header);

#endif
