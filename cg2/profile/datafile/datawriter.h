/* The data file: which code accesses which data objects, in the Callgrind
 * format, so that viewers of profiles show it.
 *
 * All costs are self costs of data objects, which are written as functions
 * whose positions are offsets; code calls them. docs/format.md has the rules.
 */
#ifndef CG2_DATAWRITER_H
#define CG2_DATAWRITER_H

#include "engine/cost.h"
#include "profile/callgrind/heading.h"

/* Writes one part. `total` is what the profile's part says in "summary:". */
void cg2_datawriter_write(Sink* sink,
                          const WriterConfig* config,
                          const WriterHeader* header,
                          const ULong* total);

#endif
