/* Prints the ten functions that cost most themselves, by the first event: what
 * a profile's parts say is added up by name. */
#include <cg2profile.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv)
{
   cg2p_error error;
   const char* path = argc > 1 ? argv[1] : "cg2.out";
   cg2p_profile* profile = cg2p_profile_read(path, CG2P_SUMS, 0, NULL, &error);
   if (!profile) {
      fprintf(stderr, "%s\n", error.text);
      return 1;
   }
   size_t n_names = cg2p_profile_name_count(profile);
   uint64_t* costs = calloc(n_names, sizeof *costs);
   if (!costs) return 1;
   for (size_t i = 0; i < cg2p_profile_part_count(profile); i++) {
      const cg2p_part* part = cg2p_profile_part(profile, i);
      const cg2p_function* functions = cg2p_part_functions(part);
      const uint64_t* self = cg2p_part_self_costs(part);
      for (size_t f = 0; f < cg2p_part_function_count(part); f++)
         costs[functions[f].name] += self[f * cg2p_part_event_count(part)];
   }
   for (int row = 0; row < 10; row++) {
      uint32_t most = 0;
      for (uint32_t name = 0; name < n_names; name++)
         if (costs[name] > costs[most]) most = name;
      if (costs[most] > 0)
         printf("%12" PRIu64 "  %s\n", costs[most],
                cg2p_profile_name(profile, most, NULL));
      costs[most] = 0;
   }
   free(costs);
   cg2p_profile_free(profile);
   return 0;
}
