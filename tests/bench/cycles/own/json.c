/* Reads JSON: depth, strings with escapes, the sum of numbers. */
#include "bench.h"
enum { TEXT = 60000 };
static char text[TEXT + 200];

void setup(void) {}

static char* word(char* p)
{
   *p++ = '"';
   for (uint64_t r = rnd(), n = r % 13 + 1; n > 0; n--, r >>= 4) {
      if ((r & 31) == 3) *p++ = '\\';
      *p++ = (char)('a' + (r & 15));
   }
   *p++ = '"';
   return p;
}

void prepare(void)
{
   char* p = text;
   *p++ = '[';
   while (p < text + TEXT) {
      uint64_t r = rnd();
      *p++ = '{';
      for (uint64_t n = r % 4 + 1; n > 0; n--) {
         p = word(p);
         *p++ = ':';
         r = rnd();
         if (r & 1)
            p = word(p);
         else if (r & 6)
            p += sprintf(p, r & 8 ? "%d.%d" : "%d", (int)(r >> 40) % 5000,
                         (int)(r >> 30) % 100);
         else
            p += sprintf(p, "%s", r & 8 ? "true" : "null");
         if (n > 1) *p++ = ',';
      }
      *p++ = '}';
      *p++ = ',';
   }
   strcpy(p, "0]");
}

static const char* string(const char* p, uint32_t* length)
{
   for (; *p != '"'; p++) {
      if (*p == '\\') p++;
      ++*length;
   }
   return p + 1;
}

static const char* number(const char* p, double* sum)
{
   double value = 0, scale = 1;
   for (; *p >= '0' && *p <= '9'; p++)
      value = value * 10 + (*p - '0');
   if (*p == '.')
      for (p++; *p >= '0' && *p <= '9'; p++)
         value += (*p - '0') * (scale *= 0.1);
   *sum += value;
   return p;
}

void bench(void)
{
   uint32_t depth = 0, deepest = 0, length = 0, words = 0;
   double sum = 0;
   for (const char* p = text; *p;) {
      char c = *p;
      if (c == '{' || c == '[') {
         depth++, p++;
         deepest = depth > deepest ? depth : deepest;
      } else if (c == '}' || c == ']') {
         depth--, p++;
      } else if (c == '"') {
         p = string(p + 1, &length);
      } else if (c >= '0' && c <= '9') {
         p = number(p, &sum);
      } else if (c == 't' || c == 'n') {
         words++, p += 4;
      } else {
         p++;
      }
   }
   KEEP(length + words + deepest + (uint32_t)sum);
}
