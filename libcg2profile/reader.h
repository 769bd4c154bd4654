/* The one reader of the Callgrind format.
 *
 * Words of the format:
 *
 * spec         a body line `fn=main`: what the following lines belong to
 * id           a number for a name: `fn=(3) main` defines it, `fn=(3)` uses it;
 *              objects, files and functions count apart, and anew in each part
 * subposition  one number of a position: an address or a line. `+3`, `-3` and
 *              `*` are relative to the previous cost line
 * cost line    subpositions, then costs; costs missing at the end are 0
 * association  `calls=`, `jump=` or `jcnd=` and the target's position; the line
 *              after it has the source's position, and the calls' inclusive
 *              cost
 *
 * What the format does not allow ends the reading with the line's number, what
 * is wrong and what was expected. */
#ifndef CG2P_READER_H
#define CG2P_READER_H

#include "input.h"
#include "profile.h"
#include "text.h"

typedef enum IdKind { ID_OBJECT, ID_FILE, ID_FUNCTION, ID_KINDS } IdKind;

enum { NO_NAME = UINT32_MAX };

/* An association whose second line is still to come. */
typedef struct Association {
   const char* spec; /* "calls", "jump" or "jcnd"; NULL: there is none */
   Line line;        /* what is known of it */
} Association;

typedef struct Reader {
   Failure failure;
   Input input;
   cg2p_profile* profile;
   Part* part;
   uint32_t part_number; /* from 1 */
   bool in_body;
   bool has_lines;     /* the file has any text */
   uint32_t seen;      /* header keys of this part, a bit each */
   uint64_t line;      /* the current line, from 1 */
   uint64_t next_line; /* the one behind it */
   Ids ids[ID_KINDS];
   /* What the next lines belong to: names */
   uint32_t object, function_file, file;
   uint32_t function_name; /* NO_NAME before the first fn= */
   uint32_t function;      /* its number; NO_NAME until its first line */
   bool in_run;            /* the part's last run is this function's */
   /* What the next association leads to; NO_NAME: not said */
   uint32_t callee_object, callee_file, callee_name;
   uint32_t jump_file, jump_function;
   Place at;       /* of the last cost line */
   uint64_t* cost; /* of the current line */
   size_t cost_room;
   char* scratch; /* of a name that is put together */
   size_t scratch_room;
   char shown[SHOWN_ROOM]; /* see cg2p_show */
   Association pending;
} Reader;

/* Ends the reading: the current line is wrong. The message is what printf makes
 * of `format`. */
_Noreturn void cg2p_refuse(Reader* reader, const char* format, ...)
   __attribute__((format(printf, 2, 3)));

/* A piece of the file as a message shows it; stays until the next call. */
const char* cg2p_show(Reader* reader, Text text);

/* Whether the whole of `text` is a number: decimal, of at most 20 digits, or 0x
 * and hexadecimal; of 64 bits. */
bool cg2p_read_number(Text text, uint64_t* number);

/* Reads costs, the whole of `text`, into reader->cost. A blank or a line's end
 * stands behind the text. */
void cg2p_read_costs(Reader* reader, Text text);

/* Reads a line that is no spec: a header line, which may begin a part. */
void cg2p_read_header(Reader* reader, Text text);
/* Begins a part with what the file says once for all of them. */
void cg2p_begin_part(Reader* reader);

/* Makes room for one number an event. */
void cg2p_reserve_cost(Reader* reader);

#endif
