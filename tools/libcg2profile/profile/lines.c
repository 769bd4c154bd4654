#include "profile/lines.h"

#include <stdlib.h>
#include <string.h>

enum {
   PAGE = 256 << 10,
   NUMBER_MAX = 10, /* bytes of a number */
   LINE_FIXED_MAX = 1 + 16 * NUMBER_MAX,
   KIND_BITS = 2,
   COUNT_SHIFT = 5,
   COUNT_FOLLOWS = 7,
};
enum { HAS_INSTR = 1 << KIND_BITS, HAS_LINE = 2 << KIND_BITS };
enum { HAS_BLOCK = 4 << KIND_BITS };

/*--- Numbers ------------------------------------------------------------*/

static inline uint8_t* put(uint8_t* to, uint64_t n)
{
   while (n >= 0x80) {
      *to++ = n | 0x80;
      n >>= 7;
   }
   *to++ = n;
   return to;
}

static inline uint64_t get(const uint8_t** from)
{
   const uint8_t* at = *from;
   uint64_t n = *at++;
   if (n >= 0x80) {
      n &= 0x7f;
      for (unsigned shift = 7;; shift += 7) {
         n |= (uint64_t)(*at & 0x7f) << shift;
         if (*at++ < 0x80) break;
      }
   }
   *from = at;
   return n;
}

/* Differences of either sign near 0 become small numbers. */
static inline uint8_t* put_step(uint8_t* to, uint64_t from, uint64_t at)
{
   uint64_t step = at - from;
   return put(to, step << 1 ^ -(step >> 63));
}

static inline uint64_t get_step(const uint8_t** from, uint64_t before)
{
   uint64_t n = get(from);
   return before + (n >> 1 ^ -(n & 1));
}

/*--- Writing ------------------------------------------------------------*/

size_t cg2p_lines_line_max(uint32_t n_events)
{
   return LINE_FIXED_MAX + (size_t)n_events * NUMBER_MAX;
}

static size_t line_max(const Lines* lines)
{
   return cg2p_lines_line_max(lines->n_events);
}

static void add_page(Lines* lines, Failure* failure)
{
   size_t size = line_max(lines) > PAGE ? line_max(lines) : PAGE;
   lines->pages = cg2p_memory_grow(failure, lines->pages, &lines->pages_room,
                                   lines->n_pages + 1, sizeof *lines->pages);
   uint8_t* page = malloc(size);
   if (!page) cg2p_failure_memory(failure, size);
   lines->pages[lines->n_pages++] = page;
   lines->page_size = size;
   lines->used = 0;
}

static inline bool is_full(const Lines* lines)
{
   return lines->page_size - lines->used < line_max(lines);
}

static uint8_t* end_of_page(const Lines* lines)
{
   return lines->pages[lines->n_pages - 1] + lines->used;
}

uint32_t cg2p_lines_begin(Lines* lines,
                          Failure* failure,
                          uint32_t function,
                          uint32_t file,
                          uint32_t before)
{
   cg2p_lines_end(lines);
   if (is_full(lines)) add_page(lines, failure);
   if (lines->n >= UINT32_MAX - 1) cg2p_failure_memory(failure, SIZE_MAX);
   lines->runs = cg2p_memory_grow(failure, lines->runs, &lines->room,
                                  lines->n + 1, sizeof *lines->runs);
   lines->runs[lines->n] =
      (Run){.bytes = end_of_page(lines), .file = file, .function = function};
   if (before) lines->runs[before - 1].next = lines->n + 1;
   lines->state = (RunState){.file = file};
   lines->is_open = true;
   return ++lines->n;
}

void cg2p_lines_end(Lines* lines)
{
   if (!lines->is_open) return;
   Run* run = &lines->runs[lines->n - 1];
   run->length = end_of_page(lines) - run->bytes;
   lines->is_open = false;
}

static uint8_t* put_place(uint8_t* to, const Place* from, const Place* at)
{
   if (at->instr != from->instr) to = put_step(to, from->instr, at->instr);
   if (at->line != from->line) to = put_step(to, from->line, at->line);
   if (at->block != from->block) to = put_step(to, from->block, at->block);
   return to;
}

static inline uint8_t tag_of(const Place* from, const Line* line, uint32_t n)
{
   return line->kind | (line->at.instr != from->instr ? HAS_INSTR : 0) |
          (line->at.line != from->line ? HAS_LINE : 0) |
          (line->at.block != from->block ? HAS_BLOCK : 0) |
          (n < COUNT_FOLLOWS ? n : COUNT_FOLLOWS) << COUNT_SHIFT;
}

static uint8_t* put_rest(uint8_t* to, const Line* line)
{
   to = put(to, line->function);
   to = put(to, line->count);
   to = put_step(to, line->at.instr, line->target.instr);
   to = put_step(to, line->at.line, line->target.line);
   to = put_step(to, line->at.block, line->target.block);
   if (line->kind == CG2P_CALL) return to;
   to = put(to, line->is_conditional);
   to = put(to, line->target_file);
   return put(to, line->executed);
}

uint8_t* cg2p_lines_put(uint8_t* to,
                        RunState* state,
                        const Line* line,
                        uint32_t n_events)
{
   if (line->file != state->file) {
      *to++ = LINE_FILE;
      to = put(to, line->file);
      state->file = line->file;
   }
   uint32_t n = line->kind == CG2P_JUMP ? 0 : n_events;
   while (n && !line->cost[n - 1])
      n--;
   *to++ = tag_of(&state->last, line, n);
   to = put_place(to, &state->last, &line->at);
   if (n >= COUNT_FOLLOWS) to = put(to, n);
   for (uint32_t i = 0; i < n; i++)
      to = put(to, line->cost[i]);
   if (line->kind != CG2P_COST) to = put_rest(to, line);
   state->last = line->at;
   return to;
}

uint32_t cg2p_lines_add(Lines* lines, Failure* failure, const Line* line)
{
   if (is_full(lines)) {
      uint32_t function = lines->runs[lines->n - 1].function;
      cg2p_lines_begin(lines, failure, function, line->file, lines->n);
   }
   uint8_t* start = end_of_page(lines);
   lines->used +=
      cg2p_lines_put(start, &lines->state, line, lines->n_events) - start;
   return lines->n;
}

uint32_t cg2p_lines_set(Lines* lines,
                        Failure* failure,
                        uint32_t function,
                        uint32_t file,
                        const uint8_t* bytes,
                        size_t length,
                        uint32_t run)
{
   if (length > UINT32_MAX) cg2p_failure_memory(failure, length);
   uint8_t* own = run ? (uint8_t*)lines->runs[run - 1].bytes : NULL;
   if (!run) {
      if (lines->n >= UINT32_MAX - 1) cg2p_failure_memory(failure, SIZE_MAX);
      lines->runs = cg2p_memory_grow(failure, lines->runs, &lines->room,
                                     lines->n + 1, sizeof *lines->runs);
      lines->runs[lines->n] = (Run){.function = function};
      run = ++lines->n;
   }
   own = realloc(own, length ? length : 1);
   if (!own) cg2p_failure_memory(failure, length);
   memcpy(own, bytes, length);
   lines->has_own = true;
   lines->runs[run - 1] =
      (Run){own, length, file, function, lines->runs[run - 1].next};
   return run;
}

void cg2p_lines_free(Lines* lines)
{
   for (size_t i = 0; lines->has_own && i < lines->n; i++)
      free((void*)lines->runs[i].bytes);
   for (size_t i = 0; i < lines->n_pages; i++)
      free(lines->pages[i]);
   free(lines->pages);
   free(lines->runs);
   *lines = (Lines){.n = 0};
}

/*--- Reading ------------------------------------------------------------*/

static void enter_run(LineCursor* cursor)
{
   const Run* run = &cursor->lines->runs[cursor->next - 1];
   cursor->at = run->bytes;
   cursor->end = run->bytes + run->length;
   cursor->state = (RunState){.file = run->file};
   cursor->next = run->next;
}

LineCursor cg2p_lines_from(const Lines* lines, uint32_t first_run)
{
   return (LineCursor){.lines = lines, .next = first_run};
}

LineCursor cg2p_lines_of_run(const Lines* lines, uint32_t run)
{
   LineCursor cursor = cg2p_lines_from(lines, run);
   if (run) enter_run(&cursor);
   cursor.next = 0;
   return cursor;
}

static void get_rest(const uint8_t** from, Line* line)
{
   line->function = get(from);
   line->count = get(from);
   line->target.instr = get_step(from, line->at.instr);
   line->target.line = get_step(from, line->at.line);
   line->target.block = get_step(from, line->at.block);
   if (line->kind == CG2P_CALL) return;
   line->is_conditional = get(from);
   line->target_file = get(from);
   line->executed = get(from);
}

/* Reads a place behind `last`, which becomes it; where it ends. It is not
 * copied from one to the other: to read what was just written in pieces takes
 * the processor as long as all else here. */
static inline const uint8_t*
get_place(const uint8_t* from, uint8_t tag, Place* last, Place* at)
{
   uint64_t instr = last->instr, line = last->line, block = last->block;
   if (tag & HAS_INSTR) instr = get_step(&from, instr);
   if (tag & HAS_LINE) line = get_step(&from, line);
   if (tag & HAS_BLOCK) block = get_step(&from, block);
   *last = (Place){instr, line, block};
   *at = (Place){instr, line, block};
   return from;
}

static void
get_costs(const uint8_t** from, uint8_t tag, uint64_t* cost, uint32_t n_events)
{
   uint32_t n = tag >> COUNT_SHIFT;
   if (n == COUNT_FOLLOWS) n = get(from);
   for (uint32_t i = 0; i < n; i++)
      cost[i] = get(from);
   while (n < n_events)
      cost[n++] = 0;
}

bool cg2p_lines_next(LineCursor* cursor, Line* line)
{
   while (cursor->at == cursor->end) {
      if (!cursor->next) return false;
      enter_run(cursor);
   }
   const uint8_t* from = cursor->at;
   uint8_t tag = *from++;
   enum { KINDS = (1 << KIND_BITS) - 1 };
   while ((tag & KINDS) == LINE_FILE) {
      cursor->state.file = get(&from);
      tag = *from++;
   }
   line->kind = tag & KINDS;
   line->file = cursor->state.file;
   line->count = line->executed = 0;
   from = get_place(from, tag, &cursor->state.last, &line->at);
   get_costs(&from, tag, line->cost, cursor->lines->n_events);
   if (line->kind != CG2P_COST) get_rest(&from, line);
   cursor->at = from;
   return true;
}
