/* Loads that read what a store has just stored: how often, by line. */
enum { N = 1000, FAR = 200 };

volatile int sums[N + 1], cells[4], one, elsewhere[FAR];
volatile union {
   int half[2];
   long long whole;
} pair;
volatile char bytes[8];
volatile long long word;

static long long counted;

__attribute__((noinline)) static void prefix(void)
{
   for (int i = 1; i <= N; i++)
      sums[i] = sums[i - 1] + i; /*= prefix */
}

__attribute__((noinline)) static void histogram(void)
{
   for (int i = 0; i < N; i++)
      cells[i & 3] =       /*= histogram store */
         cells[i & 3] + 1; /*= histogram load */
}

__attribute__((noinline)) static void parts(void)
{
   for (int i = 0; i < N; i++) {
      pair.half[0] = i;
      pair.half[1] = i;      /*= parts store */
      counted += pair.whole; /*= parts load */
   }
}

__attribute__((noinline)) static void inner(void)
{
   for (int i = 0; i < N; i++) {
      word = i;                              /*= inner store */
      counted += bytes[0];                   /*= never load */
      counted += ((volatile char*)&word)[6]; /*= inner load */
   }
}

__attribute__((noinline)) static void count(void)
{
   static int counter;
   for (int i = 0; i < N; i++)
      __atomic_fetch_add(&counter, 1, __ATOMIC_RELAXED); /*= counter */
}

/* More stores come between than a core has under way. */
__attribute__((noinline)) static void far(void)
{
   for (int i = 0; i < N; i++) {
      one = i;
      for (int k = 0; k < FAR; k++)
         elsewhere[k] = k;
      counted += one; /*= far load */
   }
}

int main(void)
{
   prefix();
   histogram();
   parts();
   inner();
   count();
   far();
   return counted == 0;
}
