/* What a data file says about one context: its accesses to data objects, each
 * at a position, as calls of the objects. */
#ifndef CG2_DATAITEMS_H
#define CG2_DATAITEMS_H

#include "data/counting/touches.h"
#include "profile/callgrind/view.h"

/* The columns of a data file: some events of the profile, and behind them what
 * was allocated. */
enum { DATA_ALLOC, DATA_ALLOC_BYTES, DATA_ALLOC_COLUMNS };
typedef struct DataColumns {
   UInt n_events;
   UChar events[EVENTS_MAX]; /* ascending */
   UChar of[EVENTS_MAX];     /* by event: 1 + its column; 0: it has none */
} DataColumns;

static inline UInt cg2_datacolumns_count(const DataColumns* c)
{
   return c->n_events + DATA_ALLOC_COLUMNS;
}

/* The columns of the touches that are configured. */
DataColumns cg2_datacolumns_find(void);

/* All accesses from one position to one place of an object. */
typedef struct DataCall {
   Position at;
   DataObject* object;
   ULong offset; /* or a fold: see cg2_datacall_fold */
   ULong count;
   UInt vector;
} DataCall;

/* All that accessed one place of an object. */
typedef struct DataRow {
   DataObject* object;
   ULong offset;
   UInt vector;
} DataRow;

typedef struct DataItems {
   DataColumns columns;
   Touch** touches; /* by context */
   UWord n_touches;
   DataCall* calls; /* of the context that was filled in last, sorted */
   UInt n_calls, max_calls;
   ULong* vectors; /* of calls */
   UInt n_vectors, max_vectors;
   DataRow* rows; /* of all contexts */
   UInt n_rows, max_rows;
   ULong* row_vectors;
   UInt n_row_vectors, max_row_vectors;
} DataItems;

static inline ULong* cg2_dataitems_vector(const DataItems* d, UInt number)
{
   return d->vectors + (SizeT)number * cg2_datacolumns_count(&d->columns);
}

static inline ULong* cg2_dataitems_row_vector(const DataItems* d, UInt number)
{
   return d->row_vectors + (SizeT)number * cg2_datacolumns_count(&d->columns);
}

/* How a place is written that stands for all offsets with this residue modulo
 * `stride`. */
ULong cg2_datacall_fold(ULong residue, ULong stride);

/* Begins with all touches. */
void cg2_dataitems_init(DataItems* d);
void cg2_dataitems_free(DataItems* d);

/* Adds to `sum`, by column, what is known to be of some object, of a thread,
 * or, for 0, of all. */
void cg2_dataitems_attributed(const DataItems* d, UInt tid, ULong* sum);

/* Makes the calls those of the context that `view` was filled with, and adds
 * them to the rows. What no touch has is charged to what was not attributed, or
 * to the linker's call stubs. */
void cg2_dataitems_fill(DataItems* d, const View* view);

/* Adds what was allocated to the rows, and sorts them. */
void cg2_dataitems_end(DataItems* d, Bool has_allocations);

#endif
