__attribute__((noipa)) static unsigned inner(unsigned n)
{
   __asm__ volatile("");
   return n % 7 == 0 ? 1 : n * 3;
}

__attribute__((noipa)) unsigned outer(unsigned n)
{
   return inner(n) + (n > 100 ? inner(n + 1) : 0) +
          (n > 200 ? inner(n + 2) : 0);
}
