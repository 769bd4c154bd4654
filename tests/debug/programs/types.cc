/* Fourteen types of C++, each allocated in a place of its own. What is noted,
 * with NOTES in the environment, is what the test knows by construction. */

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

#define APART __attribute__((noinline))

APART void
note(void* block, size_t size, const char* type, const char* in, int line)
{
   if (getenv("NOTES"))
      fprintf(stderr, "%p %zu %d %s %s\n", block, size, line, in, type);
}

#define NOTE(block, size, type) note(block, size, type, __func__, __LINE__ - 1)

enum { N = 40 };

/* ------------------------------------------------------------ classes */

namespace shapes
{
class Shape
{
 public:
   virtual ~Shape() = default;
   virtual double area() const = 0;
   int id = 0;
};

class Circle : public Shape
{
 public:
   explicit Circle(double r) : radius(r) {}
   double area() const override { return 3 * radius * radius; }

 private:
   double radius;
};

struct Named {
   const char* name = "";
};

class Box : public Shape, public Named
{
 public:
   Box(double w, double h) : width(w), height(h) {}
   double area() const override { return width * height; }

 private:
   double width, height;
};
} // namespace shapes

APART static shapes::Shape* make_circle(int i)
{
   auto* circle = new shapes::Circle(i);
   NOTE(circle, sizeof *circle, "shapes::Circle");
   circle->id = i;
   return circle;
}

APART static shapes::Shape* make_box(int i)
{
   auto* box = new shapes::Box(i, 2);
   NOTE(box, sizeof *box, "shapes::Box");
   box->id = i;
   return box;
}

APART static double total_area(shapes::Shape* const* all, int n)
{
   double sum = 0;
   for (int i = 0; i < n; i++)
      sum += all[i]->area() + all[i]->id;
   return sum;
}

APART static shapes::Shape** make_array(int n)
{
   auto** all = new shapes::Shape*[n];
   NOTE(all, n * sizeof *all, "shapes::Shape*");
   return all;
}

/* ------------------------------------------------------------ templates */

template <typename T> struct Stack {
   T items[32];
   int depth = 0;
   APART void push(const T& item) { items[depth++ % 32] = item; }
   APART T& top() { return items[(depth - 1) % 32]; }
};

struct Token {
   int kind;
   long from, to;
};

APART static Stack<Token>* make_tokens()
{
   auto* stack = new Stack<Token>;
   NOTE(stack, sizeof *stack, "Stack<Token>");
   return stack;
}

APART static Stack<float>* make_floats()
{
   auto* stack = new Stack<float>();
   NOTE(stack, sizeof *stack, "Stack<float>");
   return stack;
}

template <typename K, typename V> struct Pair {
   K key;
   V value;
};

APART static Pair<int, double>* make_pairs(int n)
{
   auto* pairs = new Pair<int, double>[n]();
   NOTE(pairs, n * sizeof *pairs, "Pair<int, double>");
   for (int i = 0; i < n; i++)
      pairs[i].key = i;
   return pairs;
}

APART static double add_pairs(const Pair<int, double>* pairs, int n)
{
   double sum = 0;
   for (int i = 0; i < n; i++)
      sum += pairs[i].key + pairs[i].value;
   return sum;
}

/* ------------------------------------------------------------ owners */

struct Leaf {
   uint32_t hash = 7;
   uint8_t bytes[20] = {};
};

struct Branch {
   std::unique_ptr<Leaf> leaf;
   std::unique_ptr<Branch> left, right;
   uint64_t weight = 0;
};

APART static Leaf* make_leaf(int i)
{
   auto* leaf = new Leaf;
   NOTE(leaf, sizeof *leaf, "Leaf");
   leaf->bytes[i % 20] = i;
   leaf->hash += i;
   return leaf;
}

APART static Branch* make_branch(int depth)
{
   auto* branch = new Branch;
   NOTE(branch, sizeof *branch, "Branch");
   branch->leaf.reset(make_leaf(depth));
   if (depth) {
      branch->left.reset(make_branch(depth - 1));
      branch->right.reset(make_branch(depth - 1));
   }
   return branch;
}

APART static uint64_t weigh(Branch& branch)
{
   branch.weight = branch.leaf->hash;
   if (branch.left) branch.weight += weigh(*branch.left);
   if (branch.right) branch.weight += weigh(*branch.right);
   return branch.weight;
}

/* ------------------------------------------------------------ containers */

struct Account {
   long number = 0;
   double balance = 0;
};

struct Bank {
   std::vector<Account*> accounts;
   Account* best = nullptr;
   int visits = 0;
};

APART static void open_account(Bank& bank, int i)
{
   auto* account = new Account;
   NOTE(account, sizeof *account, "Account");
   account->number = i;
   account->balance = i * 7 % 11;
   bank.accounts.push_back(account);
}

APART static Bank* make_bank()
{
   auto* bank = new Bank;
   NOTE(bank, sizeof *bank, "Bank");
   for (int i = 0; i < N; i++)
      open_account(*bank, i);
   return bank;
}

APART static Account& richest(Bank& bank)
{
   for (Account* account : bank.accounts) {
      bank.visits++;
      if (!bank.best || account->balance > bank.best->balance)
         bank.best = account;
   }
   return *bank.best;
}

struct Event {
   uint64_t time;
   union {
      int key;
      struct {
         short x, y;
      } place;
   };
   Event* next;
};

APART static Event* add_event(Event* rest, int i)
{
   auto* event = static_cast<Event*>(operator new(sizeof(Event)));
   NOTE(event, sizeof *event, "Event");
   event->time = i;
   event->place.x = i;
   event->place.y = -i;
   event->next = rest;
   return event;
}

APART static long walk_events(const Event* event)
{
   long sum = 0;
   for (; event; event = event->next)
      sum += event->place.x + event->place.y + event->time;
   return sum;
}

struct Cell {
   int alive = 0;
   int near = 0;
};

struct Grid {
   int width = 0;
   Cell* cells = nullptr;
};

APART static Grid* make_grid(int width)
{
   Grid* grid = new Grid;
   NOTE(grid, sizeof *grid, "Grid");
   grid->width = width;
   grid->cells = new Cell[width * width];
   NOTE(grid->cells, width * width * sizeof(Cell), "Cell");
   return grid;
}

APART static int live(Grid& grid)
{
   int sum = 0;
   for (int y = 1; y < grid.width - 1; y++)
      for (int x = 1; x < grid.width - 1; x++) {
         Cell& cell = grid.cells[y * grid.width + x];
         cell.near = grid.cells[y * grid.width + x - 1].alive +
                     grid.cells[(y - 1) * grid.width + x].alive;
         cell.alive = cell.near % 2 == 0;
         sum += cell.alive;
      }
   return sum;
}

int main()
{
   shapes::Shape** all = make_array(2 * N);
   Event* events = nullptr;
   auto* tokens = make_tokens();
   auto* floats = make_floats();
   double sum = 0;
   for (int i = 0; i < N; i++) {
      all[2 * i] = make_circle(i);
      all[2 * i + 1] = make_box(i);
      events = add_event(events, i);
      tokens->push({i, i, i + 1});
      floats->push(i);
      sum += tokens->top().to + floats->top();
   }
   sum += total_area(all, 2 * N) + walk_events(events);
   sum += add_pairs(make_pairs(N), N) + weigh(*make_branch(5));
   sum += richest(*make_bank()).balance + live(*make_grid(12));
   printf("%.3f\n", sum);
   return 0;
}
