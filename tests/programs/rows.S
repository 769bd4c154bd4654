# Rows of accesses to data whose addresses are a register and a constant. What
# each function misses in a cache of few lines is known: before each call `evict`
# reads as many others, and then the stack, a line whose set is that of no line
# that the functions access. Assemble with -nostdlib -static.

        .equ ROUNDS, 100

        .data # without, Valgrind reads no symbols
        .quad   1

        .bss
        .balign 4096
block:  .skip 4096
large:  .skip 8192

        .text
        .globl _start
_start:
        lea     block+1024+5*64(%rip), %rsp
        mov     $ROUNDS, %r12d
        xor     %r13d, %r13d
        mov     $1, %r14d
round:
        .irp    name, near, across, wide, between, skipped, copied, pushed, mixed
        call    evict
        lea     block+1024(%rip), %rdi
        call    \name
        .endr
        dec     %r12d
        jnz     round
        mov     $60, %eax
        xor     %edi, %edi
        syscall

        .macro  function name
        .globl  \name
        .type   \name, @function
\name:
        .endm
        .macro  end name
        .size   \name, . - \name
        .endm

function evict
        lea     large(%rip), %rax
        mov     $256, %ecx
1:      mov     (%rax), %rdx
        add     $32, %rax
        dec     %ecx
        jnz     1b
        ret
end evict

# Into different registers, as VEX leaves out reads that nobody needs. Four reads
# of a line, and one of the next.
function near
        mov     32(%rdi), %rax
        mov     40(%rdi), %rdx
        mov     48(%rdi), %r8
        mov     56(%rdi), %r9
        mov     64(%rdi), %r10
        ret
end near

# The first lies in two lines, and is one miss; those behind it hit.
function across
        mov     60(%rdi), %rax
        mov     52(%rdi), %rdx
        mov     68(%rdi), %r8
        mov     36(%rdi), %r9
        ret
end across

# Three lines: the row ends in front of the fourth read.
function wide
        mov     (%rdi), %rax
        mov     8(%rdi), %rdx
        mov     48(%rdi), %r8
        mov     128(%rdi), %r9
        mov     136(%rdi), %r10
        mov     120(%rdi), %r11
        mov     112(%rdi), %rbx
        ret
end wide

# Another access, whose line has the same set as theirs: in a cache of one way
# it takes it from them, and they take it back.
function between
        mov     (%rdi), %rax
        mov     8(%rdi), %rdx
        mov     2048(%rdi), %r8
        mov     16(%rdi), %r9
        mov     24(%rdi), %r10
        mov     32(%rdi), %r11
        ret
end between

# The last of a row is behind a side exit, and not made: there is nothing to copy.
function skipped
        lea     -8(%rdi), %rsi
        add     $640, %rdi
        mov     %r13d, %ecx
        mov     8(%rsi), %rax
        mov     16(%rsi), %rdx
        rep movsb
        ret
end skipped

# Here there is.
function copied
        lea     -8(%rdi), %rsi
        add     $640, %rdi
        mov     %r14d, %ecx
        mov     8(%rsi), %rax
        mov     16(%rsi), %rdx
        rep movsb
        ret
end copied

# On another stack: five words in a line, one in the line below.
function pushed
        mov     %rsp, %rbp
        lea     40(%rdi), %rsp
        push    %rax
        push    %rbx
        push    %rcx
        push    %rdx
        push    %rsi
        push    %r8
        mov     %rbp, %rsp
        ret
end pushed

# Reads and writes: which of them finds a line missing is what counts it.
function mixed
        mov     %rax, 56(%rdi)
        mov     48(%rdi), %rax
        mov     72(%rdi), %rdx
        mov     %rax, 64(%rdi)
        mov     %rax, 40(%rdi)
        ret
end mixed
