/* Names that are like one another.
 *
 * Most are so at their ends. Of others the longest piece that both have is
 * looked for, then those to its left and to its right, and so on. */
#include "explain/likenames.h"

#include <stdlib.h>

enum { LONGEST = 1000 };

/* Whether so many bytes of each are more than six of ten of both. */
static bool is_most(size_t n, Text a, Text b)
{
   return 10 * n > 3 * (cg2p_text_length(a) + cg2p_text_length(b));
}

/*--- Ends ---------------------------------------------------------------*/

/* How many bytes are the same at the beginning, and at the end behind the first
 * that differ. */
static size_t same_at_ends(Text a, Text b)
{
   size_t shorter = cg2p_text_length(a), begin = 0, end = 0;
   if (cg2p_text_length(b) < shorter) shorter = cg2p_text_length(b);
   while (begin < shorter && a.start[begin] == b.start[begin])
      begin++;
   while (begin + 1 + end < shorter && a.end[-1 - end] == b.end[-1 - end])
      end++;
   return begin + end;
}

/*--- In order -----------------------------------------------------------*/

/* How many bytes both have, in any order. */
static size_t bytes_in_common(Text a, Text b)
{
   uint32_t left[256] = {0};
   size_t n = 0;
   for (const char* p = a.start; p < a.end; p++)
      left[(unsigned char)*p]++;
   for (const char* p = b.start; p < b.end; p++)
      if (left[(unsigned char)*p]) {
         left[(unsigned char)*p]--;
         n++;
      }
   return n;
}

/* The longest piece that both have, as it is in each; the first of several. */
typedef struct SharedPiece {
   Text in_a, in_b;
} SharedPiece;

static SharedPiece longest_shared(uint32_t* lengths, Text a, Text b)
{
   SharedPiece best = {{a.start, a.start}, {b.start, b.start}};
   uint32_t longest = 0;
   memset(lengths, 0, (cg2p_text_length(b) + 1) * sizeof *lengths);
   for (const char* p = a.start; p < a.end; p++) {
      uint32_t before = 0; /* of the bytes before p and q */
      for (const char* q = b.start; q < b.end; q++) {
         uint32_t* length = &lengths[q - b.start];
         uint32_t next = *length;
         *length = *p == *q ? before + 1 : 0;
         before = next;
         if (*length <= longest) continue;
         longest = *length;
         best =
            (SharedPiece){{p + 1 - longest, p + 1}, {q + 1 - longest, q + 1}};
      }
   }
   return best;
}

/* How many bytes are in pieces that both have, in this order. */
static size_t same_in_order(uint32_t* lengths, Text a, Text b)
{
   SharedPiece piece = longest_shared(lengths, a, b);
   size_t n = cg2p_text_length(piece.in_a);
   if (!n) return 0;
   n += same_in_order(lengths, (Text){a.start, piece.in_a.start},
                      (Text){b.start, piece.in_b.start});
   return n + same_in_order(lengths, (Text){piece.in_a.end, a.end},
                            (Text){piece.in_b.end, b.end});
}

/*--- The operation ------------------------------------------------------*/

bool cg2p_likenames_are(LikeNames* room, Failure* failure, Text a, Text b)
{
   if (is_most(same_at_ends(a, b), a, b)) return true;
   if (cg2p_text_length(a) > LONGEST || cg2p_text_length(b) > LONGEST ||
       !is_most(bytes_in_common(a, b), a, b))
      return false;
   room->lengths = cg2p_memory_grow(failure, room->lengths, &room->room,
                                    LONGEST + 1, sizeof *room->lengths);
   return is_most(same_in_order(room->lengths, a, b), a, b);
}

void cg2p_likenames_free(LikeNames* room)
{
   free(room->lengths);
}
