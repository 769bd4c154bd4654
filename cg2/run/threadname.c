#include "run/threadname.h"

#include "arch/guest.h"
#include "arch/guestmemory.h"
#include "engine/threads.h"
#include "pub_tool_libcproc.h"

/* Source: Linux's prctl.h, and TASK_COMM_LEN in its sched.h. */
enum { PRCTL_SET_NAME = 15, NAME_MAX = 15 };

/* More than the longest path that names a thread. */
enum { NAMING_PATH_MAX = 80 };

/* Notes the name of at most `size` bytes that begins at `text`. */
static void add_name(Int kernel_id, Addr text, SizeT size)
{
   HChar name[NAME_MAX + 1];
   SizeT n =
      cg2_guestmemory_read(name, text, size < NAME_MAX ? size : NAME_MAX);
   name[n] = '\0';
   HChar* line_end = VG_(strchr)(name, '\n');
   if (line_end) *line_end = '\0';
   cg2_threads_add_name(kernel_id, name);
}

/* The kernel's number of the thread that a file names: /proc/self/comm,
 * /proc/thread-self/comm, /proc/self/task/4711/comm. 0: it names none. */
static Int named_by(const HChar* path)
{
   static const HChar proc[] = "/proc/", task[] = "/task/", comm[] = "/comm";
   if (VG_(strncmp)(path, proc, sizeof proc - 1) != 0) return 0;
   const HChar* who = path + sizeof proc - 1;
   const HChar* in_task = VG_(strstr)(who, task);
   if (in_task) who = in_task + sizeof task - 1;
   const HChar* end = VG_(strchr)(who, '/');
   if (!end || VG_(strcmp)(end, comm) != 0) return 0;
   if (VG_(strncmp)(who, "self/", 5) == 0) return VG_(getpid)();
   if (VG_(strncmp)(who, "thread-self/", 12) == 0) return VG_(gettid)();
   return VG_(strtoll10)(who, NULL);
}

/* Notes that a thread has opened a file. Another one's that names a thread is
 * still waited for. */
static void note_opened(NamingFile* file, UInt tid, Addr path, UWord fd)
{
   HChar text[NAMING_PATH_MAX + 1];
   text[cg2_guestmemory_read(text, path, NAMING_PATH_MAX)] = '\0';
   Int kernel_id = named_by(text);
   if (kernel_id)
      *file = (NamingFile){.opener = tid, .fd = fd, .kernel_id = kernel_id};
   else if (tid == file->opener && fd == file->fd)
      file->opener = 0;
}

void cg2_threadname_note(
   NamingFile* file, UInt tid, UInt number, const UWord* args, UWord result)
{
   if (number == GUEST_SYSCALL_PRCTL && args[0] == PRCTL_SET_NAME)
      add_name(VG_(gettid)(), args[1], NAME_MAX);
   else if (number == GUEST_SYSCALL_OPEN)
      note_opened(file, tid, args[0], result);
   else if (number == GUEST_SYSCALL_OPENAT)
      note_opened(file, tid, args[1], result);
   else if (number == GUEST_SYSCALL_WRITE && tid == file->opener &&
            args[0] == file->fd) {
      add_name(file->kernel_id, args[1], args[2]);
      file->opener = 0;
   }
}
