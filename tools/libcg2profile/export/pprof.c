/* Stacks for pprof: the message Profile of profile.proto, in protobuf's
 * encoding.
 *
 * A message is a sequence of fields: number and kind in one varint, then a
 * varint, or bytes with their length in front. Fields that are 0 are left out.
 * Ids are numbers from 1, strings' from 0. What a sample refers to is written
 * before it, when it is first needed; the strings come last. */
#include "export/pprof.h"
#include "base/utf8.h"

#include <string.h>

/* The fields that are written. */
enum {
   PROFILE_SAMPLE_TYPE = 1,
   PROFILE_SAMPLE = 2,
   PROFILE_MAPPING = 3,
   PROFILE_LOCATION = 4,
   PROFILE_FUNCTION = 5,
   PROFILE_STRING = 6,
   PROFILE_PERIOD_TYPE = 11,
   PROFILE_PERIOD = 12,
   PROFILE_COMMENT = 13,
   TYPE_NAME = 1,
   TYPE_UNIT = 2,
   SAMPLE_LOCATIONS = 1,
   SAMPLE_VALUES = 2,
   MAPPING_ID = 1,
   MAPPING_FILE = 5,
   MAPPING_HAS_FUNCTIONS = 7,
   MAPPING_HAS_FILES = 8,
   MAPPING_HAS_LINES = 9,
   LOCATION_ID = 1,
   LOCATION_MAPPING = 2,
   LOCATION_LINE = 4,
   LINE_FUNCTION = 1,
   LINE_NUMBER = 2,
   FUNCTION_ID = 1,
   FUNCTION_NAME = 2,
   FUNCTION_SYSTEM_NAME = 3,
   FUNCTION_FILE = 4,
};

enum { VARINT_MAX = 10 };

typedef struct Pprof {
   StackWriter* writer; /* its names are strings, its keys functions, and its
                           more_keys locations */
   /* Numbers; 0: not known yet. */
   uint32_t* mappings;     /* of the profile's names, as objects */
   uint32_t* strings;      /* of the profile's names */
   uint32_t *shown, *full; /* strings of each function's name */
   uint32_t* places;       /* locations of each place of a function */
   uint32_t* sites;        /* locations of each stack's call */
   uint32_t n_mappings;
   size_t n_numbers; /* of the sample that is put together */
   uint64_t* cost;
} Pprof;

/*--- Protobuf -----------------------------------------------------------*/

/* A small message, put together. */
typedef struct Message {
   char bytes[8 * VARINT_MAX + 8];
   size_t n;
} Message;

static size_t varint_length(uint64_t number)
{
   size_t length = 1;
   while (number >>= 7)
      length++;
   return length;
}

static char* write_varint(char* to, uint64_t number)
{
   for (; number > 0x7f; number >>= 7)
      *to++ = number | 0x80;
   *to++ = number;
   return to;
}

static void put_varint(StackWriter* w, uint64_t number)
{
   char bytes[VARINT_MAX];
   cg2p_output_text(&w->output, bytes, write_varint(bytes, number) - bytes);
}

/* Writes a number, number `field`; nothing if it is 0. */
static void put_field(StackWriter* w, unsigned field, uint64_t number)
{
   if (!number) return;
   put_varint(w, field << 3);
   put_varint(w, number);
}

/* Begins bytes, number `field`. */
static void put_head(StackWriter* w, unsigned field, size_t length)
{
   put_varint(w, field << 3 | 2);
   put_varint(w, length);
}

static void add_field(Message* message, unsigned field, uint64_t number)
{
   if (!number) return;
   char* end = write_varint(message->bytes + message->n, field << 3);
   message->n = write_varint(end, number) - message->bytes;
}

static void put_message(StackWriter* w, unsigned field, const Message* message)
{
   put_head(w, field, message->n);
   cg2p_output_text(&w->output, message->bytes, message->n);
}

/*--- Strings ------------------------------------------------------------*/

/* The number of a text, in which bytes that are no UTF-8 are replaced. */
static uint32_t string_of(StackWriter* w, const char* text, size_t length)
{
   static const char replacement[] = "\xef\xbf\xbd";
   size_t n = 0;
   if (cg2p_utf8_is_ascii(text, length))
      return cg2p_names_intern(&w->names, &w->failure, text, length);
   w->text = cg2p_memory_grow(&w->failure, w->text, &w->text_room,
                              3 * length + 1, sizeof *w->text);
   while (length) {
      Character character = cg2p_utf8_first(text, length);
      size_t bytes =
         character.is_bad ? sizeof replacement - 1 : character.length;
      memcpy(w->text + n, character.is_bad ? replacement : text, bytes);
      n += bytes;
      text += character.length;
      length -= character.length;
   }
   return cg2p_names_intern(&w->names, &w->failure, w->text, n);
}

static uint32_t string_of_name(StackWriter* w, const StoredName* name)
{
   return string_of(w, name->text, name->length);
}

/* The string of a name of the profile. */
static uint32_t string_of_number(Pprof* p, uint32_t name)
{
   StackWriter* w = p->writer;
   if (!p->strings[name])
      p->strings[name] = string_of_name(w, cg2p_stackwriter_name(w, name));
   return p->strings[name];
}

static uint32_t string_of_text(StackWriter* w, const char* text)
{
   return string_of(w, text, strlen(text));
}

static void put_strings(StackWriter* w)
{
   for (size_t i = 0; i < w->names.n; i++) {
      put_head(w, PROFILE_STRING, w->names.of[i].length);
      cg2p_output_text(&w->output, w->names.of[i].text, w->names.of[i].length);
   }
}

/*--- What samples refer to ----------------------------------------------*/

static uint32_t mapping_of(Pprof* p, uint32_t object)
{
   StackWriter* w = p->writer;
   if (p->mappings[object]) return p->mappings[object];
   Message message = {.n = 0};
   p->mappings[object] = ++p->n_mappings;
   add_field(&message, MAPPING_ID, p->n_mappings);
   add_field(&message, MAPPING_FILE, string_of_number(p, object));
   add_field(&message, MAPPING_HAS_FUNCTIONS, 1);
   add_field(&message, MAPPING_HAS_FILES, 1);
   add_field(&message, MAPPING_HAS_LINES, 1);
   put_message(w, PROFILE_MAPPING, &message);
   return p->n_mappings;
}

/* Finds the strings of a function's names: as it is shown, and in full. */
static void find_names(Pprof* p, uint32_t number)
{
   StackWriter* w = p->writer;
   if (p->full[number]) return;
   Text shown = cg2p_stackwriter_shown_name(w, number);
   p->shown[number] = string_of(w, shown.start, cg2p_text_length(shown));
   p->full[number] =
      string_of_name(w, cg2p_stacks_plain_name(w->stacks, number));
}

/* The id of a function with a source file; what is inlined has its own. */
static uint32_t function_of(Pprof* p, uint32_t number, uint32_t file)
{
   StackWriter* w = p->writer;
   Message message = {.n = 0};
   size_t known = w->keys.n;
   find_names(p, number);
   uint64_t key[] = {p->shown[number], p->full[number], 0};
   if (file != NAME_UNKNOWN) key[2] = string_of_number(p, file);
   uint32_t id = cg2p_keys_intern(&w->keys, &w->failure, key) + 1;
   if (id <= known) return id;
   add_field(&message, FUNCTION_ID, id);
   add_field(&message, FUNCTION_NAME, key[0]);
   add_field(&message, FUNCTION_SYSTEM_NAME, key[1]);
   add_field(&message, FUNCTION_FILE, key[2]);
   put_message(w, PROFILE_FUNCTION, &message);
   return id;
}

static uint32_t
location_of(Pprof* p, uint32_t number, uint32_t file, uint64_t at)
{
   StackWriter* w = p->writer;
   size_t known = w->more_keys.n;
   uint32_t mapping =
      mapping_of(p, cg2p_stacks_function(w->stacks, number).object);
   uint64_t key[] = {mapping, function_of(p, number, file), at};
   uint32_t id = cg2p_keys_intern(&w->more_keys, &w->failure, key) + 1;
   if (id <= known) return id;
   Message line = {.n = 0}, message = {.n = 0};
   add_field(&line, LINE_FUNCTION, key[1]);
   add_field(&line, LINE_NUMBER, at);
   add_field(&message, LOCATION_ID, id);
   add_field(&message, LOCATION_MAPPING, mapping);
   put_head(w, PROFILE_LOCATION,
            message.n + 1 + varint_length(line.n) + line.n);
   cg2p_output_text(&w->output, message.bytes, message.n);
   put_message(w, LOCATION_LINE, &line);
   return id;
}

/* The location where a stack's caller calls. */
static uint32_t site_of(Pprof* p, uint32_t number)
{
   const cg2p_stacks* stacks = p->writer->stacks;
   const cg2p_stack* stack = &stacks->of[number];
   uint32_t caller = stacks->of[stack->caller].function;
   if (!p->sites[number])
      p->sites[number] =
         stack->site_file == CG2P_NONE
            ? location_of(p, caller, cg2p_stacks_function(stacks, caller).file,
                          0)
            : location_of(p, caller, stack->site_file, stack->site_line);
   return p->sites[number];
}

/* The location of a place of a stack's function. */
static uint32_t place_of(Pprof* p, uint32_t function, size_t place)
{
   const cg2p_stacks* stacks = p->writer->stacks;
   uint32_t* known = &p->places[stacks->division.first[function] + place];
   if (!*known) {
      uint64_t line;
      uint32_t file = cg2p_stacks_place(stacks, function, place, &line);
      *known = location_of(p, function, file, line);
   }
   return *known;
}

/*--- Samples ------------------------------------------------------------*/

/* Adds a number to the sample; how many bytes it has. */
static size_t add_number(Pprof* p, uint64_t number)
{
   StackWriter* w = p->writer;
   w->numbers = cg2p_memory_grow(&w->failure, w->numbers, &w->numbers_room,
                                 p->n_numbers + 1, sizeof *w->numbers);
   w->numbers[p->n_numbers++] = number;
   return varint_length(number);
}

/* Writes numbers `first` to `end` of the sample in one piece, which has
 * `length` bytes. */
static void
put_numbers(Pprof* p, unsigned field, size_t first, size_t end, size_t length)
{
   put_head(p->writer, field, length);
   for (size_t i = first; i < end; i++)
      put_varint(p->writer, p->writer->numbers[i]);
}

/* Writes what a stack costs at a place of its function. Locations are innermost
 * first; those of callers are their calls. */
static void put_sample(Pprof* p, uint32_t stack, size_t place)
{
   StackWriter* w = p->writer;
   const cg2p_stacks* stacks = w->stacks;
   uint32_t function = stacks->of[stack].function;
   p->n_numbers = 0;
   size_t locations = add_number(p, place_of(p, function, place));
   for (; stacks->of[stack].caller != CG2P_NONE;
        stack = stacks->of[stack].caller)
      locations += add_number(p, site_of(p, stack));
   size_t values = 0, n_locations = p->n_numbers;
   for (uint32_t i = 0; i < w->how->n_events; i++)
      values += add_number(p, p->cost[w->how->events[i]]);
   put_head(w, PROFILE_SAMPLE,
            1 + varint_length(locations) + locations + 1 +
               varint_length(values) + values);
   put_numbers(p, SAMPLE_LOCATIONS, 0, n_locations, locations);
   put_numbers(p, SAMPLE_VALUES, n_locations, p->n_numbers, values);
}

static void put_samples(Pprof* p)
{
   const cg2p_stacks* stacks = p->writer->stacks;
   for (uint32_t i = 0; i < stacks->n; i++) {
      size_t n = cg2p_stacks_place_count(stacks, stacks->of[i].function);
      for (size_t place = 0; place < n; place++)
         if (cg2p_stacks_place_cost(stacks, i, place, p->cost))
            put_sample(p, i, place);
   }
}

/*--- The message --------------------------------------------------------*/

/* Writes the types of values, of which the first is the period's, too. */
static void put_types(StackWriter* w)
{
   const cg2p_export* how = w->how;
   Message* types =
      cg2p_arena_add(&w->scratch, &w->failure, how->n_events * sizeof *types);
   for (uint32_t i = 0; i < how->n_events; i++) {
      types[i].n = 0;
      add_field(&types[i], TYPE_NAME,
                string_of_text(w, w->stacks->part->events[how->events[i]]));
      add_field(&types[i], TYPE_UNIT, string_of_text(w, "count"));
   }
   for (uint32_t i = 0; i < how->n_events; i++)
      put_message(w, PROFILE_SAMPLE_TYPE, &types[i]);
   put_message(w, PROFILE_PERIOD_TYPE, &types[0]);
   put_field(w, PROFILE_PERIOD, 1);
}

static void put_comments(StackWriter* w)
{
   Text command = cg2p_stackwriter_command(w->stacks);
   put_field(w, PROFILE_COMMENT,
             string_of(w, command.start, cg2p_text_length(command)));
   put_field(w, PROFILE_COMMENT, string_of_text(w, w->how->exporter));
}

void cg2p_pprof_put(StackWriter* w)
{
   const cg2p_stacks* stacks = w->stacks;
   Pprof p = {.writer = w};
   w->keys.width = 3;
   w->more_keys.width = 3;
   p.mappings = cg2p_stackwriter_numbers(w, stacks->profile->names.n);
   p.strings = cg2p_stackwriter_numbers(w, stacks->profile->names.n);
   p.shown = cg2p_stackwriter_numbers(w, (size_t)stacks->small + 1);
   p.full = cg2p_stackwriter_numbers(w, (size_t)stacks->small + 1);
   p.places =
      cg2p_stackwriter_numbers(w, stacks->division.first[stacks->small]);
   p.sites = cg2p_stackwriter_numbers(w, stacks->n);
   p.cost = cg2p_arena_add(&w->scratch, &w->failure,
                           stacks->part->n_events * sizeof *p.cost);
   string_of_text(w, ""); /* number 0 */
   put_types(w);
   put_comments(w);
   put_samples(&p);
   put_strings(w);
}
