#include "base/radix.h"

#include <string.h>

/* A pass puts items in order by so many bits of their keys. */
enum { BITS = 11, DIGITS = 1 << BITS };

static uint64_t greatest(const size_t* order, size_t n, const uint64_t* keys)
{
   uint64_t most = 0;
   for (size_t i = 0; i < n; i++)
      if (keys[order[i]] > most) most = keys[order[i]];
   return most;
}

static unsigned digit_of(uint64_t key, unsigned shift)
{
   return key >> shift & (DIGITS - 1);
}

/* Puts numbers in order by one digit, from `from` into `to`. */
static void put_by_digit(const size_t* from,
                         size_t* to,
                         size_t n,
                         const uint64_t* keys,
                         unsigned shift)
{
   size_t next[DIGITS] = {0}, before = 0;
   for (size_t i = 0; i < n; i++)
      next[digit_of(keys[from[i]], shift)]++;
   for (unsigned digit = 0; digit < DIGITS; digit++) {
      size_t of_digit = next[digit];
      next[digit] = before;
      before += of_digit;
   }
   for (size_t i = 0; i < n; i++)
      to[next[digit_of(keys[from[i]], shift)]++] = from[i];
}

void cg2p_radix_sort(size_t* order,
                     size_t* spare,
                     size_t n,
                     const uint64_t* keys)
{
   enum { WORD = 64 };
   uint64_t most = greatest(order, n, keys);
   size_t *from = order, *to = spare;
   for (unsigned shift = 0; shift < WORD && most >> shift; shift += BITS) {
      put_by_digit(from, to, n, keys, shift);
      size_t* sorted = to;
      to = from;
      from = sorted;
   }
   if (from != order) memcpy(order, from, n * sizeof *order);
}
