/* Where bytes go: a buffered file with a sticky status.
 *
 * A profile appears whole or not at all: the bytes go to a file beside the
 * wanted one, and finishing renames it. A link, and what is not a regular file,
 * such as /dev/stdout, is written in place. After the first failure nothing
 * more is written, and finishing reports it. */
#ifndef CG2_SINK_H
#define CG2_SINK_H

#include "base/vg.h"

enum { SINK_BYTES = 32 * 1024 };

typedef struct Sink {
   Int fd;
   Int error; /* errno of the first failure, 0 while all is well */
   Bool in_place;
   UInt n; /* bytes in buffer */
   const HChar* path;
   HChar* beside; /* what is really open */
   HChar buffer[SINK_BYTES];
} Sink;

/* Whether a file at `path` is replaced as a whole: a regular one, or none yet.
 */
Bool cg2_sink_replaces(const HChar* path);
/* The name of the file that will replace it, to be freed. */
HChar* cg2_sink_beside(const HChar* path);

/* Starts a file that only its owner can read. Returns sink->error; then there
 * is nothing to finish. `path` must stay valid. */
Int cg2_sink_open(Sink* sink, const HChar* path);
/* Likewise; the file begins with the first `n` bytes of the one at `from`. What
 * is written in place goes on behind what is there. */
Int cg2_sink_open_behind(Sink* sink,
                         const HChar* path,
                         const HChar* from,
                         ULong n);
/* The file is complete. Returns 0 or the errno of the first failure, and then
 * leaves nothing behind. */
Int cg2_sink_finish(Sink* sink);

void cg2_sink_char(Sink* sink, HChar c);
void cg2_sink_text(Sink* sink, const HChar* text);
void cg2_sink_decimal(Sink* sink, ULong n);
/* "0x..." */
void cg2_sink_hex(Sink* sink, ULong n);

#endif
