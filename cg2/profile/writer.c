#include "profile/writer.h"

#include "profile/selection.h"

/* A position is written as a difference when that is less than this. Source:
 * Callgrind's files. */
enum { NEAR = 100 };

/* A part that is being written. */
typedef struct Writer {
   Sink* sink;
   const WriterConfig* config;
   View view;
   /* The ids of this part, from 1 in order of first use. */
   struct Ids {
      UInt* of;  /* by number of the name, or of the context; 0: no id yet */
      UInt last; /* the id that was given last */
   } objects, files, functions;
   const Object* object; /* the object that was named last */
   const Name* file;     /* the file of the cost lines that follow */
   Bool has_last;        /* a cost line was written in this function */
   Position last;        /* of the last cost line */
   Cost sum;             /* of the self costs that were written */
} Writer;

/*--- Lines --------------------------------------------------------------*/

static void end_line(Writer* w)
{
   cg2_sink_char(w->sink, '\n');
}

static void write_text(Writer* w, const HChar* text)
{
   cg2_sink_text(w->sink, text);
}

/* Writes text that may hold newlines, as a name or a trigger may, in one line.
 */
static void write_escaped(Writer* w, const HChar* text)
{
   for (; *text; text++)
      if (*text == '\n')
         write_text(w, "\\n");
      else
         cg2_sink_char(w->sink, *text);
}

/* Writes "spec=(id) name" the first time, then "spec=(id)". */
static void write_name(
   Writer* w, const HChar* spec, const Name* name, struct Ids* ids, UInt number)
{
   write_text(w, spec);
   if (!w->config->compress_strings) {
      write_escaped(w, name->text);
      end_line(w);
      return;
   }
   Bool is_new = ids->of[number] == 0;
   if (is_new) ids->of[number] = ++ids->last;
   cg2_sink_char(w->sink, '(');
   cg2_sink_decimal(w->sink, ids->of[number]);
   cg2_sink_char(w->sink, ')');
   if (is_new) {
      cg2_sink_char(w->sink, ' ');
      write_escaped(w, name->text);
   }
   end_line(w);
}

static void write_object(Writer* w, const HChar* spec, const Object* object)
{
   write_name(w, spec, object->name, &w->objects, object->name->number);
}

static void write_file(Writer* w, const HChar* spec, const Name* file)
{
   write_name(w, spec, file, &w->files, file->number);
}

/* Names a context. Readers take an id for one function, of one object and file,
 * so each context has an id. */
static void write_function(Writer* w, const HChar* spec, const Context* context)
{
   write_name(w, spec, context->name, &w->functions, context->number);
}

/* Writes the costs of all events. Zeros at the end are left out, but for the
 * first event. */
static void write_cost(Writer* w, const ULong* cost)
{
   UInt n = cg2_event_count;
   while (n > 1 && cost[n - 1] == 0)
      n--;
   for (UInt e = 0; e < n; e++) {
      cg2_sink_char(w->sink, ' ');
      cg2_sink_decimal(w->sink, cost[e]);
   }
}

/* Writes a subposition, relative to that of the last cost line if it is near.
 */
static void write_number(Writer* w, ULong now, ULong last, Bool is_hex)
{
   if (w->config->compress_positions && w->has_last) {
      ULong distance = now < last ? last - now : now - last;
      if (distance == 0) {
         cg2_sink_char(w->sink, '*');
         return;
      }
      if (distance < NEAR) {
         cg2_sink_char(w->sink, now < last ? '-' : '+');
         cg2_sink_decimal(w->sink, distance);
         return;
      }
   }
   if (is_hex)
      cg2_sink_hex(w->sink, now);
   else
      cg2_sink_decimal(w->sink, now);
}

/* Writes the columns of a position, relative to the last cost line. */
static void write_position(Writer* w, const Position* at)
{
   Bool is_first = True;
   for (UInt s = 0; s < N_SUBPOSITIONS; s++) {
      if (!w->config->positions.has[s]) continue;
      if (!is_first) cg2_sink_char(w->sink, ' ');
      is_first = False;
      write_number(w, at->of[s], w->last.of[s], cg2_position_columns[s].is_hex);
   }
}

/* Ends a line of numbers. The grammar wants a blank behind each number of the
 * body. */
static void end_numbers(Writer* w)
{
   if (w->config->is_as_specified) cg2_sink_char(w->sink, ' ');
   end_line(w);
}

static void write_cost_line(Writer* w, const Position* at, const ULong* cost)
{
   write_position(w, at);
   write_cost(w, cost);
   end_numbers(w);
   w->last = *at;
   w->has_last = True;
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
   write_text(w, "calls=");
   cg2_sink_decimal(w->sink, call->count);
   cg2_sink_char(w->sink, ' ');
   Position entry = cg2_position_of_entry(&w->config->positions, callee);
   write_position(w, &entry);
   end_numbers(w);
   write_cost_line(w, &call->at,
                   cg2_items_vector(&w->view.items, call->inclusive));
}

static Bool is_named(const Writer* w, const Name* file)
{
   return !w->config->compress_strings || w->files.of[file->number];
}

/* Names the file that a jump leads to. Some readers do not learn a name from
 * "jfi=", so the name is defined before. */
static void write_target_file(Writer* w, const JumpItem* jump)
{
   if (jump->target.file == jump->at.file) return;
   if (!is_named(w, jump->target.file)) {
      change_file(w, jump->target.file);
      change_file(w, jump->at.file);
   }
   write_file(w,
              w->config->is_as_specified ? "cfi=" : "jfi=", jump->target.file);
}

/* Writes "jcnd=taken/executed", or, as specified, "jcnd=executed taken". */
static void write_jump_counts(Writer* w, const JumpItem* jump)
{
   Bool is_as_specified = w->config->is_as_specified;
   write_text(w, jump->is_conditional ? "jcnd=" : "jump=");
   cg2_sink_decimal(w->sink, is_as_specified ? jump->executed : jump->taken);
   if (!jump->is_conditional) return;
   cg2_sink_char(w->sink, is_as_specified ? ' ' : '/');
   cg2_sink_decimal(w->sink, is_as_specified ? jump->taken : jump->executed);
}

static void write_jump(Writer* w, const JumpItem* jump)
{
   change_file(w, jump->at.file);
   write_target_file(w, jump);
   write_jump_counts(w, jump);
   cg2_sink_char(w->sink, ' ');
   write_position(w, &jump->target);
   write_text(w, " \n");
   write_position(w, &jump->at);
   write_text(w, " \n");
   w->last = jump->at;
   w->has_last = True;
}

static void write_function_head(Writer* w, const Context* context)
{
   const Function* f = context->function;
   if (f->object != w->object) write_object(w, "ob=", f->object);
   write_file(w, "fl=", f->file);
   write_function(w, "fn=", context);
   w->object = f->object;
   w->file = f->file;
   w->has_last = False;
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
   end_line(w);
}

static void write_body(Writer* w, UInt tid)
{
   UInt n;
   const Context** contexts = cg2_selection_contexts(&n, tid);
   for (UInt i = 0; i < n; i++)
      write_context(w, contexts[i]);
   if (contexts) VG_(free)(contexts);
}

/*--- Header -------------------------------------------------------------*/

static void write_key(Writer* w, const HChar* key, const HChar* value)
{
   write_text(w, key);
   write_text(w, value);
   end_line(w);
}

static void write_key_number(Writer* w, const HChar* key, ULong value)
{
   write_text(w, key);
   cg2_sink_decimal(w->sink, value);
   end_line(w);
}

static void write_sum(Writer* w, const HChar* key, const ULong* cost)
{
   write_text(w, key);
   write_cost(w, cost);
   end_line(w);
}

static void write_derived(Writer* w)
{
   const DerivedEvent* e;
   for (UInt i = 0; (e = cg2_event_derived(i)); i++) {
      write_text(w, "event: ");
      write_text(w, e->name);
      write_text(w, " = ");
      write_text(w, e->formula);
      write_key(w, " : ", e->meaning);
   }
}

static void write_events(Writer* w)
{
   for (UInt e = 0; e < cg2_event_count; e++) {
      if (!cg2_event_meaning(e)) continue;
      write_text(w, "event: ");
      write_text(w, cg2_event_name(e));
      write_key(w, " : ", cg2_event_meaning(e));
   }
   write_derived(w);
   write_text(w, "events:");
   for (UInt e = 0; e < cg2_event_count; e++) {
      cg2_sink_char(w->sink, ' ');
      write_text(w, cg2_event_name(e));
   }
   end_line(w);
}

/* Names the skipped functions, which the body does not name, as their costs are
 * their callers'. */
static void write_skipped(Writer* w, UInt tid)
{
   UInt n;
   SkippedFunction* skipped = cg2_selection_skipped(&n, tid);
   for (UInt i = 0; i < n; i++) {
      write_text(w, "desc: Skipped: ");
      cg2_sink_decimal(w->sink, skipped[i].count);
      cg2_sink_char(w->sink, ' ');
      write_escaped(w, skipped[i].function->name->text);
      end_line(w);
   }
   if (skipped) VG_(free)(skipped);
}

static void write_columns(Writer* w)
{
   write_text(w, "positions:");
   for (UInt s = 0; s < N_SUBPOSITIONS; s++) {
      if (!w->config->positions.has[s]) continue;
      cg2_sink_char(w->sink, ' ');
      write_text(w, cg2_position_columns[s].name);
   }
   end_line(w);
}

/* Writes what is said once in a file. */
static void write_program(Writer* w, const WriterHeader* h)
{
   write_text(w, "# callgrind format\nversion: 1\n");
   write_key(w, "creator: ", h->creator);
   write_key_number(w, "pid: ", h->pid);
   write_key(w, "cmd:  ", h->command);
}

static void write_caches(Writer* w, const WriterHeader* h)
{
   static const HChar* const keys[] = {
      "desc: I1 cache: ", "desc: D1 cache: ", "desc: LL cache: "};
   write_text(w, "\n\n");
   for (UInt i = 0; i < 3; i++)
      write_key(w, keys[i], h->caches[i] ? h->caches[i] : "");
   write_text(w, "\n");
}

/* Writes the lines about where the part is from and when. */
static void write_descriptions(Writer* w, const WriterHeader* h)
{
   if (h->parent) write_key_number(w, "desc: Parent: ", h->parent);
   if (h->image) write_key_number(w, "desc: Image: ", h->image);
   if (h->cpu) write_key(w, "desc: CPU: ", h->cpu);
   if (h->descriptions) write_text(w, h->descriptions);
   write_text(w, "desc: Timerange: Basic block ");
   cg2_sink_decimal(w->sink, h->first_block);
   write_key_number(w, " - ", h->last_block);
   write_text(w, "desc: Trigger: ");
   write_escaped(w, h->trigger);
   end_line(w);
   write_skipped(w, h->thread);
   end_line(w);
}

static void write_header(Writer* w, const WriterHeader* h, const ULong* total)
{
   if (h->follows)
      end_line(w);
   else
      write_program(w, h);
   write_key_number(w, "part: ", h->part);
   if (h->thread) write_key_number(w, "thread: ", h->thread);
   if (h->follows)
      end_line(w);
   else if (!w->config->is_as_specified)
      write_caches(w, h);
   write_descriptions(w, h);
   write_columns(w);
   write_events(w);
   write_sum(w, "summary:", total);
   write_text(w, "\n\n");
}

static struct Ids new_ids(UInt n)
{
   UInt* of = VG_(calloc)("cg2.writer", n + 1, sizeof *of);
   return (struct Ids){.of = of};
}

Cost cg2_writer_write(Sink* sink,
                      const WriterConfig* config,
                      const WriterHeader* header,
                      const ULong* total)
{
   Writer w = {
      .sink = sink, .config = config, .view.positions = config->positions};
   w.objects = new_ids(cg2_code.object_names.n);
   w.files = new_ids(cg2_code.file_names.n);
   w.functions = new_ids(cg2_context_count());
   write_header(&w, header, total);
   write_body(&w, header->thread);
   write_sum(&w, "totals:", w.sum.of);
   cg2_view_free(&w.view);
   VG_(free)(w.objects.of);
   VG_(free)(w.files.of);
   VG_(free)(w.functions.of);
   return w.sum;
}
