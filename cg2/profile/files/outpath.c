#include "profile/files/outpath.h"

#include "base/arguments.h"
#include "base/sink.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"

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

void cg2_outpath_print_failure(const HChar* what, const HChar* path, Int error)
{
   const HChar* why = reason(error);
   if (why)
      VG_(umsg)("error: cannot write the %s '%s': %s\n", what, path, why);
   else
      VG_(umsg)("error: cannot write the %s '%s': error %d\n", what, path,
                error);
}

/*--- Names --------------------------------------------------------------*/

static Bool exists(const HChar* path)
{
   struct vg_stat st;
   return !sr_isError(VG_(stat)(path, &st));
}

HChar* cg2_outpath_of_image(const HChar* path, UInt n)
{
   HChar* image = VG_(malloc)("cg2.path", VG_(strlen)(path) + 24);
   VG_(sprintf)(image, "%s.exec%u", path, n);
   return image;
}

UInt cg2_outpath_next_image(const HChar* path)
{
   UInt n = 0;
   Bool is_taken = True;
   while (is_taken) {
      HChar* image = cg2_outpath_of_image(path, ++n);
      is_taken = exists(image);
      VG_(free)(image);
   }
   return n;
}

/* The out path of a process that would overwrite its parent's file, to be
 * freed.
 */
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
   HChar* image = cg2_outpath_of_image(child, 1);
   Bool has_left = exists(image);
   VG_(free)(child);
   VG_(free)(image);
   return has_left;
}

/*--- Runs with one process id -------------------------------------------*/

/* To be freed. */
static HChar* path_of_run(const HChar* path, UInt run)
{
   HChar* own = VG_(malloc)("cg2.path", VG_(strlen)(path) + 24);
   HChar* end = own + VG_(sprintf)(own, "%s", path);
   if (run > 1) VG_(sprintf)(end, ".run%u", run);
   return own;
}

static Bool is_later(const struct vg_stat* a, const struct vg_stat* b)
{
   return a->mtime > b->mtime ||
          (a->mtime == b->mtime && a->mtime_nsec > b->mtime_nsec);
}

/* Whether a process has ended with the file at `path`. What one writes there
 * before an exec is not later than what it leaves at the exec. */
static Bool is_left(const HChar* path)
{
   struct vg_stat end, exec;
   if (sr_isError(VG_(stat)(path, &end))) return False;
   UInt next = cg2_outpath_next_image(path);
   if (next == 1) return True;
   HChar* image = cg2_outpath_of_image(path, next - 1);
   Bool is_read = !sr_isError(VG_(stat)(image, &exec));
   VG_(free)(image);
   return !is_read || is_later(&end, &exec);
}

/* Where threads are kept apart, the first one's file is all that is sure. */
Bool cg2_outpath_is_taken(const HChar* path, UInt run)
{
   HChar* whole = path_of_run(path, run);
   HChar* first = VG_(malloc)("cg2.path", VG_(strlen)(whole) + 4);
   VG_(sprintf)(first, "%s-01", whole);
   Bool is_there = cg2_sink_replaces(path) && (is_left(whole) || exists(first));
   VG_(free)(whole);
   VG_(free)(first);
   return is_there;
}

void cg2_outpath_set_run(OutPath* out, UInt run)
{
   HChar* path = path_of_run(out->path, run);
   VG_(free)(out->path);
   out->path = path;
}

/*--- The out path -------------------------------------------------------*/

/* Chooses the out path. `parents_name` is NULL in a process that was not
 * forked.
 */
static void choose(OutPath* out, const HChar* parents_name)
{
   Bool is_taken = parents_name ? VG_STREQ(parents_name, out->name)
                                : replaces_child(out->name);
   Bool is_apart = is_taken && cg2_profile_config.keeps_all;
   out->path = is_apart && cg2_sink_replaces(out->name)
                  ? path_of_child(out->name)
                  : VG_(strdup)("cg2.path", out->name);
}

const HChar*
cg2_outpath_get(OutPath* out, const HChar* option, const HChar* pattern)
{
   if (!out->path) {
      out->name = VG_(expand_file_name)(option, pattern);
      choose(out, NULL);
   }
   return out->path;
}

void cg2_outpath_forked(OutPath* out, const HChar* option, const HChar* pattern)
{
   HChar* parents_name = out->name;
   VG_(free)(out->path);
   out->name = VG_(expand_file_name)(option, pattern);
   choose(out, parents_name);
   VG_(free)(parents_name);
}

Int cg2_outpath_try(const HChar* path)
{
   struct vg_stat st;
   SysRes res = VG_(stat)(path, &st);
   if (!sr_isError(res) && VKI_S_ISDIR(st.mode)) return VKI_EISDIR;
   return cg2_sink_try(path);
}

/*--- Programs that this process starts ----------------------------------*/

/* Source: Valgrind's manual: a name without a leading slash is one of the
 * directory in which the process started, and %% stands for a percent sign. */
void cg2_outpath_pass_on(const HChar* option, const HChar* pattern)
{
   const HChar* directory = VG_(get_startup_wd)();
   Bool is_kept =
      cg2_profile_config.keeps_all || VG_(strstr)(pattern, "%p") != NULL;
   if (pattern[0] == '/' || !directory || !is_kept ||
       !cg2_outpath_has_successor())
      return;
   HChar* whole = VG_(malloc)("cg2.path", 2 * VG_(strlen)(directory) + 1 +
                                             VG_(strlen)(pattern) + 1);
   HChar* end = whole;
   for (const HChar* c = directory; *c; c++) {
      if (*c == '%') *end++ = '%';
      *end++ = *c;
   }
   VG_(sprintf)(end, "/%s", pattern);
   cg2_arguments_pass_on(option, whole);
   VG_(free)(whole);
}

/*--- Programs that replace each other -----------------------------------*/

Bool cg2_outpath_has_successor(void)
{
   const HChar* answer = cg2_arguments_value("--trace-children=");
   return answer && VG_STREQ(answer, "yes");
}

HChar* cg2_outpath_of_replaced(const HChar* path)
{
   return cg2_outpath_has_successor()
             ? cg2_outpath_of_image(path, cg2_outpath_next_image(path))
             : VG_(strdup)("cg2.path", path);
}
