#include "repeat/filecalls.h"

#include "arch/guestmemory.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/environment.h"
#include "repeat/filetimes.h"
#include "repeat/inodes.h"
#include "repeat/limits.h"
#include "repeat/machinefiles.h"
#include "repeat/maps.h"
#include "repeat/moment.h"
#include "repeat/processes.h"
#include "repeat/processfiles.h"
#include "repeat/procpaths.h"
#include "repeat/users.h"

/*--- Files of the tool's own --------------------------------------------*/

/* Source: memfd_create(2), and asm-generic/fcntl.h: a file without a name,
 * which is closed by exec if 1 is said. */
static Bool
open_text(const KernelRequest* call, const HChar* text, SizeT size, UWord flags)
{
   enum { CLOSES_ON_EXEC = 02000000 };
   UWord closes = flags & CLOSES_ON_EXEC ? 1 : 0;
   Word fd =
      cg2_kernelcall_make(__NR_memfd_create, (UWord) "cg2", closes, 0, 0);
   if (fd < 0) return cg2_call_answer(call, fd);
   cg2_kernelcall_make(__NR_write, fd, (UWord)text, size, 0);
   cg2_kernelcall_make(__NR_lseek, fd, 0, VKI_SEEK_SET, 0);
   return cg2_call_answer(call, fd);
}

/* What follows in a path of the directory of the process itself, or of the
 * thread that runs; NULL: it is another path. */
static const HChar* below_own(const HChar* path)
{
   HChar own[64];
   VG_(sprintf)(own, "/proc/%u/", cg2_processes_own());
   const HChar* const all[] = {own, "/proc/self/", "/proc/thread-self/"};
   for (UInt i = 0; i < sizeof all / sizeof *all; i++) {
      SizeT n = VG_(strlen)(all[i]);
      if (VG_(strncmp)(path, all[i], n) == 0) return path + n;
   }
   return NULL;
}

/* Whether there is a file that the program calls so. */
static Bool is_there(const HChar* path)
{
   HChar* real = cg2_procpaths_real(path);
   struct vg_stat st;
   SysRes found = VG_(stat)(real ? real : path, &st);
   if (real) VG_(free)(real);
   return !sr_isError(found);
}

/* Whether `path` names the file of the process itself, or of a thread of it,
 * that `name` is; what is said of it is not what the kernel would say. */
static Bool is_own(const HChar* path, const HChar* name)
{
   static const HChar task[] = "task/";
   const HChar* below = below_own(path);
   if (!below) return False;
   Bool is_of_thread = VG_(strncmp)(below, task, sizeof task - 1) == 0;
   if (is_of_thread) {
      const HChar* number_end = VG_(strchr)(below + sizeof task - 1, '/');
      below = number_end ? number_end + 1 : "";
   }
   return VG_STREQ(below, name) && (!is_of_thread || is_there(path));
}

/* The text of a file that the tool writes itself, which the caller frees; NULL:
 * it is another file. */
static HChar* text_of(const HChar* path, SizeT* size)
{
   if (is_own(path, "environ")) {
      const HChar* variables = cg2_environment_text(size);
      HChar* copy = VG_(malloc)("cg2.filecalls", *size + 1);
      VG_(memcpy)(copy, variables, *size);
      return copy;
   }
   HChar* text = is_own(path, "limits") ? cg2_limits_text() : NULL;
   if (is_own(path, "maps")) text = cg2_maps_text(False);
   if (is_own(path, "smaps")) text = cg2_maps_text(True);
   if (!text) text = cg2_machinefiles_text(path);
   if (!text) text = cg2_processfiles_text(path);
   *size = text ? VG_(strlen)(text) : 0;
   return text;
}

/* What memory another process has is not told: the kernel would say where the
 * tool is in it. */
static Bool is_refused(const HChar* path)
{
   const HChar* name = VG_(strrchr)(path, '/');
   return name && cg2_processfiles_names(path) && !below_own(path) &&
          (VG_STREQ(name, "/maps") || VG_STREQ(name, "/smaps"));
}

static Bool open_named(const KernelRequest* call, HChar* name, UWord flags)
{
   SizeT size;
   if (!name || flags & VKI_O_ACCMODE) return False;
   HChar* text = text_of(name, &size);
   if (!text) return is_refused(name) && cg2_call_answer(call, -VKI_EACCES);
   open_text(call, text, size, flags);
   VG_(free)(text);
   return True;
}

Bool cg2_filecalls_open(const KernelRequest* call)
{
   HChar* name = cg2_procpaths_said(call, 0);
   Bool is_over = open_named(call, name, call->kernel.args[1]);
   if (name) VG_(free)(name);
   return is_over;
}

Bool cg2_filecalls_openat(const KernelRequest* call)
{
   HChar* name = cg2_procpaths_said(call, 1);
   Bool is_over = open_named(call, name, call->kernel.args[2]);
   if (name) VG_(free)(name);
   return is_over;
}

/*--- What is said of files ----------------------------------------------*/

enum { BLOCK = 4096, SECTOR = 512 };

static ULong sectors(ULong size)
{
   return (size + SECTOR - 1) / SECTOR;
}

static ULong nanoseconds(ULong seconds, ULong part)
{
   return seconds * MOMENT_SECOND + part;
}

static void change_times(struct vki_stat* st)
{
   FileTimes times = {
      .accessed = nanoseconds(st->st_atime, st->st_atime_nsec),
      .modified = nanoseconds(st->st_mtime, st->st_mtime_nsec),
      .changed = nanoseconds(st->st_ctime, st->st_ctime_nsec),
   };
   cg2_filetimes_tell(st->st_dev, st->st_ino, &times);
   st->st_atime = times.accessed / MOMENT_SECOND;
   st->st_atime_nsec = times.accessed % MOMENT_SECOND;
   st->st_mtime = times.modified / MOMENT_SECOND;
   st->st_mtime_nsec = times.modified % MOMENT_SECOND;
   st->st_ctime = times.changed / MOMENT_SECOND;
   st->st_ctime_nsec = times.changed % MOMENT_SECOND;
}

static void change_stat(const KernelRequest* call, Addr at)
{
   struct vki_stat st;
   if (!cg2_call_is_done(call) ||
       cg2_guestmemory_read(&st, at, sizeof st) < sizeof st)
      return;
   ULong device = st.st_dev;
   change_times(&st);
   st.st_dev = cg2_inodes_told_device(device);
   st.st_ino = cg2_inodes_told(device, st.st_ino);
   st.st_uid = cg2_users_user(st.st_uid);
   st.st_gid = cg2_users_group(st.st_gid);
   st.st_blksize = BLOCK;
   st.st_blocks = sectors(st.st_size);
   cg2_guestmemory_write(at, &st, sizeof st);
}

void cg2_filecalls_stat(const KernelRequest* call)
{
   change_stat(call, call->kernel.args[1]);
}

void cg2_filecalls_newfstatat(const KernelRequest* call)
{
   change_stat(call, call->kernel.args[2]);
}

/* Source: statx(2). */
typedef struct StatxTime {
   Long seconds;
   UInt part, padding;
} StatxTime;

typedef struct Statx {
   UInt mask, block;
   ULong attributes;
   UInt links, user, group, mode;
   ULong inode, size, blocks, known_attributes;
   StatxTime accessed, born, changed, modified;
   UInt special_major, special_minor, major, minor;
} Statx;

static void change_statx_times(Statx* st, ULong device)
{
   FileTimes times = {
      .accessed = nanoseconds(st->accessed.seconds, st->accessed.part),
      .modified = nanoseconds(st->modified.seconds, st->modified.part),
      .changed = nanoseconds(st->changed.seconds, st->changed.part),
      .born = nanoseconds(st->born.seconds, st->born.part),
   };
   cg2_filetimes_tell(device, st->inode, &times);
   st->accessed.seconds = times.accessed / MOMENT_SECOND;
   st->accessed.part = times.accessed % MOMENT_SECOND;
   st->modified.seconds = times.modified / MOMENT_SECOND;
   st->modified.part = times.modified % MOMENT_SECOND;
   st->changed.seconds = times.changed / MOMENT_SECOND;
   st->changed.part = times.changed % MOMENT_SECOND;
   st->born.seconds = times.born / MOMENT_SECOND;
   st->born.part = times.born % MOMENT_SECOND;
}

void cg2_filecalls_statx(const KernelRequest* call)
{
   Statx st;
   Addr at = call->kernel.args[4];
   if (!cg2_call_is_done(call) ||
       cg2_guestmemory_read(&st, at, sizeof st) < sizeof st)
      return;
   /* The device as struct stat has it, so that both give the same number. */
   ULong device = (st.minor & 0xff) | (ULong)(st.major & 0xfff) << 8 |
                  (ULong)(st.minor & ~0xffU) << 12;
   ULong told = cg2_inodes_told_device(device);
   change_statx_times(&st, device);
   st.inode = cg2_inodes_told(device, st.inode);
   st.major = told >> 8 & 0xfff;
   st.minor = told & 0xff;
   st.user = cg2_users_user(st.user);
   st.group = cg2_users_group(st.group);
   st.block = BLOCK;
   st.blocks = sectors(st.size);
   cg2_guestmemory_write(at, &st, sizeof st);
}
