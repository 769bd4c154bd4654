/* Code of a part of AVX-512 that not each processor has: FP16 unless
 * another name is defined. */
   .globl _start
   .type _start, @function
_start:
#if defined(VBMI)
   vpermb %zmm1, %zmm2, %zmm3
#elif defined(VBMI2)
   vpshldvd %zmm1, %zmm2, %zmm3
#elif defined(IFMA)
   vpmadd52luq %zmm1, %zmm2, %zmm3
#elif defined(VNNI)
   vpdpbusd %zmm1, %zmm2, %zmm3
#elif defined(BITALG)
   vpopcntb %zmm1, %zmm3
#elif defined(VPOPCNTDQ)
   vpopcntd %zmm1, %zmm3
#elif defined(BF16)
   vdpbf16ps %zmm1, %zmm2, %zmm3
#elif defined(VP2INTERSECT)
   vp2intersectd %zmm1, %zmm2, %k2
#elif defined(GFNI)
   vgf2p8mulb %zmm1, %zmm2, %zmm3
#elif defined(VAES)
   vaesenc %zmm1, %zmm2, %zmm3
#elif defined(VPCLMULQDQ)
   vpclmulqdq $1, %zmm1, %zmm2, %zmm3
#else
   .byte 0x62, 0xf5, 0x6c, 0x48, 0x58, 0xd9     # vaddph %zmm1, %zmm2, %zmm3
#endif
   mov $60, %eax
   xor %edi, %edi
   syscall
   .size _start, . - _start
   .section .note.GNU-stack, "", @progbits
