/* The numbers of a profile's text: decimal, of at most 20 digits, or 0x and
 * hexadecimal; of 64 bits. */
#ifndef CG2P_NUMBER_H
#define CG2P_NUMBER_H

#include "base/text.h"

/* Whether the whole of `text` is a number; then *number. */
bool cg2p_number_read(Text text, uint64_t* number);

/* Whether the text is written as a number, of whatever size. */
bool cg2p_number_looks_like(Text text);

/* The value of a hexadecimal digit; -1: it is none. */
static inline int cg2p_number_hexadecimal(char c)
{
   if (cg2p_text_is_digit(c)) return c - '0';
   c |= 0x20;
   return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads a number of the usual form at `p`: few digits, in a line that ends in a
 * newline. Where the number ends; NULL: the text is not usual, or no number. */
static inline const char* cg2p_number_read_usual(const char* p,
                                                 uint64_t* number)
{
   enum { DIGITS_MAX = 18 };
   uint64_t n = (unsigned char)(*p - '0');
   if (n > 9) return NULL;
   const char* start = p++;
   if (n == 0 && *p == 'x') {
      start = ++p;
      for (int digit; (digit = cg2p_number_hexadecimal(*p)) >= 0; p++)
         n = n << 4 | digit;
      *number = n;
      return p == start || p - start > 16 ? NULL : p;
   }
   while (cg2p_text_is_digit(*p))
      n = 10 * n + (*p++ - '0');
   *number = n;
   return p - start <= DIGITS_MAX ? p : NULL;
}

#endif
