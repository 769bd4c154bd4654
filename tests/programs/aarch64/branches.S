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
   mov w1, #10
1: subs w1, w1, #1
   b.ne 1b /*= 9/10 */

   /* Forward, taken every other time; and one without a condition. */
   mov w1, #6
1: tst w1, #1
   b.eq 2f /*= 3/6 */
   nop
   b 3f /*= 3 */
2: nop
3: subs w1, w1, #1
   b.ne 1b /*= 5/6 */

   /* The same by the branches that compare, and that test a bit. */
   mov w1, #6
1: tbz w1, #0, 2f /*= 3/6 */
   tbnz w1, #2, 2f /*= 1/3 */
   nop
2: sub w1, w1, #1
   cbnz w1, 1b /*= 5/6 */

   /* Branches by constants: VEX knows what the branches do. */
   mov w19, #4
1: mov w0, #0
   cmp w0, #5
   b.gt 4f
   cmp w0, #5
   b.ne 2f /*= 4/4 */
   nop
2: mov w0, #0
   cbz w0, 3f /*= 4/4 */
   nop
3: subs w19, w19, #1
   b.ne 1b /*= 3/4 */
4:
   /* The first round of this is known, the others are not. */
   mov w0, #0
1: cmp w0, #5
   b.ge 2f /*= 1/6 */
   add w0, w0, #1
   b 1b /*= 5 */
2:
   mov w1, #7
1: nop
   sub w1, w1, #1
   cbnz w1, 1b /*= 6/7 */
   cbz w1, 2f /*= 1/1 */
   nop
2:
   /* No jumps: a branch to the next instruction, moves and compares on
      conditions, and exclusive stores. */
   adrp x2, buffer
   add x2, x2, :lo12:buffer
   mov w19, #4
1: tst w19, #2
   b.eq 2f
2: csel w0, w19, w0, eq
   ccmp w0, #0, #0, ne
   ldaxr w3, [x2]
   stlxr w4, w3, [x2]
   subs w19, w19, #1
   b.ne 1b /*= 3/4 */

   mov w19, #8
1: mov w0, w19
   bl chosen
   bl jumping
   bl around
   subs w19, w19, #1
   b.ne 1b /*= 7/8 */

   mov x8, #93
   mov x0, #0
   svc #0
   end _start

   /* A table of four: each is reached twice. */
   function chosen
   and x0, x0, #3
   adrp x1, table
   add x1, x1, :lo12:table
   ldrsw x2, [x1, x0, lsl #2]
   add x1, x1, x2
   br x1 /*= 2 2 2 2 */
0: nop
1: nop
2: nop
3: ret
   end chosen

   /* To another function's first instruction: a call. Into its middle it is none. */
   function jumping
   tst w19, #1
   b.eq last
   tst w19, #2
   b.eq middle /*= 2/4 */
   b last
   end jumping

   function last
   nop
middle:
   ret
   end last

   /* A loop that begins with its function: jumping left w0 as chosen did. */
   function around
   sub w0, w0, #1
   cmn w0, #2
   b.gt around /*= 20/28 */
   ret
   end around

   .section .rodata
   .p2align 2
table:
   .word 0b - table, 1b - table, 2b - table, 3b - table

   .bss
   .skip 64
buffer:
   .skip 64

   .section .note.GNU-stack, "", @progbits
