#include "code/nearest.h"

/* Longer words and names are compared by their first letters. */
enum { LETTERS_MAX = NEAREST_FAR };

typedef struct Letters {
   HChar of[LETTERS_MAX + 1];
   UInt n;
} Letters;

/* The letters of a pattern up to `end`. */
static Letters word_up_to(const HChar* pattern, HChar end)
{
   Letters w = {.n = 0};
   for (; *pattern && *pattern != end && w.n < LETTERS_MAX; pattern++)
      if (*pattern != '*' && *pattern != '?') w.of[w.n++] = *pattern;
   return w;
}

/* The letters of a pattern, without parameters. */
static Letters word_of(const HChar* pattern)
{
   return word_up_to(pattern, '(');
}

static Bool has_scope(const Letters* w)
{
   for (UInt i = 0; i + 1 < w->n; i++)
      if (w->of[i] == ':' && w->of[i + 1] == ':') return True;
   return False;
}

/* Behind the brackets that a name begins with, as those of `(anonymous
 * namespace)::f` and `<app::Square as app::Shape>::area`. */
static const HChar* behind_brackets(const HChar* name)
{
   UInt depth = 0;
   do {
      Bool is_arrow = depth && name[0] == '>' && name[-1] == '-';
      if (*name == '(' || *name == '<') depth++;
      if (*name == ')' || (*name == '>' && !is_arrow)) depth--;
      name++;
   } while (depth && *name);
   return name;
}

/* A function's name, without parameters and template arguments, and without
 * scopes unless `is_whole`. */
static Letters word_of_function(const HChar* name, Bool is_whole)
{
   Letters w = {.n = 0};
   if (*name == '(' || *name == '<') name = behind_brackets(name);
   for (; *name && *name != '(' && *name != '<' && w.n < LETTERS_MAX; name++)
      if (!is_whole && (*name == ':' || *name == ' '))
         w.n = 0;
      else
         w.of[w.n++] = *name;
   return w;
}

static Bool contains(const Letters* w, const Letters* part)
{
   for (UInt at = 0; at + part->n <= w->n; at++)
      if (VG_(memcmp)(w->of + at, part->of, part->n) == 0) return True;
   return False;
}

static UInt least(UInt a, UInt b, UInt c)
{
   UInt ab = a < b ? a : b;
   return ab < c ? ab : c;
}

/* Whether the letters that end here, two of each word, are those of the other
 * in turn. */
static Bool are_swapped(const Letters* a, UInt i, const Letters* b, UInt j)
{
   return i > 1 && j > 1 && a->of[i - 1] == b->of[j - 2] &&
          a->of[i - 2] == b->of[j - 1];
}

/* How many letters have to be put in, left out or changed, or swapped with the
 * next, to make one word of the other. */
static UInt edits(const Letters* a, const Letters* b)
{
   UInt rows[3][LETTERS_MAX + 1];
   for (UInt j = 0; j <= b->n; j++)
      rows[0][j] = j;
   for (UInt i = 1; i <= a->n; i++) {
      UInt *row = rows[i % 3], *before = rows[(i + 2) % 3];
      row[0] = i;
      for (UInt j = 1; j <= b->n; j++) {
         UInt change = before[j - 1] + (a->of[i - 1] != b->of[j - 1]);
         row[j] = least(before[j] + 1, row[j - 1] + 1, change);
         if (are_swapped(a, i, b, j))
            row[j] = least(row[j], rows[(i + 1) % 3][j - 2] + 1, row[j]);
      }
   }
   return rows[a->n % 3][b->n];
}

/* How far a name is from the pattern; more than `limit`: not near. */
static UInt distance(const Letters* word, const Letters* name, UInt limit)
{
   if (contains(name, word)) return name->n == word->n ? 0 : 1;
   UInt longer = word->n > name->n ? word->n - name->n : name->n - word->n;
   return longer > limit ? limit + 1 : edits(word, name);
}

/* The nearest names so far, all at one distance. */
typedef struct Nearest {
   const Name** found;
   UInt n;
   UInt distance;
} Nearest;

static void add(Nearest* nearest, const Name* name, UInt distance)
{
   if (distance > nearest->distance) return;
   if (distance < nearest->distance) nearest->n = 0;
   nearest->distance = distance;
   for (UInt i = 0; i < nearest->n; i++)
      if (nearest->found[i] == name) return;
   if (nearest->n < NEAREST_MAX) nearest->found[nearest->n++] = name;
}

UInt cg2_nearest_find(const HChar* pattern, const Name* found[NEAREST_MAX])
{
   Letters word = word_of(pattern);
   Bool is_whole = has_scope(&word);
   UInt limit = word.n / 3;
   Nearest nearest = {.found = found, .distance = limit};
   if (word.n == 0) return 0;
   for (UInt i = 1; i <= cg2_code.n_functions; i++) {
      const Name* name = cg2_code.by_number[i]->name;
      Letters other = word_of_function(name->text, is_whole);
      add(&nearest, name, distance(&word, &other, limit));
   }
   return nearest.n;
}

/* The letters of a path, or of a pattern of paths, behind the directories. */
static Letters word_of_path(const HChar* path)
{
   const HChar* base = VG_(strrchr)(path, '/');
   return word_up_to(base ? base + 1 : path, '\0');
}

UInt cg2_nearest_find_object(const HChar* pattern,
                             const Name* found[NEAREST_MAX])
{
   Letters word = word_of_path(pattern);
   UInt limit = word.n / 3;
   Nearest nearest = {.found = found, .distance = limit};
   if (word.n == 0) return 0;
   for (UInt i = 0; i < cg2_code.object_names.n; i++) {
      const Name* name = cg2_code.object_names.by_number[i];
      Letters other = word_of_path(name->text);
      add(&nearest, name, distance(&word, &other, limit));
   }
   return nearest.n;
}

UInt cg2_nearest_distance(const HChar* word, const HChar* name)
{
   Letters a = word_up_to(word, '='), b = word_up_to(name, '=');
   UInt limit = a.n / 3, far = distance(&a, &b, limit);
   return far <= limit ? far : NEAREST_FAR + 1;
}
