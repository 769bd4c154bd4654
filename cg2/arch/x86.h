/* Constants of amd64 and x86, which share their instructions and the look of
 * their stacks. guest.h says what each of them means. */
#ifndef CG2_X86_H
#define CG2_X86_H

#include "base/vg.h"

/* Source: System V ABI: a call pushes the return address, a return pops it, and
 * arguments may lie above. Intel's manual, volume 2: a call by pointer has up
 * to 7 bytes without an index register. */
enum {
   GUEST_CALL_PUSHES = sizeof(Addr),
   GUEST_LEFT_BEHIND = 64,
   GUEST_CALL_MAX = 7,
   GUEST_INSTR_ALIGN = 1,
   GUEST_TRAMPOLINE_MAX = 28
};

/* Programs may have AVX-512, and the host execute it. */
#if defined(__x86_64__) && !defined(CG2_HOST)
#define GUEST_HAS_AVX512
#endif

/* Source: Linux's system call numbers. */
#if defined(__x86_64__)
enum {
   GUEST_SYSCALL_WRITE = 1,
   GUEST_SYSCALL_OPEN = 2,
   GUEST_SYSCALL_MMAP = 9,
   GUEST_SYSCALL_MUNMAP = 11,
   GUEST_SYSCALL_BRK = 12,
   GUEST_SYSCALL_MREMAP = 25,
   GUEST_SYSCALL_EXECVE = 59,
   GUEST_SYSCALL_PRCTL = 157,
   GUEST_SYSCALL_OPENAT = 257,
   GUEST_SYSCALL_SECCOMP = 317,
   GUEST_SYSCALL_EXECVEAT = 322
};
#else
enum {
   GUEST_SYSCALL_WRITE = 4,
   GUEST_SYSCALL_OPEN = 5,
   GUEST_SYSCALL_EXECVE = 11,
   GUEST_SYSCALL_BRK = 45,
   GUEST_SYSCALL_MUNMAP = 91,
   GUEST_SYSCALL_MREMAP = 163,
   GUEST_SYSCALL_PRCTL = 172,
   GUEST_SYSCALL_MMAP = 192, /* mmap2 */
   GUEST_SYSCALL_OPENAT = 295,
   GUEST_SYSCALL_SECCOMP = 354,
   GUEST_SYSCALL_EXECVEAT = 358
};
#endif

/* Source: VEX's decoder for these processors: only CALL is Ijk_Call. */
static inline Bool cg2_guest_only_jumps(const UChar* code)
{
   (void)code;
   return False;
}

#endif
