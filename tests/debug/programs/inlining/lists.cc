// A list of its own with iterators, and functions that walk through it.
#include <cstdio>

template <typename T> class List {
   struct Item { T value; Item* next; };
   Item* first_ = nullptr;

public:
   class Place {
      Item* item_;

   public:
      explicit Place(Item* item) : item_(item) {}
      T& operator*() const { return item_->value; }
      Place& operator++() { item_ = item_->next; return *this; }
      bool operator!=(const Place& other) const { return item_ != other.item_; }
   };
   ~List() { while (first_) pop(); }
   void push(T value) { first_ = new Item{value, first_}; }
   void pop() { Item* old = first_; first_ = old->next; delete old; }
   Place begin() const { return Place(first_); }
   Place end() const { return Place(nullptr); }
};

template <typename T> static T weighed(T value, int weight) { return value * weight; }
template <typename T> static T total(const List<T>& list)
{
   T sum = 0;
   int weight = 1;
   for (T each : list)
      sum += weighed(each, weight++);
   return sum;
}
template <typename T> static bool contains(const List<T>& list, T wanted)
{
   for (T each : list)
      if (each == wanted) return true;
   return false;
}

int main()
{
   List<long> longs;
   List<double> doubles;
   double sum = 0;
   for (int i = 0; i < 15; i++) {
      longs.push(i * i);
      if (i % 2) doubles.push(i / 2.0);
      sum += total(longs) + total(doubles);
      if (contains(longs, 16L)) longs.pop();
   }
   printf("%g\n", sum);
}
