#include "base/radix.h"

#include <string.h>

/* A pass puts items in order by so many bits of their keys. */
enum { BITS = 11, DIGITS = 1 << BITS };

static unsigned digit_of(uint64_t key, unsigned shift)
{
   return key >> shift & (DIGITS - 1);
}

/* Counts the first digits. The greatest key. */
static uint64_t
count(const size_t* order, size_t n, const uint64_t* keys, size_t* counts)
{
   uint64_t most = 0;
   memset(counts, 0, DIGITS * sizeof *counts);
   for (size_t i = 0; i < n; i++) {
      uint64_t key = keys[order[i]];
      if (key > most) most = key;
      counts[digit_of(key, 0)]++;
   }
   return most;
}

/* Puts numbers in order by one digit, from `from` into `to`. `counts` says how
 * often each digit is there, and then how often each next one is: keys lie all
 * over memory, so each pass looks at them once. */
static void put_by_digit(const size_t* from,
                         size_t* to,
                         size_t n,
                         const uint64_t* keys,
                         unsigned shift,
                         size_t* counts)
{
   size_t next[DIGITS];
   memcpy(next, counts, sizeof next);
   cg2p_radix_begin(next, DIGITS);
   memset(counts, 0, DIGITS * sizeof *counts);
   for (size_t i = 0; i < n; i++) {
      uint64_t key = keys[from[i]] >> shift;
      to[next[digit_of(key, 0)]++] = from[i];
      counts[digit_of(key, BITS)]++;
   }
}

void cg2p_radix_sort(size_t* order,
                     size_t* spare,
                     size_t n,
                     const uint64_t* keys)
{
   enum { WORD = 64 };
   size_t counts[DIGITS];
   uint64_t most = count(order, n, keys, counts);
   size_t *from = order, *to = spare;
   for (unsigned shift = 0; shift < WORD && most >> shift; shift += BITS) {
      put_by_digit(from, to, n, keys, shift, counts);
      size_t* sorted = to;
      to = from;
      from = sorted;
   }
   if (from != order) memcpy(order, from, n * sizeof *order);
}
