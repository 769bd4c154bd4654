/* Calls of the next instruction, as code reads the program counter: nothing is
   called. What is called besides:

   - pops, reads and drops (by main, 5 times each) take the word that was pushed
     off the stack, each in its own way. The call of reads begins a block.
   - twice (by main, 4 times) returns to behind its call first, so it does its
     work twice.
   - onward (by main, 3 times) puts the address of leaf there, and returns to
     it: a tail call.
   - between (by main, 3 times) calls leaf with the word on the stack.
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

#ifdef __x86_64__
#define WORD 8
#define ADD addq
#define A %rax
#define SP %rsp
#define ARGUMENT %rdi
#else
#define WORD 4
#define ADD addl
#define A %eax
#define SP %esp
#define ARGUMENT %edx
#endif

   .text

   function leaf
   nop
   ret
   end leaf

   function pops
   nop
   call 1f
1: pop A
   ret
   end pops

   function reads
   test A, A
   jmp 1f
   nop
1: call 1f
1: mov (SP), A
   add $WORD, SP
   ret
   end reads

   function drops
   call 1f
1: add $WORD, SP
   ret
   end drops

   function twice
   call 1f
1: nop
   nop
   ret
   end twice

   function onward
   call 1f
1: ADD $leaf - 1b, (SP)
   ret
   end onward

   function between
   call 1f
1: call leaf
   add $WORD, SP
   ret
   end between

   function again
#ifndef __x86_64__
   mov 4(SP), ARGUMENT
#endif
   call 1f
1: add $WORD, SP
   mov $1, A
   test ARGUMENT, ARGUMENT
   jz 2f
   dec ARGUMENT
   push ARGUMENT
   call again
   add $WORD, SP
   inc A
2: ret
   end again

   function last
   nop
   call behind
   end last

   function behind
   add $WORD, SP
   ret
   end behind

   .section .note.GNU-stack, "", @progbits
