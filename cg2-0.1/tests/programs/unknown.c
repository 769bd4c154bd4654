/* Client requests that there are not: of Callgrind's family two, the first one
   twice, and one of cg2's; and all that again. Each gives the default value; main returns how many
   did not. */

#include "../../cg2/cg2.h"

static int asks_in_vain(unsigned request)
{
   return VALGRIND_DO_CLIENT_REQUEST_EXPR(7, request, 0, 0, 0, 0, 0) != 7;
}

static int ask_all(void)
{
   return asks_in_vain(CG2_USERREQ_CALLGRIND + 99) +
          asks_in_vain(CG2_USERREQ_CALLGRIND + 99) +
          asks_in_vain(CG2_USERREQ_CALLGRIND + 100) +
          asks_in_vain(CG2_USERREQ_DUMP + 99);
}

int main(void)
{
   return ask_all() + ask_all();
}
