/* XSAVE and XRSTOR of what AVX-512 adds to the state. Prints the same wherever
 * a program is told of AVX-512. */
#include <cpuid.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct Area {
   uint8_t bytes[4096];
} __attribute__((aligned(64))) Area;

enum { HEADER = 512, ALL = 0xe7 };

static Area area, other;

typedef struct State {
   uint64_t low[8], high[8], mask, half;
} State;

static void load(uint64_t with)
{
   __asm__ volatile("vpbroadcastq %0, %%zmm3\n\tvpbroadcastq %0, %%zmm30\n\t"
                    "kmovq %0, %%k5"
                    :
                    : "r"(with)
                    : "xmm3");
}

#define STORE(state)                                                           \
   __asm__ volatile("vmovdqu64 %%zmm3, %0\n\tvmovdqu64 %%zmm30, %1\n\t"        \
                    "kmovq %%k5, %2\n\tvmovq %%xmm3, %3"                       \
                    : "=m"((state).low), "=m"((state).high),                   \
                      "=m"((state).mask), "=m"((state).half))

static void print(const char* what, const State* s)
{
   printf("%-28s %lx %lx %lx  %lx %lx  %lx\n", what, s->low[0], s->low[3],
          s->low[4], s->high[0], s->high[7], s->mask);
}

/* The state is 0x11 everywhere, is kept as `saved` says, becomes 0x22, and is
 * restored as `restored` says. */
static void keep(const char* what, uint32_t saved, uint32_t restored)
{
   State state;
   memset(&area, 0, sizeof area);
   load(0x11);
   __asm__ volatile("xsave %0" : "+m"(area) : "a"(saved), "d"(0));
   load(0x22);
   __asm__ volatile("xrstor %0" : : "m"(area), "a"(restored), "d"(0));
   STORE(state);
   print(what, &state);
   printf("   header %x\n", area.bytes[HEADER] & 0xe0);
}

/* What an area does not have is restored as a processor begins. */
static void begin_anew(void)
{
   State state;
   memset(&other, 0, sizeof other);
   load(0x33);
   __asm__ volatile("xrstor64 (%0,%1,8)"
                    :
                    : "r"((char*)&other - 256), "r"(32L), "a"(ALL), "d"(0)
                    : "memory");
   STORE(state);
   print("nothing there", &state);
   __asm__ volatile("xsave64 %0" : "+m"(other) : "a"(ALL), "d"(0));
   printf("   saved %d\n", other.bytes[HEADER] & 0xe0 ? 1 : 0);
}

/* Where CPUID says that the parts are. */
static void look(void)
{
   uint32_t a, b, c, d, leaf = 13;
   load(0x44);
   __asm__ volatile("xsave %0" : "+m"(area) : "a"(ALL), "d"(0));
   for (uint32_t part = 5; part <= 7; part++) {
      __cpuid_count(leaf, part, a, b, c, d);
      uint64_t first, last;
      memcpy(&first, area.bytes + b, sizeof first);
      memcpy(&last, area.bytes + b + a - 128, sizeof last);
      printf("part %u: %u bytes, %lx %lx\n", part, a, first, last);
   }
   (void)c, (void)d;
}

int main(void)
{
   keep("all", ALL, ALL);
   keep("all but masks", ALL & ~0x20, ALL);
   keep("of AVX alone", 7, ALL);
   keep("masks are restored", ALL, 0x20);
   keep("uppers are restored", ALL, 0x40);
   keep("whole ones are restored", ALL, 0x80);
   begin_anew();
   look();
   return 0;
}
