// Vectors of numbers: small templates that call each other, with what cannot be said before the run.
#include <cstdio>
#include <cstdlib>
#include <vector>

template <typename T> static T least(T a, T b)
{
   return a < b ? a : b;
}
template <typename T> static T most(T a, T b)
{
   return a > b ? a : b;
}
template <typename T> static T addup(const std::vector<T>& all, T first)
{
   for (T each : all)
      first += each;
   return first;
}
template <typename T> static T limited(T value, T low, T high)
{
   return least(most(value, low), high);
}
template <typename T>
static T clamp(const std::vector<T>& low, const std::vector<T>& high, T value)
{
   return limited(value, addup(low, T(0)), addup(high, T(1)));
}
template <typename T> static std::vector<T> filled(int n, T step)
{
   std::vector<T> made;
   for (int i = 0; i < n; i++)
      made.push_back(i * step);
   return made;
}
static double average(const std::vector<double>& all)
{
   return all.empty() ? 0 : addup(all, 0.0) / all.size();
}

int main(int argc, char** argv)
{
   int n = argc > 1 ? atoi(argv[1]) : 9;
   double sum = 0;
   long whole = 0;
   for (int i = 0; i < n; i++) {
      std::vector<double> low = filled(i + 1, -0.5), high = filled(i + 2, 0.25);
      sum += clamp(low, high, i * 1.5) + average(high);
      if (i % 3 == 1) whole += clamp(filled(i, 2), filled(i, 3), i);
   }
   printf("%.2f %ld\n", sum, whole);
}
