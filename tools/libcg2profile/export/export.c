/* Writes stacks to a file, in the format that is asked for. */
#include "export/chrome.h"
#include "export/firefox.h"
#include "export/foldedwriter.h"
#include "export/pprof.h"
#include "export/speedscope.h"

#include <stdlib.h>

/* Finds how to say the names of all functions. */
static void find_spoken(StackWriter* w)
{
   const cg2p_stacks* stacks = w->stacks;
   uint32_t n = stacks->small;
   cg2p_named* functions =
      cg2p_arena_add(&w->scratch, &w->failure, n * sizeof *functions);
   for (uint32_t i = 0; i < n; i++) {
      uint32_t object = cg2p_stacks_function(stacks, i).object;
      functions[i] = (cg2p_named){cg2p_stacks_plain_name(stacks, i)->text,
                                  cg2p_stackwriter_name(w, object)->text};
   }
   w->spoken = cg2p_display_new(functions, n, w->failure.error);
   if (!w->spoken) longjmp(w->failure.caught, 1);
}

static void put_stacks(StackWriter* w, const char* path)
{
   static void (*const put[])(StackWriter*) = {
      [CG2P_FOLDED] = cg2p_foldedwriter_put,
      [CG2P_SPEEDSCOPE] = cg2p_speedscope_put,
      [CG2P_CHROME] = cg2p_chrome_put,
      [CG2P_PPROF] = cg2p_pprof_put,
      [CG2P_FIREFOX] = cg2p_firefox_put,
   };
   if (w->how->format == CG2P_PPROF)
      cg2p_output_open_packed(&w->output, &w->failure, path);
   else
      cg2p_output_open(&w->output, &w->failure, path);
   put[w->how->format](w);
   cg2p_output_finish(&w->output);
}

static void end(StackWriter* w)
{
   cg2p_output_close(&w->output);
   cg2p_display_free(w->spoken);
   cg2p_arena_free(&w->scratch);
   cg2p_names_free(&w->names);
   cg2p_keys_free(&w->keys);
   cg2p_keys_free(&w->more_keys);
   cg2p_keys_free(&w->functions);
   free(w->text);
   free(w->numbers);
   free(w->self);
}

/* Whether the file is written; if not, the error says why. */
static bool try_to_put(StackWriter* w, const char* path)
{
   if (setjmp(w->failure.caught)) return false;
   if (!w->how->full_names) find_spoken(w);
   put_stacks(w, path);
   return true;
}

int cg2p_stacks_write(const cg2p_stacks* stacks,
                      const cg2p_export* how,
                      const char* path,
                      cg2p_error* error)
{
   StackWriter w = {.failure = {.path = cg2p_output_name(path), .error = error},
                    .output.fd = -1,
                    .stacks = stacks,
                    .how = how};
   bool is_written = try_to_put(&w, path);
   end(&w);
   return is_written;
}
