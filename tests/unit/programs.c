#include <stdio.h>
#include <string.h>

#include "check.h"

/* Far more than there are. */
enum { MOST = 200 };

static struct {
   const char* name;
   CheckProgram* run;
} programs[MOST];
static UInt n_programs;

void check_add_program(const char* name, CheckProgram* run)
{
   if (n_programs < MOST) {
      programs[n_programs].name = name;
      programs[n_programs].run = run;
   }
   n_programs++;
}

/* PROGRAM [TEST...] is what the file PROGRAM.c is as a program of its own. */
int main(int n, char** words)
{
   for (UInt i = 0; n > 1 && n_programs <= MOST && i < n_programs; i++)
      if (strcmp(programs[i].name, words[1]) == 0)
         return programs[i].run(n - 1, words + 1);
   fprintf(stderr, "%s PROGRAM [TEST...]: one of %u programs\n", words[0],
           n_programs);
   return 2;
}
