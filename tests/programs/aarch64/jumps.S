/* Jumps between functions that no compiler writes.

   - enter_middle jumps into the middle of host: no call, and what runs there is
     still enter_middle's.
   - chain_a jumps to chain_b's first instruction, chain_b to chain_c's, which
     returns to main: calls.
   - falls runs off its end into below, the next function in memory: no call. */

   .macro function name
   .globl \name
   .type \name, @function
\name:
   .endm

   .macro end name
   .size \name, . - \name
   .endm

   .text

   function host
   mov w0, #1
middle:
   add w0, w0, #10
   add w0, w0, #100
   ret
   end host

   function enter_middle
   mov w0, #2
   b middle
   end enter_middle

   function chain_a
   mov w0, #3
   b chain_b
   end chain_a

   function chain_b
   add w0, w0, #3
   adr x1, chain_c
   br x1
   end chain_b

   function chain_c
   add w0, w0, #3
   ret
   end chain_c

   function falls
   mov w0, #4
   add w0, w0, #4
   end falls

   function below
   add w0, w0, #1
   ret
   end below

   .section .note.GNU-stack, "", @progbits
