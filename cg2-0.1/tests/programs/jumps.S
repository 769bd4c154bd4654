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
   mov $1, %eax
middle:
   add $10, %eax
   add $100, %eax
   ret
   end host

   function enter_middle
   mov $2, %eax
   jmp middle
   end enter_middle

   function chain_a
   mov $3, %eax
   jmp chain_b
   end chain_a

   function chain_b
   add $3, %eax
   lea chain_c(%rip), %rcx
   jmp *%rcx
   end chain_b

   function chain_c
   add $3, %eax
   ret
   end chain_c

   function falls
   mov $4, %eax
   add $4, %eax
   end falls

   function below
   add $1, %eax
   ret
   end below

   .section .note.GNU-stack, "", @progbits
