/* N records, whose members are accessed in known company: `next` and `key` in a
 * walk through all; `name` and `size` of a few; `alone` in a loop of its own; a
 * large block; an array of entries, of which `first` and `last` are accessed
 * together, and `middle` alone; a static object. Between the parts enough other
 * blocks are accessed to end all visits. */
#include <stdlib.h>

enum { N = 100, ROUNDS = 7, NAMED = 10, LARGE = 4096, OTHERS = 16 };

typedef struct Record {
   struct Record* next;
   long key;
   long name;
   long size;
   long alone;
} Record;

typedef struct Entry {
   long first;
   long middle;
   long last;
} Entry;

static struct {
   volatile long in, out;
} queue;

static volatile char* others[OTHERS];
static volatile long sum;

static void end_visits(void)
{
   for (int i = 0; i < OTHERS; i++)
      *others[i] = 1;
}

static __attribute__((noinline)) void add(Record** head, long key)
{
   Record* made = malloc(sizeof *made); /* records */
   made->next = *head;
   *head = made;
   made->key = key;
}

static __attribute__((noinline)) long walk(const Record* head)
{
   long sum = 0;
   for (const volatile Record* r = head; r; r = r->next)
      sum += r->key;
   return sum;
}

static __attribute__((noinline)) void name(volatile Record* r)
{
   r->name = 1;
   r->size = 2;
   r->name = 3;
}

static __attribute__((noinline)) void leave_alone(volatile Record* r)
{
   for (int i = 0; i < ROUNDS; i++)
      r->alone = i;
}

static __attribute__((noinline)) long add_up(const volatile Entry* all)
{
   long all_of_them = 0;
   for (long i = 0; i < N; i++)
      all_of_them += all[i].first * all[i].last;
   return all_of_them;
}

static __attribute__((noinline)) void fill(volatile Entry* all)
{
   for (long i = 0; i < N; i++)
      all[i].middle = i;
}

static __attribute__((noinline)) void entries(void)
{
   volatile Entry* all = malloc(N * sizeof *all); /* entries */
   for (int i = 0; i < ROUNDS; i++)
      sum = add_up(all);
   end_visits();
   fill(all);
   end_visits();
   fill(all);
}

int main(void)
{
   Record* head = NULL;
   volatile long* large = malloc(LARGE * sizeof *large); /* large */
   for (int i = 0; i < OTHERS; i++)
      others[i] = malloc(1);
   for (long i = 0; i < N; i++)
      add(&head, i);
   end_visits();
   for (int i = 0; i < ROUNDS; i++)
      walk(head);
   Record* r = head;
   for (int i = 0; i < NAMED; i++, r = r->next)
      name(r);
   end_visits();
   for (long i = 0; i < LARGE; i++)
      large[i] = i;
   walk(head);
   for (r = head; r; r = r->next)
      leave_alone(r);
   entries();
   queue.in = 1;
   walk(head);
   queue.out = queue.in;
   return 0;
}
