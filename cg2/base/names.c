#include "base/names.h"

#include "base/arena.h"

static Name* find(const Names* names, const HChar* text, ULong hash)
{
   for (TableNode* n = cg2_table_first(&names->table, hash); n;
        n = cg2_table_next(n))
      if (VG_(strcmp)(((Name*)n)->text, text) == 0) return (Name*)n;
   return NULL;
}

/* Gives a new name the next number. */
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

static Bool is_digit(HChar c, Bool is_hex)
{
   return (c >= '0' && c <= '9') ||
          (is_hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}

/* How long the id at the beginning of a text of `n` bytes is; 0: there is none.
 * In a profile "(12)" and "(0xc)" are ids. */
static SizeT id_size(const HChar* text, SizeT n)
{
   Bool is_hex = n > 2 && text[1] == '0' && text[2] == 'x';
   SizeT first = is_hex ? 3 : 1, i = first;
   while (i < n && is_digit(text[i], is_hex))
      i++;
   return n && text[0] == '(' && i > first && i < n && text[i] == ')' ? i + 1
                                                                      : 0;
}

/* Whether a profile can show byte number `i` of a name of `n` bytes. Readers
 * drop blanks around a name. */
static Bool is_shown(const HChar* text, SizeT n, SizeT i)
{
   UChar c = text[i];
   if (c == ' ') return i > 0 && i < n - 1;
   return c > ' ' && c != 0x7f;
}

Name* cg2_names_intern_shown(Names* names, const HChar* text, SizeT n)
{
   HChar* shown = VG_(malloc)("cg2.names", n + 1);
   for (SizeT i = 0; i < n; i++)
      shown[i] = is_shown(text, n, i) ? text[i] : '?';
   shown[n] = '\0';
   SizeT n_id = id_size(text, n);
   if (n_id) {
      shown[0] = '[';
      shown[n_id - 1] = ']';
   }
   Name* name = cg2_names_intern(names, shown);
   VG_(free)(shown);
   return name;
}
