/* Counts how often each word occurs: the program of "Your first profile". */

#include <stdio.h>

enum { WORDS = 100000, DIFFERENT = 3000, BUCKETS = 4096, LETTERS = 8 };

struct Word {
   struct Word* next; /* of the bucket */
   unsigned count;
   char text[LETTERS];
};

struct Word words[DIFFERENT];
struct Word* buckets[BUCKETS];

unsigned hash(const char* text)
{
   unsigned sum = 0;
   for (; *text; text++)
#ifdef BETTER
      sum = sum * 31 + *text;
#else
      sum += *text;
#endif
   return sum % BUCKETS;
}

int is_same(const char* a, const char* b)
{
   while (*a && *a == *b)
      a++, b++;
   return *a == *b;
}

struct Word* find(const char* text)
{
   static struct Word* unused = words;
   struct Word** place = &buckets[hash(text)];
   while (*place && !is_same((*place)->text, text))
      place = &(*place)->next;
   if (!*place) {
      *place = unused++;
      for (char* to = (*place)->text; (*to = *text); to++)
         text++;
   }
   return *place;
}

/* The word with this number: syllables of two letters. */
void make_word(char* text, unsigned number)
{
   for (; number; number /= 20) {
      *text++ = "bcdfghklmnprstvwxyzj"[number % 20];
      *text++ = "aeiou"[number % 5];
   }
   *text = 0;
}

void count_words(unsigned words)
{
   char text[LETTERS];
   for (unsigned i = 0, number = 1; i < words; i++) {
      number = (number * 1103515245u + 12345u) & 0x7fffffff;
      make_word(text, number / 7 % DIFFERENT);
      find(text)->count++;
   }
}

int main(void)
{
   unsigned most = 0;
   count_words(WORDS);
   for (int i = 0; i < DIFFERENT; i++)
      if (words[i].count > most) most = words[i].count;
   printf("A word occurs up to %u times.\n", most);
   return 0;
}
