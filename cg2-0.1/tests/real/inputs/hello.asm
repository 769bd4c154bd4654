; Linked without libc.
global _start
section .data
text: db "from nasm", 10
length equ $ - text
section .text
_start:
   mov rcx, 1000
.again:
   dec rcx
   jnz .again
   mov eax, 1
   mov edi, 1
   mov rsi, text
   mov edx, length
   syscall
   mov eax, 60
   mov edi, 6
   syscall
