#include "data/heap/allocations.h"
#include "base/search.h"

/* The pages of level i have 2^page_bits[i] bytes. */
static const UInt page_bits[ALLOCATION_LEVELS] = {12, 20, 28};

/* A level has allocations of less than this many pages. */
enum { REACH = 16 };

/* An allocation that begins in a page. */
typedef struct PageEntry {
   UInt offset; /* of its start in the page */
   UInt size;   /* bytes */
   UInt owner;
} PageEntry;

/* Lists up to this long keep their room when they become empty. */
enum { KEPT_ROOM = 6 };

/* The allocations that begin in a page, by address. */
typedef struct AllocationPage {
   TableNode node;
   UWord number;
   UInt n, capacity;
   UInt back; /* so many pages before, an allocation begins that reaches into
                 this one: the last of that page; 0: none does */
   PageEntry* of;
} Page;

/*--- Pages --------------------------------------------------------------*/

static Page* page_at(AllocationLevel* level, UWord number)
{
   if (level->last && level->last->number == number) return level->last;
   ULong hash = cg2_hash_word(0, number);
   TableNode* node = cg2_table_first(&level->pages, hash);
   while (node && ((Page*)node)->number != number)
      node = cg2_table_next(node);
   if (node) level->last = (Page*)node;
   return (Page*)node;
}

static Page* page_made(AllocationLevel* level, UWord number)
{
   Page* page = page_at(level, number);
   if (page) return page;
   page = VG_(calloc)("cg2.allocations", 1, sizeof *page);
   page->number = number;
   cg2_table_add(&level->pages, &page->node, cg2_hash_word(0, number));
   return page;
}

/* How many entries of a page begin at `offset` or before. */
static UInt count_until(const Page* page, UInt offset)
{
   return cg2_search_first(i, 0, page->n, page->of[i].offset <= offset);
}

/* Entries are moved by loops: VG_(memmove) moves bytes, and took a tenth of the
 * time of a program that does nothing but allocate. */
static void insert_entry(Page* page, UInt at, PageEntry entry)
{
   if (page->n == page->capacity) {
      page->capacity += page->capacity / 2 + 4;
      page->of = VG_(realloc)("cg2.allocations", page->of,
                              page->capacity * sizeof *page->of);
   }
   for (UInt i = page->n++; i > at; i--)
      page->of[i] = page->of[i - 1];
   page->of[at] = entry;
}

static void delete_entry(Page* page, UInt at)
{
   page->n--;
   for (UInt i = at; i < page->n; i++)
      page->of[i] = page->of[i + 1];
   if (page->n || page->capacity <= KEPT_ROOM) return;
   VG_(free)(page->of);
   page->of = NULL;
   page->capacity = 0;
}

/*--- Levels -------------------------------------------------------------*/

/* A level of a set, by number. */
typedef struct PageLevel {
   AllocationLevel* of;
   UInt bits; /* of an offset in a page */
} PageLevel;

static PageLevel level_of(Allocations* set, UInt i)
{
   return (PageLevel){&set->levels[i], page_bits[i]};
}

static UInt offset_in(PageLevel level, Addr address)
{
   return address & (((UWord)1 << level.bits) - 1);
}

static Allocation entry_at(PageLevel level, const Page* page, UInt i)
{
   const PageEntry* entry = &page->of[i];
   return (Allocation){(page->number << level.bits) + entry->offset,
                       entry->size, entry->owner};
}

/* Says in the pages behind that of an allocation that it reaches into them, or,
 * with `reaches` False, that it does not any more. */
static void mark_reach(PageLevel level, Addr start, SizeT size, Bool reaches)
{
   UWord first = start >> level.bits, last = (start + size - 1) >> level.bits;
   for (UWord number = first + 1; number <= last; number++)
      page_made(level.of, number)->back = reaches ? number - first : 0;
}

static void add_to(PageLevel level, Allocation a)
{
   Page* page = page_made(level.of, a.start >> level.bits);
   UInt offset = offset_in(level, a.start);
   insert_entry(page, count_until(page, offset),
                (PageEntry){offset, (UInt)a.size, a.owner});
   mark_reach(level, a.start, a.size, True);
   level.of->n++;
}

static void remove_from(PageLevel level, Allocation a)
{
   Page* page = page_at(level.of, a.start >> level.bits);
   delete_entry(page, count_until(page, offset_in(level, a.start)) - 1);
   mark_reach(level, a.start, a.size, False);
   level.of->n--;
}

static const Allocation none;

/* The last allocation of a level that begins at an address or before, and
 * reaches into the address's page. */
static Allocation last_until(PageLevel level, Addr address)
{
   Page* page = page_at(level.of, address >> level.bits);
   if (!page) return none;
   UInt n = count_until(page, offset_in(level, address));
   if (n) return entry_at(level, page, n - 1);
   if (!page->back) return none;
   page = page_at(level.of, page->number - page->back);
   return entry_at(level, page, page->n - 1);
}

/* The first allocation of a level that begins in a page, behind an offset. */
static Allocation first_behind(PageLevel level, const Page* page, Addr offset)
{
   UInt i = page ? count_until(page, offset) : 0;
   return page && i < page->n ? entry_at(level, page, i) : none;
}

static Bool begins_in(Allocation a, Addr start, SizeT size)
{
   return a.size && a.start - start < size;
}

/* The lower of two allocations, either of which may not be there. */
static Allocation lower(Allocation a, Allocation b)
{
   if (!a.size || !b.size) return a.size ? a : b;
   return a.start < b.start ? a : b;
}

/* The first allocation of a page that begins in a stretch. */
static Allocation
first_of_page(PageLevel level, const Page* page, Addr start, SizeT size)
{
   UWord first = start >> level.bits, last = (start + size - 1) >> level.bits;
   if (page->number < first || page->number > last || !page->n) return none;
   Allocation a = page->number == first
                     ? first_behind(level, page, offset_in(level, start))
                     : entry_at(level, page, 0);
   return begins_in(a, start, size) ? a : none;
}

/* The first allocation that begins in a stretch, not at its start, of all pages
 * of a level. */
static Allocation first_of_all(PageLevel level, Addr start, SizeT size)
{
   Allocation found = none;
   const Table* pages = &level.of->pages;
   for (UWord b = 0; b < pages->n_buckets; b++)
      for (TableNode* n = pages->buckets[b]; n; n = n->next)
         found =
            lower(found, first_of_page(level, (const Page*)n, start, size));
   return found;
}

/* The first allocation of a level that begins in a stretch, not at its start.
 * Where the stretch has more pages than there are records, all records are
 * looked at. */
static Allocation first_inside(PageLevel level, Addr start, SizeT size)
{
   UWord first = start >> level.bits, last = (start + size - 1) >> level.bits;
   if (!level.of->n) return none;
   if (last - first > level.of->pages.n_nodes)
      return first_of_all(level, start, size);
   Allocation a =
      first_behind(level, page_at(level.of, first), offset_in(level, start));
   for (UWord number = first + 1; !a.size && number <= last; number++) {
      const Page* page = page_at(level.of, number);
      if (page && page->n) a = entry_at(level, page, 0);
   }
   return begins_in(a, start, size) ? a : none;
}

/*--- Large allocations --------------------------------------------------*/

/* How many large allocations begin at an address or before. */
static UInt count_large_until(const Allocations* set, Addr address)
{
   return cg2_search_first(i, 0, set->n_large, set->large[i].start <= address);
}

static void add_large(Allocations* set, Allocation a)
{
   if (set->n_large == set->capacity) {
      set->capacity += set->capacity / 2 + 16;
      set->large = VG_(realloc)("cg2.allocations", set->large,
                                set->capacity * sizeof *set->large);
   }
   UInt at = count_large_until(set, a.start);
   VG_(memmove)(set->large + at + 1, set->large + at,
                (set->n_large - at) * sizeof *set->large);
   set->large[at] = a;
   set->n_large++;
}

static void remove_large(Allocations* set, Allocation a)
{
   UInt at = count_large_until(set, a.start) - 1;
   set->n_large--;
   VG_(memmove)(set->large + at, set->large + at + 1,
                (set->n_large - at) * sizeof *set->large);
}

static Allocation last_large_until(const Allocations* set, Addr address)
{
   UInt n = count_large_until(set, address);
   return n ? set->large[n - 1] : none;
}

static Allocation first_large_behind(const Allocations* set, Addr address)
{
   UInt n = count_large_until(set, address);
   return n < set->n_large ? set->large[n] : none;
}

/*--- All ----------------------------------------------------------------*/

/* The level that an allocation of a size is in; ALLOCATION_LEVELS: none, as it
 * is large. */
static UInt level_for(SizeT size)
{
   UInt i = 0;
   while (i < ALLOCATION_LEVELS && size >= (ULong)REACH << page_bits[i])
      i++;
   return i;
}

static void add(Allocations* set, Allocation a)
{
   UInt i = level_for(a.size);
   set->n++;
   if (i < ALLOCATION_LEVELS)
      add_to(level_of(set, i), a);
   else
      add_large(set, a);
}

static void remove(Allocations* set, Allocation a)
{
   UInt i = level_for(a.size);
   set->n--;
   if (i < ALLOCATION_LEVELS)
      remove_from(level_of(set, i), a);
   else
      remove_large(set, a);
}

static Bool lies_in(Addr address, Allocation a)
{
   return address - a.start < a.size;
}

Allocation cg2_allocations_find(Allocations* set, Addr address)
{
   for (UInt i = 0; i < ALLOCATION_LEVELS; i++) {
      if (!set->levels[i].n) continue;
      Allocation a = last_until(level_of(set, i), address);
      if (lies_in(address, a)) return a;
   }
   Allocation a = last_large_until(set, address);
   return lies_in(address, a) ? a : none;
}

Allocation cg2_allocations_first(Allocations* set, Addr start, SizeT size)
{
   if (!set->n || !size) return none;
   Allocation a = cg2_allocations_find(set, start);
   if (a.size) return a;
   a = first_large_behind(set, start);
   if (!begins_in(a, start, size)) a = none;
   for (UInt i = 0; i < ALLOCATION_LEVELS; i++)
      a = lower(a, first_inside(level_of(set, i), start, size));
   return a;
}

void cg2_allocations_add(Allocations* set, Addr start, SizeT size, UInt owner)
{
   if (!size) size = 1;
   for (Allocation old; (old = cg2_allocations_first(set, start, size)).size;)
      remove(set, old);
   add(set, (Allocation){start, size, owner});
}

Allocation cg2_allocations_remove(Allocations* set, Addr start)
{
   Allocation a = cg2_allocations_find(set, start);
   if (a.start != start || !a.size) return none;
   remove(set, a);
   return a;
}

void cg2_allocations_cut(Allocations* set, Addr start, SizeT size)
{
   for (Allocation a; (a = cg2_allocations_first(set, start, size)).size;) {
      remove(set, a);
      if (a.start < start)
         add(set, (Allocation){a.start, start - a.start, a.owner});
      Addr end = start + size, end_of_a = a.start + a.size;
      if (end_of_a - 1 > end - 1)
         add(set, (Allocation){end, end_of_a - end, a.owner});
   }
}

/* Makes [*low, *high) end before the allocation `next`, and begin behind the
 * allocation `last`. */
static void narrow(Allocation last, Allocation next, Addr* low, Addr* high)
{
   if (last.size && last.start + last.size > *low)
      *low = last.start + last.size;
   if (next.size && next.start < *high) *high = next.start;
}

void cg2_allocations_narrow(Allocations* set,
                            Addr address,
                            Addr* low,
                            Addr* high)
{
   for (UInt i = 0; i < ALLOCATION_LEVELS; i++) {
      PageLevel level = level_of(set, i);
      const Page* page = page_at(level.of, address >> level.bits);
      narrow(last_until(level, address),
             first_behind(level, page, offset_in(level, address)), low, high);
   }
   narrow(last_large_until(set, address), first_large_behind(set, address), low,
          high);
}
