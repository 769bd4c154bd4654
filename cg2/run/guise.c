#include "run/guise.h"

#include "base/arguments.h"
#include "profile/files/outfile.h"
#include "profile/files/outpath.h"
#include "pub_tool_options.h"
#include "run/runconfig.h"

void cg2_guise_take(void)
{
   const HChar* name = cg2_arguments_value("--tool=");
   cg2_run_config.is_callgrind = name && VG_STREQ(name, "callgrind");
   if (!cg2_run_config.is_callgrind) return;
   cg2_outfiles.profile.pattern = "callgrind.out.%p";
   cg2_outfiles.profile.option = "--callgrind-out-file";
   cg2_profile_config.keeps_all = False;
}

const HChar* cg2_guise_name(void)
{
   return cg2_run_config.is_callgrind ? "callgrind" : "cg2";
}

Bool cg2_guise_ignores(const HChar* arg)
{
   static const HChar* const ignored[] = {
      "--compress-mangled=no", "--ct-verbose=0",     "--ct-vstart=0",
      "--dump-bbs=no",         "--mangle-names=yes", "--simulate-sectors=no",
      "--simulate-sectors=yes"};
   for (UInt i = 0;
        cg2_run_config.is_callgrind && i < sizeof ignored / sizeof *ignored;
        i++)
      if (VG_STREQ(arg, ignored[i])) return True;
   return False;
}

Bool cg2_guise_is_callgrind(void)
{
   return cg2_run_config.is_callgrind;
}

void cg2_guise_greet(void)
{
   if (!cg2_run_config.is_callgrind || VG_(clo_verbosity) == 0) return;
   const HChar* prefix = cg2_arguments_value("--vgdb-prefix=");
   VG_(umsg)("For interactive control, run 'callgrind_control%s%s -h'.\n",
             prefix ? " --vgdb-prefix=" : "", prefix ? prefix : "");
}
