#include "base/arguments.h"

#include "pub_tool_clientstate.h"
#include "pub_tool_xarray.h"

const HChar* cg2_arguments_value(const HChar* option)
{
   SizeT length = VG_(strlen)(option);
   for (Word i = VG_(sizeXA)(VG_(args_for_valgrind)) - 1; i >= 0; i--) {
      const HChar* arg = *(HChar**)VG_(indexXA)(VG_(args_for_valgrind), i);
      if (VG_(strncmp)(arg, option, length) == 0) return arg + length;
   }
   return NULL;
}

void cg2_arguments_pass_on(const HChar* option, const HChar* value)
{
   HChar* arg = VG_(malloc)("cg2.arguments",
                            VG_(strlen)(option) + VG_(strlen)(value) + 2);
   VG_(sprintf)(arg, "%s=%s", option, value);
   VG_(addToXA)(VG_(args_for_valgrind), &arg);
}
