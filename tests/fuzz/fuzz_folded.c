/* Any text is folded stacks, which become a profile that reads back as it was
 * written and states its sum, or is refused in one line. */
#include "fingerprint.h"
#include "memfile.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void check_summary(const cg2p_profile* profile)
{
   uint64_t line, sum = 0;
   const cg2p_part* part = cg2p_profile_part(profile, 0);
   const uint64_t* stated = cg2p_part_stated_cost(part, CG2P_SUMMARY, &line);
   for (size_t i = 0; i < cg2p_part_function_count(part); i++)
      sum += cg2p_part_self_costs(part)[i];
   if (!stated || *stated != sum) fail("summary: is not the sum");
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
   cg2p_error error;
   const char* path = memfile_make(0, data, size);
   cg2p_profile* profile = cg2p_profile_read_folded(path, "samples", 0, &error);
   if (!profile) {
      check_error(&error);
      return 0;
   }
   check_summary(profile);
   Content once = memfile_written(profile, 0);
   path = memfile_make(1, once.text, once.size);
   cg2p_profile* again = cg2p_profile_read(path, CG2P_LINES, 0, NULL, &error);
   if (!again) fail(error.text);
   Content twice = memfile_written(again, 0);
   if (!is_same_fingerprint(fingerprint_of(again), fingerprint_of(profile)))
      fail("what was written is read as something else");
   if (!is_same_content(once, twice)) fail("it is written otherwise again");
   free(once.text);
   free(twice.text);
   cg2p_profile_free(again);
   cg2p_profile_free(profile);
   return 0;
}
