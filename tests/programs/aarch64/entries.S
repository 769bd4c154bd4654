/* A function of two unwind ranges that is called at the beginning of each, in
   turns, 10 times; the second has no symbol. Both are called by the same
   instruction. */

   .macro function name
   .type \name, %function
\name:
   .cfi_startproc
   .endm

   .macro end name
   .cfi_endproc
   .size \name, . - \name
   .endm

   .text
   .globl main

   function call
   str x30, [sp, #-16]!
   blr x0
   ldr x30, [sp], #16
   ret
   end call

   .type entries, %function
entries:
   .cfi_startproc
   mov w0, #1
   ret
   .cfi_endproc
.Lsecond:
   .cfi_startproc
   mov w0, #2
   b 1f
1: add w0, w0, #1
   b 1f
1: add w0, w0, #1
   b 1f
1: add w0, w0, #1
   b 1f
1: ret
   .cfi_endproc
   .size entries, . - entries

   function main
   stp x19, x30, [sp, #-16]!
   mov w19, #10
1: adr x0, entries
   bl call
   adr x0, .Lsecond
   bl call
   subs w19, w19, #1
   b.ne 1b
   mov w0, #0
   ldp x19, x30, [sp], #16
   ret
   end main

   .section .note.GNU-stack, "", %progbits
