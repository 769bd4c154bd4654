/* A chain of N tail calls, in which two functions jump to each other: `ping` has 3 instructions, `pong` 5,
   and the one at the end 3 or 5 as well. All calls of the chain return at once. */

   .macro function name
   .globl \name
   .type \name, @function
\name:
   .cfi_startproc
   .endm

   .macro end name
   .cfi_endproc
   .size \name, . - \name
   .endm

   .text

   function ping
   subs w1, w1, #1
   b.eq 1f
   b pong
1: ret
   end ping

   function pong
   nop
   nop
   subs w1, w1, #1
   b.eq 1f
   b ping
1: ret
   end pong

   function main
   stp x29, x30, [sp, #-16]!
   .cfi_def_cfa_offset 16
   .cfi_offset 29, -16
   .cfi_offset 30, -8
   ldr w1, =N
   bl ping
   mov w0, #0
   ldp x29, x30, [sp], #16
   .cfi_def_cfa_offset 0
   .cfi_restore 29
   .cfi_restore 30
   ret
   end main

   .section .note.GNU-stack, "", @progbits
