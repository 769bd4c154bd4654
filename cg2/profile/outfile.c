#include "profile/outfile.h"

#include "base/arguments.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"

/* Reason for a mutable file-scope object: configuration. */
OutfileConfig cg2_outfile_config = {
   .pattern = "cg2.out.%p",
   .option = "--cg2-out-file",
   .keeps_all = True,
};

/* Reason for a mutable file-scope object: the files of one process. */
static struct {
   HChar* name;      /* the pattern expanded for this process, or NULL */
   HChar* path;      /* the out path: `name`, or in a child `name`.pidN */
   HChar* exec_path; /* the file that is written because the program is being
                        replaced, or NULL */
   ULong inode;      /* of the file that all parts are in; 0: none yet */
   ULong size;       /* bytes of the parts that are to stay in that file */
   HChar** written;  /* the paths of all files that were written and stay */
   UInt n_written;
} files;

/*--- Messages -----------------------------------------------------------*/

/* Valgrind does not name these. Source: Linux's errno numbers. */
enum { NAME_TOO_LONG = 36, TOO_MANY_LINKS = 40, OVER_QUOTA = 122 };

/* Why a file cannot be written. Source: errno(3). */
static const struct {
   Int error;
   const HChar* text;
} reasons[] = {
   {VKI_EPERM, "Operation not permitted"},
   {VKI_ENOENT, "No such file or directory"},
   {VKI_EIO, "Input/output error"},
   {VKI_EACCES, "Permission denied"},
   {VKI_ENOTDIR, "Not a directory"},
   {VKI_EISDIR, "Is a directory"},
   {VKI_EMFILE, "Too many open files"},
   {VKI_ENOSPC, "No space left on device"},
   {VKI_EROFS, "Read-only file system"},
   {VKI_EFBIG, "File too large"},
   {VKI_EPIPE, "Broken pipe"},
   {NAME_TOO_LONG, "File name too long"},
   {TOO_MANY_LINKS, "Too many levels of symbolic links"},
   {OVER_QUOTA, "Disk quota exceeded"},
};

/* The text for an errno, or NULL. */
static const HChar* reason(Int error)
{
   for (UInt i = 0; i < sizeof reasons / sizeof *reasons; i++)
      if (reasons[i].error == error) return reasons[i].text;
   return NULL;
}

static void print_failure(const HChar* path, Int error)
{
   const HChar* why = reason(error);
   if (why)
      VG_(umsg)("error: cannot write the profile '%s': %s\n", path, why);
   else
      VG_(umsg)("error: cannot write the profile '%s': error %d\n", path,
                error);
}

static void print_lost(const OutfilePart* part)
{
   VG_(umsg)("error: the profile is lost");
   if (part->number > 1) VG_(umsg)(": part %u", part->number);
   if (part->thread) VG_(umsg)(", thread %u", part->thread);
   VG_(umsg)("\n");
}

/*--- The out path -------------------------------------------------------*/

static Bool exists(const HChar* path)
{
   struct vg_stat st;
   return !sr_isError(VG_(stat)(path, &st));
}

/* The name for the n-th program of a process, to be freed. */
static HChar* path_of_image(const HChar* path, UInt n)
{
   HChar* image = VG_(malloc)("cg2.path", VG_(strlen)(path) + 24);
   VG_(sprintf)(image, "%s.exec%u", path, n);
   return image;
}

/* The out path of a process that would overwrite its parent's profile, to be
 * freed. */
static HChar* path_of_child(const HChar* name)
{
   HChar* path = VG_(malloc)("cg2.path", VG_(strlen)(name) + 24);
   VG_(sprintf)(path, "%s.pid%d", name, VG_(getpid)());
   return path;
}

/* Whether this program replaces one that had the out path of a child. */
static Bool replaces_child(const HChar* name)
{
   HChar* child = path_of_child(name);
   HChar* image = path_of_image(child, 1);
   Bool has_left = exists(image);
   VG_(free)(child);
   VG_(free)(image);
   return has_left;
}

/* Expands the pattern and chooses the out path. `parents_name` is NULL in a
 * process that was not forked. */
static void name_files(const HChar* parents_name)
{
   files.name = VG_(expand_file_name)(cg2_outfile_config.option,
                                      cg2_outfile_config.pattern);
   Bool is_taken = parents_name ? VG_STREQ(parents_name, files.name)
                                : replaces_child(files.name);
   Bool is_apart = is_taken && cg2_outfile_config.keeps_all;
   files.path = is_apart && cg2_sink_replaces(files.name)
                   ? path_of_child(files.name)
                   : VG_(strdup)("cg2.path", files.name);
}

/* The out path. The pattern is expanded once per process, as %n counts the
 * expansions. */
static const HChar* out_path(void)
{
   if (!files.path) name_files(NULL);
   return files.path;
}

/* 0, or the errno with which a file at `path` would fail to be written. */
static Int try_path(const HChar* path)
{
   struct vg_stat st;
   SysRes res = VG_(stat)(path, &st);
   if (!sr_isError(res) && VKI_S_ISDIR(st.mode)) return VKI_EISDIR;
   if (!cg2_sink_replaces(path)) return 0;
   HChar* beside = cg2_sink_beside(path);
   res =
      VG_(open)(beside, VKI_O_WRONLY | VKI_O_CREAT, VKI_S_IRUSR | VKI_S_IWUSR);
   if (!sr_isError(res)) {
      VG_(close)(sr_Res(res));
      VG_(unlink)(beside);
   }
   VG_(free)(beside);
   return sr_isError(res) ? sr_Err(res) : 0;
}

void cg2_outfile_check(void)
{
   Int error = try_path(out_path());
   if (!error) return;
   print_failure(out_path(), error);
   VG_(exit)(1);
}

void cg2_outfile_forked(void)
{
   HChar* parents_name = files.name;
   for (UInt i = 0; i < files.n_written; i++)
      VG_(free)(files.written[i]);
   if (files.written) VG_(free)(files.written);
   VG_(free)(files.path);
   VG_(memset)(&files, 0, sizeof files);
   name_files(parents_name);
   VG_(free)(parents_name);
}

/*--- Programs that replace each other -----------------------------------*/

/* Whether a program that replaces this one is profiled, too. */
static Bool are_children_traced(void)
{
   const HChar* answer = cg2_arguments_value("--trace-children=");
   return answer && VG_STREQ(answer, "yes");
}

/* The number of this program in its process: one more than the programs before
 * it have left files. */
static UInt next_image(void)
{
   UInt n = 0;
   Bool is_taken = True;
   while (is_taken) {
      HChar* path = path_of_image(out_path(), ++n);
      is_taken = exists(path);
      VG_(free)(path);
   }
   return n;
}

UInt cg2_outfile_image(void)
{
   Bool is_counted = cg2_outfile_config.keeps_all && are_children_traced();
   UInt n = is_counted ? next_image() : 0;
   return n > 1 || files.exec_path ? n : 0;
}

Bool cg2_outfile_begin_exec(Bool is_child)
{
   Bool keeps_all = cg2_outfile_config.keeps_all;
   if (!keeps_all && (is_child || are_children_traced())) return False;
   files.exec_path = are_children_traced()
                        ? path_of_image(out_path(), next_image())
                        : VG_(strdup)("cg2.path", out_path());
   return True;
}

/*--- The file of a part -------------------------------------------------*/

/* The out path, or, in the second program of a process and later ones, that of
 * the program; to be freed. */
static HChar* path_of_program(void)
{
   UInt n = cg2_outfile_image();
   return n > 1 ? path_of_image(out_path(), n)
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
