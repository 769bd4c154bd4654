/* Machine code as objdump writes it: read, and listed with arrows of jumps. */
#include "base/search.h"
#include "code/arrows.h"
#include "code/instructions.h"

#include <stdlib.h>

struct cg2p_listing {
   Failure failure;
   cg2p_span* spans;
   size_t n_spans;
   SymbolNames names;
   Instructions instructions;
   Instructions unsorted; /* until they are sorted */
   SortedPlace* places;   /* while they are sorted */
   Arrows arrows;
   size_t* shown; /* instructions of a list */
   size_t n_shown, shown_room;
   char* list;
   size_t list_length, list_room;
};

/*--- Reading ------------------------------------------------------------*/

static bool try_to_keep(cg2p_listing* listing, const cg2p_span* spans, size_t n)
{
   if (setjmp(listing->failure.caught)) return false;
   listing->spans =
      cg2p_memory_allocate(&listing->failure, (n + 1) * sizeof *listing->spans);
   memcpy(listing->spans, spans, n * sizeof *spans);
   listing->n_spans = n;
   return true;
}

cg2p_listing*
cg2p_listing_new(const cg2p_span* spans, size_t n, cg2p_error* error)
{
   cg2p_listing* listing = calloc(1, sizeof *listing);
   if (!listing) {
      cg2p_failure_say_no_memory(error, "code");
      return NULL;
   }
   listing->failure = (Failure){.path = "code", .error = error};
   if (try_to_keep(listing, spans, n)) return listing;
   cg2p_listing_free(listing);
   return NULL;
}

void cg2p_listing_demangle(cg2p_listing* listing, cg2p_demangler* demangle)
{
   listing->names.demangle = demangle;
}

static bool is_wanted(const cg2p_listing* listing, uint64_t address)
{
   const cg2p_span* spans = listing->spans;
   size_t low =
      cg2p_search_first(i, 0, listing->n_spans, spans[i].last < address);
   return low < listing->n_spans && spans[low].first <= address;
}

static void read_line(cg2p_listing* listing, Text line)
{
   uint64_t address;
   Text text;
   if (cg2p_objdump_instruction(line, &address, &text) &&
       is_wanted(listing, address))
      cg2p_instructions_add(&listing->instructions, &listing->names,
                            &listing->failure, address, text);
}

int cg2p_listing_add(cg2p_listing* listing,
                     const char* lines,
                     size_t length,
                     cg2p_error* error)
{
   const char* end = lines + length;
   listing->failure.error = error;
   if (setjmp(listing->failure.caught)) return 0;
   for (const char *p = lines, *stop; p < end; p = stop + 1) {
      stop = memchr(p, '\n', end - p);
      if (!stop) stop = end;
      read_line(listing, (Text){p, stop});
   }
   return 1;
}

/* Sections may be in another order than their addresses. */
int cg2p_listing_end(cg2p_listing* listing, cg2p_error* error)
{
   Failure* failure = &listing->failure;
   failure->error = error;
   if (setjmp(failure->caught)) return 0;
   if (cg2p_instructions_rise(&listing->instructions)) return 1;
   listing->unsorted = listing->instructions;
   listing->instructions = (Instructions){0};
   listing->places = cg2p_memory_allocate(failure, listing->unsorted.n *
                                                      sizeof *listing->places);
   cg2p_instructions_sort(&listing->instructions, failure, &listing->unsorted,
                          listing->places);
   return 1;
}

size_t cg2p_listing_count(const cg2p_listing* listing)
{
   return listing->instructions.n;
}

const uint64_t* cg2p_listing_addresses(const cg2p_listing* listing)
{
   return listing->instructions.addresses;
}

const char* cg2p_listing_texts(const cg2p_listing* listing,
                               size_t i,
                               size_t n,
                               size_t* length)
{
   const Instructions* all = &listing->instructions;
   size_t start = cg2p_instructions_start(all, i);
   *length = cg2p_instructions_start(all, i + n) - start;
   return *length ? all->texts + start : "";
}

/*--- Which instructions are listed --------------------------------------*/

/* The last of the instructions at an address, of which there are several in an
 * object file that is not linked yet; SIZE_MAX: none is there. */
static size_t instruction_at(const Instructions* all, uint64_t address)
{
   size_t behind = address == UINT64_MAX
                      ? all->n
                      : cg2p_instructions_below(all, address + 1);
   bool is_there = behind && all->addresses[behind - 1] == address;
   return is_there ? behind - 1 : SIZE_MAX;
}

/* Puts instructions from `first` up to `end` on the list, but for those that
 * are there. */
static void show(cg2p_listing* listing, size_t first, size_t end)
{
   if (listing->n_shown && first <= listing->shown[listing->n_shown - 1])
      first = listing->shown[listing->n_shown - 1] + 1;
   if (first >= end) return;
   listing->shown = cg2p_memory_grow(
      &listing->failure, listing->shown, &listing->shown_room,
      listing->n_shown + (end - first), sizeof *listing->shown);
   for (size_t i = first; i < end; i++)
      listing->shown[listing->n_shown++] = i;
}

/* Puts the instructions on the list; `places` are then their numbers. */
static void show_all(cg2p_listing* listing,
                     const uint64_t* addresses,
                     size_t n,
                     size_t around,
                     size_t* places)
{
   const Instructions* all = &listing->instructions;
   size_t low = cg2p_instructions_below(all, addresses[0]);
   size_t last = instruction_at(all, addresses[n - 1]);
   size_t end = last != SIZE_MAX
                   ? last + 1
                   : cg2p_instructions_below(all, addresses[n - 1]);
   listing->n_shown = 0;
   for (size_t i = 0; i < n; i++) {
      size_t at = places[i] = instruction_at(all, addresses[i]);
      if (at == SIZE_MAX) continue;
      size_t before = at - low, behind = end - at - 1;
      show(listing, at - (before < around ? before : around),
           at + 1 + (behind < around ? behind : around));
   }
}

/*--- Arrows -------------------------------------------------------------*/

/* The line of the list, empty ones not counted, that has the last of the
 * instructions at an address; SIZE_MAX: none has. */
static size_t line_of_target(const cg2p_listing* listing, uint64_t target)
{
   const uint64_t* addresses = listing->instructions.addresses;
   const size_t* shown = listing->shown;
   size_t low =
      cg2p_search_first(i, 0, listing->n_shown, addresses[shown[i]] <= target);
   bool is_there = low && addresses[shown[low - 1]] == target;
   return is_there ? low - 1 : SIZE_MAX;
}

static void draw_arrows(cg2p_listing* listing)
{
   const ShownInstruction* of = listing->instructions.of;
   for (size_t line = 0; line < listing->n_shown; line++) {
      uint64_t target = of[listing->shown[line]].target;
      if (target == NO_TARGET) continue;
      size_t to = line_of_target(listing, target);
      if (to != SIZE_MAX)
         cg2p_arrows_add(&listing->arrows, &listing->failure,
                         (Arrow){line, to});
   }
   cg2p_arrows_draw(&listing->arrows, &listing->failure, listing->n_shown);
}

/*--- The text -----------------------------------------------------------*/

enum { ADDRESS_MAX = 16 };

static char* write_address(char* to, uint64_t address)
{
   int shift = 60;
   while (shift && !(address >> shift))
      shift -= 4;
   for (; shift >= 0; shift -= 4)
      *to++ = "0123456789abcdef"[address >> shift & 15];
   return to;
}

static void write_line(cg2p_listing* listing, size_t line)
{
   const Instructions* all = &listing->instructions;
   const Arrows* arrows = &listing->arrows;
   size_t i = listing->shown[line], start = cg2p_instructions_start(all, i);
   size_t length = all->of[i].end - start;
   listing->list = cg2p_memory_grow(
      &listing->failure, listing->list, &listing->list_room,
      listing->list_length + arrows->width + 3 + ADDRESS_MAX + length, 1);
   char* to = listing->list + listing->list_length;
   memcpy(to, arrows->letters + line * arrows->width, arrows->width);
   to += arrows->width;
   *to++ = ' ';
   to = write_address(to, all->addresses[i]);
   *to++ = ':';
   *to++ = ' ';
   memcpy(to, all->texts + start, length);
   listing->list_length = to + length - listing->list;
}

static void write_gap(cg2p_listing* listing)
{
   listing->list =
      cg2p_memory_grow(&listing->failure, listing->list, &listing->list_room,
                       listing->list_length + 1, 1);
   listing->list[listing->list_length++] = '\n';
}

/* Writes the list; what were instructions in `places` are then their lines. */
static void write_list(cg2p_listing* listing, size_t n, size_t* places)
{
   size_t place = 0, gaps = 0;
   listing->list_length = 0;
   for (size_t line = 0; line < listing->n_shown; line++) {
      if (line && listing->shown[line] != listing->shown[line - 1] + 1) {
         write_gap(listing);
         gaps++;
      }
      write_line(listing, line);
      while (place < n && places[place] == SIZE_MAX)
         place++;
      if (place < n && places[place] == listing->shown[line])
         places[place++] = line + gaps;
   }
}

const char* cg2p_listing_show(cg2p_listing* listing,
                              const uint64_t* addresses,
                              size_t n,
                              size_t around,
                              size_t* places,
                              size_t* length,
                              cg2p_error* error)
{
   listing->failure.error = error;
   if (setjmp(listing->failure.caught)) return NULL;
   show_all(listing, addresses, n, around, places);
   draw_arrows(listing);
   write_list(listing, n, places);
   *length = listing->list_length;
   return listing->list_length ? listing->list : "";
}

void cg2p_listing_free(cg2p_listing* listing)
{
   if (!listing) return;
   free(listing->spans);
   cg2p_symbolnames_free(&listing->names);
   cg2p_instructions_free(&listing->instructions);
   cg2p_instructions_free(&listing->unsorted);
   free(listing->places);
   cg2p_arrows_free(&listing->arrows);
   free(listing->shown);
   free(listing->list);
   free(listing);
}
