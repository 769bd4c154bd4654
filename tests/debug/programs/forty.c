/* Forty-one small functions that compilers put into their callers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Node {
   struct Node* next;
   int key;
   int value;
} Node;
typedef struct Pair {
   long a, b;
} Pair;
typedef struct Ring {
   int at, n;
   int items[16];
} Ring;

enum { N = 97 };
static int numbers[N];
static char text[] =
   "The quick brown fox, 42 of them, jumps over 7 lazy dogs.\tEnd\n";
static Node nodes[N];
static Node* table[16];
static unsigned state = 12345;

static unsigned next_random(void)
{
   state = state * 1103515245u + 12345u;
   return state >> 16;
}
static int square(int x)
{
   return x * x;
}
static int absolute(int x)
{
   return x < 0 ? -x : x;
}
static int sum_to(int n)
{
   int s = 0;
   for (int i = 0; i < n; i++)
      s = s * 3 + square(i ^ s);
   return s;
}
static int gcd(int a, int b)
{
   while (b) {
      int r = a % b;
      a = b;
      b = r;
   }
   return a;
}
static int is_upper(char c)
{
   return c >= 'A' && c <= 'Z';
}
static char to_lower(char c)
{
   if (is_upper(c)) return c + ('a' - 'A');
   return c;
}
static unsigned hash_step(unsigned h, char c)
{
   return (h ^ (unsigned char)c) * 16777619u;
}
static unsigned hash_text(const char* s)
{
   unsigned h = 2166136261u;
   while (*s)
      h = hash_step(h, *s++);
   return h;
}
static int count_bits(unsigned x)
{
   int n = 0;
   while (x) {
      x &= x - 1;
      n++;
   }
   return n;
}
static int highest_bit(unsigned x)
{
   int n = -1;
   while (x) {
      x >>= 1;
      n++;
   }
   return n;
}
static void swap(int* a, int* b)
{
   int t = *a;
   *a = *b;
   *b = t;
}
static int minimum(int a, int b)
{
   return a < b ? a : b;
}
static int maximum(int a, int b)
{
   return a > b ? a : b;
}
static int middle(int a, int b, int c)
{
   return maximum(minimum(a, b), minimum(maximum(a, b), c));
}
static void sift(int* a, int i, int n)
{
   for (;;) {
      int child = 2 * i + 1;
      if (child >= n) return;
      if (child + 1 < n && a[child + 1] > a[child]) child++;
      if (a[i] >= a[child]) return;
      swap(&a[i], &a[child]);
      i = child;
   }
}
static void heap_sort(int* a, int n)
{
   for (int i = n / 2 - 1; i >= 0; i--)
      sift(a, i, n);
   for (int i = n - 1; i > 0; i--) {
      swap(&a[0], &a[i]);
      sift(a, 0, i);
   }
}
static Node* find(int key)
{
   for (Node* n = table[key & 7]; n; n = n->next)
      if (n->key == key) return n;
   return NULL;
}
static void insert(Node* n, int key, int value)
{
   n->key = key;
   n->value = value;
   n->next = table[key & 7];
   table[key & 7] = n;
}
static int list_length(const Node* n)
{
   int length = 0;
   for (; n; n = n->next)
      length++;
   return length;
}
static int value_of(const Node* n)
{
   if (!n) return -1;
   return n->value;
}
static int push(Ring* r, int x)
{
   if (r->n == 16) return 0;
   r->items[(r->at + r->n++) & 15] = x;
   return 1;
}
static int pop(Ring* r)
{
   int x;
   if (r->n == 0) return -1;
   x = r->items[r->at];
   r->at = (r->at + 1) & 15;
   r->n--;
   return x;
}
static Pair add_pairs(Pair p, Pair q)
{
   Pair sum = {p.a + q.a, p.b - q.b};
   return sum;
}
static int search(const int* a, int n, int x)
{
   int low = 0, high = n;
   while (low < high) {
      int at = (low + high) / 2;
      if (a[at] < x)
         low = at + 1;
      else
         high = at;
   }
   return low;
}
static int is_prime(int n)
{
   if (n < 2) return 0;
   for (int i = 2; i * i <= n; i++)
      if (n % i == 0) return 0;
   return 1;
}
static int collatz(int n)
{
   int steps = 0;
   while (n > 1) {
      n = n % 2 ? 3 * n + 1 : n / 2;
      steps++;
   }
   return steps;
}
static int wrap(int x)
{
   if (x >= 1000) x -= 1000;
   return x;
}

static unsigned rotate(unsigned x, int n)
{
   return x << (n & 31) | x >> (-n & 31);
}
static int average(int a, int b)
{
   return (a & b) + ((a ^ b) >> 1);
}
static long cube(long x)
{
   return x * x * x;
}
static int parity(unsigned x)
{
   x ^= x >> 16;
   x ^= x >> 8;
   x ^= x >> 4;
   return 0x6996 >> (x & 15) & 1;
}
static int days_in(int month, int year)
{
   switch (month) {
   case 2:
      return year % 4 == 0 && (year % 100 || year % 400 == 0) ? 29 : 28;
   case 4:
   case 6:
   case 9:
   case 11:
      return 30;
   default:
      return 31;
   }
}
static int compare(const char* a, const char* b)
{
   while (*a && *a == *b) {
      a++;
      b++;
   }
   return *a - *b;
}
static int length_of(const char* s)
{
   int n = 0;
   while (*s++)
      n++;
   return n;
}
static void reverse(int* a, int n)
{
   for (int i = 0, k = n - 1; i < k; i++, k--)
      swap(&a[i], &a[k]);
}
static long power(long x, int n)
{
   long p = 1;
   for (; n; n >>= 1) {
      if (n & 1) p *= x;
      x *= x;
   }
   return p;
}
static unsigned root(unsigned x)
{
   unsigned r = 0;
   for (unsigned bit = 1u << 14; bit; bit >>= 1)
      if ((r | bit) * (r | bit) <= x) r |= bit;
   return r;
}
static int fibonacci(int n)
{
   int a = 0, b = 1;
   while (n-- > 0) {
      int c = a + b;
      a = b;
      b = c & 0xffff;
   }
   return a;
}
static int depth(const Node* n)
{
   return n ? 1 + (n->key & 1) : 0;
}
static void step(int* at)
{
   *at = (*at * 5 + 1) & 63;
}

int main(int argc, char** argv)
{
   long total = 0;
   unsigned h = 0;
   Ring ring = {0};
   Pair p = {1, 2};
   const char* words[] = {text, text + 4, text + (argc > 1), "The slow",
                          text + 10};
   int at = argc;
   (void)argv;
   for (int i = 0; i < N; i++)
      numbers[i] = (int)(next_random() % 2000) - 1000;
   for (int i = 0; i < N; i++, step(&at)) {
      total ^= absolute(numbers[at] + (int)(total & 7));
   }
   for (int i = argc; i < 9 + argc; i++)
      total ^= sum_to(i);
   total += sum_to(argc + 3);
   for (int i = 1; i < N; i++)
      total += gcd(numbers[i] & 1023, (numbers[i - 1] & 511) + 1);
   for (const char* s = text; *s; s++)
      h = hash_step(h, to_lower(*s));
   for (int i = 0; i < 5; i++)
      h ^= hash_text(words[i] + (h & 1));
   for (int i = 0; i < N; i++)
      total += count_bits(numbers[i]) * highest_bit(h >> (i & 31));
   for (int i = 2; i < N; i++)
      total = wrap((int)(total % 1000) +
                   middle(numbers[i], numbers[i - 1], (int)(total & 255)));
   for (int i = 0; i < N; i++)
      if (!find(numbers[i] & 63)) insert(&nodes[i], numbers[i] & 63, i);
   for (int i = 0; i < N; i++, step(&at)) {
      total = total * 3 + value_of(table[at & 15 & (int)total]);
      total = total * 5 + depth(nodes[at].next);
   }
   for (int i = 0; i < 8; i++)
      total += list_length(table[i]);
   for (int i = 0; i < 3 * N; i++) {
      unsigned r = next_random();
      if (r & 1)
         total += push(&ring, (int)(r & 255));
      else
         total += pop(&ring);
   }
   heap_sort(numbers, N);
   for (int i = 0; i < N; i++)
      total += search(numbers, N, (int)(next_random() % 2000) - 1000);
   for (int i = 0; i < N; i++) {
      Pair q = {numbers[at], total & 15};
      p = add_pairs(p, q);
      total ^= p.a * q.b;
      step(&at);
   }
   for (int i = argc; i < 200 + argc; i++)
      if (is_prime(i)) total += collatz(i);
   for (int i = 0; i < N; i++, step(&at)) {
      h = rotate(h, numbers[at]);
      total = average((int)total, numbers[at]);
      total ^= cube(numbers[at] + (total & 1));
      total += parity(h + (unsigned)total);
      total = total * 3 + days_in(1 + at % 12, 1900 + (int)(h & 255));
   }
   for (int i = argc; i < 5 + argc; i++, step(&at))
      total += compare(words[i % 5], words[at % 5]) + length_of(words[at % 5]);
   for (int i = 0; i < 10; i++)
      reverse(numbers + i, (int)(h & 7) + i);
   for (int i = 0; i < 20; i++, step(&at))
      total ^= power(numbers[at], at) + root((unsigned)total & 0xffff) +
               fibonacci(at & 15);
   printf("%ld %u\n", total, h);
   return 0;
}
