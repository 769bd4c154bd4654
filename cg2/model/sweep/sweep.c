#include "model/sweep/sweep.h"

/*--- Reading ------------------------------------------------------------*/

const HChar* const cg2_sweep_names[SWEEP_CACHES] = {"I", "D", "LL"};
static const ULong K = 1024;

/* The numbers that stand in a text; 0: a number does not. */
typedef struct Wish {
   ULong from, to, step, sets, ways, line;
} Wish;

/* Moves `*text` behind `word`. False: the text does not begin with it. */
static Bool skip(const HChar** text, const HChar* word)
{
   SizeT n = VG_(strlen)(word);
   if (VG_(strncmp)(*text, word, n) != 0) return False;
   *text += n;
   return True;
}

/* How many bytes a letter behind a number stands for. */
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

/* Reads the number at `*text`, from 1, and moves `*text` behind it. A number
 * stops growing when it is too large for a size. False: there is no number. */
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
      if (skip(text, cg2_sweep_names[i])) {
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

/* Reads ",key=number". False: there is no such key, or it was there before. */
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

/* The size that follows `size`. */
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

/* Adds a size of a wish that passed the checks above. */
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

/* Touches a line in all sizes. Returns how many of them, the smallest, lacked
 * it. */
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

/*--- All sweeps of a run ------------------------------------------------*/

static UInt count_sizes(const Sweeps* sweeps, SweepCache cache)
{
   return cg2_sweep_count(sweeps->of[cache]);
}

/* Whether a sweep has a size that another sweep of its cache has, too; then
 * `name` is that size's. */
static Bool is_known(const Sweeps* sweeps, const Sweep* sweep, HChar* name)
{
   HChar other[SWEEP_TEXT];
   const Sweep* s = sweeps->of[sweep->cache];
   for (; s; s = s->next)
      for (UInt i = 0; i < sweep->n * s->n; i++) {
         cg2_sweep_describe(sweep, i / s->n, name);
         cg2_sweep_describe(s, i % s->n, other);
         if (VG_(strcmp)(name, other) == 0) return True;
      }
   return False;
}

Bool cg2_sweep_add(Sweeps* sweeps, Sweep* sweep, HChar* error)
{
   HChar name[SWEEP_TEXT];
   Sweep** end = &sweeps->of[sweep->cache];
   if (is_known(sweeps, sweep, name)) {
      VG_(sprintf)(error, "%s of %s is in another sweep already",
                   cg2_sweep_names[sweep->cache], name);
      return False;
   }
   while (*end)
      end = &(*end)->next;
   *end = sweep;
   UInt i = count_sizes(sweeps, SWEEP_I), d = count_sizes(sweeps, SWEEP_D);
   UInt ll = count_sizes(sweeps, SWEEP_LL), n = ll + (i > d ? i : d);
   if (n > SWEEPS_SIZES_MAX) {
      VG_(sprintf)(error,
                   "all sweeps together look an access up in %u sizes, not "
                   "more than %d",
                   n, SWEEPS_SIZES_MAX);
      return False;
   }
   n = i + 2 * d + 3 * ll;
   if (n > SWEEPS_COLUMNS_MAX) {
      VG_(sprintf)(error,
                   "all sweeps together have %u columns, not more than %d: I "
                   "has 1 for a size, D 2, LL 3",
                   n, SWEEPS_COLUMNS_MAX);
      return False;
   }
   return True;
}

/* The bits of sweeps of the last level come first. */
void cg2_sweep_init_all(Sweeps* sweeps, UInt first_bit)
{
   static const SweepCache order[] = {SWEEP_LL, SWEEP_I, SWEEP_D};
   for (UInt c = 0; c < SWEEP_CACHES; c++) {
      UInt bit = first_bit;
      if (order[c] != SWEEP_LL) bit += count_sizes(sweeps, SWEEP_LL);
      for (Sweep* s = sweeps->of[order[c]]; s; s = s->next) {
         cg2_sweep_init(s);
         s->first_bit = bit;
         bit += s->n;
      }
   }
}
