/* Which function's code each instruction is of, through all copies that the
 * compiler has put into others, and its line, as LLVM tells them apart. */
#include "base/search.h"
#include "dwarf/functionnames.h"
#include "dwarf/rows.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

/* Which call of the line it is; elfutils 0.188 does not know it. */
enum { ATTRIBUTE_DISCRIMINATOR = 0x2136 }; /* DW_AT_GNU_discriminator */
enum { BODY_DEPTH_MAX = 1024 };            /* of entries inside each other */

/* The walk through an object's units. */
typedef struct BodyWalk {
   cg2d_object* object;
   Failure* failure;
   FunctionNames names;
   NumberMap copied; /* by the entry of a function whose code was put into
                        others: the number of a body of it, + 1 */
   EntryWalk entries;
   const uint64_t* ran; /* addresses of instructions, rising */
   size_t n_ran;
   uint64_t* addresses; /* of these, and of rows of the line table */
   size_t n, addresses_room;
   cg2p_body* bodies;
   size_t n_bodies, room;
   cg2p_spot* spots; /* one for each address */
   bool is_llvm;     /* the unit at hand */
} BodyWalk;

static size_t first_at(const BodyWalk* walk, uint64_t address)
{
   return cg2p_search_first(i, 0, walk->n, walk->addresses[i] < address);
}

/* Whether an instruction in an entry's ranges ran. */
static bool has_run(const BodyWalk* walk, Dwarf_Die* entry)
{
   Dwarf_Addr base, start, end, bias = walk->object->bias;
   ptrdiff_t offset = 0;
   while ((offset = dwarf_ranges(entry, offset, &base, &start, &end)) > 0) {
      size_t first =
         cg2p_search_first(i, 0, walk->n_ran, walk->ran[i] < start + bias);
      if (first < walk->n_ran && walk->ran[first] < end + bias) return true;
   }
   return false;
}

/*--- Discriminators -----------------------------------------------------*/

/* The number that stands in front in what LLVM packs several in: bit 0 says
 * that it is 0; else there are 5 bits, or 12. */
static uint32_t first_number(uint32_t packed)
{
   if (packed & 1) return 0;
   packed >>= 1;
   return packed & 0x20 ? (packed >> 1 & 0xfe0) | (packed & 0x1f)
                        : packed & 0x1f;
}

static uint32_t without_first(uint32_t packed)
{
   if (packed & 1) return packed >> 1;
   return packed >> (packed & 0x40 ? 14 : 7);
}

/* What tells apart the code of a line. Other compilers number in their own way.
 */
static uint32_t discriminator_of(const BodyWalk* walk, uint32_t packed)
{
   return walk->is_llvm ? first_number(packed) : 0;
}

/* How many copies a loop's unrolling and the like have made of code. */
static uint32_t copies_of(const BodyWalk* walk, uint32_t packed)
{
   uint32_t copies = walk->is_llvm ? first_number(without_first(packed)) : 0;
   return copies ? copies : 1;
}

/*--- Functions and copies of them ---------------------------------------*/

/* Lets the instructions of an entry's ranges be of the body of a number. False:
 * there are none. */
static bool mark(BodyWalk* walk, Dwarf_Die* entry, uint32_t body)
{
   Dwarf_Addr base, start, end, bias = walk->object->bias;
   ptrdiff_t offset = 0;
   bool is_any = false;
   while ((offset = dwarf_ranges(entry, offset, &base, &start, &end)) > 0) {
      size_t i = first_at(walk, start + bias);
      for (; i < walk->n && walk->addresses[i] < end + bias; i++) {
         walk->spots[i].body = body;
         is_any = true;
      }
   }
   return is_any;
}

/* The entry of the function of which an entry is a copy, as a key; 0: none. */
static uint64_t origin_of(Dwarf_Die* entry)
{
   Dwarf_Attribute found;
   Dwarf_Die origin;
   if (!dwarf_formref_die(dwarf_attr(entry, DW_AT_abstract_origin, &found),
                          &origin))
      return 0;
   return (uintptr_t)origin.addr;
}

/* Says whose code a body is. All copies of a function have that in common; a
 * function by itself may have another symbol, as a constructor has. */
static void say_function(BodyWalk* walk, Dwarf_Die* entry, cg2p_body* body)
{
   uint64_t origin = body->outer == CG2P_NONE ? 0 : origin_of(entry);
   uint64_t known = origin ? cg2p_numbermap_find(&walk->copied, origin) : 0;
   if (known) {
      body->name = walk->bodies[known - 1].name;
      body->line = walk->bodies[known - 1].line;
      return;
   }
   body->name = cg2d_functionnames_name(&walk->names, entry);
   body->line = cg2d_entries_declaring_line(entry);
   if (origin)
      cg2p_numbermap_set(&walk->copied, walk->failure, origin,
                         walk->n_bodies + 1);
}

/* Says which call of a line a copy stands for. */
static void say_call(const BodyWalk* walk, Dwarf_Die* entry, cg2p_body* body)
{
   uint64_t line = 0, discriminator = 0;
   cg2d_entries_number(entry, DW_AT_call_line, &line);
   if (walk->is_llvm)
      cg2d_entries_number(entry, ATTRIBUTE_DISCRIMINATOR, &discriminator);
   body->call_line = line;
   body->call_discriminator = discriminator_of(walk, discriminator);
}

/* Adds the body of an entry. CG2P_NONE: it has no code, or is a function that
 * did not run, of which there is no more to know. */
static uint32_t add_body(BodyWalk* walk, Dwarf_Die* entry, uint32_t outer)
{
   uint64_t address = 0;
   bool is_idle = outer == CG2P_NONE && !has_run(walk, entry);
   if (!is_idle && !mark(walk, entry, walk->n_bodies)) return CG2P_NONE;
   if (outer == CG2P_NONE && !cg2d_entries_address(entry, &address))
      return CG2P_NONE;
   if (outer == CG2P_NONE) address += walk->object->bias;
   walk->bodies = cg2p_memory_grow(walk->failure, walk->bodies, &walk->room,
                                   walk->n_bodies + 1, sizeof *walk->bodies);
   cg2p_body* body = &walk->bodies[walk->n_bodies];
   *body = (cg2p_body){.address = address, .outer = outer};
   say_function(walk, entry, body);
   if (outer != CG2P_NONE) say_call(walk, entry, body);
   walk->n_bodies++;
   return is_idle ? CG2P_NONE : walk->n_bodies - 1;
}

static void
walk_through(BodyWalk* walk, Dwarf_Die* parent, uint32_t outer, int depth);

static void
visit_entry(BodyWalk* walk, Dwarf_Die* entry, uint32_t outer, int depth)
{
   uint32_t body;
   switch (dwarf_tag(entry)) {
   case DW_TAG_subprogram:
      body = add_body(walk, entry, CG2P_NONE);
      walk_through(walk, entry, body, depth);
      return;
   case DW_TAG_inlined_subroutine:
      body = outer == CG2P_NONE ? CG2P_NONE : add_body(walk, entry, outer);
      if (body != CG2P_NONE) walk_through(walk, entry, body, depth);
      return;
   default:
      if (cg2d_entries_holds_code(entry))
         walk_through(walk, entry, outer, depth);
      return;
   }
}

static void
walk_through(BodyWalk* walk, Dwarf_Die* parent, uint32_t outer, int depth)
{
   Dwarf_Die entry;
   if (depth >= BODY_DEPTH_MAX ||
       !cg2d_entries_enter(&walk->entries, parent, &entry))
      return;
   do
      visit_entry(walk, &entry, outer, depth + 1);
   while (cg2d_entries_next(&walk->entries, &entry));
}

/*--- Lines --------------------------------------------------------------*/

/* Whether a number is the first at an address. */
static bool is_first_at(const BodyWalk* walk, size_t i, uint64_t address)
{
   return i < walk->n && walk->addresses[i] >= address &&
          (!i || walk->addresses[i - 1] < address);
}

/* Notes the row of addresses from `start` to in front of `end`. Where the row
 * before it ends, *at, it begins as a rule. */
static void note_row(BodyWalk* walk,
                     Dwarf_Line* row,
                     Dwarf_Addr start,
                     Dwarf_Addr end,
                     size_t* at)
{
   int line;
   unsigned packed;
   if (dwarf_lineno(row, &line) || dwarf_linediscriminator(row, &packed))
      return;
   size_t i = is_first_at(walk, *at, start) ? *at : first_at(walk, start);
   for (; i < walk->n && walk->addresses[i] < end; i++) {
      walk->spots[i].line = line;
      walk->spots[i].discriminator = discriminator_of(walk, packed);
      walk->spots[i].copies = copies_of(walk, packed);
   }
   *at = i;
}

static void note_rows(BodyWalk* walk, Dwarf_Die* unit)
{
   Dwarf_Lines* rows;
   size_t n, at = 0;
   Dwarf_Addr bias = walk->object->bias;
   if (dwarf_getsrclines(unit, &rows, &n) != 0) return;
   for (size_t i = 0; i + 1 < n; i++) {
      Dwarf_Addr start, end;
      if (cg2d_rows_range(unit, rows, n, i, &start, &end))
         note_row(walk, dwarf_onesrcline(rows, i), start + bias, end + bias,
                  &at);
   }
}

/*--- The whole ----------------------------------------------------------*/

/* Clang and rustc, which says "clang LLVM (rustc ...". */
static bool is_of_llvm(Dwarf_Die* unit)
{
   Dwarf_Attribute found;
   const char* producer =
      dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &found));
   return producer && (strstr(producer, "clang") || strstr(producer, "LLVM"));
}

/* Adds the addresses of the line table's rows to the others. */
static void add_rows(void* data, Dwarf_Die* unit)
{
   BodyWalk* walk = data;
   Dwarf_Lines* rows;
   Dwarf_Addr address;
   size_t n;
   if (!has_run(walk, unit) || dwarf_getsrclines(unit, &rows, &n) != 0) return;
   for (size_t i = 0; i < n; i++) {
      if (dwarf_lineaddr(dwarf_onesrcline(rows, i), &address)) continue;
      walk->addresses =
         cg2p_memory_grow(walk->failure, walk->addresses, &walk->addresses_room,
                          walk->n + 1, sizeof *walk->addresses);
      walk->addresses[walk->n++] = address + walk->object->bias;
   }
}

static int compare(const void* a, const void* b)
{
   const uint64_t *x = a, *y = b;
   return (*x > *y) - (*x < *y);
}

/* Puts the addresses of rows in order, in which they mostly are. */
static void sort_rows(BodyWalk* walk)
{
   bool is_sorted = true;
   for (size_t i = 1; i < walk->n; i++)
      is_sorted &= walk->addresses[i - 1] <= walk->addresses[i];
   if (!is_sorted)
      qsort(walk->addresses, walk->n, sizeof *walk->addresses, compare);
}

/* Puts the addresses of what ran between those of rows, from behind. */
static void put_ran(BodyWalk* walk)
{
   size_t rows = walk->n, ran = walk->n_ran, at = rows + ran;
   walk->addresses =
      cg2p_memory_grow(walk->failure, walk->addresses, &walk->addresses_room,
                       at + 1, sizeof *walk->addresses);
   walk->n = at;
   while (ran)
      walk->addresses[--at] =
         rows && walk->addresses[rows - 1] > walk->ran[ran - 1]
            ? walk->addresses[--rows]
            : walk->ran[--ran];
}

/* Finds the addresses that are looked at, each once. */
static void find_addresses(BodyWalk* walk)
{
   cg2d_object_each_unit(walk->object, add_rows, walk);
   sort_rows(walk);
   put_ran(walk);
   size_t kept = 0;
   for (size_t i = 0; i < walk->n; i++)
      if (!kept || walk->addresses[kept - 1] != walk->addresses[i])
         walk->addresses[kept++] = walk->addresses[i];
   walk->n = kept;
}

/* Moves what ran to the front; both are in the order of addresses. What else is
 * known of functions that ran is idle. */
static void part(BodyWalk* walk, cg2p_bodies* found)
{
   size_t ran = 0, n_idle = 0;
   cg2p_spot* idle = cg2p_arena_add(&walk->object->arena, walk->failure,
                                    (walk->n + 1) * sizeof *idle);
   for (size_t i = 0; i < walk->n; i++) {
      if (ran < walk->n_ran && walk->ran[ran] == walk->addresses[i])
         walk->spots[ran++] = walk->spots[i];
      else if (walk->spots[i].body != CG2P_NONE && walk->spots[i].line)
         idle[n_idle++] = walk->spots[i];
   }
   found->n_idle = n_idle;
   found->idle = idle;
}

static void visit_unit(void* data, Dwarf_Die* unit)
{
   BodyWalk* walk = data;
   walk->is_llvm = is_of_llvm(unit);
   walk->entries = (EntryWalk){.shapes = &walk->object->shapes};
   walk_through(walk, unit, CG2P_NONE, 0);
   if (has_run(walk, unit)) note_rows(walk, unit);
}

static bool find(BodyWalk* walk, cg2p_bodies* found)
{
   if (setjmp(walk->failure->caught)) return false;
   Arena* arena = &walk->object->arena;
   find_addresses(walk);
   walk->spots =
      cg2p_arena_add(arena, walk->failure, (walk->n + 1) * sizeof *walk->spots);
   for (size_t i = 0; i < walk->n; i++)
      walk->spots[i] = (cg2p_spot){.body = CG2P_NONE, .copies = 1};
   cg2d_object_each_unit(walk->object, visit_unit, walk);
   size_t bytes = walk->n_bodies * sizeof *walk->bodies;
   cg2p_body* kept = cg2p_arena_add(arena, walk->failure, bytes + 1);
   if (bytes) memcpy(kept, walk->bodies, bytes);
   *found = (cg2p_bodies){walk->n_bodies, kept, walk->spots, 0, NULL};
   part(walk, found);
   return true;
}

int cg2d_object_bodies(cg2d_object* object,
                       const uint64_t* addresses,
                       size_t n,
                       cg2p_bodies* bodies,
                       cg2p_error* error)
{
   Failure failure = {.path = object->path, .error = error};
   BodyWalk walk = {.object = object,
                    .failure = &failure,
                    .names = {object, &failure, false, {0}},
                    .ran = addresses,
                    .n_ran = n};
   bool is_done = find(&walk, bodies);
   free(walk.bodies);
   free(walk.addresses);
   cg2p_numbermap_free(&walk.names.taken);
   cg2p_numbermap_free(&walk.copied);
   return is_done ? 0 : -1;
}
