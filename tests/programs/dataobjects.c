/* Accesses to data objects whose number is known: each object is volatile, so
   that the compiler keeps each access, and no other function comes to it.
   Comments say how many reads (r) and writes (w) there are, and where. */

#include "counted.h"
#include <stdlib.h>

enum { NODES = 30, STRUCTS = 100, COLUMNS = 40, LOCALS = 12, TEXT = 100 };

/* Reads `place`. What is read is added up, as nobody may leave out a read whose
   value is used. */
#define READ(place) total += (place)

/* counter: 7 w, 5 r. */
static volatile long counter;

/* shared, a global symbol: 3 w at 0 and 3 r at 8. */
volatile long shared[2];

static COUNTED void scalars(void)
{
   long total = 0;
   for (int i = 0; i < 7; i++)
      counter = i;
   for (int i = 0; i < 5; i++)
      READ(counter);
   for (int i = 0; i < 3; i++) {
      shared[0] = i;
      READ(shared[1]);
   }
   OPAQUE(total);
}

/* structs: STRUCTS w at 8 of each 24, STRUCTS r at 16 of each 24. */
static volatile struct {
   long first, second, third;
} structs[STRUCTS];

static COUNTED void of_structs(void)
{
   long total = 0;
   for (int i = 0; i < STRUCTS; i++)
      structs[i].second = i;
   for (int i = 0; i < STRUCTS; i++)
      READ(structs[i].third);
   OPAQUE(total);
}

/* grid: each of COLUMNS * COLUMNS ints written row by row, and read column by
   column, by one instruction each. */
static volatile int grid[COLUMNS][COLUMNS];

static COUNTED void of_grid(void)
{
   long total = 0;
   for (int i = 0; i < COLUMNS; i++)
      for (int k = 0; k < COLUMNS; k++)
         grid[i][k] = k;
   for (int k = 0; k < COLUMNS; k++)
      for (int i = 0; i < COLUMNS; i++)
         READ(grid[i][k]);
   OPAQUE(total);
}

/* text: TEXT r of a byte. */
static const volatile char text[TEXT] = "constants are data, too";

static COUNTED void of_text(void)
{
   long total = 0;
   for (int i = 0; i < TEXT; i++)
      READ(text[i]);
   OPAQUE(total);
}

/* LOCALS * 2 w and LOCALS r of the caller's frame. */
static COUNTED void through_pointer(volatile long* values)
{
   for (int i = 0; i < LOCALS; i++)
      values[i] = i;
}

static COUNTED void of_frame(void)
{
   long total = 0;
   volatile long values[LOCALS];
   through_pointer(values);
   for (int i = 0; i < LOCALS; i++) {
      values[i] = i;
      READ(values[i]);
   }
   OPAQUE(total);
}

typedef volatile struct Node {
   volatile struct Node* next;
   long pad;
   long value;
} Node;

/* Each node: 2 w here. */
static COUNTED Node* make_list(void)
{
   Node* list = NULL;
   for (int i = 0; i < NODES; i++) {
      Node* node = malloc(sizeof *node); /* nodes */
      node->next = list;
      node->value = i;
      list = node;
   }
   return list;
}

/* Each node: 1 r at 0 and 1 r at 16. */
static COUNTED void walk(Node* list)
{
   long total = 0;
   for (; list; list = list->next)
      READ(list->value);
   OPAQUE(total);
}

/* Each node: 1 r at 0, the allocator's own aside. */
static COUNTED void free_list(Node* list)
{
   while (list) {
      Node* next = list->next;
      free((void*)list);
      list = next;
   }
}

int main(void)
{
   scalars();
   of_structs();
   of_grid();
   of_text();
   of_frame();
   Node* list = make_list();
   walk(list);
   walk(list);
   free_list(list);
   return 0;
}
