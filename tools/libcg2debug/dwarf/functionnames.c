#include "dwarf/functionnames.h"

#include "dwarf/scopes.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A symbol of Rust's older kind has a hash, which its name does not say. */
static bool has_hash(const char* symbol)
{
   enum { HASH = 20 }; /* letters: "17h", 16 digits, "E" */
   size_t length = strlen(symbol);
   return length > HASH && !strncmp(symbol + length - HASH, "17h", 3) &&
          symbol[length - 1] == 'E';
}

#ifdef CG2D_LIBIBERTY
#include <libiberty/demangle.h>

char* cg2d_symbol_demangle(const char* symbol)
{
   return cplus_demangle(symbol, DMGL_ANSI | DMGL_PARAMS);
}
#else
#include <dlfcn.h>

char* cg2d_symbol_demangle(const char* symbol)
{
   typedef char* Demangler(const char*, char*, size_t*, int*);
   void* library = dlopen("libstdc++.so.6", RTLD_LAZY);
   Demangler* of_cxx =
      library ? (Demangler*)dlsym(library, "__cxa_demangle") : NULL;
   int status;
   return of_cxx && !has_hash(symbol) ? of_cxx(symbol, NULL, NULL, &status)
                                      : NULL;
}
#endif

/* Among symbols with hashes that have one name, the first has it. */
static bool is_first(FunctionNames* names, const char* symbol, const char* name)
{
   uint64_t key = cg2p_numbermap_key(name), own = cg2p_numbermap_key(symbol);
   uint64_t owner = cg2p_numbermap_find(&names->taken, key);
   if (!owner) cg2p_numbermap_set(&names->taken, names->failure, key, own);
   return !owner || owner == own;
}

static const char* demangled(FunctionNames* names, const char* symbol)
{
   char* made = cg2d_symbol_demangle(symbol);
   if (!made) return symbol;
   const char* name = cg2p_arena_text(&names->object->arena, names->failure,
                                      made, strlen(made));
   free(made);
   return !has_hash(symbol) || is_first(names, symbol, name) ? name : symbol;
}

const char* cg2d_functionnames_name(FunctionNames* names, Dwarf_Die* entry)
{
   const char* symbol = cg2d_entries_linkage_name(entry);
   if (symbol[0]) return names->demangles ? demangled(names, symbol) : symbol;
   const char* name = cg2d_entries_name(entry);
   const char* scope = cg2d_scopes_name(names->object, names->failure, entry);
   if (!scope[0] || !name[0]) return name;
   size_t size = strlen(scope) + sizeof "::" + strlen(name);
   char* whole = cg2p_arena_add(&names->object->arena, names->failure, size);
   snprintf(whole, size, "%s::%s", scope, name);
   return whole;
}
