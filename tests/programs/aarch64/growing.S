/* A whole program without libc: one function of 8,000 blocks that calls itself
   from its middle, so that new blocks of it are met while it runs at several
   levels of recursion.

   big(b) runs 2,000 units: tst, b.eq, and a nop if bit (unit mod 4) of b is set.
   Between the first thousand and the second it calls big(b + 1) if b < 15.
   _start calls big(0), and then big(15) 3 times. So big(b) costs 2000 * 2 + 500
   * (number of bits set in b) + 3 (cmp, b.hs, ret), and 5 more (add, str, bl,
   ldr, sub) if b < 15. */

   .macro units
   .rept 250
   tst w19, #1
   b.eq 1f
   nop
1: tst w19, #2
   b.eq 1f
   nop
1: tst w19, #4
   b.eq 1f
   nop
1: tst w19, #8
   b.eq 1f
   nop
1:
   .endr
   .endm

   .text
   .globl big
   .type big, @function
big:
   units
   cmp w19, #15
   b.hs 2f
   add w19, w19, #1
   str x30, [sp, #-16]!
   bl big
   ldr x30, [sp], #16
   sub w19, w19, #1
2: units
   ret
   .size big, .-big

   .globl _start
   .type _start, @function
_start:
   mov w19, #0
   bl big
   mov w19, #15
   bl big
   bl big
   bl big
   mov x8, #93
   mov x0, #0
   svc #0
   .size _start, .-_start

   .data
   .quad 1

   .section .note.GNU-stack, "", @progbits
