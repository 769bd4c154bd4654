#include "repeat/outside.h"

#include "arch/kernelcall.h"
#include "profile/files/dump.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/timerfds.h"

/* Reason for a mutable file-scope object: what the process has seen so far. */
static struct {
   Bool is_noted[OUTSIDE_KINDS];
   Bool has_relatives;
   Bool feeds_watched;
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

/* Pipes and pairs of sockets that a process without relatives has made lead to
 * itself; so do kernel objects without a file, such as eventfd. */
Bool cg2_outside_feeds(Int fd)
{
   enum { LAST_INHERITED = 2 };
   struct vki_stat st;
   if (cg2_kernelcall_make(__NR_fstat, fd, (UWord)&st, 0, 0) < 0) return False;
   Bool is_private = !outside.has_relatives && fd > LAST_INHERITED;
   switch (st.st_mode & VKI_S_IFMT) {
   case VKI_S_IFREG:
   case VKI_S_IFDIR:
      return False;
   case VKI_S_IFIFO:
      return !is_private;
   case VKI_S_IFSOCK:
      return !is_private || outside.is_noted[OUTSIDE_NETWORK];
   case 0:
      return outside.has_relatives && !cg2_timerfds_has(fd);
   default:
      return True;
   }
}

void cg2_outside_note_watched(Int fd)
{
   outside.feeds_watched |= cg2_outside_feeds(fd);
}

Bool cg2_outside_feeds_watched(void)
{
   return outside.feeds_watched || outside.has_relatives;
}
