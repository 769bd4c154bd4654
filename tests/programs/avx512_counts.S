/* Instructions of AVX-512 whose counts and accesses are known. Each function is
 * called once. */
   .globl _start
   .type _start, @function
_start:
   mov $0x55, %eax
   kmovd %eax, %k1            # every other of 8
   mov $0x3c, %eax
   kmovd %eax, %k2            # 2 to 5
   kxorw %k3, %k3, %k3
   vpxord %zmm1, %zmm1, %zmm1
   vmovdqu32 indices(%rip), %zmm2
   lea data(%rip), %rsi
   call plain
   call masked
   call elements
   call packed
   call registers
   call changing
   call shuffled
   call lines
   mov $60, %eax
   xor %edi, %edi
   syscall
   .size _start, . - _start

/* 3 reads of 64, 4, and 16 bytes; 2 writes of 64 and 32. */
   .type plain, @function
plain:
   vmovdqu32 (%rsi), %zmm3
   vpaddd 4(%rsi){1to16}, %zmm3, %zmm3
   vpsrld 16(%rsi), %zmm3, %zmm3
   vmovdqu32 %zmm3, 64(%rsi)
   vmovdqu32 %ymm3, 128(%rsi)
   ret
   .size plain, . - plain

/* 3 reads, 1 write; nothing where the mask is empty. */
   .type masked, @function
masked:
   vmovdqu64 (%rsi), %zmm3{%k2}
   vaddpd (%rsi), %zmm1, %zmm3{%k1}
   vmovdqu64 (%rsi), %zmm3{%k3}
   vmovdqu64 %zmm3, (%rsi){%k3}
   vpaddd 4(%rsi){1to16}, %zmm3, %zmm3{%k3}
   vpaddd 4(%rsi){1to16}, %zmm3, %zmm3{%k1}
   vmovdqu8 %zmm3, (%rsi){%k1}
   ret
   .size masked, . - masked

/* 4 reads by a gather, 4 writes by a scatter. */
   .type elements, @function
elements:
   kmovw %k1, %k4
   vpgatherdd (%rsi,%zmm2,4), %zmm3{%k4}
   kmovw %k2, %k4
   vpscatterdd %zmm3, 8(%rsi,%zmm2,4){%k4}
   ret
   .size elements, . - elements

/* 1 read of 16 bytes, 1 write of 16. */
   .type packed, @function
packed:
   vpexpandd (%rsi), %zmm3{%k1}{z}
   vpcompressd %zmm3, (%rsi){%k1}
   ret
   .size packed, . - packed

/* No access. */
   .type registers, @function
registers:
   vpaddd %zmm3, %zmm3, %zmm4
   kortestw %k1, %k1
   jz 1f
   vpcmpeqd %zmm3, %zmm3, %k5
1: kmovw %k5, %eax
   ret
   .size registers, . - registers

/* An address that the instruction in front of it says; 2 reads. */
   .type changing, @function
changing:
   vmovq %rsi, %xmm17
   vmovq %xmm17, %rdi
   vpord 64(%rdi), %zmm3, %zmm3
   vpcmpeqd %zmm3, %zmm3, %k5
   vmovdqu32 128(%rdi), %zmm3{%k5}
   ret
   .size changing, . - changing

/* Memory that a mask does not choose from; 2 reads. */
   .type shuffled, @function
shuffled:
   vpermd (%rsi), %zmm2, %zmm3{%k3}
   vpunpckldq 64(%rsi), %zmm2, %zmm3{%k1}
   ret
   .size shuffled, . - shuffled

/* The mask chooses what lies in the second of two lines, and so the
 * first one is read later: 3 reads, 2 misses. */
   .type lines, @function
lines:
   mov $0xf0, %eax
   kmovd %eax, %k6
   vmovdqu64 cold - 32(%rip), %zmm3{%k6}
   vmovdqu64 cold(%rip), %zmm3
   vmovdqu64 cold - 64(%rip), %zmm3
   ret
   .size lines, . - lines

   .data
   .balign 64
indices:
   .int 0, 16, 32, 48, 3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0
data:
   .zero 1024
cold:
   .zero 64
   .section .note.GNU-stack, "", @progbits
