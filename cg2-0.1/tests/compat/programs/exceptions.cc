/* A C++ program whose exceptions cross every kind of frame: thrown over
   several levels, through destructors and recursion, rethrown, caught by
   base class, and out of a virtual call, a std::function and a callback
   of qsort.  Prints one number, which depends on every one of them.  */

#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Counter {
   static int destroyed;
   ~Counter() { ++destroyed; }
};
int Counter::destroyed = 0;

struct TooDeep : std::runtime_error {
   explicit TooDeep(int depth)
      : std::runtime_error("depth " + std::to_string(depth)), depth(depth) {}
   int depth;
};

__attribute__((noinline)) int descend(int depth, int limit)
{
   Counter counter;
   if (depth == limit)
      throw TooDeep(depth);
   return descend(depth + 1, limit) + 1;
}

__attribute__((noinline)) int rethrow(int limit)
{
   try {
      return descend(0, limit);
   } catch (const TooDeep& error) {
      if (error.depth % 2)
         throw;
      return error.depth;
   }
}

struct Shape {
   virtual ~Shape() = default;
   virtual int area(int side) const = 0;
};

struct Square : Shape {
   int area(int side) const override
   {
      if (side < 0)
         throw std::invalid_argument("negative side");
      return side * side;
   }
};

struct Circle : Shape {
   int area(int side) const override
   {
      if (side == 0)
         throw std::domain_error("no circle");
      return 3 * side * side;
   }
};

int compare(const void* left, const void* right)
{
   int a = *static_cast<const int*>(left);
   int b = *static_cast<const int*>(right);
   if (a == b)
      throw a;
   return a < b ? -1 : 1;
}

int sort_until_equal(std::vector<int> values)
{
   try {
      std::qsort(values.data(), values.size(), sizeof(int), compare);
   } catch (int value) {
      return value;
   }
   return 0;
}

int sum_of_areas()
{
   std::vector<std::unique_ptr<Shape>> shapes;
   shapes.push_back(std::make_unique<Square>());
   shapes.push_back(std::make_unique<Circle>());
   int sum = 0;
   for (int side = -3; side <= 3; ++side)
      for (const auto& shape : shapes)
         try {
            sum += shape->area(side);
         } catch (const std::logic_error& error) {
            sum += static_cast<int>(std::string(error.what()).size());
         }
   return sum;
}

int words()
{
   std::map<std::string, int> counts;
   std::function<int(const std::string&)> look_up =
      [&counts](const std::string& word) { return counts.at(word); };
   int missing = 0;
   for (int i = 0; i < 300; ++i) {
      std::string word = "word" + std::to_string(i * i % 97);
      try {
         counts[word] += look_up(word) % 2 + 1;
      } catch (const std::out_of_range&) {
         counts[word] = 1;
         ++missing;
      }
   }
   return missing;
}

} // namespace

int main()
{
   long sum = 0;
   for (int limit = 0; limit < 40; ++limit)
      try {
         sum += rethrow(limit);
      } catch (const std::exception& error) {
         sum += std::string(error.what()).size();
      }
   sum += sort_until_equal({5, 3, 9, 1, 7, 3, 8});
   sum += sort_until_equal({5, 3, 9, 1, 7});
   sum += sum_of_areas();
   sum += words();
   std::cout << sum + Counter::destroyed << '\n';
   return 0;
}
