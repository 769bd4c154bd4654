/* A whole program without libc with branches of each kind, one kind in each
   function. Each begins at a multiple of 2,048 bytes, and its branch lies where
   no other's does in the predictors' tables. */

   .text

   .macro function name
   .p2align 11
   .globl \name
   .type \name, @function
\name:
   .endm

   .macro end name
   .size \name, .-\name
   .endm

   .macro skip n
   .rept \n
   nop
   .endr
   .endm

   function _start
   bl loops
   bl alternates
   bl returns
   bl stays
   bl changes
   bl copies
   bl locks
   bl moves
   bl knows
   mov x8, #93
   mov x0, #0
   svc #0
   end _start

   /* Taken 999 times, then not. */
   function loops
   mov w1, #1000
1: subs w1, w1, #1
   b.ne 1b
   ret
   end loops

   /* Every second time, 400 times; and the loop. */
   function alternates
   skip 20
   mov w1, #400
1: tst w1, #1
   b.eq 2f
   nop
2: subs w1, w1, #1
   b.ne 1b
   ret
   end alternates

   /* From two places in turn: a return is no branch. */
   function returns
   mov x9, x30
   bl nothing
   bl nothing
   ret x9
   end returns
   function nothing
   ret
   end nothing

   /* A jump to one target, 100 times. */
   function stays
   skip 40
   mov w1, #100
   adr x0, 2f
   b 1f
1: br x0
2: subs w1, w1, #1
   b.ne 1b
   ret
   end stays

   /* Calls of two functions in turn, 60 of each. */
   function changes
   skip 60
   mov x9, x30
   mov w1, #120
   adr x0, nothing
   adr x2, again
   b 1f
1: mov x3, x0
   mov x0, x2
   mov x2, x3
   blr x0
   subs w1, w1, #1
   b.ne 1b
   ret x9
   end changes
   function again
   ret
   end again

   /* 26 bytes, by the branch that compares. */
   function copies
   skip 80
   mov w1, #26
   adrp x2, bytes
   add x2, x2, :lo12:bytes
   b 1f
1: ldrb w3, [x2], #1
   strb w3, [x2, #31]
   sub w1, w1, #1
   cbnz w1, 1b
   ret
   end copies

   /* Tried once. */
   function locks
   skip 90
   adrp x2, bytes
   add x2, x2, :lo12:bytes
1: ldaxr w3, [x2]
   add w3, w3, #1
   stlxr w4, w3, [x2]
   cbnz w4, 1b
   ret
   end locks

   /* What is chosen on a condition is no branch. */
   function moves
   cmp w0, #3
   csel w0, w1, w2, eq
   cinc w0, w0, ne
   ccmp w0, #0, #0, ne
   ret
   end moves

   /* Where this goes is known in its block; so a jump in front of the others
      begins one. */
   function knows
   adr x0, 1f
   br x0
1: ret
   end knows

   .data
   .p2align 6
bytes:
   .skip 64

   .section .note.GNU-stack, "", @progbits
