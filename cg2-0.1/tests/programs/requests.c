/* What a program asks for itself. The first argument says by which requests:
   `callgrind` those of valgrind/callgrind.h, `cg2` those of cg2.h.

   - a(1), dump, a(2), dump at the text of the second argument (or "second", a
     newline, and "hint"), a(3), zero, a(4), dump
   - inside(): a(5), toggle, b(6), toggle, a(7); then dump
   - rest(): nothing

   a(n) is n calls of a, b(n) of b. */

#include "../../cg2/cg2.h"
#include "counted.h"
#include <string.h>
#include <valgrind/callgrind.h>

static volatile long state;

COUNTED void a(void)
{
   state++;
}

COUNTED void b(void)
{
   state++;
}

static int by_cg2;

COUNTED void dump(void)
{
   if (by_cg2)
      CG2_DUMP;
   else
      CALLGRIND_DUMP_STATS;
}

COUNTED void dump_at(const char* text)
{
   if (by_cg2)
      CG2_DUMP_AT(text);
   else
      CALLGRIND_DUMP_STATS_AT(text);
}

COUNTED void zero(void)
{
   if (by_cg2)
      CG2_ZERO;
   else
      CALLGRIND_ZERO_STATS;
}

COUNTED void toggle(void)
{
   if (by_cg2)
      CG2_TOGGLE_COLLECT;
   else
      CALLGRIND_TOGGLE_COLLECT;
}

COUNTED void times(void (*what)(void), int n)
{
   for (int i = 0; i < n; i++)
      what();
}

COUNTED void inside(void)
{
   times(a, 5);
   toggle();
   times(b, 6);
   toggle();
   times(a, 7);
}

COUNTED void rest(void)
{
   state++;
}

int main(int argc, char** argv)
{
   by_cg2 = argc > 1 && strcmp(argv[1], "cg2") == 0;
   times(a, 1);
   dump();
   times(a, 2);
   dump_at(argc > 2 ? argv[2] : "second\nhint");
   times(a, 3);
   zero();
   times(a, 4);
   dump();
   inside();
   dump();
   rest();
   return 0;
}
