/* Calls of the next instruction, as code may read the program counter: nothing
   is called. What is called besides:

   - pops, reads and drops (by main, 5 times each) do with the return address
     what they like. The call of reads begins a block.
   - twice (by main, 4 times) returns to behind its call first, so it does its
     work twice.
   - onward (by main, 3 times) returns to leaf in its stead: a tail call.
   - between (by main, 3 times) calls leaf behind such a call.
   - again(n) calls itself, n deep, behind such a call.
   - last (by main, twice) ends in a call of the function behind it: a call, as
     what begins there is another function. */

   .macro function name
   .globl \name
   .type \name, @function
\name:
   .endm

   .macro end name
   .size \name, . - \name
   .endm

   .text

   function leaf
   nop
   ret
   end leaf

   function pops
   mov x9, x30
   bl 1f
1: mov x0, x30
   ret x9
   end pops

   function reads
   mov x9, x30
   b 1f
   nop
1: bl 1f
1: mov x0, x30
   mov x30, x9
   ret
   end reads

   function drops
   mov x9, x30
   bl 1f
1: ret x9
   end drops

   function twice
   mov x9, x30
   bl 1f
1: mov x10, x30
   mov x30, x9
   ret x10
   end twice

   function onward
   mov x9, x30
   bl 1f
1: adr x10, leaf
   mov x30, x9
   ret x10
   end onward

   function between
   mov x9, x30
   bl 1f
1: bl leaf
   ret x9
   end between

   function again
   stp x29, x30, [sp, #-16]!
   mov x1, x0
   bl 1f
1: mov x0, #1
   cbz x1, 2f
   sub x0, x1, #1
   bl again
   add x0, x0, #1
2: ldp x29, x30, [sp], #16
   ret
   end again

   function last
   mov x9, x30
   bl behind
   end last

   function behind
   nop
   ret x9
   end behind

   .section .note.GNU-stack, "", @progbits
