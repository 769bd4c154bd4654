// Templates, exceptions through several frames, virtual functions, the containers.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

template <int N> struct Fibonacci {
   static constexpr long value = Fibonacci<N - 1>::value + Fibonacci<N - 2>::value;
};
template <> struct Fibonacci<1> { static constexpr long value = 1; };
template <> struct Fibonacci<0> { static constexpr long value = 0; };

struct Shape {
   virtual ~Shape() = default;
   virtual double area() const = 0;
};
struct Square : Shape {
   double side = 2;
   double area() const override { return side * side; }
};

struct Guard {
   explicit Guard(int& n) : count(n) {}
   ~Guard() { count++; }
   int& count;
};

static int dive(int levels, int& passed)
{
   Guard guard(passed);
   if (levels == 0) throw std::out_of_range("bottom");
   return dive(levels - 1, passed) + 1;
}

int main()
{
   std::map<std::string, int> counts;
   std::ifstream text("text");
   for (std::string word; text >> word;)
      counts[word]++;
   std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
   std::stable_sort(sorted.begin(), sorted.end(), [](auto& a, auto& b) { return a.second > b.second; });
   for (int i = 0; i < 3; i++)
      std::cout << sorted[i].first << ' ' << sorted[i].second << '\n';
   int passed = 0;
   try {
      dive(20, passed);
   } catch (const std::exception& error) {
      std::cout << error.what() << ' ' << passed << '\n';
   }
   std::unique_ptr<Shape> shape = std::make_unique<Square>();
   std::cout << shape->area() << ' ' << Fibonacci<50>::value << '\n';
}
