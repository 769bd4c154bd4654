/* A whole program without libc whose returns a return stack of 32 places knows,
   but for those of calls that are too many, and those that go elsewhere. */

   .text
   .globl _start
   .type _start, @function
_start:
   mov $31, %edi      /* 32 calls in each other: all are known */
   call deeper
   mov $40, %edi      /* 41: 9 are forgotten */
   call deeper
   call elsewhere
   hlt
1: call next          /* no call: nothing comes back behind it */
next:
   pop %rax
   mov $60, %eax
   xor %edi, %edi
   syscall
   .size _start, .-_start

   /* Three functions in turn, so that 32 calls earlier is another one. */
   .macro function name, callee
   .type \name, @function
\name:
   test %edi, %edi
   jz 2f
   dec %edi
   call \callee
2: ret
   .size \name, .-\name
   .endm

   function deeper, second
   function second, third
   function third, deeper

   .type elsewhere, @function
elsewhere:            /* comes back three instructions later */
   movq $1b, (%rsp)
   call leaf
   ret
   .size elsewhere, .-elsewhere

   .type leaf, @function
leaf:
   ret
   .size leaf, .-leaf

   .section .note.GNU-stack, "", @progbits
