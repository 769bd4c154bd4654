// Classes: constructors, accessors and operators that are inlined, and some virtual functions.
#include <cstdio>
#include <memory>
#include <vector>

struct Point {
   double x, y;
   Point(double first, double second) : x(first), y(second) {}
   Point plus(const Point& other) const { return Point(x + other.x, y + other.y); }
   Point times(double factor) const { return Point(x * factor, y * factor); }
   double dot(const Point& other) const { return x * other.x + y * other.y; }
   bool near(const Point& other) const
   {
      Point apart = plus(other.times(-1));
      return apart.dot(apart) < 4;
   }
};
struct Shape {
   virtual ~Shape() {}
   virtual double area() const = 0;
   bool is_large() const { return area() > 10; }
};
struct Square : Shape {
   double side;
   explicit Square(double length) : side(length) {}
   double squared() const { return side * side; }
   double area() const override { return squared(); }
};
struct Ring : Shape {
   double outer, inner;
   Ring(double a, double b) : outer(a), inner(b) {}
   static double disc(double radius) { return 3 * radius * radius; }
   double area() const override { return disc(outer) - disc(inner); }
};

static int count_near(const std::vector<Point>& all, const Point& from)
{
   int found = 0;
   for (const Point& each : all)
      if (each.near(from)) found++;
   return found;
}
static int count_large(const std::vector<std::unique_ptr<Shape>>& all)
{
   int found = 0;
   for (const auto& each : all)
      found += each->is_large();
   return found;
}

int main()
{
   std::vector<Point> points;
   for (int i = 0; i < 20; i++)
      points.push_back(Point(i, 20 - i).times(0.5));
   int near = 0;
   for (int i = 0; i < 5; i++)
      near += count_near(points, Point(i, i));
   std::vector<std::unique_ptr<Shape>> shapes;
   for (int i = 0; i < 12; i++)
      if (i % 3)
         shapes.emplace_back(new Square(i));
      else
         shapes.emplace_back(new Ring(i, 1));
   printf("%d %d\n", near, count_large(shapes));
}
