/* Any lines are names: what is said of one is no longer, and is not what is
 * said of another. */
#include "memfile.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

enum { NAMES = 100 };

static size_t split(char* text, cg2p_named* names)
{
   size_t n = 0;
   for (char* rest = text; n < NAMES && rest; n++)
      names[n].name = strsep(&rest, "\n");
   return n;
}

static const char*
check_name(const cg2p_display* spoken, const cg2p_named* names, size_t i)
{
   size_t length;
   const char* said = cg2p_display_name(spoken, i, &length);
   if (length != strlen(said)) fail("its length is another one");
   if (length > strlen(names[i].name)) fail("what is said is longer");
   return said;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
   cg2p_error error;
   cg2p_named names[NAMES] = {{NULL, NULL}};
   char* text = strndup((const char*)data, size);
   size_t n = split(text, names);
   cg2p_display* spoken = cg2p_display_new(names, n, &error);
   if (!spoken) fail(error.text);
   for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < i; j++)
         if (strcmp(names[i].name, names[j].name) &&
             !strcmp(check_name(spoken, names, i),
                     check_name(spoken, names, j)))
            fail("two names are said alike");
   cg2p_display_free(spoken);
   free(text);
   return 0;
}
