/* A call that is the last instruction of its unwind range and yet returns: the
   range behind, which is another function's, goes on. Not as a compiler does
   it, which puts only calls that do not return there. */

   .macro function name
   .type \name, @function
\name:
   .cfi_startproc
   .endm

   .macro end name
   .cfi_endproc
   .size \name, . - \name
   .endm

   .text
   .globl main

   function main
   push %rbx
   mov $1000, %ebx
1: call first
   dec %ebx
   jnz 1b
   xor %eax, %eax
   pop %rbx
   ret
   end main

   function callee
   nop
   ret
   end callee

   function first
   nop
   call callee
   end first

   function behind
   nop
   nop
   test %ebx, %ebx
   jne 1f
   nop
1: ret
   end behind

   .section .note.GNU-stack, "", @progbits
