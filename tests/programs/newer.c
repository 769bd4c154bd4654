/* Instructions that Valgrind does not know and that are not of AVX-512: each is
 * executed many times on random registers and memory. Prints a line for each
 * kind that the processor has, which is told as an argument, with a sum over
 * what it left; the same wherever it runs. */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 200 };

typedef struct Vector {
   uint64_t words[8];
} __attribute__((aligned(64))) Vector;

static uint64_t chance = 1;

static uint64_t draw(void)
{
   chance ^= chance << 13;
   chance ^= chance >> 7;
   chance ^= chance << 17;
   return chance * 0x2545f4914f6cdd1d;
}

static Vector draw_vector(void)
{
   Vector v;
   for (int i = 0; i < 8; i++)
      v.words[i] = draw();
   return v;
}

static uint64_t mixed(uint64_t sum, const Vector* v, int n_words)
{
   for (int i = 0; i < n_words; i++)
      sum = (sum ^ v->words[i]) * 0x100000001b3;
   return sum;
}

/* Vectors 0, 3 and 12 are loaded with 32 bytes, the instruction is executed
 * with `memory` in rsi, index 2 in r9, and all of them are stored. */
#define TRY(instruction)                                                       \
   do {                                                                        \
      uint64_t sum = 0;                                                        \
      for (int i = 0; i < ROUNDS; i++) {                                       \
         Vector a = draw_vector(), b = draw_vector(), c = draw_vector();       \
         Vector memory[2] = {draw_vector(), draw_vector()};                    \
         __asm__ volatile("vmovdqa %0, %%ymm0\n\tvmovdqa %1, %%ymm3\n\t"       \
                          "vmovdqa %2, %%ymm12\n\t" instruction "\n\t"         \
                          "vmovdqa %%ymm0, %0\n\tvmovdqa %%ymm3, %1\n\t"       \
                          "vmovdqa %%ymm12, %2\n\tvzeroupper"                  \
                          : "+m"(a), "+m"(b), "+m"(c), "+m"(memory)            \
                          : "S"(memory), "r"(draw() | 1)                       \
                          : "r9", "r10", "xmm0", "xmm3", "xmm12");             \
         sum = mixed(mixed(mixed(sum, &a, 8), &b, 8), &c, 8);                  \
         sum = mixed(mixed(sum, &memory[0], 8), &memory[1], 8);                \
      }                                                                        \
      printf("%-52s %016lx\n", instruction, sum);                              \
   } while (0)

static void try_sha(void)
{
   TRY("sha1nexte %%xmm12, %%xmm3");
   TRY("sha1msg1 %%xmm3, %%xmm12");
   TRY("sha1msg2 (%%rsi), %%xmm3");
   TRY("sha256rnds2 %%xmm3, %%xmm12");
   TRY("sha256msg1 16(%%rsi), %%xmm12");
   TRY("movl $2, %%r9d; sha256msg2 (%%rsi,%%r9,8), %%xmm3");
   TRY("movl $2, %%r9d; sha1rnds4 $2, 16(%%rsi,%%r9,8), %%xmm12");
   TRY("sha1rnds4 $3, %%xmm12, %%xmm3");
}

static void try_gfni(void)
{
   TRY("gf2p8mulb %%xmm12, %%xmm3");
   TRY("gf2p8affineqb $7, (%%rsi), %%xmm12");
   TRY("gf2p8affineinvqb $9, %%xmm3, %%xmm12");
   TRY("vgf2p8mulb %%ymm12, %%ymm3, %%ymm0");
   TRY("vgf2p8mulb 5(%%rsi), %%xmm12, %%xmm3");
   TRY("vgf2p8affineqb $200, 3(%%rsi), %%ymm3, %%ymm12");
   TRY("vgf2p8affineinvqb $1, %%xmm0, %%xmm3, %%xmm3");
}

static void try_vaes(void)
{
   TRY("vaesenc %%ymm12, %%ymm3, %%ymm0");
   TRY("vaesenclast 1(%%rsi), %%ymm0, %%ymm12");
   TRY("vaesdec %%ymm3, %%ymm12, %%ymm12");
   TRY("vaesdeclast (%%rsi), %%ymm3, %%ymm3");
}

static void try_vpclmul(void)
{
   TRY("vpclmulqdq $0x11, %%ymm12, %%ymm3, %%ymm0");
   TRY("vpclmulqdq $0x10, 7(%%rsi), %%ymm0, %%ymm12");
}

static void try_vnni(void)
{
   TRY("%{vex%} vpdpbusd %%ymm12, %%ymm3, %%ymm0");
   TRY("%{vex%} vpdpbusds (%%rsi), %%xmm3, %%xmm12");
   TRY("%{vex%} vpdpwssd %%xmm12, %%xmm3, %%xmm0");
   TRY("%{vex%} vpdpwssds 1(%%rsi), %%ymm12, %%ymm3");
}

static void try_movdiri(void)
{
   TRY("movl $0x12345678, %%r9d; movdiri %%r9d, (%%rsi)");
   TRY("movabs $0x123456789abcdef, %%r10; movl $1, %%r9d;"
       "movdiri %%r10, 8(%%rsi,%%r9,8)");
}

/* What is said of the processor is not the same in each run. */
static void try_rdpid(void)
{
   uint64_t processor;
   __asm__ volatile("rdpid %0" : "=r"(processor));
   printf("rdpid %d\n", (processor & 0xfff) < 4096);
}

static const struct {
   const char* name;
   void (*try)(void);
} kinds[] = {{"sha_ni", try_sha},    {"gfni", try_gfni},
             {"vaes", try_vaes},     {"vpclmulqdq", try_vpclmul},
             {"avx_vnni", try_vnni}, {"movdiri", try_movdiri},
             {"rdpid", try_rdpid}};

int main(int argc, char** argv)
{
   for (int i = 1; i < argc; i++)
      for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
         if (strcmp(argv[i], kinds[k].name) == 0) kinds[k].try();
   return 0;
}
