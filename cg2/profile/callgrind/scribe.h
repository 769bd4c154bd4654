/* Scribe: who writes lines of the Callgrind format.
 *
 * A name is written once, with an id, and then by its id; a position relative
 * to that of the line before. What the lines say is up to others: namewriter.h,
 * writer.h, datawriter.h. */
#ifndef CG2_SCRIBE_H
#define CG2_SCRIBE_H

#include "base/sink.h"
#include "profile/callgrind/position.h"

typedef struct WriterConfig {
   PositionConfig positions;
   Bool compress_strings;   /* "(id) name" once, then "(id)" */
   Bool compress_positions; /* "+3", "-1", "*" */
   Bool is_as_specified;    /* each line is as the specification's grammar has
                               it, not as Callgrind writes it */
} WriterConfig;

/* The ids of one kind of names in a part, from 1 in order of first use. */
typedef struct NameIds {
   UInt* of;  /* by number of what is named; 0: no id yet */
   UInt last; /* the id that was given last */
} NameIds;

typedef struct Scribe {
   Sink* sink;
   const WriterConfig* config;
   Bool has_last; /* a line of costs was written since the function's head */
   Position last; /* of the last line of costs */
} Scribe;

/* NameIds for `n` things. To be freed. */
NameIds cg2_nameids_new(UInt n);
void cg2_nameids_free(NameIds* ids);

void cg2_scribe_text(Scribe* s, const HChar* text);
void cg2_scribe_end_line(Scribe* s);
/* Writes text that may hold newlines, as a name or a trigger may, in one line.
 */
void cg2_scribe_escaped(Scribe* s, const HChar* text);

/* Writes a line of the header: `key`, which ends with a colon and a blank, and
 * the value. */
void cg2_scribe_key(Scribe* s, const HChar* key, const HChar* value);
void cg2_scribe_key_number(Scribe* s, const HChar* key, ULong value);

/* Writes "spec=(id) name" the first time, then "spec=(id)". `number` is that of
 * what is named. Where cg2_scribe_names is False, `name` may be NULL. */
void cg2_scribe_name(
   Scribe* s, const HChar* spec, const HChar* name, NameIds* ids, UInt number);

/* Whether a name is written in full: it is new, or names have no ids. */
Bool cg2_scribe_names(const Scribe* s, const NameIds* ids, UInt number);

/* Writes `n` costs. Zeros at the end are left out, but for the first. */
void cg2_scribe_cost(Scribe* s, const ULong* cost, UInt n);

/* Writes a line of `n` costs for the whole part: "summary:" or "totals:". */
void cg2_scribe_sum(Scribe* s, const HChar* key, const ULong* cost, UInt n);

/* Writes the columns of a position, relative to the last line of costs. */
void cg2_scribe_position(Scribe* s, const Position* at);

/* Ends a line of numbers. */
void cg2_scribe_end_numbers(Scribe* s);

/* Writes a line of `n` costs at a position. */
void cg2_scribe_cost_line(Scribe* s,
                          const Position* at,
                          const ULong* cost,
                          UInt n);

/* Writes the two numbers of a call: how often, and where the callee begins. */
void cg2_scribe_calls(Scribe* s, ULong count, const Position* target);

/* Writes "positions:" and the columns. */
void cg2_scribe_columns(Scribe* s);

#endif
