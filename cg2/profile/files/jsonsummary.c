#include "profile/files/jsonsummary.h"

#include "base/json.h"
#include "engine/threads.h"
#include "profile/callgrind/selection.h"

/* What is kept of a part that was written. */
typedef struct NotedPart {
   UInt number, thread;
   HChar *trigger, *path; /* path: NULL if the part is lost */
   ULong* total;          /* one word for each event */
} NotedPart;

/* Reason for a mutable file-scope object: the parts of one process. */
static struct {
   NotedPart* parts;
   UInt n, capacity; /* parts that there are; that there is room for */
   Bool* is_object;  /* by number of the name: the parts name that object */
   UInt n_objects;   /* entries of is_object */
} noted;

/*--- Noting -------------------------------------------------------------*/

static HChar* copy_of(const HChar* text)
{
   return text ? VG_(strdup)("cg2.summary", text) : NULL;
}

static void free_part(NotedPart* part)
{
   VG_(free)(part->trigger);
   if (part->path) VG_(free)(part->path);
   VG_(free)(part->total);
}

static void note_object(const Object* object)
{
   UInt number = object->name->number;
   if (number >= noted.n_objects) {
      UInt n = 2 * (number + 1);
      noted.is_object =
         VG_(realloc)("cg2.summary", noted.is_object, n * sizeof(Bool));
      VG_(memset)(noted.is_object + noted.n_objects, 0,
                  (n - noted.n_objects) * sizeof(Bool));
      noted.n_objects = n;
   }
   noted.is_object[number] = True;
}

/* Notes the objects of all functions that a part of the thread, or, for 0, of
 * all, mentions. */
static void note_objects(UInt thread)
{
   UInt n;
   const Context** contexts = cg2_selection_contexts(&n, thread);
   for (UInt i = 0; i < n; i++)
      note_object(contexts[i]->function->object);
   if (contexts) VG_(free)(contexts);
}

void cg2_jsonsummary_note(const WriterHeader* header,
                          const ULong* total,
                          const HChar* path)
{
   if (noted.n == noted.capacity) {
      noted.capacity = noted.capacity ? 2 * noted.capacity : 4;
      noted.parts = VG_(realloc)("cg2.summary", noted.parts,
                                 noted.capacity * sizeof *noted.parts);
   }
   NotedPart* part = &noted.parts[noted.n++];
   *part = (NotedPart){
      .number = header->part,
      .thread = header->thread,
      .trigger = copy_of(header->trigger),
      .path = copy_of(path),
      .total = VG_(calloc)("cg2.summary", cg2_events.n, sizeof *part->total),
   };
   cg2_cost_add(part->total, total);
   note_objects(header->thread);
}

void cg2_jsonsummary_drop(void)
{
   free_part(&noted.parts[--noted.n]);
}

void cg2_jsonsummary_clear(void)
{
   while (noted.n)
      cg2_jsonsummary_drop();
   if (noted.parts) VG_(free)(noted.parts);
   if (noted.is_object) VG_(free)(noted.is_object);
   VG_(memset)(&noted, 0, sizeof noted);
}

/*--- Costs --------------------------------------------------------------*/

/* The costs of all parts of a thread, or, for 0, of all. */
static Cost total_of(UInt thread)
{
   Cost total = {{0}};
   for (UInt i = 0; i < noted.n; i++)
      if (!thread || noted.parts[i].thread == thread)
         cg2_cost_add(total.of, noted.parts[i].total);
   return total;
}

/* Adds to *sum what the events of these three names cost. False: one of them is
 * not recorded. */
static Bool
add_named(ULong* sum, const ULong* cost, const HChar* const names[3])
{
   UInt n = 0;
   *sum = 0;
   for (UInt e = 0; e < cg2_events.n; e++)
      for (UInt i = 0; i < 3; i++)
         if (VG_(strcmp)(cg2_event_name(e), names[i]) == 0) {
            *sum += cost[e];
            n++;
         }
   return n == 3;
}

/* Writes what follows from the costs of caches: where accesses hit, and what
 * they are estimated to take; null where no caches are simulated. Source of the
 * weights: the harnesses iai and gungraun. */
static void write_derived(Json* json, const ULong* cost)
{
   static const HChar* const names[3][3] = {
      {"Ir", "Dr", "Dw"}, {"I1mr", "D1mr", "D1mw"}, {"ILmr", "DLmr", "DLmw"}};
   ULong all, first, last, cycles;
   cg2_json_key(json, "derived");
   if (!add_named(&all, cost, names[0]) || !add_named(&first, cost, names[1]) ||
       !add_named(&last, cost, names[2])) {
      cg2_json_text(json, NULL);
      return;
   }
   if (!cg2_event_cycles(cost, &cycles))
      cycles = all - first + 5 * (first - last) + 35 * last;
   cg2_json_begin(json, '{');
   cg2_json_key(json, "l1_hits");
   cg2_json_number(json, all - first);
   cg2_json_key(json, "ll_hits");
   cg2_json_number(json, first - last);
   cg2_json_key(json, "ram_hits");
   cg2_json_number(json, last);
   cg2_json_key(json, "estimated_cycles");
   cg2_json_number(json, cycles);
   cg2_json_end(json, '}');
}

static void write_costs(Json* json, const ULong* cost)
{
   cg2_json_key(json, "total");
   cg2_json_numbers(json, cost, cg2_events.n);
   write_derived(json, cost);
}

/*--- The object ---------------------------------------------------------*/

static void write_key_text(Json* json, const HChar* key, const HChar* text)
{
   cg2_json_key(json, key);
   cg2_json_text(json, text);
}

/* Writes a number, or null for 0. */
static void write_key_number(Json* json, const HChar* key, ULong number)
{
   cg2_json_key(json, key);
   if (number)
      cg2_json_number(json, number);
   else
      cg2_json_text(json, NULL);
}

static void write_caches(Json* json, const WriterHeader* header)
{
   static const HChar* const keys[] = {"I1", "D1", "LL"};
   cg2_json_key(json, "caches");
   if (!header->caches[0]) {
      cg2_json_text(json, NULL);
      return;
   }
   cg2_json_begin(json, '{');
   for (UInt i = 0; i < 3; i++)
      write_key_text(json, keys[i], header->caches[i]);
   cg2_json_end(json, '}');
}

static Int compare_texts(const void* a, const void* b)
{
   return VG_(strcmp)(*(const HChar* const*)a, *(const HChar* const*)b);
}

static void write_objects(Json* json)
{
   UInt n = 0;
   const HChar** texts =
      VG_(calloc)("cg2.summary", noted.n_objects + 1, sizeof *texts);
   for (UInt i = 0; i < noted.n_objects; i++)
      if (noted.is_object[i])
         texts[n++] = cg2_code.object_names.by_number[i]->text;
   VG_(ssort)(texts, n, sizeof *texts, compare_texts);
   cg2_json_key(json, "objects");
   cg2_json_begin(json, '[');
   for (UInt i = 0; i < n; i++)
      cg2_json_text(json, texts[i]);
   cg2_json_end(json, ']');
   VG_(free)(texts);
}

/* The smallest number of a thread above `thread` that has a part; 0: there is
 * none. */
static UInt next_thread(UInt thread)
{
   UInt next = 0;
   for (UInt i = 0; i < noted.n; i++) {
      UInt t = noted.parts[i].thread;
      if (t > thread && (!next || t < next)) next = t;
   }
   return next;
}

static void write_threads(Json* json)
{
   cg2_json_key(json, "threads");
   cg2_json_begin(json, '[');
   for (UInt t = next_thread(0); t; t = next_thread(t)) {
      Cost total = total_of(t);
      cg2_json_begin(json, '{');
      write_key_number(json, "thread", t);
      write_key_text(json, "name", cg2_threads_names(t));
      write_costs(json, total.of);
      cg2_json_end(json, '}');
   }
   cg2_json_end(json, ']');
}

static void write_parts(Json* json)
{
   cg2_json_key(json, "parts");
   cg2_json_begin(json, '[');
   for (UInt i = 0; i < noted.n; i++) {
      const NotedPart* part = &noted.parts[i];
      cg2_json_begin(json, '{');
      write_key_number(json, "part", part->number);
      write_key_number(json, "thread", part->thread);
      write_key_text(json, "trigger", part->trigger);
      write_key_text(json, "path", part->path);
      write_costs(json, part->total);
      cg2_json_end(json, '}');
   }
   cg2_json_end(json, ']');
}

static void write_process(Json* json, const WriterHeader* header)
{
   Cost total = total_of(0);
   cg2_json_begin(json, '{');
   write_key_number(json, "pid", header->pid);
   write_key_number(json, "parent", header->parent);
   write_key_number(json, "image", header->image);
   write_key_text(json, "cmd", header->command);
   write_key_text(json, "cpu", header->cpu);
   write_caches(json, header);
   write_objects(json);
   write_costs(json, total.of);
   write_threads(json);
   write_parts(json);
   cg2_json_end(json, '}');
}

static void write_events(Json* json)
{
   cg2_json_key(json, "events");
   cg2_json_begin(json, '[');
   for (UInt e = 0; e < cg2_events.n; e++)
      cg2_json_text(json, cg2_event_name(e));
   cg2_json_end(json, ']');
}

/* Whether an earlier part is in the file of part number `i`, too. */
static Bool has_path_before(UInt i)
{
   const HChar* path = noted.parts[i].path;
   for (UInt k = 0; k < i; k++) {
      const HChar* before = noted.parts[k].path;
      if (before && VG_(strcmp)(before, path) == 0) return True;
   }
   return False;
}

static void write_files(Json* json)
{
   cg2_json_key(json, "files");
   cg2_json_begin(json, '[');
   for (UInt i = 0; i < noted.n; i++)
      if (noted.parts[i].path && !has_path_before(i))
         cg2_json_text(json, noted.parts[i].path);
   cg2_json_end(json, ']');
}

static void write_run(Json* json, const WriterHeader* header)
{
   Cost total = total_of(0);
   cg2_json_begin(json, '{');
   write_key_text(json, "format", "cg2-summary");
   write_key_number(json, "version", 1);
   write_key_text(json, "creator", header->creator);
   write_key_text(json, "cmd", header->command);
   write_key_text(json, "cpu", header->cpu);
   cg2_json_key(json, "partial");
   cg2_json_begin(json, '[');
   cg2_json_end(json, ']');
   write_events(json);
   write_costs(json, total.of);
   write_files(json);
   cg2_json_key(json, "processes");
   cg2_json_begin(json, '[');
   write_process(json, header);
   cg2_json_end(json, ']');
   cg2_json_end(json, '}');
}

void cg2_jsonsummary_write(Sink* sink, const WriterHeader* header)
{
   Json json = {.sink = sink};
   write_run(&json, header);
}
