/* Asks for all that a program can be told of the machine, the time and chance,
 * each in a function of its own, and executes as many instructions as the bytes
 * of the answers say. So what it costs is what it is told. */
   .data
   .balign 64
buffer:
   .fill 512, 1, 0xff

   .text
/* Executes two instructions for each unit of each of %rcx bytes. */
   .type spend, @function
spend:
   lea buffer(%rip), %rsi
1: movzbl (%rsi), %eax
2: dec %eax
   jns 2b
   inc %rsi
   dec %rcx
   jnz 1b
   ret
   .size spend, .-spend

   .macro begin name
   .type \name, @function
\name:
   .endm
   .macro finish name, bytes
   mov $\bytes, %ecx
   call spend
   ret
   .size \name, .-\name
   .endm
   .macro ask number, a=$0, b=$0, c=$0, d=$0
   mov $\number, %eax
   mov \a, %rdi
   mov \b, %rsi
   mov \c, %rdx
   mov \d, %r10
   syscall
   .endm

begin stack
   mov %rbx, buffer(%rip)
finish stack, 8

/* The entries that say no address: the size of pages, users, what the processor
 * can do, clock ticks. */
begin auxiliary
   lea buffer(%rip), %rdi
   xor %ecx, %ecx
2: mov (%rsi), %rax
   mov 8(%rsi), %rdx
   add $16, %rsi
   test %rax, %rax
   jz 4f
   cmp $6, %rax
   je 3f
   cmp $11, %rax
   jb 2b
   cmp $23, %rax
   ja 2b
   cmp $15, %rax
   je 2b
3: mov %rdx, (%rdi)
   add $8, %rdi
   jmp 2b
4: mov %rdi, %rcx
   lea buffer(%rip), %rax
   sub %rax, %rcx
   call spend
   ret
   .size auxiliary, .-auxiliary

   .macro leaf number, part, at
   mov $\number, %eax
   mov $\part, %ecx
   cpuid
   mov %eax, \at+buffer(%rip)
   mov %ebx, \at+4+buffer(%rip)
   mov %ecx, \at+8+buffer(%rip)
   mov %edx, \at+12+buffer(%rip)
   .endm
begin processor
   push %rbx
   leaf 0, 0, 0
   leaf 1, 0, 16
   leaf 2, 0, 32
   leaf 4, 0, 48
   leaf 4, 1, 64
   leaf 4, 2, 80
   leaf 4, 3, 96
   leaf 7, 0, 112
   leaf 11, 0, 128
   leaf 13, 0, 144
   leaf 0x80000000, 0, 160
   leaf 0x80000001, 0, 176
   leaf 0x80000006, 0, 192
   leaf 0x80000008, 0, 208
   xor %ecx, %ecx
   xgetbv
   mov %eax, 224+buffer(%rip)
   pop %rbx
finish processor, 228

begin ticks
   rdtsc
   mov %eax, buffer(%rip)
   mov %edx, 4+buffer(%rip)
   rdtsc
   mov %eax, 8+buffer(%rip)
finish ticks, 12

begin clock
   ask 228, $0, $buffer
   ask 228, $1, $buffer+16
   ask 228, $2, $buffer+32
finish clock, 48

begin chance
   ask 318, $buffer, $64
   rdrand %rax
   mov %rax, 64+buffer(%rip)
finish chance, 72

begin affinity
   ask 204, $0, $128, $buffer
finish affinity, 8

begin kernel
   ask 63, $buffer
finish kernel, 390

begin memory
   ask 99, $buffer
finish memory, 112

begin ids
   ask 39
   mov %eax, buffer(%rip)
   ask 110
   mov %eax, 4+buffer(%rip)
   ask 186
   mov %eax, 8+buffer(%rip)
   ask 102
   mov %eax, 12+buffer(%rip)
   ask 104
   mov %eax, 16+buffer(%rip)
finish ids, 20

begin limits
   ask 97, $3, $buffer
   ask 97, $4, $buffer+16
   ask 97, $7, $buffer+32
finish limits, 48

/* A second of sleep, and what the clock says then. */
begin sleep
   movq $1, buffer(%rip)
   movq $0, 8+buffer(%rip)
   ask 35, $buffer, $0
   ask 228, $1, $buffer
finish sleep, 16

   .globl _start
   .type _start, @function
_start:
   mov %rsp, %rbx
   call stack
   call processor
   call ticks
   call clock
   call chance
   call affinity
   call kernel
   call memory
   call ids
   call limits
   call sleep
   /* How many variables there are is no matter. */
   mov (%rbx), %rax
   lea 16(%rbx,%rax,8), %rsi
1: mov (%rsi), %rax
   add $8, %rsi
   test %rax, %rax
   jnz 1b
   call auxiliary
   ask 60, $0
   .size _start, .-_start
   .section .note.GNU-stack, "", @progbits
