#include "profile/callgrind/writer.h"

#include "profile/callgrind/heading.h"
#include "profile/callgrind/namewriter.h"
#include "profile/callgrind/selection.h"
#include "profile/callgrind/view.h"

/* A part that is being written. */
typedef struct PartWriter {
   NameWriter out;
   View view;
   Cost sum; /* of the self costs that were written */
} PartWriter;

/*--- Body ---------------------------------------------------------------*/

static void
write_cost_line(PartWriter* w, const Position* at, const ULong* cost)
{
   cg2_scribe_cost_line(&w->out.scribe, at, cost, cg2_events.n);
}

static void write_self(PartWriter* w, const CostItem* cost)
{
   const ULong* self = cg2_items_vector(&w->view.items, cost->self);
   cg2_namewriter_change_file(&w->out, cost->at.file);
   write_cost_line(w, &cost->at, self);
   cg2_cost_add(w->sum.of, self);
}

static void write_call(PartWriter* w, const CallItem* call)
{
   const Function* callee = call->callee->function;
   Position entry = cg2_position_of_entry(&w->view.positions, callee);
   cg2_namewriter_change_file(&w->out, call->at.file);
   cg2_namewriter_callee(&w->out, call->callee);
   cg2_scribe_calls(&w->out.scribe, call->count, &entry);
   write_cost_line(w, &call->at,
                   cg2_items_vector(&w->view.items, call->inclusive));
}

/* Names the file that a jump leads to. Some readers do not learn a name from
 * "jfi=", so the name is defined before. */
static void write_target_file(PartWriter* w, const JumpItem* jump)
{
   if (jump->target.file == jump->at.file) return;
   if (w->out.scribe.config->compress_strings &&
       cg2_scribe_names(&w->out.scribe, &w->out.files,
                        jump->target.file->number)) {
      cg2_namewriter_change_file(&w->out, jump->target.file);
      cg2_namewriter_change_file(&w->out, jump->at.file);
   }
   cg2_namewriter_file(&w->out,
                       w->out.scribe.config->is_as_specified ? "cfi=" : "jfi=",
                       jump->target.file);
}

/* Writes "jcnd=taken/executed", or, as specified, "jcnd=executed taken". */
static void write_jump_counts(PartWriter* w, const JumpItem* jump)
{
   Bool is_as_specified = w->out.scribe.config->is_as_specified;
   cg2_scribe_text(&w->out.scribe, jump->is_conditional ? "jcnd=" : "jump=");
   cg2_sink_decimal(w->out.scribe.sink,
                    is_as_specified ? jump->executed : jump->taken);
   if (!jump->is_conditional) return;
   cg2_sink_char(w->out.scribe.sink, is_as_specified ? ' ' : '/');
   cg2_sink_decimal(w->out.scribe.sink,
                    is_as_specified ? jump->taken : jump->executed);
}

static void write_jump(PartWriter* w, const JumpItem* jump)
{
   cg2_namewriter_change_file(&w->out, jump->at.file);
   write_target_file(w, jump);
   write_jump_counts(w, jump);
   cg2_sink_char(w->out.scribe.sink, ' ');
   cg2_scribe_position(&w->out.scribe, &jump->target);
   cg2_scribe_text(&w->out.scribe, " \n");
   cg2_scribe_position(&w->out.scribe, &jump->at);
   cg2_scribe_text(&w->out.scribe, " \n");
   w->out.scribe.last = jump->at;
   w->out.scribe.has_last = True;
}

/* How many calls and jumps of a context have been written. */
typedef struct Written {
   UInt calls, jumps;
} Written;

static Bool is_before(const PartWriter* w, const Position* a, const Position* b)
{
   return !b || cg2_position_compare(a, b, w->out.own) < 0;
}

/* Writes the calls before position `end`; for NULL, all that remain. */
static void write_calls(PartWriter* w, Written* written, const Position* end)
{
   const Items* items = &w->view.items;
   while (written->calls < items->n_calls &&
          is_before(w, &items->calls[written->calls].at, end))
      write_call(w, &items->calls[written->calls++]);
}

static void
write_calls_and_jumps(PartWriter* w, Written* written, const Position* end)
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
static void write_context(PartWriter* w, const Context* context)
{
   const Items* items = &w->view.items;
   Written written = {0};
   const Object* object = context->function->object;
   cg2_view_fill(&w->view, context);
   if (object != w->out.object) cg2_namewriter_object(&w->out, "ob=", object);
   cg2_namewriter_begin(&w->out, context);
   for (UInt cost = 0; cost < items->n_costs; cost++) {
      write_calls_and_jumps(w, &written, &items->costs[cost].at);
      write_self(w, &items->costs[cost]);
   }
   write_calls_and_jumps(w, &written, NULL);
   cg2_scribe_end_line(&w->out.scribe);
}

/* Writes what was counted and no function has, as a function's, so that the
 * sums of the file agree: the tool has a fault. Where functions have more than
 * was counted, the sums tell. */
static void write_rest(PartWriter* w, const ULong* total)
{
   static const Position nowhere;
   Cost rest = {{0}};
   for (UInt e = 0; e < cg2_events.n; e++)
      if (total[e] > w->sum.of[e]) rest.of[e] = total[e] - w->sum.of[e];
   if (cg2_cost_is_zero(rest.of)) return;
   cg2_scribe_text(&w->out.scribe, "ob=???\nfl=???\nfn=[in no function]\n");
   w->out.scribe.has_last = False;
   write_cost_line(w, &nowhere, rest.of);
   cg2_scribe_end_line(&w->out.scribe);
   cg2_cost_add(w->sum.of, rest.of);
}

/*--- All ----------------------------------------------------------------*/

/* Writes the heading, with the rounds that no event counts. */
static void write_heading(PartWriter* w,
                          const WriterHeader* header,
                          const Context* const* contexts,
                          UInt n,
                          ULong instrs)
{
   Rounds rounds = cg2_rounds_count(contexts, n, instrs);
   cg2_heading_write(&w->out.scribe, header, &rounds);
   cg2_rounds_free(&rounds);
}

Cost cg2_writer_write(Sink* sink,
                      const WriterConfig* config,
                      const WriterHeader* header,
                      const ULong* total)
{
   PartWriter w = {.out =
                      cg2_namewriter_new(sink, config, cg2_code.object_names.n,
                                         cg2_context_count()),
                   .view.positions = config->positions};
   UInt n;
   const Context** contexts = cg2_selection_contexts(&n, header->thread);
   write_heading(&w, header, contexts, n, total[EVENT_IR]);
   cg2_scribe_columns(&w.out.scribe);
   cg2_heading_write_events(&w.out.scribe);
   cg2_scribe_sum(&w.out.scribe, "summary:", total, cg2_events.n);
   cg2_scribe_text(&w.out.scribe, "\n\n");
   for (UInt i = 0; i < n; i++)
      write_context(&w, contexts[i]);
   Cost sum = w.sum;
   write_rest(&w, total);
   cg2_scribe_sum(&w.out.scribe, "totals:", w.sum.of, cg2_events.n);
   if (contexts) VG_(free)(contexts);
   cg2_view_free(&w.view);
   cg2_namewriter_free(&w.out);
   return sum;
}
