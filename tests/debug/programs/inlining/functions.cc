// Function objects: lambdas and templates that take them.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

template <typename F> static int count_of(const std::vector<int>& all, F accepts)
{
   int found = 0;
   for (int each : all)
      if (accepts(each)) found++;
   return found;
}
template <typename F> static std::vector<int> mapped(const std::vector<int>& all, F change)
{
   std::vector<int> made;
   for (int each : all)
      made.push_back(change(each));
   return made;
}
static bool divides(int by, int number)
{
   return number % by == 0;
}
static int digits(int number)
{
   int sum = 0;
   for (; number > 0; number /= 10)
      sum += number % 10;
   return sum;
}
static int mixed(int a, int b)
{
   return divides(3, a) ? a + digits(b) : b - a;
}

int main()
{
   std::vector<int> all(100);
   std::iota(all.begin(), all.end(), 1);
   int sum = 0;
   for (int by = 2; by < 6; by++)
      sum += count_of(all, [by](int each) { return divides(by, each); });
   std::vector<int> others = mapped(all, [](int each) { return mixed(each, 2 * each); });
   std::sort(others.begin(), others.end(),
             [](int a, int b) { return digits(a < 0 ? -a : a) < digits(b < 0 ? -b : b); });
   for (size_t i = 0; i < others.size(); i += 7)
      sum = mixed(sum, others[i]);
   printf("%d\n", sum);
}
