/* A library, loaded in two namespaces: the same code at two addresses.  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv)
{
   unsigned (*call[2])(unsigned);
   (void)argc;
   for (int i = 0; i < 2; i++) {
      void* library = dlmopen(i ? LM_ID_NEWLM : LM_ID_BASE, argv[1], RTLD_NOW);
      if (!library) return puts(dlerror()), 1;
      call[i] = (unsigned (*)(unsigned))dlsym(library, "outer");
   }
   unsigned sum = 0;
   for (unsigned i = 0; i < 300; i++)
      sum += call[i / 3 % 2](i);
   printf("%u\n", sum);
   return 0;
}
