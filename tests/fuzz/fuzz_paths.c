/* Any text is a file of paths, which reads back as it was written, and of which
 * two add up to twice as much, or is refused in one line. */
#include "fingerprint.h"
#include "memfile.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void check_tree(const cg2p_part* part)
{
   const cg2p_path* paths = cg2p_part_paths(part);
   if (!paths) fail("a part without paths");
   for (size_t i = 0; i < cg2p_part_function_count(part); i++)
      if (paths[i].caller != CG2P_NONE && paths[i].caller >= i)
         fail("a path in front of its caller");
}

/* The profile as it is written and read; what was written becomes *content. */
static cg2p_profile* copied(const cg2p_profile* profile, Content* content)
{
   cg2p_error error;
   *content = memfile_written(profile, 0);
   const char* path = memfile_make(1, content->text, content->size);
   cg2p_profile* copy = cg2p_profile_read_paths(path, 0, &error);
   if (!copy) fail(error.text);
   return copy;
}

static void check_written(const cg2p_profile* profile)
{
   Content once, twice;
   cg2p_profile* copy = copied(profile, &once);
   cg2p_profile* again = copied(copy, &twice);
   if (!is_same_fingerprint(fingerprint_of(copy), fingerprint_of(profile)))
      fail("what was written is read as something else");
   if (!is_same_content(once, twice)) fail("it is written otherwise again");
   free(once.text);
   free(twice.text);
   cg2p_profile_free(copy);
   cg2p_profile_free(again);
}

static void check_sum(const cg2p_profile* profile)
{
   cg2p_error error;
   Fingerprint one = fingerprint_of(profile);
   cg2p_merge* merge = cg2p_merge_new();
   bool is_added = cg2p_merge_add(merge, profile, &error) &&
                   cg2p_merge_add(merge, profile, &error);
   cg2p_profile* sum = is_added ? cg2p_merge_end(merge, &error) : NULL;
   if (!is_added) cg2p_merge_free(merge);
   if (!sum) {
      check_error(&error);
      return;
   }
   check_tree(cg2p_profile_part(sum, 0));
   if (!is_same_fingerprint(fingerprint_of(sum), fingerprint_sum(one, one)))
      fail("a sum is another one");
   cg2p_profile_free(sum);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
   cg2p_error error;
   const char* path = memfile_make(0, data, size);
   cg2p_profile* profile = cg2p_profile_read_paths(path, 0, &error);
   if (!profile) {
      check_error(&error);
      return 0;
   }
   for (size_t i = 0; i < cg2p_profile_part_count(profile); i++)
      check_tree(cg2p_profile_part(profile, i));
   check_written(profile);
   check_sum(profile);
   cg2p_profile_free(profile);
   return 0;
}
