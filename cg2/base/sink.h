/* Sink: a buffered file that remembers its first failure.
 *
 * A profile appears whole or not at all: the bytes go to a file beside the
 * wanted one, whose name nobody can guess and which nobody has made before, and
 * finishing renames it. A link, and what is not a regular file, such as
 * /dev/stdout, is written in place; so is a file that cannot be replaced, such
 * as one that is mounted alone. After the first failure nothing more is
 * written, and finishing reports it. */
#ifndef CG2_SINK_H
#define CG2_SINK_H

#include "base/vg.h"

enum { SINK_BYTES = 32 * 1024 };

/* Which file it is, whatever its path, and how long. */
typedef struct SinkFile {
   ULong device, inode;
   ULong size;
} SinkFile;

typedef struct Sink {
   Int fd;            /* the file that is open */
   Int error;         /* errno of the first failure; 0 while all is well */
   Bool in_place;     /* the file at `path` itself is open, not one beside it */
   Bool is_behind;    /* in place, behind what is there */
   ULong start;       /* where in the file the sink has begun */
   SinkFile file;     /* what finishing without a failure has left */
   UInt n;            /* bytes in `buffer` that are not yet written */
   const HChar* path; /* the wanted file; the caller owns the text */
   HChar* beside;     /* the path of the file beside it, or NULL */
   HChar buffer[SINK_BYTES];
} Sink;

/* Whether a file at `path` would be replaced as a whole: a regular file is, one
 * that does not exist yet, and a link in a directory that others may write to,
 * as anybody can have made it, to any file. */
Bool cg2_sink_replaces(const HChar* path);

/* Whether a file can be written at `path`: 0, or the errno of the failure. */
Int cg2_sink_try(const HChar* path);

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

/* Goes on at the end of `file`, which a sink has left at `path`, in place.
 * False if another file is there now, or the file has another size: nothing is
 * open then. If the sink fails, its own bytes become ends of lines. */
Bool cg2_sink_open_again(Sink* sink, const HChar* path, const SinkFile* file);

/* Completes the file and closes it. Returns 0; or the errno of the first
 * failure, and then leaves no file behind but one that was there before. */
Int cg2_sink_finish(Sink* sink);

/* The following append to the file; after a failure they do nothing. */

void cg2_sink_char(Sink* sink, HChar c);
void cg2_sink_text(Sink* sink, const HChar* text);
void cg2_sink_decimal(Sink* sink, ULong n);
/* Appends `n` in hexadecimal, with 0x in front. */
void cg2_sink_hex(Sink* sink, ULong n);

#endif
