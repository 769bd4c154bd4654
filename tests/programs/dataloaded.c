/* A library of which each call of touch() writes an element of each of its
 * variables. NAME is what distinguishes two of them, LONGS how large the one is
 * that is thread-local. */
#define JOINED(a, b) a##b
#define NAMED(a, b)  JOINED(a, b)

#ifndef LONGS
#define LONGS 100
#endif

long NAMED(shared_, NAME)[50];
__thread long NAMED(local_, NAME)[LONGS];

void touch(void)
{
   static int NAMED(count_, NAME);
   int i = NAMED(count_, NAME) = (NAMED(count_, NAME) + 1) % 50;
   NAMED(shared_, NAME)[i] = 1;
   NAMED(local_, NAME)[LONGS / 50 * i] = 1;
}
