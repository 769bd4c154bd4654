#include "read/naming.h"

#include <stdio.h>
#include <string.h>

static const char* const kind_names[ID_KINDS] = {"object", "file", "function"};

/* Reads an id "(12)" or "(0x1f)" at `p`. Where it ends; NULL: there is none. */
static const char* read_id(const char* p, const char* end, uint64_t* id)
{
   enum { DECIMAL_MAX = 18, HEXADECIMAL_MAX = 16 };
   if (p == end || *p != '(') return NULL;
   const char* close = memchr(p, ')', end - p);
   Text number = {p + 1, close};
   if (!close) return NULL;
   size_t length = cg2p_text_length(number);
   bool is_hexadecimal =
      length > 2 && number.start[0] == '0' && number.start[1] == 'x';
   if (length > (is_hexadecimal ? HEXADECIMAL_MAX + 2 : DECIMAL_MAX) ||
       !cg2p_number_read(number, id))
      return NULL;
   return close + 1;
}

/* The name of an id; that only an earlier part defines it is noted. */
static uint32_t named(Reader* r, IdKind kind, uint64_t id)
{
   const Id* known = cg2p_names_find_id(&r->names.ids[kind], id);
   Part* part = r->part;
   if (!known)
      cg2p_reading_refuse(
         r,
         "%s (%llu) is used before its definition; expected '(%llu) "
         "name' first",
         kind_names[kind], (unsigned long long)id, (unsigned long long)id);
   if (known->part != r->names.part && !part->borrowed_line) {
      char use[64];
      int n = snprintf(use, sizeof use, "%s (%llu)", kind_names[kind],
                       (unsigned long long)id);
      part->borrowed_line = r->text.line;
      part->borrowed = cg2p_arena_text(&r->profile->texts, &r->failure, use, n);
   }
   return known->name;
}

/* A name that is made of others, as "(5)'2" is: with these in their place. */
static uint32_t made_of_names(Reader* r, IdKind kind, Text value)
{
   size_t n = 0;
   const NameStore* names = &r->profile->names;
   cg2p_reading_check_text(r, value);
   while (value.start < value.end) {
      uint64_t id;
      const char* end = read_id(value.start, value.end, &id);
      const StoredName* name = end ? &names->of[named(r, kind, id)] : NULL;
      size_t more = name ? name->length : 1;
      r->names.scratch = cg2p_memory_grow(&r->failure, r->names.scratch,
                                          &r->names.scratch_room, n + more, 1);
      memcpy(r->names.scratch + n, name ? name->text : value.start, more);
      n += more;
      value.start = end ? end : value.start + 1;
   }
   return cg2p_names_intern(&r->profile->names, &r->failure, r->names.scratch,
                            n);
}

static uint32_t intern(Reader* r, Text text)
{
   cg2p_reading_check_text(r, text);
   return cg2p_names_intern(&r->profile->names, &r->failure, text.start,
                            cg2p_text_length(text));
}

static uint32_t define(Reader* r, IdKind kind, uint64_t id, Text value)
{
   Id* known = cg2p_names_find_id(&r->names.ids[kind], id);
   uint64_t other;
   bool is_known = known && known->part == r->names.part;
   if (is_known && value.start == value.end) return known->name;
   uint32_t name = read_id(value.start, value.end, &other)
                      ? made_of_names(r, kind, value)
                      : intern(r, value);
   const NameStore* names = &r->profile->names;
   if (is_known && known->name != name)
      cg2p_reading_refuse(
         r,
         "%s (%llu) is '%s' here and was '%s' before; expected one "
         "name for an id",
         kind_names[kind], (unsigned long long)id, names->of[name].text,
         names->of[known->name].text);
   cg2p_names_define_id(&r->names.ids[kind], &r->failure, id, name,
                        r->names.part);
   return name;
}

static Text without_blanks(Text text)
{
   while (text.start < text.end && (*text.start == ' ' || *text.start == '\t'))
      text.start++;
   while (text.end > text.start &&
          (text.end[-1] == ' ' || text.end[-1] == '\t'))
      text.end--;
   return text;
}

uint32_t cg2p_naming_read(Reader* r, IdKind kind, Text value)
{
   uint64_t id;
   while (value.start < value.end &&
          (*value.start == ' ' || *value.start == '\t'))
      value.start++;
   if (cg2p_text_length(value) < 2 || value.start[0] != '(' ||
       !cg2p_text_is_digit(value.start[1]))
      return intern(r, without_blanks(value));
   const char* end = read_id(value.start, value.end, &id);
   if (!end)
      cg2p_reading_refuse(r, "'%s'; expected '(number) name'",
                          cg2p_reading_show(r, cg2p_text_strip(value)));
   if (end == value.end) return named(r, kind, id);
   return define(r, kind, id, without_blanks((Text){end, value.end}));
}
