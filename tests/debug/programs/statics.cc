/* Static variables of each kind; what they are is in test_statics.py. */

namespace shapes
{
int count = 3;
static volatile long sums[8];
struct Circle {
   double radius;
   static Circle unit;
};
Circle Circle::unit = {1.0};
} // namespace shapes

thread_local short depth = 7;
extern const char letters[];
const char letters[] = "abc";

int next()
{
   static int counter = 40;
   return counter++;
}

int main()
{
   shapes::sums[1] = next();
   return shapes::count + (int)shapes::sums[1] + depth + letters[0];
}
