/* A small strict reader of one part of a profile, for text that cg2 wrote. It
 * knows the rules that keep all readers content (docs/format.md) and says which
 * one is broken. */
#ifndef PARSE_H
#define PARSE_H

#include "facts.h"
#include "profile/callgrind/writer.h"

typedef struct Parsed {
   Facts facts;                /* their texts lie in the text that was parsed */
   ULong summary, totals, sum; /* as written; of all self costs */
} Parsed;

/* Parses `text`, in which ends of lines become NULs. NULL, or what is wrong
 * with which line. */
const char*
parse_profile(char* text, const WriterConfig* config, Parsed* parsed);

#endif
