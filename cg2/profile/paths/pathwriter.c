#include "profile/paths/pathwriter.h"

#include "engine/pathfold.h"
#include "profile/callgrind/namewriter.h"

/* A part that is being written. */
typedef struct PathWriter {
   NameWriter out;
   const PathTree* tree;
   const Function* named; /* the function that was named last */
   /* The file of the function that calls, by depth. */
   const Name** caller_files;
   UInt n_caller_files;
} PathWriter;

/*--- Names --------------------------------------------------------------*/

/* Names a function the first time that a path leads to it. */
static void name_function(PathWriter* w, const Function* f)
{
   const Function* last = w->named;
   if (w->out.functions.of[f->number]) return;
   if (!last || last->object != f->object)
      cg2_namewriter_object(&w->out, "ob=", f->object);
   if (!last || last->file != f->file)
      cg2_namewriter_file(&w->out, "fl=", f->file);
   cg2_scribe_name(&w->out.scribe, "fn=", f->name->text, &w->out.functions,
                   f->number);
   w->named = f;
}

/* Notes the file of the function that the node is of, for the nodes below. */
static void note_file(PathWriter* w, const PathNode* node, const Function* f)
{
   if (node->depth >= w->n_caller_files) {
      w->n_caller_files = 2 * (node->depth + 1);
      w->caller_files =
         VG_(realloc)("cg2.pathwriter", w->caller_files,
                      w->n_caller_files * sizeof *w->caller_files);
   }
   w->caller_files[node->depth] = f->file;
}

/* Names the file of the call, if it is not that of the function that calls. */
static void name_site(PathWriter* w, const PathNode* node)
{
   if (!node->at.file) return;
   if (!node->depth || node->at.file != w->caller_files[node->depth - 1])
      cg2_namewriter_file(&w->out, "fi=", node->at.file);
}

/*--- Paths --------------------------------------------------------------*/

static void write_number(PathWriter* w, ULong number)
{
   cg2_sink_decimal(w->out.scribe.sink, number);
   cg2_sink_char(w->out.scribe.sink, ' ');
}

/* Writes the line of a path. */
static void write_path(const PathNode* node, void* what)
{
   PathWriter* w = what;
   const PathStep* path = node->step;
   const Function* f = path->arc ? path->arc->callee->function : NULL;
   ULong again = w->tree->again[path->number];
   if (f) {
      name_function(w, f);
      note_file(w, node, f);
   }
   name_site(w, node);
   write_number(w, node->depth);
   write_number(w, f ? w->out.functions.of[f->number] : 0);
   cg2_scribe_position(&w->out.scribe, &node->at);
   cg2_sink_char(w->out.scribe.sink, ' ');
   cg2_sink_decimal(w->out.scribe.sink, w->tree->calls[path->number]);
   if (again) {
      cg2_sink_char(w->out.scribe.sink, '+');
      cg2_sink_decimal(w->out.scribe.sink, again);
   }
   cg2_scribe_cost(&w->out.scribe, cg2_pathtree_own(w->tree, path),
                   cg2_events.n);
   cg2_scribe_end_line(&w->out.scribe);
}

/*--- All ----------------------------------------------------------------*/

/* Says how many paths there are, and what paths took that had no room for what
 * they call. */
static void write_size(Scribe* s, const PathSize* size)
{
   cg2_scribe_key_number(s, "paths: ", size->n_paths);
   if (!size->n_more) return;
   cg2_scribe_text(s, "more: ");
   cg2_sink_decimal(s->sink, size->n_more);
   cg2_sink_char(s->sink, ' ');
   cg2_sink_decimal(s->sink, size->more_calls);
   cg2_scribe_sum(s, "", size->more.of, cg2_events.n);
}

/* Says that recursions have fewer levels than was asked for. */
static void write_levels(Scribe* s)
{
   if (!cg2_pathfold_is_coarse()) return;
   cg2_scribe_text(s,
                   "desc: Levels: one of each recursion, as --contexts-max=");
   cg2_sink_decimal(s->sink, cg2_engine_config.paths_max);
   cg2_scribe_text(s, " was reached");
   cg2_scribe_end_line(s);
}

static void write_all(PathWriter* w, const WriterHeader* header)
{
   Scribe* s = &w->out.scribe;
   Cost total = cg2_pathtree_total(w->tree);
   cg2_heading_write(s, header, NULL);
   write_levels(s);
   cg2_scribe_columns(s);
   cg2_heading_write_events(s);
   cg2_scribe_sum(s, "summary:", total.of, cg2_events.n);
   write_size(s, &w->tree->size);
   cg2_scribe_end_line(s);
   cg2_pathtree_walk(w->tree, write_path, w);
   cg2_scribe_sum(s, "totals:", total.of, cg2_events.n);
}

PathSize cg2_pathwriter_write(Sink* sink,
                              const WriterConfig* config,
                              const WriterHeader* header)
{
   PathTree tree = cg2_pathtree_new(&config->positions, header->thread);
   WriterConfig own = {.positions = config->positions,
                       .compress_strings = True};
   PathWriter w = {.out =
                      cg2_namewriter_new(sink, &own, cg2_code.object_names.n,
                                         cg2_code.n_functions),
                   .tree = &tree};
   write_all(&w, header);
   PathSize size = tree.size;
   if (w.caller_files) VG_(free)(w.caller_files);
   cg2_namewriter_free(&w.out);
   cg2_pathtree_free(&tree);
   return size;
}
