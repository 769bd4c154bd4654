/* A whole program without libc whose branches follow pseudo-random numbers:
   conditional ones that lean to one side more or less, and that never go there,
   loops, and indirect jumps and calls with one target or several. Their
   addresses meet in the predictors' tables and differ. */

   .text

   /* The next number in %eax; some of its bits in %ecx. */
   .macro chance mask
   imul $1103515245, %eax, %eax
   add $12345, %eax
   mov %eax, %ecx
   shr $16, %ecx
   and $\mask, %ecx
   .endm

   .macro forward mask, jump, distance
   chance \mask
   \jump 1f
   .skip \distance, 0x90
1:
   .endm

   /* Through one of four entries. */
   .macro indirect mask, through
   chance \mask
   .ifc \through, jmp
   jmp *1f(, %rcx, 8)
2: nop
3: nop
4: nop
   .section .rodata
1: .quad 2b, 3b, 4b, 2b
   .text
   .else
   call *functions(, %rcx, 8)
   .endif
   .endm

   .globl _start
   .type _start, @function
_start:
   mov $300, %ebx
   mov $12345, %eax
5: .set distance, 0
   .rept 24
   forward 1, jz, distance+1
   forward 3, jnz, 3
   forward 7, jz, distance*5+2
   indirect 1, jmp
   forward 15, jz, 130
   test %ebx, %ebx
   js 8f
   chance 3
   inc %ecx
6: dec %ecx
   jnz 6b
   indirect 3, call
   .set distance, distance + 1
   .endr
   indirect 0, jmp
   dec %ebx
   jz 7f
   jmp 5b
7: mov $60, %eax
   xor %edi, %edi
   syscall
8: hlt
   .size _start, .-_start

   .globl first
   .type first, @function
first:
   ret
   .size first, .-first

   .globl second
   .type second, @function
second:
   test $4, %eax
   jz 1f
   nop
1: ret
   .size second, .-second

   .section .rodata
functions:
   .quad first, second, first, second

   .section .note.GNU-stack, "", @progbits
