/* A profile that is being read: the state that the readers of headers and
 * bodies share, and what both do. */
#ifndef CG2P_READING_H
#define CG2P_READING_H

#include "base/input.h"
#include "base/number.h"
#include "profile/part.h"

typedef enum IdKind { ID_OBJECT, ID_FILE, ID_FUNCTION, ID_KINDS } IdKind;

enum { NO_NAME = UINT32_MAX };

/* Where the reading is in the text. */
typedef struct ReadText {
   uint64_t line;      /* the current one, from 1 */
   uint64_t next_line; /* the one behind it */
   bool has_lines;     /* the file has any text */
   bool is_at_end;
} ReadText;

/* Names that the file gives ids. */
typedef struct ReadNames {
   uint32_t part; /* number from 1 of the part at hand */
   Ids ids[ID_KINDS];
   Id* last;      /* of the name that was read last; NULL: it has none */
   char* scratch; /* of a name that is put together */
   size_t scratch_room;
} ReadNames;

/* What the next lines belong to: names. */
typedef struct ReadScope {
   uint32_t object, function_file, file;
   uint32_t function_name; /* NO_NAME before the first fn= */
   Id* function_id;        /* its; NULL: not known */
   uint32_t function;      /* its number; NO_NAME until its first line */
   bool in_run;            /* the part's last run is this function's */
} ReadScope;

/* The next association, of two lines. */
typedef struct Association {
   /* What it leads to: names; NO_NAME: not said */
   uint32_t callee_object, callee_file, callee_name;
   Id* callee_id; /* its name's; NULL: not known */
   uint32_t jump_file, jump_function;
   const char* spec; /* "calls", "jump" or "jcnd", whose second line is still to
                        come; NULL: there is none */
   Line line;        /* what is known of that */
} Association;

typedef struct Reader {
   Failure failure;
   Input input;
   cg2p_profile* profile;
   Part* part;
   bool in_body;
   uint32_t seen; /* header keys of this part, a bit each */
   ReadText text;
   ReadNames names;
   ReadScope scope;
   Association next;
   Place at;       /* of the last cost line */
   uint64_t* cost; /* of the current line */
   size_t cost_room;
   char shown[SHOWN_ROOM];   /* see cg2p_reading_show */
   struct PathReader* paths; /* what reads a file of paths; NULL: it is a
                                profile */
} Reader;

/* Ends the reading: the current line is wrong, or the file has changed
 * meanwhile. The message is what printf makes of `format`. */
_Noreturn void cg2p_reading_refuse(Reader* reader, const char* format, ...)
   __attribute__((format(printf, 2, 3)));

/* Whether the file is known to have lost its end: to be asked at its end, or in
 * its last line. */
bool cg2p_reading_is_cut_off(const Reader* reader);

/* Where it has, as "behind line 6, at byte 77", which stays with the profile.
 */
const char* cg2p_reading_where_cut_off(Reader* reader);

/* A piece of the file as a message shows it; stays until the next call. */
const char* cg2p_reading_show(Reader* reader, Text text);

/* Refuses what has a byte that is 0. */
void cg2p_reading_check_text(Reader* reader, Text text);

/* Makes room for one number an event in reader->cost. */
void cg2p_reading_reserve_cost(Reader* reader);

/* States for the part's summary and totals what its functions cost. */
void cg2p_reading_state_costs(Reader* reader);

/* Adds reader->cost to a sum. */
static inline void cg2p_reading_add_cost(Reader* reader, uint64_t* sum)
{
   const Part* part = reader->part;
   for (uint32_t i = 0; i < part->n_events; i++)
      if (__builtin_add_overflow(sum[i], reader->cost[i], &sum[i]))
         cg2p_reading_refuse(
            reader,
            "the costs of %s add up to more than 64 bits; expected a "
            "sum of less than 18446744073709551616",
            part->events[i]);
}

#endif
