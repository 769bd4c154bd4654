/* Types of C++'s containers, and static variables. Each has a function of its
 * own, which test_truth.py knows; what is wanted of it is there, too. */

#include <cstdint>
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#define APART __attribute__((noinline))

enum { N = 200 };

struct Order {
   long number;
   double price;
   int amount;
};

/* ------------------------------------------------------------ trees */

APART static void fill_map(std::map<int, Order>& orders)
{
   for (int i = 0; i < N; i++)
      orders[i * 7 % N] = {i, i * 0.5, i % 9};
}

APART static double add_map(const std::map<int, Order>& orders)
{
   double sum = 0;
   for (const auto& entry : orders)
      sum += entry.first + entry.second.price * entry.second.amount;
   return sum;
}

APART static long fill_set(std::set<long>& numbers)
{
   long found = 0;
   for (int i = 0; i < N; i++)
      numbers.insert(i * 13 % N);
   for (int i = 0; i < N; i++)
      found += numbers.count(i);
   return found;
}

/* ------------------------------------------------------------ rows */

APART static void fill_vector(std::vector<Order>& orders)
{
   orders.reserve(N);
   for (int i = 0; i < N; i++)
      orders.push_back({i, 1.5, 3});
}

APART static double add_vector(const std::vector<Order>& orders)
{
   double sum = 0;
   for (const Order& order : orders)
      sum += order.price * order.amount;
   return sum;
}

APART static double grow_numbers(std::vector<double>& numbers)
{
   double sum = 0;
   for (int i = 0; i < N; i++)
      numbers.push_back(i);
   for (double number : numbers)
      sum += number;
   return sum;
}

APART static long fill_deque(std::deque<Order>& orders)
{
   long sum = 0;
   for (int i = 0; i < N; i++)
      orders.push_back({i, 2, 1});
   for (const Order& order : orders)
      sum += order.number;
   return sum;
}

APART static long fill_list(std::list<Order>& orders)
{
   long sum = 0;
   for (int i = 0; i < N; i++)
      orders.push_front({i, 2, 1});
   for (const Order& order : orders)
      sum += order.number + order.amount;
   return sum;
}

/* ------------------------------------------------------------ tables */

APART static void fill_table(std::unordered_map<long, Order>& orders)
{
   for (int i = 0; i < N; i++)
      orders[i * 31] = {i, 1, 2};
}

APART static double look_up(std::unordered_map<long, Order>& orders)
{
   double sum = 0;
   for (int i = 0; i < 2 * N; i++) {
      auto found = orders.find(i * 31);
      if (found != orders.end()) sum += found->second.price;
   }
   return sum;
}

/* ------------------------------------------------------------ owners */

struct Texture {
   uint32_t width, height;
   std::vector<uint16_t> texels;
};

APART static std::shared_ptr<Texture> make_texture(int i)
{
   auto texture = std::make_shared<Texture>();
   texture->width = i;
   texture->height = 4;
   texture->texels.resize(64);
   return texture;
}

APART static long sum_texels(const std::vector<std::shared_ptr<Texture>>& all)
{
   long sum = 0;
   for (const auto& texture : all)
      for (uint16_t texel : texture->texels)
         sum += texel + texture->width * texture->height;
   return sum;
}

APART static long write_text(std::string& text)
{
   long sum = 0;
   for (int i = 0; i < N; i++)
      text += char('a' + i % 26);
   for (char letter : text)
      sum += letter;
   return sum;
}

/* ------------------------------------------------------------ statics */

namespace counted
{
struct Counter {
   uint32_t reads, writes;
   uint64_t bytes;
};
static Counter counters[16];

union Word {
   uint64_t whole;
   uint16_t parts[4];
};
Word word;

template <typename T> struct Registry {
   static Registry all;
   T first, last;
   int count;
};
template <typename T> Registry<T> Registry<T>::all;

struct Bits {
   unsigned is_on : 1, level : 7, rest : 24;
   Order order;
};
thread_local Bits bits;
} // namespace counted

std::pair<long, Order> last;
static const Order prices[8] = {{1, 2, 3}, {4, 5, 6}};
static double (*volatile function)(const std::vector<Order>&) = add_vector;

APART static long count_all(int i)
{
   counted::Counter& counter = counted::counters[i % 16];
   counter.reads++;
   counter.bytes += i;
   counted::word.whole += i;
   counted::word.parts[1]++;
   counted::Registry<Order>::all.count++;
   counted::Registry<Order>::all.last.number = i;
   counted::bits.level = i;
   counted::bits.order.amount += i;
   last.first = i;
   return prices[i % 8].amount + counted::bits.level;
}

int main()
{
   std::map<int, Order> map;
   std::set<long> set;
   std::vector<Order> vector;
   std::vector<double> numbers;
   std::deque<Order> deque;
   std::list<Order> list;
   std::unordered_map<long, Order> table;
   std::vector<std::shared_ptr<Texture>> textures;
   std::string text;
   fill_map(map);
   fill_vector(vector);
   fill_table(table);
   for (int i = 0; i < 20; i++)
      textures.push_back(make_texture(i));
   double sum = add_map(map) + fill_set(set) + function(vector);
   sum += grow_numbers(numbers) + fill_deque(deque) + fill_list(list);
   sum += look_up(table) + sum_texels(textures) + write_text(text);
   for (int i = 0; i < N; i++)
      sum += count_all(i);
   printf("%.3f\n", sum);
   return 0;
}
