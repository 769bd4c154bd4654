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
   if (part->number > 1 || !part->is_last) VG_(umsg)(": part %u", part->number);
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

static Bool begins(const HChar* path, const HChar* with)
{
   return VG_(strncmp)(path, with, VG_(strlen)(with)) == 0;
}

/* Whether a path is no file's, such as a pipe's, or the name of something that
 * is open: all that is written there is written behind each other. */
static Bool is_stream(const HChar* path)
{
   struct vg_stat st;
   return begins(path, "/dev/std") || begins(path, "/dev/fd/") ||
          begins(path, "/proc/") ||
          (!sr_isError(VG_(stat)(path, &st)) && !VKI_S_ISREG(st.mode) &&
           !VKI_S_ISDIR(st.mode));
}

/* Whether all parts go to the out path. */
static Bool is_combined(Outfile* f)
{
   return cg2_profile_config.is_combined || is_stream(out_path(f));
}

void cg2_outfile_check_apart(Outfile* a, Outfile* b)
{
   const HChar* path = out_path(a);
   if (VG_(strcmp)(path, out_path(b)) != 0 || is_stream(path)) return;
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
   f->exec_path = is_stream(out_path(f)) ? VG_(strdup)("cg2.path", out_path(f))
                                         : cg2_outpath_of_replaced(out_path(f));
   return True;
}

void cg2_outfile_begin_ahead(Outfile* f)
{
   f->is_ahead = True;
}

void cg2_outfile_end_ahead(Outfile* f)
{
   f->is_ahead = False;
   if (!f->all.size) f->all.inode = 0;
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
   if (is_combined(f)) return VG_(strdup)("cg2.path", out_path(f));
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
   HChar* path = VG_(malloc)("cg2.path", VG_(strlen)(dir) + 64);
   HChar* end =
      path + VG_(sprintf)(path, "%s/%s.%d", dir, f->tmp_name, VG_(getpid)());
   if (!part->is_last) end += VG_(sprintf)(end, ".%u", part->number);
   if (part->thread) VG_(sprintf)(end, "-%02u", part->thread);
   return path;
}

/*--- All parts in one file ----------------------------------------------*/

/* Whether the file of all parts is still at the out path. 0, or an errno if
 * nobody can say. */
static Int look_for_others(Outfile* f, Bool* are_there)
{
   struct vg_stat st;
   SysRes res = VG_(stat)(out_path(f), &st);
   *are_there =
      !sr_isError(res) && st.dev == f->all.device && st.ino == f->all.inode;
   if (!sr_isError(res) || sr_Err(res) == VKI_ENOENT) return 0;
   return sr_Err(res);
}

/* Opens the file at `path` for a part. `follows`: it goes behind others, unless
 * somebody else has put another file in their place. 0, or an errno. */
static Int
open_for_part(Outfile* f, Sink* sink, const HChar* path, Bool* follows)
{
   Bool is_own = VG_STREQ(path, out_path(f));
   Bool is_replaced = cg2_sink_replaces(out_path(f));
   *follows = is_combined(f) && f->all.inode;
   Int error = *follows && is_replaced ? look_for_others(f, follows) : 0;
   if (error) return error;
   if (!*follows) return cg2_sink_open(sink, path);
   if (is_own && is_replaced && cg2_sink_open_again(sink, path, &f->all))
      return 0;
   return cg2_sink_open_behind(sink, path, out_path(f), f->all.size);
}

/* Notes that a part was written to the file of all parts. A part in front of an
 * exec only stays if the exec succeeds. */
static void note_written(Outfile* f, const HChar* path, const SinkFile* file)
{
   if (!is_combined(f) || !VG_STREQ(path, out_path(f))) return;
   f->all.device = file->device;
   f->all.inode = file->inode;
   if (!f->exec_path && !f->is_ahead) f->all.size = file->size;
}

/* Takes away what was written behind the parts that stay. */
static void cut_file(Outfile* f)
{
   Sink* sink = VG_(malloc)("cg2.sink", sizeof *sink);
   const HChar* path = out_path(f);
   Int error = cg2_sink_open_behind(sink, path, path, f->all.size);
   if (!error) error = cg2_sink_finish(sink);
   if (error) print_failure(f, path, error);
   if (!error) note_written(f, path, &sink->file);
   VG_(free)(sink);
}

void cg2_outfile_end_exec(Outfile* f)
{
   if (!f->exec_path) return;
   if (f->all.size && VG_STREQ(f->exec_path, out_path(f)))
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
   Bool is_kept = is_combined(f) && f->n_written;
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

/* Writes a part to a sink, unless that could not be opened because of `error`.
 * 0, or an errno. */
static Int write_opened(Sink* sink,
                        Int error,
                        Bool follows,
                        OutfileText write_text,
                        const void* what)
{
   if (error) return error;
   write_text(sink, follows, what);
   return cg2_sink_finish(sink);
}

/* Writes a part to the file at `path`, where it belongs. 0, or an errno. */
static Int write_to(Outfile* f,
                    const HChar* path,
                    OutfileText write_text,
                    const void* what)
{
   Sink* sink = VG_(malloc)("cg2.sink", sizeof *sink);
   Bool follows;
   Int error = open_for_part(f, sink, path, &follows);
   error = write_opened(sink, error, follows, write_text, what);
   if (!error) note_written(f, path, &sink->file);
   VG_(free)(sink);
   return error;
}

/* Writes a part to a file of its own. 0, or an errno. */
static Int
write_alone(const HChar* path, OutfileText write_text, const void* what)
{
   Sink* sink = VG_(malloc)("cg2.sink", sizeof *sink);
   Int error = cg2_sink_open(sink, path);
   error = write_opened(sink, error, False, write_text, what);
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
   Int error = is_same ? 0 : write_alone(path, write_text, what);
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
   ULong before = f->all.size;
   Int error = write_to(f, path, write_text, what);
   note_last(f, error ? NULL : path);
   if (error) {
      print_failure(f, path, error);
      if (!part->comes_again) write_to_tmpdir(f, path, part, write_text, what);
   } else {
      keep_path(f, path);
      warn_of_size(path, before);
      if (VG_(clo_verbosity) > 1) VG_(umsg)("Dump to %s\n", path);
   }
   VG_(free)(path);
   return error == 0;
}
