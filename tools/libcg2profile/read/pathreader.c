/* Reads a file of paths, as cg2 writes it beside a profile (section 9 of
 * docs/format.md): a line for each path, which is how control got to a
 * function,
 *
 *    2 7 120 35+4 9100
 *
 * its depth, the function's number, the position of the call, calls, and what
 * the path has cost itself. Each path becomes a function of its own, which
 * nobody but the path above calls. */
#include "read/pathreader.h"
#include "profile/callpath.h"
#include "read/header.h"
#include "read/lexer.h"

#include <stdlib.h>
#include <string.h>

struct PathReader {
   Reader* reader;
   uint32_t* open; /* the last path of each depth */
   size_t open_room;
   uint64_t n_open;
   uint64_t size, size_line; /* how many paths the part says it has; line 0: it
                                does not */
};

/*--- Functions ----------------------------------------------------------*/

/* Gives the number that stands in front of a function's name, as "(7) f", the
 * current object and file and that name. */
static void define(PathReader* paths, Text value)
{
   Reader* r = paths->reader;
   uint64_t number = 0;
   const char* close = memchr(value.start, ')', cg2p_text_length(value));
   if (!close || *value.start != '(' || !cg2p_text_is_digit(value.start[1]) ||
       !cg2p_number_read((Text){value.start + 1, close}, &number) || !number)
      cg2p_reading_refuse(
         r, "fn=%s; expected a number and a name, as 'fn=(7) main'",
         cg2p_reading_show(r, value));
   cg2p_lexer_read_name(r, ID_FUNCTION, value);
   Id* id = r->names.last;
   id->function_part = r->names.part;
   id->object = r->scope.object;
   id->file = r->scope.function_file;
}

/* The function with a number; 0 is what stands for paths that had no room. */
static cg2p_function function_of(PathReader* paths, uint64_t number)
{
   Reader* r = paths->reader;
   if (!number)
      return cg2p_callpath_key_of_more(&r->profile->names, &r->failure);
   const Id* id = cg2p_names_find_id(&r->names.ids[ID_FUNCTION], number);
   if (!id || id->function_part != r->names.part)
      cg2p_reading_refuse(
         r,
         "function %llu is used before its definition; expected "
         "'fn=(%llu) name' first",
         (unsigned long long)number, (unsigned long long)number);
   return (cg2p_function){id->object, id->file, id->name};
}

/*--- Paths --------------------------------------------------------------*/

/* Takes the number that the line goes on with off its front. */
static uint64_t take_number(Reader* r, Text* line, const char* what)
{
   uint64_t n;
   Text word = cg2p_text_word_at(
      cg2p_text_behind_blanks(line->start, line->end), line->end);
   if (!cg2p_number_read(word, &n))
      cg2p_reading_refuse(r, "%s '%s'; expected a number, as '2 7 120 35 9100'",
                          what, cg2p_reading_show(r, word));
   line->start = word.end;
   return n;
}

/* Takes calls off the front of the line: "35", or "35+4" if 4 more came back to
 * the path. */
static void take_calls(Reader* r, Text* line, cg2p_path* path)
{
   uint64_t all;
   Text word = cg2p_text_word_at(
      cg2p_text_behind_blanks(line->start, line->end), line->end);
   const char* plus = memchr(word.start, '+', cg2p_text_length(word));
   Text first = {word.start, plus ? plus : word.end};
   path->again = 0;
   if (!cg2p_number_read(first, &path->count) ||
       (plus && !cg2p_number_read((Text){plus + 1, word.end}, &path->again)) ||
       __builtin_add_overflow(path->count, path->again, &all))
      cg2p_reading_refuse(r, "calls '%s'; expected a number, or two as 35+4",
                          cg2p_reading_show(r, word));
   line->start = word.end;
}

/* The path above one of that depth. */
static uint32_t above(PathReader* paths, uint64_t depth)
{
   if (depth > paths->n_open)
      cg2p_reading_refuse(
         paths->reader, "depth %llu; expected at most %llu here",
         (unsigned long long)depth, (unsigned long long)paths->n_open);
   return depth ? paths->open[depth - 1] : CG2P_NONE;
}

/* Says that a path is the last one of its depth. */
static void open_path(PathReader* paths, uint64_t depth, uint32_t path)
{
   Reader* r = paths->reader;
   paths->open = cg2p_memory_grow(&r->failure, paths->open, &paths->open_room,
                                  depth + 1, sizeof *paths->open);
   paths->open[depth] = path;
   paths->n_open = depth + 1;
}

/* The file where a path is called: the one that the line before names, or that
 * of the function which calls. */
static uint32_t file_of_site(PathReader* paths, uint32_t caller)
{
   Reader* r = paths->reader;
   uint32_t named = r->scope.file;
   r->scope.file = NO_NAME;
   if (named != NO_NAME) return named;
   return caller == CG2P_NONE ? NAME_UNKNOWN : r->part->functions[caller].file;
}

static void check_events(Reader* r)
{
   if (!r->part->n_events)
      cg2p_reading_refuse(r,
                          "the body begins before the events: line; expected "
                          "events: in the header");
}

static void read_path(PathReader* paths, Text line)
{
   Reader* r = paths->reader;
   cg2p_path path;
   check_events(r);
   r->in_body = true;
   uint64_t depth = take_number(r, &line, "depth");
   cg2p_function f = function_of(paths, take_number(r, &line, "function"));
   line.start = cg2p_lexer_read_place(
      r, cg2p_text_behind_blanks(line.start, line.end), line.end, &path.at);
   take_calls(r, &line, &path);
   cg2p_lexer_read_costs(r, line.start, line.end);
   path.caller = above(paths, depth);
   path.file = file_of_site(paths, path.caller);
   uint32_t number = cg2p_callpath_add(r->part, &r->failure, f, &path);
   open_path(paths, depth, number);
   cg2p_reading_add_cost(r, cg2p_part_self(r->part, number));
}

/*--- Parts --------------------------------------------------------------*/

/* Ends a part, of which all paths were read, or all that there are. */
static void end_part(PathReader* paths, Part* part)
{
   Reader* r = paths->reader;
   uint64_t line = r->text.line;
   r->text.line = paths->size_line;
   if (r->text.line && paths->size != part->n_functions &&
       !cg2p_reading_is_cut_off(r))
      cg2p_reading_refuse(r, "paths: %llu; expected %zu, as many as follow",
                          (unsigned long long)paths->size, part->n_functions);
   r->text.line = line;
   if (!cg2p_callpath_complete(part, &r->failure))
      cg2p_reading_refuse(r,
                          "what the paths cost adds up to more than 64 bits; "
                          "expected a sum of less than 18446744073709551616");
   cg2p_part_end(part);
}

/* Begins the part that a line of its header has begun. */
static void begin_part(PathReader* paths)
{
   paths->n_open = paths->size_line = 0;
   paths->reader->part->has_paths = true;
}

/* Reads a line of the header, which may begin a part. */
static void read_header(PathReader* paths, Text line)
{
   Reader* r = paths->reader;
   Part* part = r->part;
   cg2p_header_read(r, line);
   if (r->part != part) {
      end_part(paths, part);
      begin_part(paths);
   }
   r->scope.file = NO_NAME;
}

static void read_size(PathReader* paths, Text line)
{
   Reader* r = paths->reader;
   Text value = cg2p_text_strip(
      (Text){memchr(line.start, ':', line.end - line.start) + 1, line.end});
   paths->size_line = r->text.line;
   if (!cg2p_number_read(value, &paths->size))
      cg2p_reading_refuse(r, "paths: '%s'; expected a number",
                          cg2p_reading_show(r, value));
}

/*--- Lines --------------------------------------------------------------*/

static bool begins_with(Text text, const char* word)
{
   size_t length = strlen(word);
   return cg2p_text_length(text) >= length && !memcmp(text.start, word, length);
}

/* Reads what names something; false: the line does not. */
static bool read_spec(PathReader* paths, Text line)
{
   Reader* r = paths->reader;
   Text value = {line.start + 3, line.end};
   if (begins_with(line, "ob="))
      r->scope.object = cg2p_lexer_read_name(r, ID_OBJECT, value);
   else if (begins_with(line, "fl="))
      r->scope.function_file = cg2p_lexer_read_name(r, ID_FILE, value);
   else if (begins_with(line, "fi="))
      r->scope.file = cg2p_lexer_read_name(r, ID_FILE, value);
   else if (begins_with(line, "fn="))
      define(paths, value);
   else
      return false;
   return true;
}

/* Reads a line, which begins with what is no blank. A blank behind an id is in
 * front of its name, which may be empty. */
static void read_line(PathReader* paths, Text whole)
{
   Text line = cg2p_text_strip(whole);
   if (cg2p_text_is_digit(*line.start))
      read_path(paths, line);
   else if (read_spec(paths, whole) || *line.start == '#')
      return;
   else if (begins_with(line, "paths:"))
      read_size(paths, line);
   else if (!begins_with(line, "more:"))
      read_header(paths, line);
}

/*--- A file -------------------------------------------------------------*/

PathReader* cg2p_pathreader_begin(Reader* r)
{
   PathReader* paths = r->paths =
      cg2p_memory_allocate(&r->failure, sizeof *paths);
   paths->reader = r;
   r->profile->detail = CG2P_LINES;
   r->scope.file = NO_NAME;
   begin_part(paths);
   return paths;
}

void cg2p_pathreader_read(PathReader* paths, const char* p, const char* end)
{
   Reader* r = paths->reader;
   while (p < end) {
      const char* newline = memchr(p, '\n', end - p);
      Text line = cg2p_text_line(p, newline);
      line.start = cg2p_text_behind_blanks(line.start, line.end);
      r->text.line = r->text.next_line++;
      if (line.start < line.end) read_line(paths, line);
      p = newline + 1;
   }
}

void cg2p_pathreader_end(PathReader* paths)
{
   Reader* r = paths->reader;
   r->text.is_at_end = true;
   if (cg2p_reading_is_cut_off(r) && !r->input.may_be_cut)
      cg2p_reading_refuse(r, "the file ends without totals:; expected them");
   end_part(paths, r->part);
}

void cg2p_pathreader_free(PathReader* paths)
{
   if (!paths) return;
   free(paths->open);
   free(paths);
}
