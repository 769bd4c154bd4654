#include "run/inlined.h"

#include "base/arena.h"
#include "base/glob.h"
#include "code/block.h"
#include "pub_tool_debuginfo.h"

/* The core's switch, --read-inline-info, in each version from 3.19 to 3.27,
 * that no header declares for tools. */
extern Bool VG_(clo_read_inline_info);

void cg2_inlined_read(void)
{
   VG_(clo_read_inline_info) = True;
}

Bool cg2_inlined_is_read(void)
{
   return VG_(clo_read_inline_info);
}

/*--- Patterns -----------------------------------------------------------*/

/* Where the last component of a name begins: behind "::" that is in no
 * template's arguments. */
static SizeT component_at(const HChar* name, SizeT length)
{
   SizeT at = 0, depth = 0;
   for (SizeT i = 0; i + 1 < length; i++) {
      if (name[i] == '<') depth++;
      if (name[i] == '>' && depth) depth--;
      if (!depth && name[i] == ':' && name[i + 1] == ':') at = i + 2;
   }
   return at;
}

static Bool has_letter(const HChar* text)
{
   while (*text == '*' || *text == '?')
      text++;
   return *text != '\0';
}

/* What a pattern says of names without scopes and parameters; NULL: nothing.
 * The caller frees it. */
static HChar* bare_pattern(const HChar* pattern)
{
   SizeT length = 0;
   while (pattern[length] && pattern[length] != '(')
      length++;
   SizeT at = component_at(pattern, length);
   HChar* bare = VG_(strdup)("cg2.inlined", pattern + at);
   bare[length - at] = '\0';
   if (has_letter(bare)) return bare;
   VG_(free)(bare);
   return NULL;
}

/*--- Levels -------------------------------------------------------------*/

/* A level of an address: a function, and where in it the address is, or the
 * call of the level before. */
typedef struct InlineLevel {
   HChar* name; /* NULL: not known */
   HChar* text; /* "main (app.c:17)" */
} InlineLevel;

/* Reads what the core says of a level: "0x4001BF05: main (app.c:17)". */
static InlineLevel level_of(const HChar* told)
{
   const HChar *from = VG_(strstr)(told, ": "), *place = NULL;
   if (!from) return (InlineLevel){.name = NULL};
   InlineLevel level = {.text = VG_(strdup)("cg2.inlined", from + 2)};
   for (const HChar* at = from + 2; (at = VG_(strstr)(at, " (")); at++)
      place = at;
   if (!place) return level;
   level.name = VG_(strdup)("cg2.inlined", from + 2);
   level.name[place - (from + 2)] = '\0';
   return level;
}

static void free_level(InlineLevel* level)
{
   VG_(free)(level->name);
   VG_(free)(level->text);
}

static Bool is_inlined(DiEpoch now, Addr address)
{
   InlIPCursor* cursor = VG_(new_IIPC)(now, address);
   Bool is_so = VG_(next_IIPC)(cursor);
   VG_(delete_IIPC)(cursor);
   return is_so;
}

/*--- Places -------------------------------------------------------------*/

typedef struct InlineSearch {
   const HChar* pattern;
   InlinedPlace* found;
   UInt n;
} InlineSearch;

/* Which of the places has the text; `n`: none. */
static UInt place_with(const InlineSearch* search, const HChar* text, UInt n)
{
   UInt i = 0;
   while (i < n && VG_(strcmp)(search->found[i].text, text) != 0)
      i++;
   return i;
}

/* Notes a place: the first few stay, by address, each text once. */
static void note(InlineSearch* search, Addr address, const HChar* text)
{
   UInt n = search->n < INLINED_PLACES_MAX ? search->n : INLINED_PLACES_MAX,
        at = place_with(search, text, n);
   if (at < n && search->found[at].address <= address) return;
   if (at == n) search->n++;
   if (at == INLINED_PLACES_MAX) {
      if (search->found[--at].address <= address) return;
   }
   for (; at > 0 && search->found[at - 1].address > address; at--)
      search->found[at] = search->found[at - 1];
   HChar* kept = cg2_arena_new(VG_(strlen)(text) + 1);
   VG_(strcpy)(kept, text);
   search->found[at] = (InlinedPlace){address, kept};
}

/* Notes an instruction if a function that it was inlined with is meant. */
static void visit_instruction(InlineSearch* search, DiEpoch now, Addr address)
{
   if (!is_inlined(now, address)) return;
   InlIPCursor* cursor = VG_(new_IIPC)(now, address);
   InlineLevel inner = level_of(VG_(describe_IP)(now, address, cursor));
   while (VG_(next_IIPC)(cursor)) {
      InlineLevel outer = level_of(VG_(describe_IP)(now, address, cursor));
      if (inner.name && outer.text &&
          cg2_glob_matches(search->pattern, inner.name))
         note(search, address, outer.text);
      free_level(&inner);
      inner = outer;
   }
   free_level(&inner);
   VG_(delete_IIPC)(cursor);
}

UInt cg2_inlined_find(const HChar* pattern,
                      InlinedPlace found[INLINED_PLACES_MAX])
{
   HChar* bare = cg2_inlined_is_read() ? bare_pattern(pattern) : NULL;
   if (!bare) return 0;
   InlineSearch search = {.pattern = bare, .found = found};
   DiEpoch now = VG_(current_DiEpoch)();
   const Table* blocks = &cg2_blocks.all;
   for (UWord b = 0; b < blocks->n_buckets; b++)
      for (TableNode* n = blocks->buckets[b]; n; n = n->next) {
         const Block* block = (const Block*)n;
         const UShort* instrs = cg2_block_instrs(block);
         for (UInt i = 0; i < block->n_instrs; i++)
            visit_instruction(&search, now, block->address + instrs[i]);
      }
   VG_(free)(bare);
   return search.n;
}
