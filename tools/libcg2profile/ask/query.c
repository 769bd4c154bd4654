/* What the public header lets others ask of a profile. */
#include "base/text.h"
#include "profile/part.h"

#include <stdlib.h>
#include <string.h>

uint64_t cg2p_profile_version(const cg2p_profile* profile)
{
   return profile->version;
}

uint64_t cg2p_profile_version_line(const cg2p_profile* profile)
{
   return profile->version_line;
}

const char* cg2p_profile_cut_off(const cg2p_profile* profile)
{
   return profile->cut_off;
}

const char* cg2p_profile_creator(const cg2p_profile* profile)
{
   return profile->creator;
}

size_t cg2p_profile_part_count(const cg2p_profile* profile)
{
   return profile->n_parts;
}

const cg2p_part* cg2p_profile_part(const cg2p_profile* profile, size_t i)
{
   return profile->parts[i];
}

size_t cg2p_profile_name_count(const cg2p_profile* profile)
{
   return profile->names.n;
}

const char*
cg2p_profile_name(const cg2p_profile* profile, uint32_t number, size_t* length)
{
   const StoredName* name = &profile->names.of[number];
   if (length) *length = name->length;
   return name->text;
}

size_t cg2p_profile_copy_names(const cg2p_profile* profile, char* texts)
{
   const NameStore* names = &profile->names;
   size_t sum = 0;
   for (size_t i = 0; i < names->n; i++) {
      size_t bytes = names->of[i].length + 1;
      if (texts) memcpy(texts + sum, names->of[i].text, bytes);
      sum += bytes;
   }
   return sum;
}

static bool has_byte(const StoredName* name, Text bytes)
{
   for (const char* byte = bytes.start; byte < bytes.end; byte++)
      if (memchr(name->text, *byte, name->length)) return true;
   return false;
}

static bool is_like(const StoredName* name, cg2p_name_search how, Text wanted)
{
   size_t length = cg2p_text_length(wanted);
   if (how == CG2P_NAME_HAS_BYTE) return has_byte(name, wanted);
   if (how == CG2P_NAME_IS && name->length != length) return false;
   return name->length >= length && !memcmp(name->text, wanted.start, length);
}

size_t cg2p_profile_find_names(const cg2p_profile* profile,
                               cg2p_name_search how,
                               const char* text,
                               size_t length,
                               uint32_t* numbers)
{
   size_t n = 0;
   for (size_t i = 0; i < profile->names.n; i++)
      if (is_like(&profile->names.of[i], how, (Text){text, text + length}))
         numbers[n++] = i;
   return n;
}

/*--- Header -------------------------------------------------------------*/

int cg2p_part_header_number(const cg2p_part* part,
                            cg2p_header_number which,
                            uint64_t* value)
{
   switch (which) {
   case CG2P_PID:
      *value = part->pid;
      return part->has_pid;
   case CG2P_PART:
      *value = part->number;
      return part->has_number;
   default:
      *value = part->thread;
      return part->has_thread;
   }
}

const char* cg2p_part_command(const cg2p_part* part)
{
   return part->cmd;
}

int cg2p_part_description(const cg2p_part* part,
                          size_t i,
                          const char** kind,
                          const char** text)
{
   if (i >= part->n_descriptions) return 0;
   *kind = part->descriptions[i].kind;
   *text = part->descriptions[i].text;
   return 1;
}

int cg2p_part_skipped(const cg2p_part* part,
                      size_t i,
                      const char** name,
                      uint64_t* count)
{
   if (i >= part->n_skipped) return 0;
   *name = part->skipped[i].name;
   *count = part->skipped[i].count;
   return 1;
}

const char* cg2p_part_column(const cg2p_part* part, size_t i)
{
   return i < part->n_columns ? part->column_names[i] : NULL;
}

uint32_t cg2p_part_event_count(const cg2p_part* part)
{
   return part->n_events;
}

const char* cg2p_part_event(const cg2p_part* part, uint32_t i)
{
   return part->events[i];
}

int cg2p_part_definition(const cg2p_part* part,
                         size_t i,
                         cg2p_definition* found)
{
   if (i >= part->n_definitions) return 0;
   const EventDefinition* definition = &part->definitions[i];
   *found = (cg2p_definition){definition->name, definition->long_name,
                              definition->n_terms};
   return 1;
}

int64_t cg2p_part_term(const cg2p_part* part,
                       size_t i,
                       uint32_t term,
                       const char** event)
{
   const Term* found = &part->definitions[i].terms[term];
   *event = found->event;
   return found->factor;
}

const uint64_t*
cg2p_part_stated_cost(const cg2p_part* part, cg2p_sum which, uint64_t* line)
{
   *line = part->sum_lines[which];
   return part->sums[which];
}

uint64_t cg2p_part_events_line(const cg2p_part* part)
{
   return part->events_line;
}

uint64_t cg2p_part_positions_line(const cg2p_part* part)
{
   return part->positions_line;
}

const char* cg2p_part_borrowed_id(const cg2p_part* part, uint64_t* line)
{
   *line = part->borrowed_line;
   return part->borrowed;
}

/*--- Functions and arcs -------------------------------------------------*/

size_t cg2p_part_function_count(const cg2p_part* part)
{
   return part->n_functions;
}

const cg2p_function* cg2p_part_functions(const cg2p_part* part)
{
   return part->functions;
}

const uint64_t* cg2p_part_self_costs(const cg2p_part* part)
{
   return part->self;
}

const cg2p_path* cg2p_part_paths(const cg2p_part* part)
{
   static const cg2p_path none;
   if (!part->has_paths) return NULL;
   return part->paths ? part->paths : &none;
}

size_t cg2p_part_arc_count(const cg2p_part* part)
{
   return part->n_arcs;
}

const cg2p_arc* cg2p_part_arcs(const cg2p_part* part)
{
   return part->arcs;
}

const uint64_t* cg2p_part_arc_costs(const cg2p_part* part)
{
   return part->inclusive;
}

/*--- Lines --------------------------------------------------------------*/

struct cg2p_cursor {
   LineCursor at;
   uint64_t cost[]; /* of the line that was read last */
};

cg2p_cursor* cg2p_cursor_new(const cg2p_part* part, uint32_t function)
{
   cg2p_cursor* cursor =
      malloc(sizeof *cursor + part->n_events * sizeof *cursor->cost);
   if (cursor) cursor->at = cg2p_part_lines(part, function);
   return cursor;
}

int cg2p_cursor_next(cg2p_cursor* cursor, cg2p_line* line)
{
   line->cost = cursor->cost;
   return cg2p_lines_next(&cursor->at, line);
}

void cg2p_cursor_free(cg2p_cursor* cursor)
{
   free(cursor);
}

size_t cg2p_part_functions_with_lines(const cg2p_part* part,
                                      uint32_t* functions)
{
   size_t n = 0;
   for (size_t i = 0; i < part->lines.n; i++) {
      uint32_t function = part->lines.runs[i].function;
      if (cg2p_part_first_run(part, function) == i + 1)
         functions[n++] = function;
   }
   return n;
}
