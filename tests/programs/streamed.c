/* Reads 1 MB, a line at a time. */
static volatile char data[1 << 20] __attribute__((aligned(4096)));

__attribute__((noinline)) unsigned walk(void)
{
   unsigned sum = 0;
   for (unsigned i = 0; i < sizeof data; i += 64)
      sum += data[i];
   return sum;
}

int main(void)
{
   return walk() != 0;
}
