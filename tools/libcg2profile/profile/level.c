#include "profile/level.h"

#include <stdbool.h>
#include <string.h>

enum { DIGITS_MAX = 9 };

/* Reads the mark that `p`, an apostrophe, may begin; its length, or 0. */
static size_t read_mark(const char* p, const char* end, uint32_t* number)
{
   const char* digit = p + 1;
   for (*number = 0; digit < end && *digit >= '0' && *digit <= '9'; digit++) {
      if (digit - p > DIGITS_MAX) return 0;
      *number = 10 * *number + (*digit - '0');
   }
   bool ends = digit == end || (*digit == '\'' && digit + 1 < end);
   return ends && digit > p + 1 ? digit - p : 0;
}

Level cg2p_level_of(const char* name, size_t length)
{
   const char *end = name + length, *p = name;
   Level level = {.number = 1};
   while (p < end && (p = memchr(p + 1, '\'', end - p - 1))) {
      level.length = read_mark(p, end, &level.number);
      level.start = p - name;
      if (level.length) return level;
   }
   return (Level){.number = 1};
}
