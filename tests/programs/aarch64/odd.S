/* Calls and returns as compilers seldom write them.

   - where_am_i calls its own next instruction, to learn where it is.
   - pops_two removes its two arguments from the stack of its caller.
   - by_return returns to reached, through another register than calls set: not a
     return.
   - drops returns for between, which called it, to between's caller.
   - leaves_words returns to behind its call with two words left on the stack,
     as the code of JavaScript engines does. */

   .macro function name
   .globl \name
   .type \name, @function
\name:
   .endm

   .macro end name
   .size \name, . - \name
   .endm

   .text

   function where_am_i
   mov x9, x30
   bl 1f
1: adr x1, 1b
   sub x0, x30, x1
   ret x9
   end where_am_i

   function pops_two
   ldp x0, x1, [sp], #16
   sub x0, x0, x1
   ret
   end pops_two

   function call_pops_two
   mov x9, x30
   mov x0, #10
   mov x1, #3
   stp x0, x1, [sp, #-16]!
   bl pops_two
   ret x9
   end call_pops_two

   function by_return
   nop
   adr x1, reached
   ret x1
   end by_return

   function reached
   mov x0, #2
   ret
   end reached

   function between
   str x30, [sp, #-16]!
   bl drops
   mov x0, #1000           // never reached
   ret
   end between

   function drops
   ldr x30, [sp], #16
   mov x0, #4
   ret
   end drops

   function leaves_words
   sub sp, sp, #16
   str x0, [sp]
   ret
   end leaves_words

   function call_leaves_words
   mov x9, x30
   bl leaves_words
   add sp, sp, #16
   mov x0, #6
   ret x9
   end call_leaves_words

   .section .note.GNU-stack, "", @progbits
