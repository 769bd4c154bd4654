/* What is known of the guest's processor.
 *
 * No other folder knows how a call looks on a stack or in machine code: they
 * ask here. A processor has a header with its constants (x86.h for amd64 and
 * x86, arm64.h) and a source with what is to be said of machine code
 * (guest_x86.c, guest_arm64.c). The compiler chooses by its own names for
 * processors, so that tests of all this run on the host, where CG2_TEST_ARM64
 * chooses arm64.
 *
 * Each processor's header defines:
 *
 *   GUEST_CALL_PUSHES     bytes that a call pushes: those of the return
 *                         address; 0 if the return address is in a register
 *   GUEST_LEFT_BEHIND     bytes that a function which returns or makes a tail
 *                         call may leave above its entry, at most: the return
 *                         address and arguments
 *   GUEST_CALL_MAX        bytes of the longest call instruction that
 *                         cg2_guest_call_length recognises
 *   GUEST_INSTR_ALIGN     all instructions begin at a multiple of that
 *   GUEST_TRAMPOLINE_MAX  bytes of the longest trampoline that
 *                         cg2_guest_trampoline_target recognises
 *   GUEST_SYSCALL_EXECVE, GUEST_SYSCALL_EXECVEAT, GUEST_SYSCALL_MMAP,
 *   GUEST_SYSCALL_MUNMAP, GUEST_SYSCALL_MREMAP, GUEST_SYSCALL_BRK,
 *   GUEST_SYSCALL_PRCTL, GUEST_SYSCALL_SECCOMP, GUEST_SYSCALL_OPEN,
 *   GUEST_SYSCALL_OPENAT, GUEST_SYSCALL_WRITE
 *                         Linux's numbers of these system calls
 *   cg2_guest_only_jumps  whether an instruction that VEX takes for a call is a
 *                         mere jump
 *
 * Stacks grow down. A function's *entry* is the stack pointer at its first
 * instruction:
 *
 *       a call pushes 8 bytes              a call pushes nothing
 *
 *     |                | caller's sp     |                | caller's sp, and
 *     | return address | entry           |                | entry
 *     |                |                 |                |
 *
 * Where a call pushes nothing, the entry of a function is also that of the
 * functions that it calls before it moves the stack pointer, and a stack
 * pointer that is equal to the entry tells nothing; where it pushes something,
 * an entry is shared by tail calls alone. */
#ifndef CG2_GUEST_H
#define CG2_GUEST_H

#if defined(__aarch64__) || defined(CG2_TEST_ARM64)
#include "arch/arm64.h"
#elif defined(__x86_64__) || defined(__i386__)
#include "arch/x86.h"
#else
#error "cg2/arch has no facts of this processor"
#endif

/* The entry of a function that is called with stack pointer `sp`, or that has
 * just returned to `sp`. */
static inline Addr cg2_guest_entry(Addr sp)
{
   return sp - GUEST_CALL_PUSHES;
}

/* Whether a stack pointer tells that the function with this entry is not on the
 * stack any more. `by_call`: control has just arrived by a call, so that what a
 * call pushes lies at `sp`. */
static inline Bool cg2_guest_has_left(Addr entry, Addr sp, Bool by_call)
{
   return entry < sp || (GUEST_CALL_PUSHES > 0 && by_call && entry == sp);
}

/* Whether a stack pointer leaves open if the function with this entry is gone:
 * where a call pushes nothing, its caller goes on with the same stack pointer.
 */
static inline Bool cg2_guest_is_open(Addr entry, Addr sp)
{
   return GUEST_CALL_PUSHES == 0 && entry == sp;
}

/* Whether an instruction of `length` bytes is a conditional branch. Then it
 * leads to `*distance` bytes behind its end. */
Bool cg2_guest_is_conditional(const UChar* code, UInt length, Int* distance);

/* Whether an instruction of `length` bytes repeats itself, as `rep stos` does,
 * and so is one instruction for the processor, however many rounds it makes. */
Bool cg2_guest_is_repeated(const UChar* code, UInt length);

/* How many bytes the call instruction in front of `behind` has; 0 if none is
 * recognised. GUEST_CALL_MAX bytes in front can be read. */
UInt cg2_guest_call_length(const UChar* behind);

/* Where a trampoline leads whose code is at `code`; 0: it is none. A compiler
 * has a function write one on the stack, to point to a function inside it: it
 * loads the outer function's frame into a register, and jumps.
 * GUEST_TRAMPOLINE_MAX bytes can be read. */
Addr cg2_guest_trampoline_target(const UChar* code);

/* Whether a section of an ELF object holds stubs: code by which a call or jump
 * gets to a function that is looked up when the program runs. */
Bool cg2_guest_is_stub_section(const HChar* name);

#endif
