/* A call graph made of bytes: names, positions, executions and calls of a fixed
 * set of functions are whatever the bytes say. And what a profile of it must
 * say. */
#ifndef GRAPH_OF_BYTES_H
#define GRAPH_OF_BYTES_H

#include "facts.h"
#include "profile/callgrind/view.h"

typedef struct Bytes {
   const UChar* next;
   SizeT n; /* that are left; behind them come zeros */
} Bytes;

UInt bytes_take(Bytes* bytes);

/* All of the graph is what the bytes say, as if there had been none before.
 * With `plain` names are letters only, else whatever a symbol may be. */
void graph_of_bytes(Bytes* bytes, Bool plain);

/* What a profile that shows such positions says; returns the sum of all self
 * costs. */
ULong graph_facts(const PositionConfig* config, Facts* facts);

#endif
