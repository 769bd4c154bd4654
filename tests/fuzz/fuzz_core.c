/* Any text is the table of a processor, of which an estimate can be begun, or
 * is refused in one line. */
#include "memfile.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void touch_text(const char* text)
{
   if (!text) fail("a text is missing");
   volatile size_t length = strlen(text);
   (void)length;
}

/* A profile of two blocks, with addresses and a jump. */
static cg2p_profile* read_profile(void)
{
   static const char text[] =
      "positions: instr line\nevents: Ir\nob=a\nfl=a.c\nfn=f\n"
      "0x10 1 9\n0x12 1 9\njcnd=8/9 0x10 1\n0x12 1\n0x14 1 9\n0x16 2 1\n";
   cg2p_error error;
   const char* path = memfile_make(1, text, sizeof text - 1);
   cg2p_profile* profile = cg2p_profile_read(path, CG2P_LINES, 0, NULL, &error);
   if (!profile) fail(error.text);
   return profile;
}

static void begin_estimate(const cg2p_core* core)
{
   cg2p_error error;
   cg2p_profile* profile = read_profile();
   cg2p_cycles* cycles = cg2p_cycles_new(profile, core, &error);
   if (!cycles) check_error(&error);
   cg2p_cycles_free(cycles);
   cg2p_profile_free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
   cg2p_error error;
   cg2p_core* core = cg2p_core_open(memfile_make(0, data, size), &error);
   if (!core) {
      check_error(&error);
      return 0;
   }
   touch_text(cg2p_core_name(core));
   touch_text(cg2p_core_machine(core));
   touch_text(cg2p_core_code(core));
   touch_text(cg2p_core_measured(core));
   begin_estimate(core);
   cg2p_core_free(core);
   return 0;
}
