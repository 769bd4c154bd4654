#include "data/heap/pools.h"

#include "arch/callvalues.h"

static void add(Pools* pools, Allocator pool)
{
   pool.is_pool = True;
   pools->of =
      VG_(realloc)("cg2.pools", pools->of, (pools->n + 1) * sizeof *pools->of);
   pools->of[pools->n++] = pool;
}

/* Cuts what follows `key` off the text, and returns it; NULL: the key is not
 * there. */
static HChar* cut_off(HChar* text, const HChar* key)
{
   SizeT n = VG_(strlen)(key);
   for (; *text; text++)
      if (VG_(strncmp)(text, key, n) == 0) {
         *text = '\0';
         return text + n;
      }
   return NULL;
}

/* Reads the number of an argument, from 1, and goes behind it. */
static Bool read_argument(const HChar** text, UChar* argument)
{
   UInt number = **text - '0';
   if (number < 1 || number > CALLVALUES_ARGUMENTS) return False;
   *argument = number;
   ++*text;
   return True;
}

/* Reads `ARG` or `ARG*ARG`. */
static Bool read_size(const HChar* text, Allocator* pool)
{
   if (!read_argument(&text, &pool->size)) return False;
   if (*text == '*' && (text++, !read_argument(&text, &pool->count)))
      return False;
   return *text == '\0';
}

static Bool refuse(HChar* error, const HChar* what)
{
   VG_(sprintf)(error, "%s; expected FN[,size=ARG[*ARG]][,free=FN]", what);
   return False;
}

/* Reads the value of an option, and cuts it into its names. */
static Bool read(Pools* pools, const HChar* option, HChar* text, HChar* error)
{
   Allocator pool = {.option = option, .gives = GIVES_RESULT};
   HChar* takes = cut_off(text, ",free=");
   HChar* size = cut_off(text, ",size=");
   if (takes && !size) size = cut_off(takes, ",size=");
   pool.pattern = text;
   if (!*text || (takes && !*takes)) return refuse(error, "a name is missing");
   if (size && !read_size(size, &pool))
      return refuse(error, "arguments have numbers from 1 to 6");
   add(pools, pool);
   if (takes)
      add(pools, (Allocator){.option = option, .pattern = takes, .takes = 1});
   return True;
}

Bool cg2_pools_add(Pools* pools,
                   const HChar* option,
                   const HChar* text,
                   HChar error[POOLS_TEXT])
{
   return read(pools, option, VG_(strdup)("cg2.pools", text), error);
}
