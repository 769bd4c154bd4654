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
   dec %ecx
   jz 1f
   jmp pong
1: ret
   end ping

   function pong
   nop
   nop
   dec %ecx
   jz 1f
   jmp ping
1: ret
   end pong

   function main
   mov $N, %ecx
   call ping
   xor %eax, %eax
   ret
   end main

   .section .note.GNU-stack, "", @progbits
