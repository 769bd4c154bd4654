/* Inlined functions of C++; how often each is called is in test_inlines.py. */
#include <cstdio>

#ifdef __clang__
#define NOT_INLINED noinline
#else
#define NOT_INLINED noipa
#endif

namespace shapes
{
struct Square {
   long side;
   long area() const { return side * side; }
};
template <class T> T twice(T x)
{
   return x + x;
}
} // namespace shapes

static volatile long input = 3;

static inline long mixed(long x)
{
   return x * 7 ^ input;
}

__attribute__((NOT_INLINED)) long first(long n)
{
   long sum = 0;
   for (long i = 0; i < n; i++)
      sum = sum * 3 + mixed(i + sum);
   return sum;
}

__attribute__((NOT_INLINED)) long second(long n)
{
   long sum = 1;
   while (n-- > 0)
      sum ^= shapes::Square{mixed(sum)}.area();
   return sum;
}

__attribute__((NOT_INLINED)) long apply(long (*function)(long), long x)
{
   return function(x);
}

int main()
{
   long (*volatile pointer)(long) = mixed;
   long total = first(20) + second(30);
   for (long i = 0; i < 4; i++)
      total += apply(pointer, i);
   for (long i = 0; i < 5; i++)
      total = shapes::twice(total + input);
   auto odd = [](long x) { return x & input ? x : -x; };
   for (long i = 0; i < 6; i++)
      total += odd(total);
   std::printf("%ld\n", total);
}
