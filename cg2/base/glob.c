#include "base/glob.h"

/* The pattern behind its first character, if that is of the character `c`; or
 * NULL. */
static const HChar* behind_one(const HChar* pattern, HChar c)
{
   if (*pattern == '?') return pattern + 1;
   if (*pattern == '\\' && pattern[1]) pattern++;
   return *pattern == c ? pattern + 1 : NULL;
}

/* Where a pattern fits no further, what stands for its last `*` becomes longer.
 * For those in front of it the shortest text that fits is good enough. */
Bool cg2_glob_matches(const HChar* pattern, const HChar* text)
{
   const HChar *behind_star = NULL, *after = NULL;
   while (*text) {
      const HChar* next;
      if (*pattern == '*') {
         behind_star = ++pattern;
         after = text;
      } else if ((next = behind_one(pattern, *text))) {
         pattern = next;
         text++;
      } else if (behind_star) {
         pattern = behind_star;
         text = ++after;
      } else {
         return False;
      }
   }
   while (*pattern == '*')
      pattern++;
   return !*pattern;
}
