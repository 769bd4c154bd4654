#include "machine/packed.h"

/* What says which operation an instruction is. */
typedef struct Operation {
   unsigned map;    /* 1: behind 0x0f, 2: behind 0x0f 0x38 */
   unsigned prefix; /* 0: none, 1: 0x66, 2: 0xf3, 3: 0xf2 */
   unsigned code;
} Operation;

/* Codes of operations, from the first one to the last. */
typedef struct Codes {
   uint8_t first, last;
} Codes;

static bool is_among(unsigned code, const Codes* codes, size_t n)
{
   for (size_t i = 0; i < n; i++)
      if (code >= codes[i].first && code <= codes[i].last) return true;
   return false;
}

#define AMONG(code, codes)                                                     \
   is_among(code, codes, sizeof(codes) / sizeof *(codes))

static bool computes_several(const Operation* operation)
{
   static const Codes floats[] = {{0x51, 0x51}, {0x58, 0x59}, {0x5c, 0x5f}};
   static const Codes numbers[] = {
      {0x60, 0x6b}, {0x71, 0x76}, {0xd1, 0xd5}, {0xd8, 0xda}, {0xdc, 0xde},
      {0xe0, 0xe5}, {0xe8, 0xea}, {0xec, 0xee}, {0xf1, 0xf6}, {0xf8, 0xfe}};
   static const Codes more[] = {
      {0x00, 0x0b}, {0x1c, 0x1e}, {0x28, 0x29}, {0x37, 0x40}, {0x45, 0x47}};
   if (operation->map == 1)
      return (operation->prefix < 2 && AMONG(operation->code, floats)) ||
             (operation->prefix == 1 && AMONG(operation->code, numbers));
   return operation->map == 2 && operation->prefix == 1 &&
          AMONG(operation->code, more);
}

/* Reads the operation of an instruction whose prefixes say what it is in old
 * form: 0x66, 0xf2, 0xf3, then 0x0f. */
static Operation read_old(const uint8_t* p, const uint8_t* end, bool is_long)
{
   Operation read = {.map = 0};
   for (; p < end && (*p == 0x66 || *p == 0xf2 || *p == 0xf3); p++)
      read.prefix = *p == 0x66   ? (read.prefix ? read.prefix : 1)
                    : *p == 0xf3 ? 2
                                 : 3;
   if (is_long && p < end && (*p & 0xf0) == 0x40) p++;
   if (end - p < 3 || *p != 0x0f) return read;
   read.map = p[1] == 0x38 ? 2 : 1;
   read.code = p[read.map];
   return read;
}

/* The same in the forms of AVX, which begin with 0xc5, 0xc4 or 0x62. */
static Operation read_operation(const uint8_t* p, size_t n, bool is_long)
{
   enum { LONGEST = 6 };
   if (n >= LONGEST && is_long && p[0] == 0xc5)
      return (Operation){1, p[1] & 3, p[2]};
   if (n >= LONGEST && is_long && p[0] == 0xc4)
      return (Operation){p[1] & 0x1f, p[2] & 3, p[3]};
   if (n >= LONGEST && is_long && p[0] == 0x62)
      return (Operation){p[1] & 7, p[2] & 3, p[4]};
   return read_old(p, p + n, is_long);
}

bool cg2d_packed_is_packed(const uint8_t* bytes, size_t n, bool is_long)
{
   Operation operation = read_operation(bytes, n, is_long);
   return computes_several(&operation);
}
