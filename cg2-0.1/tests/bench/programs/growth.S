/* COUNT functions f0, f1, ... and `table`, their addresses.  Written in
   assembly because a C compiler takes minutes for 64,000 functions.

   Each is `unsigned f(unsigned x) { return 3 * x + number; }`.  */

#ifndef __x86_64__
#error "growth.S is written for amd64"
#endif

	.altmacro

	.macro define number
	.globl	f\number
	.type	f\number, @function
f\number:
	leal	\number(%rdi,%rdi,2), %eax
	ret
	.size	f\number, . - f\number
	.p2align 4
	.endm

	.macro enter number
	.quad	f\number
	.endm

	.text
	.p2align 4
	.set	next, 0
	.rept	COUNT
	define	%next
	.set	next, next + 1
	.endr

	.section .data.rel.ro, "aw"
	.globl	table
	.type	table, @object
table:
	.set	next, 0
	.rept	COUNT
	enter	%next
	.set	next, next + 1
	.endr
	.size	table, . - table

	.section .note.GNU-stack, "", @progbits
