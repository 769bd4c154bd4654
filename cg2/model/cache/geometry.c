#include "model/cache/geometry.h"

/* Reads the number at `*text` and moves `*text` behind it. A number stops
 * growing when it is too large for anything. False: there is no number. */
static Bool read_number(const HChar** text, ULong* number)
{
   const HChar* begin = *text;
   ULong n = 0;
   for (; **text >= '0' && **text <= '9'; (*text)++)
      if (n <= GEOMETRY_SIZE_MAX) n = 10 * n + (**text - '0');
   *number = n;
   return *text > begin;
}

/* Reads three numbers with commas between them, and nothing else. */
static Bool read_three(const HChar* text, ULong* numbers)
{
   for (UInt i = 0; i < 3; i++) {
      if (i > 0 && *text++ != ',') return False;
      if (!read_number(&text, &numbers[i])) return False;
   }
   return *text == '\0';
}

/* Checks numbers that need not fit a Geometry's fields: those that are too
 * large for them are refused. */
static Bool check_numbers(ULong size, ULong ways, ULong line, HChar* error)
{
   if (line < GEOMETRY_LINE_MIN || line > GEOMETRY_LINE_MAX ||
       (line & (line - 1))) {
      VG_(sprintf)(error, "a line has %d to %d bytes, a power of two; not %llu",
                   GEOMETRY_LINE_MIN, GEOMETRY_LINE_MAX, line);
      return False;
   }
   if (size < line || size > GEOMETRY_SIZE_MAX) {
      VG_(sprintf)(error, "a cache has from one line, here %llu, to %llu bytes",
                   line, GEOMETRY_SIZE_MAX);
      return False;
   }
   if (ways < 1 || ways > size / line) {
      VG_(sprintf)(error,
                   "%llu bytes are lines for 1 to %llu ways, not for %llu",
                   size, size / line, ways);
      return False;
   }
   ULong set = ways * line;
   if (size % set) {
      VG_(sprintf)(error,
                   "the size is no multiple of %llu * %llu bytes, as %llu and "
                   "%llu are",
                   ways, line, size - size % set, size - size % set + set);
      return False;
   }
   return True;
}

Bool cg2_geometry_parse(const HChar* text, Geometry* geometry, HChar* error)
{
   ULong numbers[3];
   if (!read_three(text, numbers)) {
      VG_(sprintf)(error, "expected <size>,<ways>,<line size> in bytes, ways, "
                          "bytes, such as 32768,8,64");
      return False;
   }
   for (UInt i = 0; i < 3; i++)
      if (numbers[i] > GEOMETRY_SIZE_MAX) {
         VG_(sprintf)(error, "the largest number is %llu", GEOMETRY_SIZE_MAX);
         return False;
      }
   if (!check_numbers(numbers[0], numbers[1], numbers[2], error)) return False;
   *geometry = (Geometry){numbers[0], numbers[1], numbers[2]};
   return True;
}

Bool cg2_geometry_check(const Geometry* geometry, HChar* error)
{
   return check_numbers(geometry->size, geometry->ways, geometry->line, error);
}

void cg2_geometry_describe(const Geometry* geometry, HChar* text)
{
   text += VG_(sprintf)(text, "%llu B, %u B, ", geometry->size, geometry->line);
   if (geometry->ways == 1)
      VG_(sprintf)(text, "direct-mapped");
   else
      VG_(sprintf)(text, "%u-way associative", geometry->ways);
}
