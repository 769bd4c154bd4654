/* Fifty small functions of another style than forty.c's: automata, codecs,
 * geometry in floating point, sets of bits, trees in arrays, callbacks, rules
 * with early returns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Vector {
   double x, y, z;
} Vector;
typedef struct Box {
   Vector low, high;
} Box;
typedef struct Buffer {
   unsigned char bytes[512];
   size_t n;
} Buffer;
typedef struct Token {
   int kind;
   const char* start;
   size_t length;
} Token;
typedef struct Set {
   unsigned long words[4];
} Set;
typedef struct Queue {
   int items[64];
   unsigned head, tail;
} Queue;
typedef struct Account {
   long balance;
   int is_open, n_refused;
} Account;

enum { N = 61, END = 0, NUMBER, NAME, SIGN, SPACE };
static unsigned long seed = 88172645463325252ul;
static int parents[N], sizes[N];
static int left_of[N], right_of[N], keys[N], n_nodes;
static Buffer plain, packed;
static const char source[] =
   "let x1 = 40 + (y * 7) - zz9 / 3;  if x1 >= 12 then f(x1, y) else 0";

static unsigned long draw(void)
{
   seed ^= seed << 13;
   seed ^= seed >> 7;
   seed ^= seed << 17;
   return seed;
}
static int draw_below(int n)
{
   return (int)(draw() % (unsigned long)n);
}

/* Geometry */
static Vector vector(double x, double y, double z)
{
   return (Vector){x, y, z};
}
static Vector plus(Vector a, Vector b)
{
   return vector(a.x + b.x, a.y + b.y, a.z + b.z);
}
static Vector times(Vector a, double k)
{
   a.x *= k;
   a.y *= k;
   a.z *= k;
   return a;
}
static double dot(Vector a, Vector b)
{
   return a.x * b.x + a.y * b.y + a.z * b.z;
}
static double clamp(double x, double low, double high)
{
   if (x < low) return low;
   if (x > high) return high;
   return x;
}
static int contains(const Box* box, Vector p)
{
   return p.x >= box->low.x && p.x <= box->high.x && p.y >= box->low.y &&
          p.y <= box->high.y && p.z >= box->low.z && p.z <= box->high.z;
}
static void extend(Box* box, Vector p)
{
   if (p.x < box->low.x) box->low.x = p.x;
   if (p.x > box->high.x) box->high.x = p.x;
   if (p.y < box->low.y) box->low.y = p.y;
   if (p.y > box->high.y) box->high.y = p.y;
}
static double polynomial(const double* c, int n, double x)
{
   double y = 0;
   while (n-- > 0)
      y = y * x + c[n];
   return y;
}
static double newton_root(double x)
{
   double r = x > 1 ? x : 1;
   for (int i = 0; i < 6; i++)
      r = 0.5 * (r + x / r);
   return r;
}
static int sign_of(double x)
{
   return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/* Sets of bits */
static int has(const Set* set, unsigned item)
{
   return set->words[item >> 6 & 3] >> (item & 63) & 1;
}
static void add(Set* set, unsigned item)
{
   set->words[item >> 6 & 3] |= 1ul << (item & 63);
}
static void toggle(Set* set, unsigned item)
{
   if (has(set, item))
      set->words[item >> 6 & 3] &= ~(1ul << (item & 63));
   else
      add(set, item);
}
static int is_empty(const Set* set)
{
   return !(set->words[0] | set->words[1] | set->words[2] | set->words[3]);
}
static int first_of(const Set* set)
{
   for (int i = 0; i < 256; i++)
      if (has(set, i)) return i;
   return -1;
}

/* Codecs */
static void put_byte(Buffer* b, unsigned char byte)
{
   if (b->n == sizeof b->bytes) return;
   b->bytes[b->n++] = byte;
}
static int get_byte(const Buffer* b, size_t* at)
{
   if (*at >= b->n) return -1;
   return b->bytes[(*at)++];
}
static void put_varint(Buffer* b, unsigned long x)
{
   while (x >= 128) {
      put_byte(b, (unsigned char)(x | 128));
      x >>= 7;
   }
   put_byte(b, (unsigned char)x);
}
static unsigned long get_varint(const Buffer* b, size_t* at)
{
   unsigned long x = 0;
   for (int shift = 0; shift < 64; shift += 7) {
      int byte = get_byte(b, at);
      if (byte < 0) break;
      x |= (unsigned long)(byte & 127) << shift;
      if (byte < 128) break;
   }
   return x;
}
static unsigned long zigzag(long x)
{
   return (unsigned long)x << 1 ^ (unsigned long)(x >> 63);
}
static long unzigzag(unsigned long x)
{
   return (long)(x >> 1) ^ -(long)(x & 1);
}
static unsigned crc_step(unsigned crc, unsigned char byte)
{
   crc ^= byte;
   for (int k = 0; k < 8; k++)
      crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
   return crc;
}
static unsigned crc_of(const Buffer* b)
{
   unsigned crc = ~0u;
   for (size_t i = 0; i < b->n; i++)
      crc = crc_step(crc, b->bytes[i]);
   return ~crc;
}
static int hex_digit(int c)
{
   if (c >= '0' && c <= '9') return c - '0';
   if (c >= 'a' && c <= 'f') return c - 'a' + 10;
   return -1;
}
static char base64_letter(unsigned x)
{
   return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
      [x & 63];
}
static size_t run_length(const unsigned char* bytes, size_t n)
{
   size_t i = 1;
   while (i < n && i < 255 && bytes[i] == bytes[0])
      i++;
   return i;
}
static size_t utf8_length(unsigned code)
{
   if (code < 0x80) return 1;
   if (code < 0x800) return 2;
   if (code < 0x10000) return 3;
   return 4;
}

/* An automaton */
static int class_of(char c)
{
   if (c == 0) return END;
   if (c >= '0' && c <= '9') return NUMBER;
   if ((c >= 'a' && c <= 'z') || c == '_') return NAME;
   if (c == ' ') return SPACE;
   return SIGN;
}
static const char* skip_space(const char* s)
{
   while (class_of(*s) == SPACE)
      s++;
   return s;
}
static Token next_token(const char* s)
{
   Token token = {END, skip_space(s), 0};
   s = token.start;
   token.kind = class_of(*s);
   if (token.kind == NAME)
      while (class_of(*s) == NAME || class_of(*s) == NUMBER)
         s++;
   else if (token.kind == NUMBER)
      while (class_of(*s) == NUMBER)
         s++;
   else if (token.kind == SIGN)
      s++;
   token.length = (size_t)(s - token.start);
   return token;
}
static long value_of_token(const Token* token)
{
   long value = 0;
   for (size_t i = 0; i < token->length; i++)
      value = value * 10 + (token->start[i] - '0');
   return value;
}
static int is_word(const Token* token, const char* word)
{
   return token->length == strlen(word) &&
          memcmp(token->start, word, token->length) == 0;
}
static int next_state(int state, int kind)
{
   switch (state) {
   case 0:
      return kind == NAME ? 1 : kind == NUMBER ? 2 : 0;
   case 1:
      return kind == SIGN ? 0 : 3;
   case 2:
      return kind == NAME ? 3 : 0;
   default:
      return kind == SIGN ? 3 : 0;
   }
}

/* Trees and forests in arrays */
static int root_of(int i)
{
   while (parents[i] != i) {
      parents[i] = parents[parents[i]];
      i = parents[i];
   }
   return i;
}
static int join(int a, int b)
{
   a = root_of(a);
   b = root_of(b);
   if (a == b) return 0;
   if (sizes[a] < sizes[b]) {
      int t = a;
      a = b;
      b = t;
   }
   parents[b] = a;
   sizes[a] += sizes[b];
   return 1;
}
static int new_node(int key)
{
   keys[n_nodes] = key;
   left_of[n_nodes] = right_of[n_nodes] = -1;
   return n_nodes++;
}
static int* child_towards(int node, int key)
{
   return key < keys[node] ? &left_of[node] : &right_of[node];
}
static void plant(int key)
{
   int node = 0;
   if (n_nodes == 0) {
      new_node(key);
      return;
   }
   for (;;) {
      int* child = child_towards(node, key);
      if (keys[node] == key) return;
      if (*child < 0) {
         *child = new_node(key);
         return;
      }
      node = *child;
   }
}
static int level_of(int key)
{
   int level = 0;
   for (int node = 0; node >= 0; level++) {
      if (keys[node] == key) return level;
      node = *child_towards(node, key);
   }
   return -1;
}

/* Queues, accounts, callbacks */
static int is_full(const Queue* q)
{
   return q->tail - q->head == 64;
}
static void enqueue(Queue* q, int item)
{
   if (is_full(q)) return;
   q->items[q->tail++ & 63] = item;
}
static int dequeue(Queue* q, int* item)
{
   if (q->head == q->tail) return 0;
   *item = q->items[q->head++ & 63];
   return 1;
}
static int withdraw(Account* a, long amount)
{
   if (!a->is_open || amount <= 0) return -1;
   if (a->balance < amount) {
      a->n_refused++;
      return 0;
   }
   a->balance -= amount;
   return 1;
}
static void deposit(Account* a, long amount)
{
   if (!a->is_open) return;
   a->balance += amount;
}
static long twice(long x)
{
   return 2 * x;
}
static long apply(long (*f)(long), long x)
{
   return f(x);
}
static int is_leap(int year)
{
   return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}
static long day_number(int day, int month, int year)
{
   static const short before[] = {0,   31,  59,  90,  120, 151,
                                  181, 212, 243, 273, 304, 334};
   long days = 365l * year + (year + 3) / 4 - (year + 99) / 100 +
               (year + 399) / 400 + before[month] + day;
   if (month > 1 && is_leap(year)) days++;
   return days;
}
static int order(const void* a, const void* b)
{
   return *(const int*)a - *(const int*)b;
}

static double geometry(int scale)
{
   static const double c[] = {1, -0.5, 0.25, -0.125};
   Box box = {{0, 0, 0}, {scale, scale, scale}};
   Vector sum = {0, 0, 0};
   double total = 0;
   int inside = 0;
   for (int i = 0; i < N; i++) {
      double x = draw_below(9), y = draw_below(9), z = draw_below(9);
      Vector p = vector(x, y, z);
      if (contains(&box, p))
         inside++;
      else if (i % 3 == 0)
         extend(&box, p);
      sum = plus(sum, times(p, 0.5));
      total += clamp(dot(p, sum), -100, 100 * scale);
      if (i & 1) total += polynomial(c, 1 + i % 4, p.x * 0.1);
   }
   for (int i = 0; i < 15; i++)
      total += newton_root(total + i) * sign_of(sum.x - 3 * i);
   return total + inside;
}

static unsigned codecs(int rounds)
{
   size_t at = 0;
   unsigned hash = 0;
   for (int i = 0; i < rounds; i++)
      put_varint(&packed, zigzag(draw_below(1 << (i % 20)) - 50));
   while (at < packed.n)
      hash = hash * 31 + (unsigned)unzigzag(get_varint(&packed, &at));
   for (int i = 0; i < 300; i++)
      put_byte(&plain, (unsigned char)(draw_below(3) ? 'a' : 'a' + i % 7));
   hash ^= crc_of(&packed);
   for (size_t i = 0; i < plain.n;
        i += run_length(plain.bytes + i, plain.n - i))
      hash += (unsigned)hex_digit(plain.bytes[i]) ^
              (unsigned char)base64_letter(hash + plain.bytes[i]);
   for (int i = 0; i < N; i++)
      hash += (unsigned)utf8_length((unsigned)draw_below(1 << (i % 21)));
   return hash;
}

static long automaton(const char* s)
{
   long total = 0;
   int state = 0;
   for (;;) {
      Token token = next_token(s);
      if (token.kind == END) break;
      if (token.kind == NUMBER) total += value_of_token(&token);
      if (token.kind == NAME && is_word(&token, "if")) total++;
      if (is_word(&token, "then") || is_word(&token, "else")) total += 2;
      state = next_state(state, token.kind);
      total = total * 5 + state;
      s = token.start + token.length;
   }
   return total;
}

static long trees(void)
{
   long total = 0;
   for (int i = 0; i < N; i++) {
      parents[i] = i;
      sizes[i] = 1;
   }
   for (int i = 0; i < N; i++)
      total += join(draw_below(N), i);
   for (int i = 0; i < N - 1; i++)
      plant(draw_below(1000));
   for (int i = 0; i < N; i++)
      total += level_of(i & 1 ? keys[i % n_nodes] : i);
   return total;
}

static long sets(int last)
{
   Set set = {{0}};
   long total = 0;
   for (int i = 0; i < last; i++) {
      toggle(&set, (unsigned)draw_below(256));
      if (i % 5 == 0) add(&set, (unsigned)i);
      if (!is_empty(&set)) total += first_of(&set);
   }
   for (int i = 0; i < last; i++)
      total += has(&set, (unsigned)draw_below(256));
   return total;
}

static long services(int year)
{
   Queue q = {{0}, 0, 0};
   Account a = {500, 1, 0}, b = {20, year > 0, 0};
   long total = 0;
   int item;
   for (int i = 0; i < 200; i++) {
      if (draw() & 3)
         enqueue(&q, i);
      else if (dequeue(&q, &item))
         total += item;
   }
   while (dequeue(&q, &item))
      total ^= item;
   for (int i = 0; i < N; i++) {
      long amount = draw_below(40) - 5;
      if (withdraw(&a, amount) == 1) deposit(&b, amount);
      if (i == 40) a.is_open = 0;
   }
   total += a.balance - b.balance + a.n_refused;
   for (int i = 0; i < 9; i++)
      total += apply(twice, i) - day_number(i, i, year + i * 50);
   qsort(keys, (size_t)n_nodes, sizeof *keys, order);
   return total + keys[3];
}

int main(int argc, char** argv)
{
   (void)argv;
   double number = geometry(argc + 3);
   unsigned hash = codecs(40 + argc);
   long total = automaton(source + argc - 1);
   total += trees();
   total += sets(N + argc);
   total += services(1900 + argc);
   printf("%.3f %u %ld\n", number, hash, total);
   return 0;
}
