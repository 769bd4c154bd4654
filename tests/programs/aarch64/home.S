/* Code without a symbol that two functions run: `helper` is reached by jumps, so
   it belongs to whoever jumped, and it jumps to `first`, which is a call by
   `second` but not by `first` itself. */

   .text
   .globl first, second
   .type first, @function
first:
   nop
   b helper
   .size first, . - first

helper:
   cmp w0, #0
   b.eq 1f
   sub w0, w0, #1
   adr x1, first
   br x1
1: ret

   .type second, @function
second:
   nop
   nop
   b helper
   .size second, . - second

   .section .note.GNU-stack, "", @progbits
