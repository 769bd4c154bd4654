/* Counts the words of a text in a hash table with open addressing. */
#include "bench.h"
enum { TEXT = 60000, SLOTS = 4096 };
static char text[TEXT + 1];
static struct {
   const char* word;
   uint32_t hash, length, count;
} table[SLOTS];

void setup(void) {}

void prepare(void)
{
   for (int i = 0; i < TEXT;) {
      uint64_t r = rnd(), word = (r >> 32) % 700 * (r >> 50 & 1 ? 1 : 3) + 1;
      for (; word && i < TEXT; word /= 7)
         text[i++] = (char)('a' + word % 7 * 3 + (word & 1));
      if (i < TEXT) text[i++] = r & 15 ? ' ' : '\n';
   }
   memset(table, 0, sizeof table);
}

static void add(const char* word, uint32_t length, uint32_t hash)
{
   uint32_t at = hash & (SLOTS - 1);
   while (table[at].word &&
          (table[at].hash != hash || table[at].length != length ||
           memcmp(table[at].word, word, length) != 0))
      at = (at + 1) & (SLOTS - 1);
   table[at].word = word;
   table[at].hash = hash;
   table[at].length = length;
   table[at].count++;
}

void bench(void)
{
   const char* p = text;
   while (*p) {
      while (*p == ' ' || *p == '\n')
         p++;
      const char* word = p;
      uint32_t hash = 5381;
      for (; *p && *p != ' ' && *p != '\n'; p++)
         hash = hash * 33 ^ (unsigned char)*p;
      if (p > word) add(word, (uint32_t)(p - word), hash ^ hash >> 15);
   }
   KEEP(table);
}
