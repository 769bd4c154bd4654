#include "model/described/freshpages.h"

#include "base/search.h"

enum { GROUP_BITS = 6 }; /* log2 of the pages of a group */

typedef struct PageGroup {
   TableNode node;
   UWord number; /* of its first page, divided by the pages of a group */
   ULong pages;  /* a bit for each that was touched */
} PageGroup;

static ULong hash_of(UWord number)
{
   return cg2_hash_word(0, number);
}

static PageGroup* find_group(const FreshPages* fresh, UWord number)
{
   TableNode* n = cg2_table_first(&fresh->groups, hash_of(number));
   while (n && ((PageGroup*)n)->number != number)
      n = cg2_table_next(n);
   return (PageGroup*)n;
}

static PageGroup* new_group(FreshPages* fresh, UWord number)
{
   PageGroup* group = VG_(calloc)("cg2.freshpages", 1, sizeof *group);
   group->number = number;
   cg2_table_add(&fresh->groups, &group->node, hash_of(number));
   return group;
}

/* The first range that ends behind an address. */
static UWord range_behind(const FreshPages* fresh, Addr address)
{
   return cg2_search_first(i, 0, fresh->n_ranges,
                           fresh->ranges[i].end <= address);
}

static Bool is_in_range(const FreshPages* fresh, Addr address)
{
   UWord i = range_behind(fresh, address);
   return i < fresh->n_ranges && fresh->ranges[i].start <= address;
}

Bool cg2_freshpages_touch(FreshPages* fresh, Addr address)
{
   UWord page = address >> fresh->page_bits, number = page >> GROUP_BITS;
   ULong bit = 1ULL << (page & ((1 << GROUP_BITS) - 1));
   PageGroup* group = find_group(fresh, number);
   if (!group) group = new_group(fresh, number);
   if (group->pages & bit) return False;
   group->pages |= bit;
   return !is_in_range(fresh, address);
}

/*--- Ranges -------------------------------------------------------------*/

static void add_range(FreshPages* fresh, UWord at, Addr start, Addr end)
{
   if (start >= end) return;
   UWord n = ++fresh->n_ranges;
   fresh->ranges =
      VG_(realloc)("cg2.freshpages", fresh->ranges, n * sizeof *fresh->ranges);
   VG_(memmove)
   (fresh->ranges + at + 1, fresh->ranges + at,
    (n - 1 - at) * sizeof *fresh->ranges);
   fresh->ranges[at] = (TouchedRange){start, end};
}

/* Cuts addresses out of all ranges. Returns where a range of them would be. */
static UWord cut_ranges(FreshPages* fresh, Addr start, Addr end)
{
   UWord first = range_behind(fresh, start), last = first;
   while (last < fresh->n_ranges && fresh->ranges[last].start < end)
      last++;
   if (last == first) return first;
   TouchedRange low = fresh->ranges[first], high = fresh->ranges[last - 1];
   VG_(memmove)
   (fresh->ranges + first, fresh->ranges + last,
    (fresh->n_ranges - last) * sizeof *fresh->ranges);
   fresh->n_ranges -= last - first;
   add_range(fresh, first, end, high.end);
   add_range(fresh, first, low.start, start);
   return first + (low.start < start);
}

void cg2_freshpages_touch_range(FreshPages* fresh, Addr start, Addr end)
{
   add_range(fresh, cut_ranges(fresh, start, end), start, end);
}

/*--- Forgetting ---------------------------------------------------------*/

/* The pages of a group that lie between two: a bit for each. */
static ULong pages_between(UWord number, UWord first, UWord last)
{
   UWord of_group = number << GROUP_BITS, all = (1 << GROUP_BITS) - 1;
   UWord from = first > of_group ? first - of_group : 0;
   UWord to = last < of_group + all ? last - of_group : all;
   return (~0ULL >> (all - to)) & (~0ULL << from);
}

/* Forgets the groups that have pages from `first` to `last`, each of which is
 * looked for; or, if they would be more than there are, all of them are looked
 * at. */
static void forget_groups(FreshPages* fresh, UWord first, UWord last)
{
   UWord low = first >> GROUP_BITS, high = last >> GROUP_BITS;
   if (high - low < fresh->groups.n_nodes) {
      for (UWord number = low; number <= high; number++) {
         PageGroup* group = find_group(fresh, number);
         if (group) group->pages &= ~pages_between(number, first, last);
      }
      return;
   }
   for (UWord b = 0; b < fresh->groups.n_buckets; b++)
      for (TableNode* n = fresh->groups.buckets[b]; n; n = n->next) {
         PageGroup* group = (PageGroup*)n;
         if (group->number >= low && group->number <= high)
            group->pages &= ~pages_between(group->number, first, last);
      }
}

void cg2_freshpages_forget(FreshPages* fresh, Addr start, Addr end)
{
   if (start >= end) return;
   cut_ranges(fresh, start, end);
   forget_groups(fresh, start >> fresh->page_bits,
                 (end - 1) >> fresh->page_bits);
}
