/* Constants of s390x, which compiles but has not run yet. guest.h says what
 * each of them means. */
#ifndef CG2_S390X_H
#define CG2_S390X_H

#include "base/vg.h"

/* Source: z/Architecture Principles of Operation: BRASL and BASR put the return
 * address into a register; instructions have two, four or six bytes. */
enum {
   GUEST_CALL_PUSHES = 0,
   GUEST_LEFT_BEHIND = 64,
   GUEST_CALL_MAX = 6,
   GUEST_INSTR_ALIGN = 2
};

/* Source: Linux's system call numbers. */
enum {
   GUEST_SYSCALL_EXECVE = 11,
   GUEST_SYSCALL_BRK = 45,
   GUEST_SYSCALL_MMAP = 90,
   GUEST_SYSCALL_MUNMAP = 91,
   GUEST_SYSCALL_MREMAP = 163,
   GUEST_SYSCALL_EXECVEAT = 354
};

/* Source: VEX's decoder for this processor: BRAS, BRASL, BAS and BASR are
 * Ijk_Call. */
static inline Bool cg2_guest_only_jumps(const UChar* code)
{
   (void)code;
   return False;
}

#endif
