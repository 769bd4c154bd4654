/* Instructions as they are shown, in columns. */
#include "code/instructions.h"

#include "base/search.h"

#include <stdlib.h>

/* Has room for one more, with `length` bytes of text. */
static void
make_room(Instructions* all, Failure* failure, size_t n, size_t length)
{
   all->addresses = cg2p_memory_grow(
      failure, all->addresses, &all->addresses_room, n, sizeof *all->addresses);
   all->of = cg2p_memory_grow(failure, all->of, &all->room, n, sizeof *all->of);
   all->texts =
      cg2p_memory_grow(failure, all->texts, &all->texts_room, length, 1);
}

/* Puts `name` in the place of `symbol`, which is in the text from `start` on;
 * the text's new length. *at, where the symbol was, is then behind the name. */
static size_t rename_symbol(Instructions* all,
                            Failure* failure,
                            Text symbol,
                            Text name,
                            size_t* at,
                            size_t end)
{
   size_t length = cg2p_text_length(name), behind = *at + length;
   size_t old = *at + cg2p_text_length(symbol);
   all->texts = cg2p_memory_grow(failure, all->texts, &all->texts_room,
                                 end + length + 1, 1);
   memmove(all->texts + behind, all->texts + old, end - old);
   memcpy(all->texts + *at, name.start, length);
   *at = behind;
   return behind + (end - old);
}

/* Gives the symbols of the text between two places their names; where it then
 * ends. */
static size_t name_symbols(Instructions* all,
                           SymbolNames* names,
                           Failure* failure,
                           size_t start,
                           size_t end)
{
   for (size_t at = start; at < end;) {
      const char* texts = all->texts;
      Text symbol =
         cg2p_symbolnames_find((Text){texts + start, texts + end}, texts + at);
      Text name = cg2p_symbolnames_name(names, failure, symbol);
      at = symbol.start - texts;
      if (name.start == symbol.start)
         at = symbol.end - texts;
      else
         end = rename_symbol(all, failure, symbol, name, &at, end);
   }
   return end;
}

void cg2p_instructions_add(Instructions* all,
                           SymbolNames* names,
                           Failure* failure,
                           uint64_t address,
                           Text text)
{
   size_t i = all->n, start = cg2p_instructions_start(all, i);
   make_room(all, failure, i + 1, start + cg2p_text_length(text) + 1);
   char* shown = all->texts + start;
   size_t length = cg2p_objdump_shown(text, shown);
   uint64_t target = cg2p_objdump_target((Text){shown, shown + length});
   length = name_symbols(all, names, failure, start, start + length) - start;
   all->texts[start + length] = '\n';
   all->addresses[i] = address;
   all->of[i] = (ShownInstruction){target, start + length + 1};
   all->n++;
}

/*--- Order --------------------------------------------------------------*/

bool cg2p_instructions_rise(const Instructions* all)
{
   for (size_t i = 1; i < all->n; i++)
      if (all->addresses[i] < all->addresses[i - 1]) return false;
   return true;
}

static int compare_places(const void* left, const void* right)
{
   const SortedPlace *a = left, *b = right;
   if (a->address != b->address) return a->address < b->address ? -1 : 1;
   return (a->i > b->i) - (a->i < b->i);
}

void cg2p_instructions_sort(Instructions* all,
                            Failure* failure,
                            const Instructions* from,
                            SortedPlace* places)
{
   size_t length = 0;
   for (size_t i = 0; i < from->n; i++)
      places[i] = (SortedPlace){from->addresses[i], i};
   qsort(places, from->n, sizeof *places, compare_places);
   make_room(all, failure, from->n, cg2p_instructions_start(from, from->n));
   for (size_t i = 0; i < from->n; i++) {
      size_t old = places[i].i, start = cg2p_instructions_start(from, old);
      size_t size = from->of[old].end - start;
      memcpy(all->texts + length, from->texts + start, size);
      length += size;
      all->addresses[i] = places[i].address;
      all->of[i] = (ShownInstruction){from->of[old].target, length};
   }
   all->n = from->n;
}

size_t cg2p_instructions_below(const Instructions* all, uint64_t address)
{
   return cg2p_search_first(i, 0, all->n, all->addresses[i] < address);
}

void cg2p_instructions_free(Instructions* all)
{
   free(all->addresses);
   free(all->of);
   free(all->texts);
}
