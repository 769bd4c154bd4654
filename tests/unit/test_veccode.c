/* The code for a processor without AVX-512 is written, and run: instructions of
 * SHA on the lower halves alone. */
#include "arch/cpuid.h"
#include "avx512/veccode.h"
#include "check.h"

#if defined(__x86_64__)

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A guest state as far as the code knows it. */
typedef struct Guest {
   ULong words[16];
   ULong next;
   UChar vectors[16][VEC_HALF];
   UChar uppers[16][VEC_HALF]; /* not for this code */
} Guest;

static const VecState state = {
   .words = offsetof(Guest, words),
   .next = offsetof(Guest, next),
   .vectors = offsetof(Guest, vectors),
   .uppers = offsetof(Guest, uppers),
};

static void fill(Guest* guest)
{
   for (UInt i = 0; i < sizeof guest->vectors; i++)
      (&guest->vectors[0][0])[i] = i * 37 + 5;
   memset(guest->uppers, 0x77, sizeof guest->uppers);
}

/* Executes one instruction on the guest. False: the processor has it not. */
static Bool execute(Guest* guest, const UChar* bytes, UInt n)
{
   enum { BYTES = 4096 };
   VecInstr instr;
   CHECK(cg2_vecdecode_read(bytes, n, &instr));
   CHECK_EQ(instr.length, n);
   if (instr.kinds & ~cg2_cpuid_kinds()) return False;
   UChar* code = mmap(NULL, BYTES, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   CHECK(code != MAP_FAILED);
   VecCode writer = cg2_veccode_begin(&state, code, False);
   cg2_veccode_add(&writer, &instr, bytes, 0x1000);
   const UChar* end = cg2_veccode_end(&writer);
   CHECK(end - code <= VECCODE_MAX + VECCODE_AROUND);
   ((void (*)(Guest*))code)(guest);
   munmap(code, BYTES);
   return True;
}

/* sha256rnds2 xmm3, xmm12, which reads xmm0, too. */
static void test_registers(void)
{
   static const UChar bytes[] = {0x41, 0x0f, 0x38, 0xcb, 0xdc};
   Guest guest, before;
   UChar expected[16];
   fill(&guest);
   before = guest;
   if (!execute(&guest, bytes, sizeof bytes)) return;
   __asm__ volatile("movdqu %1, %%xmm0\n\tmovdqu %2, %%xmm3\n\t"
                    "movdqu %3, %%xmm12\n\tsha256rnds2 %%xmm12, %%xmm3\n\t"
                    "movdqu %%xmm3, %0"
                    : "=m"(expected)
                    : "m"(before.vectors[0]), "m"(before.vectors[3]),
                      "m"(before.vectors[12])
                    : "xmm0", "xmm3", "xmm12");
   CHECK(memcmp(guest.vectors[3], expected, sizeof expected) == 0);
   /* all else is what it was, the second half of that vector, too */
   memcpy(guest.vectors[3], before.vectors[3], sizeof expected);
   CHECK(memcmp(&guest, &before, sizeof guest) == 0);
}

/* sha1msg1 xmm9, [r12 + r13 * 2 + 16] */
static void test_memory(void)
{
   static const UChar bytes[] = {0x47, 0x0f, 0x38, 0xc9, 0x4c, 0x6c, 0x10};
   static UChar memory[64] __attribute__((aligned(16)));
   Guest guest;
   UChar expected[16];
   for (UInt i = 0; i < sizeof memory; i++)
      memory[i] = i * i + 3;
   fill(&guest);
   guest.words[12] = (Addr)memory;
   guest.words[13] = 8;
   memcpy(expected, guest.vectors[9], sizeof expected);
   if (!execute(&guest, bytes, sizeof bytes)) return;
   __asm__ volatile("movdqu %0, %%xmm1\n\tsha1msg1 %1, %%xmm1\n\t"
                    "movdqu %%xmm1, %0"
                    : "+m"(expected)
                    : "m"(*(UChar(*)[16])(memory + 32))
                    : "xmm1");
   CHECK(memcmp(guest.vectors[9], expected, sizeof expected) == 0);
}

/* How many bytes of code an instruction becomes. */
static UInt length_of_code(const UChar* bytes, UInt n)
{
   static UChar code[VECCODE_MAX + VECCODE_AROUND];
   VecInstr instr;
   CHECK(cg2_vecdecode_read(bytes, n, &instr));
   VecCode writer = cg2_veccode_begin(&state, code, False);
   cg2_veccode_add(&writer, &instr, bytes, 0x1000);
   return cg2_veccode_end(&writer) - code;
}

/* Only what an address has is added up: sha1msg1 xmm1, with [rax + rcx], [rax]
 * and [0x1000]. */
static void test_addresses(void)
{
   static const UChar both[] = {0x0f, 0x38, 0xc9, 0x0c, 0x08};
   static const UChar base[] = {0x0f, 0x38, 0xc9, 0x08};
   static const UChar none[] = {0x0f, 0x38, 0xc9, 0x0c, 0x25, 0, 16, 0, 0};
   UInt with_both = length_of_code(both, sizeof both);
   UInt with_base = length_of_code(base, sizeof base);
   CHECK(with_both > with_base);
   CHECK(with_base > length_of_code(none, sizeof none));
}

/* REX extends the register, the index and the base, each by a bit of its own.
 */
static void test_extensions(void)
{
   UChar code[] = {0x40, 0x0f, 0x38, 0xc9, 0x0c, 0x08};
   for (UInt bit = 0; bit < 3; bit++) {
      VecInstr instr; /* sha1msg1 xmm1, [rax + rcx] */
      code[0] = 0x40 | 1 << bit;
      CHECK(cg2_vecdecode_read(code, sizeof code, &instr));
      CHECK_EQ(instr.memory.base, bit == 0 ? 8 : 0);
      CHECK_EQ(instr.memory.index, bit == 1 ? 9 : 1);
      CHECK_EQ(instr.writes, 1U << (bit == 2 ? 9 : 1));
   }
}

/* Code that ends within its instruction is none, and nothing behind it is
 * read: it is in a block of its own. */
static void test_cut(void)
{
   /* vaddps zmm0, zmm0, fs:[eax + 64] */
   static const UChar code[] = {0x64, 0x67, 0x62, 0xf1, 0x7c,
                                0x48, 0x58, 0x40, 0x01};
   for (UInt n = 0; n <= sizeof code; n++) {
      UChar* cut = malloc(n);
      VecInstr instr;
      memcpy(cut, code, n);
      CHECK_EQ(cg2_vecdecode_read(cut, n, &instr), n == sizeof code);
      if (n == sizeof code) CHECK_EQ(instr.length, n);
      free(cut);
   }
}

#else

static void test_registers(void) {}
static void test_memory(void) {}
static void test_cut(void) {}
static void test_addresses(void) {}
static void test_extensions(void) {}

#endif

int main(int n, char** names)
{
   static const Test tests[] = {
      {"registers", test_registers},
      {"memory", test_memory},
      {"addresses", test_addresses},
      {"extensions", test_extensions},
      {"cut", test_cut},
   };
   return check_main(tests, sizeof tests / sizeof *tests, n, names);
}
