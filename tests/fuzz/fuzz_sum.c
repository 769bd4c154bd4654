/* Profiles, with lines "%%" between, add up to the same file in any order and
 * grouping, and to what each of them says. */
#include "fingerprint.h"
#include "memfile.h"

#include <stdlib.h>
#include <string.h>

enum { PROFILES = 3 };

static const char between[] = "%%\n";

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

/* The profiles of a text, at most PROFILES; those that cannot be read are left
 * out. */
static size_t
read_all(const char* text, size_t size, cg2p_profile* profiles[PROFILES])
{
   size_t n = 0;
   cg2p_error error;
   for (size_t i = 0; i < PROFILES && text; i++) {
      const char* end = memmem(text, size, between, strlen(between));
      size_t length = end ? (size_t)(end - text) : size;
      const char* path = memfile_make(0, text, length);
      profiles[n] = cg2p_profile_read(path, CG2P_LINES, 0, NULL, &error);
      if (profiles[n]) n++;
      size -= end ? length + strlen(between) : size;
      text = end ? end + strlen(between) : NULL;
   }
   return n;
}

/* The sum of n profiles, taken in steps of `step` modulo n; NULL: they cannot
 * be added up. */
static cg2p_profile*
sum_of(cg2p_profile* const* profiles, size_t n, size_t step)
{
   cg2p_error error;
   cg2p_merge* merge = cg2p_merge_new();
   for (size_t i = 0, at = 0; i < n; i++, at = (at + step) % n)
      if (!cg2p_merge_add(merge, profiles[at], &error)) {
         check_error(&error);
         cg2p_merge_free(merge);
         return NULL;
      }
   cg2p_profile* sum = cg2p_merge_end(merge, &error);
   if (!sum) check_error(&error);
   return sum;
}

static cg2p_profile* copy_of(const cg2p_profile* profile)
{
   cg2p_error error;
   Content content = memfile_written(profile, 0);
   cg2p_profile* copy = cg2p_profile_read(
      memfile_make(1, content.text, content.size), CG2P_LINES, 0, NULL, &error);
   if (!copy) fail(error.text);
   free(content.text);
   return copy;
}

/* The sum of the first profile and of the sum of the others, which was written
 * to a file. */
static cg2p_profile* grouped(cg2p_profile* const* profiles, size_t n)
{
   cg2p_profile* others = sum_of(profiles + 1, n - 1, 1);
   if (!others) return NULL;
   cg2p_profile* two[] = {copy_of(others), profiles[0]};
   cg2p_profile* sum = sum_of(two, 2, 1);
   cg2p_profile_free(two[0]);
   cg2p_profile_free(others);
   return sum;
}

static void check_same(const cg2p_profile* sum, cg2p_profile* other)
{
   if (!sum != !other) fail("in another order they can be added up, or cannot");
   if (!sum) return;
   Content a = memfile_written(sum, 0), b = memfile_written(other, 0);
   if (!is_same_content(a, b)) fail("in another order it is another sum");
   free(a.text);
   free(b.text);
   cg2p_profile_free(other);
}

static void
check_sum(const cg2p_profile* sum, cg2p_profile* const* all, size_t n)
{
   Fingerprint expected = {0, 0, 0};
   for (size_t i = 0; i < n; i++)
      expected = fingerprint_sum(expected, fingerprint_of(all[i]));
   if (!is_same_fingerprint(fingerprint_of(sum), expected))
      fail("the sum is not the sum of what it is of");
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
   cg2p_profile* profiles[PROFILES];
   size_t n = read_all((const char*)data, size, profiles);
   if (n > 1) {
      cg2p_profile* sum = sum_of(profiles, n, 1);
      if (sum) check_sum(sum, profiles, n);
      check_same(sum, sum_of(profiles, n, n - 1));
      check_same(sum, grouped(profiles, n));
      cg2p_profile_free(sum);
   }
   for (size_t i = 0; i < n; i++)
      cg2p_profile_free(profiles[i]);
   return 0;
}
