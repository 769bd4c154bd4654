#include "profile/outfile.h"

#include "profile/outpath.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"

/* Reason for a mutable file-scope object: configuration. */
OutfileConfig cg2_outfile_config = {
   .pattern = "cg2.out.%p",
   .option = "--cg2-out-file",
};

/* Reason for a mutable file-scope object: the files of one process. */
static struct {
   OutPath out;
   HChar* last; /* the file of the part that was written last; NULL: lost */
   HChar* exec_path; /* the file that is written because the program is being
                        replaced, or NULL */
   ULong inode;      /* of the file that all parts are in; 0: none yet */
   ULong size;       /* bytes of the parts that are to stay in that file */
   HChar** written;  /* the paths of all files that were written and stay */
   UInt n_written;
} files;

/*--- Messages -----------------------------------------------------------*/

static void print_failure(const HChar* path, Int error)
{
   cg2_outpath_print_failure("profile", path, error);
}

static void print_lost(const OutfilePart* part)
{
   VG_(umsg)("error: the profile is lost");
   if (part->number > 1) VG_(umsg)(": part %u", part->number);
   if (part->thread) VG_(umsg)(", thread %u", part->thread);
   VG_(umsg)("\n");
}

/*--- The out path -------------------------------------------------------*/

static const HChar* out_path(void)
{
   return cg2_outpath_get(&files.out, cg2_outfile_config.option,
                          cg2_outfile_config.pattern);
}

/* Notes where the part is that was written last. */
static void note_last(const HChar* path)
{
   if (files.last) VG_(free)(files.last);
   files.last = path ? VG_(strdup)("cg2.path", path) : NULL;
}

const HChar* cg2_outfile_last(void)
{
   return files.last;
}

void cg2_outfile_check(void)
{
   Int error = cg2_outpath_try(out_path());
   if (!error) return;
   print_failure(out_path(), error);
   VG_(exit)(1);
}

void cg2_outfile_forked(void)
{
   OutPath out = files.out;
   for (UInt i = 0; i < files.n_written; i++)
      VG_(free)(files.written[i]);
   if (files.written) VG_(free)(files.written);
   note_last(NULL);
   VG_(memset)(&files, 0, sizeof files);
   cg2_outpath_forked(&out, cg2_outfile_config.option,
                      cg2_outfile_config.pattern);
   files.out = out;
}

/*--- Programs that replace each other -----------------------------------*/

UInt cg2_outfile_image(void)
{
   Bool is_counted =
      cg2_outpath_config.keeps_all && cg2_outpath_has_successor();
   UInt n = is_counted ? cg2_outpath_next_image(out_path()) : 0;
   return n > 1 || files.exec_path ? n : 0;
}

Bool cg2_outfile_begin_exec(Bool is_child)
{
   Bool is_overwritten = is_child || cg2_outpath_has_successor();
   if (is_overwritten && !cg2_outpath_config.keeps_all) return False;
   files.exec_path = cg2_outpath_of_replaced(out_path());
   return True;
}

/*--- The file of a part -------------------------------------------------*/

/* The out path, or, in the second program of a process and later ones, that of
 * the program; to be freed. */
static HChar* path_of_program(void)
{
   UInt n = cg2_outfile_image();
   return n > 1 ? cg2_outpath_of_image(out_path(), n)
                : VG_(strdup)("cg2.path", out_path());
}

static HChar* path_of(const OutfilePart* part)
{
   if (files.exec_path) return VG_(strdup)("cg2.path", files.exec_path);
   if (cg2_outfile_config.is_combined)
      return VG_(strdup)("cg2.path", out_path());
   HChar* base =
      part->is_last ? VG_(strdup)("cg2.path", out_path()) : path_of_program();
   HChar* path = VG_(malloc)("cg2.path", VG_(strlen)(base) + 24);
   HChar* end = path + VG_(sprintf)(path, "%s", base);
   if (!part->is_last) end += VG_(sprintf)(end, ".%u", part->number);
   if (part->thread) VG_(sprintf)(end, "-%02u", part->thread);
   VG_(free)(base);
   return path;
}

/* The file in the temporary directory for a part that cannot be written where
 * it belongs, to be freed. */
static HChar* path_in_tmpdir(const OutfilePart* part)
{
   const HChar* dir = VG_(tmpdir)();
   HChar* path = VG_(malloc)("cg2.path", VG_(strlen)(dir) + 40);
   HChar* end = path + VG_(sprintf)(path, "%s/cg2.out.%d", dir, VG_(getpid)());
   if (part->thread) VG_(sprintf)(end, "-%02u", part->thread);
   return path;
}

/*--- All parts in one file ----------------------------------------------*/

/* Whether the next part goes behind others: unless somebody else has put
 * another file in their place. */
static Bool follows_others(void)
{
   if (!cg2_outfile_config.is_combined || !files.inode) return False;
   struct vg_stat st;
   return !cg2_sink_replaces(out_path()) ||
          (!sr_isError(VG_(stat)(out_path(), &st)) && st.ino == files.inode);
}

/* Notes that the file of all parts was written. A part in front of an exec only
 * stays if the exec succeeds. */
static void note_written(void)
{
   struct vg_stat st;
   if (!cg2_outfile_config.is_combined) return;
   if (sr_isError(VG_(stat)(out_path(), &st))) return;
   files.inode = st.ino;
   if (!files.exec_path) files.size = st.size;
}

/* Takes away what was written behind the parts that stay. */
static void cut_file(void)
{
   Sink* sink = VG_(malloc)("cg2.sink", sizeof *sink);
   Int error = cg2_sink_open_behind(sink, out_path(), out_path(), files.size);
   if (!error) error = cg2_sink_finish(sink);
   if (error) print_failure(out_path(), error);
   VG_(free)(sink);
   note_written();
}

void cg2_outfile_end_exec(void)
{
   if (!files.exec_path) return;
   if (files.size && VG_STREQ(files.exec_path, out_path()))
      cut_file();
   else if (cg2_sink_replaces(files.exec_path))
      VG_(unlink)(files.exec_path);
   VG_(free)(files.exec_path);
   files.exec_path = NULL;
}

/*--- What was written ---------------------------------------------------*/

/* Keeps the path of a file that was written, unless the file goes again if the
 * program is not replaced. */
static void keep_path(const HChar* path)
{
   Bool is_kept = cg2_outfile_config.is_combined && files.n_written;
   if (files.exec_path || is_kept) return;
   files.written = VG_(realloc)("cg2.written", files.written,
                                (files.n_written + 1) * sizeof *files.written);
   files.written[files.n_written++] = VG_(strdup)("cg2.written", path);
}

UInt cg2_outfile_count(void)
{
   return files.n_written;
}

const HChar* cg2_outfile_path(UInt i)
{
   return files.written[i];
}

Bool cg2_outfile_is_announced(void)
{
   return VG_STREQ(cg2_outfile_config.option, "--cg2-out-file") &&
          cg2_sink_replaces(out_path());
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
static Int write_to(const HChar* path,
                    Bool follows,
                    OutfileText write_text,
                    const void* what)
{
   Sink* sink = VG_(malloc)("cg2.sink", sizeof *sink);
   Int error = follows
                  ? cg2_sink_open_behind(sink, path, out_path(), files.size)
                  : cg2_sink_open(sink, path);
   if (!error) {
      write_text(sink, follows, what);
      error = cg2_sink_finish(sink);
   }
   VG_(free)(sink);
   return error;
}

static void write_to_tmpdir(const OutfilePart* part,
                            OutfileText write_text,
                            const void* what)
{
   HChar* path = path_in_tmpdir(part);
   Int error = write_to(path, False, write_text, what);
   if (!error) note_last(path);
   if (error) {
      print_failure(path, error);
      print_lost(part);
   } else
      VG_(umsg)("the profile was written to '%s' instead\n", path);
   VG_(free)(path);
}

Bool cg2_outfile_write(const OutfilePart* part,
                       OutfileText write_text,
                       const void* what)
{
   HChar* path = path_of(part);
   ULong before = files.size;
   Int error = write_to(path, follows_others(), write_text, what);
   note_last(error ? NULL : path);
   if (error) {
      print_failure(path, error);
      if (part->is_last) write_to_tmpdir(part, write_text, what);
   } else {
      note_written();
      keep_path(path);
      warn_of_size(path, before);
      if (VG_(clo_verbosity) > 1) VG_(umsg)("Dump to %s\n", path);
   }
   VG_(free)(path);
   return error == 0;
}
