/* Adds up what a profile has of an object, and writes it in a form that is
 * asked for. */
#include "feedback/autofdo.h"
#include "feedback/bolt.h"
#include "feedback/gcc.h"
#include "feedback/lcov.h"
#include "feedback/llvm.h"
#include "feedback/samples.h"

#include <stdlib.h>
#include <string.h>

static bool gather(cg2p_feedback* feedback,
                   Failure* failure,
                   const cg2p_profile* profile,
                   const char* object)
{
   if (setjmp(failure->caught)) return false;
   if (profile->detail < CG2P_LINES)
      cg2p_failure_at(failure, 0, "it was read without lines");
   cg2p_counts_gather(&feedback->counts, failure, profile, object);
   return true;
}

cg2p_feedback* cg2p_feedback_new(const cg2p_profile* profile,
                                 const char* object,
                                 cg2p_error* error)
{
   Failure failure = {.path = profile->path, .error = error};
   cg2p_feedback* feedback = calloc(1, sizeof *feedback);
   if (!feedback || !(feedback->path = strdup(profile->path))) {
      free(feedback);
      cg2p_failure_say_no_memory(error, profile->path);
      return NULL;
   }
   if (gather(feedback, &failure, profile, object)) return feedback;
   cg2p_feedback_free(feedback);
   return NULL;
}

const uint64_t* cg2p_feedback_addresses(const cg2p_feedback* feedback,
                                        size_t* n)
{
   *n = feedback->counts.spots.n;
   return feedback->counts.addresses;
}

int cg2p_feedback_add(cg2p_feedback* feedback,
                      const cg2p_code* code,
                      cg2p_error* error)
{
   Failure failure = {.path = feedback->path, .error = error};
   if (setjmp(failure.caught)) return 0;
   feedback->base = code->base;
   cg2p_control_find(&feedback->control, &failure, &feedback->counts,
                     code->steps);
   return 1;
}

void cg2p_feedback_add_sources(cg2p_feedback* feedback,
                               const cg2p_sources* sources)
{
   feedback->sources = sources;
}

void cg2p_feedback_add_bodies(cg2p_feedback* feedback,
                              const cg2p_bodies* bodies)
{
   feedback->bodies = bodies;
}

static bool
try_to_put(FeedbackWriter* w, cg2p_feedback_form form, const char* path)
{
   static void (*const put[])(FeedbackWriter*) = {
      [CG2P_BOLT] = cg2p_bolt_put, [CG2P_AUTOFDO] = cg2p_autofdo_put,
      [CG2P_LCOV] = cg2p_lcov_put, [CG2P_LLVM] = cg2p_llvm_put,
      [CG2P_GCC] = cg2p_gcc_put,
   };
   if (setjmp(w->failure.caught)) return false;
   if (form != CG2P_LCOV && !w->feedback->counts.has_jumps) {
      w->failure.path = w->feedback->path;
      cg2p_failure_at(&w->failure, 0,
                      "the profile has no jumps; expected one that was made "
                      "with --collect-jumps=yes");
   }
   cg2p_output_open(&w->output, &w->failure, path);
   put[form](w);
   cg2p_output_finish(&w->output);
   return true;
}

int cg2p_feedback_write(const cg2p_feedback* feedback,
                        cg2p_feedback_form form,
                        const char* path,
                        cg2p_error* error)
{
   FeedbackWriter w = {
      .failure = {.path = cg2p_output_name(path), .error = error},
      .output.fd = -1,
      .feedback = feedback};
   bool is_written = try_to_put(&w, form, path);
   cg2p_output_close(&w.output);
   cg2p_samples_free(&w);
   cg2p_arena_free(&w.arena);
   return is_written;
}

void cg2p_feedback_free(cg2p_feedback* feedback)
{
   if (!feedback) return;
   cg2p_counts_free(&feedback->counts);
   cg2p_control_free(&feedback->control);
   free(feedback->path);
   free(feedback);
}
