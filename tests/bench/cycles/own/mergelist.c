/* Sorts a linked list by merging. */
#include "bench.h"
enum { N = 6000 };
static struct node {
   struct node* next;
   uint32_t value;
} nodes[N];

void setup(void) {}

void prepare(void)
{
   for (int i = 0; i < N; i++)
      nodes[i] =
         (struct node){i + 1 < N ? &nodes[i + 1] : NULL, (uint32_t)rnd()};
}

static struct node* merge(struct node* a, struct node* b)
{
   struct node *first = NULL, **end = &first;
   while (a && b) {
      struct node** less = a->value <= b->value ? &a : &b;
      *end = *less;
      end = &(*less)->next;
      *less = *end;
   }
   *end = a ? a : b;
   return first;
}

void bench(void)
{
   struct node *held[20] = {NULL}, *list = nodes;
   while (list) {
      struct node* one = list;
      list = list->next;
      one->next = NULL;
      int i = 0;
      for (; held[i]; i++) {
         one = merge(held[i], one);
         held[i] = NULL;
      }
      held[i] = one;
   }
   for (int i = 0; i < 20; i++)
      list = merge(held[i], list);
   KEEP(list);
}
