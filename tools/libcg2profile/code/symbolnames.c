/* What symbols are called: each is demangled once. */
#include "code/symbolnames.h"

#include <stdlib.h>

/* Whether a symbol ends in front of this: at its version, at what is added to
 * it, or where its bracket is closed. */
static bool ends_symbol(char c)
{
   return c == '@' || c == '+' || c == '-' || c == '>';
}

Text cg2p_symbolnames_find(Text text, const char* from)
{
   const char* p = memchr(from, '<', text.end - from);
   if (!p) return (Text){text.end, text.end};
   p++;
   while (p < text.end && (*p == '.' || *p == '$'))
      p++;
   Text symbol = {p, p};
   while (symbol.end < text.end && !ends_symbol(*symbol.end))
      symbol.end++;
   return symbol;
}

/* The number of a symbol that is asked for the first time. */
static uint32_t
add(SymbolNames* names, Failure* failure, Text symbol, uint32_t hash)
{
   size_t length = cg2p_text_length(symbol);
   names->of = cg2p_memory_grow(failure, names->of, &names->room, names->n + 1,
                                sizeof *names->of);
   const char* copy =
      cg2p_arena_text(&names->arena, failure, symbol.start, length);
   cg2p_hash_add(&names->table, failure, hash, names->n);
   names->of[names->n] = (SymbolName){
      .symbol = {copy, copy + length},
      .name = names->demangle(copy),
   };
   return names->n++;
}

static bool is_same(Text a, Text b)
{
   size_t length = cg2p_text_length(a);
   return length == cg2p_text_length(b) && !memcmp(a.start, b.start, length);
}

Text cg2p_symbolnames_name(SymbolNames* names, Failure* failure, Text symbol)
{
   if (!names->demangle || symbol.start == symbol.end) return symbol;
   uint32_t hash = cg2p_hash_text(symbol.start, cg2p_text_length(symbol));
   uint32_t found = cg2p_hash_find(&names->table, hash, i,
                                   is_same(names->of[i].symbol, symbol));
   if (found == CG2P_NONE) found = add(names, failure, symbol, hash);
   const char* name = names->of[found].name;
   return name ? (Text){name, name + strlen(name)} : symbol;
}

void cg2p_symbolnames_free(SymbolNames* names)
{
   for (size_t i = 0; i < names->n; i++)
      free(names->of[i].name);
   free(names->of);
   cg2p_hash_free(&names->table);
   cg2p_arena_free(&names->arena);
}
