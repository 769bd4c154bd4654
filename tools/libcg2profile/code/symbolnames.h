/* What symbols in the text of an instruction are called in the source. */
#ifndef CG2P_SYMBOLNAMES_H
#define CG2P_SYMBOLNAMES_H

#include "base/hash.h"
#include "base/text.h"

typedef struct SymbolName {
   Text symbol;
   char* name; /* what demangle gave: NULL if that is the symbol */
} SymbolName;

/* All 0 to begin with; to be freed with cg2p_symbolnames_free. */
typedef struct SymbolNames {
   cg2p_demangler* demangle; /* NULL: nobody is asked */
   Hash table;
   SymbolName* of; /* each symbol that was asked for, once */
   size_t n, room;
   Arena arena;
} SymbolNames;

/* The symbol behind the first "<" of a text from `from` on, without what may
 * stand in front of it and behind it: dots, an offset, a version. Empty, at the
 * text's end: there is none. */
Text cg2p_symbolnames_find(Text text, const char* from);

/* What a symbol is called; the symbol itself, if that is its name. */
Text cg2p_symbolnames_name(SymbolNames* names, Failure* failure, Text symbol);

void cg2p_symbolnames_free(SymbolNames* names);

#endif
