/* A whole program of 32 bits without libc that repeats instructions: see
   rounds.S. */

   .text
   .globl _start
   .type _start, @function
_start:
   cld
   mov lengths, %ecx
   mov $area, %edi
   xor %eax, %eax
   rep stosb               #= 101 100
   mov $area, %edi
   mov $area, %esi
   mov lengths+4, %ecx
   repe cmpsl              #= 6 5
   movb $1, area+3
   mov $area, %edi
   mov $1, %al
   mov $50, %ecx
   repne scasb             #= 4 3
   mov $17, %ecx
   rep lodsb               #= 18 17
   mov $0, %ecx
   rep movsb               #= 1 0
   mov $1, %eax
   xor %ebx, %ebx
   int $0x80
   .size _start, .-_start

   .data
lengths:
   .long 100, 5
   .bss
area:
   .skip 1024
   .section .note.GNU-stack, "", @progbits
