#include "options.h"

#include "block.h"
#include "dump.h"
#include "instrument.h"
#include "pub_tool_options.h"

static Bool take_out_file(const HChar* arg)
{
   DumpConfig* dump = &cg2_dump_config;
   if (VG_STR_CLO(arg, "--cg2-out-file", dump->out_file)) {
      dump->out_option = "--cg2-out-file";
      return True;
   }
   if (VG_STR_CLO(arg, "--callgrind-out-file", dump->out_file)) {
      dump->out_option = "--callgrind-out-file";
      return True;
   }
   return False;
}

static Bool take_recursion_levels(const HChar* arg)
{
   const HChar* text = NULL;
   if (!VG_STR_CLO(arg, "--separate-recs", text)) return False;
   HChar* end;
   Long levels = VG_(strtoll10)(text, &end);
   if (end == text || *end != '\0' || levels < 1 || levels > 1000)
      VG_(fmsg_bad_option)(arg, "expected a number from 1 to 1000\n");
   cg2_code.recursion_levels = levels;
   return True;
}

Bool cg2_options_take(const HChar* arg)
{
   WriterConfig* writer = &cg2_dump_config.writer;
   if (take_out_file(arg)) return True;
   if (VG_BOOL_CLO(arg, "--dump-line", writer->view.by_line)) return True;
   if (VG_BOOL_CLO(arg, "--dump-instr", writer->view.by_instr)) return True;
   if (VG_BOOL_CLO(arg, "--compress-strings", writer->compress_strings))
      return True;
   if (VG_BOOL_CLO(arg, "--compress-pos", writer->compress_positions))
      return True;
   if (take_recursion_levels(arg)) return True;
   if (VG_BOOL_CLO(arg, "--skip-plt", cg2_instrument_config.skip_stubs))
      return True;
   if (VG_BOOL_CLO(arg, "--check-cells", cg2_instrument_config.check_cells))
      return True;
   return False;
}

static void pin_valgrind_options(void)
{
   VexControl* vex = &VG_(clo_vex_control);
   if (vex->iropt_unroll_thresh != 0) {
      VG_(umsg)("cg2 only works with --vex-iropt-unroll-thresh=0\n"
                "=> resetting it back to 0\n");
      vex->iropt_unroll_thresh = 0;
   }
   if (vex->guest_chase) {
      VG_(umsg)("cg2 only works with --vex-guest-chase=no\n"
                "=> resetting it back to 'no'\n");
      vex->guest_chase = False;
   }
}

void cg2_options_finish(void)
{
   ViewConfig* view = &cg2_dump_config.writer.view;
   if (!view->by_line && !view->by_instr) {
      VG_(umsg)("Using source line as position.\n");
      view->by_line = True;
   }
   pin_valgrind_options();
}

void cg2_options_print_usage(void)
{
   VG_(printf)(
      "\n   profile file options:\n"
      "    --cg2-out-file=<f>          file name of the profile [cg2.out.%%p]; "
      "%%p is\n"
      "                                the process id, %%q{VAR} an "
      "environment\n"
      "                                variable, %%n a number, %%%% a %%\n"
      "    --callgrind-out-file=<f>    the same\n"
      "    --dump-line=no|yes          costs per source line [yes]\n"
      "    --dump-instr=no|yes         costs per instruction [no]\n"
      "    --compress-strings=no|yes   write each name once, then its number "
      "[yes]\n"
      "    --compress-pos=no|yes       write positions as differences [yes]\n"
      "\n   cost separation options:\n"
      "    --separate-recs=<n>         keep <n> recursion levels apart, 1 to "
      "1000:\n"
      "                                f, f'2, ... [2]\n"
      "    --skip-plt=no|yes           calls through .plt, .plt.sec and "
      ".plt.got go\n"
      "                                straight to the function [yes]\n");
}

void cg2_options_print_debug_usage(void)
{
   VG_(printf)("    --check-cells=no|yes        stop where a block counts in "
               "another's cells [no]\n");
}
