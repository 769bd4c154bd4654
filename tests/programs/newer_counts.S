/* Instructions that Valgrind does not know, beside others: `newer` executes 9
 * with ret, reads 4 times beside ret, and writes once. */
   .globl _start
   .type _start, @function
_start:
   lea data(%rip), %rsi
   call newer
   mov $60, %eax
   xor %edi, %edi
   syscall
   .size _start, . - _start

   .type newer, @function
newer:
   sha256msg1 (%rsi), %xmm1
   sha1nexte %xmm1, %xmm2
   vaesenc 32(%rsi), %ymm1, %ymm2
   gf2p8mulb 16(%rsi), %xmm3
   paddd 48(%rsi), %xmm3
   sha1rnds4 $1, %xmm3, %xmm2
   vgf2p8affineqb $3, %ymm2, %ymm1, %ymm4
   vmovdqu %ymm4, 64(%rsi)
   ret
   .size newer, . - newer

   .data
   .balign 64
data:
   .zero 128
   .section .note.GNU-stack, "", @progbits
