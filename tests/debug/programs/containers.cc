/* Functions of the standard library that are inlined, and how often each is
 * called: what is printed, or follows from N. */
#include <algorithm>
#include <cstdio>
#include <map>
#ifdef WITH_REGEX
#include <regex>
#endif
#include <string>
#include <vector>

static const int N = 500;
static long compared, visited;

struct Item {
   int key;
   std::string name;
};

static bool before(const Item& a, const Item& b)
{
   compared++;
   return a.key < b.key;
}

static void visit(long& sum, int value)
{
   visited++;
   sum = sum * 31 + value;
}

__attribute__((noinline)) static std::vector<Item> items()
{
   std::vector<Item> all;
   unsigned random = 7;
   for (int i = 0; i < N; i++) {
      random = random * 1103515245 + 12345;
      all.push_back({(int)(random >> 16 & 1023), std::to_string(i)});
   }
   return all;
}

__attribute__((noinline)) static void sort(std::vector<Item>& all)
{
   std::sort(all.begin(), all.end(),
             [](const Item& a, const Item& b) { return before(a, b); });
}

__attribute__((noinline)) static std::map<int, int>
histogram(const std::vector<Item>& all)
{
   std::map<int, int> found;
   for (const Item& item : all)
      found[item.key % 64]++;
   return found;
}

__attribute__((noinline)) static long sum_of(const std::map<int, int>& found)
{
   long sum = 0;
   for (const auto& [key, times] : found)
      visit(sum, key * times);
   return sum;
}

__attribute__((noinline)) static bool is_number(const std::string& text)
{
#ifdef WITH_REGEX
   static const std::regex number("[0-9]+|-[0-9]+");
   return std::regex_match(text, number);
#else
   return std::all_of(text.begin(), text.end(),
                      [](char c) { return c >= '0' && c <= '9'; });
#endif
}

/* A method of a class that is local to an inlined function: its own inlined
 * functions stand inside an entry without code. */
static long halved(long number)
{
   struct Local {
      __attribute__((noinline)) static long half(long number)
      {
         long sum = number;
         visit(sum, 1);
         return sum / 2;
      }
   };
   return Local::half(number);
}

int main()
{
   std::vector<Item> all = items();
   sort(all);
   std::map<int, int> found = histogram(all);
   long sum = sum_of(found);
   sum += is_number(all[0].name);
   sum += halved(sum);
   fprintf(stderr, "before %ld\nvisit %ld\n", compared, visited);
   printf("%ld\n", sum);
   return 0;
}
