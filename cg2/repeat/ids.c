#include "repeat/ids.h"

#include "arch/guestmemory.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/children.h"
#include "repeat/posixtimers.h"
#include "repeat/processes.h"
#include "repeat/users.h"

/* What a row is for: all calls of the number, or those where an argument, which
 * counts from 1, has a value. */
typedef struct Selector {
   UInt arg;
   UWord value;
} Selector;

/* A letter for each argument, and behind ":" the result's: u is a user, g a
 * group of users, p a process or thread, or a group of them where it is said; q
 * a group of processes that is told, s a session that is, o the parent process,
 * "." none. */
typedef struct IdRow {
   UWord number;
   const HChar* letters;
   Selector when;
} IdRow;

/* Source: pidfd_open(2). */
enum { PIDFD_OPEN = 434 };

static const IdRow rows[] = {
   /* users */
   {__NR_getuid, ":u", {0}},
   {__NR_geteuid, ":u", {0}},
   {__NR_getgid, ":g", {0}},
   {__NR_getegid, ":g", {0}},
   {__NR_setuid, "u", {0}},
   {__NR_setgid, "g", {0}},
   {__NR_setreuid, "uu", {0}},
   {__NR_setregid, "gg", {0}},
   {__NR_setresuid, "uuu", {0}},
   {__NR_setresgid, "ggg", {0}},
   {__NR_setfsuid, "u:u", {0}},
   {__NR_setfsgid, "g:g", {0}},
   {__NR_chown, ".ug", {0}},
   {__NR_fchown, ".ug", {0}},
   {__NR_lchown, ".ug", {0}},
   {__NR_fchownat, "..ug", {0}},
   /* processes */
   {__NR_getpid, ":p", {0}},
   {__NR_gettid, ":p", {0}},
   {__NR_getppid, ":o", {0}},
   {__NR_set_tid_address, ":p", {0}},
   {__NR_getpgrp, ":q", {0}},
   {__NR_getpgid, "p:q", {0}},
   {__NR_setpgid, "pp", {0}},
   {__NR_getsid, "p:s", {0}},
   {__NR_setsid, ":p", {0}},
   {__NR_kill, "p", {0}},
   {__NR_tkill, "p", {0}},
   {__NR_tgkill, "pp", {0}},
   {__NR_rt_sigqueueinfo, "p", {0}},
   {__NR_rt_tgsigqueueinfo, "pp", {0}},
   {__NR_wait4, "p:p", {0}},
   {__NR_waitid, ".p", {1, 1}},
   {__NR_waitid, ".p", {1, 2}},
   {PIDFD_OPEN, "p", {0}},
   {__NR_ptrace, ".p", {0}},
   {__NR_kcmp, "pp", {0}},
   {__NR_process_vm_readv, "p", {0}},
   {__NR_process_vm_writev, "p", {0}},
   {__NR_migrate_pages, "p", {0}},
   {__NR_move_pages, "p", {0}},
   {__NR_get_robust_list, "p", {0}},
   {__NR_perf_event_open, ".p", {0}},
   {__NR_prlimit64, "p", {0}},
   {__NR_sched_setparam, "p", {0}},
   {__NR_sched_getparam, "p", {0}},
   {__NR_sched_setscheduler, "p", {0}},
   {__NR_sched_getscheduler, "p", {0}},
   {__NR_sched_rr_get_interval, "p", {0}},
   {__NR_sched_setaffinity, "p", {0}},
   {__NR_sched_setattr, "p", {0}},
   {__NR_sched_getattr, "p", {0}},
   /* Source: getpriority(2), ioprio_get(2): a process, a group, a user. */
   {__NR_getpriority, ".p", {1, 0}},
   {__NR_getpriority, ".p", {1, 1}},
   {__NR_getpriority, ".u", {1, 2}},
   {__NR_setpriority, ".p", {1, 0}},
   {__NR_setpriority, ".p", {1, 1}},
   {__NR_setpriority, ".u", {1, 2}},
   {__NR_ioprio_get, ".p", {1, 1}},
   {__NR_ioprio_get, ".p", {1, 2}},
   {__NR_ioprio_get, ".u", {1, 3}},
   {__NR_ioprio_set, ".p", {1, 1}},
   {__NR_ioprio_set, ".p", {1, 2}},
   {__NR_ioprio_set, ".u", {1, 3}},
   /* Source: fcntl(2): F_SETOWN, F_GETOWN. */
   {__NR_fcntl, "..p", {2, 8}},
   {__NR_fcntl, ":p", {2, 9}},
   /* Source: semctl(2): GETPID; Linux's prctl.h: PR_SET_PTRACER. */
   {__NR_semctl, ":p", {3, 11}},
   {__NR_prctl, ".p", {1, 0x59616d61}},
};

/* A number behind a pointer: the argument that points, counted from 1, and how
 * far behind. The letters are those of above; i is what is said of a signal, c
 * of a process at the other end of a socket. */
typedef struct IdMemoryRow {
   UWord number;
   Selector when;
   UInt arg, offset;
   HChar letter;
   Bool is_said; /* by the program, else by the kernel */
} IdMemoryRow;

static const IdMemoryRow memory_rows[] = {
   {__NR_waitid, {0}, 3, 0, 'i', False},
   {__NR_rt_sigtimedwait, {0}, 2, 0, 'i', False},
   {__NR_rt_sigqueueinfo, {0}, 3, 16, 'p', True},
   {__NR_rt_tgsigqueueinfo, {0}, 4, 16, 'p', True},
   {__NR_pidfd_send_signal, {0}, 3, 16, 'p', True},
   /* Source: fcntl(2): F_GETLK, F_SETOWN_EX, F_GETOWN_EX, F_OFD_GETLK. */
   {__NR_fcntl, {2, 5}, 3, 24, 'p', False},
   {__NR_fcntl, {2, 15}, 3, 4, 'p', True},
   {__NR_fcntl, {2, 16}, 3, 4, 'p', False},
   {__NR_fcntl, {2, 36}, 3, 24, 'p', False},
   /* Source: tty_ioctl(2): TIOCGPGRP, TIOCSPGRP, TIOCGSID; Linux's sockios.h:
    * FIOSETOWN, SIOCSPGRP, FIOGETOWN, SIOCGPGRP. */
   {__NR_ioctl, {2, 0x540f}, 3, 0, 'q', False},
   {__NR_ioctl, {2, 0x5410}, 3, 0, 'p', True},
   {__NR_ioctl, {2, 0x5429}, 3, 0, 's', False},
   {__NR_ioctl, {2, 0x8901}, 3, 0, 'p', True},
   {__NR_ioctl, {2, 0x8902}, 3, 0, 'p', True},
   {__NR_ioctl, {2, 0x8903}, 3, 0, 'p', False},
   {__NR_ioctl, {2, 0x8904}, 3, 0, 'p', False},
   /* Source: capget(2): behind the version stands whose they are. */
   {__NR_capget, {0}, 1, 4, 'p', True},
   {__NR_capset, {0}, 1, 4, 'p', True},
   /* Source: unix(7): SO_PEERCRED. */
   {__NR_getsockopt, {3, 17}, 4, 0, 'c', False},
   /* Source: Linux's msgbuf.h, shmbuf.h: who was last, or has made it. */
   {__NR_msgctl, {2, 2}, 3, 96, 'p', False},
   {__NR_msgctl, {2, 2}, 3, 100, 'p', False},
   {__NR_shmctl, {2, 2}, 3, 80, 'p', False},
   {__NR_shmctl, {2, 2}, 3, 84, 'p', False},
};

static Bool is_meant(Selector when, const UWord* args)
{
   return !when.arg || (UInt)args[when.arg - 1] == when.value;
}

static const HChar* letters_of(const KernelCall* call)
{
   for (UInt i = 0; i < sizeof rows / sizeof *rows; i++)
      if (rows[i].number == call->number && is_meant(rows[i].when, call->args))
         return rows[i].letters;
   return "";
}

/*--- Numbers ------------------------------------------------------------*/

/* Negative numbers are groups of processes; 0 is the caller, -1 all. */
static Int process(Int id, UInt (*other)(UInt))
{
   if (id == 0 || id == -1) return id;
   return id > 0 ? (Int)other(id) : -(Int)other(-id);
}

static UInt told(HChar letter, UInt id)
{
   switch (letter) {
   case 'u':
      return cg2_users_user(id);
   case 'g':
      return cg2_users_group(id);
   case 'o':
      return cg2_processes_told_parent(id);
   case 'q':
      return cg2_processes_told_group(id);
   case 's':
      return cg2_processes_told_session(id);
   default:
      return process(id, cg2_processes_told);
   }
}

/* -1 says that there is none, and stays. */
static Word real(HChar letter, UWord id)
{
   switch (letter) {
   case 'u':
      return cg2_users_real_user(id);
   case 'g':
      return cg2_users_real_group(id);
   default:
      return process(id, cg2_processes_real);
   }
}

/*--- Memory -------------------------------------------------------------*/

static Addr address_in(const IdMemoryRow* row, const KernelRequest* call)
{
   Addr at = call->kernel.args[row->arg - 1];
   return at ? at + row->offset : 0;
}

static Bool is_memory_meant(const IdMemoryRow* row, const KernelRequest* call)
{
   return row->number == call->kernel.number &&
          is_meant(row->when, call->kernel.args) && address_in(row, call);
}

static void lend(const IdMemoryRow* row, const KernelRequest* call, CallLoan* l)
{
   UInt id;
   Addr at = address_in(row, call);
   if (cg2_guestmemory_read(&id, at, sizeof id) < sizeof id) return;
   id = real(row->letter, id);
   cg2_call_lend(l, at, &id, sizeof id);
}

/* Source: sigaction(2): who has sent it is known if it was sent by a call, or
 * says that a child has changed. */
void cg2_ids_tell_signal(vki_siginfo_t* info)
{
   enum { USER = 0, QUEUE = -1, MESSAGE = -3, THREAD = -6 };
   Int code = info->si_code;
   if (code == IDS_TIMER) {
      info->_sifields._timer._overrun =
         cg2_posixtimers_take(info->_sifields._timer._tid);
      return;
   }
   if (code != USER && code != QUEUE && code != MESSAGE && code != THREAD &&
       info->si_signo != VKI_SIGCHLD)
      return;
   info->_sifields._kill._pid = told('p', info->_sifields._kill._pid);
   info->_sifields._kill._uid = told('u', info->_sifields._kill._uid);
}

static void tell_signal_at(Addr at)
{
   vki_siginfo_t info;
   if (cg2_guestmemory_read(&info, at, sizeof info) < sizeof info) return;
   cg2_ids_tell_signal(&info);
   cg2_guestmemory_write(at, &info, sizeof info);
}

static void tell_word_at(Addr at, HChar letter)
{
   UInt id;
   if (cg2_guestmemory_read(&id, at, sizeof id) < sizeof id) return;
   id = told(letter, id);
   cg2_guestmemory_write(at, &id, sizeof id);
}

/* Source: unix(7): struct ucred; 1 is SOL_SOCKET. */
static void tell_peer(const KernelRequest* call, Addr at)
{
   if ((Int)call->kernel.args[1] != 1) return;
   tell_word_at(at, 'p');
   tell_word_at(at + 4, 'u');
   tell_word_at(at + 8, 'g');
}

static void tell_memory(const IdMemoryRow* row, const KernelRequest* call)
{
   Addr at = address_in(row, call);
   if (row->letter == 'i')
      tell_signal_at(at);
   else if (row->letter == 'c')
      tell_peer(call, at);
   else
      tell_word_at(at, row->letter);
}

/*--- New processes and threads ------------------------------------------*/

/* Source: clone(2): CLONE_THREAD, CLONE_PARENT_SETTID, CLONE_CHILD_SETTID. */
enum { IS_THREAD = 0x10000, PARENT_ASKS = 0x100000, CHILD_ASKS = 0x1000000 };

static void write_number(Addr at, UInt number)
{
   cg2_guestmemory_write(at, &number, sizeof number);
}

static Bool is_thread(const KernelRequest* call)
{
   return call->kernel.number == __NR_clone && call->kernel.args[0] & IS_THREAD;
}

/* The maker has the kernel's number of what it has made. */
static void tell_made(const KernelRequest* call, UInt id)
{
   const UWord* args = call->kernel.args;
   UInt number = cg2_processes_made();
   cg2_processes_add(id, number);
   if (!is_thread(call)) cg2_children_add(id);
   if (call->kernel.number == __NR_clone && args[0] & PARENT_ASKS)
      write_number(args[2], number);
   cg2_kernelcall_answer(call->tid, number);
}

static void tell_self(const KernelCall* call, UInt number)
{
   if (call->number == __NR_clone && call->args[0] & CHILD_ASKS)
      write_number(call->args[3], number);
}

void cg2_ids_begin_thread(ThreadId tid)
{
   UInt number = cg2_processes_thread(tid);
   KernelCall call = cg2_kernelcall_of(tid);
   call.number = __NR_clone;
   if (number) tell_self(&call, number);
}

static Bool makes(UWord number)
{
   return number == __NR_clone || number == __NR_fork || number == __NR_vfork;
}

static void tell_new(const KernelRequest* call)
{
   Word answer = cg2_kernelcall_answered(call->tid);
   if (answer > 0)
      tell_made(call, answer);
   else
      tell_self(&call->kernel, cg2_processes_own());
}

/*--- All ----------------------------------------------------------------*/

void cg2_ids_enter_kernel(const KernelRequest* call, CallLoan* loan)
{
   const HChar* letter = letters_of(&call->kernel);
   for (UInt i = 0; *letter && *letter != ':'; i++, letter++)
      if (*letter != '.')
         cg2_kernelcall_set_arg(call->tid, i,
                                real(*letter, call->kernel.args[i]));
   for (UInt i = 0; i < sizeof memory_rows / sizeof *memory_rows; i++)
      if (memory_rows[i].is_said && is_memory_meant(&memory_rows[i], call))
         lend(&memory_rows[i], call, loan);
}

void cg2_ids_leave_kernel(const KernelRequest* call)
{
   const HChar* letter = letters_of(&call->kernel);
   for (UInt i = 0; *letter && *letter != ':'; i++, letter++)
      cg2_kernelcall_set_arg(call->tid, i, call->kernel.args[i]);
}

void cg2_ids_tell_answer(const KernelRequest* call)
{
   if (!cg2_call_is_done(call)) return;
   const HChar* result = VG_(strchr)(letters_of(&call->kernel), ':');
   if (result)
      cg2_kernelcall_answer(
         call->tid, (Int)told(result[1], cg2_kernelcall_answered(call->tid)));
   if (makes(call->kernel.number)) tell_new(call);
   for (UInt i = 0; i < sizeof memory_rows / sizeof *memory_rows; i++)
      if (!memory_rows[i].is_said && is_memory_meant(&memory_rows[i], call))
         tell_memory(&memory_rows[i], call);
}
