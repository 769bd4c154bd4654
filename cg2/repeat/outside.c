#include "repeat/outside.h"

#include "arch/kernelcall.h"
#include "profile/files/dump.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/processes.h"
#include "repeat/timerfds.h"

/* Source: Valgrind's core, which exports it to no tool. */
extern Bool VG_(clo_trace_children);

/* Reason for a mutable file-scope object: what the process has seen so far. */
static struct {
   Bool is_noted[OUTSIDE_KINDS];
   Bool has_relatives;
   WaitSource watched;
} outside;

void cg2_outside_note(OutsideKind kind)
{
   static const HChar* const texts[OUTSIDE_KINDS] = {
      [OUTSIDE_NETWORK] = "Outside: network",
      [OUTSIDE_TERMINAL] = "Outside: terminal",
      [OUTSIDE_PERFORMANCE] = "Outside: performance counters",
      [OUTSIDE_SIGNALS] = "Outside: signals",
   };
   if (outside.is_noted[kind] || !texts[kind]) return;
   outside.is_noted[kind] = True;
   cg2_dump_describe(texts[kind]);
}

void cg2_outside_note_relative(void)
{
   outside.has_relatives = True;
}

Bool cg2_outside_has_relatives(void)
{
   return outside.has_relatives;
}

WaitSource cg2_outside_relatives(void)
{
   if (!outside.has_relatives) return FROM_PROCESS;
   return VG_(clo_trace_children) ? FROM_RUN : FROM_OUTSIDE;
}

/* Pipes and pairs of sockets that a process without relatives has made lead to
 * itself; so do kernel objects without a file, such as eventfd. */
WaitSource cg2_outside_source(Int fd)
{
   enum { LAST_INHERITED = 2 };
   struct vki_stat st;
   if (cg2_kernelcall_make(__NR_fstat, fd, (UWord)&st, 0, 0) < 0)
      return FROM_PROCESS;
   Bool is_given = fd <= LAST_INHERITED && !outside.has_relatives;
   switch (st.st_mode & VKI_S_IFMT) {
   case VKI_S_IFREG:
   case VKI_S_IFDIR:
      return FROM_PROCESS;
   case VKI_S_IFSOCK:
      if (outside.is_noted[OUTSIDE_NETWORK]) return FROM_OUTSIDE;
      /* fall through */
   case VKI_S_IFIFO:
      if (is_given || cg2_processes_was_given(st.st_ino)) return FROM_OUTSIDE;
      return cg2_outside_relatives();
   case 0:
      return cg2_timerfds_has(fd) ? FROM_PROCESS : cg2_outside_relatives();
   default:
      return FROM_OUTSIDE;
   }
}

void cg2_outside_note_watched(Int fd)
{
   WaitSource source = cg2_outside_source(fd);
   if (source > outside.watched) outside.watched = source;
}

WaitSource cg2_outside_source_of_watched(void)
{
   WaitSource relatives = cg2_outside_relatives();
   return outside.watched > relatives ? outside.watched : relatives;
}
