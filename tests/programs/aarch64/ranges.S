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
   stp x19, x30, [sp, #-16]!
   mov w19, #1000
1: bl first
   subs w19, w19, #1
   b.ne 1b
   mov w0, #0
   ldp x19, x30, [sp], #16
   ret
   end main

   function callee
   nop
   ret
   end callee

   function first
   mov x9, x30
   bl callee
   end first

   function behind
   nop
   nop
   cmp w19, #0
   b.ne 1f
   nop
1: ret x9
   end behind

   .section .note.GNU-stack, "", @progbits
