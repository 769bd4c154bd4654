/* Constants of arm64. guest.h says what each of them means. */
#ifndef CG2_ARM64_H
#define CG2_ARM64_H

#include "base/vg.h"

/* Source: Arm's manual: BL and BLR put the return address into register 30, and
 * all instructions have four bytes. */
enum {
   GUEST_CALL_PUSHES = 0,
   GUEST_LEFT_BEHIND = 64,
   GUEST_CALL_MAX = 4,
   GUEST_INSTR_ALIGN = 4,
   GUEST_TRAMPOLINE_MAX = 40
};

/* Source: Linux's system call numbers. 1024 is that of `open` on processors
 * that have it; this one does not. */
enum {
   GUEST_SYSCALL_OPENAT = 56,
   GUEST_SYSCALL_WRITE = 64,
   GUEST_SYSCALL_PRCTL = 167,
   GUEST_SYSCALL_BRK = 214,
   GUEST_SYSCALL_MUNMAP = 215,
   GUEST_SYSCALL_MREMAP = 216,
   GUEST_SYSCALL_EXECVE = 221,
   GUEST_SYSCALL_MMAP = 222,
   GUEST_SYSCALL_SECCOMP = 277,
   GUEST_SYSCALL_EXECVEAT = 281,
   GUEST_SYSCALL_OPEN = 1024
};

/* Source: Arm's manual: B has the upper bits 000101, BL 100101. VEX says
 * Ijk_Call of both. */
static inline Bool cg2_guest_only_jumps(const UChar* code)
{
   return code[3] >> 2 == 5;
}

#endif
