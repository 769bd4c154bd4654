#include "run/threadname.h"

#include "arch/guest.h"
#include "engine/threads.h"
#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcproc.h"

/* Source: Linux's prctl.h, and TASK_COMM_LEN in its sched.h. */
enum { PRCTL_SET_NAME = 15, NAME_MAX = 15 };

/* Notes the name of at most `size` bytes that begins at `text`. */
static void add_name(Int kernel_id, Addr text, SizeT size)
{
   HChar name[NAME_MAX + 1];
   UInt n = 0;
   while (n < size && n < NAME_MAX &&
          VG_(am_is_valid_for_client)(text + n, 1, VKI_PROT_READ)) {
      HChar letter = ((const HChar*)text)[n];
      if (!letter || letter == '\n') break;
      name[n++] = letter;
   }
   name[n] = '\0';
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

static NamingFile opened(UInt tid, Addr path, UWord fd)
{
   Int kernel_id = VG_(am_is_valid_for_client)(path, 1, VKI_PROT_READ)
                      ? named_by((const HChar*)path)
                      : 0;
   return (NamingFile){
      .opener = kernel_id ? tid : 0, .fd = fd, .kernel_id = kernel_id};
}

void cg2_threadname_note(
   NamingFile* file, UInt tid, UInt number, const UWord* args, UWord result)
{
   if (number == GUEST_SYSCALL_PRCTL && args[0] == PRCTL_SET_NAME)
      add_name(VG_(gettid)(), args[1], NAME_MAX);
   else if (number == GUEST_SYSCALL_OPEN)
      *file = opened(tid, args[0], result);
   else if (number == GUEST_SYSCALL_OPENAT)
      *file = opened(tid, args[1], result);
   else if (number == GUEST_SYSCALL_WRITE && tid == file->opener &&
            args[0] == file->fd) {
      add_name(file->kernel_id, args[1], args[2]);
      file->opener = 0;
   }
}
