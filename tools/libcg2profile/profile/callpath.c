#include "profile/callpath.h"

#include <string.h>

/*--- (more) -------------------------------------------------------------*/

static const char more[] = "(more)";
enum { MORE_LENGTH = sizeof more - 1 };

bool cg2p_callpath_is_more(const NameStore* names, cg2p_function key)
{
   const StoredName* name = &names->of[key.name];
   return key.object == NAME_UNKNOWN && key.file == NAME_UNKNOWN &&
          name->length == MORE_LENGTH && !memcmp(name->text, more, MORE_LENGTH);
}

cg2p_function cg2p_callpath_key_of_more(NameStore* names, Failure* failure)
{
   return (cg2p_function){NAME_UNKNOWN, NAME_UNKNOWN,
                          cg2p_names_intern(names, failure, more, MORE_LENGTH)};
}

/*--- Adding -------------------------------------------------------------*/

uint32_t cg2p_callpath_add(Part* part,
                           Failure* failure,
                           cg2p_function key,
                           const cg2p_path* path)
{
   uint32_t number = cg2p_part_add_function(part, failure, key);
   part->paths = cg2p_memory_grow(failure, part->paths, &part->paths_room,
                                  number + 1, sizeof *part->paths);
   part->paths[number] = *path;
   return number;
}

/*--- Arcs and lines -----------------------------------------------------*/

static uint64_t* inclusive_of(const Part* part, uint32_t path)
{
   return cg2p_part_inclusive(part, part->arc_row.into[path] - 1);
}

/* Adds the calls of each path. False: they are too many. */
static bool add_calls(Part* part, Failure* failure)
{
   bool fits = true;
   ArcRow* row = &part->arc_row;
   row->into = cg2p_memory_grow_cleared(failure, row->into, &row->n_into,
                                        part->n_functions, sizeof *row->into);
   for (uint32_t i = 0; i < part->n_functions; i++) {
      const cg2p_path* path = &part->paths[i];
      if (path->caller == CG2P_NONE) continue;
      uint32_t arc = cg2p_part_intern_arc(part, failure, path->caller, i);
      row->into[i] = arc + 1;
      fits &= !__builtin_add_overflow(path->count, path->again,
                                      &part->arcs[arc].count);
   }
   return fits;
}

static bool add_cost(const Part* part, uint64_t* sum, const uint64_t* more)
{
   bool fits = true;
   for (uint32_t i = 0; i < part->n_events; i++)
      fits &= !__builtin_add_overflow(sum[i], more[i], &sum[i]);
   return fits;
}

/* Adds up what the calls cost. A path stands behind the one above it. */
static bool add_inclusive(const Part* part)
{
   bool fits = true;
   for (uint32_t i = part->n_functions; i-- > 0;) {
      uint32_t caller = part->paths[i].caller;
      if (caller == CG2P_NONE) continue;
      fits &= add_cost(part, inclusive_of(part, i), cg2p_part_self(part, i));
      if (part->paths[caller].caller != CG2P_NONE)
         fits &=
            add_cost(part, inclusive_of(part, caller), inclusive_of(part, i));
   }
   return fits;
}

static void
add_line(Part* part, Failure* failure, uint32_t function, const Line* line)
{
   Lines* lines = &part->lines;
   Runs* runs = cg2p_part_runs(part, failure, function);
   runs->last =
      cg2p_lines_begin(lines, failure, function, line->file, runs->last);
   if (!runs->first) runs->first = runs->last;
   runs->last = cg2p_lines_add(lines, failure, line);
}

/* Makes lines of the costs, all of no known place, and of the calls. */
static void add_lines(Part* part, Failure* failure)
{
   for (uint32_t i = 0; i < part->n_functions; i++) {
      Line line = {.kind = CG2P_COST,
                   .file = part->functions[i].file,
                   .cost = cg2p_part_self(part, i)};
      add_line(part, failure, i, &line);
   }
   for (uint32_t i = 0; i < part->n_functions; i++) {
      const cg2p_path* path = &part->paths[i];
      if (path->caller == CG2P_NONE) continue;
      Line line = {.kind = CG2P_CALL,
                   .file = path->file,
                   .at = path->at,
                   .function = i,
                   .count = path->count + path->again,
                   .cost = inclusive_of(part, i)};
      add_line(part, failure, path->caller, &line);
   }
}

bool cg2p_callpath_complete(Part* part, Failure* failure)
{
   if (!add_calls(part, failure) || !add_inclusive(part)) return false;
   add_lines(part, failure);
   return true;
}
