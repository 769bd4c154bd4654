/* Any text is a profile that reads back as it was written, in each form, or is
 * refused in one line; and what is kept without lines is the same as with them.
 */
#include "fingerprint.h"
#include "memfile.h"

#include <stdlib.h>
#include <string.h>

enum { FORMS = (CG2P_FULL_NAMES | CG2P_FULL_POSITIONS) + 1 };

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static cg2p_profile* read_again(Content content)
{
   cg2p_error error;
   const char* path = memfile_make(1, content.text, content.size);
   cg2p_profile* profile = cg2p_profile_read(path, CG2P_LINES, 0, NULL, &error);
   if (!profile) fail(error.text);
   return profile;
}

static void check_form(const cg2p_profile* profile, unsigned form)
{
   Content once = memfile_written(profile, form);
   cg2p_profile* again = read_again(once);
   Content twice = memfile_written(again, form);
   if (cg2p_profile_part_count(again) != cg2p_profile_part_count(profile))
      fail("there are more parts or fewer");
   if (!is_same_fingerprint(fingerprint_of(again), fingerprint_of(profile)))
      fail("what was written is read as something else");
   if (!is_same_content(once, twice)) fail("it is written otherwise again");
   cg2p_profile_free(again);
   free(once.text);
   free(twice.text);
}

static void check_sums(const cg2p_part* a, const cg2p_part* b)
{
   size_t n = cg2p_part_function_count(a) * cg2p_part_event_count(a);
   if (cg2p_part_function_count(a) != cg2p_part_function_count(b))
      fail("with less detail there are other functions");
   if (n && memcmp(cg2p_part_self_costs(a), cg2p_part_self_costs(b),
                   n * sizeof(uint64_t)))
      fail("with less detail functions cost something else");
}

/* The arcs are checked where the whole is read; without them a sum of calls
 * that is too large is not seen. */
static void check_details(const cg2p_profile* lines,
                          const cg2p_profile* sums,
                          const cg2p_profile* functions)
{
   if (!functions) fail("without arcs it cannot be read");
   for (size_t i = 0; i < cg2p_profile_part_count(lines); i++) {
      const cg2p_part* part = cg2p_profile_part(lines, i);
      check_sums(part, cg2p_profile_part(sums, i));
      check_sums(part, cg2p_profile_part(functions, i));
      if (cg2p_part_arc_count(part) !=
          cg2p_part_arc_count(cg2p_profile_part(sums, i)))
         fail("without lines there are other arcs");
      if (cg2p_part_arc_count(cg2p_profile_part(functions, i)))
         fail("there are arcs that nobody asked for");
   }
}

/* What there is of a file that may be cut off is a profile, too. */
static void check_partial(const char* path)
{
   cg2p_error error;
   cg2p_profile* profile =
      cg2p_profile_read(path, CG2P_LINES, CG2P_PARTIAL, NULL, &error);
   if (profile)
      check_form(profile, 0);
   else
      check_error(&error);
   cg2p_profile_free(profile);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
   cg2p_error error, other, third;
   const char* path = memfile_make(0, data, size);
   check_partial(path);
   cg2p_profile* profile = cg2p_profile_read(path, CG2P_LINES, 0, NULL, &error);
   cg2p_profile* sums = cg2p_profile_read(path, CG2P_SUMS, 0, NULL, &other);
   cg2p_profile* functions =
      cg2p_profile_read(path, CG2P_FUNCTIONS, 0, NULL, &third);
   if (!profile != !sums) fail("it is read with lines only, or without");
   if (!profile) {
      check_error(&error);
      if (strcmp(error.text, other.text)) fail(other.text);
      cg2p_profile_free(functions);
      return 0;
   }
   check_details(profile, sums, functions);
   for (unsigned form = 0; form < FORMS; form++)
      check_form(profile, form);
   cg2p_profile_free(functions);
   cg2p_profile_free(sums);
   cg2p_profile_free(profile);
   return 0;
}
