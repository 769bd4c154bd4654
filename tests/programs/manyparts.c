/* Asks for as many parts as its argument says. */

#include "../../cg2/cg2.h"
#include <stdlib.h>

int main(int argc, char** argv)
{
   if (argc != 2) return 2;
   for (int left = atoi(argv[1]); left > 0; left--)
      CG2_DUMP;
   return 0;
}
