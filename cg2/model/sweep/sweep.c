#include "model/sweep/sweep.h"

/*--- Reading ------------------------------------------------------------*/

static const HChar* const cache_names[SWEEP_CACHES] = {"I", "D", "LL"};
static const ULong K = 1024;

/* What stands in the text; 0: it does not. */
typedef struct Wish {
   ULong from, to, step, sets, ways, line;
} Wish;

/* Moves `*text` behind `word` if it begins so. */
static Bool skip(const HChar** text, const HChar* word)
{
   SizeT n = VG_(strlen)(word);
   if (VG_(strncmp)(*text, word, n) != 0) return False;
   *text += n;
   return True;
}

static ULong unit(HChar letter)
{
   switch (letter) {
   case 'k':
   case 'K':
      return K;
   case 'm':
   case 'M':
      return K * K;
   case 'g':
   case 'G':
      return K * K * K;
   default:
      return 1;
   }
}

/* Moves `*text` behind the number that stands there, from 1. What is too large
 * for a size stops growing when it is. */
static Bool read_number(const HChar** text, ULong* number)
{
   ULong n = 0;
   for (; **text >= '0' && **text <= '9'; (*text)++)
      if (n <= GEOMETRY_SIZE_MAX) n = 10 * n + (**text - '0');
   ULong times = unit(**text);
   if (times > 1) (*text)++;
   *number = n > GEOMETRY_SIZE_MAX ? n : n * times;
   return n > 0;
}

static Bool read_cache(const HChar** text, Sweep* sweep)
{
   for (UInt i = 0; i < SWEEP_CACHES; i++)
      if (skip(text, cache_names[i])) {
         sweep->cache = (SweepCache)i;
         return skip(text, ":");
      }
   return False;
}

static Bool read_sizes(const HChar** text, Wish* wish)
{
   if (!read_number(text, &wish->from)) return False;
   wish->to = wish->from;
   return !skip(text, "..") || read_number(text, &wish->to);
}

/* ",key=number"; each key once. */
static Bool read_key(const HChar** text, Wish* wish)
{
   struct {
      const HChar* name;
      ULong* number;
   } keys[] = {{",step=", &wish->step},
               {",sets=", &wish->sets},
               {",ways=", &wish->ways},
               {",line=", &wish->line}};
   for (UInt i = 0; i < sizeof keys / sizeof *keys; i++)
      if (skip(text, keys[i].name))
         return *keys[i].number == 0 && read_number(text, keys[i].number);
   return False;
}

static Bool read(const HChar* text, Sweep* sweep, Wish* wish)
{
   if (!read_cache(&text, sweep) || !read_sizes(&text, wish)) return False;
   while (*text)
      if (!read_key(&text, wish)) return False;
   return True;
}

static Bool check_numbers(const Wish* wish, HChar* error)
{
   const ULong numbers[] = {wish->from, wish->to,   wish->step,
                            wish->sets, wish->ways, wish->line};
   for (UInt i = 0; i < sizeof numbers / sizeof *numbers; i++)
      if (numbers[i] > GEOMETRY_SIZE_MAX) {
         VG_(sprintf)(error, "the largest number is %llu", GEOMETRY_SIZE_MAX);
         return False;
      }
   return True;
}

/* The size behind `size`. */
static ULong next_size(const Wish* wish, ULong size)
{
   return wish->step ? size + wish->step : 2 * size;
}

static Bool check_sizes(const Wish* wish, HChar* error)
{
   ULong size = wish->from, before = wish->from;
   UInt n = 1;
   if (wish->from > wish->to) {
      VG_(sprintf)(error, "there is no size from %llu to %llu bytes",
                   wish->from, wish->to);
      return False;
   }
   for (; size < wish->to && n <= SWEEP_SIZES_MAX; n++) {
      before = size;
      size = next_size(wish, size);
   }
   if (n > SWEEP_SIZES_MAX) {
      VG_(sprintf)(error, "too many sizes: a sweep has at most %d",
                   SWEEP_SIZES_MAX);
      return False;
   }
   if (size > wish->to) {
      VG_(sprintf)(error,
                   "the sizes from %llu on come to %llu and %llu bytes, not to "
                   "%llu",
                   wish->from, before, size, wish->to);
      return False;
   }
   return True;
}

static UInt at_most(ULong n, UInt most)
{
   return n < most ? n : most;
}

static Bool check_shape(const Wish* wish, HChar* error)
{
   const HChar* wrong = NULL;
   if (wish->sets && wish->ways)
      wrong = "sets or ways can be fixed, not both";
   else if (wish->ways && wish->step)
      wrong = "with ways= the sizes double: there is no step=";
   if (wrong) {
      VG_(sprintf)(error, "%s", wrong);
      return False;
   }
   Geometry smallest = {wish->from, 1, at_most(wish->line, ~0U)};
   return cg2_geometry_check(&smallest, error);
}

/* Of what passed the checks above. */
static Bool add_size(Sweep* sweep, const Wish* wish, ULong size, HChar* error)
{
   ULong row = wish->sets * wish->line;
   if (wish->sets && size % row) {
      VG_(sprintf)(error,
                   "%llu bytes are no multiple of %llu sets of %llu byte lines",
                   size, wish->sets, wish->line);
      return False;
   }
   if (size / wish->line > SWEEP_LINES_MAX) {
      VG_(sprintf)(error,
                   "%llu bytes are too large: a sweep has at most %d lines",
                   size, SWEEP_LINES_MAX);
      return False;
   }
   ULong ways = wish->sets ? size / row : wish->ways;
   Geometry geometry = {size, at_most(ways, ~0U), wish->line};
   sweep->of[sweep->n++] = geometry;
   return cg2_geometry_check(&geometry, error);
}

Bool cg2_sweep_parse(const HChar* text, Sweep* sweep, HChar* error)
{
   Wish wish = {0};
   *sweep = (Sweep){.next = NULL};
   if (!read(text, sweep, &wish)) {
      VG_(sprintf)(error, "expected I:, D: or LL:, sizes, and what else is "
                          "fixed, such as D:8k..1m or "
                          "D:32k..48k,step=4k,sets=64,line=64");
      return False;
   }
   if (!check_numbers(&wish, error)) return False;
   if (!wish.line) wish.line = 64;
   if (!wish.sets && !wish.ways) wish.sets = 1;
   sweep->has_ways = wish.ways > 0;
   if (!check_shape(&wish, error) || !check_sizes(&wish, error)) return False;
   for (ULong size = wish.from; size <= wish.to; size = next_size(&wish, size))
      if (!add_size(sweep, &wish, size, error)) return False;
   return True;
}

/*--- Describing ---------------------------------------------------------*/

void cg2_sweep_describe(const Sweep* sweep, UInt i, HChar* text)
{
   const Geometry* g = &sweep->of[i];
   static const HChar units[] = "BKMG";
   ULong size = g->size;
   UInt u = 0;
   for (; size % K == 0 && u < 3; u++)
      size /= K;
   text += VG_(sprintf)(text, "%llu%c", size, units[u]);
   if (sweep->has_ways)
      text += VG_(sprintf)(text, "w%u", g->ways);
   else if (cg2_geometry_sets(g) > 1)
      text += VG_(sprintf)(text, "s%llu", cg2_geometry_sets(g));
   if (g->line != 64) VG_(sprintf)(text, "l%u", g->line);
}

/*--- Caches -------------------------------------------------------------*/

static void init_stacks(Sweep* sweep)
{
   UInt ways[SWEEP_SIZES_MAX];
   for (UInt i = 0; i < sweep->n; i++)
      ways[i] = sweep->of[i].ways;
   cg2_lru_init(&sweep->stacks, cg2_geometry_sets(&sweep->of[0]), ways,
                sweep->n);
}

void cg2_sweep_init(Sweep* sweep)
{
   const Geometry* smallest = &sweep->of[0];
   sweep->line_bits = __builtin_ctz(smallest->line);
   if (sweep->has_ways)
      cg2_nest_init(&sweep->nest, cg2_geometry_sets(smallest), smallest->ways,
                    sweep->n);
   else
      init_stacks(sweep);
}

/* How many sizes miss: the smallest ones. */
static inline UInt touch(Sweep* sweep, UWord line)
{
   return sweep->has_ways ? cg2_nest_touch(&sweep->nest, line)
                          : cg2_lru_touch(&sweep->stacks, line);
}

UInt cg2_sweep_access(Sweep* first, Addr addr, UInt size)
{
   UInt outcome = 0;
   for (Sweep* s = first; s; s = s->next) {
      UWord line = addr >> s->line_bits;
      UWord last = (addr + size - 1) >> s->line_bits;
      UInt most = touch(s, line);
      while (line != last) {
         UInt n_missing = touch(s, ++line);
         if (n_missing > most) most = n_missing;
      }
      outcome |= ((1U << most) - 1) << s->first_bit;
   }
   return outcome;
}

void cg2_sweep_clear(Sweep* first)
{
   for (Sweep* s = first; s; s = s->next)
      if (s->has_ways)
         cg2_nest_clear(&s->nest);
      else
         cg2_lru_clear(&s->stacks);
}

UInt cg2_sweep_count(const Sweep* first)
{
   UInt n = 0;
   for (const Sweep* s = first; s; s = s->next)
      n += s->n;
   return n;
}
