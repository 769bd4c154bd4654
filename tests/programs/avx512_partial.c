/* Gathers and scatters of which an element is not there: what they have done if
 * the handler skips them, and if it repairs the memory and they go on. Prints
 * the same wherever it runs on processors that stop at the same place. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

typedef struct Vector {
   uint64_t words[8];
} __attribute__((aligned(64))) Vector;

enum { PAGE = 4096 };

static uint8_t* page; /* the second of these pages is not there */
static Vector seen, far_seen;
static uint64_t mask_seen;
static long fault_at;

static void print(const char* what, const Vector* v)
{
   printf("%-20s", what);
   for (int i = 0; i < 8; i++)
      printf(" %lx", v->words[i]);
   printf("\n");
}

static void repair(int number, siginfo_t* info, void* context)
{
   (void)number, (void)context;
   fault_at = (uint8_t*)info->si_addr - page;
   mprotect(page + PAGE, PAGE, PROT_READ | PROT_WRITE);
}

static uint64_t behind; /* the instruction */

static void skip(int number, siginfo_t* info, void* context)
{
   ucontext_t* c = context;
   (void)number;
   fault_at = (uint8_t*)info->si_addr - page;
   c->uc_mcontext.gregs[REG_RIP] = behind;
}

/* The instruction gathers to zmm5 or scatters it, of zmm3's indices, by k2. */
#define TRY(what, instruction, wanted)                                         \
   do {                                                                        \
      fault_at = -1;                                                           \
      mprotect(page + PAGE, PAGE, PROT_NONE);                                  \
      __asm__ volatile("lea 1f(%%rip), %%rax\n\tmov %%rax, %5\n\t"             \
                       "vmovdqa64 %3, %%zmm3\n\tkmovq %4, %%k2\n\t"            \
                       "vmovdqa64 %7, %%zmm5\n\tvmovdqa64 %7, %%zmm21\n\t"     \
                       "vpord %%zmm5, %%zmm5, %%zmm5\n\t" instruction          \
                       "\n1:\tvmovdqa64 %%zmm5, %0\n\tkmovq %%k2, %1\n\t"      \
                       "vmovdqa64 %%zmm21, %2"                                 \
                       : "=m"(seen), "=r"(mask_seen), "=m"(far_seen)           \
                       : "m"(indices), "r"((uint64_t)(wanted)), "m"(behind),   \
                         "r"(page + PAGE), "m"(old)                            \
                       : "rax", "xmm3", "xmm5", "memory");                     \
      mprotect(page + PAGE, PAGE, PROT_READ | PROT_WRITE);                     \
      printf("%s: at %ld, mask %lx\n", what, fault_at, mask_seen);             \
      print(what, &seen);                                                      \
      print(what, &far_seen);                                                  \
   } while (0)

static Vector indices, old;

static void fill(void)
{
   for (int i = 0; i < 2 * PAGE; i++)
      page[i] = i * 7 + (i >> 8);
}

/* Over what is in the first page. */
static uint64_t sum(void)
{
   uint64_t all = 0;
   for (int i = 0; i < PAGE; i++)
      all = all * 31 + page[i];
   return all;
}

/* Indices that leave the page at element number `first` of 4 or of 8 bytes. */
static void set_indices(int first, int bytes)
{
   for (int i = 0; i < 64 / bytes; i++) {
      int64_t at = i == first ? 3 : -9 - 5 * i;
      memcpy((char*)&indices + i * bytes, &at, bytes);
   }
}

static void try_all(uint64_t wanted)
{
   for (int first = 0; first < 16; first += 3) {
      set_indices(first, 4);
      fill();
      TRY("gather 16", "vpgatherdd (%6,%%zmm3,4), %%zmm5%{%%k2%}", wanted);
      TRY("gather floats", "vgatherdps 8(%6,%%zmm3,4), %%zmm21%{%%k2%}",
          wanted);
      TRY("gather by halves", "vpgatherdq (%6,%%ymm3,8), %%zmm5%{%%k2%}",
          wanted);
      TRY("gather few", "vpgatherdd (%6,%%xmm3,4), %%xmm5%{%%k2%}", wanted);
      TRY("scatter 16", "vpscatterdd %%zmm5, (%6,%%zmm3,4)%{%%k2%}", wanted);
      printf("memory %lx\n", sum());
   }
   for (int first = 0; first < 8; first++) {
      set_indices(first, 8);
      fill();
      TRY("gather 8", "vpgatherqq (%6,%%zmm3,8), %%zmm5%{%%k2%}", wanted);
      TRY("gather 4", "vpgatherqq (%6,%%ymm3,8), %%ymm5%{%%k2%}", wanted);
      TRY("gather to quarters", "vpgatherqd (%6,%%ymm3,4), %%xmm5%{%%k2%}",
          wanted);
      TRY("gather to halves", "vpgatherqd (%6,%%zmm3,4), %%ymm5%{%%k2%}",
          wanted);
      TRY("scatter 8", "vpscatterqq %%zmm21, 16(%6,%%zmm3,8)%{%%k2%}", wanted);
      printf("memory %lx\n", sum());
   }
}

int main(void)
{
   struct sigaction action = {.sa_sigaction = skip, .sa_flags = SA_SIGINFO};
   page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   for (int i = 0; i < 8; i++)
      old.words[i] = 0x1111111111111111UL * (i + 1);
   sigaction(SIGSEGV, &action, NULL);
   try_all(~0UL);
   try_all(0xa5a5);
   action.sa_sigaction = repair;
   sigaction(SIGSEGV, &action, NULL);
   try_all(~0UL);
   return 0;
}
