/* JSON: an object as text, value by value, into a sink.
 *
 *    Json json = {.sink = &sink};
 *    cg2_json_begin(&json, '{');
 *    cg2_json_key(&json, "pid");
 *    cg2_json_number(&json, 4711);
 *    cg2_json_end(&json, '}');
 *
 * Each key begins a line, as deep as its object; lists of numbers are in one
 * line. The text is UTF-8: each byte of a string that is in no character
 * becomes U+FFFD. */
#ifndef CG2_JSON_H
#define CG2_JSON_H

#include "base/sink.h"

typedef struct Json {
   Sink* sink;      /* the caller's */
   UInt depth;      /* objects and lists that are open */
   Bool is_behind;  /* a value stands in front, in the same object or list */
   Bool is_in_line; /* the value that comes next belongs to a key, or is the
                       outermost */
} Json;

/* Begins or ends an object, '{' or '}', or a list, '[' or ']'. */
void cg2_json_begin(Json* json, HChar bracket);
void cg2_json_end(Json* json, HChar bracket);

/* The name of the value that comes next, in an object. */
void cg2_json_key(Json* json, const HChar* key);

/* Values. A text that is NULL becomes null. */
void cg2_json_text(Json* json, const HChar* text);
void cg2_json_number(Json* json, ULong number);
/* The list of `n` numbers. */
void cg2_json_numbers(Json* json, const ULong* numbers, UInt n);

#endif
