/* Jumps of all kinds. Behind each line that jumps stands `= taken/executed`,
   or `= n` for a jump without a condition. */

   .macro function name
   .globl \name
   .type \name, @function
\name:
   .endm

   .macro end name
   .size \name, . - \name
   .endm

   .text

   function _start
   /* A loop: VEX turns the branch round. */
   mov $10, %ecx
1: dec %ecx
   jnz 1b /*= 9/10 */

   /* Forward, taken every other time; and one without a condition. */
   mov $6, %ecx
1: test $1, %ecx
   jz 2f /*= 3/6 */
   nop
   jmp 3f /*= 3 */
2: nop
3: dec %ecx
   jnz 1b /*= 5/6 */

   /* Branches by constants: VEX knows what the branches do. */
   mov $4, %ebx
1: xor %eax, %eax
   cmp $5, %eax
   jg 4f
   cmp $5, %eax
   jne 2f /*= 4/4 */
   nop
2: mov $0, %eax
   test %eax, %eax
   jz 3f /*= 4/4 */
   nop
3: dec %ebx
   jnz 1b /*= 3/4 */
4:
   /* The first round of this is known, the others are not. */
   xor %eax, %eax
1: cmp $5, %eax
   jge 2f /*= 1/6 */
   add $1, %eax
   jmp 1b /*= 5 */
2:
   mov $7, %ecx
1: nop
   loop 1b /*= 6/7 */
   jrcxz 2f /*= 1/1 */
   nop
2:
   /* Instructions that repeat themselves. */
   cld
   mov $20, %ecx
   lea buffer(%rip), %rdi
   rep stosb /*= 20/21 */
   mov $3, %ebx
1: lea buffer(%rip), %rdi
   mov %rdi, %rsi
   mov %ebx, %ecx
   repe cmpsb /*= 6/9 */
   dec %ebx
   jnz 1b /*= 2/3 */

   /* No jumps: a branch to the next instruction, and moves on conditions. */
   mov $4, %ebx
1: test $2, %ebx
   jz 2f
2: cmovz %ebx, %eax
   lock incl buffer(%rip)
   dec %ebx
   jnz 1b /*= 3/4 */

   mov $8, %ebx
1: mov %ebx, %edi
   call chosen
   call jumping
   call around
   dec %ebx
   jnz 1b /*= 7/8 */

   mov $60, %eax
   xor %edi, %edi
   syscall
   end _start

   /* A table of four: each is reached twice. */
   function chosen
   and $3, %edi
   lea table(%rip), %rax
   movslq (%rax, %rdi, 4), %rdx
   add %rax, %rdx
   jmp *%rdx /*= 2 2 2 2 */
0: nop
1: nop
2: nop
3: ret
   end chosen

   /* To another function's first instruction: a call. Into its middle it is none. */
   function jumping
   test $1, %ebx
   jz last
   test $2, %ebx
   jz middle /*= 2/4 */
   jmp last
   end jumping

   function last
   nop
middle:
   ret
   end last

   /* A loop that begins with its function. */
   function around
   dec %edi
   cmp $-2, %edi
   jg around /*= 20/28 */
   ret
   end around

   .section .rodata
table:
   .long 0b - table, 1b - table, 2b - table, 3b - table

   .bss
   .skip 64
buffer:
   .skip 64

   .section .note.GNU-stack, "", @progbits
