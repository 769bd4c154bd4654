/* Reads a file of paths, as cg2 writes it beside a profile (section 9 of
 * docs/format.md): a line for each path, which is how control got to a
 * function,
 *
 *    2 7 120 35+4 9100
 *
 * its depth, the function's number, the position of the call, calls, and what
 * the path has cost itself. Each path becomes a function of its own, which
 * nobody but the path above calls. */
#include "header.h"
#include "naming.h"
#include "place.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* Where a path is called. */
typedef struct Site {
   uint32_t caller; /* the path above; NO_NAME: nobody calls a root */
   uint32_t file;
   Place at;
} Site;

typedef struct Paths {
   Reader* reader;
   cg2p_function* functions; /* by number; a name of NO_NAME: not defined */
   size_t n_functions;
   uint32_t* open; /* the last path of each depth */
   size_t open_room;
   uint64_t n_open;
   Site* sites; /* of each path */
   size_t sites_room;
} Paths;

/*--- Functions ----------------------------------------------------------*/

enum { FUNCTIONS_MAX = 1 << 28 };

/* Gives the number that stands in front of a function's name, as "(7) f", the
 * current object and file and that name. */
static void define(Paths* paths, Text value)
{
   Reader* r = paths->reader;
   uint64_t id = 0;
   const char* close = memchr(value.start, ')', cg2p_text_length(value));
   Text number = {value.start + 1, close};
   if (!close || *value.start != '(' || !cg2p_read_number(number, &id) || !id ||
       id > FUNCTIONS_MAX)
      cg2p_refuse(r, "fn=%s; expected a number and a name, as 'fn=(7) main'",
                  cg2p_show(r, value));
   size_t before = paths->n_functions;
   if (id >= before) {
      paths->functions =
         cg2p_grow(&r->failure, paths->functions, &paths->n_functions, id + 1,
                   sizeof *paths->functions);
      for (size_t i = before; i < paths->n_functions; i++)
         paths->functions[i].name = NO_NAME;
   }
   paths->functions[id] = (cg2p_function){
      r->object, r->function_file, cg2p_read_name(r, ID_FUNCTION, value)};
}

/* The function with a number; 0 is what stands for paths that had no room. */
static cg2p_function function_of(Paths* paths, uint64_t id)
{
   static const char more[] = "(more)";
   Reader* r = paths->reader;
   if (!id)
      return (cg2p_function){NAME_UNKNOWN, NAME_UNKNOWN,
                             cg2p_names_intern(&r->profile->names, &r->failure,
                                               more, sizeof more - 1)};
   if (id >= paths->n_functions || paths->functions[id].name == NO_NAME)
      cg2p_refuse(r,
                  "function %llu is used before its definition; expected "
                  "'fn=(%llu) name' first",
                  (unsigned long long)id, (unsigned long long)id);
   return paths->functions[id];
}

/*--- Paths --------------------------------------------------------------*/

/* Takes the number that the line goes on with off its front. */
static uint64_t take_number(Reader* r, Text* line, const char* what)
{
   uint64_t n;
   Text word =
      cg2p_word_at(cg2p_behind_blanks(line->start, line->end), line->end);
   if (!cg2p_read_number(word, &n))
      cg2p_refuse(r, "%s '%s'; expected a number, as '2 7 120 35 9100'", what,
                  cg2p_show(r, word));
   line->start = word.end;
   return n;
}

/* Takes calls off the front of the line: "35", or "35+4" if 4 more came back to
 * the path. */
static uint64_t take_calls(Reader* r, Text* line)
{
   uint64_t n, again = 0;
   Text word =
      cg2p_word_at(cg2p_behind_blanks(line->start, line->end), line->end);
   const char* plus = memchr(word.start, '+', cg2p_text_length(word));
   Text first = {word.start, plus ? plus : word.end};
   if (!cg2p_read_number(first, &n) ||
       (plus && !cg2p_read_number((Text){plus + 1, word.end}, &again)) ||
       __builtin_add_overflow(n, again, &n))
      cg2p_refuse(r, "calls '%s'; expected a number, or two as 35+4",
                  cg2p_show(r, word));
   line->start = word.end;
   return n;
}

/* The path above one of that depth. */
static uint32_t above(Paths* paths, uint64_t depth)
{
   if (depth > paths->n_open)
      cg2p_refuse(paths->reader, "depth %llu; expected at most %llu here",
                  (unsigned long long)depth, (unsigned long long)paths->n_open);
   return depth ? paths->open[depth - 1] : NO_NAME;
}

/* Adds a path of that depth, and the call of it. */
static uint32_t
add_path(Paths* paths, uint64_t depth, cg2p_function function, uint64_t calls)
{
   Reader* r = paths->reader;
   Part* part = r->part;
   uint32_t caller = above(paths, depth);
   uint32_t path = cg2p_part_add_function(part, &r->failure, function);
   paths->open = cg2p_grow(&r->failure, paths->open, &paths->open_room,
                           depth + 1, sizeof *paths->open);
   paths->open[depth] = path;
   paths->n_open = depth + 1;
   paths->sites = cg2p_grow(&r->failure, paths->sites, &paths->sites_room,
                            path + 1, sizeof *paths->sites);
   paths->sites[path].caller = caller;
   if (caller == NO_NAME) return path;
   uint32_t arc = cg2p_part_arc(part, &r->failure, caller, path);
   part->arcs[arc].count = calls;
   return path;
}

/* The file where a path is called: the one that the line before names, or that
 * of the function which calls. */
static uint32_t file_of_site(Paths* paths, uint32_t caller)
{
   Reader* r = paths->reader;
   uint32_t named = r->file;
   r->file = NO_NAME;
   if (named != NO_NAME) return named;
   return caller == NO_NAME ? NAME_UNKNOWN : r->part->functions[caller].file;
}

static void read_path(Paths* paths, Text line)
{
   Reader* r = paths->reader;
   Place at;
   if (!r->part->n_events)
      cg2p_refuse(r, "the body begins before the events: line; expected "
                     "events: in the header");
   r->in_body = true;
   uint64_t depth = take_number(r, &line, "depth");
   cg2p_function f = function_of(paths, take_number(r, &line, "function"));
   line.start = cg2p_read_place(r, cg2p_behind_blanks(line.start, line.end),
                                line.end, &at);
   uint64_t calls = take_calls(r, &line);
   cg2p_read_costs(r, line.start, line.end);
   uint32_t path = add_path(paths, depth, f, calls);
   Site* site = &paths->sites[path];
   site->at = at;
   site->file = file_of_site(paths, site->caller);
   cg2p_add_cost(r, cg2p_part_self(r->part, path));
}

/*--- Lines --------------------------------------------------------------*/

static bool begins_with(Text text, const char* word)
{
   size_t length = strlen(word);
   return cg2p_text_length(text) >= length && !memcmp(text.start, word, length);
}

/* Reads what names something; false: the line does not. */
static bool read_spec(Paths* paths, Text line)
{
   Reader* r = paths->reader;
   Text value = {line.start + 3, line.end};
   if (begins_with(line, "ob="))
      r->object = cg2p_read_name(r, ID_OBJECT, value);
   else if (begins_with(line, "fl="))
      r->function_file = cg2p_read_name(r, ID_FILE, value);
   else if (begins_with(line, "fi="))
      r->file = cg2p_read_name(r, ID_FILE, value);
   else if (begins_with(line, "fn="))
      define(paths, value);
   else
      return false;
   return true;
}

/* Reads a line, which has no blanks around it and is not empty. */
static void read_line(Paths* paths, Text line)
{
   Reader* r = paths->reader;
   if (cg2p_is_digit(*line.start))
      read_path(paths, line);
   else if (read_spec(paths, line) || *line.start == '#')
      return;
   else if (!begins_with(line, "paths:") && !begins_with(line, "more:")) {
      if (r->in_body && !begins_with(line, "totals:"))
         cg2p_refuse(r, "a second part; expected a file of one");
      cg2p_header_read(r, line);
      r->file = NO_NAME;
   }
}

static void check_first_line(Reader* r, Text line)
{
   if (!begins_with(line, CG2P_PATHS_FORMAT))
      cg2p_refuse(r, "'%s'; expected a file of paths, which begins with '%s'",
                  cg2p_show(r, line), CG2P_PATHS_FORMAT);
}

static void read_lines(Paths* paths, const char* p, const char* end)
{
   Reader* r = paths->reader;
   while (p < end) {
      const char* newline = memchr(p, '\n', end - p);
      Text line = cg2p_strip((Text){p, newline});
      r->line = r->next_line++;
      if (r->line == 1) check_first_line(r, line);
      if (line.start < line.end) read_line(paths, line);
      p = newline + 1;
   }
}

/*--- The profile --------------------------------------------------------*/

static uint64_t* inclusive_of(const Part* part, uint32_t path)
{
   return cg2p_part_inclusive(part, part->links[path].last_into - 1);
}

/* Adds up what the calls cost. A path stands behind the one above it. */
static void add_inclusive(const Paths* paths)
{
   Reader* r = paths->reader;
   const Part* part = r->part;
   size_t bytes = part->n_events * sizeof *r->cost;
   for (size_t i = part->n_functions; i-- > 0;) {
      uint32_t caller = paths->sites[i].caller;
      if (caller == NO_NAME) continue;
      memcpy(r->cost, cg2p_part_self(part, i), bytes);
      cg2p_add_cost(r, inclusive_of(part, i));
      if (paths->sites[caller].caller == NO_NAME) continue;
      memcpy(r->cost, inclusive_of(part, i), bytes);
      cg2p_add_cost(r, inclusive_of(part, caller));
   }
}

static void
add_line(Reader* r, uint32_t function, uint32_t file, const Line* line)
{
   Lines* lines = &r->part->lines;
   Runs* runs = cg2p_part_runs(r->part, &r->failure, function);
   runs->last =
      cg2p_lines_begin(lines, &r->failure, function, file, runs->last);
   if (!runs->first) runs->first = runs->last;
   runs->last = cg2p_lines_add(lines, &r->failure, line);
}

/* Makes lines of the costs, all of no known place, and of the calls. */
static void add_lines(const Paths* paths)
{
   Reader* r = paths->reader;
   Part* part = r->part;
   for (size_t i = 0; i < part->n_functions; i++) {
      uint32_t file = part->functions[i].file;
      Line line = {
         .kind = CG2P_COST, .file = file, .cost = cg2p_part_self(part, i)};
      add_line(r, i, file, &line);
   }
   for (size_t i = 0; i < part->n_functions; i++) {
      const Site* site = &paths->sites[i];
      if (site->caller == NO_NAME) continue;
      Line line = {.kind = CG2P_CALL,
                   .file = site->file,
                   .at = site->at,
                   .function = i,
                   .count = part->arcs[part->links[i].last_into - 1].count,
                   .cost = inclusive_of(part, i)};
      add_line(r, site->caller, site->file, &line);
   }
}

static void read_file(Paths* paths)
{
   Reader* r = paths->reader;
   const char *begin, *end;
   r->file = NO_NAME;
   while ((end = cg2p_input_next(&r->input, &begin)))
      read_lines(paths, begin, end);
   r->is_at_end = true;
   bool is_cut_off = cg2p_is_cut_off(r);
   if (!r->part->n_functions || (is_cut_off && !r->input.may_be_cut)) {
      r->line = r->line ? r->line : 1;
      cg2p_refuse(r, "the file ends without totals: or paths; expected both");
   }
   add_inclusive(paths);
   add_lines(paths);
   if (is_cut_off) {
      cg2p_state_costs(r);
      cg2p_header_say_cut_off(r);
   }
   cg2p_part_end(r->part);
}

/* NULL: the error says why. */
static cg2p_profile* read_paths(Paths* paths, const char* path, unsigned how)
{
   Reader* r = paths->reader;
   if (setjmp(r->failure.caught)) return NULL;
   cg2p_reader_open(r, path);
   r->input.may_be_cut = how & CG2P_PARTIAL;
   read_file(paths);
   return cg2p_reader_take(r);
}

cg2p_profile* cg2p_read_paths(const char* path, unsigned how, cg2p_error* error)
{
   Paths* paths = calloc(1, sizeof *paths);
   if (!paths) {
      cg2p_say_no_memory(error, path);
      return NULL;
   }
   cg2p_profile* profile = NULL;
   paths->reader = cg2p_reader_make(path, CG2P_LINES, error);
   if (paths->reader) profile = read_paths(paths, path, how);
   cg2p_reader_free(paths->reader);
   free(paths->functions);
   free(paths->open);
   free(paths->sites);
   free(paths);
   return profile;
}
