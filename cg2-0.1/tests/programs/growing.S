/* A whole program without libc: one function of 8,000 blocks that calls itself
   from its middle, so that new blocks of it are met while it runs at several
   levels of recursion.

   big(b) runs 2,000 units: test, jz, and a nop if bit (unit mod 4) of b is set.
   Between the first thousand and the second it calls big(b + 1) if b < 15.
   _start calls big(0), and then big(15) 3 times. So big(b) costs 2000 * 2 + 500
   * (number of bits set in b) + 3 (cmp, jae, ret), and 3 more (inc, call, dec)
   if b < 15. */

   .macro units
   .rept 250
   test $1, %bl
   jz 1f
   nop
1: test $2, %bl
   jz 1f
   nop
1: test $4, %bl
   jz 1f
   nop
1: test $8, %bl
   jz 1f
   nop
1:
   .endr
   .endm

   .text
   .globl big
   .type big, @function
big:
   units
   cmp $15, %bl
   jae 2f
   inc %ebx
   call big
   dec %ebx
2: units
   ret
   .size big, .-big

   .globl _start
   .type _start, @function
_start:
   xor %ebx, %ebx
   call big
   mov $15, %ebx
   call big
   call big
   call big
   mov $60, %eax
   xor %edi, %edi
   syscall
   .size _start, .-_start

   .data
   .quad 1

   .section .note.GNU-stack, "", @progbits
