#include "profile/callgrind/heading.h"

#include "code/code.h"
#include "engine/threads.h"
#include "events/eventsconfig.h"
#include "profile/callgrind/forwardlist.h"
#include "profile/callgrind/selection.h"

/* Names the skipped functions, which the body does not name, as their costs are
 * their callers'. */
static void write_skipped(Scribe* s, UInt tid)
{
   UInt n;
   SkippedFunction* skipped = cg2_selection_skipped(&n, tid);
   for (UInt i = 0; i < n; i++) {
      cg2_scribe_text(s, "desc: Skipped: ");
      cg2_sink_decimal(s->sink, skipped[i].count);
      cg2_sink_char(s->sink, ' ');
      cg2_scribe_escaped(s, skipped[i].function->name->text);
      cg2_scribe_end_line(s);
   }
   if (skipped) VG_(free)(skipped);
}

/* Writes what is said once in a file. */
static void write_program(Scribe* s, const WriterHeader* h)
{
   cg2_scribe_key(s, "# ", h->format ? h->format : "callgrind format");
   cg2_scribe_text(s, "version: 1\n");
   cg2_scribe_key(s, "creator: ", h->creator);
   cg2_scribe_key_number(s, "pid: ", h->pid);
   cg2_scribe_key(s, "cmd:  ", h->command);
}

static void write_caches(Scribe* s, const WriterHeader* h)
{
   static const HChar* const keys[] = {
      "desc: I1 cache: ", "desc: D1 cache: ", "desc: LL cache: "};
   cg2_scribe_text(s, "\n\n");
   for (UInt i = 0; i < 3; i++)
      cg2_scribe_key(s, keys[i], h->caches[i] ? h->caches[i] : "");
   cg2_scribe_text(s, "\n");
}

/*--- What ran, and when --------------------------------------------------*/

/* A day of the calendar. */
typedef struct Day {
   UInt year, month, day;
} Day;

static Bool is_leap_year(UInt year)
{
   return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* The day that comes so many days after the first of 1970. */
static Day day_after(ULong days)
{
   static const UChar lengths[] = {31, 28, 31, 30, 31, 30,
                                   31, 31, 30, 31, 30, 31};
   Day d = {.year = 1970, .month = 1};
   for (UInt n; (n = 365 + is_leap_year(d.year)) <= days; d.year++)
      days -= n;
   for (UInt n; (n = lengths[d.month - 1] +
                     (d.month == 2 && is_leap_year(d.year))) <= days;
        d.month++)
      days -= n;
   d.day = days + 1;
   return d;
}

static void write_started(Scribe* s, ULong microseconds)
{
   enum { MILLION = 1000000, DAY = 24 * 60 * 60 };
   HChar text[64];
   ULong seconds = microseconds / MILLION;
   UInt in_day = seconds % DAY;
   Day d = day_after(seconds / DAY);
   VG_(sprintf)
   (text, "%04u-%02u-%02u %02u:%02u:%02u.%06u UTC", d.year, d.month, d.day,
    in_day / 3600, in_day / 60 % 60, in_day % 60,
    (UInt)(microseconds % MILLION));
   cg2_scribe_key(s, "desc: Started: ", text);
}

/* Whether the header names the object: it is a file that a list with tabs
 * between its words can name, and code of it ran. */
static Bool is_listed(const Object* object)
{
   return object->has_functions && object->identity &&
          !VG_(strrchr)(object->name->text, '\t');
}

/* Names the files that ran, and what tells them from others. */
static void write_objects(Scribe* s)
{
   Bool has_any = False;
   const Table* objects = &cg2_code.objects;
   for (UWord i = 0; i < objects->n_buckets; i++)
      for (TableNode* n = objects->buckets[i]; n; n = n->next) {
         const Object* object = (const Object*)n;
         if (!is_listed(object)) continue;
         cg2_scribe_text(s, has_any ? "\t" : "desc: Objects: ");
         cg2_scribe_text(s, object->identity);
         cg2_sink_char(s->sink, ' ');
         cg2_scribe_escaped(s, object->name->text);
         has_any = True;
      }
   if (has_any) cg2_scribe_end_line(s);
}

/* Names the threads that the program has given names; of a part of one thread,
 * this one. */
static void write_threads(Scribe* s, UInt thread)
{
   Bool has_any = False;
   UInt last = thread ? thread : cg2_threads_last();
   for (UInt t = thread ? thread : 1; t <= last; t++) {
      const HChar* names = cg2_threads_names(t);
      if (!names) continue;
      cg2_scribe_text(s, has_any ? "\t" : "desc: Threads: ");
      cg2_sink_decimal(s->sink, t);
      cg2_sink_char(s->sink, ' ');
      cg2_scribe_escaped(s, names);
      has_any = True;
   }
   if (has_any) cg2_scribe_end_line(s);
}

/*--- All -----------------------------------------------------------------*/

/* Writes what is counted in descriptions. */
static void write_counts(Scribe* s, const WriterHeader* h, const Rounds* rounds)
{
   const Forwarding* forwarding = cg2_events_config.accesses.forwarding;
   cg2_rounds_write(s, rounds);
   if (forwarding)
      cg2_forwardlist_write(s, forwarding, h->thread, rounds->instrs);
}

/* Writes the lines about where the part is from and when. */
static void
write_descriptions(Scribe* s, const WriterHeader* h, const Rounds* rounds)
{
   if (h->started) write_started(s, h->started);
   write_objects(s);
   write_threads(s, h->thread);
   if (h->parent) cg2_scribe_key_number(s, "desc: Parent: ", h->parent);
   if (h->image) cg2_scribe_key_number(s, "desc: Image: ", h->image);
   if (h->cpu) cg2_scribe_key(s, "desc: CPU: ", h->cpu);
   if (rounds && !s->config->is_as_specified) write_counts(s, h, rounds);
   if (h->descriptions) cg2_scribe_text(s, h->descriptions);
   cg2_scribe_text(s, "desc: Timerange: Basic block ");
   cg2_sink_decimal(s->sink, h->blocks.first);
   cg2_scribe_key_number(s, " - ", h->blocks.last);
   cg2_scribe_text(s, "desc: Trigger: ");
   cg2_scribe_escaped(s, h->trigger);
   cg2_scribe_end_line(s);
   write_skipped(s, h->thread);
   cg2_scribe_end_line(s);
}

void cg2_heading_write(Scribe* s, const WriterHeader* h, const Rounds* rounds)
{
   if (h->follows)
      cg2_scribe_end_line(s);
   else
      write_program(s, h);
   cg2_scribe_key_number(s, "part: ", h->part);
   if (h->thread) cg2_scribe_key_number(s, "thread: ", h->thread);
   if (h->follows)
      cg2_scribe_end_line(s);
   else if (!s->config->is_as_specified)
      write_caches(s, h);
   write_descriptions(s, h, rounds);
}

/*--- Events -------------------------------------------------------------*/

static void write_derived(Scribe* s)
{
   const DerivedEvent* e;
   for (UInt i = 0; (e = cg2_event_derived(i)); i++) {
      cg2_scribe_text(s, "event: ");
      cg2_scribe_text(s, e->name);
      cg2_scribe_text(s, " = ");
      cg2_scribe_text(s, e->formula);
      cg2_scribe_key(s, " : ", e->meaning);
   }
}

void cg2_heading_write_events(Scribe* s)
{
   for (UInt e = 0; e < cg2_events.n; e++) {
      if (!cg2_event_meaning(e)) continue;
      cg2_scribe_text(s, "event: ");
      cg2_scribe_text(s, cg2_event_name(e));
      cg2_scribe_key(s, " : ", cg2_event_meaning(e));
   }
   write_derived(s);
   cg2_scribe_text(s, "events:");
   for (UInt e = 0; e < cg2_events.n; e++) {
      cg2_sink_char(s->sink, ' ');
      cg2_scribe_text(s, cg2_event_name(e));
   }
   cg2_scribe_end_line(s);
}
