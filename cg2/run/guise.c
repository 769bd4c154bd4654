#include "run/guise.h"

#include "base/arguments.h"
#include "profile/files/outfile.h"
#include "profile/files/outpath.h"
#include "pub_tool_options.h"

/* Reason for a mutable file-scope object: configuration. */
static Bool is_callgrind;

void cg2_guise_take(void)
{
   const HChar* name = cg2_arguments_value("--tool=");
   is_callgrind = name && VG_STREQ(name, "callgrind");
   if (!is_callgrind) return;
   cg2_outfile_profile.pattern = "callgrind.out.%p";
   cg2_outfile_profile.option = "--callgrind-out-file";
   cg2_outpath_config.keeps_all = False;
}

const HChar* cg2_guise_name(void)
{
   return is_callgrind ? "callgrind" : "cg2";
}

Bool cg2_guise_ignores(const HChar* arg)
{
   static const HChar* const ignored[] = {
      "--compress-mangled=no", "--ct-verbose=0",     "--ct-vstart=0",
      "--dump-bbs=no",         "--mangle-names=yes", "--simulate-sectors=no",
      "--simulate-sectors=yes"};
   for (UInt i = 0; is_callgrind && i < sizeof ignored / sizeof *ignored; i++)
      if (VG_STREQ(arg, ignored[i])) return True;
   return False;
}

Bool cg2_guise_is_callgrind(void)
{
   return is_callgrind;
}

void cg2_guise_greet(void)
{
   if (!is_callgrind || VG_(clo_verbosity) == 0) return;
   const HChar* prefix = cg2_arguments_value("--vgdb-prefix=");
   VG_(umsg)("For interactive control, run 'callgrind_control%s%s -h'.\n",
             prefix ? " --vgdb-prefix=" : "", prefix ? prefix : "");
}
