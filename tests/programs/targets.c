/* Computed jumps that follow a pattern, and calls that are too many for a
   return stack. */

static volatile unsigned sum;

static const unsigned char program[] = {0, 1, 2, 2, 3, 0};

/* Runs the program 1000 times, by one computed jump for each operation. */
__attribute__((noinline)) void interpret(void)
{
   static const void* const operations[] = {&&add, &&twice, &&less, &&turn};
   for (unsigned i = 0; i < 6000; i++) {
      goto* operations[program[i % 6]];
   add:
      sum += 3;
      continue;
   twice:
      sum *= 2;
      continue;
   less:
      sum -= 1;
      continue;
   turn:
      sum = ~sum;
   }
}

/* Three functions in turn, 60 calls in all. */
unsigned one(unsigned n);

__attribute__((noinline)) unsigned three(unsigned n)
{
   return n ? one(n - 1) + sum : 3;
}

__attribute__((noinline)) unsigned two(unsigned n)
{
   return n ? three(n - 1) + sum : 2;
}

__attribute__((noinline)) unsigned one(unsigned n)
{
   return n ? two(n - 1) + sum : 1;
}

int main(void)
{
   interpret();
   return one(59) == 0;
}
