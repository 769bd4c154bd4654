/* Writes four parts; by the header of the argument, says in the second what the
   first one does not know, in the third something more, twice, and in the last
   one something without a type. */

#include "../../cg2/cg2.h"
#include <string.h>

static void describe(const char* header, const char* text)
{
   if (strcmp(header, "cg2") == 0)
      CG2_DESCRIBE(text);
   else
      VALGRIND_DO_CLIENT_REQUEST_STMT(CG2_USERREQ_CALLGRIND + 7, text, 0, 0, 0,
                                      0);
}

int main(int argc, char** argv)
{
   if (argc != 2) return 2;
   CG2_DUMP;
   describe(argv[1], "Build: 17");
   CG2_DUMP;
   describe(argv[1], "Input: two\nlines, one \\");
   describe(argv[1], "Input: two\nlines, one \\");
   CG2_DUMP;
   describe(argv[1], "without a type");
   return 0;
}
