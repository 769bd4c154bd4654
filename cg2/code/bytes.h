/* Reading numbers from bytes, one behind the other, as tables of ELF files have
 * them: little-endian, or in LEB128. */
#ifndef CG2_BYTES_H
#define CG2_BYTES_H

#include "base/vg.h"

/* Where the next number is. Past the end each number is 0, and `is_short` says
 * so. The bytes are the caller's. */
typedef struct ByteReader {
   const UChar* next;
   const UChar* end;
   Bool is_short;
} ByteReader;

/* The next number, of `n` bytes. */
static inline ULong cg2_bytes_number(ByteReader* r, UInt n)
{
   ULong value = 0;
   if ((SizeT)(r->end - r->next) < n) {
      r->next = r->end;
      r->is_short = True;
      return 0;
   }
   for (UInt i = 0; i < n; i++)
      value |= (ULong)r->next[i] << 8 * i;
   r->next += n;
   return value;
}

/* The next number, in LEB128, without a sign. */
static inline ULong cg2_bytes_leb(ByteReader* r)
{
   ULong value = 0;
   for (UInt shift = 0;; shift += 7) {
      UInt byte = cg2_bytes_number(r, 1);
      if (shift < 64) value |= (ULong)(byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
   }
}

/* The next number, in LEB128, with a sign. */
static inline Long cg2_bytes_signed_leb(ByteReader* r)
{
   ULong value = 0;
   for (UInt shift = 0;;) {
      UInt byte = cg2_bytes_number(r, 1);
      if (shift < 64) value |= (ULong)(byte & 0x7f) << shift;
      shift += 7;
      if (byte & 0x80) continue;
      if (shift < 64 && byte & 0x40) value |= ~0ULL << shift;
      return value;
   }
}

#endif
