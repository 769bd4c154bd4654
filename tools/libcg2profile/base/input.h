/* The text of a file, piece by piece: from a file or a pipe, and as gzip or
 * zstd compressed it or not, which its first bytes tell. */
#ifndef CG2P_INPUT_H
#define CG2P_INPUT_H

#include "base/memory.h"

#include <stdbool.h>
#include <sys/stat.h>

/* A way to unpack; `state` is the library's. */
typedef enum Packing { PACKING_NONE, PACKING_GZIP, PACKING_ZSTD } Packing;

typedef struct Input {
   Failure* failure;
   int fd;            /* -1: closed */
   struct stat begun; /* the file when it was opened */
   uint64_t done;     /* bytes of the file that were read */
   /* The text: [start, end) of it is not handed out yet, and begins a line. */
   char* text;
   size_t room, start, end;
   bool is_at_end;  /* no byte follows text[end - 1] */
   bool may_be_cut; /* the caller's: what is cut off is left out: */
   bool lacks_end;  /* of what packed the file, */
   bool has_rest;   /* a last line that does not end in a newline */
   Packing packing;
   void* unpacker;
   unsigned char* packed; /* what was read and is not unpacked yet: */
   size_t packed_start, packed_end;
   bool is_between; /* packed members: the file may end here */
} Input;

/* Opens `path`, or standard input for "-", which failures then call so. Its
 * text begins at the next call of cg2p_input_next. */
void cg2p_input_open(Input* input, Failure* failure, const char* path);

/* The next lines of the text, whole ones: *begin to the result, in front of
 * which stands a newline, also where the file ends without one, unless it may
 * be cut. At least eight bytes follow, which may be read. They stay until the
 * next call. NULL: there are no more. */
const char* cg2p_input_next(Input* input, const char** begin);

/* How many bytes the file has; 0: not known. */
uint64_t cg2p_input_size(const Input* input);

/* Ends the operation if the file is not what it was when it was opened: a
 * program that still runs may write its profile. To be asked before anything
 * else is said to be wrong with it. */
void cg2p_input_check_unchanged(const Input* input);

/* Closes the file and frees what was made; may be called again. */
void cg2p_input_close(Input* input);

#endif
