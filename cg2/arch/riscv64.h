/* Constants of riscv64, which compiles but has not run yet. guest.h says what
 * each of them means. */
#ifndef CG2_RISCV64_H
#define CG2_RISCV64_H

#include "base/vg.h"

/* Source: RISC-V's manual, volume 1: JAL and JALR put the return address into a
 * register; instructions have four bytes, or two where they are compressed. */
enum {
   GUEST_CALL_PUSHES = 0,
   GUEST_LEFT_BEHIND = 64,
   GUEST_CALL_MAX = 4,
   GUEST_INSTR_ALIGN = 2
};

/* Source: Linux's system call numbers, asm-generic. */
enum {
   GUEST_SYSCALL_BRK = 214,
   GUEST_SYSCALL_MUNMAP = 215,
   GUEST_SYSCALL_MREMAP = 216,
   GUEST_SYSCALL_EXECVE = 221,
   GUEST_SYSCALL_MMAP = 222,
   GUEST_SYSCALL_EXECVEAT = 281
};

/* Source: VEX's decoder for this processor: JAL and JALR that link are
 * Ijk_Call. */
static inline Bool cg2_guest_only_jumps(const UChar* code)
{
   (void)code;
   return False;
}

#endif
