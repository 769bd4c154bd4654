/* A whole program without libc with branches of each kind, one kind in each
   function. Each begins at a multiple of 512 bytes, and its branch lies where
   no other's does in the predictors' tables. */

   .text

   .macro function name
   .p2align 9, 0x90
   .globl \name
   .type \name, @function
\name:
   .endm

   .macro end name
   .size \name, .-\name
   .endm

   function _start
   call loops
   call alternates
   call returns
   call stays
   call changes
   call copies
   call locks
   call moves
   call knows
   mov $60, %eax
   xor %edi, %edi
   syscall
   end _start

   /* Taken 999 times, then not. */
   function loops
   mov $1000, %ecx
1: dec %ecx
   jnz 1b
   ret
   end loops

   /* Every second time, 400 times; and the loop. */
   function alternates
   .skip 20, 0x90
   mov $400, %ecx
1: test $1, %ecx
   jz 2f
   nop
2: dec %ecx
   jnz 1b
   ret
   end alternates

   /* From two places in turn: a return is no branch. */
   function returns
   call nothing
   call nothing
   ret
   end returns
   function nothing
   ret
   end nothing

   /* A jump to one target, 100 times. */
   function stays
   .skip 40, 0x90
   mov $100, %ecx
   lea 2f(%rip), %rax
   jmp 1f
1: jmp *%rax
2: dec %ecx
   jnz 1b
   ret
   end stays

   /* Calls of two functions in turn, 60 of each. */
   function changes
   .skip 60, 0x90
   mov $120, %ecx
   lea nothing(%rip), %rax
   lea again(%rip), %rdx
   jmp 1f
1: xchg %rax, %rdx
   call *%rax
   dec %ecx
   jnz 1b
   ret
   end changes
   function again
   ret
   end again

   /* 25 bytes: a round for each, and one that finds that none is left. */
   function copies
   .skip 80, 0x90
   mov $25, %ecx
   lea bytes(%rip), %rsi
   lea bytes+32(%rip), %rdi
   jmp 1f
1: rep movsb
   ret
   end copies

   /* Tried once. */
   function locks
   .skip 90, 0x90
   lock incl bytes(%rip)
   ret
   end locks

   /* What has to be aligned is, which is no branch. */
   function moves
   movaps bytes(%rip), %xmm0
   lea bytes(%rip), %rax
   movaps %xmm0, 16(%rax)
   ret
   end moves

   /* Where this goes is known in its block; so a jump in front of the others
      begins one. */
   function knows
   lea 1f(%rip), %rax
   jmp *%rax
1: ret
   end knows

   .data
   .p2align 6
bytes:
   .skip 64

   .section .note.GNU-stack, "", @progbits
