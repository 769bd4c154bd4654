/* Stacks for the Firefox Profiler: a processed profile of version 48, in which
 * each event is a thread, and the weights of its samples are costs. A cost of
 * one takes a microsecond, so that a stack chart has widths, too.
 *
 * node  a frame on top of the node of its caller. A caller's frame is at the
 *       line of the call. Viewers show nodes of one function as one */
#include "export/firefox.h"

#include <string.h>

/* What is known by keys: nodes by the writer's keys, frames by its more_keys.
 * Names are strings of the file; an object is a name of the profile. */
enum { NODE_CALLER, NODE_FRAME, NODE_WIDTH };
enum { FRAME_FUNCTION, FRAME_LINE, FRAME_WIDTH };
enum { FUNCTION_NAME, FUNCTION_FILE, FUNCTION_OBJECT, FUNCTION_WIDTH };

typedef struct Firefox {
   StackWriter* writer;
   uint32_t* callers; /* of each stack: the node where it is called, + 1 */
   uint32_t* nodes;   /* of samples, each what a stack costs at a place */
   uint64_t* costs;   /* of samples: a number for each event of the part */
   size_t n_samples;
   uint32_t event;      /* that is written */
   uint32_t* libraries; /* of the profile's names, as objects, + 1; 0: none */
   uint32_t* objects;   /* by library: a name */
   uint32_t* object_names; /* and the string that it is called */
   uint32_t n_libraries;
} Firefox;

/*--- Nodes --------------------------------------------------------------*/

static uint32_t string_of(StackWriter* w, Text text)
{
   return cg2p_names_intern(&w->names, &w->failure, text.start,
                            cg2p_text_length(text));
}

static uint32_t string_of_name(StackWriter* w, uint32_t name)
{
   const StoredName* found = cg2p_stackwriter_name(w, name);
   return string_of(w, (Text){found->text, found->text + found->length});
}

/* The library that stands for an object, a name. */
static uint32_t library_of(Firefox* f, uint32_t object)
{
   uint32_t* known = &f->libraries[object];
   if (*known) return *known - 1;
   f->objects[f->n_libraries] = object;
   f->object_names[f->n_libraries] = string_of_name(f->writer, object);
   *known = ++f->n_libraries;
   return *known - 1;
}

/* The frame of a function at a line of a file. */
static uint32_t
frame_of(Firefox* f, uint32_t number, uint32_t file, uint64_t line)
{
   StackWriter* w = f->writer;
   uint32_t object = cg2p_stacks_function(w->stacks, number).object;
   uint64_t function[] = {string_of(w, cg2p_stackwriter_shown_name(w, number)),
                          string_of_name(w, file), library_of(f, object)};
   uint64_t frame[] = {cg2p_keys_intern(&w->functions, &w->failure, function),
                       line};
   return cg2p_keys_intern(&w->more_keys, &w->failure, frame);
}

/* The node of a frame that is called from another, number + 1; 0: none. */
static uint32_t node_of(Firefox* f, uint32_t caller, uint32_t frame)
{
   StackWriter* w = f->writer;
   uint64_t node[] = {caller, frame};
   return cg2p_keys_intern(&w->keys, &w->failure, node);
}

/* Finds the node where a stack is called. Its caller's is known. */
static void find_caller(Firefox* f, uint32_t number)
{
   const cg2p_stacks* stacks = f->writer->stacks;
   const cg2p_stack* stack = &stacks->of[number];
   if (stack->caller == CG2P_NONE) return;
   uint32_t caller = stacks->of[stack->caller].function;
   bool has_site = stack->site_file != CG2P_NONE;
   uint32_t file =
      has_site ? stack->site_file : cg2p_stacks_function(stacks, caller).file;
   uint32_t frame = frame_of(f, caller, file, has_site ? stack->site_line : 0);
   f->callers[number] = node_of(f, f->callers[stack->caller], frame) + 1;
}

static uint64_t* cost_of(const Firefox* f, size_t sample)
{
   return f->costs + sample * f->writer->stacks->part->n_events;
}

/* Adds what a stack costs at a place, if that is anything. */
static void add_sample(Firefox* f, uint32_t stack, size_t place)
{
   const cg2p_stacks* stacks = f->writer->stacks;
   uint32_t function = stacks->of[stack].function;
   uint64_t line;
   if (!cg2p_stacks_place_cost(stacks, stack, place, cost_of(f, f->n_samples)))
      return;
   uint32_t file = cg2p_stacks_place(stacks, function, place, &line);
   uint32_t frame = frame_of(f, function, file, line);
   f->nodes[f->n_samples++] = node_of(f, f->callers[stack], frame);
}

static size_t count_places(const cg2p_stacks* stacks)
{
   size_t n = 0;
   for (uint32_t i = 0; i < stacks->n; i++)
      n += cg2p_stacks_place_count(stacks, stacks->of[i].function);
   return n;
}

static void find_samples(Firefox* f)
{
   StackWriter* w = f->writer;
   const cg2p_stacks* stacks = w->stacks;
   size_t most = count_places(stacks) + 1;
   f->nodes = cg2p_stackwriter_numbers(w, most);
   f->costs = cg2p_arena_add(&w->scratch, &w->failure,
                             most * stacks->part->n_events * sizeof *f->costs);
   f->callers = cg2p_stackwriter_numbers(w, stacks->n);
   for (uint32_t i = 0; i < stacks->n; i++) {
      size_t n = cg2p_stacks_place_count(stacks, stacks->of[i].function);
      find_caller(f, i);
      for (size_t place = 0; place < n; place++)
         add_sample(f, i, place);
   }
}

/*--- Columns ------------------------------------------------------------*/

/* Writes number `i` of a column. */
typedef void PutItem(Firefox* f, size_t i);

/* Writes a column of `n` items behind others. */
static void put_column(Firefox* f, const char* name, size_t n, PutItem* put)
{
   StackWriter* w = f->writer;
   cg2p_stackwriter_put(w, ",\n\"");
   cg2p_stackwriter_put(w, name);
   cg2p_stackwriter_put(w, "\": [");
   for (size_t i = 0; i < n; i++) {
      if (i) cg2p_stackwriter_put(w, ",");
      put(f, i);
   }
   cg2p_stackwriter_put(w, "]");
}

static void put_null(Firefox* f, size_t i)
{
   (void)i;
   cg2p_stackwriter_put(f->writer, "null");
}

static void put_zero(Firefox* f, size_t i)
{
   (void)i;
   cg2p_stackwriter_put(f->writer, "0");
}

static void put_one(Firefox* f, size_t i)
{
   (void)i;
   cg2p_stackwriter_put(f->writer, "1");
}

static void put_none(Firefox* f, size_t i)
{
   (void)i;
   cg2p_stackwriter_put(f->writer, "-1");
}

static void put_false(Firefox* f, size_t i)
{
   (void)i;
   cg2p_stackwriter_put(f->writer, "false");
}

static void put_number(Firefox* f, size_t i)
{
   cg2p_stackwriter_put_number(f->writer, i);
}

static void put_string(Firefox* f, size_t i)
{
   cg2p_stackwriter_put_json_name(f->writer, &f->writer->names.of[i]);
}

static void put_caller(Firefox* f, size_t i)
{
   uint64_t caller = cg2p_keys_at(&f->writer->keys, i)[NODE_CALLER];
   if (caller)
      cg2p_stackwriter_put_number(f->writer, caller - 1);
   else
      put_null(f, i);
}

static void put_frame(Firefox* f, size_t i)
{
   cg2p_stackwriter_put_number(f->writer,
                               cg2p_keys_at(&f->writer->keys, i)[NODE_FRAME]);
}

static uint64_t of_frame(const Firefox* f, size_t frame, unsigned word)
{
   return cg2p_keys_at(&f->writer->more_keys, frame)[word];
}

static void put_function(Firefox* f, size_t i)
{
   cg2p_stackwriter_put_number(f->writer, of_frame(f, i, FRAME_FUNCTION));
}

static void put_line(Firefox* f, size_t i)
{
   uint64_t line = of_frame(f, i, FRAME_LINE);
   if (line)
      cg2p_stackwriter_put_number(f->writer, line);
   else
      put_null(f, i);
}

static uint64_t of_function(const Firefox* f, size_t function, unsigned word)
{
   return cg2p_keys_at(&f->writer->functions, function)[word];
}

static void put_name(Firefox* f, size_t i)
{
   cg2p_stackwriter_put_number(f->writer, of_function(f, i, FUNCTION_NAME));
}

static void put_file(Firefox* f, size_t i)
{
   cg2p_stackwriter_put_number(f->writer, of_function(f, i, FUNCTION_FILE));
}

static void put_resource(Firefox* f, size_t i)
{
   cg2p_stackwriter_put_number(f->writer, of_function(f, i, FUNCTION_OBJECT));
}

static void put_library_name(Firefox* f, size_t i)
{
   cg2p_stackwriter_put_number(f->writer, f->object_names[i]);
}

/*--- Tables -------------------------------------------------------------*/

static void begin_table(Firefox* f, const char* name, size_t length)
{
   cg2p_stackwriter_put(f->writer, ",\n\"");
   cg2p_stackwriter_put(f->writer, name);
   cg2p_stackwriter_put(f->writer, "\": {\"length\": ");
   cg2p_stackwriter_put_number(f->writer, length);
}

static void end_table(Firefox* f)
{
   cg2p_stackwriter_put(f->writer, "}");
}

static void put_stacks(Firefox* f)
{
   size_t n = f->writer->keys.n;
   begin_table(f, "stackTable", n);
   put_column(f, "frame", n, put_frame);
   put_column(f, "prefix", n, put_caller);
   put_column(f, "category", n, put_zero);
   put_column(f, "subcategory", n, put_zero);
   end_table(f);
}

static void put_frames(Firefox* f)
{
   size_t n = f->writer->more_keys.n;
   begin_table(f, "frameTable", n);
   put_column(f, "address", n, put_none);
   put_column(f, "inlineDepth", n, put_zero);
   put_column(f, "category", n, put_zero);
   put_column(f, "subcategory", n, put_zero);
   put_column(f, "func", n, put_function);
   put_column(f, "nativeSymbol", n, put_null);
   put_column(f, "innerWindowID", n, put_null);
   put_column(f, "implementation", n, put_null);
   put_column(f, "line", n, put_line);
   put_column(f, "column", n, put_null);
   end_table(f);
}

static void put_functions(Firefox* f)
{
   size_t n = f->writer->functions.n;
   begin_table(f, "funcTable", n);
   put_column(f, "name", n, put_name);
   put_column(f, "isJS", n, put_false);
   put_column(f, "relevantForJS", n, put_false);
   put_column(f, "resource", n, put_resource);
   put_column(f, "fileName", n, put_file);
   put_column(f, "lineNumber", n, put_null);
   put_column(f, "columnNumber", n, put_null);
   end_table(f);
}

/* Objects, each as a library and as what the functions of it refer to. */
static void put_resources(Firefox* f)
{
   size_t n = f->n_libraries;
   begin_table(f, "resourceTable", n);
   put_column(f, "lib", n, put_number);
   put_column(f, "name", n, put_library_name);
   put_column(f, "host", n, put_null);
   put_column(f, "type", n, put_one);
   end_table(f);
}

static void put_empty_tables(Firefox* f)
{
   cg2p_stackwriter_put(
      f->writer,
      ",\n\"markers\": {\"length\": 0, \"category\": [], \"data\": [], "
      "\"endTime\": [], \"name\": [], \"phase\": [], "
      "\"startTime\": []},\n"
      "\"nativeSymbols\": {\"length\": 0, \"address\": [], "
      "\"functionSize\": [], \"libIndex\": [], \"name\": []}");
}

/*--- Samples ------------------------------------------------------------*/

static uint64_t cost_in_event(const Firefox* f, size_t sample)
{
   return cost_of(f, sample)[f->event];
}

static size_t count_samples(const Firefox* f)
{
   size_t n = 0;
   for (size_t i = 0; i < f->n_samples; i++)
      n += cost_in_event(f, i) != 0;
   return n;
}

/* Writes a microsecond as milliseconds. */
static void put_time(StackWriter* w, uint64_t time)
{
   char digits[] = ".000";
   unsigned rest = time % 1000;
   for (int i = 3; i; i--, rest /= 10)
      digits[i] += rest % 10;
   cg2p_stackwriter_put_number(w, time / 1000);
   cg2p_stackwriter_put(w, digits);
}

typedef enum SampleColumn {
   SAMPLE_STACK,
   SAMPLE_TIME,
   SAMPLE_WEIGHT
} SampleColumn;

/* Writes a column of those samples that cost any of the event. */
static void put_samples_of(Firefox* f, const char* name, SampleColumn column)
{
   StackWriter* w = f->writer;
   uint64_t time = 0;
   bool is_first = true;
   cg2p_stackwriter_put(w, name);
   for (size_t i = 0; i < f->n_samples; i++) {
      uint64_t cost = cost_in_event(f, i);
      if (!cost) continue;
      if (!is_first) cg2p_stackwriter_put(w, ",");
      is_first = false;
      if (column == SAMPLE_TIME)
         put_time(w, time);
      else
         cg2p_stackwriter_put_number(w, column == SAMPLE_STACK ? f->nodes[i]
                                                               : cost);
      time += cost;
   }
   cg2p_stackwriter_put(w, "]");
}

static void put_samples(Firefox* f)
{
   begin_table(f, "samples", count_samples(f));
   cg2p_stackwriter_put(f->writer, ", \"weightType\": \"samples\"");
   put_samples_of(f, ",\n\"stack\": [", SAMPLE_STACK);
   put_samples_of(f, ",\n\"time\": [", SAMPLE_TIME);
   put_samples_of(f, ",\n\"weight\": [", SAMPLE_WEIGHT);
   end_table(f);
}

/*--- The profile --------------------------------------------------------*/

static void put_thread(Firefox* f)
{
   StackWriter* w = f->writer;
   const char* name = w->stacks->part->events[f->event];
   cg2p_stackwriter_put(w, "{\"name\": ");
   cg2p_stackwriter_put_json(w, name, strlen(name));
   cg2p_stackwriter_put(
      w, ", \"isMainThread\": true, \"processType\": \"default\", "
         "\"processName\": ");
   cg2p_stackwriter_put_program(w);
   cg2p_stackwriter_put(
      w, ", \"processStartupTime\": 0, \"processShutdownTime\": null, "
         "\"registerTime\": 0, \"unregisterTime\": null, "
         "\"pausedRanges\": [], \"pid\": \"");
   cg2p_stackwriter_put_number(w, f->event + 1);
   cg2p_stackwriter_put(w, "\", \"tid\": ");
   cg2p_stackwriter_put_number(w, f->event + 1);
   put_samples(f);
   put_stacks(f);
   put_frames(f);
   put_functions(f);
   put_resources(f);
   put_empty_tables(f);
   put_column(f, "stringArray", w->names.n, put_string);
   cg2p_stackwriter_put(w, "}");
}

static void put_library(Firefox* f, uint32_t library)
{
   static const char* const keys[] = {"name", "path", "debugName", "debugPath"};
   StackWriter* w = f->writer;
   const StoredName* name = cg2p_stackwriter_name(w, f->objects[library]);
   cg2p_stackwriter_put(w, library ? ",\n{" : "{");
   for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
      cg2p_stackwriter_put(w, "\"");
      cg2p_stackwriter_put(w, keys[i]);
      cg2p_stackwriter_put(w, "\": ");
      cg2p_stackwriter_put_json_name(w, name);
      cg2p_stackwriter_put(w, ", ");
   }
   cg2p_stackwriter_put(
      w, "\"arch\": \"\", \"breakpadId\": \"\", \"codeId\": null}");
}

static void put_meta(StackWriter* w)
{
   cg2p_stackwriter_put(
      w, "{\"meta\": {\"version\": 28, "
         "\"preprocessedProfileVersion\": 48, \"interval\": 0.001, "
         "\"startTime\": 0, \"processType\": 0, \"stackwalk\": 1, "
         "\"symbolicated\": true, \"debug\": false, "
         "\"markerSchema\": [], \"categories\": [{\"name\": "
         "\"Other\", \"color\": \"grey\", \"subcategories\": "
         "[\"Other\"]}], \"usesOnlyOneStackType\": true, "
         "\"doesNotUseFrameImplementation\": true, "
         "\"sourceCodeIsNotOnSearchfox\": true, \"product\": ");
   cg2p_stackwriter_put_program(w);
   cg2p_stackwriter_put(w, ", \"importedFrom\": ");
   cg2p_stackwriter_put_json(w, w->how->exporter, strlen(w->how->exporter));
   cg2p_stackwriter_put(w, "},\n\"libs\": [");
}

void cg2p_firefox_put(StackWriter* w)
{
   Firefox f = {.writer = w};
   size_t n = w->stacks->profile->names.n;
   w->keys.width = NODE_WIDTH;
   w->more_keys.width = FRAME_WIDTH;
   w->functions.width = FUNCTION_WIDTH;
   f.libraries = cg2p_stackwriter_numbers(w, n);
   f.objects = cg2p_stackwriter_numbers(w, n);
   f.object_names = cg2p_stackwriter_numbers(w, n);
   find_samples(&f);
   put_meta(w);
   for (uint32_t i = 0; i < f.n_libraries; i++)
      put_library(&f, i);
   cg2p_stackwriter_put(w, "],\n\"threads\": [");
   for (uint32_t i = 0; i < w->how->n_events; i++) {
      if (i) cg2p_stackwriter_put(w, ",\n");
      f.event = w->how->events[i];
      put_thread(&f);
   }
   cg2p_stackwriter_put(w, "]}\n");
}
