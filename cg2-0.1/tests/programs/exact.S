/* A whole program without libc, whose every instruction says how often it runs:
   `#= N` at the end of its line. A repeated string instruction counts once for
   each repetition, and once more if it ends because %rcx is zero. */

   .text

   .globl straight
   .type straight, @function
straight:
   mov $1, %eax            #= 5
   mov $2, %ecx            #= 5
   add %ecx, %eax          #= 5
   lea 3(%rax), %edx       #= 5
   push %rdx               #= 5
   pop %rax                #= 5
   imul $3, %eax, %eax     #= 5
   xor %ecx, %eax          #= 5
   nop                     #= 5
   ret                     #= 5
   .size straight, .-straight

   .globl looped
   .type looped, @function
looped:
   mov $100, %ecx          #= 3
1: dec %ecx                #= 300
   jnz 1b                  #= 300
   mov $40, %ecx           #= 3
2: nop                     #= 120
   loop 2b                 #= 120
   jrcxz 3f                #= 3
   nop                     #= 0
3: ret                     #= 3
   .size looped, .-looped

   .globl inner
   .type inner, @function
inner:
   mov $7, %edx            #= 24
4: sub $1, %edx            #= 168
   jnz 4b                  #= 168
   ret                     #= 24
   .size inner, .-inner

   .globl outer
   .type outer, @function
outer:
   push %rbx               #= 4
   mov $6, %ebx            #= 4
5: call inner              #= 24
   dec %ebx                #= 24
   jnz 5b                  #= 24
   pop %rbx                #= 4
   ret                     #= 4
   .size outer, .-outer

   .globl branches
   .type branches, @function
branches:
   test $1, %ebx           #= 8
   jz 6f                   #= 8
   nop                     #= 4
   cmp $3, %ebx            #= 4
   je 7f                   #= 4
   nop                     #= 3
6: cmp $6, %ebx            #= 7
   cmovb %eax, %ecx        #= 7
   setb %dl                #= 7
   ja 8f                   #= 7
7: nop                     #= 6
   ret                     #= 6
8: ret                     #= 2
   .size branches, .-branches

   .globl strings
   .type strings, @function
strings:
   lea area(%rip), %rdi    #= 2
   xor %eax, %eax          #= 2
   cld                     #= 2
   mov $17, %ecx           #= 2
   rep stosb               #= 36
   mov $0, %ecx            #= 2
   rep stosb               #= 2
   lea area(%rip), %rsi    #= 2
   lea area+64(%rip), %rdi #= 2
   mov $5, %ecx            #= 2
   rep movsq               #= 12
   movb $1, area+3(%rip)   #= 2
   lea area(%rip), %rdi    #= 2
   mov $1, %al             #= 2
   mov $50, %ecx           #= 2
   repne scasb             #= 8
   stosb                   #= 2
   ret                     #= 2
   .size strings, .-strings

   .globl locked
   .type locked, @function
locked:
   mov $0, %eax            #= 2
   mov $1, %ecx            #= 2
   lock cmpxchg %ecx, area+128(%rip) #= 2
   lock addl $1, area+132(%rip)      #= 2
   xchg %eax, area+136(%rip)         #= 2
   ret                     #= 2
   .size locked, .-locked

   .globl straight_200
   .type straight_200, @function
straight_200:
   .rept 200
   nop                     #= 400
   .endr
   ret                     #= 2
   .size straight_200, .-straight_200

   .globl _start
   .type _start, @function
_start:
   mov $5, %ebx            #= 1
1: call straight           #= 5
   dec %ebx                #= 5
   jnz 1b                  #= 5
   mov $3, %ebx            #= 1
1: call looped             #= 3
   dec %ebx                #= 3
   jnz 1b                  #= 3
   mov $4, %r12d           #= 1
1: call outer              #= 4
   dec %r12d               #= 4
   jnz 1b                  #= 4
   mov $8, %ebx            #= 1
1: call branches           #= 8
   dec %ebx                #= 8
   jnz 1b                  #= 8
   mov $2, %ebx            #= 1
1: call strings            #= 2
   call locked             #= 2
   call straight_200       #= 2
   dec %ebx                #= 2
   jnz 1b                  #= 2
   mov $60, %eax           #= 1
   xor %edi, %edi          #= 1
   syscall                 #= 1
   .size _start, .-_start

   .data
   .balign 64
area:
   .fill 256, 1, 0

   .section .note.GNU-stack, "", @progbits
