/* Programs that tell on stdout each call that they make: compiled with
 * -finstrument-functions, a line is "STACK + FUNCTION" where a function is
 * entered, "STACK -" where one is left, "STACK = N" where so many are left on
 * the stack after others have been left untold. FUNCTION is a name, or a
 * distance from __executable_start. */
#ifndef TRACED_H
#define TRACED_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define SILENT __attribute__((no_instrument_function))
#define KEPT   __attribute__((noipa))

enum { STACKS = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int number; /* of the stack */
static int depths[STACKS];

extern "C" SILENT void tell_entered(const char* name)
{
   pthread_mutex_lock(&lock);
   printf("%d + %s\n", number, name);
   depths[number]++;
   pthread_mutex_unlock(&lock);
}

extern "C" SILENT void tell_depth(int depth)
{
   pthread_mutex_lock(&lock);
   printf("%d = %d\n", number, depth);
   depths[number] = depth;
   pthread_mutex_unlock(&lock);
}

extern "C" const char __executable_start; /* where the linker has put it */

extern "C" SILENT void __cyg_profile_func_enter(void* function, void*)
{
   char distance[32];
   snprintf(distance, sizeof(distance), "%td", (const char*)function - &__executable_start);
   tell_entered(distance);
}

extern "C" SILENT void __cyg_profile_func_exit(void*, void*)
{
   pthread_mutex_lock(&lock);
   printf("%d -\n", number);
   depths[number]--;
   pthread_mutex_unlock(&lock);
}

#endif
