#include "profile/files/outfile.h"

#include "profile/files/outpath.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"

/* Reason for a mutable file-scope object: the files of one process. */
Outfiles cg2_outfiles = {
   .profile = {.what = "profile",
               .tmp_name = "cg2.out",
               .pattern = "cg2.out.%p",
               .option = "--cg2-out-file"},
   .data = {.what = "data file",
            .tmp_name = "cg2.data",
            .pattern = "cg2.data.%p",
            .option = "--data-out-file"},
   .paths = {.what = "file of paths",
             .tmp_name = "cg2.paths",
             .pattern = "cg2.paths.%p",
             .option = "--paths-out-file"},
};

/*--- Messages -----------------------------------------------------------*/

static void print_failure(const Outfile* f, const HChar* path, Int error)
{
   cg2_outpath_print_failure(f->what, path, error);
}

static void print_lost(const Outfile* f, const OutfilePart* part)
{
   VG_(umsg)("error: the %s is lost", f->what);
   if (part->number > 1) VG_(umsg)(": part %u", part->number);
   if (part->thread) VG_(umsg)(", thread %u", part->thread);
   VG_(umsg)("\n");
}

/*--- The out path -------------------------------------------------------*/

static const HChar* out_path(Outfile* f)
{
   return cg2_outpath_get(&f->out, f->option, f->pattern);
}

/* Notes where the part is that was written last. */
static void note_last(Outfile* f, const HChar* path)
{
   if (f->last) VG_(free)(f->last);
   f->last = path ? VG_(strdup)("cg2.path", path) : NULL;
}

const HChar* cg2_outfile_last(const Outfile* f)
{
   return f->last;
}

/* Whether a run before this one has left a file that this run, as the run of
 * this number with its process id, would write. */
static Bool is_taken(Outfile* const* files, UInt n, UInt run)
{
   for (UInt i = 0; i < n; i++)
      if (VG_(strstr)(files[i]->pattern, "%p") &&
          cg2_outpath_is_taken(out_path(files[i]), run))
         return True;
   return False;
}

void cg2_outfile_make_way(Outfile* const* files, UInt n)
{
   UInt run = 1;
   while (cg2_profile_config.keeps_all && is_taken(files, n, run))
      run++;
   for (UInt i = 0; run > 1 && i < n; i++)
      if (VG_(strstr)(files[i]->pattern, "%p"))
         cg2_outpath_set_run(&files[i]->out, run);
}

void cg2_outfile_check(Outfile* f)
{
   Int error = cg2_outpath_try(out_path(f));
   if (!error) return;
   print_failure(f, out_path(f), error);
   VG_(exit)(1);
}

/* Several may be thrown away. */
static Bool is_device(const HChar* path)
{
   return VG_(strncmp)(path, "/dev/", 5) == 0;
}

void cg2_outfile_check_apart(Outfile* a, Outfile* b)
{
   const HChar* path = out_path(a);
   if (VG_(strcmp)(path, out_path(b)) != 0 || is_device(path)) return;
   VG_(umsg)("error: %s and %s name the same file '%s'\n", a->option, b->option,
             path);
   VG_(exit)(1);
}

void cg2_outfile_forked(Outfile* f)
{
   OutPath out = f->out;
   for (UInt i = 0; i < f->n_written; i++)
      VG_(free)(f->written[i]);
   if (f->written) VG_(free)(f->written);
   note_last(f, NULL);
   cg2_outpath_forked(&out, f->option, f->pattern);
   *f = (Outfile){.what = f->what,
                  .tmp_name = f->tmp_name,
                  .pattern = f->pattern,
                  .option = f->option,
                  .out = out};
}

/*--- Programs that replace each other -----------------------------------*/

UInt cg2_outfile_image(Outfile* f)
{
   Bool is_counted =
      cg2_profile_config.keeps_all && cg2_outpath_has_successor();
   UInt n = is_counted ? cg2_outpath_next_image(out_path(f)) : 0;
   return n > 1 || f->exec_path ? n : 0;
}

Bool cg2_outfile_begin_exec(Outfile* f, Bool is_child)
{
   Bool is_overwritten = is_child || cg2_outpath_has_successor();
   if (is_overwritten && !cg2_profile_config.keeps_all) return False;
   f->exec_path = cg2_outpath_of_replaced(out_path(f));
   return True;
}

void cg2_outfile_begin_ahead(Outfile* f)
{
   f->is_ahead = True;
}

void cg2_outfile_end_ahead(Outfile* f)
{
   f->is_ahead = False;
   if (!f->size) f->inode = 0;
}

/*--- The file of a part -------------------------------------------------*/

/* The out path, or, in the second program of a process and later ones, that of
 * the program; to be freed. */
static HChar* path_of_program(Outfile* f)
{
   UInt n = cg2_outfile_image(f);
   return n > 1 ? cg2_outpath_of_image(out_path(f), n)
                : VG_(strdup)("cg2.path", out_path(f));
}

static HChar* path_of(Outfile* f, const OutfilePart* part)
{
   if (f->exec_path) return VG_(strdup)("cg2.path", f->exec_path);
   if (cg2_profile_config.is_combined)
      return VG_(strdup)("cg2.path", out_path(f));
   HChar* base =
      part->is_last ? VG_(strdup)("cg2.path", out_path(f)) : path_of_program(f);
   HChar* path = VG_(malloc)("cg2.path", VG_(strlen)(base) + 24);
   HChar* end = path + VG_(sprintf)(path, "%s", base);
   if (!part->is_last) end += VG_(sprintf)(end, ".%u", part->number);
   if (part->thread) VG_(sprintf)(end, "-%02u", part->thread);
   VG_(free)(base);
   return path;
}

/* The file in the temporary directory for a part that cannot be written where
 * it belongs, to be freed. */
static HChar* path_in_tmpdir(Outfile* f, const OutfilePart* part)
{
   const HChar* dir = VG_(tmpdir)();
   HChar* path = VG_(malloc)("cg2.path", VG_(strlen)(dir) + 48);
   HChar* end =
      path + VG_(sprintf)(path, "%s/%s.%d", dir, f->tmp_name, VG_(getpid)());
   if (part->thread) VG_(sprintf)(end, "-%02u", part->thread);
   return path;
}

/*--- All parts in one file ----------------------------------------------*/

/* Whether the next part goes behind others: unless somebody else has put
 * another file in their place. */
static Bool follows_others(Outfile* f)
{
   if (!cg2_profile_config.is_combined || !f->inode) return False;
   struct vg_stat st;
   return !cg2_sink_replaces(out_path(f)) ||
          (!sr_isError(VG_(stat)(out_path(f), &st)) && st.ino == f->inode);
}

/* Notes that the file of all parts was written. A part in front of an exec only
 * stays if the exec succeeds. */
static void note_written(Outfile* f)
{
   struct vg_stat st;
   if (!cg2_profile_config.is_combined) return;
   if (sr_isError(VG_(stat)(out_path(f), &st))) return;
   f->inode = st.ino;
   if (!f->exec_path && !f->is_ahead) f->size = st.size;
}

/* Takes away what was written behind the parts that stay. */
static void cut_file(Outfile* f)
{
   Sink* sink = VG_(malloc)("cg2.sink", sizeof *sink);
   Int error = cg2_sink_open_behind(sink, out_path(f), out_path(f), f->size);
   if (!error) error = cg2_sink_finish(sink);
   if (error) print_failure(f, out_path(f), error);
   VG_(free)(sink);
   note_written(f);
}

void cg2_outfile_end_exec(Outfile* f)
{
   if (!f->exec_path) return;
   if (f->size && VG_STREQ(f->exec_path, out_path(f)))
      cut_file(f);
   else if (cg2_sink_replaces(f->exec_path))
      VG_(unlink)(f->exec_path);
   VG_(free)(f->exec_path);
   f->exec_path = NULL;
}

/*--- What was written ---------------------------------------------------*/

/* Keeps the path of a file that was written, unless the file goes again if the
 * program is not replaced. */
static void keep_path(Outfile* f, const HChar* path)
{
   Bool is_kept = cg2_profile_config.is_combined && f->n_written;
   if (f->exec_path || f->is_ahead || is_kept) return;
   f->written = VG_(realloc)("cg2.written", f->written,
                             (f->n_written + 1) * sizeof *f->written);
   f->written[f->n_written++] = VG_(strdup)("cg2.written", path);
}

UInt cg2_outfile_count(const Outfile* f)
{
   return f->n_written;
}

const HChar* cg2_outfile_path(const Outfile* f, UInt i)
{
   return f->written[i];
}

Bool cg2_outfile_is_announced(Outfile* f)
{
   return VG_STREQ(f->option, "--cg2-out-file") &&
          cg2_sink_replaces(out_path(f));
}

/*--- Writing ------------------------------------------------------------*/

/* KCachegrind counts the bytes of a file in 32 bits, and reads one of so many
 * wrong without a word. */
static const ULong too_large = 1ULL << 32;

/* Says once of each file that it is too large. `before` is its size before a
 * part was written behind others, else 0. */
static void warn_of_size(const HChar* path, ULong before)
{
   struct vg_stat st;
   if (before >= too_large || sr_isError(VG_(stat)(path, &st))) return;
   if ((ULong)st.size < too_large) return;
   VG_(umsg)("warning: '%s' has 4 GiB or more, ", path);
   VG_(umsg)("which KCachegrind reads wrong; --dump-instr=no makes profiles ");
   VG_(umsg)("smaller, cg2_convert --for=speedscope this one\n");
}

/* Writes a part to the file at `path`. 0, or an errno. */
static Int write_to(Outfile* f,
                    const HChar* path,
                    Bool follows,
                    OutfileText write_text,
                    const void* what)
{
   Sink* sink = VG_(malloc)("cg2.sink", sizeof *sink);
   Int error = follows ? cg2_sink_open_behind(sink, path, out_path(f), f->size)
                       : cg2_sink_open(sink, path);
   if (!error) {
      write_text(sink, follows, what);
      error = cg2_sink_finish(sink);
   }
   VG_(free)(sink);
   return error;
}

/* Writes a part that cannot be written to `failed`. */
static void write_to_tmpdir(Outfile* f,
                            const HChar* failed,
                            const OutfilePart* part,
                            OutfileText write_text,
                            const void* what)
{
   HChar* path = path_in_tmpdir(f, part);
   Bool is_same = VG_STREQ(path, failed);
   Int error = is_same ? 0 : write_to(f, path, False, write_text, what);
   if (!error && !is_same) note_last(f, path);
   if (error) print_failure(f, path, error);
   if (error || is_same)
      print_lost(f, part);
   else
      VG_(umsg)("the %s was written to '%s' instead\n", f->what, path);
   VG_(free)(path);
}

Bool cg2_outfile_write(Outfile* f,
                       const OutfilePart* part,
                       OutfileText write_text,
                       const void* what)
{
   HChar* path = path_of(f, part);
   ULong before = f->size;
   Int error = write_to(f, path, follows_others(f), write_text, what);
   note_last(f, error ? NULL : path);
   if (error) {
      print_failure(f, path, error);
      if (part->is_last) write_to_tmpdir(f, path, part, write_text, what);
   } else {
      note_written(f);
      keep_path(f, path);
      warn_of_size(path, before);
      if (VG_(clo_verbosity) > 1) VG_(umsg)("Dump to %s\n", path);
   }
   VG_(free)(path);
   return error == 0;
}
