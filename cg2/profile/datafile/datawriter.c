#include "profile/datafile/datawriter.h"

#include "data/counting/pairs.h"
#include "profile/callgrind/namewriter.h"
#include "profile/callgrind/selection.h"
#include "profile/datafile/dataitems.h"

typedef struct DataWriter {
   NameWriter out;
   View view;
   DataItems items;
   UInt n_object_names, n_contexts;
   const Name* unknown; /* the file of data objects */
} DataWriter;

/*--- Names --------------------------------------------------------------*/

/* Writes a name that is put together of three texts, if it is written in full.
 */
static void write_joined(DataWriter* w,
                         const HChar* spec,
                         const HChar* const texts[3],
                         NameIds* ids,
                         UInt number)
{
   if (!cg2_scribe_names(&w->out.scribe, ids, number)) {
      cg2_scribe_name(&w->out.scribe, spec, NULL, ids, number);
      return;
   }
   SizeT size = 1;
   for (UInt i = 0; i < 3; i++)
      size += VG_(strlen)(texts[i]);
   HChar* text = VG_(malloc)("cg2.datawriter", size);
   VG_(sprintf)(text, "%s%s%s", texts[0], texts[1], texts[2]);
   cg2_scribe_name(&w->out.scribe, spec, text, ids, number);
   VG_(free)(text);
}

/* What ELF objects stand for, beside code. */
typedef enum ElfUse { ELF_OF_DATA, ELF_OF_PAIRS, ELF_USES } ElfUse;

/* Names the ELF object of a data object, or "???". The numbers of those of code
 * come first, then those of each use. */
static void
write_elf(DataWriter* w, const HChar* spec, ElfUse use, const DataObject* data)
{
   static const HChar* const prefixes[] = {"[data] ", "[pairs] "};
   UInt n = w->n_object_names;
   const Name* elf = data->object ? data->object->name : w->unknown;
   const HChar* const texts[] = {prefixes[use], elf->text, ""};
   write_joined(w, spec, texts, &w->out.objects,
                n + use * (n + 1) + (data->object ? elf->number : n));
}

/* Names the ELF object, file and name of a data object, by `specs`. */
static void
write_data(DataWriter* w, const HChar* const specs[3], const DataObject* data)
{
   const HChar* const texts[] = {cg2_dataobject_kind_name(data->kind),
                                 "::", data->name};
   write_elf(w, specs[0], ELF_OF_DATA, data);
   cg2_namewriter_file(&w->out, specs[1], w->unknown);
   write_joined(w, specs[2], texts, &w->out.functions,
                w->n_contexts + data->number);
}

/*--- Calls --------------------------------------------------------------*/

/* The position of a place in a data object. */
static Position place(const DataWriter* w, ULong offset)
{
   enum { WORD = 8 };
   ULong within = offset >> 63 ? offset & ((1ULL << 31) - 1) : offset;
   return (Position){
      .file = w->unknown,
      .of = {[POSITION_INSTR] = offset, [POSITION_LINE] = within / WORD + 1}};
}

static void write_costs(DataWriter* w, const Position* at, const ULong* vector)
{
   cg2_scribe_cost_line(&w->out.scribe, at, vector,
                        cg2_datacolumns_count(&w->items.columns));
}

static void write_access(DataWriter* w, const DataCall* call)
{
   static const HChar* const specs[] = {"cob=", "cfi=", "cfn="};
   Position target = place(w, call->offset);
   cg2_namewriter_change_file(&w->out, call->at.file);
   write_data(w, specs, call->object);
   cg2_scribe_calls(&w->out.scribe, call->count, &target);
   write_costs(w, &call->at, cg2_dataitems_vector(&w->items, call->vector));
}

/* The columns of a cost. False: they are all 0. */
static Bool project(const DataWriter* w, const ULong* cost, ULong* vector)
{
   const DataColumns* c = &w->items.columns;
   ULong any = 0;
   VG_(memset)(vector, 0, cg2_datacolumns_count(c) * sizeof *vector);
   for (UInt i = 0; i < c->n_events; i++)
      any |= vector[i] = cost[c->events[i]];
   return any != 0;
}

static void write_call(DataWriter* w, const CallItem* call)
{
   const Function* callee = call->callee->function;
   ULong vector[EVENTS_MAX + DATA_ALLOC_COLUMNS];
   if (!project(w, cg2_items_vector(&w->view.items, call->inclusive), vector))
      return;
   Position entry = cg2_position_of_entry(&w->view.positions, callee);
   cg2_namewriter_change_file(&w->out, call->at.file);
   cg2_namewriter_callee(&w->out, call->callee);
   cg2_scribe_calls(&w->out.scribe, call->count, &entry);
   write_costs(w, &call->at, vector);
}

/*--- Contexts and objects -----------------------------------------------*/

/* Writes accesses and calls in one sequence by position. */
static void write_context(DataWriter* w, const Context* context)
{
   cg2_view_fill(&w->view, context);
   cg2_dataitems_fill(&w->items, &w->view);
   const Items* items = &w->view.items;
   const Name* own = context->function->file;
   UInt next = 0;
   cg2_namewriter_object(&w->out, "ob=", context->function->object);
   cg2_namewriter_begin(&w->out, context);
   for (UInt i = 0; i < w->items.n_calls; i++) {
      const DataCall* access = &w->items.calls[i];
      for (; next < items->n_calls &&
             cg2_position_compare(&items->calls[next].at, &access->at, own) < 0;
           next++)
         write_call(w, &items->calls[next]);
      write_access(w, access);
   }
   for (; next < items->n_calls; next++)
      write_call(w, &items->calls[next]);
   cg2_scribe_end_line(&w->out.scribe);
}

static void write_contexts(DataWriter* w, UInt tid)
{
   UInt n;
   const Context** contexts = cg2_selection_contexts(&n, tid);
   for (UInt i = 0; i < n; i++)
      write_context(w, contexts[i]);
   if (contexts) VG_(free)(contexts);
}

/* Writes all data objects, and adds their costs to `sum`. */
static void write_objects(DataWriter* w, ULong* sum)
{
   static const HChar* const specs[] = {"ob=", "fl=", "fn="};
   const DataObject* last = NULL;
   for (UInt i = 0; i < w->items.n_rows; i++) {
      const DataRow* row = &w->items.rows[i];
      const ULong* vector = cg2_dataitems_row_vector(&w->items, row->vector);
      Position at = place(w, row->offset);
      if (row->object != last) {
         if (last) cg2_scribe_end_line(&w->out.scribe);
         write_data(w, specs, row->object);
         w->out.scribe.has_last = False;
         last = row->object;
      }
      write_costs(w, &at, vector);
      for (UInt c = 0; c < cg2_datacolumns_count(&w->items.columns); c++)
         sum[c] += vector[c];
   }
   if (last) cg2_scribe_end_line(&w->out.scribe);
}

/*--- Pairs --------------------------------------------------------------*/

/* Writes the head of the function that stands for pairs that are alike, of
 * which `first` is the first; `number` is its own. */
static void write_pair_head(DataWriter* w, const Pair* first, UInt number)
{
   static const HChar* const kinds[] = {"false sharing", "sharing", "together"};
   const DataObject* data = first->from->object;
   HChar before[32], behind[64];
   const HChar* const texts[] = {before, data->name, behind};
   VG_(sprintf)(before, "%s::%s::", kinds[first->kind],
                cg2_dataobject_kind_name(data->kind));
   behind[0] = '\0';
   if (first->kind != PAIR_TOGETHER)
      VG_(sprintf)(behind, " (thread %u, then %u)", first->from->tid,
                   first->to->tid);
   write_elf(w, "ob=", ELF_OF_PAIRS, data);
   cg2_namewriter_file(&w->out, "fl=", w->unknown);
   write_joined(w, "fn=", texts, &w->out.functions, number);
   w->out.scribe.has_last = False;
}

/* Writes a pair as a call, which costs nothing. */
static void write_pair(DataWriter* w, const Pair* pair)
{
   static const HChar* const specs[] = {"cob=", "cfi=", "cfn="};
   ULong nothing[EVENTS_MAX + DATA_ALLOC_COLUMNS] = {0};
   Position from = place(w, pair->from->offset);
   Position to = place(w, pair->to->offset);
   write_data(w, specs, pair->to->object);
   cg2_scribe_calls(&w->out.scribe, pair->count, &to);
   write_costs(w, &from, nothing);
}

/* `number` is that of the first function that stands for pairs. */
static void write_pairs(DataWriter* w, UInt number, UInt tid)
{
   UWord n;
   Pair** all = cg2_pairs_all(&n, tid);
   for (UWord i = 0; i < n; i++) {
      if (!i || !cg2_pairs_are_alike(all[i - 1], all[i])) {
         if (i) cg2_scribe_end_line(&w->out.scribe);
         write_pair_head(w, all[i], number++);
      }
      write_pair(w, all[i]);
   }
   if (n) cg2_scribe_end_line(&w->out.scribe);
   VG_(free)(all);
}

/*--- Header -------------------------------------------------------------*/

static void write_sum(DataWriter* w, const HChar* key, const ULong* sum)
{
   cg2_scribe_sum(&w->out.scribe, key, sum,
                  cg2_datacolumns_count(&w->items.columns));
}

/* Writes how much of each event is known to be of some object. */
static void write_attributed(DataWriter* w, const ULong* total, UInt tid)
{
   const DataColumns* c = &w->items.columns;
   ULong known[EVENTS_MAX + DATA_ALLOC_COLUMNS] = {0};
   cg2_dataitems_attributed(&w->items, tid, known);
   cg2_scribe_text(&w->out.scribe, "desc: Attributed:");
   for (UInt i = 0; i < c->n_events; i++) {
      HChar text[64];
      ULong all = total[c->events[i]];
      ULong share = all ? known[i] * 10000 / all : 10000;
      VG_(sprintf)(text, " %s %llu.%02llu %%", cg2_event_name(c->events[i]),
                   share / 100, share % 100);
      cg2_scribe_text(&w->out.scribe, text);
   }
   cg2_scribe_end_line(&w->out.scribe);
}

static void write_events(DataWriter* w)
{
   const DataColumns* c = &w->items.columns;
   for (UInt i = 0; i < c->n_events; i++) {
      const HChar* meaning = cg2_event_meaning(c->events[i]);
      if (!meaning) continue;
      cg2_scribe_text(&w->out.scribe, "event: ");
      cg2_scribe_text(&w->out.scribe, cg2_event_name(c->events[i]));
      cg2_scribe_key(&w->out.scribe, " : ", meaning);
   }
   cg2_scribe_text(&w->out.scribe, "events:");
   for (UInt i = 0; i < c->n_events; i++) {
      cg2_scribe_text(&w->out.scribe, " ");
      cg2_scribe_text(&w->out.scribe, cg2_event_name(c->events[i]));
   }
   cg2_scribe_text(&w->out.scribe, " Alloc AllocBytes\n");
}

static void
write_header(DataWriter* w, const WriterHeader* header, const ULong* total)
{
   ULong sum[EVENTS_MAX + DATA_ALLOC_COLUMNS];
   UInt n = w->items.columns.n_events;
   project(w, total, sum);
   for (UInt i = 1; !header->thread && i <= cg2_dataobject_count(); i++) {
      sum[n + DATA_ALLOC] += cg2_dataobject_number(i)->n_blocks;
      sum[n + DATA_ALLOC_BYTES] += cg2_dataobject_number(i)->n_bytes;
   }
   cg2_heading_write(&w->out.scribe, header, NULL);
   cg2_scribe_key(&w->out.scribe, "desc: Data: ",
                  cg2_touches_config.mode == DATA_MISSES ? "misses"
                                                         : "accesses");
   write_attributed(w, total, header->thread);
   cg2_scribe_columns(&w->out.scribe);
   write_events(w);
   write_sum(w, "summary:", sum);
   cg2_scribe_text(&w->out.scribe, "\n\n");
}

void cg2_datawriter_write(Sink* sink,
                          const WriterConfig* config,
                          const WriterHeader* header,
                          const ULong* total)
{
   WriterConfig own = *config;
   ULong sum[EVENTS_MAX + DATA_ALLOC_COLUMNS] = {0};
   own.positions = (PositionConfig){
      .has = {[POSITION_INSTR] = True, [POSITION_LINE] = True}};
   UInt n_names = cg2_code.object_names.n, n_contexts = cg2_context_count();
   /* Writing makes objects for what no touch has: one for each ELF object. */
   UInt n_functions = n_contexts + cg2_dataobject_count() + n_names + 2;
   DataWriter w = {.out = cg2_namewriter_new(sink, &own,
                                             n_names + ELF_USES * (n_names + 1),
                                             n_functions + cg2_pairs_n()),
                   .view.positions = own.positions,
                   .unknown = cg2_names_intern(&cg2_code.file_names, "???"),
                   .n_object_names = n_names,
                   .n_contexts = n_contexts};
   cg2_dataitems_init(&w.items);
   write_header(&w, header, total);
   write_contexts(&w, header->thread);
   cg2_dataitems_end(&w.items, !header->thread);
   write_objects(&w, sum);
   write_pairs(&w, n_functions, header->thread);
   write_sum(&w, "totals:", sum);
   cg2_dataitems_free(&w.items);
   cg2_view_free(&w.view);
   cg2_namewriter_free(&w.out);
}
