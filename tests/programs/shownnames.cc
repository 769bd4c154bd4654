// Functions whose names lists shorten, each called as often as its line says.
#include <vector>

template <typename T> __attribute__((noinline)) T tmpl(T a) // long: 3, int: 5
{
   return a + 1;
}

__attribute__((noinline)) static int call(int (*f)(int)) // 2
{
   return f(1) + 1;
}

namespace shapes {
struct Square {
   int side;
   __attribute__((noinline)) int area(int times) const // 4
   {
      return times * side * side;
   }
};
} // namespace shapes

int main()
{
   std::vector<int> v;
   v.reserve(8);
   for (int i = 0; i < 6; i++)
      v.push_back(i); // 6
   long sum = 0;
   for (int i = 0; i < 3; i++)
      sum += tmpl(long(i));
   for (int i = 0; i < 5; i++)
      sum += tmpl(i);
   for (int i = 0; i < 2; i++)
      sum += call([](int a) { return a + 1; });
   shapes::Square square = {3};
   for (int i = 0; i < 4; i++)
      sum += square.area(i);
   return sum == 0;
}
