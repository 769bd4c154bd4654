/* A whole program without libc, whose every instruction says how often it runs:
   `#= N` at the end of its line. */

   .text

   .globl straight
   .type straight, @function
straight:
   mov w0, #1              //#= 5
   mov w1, #2              //#= 5
   add w0, w0, w1          //#= 5
   add w2, w0, #3          //#= 5
   str x2, [sp, #-16]!     //#= 5
   ldr x0, [sp], #16       //#= 5
   mul w0, w0, w1          //#= 5
   eor w0, w0, w1          //#= 5
   nop                     //#= 5
   ret                     //#= 5
   .size straight, .-straight

   .globl looped
   .type looped, @function
looped:
   mov w1, #100            //#= 3
1: subs w1, w1, #1         //#= 300
   b.ne 1b                 //#= 300
   mov w1, #40             //#= 3
2: sub w1, w1, #1          //#= 120
   cbnz w1, 2b             //#= 120
   cbz w1, 3f              //#= 3
   nop                     //#= 0
3: ret                     //#= 3
   .size looped, .-looped

   .globl inner
   .type inner, @function
inner:
   mov w2, #7              //#= 24
4: subs w2, w2, #1         //#= 168
   b.ne 4b                 //#= 168
   ret                     //#= 24
   .size inner, .-inner

   .globl outer
   .type outer, @function
outer:
   stp x29, x30, [sp, #-16]! //#= 4
   mov w20, #6             //#= 4
5: bl inner                //#= 24
   subs w20, w20, #1       //#= 24
   b.ne 5b                 //#= 24
   ldp x29, x30, [sp], #16 //#= 4
   ret                     //#= 4
   .size outer, .-outer

   .globl branches
   .type branches, @function
branches:
   tst w19, #1             //#= 8
   b.eq 6f                 //#= 8
   nop                     //#= 4
   cmp w19, #3             //#= 4
   b.eq 7f                 //#= 4
   tbz w19, #0, 8f         //#= 3
6: cmp w19, #6             //#= 7
   csel w1, w0, w1, lo     //#= 7
   cset w2, lo             //#= 7
   b.hi 8f                 //#= 7
7: nop                     //#= 6
   ret                     //#= 6
8: ret                     //#= 2
   .size branches, .-branches

   .globl strings
   .type strings, @function
strings:
   adrp x0, area           //#= 2
   add x0, x0, :lo12:area  //#= 2
   mov w1, #9              //#= 2
1: strb wzr, [x0], #1      //#= 18
   subs w1, w1, #1         //#= 18
   b.ne 1b                 //#= 18
   sub x0, x0, #9          //#= 2
   ldp x2, x3, [x0]        //#= 2
   stp x2, x3, [x0, #64]   //#= 2
   ld1 {v0.16b-v3.16b}, [x0] //#= 2
   st1 {v0.16b-v3.16b}, [x0] //#= 2
   ldr w4, [x0], #4        //#= 2
   str w4, [x0, #-4]!      //#= 2
   tbz x4, #63, 2f         //#= 2
   nop                     //#= 0
2: ccmp w4, #0, #0, eq     //#= 2
   prfm pldl1keep, [x0]    //#= 2
   dmb ish                 //#= 2
   nop                     //#= 2
   ret                     //#= 2
   .size strings, .-strings

   .globl locked
   .type locked, @function
locked:
   adrp x0, area           //#= 2
   add x0, x0, :lo12:area  //#= 2
1: ldaxr w1, [x0]          //#= 2
   add w1, w1, #1          //#= 2
   stlxr w2, w1, [x0]      //#= 2
   cbnz w2, 1b             //#= 2
   ret                     //#= 2
   .size locked, .-locked

   .globl straight_200
   .type straight_200, @function
straight_200:
   .rept 200
   nop                     //#= 400
   .endr
   ret                     //#= 2
   .size straight_200, .-straight_200

   .globl _start
   .type _start, @function
_start:
   mov w19, #5             //#= 1
1: bl straight             //#= 5
   subs w19, w19, #1       //#= 5
   b.ne 1b                 //#= 5
   mov w19, #3             //#= 1
1: bl looped               //#= 3
   subs w19, w19, #1       //#= 3
   b.ne 1b                 //#= 3
   mov w21, #4             //#= 1
1: bl outer                //#= 4
   subs w21, w21, #1       //#= 4
   b.ne 1b                 //#= 4
   mov w19, #8             //#= 1
1: bl branches             //#= 8
   subs w19, w19, #1       //#= 8
   b.ne 1b                 //#= 8
   mov w19, #2             //#= 1
1: bl strings              //#= 2
   bl locked               //#= 2
   bl straight_200         //#= 2
   subs w19, w19, #1       //#= 2
   b.ne 1b                 //#= 2
   mov x8, #93             //#= 1
   mov x0, #0              //#= 1
   svc #0                  //#= 1
   .size _start, .-_start

   .data
   .balign 64
area:
   .fill 256, 1, 0

   .section .note.GNU-stack, "", @progbits
