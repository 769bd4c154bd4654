/* Functions of which gcc puts a part elsewhere (`.cold`): one that is inlined in
 * one place and called in another one, and whose symbol has another name; and
 * one that finds a node through its frame. */

#define APART __attribute__((noinline))

struct node {
   long weight, value;
};

struct pair {
   struct node *first, *second;
};

static struct node all[2] = {{1, 10}, {2, 20}};
static volatile long state;

static long counted(long n) __asm__("symbol_of_counted");

__attribute__((cold)) APART static void rare(long n)
{
   state += n;
}

static long counted(long n)
{
   state ^= n;
   if (n % 5 == 4) {
      rare(n);
      state ^= 0x55;
      rare(n + 1);
   }
   return state + n;
}

__attribute__((flatten)) APART static long inside(long n)
{
   return counted(n) + 1;
}

static long (*volatile called)(long) = counted;

APART static long outside(long n)
{
   return called(n) + 2;
}

APART static void fill(struct pair* pair)
{
   pair->first = &all[0];
   pair->second = &all[1];
}

APART static long chosen(long n)
{
   struct pair pair;
   fill(&pair);
   if (n == 7) {
      rare(n);
      state ^= 0x55;
      rare(n + 1);
   }
   return pair.second->value;
}

int main(void)
{
   long sum = 0;
   for (long i = 0; i < 10; i++)
      sum += inside(i) + outside(i) + chosen(i);
   return sum == 0;
}
