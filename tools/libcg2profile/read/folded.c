/* Reads folded stacks, as of perf:
 *
 *    main;f;g 12
 *
 * is a stack, outermost function first, and how often it was seen. A function
 * that is inside another activation of itself becomes its level 2 of recursion
 * (f'2), which keeps inclusive costs exact. */
#include "read/header.h"
#include "read/reader.h"

#include <stdlib.h>
#include <string.h>

/* What is known of a name that frames have. */
typedef struct FoldedFrame {
   uint64_t stack;    /* the line of the last stack that it is in; 0: none */
   uint32_t function; /* its number + 1; 0: it is none yet */
   uint32_t level_2;  /* name of its level 2; 0: not known yet */
   bool is_innermost; /* in some stack */
} FoldedFrame;

typedef struct Stacks {
   Reader* reader;
   FoldedFrame* of; /* by name */
   size_t room;
} Stacks;

/*--- Names --------------------------------------------------------------*/

/* Stays until the next call. */
static FoldedFrame* frame_of(Stacks* stacks, uint32_t name)
{
   size_t before = stacks->room;
   stacks->of = cg2p_memory_grow(&stacks->reader->failure, stacks->of,
                                 &stacks->room, name + 1, sizeof *stacks->of);
   memset(stacks->of + before, 0, (stacks->room - before) * sizeof *stacks->of);
   return &stacks->of[name];
}

static bool is_control(char c)
{
   return (unsigned char)c < ' ' || c == 0x7f;
}

/* Where the id ends that a name begins with, as "(12)" or "(0xc)"; NULL: it
 * begins with none. */
static char* end_of_id(char* name, const char* end)
{
   char* p = name + 1;
   if (end - name < 3 || *name != '(') return NULL;
   bool is_hexadecimal = end - p > 2 && p[0] == '0' && p[1] == 'x';
   if (is_hexadecimal) p += 2;
   const char* digits = p;
   while (p < end && (is_hexadecimal ? cg2p_number_hexadecimal(*p) >= 0
                                     : cg2p_text_is_digit(*p)))
      p++;
   return p > digits && p < end && *p == ')' ? p : NULL;
}

/* The name that a frame has in a profile: a control character is ?, and what
 * readers would take for an id is [12]. */
static uint32_t intern_frame(Reader* r, Text frame)
{
   size_t length = cg2p_text_length(frame);
   r->names.scratch = cg2p_memory_grow(&r->failure, r->names.scratch,
                                       &r->names.scratch_room, length, 1);
   for (size_t i = 0; i < length; i++)
      r->names.scratch[i] = is_control(frame.start[i]) ? '?' : frame.start[i];
   char* end = end_of_id(r->names.scratch, r->names.scratch + length);
   if (end) {
      *r->names.scratch = '[';
      *end = ']';
   }
   return cg2p_names_intern(&r->profile->names, &r->failure, r->names.scratch,
                            length);
}

/* The name of a function's level 2. */
static uint32_t level_2(Stacks* stacks, uint32_t name)
{
   static const char mark[] = "'2";
   enum { MARK = sizeof mark - 1 };
   Reader* r = stacks->reader;
   FoldedFrame* frame = frame_of(stacks, name);
   if (frame->level_2) return frame->level_2;
   StoredName base = r->profile->names.of[name];
   size_t length = base.length + MARK;
   r->names.scratch = cg2p_memory_grow(&r->failure, r->names.scratch,
                                       &r->names.scratch_room, length, 1);
   memcpy(r->names.scratch, base.text, base.length);
   memcpy(r->names.scratch + base.length, mark, MARK);
   frame->level_2 = cg2p_names_intern(&r->profile->names, &r->failure,
                                      r->names.scratch, length);
   return frame->level_2;
}

/*--- Stacks -------------------------------------------------------------*/

/* The function that a frame of the current line's stack is in. */
static uint32_t enter(Stacks* stacks, Text text)
{
   Reader* r = stacks->reader;
   uint32_t name = intern_frame(r, text);
   FoldedFrame* frame = frame_of(stacks, name);
   if (frame->stack == r->text.line) {
      name = level_2(stacks, name);
      frame = frame_of(stacks, name);
   } else
      frame->stack = r->text.line;
   if (!frame->function) {
      cg2p_function key = {NAME_UNKNOWN, NAME_UNKNOWN, name};
      frame->function =
         cg2p_part_intern_function(r->part, &r->failure, key) + 1;
   }
   return frame->function - 1;
}

/* Adds the cost of the current line's stack to a call in it. */
static void add_call(Reader* r, uint32_t caller, uint32_t callee)
{
   uint32_t arc = cg2p_part_intern_arc(r->part, &r->failure, caller, callee);
   r->part->arcs[arc].count = 1; /* nobody has counted them */
   cg2p_reading_add_cost(r, cg2p_part_inclusive(r->part, arc));
}

/* Adds a stack, whose frames are `text`, of the line `line`. */
static void add_stack(Stacks* stacks, Text text, Text line)
{
   Reader* r = stacks->reader;
   uint32_t function = 0;
   for (const char* p = text.start; p <= text.end;) {
      const char* semicolon = memchr(p, ';', text.end - p);
      Text frame = cg2p_text_strip((Text){p, semicolon ? semicolon : text.end});
      if (frame.start == frame.end)
         cg2p_reading_refuse(
            r,
            "'%s' has a frame without a name; expected names, as "
            "'main;f 12'",
            cg2p_reading_show(r, line));
      uint32_t caller = function;
      function = enter(stacks, frame);
      if (p > text.start) add_call(r, caller, function);
      p = semicolon ? semicolon + 1 : text.end + 1;
   }
   frame_of(stacks, r->part->functions[function].name)->is_innermost = true;
   cg2p_reading_add_cost(r, cg2p_part_self(r->part, function));
}

/* Reads a line, which has no blanks around it and is not empty. */
static void read_stack(Stacks* stacks, Text line)
{
   enum { DIGITS_MAX = 18 };
   Reader* r = stacks->reader;
   Text number = {line.end, line.end};
   bool is_number = true;
   while (number.start > line.start && !cg2p_text_is_blank(number.start[-1]))
      is_number = cg2p_text_is_digit(*--number.start) && is_number;
   if (number.start == line.start || !is_number ||
       cg2p_text_length(number) > DIGITS_MAX)
      cg2p_reading_refuse(
         r, "'%s'; expected names and a whole number, as 'main;f 12'",
         cg2p_reading_show(r, line));
   cg2p_number_read(number, r->cost);
   add_stack(stacks, (Text){line.start, number.start}, line);
}

static void read_lines(Stacks* stacks, const char* p, const char* end)
{
   Reader* r = stacks->reader;
   while (p < end) {
      const char* newline = memchr(p, '\n', end - p);
      Text line = cg2p_text_strip((Text){p, newline});
      r->text.line = r->text.next_line++;
      if (line.start < line.end) read_stack(stacks, line);
      p = newline + 1;
   }
}

/*--- The profile --------------------------------------------------------*/

static void set_event(Reader* r, const char* event)
{
   Part* part = r->part;
   Arena* texts = &r->profile->texts;
   part->events = cg2p_arena_add(texts, &r->failure, sizeof *part->events);
   part->events[0] = cg2p_arena_text(texts, &r->failure, event, strlen(event));
   part->n_events = part->lines.n_events = 1;
   cg2p_reading_reserve_cost(r);
}

/* Adds a line to those of a function. */
static void add_line(Reader* r, uint32_t function, const Line* line)
{
   Lines* lines = &r->part->lines;
   Runs* runs = cg2p_part_runs(r->part, &r->failure, function);
   runs->last =
      cg2p_lines_begin(lines, &r->failure, function, NAME_UNKNOWN, runs->last);
   if (!runs->first) runs->first = runs->last;
   runs->last = cg2p_lines_add(lines, &r->failure, line);
}

/* Makes lines, all of no known place, of the costs and the arcs. */
static void add_lines(const Stacks* stacks)
{
   Reader* r = stacks->reader;
   Part* part = r->part;
   for (size_t i = 0; i < part->n_functions; i++) {
      Line line = {.kind = CG2P_COST, .cost = cg2p_part_self(part, i)};
      if (stacks->of[part->functions[i].name].is_innermost)
         add_line(r, i, &line);
   }
   for (size_t i = 0; i < part->n_arcs; i++) {
      const cg2p_arc* arc = &part->arcs[i];
      Line line = {.kind = CG2P_CALL,
                   .function = arc->callee,
                   .count = arc->count,
                   .cost = cg2p_part_inclusive(part, i)};
      add_line(r, arc->caller, &line);
   }
   cg2p_part_end(part);
}

static void read_file(Stacks* stacks)
{
   Reader* r = stacks->reader;
   const char *begin, *end;
   while ((end = cg2p_input_next(&r->input, &begin)))
      read_lines(stacks, begin, end);
   if (!r->part->n_functions) {
      r->text.line = 1;
      cg2p_reading_refuse(r, "no stacks; expected lines as 'main;f 12'");
   }
   r->text.is_at_end = true;
   add_lines(stacks);
   cg2p_reading_state_costs(r);
   if (cg2p_reading_is_cut_off(r)) cg2p_header_say_cut_off(r);
   r->profile->creator = "callgrind-cg2_convert-" CG2P_VERSION;
}

/* NULL: the error says why. */
static cg2p_profile*
read_stacks(Stacks* stacks, const char* path, const char* event, unsigned how)
{
   Reader* r = stacks->reader;
   if (setjmp(r->failure.caught)) return NULL;
   cg2p_reader_open(r, path);
   r->input.may_be_cut = how & CG2P_PARTIAL;
   set_event(r, event);
   read_file(stacks);
   return cg2p_reader_take(r);
}

cg2p_profile* cg2p_profile_read_folded(const char* path,
                                       const char* event,
                                       unsigned how,
                                       cg2p_error* error)
{
   Stacks* stacks = calloc(1, sizeof *stacks);
   if (!stacks) {
      cg2p_failure_say_no_memory(error, path);
      return NULL;
   }
   cg2p_profile* profile = NULL;
   stacks->reader = cg2p_reader_make(path, CG2P_LINES, error);
   if (stacks->reader) profile = read_stacks(stacks, path, event, how);
   cg2p_reader_free(stacks->reader);
   free(stacks->of);
   free(stacks);
   return profile;
}
