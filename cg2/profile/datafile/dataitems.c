#include "profile/datafile/dataitems.h"
#include "base/search.h"

#include "data/counting/othermemory.h"

/*--- Columns ------------------------------------------------------------*/

DataColumns cg2_datacolumns_find(void)
{
   DataColumns c = {0};
   Bool is_there[EVENTS_MAX] = {False};
   for (UInt kind = 0; kind < TOUCH_KINDS; kind++) {
      const TouchEvents* e = &cg2_touches_config.events[kind];
      for (UInt i = 0; i < e->n; i++)
         is_there[e->of[i]] = True;
   }
   for (UInt e = EVENT_IR + 1; e < cg2_events.n; e++) {
      if (!is_there[e]) continue;
      c.events[c.n_events] = e;
      c.of[e] = ++c.n_events;
   }
   return c;
}

ULong cg2_datacall_fold(ULong residue, ULong stride)
{
   enum { BITS = 31 };
   if (stride >> BITS) stride &= -stride;
   if (stride >> BITS) stride = 1ULL << (BITS - 1);
   return 1ULL << 63 | stride << BITS | residue % stride;
}

/*--- Arrays -------------------------------------------------------------*/

static SizeT vector_size(const DataItems* d)
{
   return cg2_datacolumns_count(&d->columns) * sizeof(ULong);
}

/* Adds a call whose costs are 0, and returns them. */
static ULong* add_call(DataItems* d, DataCall call)
{
   d->vectors = cg2_items_with_room(d->vectors, d->n_vectors, &d->max_vectors,
                                    vector_size(d));
   d->calls = cg2_items_with_room(d->calls, d->n_calls, &d->max_calls,
                                  sizeof *d->calls);
   call.vector = d->n_vectors++;
   d->calls[d->n_calls++] = call;
   ULong* vector = cg2_dataitems_vector(d, call.vector);
   VG_(memset)(vector, 0, vector_size(d));
   return vector;
}

static ULong* add_row(DataItems* d, DataObject* object, ULong offset)
{
   d->row_vectors = cg2_items_with_room(d->row_vectors, d->n_row_vectors,
                                        &d->max_row_vectors, vector_size(d));
   d->rows =
      cg2_items_with_room(d->rows, d->n_rows, &d->max_rows, sizeof *d->rows);
   d->rows[d->n_rows++] =
      (DataRow){.object = object, .offset = offset, .vector = d->n_row_vectors};
   ULong* vector = cg2_dataitems_row_vector(d, d->n_row_vectors++);
   VG_(memset)(vector, 0, vector_size(d));
   return vector;
}

static void add_vector(const DataItems* d, ULong* to, const ULong* from)
{
   for (UInt i = 0; i < cg2_datacolumns_count(&d->columns); i++)
      to[i] += from[i];
}

/*--- Touches ------------------------------------------------------------*/

/* The context whose costs those of a touch are: a skipped function's are its
 * payer's. */
static const Context* context_of(const Touch* t)
{
   const Context* context = t->cells->context;
   return context->separation->payer ? context->separation->payer : context;
}

static Int compare_touches(const void* va, const void* vb)
{
   UInt a = context_of(*(Touch* const*)va)->number;
   UInt b = context_of(*(Touch* const*)vb)->number;
   return a < b ? -1 : a > b;
}

void cg2_dataitems_init(DataItems* d)
{
   VG_(memset)(d, 0, sizeof *d);
   d->columns = cg2_datacolumns_find();
   d->touches = cg2_touches_all(&d->n_touches);
   if (d->n_touches)
      VG_(ssort)(d->touches, d->n_touches, sizeof *d->touches, compare_touches);
}

void cg2_dataitems_free(DataItems* d)
{
   VG_(free)(d->touches);
   if (d->calls) VG_(free)(d->calls);
   if (d->vectors) VG_(free)(d->vectors);
   if (d->rows) VG_(free)(d->rows);
   if (d->row_vectors) VG_(free)(d->row_vectors);
}

/* Adds the counts of an entry to a vector. */
static void add_entry(const DataItems* d,
                      const Touch* t,
                      const TouchEntry* entry,
                      ULong* vector)
{
   const TouchEvents* e = &cg2_touches_config.events[t->by->kind];
   for (UInt i = 0; i < e->n; i++)
      if (d->columns.of[e->of[i]])
         vector[d->columns.of[e->of[i]] - 1] += entry->counts[i];
}

/* Adds some columns of a cost to a vector. */
static void add_cost(const DataItems* d, const ULong* cost, ULong* vector)
{
   for (UInt c = 0; c < d->columns.n_events; c++)
      vector[c] += cost[d->columns.events[c]];
}

static Bool is_of(const Context* context, UInt tid)
{
   const Separation* separation = context->separation;
   return !separation->is_off && (!tid || separation->thread == tid);
}

/* Adds what was spent in stubs on the way of calls. */
static void add_stubs(const DataItems* d, UInt tid, ULong* sum)
{
   for (const Context* c = cg2_context_all(); c; c = c->next) {
      if (!is_of(c, tid)) continue;
      if (c->skipped) add_cost(d, c->skipped, sum);
      for (const Arc* arc = c->arcs; arc; arc = arc->next_of_caller)
         add_cost(d, cg2_arc_skipped(arc), sum);
   }
}

void cg2_dataitems_attributed(const DataItems* d, UInt tid, ULong* sum)
{
   add_stubs(d, tid, sum);
   for (UWord k = 0; k < d->n_touches; k++) {
      const Touch* t = d->touches[k];
      if (!is_of(context_of(t), tid) || t->object->is_unclaimed) continue;
      for (UInt i = 0; i < t->n; i++)
         add_entry(d, t, cg2_touch_entry(t, i), sum);
   }
}

/* The position of a touch in the context that pays for it. */
static Position position_of(const View* view, const Touch* t)
{
   const Separation* separation = t->cells->context->separation;
   const Exit* exit = separation->payer ? separation->payer_exit : NULL;
   return exit
             ? cg2_position_of_instr(&view->positions, exit->block, exit->instr)
             : cg2_position_of_instr(&view->positions, t->by->block,
                                     t->by->instr);
}

static void add_touch(DataItems* d, const View* view, const Touch* t)
{
   Position at = position_of(view, t);
   for (UInt i = 0; i < t->n; i++) {
      const TouchEntry* entry = cg2_touch_entry(t, i);
      ULong offset = t->stride ? cg2_datacall_fold(entry->offset, t->stride)
                               : entry->offset;
      DataCall call = {.at = at,
                       .object = t->object,
                       .offset = offset,
                       .count = entry->counts[0]};
      add_entry(d, t, entry, add_call(d, call));
   }
}

/* The first touch of a context; the others follow. */
static UWord first_touch(const DataItems* d, const Context* context)
{
   return cg2_search_first(i, 0, d->n_touches,
                           context_of(d->touches[i])->number < context->number);
}

/*--- Order --------------------------------------------------------------*/

static Int compare_places(const DataObject* a,
                          ULong a_offset,
                          const DataObject* b,
                          ULong b_offset)
{
   if (a != b) return a->number < b->number ? -1 : 1;
   return a_offset < b_offset ? -1 : a_offset > b_offset;
}

static Int compare_calls(const void* va, const void* vb)
{
   const DataCall *a = va, *b = vb;
   Int order = cg2_position_compare_marked(&a->at, &b->at);
   return order ? order
                : compare_places(a->object, a->offset, b->object, b->offset);
}

static Int compare_rows(const void* va, const void* vb)
{
   const DataRow *a = va, *b = vb;
   return compare_places(a->object, a->offset, b->object, b->offset);
}

static void sort_calls(DataItems* d, const Name* own)
{
   UInt n = 0;
   for (UInt i = 0; i < d->n_calls; i++)
      cg2_position_mark(&d->calls[i].at, own);
   if (d->n_calls)
      VG_(ssort)(d->calls, d->n_calls, sizeof *d->calls, compare_calls);
   for (UInt i = 0; i < d->n_calls; i++) {
      const DataCall* call = &d->calls[i];
      DataCall* last = n ? &d->calls[n - 1] : NULL;
      if (last && compare_calls(last, call) == 0) {
         last->count += call->count;
         add_vector(d, cg2_dataitems_vector(d, last->vector),
                    cg2_dataitems_vector(d, call->vector));
      } else
         d->calls[n++] = *call;
   }
   d->n_calls = n;
}

/*--- What no touch has --------------------------------------------------*/

/* The accesses of the linker's call stubs of an ELF object, which read its
 * global offset table. */
static DataObject* stubs_of(const Object* object)
{
   return cg2_dataobject_of(OBJECTS_OF_STUBS, object->name->number, DATA_STATIC,
                            ".got (call stubs)", object);
}

/* Takes from `rest` what the calls from number `first` on have at a position.
 * Returns the number of the first call behind that. */
static UInt
take_away(const DataItems* d, UInt first, const Position* at, ULong* rest)
{
   UInt i = first;
   for (; i < d->n_calls && cg2_position_is_same(&d->calls[i].at, at); i++) {
      const ULong* vector = cg2_dataitems_vector(d, d->calls[i].vector);
      for (UInt c = 0; c < d->columns.n_events; c++)
         rest[c] -= vector[c];
   }
   return i;
}

/* Adds what a position costs and no touch has: stubs may have been passed where
 * something is called. */
static void add_rest(DataItems* d,
                     const View* view,
                     const Position* at,
                     const ULong* rest,
                     Bool has_call)
{
   ULong n = 0;
   for (UInt c = 0; c < d->columns.n_events; c++)
      n = rest[c] > n ? rest[c] : n;
   if (!n) return;
   DataObject* object = has_call ? stubs_of(view->context->function->object)
                                 : cg2_othermemory_unknown();
   ULong* vector =
      add_call(d, (DataCall){.at = *at, .object = object, .count = n});
   VG_(memcpy)(vector, rest, d->columns.n_events * sizeof *rest);
}

/* Adds what the context costs and its touches do not have. Costs, touches and
 * calls are walked through together, as all are in one order. */
static void add_rests(DataItems* d, const View* view)
{
   const Items* items = &view->items;
   const Name* own = view->context->function->file;
   UInt touch = 0, n_touches = d->n_calls, call = 0;
   for (UInt i = 0; i < items->n_costs; i++) {
      const Position* at = &items->costs[i].at;
      ULong rest[EVENTS_MAX] = {0};
      add_cost(d, cg2_items_vector(items, items->costs[i].self), rest);
      while (touch < n_touches &&
             cg2_position_compare(&d->calls[touch].at, at, own) < 0)
         touch++;
      while (call < items->n_calls &&
             cg2_position_compare(&items->calls[call].at, at, own) < 0)
         call++;
      touch = take_away(d, touch, at, rest);
      add_rest(d, view, at, rest,
               call < items->n_calls &&
                  cg2_position_is_same(&items->calls[call].at, at));
   }
}

/*--- All ----------------------------------------------------------------*/

void cg2_dataitems_fill(DataItems* d, const View* view)
{
   const Name* own = view->context->function->file;
   d->n_calls = d->n_vectors = 0;
   for (UWord i = first_touch(d, view->context);
        i < d->n_touches && context_of(d->touches[i]) == view->context; i++)
      add_touch(d, view, d->touches[i]);
   sort_calls(d, own);
   add_rests(d, view);
   sort_calls(d, own);
   for (UInt i = 0; i < d->n_calls; i++) {
      const DataCall* call = &d->calls[i];
      ULong* row = add_row(d, call->object, call->offset);
      add_vector(d, row, cg2_dataitems_vector(d, call->vector));
   }
}

void cg2_dataitems_end(DataItems* d, Bool has_allocations)
{
   UInt n = 0;
   for (UInt i = 1; has_allocations && i <= cg2_dataobject_count(); i++) {
      DataObject* object = cg2_dataobject_number(i);
      if (!object->n_blocks) continue;
      ULong* row = add_row(d, object, 0) + d->columns.n_events;
      row[DATA_ALLOC] = object->n_blocks;
      row[DATA_ALLOC_BYTES] = object->n_bytes;
   }
   if (d->n_rows) VG_(ssort)(d->rows, d->n_rows, sizeof *d->rows, compare_rows);
   for (UInt i = 0; i < d->n_rows; i++) {
      const DataRow* row = &d->rows[i];
      DataRow* last = n ? &d->rows[n - 1] : NULL;
      if (last && compare_rows(last, row) == 0)
         add_vector(d, cg2_dataitems_row_vector(d, last->vector),
                    cg2_dataitems_row_vector(d, row->vector));
      else
         d->rows[n++] = *row;
   }
   d->n_rows = n;
}
