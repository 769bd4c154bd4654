#include "repeat/calls.h"

#include "engine/threads.h"
#include "events/syscalls.h"
#include "pub_tool_vkiscnums.h"
#include "repeat/chancecalls.h"
#include "repeat/childcalls.h"
#include "repeat/credentials.h"
#include "repeat/directories.h"
#include "repeat/filecalls.h"
#include "repeat/filetimes.h"
#include "repeat/futexcalls.h"
#include "repeat/ids.h"
#include "repeat/limits.h"
#include "repeat/machinecalls.h"
#include "repeat/others.h"
#include "repeat/outside.h"
#include "repeat/posixtimers.h"
#include "repeat/procpaths.h"
#include "repeat/signalcalls.h"
#include "repeat/signals.h"
#include "repeat/timecalls.h"
#include "repeat/timerfds.h"
#include "repeat/timers.h"
#include "repeat/turns.h"
#include "repeat/users.h"
#include "repeat/waitcalls.h"
#include "translate/translateconfig.h"

/* How a call may wait in the kernel. */
typedef enum KernelWaiting {
   WAITS_NOT,   /* or for a short time */
   WAITS_INPUT, /* until the file of the first argument can be read */
   WAITS_OUTPUT,
   WAITS_SELDOM, /* mostly it does not wait */
   WAITS_LONG    /* for what nobody knows */
} KernelWaiting;

/* What is done with a call. */
typedef struct KernelRow {
   UWord number;
   CallMaker make;     /* NULL: the kernel is asked at once */
   CallChanger change; /* NULL: its answer is the program's */
   KernelWaiting waiting;
   OutsideKind outside; /* what the kernel's answer is made of */
} KernelRow;

/*--- What several rows share --------------------------------------------*/

/* Source: fcntl(2): F_SETLKW, F_OFD_SETLKW. */
static Bool is_lock_awaited(const KernelRequest* call)
{
   return call->kernel.args[1] == 7 || call->kernel.args[1] == 38;
}

static Bool fork_process(const KernelRequest* call)
{
   (void)call;
   cg2_outside_note_relative();
   return False;
}

/* Source: clone(2): CLONE_THREAD. */
static Bool clone(const KernelRequest* call)
{
   enum { IS_THREAD = 0x10000 };
   return call->kernel.args[0] & IS_THREAD ? False : fork_process(call);
}

/* Source: tty_ioctl(2), which are all 0x54... */
static void change_ioctl(const KernelRequest* call)
{
   if ((call->kernel.args[1] & 0xffffff00) == 0x5400 && cg2_call_is_done(call))
      cg2_outside_note(OUTSIDE_TERMINAL);
}

/* Source: socket(2): AF_UNIX. */
static Bool socket(const KernelRequest* call)
{
   (void)call;
   cg2_outside_note(OUTSIDE_NETWORK);
   return False;
}

/*--- The table ----------------------------------------------------------*/

static const KernelRow rows[] = {
   /* time */
   {__NR_clock_gettime, cg2_timecalls_clock_gettime, NULL, 0, 0},
   {__NR_clock_getres, cg2_timecalls_clock_getres, NULL, 0, 0},
   {__NR_gettimeofday, cg2_timecalls_gettimeofday, NULL, 0, 0},
   {__NR_time, cg2_timecalls_time, NULL, 0, 0},
   {__NR_times, cg2_timecalls_times, NULL, 0, 0},
   {__NR_getrusage, cg2_timecalls_getrusage, NULL, 0, 0},
   {__NR_alarm, cg2_timers_alarm, NULL, 0, 0},
   {__NR_setitimer, cg2_timers_setitimer, NULL, 0, 0},
   {__NR_getitimer, cg2_timers_getitimer, NULL, 0, 0},
   {__NR_timer_create, cg2_posixtimers_create, NULL, 0, 0},
   {__NR_timer_settime, cg2_posixtimers_settime, NULL, 0, 0},
   {__NR_timer_gettime, cg2_posixtimers_gettime, NULL, 0, 0},
   {__NR_timer_getoverrun, cg2_posixtimers_getoverrun, NULL, 0, 0},
   {__NR_timer_delete, cg2_posixtimers_delete, NULL, 0, 0},
   {__NR_timerfd_create, cg2_timerfds_create, NULL, 0, 0},
   {__NR_timerfd_settime, cg2_timerfds_settime, NULL, 0, 0},
   {__NR_timerfd_gettime, cg2_timerfds_gettime, NULL, 0, 0},
   /* chance */
   {__NR_getrandom, cg2_chancecalls_getrandom, NULL, 0, 0},
   {__NR_read, cg2_chancecalls_read, cg2_signalcalls_read, WAITS_INPUT, 0},
   {__NR_pread64, cg2_chancecalls_read, NULL, 0, 0},
   /* the machine */
   {__NR_sched_getaffinity, cg2_machinecalls_sched_getaffinity, NULL, 0, 0},
   {__NR_getcpu, cg2_machinecalls_getcpu, NULL, 0, 0},
   {__NR_sysinfo, cg2_machinecalls_sysinfo, NULL, 0, 0},
   {__NR_uname, NULL, cg2_machinecalls_uname, 0, 0},
   {__NR_getrlimit, NULL, cg2_limits_getrlimit, 0, 0},
   {__NR_setrlimit, cg2_limits_set_time, cg2_limits_setrlimit, 0, 0},
   {__NR_prlimit64, cg2_limits_set_time_of, cg2_limits_prlimit, 0, 0},
   {__NR_perf_event_open, NULL, NULL, 0, OUTSIDE_PERFORMANCE},
   /* files */
   {__NR_open, cg2_filecalls_open, cg2_filetimes_opened, 0, 0},
   {__NR_openat, cg2_filecalls_openat, cg2_filetimes_opened, 0, 0},
   {__NR_stat, NULL, cg2_filecalls_stat, 0, 0},
   {__NR_lstat, NULL, cg2_filecalls_stat, 0, 0},
   {__NR_fstat, NULL, cg2_filecalls_stat, 0, 0},
   {__NR_newfstatat, NULL, cg2_filecalls_newfstatat, 0, 0},
   {__NR_statx, NULL, cg2_filecalls_statx, 0, 0},
   {__NR_getdents64, cg2_directories_getdents64, NULL, 0, 0},
   {__NR_lseek, cg2_directories_lseek, NULL, 0, 0},
   {__NR_close, NULL, cg2_timerfds_closed, 0, 0},
   {__NR_ioctl, NULL, change_ioctl, 0, 0},
   {__NR_readlink, cg2_procpaths_readlink, NULL, 0, 0},
   {__NR_readlinkat, cg2_procpaths_readlinkat, NULL, 0, 0},
   /* users */
   {__NR_getresuid, NULL, cg2_users_getresuid, 0, 0},
   {__NR_getresgid, NULL, cg2_users_getresgid, 0, 0},
   {__NR_getgroups, cg2_users_getgroups, NULL, 0, 0},
   /* waiting */
   {__NR_nanosleep, cg2_waitcalls_nanosleep, NULL, 0, 0},
   {__NR_clock_nanosleep, cg2_waitcalls_clock_nanosleep, NULL, 0, 0},
   {__NR_sched_yield, cg2_waitcalls_sched_yield, NULL, 0, 0},
   {__NR_poll, cg2_waitcalls_poll, cg2_waitcalls_polled, WAITS_LONG, 0},
   {__NR_ppoll, cg2_waitcalls_ppoll, cg2_waitcalls_ppolled, WAITS_LONG, 0},
   {__NR_select, cg2_waitcalls_select, NULL, WAITS_LONG, 0},
   {__NR_pselect6, cg2_waitcalls_pselect, NULL, WAITS_LONG, 0},
   {__NR_epoll_wait, cg2_waitcalls_epoll_wait, cg2_waitcalls_epoll_waited,
    WAITS_LONG, 0},
   {__NR_epoll_pwait, cg2_waitcalls_epoll_wait, cg2_waitcalls_epoll_waited,
    WAITS_LONG, 0},
   {__NR_epoll_ctl, NULL, cg2_waitcalls_epoll_ctl, 0, 0},
   {__NR_futex, cg2_futexcalls_futex, NULL, WAITS_LONG, 0},
   {__NR_rt_sigtimedwait, cg2_signalcalls_sigtimedwait, NULL, WAITS_LONG, 0},
   {__NR_rt_sigsuspend, cg2_signalcalls_sigsuspend, NULL, WAITS_LONG, 0},
   {__NR_rt_sigprocmask, cg2_signalcalls_sigprocmask, NULL, 0, 0},
   {__NR_pause, cg2_signalcalls_pause, NULL, WAITS_LONG, 0},
   {__NR_wait4, cg2_childcalls_wait4, NULL, WAITS_LONG, 0},
   {__NR_waitid, cg2_childcalls_waitid, NULL, WAITS_LONG, 0},
   {__NR_flock, NULL, NULL, WAITS_LONG, 0},
   {__NR_readv, NULL, NULL, WAITS_INPUT, 0},
   {__NR_write, NULL, cg2_filetimes_written, WAITS_OUTPUT, 0},
   {__NR_writev, NULL, cg2_filetimes_written, WAITS_OUTPUT, 0},
   {__NR_pwrite64, NULL, cg2_filetimes_written, 0, 0},
   {__NR_ftruncate, NULL, cg2_filetimes_written, 0, 0},
   {__NR_recvfrom, NULL, NULL, WAITS_INPUT, 0},
   {__NR_recvmsg, NULL, NULL, WAITS_INPUT, 0},
   {__NR_sendto, NULL, NULL, WAITS_OUTPUT, 0},
   {__NR_sendmsg, NULL, NULL, WAITS_OUTPUT, 0},
   {__NR_accept, NULL, NULL, WAITS_INPUT, 0},
   {__NR_accept4, NULL, NULL, WAITS_INPUT, 0},
   {__NR_connect, NULL, NULL, WAITS_SELDOM, 0},
   {__NR_msgrcv, NULL, NULL, WAITS_LONG, 0},
   {__NR_msgsnd, NULL, NULL, WAITS_LONG, 0},
   {__NR_semop, NULL, NULL, WAITS_LONG, 0},
   {__NR_semtimedop, NULL, NULL, WAITS_LONG, 0},
   /* other processes, and the network */
   {__NR_socket, socket, NULL, 0, 0},
   {__NR_fork, fork_process, NULL, 0, 0},
   {__NR_vfork, fork_process, NULL, 0, 0},
   {__NR_clone, clone, NULL, 0, 0},
};

static const KernelRow* row_of(UWord number)
{
   for (UInt i = 0; i < sizeof rows / sizeof *rows; i++)
      if (rows[i].number == number) return &rows[i];
   return NULL;
}

/*--- Making a call ------------------------------------------------------*/

/* Has the thread wait where others go on. True: a signal came, and the call is
 * over. */
static Bool wait(const KernelRequest* call, const KernelRow* row)
{
   switch (row ? row->waiting : WAITS_NOT) {
   case WAITS_INPUT:
      return cg2_waitcalls_until_readable(call);
   case WAITS_OUTPUT:
      return cg2_waitcalls_until_writable(call);
   default:
      return False;
   }
}

/* Whether the call may take long in the kernel. */
static Bool takes_long(const KernelRequest* call, const KernelRow* row)
{
   if (call->kernel.number == __NR_fcntl) return is_lock_awaited(call);
   return row && row->waiting == WAITS_LONG;
}

/* What a thread asks the kernel for. */
typedef struct Question {
   const KernelRequest* call;
   const KernelRow* row;
   Addr ip; /* behind the instruction that has made the call */
   Bool is_long;
   Bool is_alone; /* no other thread could go on */
   CallLoan* loan;
} Question;

/* The program has its own numbers again, and those of an answer. */
static void finish(const Question* q, Bool is_answered)
{
   const KernelRequest* call = q->call;
   cg2_call_take_back(q->loan);
   cg2_ids_leave_kernel(call);
   cg2_procpaths_leave_kernel(call);
   if (!is_answered) return;
   cg2_ids_tell_answer(call);
   cg2_credentials_tell_answer(call);
   if (q->row && q->row->change) q->row->change(call);
}

static void leave(const Question* q)
{
   if (q->row && q->row->waiting) cg2_others_go_on();
   if (q->is_alone) {
      if (q->row && q->row->waiting) cg2_timers_enter_kernel();
      return;
   }
   /* The thread has waited, and others may have run. */
   cg2_threads_switch(q->call->tid);
   if (q->is_long)
      cg2_turns_leave(q->call->tid);
   else
      cg2_turns_enter_kernel(q->call->tid);
}

static void come_back(const Question* q)
{
   cg2_turns_note_question(q->call->tid, NULL);
   cg2_timers_leave_kernel();
   if (q->is_alone) return;
   if (q->is_long)
      cg2_turns_return(q->call->tid);
   else
      cg2_turns_leave_kernel(q->call->tid);
}

/* Asks with the real numbers of what has others for the program. */
static void ask(const Question* q, void (*real)(ThreadId, UInt), UInt trap)
{
   const KernelRequest* call = q->call;
   cg2_turns_note_question(call->tid, q);
   cg2_ids_enter_kernel(call, q->loan);
   cg2_procpaths_enter_kernel(call, q->loan);
   cg2_credentials_enter_kernel(call, q->loan);
   leave(q);
   real(call->tid, trap);
   Bool is_finished = cg2_turns_question(call->tid) != q;
   come_back(q);
   if (!is_finished) finish(q, True);
}

/* A handler has the registers of the program from now on. */
void cg2_calls_before_handler(ThreadId tid, const vki_siginfo_t* info)
{
   const Question* q = cg2_turns_question(tid);
   if (!q) return;
   if (!q->row || q->row->waiting == WAITS_NOT) cg2_signals_got(info);
   finish(q, True);
   cg2_turns_note_question(tid, NULL);
}

/* Where the call is made again, its instruction comes next. */
void cg2_calls_interrupted(ThreadId tid)
{
   const Question* q = cg2_turns_question(tid);
   if (!q) return;
   come_back(q);
   finish(q, VG_(get_IP)(tid) == q->ip);
}

/* Answers the call without the kernel, if that can be done. */
static Bool answer(const KernelRequest* call, const KernelRow* row)
{
   if (!row || !row->make) return False;
   if (cg2_translate_config.is_on) cg2_syscalls_begin();
   if (!row->make(call)) return False;
   cg2_syscalls_end(call->tid);
   return True;
}

void cg2_calls_make(ThreadId tid, void (*real)(ThreadId, UInt), UInt trap)
{
   KernelRequest call = {tid, cg2_kernelcall_of(tid)};
   const KernelRow* row = row_of(call.kernel.number);
   /* A thread that shall end is no longer in the program. */
   if (cg2_turns_must_end(tid)) {
      cg2_kernelcall_answer(tid, -VKI_EINTR);
      return;
   }
   if (row) cg2_outside_note(row->outside);
   if (!answer(&call, row) && !wait(&call, row)) {
      CallLoan loan;
      loan.n = 0;
      ask(&(Question){.call = &call,
                      .row = row,
                      .ip = VG_(get_IP)(tid),
                      .is_long = takes_long(&call, row),
                      .is_alone = cg2_turns_is_alone(tid),
                      .loan = &loan},
          real, trap);
   }
   if (!cg2_turns_must_end(tid)) cg2_turns_share(tid);
}
