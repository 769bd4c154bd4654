/* Looks up prices by number: in a std::map, and with -DSORTED in a sorted
 * std::vector. recipes-data.md compares the two. */

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

enum { N = 20000 };

struct Price {
   long cents;
   long since;
};

#ifdef SORTED
typedef std::vector<std::pair<long, Price>> Prices;

static Prices fill()
{
   Prices prices;
   prices.reserve(N);
   for (long i = 0; i < N; i++)
      prices.push_back({i * 3, {i % 100, 0}});
   return prices;
}

static const Price& look_up(const Prices& prices, long number)
{
   auto is_less = [](const auto& entry, long wanted) {
      return entry.first < wanted;
   };
   return std::lower_bound(prices.begin(), prices.end(), number, is_less)
      ->second;
}
#else
typedef std::map<long, Price> Prices;

static Prices fill()
{
   Prices prices;
   for (long i = 0; i < N; i++)
      prices[i * 3] = {i % 100, 0};
   return prices;
}

static const Price& look_up(const Prices& prices, long number)
{
   return prices.find(number)->second;
}
#endif

int main()
{
   Prices prices = fill();
   long sum = 0;
   for (long i = 0; i < 2 * N; i++)
      sum += look_up(prices, i * 7919 % N * 3).cents;
   printf("%ld\n", sum);
   return 0;
}
