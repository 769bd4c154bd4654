/* Blocks that are allocated in sources whose last part others have, too: once
   in raw/mod.rs, twice in the lib.rs of a library, three times in main.c. */

#include "counted.h"
#include <stdlib.h>

static void* volatile kept;

#line 547 "/crates/table/src/raw/mod.rs"
COUNTED void reserve(void)
{
   kept = malloc(16);
}
#line 12 "/crates/names-1.2/src/lib.rs"
COUNTED void intern(void)
{
   kept = malloc(24);
}
#line 30 "/home/me/src/main.c"
COUNTED void plain(void)
{
   kept = malloc(32);
}

int main(void)
{
   reserve();
   intern();
   intern();
   plain();
   plain();
   plain();
   return 0;
}
