/* The summary of a process as JSON, for programs: what it cost, by thread and
 * by part, and which files it has written.
 *
 * It is what `cg2_annotate --json --summary` makes of the same profiles, to the
 * figure; docs/cg2-summary.schema.json has its members. */
#ifndef CG2_JSONSUMMARY_H
#define CG2_JSONSUMMARY_H

#include "profile/callgrind/writer.h"

/* Notes a part that was written to `path`, or, for NULL, is lost. `total` is
 * its cost. What it has counted is still there. */
void cg2_jsonsummary_note(const WriterHeader* header,
                          const ULong* total,
                          const HChar* path);

/* Forgets the part that was noted last; all of them. */
void cg2_jsonsummary_drop(void);
void cg2_jsonsummary_clear(void);

/* Writes the summary of the parts that were noted; `header` says what is the
 * same for all of them. */
void cg2_jsonsummary_write(Sink* sink, const WriterHeader* header);

#endif
