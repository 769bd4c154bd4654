/* Stacks for speedscope: a profile of kind "sampled" for each event; weights
 * are costs. */
#include "export/speedscope.h"

#include <string.h>

typedef struct Frames {
   uint32_t* number_of; /* functions' frames, + 1; 0: none */
   uint32_t* functions; /* by frame */
   uint32_t n;
   uint32_t* path; /* frames of a stack, innermost first */
} Frames;

/* Writes ", " in front of all but the first. */
static void put_separator(StackWriter* w, bool* is_first)
{
   if (!*is_first) cg2p_stackwriter_put(w, ", ");
   *is_first = false;
}

/*--- Frames -------------------------------------------------------------*/

/* The functions on a stack, innermost first, go to frames->path; how many. */
static uint32_t find_path(StackWriter* w, Frames* frames, uint32_t stack)
{
   uint32_t n = 0;
   for (; stack != CG2P_NONE; stack = w->stacks->of[stack].caller)
      frames->path[n++] = w->stacks->of[stack].function;
   return n;
}

/* Numbers the functions in the order in which samples have them, outermost
 * first. */
static void number_frames(StackWriter* w, Frames* frames)
{
   const cg2p_stacks* stacks = w->stacks;
   uint32_t most = 0;
   for (uint32_t i = 0; i < stacks->n; i++)
      if (stacks->of[i].depth > most) most = stacks->of[i].depth;
   frames->path = cg2p_stackwriter_numbers(w, (size_t)most + 1);
   frames->number_of = cg2p_stackwriter_numbers(w, (size_t)stacks->small + 1);
   frames->functions = cg2p_stackwriter_numbers(w, (size_t)stacks->small + 1);
   for (uint32_t i = 0; i < stacks->n; i++) {
      if (!cg2p_stackwriter_has_self(w, i)) continue;
      for (uint32_t n = find_path(w, frames, i); n--;) {
         uint32_t function = frames->path[n];
         if (frames->number_of[function]) continue;
         frames->functions[frames->n] = function;
         frames->number_of[function] = ++frames->n;
      }
   }
}

static void put_frames(StackWriter* w, const Frames* frames)
{
   bool is_first = true;
   for (uint32_t i = 0; i < frames->n; i++) {
      uint32_t function = frames->functions[i];
      uint32_t file = cg2p_stacks_function(w->stacks, function).file;
      put_separator(w, &is_first);
      cg2p_stackwriter_put(w, "{\"name\": ");
      cg2p_stackwriter_put_json_function(w, function);
      if (file != NAME_UNKNOWN) {
         cg2p_stackwriter_put(w, ", \"file\": ");
         cg2p_stackwriter_put_json_name(w, cg2p_stackwriter_name(w, file));
      }
      cg2p_stackwriter_put(w, "}");
   }
}

/*--- Samples ------------------------------------------------------------*/

static void put_sample(StackWriter* w, Frames* frames, uint32_t stack)
{
   bool is_first = true;
   cg2p_stackwriter_put(w, "[");
   for (uint32_t n = find_path(w, frames, stack); n--;) {
      put_separator(w, &is_first);
      cg2p_stackwriter_put_number(w, frames->number_of[frames->path[n]] - 1);
   }
   cg2p_stackwriter_put(w, "]");
}

static void put_samples(StackWriter* w, Frames* frames, uint32_t event)
{
   bool is_first = true;
   for (uint32_t i = 0; i < w->stacks->n; i++) {
      if (!cg2p_stackwriter_self(w, i, event)) continue;
      put_separator(w, &is_first);
      put_sample(w, frames, i);
   }
}

static void put_weights(StackWriter* w, uint32_t event)
{
   bool is_first = true;
   for (uint32_t i = 0; i < w->stacks->n; i++) {
      uint64_t cost = cg2p_stackwriter_self(w, i, event);
      if (!cost) continue;
      put_separator(w, &is_first);
      cg2p_stackwriter_put_number(w, cost);
   }
}

static void put_profile(StackWriter* w, Frames* frames, uint32_t event)
{
   const char* name = w->stacks->part->events[event];
   cg2p_stackwriter_put(w, "{\"type\": \"sampled\", \"name\": ");
   cg2p_stackwriter_put_json(w, name, strlen(name));
   cg2p_stackwriter_put(
      w, ", \"unit\": \"none\", \"startValue\": 0, \"endValue\": ");
   cg2p_stackwriter_put_number(w, w->stacks->total[event]);
   cg2p_stackwriter_put(w, ", \"samples\": [");
   put_samples(w, frames, event);
   cg2p_stackwriter_put(w, "], \"weights\": [");
   put_weights(w, event);
   cg2p_stackwriter_put(w, "]}");
}

void cg2p_speedscope_put(StackWriter* w)
{
   Frames frames = {.n = 0};
   bool is_first = true;
   cg2p_stackwriter_find_self(w);
   number_frames(w, &frames);
   cg2p_stackwriter_put(
      w, "{\"$schema\": "
         "\"https://www.speedscope.app/file-format-schema.json\", "
         "\"exporter\": ");
   cg2p_stackwriter_put_json(w, w->how->exporter, strlen(w->how->exporter));
   cg2p_stackwriter_put(w, ", \"name\": ");
   cg2p_stackwriter_put_program(w);
   cg2p_stackwriter_put(
      w, ", \"activeProfileIndex\": 0, \"shared\": {\"frames\": [");
   put_frames(w, &frames);
   cg2p_stackwriter_put(w, "]}, \"profiles\": [");
   for (uint32_t i = 0; i < w->how->n_events; i++) {
      put_separator(w, &is_first);
      put_profile(w, &frames, w->how->events[i]);
   }
   cg2p_stackwriter_put(w, "]}\n");
}
