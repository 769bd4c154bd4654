/* The numbers of a profile's text: decimal, of at most 20 digits, or 0x and
 * hexadecimal; of 64 bits. */
#ifndef CG2P_NUMBER_H
#define CG2P_NUMBER_H

#include "base/text.h"

#include <endian.h>
#include <string.h>

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

/* How many digits a number begins with, of eight bytes in the order of the
 * text, and in *number what they are together, if they are fewer than eight.
 * All bytes at once: no jump then depends on how long a number is. */
static inline unsigned cg2p_number_of_word(uint64_t word, uint64_t* number)
{
   enum { BITS = 8, BYTES = 8, LAST_BIT = 63 };
   const uint64_t each = 0x0101010101010101;
   word ^= each * '0'; /* digits are now their values, and nothing else is */
   uint64_t others = (word | (word + each * (0x80 - 10))) & each * 0x80;
   if (!others) return BYTES;
   unsigned bit = __builtin_ctzll(others);  /* the highest of a byte */
   word = word << (LAST_BIT - bit) << BITS; /* zeroes come first */
   word = (word * 10 + (word >> 8)) & 0x00ff00ff00ff00ff; /* two digits each */
   word = (word * 100 + (word >> 16)) & 0x0000ffff0000ffff;
   *number = (uint32_t)(word * 10000 + (word >> 32));
   return bit / BITS;
}

/* Reads a number of more than a few digits, or none, as
 * cg2p_number_read_usual. */
const char* cg2p_number_read_long(const char* p, uint64_t* number);

/* Reads a number of the usual form at `p`: few digits, in a line that ends in a
 * newline, of a text of cg2p_input_next. Where the number ends; NULL: the text
 * is not usual, or no number. */
static inline const char* cg2p_number_read_usual(const char* p,
                                                 uint64_t* number)
{
   uint64_t word;
   memcpy(&word, p, sizeof word);
   unsigned n = cg2p_number_of_word(le64toh(word), number);
   if (n - 1 >= sizeof word - 1 || p[n] == 'x')
      return cg2p_number_read_long(p, number);
   return p + n;
}

#endif
