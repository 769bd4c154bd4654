/* What instructions of AVX-512 do by MXCSR: denormals that are taken for 0, and
 * exceptions that are not masked; and what handlers do to it. Prints the same
 * wherever it runs. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { PLAIN = 0x1f80, DENORMALS_ARE_0 = 0x40, RESULTS_ARE_0 = 0x8000 };

static void set(unsigned mxcsr)
{
   __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
}

static unsigned now(void)
{
   unsigned mxcsr;
   __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
   return mxcsr;
}

static uint64_t bits(double number)
{
   uint64_t word;
   memcpy(&word, &number, sizeof word);
   return word;
}

static sigjmp_buf back;
static uint64_t where;

static void handle(int number, siginfo_t* info, void* context)
{
   const unsigned mxcsr = now();
   const ucontext_t* c = context;
   uint64_t at = c->uc_mcontext.gregs[REG_RIP];
   printf("   signal %d, code %d, at %d, by %d, mxcsr %x\n", number,
          info->si_code, (int)(at - where),
          (int)((uint64_t)info->si_addr - where), mxcsr);
   siglongjmp(back, 1);
}

/* Handlers that go on: behind an EVEX instruction of registers, and with
 * memory that is there. */
static void skip(int number, siginfo_t* info, void* context)
{
   const unsigned mxcsr = now();
   ucontext_t* c = context;
   printf("   signal %d, code %d, mxcsr %x\n", number, info->si_code, mxcsr);
   c->uc_mcontext.gregs[REG_RIP] += 6;
}

static void* page;

static void repair(int number, siginfo_t* info, void* context)
{
   const unsigned mxcsr = now();
   (void)context;
   printf("   signal %d, code %d, mxcsr %x\n", number, info->si_code, mxcsr);
   mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

/* An operation in a run of others, on 8 doubles that are `a` and `b`. */
#define TRY(what, mxcsr, operation, a, b)                                      \
   do {                                                                        \
      double left = a, right = b, result = -1;                                 \
      unsigned then = 0;                                                       \
      printf("%s by %x\n", what, (unsigned)(mxcsr));                           \
      if (!sigsetjmp(back, 1)) {                                               \
         set(mxcsr);                                                           \
         __asm__ volatile("lea 1f(%%rip), %%rax\n\tmov %%rax, %3\n\t"          \
                          "vbroadcastsd %1, %%zmm3\n\t"                        \
                          "vbroadcastsd %2, %%zmm4\n\t"                        \
                          "1:\t" operation "\n\t"                              \
                          "vmovsd %%xmm3, %0"                                  \
                          : "=m"(result)                                       \
                          : "m"(left), "m"(right), "m"(where)                  \
                          : "rax", "memory", "xmm3", "xmm4");                  \
         then = now();                                                         \
      }                                                                        \
      set(PLAIN);                                                              \
      printf("   %lx, mxcsr %x\n", bits(result), then);                        \
   } while (0)

#define ADD    "vaddpd %%zmm4, %%zmm3, %%zmm3"
#define MUL    "vmulpd %%zmm4, %%zmm3, %%zmm3"
#define DIV    "vdivpd %%zmm4, %%zmm3, %%zmm3"
#define SILENT "vdivpd %{rz-sae%}, %%zmm4, %%zmm3, %%zmm3"

static void try_all(unsigned more)
{
   const double tiny = 4e-320, small = 3e-308, large = 1e308, zero = 0;
   for (unsigned i = 0; i <= 6; i++) {
      unsigned mxcsr = (PLAIN & ~(i < 6 ? 0x80u << i : 0)) | more;
      TRY("denormal", mxcsr, ADD, tiny, 1.0);
      TRY("denormals", mxcsr, ADD, tiny, tiny);
      TRY("underflow", mxcsr, MUL, small, 0.3);
      TRY("overflow", mxcsr, MUL, large, 100.0);
      TRY("division by 0", mxcsr, DIV, 1.0, zero);
      TRY("invalid", mxcsr, DIV, zero, zero);
      TRY("inexact", mxcsr, DIV, 1.0, 3.0);
      TRY("exact", mxcsr, DIV, 1.0, 2.0);
      TRY("silent", mxcsr, SILENT, 1.0, zero);
   }
}

/* In one run, 3 / 10 raises that it is inexact, then 3 / 0 is done or faults,
 * then the load may fault. */
static void go_on(unsigned mxcsr)
{
   double three = 3, ten = 10, result = -1;
   mprotect(page, 4096, PROT_NONE);
   printf("goes on by %x\n", mxcsr);
   set(mxcsr);
   __asm__ volatile("vbroadcastsd %1, %%zmm3\n\tvbroadcastsd %2, %%zmm4\n\t"
                    "vpxorq %%zmm5, %%zmm5, %%zmm5\n\t"
                    "vdivpd %%zmm4, %%zmm3, %%zmm6\n\t"
                    "vdivpd %%zmm5, %%zmm3, %%zmm6\n\t"
                    "vmovdqu64 (%3), %%zmm7\n\t"
                    "vaddpd %%zmm6, %%zmm7, %%zmm6\n\t"
                    "vmovsd %%xmm6, %0"
                    : "=m"(result)
                    : "m"(three), "m"(ten), "r"(page)
                    : "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "memory");
   unsigned then = now();
   set(PLAIN);
   printf("   %lx, mxcsr %x\n", bits(result), then);
}

static void go_on_all(void)
{
   struct sigaction skips = {.sa_sigaction = skip, .sa_flags = SA_SIGINFO};
   struct sigaction repairs = {.sa_sigaction = repair, .sa_flags = SA_SIGINFO};
   sigaction(SIGFPE, &skips, NULL);
   sigaction(SIGSEGV, &repairs, NULL);
   page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   for (int twice = 0; twice < 2; twice++) {
      go_on(PLAIN);
      go_on(PLAIN & ~0x200u);
      go_on(PLAIN | RESULTS_ARE_0 | 1);
      go_on((PLAIN & ~0x200u) | DENORMALS_ARE_0);
   }
}

int main(void)
{
   /* Before the first instruction of AVX-512. */
   set(PLAIN | DENORMALS_ARE_0 | RESULTS_ARE_0);
   double tiny = 4e-320, sum = -1;
   __asm__ volatile(
      "vbroadcastsd %1, %%zmm3\n\tvaddpd %%zmm3, %%zmm3, %%zmm3\n\t"
      "vmovsd %%xmm3, %0"
      : "=m"(sum)
      : "m"(tiny)
      : "xmm3");
   unsigned mxcsr = now();
   set(PLAIN);
   printf("first: %lx, mxcsr %x\n", bits(sum), mxcsr);
   struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};
   sigaction(SIGFPE, &action, NULL);
   try_all(0);
   try_all(DENORMALS_ARE_0);
   try_all(RESULTS_ARE_0);
   try_all(DENORMALS_ARE_0 | RESULTS_ARE_0);
   go_on_all();
   return 0;
}
