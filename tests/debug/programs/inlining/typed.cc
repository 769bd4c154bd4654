// Templates that are made for two types each, inside each other: all begin at one place.
#include <cstdio>

template <class T> static inline T addup(const T* a, int n)
{
   T sum = 0;
   for (int i = 0; i < n; i++)
      sum += a[i];
   return sum;
}

template <class T> static inline T clamp(const T* a, int n, T low, T high)
{
   T sum = addup(a, n);
   if (sum < low) sum = low + addup(a, n / 2);
   if (sum > high) sum = high;
   return sum;
}

template <class T> static inline T scale(const T* a, int n, T by)
{
   T sum = 0;
   for (int k = 0; k < 3; k++)
      sum += clamp(a, n - k, T(0), by) * by;
   return sum;
}

template <class T> static inline void fill(T* a, int n, int by)
{
   for (int i = 0; i < n; i++)
      a[i] = i * by;
}

template <class T> static inline bool is_near(T a, T b)
{
   return a > b ? a - b < T(1) : b - a < T(1);
}

int main(int argc, char**)
{
   double d[8], sum = 0;
   float f[8], more = 0;
   int near = 0;
   fill(d, 8, argc);
   fill(f, 8, argc + 1);
   for (int i = 0; i < 3; i++)
      sum += scale(d, 8 - i, 10.0 + i);
   for (int i = 0; i < 2; i++)
      more += scale(f, 7, 3.0f + i);
   for (int i = 0; i < 8; i++)
      near += is_near(d[i], 3.0);
   for (int i = 0; i < 5; i++)
      near += is_near(f[i], 3.0f);
   printf("%g %g %d\n", sum, more, near);
   return 0;
}
