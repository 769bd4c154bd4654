#include "names.h"

#include "arena.h"

static Name* find(const Names* names, const HChar* text, ULong hash)
{
   for (TableNode* n = cg2_table_first(&names->table, hash); n;
        n = cg2_table_next(n))
      if (VG_(strcmp)(((Name*)n)->text, text) == 0) return (Name*)n;
   return NULL;
}

static void number(Names* names, Name* name)
{
   if (names->n == names->capacity) {
      names->capacity = names->capacity ? 2 * names->capacity : 64;
      names->by_number =
         VG_(realloc)("cg2.names", names->by_number,
                      names->capacity * sizeof *names->by_number);
   }
   name->number = names->n;
   names->by_number[names->n++] = name;
}

Name* cg2_names_intern(Names* names, const HChar* text)
{
   ULong hash = cg2_hash_string(0, text);
   Name* name = find(names, text, hash);
   if (name) return name;
   SizeT length = VG_(strlen)(text);
   name = cg2_arena_new(sizeof *name + length + 1);
   VG_(memcpy)(name->text, text, length + 1);
   cg2_table_add(&names->table, &name->node, hash);
   number(names, name);
   return name;
}
