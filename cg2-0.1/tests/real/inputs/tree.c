/* A sorted tree of the words of a text, printed; qsort, longjmp, floats. */

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
   struct node *left, *right;
   char word[32];
   int count;
};

static jmp_buf found;
static double total;

static void add(struct node** root, const char* word)
{
   while (*root != NULL) {
      int order = strcmp(word, (*root)->word);
      if (order == 0) {
         (*root)->count++;
         return;
      }
      root = order < 0 ? &(*root)->left : &(*root)->right;
   }
   *root = calloc(1, sizeof **root);
   (*root)->count = 1;
   snprintf((*root)->word, sizeof (*root)->word, "%s", word);
}

static void walk(const struct node* node)
{
   if (node == NULL) return;
   walk(node->left);
   total += sqrt(node->count);
   if (strcmp(node->word, "software") == 0) {
      printf("%s %d\n", node->word, node->count);
      longjmp(found, 1);
   }
   walk(node->right);
}

static int by_value(const void* a, const void* b)
{
   long long x = *(const long long*)a, y = *(const long long*)b;
   return (x > y) - (x < y);
}

int main(void)
{
   struct node* root = NULL;
   FILE* text = fopen("text", "r");
   char word[32];
   while (fscanf(text, "%*[^A-Za-z]"), fscanf(text, "%31[A-Za-z]", word) > 0) {
      for (char* c = word; *c; c++)
         *c = (char)tolower(*c);
      add(&root, word);
   }
   if (setjmp(found) == 0) walk(root);
   long long values[500], seed = 1;
   for (int i = 0; i < 500; i++)
      values[i] = seed = (seed * 6364136223846793005LL + 1442695040888963407LL) / 3;
   qsort(values, 500, sizeof values[0], by_value);
   printf("%.3f %lld %lld\n", total, values[0], values[499] / 7);
   return 3;
}
