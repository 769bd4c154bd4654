#include "repeat/timerfds.h"

#include "pub_tool_libcfile.h"
#include "pub_tool_vkiscnums.h"

/* Source: timerfd_create(2), and open(2): 02000000 is O_CLOEXEC. */
enum { IS_MOMENT = 1, CREATE_FLAGS = VKI_O_NONBLOCK | 02000000 };

typedef struct FileTimer {
   Int fd;
   Long event; /* the kernel's number of the eventfd */
   UWord clock;
   Countdown countdown;
} FileTimer;

/* Reason for a mutable file-scope object: the timers of the process. */
static struct {
   FileTimer* of;
   UInt n, room;
} timers;

/* The kernel's number of an eventfd; -1: the file is none. Source: proc(5). */
static Long event_of(Int fd)
{
   static const HChar name[] = "\neventfd-id:";
   HChar path[64], text[512];
   VG_(sprintf)(path, "/proc/self/fdinfo/%d", fd);
   SysRes file = VG_(open)(path, VKI_O_RDONLY, 0);
   if (sr_isError(file)) return -1;
   Int n = VG_(read)(sr_Res(file), text, sizeof text - 1);
   VG_(close)(sr_Res(file));
   text[n > 0 ? n : 0] = '\0';
   const HChar* line = VG_(strstr)(text, name);
   return line ? VG_(strtoll10)(line + sizeof name - 1, NULL) : -1;
}

static FileTimer* find(Int fd)
{
   for (UInt i = 0; i < timers.n; i++)
      if (timers.of[i].fd == fd) return &timers.of[i];
   return NULL;
}

/* The timer of a file, whose number another file may have by now. */
static FileTimer* living(Int fd)
{
   FileTimer* t = find(fd);
   return t && event_of(fd) == t->event ? t : NULL;
}

static void forget(FileTimer* t)
{
   *t = timers.of[--timers.n];
}

static void add(FileTimer new)
{
   FileTimer* old = find(new.fd);
   if (old) forget(old);
   if (timers.n == timers.room) {
      timers.room = timers.room ? 2 * timers.room : 8;
      timers.of = VG_(realloc)("cg2.timerfds", timers.of,
                               timers.room * sizeof *timers.of);
   }
   timers.of[timers.n++] = new;
}

/*--- Calls --------------------------------------------------------------*/

Bool cg2_timerfds_create(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   FileTimer new = {.clock = args[0]};
   Word error = cg2_countdown_choose(&new.countdown, args[0]);
   if (error == 0 && (new.countdown.is_of_spent || args[0] == 11 ||
                      args[1] & ~(UWord)CREATE_FLAGS))
      error = -VKI_EINVAL;
   if (error)
      return cg2_call_answer(call, error == -VKI_EPERM ? error : -VKI_EINVAL);
   Word fd = cg2_kernelcall_make(__NR_eventfd2, 0, args[1], 0, 0);
   new.fd = fd;
   new.event = fd < 0 ? -1 : event_of(fd);
   if (fd >= 0) add(new);
   return cg2_call_answer(call, fd);
}

static Bool refuse(const KernelRequest* call)
{
   Int fd = call->kernel.args[0];
   Bool is_file = cg2_kernelcall_make(__NR_fcntl, fd, VKI_F_GETFD, 0, 0) >= 0;
   return cg2_call_answer(call, is_file ? -VKI_EINVAL : -VKI_EBADF);
}

/* What has come before counts no more. */
static void empty(Int fd)
{
   ULong n;
   struct vki_pollfd one = {fd, VKI_POLLIN, 0};
   if (cg2_kernelcall_make(__NR_poll, (UWord)&one, 1, 0, 0) == 1)
      cg2_kernelcall_make(__NR_read, fd, (UWord)&n, sizeof n, 0);
}

Bool cg2_timerfds_settime(const KernelRequest* call)
{
   const UWord* args = call->kernel.args;
   FileTimer* t = living(args[0]);
   if (!t) return refuse(call);
   Word error = cg2_countdown_settime(&t->countdown, t->clock,
                                      args[1] & IS_MOMENT, args[2], args[3]);
   if (!error) empty(t->fd);
   return cg2_call_answer(call, error);
}

Bool cg2_timerfds_gettime(const KernelRequest* call)
{
   FileTimer* t = living(call->kernel.args[0]);
   if (!t) return refuse(call);
   return cg2_call_answer(
      call, cg2_countdown_tell(&t->countdown, call->kernel.args[1]));
}

void cg2_timerfds_closed(const KernelRequest* call)
{
   FileTimer* t = find(call->kernel.args[0]);
   if (t && cg2_call_is_done(call)) forget(t);
}

Bool cg2_timerfds_has(Int fd)
{
   return find(fd) != NULL;
}

/*--- Firing -------------------------------------------------------------*/

void cg2_timerfds_look(Horizon* horizon)
{
   for (UInt i = 0; i < timers.n; i++)
      cg2_countdown_look(horizon, &timers.of[i].countdown);
}

Bool cg2_timerfds_fire(void)
{
   Bool any = False;
   for (UInt i = timers.n; i-- > 0;) {
      FileTimer* t = &timers.of[i];
      ULong n = cg2_countdown_pass(&t->countdown);
      any |= n > 0;
      if (!n) continue;
      if (event_of(t->fd) == t->event)
         cg2_kernelcall_make(__NR_write, t->fd, (UWord)&n, sizeof n, 0);
      else
         forget(t);
   }
   return any;
}

void cg2_timerfds_forked(void)
{
   timers.n = 0;
}

/*--- Handing on ---------------------------------------------------------*/

enum { MOST_OF_ONE = 120 }; /* bytes */

HChar* cg2_timerfds_hand_on(HChar* text)
{
   UInt n = timers.n;
   enum { MOST = TIMERFDS_TEXT / MOST_OF_ONE - 1 };
   if (n > MOST) n = MOST;
   text += VG_(sprintf)(text, ",%u", n);
   for (UInt i = 0; i < n; i++) {
      const FileTimer* t = &timers.of[i];
      text += VG_(sprintf)(text, ",%d,%lld,%lu,%llu,%llu", t->fd, t->event,
                           t->clock, t->countdown.due, t->countdown.period);
   }
   return text;
}

/* The next number behind a comma. */
static ULong next_in(const HChar** text)
{
   HChar* end;
   ULong number = VG_(strtoull10)(*text + 1, &end);
   *text = end;
   return number;
}

/* Files that exec has closed are no longer there. */
const HChar* cg2_timerfds_inherit(const HChar* text)
{
   for (ULong n = next_in(&text); n > 0; n--) {
      FileTimer t = {.fd = next_in(&text)};
      t.event = next_in(&text);
      t.clock = next_in(&text);
      t.countdown.due = next_in(&text);
      t.countdown.period = next_in(&text);
      if (event_of(t.fd) == t.event) add(t);
   }
   return text;
}
