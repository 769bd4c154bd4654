/* Machine code with what it costs beside it, as text. */
#include "base/memory.h"
#include "base/search.h"
#include "code/objdump.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NO_COST = UINT32_MAX };

/* The next jump and call of the code's. */
typedef struct NextOfCode {
   size_t jump, call;
} NextOfCode;

struct cg2p_annotation {
   Failure failure;
   const cg2p_cells* cells;
   uint32_t* lengths; /* of the cells' texts */
   size_t* digits;
   const cg2p_annotated* code;
   NextOfCode next;
   char* text;
   size_t length, room;
   uint32_t* costs; /* of lines */
   size_t n_lines, costs_room;
   size_t* places; /* of instructions in the listing */
   size_t places_room, unlisted;
};

/*--- Cells --------------------------------------------------------------*/

static bool try_to_keep(cg2p_annotation* a)
{
   if (setjmp(a->failure.caught)) return false;
   const cg2p_cells* cells = a->cells;
   size_t n = 2 * cells->n_costs * cells->n_columns;
   a->digits =
      cg2p_memory_allocate(&a->failure, cells->n_columns * sizeof *a->digits);
   a->lengths = cg2p_memory_allocate(&a->failure, (n + 1) * sizeof *a->lengths);
   for (size_t i = 0; i < n; i++)
      a->lengths[i] = strlen(cells->texts[i]);
   return true;
}

cg2p_annotation* cg2p_annotation_new(const cg2p_cells* cells, cg2p_error* error)
{
   cg2p_annotation* a = calloc(1, sizeof *a);
   if (!a) {
      cg2p_failure_say_no_memory(error, "code");
      return NULL;
   }
   a->failure = (Failure){.path = "code", .error = error};
   a->cells = cells;
   if (try_to_keep(a)) return a;
   cg2p_annotation_free(a);
   return NULL;
}

static size_t larger(size_t a, size_t b)
{
   return a > b ? a : b;
}

static void measure(cg2p_annotation* a, uint32_t cost)
{
   size_t n = a->cells->n_columns;
   const uint32_t* lengths = a->lengths + 2 * n * cost;
   for (size_t i = 0; i < n; i++)
      a->digits[i] = larger(a->digits[i], lengths[2 * i]);
}

/* Goes on to the jumps and calls from an address, or those behind it. */
static void go_on_to(cg2p_annotation* a, uint64_t address)
{
   const cg2p_annotated* code = a->code;
   while (a->next.jump < code->n_jumps &&
          code->jump_addresses[a->next.jump] < address)
      a->next.jump++;
   while (a->next.call < code->n_calls &&
          code->call_addresses[a->next.call] < address)
      a->next.call++;
}

/* The same, from the first of all on. */
static void begin_at(cg2p_annotation* a, uint64_t address)
{
   const cg2p_annotated* code = a->code;
   a->next.jump =
      cg2p_search_first(i, 0, code->n_jumps, code->jump_addresses[i] < address);
   a->next.call =
      cg2p_search_first(i, 0, code->n_calls, code->call_addresses[i] < address);
}

static bool jumps_from(const cg2p_annotation* a, uint64_t address)
{
   const cg2p_annotated* code = a->code;
   return a->next.jump < code->n_jumps &&
          code->jump_addresses[a->next.jump] == address;
}

static bool calls_from(const cg2p_annotation* a, uint64_t address)
{
   const cg2p_annotated* code = a->code;
   return a->next.call < code->n_calls &&
          code->call_addresses[a->next.call] == address;
}

/* Finds how many characters the numbers of each column have. */
static void measure_all(cg2p_annotation* a)
{
   const cg2p_annotated* code = a->code;
   for (size_t i = 0; i < a->cells->n_columns; i++)
      a->digits[i] = 1;
   begin_at(a, code->addresses[0]);
   for (size_t i = 0; i < code->n; i++) {
      measure(a, code->costs[i]);
      go_on_to(a, code->addresses[i]);
      for (; calls_from(a, code->addresses[i]); a->next.call++)
         measure(a, code->call_costs[a->next.call]);
   }
}

/*--- Lines --------------------------------------------------------------*/

static char* reserve(cg2p_annotation* a, size_t length)
{
   a->text =
      cg2p_memory_grow(&a->failure, a->text, &a->room, a->length + length, 1);
   return a->text + a->length;
}

static void put(cg2p_annotation* a, const char* text, size_t length)
{
   memcpy(reserve(a, length), text, length);
   a->length += length;
}

static void put_string(cg2p_annotation* a, const char* text)
{
   put(a, text, strlen(text));
}

/* Ends a line that has the cells of a cost. */
static void end_line(cg2p_annotation* a, uint32_t cost)
{
   put(a, "\n", 1);
   a->costs = cg2p_memory_grow(&a->failure, a->costs, &a->costs_room,
                               a->n_lines + 1, sizeof *a->costs);
   a->costs[a->n_lines++] = cost;
}

static char* write_blanks(char* to, size_t n)
{
   memset(to, ' ', n);
   return to + n;
}

static char* write_text(char* to, const char* text, size_t length)
{
   memcpy(to, text, length);
   return to + length;
}

static void put_cell(cg2p_annotation* a, uint32_t cost, size_t column)
{
   size_t at = 2 * (a->cells->n_columns * cost + column);
   size_t digits = a->digits[column], number = a->lengths[at];
   size_t behind = a->lengths[at + 1], used = digits + behind;
   size_t width = larger(digits + a->cells->behind, a->cells->headings[column]);
   char* to = reserve(a, larger(width, used) + 2);
   to = write_blanks(to, digits - number);
   to = write_text(to, a->cells->texts[at], number);
   to = write_text(to, a->cells->texts[at + 1], behind);
   to = write_blanks(to, (width > used ? width - used : 0) + 2);
   a->length = to - a->text;
}

static void put_cells(cg2p_annotation* a, uint32_t cost)
{
   for (size_t i = 0; i < a->cells->n_columns; i++)
      put_cell(a, cost, i);
}

enum { NUMBER_ROOM = 64 }; /* of a number and some words */

static void put_decimal(cg2p_annotation* a, uint64_t number)
{
   char room[NUMBER_ROOM];
   put(a, room, snprintf(room, sizeof room, "%" PRIu64, number));
}

/* A number with a comma after each three digits. */
static void put_grouped(cg2p_annotation* a, uint64_t number)
{
   char room[NUMBER_ROOM];
   int length = snprintf(room, sizeof room, "%" PRIu64, number);
   int first = (length - 1) % 3 + 1;
   put(a, room, first);
   for (const char* p = room + first; p < room + length; p += 3) {
      put(a, ",", 1);
      put(a, p, 3);
   }
}

/*--- Instructions -------------------------------------------------------*/

static void put_jumps(cg2p_annotation* a)
{
   const cg2p_annotated* code = a->code;
   put_string(a, "  (jumps ");
   put_grouped(a, code->taken[a->next.jump]);
   if (code->are_conditional[a->next.jump]) {
      put_string(a, " of ");
      put_grouped(a, code->executed[a->next.jump]);
   }
   put_string(a, ")");
}

static void put_calls(cg2p_annotation* a, uint64_t address)
{
   const cg2p_annotated* code = a->code;
   for (; calls_from(a, address); a->next.call++) {
      put_cells(a, code->call_costs[a->next.call]);
      put_string(a, code->call_texts[a->next.call]);
      end_line(a, code->call_costs[a->next.call]);
   }
}

/* The line of instruction `i`, and of the calls from there. */
static void put_instruction(cg2p_annotation* a, size_t i, Text line)
{
   uint64_t address = a->code->addresses[i];
   uint32_t cost = a->code->costs[i];
   go_on_to(a, address);
   bool jumps = jumps_from(a, address);
   bool leads_on = jumps || calls_from(a, address);
   bool repeats = leads_on && cg2p_objdump_is_repeated(line);
   put_cells(a, cost);
   put(a, line.start, cg2p_text_length(line));
   if (jumps) put_jumps(a);
   put_string(a, a->cells->remarks[2 * (size_t)cost + repeats]);
   end_line(a, cost);
   put_calls(a, address);
}

/* Says the source line of instruction `i`, if it is known. */
static void put_source(cg2p_annotation* a, size_t i)
{
   const cg2p_annotated* code = a->code;
   size_t length;
   if (!code->lines[i]) return;
   const char* file = cg2p_profile_name(code->profile, code->files[i], &length);
   put(a, file, length);
   put(a, ":", 1);
   put_decimal(a, code->lines[i]);
   end_line(a, NO_COST);
}

/* An instruction that costs nothing, or where some are left out. */
static void put_other(cg2p_annotation* a, Text line)
{
   static const char left_out[] = "-- ----------------------------------------";
   bool is_left_out = line.start == line.end;
   if (is_left_out)
      put(a, left_out, sizeof left_out - 1);
   else {
      put_cells(a, 0);
      put(a, line.start, cg2p_text_length(line));
   }
   end_line(a, is_left_out ? NO_COST : 0);
}

/* Takes the first line off a text of whole lines. */
static Text take_line(Text* lines)
{
   const char* start = lines->start;
   const char* end = memchr(start, '\n', cg2p_text_length(*lines));
   lines->start = end + 1;
   return (Text){start, end};
}

/* Writes what is listed, in its order. */
static void put_listed(cg2p_annotation* a, Text lines)
{
   const cg2p_annotated* code = a->code;
   size_t line = 0, before = SIZE_MAX;
   begin_at(a, code->addresses[0]);
   for (size_t i = 0; i < code->n; i++) {
      if (a->places[i] == SIZE_MAX) continue;
      for (; line < a->places[i]; line++)
         put_other(a, take_line(&lines));
      if (before == SIZE_MAX || code->files[before] != code->files[i] ||
          code->lines[before] != code->lines[i])
         put_source(a, i);
      put_instruction(a, i, take_line(&lines));
      line++;
      before = i;
   }
   while (lines.start < lines.end)
      put_other(a, take_line(&lines));
}

static void put_unlisted(cg2p_annotation* a)
{
   const cg2p_annotated* code = a->code;
   begin_at(a, code->addresses[0]);
   for (size_t i = 0; i < code->n; i++) {
      if (a->places[i] != SIZE_MAX) continue;
      char room[NUMBER_ROOM];
      int length =
         snprintf(room, sizeof room, "<%" PRIx64 ", where objdump has none>",
                  code->addresses[i]);
      put_instruction(a, i, (Text){room, room + length});
      a->unlisted++;
   }
}

/*--- The text -----------------------------------------------------------*/

int cg2p_annotation_write(cg2p_annotation* a,
                          cg2p_listing* listing,
                          const cg2p_annotated* code,
                          size_t around,
                          cg2p_error* error)
{
   a->failure.error = error;
   if (setjmp(a->failure.caught)) return 0;
   a->code = code;
   a->length = a->n_lines = a->unlisted = 0;
   a->places = cg2p_memory_grow(&a->failure, a->places, &a->places_room,
                                code->n, sizeof *a->places);
   size_t length;
   const char* lines = cg2p_listing_show(listing, code->addresses, code->n,
                                         around, a->places, &length, error);
   if (!lines) return 0;
   measure_all(a);
   put_listed(a, (Text){lines, lines + length});
   put_unlisted(a);
   return 1;
}

const char* cg2p_annotation_text(const cg2p_annotation* a, size_t* length)
{
   *length = a->length;
   return a->length ? a->text : "";
}

const size_t* cg2p_annotation_digits(const cg2p_annotation* a)
{
   return a->digits;
}

size_t cg2p_annotation_unlisted(const cg2p_annotation* a)
{
   return a->unlisted;
}

const uint32_t* cg2p_annotation_costs(const cg2p_annotation* a, size_t* n)
{
   *n = a->n_lines;
   return a->costs;
}

void cg2p_annotation_free(cg2p_annotation* a)
{
   if (!a) return;
   free(a->lengths);
   free(a->digits);
   free(a->text);
   free(a->costs);
   free(a->places);
   free(a);
}
