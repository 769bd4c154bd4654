/* A balanced tree by random priorities: keys that come, are found, and go. */
#include "bench.h"
enum { NODES = 2000, STEPS = 3000 };
static struct node {
   struct node *left, *right;
   uint32_t key, priority;
} nodes[NODES], *root, *unused;
static uint32_t keys[STEPS];

static void
split(struct node* t, uint32_t key, struct node** l, struct node** r)
{
   if (!t) {
      *l = *r = NULL;
   } else if (t->key < key) {
      split(t->right, key, &t->right, r);
      *l = t;
   } else {
      split(t->left, key, l, &t->left);
      *r = t;
   }
}

static struct node* join(struct node* l, struct node* r)
{
   if (!l || !r) return l ? l : r;
   if (l->priority > r->priority) {
      l->right = join(l->right, r);
      return l;
   }
   r->left = join(l, r->left);
   return r;
}

static void flip(uint32_t key)
{
   struct node *low, *high, *mine;
   split(root, key, &low, &high);
   split(high, key + 1, &mine, &high);
   if (mine) {
      mine->left = unused;
      unused = mine;
      mine = NULL;
   } else if (unused) {
      mine = unused;
      unused = mine->left;
      mine->key = key;
      mine->left = mine->right = NULL;
   }
   root = join(join(low, mine), high);
}

void setup(void)
{
   for (int i = 0; i < NODES; i++) {
      nodes[i].priority = (uint32_t)rnd();
      nodes[i].left = unused;
      unused = &nodes[i];
   }
   for (int i = 0; i < NODES / 2; i++)
      flip(rnd() % 4000);
}

void prepare(void)
{
   for (int i = 0; i < STEPS; i++)
      keys[i] = rnd() % 4000;
}

void bench(void)
{
   uint32_t found = 0;
   for (int i = 0; i < STEPS; i++) {
      const struct node* t = root;
      while (t && t->key != keys[i])
         t = keys[i] < t->key ? t->left : t->right;
      found += t != NULL;
      if (i & 1) flip(keys[i]);
   }
   KEEP(found);
}
