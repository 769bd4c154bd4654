/* Code without a symbol that two functions run: `helper` is reached by jumps, so
   it belongs to whoever jumped, and it jumps to `first`, which is a call by
   `second` but not by `first` itself. */

	.text
	.globl first, second
	.type first, @function
first:	nop
	jmp helper
	.size first, . - first

helper:	test %edi, %edi
	je 1f
	dec %edi
	lea first(%rip), %rax
	jmp *%rax
1:	ret

	.type second, @function
second:	nop
	nop
	jmp helper
	.size second, . - second

	.section .note.GNU-stack, "", @progbits
