// An unordered_map of pointers, whose order follows from where the heap gives
// out memory.
#include <cstdio>
#include <memory>
#include <unordered_map>
#include <vector>

int main()
{
   std::vector<std::unique_ptr<int>> owned;
   std::unordered_map<const int*, int> numbers;
   for (int i = 0; i < 500; i++) {
      owned.push_back(std::make_unique<int>(i));
      numbers[owned.back().get()] = i;
   }
   for (const auto& entry : numbers)
      std::printf("%p %d\n", static_cast<const void*>(entry.first),
                  entry.second);
}
