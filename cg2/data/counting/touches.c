#include "data/counting/touches.h"

#include "base/arena.h"
#include "data/counting/owner.h"
#include "engine/thread.h"

/* Reason for a mutable file-scope object: configuration. */
TouchesConfig cg2_touches_config;

/* Reason for a mutable file-scope object: all touches, and the last one: what
 * an access causes is known later than where it goes. */
static struct {
   Table all;
   ULong* counts_now; /* of the access that was made last */
} touches;

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

/*--- What touchers remember ---------------------------------------------*/

static inline UInt stamp_of(const UInt* version)
{
   return *version + cg2_owners.generation;
}

/* The bits that say which offsets are those of an entry that was counted. */
static UInt mask_of(const Touch* t)
{
   Bool is_power = t->stride && (t->stride & (t->stride - 1)) == 0;
   return is_power ? (UInt)t->stride - 1 : ~0U;
}

/* Remembers the place of a touch around an address, or so much of it that the
 * lower halves of offsets are enough. */
static void remember_place(Toucher* by, const Touch* t, Addr address)
{
   enum { MOST = 1 << 30 };
   by->cells = t->cells;
   by->start = t->start;
   by->length = t->length < MOST ? t->length : MOST;
   if (t->length > MOST && !t->is_topmost) {
      UWord left = t->start + t->length - address;
      by->start = address;
      by->length = left < MOST ? left : MOST;
   }
   by->origin = t->origin;
   by->version = t->version;
   by->stamp = t->stamp;
   by->is_topmost = t->is_topmost;
}

/* Counts in the entry of an offset, and remembers it. Only one toucher does
 * that of a touch, as entries move. */
static void count_at(Toucher* by, Touch* t, Addr address, ULong offset)
{
   if (t->holder && t->holder != by && t->holder->recent == t)
      t->holder->cells = NULL;
   t->holder = by;
   TouchEntry* entry = find_entry(t, offset);
   if (t != by->recent) by->before = by->recent;
   by->recent = t;
   remember_place(by, t, address);
   by->mask = mask_of(t);
   by->offset = (UInt)offset & by->mask;
   by->counts = touches.counts_now = entry->counts;
   touches.counts_now[0]++;
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
   for (TableNode* n = cg2_table_first(&touches.all, hash); n;
        n = cg2_table_next(n)) {
      Touch* t = touch_of(n);
      if (t->cells == cells && t->object == object && is_same(t->by, by))
         return t;
   }
   Touch* t = cg2_arena_new(sizeof *t);
   t->by = by;
   t->cells = cells;
   t->object = object;
   cg2_table_add(&touches.all, &t->node, hash);
   return t;
}

/* Whether a piece is in the topmost frame of the stack that runs. */
static Bool is_topmost(const DataPiece* piece)
{
   return piece->object->kind == DATA_STACK &&
          piece->origin == cg2_now.stack.top->sp;
}

/* Notes where accesses of a touch go that need not be looked up. */
static void note_place(Touch* t, const DataPiece* piece, const UInt* version)
{
   t->version = version;
   t->stamp = stamp_of(version);
   t->start = piece->start;
   t->origin = piece->origin;
   t->is_topmost = is_topmost(piece);
   if (t->is_topmost)
      t->length = piece->origin - piece->start + 1;
   else
      t->length =
         piece->object->kind == DATA_STACK ? 0 : piece->end - piece->start;
}

static Bool is_of(const Touch* t, const Cells* cells, const DataObject* object)
{
   return t && t->cells == cells && t->object == object;
}

/* The touch of an object: mostly one of the two that were counted last. */
static Touch*
touch_of_object(const Toucher* by, const Cells* cells, DataObject* object)
{
   if (is_of(by->recent, cells, object)) return by->recent;
   if (is_of(by->before, cells, object)) return by->before;
   return find_touch(by, cells, object);
}

static void look_up(Toucher* by, Addr address)
{
   const UInt* version;
   DataPiece piece = cg2_owner_find(address, &version);
   Touch* t = touch_of_object(by, cg2_now.current, piece.object);
   note_place(t, &piece, version);
   count_at(by, t, address, cg2_dataobject_offset(&piece, address));
}

/* Whether an access goes to where the touch was last: *offset is the place. */
static inline Bool comes_to(const Touch* t, Addr address, ULong* offset)
{
   if (!t || t->cells != cg2_now.current || !t->version ||
       t->stamp != stamp_of(t->version))
      return False;
   if (t->is_topmost) {
      *offset = cg2_now.stack.top->sp - address;
      return *offset < t->length;
   }
   *offset = address - t->origin;
   return address - t->start < t->length;
}

/* An access that goes where the last one did not, or to another offset there:
 * many take turns. */
static __attribute__((noinline)) void make_again(Toucher* by, Addr address)
{
   ULong offset;
   if (comes_to(by->recent, address, &offset))
      count_at(by, by->recent, address, offset);
   else if (comes_to(by->before, address, &offset))
      count_at(by, by->before, address, offset);
   else
      look_up(by, address);
}

/* Whether an access goes to what is remembered. */
static inline Bool is_remembered(const Toucher* by, Addr address)
{
   if (by->cells != cg2_now.current || by->stamp != stamp_of(by->version))
      return False;
   if (by->is_topmost) {
      Addr offset = cg2_now.stack.top->sp - address;
      return offset < by->length && ((UInt)offset & by->mask) == by->offset;
   }
   return address - by->start < by->length &&
          ((UInt)(address - by->origin) & by->mask) == by->offset;
}

VG_REGPARM(2) void cg2_touches_make(Addr address, Toucher* by)
{
   if (!is_remembered(by, address)) {
      make_again(by, address);
      return;
   }
   touches.counts_now = by->counts;
   touches.counts_now[0]++;
}

Toucher* cg2_toucher_new(void)
{
   return cg2_arena_new_line(sizeof(Toucher), 0);
}

void cg2_touches_count(UInt outcome)
{
   for (ULong* count = touches.counts_now + 1; outcome; outcome >>= 1, count++)
      *count += outcome & 1;
}

/*--- All touches --------------------------------------------------------*/

Touch** cg2_touches_all(UWord* n)
{
   Touch** all =
      VG_(malloc)("cg2.touches", (touches.all.n_nodes + 1) * sizeof *all);
   *n = 0;
   for (UWord i = 0; i < touches.all.n_buckets; i++)
      for (TableNode* node = touches.all.buckets[i]; node; node = node->next)
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
   t->version = NULL;
}

void cg2_touches_zero(UInt tid)
{
   UWord n;
   Touch** all = cg2_touches_all(&n);
   for (UWord i = 0; i < n; i++)
      if (!tid || all[i]->cells->context->separation->thread == tid)
         clear(all[i]);
   cg2_owner_change(); /* so that nothing is remembered */
   VG_(free)(all);
}
