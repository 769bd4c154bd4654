#include "base/number.h"

static bool read_hexadecimal(Text digits, uint64_t* number)
{
   uint64_t n = 0;
   if (digits.start == digits.end) return false;
   for (const char* p = digits.start; p < digits.end; p++) {
      int digit = cg2p_number_hexadecimal(*p);
      if (digit < 0 || n >> 60) return false;
      n = n << 4 | digit;
   }
   *number = n;
   return true;
}

static bool read_decimal(Text digits, uint64_t* number)
{
   enum { DIGITS_MAX = 20 };
   uint64_t n = 0;
   size_t length = cg2p_text_length(digits);
   if (!length || length > DIGITS_MAX) return false;
   for (const char* p = digits.start; p < digits.end; p++)
      if (!cg2p_text_is_digit(*p) || __builtin_mul_overflow(n, 10, &n) ||
          __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
         return false;
   *number = n;
   return true;
}

bool cg2p_number_read(Text text, uint64_t* number)
{
   bool is_hexadecimal = cg2p_text_length(text) > 2 && text.start[0] == '0' &&
                         text.start[1] == 'x';
   return is_hexadecimal
             ? read_hexadecimal((Text){text.start + 2, text.end}, number)
             : read_decimal(text, number);
}

bool cg2p_number_looks_like(Text text)
{
   bool is_hexadecimal = cg2p_text_length(text) > 2 && text.start[0] == '0' &&
                         text.start[1] == 'x';
   const char* p = text.start + (is_hexadecimal ? 2 : 0);
   while (p < text.end && (is_hexadecimal ? cg2p_number_hexadecimal(*p) >= 0
                                          : cg2p_text_is_digit(*p)))
      p++;
   return p == text.end && text.start < text.end;
}

const char* cg2p_number_read_long(const char* p, uint64_t* number)
{
   enum { DIGITS_MAX = 18, HEXADECIMAL_MAX = 16 };
   uint64_t n = 0;
   bool is_hexadecimal = p[0] == '0' && p[1] == 'x';
   const char* start = p += is_hexadecimal ? 2 : 0;
   if (is_hexadecimal)
      for (int digit; (digit = cg2p_number_hexadecimal(*p)) >= 0; p++)
         n = n << 4 | digit;
   else
      while (cg2p_text_is_digit(*p))
         n = 10 * n + (*p++ - '0');
   *number = n;
   size_t most = is_hexadecimal ? HEXADECIMAL_MAX : DIGITS_MAX;
   return p == start || (size_t)(p - start) > most ? NULL : p;
}
