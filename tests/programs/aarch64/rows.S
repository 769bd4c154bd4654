/* Rows of accesses to data whose addresses are a register and a constant. What
   each function misses in a cache of few lines is known: before each call
   `evict` reads as many others. Assemble with -nostdlib -static. */

   .equ ROUNDS, 100

   .data                   // without, Valgrind reads no symbols
   .quad 1

   .bss
   .balign 4096
block:
   .skip 4096
large:
   .skip 8192

   .text

   .macro function name
   .globl \name
   .type \name, @function
\name:
   .endm

   .macro end name
   .size \name, . - \name
   .endm

   function _start
   mov w19, #ROUNDS
round:
   .irp name, near, across, wide, between, pairs, pushed, mixed
   bl evict
   adrp x0, block + 1024
   add x0, x0, :lo12:block + 1024
   bl \name
   .endr
   subs w19, w19, #1
   b.ne round
   mov x8, #93
   mov x0, #0
   svc #0
   end _start

   function evict
   adrp x0, large
   add x0, x0, :lo12:large
   mov w1, #256
1: ldr x2, [x0], #32
   subs w1, w1, #1
   b.ne 1b
   ret
   end evict

   /* Into different registers, as VEX leaves out reads that nobody needs. Four
      reads of a line, and one of the next. */
   function near
   ldr x1, [x0, #32]
   ldr x2, [x0, #40]
   ldr x3, [x0, #48]
   ldr x4, [x0, #56]
   ldr x5, [x0, #64]
   ret
   end near

   /* The first lies in two lines, and is one miss; those behind it hit. */
   function across
   ldur x1, [x0, #60]
   ldur x2, [x0, #52]
   ldur x3, [x0, #68]
   ldur x4, [x0, #36]
   ret
   end across

   /* Three lines: the row ends in front of the fourth read. */
   function wide
   ldr x1, [x0]
   ldr x2, [x0, #8]
   ldr x3, [x0, #48]
   ldr x4, [x0, #128]
   ldr x5, [x0, #136]
   ldr x6, [x0, #120]
   ldr x7, [x0, #112]
   ret
   end wide

   /* The third is to a line that has the set of the others: in a cache of one way
      it takes it from them, and they take it back. */
   function between
   ldr x1, [x0]
   ldr x2, [x0, #8]
   ldr x3, [x0, #2048]
   ldr x4, [x0, #16]
   ldr x5, [x0, #24]
   ldr x6, [x0, #32]
   ret
   end between

   /* Two words each: the second pair lies in two lines. */
   function pairs
   ldp x1, x2, [x0, #32]
   ldp x3, x4, [x0, #56]
   ldp x5, x6, [x0, #64]
   ret
   end pairs

   /* On another stack: two pairs in a line, one in the line below. */
   function pushed
   mov x9, sp
   add x1, x0, #32
   mov sp, x1
   stp x1, x2, [sp, #-16]!
   stp x3, x4, [sp, #-16]!
   stp x5, x6, [sp, #-16]!
   mov sp, x9
   ret
   end pushed

   /* Reads and writes: which of them finds a line missing is what counts it. */
   function mixed
   str x1, [x0, #56]
   ldr x1, [x0, #48]
   ldr x2, [x0, #72]
   str x1, [x0, #64]
   str x1, [x0, #40]
   ret
   end mixed

   .section .note.GNU-stack, "", @progbits
