/* Touches data of all kinds, and tells of its blocks of the heap: each time
 * that one begins or ends, a number is written to `announced`, and at the end
 * of the program a line says what each number means. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_MAX = 450, NODES = 6 };

volatile unsigned long announced;

static struct Event {
   char kind; /* + or - */
   void* block;
   size_t size;
   const char* function;
   int line;
} events[EVENTS_MAX];

static unsigned long n_events;

static void*
note(char kind, void* block, size_t size, const char* function, int line)
{
   events[n_events] = (struct Event){kind, block, size, function, line};
   announced = ++n_events;
   return block;
}

#define TAKEN(block, size) note('+', block, size, __func__, __LINE__)
#define GONE(block)        note('-', block, 0, __func__, __LINE__)

struct Node {
   struct Node* next;
   long key;
   char name[24];
};

static int counter;
long table[64];
static const short squares[] = {0, 1, 4, 9, 16, 25, 36, 49};
__thread long own[4];
static __thread int rounds;

__attribute__((noinline)) static struct Node* build(void)
{
   struct Node* list = NULL;
   for (long i = 0; i < NODES; i++) {
      struct Node* node = TAKEN(malloc(sizeof *node), sizeof *node);
      node->next = list;
      node->key = i * i;
      strcpy(node->name, i % 2 ? "odd" : "even");
      list = node;
   }
   return list;
}

__attribute__((noinline)) static long sum(const struct Node* list)
{
   long total = 0;
   for (; list; list = list->next)
      total += list->key + list->name[0] + table[list->key % 64];
   return total;
}

__attribute__((noinline)) static void drop(struct Node* list)
{
   while (list) {
      struct Node* next = list->next;
      GONE(list);
      free(list);
      list = next;
   }
}

/* A block that grows; what is freed comes back as other blocks. */
__attribute__((noinline)) static void grow(void)
{
   size_t n = 16;
   int* all = TAKEN(malloc(n * sizeof *all), n * sizeof *all);
   for (size_t i = 0; i < 1000; i++) {
      if (i == n) {
         n *= 2;
         GONE(all);
         all = TAKEN(realloc(all, n * sizeof *all), n * sizeof *all);
      }
      all[i] = i + squares[i % 8];
   }
   counter += all[7] + all[999];
   GONE(all);
   free(all);
   long* zeros = TAKEN(calloc(50, sizeof *zeros), 50 * sizeof *zeros);
   memcpy(zeros, table, 50 * sizeof *zeros);
   GONE(zeros);
   free(zeros);
}

int main(void)
{
   char text[100];
   for (int i = 0; i < 64; i++)
      table[i] = i;
   for (int i = 0; i < 10; i++) {
      struct Node* list = build();
      own[i % 4] += sum(list);
      rounds++;
      drop(list);
   }
   grow();
   sprintf(text, "%ld %d", own[1], rounds + counter);
   printf("%s\nthread %p %zu own (thread-local)\nthread %p %zu rounds "
          "(datatruth.c, thread-local)\n",
          text, (void*)own, sizeof own, (void*)&rounds, sizeof rounds);
   for (unsigned long i = 0; i < n_events; i++)
      printf("%c %p %zu %s %d\n", events[i].kind, events[i].block,
             events[i].size, events[i].function, events[i].line);
   return 0;
}
