/* Finds numbers such as -12.5e+3 in a text by a table of states. */
#include "bench.h"
enum { TEXT = 120000, STATES = 8, KINDS = 6 };
static char text[TEXT];
static uint8_t kinds[256];
static const uint8_t next[STATES][KINDS] = {
   /* other digit sign point e     space */
   {0, 2, 1, 0, 0, 0}, /* none yet */
   {0, 2, 1, 0, 0, 0}, /* sign */
   {0, 2, 1, 3, 5, 7}, /* digits */
   {0, 4, 1, 0, 0, 0}, /* point */
   {0, 4, 1, 0, 5, 7}, /* digits behind the point */
   {0, 6, 5, 0, 0, 0}, /* e */
   {0, 6, 1, 0, 0, 7}, /* exponent */
   {0, 2, 1, 0, 0, 0}, /* found */
};

void setup(void)
{
   for (int c = '0'; c <= '9'; c++)
      kinds[c] = 1;
   kinds['-'] = kinds['+'] = 2;
   kinds['.'] = 3;
   kinds['e'] = 4;
   kinds[' '] = 5;
}

void prepare(void)
{
   for (int i = 0; i < TEXT; i++)
      text[i] = "0123456789012345-+..e  ab"[rnd() % 25];
}

void bench(void)
{
   uint32_t state = 0, found = 0;
   for (int i = 0; i < TEXT; i++) {
      state = next[state][kinds[(uint8_t)text[i]]];
      found += state == 7;
   }
   KEEP(found);
}
