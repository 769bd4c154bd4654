#include "profile/callgrind/writer.h"

#include "profile/callgrind/heading.h"
#include "profile/callgrind/selection.h"
#include "profile/callgrind/view.h"

/* A part that is being written. */
typedef struct Writer {
   Scribe scribe;
   View view;
   NameIds objects, files, functions;
   const Object* object; /* the object that was named last */
   const Name* file;     /* the file of the cost lines that follow */
   Cost sum;             /* of the self costs that were written */
} Writer;

/*--- Names --------------------------------------------------------------*/

static void write_object(Writer* w, const HChar* spec, const Object* object)
{
   cg2_scribe_name(&w->scribe, spec, object->name->text, &w->objects,
                   object->name->number);
}

static void write_file(Writer* w, const HChar* spec, const Name* file)
{
   cg2_scribe_name(&w->scribe, spec, file->text, &w->files, file->number);
}

/* Names a context. Readers take an id for one function, of one object and file,
 * so each context has an id. */
static void write_function(Writer* w, const HChar* spec, const Context* context)
{
   cg2_scribe_name(&w->scribe, spec, context->name->text, &w->functions,
                   context->number);
}

/* Names the file of the lines that follow, unless it is the same: "fi=" for
 * code from another file, "fe=" back in the function's own. */
static void change_file(Writer* w, const Name* file)
{
   if (file == w->file) return;
   const Name* own = w->view.context->function->file;
   write_file(w, file == own ? "fe=" : "fi=", file);
   w->file = file;
}

static void write_cost_line(Writer* w, const Position* at, const ULong* cost)
{
   cg2_scribe_cost_line(&w->scribe, at, cost, cg2_event_count);
}

/*--- Body ---------------------------------------------------------------*/

static void write_self(Writer* w, const CostItem* cost)
{
   const ULong* self = cg2_items_vector(&w->view.items, cost->self);
   change_file(w, cost->at.file);
   write_cost_line(w, &cost->at, self);
   cg2_cost_add(w->sum.of, self);
}

static void write_call(Writer* w, const CallItem* call)
{
   const Function* callee = call->callee->function;
   change_file(w, call->at.file);
   if (callee->object != w->object) write_object(w, "cob=", callee->object);
   write_file(w, "cfi=", callee->file);
   write_function(w, "cfn=", call->callee);
   Position entry = cg2_position_of_entry(&w->view.positions, callee);
   cg2_scribe_calls(&w->scribe, call->count, &entry);
   write_cost_line(w, &call->at,
                   cg2_items_vector(&w->view.items, call->inclusive));
}

/* Names the file that a jump leads to. Some readers do not learn a name from
 * "jfi=", so the name is defined before. */
static void write_target_file(Writer* w, const JumpItem* jump)
{
   if (jump->target.file == jump->at.file) return;
   if (w->scribe.config->compress_strings &&
       cg2_scribe_names(&w->scribe, &w->files, jump->target.file->number)) {
      change_file(w, jump->target.file);
      change_file(w, jump->at.file);
   }
   write_file(w, w->scribe.config->is_as_specified ? "cfi=" : "jfi=",
              jump->target.file);
}

/* Writes "jcnd=taken/executed", or, as specified, "jcnd=executed taken". */
static void write_jump_counts(Writer* w, const JumpItem* jump)
{
   Bool is_as_specified = w->scribe.config->is_as_specified;
   cg2_scribe_text(&w->scribe, jump->is_conditional ? "jcnd=" : "jump=");
   cg2_sink_decimal(w->scribe.sink,
                    is_as_specified ? jump->executed : jump->taken);
   if (!jump->is_conditional) return;
   cg2_sink_char(w->scribe.sink, is_as_specified ? ' ' : '/');
   cg2_sink_decimal(w->scribe.sink,
                    is_as_specified ? jump->taken : jump->executed);
}

static void write_jump(Writer* w, const JumpItem* jump)
{
   change_file(w, jump->at.file);
   write_target_file(w, jump);
   write_jump_counts(w, jump);
   cg2_sink_char(w->scribe.sink, ' ');
   cg2_scribe_position(&w->scribe, &jump->target);
   cg2_scribe_text(&w->scribe, " \n");
   cg2_scribe_position(&w->scribe, &jump->at);
   cg2_scribe_text(&w->scribe, " \n");
   w->scribe.last = jump->at;
   w->scribe.has_last = True;
}

static void write_function_head(Writer* w, const Context* context)
{
   const Function* f = context->function;
   if (f->object != w->object) write_object(w, "ob=", f->object);
   write_file(w, "fl=", f->file);
   write_function(w, "fn=", context);
   w->object = f->object;
   w->file = f->file;
   w->scribe.has_last = False;
}

/* How many calls and jumps of a context have been written. */
typedef struct Written {
   UInt calls, jumps;
} Written;

static Bool is_before(const Writer* w, const Position* a, const Position* b)
{
   return !b || cg2_position_compare(a, b, w->view.context->function->file) < 0;
}

/* Writes the calls before position `end`; for NULL, all that remain. */
static void write_calls(Writer* w, Written* written, const Position* end)
{
   const Items* items = &w->view.items;
   while (written->calls < items->n_calls &&
          is_before(w, &items->calls[written->calls].at, end))
      write_call(w, &items->calls[written->calls++]);
}

static void
write_calls_and_jumps(Writer* w, Written* written, const Position* end)
{
   const Items* items = &w->view.items;
   while (written->jumps < items->n_jumps) {
      const JumpItem* jump = &items->jumps[written->jumps];
      if (!is_before(w, &jump->at, end)) break;
      write_calls(w, written, &jump->at);
      write_jump(w, jump);
      written->jumps++;
   }
   write_calls(w, written, end);
}

/* Writes costs, jumps and calls in one sequence by position; what is at the
 * same position, in that order. */
static void write_context(Writer* w, const Context* context)
{
   const Items* items = &w->view.items;
   Written written = {0};
   cg2_view_fill(&w->view, context);
   write_function_head(w, context);
   for (UInt cost = 0; cost < items->n_costs; cost++) {
      write_calls_and_jumps(w, &written, &items->costs[cost].at);
      write_self(w, &items->costs[cost]);
   }
   write_calls_and_jumps(w, &written, NULL);
   cg2_scribe_end_line(&w->scribe);
}

static void write_body(Writer* w, UInt tid)
{
   UInt n;
   const Context** contexts = cg2_selection_contexts(&n, tid);
   for (UInt i = 0; i < n; i++)
      write_context(w, contexts[i]);
   if (contexts) VG_(free)(contexts);
}

/*--- All ----------------------------------------------------------------*/

static void write_sum(Scribe* s, const HChar* key, const ULong* cost)
{
   cg2_scribe_text(s, key);
   cg2_scribe_cost(s, cost, cg2_event_count);
   cg2_scribe_end_line(s);
}

Cost cg2_writer_write(Sink* sink,
                      const WriterConfig* config,
                      const WriterHeader* header,
                      const ULong* total)
{
   Writer w = {.scribe = {.sink = sink, .config = config},
               .view.positions = config->positions,
               .objects = cg2_nameids_new(cg2_code.object_names.n),
               .files = cg2_nameids_new(cg2_code.file_names.n),
               .functions = cg2_nameids_new(cg2_context_count())};
   cg2_heading_write(&w.scribe, header);
   cg2_scribe_columns(&w.scribe);
   cg2_heading_write_events(&w.scribe);
   write_sum(&w.scribe, "summary:", total);
   cg2_scribe_text(&w.scribe, "\n\n");
   write_body(&w, header->thread);
   write_sum(&w.scribe, "totals:", w.sum.of);
   cg2_view_free(&w.view);
   cg2_nameids_free(&w.objects);
   cg2_nameids_free(&w.files);
   cg2_nameids_free(&w.functions);
   return w.sum;
}
