#include "arch/kernelcall.h"

#include "libvex_guest_amd64.h"

/* Source: Valgrind's core, which exports it to no tool. */
extern SysRes VG_(do_syscall)(UWord number,
                              RegWord,
                              RegWord,
                              RegWord,
                              RegWord,
                              RegWord,
                              RegWord,
                              RegWord,
                              RegWord);

static UWord get(ThreadId tid, PtrdiffT offset)
{
   UWord word;
   VG_(get_shadow_regs_area)(tid, (UChar*)&word, 0, offset, sizeof word);
   return word;
}

static void set(ThreadId tid, PtrdiffT offset, UWord word)
{
   VG_(set_shadow_regs_area)
   (tid, 0, offset, sizeof word, (const UChar*)&word);
}

/* Source: System V ABI for AMD64, A.2.1. */
static const PtrdiffT registers[KERNELCALL_ARGS] = {
   offsetof(VexGuestAMD64State, guest_RDI),
   offsetof(VexGuestAMD64State, guest_RSI),
   offsetof(VexGuestAMD64State, guest_RDX),
   offsetof(VexGuestAMD64State, guest_R10),
   offsetof(VexGuestAMD64State, guest_R8),
   offsetof(VexGuestAMD64State, guest_R9),
};

KernelCall cg2_kernelcall_of(ThreadId tid)
{
   KernelCall call = {.number = cg2_kernelcall_answered(tid)};
   for (UInt i = 0; i < KERNELCALL_ARGS; i++)
      call.args[i] = get(tid, registers[i]);
   return call;
}

void cg2_kernelcall_set_arg(ThreadId tid, UInt number, UWord value)
{
   set(tid, registers[number], value);
}

void cg2_kernelcall_answer(ThreadId tid, Word result)
{
   set(tid, offsetof(VexGuestAMD64State, guest_RAX), result);
}

Word cg2_kernelcall_answered(ThreadId tid)
{
   return get(tid, offsetof(VexGuestAMD64State, guest_RAX));
}

Word cg2_kernelcall_make_all(const KernelCall* call)
{
   const UWord* a = call->args;
   SysRes result =
      VG_(do_syscall)(call->number, a[0], a[1], a[2], a[3], a[4], a[5], 0, 0);
   return sr_isError(result) ? -(Word)sr_Err(result) : (Word)sr_Res(result);
}

Word cg2_kernelcall_make(UWord number, UWord a, UWord b, UWord c, UWord d)
{
   KernelCall call = {number, {a, b, c, d}};
   return cg2_kernelcall_make_all(&call);
}

void cg2_kernelcall_set_sp(ThreadId tid, Addr sp)
{
   set(tid, offsetof(VexGuestAMD64State, guest_RSP), sp);
}
