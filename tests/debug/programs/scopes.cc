/* Functions that are inlined wherever they are called, most without a symbol: what they are in. */
#include <cstdio>

#ifdef __clang__
#define NOT_INLINED noinline
#else
#define NOT_INLINED noipa
#endif

static volatile long input = 3;

namespace shapes
{
namespace
{
inline long hidden(long x)
{
   return x * 5 + input;
}
struct Local {
   long side;
   long twice() const { return side * 2 + input; }
   static long made(long x) { return x ^ input; }
};
} // namespace

static inline long scaled(long x)
{
   return x * 3 + input;
}
template <class T> static inline T tripled(T x)
{
   return x * 3 - input;
}
} // namespace shapes

static inline long bare(long x)
{
   return x - input * 2;
}

__attribute__((NOT_INLINED)) long run(long n)
{
   auto generic = [n](auto x) { return x + n * input; };
   long sum = 0;
   for (long i = 0; i < n; i++) {
      sum += shapes::hidden(i);
      sum += shapes::Local{i}.twice();
      sum += shapes::Local::made(i);
      sum += shapes::scaled(i);
      sum += shapes::tripled(i);
      sum += bare(i);
      sum += generic(i);
   }
   return sum;
}

int main()
{
   printf("%ld\n", run(50));
   return 0;
}
