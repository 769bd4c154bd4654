#include "data/touches.h"

#include "base/arena.h"
#include "data/owner.h"
#include "engine/thread.h"

/* Reason for a mutable file-scope object: configuration. */
TouchesConfig cg2_touches_config;

/* Reason for a mutable file-scope object: all touches. */
static Table touches;

/* The counts of the access that was made last. Reason for a mutable file-scope
 * object: what an access causes is known later than where it goes. */
static ULong* counts_now;

/*--- Touchers -----------------------------------------------------------*/

static Addr offset_of(const Toucher* by)
{
   return by->block->offset + cg2_block_instrs(by->block)[by->instr];
}

static ULong hash_of(const Toucher* by)
{
   ULong hash = cg2_code_hash_place(by->block->object, offset_of(by));
   return cg2_hash_word(hash, by->kind << 8 | by->number);
}

/* Whether two touchers are one access of one instruction. */
static Bool is_same(const Toucher* a, const Toucher* b)
{
   return a == b || (a->kind == b->kind && a->number == b->number &&
                     a->block->object == b->block->object &&
                     offset_of(a) == offset_of(b));
}

/*--- Entries ------------------------------------------------------------*/

static SizeT entry_size(const Touch* t)
{
   return sizeof(TouchEntry) +
          cg2_touches_config.events[t->by->kind].n * sizeof(ULong);
}

TouchEntry* cg2_touch_entry(const Touch* t, UInt i)
{
   return (TouchEntry*)(t->entries + i * entry_size(t));
}

static TouchEntry* add_entry(Touch* t, ULong offset)
{
   SizeT size = entry_size(t);
   if (t->n == t->room) {
      t->room = t->room ? 2 * t->room : 1;
      t->entries = VG_(realloc)("cg2.touches", t->entries, t->room * size);
   }
   TouchEntry* entry = cg2_touch_entry(t, t->n++);
   VG_(memset)(entry, 0, size);
   entry->offset = offset;
   return entry;
}

static ULong divisor(ULong a, ULong b)
{
   while (b) {
      ULong rest = a % b;
      a = b;
      b = rest;
   }
   return a;
}

static ULong distance(ULong a, ULong b)
{
   return a < b ? b - a : a - b;
}

/* Lets the touch, which is folded, have this offset, too. */
static void widen(Touch* t, ULong offset)
{
   TouchEntry* only = cg2_touch_entry(t, 0);
   t->stride = divisor(t->stride, distance(only->offset, offset));
   only->offset %= t->stride;
}

/* Makes one entry of all. */
static void fold(Touch* t)
{
   TouchEntry* only = cg2_touch_entry(t, 0);
   for (UInt i = 1; i < t->n; i++) {
      const TouchEntry* entry = cg2_touch_entry(t, i);
      t->stride = divisor(t->stride, distance(only->offset, entry->offset));
      for (UInt e = 0; e < cg2_touches_config.events[t->by->kind].n; e++)
         only->counts[e] += entry->counts[e];
   }
   only->offset %= t->stride;
   t->n = 1;
}

static TouchEntry* find_entry(Touch* t, ULong offset)
{
   if (t->stride) {
      TouchEntry* only = cg2_touch_entry(t, 0);
      if (offset % t->stride != only->offset) widen(t, offset);
      return only;
   }
   for (UInt i = 0; i < t->n; i++) {
      TouchEntry* entry = cg2_touch_entry(t, i);
      if (entry->offset == offset) return entry;
   }
   if (t->n < TOUCH_OFFSETS) return add_entry(t, offset);
   fold(t);
   widen(t, offset);
   return cg2_touch_entry(t, 0);
}

/* Finds the entry of an offset, and notes which others have it. */
static ULong* count_at(Touch* t, ULong offset)
{
   t->recent = find_entry(t, offset);
   t->mask = ~0ULL;
   if (t->stride && (t->stride & (t->stride - 1)) == 0) t->mask = t->stride - 1;
   return t->recent->counts;
}

/*--- Touches ------------------------------------------------------------*/

static Touch* touch_of(TableNode* node)
{
   return (Touch*)((HChar*)node - offsetof(Touch, node));
}

static Touch*
find_touch(const Toucher* by, const Cells* cells, DataObject* object)
{
   ULong hash = cg2_hash_word(hash_of(by), (UWord)cells);
   hash = cg2_hash_word(hash, object->number);
   for (TableNode* n = cg2_table_first(&touches, hash); n;
        n = cg2_table_next(n)) {
      Touch* t = touch_of(n);
      if (t->cells == cells && t->object == object && is_same(t->by, by))
         return t;
   }
   Touch* t = cg2_arena_new_line(sizeof *t, 0);
   t->by = by;
   t->cells = cells;
   t->object = object;
   cg2_table_add(&touches, &t->node, hash);
   return t;
}

/* Whether a piece is in the topmost frame of the stack that runs. */
static Bool is_topmost(const Piece* piece)
{
   return piece->object->kind == DATA_STACK &&
          piece->origin == cg2_now.stack.top->sp;
}

/* Where accesses of a touch go that need not be looked up. */
static void remember(Touch* t, const Piece* piece, const UInt* version)
{
   t->version = version;
   t->version_then = *version;
   t->start = piece->start;
   t->origin = piece->origin;
   t->generation = cg2_owner_generation;
   t->length =
      piece->object->kind == DATA_STACK ? 0 : piece->end - piece->start;
   if (!is_topmost(piece)) return;
   t->generation = 0;
   t->length = piece->origin - piece->start + 1;
}

/* Notes which touch was counted last, and which before that. */
static void set_recent(Toucher* by, Touch* t)
{
   by->before = by->recent;
   by->recent = t;
}

static ULong* find(Toucher* by, Addr address)
{
   const UInt* version;
   Piece piece = cg2_owner_find(address, &version);
   Touch* t = find_touch(by, cg2_now.current, piece.object);
   remember(t, &piece, version);
   if (t != by->recent) set_recent(by, t);
   return count_at(t, cg2_piece_offset(&piece, address));
}

/* Whether an access goes to where the touch was last: *offset is the place. */
static inline Bool comes_to(const Touch* t, Addr address, ULong* offset)
{
   if (!t || t->cells != cg2_now.current) return False;
   if (!t->generation) {
      *offset = cg2_now.stack.top->sp - address;
      return *offset < t->length;
   }
   *offset = address - t->origin;
   return address - t->start < t->length &&
          t->generation == cg2_owner_generation &&
          *t->version == t->version_then;
}

/* An access that does not go where the last one went: many take turns. */
static __attribute__((noinline)) ULong* find_again(Toucher* by, Addr address)
{
   ULong offset;
   Touch* t = by->before;
   if (!comes_to(t, address, &offset)) return find(by, address);
   set_recent(by, t);
   return count_at(t, offset);
}

static inline ULong* counts_of(Toucher* by, Addr address)
{
   ULong offset;
   const Touch* t = by->recent;
   if (!comes_to(t, address, &offset)) return find_again(by, address);
   if ((offset & t->mask) != t->recent->offset)
      return count_at(by->recent, offset);
   return t->recent->counts;
}

VG_REGPARM(2) void cg2_touches_make(Addr address, Toucher* by)
{
   counts_now = counts_of(by, address);
   counts_now[0]++;
}

void cg2_touches_count(UInt outcome)
{
   for (ULong* count = counts_now + 1; outcome; outcome >>= 1, count++)
      *count += outcome & 1;
}

/*--- All touches --------------------------------------------------------*/

Touch** cg2_touches_all(UWord* n)
{
   Touch** all =
      VG_(malloc)("cg2.touches", (touches.n_nodes + 1) * sizeof *all);
   *n = 0;
   for (UWord i = 0; i < touches.n_buckets; i++)
      for (TableNode* node = touches.buckets[i]; node; node = node->next)
         if (touch_of(node)->n) all[(*n)++] = touch_of(node);
   return all;
}

/* Forgets what a touch has counted, and where. */
static void clear(Touch* t)
{
   VG_(free)(t->entries);
   t->entries = NULL;
   t->n = t->room = 0;
   t->stride = 0;
   t->length = 0;
}

void cg2_touches_zero(UInt tid)
{
   UWord n;
   Touch** all = cg2_touches_all(&n);
   for (UWord i = 0; i < n; i++)
      if (!tid || all[i]->cells->context->separation->thread == tid)
         clear(all[i]);
   VG_(free)(all);
}
