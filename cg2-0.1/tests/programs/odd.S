/* Calls and returns as compilers seldom write them.

   - where_am_i calls its own next instruction and pops the return address, to
     learn where it is.
   - pops_two returns with `ret $16`, which removes its two arguments.
   - by_return pushes the address of reached and returns to it: not a return.
   - drops removes its own return address and returns for between, which called
     it, to between's caller.
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
   call 1f
1: pop %rax
   lea 1b(%rip), %rcx
   sub %rcx, %rax
   ret
   end where_am_i

   function pops_two
   mov 8(%rsp), %rax
   sub 16(%rsp), %rax
   ret $16
   end pops_two

   function call_pops_two
   push $3
   push $10
   call pops_two
   ret
   end call_pops_two

   function by_return
   lea reached(%rip), %rax
   push %rax
   ret
   end by_return

   function reached
   mov $2, %eax
   ret
   end reached

   function between
   call drops
   mov $1000, %eax         # never reached
   ret
   end between

   function drops
   add $8, %rsp
   mov $4, %eax
   ret
   end drops

   function leaves_words
   push %rdi
   push 8(%rsp)
   ret
   end leaves_words

   function call_leaves_words
   call leaves_words
   add $16, %rsp
   mov $6, %eax
   ret
   end call_leaves_words

   .section .note.GNU-stack, "", @progbits
