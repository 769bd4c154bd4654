/* The Callgrind format, version 1: a view in, text out.
 *
 * Source: "Callgrind Format Specification" of Valgrind's manual. What readers
 * do beyond it, and so what this writer does and does not do, is in
 * docs/format.md. */
#ifndef CG2_WRITER_H
#define CG2_WRITER_H

#include "engine/cost.h"
#include "profile/callgrind/heading.h"

/* Writes one part; `total` is its "summary:", and so its "totals:". Returns the
 * sum of the self costs of all functions. What `total` has beyond that is a
 * function of its own at the end. */
Cost cg2_writer_write(Sink* sink,
                      const WriterConfig* config,
                      const WriterHeader* header,
                      const ULong* total);

#endif
