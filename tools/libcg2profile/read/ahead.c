#include "read/ahead.h"

#include <string.h>

/* Bytes that are looked at together. */
typedef char ByteVector __attribute__((vector_size(16)));

static inline ByteVector bytes_at(const char* p)
{
   ByteVector bytes;
   memcpy(&bytes, p, sizeof bytes);
   return bytes;
}

/* Fetches what is needed of a line "fn=(12) name" or "fn=(12)" that begins at
 * `p`, if it is one; `spec` is what it has to begin with. */
static void
fetch_line(const Reader* r, const char* p, const char* end, const char* spec)
{
   uint64_t id;
   size_t length = strlen(spec);
   if (memcmp(p, spec, length)) return;
   p = cg2p_number_read_usual(p + length, &id);
   if (!p || *p != ')') return;
   if (p[1] != ' ') {
      cg2p_names_fetch_id(&r->names.ids[ID_FUNCTION], id);
      return;
   }
   const char *name = p + 2, *newline = memchr(name, '\n', end - name);
   if (newline) cg2p_names_fetch(&r->profile->names, name, newline - name);
}

/* Fetches for the lines that begin where `marks` is not 0, of 8 bytes at `p`.
 */
static void
fetch_lines(const Reader* r, const char* p, const char* end, uint64_t marks)
{
   enum { BITS = 8, BYTE = 0xff };
   while (marks) {
      unsigned at = __builtin_ctzll(marks) / BITS;
      const char* line = p + at + 1;
      fetch_line(r, line, end, *line == 'c' ? "cfn=(" : "fn=(");
      marks &= ~((uint64_t)BYTE << at * BITS);
   }
}

void cg2p_ahead_fetch(const Reader* r, const char* p, const char* end)
{
   enum { LINE_MAX_USUAL = 48 }; /* of a line without a name, and more */
   for (; end - p > LINE_MAX_USUAL; p += sizeof(ByteVector)) {
      ByteVector second = bytes_at(p + 1);
      ByteVector is_function = (second == 'f') & (bytes_at(p + 2) == 'n');
      ByteVector is_callee = (second == 'c') & (bytes_at(p + 3) == 'n');
      ByteVector begins = (bytes_at(p) == '\n') & (is_function | is_callee);
      uint64_t marks[2];
      memcpy(marks, &begins, sizeof marks);
      if (!(marks[0] | marks[1])) continue;
      fetch_lines(r, p, end, le64toh(marks[0]));
      fetch_lines(r, p + sizeof *marks, end, le64toh(marks[1]));
   }
}
