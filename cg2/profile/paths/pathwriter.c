#include "profile/paths/pathwriter.h"

/* A part that is being written. */
typedef struct PathWriter {
   Scribe scribe;
   WriterConfig config;
   const PathTree* tree;
   NameIds objects, files, functions;
   const Function* named; /* the function that was named last */
   /* The file of the function that calls, by depth. */
   const Name** caller_files;
   UInt n_caller_files;
} PathWriter;

/*--- Names --------------------------------------------------------------*/

static void write_file(PathWriter* w, const HChar* spec, const Name* file)
{
   cg2_scribe_name(&w->scribe, spec, file->text, &w->files, file->number);
}

/* Names a function the first time that a path leads to it. */
static void name_function(PathWriter* w, const Function* f)
{
   const Function* last = w->named;
   if (w->functions.of[f->number]) return;
   if (!last || last->object != f->object)
      cg2_scribe_name(&w->scribe, "ob=", f->object->name->text, &w->objects,
                      f->object->name->number);
   if (!last || last->file != f->file) write_file(w, "fl=", f->file);
   cg2_scribe_name(&w->scribe, "fn=", f->name->text, &w->functions, f->number);
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
      write_file(w, "fi=", node->at.file);
}

/*--- Paths --------------------------------------------------------------*/

static void write_number(PathWriter* w, ULong number)
{
   cg2_sink_decimal(w->scribe.sink, number);
   cg2_sink_char(w->scribe.sink, ' ');
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
   write_number(w, f ? w->functions.of[f->number] : 0);
   cg2_scribe_position(&w->scribe, &node->at);
   cg2_sink_char(w->scribe.sink, ' ');
   cg2_sink_decimal(w->scribe.sink, w->tree->calls[path->number]);
   if (again) {
      cg2_sink_char(w->scribe.sink, '+');
      cg2_sink_decimal(w->scribe.sink, again);
   }
   cg2_scribe_cost(&w->scribe, cg2_pathtree_own(w->tree, path),
                   cg2_event_count);
   cg2_scribe_end_line(&w->scribe);
}

/*--- All ----------------------------------------------------------------*/

static void write_sum(Scribe* s, const HChar* key, const ULong* cost)
{
   cg2_scribe_text(s, key);
   cg2_scribe_cost(s, cost, cg2_event_count);
   cg2_scribe_end_line(s);
}

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
   write_sum(s, "", size->more.of);
}

static void write_all(PathWriter* w, const WriterHeader* header)
{
   Scribe* s = &w->scribe;
   Cost total = cg2_pathtree_total(w->tree);
   cg2_heading_write(s, header);
   cg2_scribe_columns(s);
   cg2_heading_write_events(s);
   write_sum(s, "summary:", total.of);
   write_size(s, &w->tree->size);
   cg2_scribe_end_line(s);
   cg2_pathtree_walk(w->tree, write_path, w);
   write_sum(s, "totals:", total.of);
}

PathSize cg2_pathwriter_write(Sink* sink,
                              const WriterConfig* config,
                              const WriterHeader* header)
{
   PathTree tree = cg2_pathtree_new(&config->positions, header->thread);
   PathWriter w = {
      .scribe = {.sink = sink, .config = &w.config},
      .config = {.positions = config->positions, .compress_strings = True},
      .tree = &tree,
      .objects = cg2_nameids_new(cg2_code.object_names.n),
      .files = cg2_nameids_new(cg2_code.file_names.n),
      .functions = cg2_nameids_new(cg2_code.n_functions)};
   write_all(&w, header);
   PathSize size = tree.size;
   if (w.caller_files) VG_(free)(w.caller_files);
   cg2_nameids_free(&w.objects);
   cg2_nameids_free(&w.files);
   cg2_nameids_free(&w.functions);
   cg2_pathtree_free(&tree);
   return size;
}
