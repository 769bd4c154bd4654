/* Sink: a buffered file that remembers its first failure.
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
   Int fd;            /* the file that is open */
   Int error;         /* errno of the first failure; 0 while all is well */
   Bool in_place;     /* the file at `path` itself is open, not one beside it */
   UInt n;            /* bytes in `buffer` that are not yet written */
   const HChar* path; /* the wanted file; the caller owns the text */
   HChar* beside;     /* the path of the file that is open; the sink owns it */
   HChar buffer[SINK_BYTES];
} Sink;

/* Whether a file at `path` would be replaced as a whole: a regular file is, or
 * one that does not exist yet. */
Bool cg2_sink_replaces(const HChar* path);

/* Returns the path of the file that will replace the one at `path`. The caller
 * frees the text. */
HChar* cg2_sink_beside(const HChar* path);

/* Starts a new file, which only its owner can read. Returns 0 or the errno of
 * the failure, after which there is nothing to finish. `path` must stay valid
 * until the sink is finished. */
Int cg2_sink_open(Sink* sink, const HChar* path);

/* Starts a new file as cg2_sink_open does, with the first `n` bytes of the file
 * at `from` in it. A file that is written in place is opened to append to what
 * is there, and nothing is copied. */
Int cg2_sink_open_behind(Sink* sink,
                         const HChar* path,
                         const HChar* from,
                         ULong n);

/* Completes the file and closes it. Returns 0; or the errno of the first
 * failure, and then leaves no file behind. */
Int cg2_sink_finish(Sink* sink);

/* The following append to the file; after a failure they do nothing. */

void cg2_sink_char(Sink* sink, HChar c);
void cg2_sink_text(Sink* sink, const HChar* text);
void cg2_sink_decimal(Sink* sink, ULong n);
/* Appends `n` in hexadecimal, with 0x in front. */
void cg2_sink_hex(Sink* sink, ULong n);

#endif
