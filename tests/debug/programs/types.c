/* Sixteen types of C, each allocated in a place of its own and walked by code
 * of its own. What is noted, with NOTES in the environment, is what the test
 * knows by construction. */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline))

APART void
note(void* block, size_t size, const char* type, const char* in, int line)
{
   if (getenv("NOTES"))
      fprintf(stderr, "%p %zu %d %s %s\n", block, size, line, in, type);
}

#define NOTE(block, size, type) note(block, size, type, __func__, __LINE__ - 1)

enum { N = 40 };

/* ------------------------------------------------------------ a list */

struct node {
   struct node* next;
   long key;
   char mark;
   int value;
};

APART static struct node* add_node(struct node* rest, int i)
{
   struct node* node = malloc(sizeof *node);
   NOTE(node, sizeof *node, "struct node");
   node->next = rest;
   node->key = i;
   node->value = i * 3;
   return node;
}

APART static long walk_list(const struct node* node)
{
   long sum = 0;
   for (; node; node = node->next)
      sum += node->key * node->value;
   return sum;
}

/* ------------------------------------------------------------ a tree */

typedef struct Tree {
   struct Tree *left, *right;
   struct node* list;
   double weight;
} Tree;

APART static Tree* grow(int depth)
{
   if (!depth) return NULL;
   Tree* tree = calloc(1, sizeof(Tree));
   NOTE(tree, sizeof *tree, "struct Tree");
   tree->weight = depth;
   tree->left = grow(depth - 1);
   tree->right = grow(depth - 1);
   return tree;
}

APART static double weigh(const Tree* tree)
{
   if (!tree) return 0;
   return tree->weight + weigh(tree->left) + weigh(tree->right);
}

/* ------------------------------------------------------------ arrays */

struct point {
   float x, y, z;
};

APART static struct point* place_points(int n)
{
   struct point* points = malloc(n * sizeof *points);
   NOTE(points, n * sizeof *points, "struct point");
   for (int i = 0; i < n; i++) {
      points[i].x = i;
      points[i].z = -i;
   }
   return points;
}

APART static float furthest(const struct point* points, int n)
{
   float most = 0;
   for (int i = 0; i < n; i++)
      if (points[i].x - points[i].z > most) most = points[i].x - points[i].z;
   return most;
}

APART static double* fill_numbers(int n)
{
   double* numbers = malloc(n * sizeof(double));
   NOTE(numbers, n * sizeof(double), "double");
   for (int i = 0; i < n; i++)
      numbers[i] = i / 3.0;
   return numbers;
}

APART static double mean(const double* numbers, int n)
{
   double sum = 0;
   for (int i = 0; i < n; i++)
      sum += numbers[i];
   return sum / n;
}

APART static struct node** index_nodes(struct node* node, int n)
{
   struct node** index = malloc(n * sizeof *index);
   NOTE(index, n * sizeof *index, "struct node*");
   for (int i = 0; i < n && node; i++, node = node->next)
      index[i] = node;
   return index;
}

/* ------------------------------------------------------------ unions, bits */

struct variant {
   enum { WHOLE, REAL, TEXT } kind;
   union {
      long whole;
      double real;
      const char* text;
   };
};

APART static struct variant* make_variants(int n)
{
   struct variant* variants = calloc(n, sizeof(struct variant));
   NOTE(variants, n * sizeof *variants, "struct variant");
   for (int i = 0; i < n; i++) {
      variants[i].kind = i % 3 ? WHOLE : REAL;
      if (i % 3)
         variants[i].whole = i;
      else
         variants[i].real = i;
   }
   return variants;
}

APART static double add_variants(const struct variant* variants, int n)
{
   double sum = 0;
   for (const struct variant* v = variants; v < variants + n; v++)
      sum += v->kind == WHOLE ? v->whole : v->real;
   return sum;
}

struct flags {
   unsigned is_open : 1, mode : 3;
   unsigned count : 12;
   uint16_t next;
   uint64_t stamp;
};

APART static unsigned set_flags(int n)
{
   struct flags* flags = calloc(n, sizeof *flags);
   NOTE(flags, n * sizeof *flags, "struct flags");
   unsigned sum = 0;
   for (int i = 0; i < n; i++) {
      flags[i].mode = i;
      flags[i].count += i;
      flags[i].stamp = i;
   }
   for (int i = 0; i < n; i++)
      sum += flags[i].count + flags[i].stamp;
   return sum;
}

/* ------------------------------------------------------------ inside others */

struct header {
   uint32_t length, kind;
};

struct message {
   struct header header;
   struct point from, to;
   char text[];
};

APART static struct message* write_message(int length)
{
   struct message* message = malloc(sizeof *message + length);
   NOTE(message, sizeof *message + length, "struct message");
   message->header.length = length;
   message->from.x = 1;
   for (int i = 0; i < length; i++)
      message->text[i] = 'a' + i % 26;
   return message;
}

APART static unsigned check_message(const struct message* message)
{
   unsigned sum = message->header.length;
   for (unsigned i = 0; i < message->header.length; i++)
      sum = sum * 31 + message->text[i];
   return sum;
}

struct matrix {
   int rows, columns;
   double cells[8][8];
};

APART static struct matrix* make_matrix(void)
{
   struct matrix* matrix = malloc(sizeof(struct matrix));
   NOTE(matrix, sizeof *matrix, "struct matrix");
   matrix->rows = matrix->columns = 8;
   for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++)
         matrix->cells[i][j] = i * j;
   return matrix;
}

APART static double trace(const struct matrix* matrix)
{
   double sum = 0;
   for (int i = 0; i < matrix->rows; i++)
      sum += matrix->cells[i][i];
   return sum;
}

/* ------------------------------------------------------------ tables */

struct entry {
   const char* key;
   size_t length;
   uint32_t hash;
};

struct table {
   struct entry* entries;
   size_t size, used;
   unsigned (*hash)(const char*);
};

static unsigned hash_of(const char* text)
{
   unsigned hash = 0;
   while (*text)
      hash = 31 * hash + *text++;
   return hash;
}

APART static struct table* make_table(size_t size)
{
   struct table* table = malloc(sizeof *table);
   NOTE(table, sizeof *table, "struct table");
   table->entries = calloc(size, sizeof *table->entries);
   NOTE(table->entries, size * sizeof *table->entries, "struct entry");
   table->size = size;
   table->used = 0;
   table->hash = hash_of;
   return table;
}

APART static struct entry* look_up(struct table* table, const char* key)
{
   unsigned hash = table->hash(key);
   for (size_t i = hash;; i++) {
      struct entry* entry = &table->entries[i % table->size];
      if (!entry->key) {
         entry->key = key;
         entry->hash = hash;
         entry->length = strlen(key);
         table->used++;
      }
      if (entry->hash == hash && strcmp(entry->key, key) == 0) return entry;
   }
}

/* ------------------------------------------------------------ rings, pools */

struct link {
   struct link *before, *after;
};

struct job {
   int number;
   struct link link;
   int64_t due;
};

APART static void enqueue(struct link* ring, int i)
{
   struct job* job = malloc(sizeof *job);
   NOTE(job, sizeof *job, "struct job");
   job->number = i;
   job->due = i * 100;
   job->link.before = ring->before;
   job->link.after = ring;
   ring->before->after = &job->link;
   ring->before = &job->link;
}

APART static int64_t last_due(const struct link* ring)
{
   int64_t due = 0;
   for (struct link* link = ring->after; link != ring; link = link->after) {
      struct job* job = (struct job*)((char*)link - offsetof(struct job, link));
      if (job->due + job->number > due) due = job->due + job->number;
   }
   return due;
}

struct ring {
   uint16_t head, tail;
   uint16_t items[62];
};

APART static unsigned turn(void)
{
   struct ring* ring = calloc(1, sizeof *ring);
   NOTE(ring, sizeof *ring, "struct ring");
   unsigned sum = 0;
   for (int i = 0; i < 200; i++) {
      ring->items[ring->head] = i;
      ring->head = (ring->head + 1) % 62;
      sum += ring->items[ring->tail];
      ring->tail = (ring->tail + 1) % 62;
   }
   return sum;
}

struct pixel {
   uint8_t red, green, blue, alpha;
};

struct image {
   int width, height;
   struct pixel* pixels;
};

APART static struct image* make_image(int width, int height)
{
   struct image* image = malloc(sizeof *image);
   NOTE(image, sizeof *image, "struct image");
   image->width = width;
   image->height = height;
   image->pixels = malloc(width * height * sizeof(struct pixel));
   NOTE(image->pixels, width * height * sizeof(struct pixel), "struct pixel");
   for (int i = 0; i < width * height; i++) {
      image->pixels[i].red = i;
      image->pixels[i].alpha = 255;
   }
   return image;
}

APART static long brightness(const struct image* image)
{
   long sum = 0;
   for (int y = 0; y < image->height; y++)
      for (int x = 0; x < image->width; x++)
         sum += image->pixels[y * image->width + x].red;
   return sum;
}

int main(void)
{
   struct node* list = NULL;
   struct link ring = {&ring, &ring};
   for (int i = 0; i < N; i++) {
      list = add_node(list, i);
      enqueue(&ring, i);
   }
   double sum = walk_list(list) + last_due(&ring) + weigh(grow(6));
   sum += furthest(place_points(N), N) + mean(fill_numbers(N), N);
   sum += index_nodes(list, N)[3]->key + add_variants(make_variants(N), N);
   sum += set_flags(N) + check_message(write_message(100));
   sum += trace(make_matrix()) + turn() + brightness(make_image(20, 30));
   struct table* table = make_table(64);
   static const char* const words[] = {"one", "two", "three", "four", "five"};
   for (int i = 0; i < N; i++)
      sum += look_up(table, words[i % 5])->length;
   printf("%.3f\n", sum);
   return 0;
}
