/* A function of two unwind ranges that is called at the beginning of each, in
   turns, 10 times; the second has no symbol. Both are called by the same
   instruction. */

   .macro function name
   .type \name, @function
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
   sub $8, %rsp
   call *%rdi
   add $8, %rsp
   ret
   end call

   .type entries, @function
entries:
   .cfi_startproc
   mov $1, %eax
   ret
   .cfi_endproc
.Lsecond:
   .cfi_startproc
   mov $2, %eax
   jmp 1f
1: inc %eax
   jmp 1f
1: inc %eax
   jmp 1f
1: inc %eax
   jmp 1f
1: ret
   .cfi_endproc
   .size entries, . - entries

   function main
   push %rbx
   mov $10, %ebx
1: lea entries(%rip), %rdi
   call call
   lea .Lsecond(%rip), %rdi
   call call
   dec %ebx
   jnz 1b
   xor %eax, %eax
   pop %rbx
   ret
   end main

   .section .note.GNU-stack, "", @progbits
