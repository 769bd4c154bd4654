/* Loops that a compiler makes vectors of, without a libc: the program is few
 * instructions, each of which somebody can step over. */
enum { N = 1000, ROUNDS = 6 };

static float a[N], b[N];
static int keys[N], found[N];

static void fill(int round)
{
   for (int i = 0; i < N; i++) {
      a[i] = (float)(i * 7 % 13) + round;
      b[i] = (float)(i % 31);
      keys[i] = (i * 31 + round) % 97;
   }
}

__attribute__((noinline)) static float product(void)
{
   float sum = 0;
   for (int i = 0; i < N; i++)
      sum += a[i] * b[i];
   return sum;
}

/* A compiler makes masks of the condition, and packs what it chooses. */
__attribute__((noinline)) static int choose(int limit)
{
   int n = 0;
   for (int i = 0; i < N; i++)
      if (keys[i] > limit) found[i] = keys[i] * 3, n++;
   return n;
}

/* And gathers here. */
__attribute__((noinline)) static float look_up(void)
{
   float sum = 0;
   for (int i = 0; i < N; i++)
      sum += a[keys[i]];
   return sum;
}

void _start(void)
{
   int code = 0;
   for (int round = 0; round < ROUNDS; round++) {
      fill(round);
      code +=
         (int)product() + choose(40 + round) + (int)look_up() + found[N - 1];
   }
   __asm__ volatile("syscall" : : "a"(60L), "D"((long)(code & 127)));
   __builtin_unreachable();
}
