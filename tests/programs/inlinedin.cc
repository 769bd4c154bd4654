/* Functions that are inlined: one in two places, one in four. The lines are
 * known to tests/cases/test_collect.py. */
#define INLINED inline __attribute__((always_inline))

namespace shapes {
struct Square {
   volatile int side;
   INLINED int area() const { return side * side; }
   INLINED int grown(int by) const { return side + by; }
};
}

__attribute__((noinline)) static int second(const shapes::Square& s)
{
   return s.area() + s.grown(1) + 2;
}

int main()
{
   shapes::Square s = {3};
   int sum = s.area();
   sum += s.grown(2);
   sum += s.grown(3);
   sum += s.grown(4);
   return sum + second(s) == 0;
}
