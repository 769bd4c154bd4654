/* Functions whose cycles on a Zen 4 follow from its manual: 100,000
 * instructions each, in a loop whose end costs nothing beside them. */
#include <stdint.h>
#define REPEATED(text) ".rept 10\n " text "\n .endr"

__attribute__((noipa)) static uint64_t imul_chain(uint64_t x)
{
   for (int i = 0; i < 10000; i++)
      __asm__ volatile(REPEATED("imul %0, %0") : "+r"(x));
   return x;
}

__attribute__((noipa)) static uint64_t add_chain(uint64_t x, uint64_t y)
{
   for (int i = 0; i < 10000; i++)
      __asm__ volatile(REPEATED("add %1, %0") : "+r"(x) : "r"(y));
   return x;
}

__attribute__((noipa)) static double addsd_chain(double x, double y)
{
   for (int i = 0; i < 10000; i++)
      __asm__ volatile(REPEATED("addsd %1, %0") : "+x"(x) : "x"(y));
   return x;
}

__attribute__((noipa)) static void* load_chain(void* p)
{
   for (int i = 0; i < 10000; i++)
      __asm__ volatile(REPEATED("mov (%0), %0") : "+r"(p) : : "memory");
   return p;
}

__attribute__((noipa)) static uint64_t imul_ports(uint64_t x)
{
   uint64_t a = x, b = x, c = x, d = x;
   for (int i = 0; i < 25000; i++)
      __asm__ volatile("imul %0, %0\n imul %1, %1\n"
                       "imul %2, %2\n imul %3, %3"
                       : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
   return a + b + c + d;
}

int main(void)
{
   static void* cell;
   cell = &cell;
   uint64_t x = imul_chain(3) + add_chain(1, 2) + imul_ports(5);
   double d = addsd_chain(1.5, 2.5);
   return load_chain(cell) == &cell && x && d > 0 ? 0 : 1;
}
