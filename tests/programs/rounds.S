/* A whole program without libc that repeats instructions. A line of it that
   does says `#= N R`: how often Ir counts it, a round each and once more if it
   ends because %rcx is zero, and how many of these are not its first. */

   .text

   .globl store
   .type store, @function
store:
   lea area(%rip), %rdi
   xor %eax, %eax
   cld
   mov (%rsi), %ecx
   rep stosb               #= 303 300
   ret
   .size store, .-store

   .globl compare
   .type compare, @function
compare:
   mov $3, %ebx
1: lea area(%rip), %rdi
   mov %rdi, %rsi
   mov %ebx, %ecx
   repe cmpsb              #= 9 6
   dec %ebx
   jnz 1b
   ret
   .size compare, .-compare

   .globl search
   .type search, @function
search:
   movb $1, area+3(%rip)
   lea area(%rip), %rdi
   mov $1, %al
   mov $50, %ecx
   repne scasb             #= 8 6
   ret
   .size search, .-search

   .globl known
   .type known, @function
known:
   lea area(%rip), %rdi
   mov $17, %ecx
   rep stosq               #= 18 17
   mov $0, %ecx
   rep stosq               #= 1 0
   lea area(%rip), %rsi
   mov $5, %ecx
   rep movsw               #= 6 5
   ret
   .size known, .-known

   /* Instructions that lead to themselves, and are one each time. */
   .globl loops
   .type loops, @function
loops:
   mov $40, %ecx
1: loop 1b
   rep ret
   .size loops, .-loops

   .globl _start
   .type _start, @function
_start:
   lea lengths(%rip), %rsi
   call store
   add $4, %rsi
   call store
   add $4, %rsi
   call store
   call compare
   call search
   call search
   call known
   call loops
   mov $60, %eax
   xor %edi, %edi
   syscall
   .size _start, .-_start

   .data
lengths:
   .long 0, 100, 200
   .bss
area:
   .skip 1024
   .section .note.GNU-stack, "", @progbits
