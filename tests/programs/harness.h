/* For harness.c: code that is inlined there, so that a function has lines of
   two files. */

#ifndef HARNESS_H
#define HARNESS_H

/* Valgrind knows the names of programs that have initialised data. */
static volatile unsigned char table[4096] = {1};

static inline __attribute__((always_inline)) unsigned mixed(unsigned x)
{
   x ^= x << 7;
   x ^= x >> 3;
   return x + table[x % sizeof table];
}

#endif
