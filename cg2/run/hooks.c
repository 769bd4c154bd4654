#include "run/hooks.h"

#include "arch/guest.h"
#include "arch/guestmemory.h"
#include "avx512/vecfault.h"
#include "base/wrap.h"
#include "code/symbols.h"
#include "data/counting/othermemory.h"
#include "data/counting/owner.h"
#include "data/heap/heap.h"
#include "engine/arrival.h"
#include "engine/backtrace.h"
#include "engine/handlers.h"
#include "engine/path.h"
#include "engine/probe.h"
#include "engine/threads.h"
#include "events/accesses.h"
#include "events/syscalls.h"
#include "layout/heapstart.h"
#include "profile/files/dump.h"
#include "profile/files/perfmap.h"
#include "pub_tool_clreq.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "repeat/repeat.h"
#include "repeat/repeatconfig.h"
#include "run/control.h"
#include "run/firststack.h"
#include "run/freshmemory.h"
#include "run/monitor.h"
#include "run/requests.h"
#include "run/reserve.h"
#include "run/sandbox.h"
#include "run/session.h"
#include "run/threadname.h"
#include "translate/translateconfig.h"

/*--- Registers ----------------------------------------------------------*/

/* Reason for a mutable file-scope object: what the core has told, but tells
 * neither a handler of signals nor each thread. */
static struct {
   Bool has_begun; /* the program, with its first thread */
   NamingFile naming;
   Reserve reserve;
   Bool
      memory_ends; /* The reserve was given; the profile is not written yet. */
   Bool client_runs; /* Generated code runs, and the guest state's shadow holds
                        the Registers of the thread. */
} told;

_Static_assert(sizeof(Registers) <= sizeof(VexGuestArchState),
               "a shadow has room for Registers");

/* Hands the registers of the running thread to generated code. */
static void put_registers(ThreadId tid)
{
   VG_(set_shadow_regs_area)
   (tid, 1, 0, sizeof(Registers), (const UChar*)&cg2_now.regs);
}

/* Takes the registers of the running thread back from generated code, and
 * completes the thread's total. */
static void get_registers(ThreadId tid)
{
   VG_(get_shadow_regs_area)
   (tid, (UChar*)&cg2_now.regs, 1, 0, sizeof(Registers));
   cg2_thread_complete(&cg2_now.regs);
}

/*--- Memory -------------------------------------------------------------*/

/* Valgrind asks for memory of its own or the tool's. Source: its file
 * pub_core_aspacemgr.h. */
SysRes cg2_hooks_map(SizeT size)
   CG2_WRAP("vgPlain_am_mmap_anon_float_valgrind");
extern SysRes real_map(SizeT size)
   CG2_REAL("vgPlain_am_mmap_anon_float_valgrind");

/* What is held to write with, in percent of what Valgrind was granted. Writing
 * took at most 3 for cc1, and 27 for a program of paths alone. */
static UInt percent_to_write(void)
{
   return cg2_path_is_on() ? 40 : 12;
}

SysRes cg2_hooks_map(SizeT size)
{
   SysRes memory = real_map(size);
   if (!sr_isError(memory)) {
      cg2_reserve_grow(&told.reserve, size, percent_to_write(), real_map);
      return memory;
   }
   if (!cg2_reserve_give(&told.reserve)) return memory;
   told.memory_ends = True;
   return real_map(size);
}

/* Nothing is half counted here, as it can be where memory is asked for. */
static void write_before_memory_ends(void)
{
   if (!told.memory_ends) return;
   told.memory_ends = False;
   cg2_dump_ahead("memory", "memory comes to its end");
}

/*--- Threads ------------------------------------------------------------*/

/* The running thread goes on with the instruction at `address`. */
static void go_on(Addr address)
{
   if (cg2_now.is_unknown) cg2_backtrace_push();
   cg2_thread_set_known();
   cg2_thread_go_on(address);
   if (!cg2_thread_has_arrived()) cg2_arrival_go_on(address);
}

static void thread_is_made(ThreadId parent, ThreadId tid)
{
   if (cg2_repeat_config.is_on) cg2_repeat_create_thread(parent, tid);
}

static void thread_begins(ThreadId tid)
{
   Bool is_first = !told.has_begun;
   if (cg2_repeat_config.is_on) cg2_repeat_begin_thread(tid);
   if (cg2_repeat_config.is_on && is_first) cg2_repeat_begin_program(tid);
   if (is_first && cg2_events_config.accesses.layout)
      cg2_heapstart_move(cg2_events_config.accesses.layout);
   if (is_first) cg2_firststack_begin(VG_(get_SP)(tid));
   told.has_begun = True;
   cg2_threads_begin(tid, VG_(gettid)());
   cg2_owner_change();
}

static void thread_runs(ThreadId tid, ULong blocks_dispatched)
{
   cg2_threads_switch(tid);
   cg2_accesses_switch(tid);
   cg2_control_thread_runs();
   if (cg2_translate_config.is_on)
      go_on(VG_(get_IP)(tid));
   else
      cg2_thread_run_unseen();
   put_registers(tid);
   told.client_runs = True;
   if (cg2_repeat_config.is_on) cg2_repeat_run(tid, blocks_dispatched);
}

static void thread_stops(ThreadId tid, ULong blocks_dispatched)
{
   told.client_runs = False;
   get_registers(tid);
   cg2_thread_stop(VG_(get_IP)(tid));
   if (cg2_repeat_config.is_on) cg2_repeat_stop(blocks_dispatched);
   cg2_accesses_stop();
   write_before_memory_ends();
   if (!cg2_repeat_config.is_on) return;
   cg2_repeat_take_turns(tid);
   cg2_threads_switch(tid);
}

static void thread_ends(ThreadId tid)
{
   cg2_threads_end(tid);
   if (cg2_repeat_config.is_on) cg2_repeat_end_thread(tid);
}

/*--- Signals ------------------------------------------------------------*/

static void signal_comes(ThreadId tid, Int number, Bool on_alt_stack)
{
   cg2_vecfault_complete(tid, number);
   if (!cg2_translate_config.is_on) return;
   Addr start = 0, end = 0;
   if (on_alt_stack) {
      start = VG_(thread_get_altstack_min)(tid);
      end = start + VG_(thread_get_altstack_size)(tid);
   }
   cg2_threads_switch(tid);
   if (told.client_runs) get_registers(tid);
   cg2_handlers_begin(VG_(get_IP)(tid), VG_(get_SP)(tid), start, end);
   if (told.client_runs) put_registers(tid);
}

static void handler_returned(ThreadId tid, Int number)
{
   (void)number;
   if (!cg2_translate_config.is_on) return;
   cg2_threads_switch(tid);
   cg2_handlers_return();
}

/*--- System calls -------------------------------------------------------*/

static Bool is_exec(UInt number)
{
   return number == GUEST_SYSCALL_EXECVE || number == GUEST_SYSCALL_EXECVEAT;
}

/* Source: Linux's limits.h. */
enum { PATH_MAX = 4096 };

/* The path that execveat means by a directory that is open and a path from
 * there, or by a file that is open and an empty path; to be freed. Source:
 * execveat(2). */
static HChar* path_from(Int fd, const HChar* path)
{
   enum { LINK_MAX = 40 };
   HChar link[LINK_MAX];
   if (path[0] == '/' || fd == VKI_AT_FDCWD)
      return VG_(strdup)("cg2.exec", path);
   HChar* found = VG_(malloc)("cg2.exec", PATH_MAX + VG_(strlen)(path) + 2);
   VG_(sprintf)(link, "/proc/self/fd/%d", fd);
   PtrdiffT n = VG_(readlink)(link, found, PATH_MAX);
   if (n < 0) n = 0;
   VG_(sprintf)(found + n, path[0] ? "/%s" : "%s", path);
   return found;
}

/* The path of the program that a system call goes on with, to be freed; NULL:
 * it has none. */
static HChar* path_of_program(UInt number, const UWord* args)
{
   Bool is_at = number == GUEST_SYSCALL_EXECVEAT;
   Addr path = args[is_at];
   HChar* name = is_exec(number) ? cg2_guestmemory_text(path, PATH_MAX) : NULL;
   if (!name || !is_at) return name;
   HChar* whole = path_from(args[0], name);
   VG_(free)(name);
   return whole;
}

/* Whether a file at `path` can replace the program: many programs try several
 * paths until one works. */
static Bool is_program(const HChar* path)
{
   struct vg_stat st;
   return !sr_isError(VG_(stat)(path, &st)) && VKI_S_ISREG(st.mode) &&
          (st.mode & 0111);
}

static void before_syscall(ThreadId tid, UInt number, UWord* args, UInt n_args)
{
   (void)tid, (void)n_args;
   if (cg2_translate_config.is_on) cg2_syscalls_begin();
   if (cg2_sandbox_enters(number, args))
      cg2_dump_ahead("sandbox",
                     "the program enters a sandbox (seccomp) that may "
                     "kill it when the profile is written\nat the end");
   HChar* program = path_of_program(number, args);
   if (!program) return;
   if (is_program(program)) {
      cg2_accesses_finish();
      cg2_dump_replaced(program);
      cg2_session_hand_on();
   }
   VG_(free)(program);
}

/* Tells of memory that a system call has mapped or unmapped. */
static void note_map(ThreadId tid, UInt number, const UWord* args, UWord result)
{
   if (number == GUEST_SYSCALL_BRK) {
      cg2_othermemory_note_brk(result);
      cg2_owner_change();
   }
   if (!cg2_heap_wants(number)) return;
   cg2_threads_switch(tid);
   cg2_heap_note_syscall(number, args, result);
}

static void after_syscall(
   ThreadId tid, UInt number, UWord* args, UInt n_args, SysRes result)
{
   (void)n_args;
   cg2_syscalls_end(tid);
   if (!sr_isError(result)) {
      note_map(tid, number, args, sr_Res(result));
      cg2_threadname_note(&told.naming, tid, number, args, sr_Res(result));
   }
   if (is_exec(number)) cg2_dump_not_replaced();
}

/*--- Requests and the rest ----------------------------------------------*/

/* Answers a request of the program, or a command that vgdb hands over as one.
 */
static Bool request(ThreadId tid, UWord* args, UWord* answer)
{
   if (told.client_runs) get_registers(tid);
   Bool is_monitor = args[0] == VG_USERREQ__GDB_MONITOR_COMMAND;
   if (!is_monitor) cg2_heap_note_request(args);
   Bool is_ours = is_monitor ? cg2_monitor_command((const HChar*)args[1])
                             : cg2_requests_obey(args, answer);
   if (is_monitor) *answer = is_ours;
   if (told.client_runs) put_registers(tid);
   return is_ours;
}

static void translation_gone(Addr address, VexGuestExtents extents)
{
   (void)extents;
   cg2_block_remove_translation(address);
}

static void forked_child(ThreadId tid)
{
   cg2_threads_forked(tid);
   cg2_threads_begin(tid, VG_(gettid)());
   cg2_heap_forked(tid);
   cg2_dump_forked();
   cg2_perfmap_begin_process();
   if (cg2_repeat_config.is_on) cg2_repeat_forked(tid);
}

static void before_fork(ThreadId tid)
{
   (void)tid;
   if (cg2_repeat_config.is_on) cg2_repeat_before_fork();
}

/* Memory is about to be unmapped. */
static void unmapped(Addr start, SizeT size)
{
   cg2_symbols_unmapped(start, size);
   cg2_owner_unmapped(start, size);
   cg2_freshmemory_unmapped(start, size);
}

void cg2_hooks_install(void)
{
   VG_(track_pre_thread_ll_create)(thread_is_made);
   VG_(track_pre_thread_first_insn)(thread_begins);
   VG_(track_start_client_code)(thread_runs);
   VG_(track_stop_client_code)(thread_stops);
   VG_(track_pre_thread_ll_exit)(thread_ends);
   VG_(track_pre_deliver_signal)(signal_comes);
   VG_(track_post_deliver_signal)(handler_returned);
   VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
   VG_(needs_client_requests)(request);
   VG_(needs_superblock_discards)(translation_gone);
   VG_(track_die_mem_munmap)(unmapped);
   VG_(track_die_mem_brk)(cg2_freshmemory_unmapped);
   VG_(track_copy_mem_remap)(cg2_freshmemory_moved);
   VG_(atfork)(before_fork, NULL, forked_child);
}
