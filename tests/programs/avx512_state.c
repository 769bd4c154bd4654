/* What AVX-512 adds to a thread's state, and where it is kept and lost. Prints
 * the same wherever it runs. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

typedef struct Vector {
   uint64_t words[8];
} __attribute__((aligned(64))) Vector;

static const Vector ones = {{~0UL, ~0UL, ~0UL, ~0UL, ~0UL, ~0UL, ~0UL, ~0UL}};

static void print(const char* what, const Vector* v)
{
   printf("%-24s", what);
   for (int i = 0; i < 8; i++)
      printf(" %lx", v->words[i]);
   printf("\n");
}

/*--- What is cleared ----------------------------------------------------*/

/* Runs an instruction on zmm3, all of whose bits are set. */
#define AFTER(instruction)                                                     \
   do {                                                                        \
      Vector left;                                                             \
      __asm__ volatile("vmovdqa64 %1, %%zmm3\n\t"                              \
                       "vpxord %%zmm4, %%zmm4, %%zmm4\n\t"                     \
                       "xor %%eax, %%eax\n\t" instruction "\n\t"               \
                       "vmovdqa64 %%zmm3, %0"                                  \
                       : "=m"(left)                                            \
                       : "m"(ones)                                             \
                       : "rax", "xmm3", "xmm4", "memory");                     \
      print(instruction, &left);                                               \
   } while (0)

static void clear(void)
{
   AFTER("nop");
   AFTER("vpor %%xmm4, %%xmm3, %%xmm3");
   AFTER("vpor %%ymm4, %%ymm3, %%ymm3");
   AFTER("por %%xmm4, %%xmm3");
   AFTER("vmovd %%eax, %%xmm3");
   AFTER("vmovaps %%ymm3, %%ymm3");
   AFTER("vmovss %%xmm4, %%xmm3, %%xmm3");
   AFTER("vaesenc %%xmm4, %%xmm3, %%xmm3");
   AFTER("vpor %%xmm4, %%xmm3, %%xmm5");
   AFTER("vzeroupper");
   AFTER("vzeroall");
   AFTER("vpord %%xmm4, %%xmm3, %%xmm3");
   AFTER("vpord %%ymm4, %%ymm3, %%ymm3");
   AFTER("test %%eax, %%eax\n\tjnz 1f\n\tvpor %%xmm4, %%xmm3, %%xmm3\n1:");
}

/*--- Threads, handlers, processes ---------------------------------------*/

static void load(uint64_t with)
{
   __asm__ volatile("vpbroadcastq %0, %%zmm3\n\tvpbroadcastq %0, %%zmm30\n\t"
                    "kmovq %0, %%k5"
                    :
                    : "r"(with)
                    : "xmm3");
}

static int holds(uint64_t with)
{
   Vector low, high;
   uint64_t mask;
   __asm__ volatile("vmovdqa64 %%zmm3, %0\n\tvmovdqa64 %%zmm30, %1\n\t"
                    "kmovq %%k5, %2"
                    : "=m"(low), "=m"(high), "=r"(mask));
   for (int i = 0; i < 8; i++)
      if (low.words[i] != with || high.words[i] != with) return 0;
   return mask == with;
}

/* No function of libc is called between load and holds: it may change what it
 * likes. */
static void yield(void)
{
   long result;
   __asm__ volatile("syscall"
                    : "=a"(result)
                    : "a"(24L)
                    : "rcx", "r11", "memory");
}

static void* spin(void* argument)
{
   uint64_t mine = (uint64_t)argument, good = 0;
   for (int i = 0; i < 300; i++) {
      load(mine + i);
      yield();
      good += holds(mine + i);
   }
   return (void*)good;
}

static void run_threads(void)
{
   pthread_t threads[3];
   void* good;
   for (uint64_t i = 0; i < 3; i++)
      pthread_create(&threads[i], NULL, spin, (void*)(i << 32));
   for (int i = 0; i < 3; i++) {
      pthread_join(threads[i], &good);
      printf("thread %d: %lu of 300\n", i, (uint64_t)good);
   }
}

static void spoil(int number)
{
   (void)number;
   load(0x666);
}

static void handle_signal(void)
{
   signal(SIGUSR1, spoil);
   pid_t me = getpid();
   long result;
   load(0x1234);
   __asm__ volatile("syscall"
                    : "=a"(result)
                    : "a"(62L), "D"((long)me), "S"((long)SIGUSR1)
                    : "rcx", "r11", "memory");
   printf("after a handler: %d\n", holds(0x1234));
}

static void fork_one(void)
{
   load(0x4321);
   long child = 0;
   __asm__ volatile("syscall"
                    : "=a"(child)
                    : "a"(57L)
                    : "rcx", "r11", "memory");
   int is_held = holds(0x4321);
   if (child == 0) _exit(is_held);
   int status;
   waitpid(child, &status, 0);
   printf("after fork: %d, in the child: %d\n", is_held, WEXITSTATUS(status));
}

static jmp_buf here;

static void jump_back(void)
{
   if (setjmp(here) == 0) {
      load(0x777);
      longjmp(here, 1);
   }
   uint64_t mask;
   __asm__ volatile("kmovq %%k5, %0" : "=r"(mask));
   printf("after longjmp: %lx\n", mask);
}

/* Stacks that a program switches: the registers are the thread's, so what one
 * leaves there the other finds. */
static ucontext_t outer, inner;
static int found_inside, found_again;

static void work_inside(void)
{
   found_inside = holds(0x111);
   load(0x222);
   swapcontext(&inner, &outer);
   found_again = holds(0x333);
   load(0x444);
}

static void switch_stacks(void)
{
   static char stack[65536];
   getcontext(&inner);
   inner.uc_stack.ss_sp = stack;
   inner.uc_stack.ss_size = sizeof stack;
   inner.uc_link = &outer;
   makecontext(&inner, work_inside, 0);
   load(0x111);
   swapcontext(&outer, &inner);
   int found = holds(0x222);
   load(0x333);
   swapcontext(&outer, &inner);
   printf("over stacks: %d %d %d %d\n", found_inside, found, found_again,
          holds(0x444));
}

/*--- Faults -------------------------------------------------------------*/

static uint8_t* page; /* the second of these pages is not there */
static volatile int n_faults;
static void* volatile fault_at;
static volatile uint64_t fault_code;
extern const char faulting[];

static void repair(int number, siginfo_t* info, void* context)
{
   ucontext_t* c = context;
   (void)number;
   n_faults++;
   fault_at = info->si_addr;
   fault_code = c->uc_mcontext.gregs[REG_RIP];
   mprotect(page + 4096, 4096, PROT_READ | PROT_WRITE);
}

/* The instruction under the label is the third of a run. */
#define FAULTS(what, instruction, bits)                                        \
   do {                                                                        \
      Vector left, sum;                                                        \
      mprotect(page + 4096, 4096, PROT_NONE);                                  \
      n_faults = 0;                                                            \
      fault_at = page;                                                         \
      uint64_t where;                                                          \
      __asm__ volatile("lea 1f(%%rip), %0\n\t"                                 \
                       "vpbroadcastq %3, %%zmm3\n\t"                           \
                       "kmovq %4, %%k2\n\t"                                    \
                       "vpaddq %%zmm3, %%zmm3, %%zmm5\n1:\t" instruction       \
                       "\n\tvpaddq %%zmm5, %%zmm5, %%zmm5\n\t"                 \
                       "vmovdqa64 %%zmm3, %1\n\tvmovdqa64 %%zmm5, %2\n\t"      \
                       : "=&r"(where), "=m"(left), "=m"(sum)                   \
                       : "r"(5UL), "r"((uint64_t)(bits)), "r"(page + 4096),    \
                         "m"(ones)                                             \
                       : "xmm3", "xmm5", "memory");                            \
      printf("%s: %d at %ld, of itself %d\n", what, n_faults,                  \
             (long)((uint8_t*)fault_at - page),                                \
             !n_faults || fault_code == where);                                \
      print(what, &left);                                                      \
      print(what, &sum);                                                       \
   } while (0)

static void fault(void)
{
   struct sigaction action = {.sa_sigaction = repair, .sa_flags = SA_SIGINFO};
   page = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
               -1, 0);
   memset(page, 7, 8192);
   sigaction(SIGSEGV, &action, NULL);
   FAULTS("load", "vmovdqu64 (%5), %%zmm3", 0);
   FAULTS("store", "vmovdqu64 %%zmm3, 8(%5)", 0);
   FAULTS("across", "vmovdqu64 -24(%5), %%zmm3", 0);
   FAULTS("masked out", "vmovdqu64 -24(%5), %%zmm3%{%%k2%}", 7);
   FAULTS("masked in", "vmovdqu64 -24(%5), %%zmm3%{%%k2%}", 8);
   FAULTS("store masked out", "vmovdqu8 %%zmm3, -16(%5)%{%%k2%}", 0xffff);
   FAULTS("store masked in", "vmovdqu8 %%zmm3, -16(%5)%{%%k2%}", 0x10000);
   FAULTS("gather", "vpgatherqq -40(%5,%%zmm3,8), %%zmm5%{%%k2%}", 0x81);
   FAULTS("mask", "kmovq (%5), %%k2", 1);
}

/*--- Code that changes --------------------------------------------------*/

static uint64_t run_written(uint8_t opcode)
{
   /* vpaddq or vpsubq %zmm4, %zmm3, %zmm3; ret */
   uint8_t bytes[] = {0x62, 0xf1, 0xe5, 0x48, opcode, 0xdc, 0xc3};
   static uint8_t* code;
   Vector left;
   if (!code)
      code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   memcpy(code, bytes, sizeof bytes);
   __asm__ volatile("vpbroadcastq %2, %%zmm3\n\tvpbroadcastq %3, %%zmm4\n\t"
                    "call *%1\n\tvmovdqa64 %%zmm3, %0"
                    : "=m"(left)
                    : "r"(code), "r"(100UL), "r"(1UL)
                    : "xmm3", "xmm4", "memory");
   return left.words[7];
}

/*--- MXCSR, segments, short addresses -----------------------------------*/

static __thread Vector local = {{11, 12, 13, 14, 15, 16, 17, 18}};

static void try_others(void)
{
   unsigned plain = 0x1f80, raised, up = 0x5f80;
   Vector left;
   double one = 1, three = 3;
   __asm__ volatile(
      "ldmxcsr %3\n\tvxorpd %%xmm4, %%xmm4, %%xmm4\n\t"
      "vbroadcastsd %2, %%zmm3\n\tvdivpd %%zmm4, %%zmm3, %%zmm3\n\t"
      "stmxcsr %0\n\tldmxcsr %4\n\tvbroadcastsd %2, %%zmm3\n\t"
      "vbroadcastsd %5, %%zmm4\n\tvdivpd %%zmm4, %%zmm3, %%zmm3\n\t"
      "vmovdqa64 %%zmm3, %1\n\tldmxcsr %3"
      : "=m"(raised), "=m"(left)
      : "m"(one), "m"(plain), "m"(up), "m"(three)
      : "xmm3", "xmm4");
   printf("mxcsr %x\n", raised);
   print("rounded up", &left);
   uint64_t offset = (uint64_t)&local;
   uint64_t base;
   __asm__("mov %%fs:0, %0" : "=r"(base));
   __asm__ volatile("vmovdqu64 %%fs:(%1), %%zmm3\n\tvmovdqa64 %%zmm3, %0"
                    : "=m"(left)
                    : "r"(offset - base)
                    : "xmm3");
   print("by fs", &left);
   uint64_t* low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
   for (int i = 0; i < 8; i++)
      low[i] = i;
   __asm__ volatile("vmovdqu64 (%k1), %%zmm3\n\tvmovdqa64 %%zmm3, %0"
                    : "=m"(left)
                    : "r"((uint64_t)low | 0x5500000000)
                    : "xmm3");
   print("short address", &left);
}

int main(void)
{
   printf("rewritten: %lu", run_written(0xd4));
   printf(" %lu", run_written(0xfb));
   printf(" %lu\n", run_written(0xd4));
   clear();
   try_others();
   handle_signal();
   jump_back();
   fork_one();
   switch_stacks();
   fault();
   run_threads();
   return 0;
}
